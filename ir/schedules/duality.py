"""Whether what every role sends is what its peer receives: each frame, once, in the same order.

Invariant: the schedules are dual iff for every two roles a and b the sends of a to b, each with its
    label and with the shape of the scope it stands in, are the receives of b from a, one by one in
    the order of the two lines.
Why: then in every run a and b make the same frames on this edge in the same order. No role has two
    scopes of one shape, so the shapes of an edge's frames say how its loops and arms lie in one
    another and which frames are in which; and loops and choices of one shape run alike. What two
    roles do in loops in which they share no frame needn't match.
Refuses: protocol-orphan-send, protocol-orphan-receive, protocol-dual-mismatch,
    protocol-edge-order, protocol-role-unfinished.
Entry: `partners`.

Each edge is compared frame by frame: linear in the actions of all roles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence

from alpha.ir.refusals import Refusal
from alpha.ir.schedules.events import Action, Label
from alpha.ir.schedules.lines import Lines
from alpha.ir.schedules.notes import note_of


def partners(lines: Lines, group: Container[int] = ()) -> tuple[list[int], list[Refusal]]:
    """The other end of every action's frame, and why there is none, at most once an edge.

    The first is complete only if there is no refusal; an action without a partner has -1. Nothing
    is said of edges to a role of the group that has no schedule: that role is refused elsewhere.
    """
    edges: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
    for number, (action, role) in enumerate(zip(lines.actions, lines.role_of, strict=True)):
        sends = action.kind == "send"
        edge = (role, action.peer) if sends else (action.peer, role)
        edges.setdefault(edge, ([], []))[0 if sends else 1].append(number)
    partner = [-1] * len(lines.actions)
    refusals: list[Refusal] = []
    for edge in sorted(edges):
        if any(role not in lines.marks and role in group for role in edge):
            continue
        sent, received = edges[edge]
        if _all_alike(lines, sent, received):
            for send, receive in zip(sent, received, strict=True):
                partner[send], partner[receive] = receive, send
        else:
            refusals.append(_Difference(lines, edge, sent, received).refusal())
    return partner, refusals


def _all_alike(lines: Lines, sent: Sequence[int], received: Sequence[int]) -> bool:
    if len(sent) != len(received):
        return False
    actions, scopes, scope_of = lines.actions, lines.scopes, lines.scope_of
    return all(
        actions[send].label == actions[receive].label
        and scopes[scope_of[send]].shape == scopes[scope_of[receive]].shape
        for send, receive in zip(sent, received, strict=True)
    )


class _Difference:
    """The first thing in which the two ends of an edge differ, and the code that says it."""

    def __init__(
        self, lines: Lines, edge: tuple[int, int], sent: Sequence[int], received: Sequence[int]
    ) -> None:
        self._lines = lines
        self._sender, self._receiver = edge
        self._sent = sent
        self._received = received

    def refusal(self) -> Refusal:
        """What two readers of the edge would see first.

        A frame that both ends have, but in different loops or arms, explains the rest, so it comes
        first; then a frame that is another one at the two ends; then a frame too many.
        """
        sent = self._without(self._sent, self._received)
        received = self._without(self._received, self._sent)
        if not sent and not received:
            return self._other_order()
        labels = {self._lines.actions[number].label: number for number in reversed(received)}
        for send in sent:
            receive = labels.get(self._lines.actions[send].label)
            if receive is not None:
                return self._other_scope(send, receive)
        lost = {self._shape(number) for number in received}
        for send in sent:
            if self._shape(send) in lost:
                return self._other_frame(self._shape(send))
        return self._orphan(sent[0], True) if sent else self._orphan(received[0], False)

    def _shape(self, number: int) -> int:
        return self._lines.scopes[self._lines.scope_of[number]].shape

    def _key(self, number: int) -> tuple[int, Label]:
        return self._shape(number), self._lines.actions[number].label

    def _without(self, ones: Sequence[int], others: Sequence[int]) -> list[int]:
        """The actions that have no counterpart, whatever the order."""
        left = Counter(map(self._key, others))
        found: list[int] = []
        for number in ones:
            key = self._key(number)
            if left[key]:
                left[key] -= 1
            else:
                found.append(number)
        return found

    def _action(self, number: int) -> Action:
        return self._lines.actions[number]

    def _refusal(self, code: str, expected: str, found: str, *at: int) -> Refusal:
        """A refusal at the first of some actions, with a note of what each of them is."""
        notes = tuple(note_of(self._lines, number) for number in at)
        return Refusal(code, expected, found, self._action(at[0]).place, notes)

    def _other_order(self) -> Refusal:
        ends = zip(self._sent, self._received, strict=True)
        at, (send, receive) = next(
            (at, both) for at, both in enumerate(ends) if self._key(both[0]) != self._key(both[1])
        )
        return self._refusal(
            "protocol-edge-order",
            f"{self._action(send).label} next at role {self._receiver}, which role "
            f"{self._sender} sends as number {at}, counted from 0",
            f"{self._action(receive).label}, which is sent too but at another time",
            receive,
            send,
        )

    def _other_scope(self, send: int, receive: int) -> Refusal:
        ends = [self._lines.around(self._lines.scope_of[number]) for number in (send, receive)]
        level = 0
        while all(len(scopes) > level for scopes in ends) and (
            ends[0][level].shape == ends[1][level].shape
        ):
            level += 1
        here, there = (
            str(scopes[level]) if len(scopes) > level else "no further loop or arm"
            for scopes in ends
        )
        return self._refusal(
            "protocol-role-unfinished",
            f"role {self._receiver} in {here}, as role {self._sender}, at "
            f"{self._action(send).label}",
            there,
            receive,
            send,
        )

    def _other_frame(self, shape: int) -> Refusal:
        sent, received = (
            [number for number in numbers if self._shape(number) == shape]
            for numbers in (self._sent, self._received)
        )
        # Each end has a frame that the other lacks, so neither is the beginning of the other.
        ends = zip(sent, received, strict=False)
        at, (send, receive) = next(
            (at, both) for at, both in enumerate(ends) if self._key(both[0]) != self._key(both[1])
        )
        scopes = self._lines.around(self._lines.scope_of[send])
        within = f" in {scopes[-1]}" if scopes else ""
        return self._refusal(
            "protocol-dual-mismatch",
            f"{self._action(send).label} as frame {at} from role {self._sender} to role "
            f"{self._receiver}{within}",
            str(self._action(receive).label),
            receive,
            send,
        )

    def _orphan(self, number: int, sent: bool) -> Refusal:
        label, peer = self._action(number).label, self._action(number).peer
        here = self._lines.around(self._lines.scope_of[number])
        within = f" in {here[-1]}" if here else ""
        wanted = f"{'a receive' if sent else 'a send'} of {label}{within} by role {peer}"
        found = "none" if peer in self._lines.marks else "no schedule of that role"
        code = "protocol-orphan-send" if sent else "protocol-orphan-receive"
        return self._refusal(code, wanted, found, number)
