"""In which order a generation gets safe on disk, and what comes of calls that do less."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import pytest
from routines.answering import LET, Answer, Answered, Asked
from routines.executables import command_of
from routines.library import MACHINES
from routines.starting import line
from routines.storer import FOLDER, SUFFIX, Script, stored, storer, words_of

from alpha.backends.toolchain.machines import host_machine

both = pytest.mark.parametrize("machine", MACHINES)

SHARD, MANIFEST = "shard-7.safetensors", "manifest.json"
WORDS = np.random.default_rng(5).bytes(300_000)
CALLS = ("mkdirat", "openat", "write", "fsync", "close", "renameat2")


class Watching:
    """Answers calls from the first that concerns the folder on, which is that it is made.

    An emulator makes others before. `done` says each, with the names of what it is about.
    """

    def __init__(self, answer: Answer, names: Collection[str]) -> None:
        """Calls of other names are answered by the kernel."""
        self.done: list[str] = []
        self._answer = answer
        self._names = names

    def __call__(self, asked: Asked) -> int | None:
        if not self.done and asked.name != "mkdirat":
            return LET
        self.done.append(f"{asked.name} {self._about(asked)}")
        return self._answer(asked) if asked.name in self._names else LET

    def _about(self, asked: Asked) -> str:
        """The names of what a call is about, without the folder of the test."""
        if asked.name in ("mkdirat", "openat"):
            return _name(asked.text(1))
        if asked.name == "renameat2":
            return f"{_name(asked.text(1))} {_name(asked.text(3))}"
        return _name(os.readlink(f"/proc/{asked.process}/fd/{asked.arguments[0]}"))


def _name(path: str) -> str:
    return path.rsplit("/", 1)[1] if "/" in path else path


def whole() -> Script:
    """All that a root does, which has a child's manifest to see."""
    script = Script().folder().file(SHARD, WORDS[:192], b"", WORDS[192:])
    script.seen("manifest-8.json", 8, words_of(b"{}")).file(MANIFEST, b"{", b"}")
    return script.tell("end").publish().tell("close")


WRITTEN = words_of(WORDS) + words_of(b"{}")


def run(
    machine: str, path: Path, script: Script, answer: Answer, *names: str
) -> tuple[tuple[int, bytes, bytes], list[str]]:
    """What comes of a script whose calls are answered, and those that were made."""
    (path / FOLDER).mkdir()
    (path / FOLDER / "manifest-8.json").write_bytes(b"{}")
    watching = Watching(answer, names or CALLS)
    own = Answered(("mkdirat", *names) if names else CALLS, watching)
    with own.answering():
        found = stored(machine, path, script, before=own.install)
    return found, watching.done


def check_whole(path: Path) -> None:
    """The generation is there as it was told."""
    assert [each.name for each in path.iterdir()] == ["gen-7"]
    assert (path / "gen-7" / SHARD).read_bytes() == WORDS
    assert (path / "gen-7" / MANIFEST).read_bytes() == b"{}"


def ordered(path: Path) -> list[str]:
    """What is done, one behind another: a name is given to what is safe alone."""
    return [
        *(f"mkdirat {FOLDER}", f"openat {FOLDER}"),
        *(f"openat {SHARD}", f"write {SHARD}", f"write {SHARD}"),
        *(f"fsync {SHARD}", f"close {SHARD}"),
        *("openat manifest-8.json", "close manifest-8.json"),
        *(f"openat {MANIFEST}", f"write {MANIFEST}", f"write {MANIFEST}"),
        *(f"fsync {MANIFEST}", f"close {MANIFEST}", f"fsync {FOLDER}"),
        *(f"renameat2 {FOLDER} gen-7",),
        *(f"openat {path.name}", f"fsync {path.name}", f"close {path.name}", "close gen-7"),
    ]


@both
def test_a_name_is_given_to_what_is_safe(machine: str, tmp_path: Path) -> None:
    found, done = run(machine, tmp_path, whole(), lambda _: LET)
    assert found == (0, WRITTEN, b"")
    assert done == ordered(tmp_path)
    check_whole(tmp_path)


