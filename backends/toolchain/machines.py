"""A machine that code is made for: how assemblers, linkers, emulators and hosts name it.

Entry: `Machine`, `MACHINES`, `GPU`, `machine_of`, `host_machine`.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from alpha.ir.refusals import Refusal

GPU = "sm86"
"""A target that is no machine here: kernels are made for it, and its host drives them."""


@dataclass(frozen=True)
class Machine:
    """One row of `MACHINES`."""

    name: str
    """How this project names it, which is how `platform.machine` of a host may not."""

    gnu: str
    """The first part of the configurations of GNU tools: `x86_64` of `x86_64-linux-gnu`."""

    emulation: str
    """What GNU ld and ld.lld take behind `-m`."""

    qemu: str
    """The emulator of QEMU that runs its Linux executables; `-static` may follow."""

    hosts: frozenset[str]
    """The answers of `platform.machine` on such a host."""

    integer_registers: int
    """How many words its C calling convention passes in general registers."""

    extended_bits: int
    """To how many bits a caller extends a narrower integer; what lies above may be anything."""

    @property
    def variable(self) -> str:
        """How environment variables end that are of this machine alone."""
        return self.gnu.upper()


# The registers: System V ABI for x86-64, 3.2.3; AAPCS64, 6.8.2. The bits: AAPCS64 leaves extending
# to the callee; for x86-64 the ABI is silent, and what clang makes relies on 32 bits.
MACHINES: Mapping[str, Machine] = MappingProxyType(
    {
        machine.name: machine
        for machine in (
            Machine(
                "x86-64",
                "x86_64",
                "elf_x86_64",
                "qemu-x86_64",
                frozenset({"x86_64", "amd64"}),
                integer_registers=6,
                extended_bits=32,
            ),
            Machine(
                "aarch64",
                "aarch64",
                "aarch64linux",
                "qemu-aarch64",
                frozenset({"aarch64", "arm64"}),
                integer_registers=8,
                extended_bits=8,
            ),
        )
    }
)
"""The machines by name."""


def machine_of(name: str) -> Machine:
    """The machine of this name.

    Raises:
        Refusal: target-unsupported, there is none.
    """
    machine = MACHINES.get(name)
    if machine is None:
        known = " or ".join(MACHINES)
        raise Refusal("target-unsupported", f"one of the machines {known}", f"{name!r}")
    return machine


def host_machine() -> Machine | None:
    """The machine that runs this, or None if it is none of `MACHINES` or doesn't run Linux."""
    if sys.platform != "linux":
        return None
    here = platform.machine().lower()
    return next((machine for machine in MACHINES.values() if here in machine.hosts), None)
