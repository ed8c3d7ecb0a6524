"""Maps in programs of roles are held to their values before any coordinate is listed."""

from __future__ import annotations

import re

import pytest
from oracle_comparison.running import example_text

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal
from alpha.passes.check_schedules import CheckSchedulesPass
from alpha.passes.lower_shard_to_protocol import LowerShardToProtocolPass
from alpha.passes.project_role import ProjectRolePass

SIZES = re.compile(r"(?:>|<f64), \[(\d+, \d+)\], \+")
"""The sizes of the map of an owned value, in its type."""

HUGE = 1 << 60

CODES = ("select-universe", "shard-coverage-missing", "shard-owner-range")
"""What a map that doesn't fit is refused with."""


@pytest.fixture(scope="module")
def roles() -> str:
    """The programs of two roles that own whole values, beside their learner."""
    context = make_context()
    module = parse_text(context, example_text("perceptron_pipeline", "f64"), "global.mlir")
    LowerShardToProtocolPass(rounds=1).apply(context, module)
    ProjectRolePass().apply(context, module)
    return print_module(module)


def check(text: str) -> None:
    """Verify and check the programs of a text."""
    context = make_context()
    module = parse_text(context, text, "roles.mlir")
    verify_module(module)
    CheckSchedulesPass().apply(context, module)


def spots(text: str) -> list[re.Match[str]]:
    """The types of owned values that local work of the roles makes."""
    start = text.index("protocol.role")
    found = [each for each in SIZES.finditer(text) if each.start() > start]
    made = [each for each in found if "shard." in text[text.rindex("\n", 0, each.start()) :][:60]]
    assert len(made) > 40
    return made


def test_programs_as_they_are_made_are_accepted(roles: str) -> None:
    check(roles)


@pytest.mark.parametrize("sizes", ["{0}, {1}, 0", "{0}, 1{1}", f"{{0}}, {HUGE}"])
@pytest.mark.parametrize("turn", range(8))
def test_a_map_that_does_not_fit_is_refused_where_it_stands(
    roles: str, turn: int, sizes: str
) -> None:
    """Each with its place, and without a list of 2^60 coordinates."""
    of_program = spots(roles)
    for spot in of_program[turn :: len(of_program) // 3]:
        changed = sizes.format(*spot[1].split(", "))
        text = roles[: spot.start(1)] + changed + roles[spot.end(1) :]
        with pytest.raises(Refusal) as caught:
            check(text)
        place = caught.value.place
        assert place is not None and caught.value.expected and caught.value.found
        if caught.value.code != "protocol-payload-type":
            assert caught.value.code in CODES
            line = text.splitlines()[place.line - 1]
            assert changed in line or "protocol.local" in line or "observe" in line, line


def test_a_place_that_does_not_fit_is_refused(roles: str) -> None:
    """Also where the learner beside the programs has it, and not they."""
    for old, new, code in (
        ("shard.place @b2 by [0, 3]", f"shard.place @b2 by [0, {HUGE}]", "select-universe"),
        ("    shard.place @b2 by [0, 3]\n", "", "shard-coverage-missing"),
    ):
        assert roles.count(old) == 1
        with pytest.raises(Refusal) as caught:
            check(roles.replace(old, new))
        assert caught.value.code == code and caught.value.place is not None
