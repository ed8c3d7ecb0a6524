"""Generations on disk: the bytes of files beside Python's, and the names that come of them."""

from __future__ import annotations

import os
import stat
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from routines.library import MACHINES
from routines.starting import line, started
from routines.storer import FOLDER, Script, stored, storer, words_of

from alpha.backends.toolchain.machines import host_machine

both = pytest.mark.parametrize("machine", MACHINES)

WORDS = np.random.default_rng(9).bytes(3_000_000)

PIECES = {
    "nothing": (),
    "an empty piece": (b"",),
    "a byte": (b"\x80",),
    "empty ones between": (b"", WORDS[:1], b"", b"", WORDS[1:64], b""),
    "odd sizes": (WORDS[:5], WORDS[5:68], WORDS[68:133], WORDS[133:4097], WORDS[4097:70_000]),
    "a header and words": (WORDS[:192], WORDS[:1_048_576], WORDS[:8]),
    "one large": (WORDS,),
    "many": tuple(WORDS[at : at + at % 131] for at in range(400)),
}
"""By what they are the pieces of a file."""


@both
@pytest.mark.parametrize("kind", PIECES)
def test_files_have_the_bytes_of_their_pieces(machine: str, kind: str, tmp_path: Path) -> None:
    pieces = PIECES[kind]
    script = Script().folder()
    for number, before in enumerate(((0,), (1, 7, 3), (63, 8))):
        script.file(f"shard-{number}", *pieces, before=before)
    whole = b"".join(pieces)
    assert stored(machine, tmp_path, script) == (0, 3 * words_of(whole), b"")
    assert sorted(os.listdir(tmp_path)) == [FOLDER]
    for number in range(3):
        assert (tmp_path / FOLDER / f"shard-{number}").read_bytes() == whole
    assert len(os.listdir(tmp_path / FOLDER)) == 3


@both
def test_a_file_is_written_anew(machine: str, tmp_path: Path) -> None:
    """Whatever a run has left there that ended while it wrote; others' files stay."""
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "shard-0").write_bytes(WORDS)
    (tmp_path / FOLDER / "shard-1").write_bytes(b"of another role")
    script = Script().folder().file("shard-0", b"short").file("shard-0", b"er").tell("end")
    found = stored(machine, tmp_path, script.tell("close"))
    assert found == (0, words_of(b"short") + words_of(b"er"), b"")
    assert (tmp_path / FOLDER / "shard-0").read_bytes() == b"er"
    assert (tmp_path / FOLDER / "shard-1").read_bytes() == b"of another role"


@both
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_who_may_read_is_what_the_mask_says(machine: str, mask: int, tmp_path: Path) -> None:
    script = Script().folder().file("shard-0", b"words")
    assert stored(machine, tmp_path, script, before=lambda: os.umask(mask))[0] == 0
    assert stat.S_IMODE((tmp_path / FOLDER).stat().st_mode) == 0o777 & ~mask
    assert stat.S_IMODE((tmp_path / FOLDER / "shard-0").stat().st_mode) == 0o666 & ~mask


VERSIONS = ((1 << 63) - 1, 1 << 31, 10, 9, 0)
"""Each has a shorter name than the one before."""


@both
def test_generations_get_their_names(machine: str, tmp_path: Path) -> None:
    """Several in one process, each with a suffix of its own; a link may stand for the folder."""
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real").mkdir()
    script = Script()
    for number, version in enumerate(VERSIONS):
        suffix = "abcdef"[number:]
        script.folder(version, suffix).file("manifest.json", b"{}", str(version).encode())
        script.tell("end").publish(version, suffix).tell("close")
    status, out, err = stored(machine, f"{tmp_path}/link/", script)
    assert (status, err) == (0, b"")
    assert out == b"".join(words_of(b"{}%d" % version) for version in VERSIONS)
    assert {each.name for each in (tmp_path / "real").iterdir()} == {f"gen-{v}" for v in VERSIONS}
    for version in VERSIONS:
        assert (tmp_path / "real" / f"gen-{version}" / "manifest.json").read_bytes() == (
            b"{}%d" % version
        )


