"""What the parts of a role that is written share: its memory, its edges, and what it has of values.

Invariant: a value's words lie in one place from where they are made to their last use.
Entry: `RoleContext`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from alpha.ir.attributes.shard import OwnedType, TotalType
from alpha.ir.checkpoints.facts import Facts
from alpha.ir.protocol.payloads import element_in, words_in
from alpha.ir.selections import Selection
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Owned
from alpha.passes.linux.emitting import EDGE, Emitter
from alpha.passes.linux.memory import Arena, Held, Place

EDGE_WORDS = 8
"""The record of an edge, as runtime/edges.mlir says it."""


@dataclass
class RoleContext:
    """One role that is being written."""

    role: int
    owners: int
    """The size of the universe that maps share words among."""

    peers: Sequence[int]
    distribution: Distribution | None
    homes: Mapping[SSAValue, str]
    """The values that are made where a state lies, with its name."""

    emitter: Emitter
    arena: Arena = field(default_factory=Arena)
    values: dict[SSAValue, Held] = field(default_factory=dict)
    states: dict[str, Place] = field(default_factory=dict)
    """Where the role's words of each state lie between rounds."""
    facts: Facts | None = None
    """What is known of the generations that the role writes a part of, if it writes any."""

    def __post_init__(self) -> None:
        self.version = self.arena.place(1, "i64")
        self.edges = self.arena.place(EDGE_WORDS * len(self.peers), "i64")

    def coordinates(self, map: ShardMap, role: int, size: int) -> Selection:
        """The coordinates of a role in a domain of this size."""
        return map.piece(role, self.owners, size)

    def edge(self, peer: int) -> SSAValue:
        """The record of the edge to a peer, as calls take it."""
        number = list(self.peers).index(peer)
        place = self.edges.part(EDGE_WORDS * number, EDGE_WORDS)
        return self.emitter.typed(self.emitter.pointer(place), EDGE)

    def result(self, value: SSAValue | None, words: int, element: str) -> Place:
        """Where the words of a value are to be made; of one that has no name, anywhere."""
        home = None if value is None else self.homes.get(value)
        if home is not None and self.states[home].words == words:
            return self.states[home]
        return self.arena.place(words, element)

    def copy(self, from_: Place, to: Place) -> None:
        """Copy words, unless they are there already."""
        assert from_.words == to.words and from_.element == to.element
        if from_ == to or not from_.words:
            return
        emitter = self.emitter
        if from_.words == 1:
            emitter.store(emitter.load(from_), to)
            return
        operands = (emitter.pointer(from_), emitter.pointer(to), emitter.number(from_.bytes))
        emitter.call("alpha_copy", operands)

    def words_held(self, type: object) -> int:
        """How many words the role has of a payload: its own, or all."""
        size = words_in(type)  # pyright: ignore[reportArgumentType]
        map: ShardMap | None = None
        if isinstance(type, OwnedType):
            map = type.map.data
        elif isinstance(type, TotalType) and isinstance(type.where.data, Owned):
            map = type.where.data.map
        return size if map is None else self.coordinates(map, self.role, size).size


def element_text(type: object) -> str:
    """The name of the type of a payload's words."""
    return str(element_in(type))  # pyright: ignore[reportArgumentType]
