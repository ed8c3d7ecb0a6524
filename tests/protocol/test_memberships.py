"""The first role of a kind, against all roles one by one; and what many roles cost."""

from __future__ import annotations

from random import Random

import pytest
from counted_calls import calls_of
from protocol.reading import opened

from alpha.ir.protocol.checking import check_protocol
from alpha.ir.protocol.checks.memberships import Member, Selections
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride


def selection(random: Random) -> Selection:
    """A selection with members below 80."""
    start, step = random.randrange(20), random.randrange(1, 6)
    plain = Stride(start, step, random.randrange(1, 7))
    match random.randrange(4):
        case 0:
            return Repeat(random.randrange(1, 3), plain.span + random.randrange(1, 4), plain)
        case 1:
            return Join((plain, Stride(plain.max + random.randrange(1, 9), 2, 3)))
        case 2:
            return Empty() if random.random() < 0.2 else Stride(start, 1, step)
        case _:
            return plain


def test_the_first_role_is_that_of_an_enumeration() -> None:
    """What holds depends on how many of the selections have the role, or on a few of them."""
    for seed in range(300):
        random = Random(seed)
        selections = Selections()
        among = [selections.number(selection(random)) for _ in range(random.randrange(1, 6))]
        wanted = {number: random.random() < 0.5 for number in among}
        kinds: list[tuple[bool, ...]] = []

        def holds(
            member: Member, wanted: dict[int, bool] = wanted, kinds: list[tuple[bool, ...]] = kinds
        ) -> bool:
            found = {number: member(number) for number in wanted}
            kinds.append(tuple(found.values()))
            return any(found.values()) and found == wanted

        members = {number: set(selections[number]) for number in among}
        roles = sorted(set().union(*members.values()))
        first = next(
            (role for role in roles if all((role in members[n]) == wanted[n] for n in wanted)), None
        )
        if not any(wanted.values()):
            first = None
        assert selections.first_role("nothing", among, holds) == first
        assert len(kinds) == len(set(kinds)), "a kind was asked about twice"


def test_equal_selections_have_one_number() -> None:
    """By their expressions: another one for the same roles has another number."""
    selections = Selections()
    assert selections.number(Stride(0, 1, 4)) == selections.number(Stride(0, 1, 4)) == 0
    assert selections.number(Repeat(2, 2, Stride(0, 1, 2))) == 1
    assert selections[1] == Repeat(2, 2, Stride(0, 1, 2))
    assert not selections.member(4)(0) and selections.member(3)(1)


def test_only_what_is_among_them_can_be_asked_about() -> None:
    """A membership that was left out would make kinds of roles seem alike that aren't."""
    selections = Selections()
    inside, outside = (selections.number(Stride(start, 1, 4)) for start in (0, 2))
    with pytest.raises(KeyError):
        selections.first_role("nothing", [inside], lambda member: member(outside))


def many(roles: int, told: str) -> str:
    """A protocol of so many roles, some of which do something in one arm alone."""
    return f"""
protocol.global @many group #protocol.group<universe = {roles}, epoch = 0,
    id = "", stride(0, 1, {roles})> {{
  %x, %s = protocol.local at role 0 {{
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }}
  %t = protocol.replicate %x along tree<64> over stride(0, 1, {roles})
  %r = protocol.repeat 1000 (%c = %t) {{
    protocol.choice %s by 0 along {told} {{
      %y = protocol.replicate %c along tree<64> over stride(0, 2, {roles // 2})
      %n = protocol.reduce sum %y
          contract #region.contract<groups = [repeat({roles // 2}, 1)], combine = tree<2>>
          along tree<2>
    }} {{
      protocol.local at stride(0, 3, {roles // 3}) (%a = %c) {{
        protocol.yield
      }}
    }} {{
      %y = protocol.transfer %c from 1 to {roles - 1}
    }}
    protocol.until %s by 0 along tree<64> over stride(0, 1, {roles}) yields %c
  }}
}}
"""


def needed(roles: int) -> str:
    """The roles whose arms differ: all that 2 or 3 divides, role 1 and the last one."""
    rest = f"repeat({roles // 6 - 1}, 6, join(stride(6, 1, 1), stride(8, 1, 3)))"
    return f"tree<64> over join(stride(0, 1, 5), {rest}, stride({roles - 1}, 1, 1))"


def outcome(protocol: Protocol) -> str:
    """What is said of a protocol."""
    try:
        check_protocol(protocol)
    except Refusal as refusal:
        return f"{refusal.code}: {refusal.found}"
    return "accepted"


def test_many_roles_cost_what_few_cost() -> None:
    """Counted: 12,000,000 roles take the calls that 1,200 take, accepted or refused."""
    counted: dict[str, list[int]] = {}
    for roles in (1_200, 200_400, 12_000_000):
        everybody = f"tree<64> over stride(0, 1, {roles})"
        nobody = "[]"
        for told, said in (
            (needed(roles), "accepted"),
            (everybody, "protocol-choice-excess: role 5, whose arms are the same"),
            (nobody, "protocol-choice-uninformed: no selector and no route to it in []"),
        ):
            protocol = opened(many(roles, told))
            found: list[str] = []
            calls = calls_of(lambda p=protocol, found=found: found.append(outcome(p)))
            assert found == [said]
            counted.setdefault(said, []).append(calls)
    for calls_each in counted.values():
        assert max(calls_each) < 1.5 * min(calls_each) and max(calls_each) < 100_000
