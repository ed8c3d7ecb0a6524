"""In the middle of a star a role has an edge to each other: projecting it takes as much as it says.

Twice as many roles take twice as many calls, in projection and in the checks of what it gives; what
would take long is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from counted_calls import calls_of
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.protocol.view import find_protocol
from alpha.ir.refusals import Refusal
from alpha.passes.distribute import DistributePass
from alpha.passes.lower_shard_to_protocol import LowerShardToProtocolPass
from alpha.passes.partition_optimizer import PartitionOptimizerPass
from alpha.passes.project_role import ProjectRolePass
from alpha.passes.protocol.representatives import representatives

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "least_squares_momentum.mlir"
ROLES = 150
GROWTH_MAX = 2.2

AGREE = """
protocol.global @alike
    group #protocol.group<universe = {n}, epoch = 0, id = "", stride(0, 1, {n})> {{
  %x = protocol.local at stride(0, 1, {n}) {{
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }}
  protocol.agree %x along star
}}
"""


def _alone(roles: int) -> int:
    """The calls that it takes to project role 0 of a star of so many, which agree."""
    context = make_context()
    module = parse_text(context, AGREE.format(n=roles), "agree.mlir")
    return _projected(module, context)


def _learner(roles: int) -> int:
    """The same of a learner, whose roles sum, agree and gather."""
    context = make_context()
    module = parse_text(context, EXAMPLE.read_text(encoding="utf-8"), EXAMPLE.name)
    for each in (
        DistributePass(owners=roles, topology="star"),
        PartitionOptimizerPass(),
        LowerShardToProtocolPass(rounds=2, exchange="gather"),
    ):
        each.apply(context, module)
    return _projected(module, context)


def _projected(module: ModuleOp, context: Context) -> int:
    def work() -> None:
        ProjectRolePass(role=(0,)).apply(context, module)
        verify_module(module)

    return calls_of(work)


@pytest.mark.parametrize("calls", [_alone, _learner])
def test_the_middle_of_a_star_takes_as_much_as_it_has_edges(
    calls: Callable[[int], int],
) -> None:
    few, many = calls(ROLES), calls(2 * ROLES)
    assert many < GROWTH_MAX * few


@pytest.mark.parametrize(
    ("roles", "way", "most"),
    [
        ((1 << 16) + 1, "star", "at most 65536 children of one role to check, found 65537"),
        (1 << 12, "tree<1>", "at most 4096 sizes of subtrees to check, found more"),
    ],
)
def test_what_is_larger_is_refused(roles: int, way: str, most: str) -> None:
    """By the first role that is too many, before any program is made."""
    for number in (roles, roles + 1):
        text = AGREE.format(n=number).replace("along star", f"along {way}")
        protocol = find_protocol(parse_text(make_context(), text, "agree.mlir"))
        assert protocol is not None
        if number == roles:
            assert representatives(protocol)
            continue
        with pytest.raises(Refusal, match=most) as refused:
            representatives(protocol)
        assert refused.value.code == "select-budget"
