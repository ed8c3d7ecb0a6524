"""A run of which one role does its part up to a point, and then dies, or stays and is silent.

Invariant: up to that point it says byte for byte what it says in the run without a fault, after it
    has heard all that it hears by then; so the others do not know until it happens.
Entry: `run_with_one_dying`, `Death`.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from levels.sockets import Edge, Role, RoleEnd
from runs.conversations import Conversation
from runs.played import LOOPBACK, Close, Stage

from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.endpoint import Endpoint
from alpha.interpreters.role import find_roles


@dataclass(frozen=True)
class Death:
    """At which of its sends and receives a role stops, inside of which byte of it, and how."""

    event: int
    inside: int = 0
    close: Close = Close.GONE


def frames_in_order(stage: Stage) -> list[tuple[str, int, bytes]]:
    """What a role sends and receives, in its order: which, the peer, the frame."""
    left = {direction: iter(frames) for direction, frames in stage.conversation.frames.items()}
    found: list[tuple[str, int, bytes]] = []
    for kind, header, _ in stage.right.happened:
        if kind in ("sent", "received"):
            frame = next(left[header.sender, header.receiver])
            found.append((kind, header.receiver if kind == "sent" else header.sender, frame))
    return found


def run_with_one_dying(
    stage: Stage, death: Death | None, bounds: Bounds, seconds: float = 30.0
) -> dict[int, RoleEnd]:
    """How the others end; None is a role that never appears, though its ports are known."""
    conversation, dying = stage.conversation, stage.role
    session = Deadline.after(seconds)
    programs = find_roles(conversation.module)
    roles: dict[int, Role] = {}
    ports: dict[Edge, int] = {}
    established = threading.Semaphore(0)
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(Endpoint, "establish", _telling(Endpoint.establish, established))
        connections: dict[int, socket.socket] = {}
        listeners: dict[int, socket.socket] = {}
        for number in sorted(programs):
            lower = [peer for peer in conversation.peers(number) if peer < number]
            if number != dying:
                role = roles[number] = Role(programs[number], conversation.words, bounds, session)
                role.tell({peer: ports[peer, number] for peer in lower})
                ports |= {(number, peer): port for peer, port in role.announced().items()}
                continue
            for peer in conversation.peers(number):
                if peer > number:
                    listener = stack.enter_context(socket.create_server((LOOPBACK, 0)))
                    listeners[peer], ports[number, peer] = listener, listener.getsockname()[1]
                    if death is None:
                        listener.close()
                elif death is not None:
                    connection = socket.create_connection((LOOPBACK, ports[peer, number]))
                    connections[peer] = stack.enter_context(connection)
        if death is not None:
            for peer, listener in listeners.items():
                connections[peer] = stack.enter_context(listener.accept()[0])
                listener.close()
            for _ in roles:
                assert established.acquire(timeout=seconds)
            _die(stage, death, connections)
        ends = {number: role.collect() for number, role in roles.items()}
    return ends


def _telling(establish: Any, established: threading.Semaphore) -> Any:
    """Establishing that tells when it is done: a death before that is another case."""

    def tell(*given: Any) -> Endpoint:
        endpoint = establish(*given)
        established.release()
        return endpoint

    return tell


def _die(stage: Stage, death: Death, connections: Mapping[int, socket.socket]) -> None:
    """Do the role's part, in its order, and stop."""
    try:
        for kind, peer, frame in frames_in_order(stage)[: death.event]:
            if kind == "sent":
                connections[peer].sendall(frame)
            else:
                _hear(connections[peer], len(frame))
        if death.inside:
            kind, peer, frame = frames_in_order(stage)[death.event]
            assert kind == "sent" and death.inside < len(frame)
            connections[peer].sendall(frame[: death.inside])
    except OSError:
        pass  # The other has ended already.
    for connection in connections.values():
        if death.close is Close.RESET:
            linger = struct.pack("ii", 1, 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        if death.close is not Close.HOLD:
            connection.close()


def _hear(connection: socket.socket, size: int) -> None:
    while size:
        size -= len(connection.recv(size)) or size


def lengths(frame: bytes) -> list[int]:
    """Inside of a header, payload and digest, and at each of their ends."""
    return [1, 40, 87, 88, 89, len(frame) - 33, len(frame) - 32, len(frame) - 31, len(frame) - 1]


def stages_of(conversation: Conversation) -> list[Stage]:
    """Every role of a conversation, as the one that dies."""
    return [Stage(conversation, role) for role in find_roles(conversation.module)]
