"""Runs the roles of a module with one participant a process, over loopback.

Invariant: every role gets a file with its own program and the learner, and nothing of the others;
    the first cause of a failure is told, not the last symptom.
Refuses: protocol-publish-missing, protocol-publish-version.
Entry: `RoleRun`.
"""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.holdings import Holdings
from alpha.interpreters.learner import Observation
from alpha.interpreters.participants.reports import OBSERVATION, PROGRESS, STATE, Record
from alpha.interpreters.participants.running import labels_of
from alpha.interpreters.role import find_roles
from alpha.interpreters.words import Words
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.frontend.printer import print_module
from alpha.ir.learner_words import NUMPY_TYPES
from alpha.ir.protocol.view import distribution_beside
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import element_name, shape_of, words_of
from alpha.tools.exits import INPUT_OUTPUT, INTERNAL, PEER_LOST, ROUND_REFUSED
from alpha.tools.running.processes import Ended, Launched

SLACK_SECONDS = 30.0
"""What a launcher waits beyond the deadline that the roles keep themselves."""

SLACK_SECONDS_AFTER_FAILURE = 5.0
"""The same beyond the longest wait of a role, once another has failed."""


class RoleRun:
    """A run of all roles of a module; what they report is here when it has ended well."""

    def __init__(
        self,
        module: ModuleOp,
        folder: Path,
        wait: float,
        deadline: float,
        progress: Callable[[int, list[Observation]], None],
    ) -> None:
        """`module` has a program for every role; `folder` is what data files are relative to.

        `wait` and `deadline` bound each wait and the whole, in seconds. `progress` is called for
        each round that role 0 has ended, with its version and what was observed in it.
        """
        self._module = module
        self._roles = find_roles(module)
        self._folder = folder
        self._bounds = (wait, deadline)
        self._progress = progress
        self._distribution = distribution_beside(next(iter(self._roles.values())))
        self._observed: list[Observation] = []
        self._pieces: dict[int, dict[int, Record]] = {role: {} for role in self._roles}
        self.version = 0
        """The version that was published."""

    def run(self) -> list[Ended]:
        """Run every role to its end; says how each ended.

        Raises:
            OSError: a process can't be started, or a file for it can't be written.
        """
        with tempfile.TemporaryDirectory(prefix="alpha-run-") as folder:
            commands: dict[int, Sequence[str]] = {}
            others = self._without_roles()
            for role, op in self._roles.items():
                path = Path(folder) / f"role-{role}.mlir"
                module = others.clone()
                module.body.block.add_op(op.clone())
                path.write_text(print_module(module), encoding="utf-8")
                commands[role] = self._command(path)
            edges = {
                role: [edge.data for edge in op.edges.data] for role, op in self._roles.items()
            }
            with Launched(commands, edges, self._take) as launched:
                wait, deadline = self._bounds
                return launched.run(deadline + SLACK_SECONDS, wait + SLACK_SECONDS_AFTER_FAILURE)

    def _command(self, path: Path) -> Sequence[str]:
        wait, deadline = self._bounds
        # Without -P, files of the working directory would be imported in place of modules.
        main = (sys.executable, "-P", "-m", "alpha.tools.alpha", "role", str(path))
        data = ("--data", str(self._folder.absolute()))
        return (*main, *data, "--wait", repr(wait), "--deadline", repr(deadline))

    def _without_roles(self) -> ModuleOp:
        """The module without the programs of roles."""
        parts = [op for op in self._module.body.block.ops if not isinstance(op, RoleOp)]
        return ModuleOp([part.clone() for part in parts])

    def _take(self, role: int, record: Record) -> None:
        if record.kind == STATE:
            self._pieces[role][record.index] = record
            self.version = record.version
        elif record.kind == OBSERVATION and self._distribution is not None:
            label = labels_of(self._distribution.learner)[record.index]
            dtype = NUMPY_TYPES["f64" if len(record.words) == 8 else "f32"]
            total = np.frombuffer(record.words, dtype)[0]
            seen = Observation(label, np.asarray(total), record.count, record.version)
            self._observed.append(seen)
        elif record.kind == PROGRESS and role == 0:
            observed, self._observed = self._observed, []
            self._progress(record.version, observed)

    @property
    def state(self) -> dict[str, np.ndarray]:
        """The logical state, put together from what the roles published.

        Raises:
            Refusal: `protocol-publish-missing`, `protocol-publish-version`: the programs of roles
                in a file needn't publish what a protocol has to.
        """
        distribution = self._distribution
        assert distribution is not None
        holdings = Holdings(distribution, Words())
        found: dict[str, np.ndarray] = {}
        for index, (name, op) in enumerate(distribution.learner.states.items()):
            dtype = NUMPY_TYPES[element_name(op.type)]
            map = distribution.map_of(name)
            roles = [0] if map is None else range(distribution.owners)
            sizes = None if map is None else map.piece_sizes(distribution.owners, words_of(op.type))
            words = [
                np.frombuffer(self._words(role, index, name), dtype)
                if sizes is None or sizes[role]
                else np.empty(0, dtype)
                for role in roles
            ]
            whole = holdings.whole(words, map, op.type)
            found[name] = whole.reshape(shape_of(op.type))
        return found

    def _words(self, role: int, index: int, name: str) -> bytes:
        """What a role published last of a state, which has to be of the version of all others."""
        record = self._pieces[role].get(index)
        wanted = f"role {role} to publish its words of @{name}"
        if record is None:
            raise Refusal("protocol-publish-missing", wanted, "none at the end")
        if record.version != self.version:
            wanted += f" at version {self.version}, as others did"
            raise Refusal("protocol-publish-version", wanted, f"version {record.version}")
        return record.words


def first_cause(ended: Sequence[Ended]) -> Ended | None:
    """The role whose end explains those of the others, or None if all ended well.

    Who refused, or failed on its own, comes before who lost a peer: that is mostly a symptom.
    """
    failed = [each for each in ended if each.status != 0 or not each.whole]
    symptom = {PEER_LOST}

    def rank(each: Ended) -> tuple[bool, int]:
        return each.status in symptom, each.order

    return min(failed, key=rank, default=None)


def told(ended: Ended, is_cause: bool) -> str:
    """What a role said; before it how it ended, where it failed and didn't say which role it is."""
    named = f"role {ended.role}:" in ended.said
    symptom = not ended.said and not is_cause
    if named or symptom or (ended.whole and ended.status == 0):
        return ended.said
    return f"alpha: role {ended.role}: {how_ended(ended)}\n{ended.said}"


def how_ended(ended: Ended) -> str:
    """How a role has ended that said nothing."""
    if ended.stopped:
        return "didn't end by itself, and was ended"
    if ended.status < 0:
        return f"was ended by {_signal_name(-ended.status)}"
    return f"ended with status {ended.status}, without having told everything"


def _signal_name(number: int) -> str:
    """The name of a signal; those of real time have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def status_of(ended: Ended) -> int:
    """The exit status of a run whose first cause this is."""
    if ended.status in (ROUND_REFUSED, PEER_LOST, INPUT_OUTPUT, INTERNAL):
        return ended.status
    return PEER_LOST
