"""Objects, executables and shared objects: the same bytes each time, and tools that fail."""

from __future__ import annotations

import os
import struct
import subprocess
import time
from pathlib import Path

import pytest
from toolchain.conftest import FAMILIES, toolchain
from toolchain.functions_by_hand import TEXTS

from alpha.backends.toolchain import driver_aarch64, driver_x86_64
from alpha.backends.toolchain.assembling import assemble, link_executable, link_library
from alpha.backends.toolchain.emulation import Runner
from alpha.backends.toolchain.failures import TextRejected
from alpha.backends.toolchain.finding import Toolchain, find_toolchain
from alpha.backends.toolchain.machines import MACHINES
from alpha.backends.toolchain.processes import run

EXIT = {
    "x86-64": ".globl _start\n_start: mov ${0}, %edi\nmov $231, %eax\nsyscall\n",
    "aarch64": ".globl _start\n_start: mov x0, #{0}\nmov x8, #94\nsvc #0\n",
}
INTERPRETER, GNU_STACK, EXECUTABLE = 3, 0x6474E551, 1


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    """Each family of tools."""
    return request.param


@pytest.fixture(params=MACHINES)
def chain(request: pytest.FixtureRequest, family: str) -> Toolchain:
    """Each family for each machine."""
    return toolchain(request.param, family)


def segments(data: bytes) -> dict[int, int]:
    """The program headers of an ELF file: flags by type."""
    offset, size, count = (
        *struct.unpack_from("<Q", data, 32),
        *struct.unpack_from("<2H", data, 54),
    )
    return dict(struct.unpack_from("<II", data, offset + n * size) for n in range(count))


def test_the_bytes_are_the_same_everywhere(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TEXTS[chain.machine.name]
    start = EXIT[chain.machine.name].format(0)
    made: list[tuple[bytes, ...]] = []
    for name in ("here", "a longer name of a folder"):
        folder = tmp_path / name
        folder.mkdir()
        if made:
            time.sleep(1.1)  # a time stamp in seconds would differ
        monkeypatch.chdir(folder)
        monkeypatch.setattr("tempfile.tempdir", str(folder))
        environment = {**os.environ, "HOME": f"/nowhere/{name}", "LDEMULATION": "elf_i386"}
        environment["ALPHA_TOOLCHAIN"] = "gnu" if chain.name.startswith("GNU") else "zig"
        again = find_toolchain(chain.machine, environment)
        functions = assemble(text, again)
        entry = assemble(f".att_syntax\n{start}" if "$" in start else start, again)
        executable = link_executable([entry, functions], again)
        made.append((functions, entry, executable, link_library([functions], again)))
        assert not list(folder.iterdir())
    assert made[0] == made[1]


def test_what_an_executable_is(
    chain: Toolchain, runners: dict[str, Runner], tmp_path: Path
) -> None:
    program = tmp_path / "program"
    for status in (0, 57):
        entry = assemble(EXIT[chain.machine.name].format(status), chain)
        data = link_executable([entry], chain)
        program.write_bytes(data)
        program.chmod(0o755)
        command = [*runners[chain.machine.name].command, str(program)]
        assert subprocess.run(command, check=False).returncode == status
        assert INTERPRETER not in segments(data)
        assert not segments(data)[GNU_STACK] & EXECUTABLE
        assert b"/tmp" not in data and b"build-id" not in data


def test_a_shared_object_has_no_executable_stack(chain: Toolchain) -> None:
    data = link_library([assemble(TEXTS[chain.machine.name], chain)], chain)
    assert not segments(data)[GNU_STACK] & EXECUTABLE


@pytest.mark.parametrize("line", ["nonsense x0", ".byte 0x1ff", '.warning "odd"'])
def test_an_error_or_a_warning_is_this_project_s_fault(
    chain: Toolchain, kept: Path, line: str
) -> None:
    text = f".text\n.globl f\nf:\n  {line}\n"
    with pytest.raises(TextRejected, match=r"rejects what is kept in") as caught:
        assemble(text, chain)
    assert "text.s:4" in str(caught.value)
    assert [path.name for path in caught.value.kept.iterdir()] == ["text.s"]
    assert (caught.value.kept / "text.s").read_text() == text
    assert list(kept.iterdir()) == [caught.value.kept]


def test_many_errors_are_told_in_few_lines(kept: Path) -> None:
    with pytest.raises(TextRejected, match="and 93 lines more") as caught:
        assemble("nonsense\n" * 100, toolchain("x86-64", "gnu"))
    assert len(str(caught.value).splitlines()) == 10
    assert len(caught.value.said.splitlines()) == 101


@pytest.mark.parametrize("link", [link_executable, link_library])
def test_a_symbol_that_is_nowhere(chain: Toolchain, kept: Path, link) -> None:
    call = {"x86-64": "call absent", "aarch64": "bl absent"}[chain.machine.name]
    made = assemble(f".text\n.globl _start\n_start: {call}\n", chain)
    with pytest.raises(TextRejected, match="absent") as caught:
        link([made], chain)
    assert (caught.value.kept / "0.o").read_bytes() == made


def test_a_shared_object_may_be_loaded_anywhere(chain: Toolchain, kept: Path) -> None:
    made = assemble(".text\n.globl f\nf: .quad f\n", chain)
    with pytest.raises(TextRejected):
        link_library([made], chain)


@pytest.mark.parametrize("driver", [driver_x86_64, driver_aarch64])
def test_a_driver_without_memory_says_so(
    driver, family: str, runners: dict[str, Runner], tmp_path: Path
) -> None:
    """It is started without a batch on its standard input."""
    machine = "x86-64" if driver is driver_x86_64 else "aarch64"
    chain = toolchain(machine, family)
    program = tmp_path / "program"
    program.write_bytes(link_executable([assemble(driver.TEXT + driver.table([]), chain)], chain))
    program.chmod(0o755)
    command = [*runners[machine].command, str(program)]
    with open(os.devnull, "rb") as nothing:
        assert run(command, tmp_path, 20.0, {}, nothing.fileno()).status == 101
