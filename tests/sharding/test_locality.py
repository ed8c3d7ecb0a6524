"""Whether an owner has what its work reads: what the check says is what a run of presence says."""

from __future__ import annotations

import re
from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alpha.interpreters.holdings import Holdings
from alpha.interpreters.locality import LocalityError, require_local
from alpha.interpreters.presence import Presence
from alpha.interpreters.programs import Program, Value
from alpha.interpreters.words import Words
from alpha.ir.dialects.shard_work import UpdateOp
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.checks.locality import READS_MAX, check_locality
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.ir.sharding.maps import ShardMap

Shape = tuple[int, ...]

NOT_HELD = re.compile(r"owner (\d+) with %a(?:\[(.*)\])? for %c1(?:\[(.*)\])?")


def distribution_of(
    reads: str, a: Shape, c: Shape, along: Shape, maps: list[str], owners: int
) -> Distribution:
    """One round, in which %c1 is a fold of the words of %a that `reads` says."""
    over = ", ".join(f"i{n} : {extent}" for n, extent in enumerate(c))
    reduced = ", ".join(f"k{n} : {extent}" for n, extent in enumerate(along))
    domain = (f"over [{over}] " if c else "") + (f"along [{reduced}] " if along else "")
    what = "pointwise.fold add left" if along else "pointwise.map"
    types = [f"tensor<{'x'.join(map(str, shape))}xf64>" if shape else "f64" for shape in (a, c)]
    where = [f"by {maps[0]}", "replicated" if maps[1] == "all" else f"by {maps[1]}"]
    new = f"!shard.owned<{types[1]}, {maps[1]}, +1>"
    if maps[1] == "all":
        new = f"!shard.replica<{types[1]}, +1>"
    text = f"""
    region.learner @l {{
      region.state @a : {types[0]} = {"dense<1.0>" if a else "1.0"}
      region.state @c : {types[1]} = {"dense<1.0>" if c else "1.0"}
      pointwise.update @f(%a : {types[0]}) -> ({types[1]}) {{
        %c1 = {what} {domain}(%w = %a[{reads}]) {{
          pointwise.yield %w
        }} : {types[1]}
        pointwise.return %c1
      }}
      region.round {{
        %a = region.read @a : {types[0]}
        %c1 = pointwise.apply @f(%a) : {types[1]}
        region.advance @c = %c1
      }}
    }}
    shard.learner @l owners #shard.owners<{owners}, star> {{
      shard.place @a {where[0]}
      shard.place @c {where[1]}
      shard.round {{
        %a = shard.read @a : !shard.owned<{types[0]}, {maps[0]}, +0>
        %c1 = shard.update @f(%a) : {new}
        shard.advance @c = %c1
      }}
    }}
    """
    module = parse_text(make_context(), text, "in.mlir")
    verify_module(module)
    found = find_distribution(module)
    assert found is not None
    return found


