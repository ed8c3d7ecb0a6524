"""A pipeline: passes by request, run in order, with the verifier before, between and behind them.

Invariant: no pass sees IR that doesn't verify. IR that a pass leaves without structure is a bug of
    the pass, not of the user's input; a refusal by a dialect's own rule stays one.
Refuses: target-unsupported, and what passes and verifiers refuse.
Entry: `make_passes`, `run_passes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal
from alpha.passes.registry import all_passes, find_pass
from alpha.tools.driver.arguments import PassRequest, UsageError, hint
from alpha.tools.driver.boundary import InternalError, Situation
from alpha.tools.driver.pass_options import build_pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass


def make_passes(requests: Sequence[PassRequest], flags: Sequence[str]) -> list[ModulePass]:
    """The passes of a command, in order; `flags` are the tool's own, for the hint.

    Raises UsageError for an unknown pass or option.
    """
    passes: list[ModulePass] = []
    for request in requests:
        entry = find_pass(request.name)
        if entry is None:
            near = hint(request.name, [*flags, *all_passes()])
            raise UsageError(f"there is no flag or pass {request.spelling}{near}")
        passes.append(build_pass(entry.load(), request))
    return passes


def run_passes(
    ctx: Context,
    module: ModuleOp,
    passes: Sequence[ModulePass],
    situation: Situation,
    after_each: Callable[[str], None],
) -> None:
    """Run verified IR through passes, verify behind each, and call `after_each` with its name.

    Raises Refusal; InternalError where a pass leaves IR without structure.
    """
    for each in passes:
        situation.stage = f"the pass {each.name}"
        each.apply(ctx, module)
        situation.stage = f"the verifier behind the pass {each.name}"
        try:
            verify_module(module)
        except Refusal as refusal:
            if refusal.code.startswith("source-"):
                raise InternalError(
                    f"the IR that it left doesn't verify: {refusal.message}"
                ) from refusal
            raise
        after_each(each.name)
