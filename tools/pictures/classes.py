"""Classes of roles that exchange alike, of which one stands for all where there are many.

Invariant: two roles of a class have as many roles below them in every tree of the protocol, and are
    in the same of its selections; a role that the protocol names by itself, as the end of a
    transfer, is alone. Of programs that are projected already, those of one class have the same
    frames of the same sizes, whoever the peers are.
Why: a tree of 200,000 roles at fan-out 64 has six classes, so its picture has six nodes.
Refuses: target-unsupported.
Entry: `Classes.of`, `folded`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace

from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_exchange import TransferOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.protocol.routes import Listed
from alpha.ir.protocol.view import COMMUNICATING, Protocol, takes_part
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection
from alpha.tools.pictures.drawings import LANES_MAX, Drawing, trees_of
from alpha.tools.pictures.programs import Choice, Item, Loop, Message, Program

ROLES_MAX = 1 << 20
"""Most roles that are sorted into classes: each takes a microsecond or two for each tree."""

Kind = Callable[[int], Hashable]


@dataclass(frozen=True)
class Classes:
    """The classes, in the order of their first roles."""

    first: tuple[int, ...]
    """The least role of each."""

    sizes: tuple[int, ...]
    """How many roles each has."""

    class_of: dict[int, int]

    @classmethod
    def of(cls, drawing: Drawing) -> Classes:
        """The classes of the roles that have programs.

        Raises:
            Refusal: `target-unsupported` for more than `ROLES_MAX` roles or `LANES_MAX` classes.
        """
        roles = drawing.roles()
        count = len(roles) if isinstance(roles, tuple) else roles.size
        if count > ROLES_MAX:
            raise _many(drawing, f"at most {ROLES_MAX} roles", str(count))
        kind = _kind(drawing.protocol) if drawing.protocol else _shape_of(drawing)
        numbers: dict[Hashable, int] = {}
        class_of = {role: numbers.setdefault(kind(role), len(numbers)) for role in roles}
        if len(numbers) > LANES_MAX:
            raise _many(drawing, f"at most {LANES_MAX} classes of roles", str(len(numbers)))
        first: list[int] = []
        sizes = [0] * len(numbers)
        for role, number in class_of.items():
            if number == len(first):
                first.append(role)
            sizes[number] += 1
        return cls(tuple(first), tuple(sizes), class_of)

    def lane(self, role: int) -> int:
        """The number of a role's class; that behind the last for a role without a program."""
        return self.class_of.get(role, len(self.first))


def _many(drawing: Drawing, expected: str, found: str) -> Refusal:
    op = None if drawing.protocol is None else drawing.protocol.op
    return Refusal("target-unsupported", f"{expected} in a graph", found, op)


def _kind(protocol: Protocol) -> Kind:
    """What tells the classes of a global protocol apart."""
    trees = list(dict.fromkeys(trees_of(protocol)))
    selections = list(dict.fromkeys(_selections(protocol)))
    named = set(_named(protocol))

    def kind(role: int) -> Hashable:
        below = tuple(
            len(tree.subtree(members.rank(role))) if role in members else 0
            for members, tree in trees
        )
        inside = tuple(role in selection for selection in selections)
        return below, inside, role if role in named else None

    return kind


def _selections(protocol: Protocol) -> Iterator[Selection]:
    """The roles of each operation that isn't for the whole group."""
    for op in protocol.op.walk():
        acts = isinstance(op, COMMUNICATING) and not isinstance(op, ChoiceOp | UntilOp)
        if acts or isinstance(op, LocalOp | PublishOp):
            roles = takes_part(op)
            if roles != protocol.group.members:
                yield roles


def _named(protocol: Protocol) -> Iterator[int]:
    """The roles that are named one by one."""
    for op in protocol.sites:
        if isinstance(op, TransferOp):
            yield from (op.sender.data, op.receiver.data)
        elif isinstance(op, ChoiceOp | UntilOp) and op.routes is not None:
            pairs = op.routes.data.pairs if isinstance(op.routes.data, Listed) else ()
            yield from (role for pair in pairs for role in pair)


def _shape_of(drawing: Drawing) -> Kind:
    """What tells programs apart, apart from who the peers are."""
    return lambda role: tuple(map(_shape, drawing.program(role)))


def _shape(item: Item) -> Item:
    match item:
        case Message():
            return replace(item, peer=0, part=0, count=0)
        case Loop():
            return replace(item, body=tuple(map(_shape, item.body)))
        case Choice():
            return replace(item, arms=tuple(tuple(map(_shape, arm)) for arm in item.arms))
        case _:
            return item


def folded(program: Program, only: int | None = None) -> Program:
    """A program in which frames alike that follow on one another are one message of several.

    With `only`, those from or to this lane; else all.
    """
    items: list[Item] = []
    for item in program:
        match item:
            case Message() if only in (None, item.peer):
                item = replace(item, part=0, count=0)
                last = items[-1] if items else None
                if isinstance(last, Message) and replace(last, frames=item.frames) == item:
                    items[-1] = replace(last, frames=last.frames + item.frames)
                else:
                    items.append(item)
            case Loop():
                items.append(replace(item, body=folded(item.body, only)))
            case Choice():
                arms = tuple(folded(arm, only) for arm in item.arms)
                items.append(replace(item, arms=arms))
            case _:
                items.append(item)
    return tuple(items)
