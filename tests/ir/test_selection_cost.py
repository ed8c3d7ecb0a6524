"""What selections cost: nodes on one path, and texts in linear time; counted, not timed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alpha.ir import canonical
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Join, Repeat, Selection, Stride, form, nodes

REGULAR = "repeat({}, 320, repeat(8, 40, repeat(2, 20, stride(0, 1, 20))))"
QUESTIONS = ("__contains__", "rank", "nth", "structure")


class Visits:
    """Counts the calls of the methods that a question goes through, and the values it encodes."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        for kind in (Stride, Repeat, Join):
            for name in QUESTIONS:
                patch.setattr(kind, name, self._counting(getattr(kind, name)))
        patch.setattr(canonical, "_scalar", self._counting(canonical._scalar))

    def _counting(self, function: Callable) -> Callable:
        def counted(*arguments: object) -> object:
            self.count += 1
            return function(*arguments)

        return counted


def costs(selection: Selection, visits: Visits) -> list[int]:
    """Visits of each question, asked of the first, a middle and the last member."""
    result: list[int] = []
    for index in (0, selection.size // 2, selection.size - 1):
        visits.count = 0
        member = selection.nth(index)
        assert selection.index(member) == index
        assert member in selection and selection.max + 1 not in selection
        result.append(visits.count)
    visits.count = 0
    selection.digest()
    return [*result, visits.count]


def test_200_000_roles_cost_what_625_million_times_320_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Four nodes, whatever the outermost count is; each question visits each at most once."""
    selection = Selection.parse(REGULAR.format(625))
    larger = Selection.parse(REGULAR.format(625_000_000))
    assert (selection.size, selection.nodes, selection.is_interval) == (200_000, 4, True)
    assert (larger.size, larger.nodes, larger.max) == (200 * 10**9, 4, 200 * 10**9 - 1)
    visits = Visits(monkeypatch)
    small = costs(selection, visits)
    assert small == costs(larger, visits)
    # nth, index's membership and rank, and membership: four nodes each; then one that fails early.
    assert small[:3] == [17, 17, 17]
    # A structure each; then a name for the selection, four forms, and three numbers each but one.
    assert small[3] == 4 + 1 + 4 + 2 + 2 + 2 + 3


def test_a_join_is_bisected(monkeypatch: pytest.MonkeyPatch) -> None:
    """One part of 1,000 is asked."""
    join = Join(tuple(Stride(10 * at, 2, 3) for at in range(1000)))
    visits = Visits(monkeypatch)
    assert 7774 in join and join.rank(7774) == 2333 + 0 and join.nth(2333) == 7774
    assert visits.count == 6


def test_limits_of_one_selection(monkeypatch: pytest.MonkeyPatch) -> None:
    """A selection can be as deep and large as its limits say, and no deeper or larger."""
    deep: Selection = Stride(0, 1, 1)
    for _ in range(63):
        deep = Repeat(1, 1, deep)
    assert deep.depth == 64 and Selection.parse(str(deep)) == deep and deep.digest()
    with pytest.raises(Refusal) as caught:
        Repeat(1, 1, deep)
    assert caught.value.code == "source-nesting-limit"
    for parts in ((deep,), (deep, deep)):
        with pytest.raises(Refusal) as caught:
            Join(parts)
        assert caught.value.code == "source-nesting-limit"
    monkeypatch.setattr(nodes, "NODES_MAX", 1000)
    points = tuple(Stride(at, 1, 1) for at in range(1000))
    assert Join(points[1:]).nodes == 1000
    with pytest.raises(Refusal) as caught:
        Join(points)
    assert caught.value.code == "select-budget"


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("repeat(1, 1, " * 5000, "source-nesting-limit", "64 deep"),
        ("join(" * 100_000, "source-nesting-limit", "64 deep"),
        (f"stride(0, 1, {'9' * 100_000})", "source-integer-limit", "100000 digits"),
        (f"stride({'0' * 21}, 1, 1)", "source-integer-limit", "21 digits"),
        ("", "source-syntax", "column 1, found the end of the text"),
        ("stride", "source-syntax", "'(' at column 7"),
        ("stride(0, 1)", "source-syntax", "',' at column 12, found )"),
        ("stride(0, 1, -4)", "source-syntax", "a number at column 14, found -"),
        ("stride(0, 1, 4", "source-syntax", "')' at column 15"),
        ("stride(0, 1, 4))", "source-syntax", "the end of a selection at column 16"),
        ("empty()", "source-syntax", "the end of a selection at column 6"),
        ("join()", "source-syntax", "empty at column 6, found )"),
        ("join(empty,)", "source-syntax", "empty at column 12"),
        ("strides(0, 1, 4)", "source-syntax", "found strides"),
        ("stride(0, 1, \u0664)", "source-syntax", "a number at column 14"),
        ("stride(0, 1, 0x4)", "source-syntax", "')' at column 15, found x"),
    ],
)
def test_refused_texts(text: str, code: str, says: str) -> None:
    """What isn't the text of a selection, with the column."""
    with pytest.raises(Refusal) as caught:
        Selection.parse(text)
    assert caught.value.code == code
    assert says in caught.value.message


def test_white_space_and_long_texts() -> None:
    """Any white space between tokens; a join of many parts is read without recursion."""
    assert Selection.parse(" stride (\n0,1 ,\t4 ) ") == Stride(0, 1, 4)
    join = Join(tuple(Stride(10 * at, 2, 3) for at in range(20_000)))
    assert Selection.parse(str(join)) == join


def test_the_limits_are_those_of_a_signed_word() -> None:
    """The numbers other parts of the project rely on."""
    assert (form.LIMIT, form.DEPTH_MAX) == (2**63, 64)
    assert form.NODES_MAX == 2**20
