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

    `allowed` are names of parts that may differ, be missing or be added: `rate` of
    `constant rate`.

    Raises:
        Refusal: `checkpoint-learner` with the first part that differs, and a note for each other
            one; or for an allowed name that no part has.
    """
    stored = generation.facts.parts
    every = {**parts, **stored}
    named = {_name_of(part) for part in every}
    for name in allowed:
        if name not in named:
            wanted = "the name of a part of the learner as one that may differ"
            raise Refusal(CODE, wanted, f"{name!r}, which no part has")
    flaws = [
        flaw
        for part in (*parts, *(part for part in stored if part not in parts))
        if _name_of(part) not in allowed
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
