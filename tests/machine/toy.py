"""A toy instruction set that has every kind of constraint, with as few registers as one asks for.

Entry: `toy`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from alpha.backends.core.carriers import MachineCarrier, Partial
from alpha.backends.core.meanings import wrapped
from alpha.backends.core.placed import Placed
from alpha.backends.core.program import Address, Instruction
from alpha.backends.core.registers import Register, RegisterClass, View
from alpha.backends.core.rows import Row, row
from alpha.backends.core.target import Convention, Moves, Syntax, Target

KEPT = 2
"""How many of the last registers a call keeps."""


def toy(count: int) -> Target:
    """A target with `count` registers to allocate in each of two classes; one more is the pointer.

    Calls take arguments in the first two general registers and the first vector register, and keep
    the last two (of a vector the low 8 bytes).
    """
    gpr, vec = RegisterClass("gpr", count + 1), RegisterClass("vec", count)
    views = {
        view.name: view
        for view in (
            View("r", gpr, 8, tuple(f"r{n}" for n in range(count + 1))),
            View("h", gpr, 4, tuple(f"h{n}" for n in range(count + 1))),
            View("d", vec, 8, tuple(f"d{n}" for n in range(count))),
            View("v", vec, 16, tuple(f"v{n}" for n in range(count))),
        )
    }
    numbers = tuple(range(count))
    convention = Convention(
        arguments={"gpr": (0, 1), "vec": (0,)},
        results={"gpr": (0,), "vec": (0,)},
        kept={"gpr": numbers[-KEPT:], "vec": numbers[-KEPT:]},
        free={"gpr": numbers, "vec": numbers},
        kept_view={"gpr": "r", "vec": "d"},
        stack_pointer=Register("gpr", count),
        alignment=16,
        bytes_at_entry=8,
    )
    rows = {each.name: each for each in _rows(views)}
    moves = Moves(
        move={view: rows[f"move_{view}"] for view in views},
        store={view: rows[f"store_{view}"] for view in views},
        load={view: rows[f"load_{view}"] for view in views},
        swap={
            name: rows["swap_r" if view.of.name == "gpr" else "swap_v"]
            for name, view in views.items()
        },
    )

    def frame(by: int) -> list[Placed]:
        made = Instruction(rows["add_imm"], [0], [0], (by,))
        return [Placed(made, (count, count), "frame")]

    def view_of(key: str) -> str:
        return {"i64": "r", "i32": "h", "f64": "d", "2xf64": "v"}[key]

    return Target(
        f"toy{count}",
        "toy",
        (gpr, vec),
        views,
        rows,
        convention,
        moves,
        Syntax(_address, str, lambda cond: f"not {cond}", (), (), "#"),
        frame,
        view_of,
        lambda row, address: True,
    )


def _address(address: Address, registers: Any, spec: str) -> str:
    del spec
    return f"[{' + '.join(registers)} * {address.scale} + {address.offset}]"


def _rows(views: dict[str, View]) -> list[Row]:
    def make(name: str, signature: str, meaning: Callable[..., Any], **more: Any) -> Row:
        _, _, right = signature.partition("=")
        text = f"{name} " + ", ".join(
            f"{{{part.split(':')[0].strip()}}}"
            for part in (signature.partition("=")[0] + "," + right).split(",")
            if part.strip()
        )
        return row(views, name, signature, text, meaning, **more)

    add, sub = wrapped(lambda a, b: a + b, 64), wrapped(lambda a, b: a - b, 64)
    clobbers = ["r2", "r3"]
    made = [
        make("add", "d:r = a:r, b:r", add, commutes="a b"),
        make("add_imm", "d:r = a:r, i:immS32", add),
        make("add_tied", "d:r/a = a:r, b:r", add, commutes="a b"),
        make("sub_tied", "d:r/a = a:r, b:r", sub),
        make("sub_early", "d:r! = a:r, b:r", sub),
        make("early_tied", "d:r/a! = a:r, b:r", sub),
        make("add_half", "d:h = a:h, b:h", wrapped(lambda a, b: a + b, 32)),
        make("shift", "d:r/a = a:r, n:r@r2", wrapped(lambda a, n: a << (n & 63), 64)),
        make("divide", "q:r@r0, m:r@r1 = a:r@r0, b:r", _divided),
        make("twice", "c:r, d:r = a:r", lambda c, a: (a, wrapped(lambda b: 2 * b, 64)(c, a))),
        make("trash", "d:r = a:r", lambda c, a: a, clobbers=clobbers),
        make("lower", "d:h = a:r", lambda c, a: a & 0xFFFF_FFFF),
        make("constant", "d:r = i:immS32", wrapped(lambda i: i, 64), role="constant"),
        make("lossy", "d:r = i:immS32", wrapped(lambda i: i, 64), role="constant", clobbers=["r3"]),
        make("load", "d:r = m:mem8", _loaded(64)),
        make("load_half", "d:h = m:mem4", _loaded(32)),
        make("store", "m:mem8 = s:r", _stored(64)),
        make("vadd", "d:v = a:v, b:v", lambda c, a, b: c.apply("arith.addf", "f64", a, b)),
        make("vadd_tied", "d:v/a = a:v, b:v", lambda c, a, b: c.apply("arith.addf", "f64", a, b)),
        make("dadd", "d:d = a:d, b:d", lambda c, a, b: c.apply("arith.addf", "f64", a, b)),
        make("low", "d:d = a:v", lambda c, a: c.resized(a, 8)),
        make("bits", "d:r = a:d", lambda c, a: int(c.integers(a, 64)[0])),
        make("vload", "d:v = m:mem16", _same),
        make("vstore", "m:mem16 = s:v", _same),
        make("vload_partly", "d:v = k:r, m:mem16?", _loaded_partly),
        make("vstore_partly", "m:mem16? = k:r, s:v", _stored_partly),
        make("where", "d:r = m:mem0", _same),
    ]
    for view in views:
        bytes, general = views[view].bytes, view in "rh"
        stored = _stored(8 * bytes) if general else _same
        loaded = _loaded(8 * bytes) if general else _same
        made += [
            make(f"move_{view}", f"d:{view} = s:{view}", _same, role="move"),
            make(f"store_{view}", f"m:mem{bytes} = s:{view}", stored),
            make(f"load_{view}", f"d:{view} = m:mem{bytes}", loaded),
        ]
    for view in ("r", "v"):
        signature = f"c:{view}/a, d:{view}/b = a:{view}, b:{view}"
        made.append(make(f"swap_{view}", signature, lambda c, a, b: (b, a), role="swap"))
    return [
        *made,
        make("jump", "= to:label", lambda c: 0, role="jump"),
        make("branch", "= a:r, yes:label, no:label", lambda c, a: 0 if a else 1, role="branch"),
        make("call", "= f:symbol", lambda c, f: None, role="call", clobbers=[]),
        make("return", "=", lambda c: None, role="return"),
        make("stop", "= a:r@r0", lambda c, a: None, role="stop"),
    ]


def _same(c: object, value: Any) -> Any:
    return value


def _loaded(bits: int) -> Callable[..., int]:
    return lambda c, m: int(c.integers(m, bits)[0])


def _stored(bits: int) -> Callable[..., Any]:
    dtype = np.dtype(f"<u{bits // 8}")
    return lambda c, s: c.of_integers(np.array([s], dtype))


def _loaded_partly(c: MachineCarrier, k: int, m: Any) -> Any:
    zeros = c.of_integers(np.zeros(2, np.uint64))
    return c.select(c.truths_of(k, 2), m, zeros, "f64")


def _stored_partly(c: MachineCarrier, k: int, s: Any) -> Partial:
    return Partial(s, c.truths_of(k, 2), 64)


def _divided(c: object, a: int, b: int) -> tuple[int, int]:
    return (a // b, a % b) if b else (0, a)
