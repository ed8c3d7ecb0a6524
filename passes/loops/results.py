"""Where what a program returns goes: which item gives each result, and what else needs memory.

Invariant: a value has memory only if an item reads it where it isn't at hand. A result of an update
    is stored at once only if no word that an input may hold there is read later.
Why: a result may lie where an input does that holds the same coordinates, so that an update works
    in place.
Entry: `givers_of`, `kept_in_memory`, `may_store_at_once`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import SSAValue

from alpha.passes.loops.items import Item, element_of_value
from alpha.passes.loops.schedule import Paths
from alpha.passes.loops.signature import Signature


def positions_of(item: Item, number: int, returned: Sequence[SSAValue]) -> list[int]:
    """The positions of the program's results that a result of an item goes to."""
    if item.position is not None:
        return [item.position]
    value = item.results[number]
    return [position for position, each in enumerate(returned) if each is value]


def kept_in_memory(items: Iterable[Item], paths: Paths) -> list[SSAValue]:
    """The values of these items that one of them reads where they aren't at hand."""
    items = list(items)
    kept: list[SSAValue] = []
    for giver in items:
        for value in giver.results:
            if giver.over and any(
                reader.reads(value) and not paths.at_hand(giver, value, reader) for reader in items
            ):
                kept.append(value)
    return kept


def may_store_at_once(
    giver: Item,
    position: int,
    items: Iterable[Item],
    paths: Paths,
    signature: Signature,
    arguments: Sequence[SSAValue],
    returned: Sequence[SSAValue],
) -> bool:
    """Whether a result may be stored at the end of the loops that give it.

    No item may read a word of an input that can lie there after it is overwritten: it reads it
    before, or in the same loops at its own coordinate.
    """
    shape = signature.results[position]
    element = element_of_value(returned[position])
    overwritten = [
        argument
        for argument, each in zip(arguments, signature.inputs, strict=True)
        if shape and each == shape and element_of_value(argument) == element
    ]
    for reader in items:
        for argument in overwritten:
            for number in reader.reads(argument):
                shared = min(paths.shared(giver, reader), giver.over)
                own = all(reader.own(number, axis) for axis in range(shared))
                if not own or (shared < giver.over and not paths.before(reader, giver)):
                    return False
    return True
