"""Assembly text of placed functions and data: the product of a back end.

A branch names the block that it takes and the one it goes on to; what comes next in the text is not
jumped to. In a function that is longer than a conditional branch gets, each of them goes to a jump
behind it. Constants of the literal pool are named by their bytes and stand in the text once.

Entry: `print_module`, `Data`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from alpha.backends.core.names import literal_content
from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.program import Address, Extra
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Word
from alpha.backends.core.target import Syntax, Target


@dataclass(frozen=True)
class Data:
    """Bytes at a name, given ones or zeros (None); what isn't `writable` never changes."""

    name: str
    alignment: int
    content: bytes | None
    size: int
    exported: bool
    writable: bool


def print_module(
    functions: Sequence[PlacedFunction],
    data: Iterable[Data],
    target: Target,
    show_source: bool = False,
) -> str:
    """The text of functions, which have their frames, and of data.

    With `show_source`, a comment stands before each group of instructions that come from one
    operation of the source.
    """
    data = list(data)
    used: dict[str, None] = {}
    body: list[str] = []
    for function in functions:
        body += _Printer(function, target, show_source, used).lines()
    literals = [
        _literal(name, content) for name in used if (content := literal_content(name)) is not None
    ]
    body += _data_lines([*data, *literals], target.syntax)
    exported = [each.name for each in (*functions, *data) if each.exported]
    defined = {each.name for each in (*functions, *data, *literals)}
    aliases = target.syntax.aliases(exported, [name for name in used if name not in defined])
    lines = [*target.syntax.header, *aliases, *body, *target.syntax.footer]
    return "\n".join(lines) + "\n"


def _literal(symbol: str, content: bytes) -> Data:
    return Data(symbol, max(4, len(content)), content, len(content), False, False)


def _data_lines(data: Sequence[Data], syntax: Syntax) -> list[str]:
    """Constants go to a section that nothing may write, zeros to one that takes no file space."""
    lines: list[str] = []
    for section, writable in ((".section .rodata", False), (".data", True)):
        given = [each for each in data if each.content is not None and each.writable == writable]
        lines += [section] if given else []
        # The largest alignment first, so that nothing has to be filled up.
        for each in sorted(given, key=lambda each: -each.alignment):
            lines += _labelled(each, syntax)
            content = each.content or b""
            for first in range(0, len(content), 16):
                row = ", ".join(f"0x{byte:02x}" for byte in content[first : first + 16])
                lines.append(f"  .byte {row}")
    zeros = [each for each in data if each.content is None]
    lines += [".bss"] if zeros else []
    for each in zeros:
        lines += _labelled(each, syntax)
        # Assemblers warn of no bytes at all.
        lines += [f"  .zero {each.size}"] if each.size else []
    return lines


def _labelled(data: Data, syntax: Syntax) -> list[str]:
    name = syntax.symbol(data.name)
    lines = [f"  .balign {data.alignment}"]
    if data.exported:
        lines.append(f"  .globl {name}")
    return [*lines, f"{name}:"]


def threaded(function: PlacedFunction) -> PlacedFunction:
    """The function without blocks that only jump: whoever went there goes on at once."""
    blocks = function.blocks
    ends = [_end(blocks, number) for number in range(len(blocks))]
    reached = {0}
    pending = [0]
    while pending:
        for target in blocks[pending.pop()].targets:
            if ends[target] not in reached:
                reached.add(ends[target])
                pending.append(ends[target])
    kept = [number for number in range(len(blocks)) if number in reached]
    numbers = {number: position for position, number in enumerate(kept)}
    made = [
        replace(blocks[number], targets=[numbers[ends[t]] for t in blocks[number].targets])
        for number in kept
    ]
    return replace(function, blocks=made)


def _end(blocks: Sequence[PlacedBlock], number: int) -> int:
    """Where control is after jumps alone; a block that jumps to itself in the end is its own."""
    seen = {number}
    while _only_jumps(blocks[number]):
        following = blocks[number].targets[0]
        if following in seen:
            break
        seen.add(following)
        number = following
    return number


def _only_jumps(block: PlacedBlock) -> bool:
    return len(block.instructions) == 1 and block.instructions[0].instruction.row.role == "jump"


class _SpelledRegister:
    """A register in the text; a view behind a colon gives it another width."""

    def __init__(self, view: View, number: int, target: Target) -> None:
        self._view, self._number, self._target = view, number, target

    def __format__(self, spec: str) -> str:
        view = self._target.views[spec] if spec else self._view
        return view.spelled[self._number]


class _SpelledAddress:
    """An address in the text; what the row says behind a colon goes to the syntax."""

    def __init__(self, address: Address, registers: Sequence[str], syntax: Syntax) -> None:
        self._address, self._registers, self._syntax = address, registers, syntax

    def __format__(self, spec: str) -> str:
        return self._syntax.address(self._address, self._registers, spec)


