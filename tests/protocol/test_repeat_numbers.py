"""Numbers of frames and versions, against the programs of all roles, counted edge by edge."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from protocol.random_protocols import random_protocol
from protocol.reading import opened
from protocol.written_protocols import written
from xdsl.ir import Block

from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import PerformOp, SendOp
from alpha.ir.protocol.checking import check_protocol
from alpha.ir.protocol.checks import versions
from alpha.ir.protocol.checks.concerns import Concerns
from alpha.ir.protocol.checks.versions import check_versions
from alpha.ir.protocol.view import Protocol as View
from alpha.ir.refusals import Refusal
from alpha.passes.protocol.projection import project

MOST = 1 << 64
BOUNDS = (1, 2, (1 << 32) - 1, 1 << 32, 1 << 62, (1 << 63) - 1)


def sent(block: Block) -> Counter[int]:
    """How many frames a role's program sends to each peer, at most."""
    found: Counter[int] = Counter()
    for op in block.ops:
        match op:
            case PerformOp():
                found.update(
                    frame.peer.data for frame in op.frames.block.ops if isinstance(frame, SendOp)
                )
            case RepeatOp():
                inner = sent(op.body.block)
                found.update({peer: count * op.bound.data for peer, count in inner.items()})
            case ChoiceOp():
                most: Counter[int] = Counter()
                for arm in op.arms:
                    most |= sent(arm.block)
                found.update(most)
            case _:
                pass
    return found


def edges(view: View) -> dict[tuple[int, int], int]:
    """How many frames go from each role to each other one."""
    return {
        (role, peer): count
        for role in view.group.members
        for peer, count in sent(project(view, role).body.block).items()
    }


def bounded(text: str, random: Random) -> str:
    """The protocol in a repeat, with bounds whose products are near to what is too much, or far."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if "protocol.repeat" in line:
            lines[number] = re.sub(r"repeat \d+", f"repeat {random.choice(BOUNDS)}", line)
    last = max(number for number, line in enumerate(lines) if line.startswith("%selector"))
    outer = f"protocol.repeat {random.choice(BOUNDS)} {{"
    return "\n".join([*lines[: last + 4], outer, *lines[last + 4 :], "}"])


def test_edges_are_counted_as_all_programs_use_them() -> None:
    """Whether it is refused, by which edge, and with which number."""
    refused = close = 0
    for seed in range(100):
        random = Random(seed)
        text, _ = written(random_protocol(random), known=True)
        view = opened(bounded(text, random))
        counts = edges(view)
        wrong = next((edge for edge in sorted(counts) if counts[edge] > MOST), None)
        if wrong is None:
            check_versions(view, Concerns(view.op))
            close += sum(counts.values()) > MOST
            continue
        with pytest.raises(Refusal) as caught:
            check_versions(view, Concerns(view.op))
        refused += 1
        assert caught.value.code == "protocol-repeat-version-overflow"
        assert f"from role {wrong[0]} to role {wrong[1]}" in caught.value.expected
        assert caught.value.found == str(counts[wrong])
    assert refused > 10 and close > 5


LEARNER = """
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group
    #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %s = protocol.local at stride(0, 1, 3) {
    %b = arith.constant 1 : i64
    protocol.yield %b
  }
