"""What a build is made of: the programs of all roles, what they refer to, and what they start from.

Refuses: what the front end, the data files and the passes refuse.
Entry: `Input` (`Input.read`).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.digests import learner_parts
from alpha.ir.frontend.printer import print_module
from alpha.ir.learners import Learner
from alpha.ir.protocol.advances import advances_of, begin_of
from alpha.ir.protocol.generations import ends_stored, has_checkpoints
from alpha.ir.protocol.identity import RunDigests
from alpha.ir.protocol.view import distribution_beside
from alpha.ir.shapes import element_name, shape_of, type_text, words_of
from alpha.ir.sharding.distribution import Distribution
from alpha.tools.building.description import (
    Digests,
    RoleDescription,
    RunDescription,
    StartDescription,
    StateDescription,
    Tool,
)
from alpha.tools.checkpoints.resuming import Resumed
from alpha.tools.distributing import say_remarks
from alpha.tools.protocol_file import ProtocolFile
from alpha.tools.protocol_levels import role_module

if TYPE_CHECKING:
    from alpha.tools.driver.boundary import Situation


@dataclass(frozen=True)
class Input:
    """A module with the program of every role, and the file that it was made of."""

    source: ProtocolFile
    module: ModuleOp
    roles: Mapping[int, RoleOp]
    """The programs, in the order of the roles."""
    distribution: Distribution | None
    digests: RunDigests
    said: str
    """What was said on stderr of what the passes remarked."""
    parts: Mapping[str, str]
    """The digests of the learner's parts."""
    resumed: Resumed | None
    """What the run goes on from, if it does."""

    @classmethod
    def read(cls, arguments: argparse.Namespace, situation: Situation) -> Input:
        """Read a file, and make of it what the flags say.

        Raises:
            Refusal: what the front end, the data files and the passes refuse.
            InputOutputError: a file can't be opened or read.
        """
        from alpha.interpreters.role import find_roles

        source = ProtocolFile.read(arguments.file, situation)
        resumed = Resumed.of(arguments, source.learner, source.words)
        module = role_module(source, arguments, resumed)
        said = say_remarks(source, situation)
        found = find_roles(module)
        roles = {role: found[role] for role in sorted(found)}
        first = next(iter(roles.values()))
        distribution = distribution_beside(first)
        learner = None if distribution is None else distribution.learner
        if resumed is not None and learner is not None:
            resumed.say_contracts(learner)
        parts: Mapping[str, str] = {}
        if learner is not None and source.words is not None:
            parts = learner_parts(learner, source.words)
        digests = RunDigests.of_parts(first, learner, parts)
        return cls(source, module, roles, distribution, digests, said, parts, resumed)

    @property
    def learner(self) -> Learner | None:
        """The learner that the roles train, if there is one."""
        return None if self.distribution is None else self.distribution.learner

    def edges(self) -> dict[int, list[int]]:
        """The peers of each role, ascending."""
        return {role: [edge.data for edge in op.edges.data] for role, op in self.roles.items()}

    def others(self) -> ModuleOp:
        """The module without the programs of roles."""
        parts = (op for op in self.module.body.block.ops if not isinstance(op, RoleOp))
        return ModuleOp([part.clone() for part in parts])

    def text(self) -> str:
        """The text of the module."""
        return print_module(self.module)

    def pieces(self, role: int) -> dict[str, str | None]:
        """Which coordinates of each state a role has, as `RoleDescription` says them."""
        found: dict[str, str | None] = {}
        for name, op in {} if self.learner is None else self.learner.states.items():
            assert self.distribution is not None
            map = self.distribution.map_of(name)
            found[name] = None
            if map is not None:
                piece = map.piece(role, self.distribution.owners, words_of(op.type))
                found[name] = str(piece) if piece.size else ""
        return found

    def described(
        self, roles: Sequence[RoleDescription], tools: Mapping[str, Tool]
    ) -> RunDescription:
        """The description of a build of this, with these roles and the tools of their targets."""
        learner, distribution = self.learner, self.distribution
        first = next(iter(self.roles.values()))
        start = None if first.resumed is None else first.resumed.data
        labels: list[str] = []
        states: list[StateDescription] = []
        samples = 0
        if learner is not None:
            labels = learner.labels()
            samples = sum(op.count.value.data for op in learner.samples.values())
            states = [
                StateDescription(name, type_text(op.type), shape_of(op.type), element_name(op.type))
                for name, op in learner.states.items()
            ]
        return RunDescription(
            learner=None if learner is None else learner.name,
            title=first.title.data,
            digests=Digests(**self.digests._asdict(), run=self.digests.identity.hex()),
            rounds=begin_of(first) + advances_of(first),
            start=None if start is None else StartDescription(start.version, start.sha256),
            checkpoints=has_checkpoints(first),
            ends_stored=ends_stored(first),
            owners=first.group.data.universe,
            topology=None if distribution is None else str(distribution.topology),
            samples=samples,
            states=tuple(states),
            observations=tuple(labels),
            tools=tools,
            roles=tuple(roles),
        )
