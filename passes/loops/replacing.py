"""Replaces the programs of a module by what a pass writes of them.

Refuses: region-identity (two functions of one name).
Entry: `replace_programs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.dialects.shard import ShardLearnerOp
from alpha.ir.refusals import Note, Refusal, place_of

Write = Callable[[ProgramOp, str | None], Sequence[Operation]]
"""What a program becomes; it gets the name of the learner that the program belongs to."""


def replace_programs(module: ModuleOp, write: Write) -> None:
    """Replace every learner by its programs' functions, and every program that stands by itself.

    Who does what, which programs don't say, goes with them.

    Raises:
        Refusal: `region-identity` for two programs of one name, or what `write` refuses.
    """
    parts = list(module.body.block.ops)
    seen: dict[str, Operation] = {
        part.sym_name.data: part for part in parts if isinstance(part, func.FuncOp)
    }
    replaced: list[tuple[Operation, list[Operation]]] = []
    for part in parts:
        made: list[Operation] = []
        programs = list(_programs(part))
        for program, learner in programs:
            name = program.sym_name.data
            if name in seen:
                note = Note("the first is here", place_of(seen[name]))
                wanted = "programs and functions of different names"
                raise Refusal("region-identity", wanted, f"two of @{name}", program, (note,))
            seen[name] = program
            made += write(program, learner)
        if programs or _says_who_does_what(part):
            replaced.append((part, made))
    for part, made in replaced:
        module.body.block.insert_ops_before(made, part)
        part.detach()
        part.erase()


def _says_who_does_what(part: Operation) -> bool:
    """Whether a part is a learner, or says how one is distributed, which its programs don't do."""
    if isinstance(part, GlobalOp | RoleOp):
        return part.learner is not None
    return isinstance(part, LearnerOp | ShardLearnerOp)


def _programs(part: Operation) -> Iterator[tuple[ProgramOp, str | None]]:
    """The programs of a learner, of a distribution, or one by itself; with the learner's name."""
    match part:
        case ProgramOp():
            yield part, None
        case LearnerOp() | ShardLearnerOp():
            name = (
                part.sym_name.data if isinstance(part, LearnerOp) else part.learner.string_value()
            )
            for inner in part.body.block.ops:
                if isinstance(inner, ProgramOp):
                    yield inner, name
        case _:
            return
