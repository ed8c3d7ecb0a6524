"""The examples that are learners, each stopped after any of its rounds and resumed: which cases.

Entry: `NAMES`, `ExampleCase`, `COVER`, `NATIVE`, `every_case`, `examine`, `texts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from oracle.orders import Order
from oracle_comparison.running import EXAMPLES_FOLDER, example_path, example_text
from resuming.plain_learner import Whole, versions_of
from resuming.runs import LEVELS, Side, Store, difference, run
from sharding.product import SUBSETS, Row, covering_rows

STOPS = range(1, 9)
ENDS = 9
TURNS = ("x86-64,aarch64", "aarch64,x86-64")

NAMES = sorted(
    path.stem for path in EXAMPLES_FOLDER.glob("*.mlir") if "region.learner" in path.read_text()
)

WRITTEN = ("perceptron_mixed", "perceptron_pipeline", "perceptron_tensor_parallel")
"""Those with a round by hand that no pass can partition."""

UNDECLARED: Mapping[str, tuple[Order, Mapping[str, Any]]] = {
    "linear_predictor": (Order((3, 2)), {"owners": 2, "topology": "pair"}),
}
"""Those that don't say who their owners are: the contract that they get, and owners."""

FACTORS: Mapping[str, Sequence[Any]] = {
    "writer": LEVELS[:-1],
    "reader": LEVELS[:-1],
    "stop": STOPS,
    "modes": SUBSETS,
    "name": NAMES,
}


class ExampleCase(NamedTuple):
    """An example that is stopped at one level and goes on at another."""

    name: str
    stop: int
    modes: tuple[str, ...]
    writer: str
    reader: str
    targets: tuple[str, str] = TURNS

    def sides(self) -> list[Side]:
        """Both of them, partitioned alike."""
        _, owners = UNDECLARED.get(self.name, (None, {}))
        levels = zip((self.writer, self.reader), self.targets, strict=True)
        return [
            Side(level, modes=self.modes, targets=targets, **owners) for level, targets in levels
        ]

    def __str__(self) -> str:
        return (
            f"{self.name} {'+'.join(self.modes) or 'none'} {self.writer} {self.stop} {self.reader}"
        )


def can_be(row: Row) -> bool:
    """Whether these can be met: rounds by hand stay as they are."""
    return not (row.get("modes") and row.get("name") in WRITTEN)


def _native() -> Iterator[ExampleCase]:
    """Every example with one native side; small ones with two, on the other instruction set."""
    for number, name in enumerate(NAMES):
        modes = () if name in WRITTEN else SUBSETS[(number + 3) % len(SUBSETS)]
        stop, other = 1 + number % len(STOPS), LEVELS[number % 4]
        if number % 2:
            yield ExampleCase(name, stop, modes, "native", other)
        else:
            yield ExampleCase(name, stop, modes, other, "native")
    small = "partitioned_regression"
    yield ExampleCase("least_squares_adam", 5, SUBSETS[4], "native", "native")
    yield ExampleCase(small, 2, SUBSETS[7], "native", "native", ("x86-64", "aarch64"))
    yield ExampleCase(small, 7, SUBSETS[1], "native", "native", ("aarch64", "x86-64"))


NATIVE = list(_native())
ROWS = covering_rows(2, FACTORS, can_be)
COVER = [ExampleCase(**row) for row in ROWS]


def every_case() -> Iterator[ExampleCase]:
    """Every example, stop and partitioning, from every interpreted level to every other.

    Native roles store what each level goes on from in turn, and go on from what it has stored, with
    targets that take turns.
    """
    first, other = TURNS
    ways = ((first, other), (other, first), ("x86-64", "aarch64"), ("aarch64", "x86-64"))
    every = product(NAMES, STOPS, SUBSETS)
    rows = (row for row in every if can_be({"name": row[0], "modes": row[2]}))
    for number, row in enumerate(rows):
        for writer, reader in product(LEVELS[:-1], repeat=2):
            yield ExampleCase(*row, writer, reader)
        targets = ways[number % len(ways)]
        yield ExampleCase(*row, "native", LEVELS[number % len(LEVELS)], targets)
        yield ExampleCase(*row, LEVELS[(number + 1) % len(LEVELS)], "native", targets)


@cache
def _whole(name: str, element: str) -> Whole:
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        return versions_of(_file(name, element, Path(folder)), ENDS)


def _file(name: str, element: str, folder: Path) -> Path:
    order, _ = UNDECLARED.get(name, (None, {}))
    return example_path(name, element, folder, order)


def examine(case: ExampleCase, element: str = "f64") -> str | None:
    """Run a case; what is wrong, or None."""
    whole = _whole(case.name, element)
    with TemporaryDirectory(prefix="alpha-tests-") as name:
        folder = Path(name)
        file, store = _file(case.name, element, folder), Store(folder / "generations", 3)
        writer, reader = case.sides()
        found = run(file, writer, case.stop, folder, store=store)
        different = difference(found, whole.outcome(0, case.stop))
        if different is not None:
            return f"before the stop: {different}"
        found = run(file, reader, ENDS, folder, store=store, resume=store.path)
        different = difference(found, whole.outcome(case.stop, ENDS))
        return None if different is None else f"behind the stop: {different}"


def texts() -> Mapping[str, str]:
    """The examples that aren't learners, by name."""
    others = (path.stem for path in EXAMPLES_FOLDER.glob("*.mlir") if path.stem not in NAMES)
    return {name: example_text(name, "f64") for name in others}
