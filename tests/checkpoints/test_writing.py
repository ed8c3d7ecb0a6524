"""The order in which a generation is written, and what is left when a step of it fails."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkpoints.makings import RUN, SMALL, bits, facts_of, state_of, write
from checkpoints.plain_reader import read_generation
from checkpoints.tampering import in_order

from alpha.ir.checkpoints.file_digests import FileDigest
from alpha.ir.checkpoints.names import partial_name
from alpha.ir.checkpoints.reading import newest
from alpha.ir.checkpoints.writing import GenerationWriter, failure_text
from alpha.ir.refusals import Refusal

FACTS = facts_of(SMALL, 2)
STATE = state_of(FACTS)
WORDS = {"w": STATE["w"].reshape(-1)[::2], "t": STATE["t"]}
BELOW = {"w": STATE["w"].reshape(-1)[1::2]}
PARTIAL = partial_name(7, RUN)
FLAGS = {os.O_RDONLY: "read", os.O_WRONLY: "write"}


class Calls:
    """The calls to the system that a role makes, each as a line; one of them may fail."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.lines: list[str] = []
        self.failing: int | None = None
        self.error = errno.EIO
        self._names: dict[int, str] = {}
        for name in ("mkdir", "open", "write", "fsync", "close", "rename", "read"):
            patch.setattr(os, name, self._counted(name, getattr(os, name)))

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **keys: Any) -> Any:
            self._note(name, given)
            if len(self.lines) - 1 == self.failing:
                if name == "close":
                    call(*given)
                raise OSError(self.error, os.strerror(self.error))
            if name == "fsync":
                return None
            found = call(*given, **keys)
            if name == "open":
                self._names[found] = os.path.basename(given[0])
            return found

        return counted

    def _note(self, name: str, given: tuple[Any, ...]) -> None:
        if name in ("mkdir", "open", "rename"):
            what = " ".join(
                os.path.basename(each) for each in given if isinstance(each, str | Path)
            )
            if name == "open":
                what += f" to {FLAGS[given[1] & os.O_ACCMODE]}"
        else:
            what = self._names[given[0]]
        self.lines.append(f"{name} {what}")


