"""The model says exactly what happens when all roles of a small fleet do all they have to do.

Why: the model follows a few kinds of roles; the oracle runs every role's own program, frame by
    frame, over the simulated network. Rates are whole seconds, so that times are exact on both
    sides.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from simulate.discrete import Discrete, Whole, run_discretely
from simulate.fleets import model_of, protocol_of, text_of, whole

from alpha.interpreters.fleets.labels import tree_of
from alpha.interpreters.fleets.reports import Fleet
from alpha.ir.protocol.fleets import Mix, Named
from alpha.ir.protocol.view import Protocol
from alpha.ir.selections import Selection

MODES = ("optimizer", "parameters", "gradients")
RATES = (Whole(31, 7, 3), Whole(0, 0, 0), Whole(10_000, 1, 0), Whole(1, 5000, 900))
TREES = ("star", "tree<1>", "tree<2>", "tree<3>", "tree<5>", "tree<64>")
OTHER_GROUPS = "contract #region.contract<groups = [3, 0, 4, 2, 5], combine = left>"


def check(protocol: Protocol, rates: Whole, mix: Mix | None = None, slow: str = "") -> None:
    """Compare the model with the oracle; capability `slow` works at half the speed."""
    mix = mix or Mix()
    slowness: dict[int, int] = {}
    for part in mix.capabilities:
        slowness |= dict.fromkeys(part.roles, 2 if part.name == slow else 1)
    speeds = {slow: Fraction(1, 2)} if slow else {}
    found = model_of(protocol, mix, whole(rates), speeds)
    wanted = run_discretely(protocol, rates, slowness)
    assert found.frames == wanted.frames.total()
    assert found.bytes == wanted.bytes.total()
    assert found.seconds.all == wanted.all
    assert found.longest_wait == max(wanted.waits.values())
    if wanted.ends:
        assert found.seconds.first_round == wanted.ends[0]
        if found.seconds.later_rounds is not None:
            assert found.seconds.later_rounds == wanted.ends[-1] - wanted.ends[-2]
    for row in found.classes:
        assert row.members is not None
        members = list(row.members)
        assert (len(members), members[0]) == (row.roles, row.first)
        assert row.longest_wait == max(wanted.waits[role] for role in members)
    assert sum(row.roles for row in found.classes) == protocol.group.size
    check_busiest(found, wanted)


def check_busiest(found: Fleet, wanted: Discrete) -> None:
    """The role and edge with most bytes in a round, the first of several."""
    roles: Counter[int] = Counter()
    edges: Counter[tuple[int, int]] = Counter()
    for (sender, receiver), size in wanted.round_bytes.items():
        roles[sender] += size
        roles[receiver] += size
        edges[min(sender, receiver), max(sender, receiver)] += size
    if not roles.total():
        return
    most = max(roles.values())
    first = min(role for role, size in roles.items() if size == most)
    assert found.busiest_role == (first, most // found.rounds)
    most = max(edges.values())
    ends = min(edge for edge, size in edges.items() if size == most)
    assert found.busiest_edge == (*ends, most // found.rounds)


@pytest.mark.parametrize("topology", TREES)
@pytest.mark.parametrize("owners", [1, 2, 3, 9, 20])
def test_every_partitioning(owners: int, topology: str) -> None:
    random = Random(f"{owners} {topology}")
    some = random.sample(((), ("optimizer",), ("parameters",), ("gradients",)), 2)
    for modes in some if owners == 20 else (*some, MODES):
        map = random.choice(("cyclic", "block", "block_cyclic<2>"))
        text = text_of(f"{owners}, {topology}", random.choice((1, 14, 50)))
        protocol = protocol_of(text, modes, map, random.choice((1, 2, 5)))
        assert tree_of(protocol) is not None
        check(protocol, random.choice(RATES))


@pytest.mark.parametrize("topology", TREES)
def test_groups_that_are_not_the_owners(topology: str) -> None:
    for owners in (2, 5, 12, 30):
        protocol = protocol_of(text_of(f"{owners}, {topology}", 14, OTHER_GROUPS), MODES)
        check(protocol, RATES[0])


@pytest.mark.parametrize(("topology", "combine"), [("2", "3"), ("3", "2"), ("2", "5"), ("5", "4")])
def test_groups_that_are_combined_along_another_tree(topology: str, combine: str) -> None:
    """Equal subtrees with equally many samples hand on different parts, where they stand apart."""
    for owners in (8, 14, 31):
        groups = f"groups = [repeat({owners}, 1)], combine = tree<{combine}>"
        contract = f"contract #region.contract<{groups}>"
        protocol = protocol_of(text_of(f"{owners}, tree<{topology}>", owners, contract))
        assert tree_of(protocol) is not None
        check(protocol, RATES[0])


@cache
def plain_model(text: str, modes: tuple[str, ...]) -> Fleet:
    """The model of six rounds that store nothing."""
    return model_of(protocol_of(text, modes, rounds=6))


@pytest.mark.parametrize("topology", ["star", "tree<1>", "tree<2>", "tree<5>"])
@pytest.mark.parametrize("every", [0, 1, 3])
def test_rounds_between_generations(every: int, topology: str) -> None:
    """What lies between two generations, and the frames of one, are a round of the model."""
    for owners, modes in ((1, ()), (5, ("optimizer",)), (13, MODES)):
        text = text_of(f"{owners}, {topology}", 14)
        protocol = protocol_of(text, modes, rounds=6, checkpoint=every)
        check(protocol, RATES[0])
        found = model_of(protocol)
        assert found.versions == 6
        assert found.rounds == (6 // every if every else 6)
        samples = {row.costs["samples"].most for row in found.classes}
        plain = plain_model(text, modes)
        assert samples == {row.costs["samples"].most for row in plain.classes}
        stored = 2 * (owners - 1) * (found.rounds if every else 1)
        compared = 2 * (owners - 1) * (found.rounds - 1 if every else 0)
        agrees = any(op.name == "protocol.agree" for op in protocol.op.walk())
        assert found.frames == plain.frames + stored + agrees * compared


@pytest.mark.parametrize("rounds", [2, 5, 7])
def test_rounds_beside_generations_count_as_well(rounds: int) -> None:
    """What stands before the first multiple, or behind the last, isn't a round of the model."""
    text = text_of("7, tree<2>", 14)
    plain = model_of(protocol_of(text, ("parameters",), rounds=rounds))
    found = model_of(protocol_of(text, ("parameters",), rounds=rounds, checkpoint=3))
    generations = -(-rounds // 3)
    assert found.versions == plain.versions == rounds
    assert found.frames == plain.frames + 12 * generations + 12 * (generations - 1)


def test_words_that_lie_far_behind() -> None:
    """The busiest edges are those of the last subtrees, whose roles have all words."""
    for owners in (13, 22, 40):
        pieces = ", ".join(["empty"] * (owners - 2) + ["stride(0, 1, 4)", "stride(4, 1, 3)"])
        protocol = protocol_of(text_of(f"{owners}, tree<3>", 14), MODES, f"[{pieces}]")
        check(protocol, RATES[0])


@pytest.mark.parametrize("exchange", ["sharded", "gather"])
@pytest.mark.parametrize("owners", [2, 3, 6, 7])
def test_direct_exchanges(owners: int, exchange: str) -> None:
    for modes in ((), ("gradients",), MODES):
        protocol = protocol_of(text_of(f"{owners}, star", 14), modes, exchange=exchange)
        assert (tree_of(protocol) is None) == (exchange == "sharded")
        check(protocol, RATES[0])
        check(protocol, RATES[3])


def split_of(random: Random, owners: int, samples: int) -> str:
    """Some numbers of samples, many of them zero."""
    counts = [0] * owners
    for _ in range(samples):
        counts[random.choice((0, random.randrange(owners), owners - 1))] += 1
    return f"samples = {counts}"


@pytest.mark.parametrize("seed", range(8))
def test_irregular_fleets(seed: int) -> None:
    """Samples, words and capabilities that follow no pattern."""
    random = Random(seed)
    owners = random.choice((13, 40, 90))
    split = split_of(random, owners, 50)
    topology = random.choice(("tree<2>", "tree<4>", "tree<9>"))
    map = random.choice(("cyclic", "block", "block_cyclic<3>"))
    modes = random.sample(MODES, random.randrange(4))
    protocol = protocol_of(text_of(f"{owners}, {topology}, {split}", 50), modes, map)
    slow = sorted(random.sample(range(owners), owners // 3))
    rest = sorted(set(range(owners)) - set(slow))
    mix = Mix(tuple(Named(name, joined(of)) for name, of in (("slow", slow), ("fast", rest))))
    check(protocol, random.choice(RATES), mix, "slow")


def joined(roles: list[int]) -> Selection:
    strides = [f"stride({role}, 1, 1)" for role in roles]
    return Selection.parse(strides[0] if len(strides) == 1 else f"join({', '.join(strides)})")


def test_three_hundred_roles() -> None:
    protocol = protocol_of(text_of("300, tree<6>", 442), MODES, "block", 2)
    periodic = Mix(
        (
            Named("slow", Selection.parse("repeat(60, 5, stride(0, 2, 2))")),
            Named("fast", Selection.parse("repeat(60, 5, join(stride(1, 1, 1), stride(3, 1, 2)))")),
        )
    )
    check(protocol, RATES[0], periodic, "slow")


BY_HAND = """
#all = #protocol.group<universe = 6, epoch = 0, id = "6c73", stride(0, 1, 6)>
protocol.global @mixed group #all {
  %x = protocol.local at stride(0, 1, 6) {
    %a = arith.constant 1.5 : f64
    %b = arith.addf %a, %a : f64
    protocol.yield %b
  }
  %early = protocol.transfer %x from 4 to 2
  protocol.repeat 7 {
    %s = protocol.reduce sum %x contract
        #region.contract<groups = [1, 1, 1, 1, 1, 1], combine = tree<2>> along tree<2>
    protocol.local at stride(0, 2, 3) (%a = %x) {
      %b = arith.mulf %a, %a : f64
      protocol.yield
    }
    protocol.scope stride(0, 2, 3) {
      %t = protocol.replicate %x along star over stride(0, 2, 3)
      protocol.repeat 2 {
        %u = protocol.transfer %x from 4 to 2
      }
    }
  }
  %late = protocol.transfer %x from 5 to 0
}
"""

NO_ANSWER = """
#all = #protocol.group<universe = 11, epoch = 0, id = "6c73", stride(0, 1, 11)>
protocol.global @upwards group #all {
  %x = protocol.local at stride(0, 1, 11) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.repeat ROUNDS {
    %s = protocol.reduce sum %x contract
        #region.contract<groups = [repeat(11, 1)], combine = tree<3>> along tree<3>
    protocol.local at stride(0, 2, 6) (%a = %x) {
      %b = arith.mulf %a, %a : f64
      %c = arith.mulf %b, %a : f64
      protocol.yield
    }
    DOWN
  }
}
"""


def test_a_protocol_by_hand() -> None:
    """Transfers, scopes and repeats inside, beside the rounds: every role is followed."""
    protocol = protocol_of(BY_HAND)
    assert tree_of(protocol) is None
    check(protocol, RATES[0])
    check(protocol, RATES[3])


BESIDE = """
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @beside group #all {
  %x = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 0 to 1
  %z = protocol.repeat 3 (%u = %y) {
    INSIDE
    protocol.yield %u
  }
  %v = protocol.transfer %z from 1 to 2
  %w = protocol.transfer %v from 2 to 3
}
"""


@pytest.mark.parametrize("inside", ["", "%r = protocol.transfer %u from 1 to 0"])
def test_roles_that_take_no_part_in_the_rounds(inside: str) -> None:
    """What they receive from behind the rounds, they wait for behind them."""
    protocol = protocol_of(BESIDE.replace("INSIDE", inside))
    assert tree_of(protocol) is None
    for rates in RATES:
        check(protocol, rates)


CATCHING_UP = """
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @racing group #all {
  %x = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.local at role 3 (%a = %x) {
    LONG
    protocol.yield
  }
  protocol.repeat ROUNDS {
    %y = protocol.transfer %x from 0 to 1
    %z = protocol.transfer %x from 3 to 2
    protocol.local at role 3 (%a = %x) {
      %b = arith.mulf %a, %a : f64
      protocol.yield
    }
    protocol.local at role 1 (%a = %x) {
      %b = arith.mulf %a, %a : f64
      %c = arith.mulf %a, %a : f64
      %d = arith.mulf %a, %a : f64
      protocol.yield
    }
  }
}
"""


def test_a_role_that_falls_behind() -> None:
    """The last role of the first rounds isn't the last of later ones: no two rounds are alike."""
    long = "".join(f"%l{number} = arith.mulf %a, %a : f64\n" for number in range(90))
    text = CATCHING_UP.replace("LONG", long)
    check(protocol_of(text.replace("ROUNDS", "25")), RATES[0])
    seconds = model_of(protocol_of(text.replace("ROUNDS", "100"))).seconds
    assert (seconds.later_rounds, seconds.all) == (None, None)


def test_a_sum_that_is_not_combined_as_it_travels() -> None:
    """Of words that aren't contributions, the parts of every single role are looked at."""
    text = NO_ANSWER.replace("ROUNDS", "4").replace("DOWN", "")
    protocol = protocol_of(text.replace("combine = tree<3>", "combine = left"))
    assert tree_of(protocol) is None
    check(protocol, RATES[0])


@pytest.mark.parametrize(
    "down", ["", "%d = protocol.replicate %x along tree<3> over stride(0, 1, 11)"]
)
@pytest.mark.parametrize("rounds", [1, 2, 3, 7])
def test_rounds_without_an_answer(rounds: int, down: str) -> None:
    """Leaves run ahead of the root, and work between a frame and its answer may be the longer."""
    protocol = protocol_of(NO_ANSWER.replace("ROUNDS", str(rounds)).replace("DOWN", down))
    assert tree_of(protocol) is not None
    for rates in RATES:
        check(protocol, rates)
