"""What roles that are interpreted are given of generations: where they write, what they begin with.

Invariant: a role reads the words that it has, and no others. What it begins with is the generation
    that its program names, whatever else is at the path.
Refuses: checkpoint-digest, and what reading a generation refuses.
Entry: `facts_of`, `store_of`, `stores_of`, `states_of`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from alpha.ir.checkpoints.facts import Facts
from alpha.ir.checkpoints.names import ROOT_MANIFEST, generation_name
from alpha.ir.checkpoints.reading import Generation
from alpha.ir.checkpoints.writing import GenerationWriter
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_role import PerformOp
from alpha.ir.digests import learner_parts
from alpha.ir.protocol.identity import RunDigests
from alpha.ir.protocol.patterns import step_of
from alpha.ir.protocol.role_steps import read_step
from alpha.ir.protocol.steps import VERDICT_PART, Step
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import shape_of, words_of
from alpha.ir.sharding.fragments import members
from alpha.tools.checkpoints.paths import reading

if TYPE_CHECKING:
    from alpha.ir.dialects.protocol import GlobalOp
    from alpha.ir.dialects.protocol_role import RoleOp
    from alpha.ir.learner_words import LearnerWords
    from alpha.ir.protocol.view import Protocol
    from alpha.ir.sharding.distribution import Distribution
    from alpha.tools.checkpoints.storing import Storing


def facts_of(distribution: Distribution, program: RoleOp, words: LearnerWords) -> Facts:
    """What is known of the generations of a run of which this role is one.

    Raises:
        Refusal: `checkpoint-name` for a state that no shard can name.
    """
    parts = learner_parts(distribution.learner, words)
    digests = RunDigests.of_parts(program, distribution.learner, parts)
    return Facts.of(distribution, digests, parts, _start(program))


def _start(op: GlobalOp | RoleOp) -> tuple[int, str] | None:
    """The version and digest of the generation that a run begins with, if it does."""
    return None if op.resumed is None else (op.resumed.data.version, op.resumed.data.sha256)


def store_of(path: str, facts: Facts, program: RoleOp) -> GenerationWriter:
    """Where a role writes its parts of generations.

    Raises:
        Refusal: `target-unsupported` for a header or a manifest that would be too long.
    """
    role = program.role.data
    return GenerationWriter(path, facts, role, _children(program), root=role == 0)


def _children(program: RoleOp) -> Sequence[int]:
    """The roles whose manifests are named by this role's."""
    for op in program.walk():
        if isinstance(op, PerformOp) and op.kind.data == "checkpoint":
            return _below(read_step(op))
    return ()


def _below(step: Step) -> Sequence[int]:
    frames = (frame for frame in step.frames if not frame.outgoing)
    return [frame.peer for frame in frames if frame.part != VERDICT_PART]


def stores_of(
    protocol: Protocol, words: LearnerWords | None, store: Storing
) -> dict[int, GenerationWriter] | None:
    """Where all roles of a protocol write their parts; None where nothing is written.

    Raises:
        Refusal: as `store_of`, and `checkpoint-name`.
    """
    distribution = protocol.distribution
    if store.path is None or distribution is None or words is None:
        return None
    parts = learner_parts(distribution.learner, words)
    digests = RunDigests.of_protocol(protocol, parts)
    facts = Facts.of(distribution, digests, parts, _start(protocol.op))
    op = next(op for op in protocol.op.walk() if isinstance(op, CheckpointOp))
    steps = {role: step_of(protocol, op, role) for role in protocol.group.members}
    return {
        role: GenerationWriter(store.path, facts, role, _below(step), root=role == 0)
        for role, step in steps.items()
        if step is not None
    }


def states_of(path: str, distribution: Distribution, program: RoleOp) -> Mapping[str, np.ndarray]:
    """The states of the generation that a role's program names, at a path or in the folder there.

    Only the words that the role has are read; in the place of others are zeros.

    Raises:
        Refusal: `checkpoint-digest` for another generation; what reading one refuses.
        InputOutputError: it can't be read.
    """
    assert program.resumed is not None
    start, role = program.resumed.data, program.role.data
    folder = Path(path)
    if not (folder / ROOT_MANIFEST).exists():
        folder /= generation_name(start.version)
    found: dict[str, np.ndarray] = {}
    with reading(folder):
        generation = Generation.open(folder)
        if (generation.version, generation.digest) != (start.version, start.sha256):
            wanted = f"the generation of version {start.version} and sha256:{start.sha256}"
            had = f"version {generation.version} and sha256:{generation.digest} in {folder}"
            raise Refusal("checkpoint-digest", wanted, had, program)
        for name, op in distribution.learner.states.items():
            map, size = distribution.map_of(name), words_of(op.type)
            if map is None:
                words = generation.read_words(name)
            else:
                piece = map.piece(role, distribution.owners, size)
                # Pages of zeros that nobody writes to take no memory.
                own = generation.read_words(name, piece)
                words = np.zeros(size, own.dtype)
                words[members(piece)] = own
            found[name] = words.reshape(shape_of(op.type))
    return found
