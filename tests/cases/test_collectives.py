"""Cases of collectives: what roles do together is one order, and each has the words for it.

The words are small whole numbers, so that a sum that was made of others shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from cases.running import EVERY_MODES, Case, hexes, learner_run, passed, read, refusal
from cases.texts import means, replaced
from protocol.reading import opened
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.levels import compare_terms
from alpha.interpreters.network.outcomes import Finished
from alpha.interpreters.protocol import ProtocolInterpreter, RunEnded
from alpha.interpreters.words import Words
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp, SendOp
from alpha.ir.frames import HEADER_BYTES, Header, check_header, encode
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.protocol.checking import check_protocol
from alpha.ir.protocol.view import Protocol, find_protocol
from alpha.passes.protocol.projection import project
from alpha.passes.protocol.schedules import check_programs
from alpha.tools.distributing import run_pass

GROUP = '#all = #protocol.group<universe = {0}, epoch = 0, id = "", stride(0, 1, {0})>\n'
ONE = """
  %{0} = protocol.local at {1} {{
    %a = arith.constant 2.0 : f64
    protocol.yield %a
  }}
"""


def protocol(roles: int, body: str) -> str:
    """A protocol of all roles, as text."""
    return f"{GROUP.format(roles)}protocol.global @case group #all {{\n{body}\n}}\n"


def checked(text: str) -> Protocol:
    """A protocol that verifies and can be projected."""
    view = opened(text)
    check_protocol(view)
    return view


def lowered(
    text: str, modes: Sequence[str] = (), edits: Sequence[tuple[str, str]] = (), **options: object
) -> tuple[Case, Protocol]:
    """A learner and its protocol, of which pieces of text are replaced by others."""
    case = read(text)
    module = passed(case, modes)
    run_pass(case.context, module, "lower_shard_to_protocol", **options)
    before, mark, part = print_module(module).rpartition("protocol.global")
    return case, learner_protocol(before + mark + replaced(part, *edits))


def learner_protocol(text: str) -> Protocol:
    """The protocol of a learner that stands beside it, checked."""
    module = parse_source(make_context(), text.encode(), "case.mlir")
    assert isinstance(module, ModuleOp)
    verify_module(module)
    view = find_protocol(module)
    assert view is not None
    check_protocol(view)
    return view


def programs(view: Protocol) -> dict[int, RoleOp]:
    """The program of every role."""
    return {role: project(view, role) for role in view.group.members}


def performed(program: RoleOp) -> list[PerformOp]:
    """What a role does with others, in order."""
    return [op for op in program.walk() if isinstance(op, PerformOp)]


def finishes(view: Protocol, buffer: int | None = 0) -> None:
    """See that every role comes to its end, in whatever order frames go."""
    for seed in range(3):
        outcomes = ProtocolInterpreter(view, None, Words(), seed=seed, buffer=buffer).run()
        assert len(outcomes) == view.group.size
        assert all(isinstance(outcome, Finished) for outcome in outcomes.values())


def test_P01_both_ends_of_a_frame_have_its_size_in_the_type() -> None:
    """NVIDIA/nccl #1417: 4 words against 5 may hang, or corrupt data. Here nobody can say it."""
    words = """
  %x = protocol.local at role 0 {{
    %c = arith.constant 2.0 : f64
    %a = pointwise.map over [i : 4] (%b = %c) {{ pointwise.yield %b }} : tensor<4xf64>
    protocol.yield %a
  }}
  %y = "protocol.transfer"(%x) <{{sender = #builtin.int<0>, receiver = #builtin.int<1>}}>
    : (!protocol.at<tensor<4xf64>, role 0>) -> !protocol.at<tensor<{}xf64>, role 1>"""
    caught = refusal(lambda: checked(protocol(2, words.format(5))))
    assert caught.code == "protocol-payload-type"
    assert "tensor<4xf64>" in caught.expected and "tensor<5xf64>" in caught.found
    view = checked(protocol(2, words.format(4)))
    finishes(view)
    # Programs that disagree, whoever made them, are refused before anything runs.
    roles = programs(view)
    check_programs(roles)
    (send,) = (op for op in roles[0].walk() if isinstance(op, SendOp))
    wrong = SendOp(1, 0, 0, 5, send.element)
    block = send.parent_block()
    assert block is not None
    block.insert_op_before(wrong, send)
    send.detach()
    assert refusal(lambda: check_programs(roles)).code == "protocol-dual-mismatch"


