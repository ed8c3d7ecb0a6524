"""Small global protocols at random, with choices whose arms are alike for some roles.

Entry: `Protocol`, `random_protocol`, and the nodes.

A protocol is made as nodes, so that an arm can be copied with a small change; `written_protocols`
writes it as text. Every selector is made at the beginning. A decision has a key, by which it is
found again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random

Roles = frozenset[int]
SUMMED = "#region.contract<groups = [{}], combine = left>"


@dataclass(frozen=True)
class Value:
    """A word of f64 and the roles that have it."""

    name: str
    roles: Roles


@dataclass(frozen=True)
class Work:
    """Local work: a constant, and the sum of it and each argument."""

    roles: Roles
    arguments: tuple[str, ...]
    constant: int
    result: str | None


@dataclass(frozen=True)
class Exchange:
    """An operation that communicates: its text, with the operand and the result left out."""

    form: str
    value: str
    result: str | None


@dataclass
class Decision:
    """Who decides with which selector, and who is told by whom; without authority nobody is."""

    key: int
    selector: int
    authority: int | None
    pairs: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Scope:
    """A scope that yields values."""

    roles: Roles
    body: Block


@dataclass(frozen=True)
class Repeat:
    """A repeat that carries values, and may end early."""

    bound: int
    carried: tuple[tuple[str, str], ...]
    body: Block
    until: Decision | None


@dataclass(frozen=True)
class Choice:
    """A choice with its arms, each of which yields as many values."""

    decision: Decision
    arms: tuple[Block, ...]


Node = Work | Exchange | Scope | Repeat | Choice


@dataclass(frozen=True)
class Block:
    """Nodes and what is yielded, as names inside and outside."""

    nodes: tuple[Node, ...]
    yields: tuple[str, ...] = ()
    results: tuple[str, ...] = ()


@dataclass(frozen=True)
class Protocol:
    """A protocol among roles 0 to `roles` - 1; `selectors` are the roles that have each."""

    roles: int
    selectors: tuple[Roles, ...]
    body: Block

    def decisions(self) -> list[Decision]:
        """All decisions, each behind those that are inside it."""
        return inside_out(self.body)

    def levels(self) -> list[list[Decision]]:
        """The decisions with nothing inside, then those that have only such inside, and so on."""
        return _levels(self.body)


def random_protocol(random: Random) -> Protocol:
    """A protocol of 2 to 5 roles, none of whose decisions is told to anybody yet."""
    making = _Making(random, random.randrange(2, 6))
    return making.protocol()


class _Making:
    """Makes one protocol."""

    def __init__(self, random: Random, roles: int) -> None:
        self._random = random
        self._everyone: Roles = frozenset(range(roles))
        self._names = 0
        self._decisions = 0
        self._selectors = [self._some(self._everyone), self._some(self._everyone), self._everyone]

    def protocol(self) -> Protocol:
        first = [
            Work(self._everyone, (), 7, self._name()),
            Work(frozenset({0}), (), 8, self._name()),
        ]
        values = [Value(each.result or "", each.roles) for each in first]
        body = self._block(self._everyone, values, 0)
        body = replace(body, nodes=(*first, *body.nodes))
        return Protocol(len(self._everyone), tuple(self._selectors), body)

    def _name(self) -> str:
        self._names += 1
        return f"%v{self._names}"

    def _some(self, of: Iterable[int]) -> Roles:
        members = sorted(of)
        return frozenset(self._random.sample(members, self._random.randrange(1, len(members) + 1)))

    def _decision(self, scope: Roles) -> Decision:
        able = [number for number, roles in enumerate(self._selectors) if roles & scope]
        told = bool(able) and self._random.random() < 0.7
        number = self._random.choice(able if told else range(len(self._selectors)))
        authority = self._random.choice(sorted(self._selectors[number] & scope)) if told else None
        self._decisions += 1
        return Decision(self._decisions, number, authority)

    def _block(self, scope: Roles, values: list[Value], depth: int) -> Block:
        """Nodes at random; the values that they make are put behind the given ones."""
        nodes: list[Node] = []
        for _ in range(self._random.randrange(1, 4 if depth else 6)):
            nodes.append(self._node(scope, values, depth))
        return Block(tuple(nodes))

    def _node(self, scope: Roles, values: list[Value], depth: int) -> Node:
        kind = self._random.random()
        if kind < (0.5, 0.25, 0.1, 0.0)[depth]:
            make = self._random.choice((self._choice, self._choice, self._repeat, self._scope))
            return make(scope, values, depth + 1)
        if kind < 0.65 and len(scope) > 1:
            return self._exchange(scope, values)
        return self._work(scope, values)

    def _usable(self, values: list[Value], roles: Roles) -> list[Value]:
        return [value for value in values if roles <= value.roles]

    def _make(self, values: list[Value], roles: Roles) -> str:
        value = Value(self._name(), roles)
        values.append(value)
        return value.name

    def _work(self, scope: Roles, values: list[Value]) -> Node:
        roles = self._some(scope)
        usable = self._usable(values, roles)
        count = self._random.randrange(0, min(2, len(usable)) + 1)
        arguments = tuple(value.name for value in self._random.sample(usable, count))
        result = self._make(values, roles) if self._random.random() < 0.6 else None
        return Work(roles, arguments, self._random.randrange(2), result)

    def _exchange(self, scope: Roles, values: list[Value]) -> Node:
        kind = self._random.choice(("transfer", "replicate", "agree", "reduce"))
        if kind in ("agree", "reduce"):
            usable = [value for value in values if value.roles <= scope]
            if not usable:
                return self._work(scope, values)
            value = self._random.choice(usable)
            if kind == "agree":
                return Exchange("protocol.agree {} along star", value.name, None)
            contract = SUMMED.format(", ".join("1" * len(value.roles)))
            form = f"protocol.reduce sum {{}} contract {contract} along star"
            return Exchange(form, value.name, self._make(values, Roles({min(value.roles)})))
        members = self._some(scope)
        while len(members) < 2:
            members = self._some(scope)
        usable = self._usable(values, Roles({min(members)}))
        if not usable:
            return self._work(scope, values)
        value = self._random.choice(usable)
        if kind == "replicate":
            form = f"protocol.replicate {{}} along star over {selection_text(members)}"
            return Exchange(form, value.name, self._make(values, members))
        receiver = self._random.choice(sorted(members - {min(members)}))
        form = f"protocol.transfer {{}} from {min(members)} to {receiver}"
        return Exchange(form, value.name, self._make(values, Roles({receiver})))

    def _scope(self, scope: Roles, values: list[Value], depth: int) -> Node:
        roles = self._some(scope)
        inside = list(values)
        body = self._block(roles, inside, depth)
        given = [value for value in inside if value.roles <= roles]
        if given and self._random.random() < 0.6:
            value = self._random.choice(given)
            body = replace(body, yields=(value.name,), results=(self._make(values, value.roles),))
        return Scope(roles, body)

    def _repeat(self, scope: Roles, values: list[Value], depth: int) -> Node:
        inside = list(values)
        carried: list[tuple[str, str]] = []
        roles: list[Roles] = []
        usable = [value for value in values if value.roles <= scope]
        if usable and self._random.random() < 0.5:
            value = self._random.choice(usable)
            roles.append(value.roles)
            carried.append((self._make(inside, value.roles), value.name))
        body = self._block(scope, inside, depth)
        yields = tuple(self._random.choice(self._usable(inside, each)).name for each in roles)
        results = tuple(self._make(values, each) for each in roles)
        until = self._decision(scope) if self._random.random() < 0.5 else None
        body = replace(body, yields=yields, results=results)
        return Repeat(self._random.choice((1, 2)), tuple(carried), body, until)

    def _choice(self, scope: Roles, values: list[Value], depth: int) -> Node:
        decision = self._decision(scope)
        inside = list(values)
        first = self._block(scope, inside, depth)
        arms = [(first, inside)]
        for _ in range(self._random.choice((1, 1, 2))):
            if self._random.random() < 0.75:
                names: dict[str, str] = {}
                copy = self._copied(first, names)
                own = [replace(each, name=names.get(each.name, each.name)) for each in inside]
                arms.append((copy, own))
            else:
                own = list(values)
                arms.append((self._block(scope, own, depth), own))
        given = [value for value in inside if value.roles <= scope]
        if not given or self._random.random() < 0.5:
            return Choice(decision, tuple(block for block, _ in arms))
        wanted = self._random.choice(given)
        at = inside.index(wanted)
        yielded = [wanted.name]
        for _, own in arms[1:]:
            # Which arm comes first must make no difference to the type.
            fitting = [value for value in own if value.roles == wanted.roles]
            if not fitting:
                return Choice(decision, tuple(block for block, _ in arms))
            alike = own[at] if at < len(own) and self._random.random() < 0.8 else None
            value = alike if alike in fitting else self._random.choice(fitting)
            assert value is not None
            yielded.append(value.name)
        result = self._make(values, wanted.roles)
        yielding = [
            replace(block, yields=(name,), results=(result,))
            for (block, _), name in zip(arms, yielded, strict=True)
        ]
        return Choice(decision, tuple(yielding))

    def _copied(self, block: Block, names: dict[str, str]) -> Block:
        """A block with other names for what it makes, and now and then other local work."""
        nodes = [copy for node in block.nodes for copy in self._copies(node, names)]
        yields = tuple(names.get(name, name) for name in block.yields)
        return Block(
            tuple(nodes), yields, tuple(self._renamed(name, names) for name in block.results)
        )

    def _renamed(self, name: str, names: dict[str, str]) -> str:
        return names.setdefault(name, self._name())

    def _copies(self, node: Node, names: dict[str, str]) -> list[Node]:
        match node:
            case Work(roles, arguments, constant, result):
                arguments = tuple(names.get(name, name) for name in arguments)
                chance = self._random.random()
                if chance < 0.1:
                    constant = 1 - constant
                elif chance < 0.3 and result is None:
                    own = self._some(roles)
                    rest = [roles - own] if chance < 0.2 and roles - own else []
                    return [Work(each, arguments, constant, None) for each in (own, *rest)]
                made = None if result is None else self._renamed(result, names)
                return [Work(roles, arguments, constant, made)]
            case Exchange(form, value, result):
                made = None if result is None else self._renamed(result, names)
                return [Exchange(form, names.get(value, value), made)]
            case Scope(roles, body):
                return [Scope(roles, self._copied(body, names))]
            case Repeat(bound, carried, body, until):
                pairs = tuple((self._renamed(a, names), names.get(b, b)) for a, b in carried)
                copy = self._copied(body, names)
                return [Repeat(bound, pairs, copy, until and self._another(until))]
            case Choice(decision, arms):
                another = self._another(decision)
                return [Choice(another, tuple(self._copied(arm, names) for arm in arms))]

    def _another(self, decision: Decision) -> Decision:
        self._decisions += 1
        return replace(decision, key=self._decisions, pairs=[])


def selection_text(roles: Iterable[int]) -> str:
    """Roles as a selection, each by itself."""
    members = [f"stride({role}, 1, 1)" for role in sorted(roles)]
    return members[0] if len(members) == 1 else f"join({', '.join(members)})"


def inside_out(block: Block) -> list[Decision]:
    found: list[Decision] = []
    for node in block.nodes:
        match node:
            case Scope(_, body):
                found += inside_out(body)
            case Repeat(_, _, body, until):
                found += [*inside_out(body), *([] if until is None else [until])]
            case Choice(decision, arms):
                found += [*(each for arm in arms for each in inside_out(arm)), decision]
            case _:
                pass
    return found


def _levels(block: Block) -> list[list[Decision]]:
    levels: list[list[Decision]] = []

    def merge(bodies: Iterable[Block], own: Decision | None) -> None:
        inner: list[list[Decision]] = []
        for body in bodies:
            _add(inner, _levels(body))
        _add(levels, [*inner, *([] if own is None else [[own]])])

    for node in block.nodes:
        match node:
            case Scope(_, body):
                merge([body], None)
            case Repeat(_, _, body, until):
                merge([body], until)
            case Choice(decision, arms):
                merge(arms, decision)
            case _:
                pass
    return levels


def _add(levels: list[list[Decision]], more: list[list[Decision]]) -> None:
    for number, decisions in enumerate(more):
        if number == len(levels):
            levels.append([])
        levels[number] += decisions
