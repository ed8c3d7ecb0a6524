"""The file of words of a participant: where it is looked for, and what is made of other files."""

from __future__ import annotations

import errno
import hashlib
import os
import resource
import signal
import socket
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from routines.executables import command_of
from routines.library import MACHINES
from routines.refusing_calls import Failing, install
from routines.starting import (
    line,
    on_stack,
    participant,
    started,
    words_of_bytes,
)

from alpha.backends.toolchain.machines import host_machine
from alpha.ir.linux.constants import value_of

both = pytest.mark.parametrize("machine", MACHINES)

NAME = "role-7.data"
BYTES = np.random.default_rng(6).bytes(100_003)
DIGEST = hashlib.sha256(BYTES).hexdigest()


def reading(size: int = len(BYTES), end: str = "", name: str = NAME) -> str:
    """What a role does that gives where its data are, and the data; then something else."""
    return f"""
  %name, %name_bytes = linux.text "{name}"
  %size = arith.constant {size} : i64
  %digest_word = memref.get_global @wanted : memref<32xi8>
  %digest = ptr_xdsl.to_ptr %digest_word : memref<32xi8> -> !ptr_xdsl.ptr
  %data = func.call @alpha_data(%name, %name_bytes, %size, %digest)
    : (!ptr_xdsl.ptr, i64, i64, !ptr_xdsl.ptr) -> !ptr_xdsl.ptr
  func.call @give_address(%data) : (!ptr_xdsl.ptr) -> ()
  func.call @give(%data, %size) : (!ptr_xdsl.ptr, i64) -> ()
{end}"""


def reader(
    machine: str, file: Path, data: bytes = BYTES, end: str = "", entry: str = "", name: str = NAME
) -> Path:
    """A participant that wants these data."""
    wanted = words_of_bytes("wanted", hashlib.sha256(data).digest())
    body = reading(len(data), end, name)
    return participant(machine, body, file, beside=wanted, entry=entry)


def check_read(found: tuple[int, bytes, bytes], data: bytes = BYTES) -> None:
    status, out, err = found
    assert (status, err) == (0, b"")
    assert struct.unpack("<Q", out[:8])[0] % 4096 == 0
    assert out[8:] == data


def unread(path: Path | str, why: str) -> tuple[int, bytes, bytes]:
    return 5, b"", line(f"failed: cannot read {path}: {why}")


