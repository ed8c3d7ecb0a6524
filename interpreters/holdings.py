"""What each owner of a distribution has: its words of every state, its samples, and no others.

Invariant: owned words are a fragment, one axis in ascending order of the owner's coordinates; a
    copy has the shape of the value. Where an array of the whole shape is wanted, a word that the
    owner hasn't is absent: NaN with words, a symbol of its own with terms.
Entry: `Holdings`, `Owner`, `Located`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Attribute

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.terms.carrier import Terms
from alpha.ir.attributes.shard import LocatedType, OwnedType
from alpha.ir.learner_words import LearnerWords
from alpha.ir.shapes import element_name, shape_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.fragments import members
from alpha.ir.sharding.maps import ShardMap

ABSENT = "absent"
"""The symbol of a word that an owner hasn't; no state or component of samples has such a name."""

Located = Sequence[np.ndarray]
"""A value, for each role: its fragment of owned words, or its copy."""


@dataclass
class Owner:
    """One owner's words of each state, and its samples as an array a component, by name."""

    words: dict[str, np.ndarray]
    samples: dict[str, list[np.ndarray]]


class Holdings:
    """Cuts values into what each owner has of them, and puts them together again."""

    def __init__(self, distribution: Distribution, carrier: Carrier) -> None:
        self.distribution = distribution
        self.owners = distribution.owners
        self._carrier = carrier
        self._members: dict[tuple[ShardMap, int, int], np.ndarray] = {}

    def coordinates(self, map: ShardMap, role: int, size: int) -> np.ndarray:
        """The coordinates of a role in a domain of this size, ascending."""
        found = self._members.get((map, role, size))
        if found is None:
            found = members(map.piece(role, self.owners, size))
            self._members[map, role, size] = found
        return found

    def owner(self, role: int, words: LearnerWords) -> Owner:
        """What a role has of these words."""
        samples: dict[str, list[np.ndarray]] = {}
        for name in words.samples.keys() & self.distribution.place_ops.keys():
            map = self.distribution.map_of(name)
            rows: slice | np.ndarray = slice(None)
            if map is not None:
                rows = self.coordinates(map, role, self.distribution.domain(name))
            samples[name] = [np.array(array[rows]) for array in words.samples[name]]
        return Owner(self.state_of(role, words.states), samples)

    def state_of(self, role: int, states: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """A role's words of each state."""
        found: dict[str, np.ndarray] = {}
        for name in self.distribution.learner.states:
            map = self.distribution.map_of(name)
            found[name] = np.array(states[name])
            if map is not None:
                found[name] = self.cut(states[name], map, role)
        return found

    def cut(self, whole: np.ndarray, map: ShardMap, role: int) -> np.ndarray:
        """A role's words of a whole array: a fragment."""
        return whole.reshape(-1)[self.coordinates(map, role, whole.size)]

    def absent(self, type: Attribute) -> np.ndarray:
        """An array of a value's shape in which every word is absent."""
        shape, element = shape_of(type), element_name(type)
        if isinstance(self._carrier, Terms):
            return np.full(shape, self._carrier.symbol_array(f"{ABSENT} {element}", (), element))
        return np.full(shape, self._carrier.constant(float("nan"), element))

    def spread(self, words: np.ndarray, of: LocatedType, role: int) -> np.ndarray:
        """An array of the value's shape with the words that a role has; the others are absent."""
        if not isinstance(of, OwnedType):
            return words
        whole = self.absent(of.value)
        whole.reshape(-1)[self.coordinates(of.map.data, role, whole.size)] = words
        return whole

    def whole(self, words: Located, map: ShardMap | None, type: Attribute) -> np.ndarray:
        """The logical value: pieces put together, or the copy of role 0."""
        if map is None:
            return np.array(words[0])
        whole = self.absent(type)
        for role, piece in enumerate(words):
            whole.reshape(-1)[self.coordinates(map, role, whole.size)] = piece
        return whole