class _Printer:
    def __init__(
        self,
        function: PlacedFunction,
        target: Target,
        show_source: bool,
        used: dict[str, None],
    ) -> None:
        self._function, self._target, self._show_source = threaded(function), target, show_source
        self._used = used
        self._jumped: set[int] = set()
        self._far = False
        """Whether conditional branches may not get to where they go."""
        self._jump = next(row for row in target.rows.values() if row.role == "jump")

    def lines(self) -> list[str]:
        """The function, from its name to its last instruction."""
        body = self._blocks()
        reach = self._target.syntax.reach
        if reach is not None and sum(map(len, body)) > reach:
            self._far = True
            body = self._blocks()
        name = self._target.syntax.symbol(self._function.name)
        lines = ["", ".text", "  .balign 16"]
        if self._function.exported:
            lines += [f"  .globl {name}", f"  .type {name}, %function"]
        lines.append(f"{name}:")
        for number, each in enumerate(body):
            if number in self._jumped:
                lines.append(f"{self._label(number)}:")
            lines += each
        if self._function.exported:
            lines.append(f"  .size {name}, . - {name}")
        return lines

    def _blocks(self) -> list[list[str]]:
        return [self._block_lines(*each) for each in enumerate(self._function.blocks)]

    def _label(self, block: int) -> str:
        self._jumped.add(block)
        return f".L{self._function.name}.{block}"

    def _block_lines(self, number: int, block: PlacedBlock) -> list[str]:
        lines: list[str] = []
        origin = ""
        for placed in block.instructions:
            if placed.instruction.row.labels:
                made = self._leaving(placed, block.targets, number)
            else:
                made = self._text(placed, {}).splitlines()
            said = " ".join(placed.instruction.origin.split())
            # What goes on to the next block as it is has no text, and nothing is said of it.
            if self._show_source and said and said != origin and made:
                lines.append(f"  {self._target.syntax.comment} {said}")
                origin = said
            lines += made
        return [line if line.startswith("  ") else f"  {line}" for line in lines]

    def _leaving(self, placed: Placed, targets: Sequence[int], number: int) -> list[str]:
        """The end of a block: jumps, but to what comes next in the text."""
        row, following = placed.instruction.row, number + 1
        labels = [slot.name for slot in row.reads if slot.kind == Word("label")]
        if row.role == "jump":
            if targets[0] == following:
                return []
            return self._text(placed, {labels[0]: self._label(targets[0])}).splitlines()
        taken, other = targets
        if self._far:
            near = f"{self._label(number)}.far"
            lines = self._text(placed, {labels[0]: near}).splitlines()
            return [*lines, self._jump_to(other), f"{near}:", self._jump_to(taken)]
        inverse = ""
        conditions = [slot.name for slot in row.reads if slot.kind == Word("cond")]
        if taken == following and conditions and other != following:
            taken, other, inverse = other, taken, conditions[0]
        lines = self._text(placed, {labels[0]: self._label(taken)}, inverse).splitlines()
        if other != following:
            lines.append(self._jump_to(other))
        return lines

    def _jump_to(self, block: int) -> str:
        return self._jump.text.format_map({self._jump.reads[0].name: self._label(block)})

    def _text(self, placed: Placed, labels: dict[str, str], inverse: str = "") -> str:
        """A row's text with its operands; `inverse` names the condition that is turned round."""
        instruction = placed.instruction
        operands: dict[str, object] = dict(labels)
        for slot, number in zip(instruction.row.defs, placed.written, strict=False):
            operands[slot.name] = self._register(slot.kind, number)
        read = placed.read
        registers: dict[str, Sequence[int]] = {}
        for slot, first, count in instruction.read_slots():
            registers[slot.name] = read[first : first + count]
            if slot.is_register:
                operands[slot.name] = self._register(slot.kind, read[first])
        for slot, extra in zip(instruction.row.extras, instruction.extras, strict=True):
            operands[slot.name] = self._extra(extra, registers.get(slot.name, ()), slot.kind)
        if inverse:
            operands[inverse] = self._target.syntax.inverse(str(operands[inverse]))
        return instruction.row.text.format_map(operands)

    def _extra(self, extra: Extra, registers: Sequence[int], kind: object) -> object:
        if isinstance(extra, Address):
            if extra.area == "symbol":
                extra = extra._replace(symbol=self._symbol(extra.symbol))
            pointers = self._target.views[self._target.convention.kept_view["gpr"]]
            names = [pointers.spelled[number] for number in registers]
            return _SpelledAddress(extra, names, self._target.syntax)
        if kind == Word("symbol"):
            return self._symbol(str(extra))
        return extra

    def _symbol(self, name: str) -> str:
        self._used[name] = None
        return self._target.syntax.symbol(name)

    def _register(self, kind: object, number: int) -> _SpelledRegister:
        assert isinstance(kind, View)
        return _SpelledRegister(kind, number, self._target)