def test_P01_a_frame_of_another_size_is_refused_by_its_header() -> None:
    """NVIDIA/nccl #1417: what a peer sends in spite of all is refused before its body is read."""
    identity = bytes(32)
    header = Header(0, 1, 0, 0, 0, 0, 0, 32)
    head = encode(header, identity, bytes(32))[:HEADER_BYTES]
    check_header(head, header, identity)
    five = Header(0, 1, 0, 0, 0, 0, 0, 40)
    assert refusal(lambda: check_header(head, five, identity)).code == "frame-extent"


SUMS = """
  %t = protocol.reduce sum %loss
      contract #region.contract<groups = [1, 1, 1], combine = left> along star
  %u = protocol.reduce sum %{}
      contract #region.contract<groups = [1, 1, 1], combine = left> along star"""


def test_P03_what_is_logged_together_is_with_all_who_log() -> None:
    """Lightning #19106: ranks that log other keys wait for each other. Here it is no program."""
    loss = ONE.format("loss", "stride(0, 1, 3)")
    accuracy = ONE.format("accuracy", "stride(0, 1, 2)")
    caught = refusal(lambda: checked(protocol(3, loss + accuracy + SUMS.format("accuracy"))))
    assert caught.code == "protocol-payload-extent"
    assert caught.message == "expected a contract of 2 groups, one a member, found 3"
    agree = "  protocol.agree %loss, %accuracy along star"
    caught = refusal(lambda: checked(protocol(3, loss + accuracy + agree)))
    assert caught.code == "protocol-value-not-held"
    accuracy = ONE.format("accuracy", "stride(0, 1, 3)")
    finishes(checked(protocol(3, loss + accuracy + SUMS.format("accuracy"))))


def test_P03_a_role_that_leaves_a_key_out_is_refused() -> None:
    """Lightning #19106: one rank's program with one collective fewer, found before it runs."""
    view = checked(protocol(3, ONE.format("loss", "stride(0, 1, 3)") + SUMS.format("loss")))
    roles = programs(view)
    last = performed(roles[2])[-1]
    last.detach()
    caught = refusal(lambda: check_programs(roles))
    assert caught.code in ("protocol-orphan-receive", "protocol-role-unfinished")


OVERLAPPING = (
    ONE.format("x", "stride(0, 1, 63)")
    + ONE.format("y", "stride(61, 1, 3)")
    + """
  protocol.agree %x along star
  protocol.agree %y along star
  protocol.agree %x along tree<2>"""
)


def test_P04_collectives_of_two_groups_are_in_one_order() -> None:
    """meta-pytorch/torchrec PR #4149: two groups that overlap, of 62 + 2 ranks, deadlock when ranks
    of both take their collectives in another order. Here every role's order is a part of one.
    """
    view = checked(protocol(64, OVERLAPPING))
    finishes(view)
    roles = programs(view)
    check_programs(roles)
    # Role 61 is in both groups, and the first of one of them.
    first, second, _ = performed(roles[61])
    assert (first.site.data, second.site.data) == (0, 1)
    block = first.parent_block()
    assert block is not None
    second.detach()
    block.insert_op_before(second, first)
    assert refusal(lambda: check_programs(roles)).code == "protocol-wait-cycle"


SKIPPED = """
  %s = protocol.local at {0} {{
    %w = arith.constant {1} : i64
    protocol.yield %w
  }}
  protocol.choice %s {2} {{
    %t = protocol.reduce sum %x
        contract #region.contract<groups = [1, 1, 1], combine = left> along star
  }} {{
  }}"""


def test_P05_a_branch_that_one_role_skips_is_a_choice_of_which_all_hear() -> None:
    """pytorch #23425 and #73645, RT-DETR #672: one rank skips a module, and the others hang."""
    x = ONE.format("x", "stride(0, 1, 3)")
    own = "role 2"
    caught = refusal(lambda: checked(protocol(3, x + SKIPPED.format(own, 0, ""))))
    assert caught.code == "protocol-choice-uninformed"
    assert caught.message.startswith("expected role 0 to know which arm is taken")
    assert [note.message for note in caught.notes] == [
        "role 0 doesn't do this in every arm",
        "it hears of it with 'by 2 along [2 -> 0]'",
    ]
    half = "by 2 along [2 -> 0]"
    caught = refusal(lambda: checked(protocol(3, x + SKIPPED.format(own, 0, half))))
    assert caught.expected == "role 1 to know which arm is taken"
    caught = refusal(lambda: checked(protocol(3, x + SKIPPED.format(own, 0, "by 0 along []"))))
    assert caught.code == "protocol-choice-authority"
    for word in (0, 1):
        told = SKIPPED.format(own, word, "by 2 along [2 -> 0, 0 -> 1]")
        finishes(checked(protocol(3, x + told)))


