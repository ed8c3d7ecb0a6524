"""A whole participant: one role's program, run over TCP from its ports to its last report.

Invariant: a role builds what it needs from its own program, and keeps of the learner's words what
    its places give it; nothing is published unless every edge has ended well.
Refuses: checkpoint-path, and what frames, agreements, choices, rounds and stores refuse.
Entry: `run_role`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO

import numpy as np

from alpha.interpreters.beginnings import MakeWork, begin_work
from alpha.interpreters.network.events import Advanced, Observed, Published, Stored
from alpha.interpreters.network.stores import Store
from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.driving import Report, drive
from alpha.interpreters.participants.endpoint import Endpoint
from alpha.interpreters.participants.listening import Known
from alpha.interpreters.participants.reports import (
    END,
    OBSERVATION,
    PROGRESS,
    STATE,
    STORED,
    Record,
    encode_record,
)
from alpha.interpreters.prepared import Prepared
from alpha.interpreters.role import RoleWalk
from alpha.interpreters.words import Words
from alpha.interpreters.work import RoleWork
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.digests import words_bytes
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner
from alpha.ir.protocol.contracts import contract_of
from alpha.ir.protocol.generations import check_begun, check_stored
from alpha.ir.protocol.identity import identity_of
from alpha.ir.protocol.view import distribution_beside


def run_role(
    op: RoleOp,
    words: LearnerWords | None,
    inward: BinaryIO,
    outward: BinaryIO,
    session: Deadline,
    bounds: Bounds | None = None,
    addresses: Mapping[int, str] | None = None,
    identity: bytes | None = None,
    known: Known | None = None,
    store: Store | None = None,
    states: Mapping[str, np.ndarray] | None = None,
    make: MakeWork = RoleWork,
) -> None:
    """Run a role to its end: ports come from `inward`, ports and records go to `outward`.

    `words` are those of the learner, None where the protocol has none. `identity` is that of the
    run, unless a caller says another. What is `known` of listeners is neither read nor announced.
    `store` is where the role's parts of generations go, and `states` are those of the generation
    that the run begins with; both are None where the program says nothing of either. The identity
    is made of the learner's own words all the same. `make` is what does the role's local work.

    Raises:
        Refusal: a frame, an agreement, a choice or a round is refused; nothing is published.
            `checkpoint-path` for a store or states that are missing, or that the program doesn't
            ask for.
        PeerLost: a peer is gone, or didn't do its part in time.
        Overdue: the session is over, or nobody reads the ports that the role announces.
        OSError: this host failed, or nobody reads what the role reports.
    """
    check_stored(op, store is not None)
    check_begun(op, states is not None)
    distribution = distribution_beside(op)
    carrier = Words()
    work = None
    if distribution is not None:
        assert words is not None
        prepared = Prepared(distribution, carrier, contract_of)
        work = begin_work(op, prepared, op.role.data, words, states, make)
    learner = None if distribution is None else distribution.learner
    walk = RoleWalk(op, work, carrier)
    walk.pulse = session.check
    edges = [edge.data for edge in op.edges.data]
    if identity is None:
        identity = identity_of(op, learner, words)
    given = (
        op.role.data,
        edges,
        inward,
        outward,
        addresses or {},
        session,
        identity,
        bounds,
        known,
    )
    with Endpoint.establish(*given) as endpoint:
        reporter = _Reporter(outward, learner)
        drive(walk.participant(), endpoint, reporter.report, store)
    reporter.write(Record(END, version=walk.version))


class _Reporter:
    """Writes what a role reports as records."""

    def __init__(self, outward: BinaryIO, learner: Learner | None) -> None:
        self._outward = outward
        labels = [] if learner is None else learner.labels()
        states = [] if learner is None else list(learner.states)
        self._labels = {label: index for index, label in enumerate(labels)}
        self._states = {name: index for index, name in enumerate(states)}

    def report(self, event: Report) -> None:
        """Write one event."""
        match event:
            case Advanced():
                self.write(Record(PROGRESS, version=event.version))
            case Observed(observation=seen):
                index = self._labels[seen.name]
                total = words_bytes(np.asarray(seen.total))
                self.write(Record(OBSERVATION, index, seen.version, seen.count, total))
            case Stored():
                self.write(Record(STORED, version=event.version))
            case Published():
                for name, words in event.words.items():
                    index = self._states[name]
                    self.write(Record(STATE, index, event.version, 0, words_bytes(words)))

    def write(self, record: Record) -> None:
        """Write one record, at once."""
        self._outward.write(encode_record(record))
        self._outward.flush()
