"""Random protocols: what is projected is accepted and runs; what sticks is refused.

`schedules.campaign` does the same a hundred thousand times.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from schedules.explore import resolved_at_random
from schedules.plain_protocols import Choice, Repeat, Transfer, numbered, roles_of, schedules_of
from schedules.random_protocols import random_protocol
from schedules.running import run_at_random
from schedules.trials import WRONG, tried_at_random


@pytest.fixture(scope="module")
def found() -> Counter[str]:
    return tried_at_random(seed=1, count=1500)


def total(found: Counter[str], words: str) -> int:
    return sum(number for name, number in found.items() if words in name)


def test_nothing_is_decided_wrongly(found: Counter[str]) -> None:
    assert [name for name in found if name.startswith(WRONG)] == []
    assert found["accepted and run to the end"] == 1500


def test_exchanges_are_refused_for_both_reasons_and_many_are_harmless(found: Counter[str]) -> None:
    exchanged = total(found, "exchanged")
    assert exchanged > 1300
    assert total(found, "protocol-wait-cycle") > exchanged // 5
    assert total(found, "protocol-edge-order") > exchanged // 5
    assert total(found, "none sticks") > exchanged // 5


def test_next_to_nothing_is_refused_without_need(found: Counter[str]) -> None:
    assert total(found, "without need") < 5


def test_random_protocols_have_everything_in_them() -> None:
    random = Random(2)
    texts = [str(random_protocol(random)) for _ in range(300)]
    for words in ("Repeat(bound=1", "Repeat(bound=3", "until=True", "arms=((),", "sender=5"):
        assert any(words in text for text in texts), words
    assert any(text.count("Choice") > 1 for text in texts)
    assert any(text.count("Repeat") > 2 for text in texts)


def test_a_projection_strikes_out_what_does_not_concern_the_role() -> None:
    protocol = numbered(
        (
            Transfer(0, 1),
            Repeat(2, False, (Transfer(1, 2), Choice(((Transfer(0, 2),), ())))),
            Choice(((Transfer(2, 0),), (Transfer(3, 0),))),
        )
    )
    assert roles_of(protocol) == {0, 1, 2, 3}
    schedules = schedules_of(protocol)
    assert str(schedules[1][1]).count("Action") == 1
    assert [type(step).__name__ for step in schedules[0]] == ["Action", "Loop", "Branch"]
    assert [type(step).__name__ for step in schedules[3]] == ["Branch"]


def test_a_run_at_random_notices_what_sticks() -> None:
    random = Random(3)
    protocol = numbered((Transfer(0, 1), Transfer(1, 0), Transfer(1, 0)))
    schedules = schedules_of(protocol)
    assert run_at_random(resolved_at_random(schedules, random), random) == ""
    schedules[0].reverse()
    assert run_at_random(resolved_at_random(schedules, random), random) == "stuck"
    schedules[0].reverse()
    schedules[0][1:] = schedules[0][:0:-1]
    assert run_at_random(resolved_at_random(schedules, random), random) == "mismatched"
