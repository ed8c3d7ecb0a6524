"""Prints participants that train and add beside their peers, as ratios; below 1 ours is faster.

Started by `make bench`; a part of it by name: PYTHONPATH=bench python -m participants.run training.

Invariant: ours and a peer are measured in turn, and what is told is the median of the ratios of
    the pairs. Ours are sealed: every frame has its SHA-256, and every role's copies are compared.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from participants.learners import FEATURES, OWNERS, combine_learner, samples, training_learner
from participants.ours import Built
from participants.peers import Missing, Peers

ROUNDS, TORCH_ROUNDS = 4000, 300
PAIRS = 5
COMBINES = (
    (4, 1, 4000),
    (8, 1, 2000),
    (2, 1, 4000),
    (4, 1024, 3000),
    (8, 1024, 1500),
    (2, 1024, 3000),
    (4, 1 << 20, 10),
)
"""Roles, words and rounds: 8 bytes, 8 KiB and 8 MiB."""

LARGE = 1 << 20
STARTS = 15


def row(what: str, mine: Callable[[], float], peer: str, theirs: Callable[[], float]) -> str:
    """A row of the table: microseconds of a round, and the median of the ratios."""
    try:
        theirs()
    except Missing as missing:
        return f"| {what} | {peer} | | | not compared: {missing} |"
    pairs = [(mine(), theirs()) for _ in range(PAIRS)]
    ours, other = (statistics.median(each) * 1e6 for each in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    return f"| {what} | {peer} | {ours:.1f} | {other:.1f} | {ratio:.3f} |"


def training(peers: Peers, folder: Path) -> Iterator[str]:
    """Rounds of least squares by Adam with 4 processes, and that the star in C has their bits."""
    built = Built.of(training_learner(folder), ROUNDS)
    x, y = samples()
    raw = [folder / "x.bin", folder / "y.bin"]
    for array, file in zip((x, y), raw, strict=True):
        array.tofile(file)
    rounds = ROUNDS + 10

    def star(sealed: bool) -> float:
        return peers.star("train", OWNERS, rounds, FEATURES, sealed, raw).seconds

    found = peers.star("train", OWNERS, rounds, FEATURES, True, raw).words
    same = load_file(built.state())["w"]
    if found.tobytes() != same[: len(found)].tobytes():
        raise SystemExit("the star in C and this project end in different bits")
    what = f"round of training, N={OWNERS} K={FEATURES} S={len(x) // OWNERS}"
    yield row(what, built.seconds, "C star, sealed", lambda: star(True))
    yield row(what, built.seconds, "C star", lambda: star(False))
    files = folder / "x.npy", folder / "y.npy"
    name = "mpi4py and numpy, TCP"
    yield row(what, built.seconds, name, lambda: peers.mpi_training(*files, ROUNDS))
    name = "torch DDP, gloo"
    yield row(what, built.seconds, name, lambda: peers.torch_training(*files, TORCH_ROUNDS))


def combine(peers: Peers, folder: Path) -> Iterator[str]:
    """Rounds in which every role gives words and gets their sum."""
    for roles, words, rounds in COMBINES:
        place = folder / f"{roles}-{words}"
        place.mkdir()
        flags = ("--exchange=sharded",) if words == LARGE else ()
        built = Built.of(combine_learner(place, roles, words), rounds, *flags)
        raw = place / "words.bin"
        np.load(place / "words.npy").tofile(raw)
        size = roles, words, rounds

        def star(roles: int, words: int, rounds: int, raw: Path) -> float:
            return peers.star("add", roles, rounds, words, True, [raw, raw]).seconds

        others = {
            "C star, sealed": partial(star, *size, raw),
            "OpenMPI, TCP": partial(peers.mpi_combine, *size),
        }
        if words == LARGE:
            others["torch all_reduce, gloo"] = partial(peers.torch_combine, *size)
        for name, other in others.items():
            yield row(f"sum of {8 * words:,} bytes, N={roles}", built.seconds, name, other)


def start(peers: Peers, folder: Path) -> Iterator[str]:
    """How long a run of one round takes, and how much memory a process has at most."""
    del peers
    learner = training_learner(folder)
    built = Built.of(learner, ROUNDS)
    seconds = statistics.median(built.start() for _ in range(STARTS))
    peak = built.peak()
    data = max(file.stat().st_size for file in built.once.glob("*.data"))
    yield f"start to the end of one round, 4 processes: {seconds * 1e3:.1f} ms"
    yield f"memory of a process at most: {peak / 1e6:.1f} MB, with {data / 1e6:.1f} MB of data"


PARTS: dict[str, Callable[[Peers, Path], Iterator[str]]] = {
    "training": training,
    "combine": combine,
    "start": start,
}


def main(parts: list[str]) -> None:
    """Measure the parts and print as they are done."""
    unknown = set(parts) - set(PARTS)
    if unknown:
        raise SystemExit(f"parts are {', '.join(PARTS)}, not {', '.join(unknown)}")
    with tempfile.TemporaryDirectory() as name:
        peers = Peers(Path(name))
        try:
            print(f"a flag's round trip between two processors: {peers.probe()} ns")
        except Missing as missing:
            print(f"two processors aren't probed: {missing}")
        print(f"processors: {os.cpu_count()}")
        print("\n| what | peer | ours, us | peer, us | ratio |")
        print("| --- | --- | --- | --- | --- |")
        for part in parts:
            folder = Path(name) / part
            folder.mkdir()
            for line in PARTS[part](peers, folder):
                print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(PARTS))
