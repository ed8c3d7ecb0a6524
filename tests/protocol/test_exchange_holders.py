"""An exchange among some owners is refused exactly where a role would get words of nobody."""

from __future__ import annotations

from random import Random

import pytest
from protocol.reading import opened

from alpha.ir.protocol.checking import check_protocol
from alpha.ir.refusals import Refusal
from alpha.passes.protocol.projection import project
from alpha.passes.protocol.schedules import check_programs

TEXT = """
protocol.global @some group #protocol.group<universe = {roles}, epoch = 0, id = "", {all}> {{
  %x = protocol.local at {all} {{
    %a = arith.constant 1.5 : f64
    %v = pointwise.map over [i : {size}] (%b = %a) {{
      pointwise.yield %b
    }} : tensor<{size}xf64>
    protocol.yield %v
  }}
  %sum = protocol.reduce sum %x contract #region.contract<groups = [{groups}], combine = left>
    direct to owners {old}
  %kept = protocol.local at {members} (%s = %sum) {{
    protocol.yield %s
  }}
  %moved = protocol.exchange %kept to {new} direct
}}
"""


def random_map(random: Random, roles: int, size: int) -> tuple[str, list[set[int]]]:
    """The text of a map, and the coordinates of each role."""
    owner = [random.randrange(roles) for _ in range(size)]
    pieces = [{at for at, each in enumerate(owner) if each == role} for role in range(roles)]
    texts = (
        ", ".join(f"stride({at}, 1, 1)" for at in sorted(piece)) or "empty" for piece in pieces
    )
    joined = (f"join({text})" if text.count("stride") > 1 else text for text in texts)
    return f"[{', '.join(joined)}]", pieces


@pytest.mark.parametrize("seed", range(60))
def test_what_a_role_is_to_own_a_member_has(seed: int) -> None:
    random = Random(seed)
    roles, size = random.randint(2, 5), random.randint(1, 6)
    (old, before), (new, after) = (random_map(random, roles, size) for _ in range(2))
    low = random.randrange(roles)
    step = random.randint(1, 2)
    count = random.randint(1, (roles - 1 - low) // step + 1)
    members = range(low, low + count * step, step)
    text = TEXT.format(
        roles=roles,
        all=f"stride(0, 1, {roles})",
        size=size,
        groups=", ".join("1" * roles),
        old=old,
        members=f"stride({low}, {step}, {count})",
        new=new,
    )
    protocol = opened(text)
    there = set[int]().union(*(before[role] for role in members))
    short = next((role for role in members if not after[role] <= there), None)
    programs = {role: project(protocol, role) for role in range(roles)}
    if short is None:
        check_protocol(protocol)
        check_programs(programs)
        return
    own, had = len(after[short]), len(after[short] & there)
    wanted = f"members with all {own} words that role {short} is to own"
    with pytest.raises(Refusal) as checked:
        check_protocol(protocol)
    assert (checked.value.code, checked.value.expected, checked.value.found) == (
        "protocol-payload-extent",
        wanted,
        str(had),
    )
    assert checked.value.place is not None and checked.value.place.line == text.count("\n") - 1
    with pytest.raises(Refusal) as projected:
        check_programs(programs)
    assert projected.value.code == checked.value.code and projected.value.found == str(had)
    assert projected.value.expected.startswith(wanted)


def test_words_are_listed_only_where_some_owner_is_left_out() -> None:
    """A value too large to look at word by word is exchanged among all, and refused among some."""
    size = 1 << 40
    shared = {
        "roles": 2,
        "all": "stride(0, 1, 2)",
        "size": size,
        "groups": "1, 1",
        "old": f"[1, {size - 1}]",
        "new": f"[{size - 1}, 1]",
    }
    check_protocol(opened(TEXT.format(members="stride(0, 1, 2)", **shared)))
    with pytest.raises(Refusal) as caught:
        check_protocol(opened(TEXT.format(members="role 0", **shared)))
    assert caught.value.code == "select-budget" and caught.value.found == str(size)
    shared["old"] = f"[{size}, 0]"
    check_protocol(opened(TEXT.format(members="role 0", **shared)))
