"""Writes that take few bytes, and calls that are interrupted: the same bytes are on disk.

Entry: `COUNTS`, `shortened`, `interrupted_by_timer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from faults import tampered, timed
from faults.plays import VERSIONS
from faults.trials import Stand, Trial, found_at

COUNTS: Sequence[Sequence[int]] = (
    (1,),
    (1, 3, 5, 7, 11, 13, 509),
    (511, 513),
    (1 << 30,),
    (0, 1 << 30),
    (0, 0, 7, 0, 64),
)
"""The bytes that writes take, in turn; 0 for one that is interrupted."""


def shortened(stand: Stand, counts: Sequence[int]) -> list[str]:
    """What is wrong with a run of which a role's writes take so many bytes."""
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path, log = Path(folder) / "path", Path(folder) / "log"
        wrong = _same(stand, stand.run(path, instead=tampered.front(counts, log)))
        if wrong:
            return wrong
        writes, interrupted = map(int, log.read_text().split())
        size = sum(_bytes(path / f"gen-{version}", stand.role) for version in VERSIONS)
        if max(counts) < size // writes or (0 in counts) != (interrupted > 0):
            wrong.append(f"{size} bytes in {writes} writes, {interrupted} calls interrupted")
    return wrong


def _bytes(generation: Path, role: int) -> int:
    """The bytes that a role has written of a generation."""
    manifest = "manifest.json" if role == 0 else f"manifest-{role}.json"
    names = (f"shard-{role}.safetensors", manifest)
    return sum((generation / name).stat().st_size for name in names)


def _same(stand: Stand, trial: Trial) -> list[str]:
    """What is wrong with a run that should be the same as the one in which nothing happens."""
    wrong, told = list(trial.wrong), trial.told
    if (told.status, told.said) != (0, "") or told.out.splitlines()[-1] != stand.play.end:
        return [*wrong, f"ended with {told}"]
    for each in VERSIONS:
        wrong += found_at(trial.path / f"gen-{each}", stand.play)[1]
    if found_at(trial.path, stand.play)[0] != VERSIONS[-1]:
        wrong.append("the newest generation isn't there")
    return wrong


def interrupted_by_timer(stand: Stand) -> list[str]:
    """What is wrong with a run of which a role that is interpreted is interrupted all the time."""
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path, log = Path(folder) / "path", Path(folder) / "log"
        wrong = _same(stand, stand.run(path, instead=timed.front(log)))
        if not wrong and int(log.read_text()) < 100:
            wrong.append(f"interrupted {log.read_text()} times")
    return wrong
