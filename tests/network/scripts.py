"""Participants that are lists of events, on networks that record every step.

Entry: `network`, `send`, `receive`, `header`, `steps`, `network_kinds`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from network.participants import kinds_of, script

from alpha.interpreters.network.events import Event, Receive, Send
from alpha.interpreters.network.records import Step
from alpha.interpreters.network.simulated import SimulatedNetwork
from alpha.ir.frames import Header

WORD = np.array([1.5])


def header(of: int, to: int, sequence: int = 0, extent: int = 8) -> Header:
    return Header(of, to, 0, 0, 0, sequence, 0, extent)


def send(of: int, to: int, sequence: int = 0) -> Send:
    return Send(header(of, to, sequence), WORD)


def receive(of: int, to: int, sequence: int = 0) -> Receive:
    return Receive(header(of, to, sequence))


def network(*scripts: Sequence[Event], buffer: int | None = 0, seed: int = 0, **options):
    """One role for each list of events; every step is recorded."""
    participants = {role: script(*events) for role, events in enumerate(scripts)}
    settings = {"deadline": 1.0, "trace": True, **options}
    return SimulatedNetwork(participants, seed=seed, buffer=buffer, **settings)


def steps(net: SimulatedNetwork, happening: str) -> list[Step]:
    assert net.trace is not None
    return [step for step in net.trace if step.happening == happening]


def network_kinds(*scripts: Sequence[Event], **options) -> list[type]:
    """How each role ends, in their order."""
    net = network(*scripts, **options)
    net.run()
    return list(kinds_of(net).values())
