"""200,000 roles are a few classes, and cost what 2,000 roles or 10^12 cost.

Why: a model that looked at every role would be as large as the fleet. Calls are counted, since time
    says little on a shared machine.
"""

from __future__ import annotations

import re
import tracemalloc
from collections import Counter
from collections.abc import Hashable

import pytest
from counted_calls import calls_of
from simulate.discrete import Whole
from simulate.fleets import model_of, protocol_of, text_of, whole

from alpha.interpreters.fleets.reports import FleetClass
from alpha.ir.protocol.fleets import Mix, Named
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection
from alpha.passes.protocol.projection import project

MODES = ("optimizer", "parameters", "gradients")
MANY = 200_000
BYTES_MAX = 8_000_000
CALLS_MAX = 5_000_000

HALVES = Mix(
    (
        Named("sm86", Selection.parse("stride(0, 2, 100000)")),
        Named("x86-64", Selection.parse("stride(1, 2, 100000)")),
    )
)


def agreement(roles: int, rounds: int) -> str:
    """A protocol without a learner, among any number of roles."""
    return f"""
#all = #protocol.group<universe = {roles}, epoch = 0, id = "6c73", stride(0, 1, {roles})>
protocol.global @agreeing group #all {{
  %x = protocol.local at stride(0, 1, {roles}) {{
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }}
  protocol.repeat {rounds} {{
    protocol.agree %x along tree<64>
  }}
}}
"""


def test_six_size_classes() -> None:
    """Where every role has as many samples, the classes are those of the tree: 64^2 < n <= 64^3."""
    fleet = model_of(protocol_of(text_of(f"{MANY}, tree<64>", 5 * MANY)))
    assert fleet.depth == 3
    rows = {row.size: (row.roles, row.first, str(row.members)) for row in fleet.classes}
    assert [(size, *row[:2]) for size, row in rows.items()] == [
        (200_000, 1, 0),
        (3_125, 63, 1),
        (3_124, 1, 196_876),
        (49, 63 * 52 + 51, 2),
        (48, 63 * 12 + 13, 2_550),
        (1, 195_839, 3),
    ]
    assert rows[3_125][2] == "stride(1, 3125, 63)"
    assert [(each.size, each.nodes) for each in fleet.size_classes] == [
        (size, row[0]) for size, row in rows.items()
    ]
    assert fleet.programs == fleet.kinds == 6
    # One frame up and one down an edge for the sum, one up for the loss.
    assert fleet.round_frames == 3 * (MANY - 1)


def test_samples_for_few() -> None:
    """442 samples make roles with and without one of each class that has both."""
    fleet = model_of(protocol_of(text_of(f"{MANY}, tree<64>", 442)))
    found = Counter(row.size for row in fleet.classes)
    assert found == {200_000: 1, 3_125: 2, 3_124: 1, 49: 2, 48: 1, 1: 2}
    having = [row for row in fleet.classes if row.costs["samples"].most]
    assert sum(row.roles for row in having) == 442
    assert fleet.contributors.roles == fleet.contributors.devices == 442


def test_words_for_few() -> None:
    """Seven words by a cyclic map: roles with and without some of each class that has both."""
    fleet = model_of(protocol_of(text_of(f"{MANY}, tree<64>", 5 * MANY), MODES))
    found = Counter(row.size for row in fleet.classes)
    assert found == {200_000: 1, 3_125: 2, 3_124: 1, 49: 2, 48: 1, 1: 2}
    owning = [row for row in fleet.classes if row.costs["words"].most]
    assert sum(row.roles for row in owning) == 7


