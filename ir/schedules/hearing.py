"""How many rounds apart the roles of a loop may be, if sends don't wait for their receivers.

A role hears of another one's round in its own round if, in every run, something that it receives
in it depends on what the other did in that round: directly, or through what others sent on.

Invariant: where `heard` gives K for a party, then for any two roles x and y of it and in every run,
    x has begun its round j - K before y ends its round j. Where it gives None, nothing is claimed.
Why: a role that hears nothing may be a whole loop behind. With K, y has ended at most K + 1 rounds
    more than x; so of what x and y send in the loop, at most K + 2 rounds are on the way at a time.
Entry: `heard`.

How it is found. Take the body of the party's loop once, for all its roles: a send is before its
receive in the same round (a frame of a loop inside in that loop's first round), an action before
the next one of its role, and the end of a role's body before its beginning, one round later. What
is behind a choice depends on something only if each arm does, since any may be taken; so a frame in
an arm counts within the arm, and behind the choice if all arms have one that serves. K is the most
rounds that it takes from any role's beginning to any role's end, for a party of few roles. For a
larger one it is the rounds from any role's beginning to one place of one role, the lowest, and
those from there to any role's end, which may be more; the place is the first at which the fewest
rounds are needed to hear all. (The root of a tree has it between what comes up and what goes down.)

One party costs time linear in the marks of its scopes, so all cost the actions times the depth of
loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alpha.ir.schedules.events import Branch
from alpha.ir.schedules.lines import Lines, Mark

FEW = 8
"""A party of so many roles is followed from each of them, a larger one from one place."""


def heard(lines: Lines, partner: Sequence[int], party: Sequence[int]) -> dict[int, int | None]:
    """For each party of a loop that is run more than once, K or None as this module says."""
    members: dict[int, list[int]] = {}
    for number, scope in enumerate(lines.scopes):
        if scope.rounds > 1:
            members.setdefault(party[number], []).append(number)
    return {number: _apart(_body(lines, partner, scopes)) for number, scopes in members.items()}


@dataclass(slots=True)
class _Body:
    """The body of a party's loop, once: nodes, and what comes behind each."""

    after: list[list[int]] = field(default_factory=list)
    needs: list[int] = field(default_factory=list)
    """Of how many nodes before a node it takes all: of all arms for the end of a choice, else 1."""

    asks: list[int] = field(default_factory=list)
    """The same of the nodes behind it: of all arms for the beginning of a choice, else 1."""

    certain: list[int] = field(default_factory=list)
    """What the lowest role comes to whatever arms are taken, in order."""

    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    actions: dict[int, int] = field(default_factory=dict)

    def node(self, before: Sequence[int], needs: int = 1, asks: int = 1) -> int:
        """A new node behind others."""
        number = len(self.after)
        self.after.append([])
        self.needs.append(needs)
        self.asks.append(asks)
        for other in before:
            self.after[other].append(number)
        return number


def _body(lines: Lines, partner: Sequence[int], scopes: Sequence[int]) -> _Body:
    body = _Body()
    for scope in scopes:
        _add_line(body, lines, scope)
    for number, node in body.actions.items():
        if lines.actions[number].kind == "send":
            body.after[node].append(body.actions[partner[number]])
    return body


def _add_line(body: _Body, lines: Lines, scope: int) -> None:
    """One role's part of the body, from its beginning to its end."""
    last = body.node(())
    body.begins.append(last)
    certain = [last]
    forks: list[tuple[int, list[int]]] = []
    start, stop = lines.span[scope]
    for mark, number in lines.marks[lines.scopes[scope].role][start + 1 : stop]:
        step = None if mark is Mark.ACT else lines.scopes[number].step
        if mark is Mark.ACT:
            last = body.actions[number] = body.node((last,))
        elif not isinstance(step, Branch):
            continue
        elif mark is Mark.OPEN:
            if lines.scopes[number].arm == 0:
                forks.append((body.node((last,), asks=len(step.arms)), []))
            last = forks[-1][0]
        else:
            forks[-1][1].append(last)
            if lines.scopes[number].arm + 1 == len(step.arms):
                last = body.node(forks.pop()[1], needs=len(step.arms))
        if not forks:
            certain.append(last)
    body.ends.append(body.node((last,)))
    body.certain = body.certain or [*certain, body.ends[0]]


def _apart(body: _Body) -> int | None:
    onwards = dict(zip(body.ends, body.begins, strict=True))
    if len(body.begins) <= FEW:
        found = [
            _latest(_spread([begin], body.after, body.needs, onwards), body.ends)
            for begin in body.begins
        ]
        return None if None in found else max(rounds for rounds, _ in filter(None, found))
    before: list[list[int]] = [[] for _ in body.after]
    for node, following in enumerate(body.after):
        for other in following:
            before[other].append(node)
    backwards = {begin: end for end, begin in onwards.items()}
    told = _latest(_spread(body.certain, before, body.asks, backwards), body.begins)
    if told is None:
        return None
    rounds, place = told
    last = _latest(_spread([body.certain[place]], body.after, body.needs, onwards), body.ends)
    return None if last is None else rounds + last[0]


def _latest(found: Mapping[int, tuple[int, int]], nodes: Sequence[int]) -> tuple[int, int] | None:
    """The largest of what was found for some nodes; None if nothing was for one of them."""
    if any(node not in found for node in nodes):
        return None
    return max(found[node] for node in nodes)


def _spread(
    sources: Sequence[int],
    following: Sequence[Sequence[int]],
    needs: Sequence[int],
    next_round: Mapping[int, int],
) -> dict[int, tuple[int, int]]:
    """What follows from the sources: after how few rounds, and then from which as the first.

    Every node and every edge is visited once.
    """
    missing = list(needs)
    for source in sources:
        missing[source] = 1
    found: dict[int, tuple[int, int]] = {}
    current = list(enumerate(sources))
    rounds = 0
    while current:
        later: list[tuple[int, int]] = []
        for position, source in current:
            reached = [source]
            while reached:
                node = reached.pop()
                missing[node] -= 1
                if missing[node] or node in found:
                    continue
                found[node] = rounds, position
                reached.extend(following[node])
                if node in next_round:
                    later.append((position, next_round[node]))
        current, rounds = later, rounds + 1
    return found
