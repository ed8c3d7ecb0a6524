"""Points that a thread takes several at once, so that it loads and stores 16 bytes.

Invariant: every word of such a stage is read and written at the thread's own coordinate along the
    one axis, or is the same for all points; so words that lie in a row belong to points in a row.
Why: an access of 16 bytes takes no longer than one of 8, and few of them keep memory busy.
Entry: `wide_words`, `read_at_own`.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from alpha.ir.shapes import word_bytes
from alpha.passes.kernels.homes import Homes
from alpha.passes.kernels.stages import Stage
from alpha.passes.kernels.values import Values
from alpha.passes.loops.items import Item

ACCESS_BYTES = 16


def read_at_own(stage: Stage, values: Values) -> list[SSAValue] | None:
    """The values in memory that are read at the own coordinate, None if others are read, too."""
    made = {value for item in stage.items for value in item.results}
    own: list[SSAValue] = []
    same: set[SSAValue] = set()
    for item in stage.items:
        for number, value in enumerate(item.inputs):
            if value in made or value in values.inline:
                continue
            if values.is_truth(value):
                return None
            if _is_own(item, number, stage, values):
                if value not in own:
                    own.append(value)
            elif value in values.sampled or any(form.axes() for form in item.forms[number]):
                return None
            else:
                same.add(value)
    return None if same & set(own) else own


def _is_own(item: Item, number: int, stage: Stage, values: Values) -> bool:
    """Whether an input is a word of the point: of its sample, or at its coordinate."""
    forms = item.forms[number]
    if stage.sampled:
        return item.inputs[number] in values.sampled and not forms
    return len(forms) == 1 and item.own(number, 0)


def wide_words(stage: Stage, values: Values, homes: Homes) -> int:
    """How many points a thread may take at once; 1 where it has to take one after another."""
    if len(stage.extents) != 1 or any(item.folds for item in stage.items):
        return 1
    own = read_at_own(stage, values)
    if own is None:
        return 1
    places = [homes.of(value) for value in own]
    for item in stage.items:
        if item.position is not None:
            places.append(homes.results[item.position])
        for value in item.results:
            places += homes.written(value)
    widths = {word_bytes(place.type.element_type) for place in places}  # pyright: ignore
    if len(widths) != 1 or any(len(place.shape) != 1 for place in places):
        return 1
    return ACCESS_BYTES // widths.pop()
