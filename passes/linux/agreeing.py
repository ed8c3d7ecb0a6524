"""Writes a role's side of an agreement on copies, as runtime/checks.mlir has it.

Entry: `Agreeing`, `require_agreed`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from alpha.ir.protocol.steps import AGREEMENT_WORDS, first_half
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.memory import Place

RECORD_WORDS = AGREEMENT_WORDS + 1
STATUS, DIFFERS = 0, AGREEMENT_WORDS


class Agreeing:
    """The digest of a role's copies, and whether anybody below has others."""

    def __init__(self, context: RoleContext, copies: Sequence[Place]) -> None:
        self._context = context
        self.record = context.arena.place(RECORD_WORDS, "i64")
        halves = _halves(copies)
        operands = [each for half in halves for each in self._pieces(half)]
        context.emitter.call("alpha_agree", (*operands, context.emitter.pointer(self.record)))

    def _pieces(self, half: Sequence[tuple[Place, int, int]]) -> tuple[SSAValue, SSAValue]:
        """Where pieces are said, and how many."""
        context, emitter = self._context, self._context.emitter
        base = emitter.pointer(context.arena.place(2 * len(half), "i64"))
        for number, (copy, start, end) in enumerate(half):
            at = emitter.offset(base, 16 * number)
            emitter.store_at(emitter.offset(emitter.pointer(copy), start), at)
            emitter.store_at(emitter.number(end - start), emitter.offset(at, 8))
        return base, emitter.number(len(half))

    def hear(self, peer: int, heard: SSAValue) -> None:
        """Take in what a child sends; `heard` is the address of its words."""
        emitter = self._context.emitter
        operands = (emitter.pointer(self.record), heard, emitter.number(peer))
        emitter.call("alpha_hear", operands)

    @property
    def status(self) -> Place:
        """Whether all copies were equal: the verdict, where this role gives it."""
        return self.record.part(STATUS, 1)

    @property
    def differs(self) -> Place:
        """The first role that has others."""
        return self.record.part(DIFFERS, 1)


def _halves(copies: Sequence[Place]) -> Sequence[Sequence[tuple[Place, int, int]]]:
    """The pieces of either half of all bytes: a copy, and between which of its bytes."""
    left = first_half(sum(copy.bytes for copy in copies))
    front: list[tuple[Place, int, int]] = []
    behind: list[tuple[Place, int, int]] = []
    for copy in copies:
        within = min(left, copy.bytes)
        left -= within
        front += [(copy, 0, within)] * (within > 0)
        behind += [(copy, within, copy.bytes)] * (within < copy.bytes)
    return front, behind


def require_agreed(
    context: RoleContext, verdict: SSAValue, ahead: int = 0, differs: Place | None = None
) -> None:
    """End the process where the copies of the version, and so many ahead, weren't equal."""
    emitter = context.emitter
    version = emitter.load(context.version)
    if ahead:
        version = emitter.add(arith.AddiOp(version, emitter.number(ahead)))
    whose = emitter.number(-1) if differs is None else emitter.load(differs)
    emitter.call("alpha_require_agreed", (verdict, version, whose))
