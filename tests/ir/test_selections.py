"""Selections against an enumeration of their members: 100,000 random ones, and malformed ones."""

from __future__ import annotations

from random import Random

import pytest
from plain_sets.agreement import agrees_alone, agrees_in_pair, made
from plain_sets.enumeration import (
    Form,
    form_of,
    is_ascending,
    listed,
    random_form,
    random_numbers,
)

from alpha.ir.refusals import Refusal
from alpha.ir.selections import (
    Empty,
    Join,
    Selection,
    Stride,
    as_group,
    check_universe,
)

BATCHES = range(20)
BATCH = 5000


@pytest.mark.parametrize("batch", BATCHES)
def test_random_selections_agree_with_their_enumeration(batch: int) -> None:
    """Each is asked everything alone, and everything with the one before it."""
    random = Random(batch)
    before, before_members = agrees_alone(random, ("stride", 0, 1, 1)), {0}
    texts: dict[str, str] = {}
    for _ in range(BATCH):
        form = random_form(random, random.randrange(1, 5))
        selection = agrees_alone(random, form)
        assert texts.setdefault(selection.digest(), str(selection)) == str(selection)
        members = set(listed(form))
        agrees_in_pair(before, selection, before_members, members)
        before, before_members = selection, members


@pytest.mark.parametrize("batch", range(4))
def test_the_same_members_in_other_words(batch: int) -> None:
    """Equal sets are found equal and contained; a set that lacks one member is found out."""
    random = Random(batch)
    for _ in range(2000):
        form = random_form(random, random.randrange(1, 5))
        members = listed(form)
        other = form_of(random, members)
        agrees_in_pair(made(form), made(other), set(members), set(members))
        lost = random.randrange(len(members))
        fewer = members[:lost] + members[lost + 1 :]
        rest = made(form_of(random, fewer))
        agrees_in_pair(made(form), rest, set(members), set(fewer))
        agrees_in_pair(rest, made(form), set(fewer), set(members))


@pytest.mark.parametrize("batch", range(4))
def test_larger_selections_in_pairs(batch: int) -> None:
    """Thousands of members and steps without a common divisor: the ways of each descent."""
    random = Random(batch)
    before, before_members = made(("empty",)), set[int]()
    for _ in range(250):
        form = random_form(random, random.randrange(1, 4), large=8)
        selection, members = made(form), set(listed(form))
        agrees_in_pair(before, selection, before_members, members)
        before, before_members = selection, members


def join_is_at_fault(form: Form) -> str | None:
    """The code for a join of well-formed parts, from their members."""
    seen: set[int] = set()
    end = -1
    for members in map(listed, form[1:]):
        if members[0] <= end:
            return "select-overlap" if seen & set(members) else "select-order"
        seen.update(members)
        end = members[-1]
    return None


def fault_of(form: Form) -> str | None:
    """The code of the first rule that a form breaks, inside out and in order."""
    if form[0] == "stride":
        return "select-overflow" if form[2] == 0 else None
    inside = [fault_of(part) for part in form[1:] if isinstance(part, tuple)]
    if any(inside):
        return next(code for code in inside if code)
    if form[0] == "join":
        return join_is_at_fault(form)
    members = listed(form[3])
    return "select-repeat-span" if form[2] <= members[-1] - members[0] else None