PAIRS = """
region.learner @pairs attributes {owners = #shard.owners<2, pair>} {
  region.state @w : f64 = 0.5
  region.state @one : f64 = 7.0
  region.state @two : f64 = 9.0
  region.samples @data[3] : (f64) = dense<[1.0, 2.0, 6.0]>
  pointwise.contribution @both(%w : f64) sample(%x : f64) -> (f64, f64) {
    %xx = arith.mulf %x, %x : f64
    pointwise.return %x, %xx
  }
  pointwise.update @keep(%w : f64, %g1 : f64, %g2 : f64) -> (f64, f64, f64) {
    pointwise.return %w, %g1, %g2
  }
  region.round {
    %w = region.read @w : f64
    %s1, %s2, %n = pointwise.sum @both(%w) over @data : f64, f64
    %g1 = pointwise.mean %s1, %n
    %g2 = pointwise.mean %s2, %n
    %w1, %one1, %two1 = pointwise.apply @keep(%w, %g1, %g2) : f64, f64, f64
    region.advance @w = %w1, @one = %one1, @two = %two1
  }
}
"""


def test_P07_a_sum_that_is_skipped_is_found_by_comparison() -> None:
    """alpa-projects/alpa #273: of two reductions that were merged, one was skipped.

    A protocol that takes one total for both is as well formed as the right one. That it computes
    something else is seen in its terms, for every input.
    """
    case, view = lowered(PAIRS)
    assert differing(case, view) == []
    state = run(case, view)
    assert hexes(state["two"]) == hexes(learner_run(case)[0]["two"])
    _, merged = lowered(PAIRS, edits=[("protocol.reduce sum %1 by", "protocol.reduce sum %0 by")])
    assert differing(case, merged) == ["two"]
    state = run(case, merged)
    assert hexes(state["two"]) == hexes(state["one"])


def differing(case: Case, view: Protocol) -> list[str]:
    """The fields whose terms after a round aren't those of the learner."""
    found = compare_terms(case.learner, case.words, {"": view}, 100_000)
    assert found is not None
    return [field.field for field in found[""] if field.difference is not None]


def run(case: Case, view: Protocol, rounds: int = 1) -> Mapping[str, object]:
    """The state after so many rounds."""
    interpreter = ProtocolInterpreter(view, case.words, Words(), buffer=0)
    for _ in range(rounds):
        interpreter.step()
    return interpreter.state


ELSEWHERE = [
    "gather {} along star",
    "exchange {} to block direct",
    "replicate {} along star over stride(0, 1, 2)",
]


@pytest.mark.parametrize("work", ELSEWHERE)
def test_P08_a_sum_in_parts_is_summed_before_it_goes_elsewhere(work: str) -> None:
    """openxla/xla #40034: unreduced words were resharded, and replicas differed by 0.355."""
    text = means([1.0, 2.0, 6.0, 3.0] * 3, [4], owners="2, pair")
    case = read(text)
    module = passed(case)
    run_pass(case.context, module, "lower_shard_to_protocol")
    printed = print_module(module)
    line = next(line for line in printed.splitlines() if "protocol.reduce sum" in line)
    value = line.split("sum ")[1].split(" ")[0]
    moved = printed.replace(line, f"%moved = protocol.{work.format(value)}\n{line}")
    caught = refusal(lambda: learner_protocol(moved))
    assert caught.code == "protocol-payload-type" and "!shard.contribution" in caught.found


@pytest.mark.parametrize("exchange", ["gather", "sharded"])
@pytest.mark.parametrize("modes", EVERY_MODES)
def test_P08_replicas_are_equal_at_the_smallest_size(modes: Sequence[str], exchange: str) -> None:
    """openxla/xla #40034 was seen at 4,000 GPUs: four words of two owners show it, in each way."""
    samples = [1.0, 2.0, 6.0, 3.0, -4.0, 0.5, 8.0, 2.5, 1.0, 1.0, 3.0, 7.0]
    text = means(samples, [4], owners="2, pair")
    case, view = lowered(text, modes, exchange=exchange, rounds=2)
    assert differing(case, view) == []
    state = run(case, view, 2)
    assert hexes(state["mean"]) == hexes(learner_run(case, 2)[0]["mean"])


