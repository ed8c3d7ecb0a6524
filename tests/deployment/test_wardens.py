"""The texts for the shells of hosts, run by those that are here: what a warden ends and leaves.

`busybox` is a host without GNU's programs, where it is installed; Debian's `dash` and `bash` are
everywhere.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import pytest

from alpha.tools.deployment import remote_scripts

LOGIN_SHELLS = [
    shell for name in ("sh", "bash", "zsh", "fish", "tcsh") if (shell := shutil.which(name))
]
DEAF = 'trap "" TERM HUP INT; kill -STOP $$; while :; do sleep 1; done'


def until(happens: Callable[[], object], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, "it didn't happen"
        time.sleep(0.01)


@contextmanager
def started(shell: str, command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command as a server starts it: by a login shell, in a session of its own."""
    process = subprocess.Popen(
        (shell, "-c", command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            with suppress(OSError):
                stream.close()


@contextmanager
def warden(
    place: Path, shell: str = "/bin/sh", silence: int = 60
) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A warden that has greeted, and its folder."""
    emulators = {"aarch64": ("none-such", "/bin/cat"), "x86-64": ("none-such",)}
    with started(shell, remote_scripts.warden(str(place), silence, emulators)) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().decode().rstrip("\n") for _ in range(6)]
        folder = Path(lines[0].removeprefix("alpha folder "))
        assert folder.parent == place
        assert lines[1] == f"alpha system {os.uname().sysname} {os.uname().machine}"
        assert lines[2].startswith("alpha memory MemAvailable: ")
        assert lines[3] == "alpha emulator aarch64 /bin/cat"
        assert lines[4:] == ["alpha emulator x86-64 ", "alpha ready"]
        yield process, folder


@contextmanager
def role(folder: Path, number: int, code: str) -> Iterator[subprocess.Popen[bytes]]:
    """A role that is started in the folder of a warden, and has registered itself."""
    (folder / "start").write_text(remote_scripts.START)
    (folder / "program").write_text(f"#!/bin/sh\n{code}\n")
    (folder / "program").chmod(0o755)
    with started("sh", f"exec /bin/sh {folder}/start {number} {folder}/program") as process:
        until(lambda: (folder / "run" / str(number)).is_symlink())
        yield process


def members(group: int) -> list[int]:
    """The processes of a group that haven't ended."""
    found: list[int] = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            state, _, of, *_ = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            if int(of) == group and state != "Z":
                found.append(int(name))
    return found


@pytest.mark.parametrize("shell", LOGIN_SHELLS)
def test_the_end_of_the_input_ends_all(shell: str, tmp_path: Path) -> None:
    """Of a role that is stopped and deaf, and of the warden with what waits for its beats."""
    with warden(tmp_path, shell) as (process, folder), role(folder, 3, DEAF) as one:
        assert (folder.stat().st_mode & 0o777) == 0o700
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.close()
        # The output ends when nothing of the warden is left.
        assert process.stdout.read() == b""
        assert process.stderr.read() == b""
        assert one.wait(10) == -signal.SIGKILL
        assert list(tmp_path.iterdir()) == []
        until(lambda: not members(one.pid) and not members(process.pid))


def test_silence_ends_all(tmp_path: Path) -> None:
    with warden(tmp_path, silence=1) as (process, folder), role(folder, 0, DEAF) as one:
        assert process.stdin is not None
        began = time.monotonic()
        while time.monotonic() < began + 3:
            process.stdin.write(b"\n")
            process.stdin.flush()
            time.sleep(0.1)
        assert process.poll() is None
        assert one.wait(10) == -signal.SIGKILL
        process.wait(10)
        assert list(tmp_path.iterdir()) == []
        until(lambda: not members(one.pid) and not members(process.pid))


def test_a_signal_ends_all(tmp_path: Path) -> None:
    with warden(tmp_path) as (process, folder), role(folder, 0, DEAF) as one:
        process.terminate()
        assert one.wait(10) == -signal.SIGKILL
        process.wait(10)
        assert list(tmp_path.iterdir()) == []


def test_who_comes_late_is_not_started(tmp_path: Path) -> None:
    """Behind the end of a warden nobody can register, whether the folder is there or not."""
    with warden(tmp_path) as (process, folder):
        (folder / "start").write_text(remote_scripts.START)
        (folder / "run").rename(folder / "over")
        done = subprocess.run(("sh", folder / "start", "0", "touch", tmp_path / "x"), check=False)
        assert done.returncode == 5
        assert not (tmp_path / "x").exists()
        (folder / "over").rename(folder / "run")
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)
    assert list(tmp_path.iterdir()) == []


def test_a_number_that_is_another_process_by_now(tmp_path: Path) -> None:
    """It wasn't started from the folder, and lives on."""
    sleeper = subprocess.Popen(("sleep", "600"), start_new_session=True)
    try:
        with warden(tmp_path) as (process, folder):
            (folder / "run" / "7").symlink_to(str(sleeper.pid))
            assert process.stdin is not None
            process.stdin.close()
            process.wait(10)
        assert list(tmp_path.iterdir()) == []
        assert sleeper.poll() is None
    finally:
        sleeper.kill()
        sleeper.wait()


def test_the_statuses_and_streams_of_a_role(tmp_path: Path) -> None:
    """Its input, output and words go through as they are; a signal becomes a status."""
    with warden(tmp_path) as (_, folder):
        with role(folder, 1, "head -c 2; echo out; echo said >&2; exit 3") as one:
            assert one.communicate(b"ab", 10) == (b"about\n", b"said\n")
            assert one.returncode == 3
        with role(folder, 2, "kill -SEGV $$") as one:
            assert one.communicate(b"", 10) == (b"", b"")
            assert one.returncode == 128 + signal.SIGSEGV


def archive(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as stream:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o700
            stream.addfile(entry, io.BytesIO(data))
    return made.getvalue()


@pytest.mark.parametrize("shell", LOGIN_SHELLS)
def test_what_is_unpacked_has_its_digest(shell: str, tmp_path: Path) -> None:
    program = b"#!/bin/sh\n"
    digest = sha256(program).hexdigest()
    for name, wanted, data in (("good", 0, program), ("bad", 1, program + b"\n")):
        folder = tmp_path / name
        folder.mkdir()
        sums = f"{digest}  {folder}/{digest}\n".encode()
        with started(shell, remote_scripts.unpack(str(folder), digest)) as process:
            _, said = process.communicate(archive({digest: data, "sums": sums}), 10)
        assert process.returncode == wanted
        assert (said == b"") == (wanted == 0)
        assert (folder / digest).read_bytes() == data


@pytest.mark.parametrize(
    "word", ["", "a b", "$HOME", "a;b", "a'b", "`a`", "a\nb", "~", "*", "é", "(a)"]
)
def test_a_word_that_a_shell_would_take_for_more(word: str) -> None:
    with pytest.raises(ValueError, match="no plain word"):
        remote_scripts.words("exec", word)
    with pytest.raises(ValueError, match="no plain word"):
        remote_scripts.warden(word, 1, {})
    with pytest.raises(ValueError, match="no plain word"):
        remote_scripts.unpack("/tmp", word)
