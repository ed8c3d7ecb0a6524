"""The context of a tool: which dialects its texts may use, each loaded when it is first named.

Invariant: `ir/dialects/NAME.py` is the dialect `NAME` and defines it as `NAME` in capitals; a file
    with an underscore in its name, such as `pointwise_round.py`, is a part of one. Nothing is
    imported before a text uses it.
Why: start-up cost. Registering a name costs nothing, importing all dialects costs more than a run.
    xDSL's own `shard` is never registered, because this project's takes its place.
Entry: `make_context`, `dialect_names`, `warn`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from xdsl.context import Context
from xdsl.ir import Dialect

from alpha.ir.refusals import Note, Place, place_of

if TYPE_CHECKING:
    from xdsl.ir import Operation

FOREIGN_DIALECTS = {
    "builtin": ("xdsl.dialects.builtin", "Builtin"),
    "arith": ("alpha.ir.dialects.arith_vectors", "ARITH"),
    "math": ("xdsl.dialects.math", "Math"),
    "func": ("xdsl.dialects.func", "Func"),
    "scf": ("xdsl.dialects.scf", "Scf"),
    "cf": ("xdsl.dialects.cf", "Cf"),
    "memref": ("xdsl.dialects.memref", "MemRef"),
    "ptr_xdsl": ("xdsl.dialects.ptr", "Ptr"),
    "vector": ("xdsl.dialects.vector", "Vector"),
    "gpu": ("alpha.ir.dialects.gpu_threads", "GPU"),
}
"""xDSL's dialects that this project uses: name, to module and attribute.

`arith` is xDSL's but for three operations, which work on vectors here; of `gpu` there is what
kernels use, and a shuffle."""

MACHINE_DIALECTS = {
    "x64": ("alpha.backends.x86.dialect", "X64"),
    "a64": ("alpha.backends.aarch64.dialect", "A64"),
    "ptx": ("alpha.backends.ptx.dialect", "PTX"),
}
"""The dialects that back ends make from their rows: name, to module and attribute."""


class Remark(NamedTuple):
    """Something a pass says without refusing: it is printed as a warning and changes no status."""

    message: str
    place: Place | None = None
    notes: tuple[Note, ...] = ()


class AlphaContext(Context):
    """xDSL's context, and what passes have remarked so far."""

    remarks: list[Remark]

    def __init__(self, allow_unregistered: bool = False) -> None:
        super().__init__(allow_unregistered)
        self.remarks = []

    def clone(self) -> AlphaContext:
        """A copy of the registrations; remarks go to the same list."""
        copy = AlphaContext(self.allow_unregistered)
        vars(copy).update(vars(super().clone()))
        copy.remarks = self.remarks
        return copy


def warn(
    ctx: Context, message: str, at: Operation | Place | None = None, notes: tuple[Note, ...] = ()
) -> None:
    """Record a warning at an operation or a place; a context of xDSL itself has no place for it."""
    if isinstance(ctx, AlphaContext):
        place = at if isinstance(at, Place) or at is None else place_of(at)
        ctx.remarks.append(Remark(message, place, notes))


def own_dialects() -> dict[str, str]:
    """This project's dialects by name, with the modules that define them; found from the files."""
    import alpha.ir.dialects as package

    found: dict[str, str] = {}
    for folder in package.__path__:
        for entry in os.listdir(folder):
            stem, extension = os.path.splitext(entry)
            if extension == ".py" and "_" not in stem:
                found[stem] = f"{package.__name__}.{stem}"
    return dict(sorted(found.items()))


def dialect_names() -> tuple[str, ...]:
    """Every dialect that a text may use."""
    return (*FOREIGN_DIALECTS, *MACHINE_DIALECTS, *own_dialects())


def _factory(module: str, attribute: str) -> Callable[[], Dialect]:
    def load() -> Dialect:
        dialect = getattr(import_module(module), attribute)
        assert isinstance(dialect, Dialect), f"{module}.{attribute} is no dialect"
        return dialect

    return load


def make_context(allow_unregistered: bool = False) -> AlphaContext:
    """A fresh context with every dialect registered by name and only `builtin` loaded."""
    ctx = AlphaContext(allow_unregistered)
    for name, (module, attribute) in (FOREIGN_DIALECTS | MACHINE_DIALECTS).items():
        ctx.register_dialect(name, _factory(module, attribute))
    for name, module in own_dialects().items():
        ctx.register_dialect(name, _factory(module, name.upper()))
    ctx.load_registered_dialect("builtin")
    return ctx
