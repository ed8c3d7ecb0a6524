"""Which roles run a loop together: those that exchange frames in it, directly or through others.

Invariant: two scopes are of one party iff frames lead from one to the other, inside them or inside
    scopes within. The scopes of a party have one shape and different roles; what stands in scopes
    of one party stands in scopes of one party further out.
Why: roles that meet in a loop are held to its rounds by each other. Roles of which nothing leads to
    them are not, though they run a loop of the same site; for them it is another loop.
Entry: `parties`.

A union-find over the scopes, the innermost first: linear in actions and scopes, but for the inverse
of Ackermann's function.
"""

from __future__ import annotations

from collections.abc import Sequence

from alpha.ir.schedules.lines import Lines


def parties(lines: Lines, partner: Sequence[int]) -> list[int]:
    """For each scope the number of one scope of its party, the same for all of them.

    `partner` is the other end of every action, of schedules that are dual.
    """
    above = list(range(len(lines.scopes)))

    def first(scope: int) -> int:
        while above[scope] != scope:
            above[scope] = scope = above[above[scope]]
        return scope

    def join(one: int, other: int) -> None:
        one, other = first(one), first(other)
        above[max(one, other)] = min(one, other)

    for number, other in enumerate(partner):
        join(lines.scope_of[number], lines.scope_of[other])
    depths: list[list[int]] = []
    depth_of: list[int] = []
    for number, scope in enumerate(lines.scopes):
        depth = depth_of[scope.around] + 1 if scope.around >= 0 else 0
        depth_of.append(depth)
        if depth == len(depths):
            depths.append([])
        depths[depth].append(number)
    # A party is complete when all scopes further in have joined what is around them.
    for level in reversed(depths[1:]):
        for scope in level:
            join(lines.scopes[scope].around, lines.scopes[first(scope)].around)
    return [first(scope) for scope in range(len(lines.scopes))]
