"""All that is known of what a run writes before it runs: its learner, states, and who has which.

Invariant: facts that exist are of states that shards can name. Role r of `owners` has the
    coordinates that a state's map gives it, and stores them; of a state without a map all roles
    have copies, and role 0 alone stores it. The facts of a distribution and those that are read
    back from its generation say the same.
Why: a role's executable, its interpreter and whoever reads a generation derive names, shapes and
    offsets from the same facts.
Refuses: checkpoint-name.
Entry: `Facts` (`Facts.of`), `StateFacts`, `states_of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from alpha.ir.canonical import digest
from alpha.ir.names import RESERVED
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Selection, Stride
from alpha.ir.shapes import ELEMENTS, element_name, shape_of, tensor_or_scalar, type_text
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.state_kinds import Kind, kinds_of
from alpha.ir.topologies import PreorderTree, Topology

if TYPE_CHECKING:
    from alpha.ir.learners import Learner
    from alpha.ir.protocol.identity import RunDigests
    from alpha.ir.sharding.distribution import Distribution

WORD_BYTES = {"f64": 8, "f32": 4}


@dataclass(frozen=True)
class StateFacts:
    """A state: its name, element type (`f64` or `f32`) and shape, and what it is to the learner."""

    name: str
    element: str
    shape: tuple[int, ...]
    kind: Kind

    @property
    def words(self) -> int:
        """How many words it has."""
        return prod(self.shape)

    @property
    def word_bytes(self) -> int:
        """The bytes of one word."""
        return WORD_BYTES[self.element]

    @property
    def type(self) -> str:
        """The canonical text of its type, such as `tensor<4xf64>`."""
        return type_text(tensor_or_scalar(self.shape, ELEMENTS[self.element]))

    @property
    def all(self) -> Selection:
        """All its coordinates."""
        return Stride(0, 1, self.words) if self.words else Empty()


@dataclass(frozen=True)
class Facts:
    """What a run writes, but for versions, words, and lengths and digests of files."""

    name: str
    """The learner's."""
    learner: str
    """Digests are of 64 hexadecimal digits; this one is that of the parts."""
    contract: str
    run: str
    """The identity that every frame of the run names."""
    parts: Mapping[str, str]
    """The digest of each part of the learner, such as `state w`."""
    contracts: tuple[str, ...]
    """The text of the contract of each sum."""
    owners: int
    topology: str
    states: tuple[StateFacts, ...]
    """In the learner's order."""
    maps: Mapping[str, ShardMap | None]
    """Who has which coordinates of each state; None for copies."""
    resumed: tuple[int, str] | None
    """The version and digest of the generation that the run went on from."""

    def __post_init__(self) -> None:
        for state in self.states:
            require_storable(state.name)

    @classmethod
    def of(
        cls,
        distribution: Distribution,
        digests: RunDigests,
        parts: Mapping[str, str],
        resumed: tuple[int, str] | None,
    ) -> Facts:
        """Those of a run.

        Args:
            distribution: the learner, its owners, and where its states lie.
            digests: what the run is named by; `digests.learner` is the digest of `parts`.
            parts: `learner_parts` of the learner.
            resumed: the version and the digest of the generation that it goes on from.

        Raises:
            Refusal: `checkpoint-name` for a state that no shard can name.
        """
        learner = distribution.learner
        states = states_of(learner)
        return cls(
            name=learner.name,
            learner=digests.learner,
            contract=digests.contract,
            run=digests.identity.hex(),
            parts=dict(parts),
            contracts=tuple(str(learner.contract_of(op)) for op in learner.sums()),
            owners=distribution.owners,
            topology=str(distribution.topology),
            states=states,
            maps={state.name: distribution.map_of(state.name) for state in states},
            resumed=resumed,
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that the root's manifest says of the whole generation, in hexadecimal.

        Nothing names the root's manifest by its digest. Every shard says this one, so that a
        manifest that has changed doesn't fit the shards.
        """
        states = [(state.name, state.element, state.shape, state.kind) for state in self.states]
        whole = (self.name, self.learner, self.contract, self.run, self.contracts)
        return digest(("facts", whole, self.owners, self.topology, states, self.resumed))

    @cached_property
    def tree(self) -> PreorderTree:
        """Along which manifests name one another."""
        return Topology.parse(self.topology).tree(self.owners)

    def state(self, name: str) -> StateFacts:
        """The state of a name; KeyError if there is none."""
        return self._by_name[name]

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kind of each state, by its name."""
        return {state.name: state.kind for state in self.states}

    @property
    def words(self) -> int:
        """How many words all states have together."""
        return sum(state.words for state in self.states)

    @cached_property
    def _by_name(self) -> Mapping[str, StateFacts]:
        return {state.name: state for state in self.states}

    def is_whole(self, name: str) -> bool:
        """Whether role 0 stores the state alone, whole, in its shape.

        So are copies, and whatever a group of one role has.
        """
        return self.owners == 1 or self.maps[name] is None

    def coordinates(self, name: str, role: int) -> Selection | None:
        """The coordinates of a state that a role stores, ascending; None if it doesn't name it.

        A role that has no coordinate of a state that is shared out names it all the same.
        """
        state, shard_map = self.state(name), self.maps[name]
        if self.is_whole(name) or shard_map is None:
            return None if role else state.all
        return shard_map.piece(role, self.owners, state.words)

    def stored(self, role: int) -> list[StateFacts]:
        """The states that a role's shard names, in the order of its words: f64 first, then f32."""
        named = [state for state in self.states if role == 0 or not self.is_whole(state.name)]
        return sorted(named, key=lambda state: -state.word_bytes)


def states_of(learner: Learner) -> tuple[StateFacts, ...]:
    """The states of a learner, in its order."""
    types = {name: op.type for name, op in learner.states.items()}
    return tuple(
        StateFacts(name, element_name(types[name]), shape_of(types[name]), kind)
        for name, kind in kinds_of(learner).items()
    )


def require_storable(name: str) -> None:
    """Refuse a name under which no shard can hold a state.

    Raises:
        Refusal: `checkpoint-name`.
    """
    if name == RESERVED:
        wanted = "another name of a state, since .safetensors files keep this one for themselves"
        raise Refusal("checkpoint-name", wanted, name)
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:
        wanted = "a name of a state that UTF-8 can say"
        raise Refusal("checkpoint-name", wanted, f"{name!a} with {error.reason}") from None