SETTINGS = {
    "even": (text_of(f"{MANY}, tree<64>", 5 * MANY), (), Mix()),
    "few samples": (text_of(f"{MANY}, tree<64>", 442), MODES, Mix()),
    "halves": (text_of(f"{MANY}, tree<64>", MANY + 1), MODES, HALVES),
    "by hand": (agreement(10**12, 10**9), (), Mix()),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_calls(name: str) -> None:
    """One bound for all of them, in a fleet of any size."""
    text, modes, mix = SETTINGS[name]
    protocol = protocol_of(text, modes)
    assert calls_of(lambda: model_of(protocol, mix)) < CALLS_MAX


def test_memory() -> None:
    text, modes, mix = SETTINGS["even"]
    protocol = protocol_of(text, modes)
    tracemalloc.start()
    model_of(protocol, mix)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < BYTES_MAX


def calls_for(protocol: Protocol) -> int:
    """The calls of a model, once what is kept between calls is there."""
    model_of(protocol)
    return calls_of(lambda: model_of(protocol))


def test_eighty_times_as_many_roles() -> None:
    """Fewer than twice as many calls: one more level of the tree, and two more classes."""
    counts = [
        calls_for(protocol_of(text_of(f"{roles}, tree<64>", 442))) for roles in (MANY, 80 * MANY)
    ]
    assert counts[1] < 2 * counts[0]


def test_rounds_cost_nothing() -> None:
    few, many = (protocol_of(agreement(MANY, rounds)) for rounds in (2, 10**15))
    assert abs(calls_for(many) - calls_for(few)) < 1_000
    seconds = model_of(many).seconds
    assert seconds.first_round is not None
    assert seconds.later_rounds is not None
    assert seconds.all == seconds.first_round + (10**15 - 1) * seconds.later_rounds


def structure(protocol: Protocol, role: int) -> Hashable:
    """A role's program as text, without any number; a count of 0 isn't written."""
    text = str(project(protocol, role))
    return re.sub(r"( part| count)? [0-9]+|[0-9]+", "", text[text.index("{") :])


def test_roles_of_a_class_have_one_program() -> None:
    """Whatever a class has many of is equal but for its numbers; others differ in what is said."""
    protocol = protocol_of(text_of("230, tree<6>", 90), ("optimizer",))
    seen: set[int] = set()
    for row in model_of(protocol).classes:
        assert row.members is not None
        members = list(row.members)
        assert not seen & set(members)
        seen |= set(members)
        assert len({structure(protocol, role) for role in members}) == 1
        check_numbers(row, protocol, members)
    assert seen == set(range(230))


def check_numbers(row: FleetClass, protocol: Protocol, members: list[int]) -> None:
    """The ranges of a class are those of its roles, by the maps."""
    distribution = protocol.distribution
    assert distribution is not None
    samples = distribution.map_of("data")
    words = distribution.map_of("m")
    assert samples is not None
    assert words is not None
    for name, map, size in (("samples", samples, 90), ("words", words, 7)):
        pieces = [map.piece_size(role, 230, size) for role in members]
        assert (row.costs[name].least, row.costs[name].most) == (min(pieces), max(pieces))
    kept = [60 + 4 + 4 * words.piece_size(role, 230, 7) for role in members]
    assert (row.memory["state"].least, row.memory["state"].most) == (min(kept), max(kept))


def test_too_many_kinds() -> None:
    """What isn't a few kinds is refused, and never guessed."""
    with pytest.raises(Refusal, match="roles of at most 1024 programs") as refused:
        model_of(protocol_of(text_of("3000, tree<1>", 14)))
    assert refused.value.code == "select-budget"
    with pytest.raises(Refusal, match="at most 8192 children to model, found 8193") as refused:
        model_of(protocol_of(text_of("8194, star", 14)))
    assert refused.value.code == "target-unsupported"


def test_rounds_that_differ() -> None:
    """Of many rounds without an answer in common the end isn't known; all else is."""
    text = agreement(MANY, 100).replace(
        "protocol.agree %x along tree<64>",
        f"%y = protocol.replicate %x along tree<64> over stride(0, 1, {MANY})",
    )
    fleet = model_of(protocol_of(text), rates=whole(Whole(31, 7, 3)))
    assert fleet.seconds.all is None
    assert fleet.seconds.later_rounds is None
    assert fleet.seconds.first_round is not None
    assert fleet.frames == 100 * (MANY - 1)


HELD = {
    # A leaf: 7 words of w, 7 of m in f32, 1 of p; two samples of 7 words; the contribution and the
    # loss, then the total and the loss. Largest frames: 7 words and a digest of 5 up, 7 and a
    # verdict down.
    ((), 2): {
        "state": 56 + 28 + 8,
        "samples": 112,
        "replicas": 0,
        "sums": 56 + 8,
        "frames": (120 + 56 + 40) + (120 + 56 + 8),
    },
    # A role with two children holds a part of theirs, with its digest, until it is added.
    ((), 1): {
        "state": 92,
        "samples": 112,
        "replicas": 0,
        "sums": 56 + 8 + (56 + 40),
        "frames": 3 * (216 + 184),
    },
    # The root makes the total beside them, and has the verdict before it is sent.
    ((), 0): {
        "state": 92,
        "samples": 112,
        "replicas": 8,
        "sums": 56 + 8 + 96 + 56,
        "frames": 2 * (216 + 184),
    },
    # Partitioned, a leaf has one word of w and of m, and a copy of w while it contributes.
    (MODES, 2): {
        "state": 8 + 4 + 8,
        "samples": 112,
        "replicas": 56,
        "sums": 56 + 8,
        "frames": (120 + 56 + 40) + (120 + 56),
    },
}


@pytest.mark.parametrize(("modes", "role"), HELD)
def test_what_a_role_holds(modes: tuple[str, ...], role: int) -> None:
    """By hand, for 7 roles along a tree of fan-out 2."""
    fleet = model_of(protocol_of(text_of("7, tree<2>", 14), modes))
    row = next(each for each in fleet.classes if each.members and role in each.members)
    wanted = HELD[modes, role]
    assert {name: each.most for name, each in row.memory.items() if name != "all"} == wanted
    assert row.memory["all"].most == sum(wanted.values())
