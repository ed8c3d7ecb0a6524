"""Wrong text of machine functions: one change to a line of what selection or allocation gives.

Entry: `LEVELS`, `Level`, `text_of`, `mutant_of`, `Outcome`, `tried`.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alpha.backends.core.targets import instruction_set
from alpha.backends.toolchain.assembling import assemble
from alpha.backends.toolchain.finding import CHOICE, Toolchain, find_toolchain
from alpha.backends.toolchain.machines import machine_of
from alpha.tools.mains import alpha_opt, alpha_translate

SOURCE = """
"memref.global"() <{sym_name = "low", type = memref<4xi64>, sym_visibility = "private",
  initial_value = dense<[1, 2, 3, 4]> : tensor<4xi64>}> : () -> ()
"memref.global"() <{sym_name = "eax", type = memref<4xi64>, sym_visibility = "private",
  initial_value}> : () -> ()
func.func private @other(i64, f64) -> f64
func.func @walk(%p : memref<16xf64>, %n : index, %x : f64, %y : f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %m = memref.alloca() : memref<4xf64>
  memref.store %half, %m[%one] : memref<4xf64>
  %s = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (f64) {
    %v = memref.load %p[%i] : memref<16xf64>
    %w = arith.mulf %v, %half : f64
    %c = arith.cmpf olt, %w, %y : f64
    %b = arith.select %c, %w, %a : f64
    %d = arith.addf %a, %b : f64
    scf.yield %d : f64
  }
  %u = vector.load %p[%zero] : memref<16xf64>, vector<2xf64>
  %t = vector.broadcast %s : f64 to vector<2xf64>
  %q = arith.addf %u, %t : vector<2xf64>
  vector.store %q, %p[%zero] : memref<16xf64>, vector<2xf64>
  %k = arith.index_cast %n : index to i64
  %r = func.call @other(%k, %s) : (i64, f64) -> f64
  %e = memref.load %m[%one] : memref<4xf64>
  %f = arith.addf %r, %e : f64
  %g = arith.addf %f, %x : f64
  func.return %g : f64
}
func.func @whole(%a : i64, %b : i64, %i : index) -> i64 {
  %g = memref.get_global @low : memref<4xi64>
  %h = memref.get_global @eax : memref<4xi64>
  %w = memref.load %g[%i] : memref<4xi64>
  memref.store %w, %h[%i] : memref<4xi64>
  %q = arith.divsi %a, %b : i64
  %r = arith.shrsi %q, %w : i64
  %c = arith.cmpi slt, %r, %b : i64
  %d = arith.select %c, %q, %r : i64
  %e = scf.if %c -> (i64) {
    %f = arith.muli %d, %a : i64
    scf.yield %f : i64
  } else {
    %f = arith.subi %d, %a : i64
    scf.yield %f : i64
  }
  func.return %e : i64
}
"""

WAYS = {"x64": ("--emit-x86", "x86-64"), "a64": ("--emit-aarch64", "aarch64")}
FEATURES = {"x64": ("", "avx512"), "a64": ("",)}
_SELECT = ("--lower-memref", "--convert-scf-to-cf")


@dataclass(frozen=True)
class Level:
    """A text of a dialect, for some features, before allocation or after it."""

    dialect: str
    features: str
    allocated: bool


LEVELS = tuple(
    Level(dialect, features, allocated)
    for dialect in WAYS
    for features in FEATURES[dialect]
    for allocated in (False, True)
)


@dataclass(frozen=True)
class Outcome:
    """What a tool did with a text: its exit status, and what it wrote."""

    status: int
    out: str
    said: str


def ran(main: Callable[[list[str]], int], *arguments: str) -> Outcome:
    """Run a tool here."""
    out, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        status = main(list(arguments))
    return Outcome(status, out.getvalue(), said.getvalue())


def text_of(level: Level, folder: Path) -> str:
    """The text of this level."""
    source = folder / "source.mlir"
    source.write_text(SOURCE)
    chosen = f"--select-{level.dialect}" + (f"=features={level.features}" if level.features else "")
    passes = (*_SELECT, chosen, *["--allocate-registers"] * level.allocated)
    made = ran(alpha_opt.main, str(source), *passes)
    assert made.status == 0, made.said
    return made.out


@cache
def toolchain(dialect: str) -> Toolchain:
    """The tools of GNU for a dialect."""
    return find_toolchain(machine_of(WAYS[dialect][1]), {**os.environ, CHOICE: "gnu"})


def tried(text: str, dialect: str, folder: Path) -> tuple[Outcome, Outcome]:
    """What `alpha-opt` and `alpha-translate` do with a text; what they accept is assembled.

    Raises Failure for text that the assembler refuses.
    """
    file = folder / "mutant.mlir"
    file.write_text(text)
    read = ran(alpha_opt.main, str(file))
    emitted = ran(alpha_translate.main, WAYS[dialect][0], str(file))
    if emitted.status == 0:
        assemble(emitted.out, toolchain(dialect))
    return read, emitted


_NUMBER = re.compile(r"(?<![\w%^.$])-?\d+")
_VALUE = re.compile(r"%\d+")
_ROW = re.compile(r"\b([xa]64)\.(\w+)")
_WORD = re.compile(r'"[^"]*"')
_AREA = re.compile(r"\b(slot \d+|out|in)\b")
_KIND = re.compile(r" as \w+")
_NUMBERS = (-1, 0, 1, 2, 3, 4, 7, 15, 16, 17, 29, 30, 31, 32, 33, 63, 64, 99, -8, 1 << 20)
_LARGE = (
    1 << 31,
    -(1 << 31) - 1,
    1 << 32,
    99999999999,
    (1 << 63) - 1,
    1 << 63,
    -(1 << 63),
    1 << 70,
)
_WORDS = ("e", "zz", "eq", "nz", "ne", "other", "lit.00", "lit.0g", "_end", "a b", "", "rax", "x0")
_VIEWS = ("r64", "d", "s", "x", "y", "z", "k", "q", "v", "w", "r32", "odd")


OF_LINES = 0.12
"""How often whole lines are dropped, repeated or exchanged."""


def mutant_of(text: str, draw: random.Random) -> str:
    """The text with one change."""
    made = text
    while made == text:
        lines = text.splitlines()
        at = draw.choice([n for n, line in enumerate(lines) if "64." in line])
        if draw.random() < OF_LINES:
            draw.choice(_OF_LINES)(lines, at, draw)
        else:
            lines[at] = draw.choice(_IN_LINE)(lines[at], draw)
        made = "\n".join(lines) + "\n"
    return made


def _replaced(pattern: re.Pattern[str], line: str, draw: random.Random, other: str) -> str:
    """One of the places where a pattern stands gets another text."""
    found = list(pattern.finditer(line))
    if not found:
        return line
    place = draw.choice(found)
    return line[: place.start()] + other + line[place.end() :]


def _number(line: str, draw: random.Random) -> str:
    return _replaced(_NUMBER, line, draw, str(draw.choice(_NUMBERS * 2 + _LARGE)))


def _value(line: str, draw: random.Random) -> str:
    return _replaced(_VALUE, line, draw, f"%{draw.randrange(40)}")


def _row(line: str, draw: random.Random) -> str:
    found = _ROW.search(line)
    if found is None:
        return line
    rows = list(instruction_set(found[1]).dialect.operations)
    near = [name for name in rows if name[:3] == found[2][:3]]
    return _replaced(
        _ROW, line, draw, f"{found[1]}.{draw.choice(draw.choice((rows, near or rows)))}"
    )


def _word(line: str, draw: random.Random) -> str:
    return _replaced(_WORD, line, draw, f'"{draw.choice(_WORDS)}"')


def _area(line: str, draw: random.Random) -> str:
    return _replaced(_AREA, line, draw, draw.choice(("slot 0", "slot 1", "slot 9", "out", "in")))


def _kind(line: str, draw: random.Random) -> str:
    kind = draw.choice(("", " as move", " as again", " as frame", " as load", " as odd"))
    return _replaced(_KIND, line, draw, kind) if " as " in line else line + kind


def _operand(line: str, draw: random.Random) -> str:
    """One operand less, or twice."""
    pattern = draw.choice((_NUMBER, _VALUE))
    found = list(pattern.finditer(line))
    if not found:
        return line
    place = draw.choice(found)
    if draw.random() < 0.5:
        return line[: place.end()] + f", {place[0]}" + line[place.end() :]
    return line[: place.start()] + line[place.end() :].removeprefix(", ")


def _part(line: str, draw: random.Random) -> str:
    """An address with a part more or less."""
    part = draw.choice(("_ + ", "_ * 8 + ", "_ * 3 + ", "8 + ", '"low" + ', "slot 0 + ", ""))
    return line.replace("[", f"[{part}", 1) if part else line.replace("_ + ", "", 1)


def _type(line: str, draw: random.Random) -> str:
    return re.sub(r"reg<\w+>", f"reg<{draw.choice(_VIEWS)}>", line, count=1)


def _features(line: str, draw: random.Random) -> str:
    other = draw.choice(("avx512", "sha", "", "odd"))
    if "features" in line:
        return re.sub(r'"[^"]*"', f'"{other}"', line)
    return re.sub(r"(out \d+)", rf'\1 attributes {{features = "{other}"}}', line)


def _drop(lines: list[str], at: int, draw: random.Random) -> None:
    del lines[at]


def _twice(lines: list[str], at: int, draw: random.Random) -> None:
    lines.insert(draw.randrange(len(lines)), re.sub(r"^(\s*)%\d+", r"\1%99", lines[at]))


def _exchange(lines: list[str], at: int, draw: random.Random) -> None:
    other = draw.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


_IN_LINE = (_number, _number, _value, _row, _word, _area, _kind, _operand, _part, _type, _features)
_OF_LINES = (_drop, _twice, _exchange)
