"""Every role's copy of a state is compared with the learner, not one of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from schedules.role_texts import ADVANCE, module_text

from alpha.interpreters.levels import Comparison, compare_bits, compare_terms
from alpha.interpreters.roles import Programs
from alpha.interpreters.work import RoleWork
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.learner_words import resolve
from alpha.ir.learners import find_learner

NODES_MAX = 1000


def differences(by_terms: bool) -> dict[str, str | None]:
    """What differs in two rounds of two roles, or in one round of terms, by the fields."""
    module = parse_text(make_context(), module_text(*(ADVANCE + ADVANCE,) * 2), "roles.mlir")
    learner = find_learner(module, "roles.mlir")
    words = resolve(learner, Path())
    programs = Programs.of(module)
    assert programs is not None
    levels = {"roles": programs}
    found: dict[str, list[Comparison]] | None
    if by_terms:
        found = compare_terms(learner, words, levels, NODES_MAX)
    else:
        found = compare_bits(learner, words, levels, (1, 2))
    assert found is not None
    return {each.field: each.difference for each in found["roles"]}


@pytest.mark.parametrize("by_terms", [False, True])
def test_copies_are_equal(by_terms: bool) -> None:
    assert differences(by_terms) == {"w": None, "v": None}


@pytest.mark.parametrize("by_terms", [False, True])
def test_another_word_of_the_last_role_is_seen(
    by_terms: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = RoleWork.publish

    def publish(self: RoleWork, op: AdvanceOp, values: Sequence[np.ndarray]) -> None:
        if self.role == 1:
            named = zip(op.names(), values, strict=True)
            kept = self.owner.words["w"]
            values = [kept if name == "w" else words for name, words in named]
        right(self, op, values)

    monkeypatch.setattr(RoleWork, "publish", publish)
    found = differences(by_terms)
    assert found["v"] is None
    assert found["w"] is not None and "roles, role 1" in found["w"]