@st.composite
def maps(draw: st.DrawFn, shape: Shape, owners: int) -> str:
    """A regular map, one of sizes, perhaps of rows, or any at all as a list of words."""
    kind = draw(st.sampled_from(("cyclic", "block", "sizes", "rows", "any")))
    if kind in ("sizes", "rows"):
        width = prod(shape[1:]) if kind == "rows" else 1
        cuts = draw(st.lists(st.integers(0, prod(shape) // width), min_size=owners - 1))
        cuts = [0, *sorted(cuts[: owners - 1]), prod(shape) // width]
        sizes = str([high - low for low, high in pairwise(cuts)])
        return f"rows<{width}, {sizes}>" if kind == "rows" else sizes
    if kind != "any":
        return kind
    owner = draw(st.lists(st.integers(0, owners - 1), min_size=prod(shape), max_size=prod(shape)))
    pieces = [[i for i, role in enumerate(owner) if role == each] for each in range(owners)]
    items = [", ".join(f"stride({i}, 1, 1)" for i in piece) for piece in pieces]
    joined = [f"join({item})" if "), " in item else item or "empty" for item in items]
    return f"[{', '.join(joined)}]"


@st.composite
def rounds(draw: st.DrawFn) -> tuple[str, Shape, Shape, Shape, list[str], int]:
    """Shapes, an index for each axis of %a, and who has what."""
    extents = st.integers(1, 4)
    a = tuple(draw(st.lists(extents, min_size=1, max_size=2)))
    c = tuple(draw(st.lists(extents, max_size=2)))
    along = tuple(draw(st.lists(extents, min_size=0 if c else 1, max_size=1)))
    axes = [f"i{n}" for n in range(len(c))] + [f"k{n}" for n in range(len(along))]
    size = dict(zip(axes, (*c, *along), strict=True))
    index: list[str] = []
    for number, extent in enumerate(a):
        own = [axis for axis in axes if size[axis] <= extent]
        plain = f"i{number}" if f"i{number}" in own else None
        sums = [f"({one} + {two} * 2 + 1) mod {extent}" for one in axes for two in axes]
        halves = [f"({axis} floordiv 2) mod {extent}" for axis in axes]
        choices = [plain] * 4 if plain else []
        index.append(draw(st.sampled_from([*choices, *own, *sums, *halves, "0"])))
    owners = draw(st.integers(2, 3))
    first = draw(maps(a, owners))
    second = draw(st.one_of(st.just("all"), maps(c, owners), st.just(first)))
    try:
        ShardMap.parse(second).check(owners, prod(c))
    except Refusal:
        second = "all"
    return ", ".join(index), a, c, along, [first, second], owners


@settings(max_examples=200, deadline=None)
@given(rounds())
def test_the_check_says_what_a_run_says(
    made: tuple[str, Shape, Shape, Shape, list[str], int],
) -> None:
    distribution = distribution_of(*made)
    refusals = list(check_locality(distribution))
    (op,) = distribution.ops(UpdateOp)
    holdings = Holdings(distribution, Words())
    presence = Program(distribution.updates["f"], Presence())
    if not refusals:
        for role in range(distribution.owners):
            require_local(holdings, op, role, presence)
        return
    with pytest.raises(LocalityError):
        for role in range(distribution.owners):
            require_local(holdings, op, role, presence)
    is_a_witness(distribution, refusals[0].expected, refusals[0].found, made)


def is_a_witness(distribution: Distribution, wanted: str, found: str, made: tuple) -> None:
    """The message names a word that is read, the owner that reads it and the one that has it."""
    _, a, c, _, (first, second), owners = made
    match = NOT_HELD.fullmatch(wanted)
    assert match is not None
    reader = int(match.group(1))
    word, point = (
        tuple(map(int, group.split(", "))) if group else () for group in match.groups()[1:]
    )
    flat = int(np.ravel_multi_index(word, a))
    holder = ShardMap.parse(first).owner(flat, owners, prod(a))
    assert found == f"owner {holder} has it" and holder != reader
    if second != "all":
        at = int(np.ravel_multi_index(point, c)) if c else 0
        assert ShardMap.parse(second).owner(at, owners, prod(c)) == reader
    there = np.ones(a, bool)
    there[word] = False
    program = Program(distribution.updates["f"], Presence())
    (result,) = program.run([Value(there, False)])
    assert not result.words[point]


def test_rows_are_decided_without_looking_at_words() -> None:
    """2^40 words: both lie by rows of one map, and a row reads its own."""
    rows, width = 1 << 20, 1 << 20
    sizes = f"[{rows // 4}, {rows // 4}, {rows // 2}]"
    map, other = f"rows<{width}, {sizes}>", f"rows<8, {sizes}>"
    found = distribution_of("i0, k0", (rows, width), (rows, 8), (width,), [map, other], 3)
    assert list(check_locality(found)) == []


def test_columns_are_decided_along_the_axes_that_are_read() -> None:
    """512 columns of 512 words, read for 4,096 points each: 2^30 reads, of 2^18 words."""
    columns = ", ".join(f"repeat(512, 512, stride({first}, 1, 256))" for first in (0, 256))
    found = distribution_of(
        "k0, i0", (512, 512), (512, 4096), (512,), [f"[{columns}]", f"[{1 << 20}, {1 << 20}]"], 2
    )
    assert list(check_locality(found)) == []
    wrong = distribution_of(
        "k0, i0", (512, 512), (512, 4096), (512,), [f"[{columns}]", f"[0, {1 << 21}]"], 2
    )
    (refusal,) = check_locality(wrong)
    assert refusal.expected == "owner 1 with %a[0, 0] for %c1[0, 0]"


def test_more_than_can_be_looked_at_is_refused() -> None:
    size = READS_MAX + 1
    found = distribution_of("0", (size,), (2,), (), ["cyclic", "cyclic"], 2)
    (refusal,) = check_locality(found)
    assert refusal.code == "select-budget"
