"""Damaged generations, as `alpha run --resume` sees them: they are refused, or passed over.

Invariant: no damaged generation is gone on from. Where there is an older one it is taken instead,
    and that is said; the run ends in the same bits.
Entry: `Damage`, `damages`, `refused`, `of_another`.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from faults.plays import ROUNDS, VERSIONS, Prepared, prepared
from native_runs.folders import Told, command

OLDER, NEWER = (f"gen-{version}" for version in VERSIONS)

MISSING, MANIFEST, DIGEST, GONE = (
    f"checkpoint-{name}" for name in ("missing", "manifest", "digest", "shard-missing")
)


CODES = (MISSING, MANIFEST, DIGEST, GONE, "checkpoint-shard", "checkpoint-coverage")


@dataclass(frozen=True)
class Damage:
    """What is done to the newer generation, in a folder of both, and with which codes it may be
    refused; none is any of those of generations."""

    name: str
    do: Callable[[Path], object]
    codes: Sequence[str] = ()


def _flip(file: str, at: int, mask: int) -> Callable[[Path], object]:
    def do(path: Path) -> None:
        data = bytearray((path / NEWER / file).read_bytes())
        data[at] ^= mask
        (path / NEWER / file).write_bytes(data)

    return do


def _cut(file: str, size: int) -> Callable[[Path], object]:
    return lambda path: os.truncate(path / NEWER / file, size)


def _files(play: Prepared) -> dict[str, int]:
    """The files of a generation, and how many bytes they have."""
    generation = play.generations / NEWER
    return {path.name: path.stat().st_size for path in sorted(generation.iterdir())}


def damages(name: str, step: int) -> Iterator[Damage]:
    """Every so many bytes changed and every so many lengths; and files that are moved about."""
    play = prepared(name)
    for file, size in _files(play).items():
        shard = file.startswith("shard")
        codes = (DIGEST,) if shard else ()
        for at in dict.fromkeys((0, *range(sum(map(ord, file)) % step, size, step), size - 1)):
            for mask in (0x01, 0x20, 0x80):
                yield Damage(f"flip {file} {at} {mask}", _flip(file, at, mask), codes)
            yield Damage(f"cut {file} {at}", _cut(file, at), codes)
        yield Damage(f"grow {file}", _grow(file), codes)
        yield from _moved(file, list(_files(play)))
    yield Damage("the older one under its name", _older_named_newer, (MANIFEST,))


def _grow(file: str) -> Callable[[Path], object]:
    def do(path: Path) -> None:
        with open(path / NEWER / file, "ab") as stream:
            stream.write(b"\0")

    return do


def _moved(file: str, files: Sequence[str]) -> Iterator[Damage]:
    gone = MISSING if file == "manifest.json" else GONE
    yield Damage(f"remove {file}", lambda path: os.remove(path / NEWER / file), (gone,))
    yield Damage(f"rename {file}", lambda path: _rename(path / NEWER / file), (gone,))
    yield Damage(f"a folder in the place of {file}", lambda path: _folder(path / NEWER / file))
    yield Damage(f"a link in the place of {file}", lambda path: _link(path, file))
    yield Damage(f"that of the older one, {file}", lambda path: _older(path, file))
    for other in files:
        if other > file:
            yield Damage(f"swap {file} and {other}", lambda path, o=other: _swap(path, file, o))
        if other != file:
            yield Damage(f"{other} in {file}", lambda path, o=other: _double(path, o, file))


def _rename(file: Path) -> None:
    file.rename(file.with_name(f"{file.name}.old"))


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _link(path: Path, file: str) -> None:
    """A link to the same bytes is none of a generation's files."""
    shutil.copy(path / NEWER / file, path / "elsewhere")
    os.remove(path / NEWER / file)
    os.symlink(path / "elsewhere", path / NEWER / file)


def _older(path: Path, file: str) -> None:
    shutil.copy(path / OLDER / file, path / NEWER / file)


def _swap(path: Path, one: str, other: str) -> None:
    held = path / NEWER / "held"
    (path / NEWER / one).rename(held)
    (path / NEWER / other).rename(path / NEWER / one)
    held.rename(path / NEWER / other)


def _double(path: Path, source: str, target: str) -> None:
    shutil.copy(path / NEWER / source, path / NEWER / target)


def _older_named_newer(path: Path) -> None:
    shutil.rmtree(path / NEWER)
    shutil.copytree(path / OLDER, path / NEWER)


def resumed(play: Prepared, path: Path, *how: str) -> Told:
    """What `alpha run` does that goes on from a path."""
    given = ("--rounds", str(ROUNDS), "--resume", path)
    return command("run", play.file, *play.play.flags, *given, *(how or ("--interpret=shard",)))


def refused(name: str, damage: Damage) -> list[str]:
    """What is wrong with a run that would go on from what is damaged, and from its folder."""
    play = prepared(name)
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "path"
        shutil.copytree(play.generations, path)
        damage.do(path)
        alone, both = resumed(play, path / NEWER), resumed(play, path)
    wrong: list[str] = []
    # By itself it is whole, and is called as it is called; its name is looked at in its folder.
    if damage.do is _older_named_newer:
        if alone.status != 0 or play.end not in alone.out:
            wrong.append(f"by itself: {alone}")
    elif alone.status != 1 or not _says(alone, damage, "error: "):
        wrong.append(f"by itself: {alone}")
    taken = both.status == 0 and both.out.splitlines()[-1] == play.end
    if not taken or not _says(both, damage, f"alpha: warning: {NEWER} was passed over: "):
        wrong.append(f"of two: {both}")
    return [f"{damage.name}: {each}" for each in wrong]


def _says(told: Told, damage: Damage, before: str) -> bool:
    """Whether a command says one of the codes."""
    said = re.search(rf"^(?:.*: )?{re.escape(before)}\[([a-z-]+)\] ", told.said, re.MULTILINE)
    if said is None:
        return False
    return said[1] in damage.codes if damage.codes else said[1] in CODES


def of_another(name: str, other: str) -> Told:
    """What a run says that would go on from the generations of another play."""
    return resumed(prepared(name), prepared(other).generations)
