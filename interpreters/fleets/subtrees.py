"""The kinds of subtrees of a fleet: what is alike is looked at once.

Invariant: a kind stands for all subtrees of one size whose roles have, place by place, equal
    programs and equal marks. Kinds stand in an order in which every child comes before its parent;
    the last one is the whole tree.
Why: a subtree of 3,125 roles has a few children with equal subtrees, so a fleet has some kinds for
    each of its size classes, and not a program for each of its roles.
Refuses: target-unsupported, select-budget.
Entry: `check_children`, `find_subtrees`, `kinds_of`; `Subtree`, `Kind`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby

from alpha.interpreters.fleets.labels import Labels
from alpha.interpreters.fleets.programs import Actions, RoleProgram
from alpha.ir.refusals import Refusal
from alpha.ir.topologies import PreorderTree, child_sizes

CHILDREN_MAX = 1 << 13
"""Most children of a role: its program lists their frames one by one."""

VISITS_MAX = 1 << 22
"""Most children that are looked at, of all kinds of subtrees together: some seconds."""

PROGRAMS_MAX = 1 << 10
"""Most programs that are projected: about a minute."""

PARENT = -1
"""The number of the peer above a role; its children are 0, 1, ... in order."""


@dataclass(frozen=True)
class Subtree:
    """Subtrees with one key: what their roots do and how their children go on."""

    role: int
    """The root of one of them."""
    size: int
    program: Hashable
    mark: tuple[bool, ...]
    children: tuple[tuple[int, int], ...]
    """Runs of children that are alike: how many, and the number of their subtree."""


@dataclass(frozen=True)
class Found:
    """The subtrees of a tree, children before parents, and which roles have which program."""

    subtrees: Sequence[Subtree]
    programs: Mapping[Hashable, int]
    """A role that has each of the programs."""
    visits: int
    """How many roles were looked at."""


def check_children(tree: PreorderTree) -> None:
    """See that no role has too many children to look at.

    Raises:
        Refusal: `target-unsupported` for a role with more than 2^13 children.
    """
    below = min(tree.count - 1, tree.fan_out)
    if below > CHILDREN_MAX:
        wanted = f"a role with at most {CHILDREN_MAX} children to model"
        raise Refusal("target-unsupported", wanted, f"{below}")


def find_subtrees(tree: PreorderTree, labels: Labels) -> Found:
    """The subtrees that have different keys.

    Raises:
        Refusal: `target-unsupported` for a role with more than 2^13 children; `select-budget` for
            so many kinds that more than 2^22 roles would be looked at, or more than 2^10 programs.
    """
    return _Search(tree, labels).run()


class _Search:
    """Goes down from the root, and into one subtree of each key."""

    def __init__(self, tree: PreorderTree, labels: Labels) -> None:
        self._tree = tree
        self._labels = labels
        self._numbers: dict[Hashable, int] = {}
        self._subtrees: list[Subtree] = []
        self._programs: dict[Hashable, int] = {}
        self._visits = 0

    def run(self) -> Found:
        check_children(self._tree)
        stack = [(0, self._tree.count, self._labels.key(0, self._tree.count))]
        pending: dict[Hashable, list[Hashable]] = {}
        while stack:
            role, size, key = stack[-1]
            if key in self._numbers:
                stack.pop()
            elif key in pending:
                stack.pop()
                self._build(role, size, key, pending.pop(key))
            else:
                children = list(self._children(role, size))
                pending[key] = [each for _, _, each in children]
                stack += [each for each in _distinct(children) if each[2] not in self._numbers]
        return Found(self._subtrees, self._programs, self._visits)

    def _children(self, role: int, size: int) -> Iterator[tuple[int, int, Hashable]]:
        at = role + 1
        for below in child_sizes(size, self._tree.fan_out):
            yield at, below, self._labels.key(at, at + below)
            at += below
            self._visits += 1
        if self._visits > VISITS_MAX:
            wanted = f"subtrees of a few kinds, found in at most {VISITS_MAX} visits"
            raise Refusal("select-budget", wanted, "more")

    def _build(self, role: int, size: int, key: Hashable, children: Sequence[Hashable]) -> None:
        bounds = list(accumulate(child_sizes(size, self._tree.fan_out), initial=role + 1))
        program = self._labels.program_key(role, bounds)
        self._programs.setdefault(program, role)
        if len(self._programs) > PROGRAMS_MAX:
            wanted = f"roles of at most {PROGRAMS_MAX} programs"
            raise Refusal("select-budget", wanted, "more")
        runs = groupby(self._numbers[each] for each in children)
        below = tuple((sum(1 for _ in run), number) for number, run in runs)
        self._numbers[key] = len(self._subtrees)
        mark = self._labels.mark(role)
        self._subtrees.append(Subtree(role, size, program, mark, below))


def _distinct(
    children: Sequence[tuple[int, int, Hashable]],
) -> Iterator[tuple[int, int, Hashable]]:
    """The first child of each key."""
    seen: set[Hashable] = set()
    for child in children:
        if child[2] not in seen:
            seen.add(child[2])
            yield child


@dataclass(frozen=True)
class Kind:
    """Subtrees that are alike in all that their roles do."""

    size: int
    program: RoleProgram
    """Of one such root; its peers have the numbers of that role's."""
    actions: tuple[Actions, Actions, Actions]
    """Before, in and behind the rounds, with the numbers of the children as peers."""
    mark: tuple[bool, ...]
    children: tuple[tuple[int, int], ...]
    """Runs of children that are alike: how many, and the number of their kind."""
    first: int = field(compare=False)
    """The root of the first such subtree."""
    roots: int = field(compare=False)
    """How many such subtrees there are."""


