"""Runs a learner by the interpreter, and says where its result first differs from the oracle's.

Entry: `example_file`, `example_path`, `learner_file`, `with_contract`, `with_samples`, `interpret`,
    `first_difference`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from oracle.learners import Data, Result, State
from oracle.orders import Order

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.words import Words
from alpha.tools.learner_file import LearnerFile

EXAMPLES_FOLDER = Path(__file__).resolve().parents[2] / "examples"
DTYPES: Mapping[str, Any] = {"f64": np.float64, "f32": np.float32}

_DATA_FILE = re.compile(r'"(data/\w+\.npy)"')
_SUM = re.compile(r"(over @\w+)(?:\s+contract #region\.contract<[^>]*(?:<\d+>)?>)?")


def learner_file(text: str, folder: Path) -> LearnerFile:
    """Write the text of a learner to a folder and read it as the tools do."""
    return LearnerFile.read(str(_written(text, folder)))


def _written(text: str, folder: Path) -> Path:
    path = folder / "learner.mlir"
    path.write_text(text, encoding="utf-8")
    return path


def example_text(name: str, element: str) -> str:
    """The text of an example; its binary32 twin has f32 in the place of f64."""
    text = (EXAMPLES_FOLDER / f"{name}.mlir").read_text(encoding="utf-8")
    return text.replace("f64", element)


def example_file(name: str, element: str, folder: Path, order: Order | None = None) -> LearnerFile:
    """An example as `example_path` writes it, read as the tools do."""
    return LearnerFile.read(str(example_path(name, element, folder, order)))


def example_path(name: str, element: str, folder: Path, order: Order | None = None) -> Path:
    """Write an example in an element type, with its data files in that type, to a folder.

    `order` is written into the text as the contract of its sum.
    """
    text = example_text(name, element)
    for part in _DATA_FILE.findall(text):
        (folder / part).parent.mkdir(exist_ok=True)
        np.save(folder / part, np.load(EXAMPLES_FOLDER / part).astype(DTYPES[element]))
    return _written(text if order is None else with_contract(text, order), folder)


def with_contract(text: str, order: Order) -> str:
    """The text with this contract at its sums, instead of the one that it has."""
    combine = f"tree<{order.fan}>" if order.fan else "left"
    contract = f"#region.contract<groups = {list(order.groups)}, combine = {combine}>"
    changed, count = _SUM.subn(rf"\1 contract {contract}", text)
    assert count, "the learner has a sum"
    return changed


def with_samples(file: LearnerFile, data: Data) -> LearnerFile:
    """The same learner on other samples, in the element type of those that it has."""
    ((name, parts),) = file.words.samples.items()
    arrays = [np.asarray(a, part.dtype) for a, part in zip(data, parts, strict=True)]
    return replace(file, words=replace(file.words, samples={name: arrays}))


def interpreter(file: LearnerFile) -> LearnerInterpreter:
    """A learner at version 0, on words."""
    return LearnerInterpreter(file.learner, file.words, Words())


def interpret(file: LearnerFile, rounds: int) -> Result:
    """The state after so many rounds, and of every round the total of its one observation."""
    running, seen = interpreter(file), []
    for _ in range(rounds):
        seen.extend(observation.total for observation in running.step())
    return dict(running.state), seen


def first_difference(found: Result, wanted: Result) -> str | None:
    """The first field and coordinate, or round, whose words differ in a bit; None if none does."""
    return _state_difference(found[0], wanted[0]) or _losses_difference(found[1], wanted[1])


def _state_difference(found: State, wanted: State) -> str | None:
    if sorted(found) != sorted(wanted):
        return f"fields {sorted(found)}, not {sorted(wanted)}"
    for name in wanted:
        difference = _words_difference(np.asarray(found[name]), np.asarray(wanted[name]))
        if difference:
            return f"@{name}{difference}"
    return None


def _losses_difference(found: Sequence[Any], wanted: Sequence[Any]) -> str | None:
    if len(found) != len(wanted):
        return f"{len(found)} observations, not {len(wanted)}"
    for version, (one, other) in enumerate(zip(found, wanted, strict=True)):
        difference = _words_difference(np.asarray(one), np.asarray(other))
        if difference:
            return f"loss at version {version}{difference}"
    return None


def _words_difference(found: np.ndarray, wanted: np.ndarray) -> str | None:
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return f": {found.dtype} {found.shape}, not {wanted.dtype} {wanted.shape}"
    if found.tobytes() == wanted.tobytes():
        return None
    for index in np.ndindex(found.shape):
        if found[index].tobytes() != wanted[index].tobytes():
            hexes = float(found[index]).hex(), float(wanted[index]).hex()
            return f"{list(index)}: {hexes[0]}, not {hexes[1]}"
    raise AssertionError("some word differs where their bytes do")