def write_below(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Let role 1 write all of its part; gives its words on its shard and on its manifest."""
    writer = GenerationWriter(folder, FACTS, 1, (), root=False)
    shard = writer.write_shard(7, BELOW)
    return shard, writer.write_manifest(7, shard, {})


def write_root(folder: Path, said: Mapping[int, np.ndarray]) -> np.ndarray:
    """Let role 0 write its part, and close what a failure leaves open."""
    writer = GenerationWriter(folder, FACTS, 0, (1,), root=True)
    try:
        shard = writer.write_shard(7, WORDS)
        return writer.write_manifest(7, shard, said)
    finally:
        writer.close()


BELOW_CALLS = [
    f"mkdir {PARTIAL}",
    f"open {PARTIAL} to read",
    "open shard-1.safetensors to write",
    *["write shard-1.safetensors"] * 2,
    "fsync shard-1.safetensors",
    "close shard-1.safetensors",
    "open manifest-1.json to write",
    "write manifest-1.json",
    "fsync manifest-1.json",
    "close manifest-1.json",
    f"fsync {PARTIAL}",
    f"close {PARTIAL}",
]


def root_calls(folder: Path) -> list[str]:
    return [
        f"mkdir {PARTIAL}",
        f"open {PARTIAL} to read",
        "open shard-0.safetensors to write",
        *["write shard-0.safetensors"] * 3,
        "fsync shard-0.safetensors",
        "close shard-0.safetensors",
        "open manifest-1.json to read",
        *["read manifest-1.json"] * 2,
        "close manifest-1.json",
        "open manifest.json to write",
        "write manifest.json",
        "fsync manifest.json",
        "close manifest.json",
        f"fsync {PARTIAL}",
        f"open {folder.name} to read",
        f"rename {PARTIAL} gen-7",
        f"fsync {folder.name}",
        f"close {folder.name}",
        f"close {PARTIAL}",
    ]


def test_the_order_of_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards before manifests, children before parents, a sync of each, and the name last."""
    with monkeypatch.context() as patch:
        calls = Calls(patch)
        _, said = write_below(tmp_path)
        assert calls.lines == BELOW_CALLS
        calls.lines.clear()
        root = write_root(tmp_path, {1: said})
        assert calls.lines == root_calls(tmp_path)
    data = (tmp_path / "gen-7" / "manifest.json").read_bytes()
    assert FileDigest.of_words(root).bytes == len(data)
    assert bits(read_generation(tmp_path / "gen-7").states["w"]) == bits(STATE["w"])
    assert os.listdir(tmp_path) == ["gen-7"]


def ask_again(folder: Path) -> bool:
    """Whether a whole generation of version 7 is found."""
    try:
        return newest(folder).generation.version == 7
    except Refusal as refusal:
        assert refusal.code == "checkpoint-missing"
        return False


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC, errno.EMFILE])
def test_each_call_that_fails_ends_the_role(
    error: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It isn't tried again, what failed is named, and nothing is published before the name is."""
    calls_made = root_calls(tmp_path)
    for number, line in enumerate(calls_made):
        if line in (f"close {tmp_path.name}", f"close {PARTIAL}"):
            # Of a folder, after everything is on disk.
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        _, said = write_below(folder)
        with monkeypatch.context() as patch:
            calls = Calls(patch)
            calls.failing, calls.error = number, error
            with pytest.raises(OSError) as caught:
                write_root(folder, {1: said})
            # What comes behind is descriptors alone.
            assert all(each.startswith("close") for each in calls.lines[number + 1 :])
        assert caught.value.errno == error
        verb, name, *_ = line.split()
        path = {PARTIAL: folder / PARTIAL, tmp_path.name: folder}.get(name, folder / PARTIAL / name)
        path = folder / "gen-7" if verb == "rename" else path
        reading = name == "manifest-1.json"
        text = f"cannot {'read' if reading else 'write'} {path}: {os.strerror(error)}"
        assert failure_text(caught.value) == text, line
        published = number > calls_made.index(f"rename {PARTIAL} gen-7")
        assert ask_again(folder) == published
        assert os.listdir(folder) == (["gen-7"] if published else [PARTIAL])


@pytest.mark.parametrize("name", ["path", PARTIAL])
def test_a_folder_that_cant_be_closed_loses_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "path"
    folder.mkdir()
    _, said = write_below(folder)
    with monkeypatch.context() as patch:
        calls = Calls(patch)
        calls.failing = root_calls(folder).index(f"close {name}")
        write_root(folder, {1: said})
    assert ask_again(folder)


def test_a_sync_that_fails_isnt_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        calls = Calls(patch)
        calls.failing = BELOW_CALLS.index("fsync shard-1.safetensors")
        writer = GenerationWriter(tmp_path, FACTS, 1, (), root=False)
        with pytest.raises(OSError):
            writer.write_shard(7, BELOW)
        writer.close()
    assert [line for line in calls.lines if "fsync" in line] == ["fsync shard-1.safetensors"]
    assert calls.lines[-2:] == ["close shard-1.safetensors", f"close {PARTIAL}"]


def test_short_writes_are_taken_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes = os.write
    counts: list[int] = []

    def short(descriptor: int, data: memoryview) -> int:
        counts.append(len(data))
        return writes(descriptor, data[:7])

    monkeypatch.setattr(os, "write", short)
    monkeypatch.setattr("alpha.ir.checkpoints.writing.WRITE_BYTES_MAX", 50)
    folder = write(tmp_path, FACTS, STATE)
    assert max(counts) == 50
    assert bits(read_generation(folder).states["w"]) == bits(STATE["w"])


def test_a_generation_is_never_replaced(tmp_path: Path) -> None:
    """The one that is there stays as it was, to the byte."""
    folder = write(tmp_path, FACTS, STATE)
    before = {name: (folder / name).read_bytes() for name in in_order(folder)}
    with pytest.raises(Refusal) as caught:
        write(tmp_path, FACTS, state_of(FACTS, 1))
    assert caught.value.code == "checkpoint-exists"
    assert caught.value.expected == f"no generation of version 7 in {tmp_path}"
    assert caught.value.found == str(folder)
    assert {name: (folder / name).read_bytes() for name in in_order(folder)} == before
    write(tmp_path, FACTS, STATE, version=8)


def test_what_a_run_left_is_written_over(tmp_path: Path) -> None:
    """The folder of an attempt that ended on the way, with longer files in it."""
    folder = tmp_path / PARTIAL
    folder.mkdir()
    for name in ("shard-0.safetensors", "manifest-1.json", "manifest.json"):
        (folder / name).write_bytes(b"?" * 10_000)
    assert bits(read_generation(write(tmp_path, FACTS, STATE)).states["w"]) == bits(STATE["w"])


@pytest.mark.parametrize("name", ["shard-0.safetensors", "manifest.json"])
def test_no_link_is_written_through(name: str, tmp_path: Path) -> None:
    (tmp_path / PARTIAL).mkdir()
    (tmp_path / "aside").write_bytes(b"kept")
    (tmp_path / PARTIAL / name).symlink_to("../aside")
    with pytest.raises(OSError) as caught:
        write(tmp_path, FACTS, STATE)
    assert failure_text(caught.value).startswith(f"cannot write {tmp_path / PARTIAL / name}: ")
    assert (tmp_path / "aside").read_bytes() == b"kept"


def test_a_folder_that_isnt_there_is_nobodys_to_make(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "path", FACTS, STATE)
    assert not (tmp_path / "path").exists()


def _changed(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"7", b"8", 1))


def _longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def _shorter(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("change", [_changed, _longer, _shorter])
def test_a_childs_manifest_that_is_another_one(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    """As where two hosts have folders of one name."""
    _, said = write_below(tmp_path)
    path = tmp_path / PARTIAL / "manifest-1.json"
    change(path)
    with pytest.raises(OSError) as caught:
        write_root(tmp_path, {1: said})
    wanted = f"{path} isn't what role 1 wrote: all roles have to see one folder"
    assert failure_text(caught.value) == wanted
    assert not (tmp_path / PARTIAL / "manifest.json").exists()


@pytest.mark.parametrize("kind", ["gone", "link", "folder", "pipe"])
def test_a_childs_manifest_that_cant_be_read(kind: str, tmp_path: Path) -> None:
    _, said = write_below(tmp_path)
    path = tmp_path / PARTIAL / "manifest-1.json"
    path.rename(path.with_suffix(".aside"))
    if kind == "link":
        path.symlink_to("manifest-1.aside")
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(OSError) as caught:
        write_root(tmp_path, {1: said})
    text = failure_text(caught.value)
    assert text.startswith(f"cannot read {path}: ") or kind == "pipe"
    assert str(path) in text
