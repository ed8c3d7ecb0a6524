"""The body of a kernel while it is read, and variables inside and outside of one.

Invariant: a kernel that is made names only what it declares, and can't run off its end.
Entry: `Body`, `variable`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.ptx.interpreter.faults import UnknownText
from alpha.backends.ptx.interpreter.matching import NAME, Unfit, matched, normal
from alpha.backends.ptx.interpreter.programs import Guard, Instruction, Kernel, Variable

_VIEWS: Mapping[str, str] = MappingProxyType(
    {
        ".pred": "p",
        ".b32": "w",
        ".u32": "w",
        ".s32": "w",
        ".b64": "x",
        ".u64": "x",
        ".s64": "x",
        ".f32": "s",
        ".f64": "d",
    }
)
"""The view of registers of a type: integers of one size are one type to every instruction here."""

_BYTES: Mapping[str, int] = MappingProxyType(
    {"b8": 1, "u8": 1, "b32": 4, "u32": 4, "f32": 4, "b64": 8, "u64": 8, "f64": 8}
)
_REGISTERS = re.compile(r"\.reg (\.[a-z0-9]+) (.+)")
_RANGE = re.compile(r"(%[A-Za-z0-9_$]+)(?:<([1-9][0-9]*)>)?")
_VARIABLE = re.compile(
    rf"\.(global|shared) (?:\.align ([0-9]+) )?\.([a-z0-9]+) ({NAME})"
    r"(?:\[([1-9][0-9]*)\])?(?: ?= ?\{([^{}]*)\})?"
)
_GUARD = re.compile(r"@(!?)(%[A-Za-z0-9_$]+) (?!bra )(.*)")
_UNGUARDED = frozenset({"barrier", "shuffle_down", "shuffle_bfly"})
"""What all threads take part in."""

SHARED_MAX = 48 << 10
"""The bytes that a block shares at most, where they are declared with a size."""

REGISTERS_MAX = 1 << 16


def variable(text: str, line: int) -> Variable:
    """Read the declaration of a variable, without its semicolon. Raises UnknownText."""
    shown = " ".join(text.split())
    found = _VARIABLE.fullmatch(normal(text))
    if found is None:
        raise UnknownText(line, shown, "no declaration that is known")
    space, alignment, type, name, count, data = found.groups()
    if type not in _BYTES:
        raise UnknownText(line, shown, f"no type .{type} of variables")
    bytes = _BYTES[type]
    aligned = int(alignment or bytes)
    if aligned & (aligned - 1) or not bytes <= aligned <= 128:
        raise UnknownText(line, shown, f"an alignment of {aligned}")
    total = bytes * int(count or 1)
    words = b""
    if data is not None:
        if space != "global" or bytes != 1:
            raise UnknownText(line, shown, "only bytes in global memory start with data")
        words = _data(data, total, line, shown)
    return Variable(name, space, aligned, total, words.ljust(total, b"\0"), line)


def _data(text: str, total: int, line: int, shown: str) -> bytes:
    words = text.split(",")
    if not all(re.fullmatch(r"0|[1-9][0-9]{0,2}|0[xX][0-9a-fA-F]{1,2}", word) for word in words):
        raise UnknownText(line, shown, "data are bytes")
    values = [int(word, 0) for word in words]
    if max(values) > 255:
        raise UnknownText(line, shown, f"{max(values)} is no byte")
    if len(values) > total:
        raise UnknownText(line, shown, f"{len(values)} bytes in {total}")
    return bytes(values)


class Body:
    """What is known of a kernel so far.

    Labels are known only at its end, so that instructions are matched then.
    """

    def __init__(self, parameters: tuple[str, ...], variables: Mapping[str, Variable]) -> None:
        self._parameters = parameters
        self._variables = dict(variables)
        self._registers: dict[str, tuple[int, str]] = {}
        self._labels: dict[str, int] = {}
        self._texts: list[tuple[int, str, str]] = []
        self._last = 0

    def label(self, name: str, line: int) -> None:
        """Read a label. Raises UnknownText for a second one of its name."""
        if name in self._labels:
            raise UnknownText(line, f"{name}:", "a second label of this name")
        self._labels[name] = len(self._texts)
        self._last = line

    def statement(self, text: str, line: int) -> None:
        """Read a declaration or an instruction, without its semicolon. Raises UnknownText."""
        shown = " ".join(text.split())
        self._last = line
        if shown.startswith(".reg "):
            self._declare(text, line, shown)
        elif shown.startswith(".shared "):
            made = variable(text, line)
            if made.name in self._variables or made.name in self._parameters:
                raise UnknownText(line, shown, f"a second {made.name}")
            self._variables[made.name] = made
        elif shown.startswith("."):
            raise UnknownText(line, shown, "no such directive in a kernel")
        else:
            self._texts.append((line, normal(text + ";"), f"{shown};"))

    def _declare(self, text: str, line: int, shown: str) -> None:
        found = _REGISTERS.fullmatch(normal(text))
        if found is None or found[1] not in _VIEWS:
            raise UnknownText(line, shown, "no type of registers that is known")
        for part in found[2].split(","):
            names = _RANGE.fullmatch(part)
            if names is None:
                raise UnknownText(line, shown, f"{part} declares no registers")
            stem, count = names.groups()
            made = [stem] if count is None else [f"{stem}{each}" for each in range(int(count))]
            for name in made:
                if name in self._registers or len(self._registers) >= REGISTERS_MAX:
                    raise UnknownText(line, shown, f"one register {name} too many")
                self._registers[name] = (len(self._registers), _VIEWS[found[1]])

    # What an instruction may name.

    def register(self, name: str, view: str) -> int:
        """The number of a register of this view; raises Unfit."""
        if name not in self._registers:
            raise Unfit(f"no register {name} is declared")
        number, declared = self._registers[name]
        if declared != view:
            raise Unfit(f"{name} is a register of another type")
        return number

    def symbol(self, name: str, space: str) -> str:
        """The name of a parameter or variable in this space; raises Unfit."""
        if space == "param":
            if name not in self._parameters:
                raise Unfit(f"no parameter {name}")
        elif name not in self._variables:
            raise Unfit(f"no variable {name}")
        elif space not in ("", self._variables[name].space):
            raise Unfit(f"{name} isn't in {space} memory")
        return name

    def label_place(self, name: str) -> int:
        """The number of the instruction behind a label; raises Unfit."""
        if name not in self._labels:
            raise Unfit(f"no label {name}")
        return self._labels[name]

    def kernel(self, name: str, threads: int, exact: bool) -> Kernel:
        """The kernel that has been read. Raises UnknownText."""
        instructions = tuple(self._instruction(*each) for each in self._texts)
        ends = instructions and instructions[-1].row.role in ("jump", "return")
        if not ends or instructions[-1].guard or len(self._texts) in self._labels.values():
            raise UnknownText(self._last, name, "a kernel runs off its end")
        shared = tuple(each for each in self._variables.values() if each.space == "shared")
        if sum(each.bytes for each in shared) > SHARED_MAX:
            raise UnknownText(shared[-1].line, name, f"more than {SHARED_MAX} bytes are shared")
        names = tuple(self._registers)
        views = tuple(view for _, view in self._registers.values())
        return Kernel(name, self._parameters, threads, exact, names, views, shared, instructions)

    def _instruction(self, line: int, text: str, shown: str) -> Instruction:
        guard = None
        try:
            found = _GUARD.fullmatch(text)
            if found is not None:
                guard = Guard(self.register(found[2], "p"), not found[1])
                text = found[3]
            made = matched(text, self)
            if guard is not None and made.row.name in _UNGUARDED:
                raise Unfit("all threads take part, and no predicate says which")
        except Unfit as unfit:
            raise UnknownText(line, shown, str(unfit)) from None
        return Instruction(made.row, line, shown, made.writes, made.reads, made.target, guard)
