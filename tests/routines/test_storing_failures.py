"""What ends a role that writes a generation: every call that fails, limits, and full disks."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from routines.library import MACHINES
from routines.refusing_calls import Failing, install
from routines.starting import line
from routines.storer import FOLDER, Script, stored, words_of

from alpha.backends.toolchain.machines import host_machine
from alpha.ir.linux.constants import value_of

both = pytest.mark.parametrize("machine", MACHINES)

NAME = "shard-7.safetensors"
WORDS = bytes(range(256)) * 1000

NUMBERS = (
    *(errno.EPERM, errno.ENOENT, errno.EIO, errno.ENXIO, errno.EBADF, errno.ENOMEM, errno.EACCES),
    *(errno.EBUSY, errno.EXDEV, errno.ENOTDIR, errno.EINVAL, errno.ENFILE, errno.EMFILE),
    *(errno.EFBIG, errno.ENOSPC, errno.EROFS, errno.EMLINK, errno.ENAMETOOLONG, errno.ELOOP),
    *(errno.EOVERFLOW, errno.EUCLEAN, errno.ESTALE, errno.EDQUOT),
)
"""Errors that file systems give; others are said with the same words (`test_line`)."""


def flags(*names: str) -> tuple[tuple[int, int], ...]:
    """The argument of openat that these flags are, on this host."""
    host = host_machine()
    assert host is not None
    return ((2, sum(value_of(name, host.name) for name in names)),)


FOLDER_FLAGS = flags("O_RDONLY", "O_DIRECTORY", "O_CLOEXEC", "O_NOFOLLOW")
FILE_FLAGS = flags("O_WRONLY", "O_CREAT", "O_TRUNC", "O_CLOEXEC", "O_NOFOLLOW")
SEEN_FLAGS = flags("O_RDONLY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY")
ROOT_FLAGS = flags("O_RDONLY", "O_DIRECTORY", "O_CLOEXEC")


@dataclass(frozen=True)
class Case:
    """A call that fails, the script of which it is a part, and the path that the line says."""

    call: str
    does: Sequence[str]
    said: str
    arguments: tuple[tuple[int, int], ...] = ()
    least: int = 0
    verb: str = "write"
    unlike: frozenset[int] = frozenset()
    """Errors of which something else comes."""

    def script(self) -> Script:
        """What is done, up to the call."""
        script = Script()
        for name in self.does:
            if name == "file":
                script.file(NAME, WORDS[:1000], WORDS[1000:1003])
            elif name == "seen":
                script.seen(NAME, 7, words_of(WORDS))
            elif name in ("folder", "publish"):
                script.folder() if name == "folder" else script.publish()
            else:
                script.tell(name)
        return script

    def failing(self, number: int) -> list[Failing]:
        """The call with this error."""
        return [Failing(self.call, number, None, self.arguments, self.least)]


EXISTS = frozenset({errno.EEXIST, errno.ENOTEMPTY})
FILE = f"{FOLDER}/{NAME}"
CASES = {
    "make the folder": Case("mkdirat", ["folder"], FOLDER, unlike=frozenset({errno.EEXIST})),
    "open the folder": Case("openat", ["folder"], FOLDER, FOLDER_FLAGS),
    "open a file": Case("openat", ["folder", "file"], FILE, FILE_FLAGS),
    "write a file": Case("write", ["folder", "file"], FILE, least=3),
    "synchronize a file": Case("fsync", ["folder", "file"], FILE),
    "synchronize the folder": Case("fsync", ["folder", "end"], FOLDER),
    "rename the folder": Case("renameat2", ["folder", "publish"], "gen-7", unlike=EXISTS),
    "open what it lies in": Case("openat", ["folder", "publish"], "", ROOT_FLAGS),
    "synchronize what it lies in": Case("fsync", ["folder", "publish"], ""),
    "open another's": Case("openat", ["folder", "seen"], FILE, SEEN_FLAGS, verb="read"),
    "size of another's": Case("statx", ["folder", "seen"], FILE, ((2, 0x1000),), verb="read"),
}
"""By what is done."""

MAPPING = Case("mmap", ["folder", "seen"], FILE, ((2, 1), (3, 2)), verb="read")
CLOSING = Case("close", ["folder", "file"], FILE, least=3)
"""An emulator maps and closes for itself as well."""


def check_failure(machine: str, case: Case, number: int, path: Path) -> None:
    """A call fails with an error, and the role says so."""
    folder = path / FOLDER
    folder.mkdir(exist_ok=True)
    if case.verb == "read":
        (folder / NAME).write_bytes(WORDS)
    calls = case.failing(number)
    status, _, said = stored(machine, path, case.script(), before=lambda: install(calls))
    shown = path / case.said
    wanted = f"failed: cannot {case.verb} {shown}: {os.strerror(number)}"
    assert (status, said) == (5, line(wanted)), (case.call, errno.errorcode[number])
    named = path / "gen-7"
    # It has its name before it is known that it will have it after the power has failed.
    assert named.exists() == (case.said == "")
    if named.exists():
        named.rmdir()


@both
@pytest.mark.parametrize("what", CASES)
def test_every_call_may_fail(machine: str, what: str, tmp_path: Path) -> None:
    case = CASES[what]
    host = host_machine()
    assert host is not None
    for number in NUMBERS if machine == host.name else NUMBERS[::5]:
        assert number not in case.unlike
        check_failure(machine, case, number, tmp_path)


@pytest.mark.parametrize("case", [MAPPING, CLOSING], ids=lambda case: case.call)
def test_mapping_and_closing_may_fail(case: Case, tmp_path: Path) -> None:
    host = host_machine()
    assert host is not None
    for number in NUMBERS:
        check_failure(host.name, case, number, tmp_path)


@both
def test_a_folder_that_is_there_is_taken(machine: str, tmp_path: Path) -> None:
    """Whether it is there or not is known once it is opened."""
    calls = CASES["make the folder"].failing(errno.EEXIST)
    missing = f"failed: cannot write {tmp_path / FOLDER}: No such file or directory"
    script = Script().folder()
    found = stored(machine, tmp_path, script, before=lambda: install(calls))
    assert found == (5, b"", line(missing))
    (tmp_path / FOLDER).mkdir()
    assert stored(machine, tmp_path, script, before=lambda: install(calls)) == (0, b"", b"")


@both
@pytest.mark.parametrize("number", sorted(EXISTS))
def test_a_generation_that_is_there_is_refused(machine: str, number: int, tmp_path: Path) -> None:
    """File systems say it in two ways."""
    case = CASES["rename the folder"]
    calls = case.failing(number)
    wanted = f"expected no generation of version 7 in {tmp_path}, found {tmp_path}/gen-7"
    found = stored(machine, tmp_path, case.script(), before=lambda: install(calls))
    assert found == (3, b"", line(f"refused checkpoint-exists: {wanted}"))


def test_closing_a_folder_may_fail(tmp_path: Path) -> None:
    """Nothing was written by those descriptors."""
    host = host_machine()
    assert host is not None
    calls = [Failing("close", errno.EIO, least=3)]
    script = Script().folder().tell("end").publish().tell("close")
    assert stored(host.name, tmp_path, script, before=lambda: install(calls)) == (0, b"", b"")
    assert (tmp_path / "gen-7").is_dir()


@both
def test_renaming_that_is_interrupted_is_not_made_again(machine: str, tmp_path: Path) -> None:
    check_failure(machine, CASES["rename the folder"], errno.EINTR, tmp_path)


@both
def test_a_limit_on_the_size_of_files(machine: str, tmp_path: Path) -> None:
    """What fits is written; the line says why no more is."""
    size = 65_543
    limits = (size, size)
    script = Script().folder().file(NAME, WORDS[:8], WORDS[8:70_000]).tell("end").publish()
    found = stored(
        machine, tmp_path, script, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    )
    path = tmp_path / FILE
    assert found == (5, b"", line(f"failed: cannot write {path}: File too large"))
    assert path.read_bytes() == WORDS[:size]
    fitting = Script().folder().file(NAME, WORDS[:8], WORDS[8:size])
    found = stored(
        machine, tmp_path, fitting, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    )
    assert found == (0, words_of(WORDS[:size]), b"")


@both
def test_a_full_disk(machine: str, tmp_path: Path) -> None:
    """A small disk that only the role sees."""
    if os.geteuid():
        pytest.skip("without the rights of root there is no small disk")
    mount = 'mount -t tmpfs -o size=64k none "$0" && exec "$@"'
    front = ("unshare", "--mount", "sh", "-c", mount, str(tmp_path))
    script = Script().folder().file(NAME, WORDS[:100_000]).tell("end").publish()
    found = stored(machine, tmp_path, script, front=front)
    assert found == (
        *(5, b""),
        line(f"failed: cannot write {tmp_path / FILE}: No space left on device"),
    )
    # Nor is there a place for the name of a file.
    mount = 'mount -t tmpfs -o nr_inodes=2 none "$0" && exec "$@"'
    found = stored(machine, tmp_path, script, front=(*front[:4], mount, front[5]))
    assert found == (
        *(5, b""),
        line(f"failed: cannot write {tmp_path / FILE}: No space left on device"),
    )


@both
def test_a_disk_that_is_only_read(machine: str, tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("without the rights of root there is no small disk")
    mount = 'mount -t tmpfs -o ro none "$0" && exec "$@"'
    front = ("unshare", "--mount", "sh", "-c", mount, str(tmp_path))
    found = stored(machine, tmp_path, Script().folder(), front=front)
    assert found == (
        *(5, b""),
        line(f"failed: cannot write {tmp_path / FOLDER}: Read-only file system"),
    )