def test_who_is_killed_leaves_no_half_of_a_generation(tmp_path: Path) -> None:
    """Before each of its calls."""
    host = host_machine()
    assert host is not None
    calls = ordered(tmp_path)
    for count in range(len(calls)):
        path = tmp_path / str(count)
        path.mkdir()
        turns = iter([LET] * count)

        def answer(asked: Asked, turns: Iterator[None] = turns) -> int | None:
            for turn in turns:
                return turn
            os.kill(asked.process, signal.SIGKILL)
            return -errno.EIO

        found, done = run(host.name, path, whole(), answer)
        assert found[0] == -signal.SIGKILL
        assert len(done) == count + 1
        named = calls.index(f"renameat2 {FOLDER} gen-7") < count
        assert (path / "gen-7").exists() == named
        if named:
            check_whole(path)
            continue
        # The next run takes the folder that it left, and writes all of it anew.
        assert stored(host.name, path, whole()) == (0, WRITTEN, b"")
        check_whole(path)


@both
@pytest.mark.parametrize("name", ["mkdirat", "openat", "write", "fsync"])
def test_calls_that_are_interrupted_are_made_again(machine: str, name: str, tmp_path: Path) -> None:
    turns: Counter[str] = Counter()

    def answer(asked: Asked) -> int | None:
        turns[asked.name] += 1
        return -errno.EINTR if asked.name == name and turns[name] % 4 else LET

    found, done = run(machine, tmp_path, whole(), answer)
    assert found == (0, WRITTEN, b"")
    wanted = [call for call in ordered(tmp_path) for _ in range(4 if call.startswith(name) else 1)]
    assert done == wanted
    check_whole(tmp_path)


