"""The modules of the runtime as assembly texts, for each machine.

Entry: `MACHINES`, `texts`, `assembly`, `closed`, `serving`, `INITIAL`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from alpha.backends.core.emission import assembly_of, remaining_passes
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

FOLDER = Path(__file__).resolve().parents[2] / "runtime"
DIALECTS = {"x86-64": "x64", "aarch64": "a64"}
MACHINES = tuple(DIALECTS)

NEEDED: Mapping[tuple[str, str], str] = {
    ("sha256_instructions", "x86-64"): "sha",
    ("sha256_instructions", "aarch64"): "sha2",
}
"""The features without which a module can't be compiled for a machine."""

DEFINED = re.compile(r"^func\.func @(\w+)\(", re.MULTILINE)
DECLARED = re.compile(r"^func\.func private @(\w+)\([^%)]*\)[^{\n]*$", re.MULTILINE)
"""Functions that a module has for others, and those that it has from others: without a body."""

INITIAL = np.array(
    [
        *(0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A),
        *(0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19),
    ],
    np.uint32,
)
"""The first words of a state of SHA-256 (FIPS 180-4, 5.3.3)."""


def texts(
    machine: str,
    *names: str,
    features: str = "",
    without: Collection[str] = (),
    beside: str = "",
) -> Sequence[str]:
    """The assembly of modules of the runtime and of all that they need, one text each.

    Those that are named come first, with these features or those that they need. Modules `without`
    which others are wanted are the caller's business, and so are functions that the module of code
    `beside` them has; what that one declares is there.
    """
    given = DEFINED.findall(beside)
    wanted = (*names, *serving(beside, given))
    found = [
        _text(machine, name, features or NEEDED.get((name, machine), ""))
        for name in dict.fromkeys(names)
    ]
    found += [
        _text(machine, name, NEEDED.get((name, machine), ""))
        for name in closed(wanted, given)
        if name not in names and name not in without
    ]
    return found


def closed(names: Iterable[str], given: Collection[str] = ()) -> Sequence[str]:
    """Modules of the runtime, those whose functions they declare and nobody gives, and so on."""
    found = dict.fromkeys(names)
    left = list(found)
    while left:
        for name in serving(_source(left.pop()), given):
            if name not in found:
                found[name] = None
                left.append(name)
    return list(found)


def serving(source: str, given: Collection[str] = ()) -> Sequence[str]:
    """The modules of the runtime whose functions a module of code declares and nobody gives."""
    owners = {name: file.stem for file in _files() for name in DEFINED.findall(_source(file.stem))}
    names = [name for name in DECLARED.findall(source) if name in owners and name not in given]
    return list(dict.fromkeys(owners[name] for name in names))


def assembly(source: str, machine: str, name: str, features: str = "") -> str:
    """The assembly of a module of code."""
    context = make_context()
    module = parse_text(context, source, name)
    verify_module(module)
    for each in remaining_passes(module, DIALECTS[machine], features):
        each.apply(context, module)
    return assembly_of(module, DIALECTS[machine])


@cache
def _text(machine: str, name: str, features: str) -> str:
    return assembly(_source(name), machine, str(FOLDER / f"{name}.mlir"), features)


@cache
def _files() -> Sequence[Path]:
    return sorted(FOLDER.glob("*.mlir"))


@cache
def _source(name: str) -> str:
    return (FOLDER / f"{name}.mlir").read_text(encoding="utf-8")