@both
def test_the_longest_path(machine: str, tmp_path: Path) -> None:
    """Of 4031 bytes, with the longest names behind it; a folder that deep has no path itself."""
    left = 4031 - len(str(tmp_path))
    names = ["d" * 99] * (left // 100 - 1)
    names.append("e" * (left - 100 * len(names) - 1))
    held = os.open(tmp_path, os.O_RDONLY)
    for name in names:
        os.mkdir(name, dir_fd=held)
        inner = os.open(name, os.O_RDONLY, dir_fd=held)
        os.close(held)
        held = inner
    path = "/".join([str(tmp_path), *names])
    assert len(path) == 4031
    version, suffix = (1 << 64) - 1, "f" * 32
    script = Script().folder(version, suffix).file("manifest.json", b"{}").tell("end")
    script.publish(version, suffix).tell("close")
    assert stored(machine, path, script) == (0, words_of(b"{}"), b"")
    assert os.listdir(held) == [f"gen-{version}"]
    # Where it fails, the line is cut, and says by how much.
    again = Script().folder(version, suffix).file("manifest.json", b"{}").publish(version, suffix)
    shown = f"{path[:900]} and 3131 bytes more"
    said = f"refused checkpoint-exists: expected no generation of version {version} in {shown}"
    said += f", found {path[:900]} and {3131 + len(f'/gen-{version}')} bytes more"
    assert stored(machine, path, again)[::2] == (3, line(said))
    os.close(held)


@both
def test_no_generation_is_replaced(machine: str, tmp_path: Path) -> None:
    (tmp_path / "gen-7").mkdir()
    (tmp_path / "gen-7" / "manifest.json").write_bytes(b"earlier")
    script = Script().folder().file("manifest.json", b"later").tell("end").publish()
    wanted = f"expected no generation of version 7 in {tmp_path}, found {tmp_path}/gen-7"
    said = line(f"refused checkpoint-exists: {wanted}")
    assert stored(machine, tmp_path, script) == (3, words_of(b"later"), said)
    assert (tmp_path / "gen-7" / "manifest.json").read_bytes() == b"earlier"
    assert (tmp_path / FOLDER / "manifest.json").read_bytes() == b"later"


def unwritten(path: Path | str, why: str, out: bytes = b"") -> tuple[int, bytes, bytes]:
    return 5, out, line(f"failed: cannot write {path}: {why}")


def unread(path: Path | str, why: str) -> tuple[int, bytes, bytes]:
    return 5, b"", line(f"failed: cannot read {path}: {why}")


def other(path: Path | str, role: int) -> tuple[int, bytes, bytes]:
    what = f"{path} isn't what role {role} wrote: all roles have to see one folder"
    return 5, b"", line(f"failed: {what}")


@both
def test_an_empty_folder_is_no_generation(machine: str, tmp_path: Path) -> None:
    (tmp_path / "gen-7").mkdir()
    script = Script().folder().file("manifest.json", b"{}").tell("end").publish()
    assert stored(machine, tmp_path, script) == (0, words_of(b"{}"), b"")
    assert (tmp_path / "gen-7" / "manifest.json").read_bytes() == b"{}"


@both
def test_what_has_the_name_of_a_generation_and_is_none(machine: str, tmp_path: Path) -> None:
    script = Script().folder().tell("end").publish()
    named = tmp_path / "gen-7"
    named.write_bytes(b"a file")
    assert stored(machine, tmp_path, script) == unwritten(named, "Not a directory")
    named.unlink()
    (tmp_path / "elsewhere").mkdir()
    named.symlink_to(tmp_path / "elsewhere")
    assert stored(machine, tmp_path, script) == unwritten(named, "Not a directory")
    assert named.is_symlink()


@both
def test_where_no_folder_can_be_made(machine: str, tmp_path: Path) -> None:
    script = Script().folder()
    folder = tmp_path / FOLDER
    missing = tmp_path / "none"
    found = stored(machine, missing, script)
    assert found == unwritten(missing / FOLDER, "No such file or directory")
    (tmp_path / "file").write_bytes(b"")
    found = stored(machine, tmp_path / "file", script)
    assert found == unwritten(tmp_path / "file" / FOLDER, "Not a directory")
    for make in (lambda: folder.write_bytes(b""), lambda: os.mkfifo(folder)):
        make()
        assert stored(machine, tmp_path, script) == unwritten(folder, "Not a directory")
        folder.unlink()
    for target in (missing, tmp_path):
        folder.symlink_to(target)
        assert stored(machine, tmp_path, script) == unwritten(folder, "Not a directory")
        folder.unlink()


@both
def test_where_no_file_can_be_written(machine: str, tmp_path: Path) -> None:
    """Nothing is written behind a link, whoever has put it there."""
    folder = tmp_path / FOLDER
    folder.mkdir()
    name = "shard-0.safetensors"
    script = Script().folder().file(name, b"words")
    (tmp_path / "elsewhere").write_bytes(b"another's")
    for target in (tmp_path / "elsewhere", tmp_path / "none"):
        (folder / name).symlink_to(target)
        found = stored(machine, tmp_path, script)
        assert found == unwritten(folder / name, "Too many levels of symbolic links")
        (folder / name).unlink()
    assert (tmp_path / "elsewhere").read_bytes() == b"another's"
    assert not (tmp_path / "none").exists()
    (folder / name).mkdir()
    assert stored(machine, tmp_path, script) == unwritten(folder / name, "Is a directory")
    long = "n" * 256
    found = stored(machine, tmp_path, Script().folder().file(long, b"words"))
    assert found == unwritten(folder / long, "File name too long")


@both
def test_what_another_role_has_written_is_seen(machine: str, tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    contents = (b"", b"{", WORDS[:4096], WORDS[:4097], WORDS[:100_001])
    script = Script().folder()
    for role, content in enumerate(contents, 12):
        (folder / f"manifest-{role}.json").write_bytes(content)
        for before in (0, 1, 4):
            script.seen(f"manifest-{role}.json", role, words_of(content), before)
    assert stored(machine, tmp_path, script.tell("end")) == (0, b"", b"")


@both
def test_what_another_role_has_not_written(machine: str, tmp_path: Path) -> None:
    folder, name, role = tmp_path / FOLDER, "manifest-1999.json", 1999
    path = folder / name
    folder.mkdir()

    def seen(said: bytes) -> tuple[int, bytes, bytes]:
        return stored(machine, tmp_path, Script().folder().seen(name, role, said))

    content = WORDS[:5000]
    said = words_of(content)
    assert seen(said) == unread(path, "No such file or directory")
    for wrong in (b"", content[:-1], content + b"\0", bytes(5000), content[:-1] + b"\0"):
        path.write_bytes(wrong)
        assert seen(said) == other(path, role)
    path.write_bytes(content)
    for word in range(5):
        bits = bytearray(said)
        bits[8 * word + 7] ^= 0x80
        assert seen(bytes(bits)) == other(path, role)
    path.rename(tmp_path / "moved")
    path.symlink_to(tmp_path / "moved")
    assert seen(said) == unread(path, "Too many levels of symbolic links")
    path.unlink()
    for make in (path.mkdir, lambda: os.mkfifo(path)):
        make()
        # As long as either says it is, and empty as a pipe is.
        for length in (path.lstat().st_size, 0):
            assert seen(struct.pack("<Q", length) + words_of(b"")[8:]) == other(path, role)
        path.rmdir() if path.is_dir() else path.unlink()


@both
def test_a_folder_is_named_where_generations_are_written(machine: str) -> None:
    file = storer(machine)
    for needed, arguments, said in (
        (0, (), b""),
        (1, ("--checkpoint", "x"), b""),
        (1, (), line(f"usage: expected --checkpoint PATH, since {WRITTEN}, found none")),
        (0, ("--checkpoint", "x\ny"), line(f"usage: {NOT_WRITTEN}, found 'x\\x0ay'")),
    ):
        script = Script(needed)
        found = started(machine, file, *arguments, stdin=script.data)
        assert found == (2 if said else 0, b"", said)


WRITTEN = "generations are written"
NOT_WRITTEN = "expected no --checkpoint, since no generation is written"


def test_nothing_stays_open(tmp_path: Path) -> None:
    """Of three generations, all of what a role does with each."""
    host = host_machine()
    assert host is not None
    first = Script().tell("size").data
    script = Script(None)
    for version in range(3):
        script.folder(version).file("manifest-2.json", b"{}")
        script.seen("manifest-2.json", 2, words_of(b"{}")).tell("end").publish(version)
        script.tell("close")
    command = [storer(host.name), "--checkpoint", tmp_path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(first)
        process.stdin.flush()
        # Before it has answered it may still be about to be mapped.
        assert len(process.stdout.read(8)) == 8
        before = maps_of(process.pid)
        process.stdin.write(script.tell("size").data)
        process.stdin.flush()
        assert len(process.stdout.read(3 * 40 + 8)) == 128
        assert sorted(os.listdir(f"/proc/{process.pid}/fd")) == ["0", "1", "2"]
        assert maps_of(process.pid) == before


def maps_of(process: int) -> list[str]:
    """What a process has mapped."""
    return Path(f"/proc/{process}/maps").read_text(encoding="ascii").splitlines()
