"""The lines of a text and those of a disassembler, in one spelling.

A disassembler prefers some aliases to what stood in the text, and writes numbers in its own way;
each such choice is a case of `line_meant`. Everything else has to agree.

Entry: `line_meant`, `line_read`.
"""

from __future__ import annotations

import re

_NUMBER = re.compile(r"#(-?(?:0x[0-9a-f]+|\d+))(?![.\d])")
_TARGET = re.compile(r"\b[0-9a-f]+ <(\w+)>")
_MOVED = re.compile(r"mov([zn]) (\w)(\w+), #(\d+)(?:, lsl #(\d+))?")
_ADDED = re.compile(r"(add|sub|cmp) (.*), #(-?\d+)")
_LOGIC = re.compile(r"(and|orr|eor|tst|mov) ((?:(\w)\w+, )+)#(-?\d+)")
_ACCESS = re.compile(r"(ld|st)(rs?[bhw]?) (\w)\w+, \[\w+, #(-?\d+)\]")
_SAME_TWICE = re.compile(r"(orr) (v\d+\.\d+b), (v\d+\.\d+b), \3")
_ENDING_SHIFT = re.compile(r", lsl #0$")

_OPPOSITE = {"add": "sub", "sub": "add", "cmp": "cmn"}
_WIDTHS = {"x": 8, "w": 4, "d": 8, "s": 4, "q": 16}
_PARTS = {"b": 1, "h": 2, "w": 4}
_CONDITIONS = {"hs": "cs", "lo": "cc"}


def line_read(line: str) -> str:
    """A line of the disassembler, with what its relocation puts in."""
    shown = line[9:].split("//")[0].split(" R_AARCH64_")
    text = _decimal(_TARGET.sub(r"\1", " ".join(shown[0].split())))
    if len(shown) == 1:
        return text
    kind, place = shown[1].split()
    if "+" in place or "-0x" in place:
        name, offset = re.fullmatch(r"(\w+)([+-]0x[0-9a-f]+)", place).groups()  # pyright: ignore
        place = f"{name}{int(offset, 16):+d}"
    if kind == "ADD_ABS_LO12_NC":
        return text.replace("#0", f":lo12:{place}")
    if kind.startswith("LDST"):
        return text.replace("]", f", :lo12:{place}]")
    return re.sub(r"\w+$", place, text)


def line_meant(line: str) -> str:
    """A line of a row's text, as the disassembler prefers to write it."""
    line = _decimal(line)
    if moved := _MOVED.fullmatch(line):
        return _as_move(line, moved)
    line = _ENDING_SHIFT.sub("", line)
    if added := _ADDED.fullmatch(line):
        return _as_sum(*added.groups())
    if logic := _LOGIC.fullmatch(line):
        bits = 64 if logic[3] == "x" else 32
        return f"{logic[1]} {logic[2]}#{int(logic[4]) % (1 << bits)}"
    if access := _ACCESS.fullmatch(line):
        part = access[2].lstrip("rs")
        width = _PARTS[part] if part else _WIDTHS[access[3]]
        offset = int(access[4])
        if offset < 0 or offset % width:
            return line.replace(access[1] + access[2], access[1] + "u" + access[2], 1)
        return line
    line = _SAME_TWICE.sub(r"mov \2, \3", line)
    line = re.sub(r"^lsl (\w+, \w+, #0)$", r"lsr \1", line)
    line = re.sub(r"^extr (\w+), (\w+), \2, ", r"ror \1, \2, ", line)
    return re.sub(r"(?<=, )(hs|lo)$|(?<=^b\.)(hs|lo)", lambda found: _CONDITIONS[found[0]], line)


def _decimal(text: str) -> str:
    return _NUMBER.sub(lambda found: f"#{int(found[1], 0)}", text)


def _as_move(line: str, moved: re.Match[str]) -> str:
    """`mov` with the whole constant, unless that is said by other bits too."""
    how, view, number, part, at = moved.groups()
    shift = int(at or 0)
    if part == "0" and shift:
        return line
    mask = (1 << (64 if view == "x" else 32)) - 1
    value = int(part) << shift
    if how == "n":
        value = ~value & mask
        if view == "w" and int(part) == 0xFFFF:
            return line
    return f"mov {view}{number}, #{value}"


def _as_sum(name: str, operands: str, number: str) -> str:
    """With an immediate that isn't negative, and its shift apart."""
    value = int(number)
    if value < 0:
        name, value = _OPPOSITE[name], -value
    if value == 0 and "sp" in operands and name in ("add", "sub"):
        return f"mov {operands}"
    shifted = f"{value >> 12}, lsl #12" if value > 4095 else str(value)
    return f"{name} {operands}, #{shifted}"