UNEVEN = """
  %x = protocol.local at stride(0, 1, 3) {{
    %c = arith.constant 2.0 : f64
    %a = pointwise.map over [i : 5] (%b = %c) {{ pointwise.yield %b }} : tensor<5xf64>
    protocol.yield %a
  }}
  %own = protocol.reduce sum %x
      contract #region.contract<groups = [1, 1, 1], combine = left> direct to owners [1, 4, 0]
  %other = protocol.exchange %own to {} direct
  %whole = protocol.gather %other direct
  protocol.agree %whole along star"""


OTHER_OWNERS = [
    "[4, 0, 1]",
    "cyclic",
    "[0, 0, 5]",
    "[stride(4, 1, 1), stride(0, 3, 2), stride(1, 1, 2)]",
]


@pytest.mark.parametrize("to", OTHER_OWNERS)
def test_P10_pieces_of_other_lengths_are_cut_to_fit(to: str) -> None:
    """jax #11614: a permutation of pieces that differ in length had the receiver's shape and the
    sender's values. Here both ends know from the maps which words go from one to the other.
    """
    view = checked(protocol(3, UNEVEN.format(to)))
    check_programs(programs(view))
    finishes(view)


def test_P10_pieces_that_leave_a_word_out_are_refused() -> None:
    """jax #11614: a map of other owners, with a hole or with a word twice is refused."""
    for to, code in (
        ("[4, 1]", "shard-owner-range"),
        ("[3, 0, 1]", "shard-coverage-missing"),
        ("[stride(0, 1, 3), stride(2, 1, 2), stride(4, 1, 1)]", "shard-coverage-duplicate"),
    ):
        assert refusal(lambda to=to: checked(protocol(3, UNEVEN.format(to)))).code == code


@pytest.mark.parametrize("modes", EVERY_MODES)
def test_P11_who_has_no_samples_takes_part(modes: Sequence[str]) -> None:
    """DeepSpeed #1522: a pipeline stage without optimizer work left the others waiting for a norm.

    An owner without samples, or without words, is in every exchange that the others are in.
    """
    text = means([1.0, 2.0, 6.0, 3.0], owners="3, star, samples = [2, 0, 2]")
    case, view = lowered(text, modes, rounds=2, exchange="gather")
    roles = programs(view)
    check_programs(roles)
    sites = [[op.site.data for op in performed(roles[role])] for role in (1, 2)]
    assert sites[0] == sites[1]
    sums = [op for op in performed(roles[1]) if op.kind.data == "reduce"]
    assert sums
    for op in sums:
        (send,) = (each for each in op.walk() if isinstance(each, SendOp))
        assert (send.count.data, send.words.data) == (0, 1)
    assert hexes(run(case, view, 2)["mean"]) == hexes(3.0)


@pytest.mark.parametrize("role", [0, 1, 2])
def test_P13_roles_that_disagree_publish_nothing(role: int) -> None:
    """Megatron-core `_validate_common_state_dict`: ranks that disagree on common state are told so
    in a warning. Here no version advances at any role.
    """
    text = means([1.0, 2.0, 6.0, 3.0], [2], owners="3, star, samples = [1, 0, 1]")
    case, view = lowered(text, rounds=3)
    interpreter = ProtocolInterpreter(view, case.words, Words(), buffer=0)
    interpreter.step()
    work = interpreter.walks[role].work
    assert work is not None
    kept = work.owner.words["w"]
    work.owner.words["w"] = kept + 1.0
    with pytest.raises(RunEnded):
        interpreter.step()
    assert interpreter.refusal is not None
    assert interpreter.refusal.code == "data-parallel-replicas-diverge"
    assert interpreter.version == 1
    interpreter.run()
    assert interpreter.network.published == {}
    # The same difference everywhere is a state.
    interpreter = ProtocolInterpreter(view, case.words, Words(), buffer=0)
    interpreter.step()
    for walk in interpreter.walks.values():
        assert walk.work is not None
        walk.work.owner.words["w"] = walk.work.owner.words["w"] + 1.0
    interpreter.step()
    assert hexes(interpreter.state["w"]) == hexes(kept + 1.0)
