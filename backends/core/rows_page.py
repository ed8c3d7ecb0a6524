"""The page of an instruction set: every row with its operands, text and needs.

Invariant: the page says nothing that the rows don't, and operands as the signatures of `rows` do.
Entry: `rows_page`, `signature_of`, `shown_text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec

from alpha.backends.core.registers import View
from alpha.backends.core.rows import Immediate, Kind, Memory, Row, Slot

PARTS = ("integers", "memory", "scalars", "vectors", "control")
"""The modules of rows that an instruction set has, in the order of the page; PTX has no vectors."""

_LEGEND = """\
Operands read as an assignment: what is written, then what is read, each with its kind: a view of
a register, `memN` for N bytes at an address (`mem0` the address itself), the range of an immediate.
Behind it, `/a` says that it lies in the register of `a`, `@rcx` in that register, `!` that it is
written before everything is read, and `?` that only the lanes of a mask are touched. The lines of a
row stay together. Each row has a meaning in Python"""

COMPARED = "which tests compare with the processor"


def rows_page(title: str, package: str, meant: str = COMPARED) -> str:
    """The page of an instruction set whose folder is this package, as `alpha.backends.x86`.

    `meant` says what becomes of the meanings of its rows.
    """
    lines = [
        f"# Instructions of {title}",
        "",
        f"Generated from the tables in `{_folder(package)}/rows/` by `make docs`. A row is one",
        "instruction, or a few, as the back end knows it.",
        *_LEGEND.splitlines()[:-1],
        f"{_LEGEND.splitlines()[-1]}, {meant}.",
    ]
    for part in PARTS:
        if find_spec(f"{package}.rows.{part}") is None:
            continue
        module = import_module(f"{package}.rows.{part}")
        heading, _, _ = (module.__doc__ or part).partition("\n")
        lines += ["", f"## {heading.rstrip('.')}", "", *_table(module.ROWS)]
    return "\n".join(lines) + "\n"


def _folder(package: str) -> str:
    return package.removeprefix("alpha.").replace(".", "/")


def _table(rows: Sequence[Row]) -> Iterator[str]:
    yield "| row | operands | text | needs |"
    yield "| --- | --- | --- | --- |"
    for row in rows:
        text = "<br>".join(f"`{line}`" for line in shown_text(row).splitlines())
        clobbers = ", ".join(dict.fromkeys(f"{each.of} {each.number}" for each in row.clobbers))
        needs = [row.feature, f"clobbers {clobbers}" if clobbers else ""]
        cells = (f"`{row.name}`", f"`{signature_of(row)}`", text, "; ".join(filter(None, needs)))
        yield f"| {' | '.join(cells)} |"


def signature_of(row: Row) -> str:
    """What a row writes and reads, in the form in which rows are declared."""
    written, read = (", ".join(map(_slot, slots)) for slots in (row.writes, row.reads))
    return f"{written} = {read}".strip()


def _slot(slot: Slot) -> str:
    tied = f"/{slot.tied}" if slot.tied else ""
    fixed = f"@{slot.fixed}" if slot.fixed else ""
    marks = "!" * slot.early + "?" * slot.partial
    return f"{slot.name}:{_kind(slot.kind)}{tied}{fixed}{marks}"


def _kind(kind: Kind) -> str:
    if isinstance(kind, View):
        return kind.name
    if isinstance(kind, Memory):
        return f"mem{kind.bytes}"
    if isinstance(kind, Immediate):
        step = f" by {kind.step}" if kind.step != 1 else ""
        return f"{_power(kind.low)}..{_power(kind.high)}{step}"
    return kind.role


def _power(value: int) -> str:
    """A number in the text: a power of two, or one less, where that is shorter."""
    for shown, exponent in ((value, ""), (value + 1, "-1")):
        magnitude = abs(shown)
        if magnitude > 1 << 15 and magnitude & (magnitude - 1) == 0:
            return f"{'-' * (shown < 0)}2^{magnitude.bit_length() - 1}{exponent}"
    return str(value)


class _Named:
    """An operand by its name, in another view as `d:r8`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __format__(self, spec: str) -> str:
        return f"{self._name}:{spec}" if spec else self._name


def shown_text(row: Row) -> str:
    """The row's text with the names of its operands."""
    return row.text.format_map({slot.name: _Named(slot.name) for slot in row.slots})
