"""Who performs the roles of a run: processes of either target, or the interpreter in threads.

Invariant: however a role is performed, its end is told in the same words: an exit status, what
    stands on stderr, and the records on stdout.
Entry: `Play`, `play_of`, `CASTS`, `Bound`, `End`, `launched`, `end_of`.
"""

from __future__ import annotations

import atexit
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from levels.natively import Executables, NativeRole
from levels.sockets import Role, RoleEnd, records_of
from runs.conversations import Conversation, record, roles_of
from runs.played import Stage
from runs.stands import conversation
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.failures import Overdue, PeerLost
from alpha.interpreters.participants.reports import END, OBSERVATION, PROGRESS, STATE, Record
from alpha.interpreters.role import find_roles
from alpha.ir.learner_words import LearnerWords
from alpha.ir.refusals import Refusal

X86, ARM, INTERPRETED = "x86-64", "aarch64", "interpreted"
SECONDS_MAX = 90.0
"""No role takes so long, also on a machine that does much else."""

Cast = Callable[[int], str]
"""By role: a target, or the interpreter."""

CASTS: Mapping[str, Cast] = {
    "interpreted": lambda role: INTERPRETED,
    "x86-64": lambda role: X86,
    "aarch64": lambda role: ARM,
    "alternating": lambda role: (X86, ARM)[role % 2],
    "every second": lambda role: (X86, INTERPRETED)[role % 2],
    "every other": lambda role: (INTERPRETED, ARM)[role % 2],
}


@dataclass(frozen=True)
class Bound:
    """How long a role waits at most, in seconds, and how large its sockets' buffers are."""

    wait: float = 20.0
    session: float = 60.0
    buffer: int | None = None

    def arguments(self) -> list[str]:
        """As an executable takes them."""
        given = ["--wait", f"{self.wait:g}", "--deadline", f"{self.session:g}"]
        return given if self.buffer is None else [*given, "--socket-buffer", str(self.buffer)]

    def bounds(self) -> Bounds:
        """As the interpreter takes them."""
        return Bounds(wait_seconds_max=self.wait, buffer_bytes=self.buffer)


@dataclass(frozen=True)
class End:
    """How a role has ended."""

    status: int
    said: str
    records: Sequence[Record]

    @property
    def published(self) -> bool:
        """Whether it has told a word of a state, or that it has told all."""
        return any(record.kind in (STATE, END) for record in self.records)

    @property
    def told(self) -> tuple[Sequence[Record], int, Sequence[Record]]:
        """Observations, the newest progress, and what was published: the same for all casts."""
        progress = [record.version for record in self.records if record.kind == PROGRESS]
        assert progress == sorted(progress)
        observed = [record for record in self.records if record.kind == OBSERVATION]
        published = [record for record in self.records if record.kind in (STATE, END)]
        return observed, max(progress, default=0), published


class Play:
    """The programs of the roles of a run, and executables of them; `others` have some instead."""

    def __init__(
        self,
        module: ModuleOp,
        words: LearnerWords | None,
        others: Mapping[int, Play] | None = None,
    ) -> None:
        self.module, self.words = module, words
        self.others = others or {}
        self.programs = dict(sorted(find_roles(module).items()))
        self.peers = {
            role: [edge.data for edge in op.edges.data] for role, op in self.programs.items()
        }
        self._built: dict[str, Executables] = {}

    @property
    def edges(self) -> list[tuple[int, int]]:
        """Lower and higher role of each."""
        return [(low, high) for low, peers in self.peers.items() for high in peers if high > low]

    def executables(self, target: str) -> Executables:
        """Those of all roles."""
        if target not in self._built:
            folder = TemporaryDirectory(prefix="alpha-tests-")
            atexit.register(folder.cleanup)
            path = Path(folder.name)
            self._built[target] = Executables(self.module, self.words, path, (target,))
        return self._built[target]