@both
@pytest.mark.parametrize("most", [1, 4096, 100_000])
def test_writes_of_fewer_bytes_go_on(machine: str, most: int, tmp_path: Path) -> None:
    """Interrupted as well, now and then."""
    draw = random.Random(most)
    size = min(len(WORDS), 300 * most)

    def answer(asked: Asked) -> int | None:
        if not draw.randrange(5):
            return -errno.EINTR
        return asked.performed(min(asked.arguments[2], 1 + draw.randrange(most)))

    pieces = [WORDS[:1], WORDS[1:3], WORDS[3 : size // 2], b"", WORDS[size // 2 : size]]
    script = Script().folder().file(SHARD, *pieces)
    found, done = run(machine, tmp_path, script, answer, "write")
    assert found == (0, words_of(WORDS[:size]), b"")
    assert (tmp_path / FOLDER / SHARD).read_bytes() == WORDS[:size]
    assert len(done) > size // most


@both
def test_writes_that_take_nothing_end(machine: str, tmp_path: Path) -> None:
    script = Script().folder().file(SHARD, WORDS)
    found, done = run(machine, tmp_path, script, lambda _: 0, "write")
    said = f"failed: cannot write {tmp_path / FOLDER / SHARD}: Input/output error"
    assert found == (5, b"", line(said))
    assert len(done) == 2


@both
def test_what_has_no_room_now_has_it_later(machine: str, tmp_path: Path) -> None:
    turns = iter([-errno.EAGAIN, -errno.EAGAIN, -errno.EINTR, -errno.EAGAIN])
    began = time.monotonic()
    found, done = run(
        machine,
        tmp_path,
        whole(),
        lambda _: next(turns, LET),
        "write",
    )
    assert found == (0, WRITTEN, b"")
    assert len(done) == 1 + 4 + 4
    assert time.monotonic() - began > 0.03
    check_whole(tmp_path)


@both
@pytest.mark.parametrize("session", [0, 100_000_000])
def test_what_has_no_room_until_the_session_ends(
    machine: str, session: int, tmp_path: Path
) -> None:
    script = Script().folder().tell("session", session).file(SHARD, WORDS)
    found, done = run(machine, tmp_path, script, lambda _: -errno.EAGAIN, "write")
    said = f"failed: cannot write {tmp_path / FOLDER / SHARD}: Resource temporarily unavailable"
    assert found == (5, b"", line(said))
    assert len(done) == 2 if session == 0 else 2 <= len(done) <= 12


@both
def test_synchronizing_that_failed_once_is_not_tried_again(machine: str, tmp_path: Path) -> None:
    """The kernel would say then that all is well."""
    for count, call in enumerate(each for each in ordered(tmp_path) if each.startswith("fsync")):
        path = tmp_path / str(count)
        path.mkdir()
        turns = iter([*[LET] * count, -errno.EIO])
        found, done = run(machine, path, whole(), lambda _, turns=turns: next(turns, LET), "fsync")
        name = _name(call.split()[1]).replace(tmp_path.name, str(count))
        shown = {SHARD: path / FOLDER / SHARD, MANIFEST: path / FOLDER / MANIFEST}
        shown |= {FOLDER: path / FOLDER, str(count): path}
        said = line(f"failed: cannot write {shown[name]}: Input/output error")
        assert found[::2] == (5, said)
        assert len(done) == count + 2
        assert (path / "gen-7").exists() == (count == 3)


@both
@pytest.mark.parametrize("number", [errno.EIO, errno.EDQUOT, errno.EINTR])
def test_closing_says_what_became_of_the_file(machine: str, number: int, tmp_path: Path) -> None:
    """Where it was interrupted, the bytes are safe all the same."""
    found, done = run(machine, tmp_path, whole(), lambda a: -number if a.name == "close" else LET)
    if number == errno.EINTR:
        assert found == (0, WRITTEN, b"")
        assert done == ordered(tmp_path)
        check_whole(tmp_path)
    else:
        said = f"failed: cannot write {tmp_path / FOLDER / SHARD}: {os.strerror(number)}"
        assert found == (5, b"", line(said))
        assert done == ordered(tmp_path)[:7]


def test_no_call_is_asked_for_more_than_it_takes(tmp_path: Path) -> None:
    """Of five gigabytes, which nobody has: an emulator would look at them."""
    host = host_machine()
    assert host is not None
    sizes: list[int] = []

    def answer(asked: Asked) -> int | None:
        if asked.name == "write":
            sizes.append(asked.arguments[2])
            return asked.arguments[2]
        return -errno.EIO if asked.name == "fsync" else LET

    script = Script().folder()
    named = script.fill(b"shard\0")
    pieces = script.fill(b"".join(word.to_bytes(8, "little") for word in (named, 5 << 30)))
    script.tell("file", named, 5, pieces, 1, script.fill(bytes(40)))
    found, _ = run(host.name, tmp_path, script, answer)
    assert found[0] == 5
    assert sizes == [0x7FFFF000, 0x7FFFF000, (5 << 30) - 2 * 0x7FFFF000]


@both
def test_roles_that_begin_at_once_share_the_folder(machine: str, tmp_path: Path) -> None:
    """Each makes it or finds it made, and they write beside one another, one version on another."""
    versions = range(10, -1, -1)
    processes = []
    for role in range(5):
        script = Script()
        for version in versions:
            content = b"%d of %d" % (version, role)
            script.folder(version).file(f"shard-{role}", content, WORDS[: 1000 * role])
            script.tell("end").tell("close")
        command = (*command_of(machine, storer(machine)), "--checkpoint", str(tmp_path))
        pipe = subprocess.PIPE
        processes.append(
            (subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe), script.data)
        )
    for process, data in processes:
        assert process.communicate(data, 60)[1] == b""
        assert process.returncode == 0
    assert len(os.listdir(tmp_path)) == len(versions)
    for version in versions:
        folder = tmp_path / f".gen-{version}.{SUFFIX}"
        found = {each.name: each.read_bytes() for each in folder.iterdir()}
        assert found == {
            f"shard-{role}": b"%d of %d" % (version, role) + WORDS[: 1000 * role]
            for role in range(5)
        }


@both
def test_stops_lose_no_byte(machine: str, tmp_path: Path) -> None:
    script = Script()
    for version in range(40):
        script.folder(version).file(SHARD, WORDS[version:]).tell("end").publish(version)
        script.tell("close")
        # The same words again, so that there is room for them.
        script.free = 0
    command = (*command_of(machine, storer(machine)), "--checkpoint", str(tmp_path))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        giving = threading.Thread(
            target=lambda stream: (stream.write(script.data), stream.close()), args=[process.stdin]
        )
        giving.start()
        while process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.001)
            process.send_signal(signal.SIGCONT)
            time.sleep(0.001)
        giving.join()
    assert process.returncode == 0
    assert sorted(os.listdir(tmp_path)) == sorted(f"gen-{version}" for version in range(40))
    for version in range(40):
        assert (tmp_path / f"gen-{version}" / SHARD).read_bytes() == WORDS[version:]