def kinds_of(
    tree: PreorderTree, found: Found, programs: Mapping[Hashable, RoleProgram]
) -> list[Kind]:
    """The kinds of a tree, children before parents, from the program of each key."""
    relative = {key: _relative(tree, program) for key, program in programs.items()}
    numbers: dict[Hashable, int] = {}
    kind_of: list[int] = []
    rows: list[tuple[Subtree, tuple[tuple[int, int], ...]]] = []
    for subtree in found.subtrees:
        children = _merged((count, kind_of[number]) for count, number in subtree.children)
        program = programs[subtree.program]
        facts = (program.shape, program.samples, program.words, program.memory)
        key = (subtree.size, relative[subtree.program], facts, subtree.mark, children)
        if key not in numbers:
            numbers[key] = len(rows)
            rows.append((subtree, children))
        kind_of.append(numbers[key])
    first, roots = _occurrences(rows)
    return [
        Kind(
            subtree.size,
            programs[subtree.program],
            relative[subtree.program],
            subtree.mark,
            children,
            first[number],
            roots[number],
        )
        for number, (subtree, children) in enumerate(rows)
    ]


def _relative(tree: PreorderTree, program: RoleProgram) -> tuple[Actions, Actions, Actions]:
    numbers = {child: place for place, child in enumerate(tree.children(program.role))}
    parent = tree.parent(program.role)
    if parent is not None:
        numbers[parent] = PARENT
    return program.seen_from(numbers)


def _merged(runs: Iterator[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    result: list[tuple[int, int]] = []
    for count, number in runs:
        if result and result[-1][1] == number:
            count += result.pop()[0]
        result.append((count, number))
    return tuple(result)


def _occurrences(
    rows: Sequence[tuple[Subtree, tuple[tuple[int, int], ...]]],
) -> tuple[list[int], list[int]]:
    """For each kind the first role that is the root of one, and how many there are.

    The first subtree of a kind lies in the first of one of the kinds that contain it.
    """
    last = len(rows) - 1
    first: list[int | None] = [None] * len(rows)
    roots = [0] * len(rows)
    first[last], roots[last] = 0, 1
    for number in range(last, -1, -1):
        at = first[number]
        assert at is not None, "a subtree that is nowhere"
        at += 1
        for count, child in rows[number][1]:
            before = first[child]
            first[child] = at if before is None else min(at, before)
            roots[child] += count * roots[number]
            at += count * rows[child][0].size
    return [0 if at is None else at for at in first], roots
