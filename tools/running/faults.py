"""The faults that a run is asked for: that its protocol has their places, and that it came to them.

Why: a fault that changes nothing looks like a run that survives it.
Refuses: network-fault-place.
Entry: `check_faults`, `unmade_faults`, `refuse_unmade`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from alpha.interpreters.network.faults import FrameFault, Kill, Misroute, Partition, Silence
from alpha.interpreters.network.outcomes import Finished
from alpha.interpreters.network.records import Edge
from alpha.interpreters.network.simulated import SimulatedNetwork
from alpha.ir.protocol.patterns import step_of
from alpha.ir.protocol.steps import Frame
from alpha.ir.protocol.view import COMMUNICATING, Protocol
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.tools.driver.counts import counted
from alpha.tools.fault_flags import Given


def check_faults(protocol: Protocol, given: Sequence[Given]) -> None:
    """See that a protocol has the roles and the edges of each fault.

    Raises:
        Refusal: `network-fault-place`.
    """
    group = protocol.group
    members = f"one of the {counted(group.size, 'role')} of the protocol, {group.members}"
    receivers: dict[int, set[int]] = {}
    for text, fault in given:
        edges = _edges_of(fault)
        for role in _roles_of(fault):
            if role not in group.members:
                wanted = f"{members}, with --fault {text}"
                raise Refusal("network-fault-place", wanted, f"role {role}", protocol.op)
        for alternatives in edges:
            for sender, _ in alternatives:
                if sender not in receivers:
                    receivers[sender] = _receivers(protocol, sender)
            if not any(receiver in receivers[sender] for sender, receiver in alternatives):
                sender, receiver = alternatives[0]
                others = ", ".join(map(str, sorted(receivers[sender]))) or "none"
                wanted = f"an edge on which frames go, with --fault {text}"
                found = f"no frame from role {sender} to role {receiver}; role {sender} sends to "
                raise Refusal("network-fault-place", wanted, f"{found}{others}", protocol.op)


def _roles_of(fault: object) -> Sequence[int]:
    match fault:
        case Kill() | Silence():
            return (fault.role,)
        case Partition():
            return (fault.one, fault.other)
        case Misroute():
            return (fault.sender, fault.receiver, *fault.other)
        case FrameFault():
            return (fault.sender, fault.receiver)
        case _:
            raise TypeError(f"{fault!r} is no fault")


def _edges_of(fault: object) -> Sequence[Sequence[Edge]]:
    """The directions on which frames have to go; of each sequence one is enough."""
    match fault:
        case Partition():
            return (((fault.one, fault.other), (fault.other, fault.one)),)
        case Misroute():
            return (((fault.sender, fault.receiver),), (fault.other,))
        case FrameFault():
            return (((fault.sender, fault.receiver),),)
        case _:
            return ()


def _receivers(protocol: Protocol, role: int) -> set[int]:
    """The roles that a role may send frames to."""
    steps = [step_of(protocol, op, role) for op in protocol.sites if isinstance(op, COMMUNICATING)]
    actions = [action for step in steps if step is not None for action in step.actions]
    return {frame.peer for frame in actions if isinstance(frame, Frame) and frame.outgoing}


class Unmade(NamedTuple):
    """A fault that changed nothing: what it needed, and what there was."""

    text: str
    wanted: str
    found: str

    def __str__(self) -> str:
        return f"--fault {self.text} wasn't made: expected {self.wanted}, found {self.found}"


def unmade_faults(network: SimulatedNetwork, given: Sequence[Given]) -> list[Unmade]:
    """The faults that a run which has ended didn't make, or whose place lay behind its end."""
    whole = all(isinstance(outcome, Finished) for outcome in network.outcomes.values())
    found: list[Unmade] = []
    for text, fault in given:
        number, count, wanted, had = _place_in(network, fault)
        behind = number >= count
        if fault in network.faults_made and not (whole and behind):
            continue
        if not behind:
            wanted, had = f"{wanted} that it can change", "one that it can't"
            had += " beside the other faults" if len(given) > 1 else ""
        found.append(Unmade(text, wanted, had))
    return found


def _place_in(network: SimulatedNetwork, fault: object) -> tuple[int, int, str, str]:
    """The number that a fault names, how many there were, and both in words."""
    flows = network.traffic
    match fault:
        case Kill() | Silence():
            count = network.events[fault.role]
            wanted = f"an event of role {fault.role} behind its first {fault.after}"
            return fault.after, count, wanted, counted(count, "event")
        case Partition():
            edges = (fault.one, fault.other), (fault.other, fault.one)
            count = sum(flows[edge].frames for edge in edges if edge in flows)
            wanted = f"a frame of roles {fault.one} and {fault.other} behind the first "
            return fault.after, count, f"{wanted}{fault.after}", counted(count, "frame")
        case FrameFault():
            edge = (fault.sender, fault.receiver)
            count = flows[edge].frames if edge in flows else 0
            wanted = f"a frame {fault.frame} from role {fault.sender} to role {fault.receiver}"
            return fault.frame, count, wanted, _numbered(count)
        case _:
            raise TypeError(f"{fault!r} is no fault")


def _numbered(count: int) -> str:
    """A count of frames, which are numbered from 0."""
    return f"{counted(count, 'frame')}, numbered from 0" if count else "no frame"


def refuse_unmade(protocol: Protocol, unmade: Sequence[Unmade]) -> None:
    """Refuse a run that has ended well without these faults, if there are any.

    Raises:
        Refusal: `network-fault-place`, with a note for each further one.
    """
    if unmade:
        first, *others = unmade
        notes = tuple(Note(str(each), place_of(protocol.op)) for each in others)
        wanted = f"{first.wanted}, for --fault {first.text}"
        raise Refusal("network-fault-place", wanted, first.found, protocol.op, notes)
