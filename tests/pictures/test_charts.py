"""Charts: every role's part of a chart is its program, whatever the order of the rows."""

from __future__ import annotations

import re
from random import Random

import pytest
from pictures.drawn import Exchange, distributed, drawing_of
from pictures.random_texts import Events, of_role, random_text

from alpha.ir.dialects.protocol_role import FrameOp, PerformOp, ReceiveOp, RoleOp
from alpha.passes.protocol.projection import project
from alpha.tools.pictures.charts import ROLES_MAX, ArrowRow, Chart, Row, Section, WorkRow
from alpha.tools.pictures.drawings import Drawing
from alpha.tools.pictures.programs import Loop

TEXTS = 60
WHOLE = "stride(0, 1, 4)"


def shown(rows: tuple[Row, ...], lane: int) -> Events:
    """What a lane does in a chart."""
    found: Events = []
    for row in rows:
        match row:
            case WorkRow() if lane in row.lanes:
                found.append(("work",))
            case ArrowRow() if lane in (row.sender, row.receiver):
                sends = lane == row.sender
                peer = row.receiver if sends else row.sender
                event = ("send" if sends else "receive", peer, row.message.name)
                found += [event] * row.message.frames
            case Section(of=Loop() as loop):
                body = shown(row.arms[0], lane)
                found += [("loop", loop.bound, loop.until, body)] if body else []
            case Section():
                arms = [shown(arm, lane) for arm in row.arms]
                found += [("choice", arms)] if any(arms) else []
    return found


def arrows(rows: tuple[Row, ...]) -> list[ArrowRow]:
    """All arrows of a chart."""
    inner = (
        [row]
        if isinstance(row, ArrowRow)
        else [each for arm in row.arms for each in arrows(arm)]
        if isinstance(row, Section)
        else []
        for row in rows
    )
    return [each for part in inner for each in part]


def sections(rows: tuple[Row, ...]) -> list[Section]:
    """All loops and choices of a chart."""
    own = [row for row in rows if isinstance(row, Section)]
    return [*own, *(each for row in own for arm in row.arms for each in sections(arm))]


def test_every_role_does_in_a_chart_what_it_has_to_do() -> None:
    for seed in range(TEXTS):
        text, roles, events = random_text(Random(seed))
        chart = Chart.of(drawing_of(text))
        assert chart.roles == tuple(range(roles)) and not chart.others and not chart.without
        assert not any(row.lost for row in arrows(chart.rows))
        for role in range(roles):
            assert shown(chart.rows, role) == of_role(events, role), text
        for section in sections(chart.rows):
            for lane in section.lanes:
                assert any(shown(arm, lane) for arm in section.arms), text


def test_roles_that_do_the_same_at_the_same_time_stand_in_one_row() -> None:
    rows = Chart.of(Drawing.of(distributed(4))).rows
    assert isinstance(rows[0], Section)
    work = {row.work.lines: row.lanes for row in rows[0].arms[0] if isinstance(row, WorkRow)}
    assert work.pop(('observe "loss"',)) == (0,)
    assert set(work.values()) == {(0, 1, 2, 3)}
    lines = [line for each in work for line in each]
    assert lines == ["contribute @gradient", "mean", "update @adam", "advance"]


def test_arrows_stand_in_the_order_of_the_schedule() -> None:
    found = arrows(Chart.of(Drawing.of(distributed(3))).rows)
    sites = [row.message.site for row in found]
    assert sites == sorted(sites)
    ways: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for row in found:
        key = row.message.site, row.message.name
        ways.setdefault(key, []).append((row.sender, row.receiver))
    for (_, name), way in ways.items():
        up = name in ("reduce", "agree")
        assert way == ([(1, 0), (2, 0)] if up else [(0, 1), (0, 2)])


def test_what_could_happen_at_once_stands_in_the_order_of_the_text() -> None:
    text, _, _ = random_text(Random(0))
    head, _, _ = text.partition("  }\n")
    ways = [(2, 3), (0, 1), (3, 1), (2, 0)]
    lines = [f"%m{n} = protocol.transfer %x from {a} to {b}" for n, (a, b) in enumerate(ways)]
    group = re.sub(r"universe = \d", "universe = 4", re.sub(r"stride\(0, 1, \d\)", WHOLE, head))
    drawing = drawing_of("\n".join([group, "  }", *lines, "}"]))
    found = arrows(Chart.of(drawing).rows)
    assert [(row.sender, row.receiver) for row in found] == ways


