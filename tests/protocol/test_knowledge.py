"""Knowledge of choice, against what projection gives to each role of small protocols.

The oracle lets every role have every selector, projects all roles, and looks for which of them a
decision is still there: these are the roles that have to hear of it.
"""

from __future__ import annotations

from random import Random

import pytest
from protocol.random_protocols import Protocol, random_protocol
from protocol.reading import opened
from protocol.written_protocols import written
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.ir import Operation

from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import PerformOp
from alpha.ir.protocol.checking import check_protocol
from alpha.ir.protocol.checks.concerns import Concerns
from alpha.ir.protocol.checks.knowledge import difference
from alpha.ir.protocol.checks.outlines import Outlines
from alpha.ir.protocol.view import Protocol as View
from alpha.ir.refusals import Refusal
from alpha.passes.protocol.projection import project

DECIDING = (ChoiceOp, UntilOp)
SAMPLES = 60


def keyed(protocol: Protocol, known: bool, towards: int | None = None) -> View:
    """A protocol in which every decision has its key for a place."""
    text, keys = written(protocol, known, towards)
    view = opened(text)
    decisions = [op for op in view.op.walk() if isinstance(op, DECIDING)]
    for op, key in zip(decisions, keys, strict=True):
        op.location = FileLineColLoc(StringAttr("key"), IntAttr(key), IntAttr(1))
    return view


def key_of(op: Operation) -> int:
    """The key of a decision, in the protocol and in what is projected from it."""
    assert isinstance(op.location, FileLineColLoc)
    return op.location.line.data


def leads(op: Operation) -> bool:
    """Whether an operation stands in the first arm of every choice around it."""
    region, around = op.parent_region(), op.parent_op()
    while region is not None and around is not None:
        if isinstance(around, ChoiceOp) and region is not around.arms[0]:
            return False
        region, around = around.parent_region(), around.parent_op()
    return True


def matters(op: Operation) -> bool:
    """Whether a decision in a role's program ends more than a repeat in which nothing is done."""
    repeat = op.parent_op()
    if isinstance(op, ChoiceOp):
        return True
    assert isinstance(repeat, RepeatOp)
    told = isinstance(op.prev_op, PerformOp) and key_of(op.prev_op) == key_of(op)
    return bool(repeat.initial) or len(repeat.body.block.ops) > 1 + told


def concerned(protocol: Protocol) -> dict[int, set[int]]:
    """For each decision the roles that have it in their program if they can have it."""
    found: dict[int, set[int]] = {}
    for decision in protocol.decisions():
        if decision.key in found:
            continue
        # Where the arms are the same for a role, the first one stands in its program.
        view = keyed(protocol, True, decision.key)
        leading = {key_of(op) for op in view.op.walk() if isinstance(op, DECIDING) and leads(op)}
        fresh = {key: set[int]() for key in leading - found.keys()}
        for role in range(protocol.roles):
            for op in project(view, role).walk():
                if isinstance(op, DECIDING) and key_of(op) in fresh and matters(op):
                    fresh[key_of(op)].add(role)
        found |= fresh
    return found


def tell(protocol: Protocol, random: Random) -> None:
    """Give every decision the routes that it needs, along a tree at random."""
    for level in protocol.levels():
        needed = concerned(protocol)
        for decision in level:
            roles = needed[decision.key] - protocol.selectors[decision.selector]
            if decision.authority is None:
                decision.selector = 2 if roles else decision.selector
                continue
            informed = [decision.authority]
            for role in random.sample(sorted(roles), len(roles)):
                decision.pairs.append((random.choice(informed), role))
                informed.append(role)


def spoil(protocol: Protocol, random: Random) -> None:
    """Change the routes of one decision, or take its selector from some roles."""
    decision = random.choice(protocol.decisions())
    if decision.authority is None:
        decision.selector = random.randrange(3)
    elif decision.pairs and random.random() < 0.4:
        decision.pairs.pop()
    else:
        told = {decision.authority, *(told for _, told in decision.pairs)}
        others = set(range(protocol.roles)) - told
        if others:
            decision.pairs.append((random.choice(sorted(told)), random.choice(sorted(others))))


