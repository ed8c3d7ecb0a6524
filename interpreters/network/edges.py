"""The edges between the roles of a run: a channel for each direction, opened at its first frame.

Entry: `Edges`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from alpha.interpreters.network.channels import Channel, Frame
from alpha.interpreters.network.events import Receive, Send
from alpha.interpreters.network.faults import Fault
from alpha.interpreters.network.latencies import Latency
from alpha.interpreters.network.records import Edge, Flow
from alpha.interpreters.network.relays import Relays
from alpha.interpreters.network.roles import Role


class Edges:
    """Opens, fills and closes channels; whom that lets go on is for the network to say."""

    def __init__(
        self,
        roles: Mapping[int, Role],
        faults: Iterable[Fault],
        identity: bytes,
        latency: Latency,
        random: Random,
    ) -> None:
        self.relays = Relays(faults, identity)
        self._roles = roles
        self._latency = latency
        self._random = random
        self._channels: list[Channel] = []

    @property
    def flows(self) -> dict[Edge, Flow]:
        """What was sent in each direction, in the order of the first frames."""
        return {
            (channel.sender, channel.receiver): Flow(channel.frames, channel.bytes)
            for channel in self._channels
            if channel.frames
        }

    def open(self, event: Send | Receive, user: Role) -> Channel:
        """The channel of this event, for the role that yields it.

        Raises:
            ValueError: the frame isn't this role's to send or to receive, or is to itself or
                another that isn't there.
        """
        header = event.header
        of, to = header.sender, header.receiver
        own = of if isinstance(event, Send) else to
        if user.number != own or of == to or not {of, to} <= self._roles.keys():
            action = type(event).__name__.lower()
            raise ValueError(f"role {user.number} can't {action} {header}")
        sender, receiver = self._roles[of], self._roles[to]
        channel = sender.outbound.get(to)
        if channel is None:
            channel = Channel(of, to, self.relays.of((of, to)))
            self._channels.append(channel)
            sender.outbound[to] = receiver.inbound[of] = channel
            for end in (sender, receiver):
                if end.outcome is not None:
                    self.close(channel, end, end.outcome.time)
        return channel

    def put(self, channel: Channel, event: Send, time: float) -> Frame:
        """Set a copy of what is sent on its way, through the relay if one stands there.

        Raises:
            ValueError: words whose bytes aren't the header's extent. Numbers of terms may be
                longer or shorter than the words that they stand for.
        """
        header, payload = event.header, event.payload
        if payload.nbytes != header.extent and payload.dtype.kind not in "iO":
            raise ValueError(f"{payload.nbytes} bytes of words in {header} of {header.extent}")
        late = self._latency(self._random, header.sender, header.receiver, header.extent)
        frame = Frame(header, payload.copy(), time + late)
        if channel.relay is None:
            channel.queue.append(frame)
        else:
            channel.queue.extend(channel.relay.carry(frame))
        return frame

    def close(self, channel: Channel, role: Role, time: float) -> float | None:
        """When the other end sees that this role has ended, or None if a fault hides that."""
        if silences := role.silenced(role.events):
            self.relays.made(*silences)
            return None
        if channel.relay is not None and channel.relay.severed:
            return None
        peer = channel.other_end(role.number)
        seen = time + self._latency(self._random, role.number, peer, 0)
        if channel.sender == role.number:
            channel.closed = seen
        else:
            channel.broken = seen
        return seen