"""
ADVANCE = """
  protocol.local at {} {{
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }}
"""
HALF = 1 << 32
MANY = (1 << 63) - 1


def advance(roles: str = "stride(0, 1, 3)") -> str:
    return ADVANCE.format(roles)


def repeat(bound: int, *body: str) -> str:
    return f"protocol.repeat {bound} {{ {' '.join(body)} }}"


def choice(*arms: str) -> str:
    return f"protocol.choice %s {' '.join(f'{{ {arm} }}' for arm in arms)}"


VERSIONS = [
    (repeat(HALF, repeat(HALF - 1, advance())), None),
    (repeat(HALF, repeat(HALF, advance())), (0, MOST)),
    (repeat(MANY, advance(), advance()) + advance(), None),
    (repeat(MANY, advance(), advance()) + advance() + advance("role 2"), (2, MOST)),
    # Roles count for themselves.
    (repeat(MANY, advance("role 0"), advance("role 2"), advance("stride(1, 1, 2)")), None),
    (
        repeat(MANY, advance("role 0"), advance("stride(1, 1, 2)"), advance(), advance()),
        (0, 3 * MANY),
    ),
    # Of a choice the arm with most counts, for each role.
    (repeat(MANY, choice(advance("role 0") * 2, advance("role 1") * 2)), None),
    (repeat(MANY, choice(advance("role 0"), advance("role 1") * 3)), (1, 3 * MANY)),
    (repeat(MANY, choice(advance(), advance()), advance()), None),
]


@pytest.mark.parametrize(("body", "overflow"), VERSIONS)
def test_versions_are_counted_role_by_role(body: str, overflow: tuple[int, int] | None) -> None:
    """The last version of a role is at most 2^64 - 1."""
    view = opened(f"{LEARNER}{body}}}")
    if overflow is None:
        check_versions(view, Concerns(view.op))
        return
    with pytest.raises(Refusal) as caught:
        check_versions(view, Concerns(view.op))
    role, count = overflow
    assert caught.value.code == "protocol-repeat-version-overflow"
    assert caught.value.message == (
        f"expected at most 2^64 - 1 versions at role {role}, found {count}"
    )


def test_what_overflows_among_too_many_edges_is_not_guessed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Edges are counted only if all frames of some role on one edge would overflow."""
    text = """
#all = #protocol.group<universe = {0}, epoch = 0, id = "", stride(0, 1, {0})>
protocol.global @many group #all {{
  %x = protocol.local at role 0 {{
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }}
  protocol.repeat 9223372036854775807 {{
    %y = protocol.transfer %x from 0 to 1
    %z = protocol.transfer %y from 1 to 2
    %u = protocol.transfer {1} to {2}
  }}
}}
"""
    monkeypatch.setattr(versions, "SENDERS_MAX", 1 << 10)
    check_protocol(opened(text.format(1 << 40, "%z from 2", (1 << 40) - 1)))
    check_protocol(opened(text.format(1 << 10, "%x from 0", (1 << 10) - 1)))
    with pytest.raises(Refusal) as caught:
        check_protocol(opened(text.format(1 << 40, "%x from 0", 1)))
    assert caught.value.code == "select-budget"


PARTS = """
region.learner @sums attributes {owners = #shard.owners<2, pair>} {
  region.state @w : f64 = 1.0
  region.samples @data[4] : (f64) = dense<1.0>
  pointwise.contribution @itself(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @keep(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @itself(%w) over @data
        contract #region.contract<groups = [1, 1, 1, 1], combine = left> : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @keep(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @sums owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by cyclic
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c = shard.contribute @itself(%w) over @data by cyclic : !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c
        contract #region.contract<groups = [1, 1, 1, 1], combine = left>
        deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @keep(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
#all = #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)>
protocol.global @sums of @sums group #all {
  %c = protocol.local at stride(0, 1, 2) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c = shard.contribute @itself(%w) over @data by cyclic : !shard.contribution<f64, @data, +0>
    protocol.yield %c
  }
"""
SUM = """
    %t = protocol.reduce sum %c by cyclic
      contract #region.contract<groups = [1, 1, 1, 1], combine = left> along pair
"""
PUBLISH = "protocol.publish at role 0"


def test_a_sum_in_parts_is_as_many_frames() -> None:
    """Role 1 has groups 1 and 3, and can't add one to the other."""
    check_protocol(opened(f"{PARTS}{repeat(MANY, SUM)}{PUBLISH}}}"))
    with pytest.raises(Refusal) as caught:
        check_protocol(opened(f"{PARTS}{repeat(MANY, SUM, SUM.replace('%t', '%u'))}{PUBLISH}}}"))
    assert caught.value.code == "protocol-repeat-version-overflow"
    assert caught.value.message == (
        f"expected at most 2^64 frames from role 1 to role 0, found {4 * MANY}"
    )
    assert [note.message for note in caught.value.notes] == ["2 here, each time"] * 2