def differing(path: Path | str, found: str, data: bytes = BYTES) -> tuple[int, bytes, bytes]:
    digest = hashlib.sha256(data).hexdigest()
    wanted = f"expected the {len(data)} bytes of sha256:{digest} in {path}"
    return 3, b"", line(f"refused build-file-differs: {wanted}, found {found}")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By machine a folder of an executable with its data beside it."""
    found = {}
    for machine in MACHINES:
        found[machine] = tmp_path_factory.mktemp("data")
        reader(machine, found[machine] / "role-7")
        (found[machine] / NAME).write_bytes(BYTES)
    return found


@both
def test_data_lie_beside_the_executable(machine: str, folders: dict[str, Path]) -> None:
    """However it is named, and wherever it is started."""
    folder = folders[machine]
    check_read(started(machine, folder / "role-7"))
    check_read(started(machine, folder / "role-7", folder=Path("/")))
    command = command_of(machine, folder / "role-7")[:-1]
    above = Path(os.path.relpath(folder, folder.parent))
    for name, where in (
        ("./role-7", folder),
        (f"{above}/role-7", folder.parent),
        (f"{above}/./../{above}//role-7", folder.parent),
    ):
        made = [*command, name]
        ended = subprocess.run(made, capture_output=True, cwd=where, timeout=60, check=False)
        check_read((ended.returncode, ended.stdout, ended.stderr))


@both
def test_data_lie_beside_a_link_to_the_executable(machine: str, tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    reader(machine, own / "role-7")
    (other / "link").symlink_to(own / "role-7")
    (other / NAME).write_bytes(BYTES)
    check_read(started(machine, other / "link"))
    (other / NAME).unlink()
    assert started(machine, other / "link") == unread(other / NAME, "No such file or directory")


def test_an_executable_that_is_found_in_path(folders: dict[str, Path]) -> None:
    host = host_machine()
    assert host is not None
    ended = subprocess.run(
        ["role-7"],
        capture_output=True,
        cwd="/",
        env={"PATH": str(folders[host.name])},
        timeout=60,
        check=False,
    )
    check_read((ended.returncode, ended.stdout, ended.stderr))


@both
@pytest.mark.parametrize("named", [True, False])
def test_what_says_nothing_of_the_executable(machine: str, named: bool, tmp_path: Path) -> None:
    """Then it is its first argument, and without one the folder in which it runs."""
    kind = value_of("AT_HWCAP", "aarch64")
    arguments = [1, f"{tmp_path}/role-7", 0] if named else [0, 0]
    entry = on_stack(machine, [*arguments, 0, kind, 3, 0, 0])
    file = reader(machine, tmp_path / "one", entry=entry)
    (tmp_path / NAME).write_bytes(BYTES)
    check_read(started(machine, file, folder=Path("/") if named else tmp_path))
    path = f"{tmp_path}/{NAME}" if named else NAME
    (tmp_path / NAME).unlink()
    assert started(machine, file, folder=tmp_path) == unread(path, "No such file or directory")


@both
def test_a_path_that_is_too_long(machine: str, tmp_path: Path) -> None:
    """Of the folder and the name together; a byte less is tried."""
    kind, execfn = value_of("AT_HWCAP", "aarch64"), value_of("AT_EXECFN", machine)
    for folder_bytes, why in ((4085, "File name too long"), (4084, "No such file or directory")):
        # Folders that aren't there, each with a name that could be.
        folder = ("/" + "d" * 99) * 41
        path = f"{folder[: folder_bytes - 1]}/x"
        entry = on_stack(machine, [1, "name", 0, 0, execfn, path, kind, 3, 0, 0])
        file = reader(machine, tmp_path / "one", entry=entry)
        shown = NAME if folder_bytes == 4085 else f"{path[:1000]} and {4095 - 1000} bytes more"
        assert started(machine, file) == unread(shown, why)


@both
def test_a_file_that_is_named(machine: str, folders: dict[str, Path], tmp_path: Path) -> None:
    role = folders[machine] / "role-7"
    other = tmp_path / "other words"
    other.write_bytes(BYTES)
    check_read(started(machine, role, "--data", str(other)))
    check_read(started(machine, role, "--data", other.name, folder=tmp_path))
    (tmp_path / "link").symlink_to(other)
    check_read(started(machine, role, "--data", "link", folder=tmp_path))
    # Beside the executable is one that is right, which doesn't matter.
    missing = unread("nowhere", "No such file or directory")
    assert started(machine, role, "--data", "nowhere", folder=tmp_path) == missing


@both
def test_what_is_no_file_of_words(machine: str, folders: dict[str, Path], tmp_path: Path) -> None:
    """Nothing of it is waited for."""
    role = folders[machine] / "role-7"
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "to folder").symlink_to("folder")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        # By a path that is short enough, wherever the folder is.
        held = os.open(tmp_path, os.O_PATH)
        listener.bind(f"/proc/self/fd/{held}/socket")
        os.close(held)
        cases = {
            "folder": "Is a directory",
            "folder/": "Is a directory",
            "to folder": "Is a directory",
            "file/": "Not a directory",
            "file/below": "Not a directory",
            "dangling": "No such file or directory",
            "loop": "Too many levels of symbolic links",
            "pipe": "Not a regular file",
            "socket": "No such device or address",
            "/dev/null": "Not a regular file",
            "n" * 256: "File name too long",
        }
        for name, why in cases.items():
            found = started(machine, role, "--data", name, folder=tmp_path)
            assert found == unread(name, why)


@both
def test_odd_names_stay_in_one_line(machine: str, folders: dict[str, Path], tmp_path: Path) -> None:
    role = folders[machine] / "role-7"
    names = {
        "two\nlines": "two\\x0alines",
        "\x1b[31m": "\\x1b[31m",
        "back\\slash": "back\\x5cslash",
        "Überlänge": "Überlänge",
        "a" * 1000: "a" * 1000,
        "a" * 1001: "a" * 1000 + " and 1 bytes more",
        "a" * 5000: "a" * 1000 + " and 4000 bytes more",
    }
    for name, shown in names.items():
        why = "File name too long" if len(name) > 255 else "No such file or directory"
        assert started(machine, role, "--data", name, folder=tmp_path) == unread(shown, why)
    found = started(machine, role, "--data", b"\xff\xfe", folder=tmp_path)
    said = b"alpha: role 7: failed: cannot read \xff\xfe: No such file or directory\n"
    assert found == (5, b"", said)


@both
def test_other_words_are_refused(machine: str, folders: dict[str, Path], tmp_path: Path) -> None:
    role, path = folders[machine] / "role-7", tmp_path / "words"
    for data in (b"", BYTES[:1], BYTES[:-1], BYTES + b"\0", BYTES * 2):
        path.write_bytes(data)
        found = started(machine, role, "--data", str(path))
        assert found == differing(path, str(len(data)))
    for at in (0, 63, 64, 4095, 65_536, len(BYTES) - 1):
        data = bytearray(BYTES)
        data[at] ^= 1
        path.write_bytes(data)
        found = started(machine, role, "--data", str(path))
        digest = hashlib.sha256(data).hexdigest()
        assert found == differing(path, f"{len(BYTES)} of sha256:{digest}")


@both
@pytest.mark.parametrize("size", [0, 1, 63, 64, 4096, 4097])
def test_data_of_every_size(machine: str, size: int, tmp_path: Path) -> None:
    file = reader(machine, tmp_path / "one", BYTES[:size])
    (tmp_path / NAME).write_bytes(BYTES[:size])
    status, out, err = started(machine, file)
    assert (status, err) == (0, b"")
    assert out[8:] == BYTES[:size]
    (tmp_path / NAME).write_bytes(BYTES[: size + 1])
    found = started(machine, file)
    assert found == differing(tmp_path / NAME, str(size + 1), BYTES[:size])


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        ([Failing("openat", errno.EACCES)], "Permission denied"),
        ([Failing("openat", errno.EMFILE)], "Too many open files"),
        ([Failing("openat", errno.ENFILE)], "Too many open files in system"),
        ([Failing("openat", errno.EIO)], "Input/output error"),
        ([Failing("openat", errno.ENOMEM)], "Cannot allocate memory"),
        ([Failing("openat", errno.EOVERFLOW)], "Value too large for defined data type"),
        ([Failing("openat", errno.ESTALE)], "Stale file handle"),
        ([Failing("openat", errno.EL2HLT)], f"{errno.EL2HLT}, an error"),
        ([Failing("statx", errno.EIO)], "Input/output error"),
        ([Failing("mmap", errno.ENOMEM)], "Cannot allocate memory"),
        ([Failing("mmap", errno.ENODEV)], "No such device"),
    ],
)
def test_calls_that_fail(calls: list[Failing], why: str, folders: dict[str, Path]) -> None:
    host = host_machine()
    assert host is not None
    folder = folders[host.name]
    found = started(host.name, folder / "role-7", before=lambda: install(calls))
    assert found == unread(folder / NAME, why)


def test_closing_may_fail(folders: dict[str, Path]) -> None:
    """The words are there then."""
    host = host_machine()
    assert host is not None
    calls = [Failing("close", errno.EINTR)]
    check_read(started(host.name, folders[host.name] / "role-7", before=lambda: install(calls)))


def test_opening_that_is_interrupted_goes_on(folders: dict[str, Path]) -> None:
    """For as long as it is: a filter of calls can't let one succeed later."""
    host = host_machine()
    assert host is not None
    calls = [Failing("openat", errno.EINTR)]
    process = subprocess.Popen(
        [folders[host.name] / "role-7"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: install(calls),
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.1)
    process.kill()
    assert process.communicate() == (b"", b"")


def test_no_room_for_the_words(tmp_path: Path) -> None:
    host = host_machine()
    assert host is not None
    size = 1 << 26
    file = reader(host.name, tmp_path / "one", bytes(size))
    with open(tmp_path / NAME, "wb") as words:
        words.truncate(size)
    found = started(
        host.name,
        file,
        before=lambda: resource.setrlimit(resource.RLIMIT_AS, (size // 2, size // 2)),
    )
    assert found == unread(tmp_path / NAME, "Cannot allocate memory")


def test_the_file_is_closed_and_nobody_writes(tmp_path: Path) -> None:
    """What is mapped stays there without it, and can't be changed."""
    host = host_machine()
    assert host is not None
    end = """
  func.call @pause() : () -> ()
  func.call @give(%data, %size) : (!ptr_xdsl.ptr, i64) -> ()
  ptr_xdsl.store %size, %data : i64, !ptr_xdsl.ptr
"""
    file = reader(host.name, tmp_path / "one", end=end)
    (tmp_path / NAME).write_bytes(BYTES)
    with subprocess.Popen(
        [file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.read(8 + len(BYTES))[8:] == BYTES
        held = sorted(os.listdir(f"/proc/{process.pid}/fd"), key=int)
        assert held == ["0", "1", "2"]
        (tmp_path / NAME).unlink()
        process.stdin.close()
        assert process.stdout.read() == BYTES
        assert process.wait(20) == -signal.SIGSEGV
