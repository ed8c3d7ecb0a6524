"""Executables of modules of the runtime and a main function that a test writes.

Entry: `built`, `command_of`.
"""

from __future__ import annotations

from pathlib import Path

from routines.library import assembly, texts

from alpha.backends.toolchain.assembling import assemble, link_executable
from alpha.backends.toolchain.emulation import find_runner
from alpha.backends.toolchain.finding import find_toolchain
from alpha.backends.toolchain.machines import machine_of

STARTS = {
    "x86-64": """.intel_syntax noprefix
.globl _start
_start: call test_main
  ud2
""",
    "aarch64": """.globl _start
_start: bl test_main
  brk 0
""",
}
"""Where an executable begins: the stack pointer is a multiple of 16, as a call wants it."""


def built(machine: str, main: str, folder: Path, *names: str) -> Path:
    """An executable in which `@test_main` of this code runs, which has to end the process.

    Beside it are the modules of the runtime that are named, and those that it and they call.
    """
    tools = find_toolchain(machine_of(machine))
    parts = [STARTS[machine], assembly(main, machine, "main.mlir")]
    parts += texts(machine, *names, beside=main)
    file = folder / "executable"
    file.write_bytes(link_executable([assemble(each, tools) for each in parts], tools))
    file.chmod(0o700)
    return file


def command_of(machine: str, file: Path) -> tuple[str, ...]:
    """The command that runs an executable."""
    return (*find_runner(machine_of(machine)).command, str(file))
