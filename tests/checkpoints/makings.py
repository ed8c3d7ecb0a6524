"""Facts and generations for tests, as small or as odd as a test wants them.

Entry: `facts_of`, `words_of`, `write`, `state_of`, `without_waiting`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from alpha.ir.checkpoints.facts import Facts, Kind, StateFacts
from alpha.ir.checkpoints.names import generation_name
from alpha.ir.checkpoints.writing import write_generation
from alpha.ir.digests import learner_digest
from alpha.ir.sharding.fragments import fragment
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.topologies import Topology

Array = np.ndarray[Any, Any]

DTYPES = {"f64": np.dtype("<f8"), "f32": np.dtype("<f4")}
RUN = "0123456789abcdef" * 4
CONTRACT = "c" * 64

State = tuple[str, str, tuple[int, ...], str | None]
"""Name, element, shape, and the text of a map, None for copies."""

SMALL: Sequence[State] = (
    ("w", "f64", (2, 2), "cyclic"),
    ("t", "f32", (), None),
)
"""Words of both types, copied and shared out."""


def facts_of(
    states: Sequence[State],
    owners: int,
    topology: str = "star",
    *,
    run: str = RUN,
    name: str = "least",
    resumed: tuple[int, str] | None = None,
    parts: Mapping[str, str] | None = None,
    contracts: tuple[str, ...] = ("groups = [1, 2], combine = left",),
) -> Facts:
    """Facts of a run whose states are these."""
    if parts is None:
        parts = {f"state {each[0]}": f"{at:064x}" for at, each in enumerate(states)}
        parts["round"] = "f" * 64
    kinds: tuple[Kind, ...] = ("parameter", "optimizer", "shared")
    return Facts(
        name=name,
        learner=learner_digest(parts),
        contract=CONTRACT,
        run=run,
        parts=parts,
        contracts=contracts,
        owners=owners,
        topology=topology,
        states=tuple(
            StateFacts(state, element, shape, kinds[at % 3])
            for at, (state, element, shape, _) in enumerate(states)
        ),
        maps={state: None if map is None else ShardMap.parse(map) for state, *_, map in states},
        resumed=resumed,
    )


def state_of(facts: Facts, seed: int = 0) -> dict[str, Array]:
    """Finite words of every state, each another one, among them -0.0 and numbers near the ends."""
    random = Random(seed)
    found: dict[str, Array] = {}
    for state in facts.states:
        dtype = DTYPES[state.element]
        words = np.array([random.uniform(-1e6, 1e6) for _ in range(prod(state.shape))], dtype)
        odd = [-0.0, float(np.finfo(dtype).tiny) / 8, float(np.finfo(dtype).max)]
        for word in odd if len(words) else ():
            if random.random() < 0.5:
                words[random.randrange(len(words))] = word
        found[state.name] = words.reshape(state.shape)
    return found


def write(folder: Path, facts: Facts, state: Mapping[str, Array], version: int = 7) -> Path:
    """Write a generation of these words; gives its folder."""

    def stored(role: int, name: str) -> Array:
        piece = facts.coordinates(name, role)
        assert piece is not None
        return fragment(state[name], piece)

    tree = Topology.parse(facts.topology).tree(facts.owners)
    write_generation(folder, facts, version, stored, tree)
    return folder / generation_name(version)


def bits(words: Array) -> bytes:
    """Words as they are compared: -0.0 isn't 0.0."""
    return np.ascontiguousarray(words).tobytes()
