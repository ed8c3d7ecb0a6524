"""A small instruction set for the tests of allocation: all constraints, few registers.

The machine has six general registers (e and f are kept by calls), four vector registers (w is kept,
its low 8 bytes only) and three mask registers. What an instruction computes is a hash of all that
it reads, so that a wrong word is seen wherever it goes; see `runs`.
"""

from __future__ import annotations

from alpha.backends.core.registers import Register, RegisterClass, View
from alpha.backends.core.rows import Row, row
from alpha.backends.core.target import Convention, Moves, Syntax, Target

GPR, VEC, MASK = RegisterClass("gpr", 7), RegisterClass("vec", 4), RegisterClass("mask", 3)
VIEWS = {
    view.name: view
    for view in (
        View("g", GPR, 8, ("a", "b", "c", "d", "e", "f", "sp")),
        View("v", VEC, 16, ("x", "y", "z", "w")),
        View("s", VEC, 8, ("sx", "sy", "sz", "sw")),
        View("m", MASK, 2, ("m0", "m1", "m2")),
    )
}

_SIGNATURES = {
    # name: (signature, role, clobbers, commutes)
    "none": ("d:g =", "plain", "", ""),
    "const": ("d:g = i:immU16", "constant", "", ""),
    "vconst": ("d:v = i:immU16", "constant", "", ""),
    "add3": ("d:g = a:g, b:g", "plain", "", ""),
    "add2": ("d:g/a = a:g, b:g", "plain", "", "a b"),
    "sub2": ("d:g/a = a:g, b:g", "plain", "", ""),
    "fma": ("d:v/a = a:v, b:v, c:v", "plain", "", ""),
    "vadd": ("d:v = a:v, b:v", "plain", "", ""),
    "vnew": ("d:v = a:g", "plain", "", ""),
    "snew": ("d:s = a:g", "plain", "", ""),
    "sadd": ("d:s/a = a:s, b:s", "plain", "", "b a"),
    "vget": ("d:g = a:v, b:s", "plain", "", ""),
    "mnew": ("d:m = a:g", "plain", "", ""),
    "mand": ("d:m = a:m, b:m", "plain", "", ""),
    "blend": ("d:v = a:v, b:v, k:m", "plain", "", ""),
    "shift": ("d:g/a = a:g, n:g@c", "plain", "", ""),
    "div": ("q:g@a, r:g@d = n:g@a, h:g@d, b:g", "plain", "", ""),
    "mulhi": ("h:g@d, l:g@a = x:g@a, y:g", "plain", "b", "x y"),
    "early": ("d:g! = a:g, b:g", "plain", "", ""),
    "early2": ("d:g/a!, e:g! = a:g, b:g", "plain", "", ""),
    "grind": ("d:g/a@b! = a:g, b:g", "plain", "", ""),
    "pair": ("d:g/a, e:g/b = a:g, b:g", "plain", "", ""),
    "both": ("d:g, e:g = a:g", "plain", "", ""),
    "same": ("d:g@b = a:g@c, b:g@c", "plain", "", ""),
    "scratch": ("= a:g", "plain", "b c", ""),
    "outside": ("d:g@d = a:g@c, b:g", "plain", "d", ""),
    "trio": ("d:g!, e:g! = a:g", "plain", "", ""),
    "messy": ("d:g = a:g, b:g", "plain", "a e", ""),
    "halve": ("q:g@a, r:g@d! = n:g@a, b:g", "plain", "", ""),
    "split": ("d:g/a, e:g@b = a:g, b:g", "plain", "", ""),
    "probe": ("= a:g@c, b:g", "plain", "c", ""),
    "effect": ("= a:g", "plain", "", ""),
    "veffect": ("= a:v", "plain", "", ""),
    "poke": ("m:mem8 = s:g", "plain", "", ""),
    "peek": ("d:g = m:mem8", "plain", "", ""),
    "call": ("=", "call", "", ""),
    "jump": ("= t:label", "jump", "", ""),
    "branch": ("= a:g, t:label, o:label", "branch", "", ""),
    "leave": ("= a:g, t:label", "branch", "", ""),
    "count": ("d:g/a = a:g, t:label, o:label", "branch", "", ""),
    "halt": ("=", "stop", "", ""),
    "ret": ("= a:g@a", "return", "", ""),
    "move_g": ("d:g = s:g", "move", "", ""),
    "move_v": ("d:v = s:v", "move", "", ""),
    "move_s": ("d:s = s:s", "move", "", ""),
    "move_m": ("d:m = s:m", "move", "", ""),
    "store_g": ("p:mem8 = s:g", "plain", "", ""),
    "store_v": ("p:mem16 = s:v", "plain", "", ""),
    "store_s": ("p:mem8 = s:s", "plain", "", ""),
    "store_m": ("p:mem2 = s:m", "plain", "", ""),
    "load_g": ("d:g = p:mem8", "plain", "", ""),
    "load_v": ("d:v = p:mem16", "plain", "", ""),
    "load_s": ("d:s = p:mem8", "plain", "", ""),
    "load_m": ("d:m = p:mem2", "plain", "", ""),
    "swap_gpr": ("c:g/a, d:g/b = a:g, b:g", "swap", "", ""),
    "swap_vec": ("c:v/a, d:v/b = a:v, b:v", "swap", "", ""),
    "swap_mask": ("c:m/a, d:m/b = a:m, b:m", "swap", "", ""),
}


def _row(name: str) -> Row:
    signature, role, clobbers, commutes = _SIGNATURES[name]
    operands = [each.split(":")[0].strip() for each in signature.replace("=", ",").split(",")]
    text = " ".join([name, *(f"{{{each}}}" for each in operands if each)])
    return row(
        VIEWS,
        name,
        signature,
        text,
        lambda *_: None,
        role=role,
        clobbers=clobbers.split(),
        commutes=commutes,
    )


ROWS = {name: _row(name) for name in _SIGNATURES}
MOVES = Moves(
    move={view: ROWS[f"move_{view}"] for view in VIEWS},
    store={view: ROWS[f"store_{view}"] for view in VIEWS},
    load={view: ROWS[f"load_{view}"] for view in VIEWS},
    swap={name: ROWS[f"swap_{view.of.name}"] for name, view in VIEWS.items()},
)
CONVENTION = Convention(
    arguments={"gpr": (0, 1, 2), "vec": (0, 1)},
    results={"gpr": (0,), "vec": (0,)},
    kept={"gpr": (4, 5), "vec": (3,)},
    free={"gpr": (0, 1, 2, 3, 4, 5), "vec": (0, 1, 2, 3), "mask": (1, 2)},
    kept_view={"gpr": "g", "vec": "s", "mask": "m"},
    stack_pointer=Register("gpr", 6),
    alignment=16,
    bytes_at_entry=8,
)
TARGET = Target(
    name="toy",
    dialect="toy",
    classes=(GPR, VEC, MASK),
    views=VIEWS,
    rows=ROWS,
    convention=CONVENTION,
    moves=MOVES,
    syntax=Syntax(lambda *_: "", str, str, (), (), "#"),
    frame=lambda _: (),
    view_of=lambda name: {"i64": "g", "f64": "s", "2xf64": "v", "2xi1": "m"}[name],
    holds=lambda *_: True,
)

NAMES = (
    *(row.name for row in ROWS.values() if row.role in ("plain", "constant", "call")),
    *("const", "add3", "add2", "fma", "effect", "call"),
)
"""The rows of random functions, some more often."""
