"""Compares a learner's levels: is every word of state the same, and for every input?

Invariant: a field is `proved` only if, from the same symbols at version v, the terms of all its
    words at version v+1 are identical at both levels, and so are those of all other words of
    state. The initial words are the same, since they are the learner's; so by induction the two
    levels are equal in every round, for every input that neither refuses. `equal` says that the
    words were equal by their bits in the rounds that were run on the given data.
Entry: `compare_terms`, `compare_bits`, `holds_in_every_round`, `Comparison`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.learner import LearnerInterpreter, Observation
from alpha.interpreters.protocol import (
    NoMoreRounds,
    ProtocolInterpreter,
    RunEnded,
    SimulatedRun,
)
from alpha.interpreters.roles import Programs, RolesInterpreter
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.difference import words_difference
from alpha.interpreters.terms.store import TermsTooLarge
from alpha.interpreters.terms.symbolic import field_name, symbolic_words
from alpha.interpreters.words import Words
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import element_name, shape_of
from alpha.ir.sharding.distribution import Distribution

LOST = "a role that waits in vain"
"""In the place of a code, where a role was lost before any refused."""

Fields = Mapping[str, np.ndarray]

Level = Distribution | Protocol | Programs
"""What is compared with the learner: a distribution, its protocol, or the programs of its roles."""

Interpreter: TypeAlias = "ShardInterpreter | SimulatedRun"
"""What runs a level."""

Places: TypeAlias = "list[tuple[str, Fields]]"
"""Words, and where they are: at a level, or with one of its roles."""

Stepped: TypeAlias = "tuple[list[Observation], str | None]"
"""What a round observed, and the code by which it was refused, if it was."""


def _interpreter(
    level: Level, words: LearnerWords, carrier: Carrier, before: Fields | None = None
) -> Interpreter:
    """What runs a level; `before` is the state of the version before, for a wrong distribution.

    A protocol that begins with a generation is compared from the same words as the others, which
    take the place of the generation's.
    """
    if isinstance(level, Protocol):
        states = None if level.op.resumed is None else words.states
        return ProtocolInterpreter(level, words, carrier, states=states)
    if isinstance(level, Programs):
        resumed = any(op.resumed is not None for op in level.roles.values())
        return RolesInterpreter(level, words, carrier, states=words.states if resumed else None)
    return ShardInterpreter(level, words, carrier, before)


@dataclass(frozen=True)
class Comparison:
    """One field at one level beside the learner; `difference` is None if all its words are equal.

    `words` are those at the end of the comparison, by bits alone.
    """

    field: str
    size: int
    difference: str | None
    words: np.ndarray | None = None
    is_state: bool = True
    """Else it is an observation, from which nothing is computed."""
    rounds: int = 0
    """How many rounds were compared by bits: fewer than asked where the learner refuses one."""
    refused: str | None = None
    """The code by which the learner refused the next round, if it did."""


def holds_in_every_round(fields: Iterable[Comparison]) -> bool:
    """Whether one round of terms says the same of all rounds: no word of state is another.

    Where one is, the next round starts from other words, and fields that were equal may differ.
    """
    return not any(each.is_state and each.difference is not None for each in fields)


def compare_terms(
    learner: Learner,
    words: LearnerWords,
    levels: Mapping[str, Level],
    nodes_max: int,
) -> dict[str, list[Comparison]] | None:
    """For each level the comparison of one symbolic round with the learner's, field by field.

    None if a round has more than `nodes_max` terms. Observations are fields as well. A level that
    makes no round at all is left out.

    Raises:
        LocalityError: an owner would read a word that it doesn't have.
        Refusal: a role refuses the round, such as for a choice on words that aren't known.
    """
    try:
        carrier = Terms(nodes_max=nodes_max)
        symbols = symbolic_words(learner, words, carrier)
        reference = LearnerInterpreter(learner, symbols, carrier)
        observed = reference.step()
        before = {
            name: carrier.symbol_array(
                f"{field_name(name)} before", shape_of(op.type), element_name(op.type)
            )
            for name, op in learner.states.items()
        }
        found: dict[str, list[Comparison]] = {}
        for level, of in levels.items():
            interpreter = _interpreter(of, symbols, carrier, before)
            try:
                seen = interpreter.step()
            except NoMoreRounds:
                continue
            except RunEnded as end:
                raise end.__cause__ or end from None
            places = _places(level, interpreter, seen)
            found[level] = [
                Comparison(
                    name,
                    words.size,
                    _term_difference(carrier, name, words, places),
                    is_state=name in learner.states,
                )
                for name, words in _fields(reference.state, observed).items()
            ]
        return found
    except TermsTooLarge:
        return None


def _term_difference(carrier: Terms, name: str, words: np.ndarray, places: Places) -> str | None:
    """The first place where a field is another."""
    for place, fields in places:
        if place == places[0][0] and name not in fields:
            return f"{name} is missing at the level {place}"
        found = fields.get(name)
        if found is None or np.array_equal(words, found):
            continue
        difference = words_difference(carrier.store, name, words, found, ("learner", place))
        if difference is not None:
            return difference
    return None


def _places(level: str, interpreter: Interpreter, observed: list[Observation]) -> Places:
    """The words of a level: its state with observations, then the copies of all roles but 0."""
    found: Places = [(level, _fields(interpreter.state, observed))]
    if isinstance(interpreter, SimulatedRun):
        found += [(f"{level}, role {role}", copies) for role, copies in interpreter.copies()]
    return found


def compare_bits(
    learner: Learner,
    words: LearnerWords,
    levels: Mapping[str, Level],
    rounds: Iterable[int],
) -> dict[str, list[Comparison]]:
    """For each level the comparison of all words after each of the rounds on the given data.

    `rounds` are their numbers, counted from 1. Where the learner refuses a round, a level has to
    refuse it with the same code; no further rounds are run then. No further ones are run either
    behind the last round of a protocol; one that makes no round at all is left out.

    Raises:
        LocalityError: an owner would read a word that it doesn't have.
    """
    reference = LearnerInterpreter(learner, words, Words())
    interpreters = {level: _interpreter(of, words, Words()) for level, of in levels.items()}
    differences: dict[str, dict[str, str]] = {level: {} for level in levels}
    expected = _fields(reference.state, [])
    observed = {level: _places(level, each, []) for level, each in interpreters.items()}
    done, refused = 0, None
    for number in rounds:
        steps, over = _steps(interpreters)
        if over and done:
            break
        for level in over:
            del interpreters[level], observed[level]
        seen, refused = _step(reference)
        if refused is None:
            done, expected = number, _fields(reference.state, seen)
        for level, interpreter in interpreters.items():
            seen, other = steps[level]
            if other is None:
                observed[level] = _places(level, interpreter, seen)
            if other != refused:
                text = f"round {number}: the learner {_outcome(refused)}, {level} {_outcome(other)}"
                for name in expected:
                    differences[level].setdefault(name, text)
            elif refused is None:
                _note_differences(differences[level], expected, observed[level], number)
        if refused is not None:
            break
    return {
        level: [
            Comparison(
                name,
                left.size,
                differences[level].get(name),
                right,
                name in learner.states,
                done,
                refused,
            )
            for name, left, right in _paired(expected, observed[level][0][1])
        ]
        for level in interpreters
    }


def _steps(
    interpreters: Mapping[str, Interpreter],
) -> tuple[dict[str, Stepped], list[str]]:
    """What a round does at each level, and the levels that have no further round."""
    steps: dict[str, Stepped] = {}
    over: list[str] = []
    for level, interpreter in interpreters.items():
        try:
            steps[level] = _step(interpreter)
        except NoMoreRounds:
            over.append(level)
    return steps, over


def _step(interpreter: LearnerInterpreter | Interpreter) -> Stepped:
    """A round's observations, and the code by which it was refused or None."""
    try:
        return interpreter.step(), None
    except Refusal as refusal:
        return [], refusal.code
    except NoMoreRounds:
        raise
    except RunEnded as end:
        return [], end.__cause__.code if isinstance(end.__cause__, Refusal) else LOST