class Native(NativeRole):
    """A native role, which says how it has ended; `prepare` is called in its process first."""

    def __init__(
        self,
        role: int,
        peers: Sequence[int],
        command: Sequence[str],
        prepare: Callable[[], None] | None = None,
    ) -> None:
        self.role, self.peers = role, list(peers)
        self.end = RoleEnd()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=prepare
        )

    def collect(self) -> RoleEnd:
        assert self.process.stdout is not None and self.process.stderr is not None
        watching = threading.Timer(SECONDS_MAX, self.process.kill)
        watching.start()
        with self.process.stdout as heard, self.process.stderr as said:
            self.end.records += records_of(heard)
            self.said = said.read().decode()
        self.status = self.process.wait()
        watching.cancel()
        watching.join()
        return self.end


def launched(
    play: Play,
    role: int,
    performer: str,
    bound: Bound,
    prepare: Callable[[], None] | None = None,
) -> Role | Native:
    """A role that has been started."""
    play = play.others.get(role, play)
    if performer == INTERPRETED:
        session = Deadline.after(bound.session)
        return Role(play.programs[role], play.words, bound.bounds(), session)
    command = play.executables(performer).command(role, *bound.arguments())
    return Native(role, play.peers[role], command, prepare)


def end_of(role: Role | Native) -> End:
    """How a role has ended whose end was collected."""
    if isinstance(role, Native):
        return End(role.status, role.said, role.end.records)
    status, what = _said(role.end.error)
    said = f"alpha: role {role.role}: {what}\n" if what else ""
    return End(status, said, role.end.records)


def _said(error: BaseException | None) -> tuple[int, str]:
    """The exit status and the line of `alpha role`."""
    match error:
        case None:
            return 0, ""
        case Refusal():
            return 3, f"refused {error.code}: {error.message}"
        case PeerLost():
            return 4, f"lost role {error.role}: {error.detail}"
        case Overdue():
            return 4, f"overdue: {error}"
        case OSError():
            return 5, f"failed: {error.strerror}"
        case _:
            raise error


@dataclass
class Recorded:
    """A play, what its roles say to one another without a fault, and how they end."""

    play: Play
    conversation: Conversation
    _stages: dict[int, Stage] = field(default_factory=dict)

    @property
    def right(self) -> Mapping[int, End]:
        """How each role ends without a fault."""
        return {role: End(0, "", end.records) for role, end in self.conversation.ends.items()}

    def stage(self, role: int) -> Stage:
        """A role, with all that it does in its order."""
        if role not in self._stages:
            self._stages[role] = Stage(self.conversation, role)
        return self._stages[role]


@cache
def play_of(name: str) -> Recorded:
    """One of the runs on which faults are tried."""
    match name:
        case "long":
            recorded = record(*roles_of("least_squares_momentum", 100, owners=3, topology="star"))
        case "wide star":
            recorded = _wide("star", "gather")
        case "wide direct":
            recorded = _wide("star", "sharded", "optimizer", "parameters", "gradients")
        case _:
            recorded = conversation(name)
    return Recorded(Play(recorded.module, recorded.words), recorded)


WIDE = """
region.learner @wide {
  region.state @w : tensor<10000xf64> = dense<0.5>
  region.samples @data[3] : (f64) = dense<[1.5, 0.1, -7.0]>
  pointwise.contribution @pull(%w : tensor<10000xf64>) sample(%x : f64) -> (tensor<10000xf64>) {
    %d = pointwise.map over [i : 10000] (%a = %w[i], %b = %x) {
      %c = arith.subf %b, %a : f64
      pointwise.yield %c
    } : tensor<10000xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<10000xf64>, %g : tensor<10000xf64>) -> (tensor<10000xf64>) {
    %w1 = pointwise.map over [i : 10000] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<10000xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<10000xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<10000xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<10000xf64>
    region.advance @w = %w1
  }
}
"""
"""A learner whose frames are much larger than the smallest buffers."""


def _wide(topology: str, exchange: str, *modes: str) -> Conversation:
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "wide.mlir"
        path.write_text(WIDE, encoding="utf-8")
        return record(*roles_of(path, 2, modes, exchange, owners=3, topology=topology))
