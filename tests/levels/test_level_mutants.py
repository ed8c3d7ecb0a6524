"""The comparison of levels isn't vacuous: it notices mistakes that an implementation can make.

Each mutant is a patch of what runs protocols or roles, which the shard level doesn't use. Without
it the cases pass; with it a role refuses, is lost, or ends in other bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from levels import endings
from levels.product import examine
from sharding.product import SUBSETS, Choice, Setting

from alpha.interpreters import exchanges, protocol, role, walking
from alpha.interpreters.exchanges import Exchanges
from alpha.interpreters.participants import driving, running
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.protocol.steps import Addition, Frame, Step
from alpha.ir.protocol.view import Protocol
from alpha.passes import project_role
from alpha.passes.protocol import projection

Patch = pytest.MonkeyPatch
Mutant = Callable[[Patch], None]

CASES = (
    (Setting("adam", "star", 3, "uneven", element="f32"), Choice("block", SUBSETS[-1])),
    (Setting("adam", "tree<2>", 5, "even"), Choice("cyclic", ("optimizer",))),
    (Setting("momentum", "star", 4, "uneven"), Choice("cyclic", ())),
)
SEEDS = (0,)


def wrong() -> list[str]:
    """What is wrong with the cases."""
    found: list[str] = []
    for setting, choice in CASES:
        try:
            found += examine(setting, [choice], 2, SEEDS).wrong
        except Exception as error:
            # A mutant may break what it meets first; anything but silence is a notice.
            found.append(repr(error))
    return found


def fragments_of_the_next_role(patch: Patch) -> None:
    right = Exchanges.coordinates

    def next_role(self: Exchanges, map: Any, role: int, size: int) -> np.ndarray:
        return right(self, map, (role + 1) % self._owners, size)

    patch.setattr(Exchanges, "coordinates", next_role)


def fragments_put_together_backwards(patch: Patch) -> None:
    def backwards(fragments: dict[int, np.ndarray]) -> np.ndarray:
        return np.concatenate([fragments[role] for role in sorted(fragments, reverse=True)])

    patch.setattr(exchanges, "_bundle", backwards)


def words_sent_backwards(patch: Patch) -> None:
    right = exchanges.Send
    patch.setattr(exchanges, "Send", lambda header, words: right(header, words[::-1].copy()))


def every_copy_is_published(patch: Patch) -> None:
    patch.setattr(walking.Walk, "words", lambda self: self.work.owner.words)


def nothing_is_published(patch: Patch) -> None:
    patch.setattr(walking.Walk, "words", lambda self: {})


def steps_changed(change: Callable[[Step], Step]) -> Mutant:
    """The same in what a role reads of its program, and in what it is to do by the protocol."""

    def mutant(patch: Patch) -> None:
        read, of = role.read_step, protocol.step_of
        patch.setattr(role, "read_step", lambda op: change(read(op)))

        def changed(*given: Any) -> Step | None:
            step = of(*given)
            return None if step is None else change(step)

        patch.setattr(protocol, "step_of", changed)

    return mutant


def additions_from_the_last(step: Step) -> Step:
    """The root of a star adds its last group to the one before, and so on: another sum."""
    additions = [action for action in step.actions if isinstance(action, Addition)]
    frames = [action for action in step.actions if isinstance(action, Frame)]
    if len(additions) < 2 or any(frame.outgoing for frame in frames):
        return step
    groups = [0, *(addition.of for addition in additions)]
    backwards = [Addition(into, of) for into, of in pairwise(groups)][::-1]
    return replace(step, actions=(*frames, *backwards))


def counts_forgotten(step: Step) -> Step:
    actions = [
        replace(action, count=0) if isinstance(action, Frame) else action for action in step.actions
    ]
    return replace(step, actions=tuple(actions))


def parts_forgotten(step: Step) -> Step:
    actions = [
        replace(action, part=0) if isinstance(action, Frame) else action for action in step.actions
    ]
    return replace(step, actions=tuple(actions))


def big_endian_words(patch: Patch) -> None:
    def bytes_of(words: np.ndarray) -> bytes:
        return np.ascontiguousarray(words, words.dtype.newbyteorder(">")).tobytes()

    patch.setattr(driving, "_bytes", bytes_of)


def every_word_is_read_as_binary64(patch: Patch) -> None:
    patch.setattr(exchanges, "dtype_of", lambda element: "<f8")


def reports_lose_the_count(patch: Patch) -> None:
    right = running.Record

    def counting(kind: int, *given: Any, **more: Any) -> Any:
        index, version, _, words = given if len(given) == 4 else (0, 0, 0, b"")
        return right(kind, index, version, 0, words) if given else right(kind, **more)

    patch.setattr(running, "Record", counting)


def reports_are_rounded(patch: Patch) -> None:
    def rounded(words: np.ndarray) -> bytes:
        return np.asarray(words).astype("<f4").astype(words.dtype).tobytes()

    patch.setattr(running, "words_bytes", rounded)


def a_round_too_few(patch: Patch) -> None:
    right = endings.run_pass

    def run_pass(context: Any, module: Any, name: str, **options: Any) -> None:
        less = {"rounds": options["rounds"] - 1} if "rounds" in options else {}
        right(context, module, name, **{**options, **less})

    patch.setattr(endings, "run_pass", run_pass)


def a_first_frame_comes_last(patch: Patch) -> None:
    right = projection.project

    def project(protocol: Protocol, number: int) -> RoleOp:
        program = right(protocol, number)
        for op in program.walk():
            if (
                isinstance(op, PerformOp)
                and op.frames.block.first_op is not op.frames.block.last_op
            ):
                first = op.frames.block.first_op
                assert first is not None
                first.detach()
                op.frames.block.add_op(first)
        return program

    patch.setattr(project_role, "project", project)


def all_mutants() -> Iterator[tuple[str, Mutant]]:
    for mutant in (
        fragments_of_the_next_role,
        fragments_put_together_backwards,
        words_sent_backwards,
        every_copy_is_published,
        nothing_is_published,
        big_endian_words,
        every_word_is_read_as_binary64,
        reports_lose_the_count,
        reports_are_rounded,
        a_round_too_few,
        a_first_frame_comes_last,
    ):
        yield mutant.__name__, mutant
    for change in (additions_from_the_last, counts_forgotten, parts_forgotten):
        yield change.__name__, steps_changed(change)


MUTANTS = dict(all_mutants())


def test_without_a_mutant_nothing_is_wrong() -> None:
    assert wrong() == []


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTANTS[name](monkeypatch)
    assert wrong() != []