def first_fault(protocol: Protocol, needed: dict[int, set[int]]) -> tuple[int, int, str] | None:
    """Key, role and code of the first fault: decisions from the inside out, roles ascending."""
    for decision in protocol.decisions():
        told = {role for _, role in decision.pairs}
        informed = protocol.selectors[decision.selector] | told
        excess, uninformed = told - needed[decision.key], needed[decision.key] - informed
        if excess | uninformed:
            role = min(excess | uninformed)
            kind = "excess" if role in excess else "uninformed"
            return decision.key, role, f"protocol-choice-{kind}"
    return None


def sample(seed: int) -> Protocol | None:
    """A protocol at random: told as it has to be, or with one change; None without decisions."""
    random = Random(seed)
    protocol = random_protocol(random)
    if not protocol.decisions():
        return None
    if seed % 6:
        tell(protocol, random)
    if seed % 3:
        spoil(protocol, random)
    return protocol


def check_sample(protocol: Protocol) -> str | None:
    """Compare what is refused with what projection says; gives the code of the fault, if any."""
    try:
        view = keyed(protocol, False)
    except Refusal as refusal:
        return refusal.code
    needed = concerned(protocol)
    concerns = Concerns(view.op)
    for op in view.op.walk():
        if isinstance(op, DECIDING):
            members = [concerns.selections.member(role) for role in range(protocol.roles)]
            parts = [difference(op, concerns, member) for member in members]
            found = {role for role, part in enumerate(parts) if part is not None}
            assert found == needed[key_of(op)]
    fault = first_fault(protocol, needed)
    if fault is None:
        check_protocol(view)
        for role in range(protocol.roles):
            project(view, role)
        return None
    key, role, code = fault
    with pytest.raises(Refusal) as caught:
        check_protocol(view)
    assert caught.value.code == code
    assert caught.value.place is not None and caught.value.place.line == key
    assert f"role {role}" in f"{caught.value.expected} {caught.value.found}"
    return code


def test_what_is_refused_is_what_projection_cannot_do() -> None:
    """The code, the decision and the role, in protocols with and without a fault."""
    codes: list[str | None] = []
    for seed in range(SAMPLES):
        protocol = sample(seed)
        if protocol is not None:
            codes.append(check_sample(protocol))
    for code in ("protocol-choice-excess", "protocol-choice-uninformed", None):
        assert codes.count(code) > SAMPLES // 12, code


RESULTS = """
#all = #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)>
protocol.global @results group #all {{
  %s = protocol.local at role 0 {{
    %b = arith.constant 1 : i64
    protocol.yield %b
  }}
  %x = protocol.local at stride(1, 1, 2) {{
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }}
  %r = protocol.choice %s by 0 along [0 -> 2] {{
    protocol.yield %x
  }} {{
    protocol.local at role 2 {{
      protocol.yield
    }}
    protocol.yield %x
  }}
  %q = protocol.scope stride(1, 1, 2) {{
    protocol.yield %r
  }}
  %p = protocol.choice %s by 0 along {1} {{
    protocol.yield {0}
  }} {{
    protocol.yield %x
  }}
  protocol.choice %s by 0 along {1} {{
    protocol.local at stride(1, 1, 2) (%a = %p) {{
      protocol.yield
    }}
  }} {{
    protocol.local at stride(1, 1, 2) (%a = {0}) {{
      protocol.yield
    }}
  }}
}}
"""


@pytest.mark.parametrize("result", ["%r", "%q"])
def test_the_result_of_a_choice_is_what_the_arms_yield(result: str) -> None:
    """For a role whose arms are the same; for another it is a value of its own."""
    check_protocol(opened(RESULTS.format(result, "[0 -> 2]")))
    for routes, code in (
        ("[]", "protocol-choice-uninformed"),
        ("[0 -> 2, 2 -> 1]", "protocol-choice-excess"),
        ("[0 -> 1]", "protocol-choice-excess"),
    ):
        with pytest.raises(Refusal) as caught:
            check_protocol(opened(RESULTS.format(result, routes)))
        assert caught.value.code == code
    # Without the first choice's other work, nobody has to hear of any.
    plain = RESULTS.format("%x", "[]").replace("along [0 -> 2]", "along []")
    check_protocol(
        opened(plain.replace("protocol.local at role 2 {\n      protocol.yield\n    }", ""))
    )


