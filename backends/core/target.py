"""A target: all that the core sees of an instruction set.

Entry: `Target`, `Convention`, `Moves`, `Syntax`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from alpha.backends.core.placed import Placed
from alpha.backends.core.program import Address
from alpha.backends.core.registers import Register, RegisterClass, View
from alpha.backends.core.rows import Row


@dataclass(frozen=True)
class Convention:
    """How functions are called, by class of register.

    `arguments` and `results` are the numbers that carry them, in order; further arguments lie on
    the stack, 8 bytes each. `kept` are those that a function has to leave as they were. `free` is
    the order in which the allocator takes registers; what isn't in it is never allocated.
    `bytes_at_entry` lie between the stack pointer at entry and the first argument on the stack.
    `kept_view` is the view by which a kept register of a class is saved: a wider value isn't kept.
    """

    arguments: Mapping[str, tuple[int, ...]]
    results: Mapping[str, tuple[int, ...]]
    kept: Mapping[str, tuple[int, ...]]
    free: Mapping[str, tuple[int, ...]]
    kept_view: Mapping[str, str]
    stack_pointer: Register
    alignment: int
    bytes_at_entry: int

    def clobbered(self) -> tuple[Register, ...]:
        """What a call may change: everything that can be allocated and isn't kept."""
        return tuple(
            Register(of, number)
            for of, numbers in self.free.items()
            for number in numbers
            if number not in self.kept.get(of, ())
        )


@dataclass(frozen=True)
class Moves:
    """The rows that move a value and that swap two, by the name of the view, of two of the wider.

    `store` is `m:memN = s:VIEW`, `load` is `d:VIEW = m:memN`, `move` is `d:VIEW = s:VIEW`, `swap`
    has the signature `c:VIEW/a, d:VIEW/b = a:VIEW, b:VIEW` for a view that is as wide or wider, and
    needs no other register.
    """

    move: Mapping[str, Row]
    store: Mapping[str, Row]
    load: Mapping[str, Row]
    swap: Mapping[str, Row]


@dataclass(frozen=True)
class Syntax:
    """How the assembly text is written.

    `address` spells an address, given the names of its registers (base, then index) and the format
    spec that the row's text has for it; no area but "symbol" is left in it. `symbol` spells a name
    of the module so that the assembler takes it for no keyword. `inverse` is the condition that
    holds exactly where this one doesn't. `header` opens the file, `footer` closes it.
    """

    address: Callable[[Address, Sequence[str], str], str]
    symbol: Callable[[str], str]
    inverse: Callable[[str], str]
    header: Sequence[str]
    footer: Sequence[str]
    comment: str
    aliases: Callable[[Iterable[str], Iterable[str]], Sequence[str]] = lambda exported, outside: ()
    """The lines that give names their meaning where `symbol` spells them in another way: of those
    that the file exports, then of those it names and doesn't define."""
    takes: Callable[[Row, Address], bool] = lambda row, address: True
    """Whether a row can be written with this address at all, whatever it costs."""
    conditions: Callable[[Row], Collection[str]] = lambda row: ()
    """The conditions that a row can be written with."""
    reach: int | None = None
    """Over how many lines of text a conditional branch gets, None where the assembler finds a form
    that gets anywhere. A jump gets through every function."""


@dataclass(frozen=True)
class Target:
    """An instruction set, for the core."""

    name: str
    dialect: str
    classes: tuple[RegisterClass, ...]
    views: Mapping[str, View]
    rows: Mapping[str, Row]
    convention: Convention
    moves: Moves
    syntax: Syntax
    frame: Callable[[int], Sequence[Placed]]
    """What adds so many bytes to the stack pointer, or takes them off where negative."""
    view_of: Callable[[str], str]
    """The view of a value by the short name of its type (`selection.keys`), as "f64" or "8xf64".
    Raises KeyError where it has none."""
    holds: Callable[[Row, Address], bool]
    """Whether a row can hold an address of this shape; parts of the frame have unknown offsets."""
