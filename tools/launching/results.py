"""What the roles of a launched run have left in its folder: what they told, and how they ended.

Invariant: it is read as it grows, a bounded number of times; what is told of a run is what
    `alpha run` tells of it. Roles don't say when they ended: the times of their files do.
Refuses: protocol-publish-missing, protocol-publish-version, build-description.
Entry: `Results`, `collect`.
"""

from __future__ import annotations

import argparse
import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from alpha.interpreters.participants.reports import END, PROGRESS, STATE, Record
from alpha.tools.building.description import RunDescription
from alpha.tools.driver.boundary import say
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import InputOutputError, reason_of, write_line
from alpha.tools.exits import DONE, PEER_LOST
from alpha.tools.running.collecting import Observations, RecordStream
from alpha.tools.running.live import live
from alpha.tools.running.native import state_of
from alpha.tools.running.outputs import finish, recorder
from alpha.tools.running.processes import STDERR_BYTES_MAX, Ended
from alpha.tools.running.reporting import Subject, heading
from alpha.tools.running.roles import first_cause, status_of, told
from alpha.tools.running.rounds import RoundCollector, Rounds
from alpha.tools.running.states import PublishedStates

READ_BYTES = 1 << 20
SIGNALLED = 128
"""What a shell adds to the number of the signal that has ended a process."""


@dataclass
class _Role:
    """One role's files."""

    role: int
    folder: Path
    stream: RecordStream = field(default_factory=RecordStream)
    told: BinaryIO | None = None
    whole: bool = False

    def file(self, kind: str) -> Path:
        """A file of it."""
        return self.folder / f"role-{self.role}.{kind}"

    def status(self) -> int | None:
        """The exit status, or minus the number of a signal; None while there is none."""
        text = _bytes(self.file("end"), 16).strip()
        if not text.isdigit():
            return None
        status = int(text)
        return SIGNALLED - status if status > SIGNALLED else status


def _bytes(path: Path, most: int) -> bytes:
    """The beginning of a file, or nothing if there is none.

    Raises InputOutputError.
    """
    try:
        with path.open("rb") as stream:
            return stream.read(most)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise InputOutputError(f"cannot read {path}: {reason_of(error)}") from None


class Results:
    """The files of all roles of a run; as a context it closes them."""

    def __init__(
        self,
        described: RunDescription,
        folder: Path,
        report: Callable[[int, Record], None],
        observe: Callable[[int, Observations], None],
    ) -> None:
        """`report` gets each record but for observations, which `observe` gets."""
        self._roles = [_Role(each.role, folder) for each in described.roles]
        self._states = len(described.states)
        self._labels = len(described.observations)
        self._report = report
        self._observe = observe

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *error: object) -> None:
        for each in self._roles:
            if each.told is not None:
                with contextlib.suppress(OSError):
                    each.told.close()

    def unended(self) -> list[int]:
        """The roles that haven't said how they ended."""
        return [each.role for each in self._roles if each.status() is None]

    def read(self) -> None:
        """Give what the roles have told since the last time.

        Raises InputOutputError.
        """
        for each in self._roles:
            self._read(each)

    def _read(self, each: _Role) -> None:
        file = each.file("out")
        try:
            if each.told is None:
                each.told = file.open("rb")
            while data := each.told.read(READ_BYTES):
                for one in each.stream.feed(data):
                    self._take(each, one)
        except FileNotFoundError:
            return
        except ValueError as error:
            raise InputOutputError(f"cannot read {file}: it holds {error}") from None
        except OSError as error:
            raise InputOutputError(f"cannot read {file}: {reason_of(error)}") from None

    def _take(self, each: _Role, one: Record | Observations) -> None:
        if isinstance(one, Observations):
            if (one.rows["index"] >= self._labels).any():
                raise ValueError("an observation that the learner hasn't")
            self._observe(each.role, one)
            return
        if one.kind not in (PROGRESS, STATE, END):
            raise ValueError(f"a record of the kind {one.kind}")
        if one.kind == STATE and one.index >= self._states:
            raise ValueError(f"a state {one.index} of {self._states}")
        each.whole |= one.kind == END
        self._report(each.role, one)

    def ends(self) -> list[Ended]:
        """How the roles ended, in the order of the times at which they said why, or did.

        Raises InputOutputError.
        """
        found: list[tuple[float, _Role, int, str]] = []
        for each in self._roles:
            said = _bytes(each.file("err"), STDERR_BYTES_MAX).decode("utf-8", "replace")
            status, time = each.status(), _time(each.file("err" if said else "end"))
            if status is None:
                status, time = PEER_LOST, math.inf
                said = said or f"alpha: role {each.role}: nothing says how it ended\n"
            found.append((time, each, status, said))
        found.sort(key=lambda one: (one[0], one[1].role))
        ended = [
            Ended(each.role, status, said, order, each.whole, stopped=False)
            for order, (_, each, status, said) in enumerate(found)
        ]
        return sorted(ended, key=lambda one: one.role)


def _time(path: Path) -> float:
    """When a file was written last, in seconds; later than all others if there is none."""
    try:
        return path.stat().st_mtime_ns / 1e9
    except OSError:
        return math.inf


def collect(folder: Path, arguments: argparse.Namespace, goes_on: Callable[[Results], bool]) -> int:
    """Read all that a run leaves in its folder, and say how it has ended; the exit status.

    `goes_on` waits, and says whether more is to be read before what is there at the end.

    Raises:
        Refusal: build-description, or what was published isn't whole.
        InputOutputError, OutputClosed: a file can't be read or written; a role hasn't ended.
    """
    described = RunDescription.read(folder)
    labels = described.observations
    published = PublishedStates([state_of(each, described) for each in described.states])
    with recorder(arguments) as record:
        with live(described.rounds, labels) as shown:
            write_line(_heading(described))

            def ended(rounds: Rounds) -> None:
                record.add_rounds(rounds)
                shown.add_rounds(rounds)

            collector = RoundCollector(labels, ended)

            def report(role: int, one: Record) -> None:
                if one.kind == STATE:
                    published.take(role, one)
                elif one.kind == PROGRESS and role == described.roles[0].role:
                    collector.advance(one.version)

            def observe(role: int, observations: Observations) -> None:
                collector.observe(observations)

            with Results(described, folder, report, observe) as results:
                results.read()
                while goes_on(results):
                    results.read()
                results.read()
                unended, ends = results.unended(), results.ends()
        if unended and all(each.status == 0 for each in ends if each.role not in unended):
            shown_roles = ", ".join(map(str, unended[:8])) + (", ..." if len(unended) > 8 else "")
            found = f"{counted(len(unended), 'role')} of {len(ends)} didn't end: {shown_roles}"
            raise InputOutputError(f"cannot collect {folder}: {found}")
        cause = first_cause(ends)
        if cause is not None:
            for each in sorted(ends, key=lambda end: (end is not cause, end.order)):
                say(told(each, each is cause))
            return status_of(cause)
        if described.learner is None:
            write_line(f"{counted(len(ends), 'role')} finished")
        else:
            types = {state.name: state_of(state, described).type for state in described.states}
            subject = Subject(described.learner, types)
            finish(subject, published.whole(), published.version, arguments, record)
    return DONE


def _heading(described: RunDescription) -> str:
    """What was launched."""
    roles = counted(len(described.roles), "role")
    if described.learner is None:
        return f"protocol {described.title}: {roles}, launched"
    words = sum(state.words for state in described.states)
    learner = heading(described.learner, described.samples, len(described.states), words)
    return f"{learner}; {roles}, {described.topology}, launched"