def test_local_work_is_compared_to_the_bit() -> None:
    """Operations, their constants, and the order of what they take; not the names."""
    text = """
#all = #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)>
protocol.global @work group #all {{
  %s = protocol.local at role 0 {{
    %b = arith.constant 1 : i64
    protocol.yield %b
  }}
  %x, %y = protocol.local at role 1 {{
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1.5 : f64
    protocol.yield %a, %b
  }}
  protocol.choice %s by 0 along [] {{
    protocol.local at role 1 (%a = %x, %b = %y) {{
      %c = arith.constant 0.0 : f64
      %d = arith.subf %a, %b : f64
      protocol.yield
    }}
  }} {{
    protocol.local at role 1 {0} {{
      {1}
      {2}
      protocol.yield
    }}
  }}
}}
"""
    same = ("(%b = %x, %a = %y)", "%e = arith.constant 0.0 : f64", "%f = arith.subf %b, %a : f64")
    check_protocol(opened(text.format(*same)))
    for number, other in (
        (0, "(%a = %x, %b = %y)"),
        (0, "(%b = %x, %a = %x)"),
        (1, "%e = arith.constant -0.0 : f64"),
        (1, "%e = arith.constant 0.0 : f32"),
        (2, "%f = arith.subf %a, %b : f64"),
        (2, "%f = arith.addf %b, %a : f64"),
    ):
        changed = [*same]
        changed[number] = other
        with pytest.raises(Refusal) as caught:
            check_protocol(opened(text.format(*changed)))
        assert caught.value.code == "protocol-choice-uninformed"


def test_who_only_tells_takes_part_too() -> None:
    """Role 1 decides how often role 2 does something, and does nothing else."""
    text = """
#all = #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)>
protocol.global @telling group #all {{
  %s = protocol.local at stride(0, 1, 2) {{
    %b = arith.constant 1 : i64
    protocol.yield %b
  }}
  %t = protocol.transfer %s from 0 to 2
  %only = protocol.transfer %t from 2 to 0
  protocol.choice %only by 0 along {0} {{
    protocol.repeat 3 {{
      protocol.local at role 2 {{
        protocol.yield
      }}
      protocol.until %s by 1 along {1}
    }}
  }} {{
  }}
}}
"""
    check_protocol(opened(text.format("[0 -> 1, 1 -> 2]", "[1 -> 2]")))
    for routes, inner, found in (
        ("[0 -> 2]", "[1 -> 2]", "role 1 to know which arm is taken"),
        ("[0 -> 1]", "[1 -> 2]", "role 2 to know which arm is taken"),
        ("[0 -> 1, 1 -> 2]", "[]", "role 2 to know whether the repeat goes on"),
    ):
        with pytest.raises(Refusal) as caught:
            check_protocol(opened(text.format(routes, inner)))
        assert (caught.value.code, caught.value.expected) == ("protocol-choice-uninformed", found)


def test_an_earlier_choice_takes_no_numbers_from_what_is_compared() -> None:
    """What is made inside an earlier choice is looked at when its result is met, in an arm."""
    view = opened("""
#all = #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)>
protocol.global @earlier group #all {
  %s = protocol.local at role 0 {
    %b = arith.constant 1 : i64
    protocol.yield %b
  }
  %r = protocol.choice %s by 0 along [] {
    %n = protocol.local at role 1 {
      %c = arith.constant 1.5 : f64
      protocol.yield %c
    }
    protocol.yield %n
  } {
    %n = protocol.local at role 1 {
      %c = arith.constant 1.5 : f64
      protocol.yield %c
    }
    protocol.yield %n
  }
  protocol.choice %s by 0 along [] {
    %k = protocol.local at role 1 (%a = %r) {
      protocol.yield %a
    }
    protocol.local at role 1 (%a = %k) {
      protocol.yield
    }
  } {
    %k = protocol.local at role 1 (%a = %r) {
      protocol.yield %a
    }
    protocol.local at role 1 (%a = %k) {
      protocol.yield
    }
  }
}
""")
    check_protocol(view)
    concerns = Concerns(view.op)
    _, later = (op for op in view.op.walk() if isinstance(op, ChoiceOp))
    first, second = Outlines(concerns, concerns.selections.member(1)).arms(later)
    assert first.same(second) and len(first.ops) == 2
    assert first.first_difference(second) is None