@pytest.mark.parametrize("exchange", ["gather", "sharded"])
@pytest.mark.parametrize("partitioned", [False, True])
@pytest.mark.parametrize("owners", [2, 5, 8])
def test_a_projected_protocol_has_the_same_chart(
    owners: int, partitioned: bool, exchange: Exchange
) -> None:
    charts = [
        Chart.of(Drawing.of(distributed(owners, "star", partitioned, exchange, project=project)))
        for project in (False, True)
    ]
    assert charts[0] == charts[1]
    assert not any(row.lost for row in arrows(charts[0].rows))


def test_of_many_roles_the_first_are_drawn_and_all_their_frames() -> None:
    drawing = Drawing.of(distributed(40, "tree<5>"))
    chart = Chart.of(drawing)
    assert chart.roles == tuple(range(ROLES_MAX)) and chart.others == 40 - ROLES_MAX
    for role in chart.roles:
        frames = len(frames_of(drawing, role))
        ends = [each for each in arrows(chart.rows) if role in (each.sender, each.receiver)]
        assert sum(row.message.frames for row in ends) == frames
    assert all(min(row.sender, row.receiver) < ROLES_MAX for row in arrows(chart.rows))
    whole = [row for row in chart.rows if isinstance(row, Section)]
    assert whole[0].lanes == tuple(range(ROLES_MAX + 1))


def frames_of(drawing: Drawing, role: int) -> list[FrameOp]:
    """A role's frames, as projection gives them."""
    assert drawing.protocol is not None
    return [op for op in project(drawing.protocol, role).walk() if isinstance(op, FrameOp)]


def test_roles_without_a_program_have_lifelines_and_their_frames_with_others() -> None:
    module = distributed(4, roles=(1, 3), project=True)
    chart = Chart.of(Drawing.of(module))
    assert (chart.roles, chart.without, chart.others) == ((0, 1, 2, 3), (0, 2), 0)
    ends = {(row.sender, row.receiver) for row in arrows(chart.rows)}
    assert ends == {(1, 0), (0, 1), (3, 0), (0, 3)}
    assert len(arrows(chart.rows)) == 10


DECIDED = """
protocol.global @decided group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %s = protocol.local at role 0 {
    %n = arith.constant 0 : i64
    protocol.yield %n
  }
  protocol.choice %s by 0 along [0 -> 1, 1 -> 2] {
    protocol.local at role 1 {
      %a = arith.constant 1.0 : f64
      protocol.yield
    }
  } {
    protocol.local at role 2 {
      %a = arith.constant 2.0 : f64
      protocol.yield
    }
  }
}
"""


def test_what_is_decided_once_is_one_choice_though_nothing_is_exchanged_in_it() -> None:
    rows = Chart.of(drawing_of(DECIDED)).rows
    assert [section.lanes for section in sections(rows)] == [(1, 2)]


IDLE = """
protocol.role @idle role 0 group #protocol.group<universe = 1, epoch = 0, id = "", stride(0, 1, 1)>
    protocol "" edges [] {
  %s = protocol.local at role 0 {
    %n = arith.constant 0 : i64
    protocol.yield %n
  }
  protocol.repeat 2 {
    protocol.choice %s {
    } {
    }
  }
  protocol.choice %s {
  } {
  }
}
"""


def test_a_loop_in_which_nothing_is_done_is_not_drawn() -> None:
    assert [type(row) for row in Chart.of(drawing_of(IDLE)).rows] == [WorkRow]


def test_a_frame_that_its_peer_does_not_have_is_half_an_arrow() -> None:
    module = distributed(3, project=True)
    op = next(op for op in module.walk() if isinstance(op, ReceiveOp))
    peer, role = op.peer.data, 0
    op.detach()
    found = arrows(Chart.of(Drawing.of(module)).rows)
    lost = [row for row in found if row.lost]
    assert [(row.sender, row.receiver, row.message.outgoing) for row in lost] == [
        (peer, role, True)
    ]
    assert len(found) == len(arrows(Chart.of(Drawing.of(distributed(3))).rows))


def test_programs_that_wait_for_each_other_are_drawn_to_their_ends() -> None:
    module = distributed(2, project=True)
    agreements = (op for op in module.walk() if isinstance(op, PerformOp))
    frames = next(op for op in agreements if op.kind.data == "agree").frames.block
    last = frames.last_op
    assert last is not None and frames.first_op is not None
    last.detach()
    frames.insert_ops_before([last], frames.first_op)
    found = arrows(Chart.of(Drawing.of(module)).rows)
    assert any(row.lost for row in found)
    programs = [op for op in module.body.block.ops if isinstance(op, RoleOp)]
    for lane, program in enumerate(programs):
        ends = [row for row in found if lane in (row.sender, row.receiver)]
        own = [row for row in ends if not row.lost or (row.sender == lane) == row.message.outgoing]
        assert len(own) == sum(isinstance(op, FrameOp) for op in program.walk())
