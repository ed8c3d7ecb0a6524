"""One role at work over TCP, whose peers are played by the test, byte by byte.

Invariant: what the role does is seen from both sides: every event of its walk, with the words that
    were handed to it; and the bytes of its connections and of its reports.
Entry: `play`, `Stage`, `Script`, `Performance`, `Happening`.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
from levels.sockets import Role, RoleEnd
from runs.conversations import Conversation

from alpha.interpreters.network.events import Advanced, Observed, Published, Receive, Send
from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.reports import END, STATE
from alpha.interpreters.role import RoleWalk, find_roles

LOOPBACK = "127.0.0.1"
LONG = Bounds(wait_seconds_max=15.0)
SESSION_SECONDS = 30.0

Happening = tuple[str, Any, Any]
"""What a walk did: kind, header or version, and words in bytes."""


class Close(Enum):
    """What a played peer does when it has sent everything."""

    END = "end its stream, and read on"
    HOLD = "send nothing more, and stay"
    GONE = "close the connection"
    RESET = "reset the connection, as a host does whose process is killed"


@dataclass(frozen=True)
class Script:
    """What a played peer sends, and how it ends when it has heard so many frames."""

    data: bytes
    hears: int
    close: Close = Close.END


@dataclass(frozen=True)
class Performance:
    """How a role ended, and all that it did until then."""

    end: RoleEnd
    happened: list[Happening]
    sent: dict[int, bytes]
    """To each peer; frames that the system had taken."""

    @property
    def published(self) -> bool:
        """Whether the role has told a word of its state, or that it is done."""
        return any(record.kind in (STATE, END) for record in self.end.records)


class Stage:
    """A role of a recorded conversation, ready to be played to again and again."""

    def __init__(self, conversation: Conversation, role: int) -> None:
        self.conversation = conversation
        self.role = role
        self.op = find_roles(conversation.module)[role]
        self.peers = conversation.peers(role)
        with pytest.MonkeyPatch.context() as patch:
            self.right = play(self, {}, patch)
        assert self.right.end.error is None and self.right.published

    def frames(self, peer: int) -> list[bytes]:
        """What the peer sends to the role, without a fault."""
        return list(self.conversation.frames[peer, self.role])

    def script(self, peer: int, data: bytes) -> Script:
        """A peer that sends this, and ends its stream when it has heard all."""
        return Script(data, len(self.conversation.frames[self.role, peer]))

    def ending(self, peer: int, frame: int, inside: bytes, close: Close) -> Script:
        """A peer that ends before its frame of this number, or inside of it."""
        before = self.until(peer, frame)
        heard = [header for kind, header, _ in before if kind == "sent" if header.receiver == peer]
        return Script(b"".join(self.frames(peer)[:frame]) + inside, len(heard), close)

    def until(self, peer: int, frame: int) -> list[Happening]:
        """What happens before the role takes this frame of the peer, without a fault."""
        seen = 0
        for number, (kind, header, _) in enumerate(self.right.happened):
            if kind == "received" and header.sender == peer:
                if seen == frame:
                    return self.right.happened[:number]
                seen += 1
        assert seen == frame, "behind the last frame the role has done everything"
        return self.right.happened


def play(
    stage: Stage,
    scripts: Mapping[int, Script],
    patch: pytest.MonkeyPatch,
    bounds: Bounds = LONG,
    seconds: float = SESSION_SECONDS,
) -> Performance:
    """Run the role; a peer without a script says what it said in the conversation."""
    happened: list[Happening] = []
    patch.setattr(RoleWalk, "participant", _watched(RoleWalk.participant, happened))
    sent: dict[int, bytes] = {}
    with ExitStack() as stack:
        listeners = {
            peer: stack.enter_context(socket.create_server((LOOPBACK, 0)))
            for peer in stage.peers
            if peer < stage.role
        }
        session = Deadline.after(seconds)
        role = Role(stage.op, stage.conversation.words, bounds, session)
        ports = role.announced()
        role.tell({peer: listener.getsockname()[1] for peer, listener in listeners.items()})
        threads: list[threading.Thread] = []
        for peer in stage.peers:
            if peer in listeners:
                connection, _ = listeners[peer].accept()
            else:
                connection = socket.create_connection((LOOPBACK, ports[peer]))
            stack.enter_context(connection)
            script = scripts.get(peer) or stage.script(peer, b"".join(stage.frames(peer)))
            size = sum(map(len, stage.conversation.frames[stage.role, peer][: script.hears]))
            given = (connection, script, size, sent, peer)
            thread = threading.Thread(target=_play, args=given)
            thread.start()
            threads.append(thread)
        end = role.collect()
        for thread in threads:
            thread.join()
    return Performance(end, happened, sent)


def _play(
    connection: socket.socket, script: Script, size: int, sent: dict[int, bytes], peer: int
) -> None:
    """Say everything at once, since nothing of it depends on an answer, and hear the rest.

    The connection is ended behind `size` bytes: a role sends nothing to who has ended before.
    """
    data = bytearray()
    try:
        connection.sendall(script.data)
        while len(data) < size and (more := connection.recv(size - len(data))):
            data += more
        match script.close:
            case Close.END:
                connection.shutdown(socket.SHUT_WR)
            case Close.RESET:
                linger = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                connection.close()
            case Close.GONE:
                connection.close()
            case Close.HOLD:
                pass
        while more := connection.recv(1 << 16):
            data += more
    except OSError:
        pass  # The role has ended, and has closed the connection with bytes that it didn't read.
    sent[peer] = bytes(data)


def _watched(participant: Any, happened: list[Happening]) -> Any:
    """A walk that writes down what it does and what it is given."""

    def walk(self: RoleWalk) -> Any:
        inner = participant(self)
        words = None
        while True:
            try:
                event = inner.send(words)
            except StopIteration:
                return
            words = yield event
            match event:
                case Receive():
                    happened.append(("received", event.header, words.tobytes()))
                case Send():
                    happened.append(("sent", event.header, event.payload.tobytes()))
                case Advanced():
                    happened.append(("advanced", event.version, self.version))
                case Observed(observation=one):
                    happened.append(("observed", one.version, float(one.total)))
                case Published():
                    told = {name: words.tobytes() for name, words in event.words.items()}
                    happened.append(("published", event.version, tuple(sorted(told.items()))))

    return walk