def test_the_local_rules_hold_exactly_where_the_enumeration_ascends() -> None:
    """Random numbers: refused, by the right rule, exactly where a member isn't above the last."""
    random = Random(7)
    codes: dict[str | None, int] = {}
    for _ in range(20_000):
        form = random_numbers(random, random.randrange(1, 4))
        code: str | None = None
        try:
            made(form)
        except Refusal as refusal:
            code = refusal.code
        assert (code is None) == is_ascending(listed(form)), form
        assert code == fault_of(form), form
        codes[code] = codes.get(code, 0) + 1
    assert len(codes) == 5 and min(codes.values()) > 100, codes


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("stride(0, 0, 2)", "select-overflow", "step of a stride from 1"),
        ("stride(0, 0, 1)", "select-overflow", "step of a stride from 1"),
        ("stride(0, 1, 0)", "select-overflow", "count of a stride from 1"),
        ("stride(9223372036854775807, 1, 2)", "select-overflow", "9223372036854775808"),
        ("stride(9223372036854775808, 1, 1)", "select-overflow", "9223372036854775808"),
        ("stride(0, 9223372036854775807, 3)", "select-overflow", "18446744073709551614"),
        ("stride(0, 1, 9223372036854775808)", "select-overflow", "count of a stride"),
        ("repeat(0, 5, stride(0, 1, 5))", "select-overflow", "count of a repeat from 1"),
        ("repeat(1, 9223372036854775808, stride(0, 1, 1))", "select-overflow", "step of a repeat"),
        ("repeat(4, 4611686018427387904, stride(0, 1, 1))", "select-overflow", "greatest member"),
        ("repeat(2, 4611686018427387904, stride(0, 1, 4611686018427387904))", "select-overflow",
         "size of a repeat"),
        ("join(stride(0, 1, 9223372036854775807), stride(9223372036854775807, 1, 1))",
         "select-overflow", "size of a join"),
        ("repeat(2, 3, stride(5, 1, 4))", "select-repeat-span", "above 3, the span"),
        ("repeat(1, 3, stride(5, 1, 4))", "select-repeat-span", "found 3"),
        ("repeat(2, 0, stride(5, 1, 1))", "select-repeat-span", "above 0, the span"),
        ("repeat(2, 3, empty)", "select-empty", "something to repeat"),
        ("join(stride(0, 1, 1), empty)", "select-empty", "part 1"),
        ("join(stride(0, 1, 3), stride(2, 1, 3))", "select-overlap", "member 2 in parts 0 and 1"),
        ("join(stride(0, 2, 3), stride(9, 1, 1), stride(4, 1, 1))", "select-overlap",
         "member 4 in parts 0 and 2"),
        ("join(stride(4, 1, 2), stride(0, 1, 2))", "select-order", "begin after 5"),
        ("join(stride(0, 2, 3), stride(1, 2, 3))", "select-order", "its first member 1"),
    ],
)  # fmt: skip
def test_refused(text: str, code: str, says: str) -> None:
    """Each rule with the numbers of both sides."""
    with pytest.raises(Refusal) as caught:
        Selection.parse(text)
    assert caught.value.code == code
    assert says in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "empty",
        "stride(9223372036854775807, 9223372036854775807, 1)",
        "stride(0, 9223372036854775807, 2)",
        "stride(0, 1, 9223372036854775807)",
        "repeat(2, 4611686018427387904, stride(0, 1, 4611686018427387903))",
        "repeat(1, 4, stride(5, 1, 4))",
        "join(stride(7, 1, 1))",
        "join(stride(0, 1, 3), join(stride(3, 1, 3), stride(6, 2, 2)))",
        "repeat(625, 320, repeat(8, 40, repeat(2, 20, stride(0, 1, 20))))",
        "join(stride(0, 2, 3), repeat(3, 11, stride(10, 3, 2)))",
    ],
)
def test_accepted_and_written_back(text: str) -> None:
    """The nearest well-formed neighbours; the text is canonical."""
    assert str(Selection.parse(text)) == text


def test_a_join_with_no_part_and_numbers_below_zero() -> None:
    """What no text can say is refused as well."""
    with pytest.raises(Refusal, match="at least one part"):
        Join(())
    for make in (lambda: Stride(-1, 1, 1), lambda: Stride(0, 1, -1), lambda: Stride(0, -1, 1)):
        with pytest.raises(Refusal, match="2\\^63"):
            make()
    with pytest.raises(Refusal, match="a number of 40001 bits"):
        Stride(1 << 40000, 1, 1)


def test_the_empty_selection() -> None:
    """It has no members, is in every universe, and has no least or greatest member."""
    empty = Empty()
    assert (empty.size, empty.nodes, list(empty), 0 in empty, empty.rank(5)) == (0, 1, [], False, 0)
    assert empty.is_interval and empty.depth == 1 and empty == Selection.parse("empty")
    check_universe(empty, 0)
    with pytest.raises(ValueError):
        _ = empty.min
    with pytest.raises(ValueError):
        _ = empty.max
    with pytest.raises(IndexError):
        empty.nth(0)


@pytest.mark.parametrize(
    "text", ["stride(3, 2, 4)", "repeat(2, 9, stride(3, 2, 4))", "join(stride(3, 2, 4))"]
)
def test_what_is_not_a_member_has_no_index(text: str) -> None:
    """Positions are from 0 to size - 1, and only members have one."""
    selection = Selection.parse(text)
    for index in (-1, selection.size):
        with pytest.raises(IndexError):
            selection.nth(index)
    for number in (2, 4, 1000):
        with pytest.raises(ValueError):
            selection.index(number)
    assert "3" not in selection and 3.0 not in selection


def test_groups() -> None:
    """A group has members, all of them below the number of roles."""
    group = Stride(0, 3, 4)
    assert as_group(group, 10) is group
    with pytest.raises(Refusal, match="members below 9, found member 9") as caught:
        as_group(group, 9)
    assert caught.value.code == "select-universe"
    with pytest.raises(Refusal, match="member 3"):
        check_universe(group, 1)
    with pytest.raises(Refusal) as caught:
        as_group(Empty(), 10)
    assert caught.value.code == "select-empty"


def test_digests_are_of_expressions() -> None:
    """The same members in other words have another digest; the format is frozen."""
    texts = ["stride(0, 1, 4)", "repeat(2, 2, stride(0, 1, 2))", "join(stride(0, 1, 4))", "empty"]
    digests = [Selection.parse(text).digest() for text in texts]
    assert len(set(digests)) == 4
    assert digests[0] == "f031732e7dd685e0dd9a2094599647a45081696aa4695684b9f8569f178940b7"
