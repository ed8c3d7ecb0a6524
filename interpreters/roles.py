"""Runs the programs of all roles in one process, over a simulated network.

Invariant: what is run are the programs as they stand; nothing is projected again.
Refuses: checkpoint-path, and what frames, agreements and choices refuse; the first refusal of a
    role is that of the run.
Entry: `RolesInterpreter`, `Programs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.beginnings import begin_work
from alpha.interpreters.carriers import Carrier
from alpha.interpreters.network.stores import Store
from alpha.interpreters.prepared import Prepared
from alpha.interpreters.protocol import SimulatedRun
from alpha.interpreters.role import RoleWalk, find_roles
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.learner_words import LearnerWords
from alpha.ir.protocol.advances import advances_of, begin_of
from alpha.ir.protocol.contracts import contract_of
from alpha.ir.protocol.view import distribution_beside
from alpha.ir.sharding.distribution import Distribution


@dataclass(frozen=True)
class Programs:
    """The programs of all roles of a group, and the distribution of their learner if any."""

    roles: Mapping[int, RoleOp]
    distribution: Distribution | None

    @classmethod
    def of(cls, module: ModuleOp) -> Programs | None:
        """Those of a module, or None where it has none.

        Raises:
            Refusal: as `find_roles` and `distribution_beside` do.
        """
        roles = find_roles(module)
        if not roles:
            return None
        return cls(roles, distribution_beside(next(iter(roles.values()))))

    @property
    def begin(self) -> int:
        """The version at which a run begins."""
        return begin_of(next(iter(self.roles.values())))

    @property
    def rounds(self) -> int:
        """The most versions that a run makes."""
        return advances_of(next(iter(self.roles.values())))


class RolesInterpreter(SimulatedRun):
    """Runs every role's own program."""

    def __init__(
        self,
        programs: Programs,
        words: LearnerWords | None,
        carrier: Carrier,
        *,
        seed: int = 0,
        buffer: int | None = None,
        stores: Mapping[int, Store] | None = None,
        states: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """`words` are those of the learner; None where the programs have none.

        `states` are those of the generation that the programs begin with, if they do.

        Raises:
            Refusal: `checkpoint-path` for states that are missing, or that nobody begins with.
        """
        distribution = programs.distribution
        prepared = None if distribution is None else Prepared(distribution, carrier, contract_of)
        walks: dict[int, RoleWalk] = {}
        for role, op in programs.roles.items():
            work = None
            if prepared is not None:
                assert words is not None
                work = begin_work(op, prepared, role, words, states)
            walks[role] = RoleWalk(op, work, carrier)
        given = (walks, distribution, carrier)
        super().__init__(*given, seed=seed, buffer=buffer, begin=programs.begin, stores=stores)
