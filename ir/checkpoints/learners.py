"""Is a generation of this learner? Its parts are compared by their digests, each by its name.

Invariant: a generation that passes has the parts of the learner, but for those that are allowed to
    differ; and one that passes `check_states` has a place for each of its words.
Why: the words of another learner would go on as if they were this one's.
Refuses: checkpoint-learner.
Entry: `check_learner`, `check_states`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from alpha.ir.checkpoints.facts import StateFacts
from alpha.ir.refusals import Note, Refusal

if TYPE_CHECKING:
    from alpha.ir.checkpoints.reading import Generation

CODE = "checkpoint-learner"


def check_learner(
    generation: Generation, parts: Mapping[str, str], allowed: Collection[str]
) -> None:
    """See that a generation is of the learner with these parts (`learner_parts`).

    `allowed` are names of parts that may differ, be missing or be added: `rate` or
    `constant rate`, and where a state has the name @round, `the round` for the round.

    Raises:
        Refusal: `checkpoint-learner` with the first part that differs, and a note for each other
            one; or for an allowed name that no part has, or more than one.
    """
    stored = generation.facts.parts
    every = [*parts, *(part for part in stored if part not in parts)]
    may_differ = {_part_named(name, every) for name in allowed}
    flaws = [
        flaw
        for part in every
        if part not in may_differ
        and (flaw := _difference(part, parts.get(part), stored.get(part))) is not None
    ]
    if flaws:
        (wanted, found), *others = flaws
        notes = tuple(Note(f"also expected {wanted}, found {found}") for wanted, found in others)
        raise Refusal(CODE, f"{wanted} in {generation.path}", found, notes=notes)


def check_states(generation: Generation, states: Sequence[StateFacts]) -> None:
    """See that a generation has words of these states, and of no others.

    What `check_learner` allows to differ may be a state's first words, and not its type.

    Raises:
        Refusal: `checkpoint-learner` with the first state that differs.
    """
    stored = {state.name: state for state in generation.facts.states}
    for state in states:
        other = stored.pop(state.name, None)
        if other is None or other.type != state.type:
            found = "none" if other is None else other.type
            wanted = f"words of @{state.name} : {state.type} in {generation.path}"
            raise Refusal(CODE, wanted, found)
    for name in stored:
        raise Refusal(CODE, f"no words of another state in {generation.path}", f"@{name}")


def _part_named(name: str, every: Sequence[str]) -> str:
    """The part that an allowed name means."""
    wanted = "the name of a part of the learner as one that may differ"
    found = [part for part in every if name in (_name_of(part), _whole_name_of(part))]
    if not found:
        raise Refusal(CODE, wanted, f"{name!r}, which no part has")
    if len(found) > 1:
        names = ", ".join(repr(_whole_name_of(part)) for part in found)
        raise Refusal(CODE, wanted, f"{name!r}, which several have: {names}")
    return found[0]


def _whole_name_of(part: str) -> str:
    """A name that no other part has: what a manifest calls it, and `the round`, which has none."""
    return part if " " in part else f"the {part}"


def _name_of(part: str) -> str:
    """The name without the kind: of `constant rate` it is `rate`, of `round` that."""
    return part.partition(" ")[2] or part


def _difference(part: str, wanted: str | None, found: str | None) -> tuple[str, str] | None:
    """What is expected and found of a part, if that differs."""
    if wanted == found:
        return None
    if wanted is None:
        return f"no {part}", f"one of sha256:{found}"
    return f"the {part} of sha256:{wanted}", "none" if found is None else f"sha256:{found}"
