"""Each row's text: two assemblers make the same of it, and a disassembler reads what was meant."""

from __future__ import annotations

from functools import cache

from aarch64.assembled import FAMILIES, TARGET, assembled_by
from aarch64.instances import Instance, instances_of, text_of
from aarch64.reading import line_meant, line_read

from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.printing import print_module
from alpha.backends.core.program import Instruction

INSTANCES = 4
LABELS = {"yes": "yes", "no": "no", "to": "yes"}


@cache
def texts() -> list[str]:
    """Some instances of every row."""
    return [
        text_of(instance, LABELS)
        for row in TARGET.rows.values()
        for instance in instances_of(row, INSTANCES, seed=1)
    ]


@cache
def made_by(family: str) -> list[list[str]]:
    return assembled_by(family, texts())


def test_two_assemblers_make_the_same_bytes():
    gnu, other = (made_by(family) for family in FAMILIES)
    differing = [
        (text, one, two) for text, one, two in zip(texts(), gnu, other, strict=True) if one != two
    ]
    assert not differing


def test_a_disassembler_reads_back_the_lines_of_a_row():
    differing = []
    for text, made in zip(texts(), made_by("gnu"), strict=True):
        meant = [line_meant(line) for line in text.splitlines()]
        read = [line_read(line) for line in made]
        if meant != read:
            differing.append((meant, read))
    assert not differing


def _placed(instance: Instance) -> Placed:
    """The instance as what an allocator gives."""
    row = instance.row
    extras = tuple(instance.extras[slot.name] for slot in row.extras)
    instruction = Instruction(row, [0] * len(row.defs), [], extras)
    read: list[int] = []
    for slot, _, _ in instruction.read_slots():
        read += [instance.registers[slot.name]] if slot.is_register else instance.places
    instruction.uses = [0] * len(read)
    return Placed(instruction, (*(instance.registers[slot.name] for slot in row.defs), *read))


def test_the_printer_writes_the_same_text():
    instances = [
        instance
        for row in TARGET.rows.values()
        if not row.labels
        for instance in instances_of(row, 2, seed=1)
    ]
    block = PlacedBlock(0, [_placed(instance) for instance in instances])
    printed = print_module([PlacedFunction("f", [block], [], 0, False)], [], TARGET)
    lines = [line.strip() for line in printed.splitlines()]
    first = lines.index("f:") + 1
    expected = [line for instance in instances for line in text_of(instance).splitlines()]
    assert lines[first : first + len(expected)] == expected
    assert lines[first + len(expected) :] == [line.strip() for line in TARGET.syntax.footer]