def _outcome(refused: str | None) -> str:
    if refused == LOST:
        return f"has {LOST}"
    return "ends" if refused is None else f"refuses with [{refused}]"


def _note_differences(
    differences: dict[str, str], expected: Fields, places: Places, number: int
) -> None:
    """Keep the first difference of each field."""
    level, found = places[0]
    for name in expected:
        if name not in found:
            differences.setdefault(name, f"round {number}: {name} is missing at the level {level}")
    for place, fields in places:
        for name, words in fields.items():
            wanted = expected.get(name)
            if wanted is None or name in differences or wanted.tobytes() == words.tobytes():
                continue
            differences[name] = _bit_difference(name, wanted, words, place, number)


def _bit_difference(name: str, left: np.ndarray, right: np.ndarray, level: str, number: int) -> str:
    """The first differing word of a field, with both values and bits."""
    sides = [np.atleast_1d(np.ascontiguousarray(each)) for each in (left, right)]
    bits = [side.view(f"u{side.itemsize}").reshape(-1) for side in sides]
    wrong = np.flatnonzero(bits[0] != bits[1])
    flat = int(wrong[0])
    index = [int(i) for i in np.unravel_index(flat, left.shape)] if left.ndim else []
    width = 2 * sides[0].itemsize
    shown = [
        f"{float(side.reshape(-1)[flat])!r} (0x{int(word[flat]):0{width}X})"
        for side, word in zip(sides, bits, strict=True)
    ]
    return (
        f"round {number}: {name}{index or ''} is {shown[0]} at the learner, {shown[1]} at {level}"
        f"; {len(wrong)} of {left.size} words of {name} differ"
    )


def _fields(state: Fields, observations: list[Observation]) -> dict[str, np.ndarray]:
    """States by name, then observations by label."""
    observed = {f'observed "{each.name}"': np.asarray(each.total) for each in observations}
    return {**{name: state[name] for name in sorted(state)}, **observed}


def _paired(left: Fields, right: Fields) -> list[tuple[str, np.ndarray, np.ndarray | None]]:
    return [(name, words, right.get(name)) for name, words in left.items()]
