"""The routes that a refusal offers: whoever follows them ends with a protocol that is accepted."""

from __future__ import annotations

import re
from random import Random

import pytest
from protocol.random_protocols import Protocol, random_protocol
from protocol.reading import opened
from protocol.written_protocols import written

from alpha.ir.protocol.checking import check_protocol
from alpha.ir.refusals import Refusal

OFFER = re.compile(r"'(by \d+ along .*)'")
DECISION = re.compile(r"(protocol\.(?:choice|until) %\w+)( by \d+ along (?:\[[^\]]*\]|.*\)))?")


def refused(text: str) -> Refusal | None:
    """What is said of a protocol that verifies."""
    protocol = opened(text)
    try:
        check_protocol(protocol)
    except Refusal as refusal:
        return refusal
    return None


def followed(text: str, refusal: Refusal) -> str:
    """The protocol with the routes that a refusal offers in the place of its decision's own."""
    offers = [match.group(1) for note in refusal.notes if (match := OFFER.search(note.message))]
    assert len(offers) == 1 and refusal.place is not None
    lines = text.split("\n")
    number = refusal.place.line - 1
    lines[number], count = DECISION.subn(rf"\1 {offers[0]}", lines[number], count=1)
    assert count == 1
    return "\n".join(lines)


def made_up(protocol: Protocol, random: Random) -> str:
    """The protocol with some roles told at random, of those that may be."""
    everyone = range(protocol.roles)
    for decision in protocol.decisions():
        if decision.authority is None:
            continue
        informed = [decision.authority]
        for role in random.sample(everyone, len(everyone)):
            if role not in informed and random.random() < 0.4:
                decision.pairs.append((random.choice(informed), role))
                informed.append(role)
    return written(protocol)[0]


def test_offers_are_followed_to_an_end() -> None:
    """One role more or fewer with each refusal; none comes back."""
    steps = 0
    for seed in range(40):
        random = Random(seed)
        text = made_up(random_protocol(random), random)
        seen: set[str] = set()
        try:
            while (refusal := refused(text)) is not None:
                assert text not in seen
                seen.add(text)
                if not any(OFFER.search(note.message) for note in refusal.notes):
                    # Nobody of the scope has the selector: there is nothing to offer.
                    assert "no selector and no route" in refusal.found and "scope" in text
                    break
                text = followed(text, refusal)
                steps += 1
        except Refusal as refusal:
            # A role was told at random that isn't of the scope.
            assert refusal.code == "protocol-group-scope"
    assert steps > 40


TREE = """
#all = #protocol.group<universe = 40, epoch = 0, id = "", stride(0, 1, 40)>
protocol.global @tree group #all {{
  %x, %s = protocol.local at role {0} {{
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }}
  protocol.choice %s {1} {{
    {2}
  }} {{
  }}
}}
"""
COPY = "%y = protocol.replicate %x along star over {}"

OFFERED = [
    # All of a large group at once, if nobody is told yet.
    ("0", "", COPY.format("stride(0, 1, 40)"), "by 0 along tree<64> over stride(0, 1, 40)"),
    (
        "0",
        "by 0 along []",
        COPY.format("stride(0, 2, 20)"),
        "by 0 along tree<64> over stride(0, 2, 20)",
    ),
    ("0", "", COPY.format("stride(0, 1, 3)"), "by 0 along [0 -> 1]"),
    # One more along the topology; a pair becomes a star.
    (
        "0",
        "by 0 along tree<3> over stride(0, 2, 5)",
        COPY.format("stride(0, 1, 9)"),
        "by 0 along tree<3> over join(stride(0, 2, 1), stride(1, 1, 1), stride(2, 2, 4))",
    ),
    (
        "0",
        "by 0 along pair over stride(0, 1, 2)",
        COPY.format("stride(0, 1, 3)"),
        "by 0 along star over join(stride(0, 1, 2), stride(2, 1, 1))",
    ),
    # One fewer.
    (
        "0",
        "by 0 along star over stride(0, 1, 3)",
        COPY.format("stride(0, 1, 2)"),
        "by 0 along star over stride(0, 1, 2)",
    ),
    ("0", "by 0 along pair over stride(0, 1, 2)", COPY.format("role 0"), "by 0 along []"),
    (
        "5",
        "by 5 along [5 -> 1, 1 -> 2]",
        "%y = protocol.transfer %x from 5 to 2",
        "by 5 along [5 -> 2]",
    ),
]


@pytest.mark.parametrize(("decider", "routes", "work", "offer"), OFFERED)
def test_what_is_offered(decider: str, routes: str, work: str, offer: str) -> None:
    """The routes as they are written."""
    refusal = refused(TREE.format(decider, routes, work))
    assert refusal is not None
    assert refusal.notes[-1].message in (
        f"it hears of it with '{offer}'",
        f"'{offer}' leaves it out",
    )


LONG = [
    # A topology has no place for a role before its first member.
    ("9", "by 9 along star over stride(9, 1, 2)", "%y = protocol.transfer %x from 9 to 4"),
    # What would fill the screen isn't offered.
    (
        "0",
        f"by 0 along [{', '.join(f'0 -> {role}' for role in range(1, 10))}]",
        COPY.format("stride(0, 1, 20)"),
    ),
]


@pytest.mark.parametrize(("decider", "routes", "work"), LONG)
def test_nothing_is_offered_that_would_not_do(decider: str, routes: str, work: str) -> None:
    """The refusal says what is wrong, and for whom."""
    refusal = refused(TREE.format(decider, routes, work))
    assert refusal is not None and refusal.code == "protocol-choice-uninformed"
    assert [note.message for note in refusal.notes] == [
        f"{refusal.expected.removesuffix(' to know which arm is taken')} "
        "doesn't do this in every arm"
    ]
    assert len(refusal.message) < 200
