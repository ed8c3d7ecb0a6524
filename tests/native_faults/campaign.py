"""All faults of frames, deaths, lies and other runs, in all casts, with counts.

`python -m native_faults.campaign [PROCESSES]`; its exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from tempfile import TemporaryDirectory
from typing import NamedTuple

from native_faults.casts import CASTS, play_of
from native_faults.covering import PLAYS
from native_faults.examining import cases_of, examined
from native_faults.lies import differing, lies
from native_faults.test_native_losses import deaths, killing
from native_faults.test_native_other_runs import MIXES, in_both_places
from runs.conversations import Direction
from runs.test_other_runs import OTHERS

from alpha.tools.progress import progress

NATIVE = [cast for cast in CASTS if cast != "interpreted"]
DYING = ("pair", "star", "chain", "direct")
"""A gate has no rounds: who has passed it needs nobody."""


class Part(NamedTuple):
    """Trials of one kind on one play in one cast."""

    kind: str
    name: str
    cast: str
    way: Direction | None = None


def parts() -> Iterator[Part]:
    """All of them."""
    for cast in NATIVE:
        for name in PLAYS:
            for way in play_of(name).conversation.frames:
                yield Part("frames", name, cast, way)
            yield Part("lies", name, cast)
        for name in OTHERS:
            yield Part("other runs", name, cast if cast in MIXES else "native")
    for cast in ("x86-64", "aarch64", "alternating"):
        for name in DYING:
            for way in play_of(name).conversation.frames:
                yield Part("deaths", name, cast, way)


def tried(part: Part) -> tuple[int, list[str]]:
    """How many trials there were, and what is wrong."""
    wrong: list[str] = []
    try:
        match part:
            case Part("frames", name, cast, way) if way is not None:
                given: Sequence[object] = list(cases_of(name, way).values())
                for case in cases_of(name, way).values():
                    found = examined(name, way, case, cast)
                    wrong += [f"{case.name}: {each}" for each in found]
            case Part("deaths", name, cast, way) if way is not None:
                given = deaths(name, way)
                for place in deaths(name, way):
                    wrong += killing(name, cast, way, place)
            case Part("lies", name, cast, _):
                given = list(lies(name))
                for lie in lies(name):
                    wrong += differing(name, lie, cast)
            case Part(_, name, cast, _):
                given = (0, 1)
                wrong += in_both_places(name, cast, cast)
    except Exception as error:  # it is counted as wrong, and the others go on
        return 1, [repr(error)]
    return len(given), wrong


def _use(folder: str) -> None:
    """Let temporary files be there, since a process of a pool doesn't remove its own."""
    tempfile.tempdir = folder


def main(processes: int) -> int:
    """Run all; 1 if anything is wrong."""
    todo, counts, failed = list(parts()), Counter[str](), Counter[str]()
    with (
        TemporaryDirectory(prefix="alpha-tests-") as folder,
        Pool(processes, _use, (folder,)) as pool,
    ):
        done = zip(todo, pool.imap(tried, todo, chunksize=1), strict=True)
        for part, (count, wrong) in progress(done, len(todo), "parts"):
            counts[f"{part.kind}, {part.cast}"] += count
            failed[f"{part.kind}, {part.cast}"] += len(wrong)
            for each in wrong:
                print(f"{part.kind} {part.name} {part.cast} {part.way}: {each}", flush=True)
    for kind, count in counts.items():
        print(f"{kind}: {count} tried, {failed[kind]} wrong")
    print(f"native faults: {counts.total()} tried, {failed.total()} wrong")
    return 1 if failed.total() else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 2))
