"""Finds an assembler and a linker for a machine: GNU's where the host has them, else ziglang's.

Invariant: a tool is taken only after it has said itself that it is for the machine; so `as` of
    another host, or a linker that only has the name, is passed over.
Why: GNU's tools take half the time of the others; the package ziglang has both for all machines,
    and can be installed without being root.
Refuses: target-unsupported, if there is none or if what the environment names can't be taken.
Entry: `find_toolchain`, `Toolchain`, `CHOICE`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from alpha.backends.toolchain.lookup import answer, package_file, which
from alpha.backends.toolchain.machines import Machine
from alpha.backends.toolchain.processes import quiet_environment
from alpha.ir.refusals import Note, Refusal

CHOICE = "ALPHA_TOOLCHAIN"
"""The environment variable that admits one family only: `gnu` or `zig`."""

ZIG = "ALPHA_ZIG"
"""The path of a zig to take in place of the one of the package ziglang."""

PREFIX = "ALPHA_BINUTILS_"
"""With the machine behind it: what to put before `as` and `ld`, as in `/opt/bin/arm-`."""


@dataclass(frozen=True)
class Toolchain:
    """An assembler and a linker for one machine, as the beginnings of their commands.

    `name` and `version` say which they are; they run in `environment` and in no other.
    """

    machine: Machine
    name: str
    version: str
    assembler: tuple[str, ...]
    linker: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]

    def describe(self) -> str:
        """Which tools these are, in a line that a user can act on."""
        places = dict.fromkeys((self.assembler[0], self.linker[0]))
        return f"{self.name} {self.version} for {self.machine.name} ({', '.join(places)})"


def find_toolchain(machine: Machine, environment: Mapping[str, str] = os.environ) -> Toolchain:
    """The toolchain that is taken for a machine.

    Raises:
        Refusal: target-unsupported, no tools are there, or not those that the environment names.
        ToolFailure: a tool doesn't end when it is asked what it is.
    """
    choice = environment.get(CHOICE, "")
    families = {"gnu": _gnu, "zig": _zig}
    if choice and choice not in families:
        raise Refusal("target-unsupported", f"{CHOICE}=gnu or {CHOICE}=zig", f"{CHOICE}={choice}")
    missing: list[str] = []
    for name, family in families.items():
        if choice in ("", name):
            found = family(machine, environment)
            if isinstance(found, Toolchain):
                return found
            missing.append(found)
    raise Refusal(
        "target-unsupported",
        f"an assembler and a linker for {machine.name}",
        " and ".join(missing),
        notes=(
            Note(
                f"install Debian's binutils-{machine.gnu.replace('_', '-')}-linux-gnu, "
                "or the package ziglang of PyPI, by pip install 'ziglang>=0.13,<0.18'"
            ),
        ),
    )


def _gnu(machine: Machine, environment: Mapping[str, str]) -> Toolchain | str:
    """GNU as and ld, by the names of a cross toolchain or a native one; or what is missing."""
    variable = PREFIX + machine.variable
    given = environment.get(variable)
    prefixes = (given,) if given is not None else (f"{machine.gnu}-linux-gnu-", "")
    for prefix in prefixes:
        assembler, linker = (which(prefix + tool, environment) for tool in ("as", "ld"))
        if assembler is None or linker is None:
            continue
        version = _gnu_version(machine, assembler, linker, environment)
        if version is not None:
            return Toolchain(
                machine,
                "GNU as and ld",
                version,
                (assembler, "--noexecstack", "--fatal-warnings"),
                (linker, "-m", machine.emulation),
                _pairs(environment),
            )
    if given is not None:
        _refuse_given(variable, given, f"before as and ld of GNU for {machine.name}")
    return f"no {machine.gnu}-linux-gnu-as with -ld in PATH"


def _gnu_version(
    machine: Machine, assembler: str, linker: str, environment: Mapping[str, str]
) -> str | None:
    """The assembler's version, if both are GNU's and for this machine."""
    of_as = answer((assembler, "--version"), environment)
    of_ld = answer((linker, "-V"), environment)
    version = re.match(r"GNU assembler .*?(\d[\w.]*)$", of_as, re.MULTILINE)
    made_for = re.search(r"configured for a target of `([^-']*)", of_as)
    known = machine.emulation in of_ld.split()
    if version is None or made_for is None or not of_ld.startswith("GNU ld ") or not known:
        return None
    return version[1] if made_for[1] == machine.gnu else None


def _zig(machine: Machine, environment: Mapping[str, str]) -> Toolchain | str:
    """Zig's clang and ld.lld; or what is missing.

    Its `cc` would need a HOME and a cache, and adds the working folder to what it makes; called
    through `python -m ziglang` each run would take 30 ms more.
    """
    given = environment.get(ZIG)
    program = given or package_file("ziglang", "zig")
    if program is None:
        return "not the package ziglang"
    version = answer((program, "version"), environment).strip()
    if not re.fullmatch(r"\d+\.\d+\.\S+", version):
        if given:
            _refuse_given(ZIG, given, "the path of a zig")
        return f"no version of ziglang ({program})"
    return Toolchain(
        machine,
        "ziglang",
        version,
        (
            *(program, "clang", f"--target={machine.gnu}-linux-none", "-x", "assembler", "-c"),
            *("-Wa,--noexecstack", "-Wa,--fatal-warnings"),
        ),
        (program, "ld.lld", "-m", machine.emulation),
        _pairs(environment),
    )


def _refuse_given(variable: str, given: str, expected: str) -> NoReturn:
    raise Refusal("target-unsupported", f"{variable} to be {expected}", f"{variable}={given}")


def _pairs(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(quiet_environment(environment).items())
