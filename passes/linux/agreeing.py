"""Writes a role's side of an agreement on copies, as runtime/checks.mlir has it.

Entry: `Agreeing`, `require_agreed`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from alpha.ir.protocol.steps import AGREEMENT_WORDS
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.memory import Place

RECORD_WORDS = AGREEMENT_WORDS + 1
STATUS, DIFFERS = 0, AGREEMENT_WORDS


class Agreeing:
    """The digest of a role's copies, and whether anybody below has others."""

    def __init__(self, context: RoleContext, copies: Sequence[Place]) -> None:
        self._context = context
        self.record = context.arena.place(RECORD_WORDS, "i64")
        emitter = context.emitter
        pieces = context.arena.place(2 * len(copies), "i64")
        base = emitter.pointer(pieces)
        for number, copy in enumerate(copies):
            at = emitter.offset(base, 16 * number)
            emitter.store_at(emitter.pointer(copy), at)
            emitter.store_at(emitter.number(copy.bytes), emitter.offset(at, 8))
        count = emitter.number(len(copies))
        emitter.call("alpha_agree", (base, count, emitter.pointer(self.record)))

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
