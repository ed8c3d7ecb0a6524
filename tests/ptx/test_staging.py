"""What roles on devices copy, and the memory that they need: as foretold, on one that counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from ptx.test_roles import EXAMPLES, MODES

import alpha.interpreters.protocol as protocol
from alpha.backends.ptx.interpreter.launcher import InterpretedLauncher
from alpha.backends.ptx.role_work import DeviceWork, kernels_of
from alpha.backends.ptx.staging import GRANULE_BYTES, Staging, staging_of
from alpha.interpreters.beginnings import begin_work
from alpha.tools.mains import alpha

ROUNDS = 3


class Counting(InterpretedLauncher):
    """Counts the bytes that are copied, and the most that are allocated at a time."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.written = self.read_back = self.peak = 0
        self._sizes: dict[int, int] = {}

    def allocate(self, bytes: int) -> int:
        address = super().allocate(bytes)
        self._sizes[address] = -(-bytes // GRANULE_BYTES) * GRANULE_BYTES
        self.peak = max(self.peak, sum(self._sizes.values()))
        return address

    def free(self, address: int) -> None:
        super().free(address)
        del self._sizes[address]

    def write(self, address: int, words: np.ndarray) -> None:
        super().write(address, words)
        self.written += words.nbytes

    def read(self, address: int, kind: Any, count: int) -> np.ndarray:
        words = super().read(address, kind, count)
        self.read_back += words.nbytes
        return words


def counted_run(
    monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str]
) -> list[tuple[Counting, Staging]]:
    """The device of each role of a simulated run, and what was foretold of it."""
    found: list[tuple[Counting, Staging]] = []

    def begin(op, prepared, role, words, states=None):
        def opened(text: str) -> Counting:
            device = Counting(text)
            kernels = kernels_of(prepared.distribution)
            found.append((device, staging_of(op, prepared, role, kernels)))
            return device

        return begin_work(op, prepared, role, words, states, partial(DeviceWork, open=opened))

    monkeypatch.setattr(protocol, "begin_work", begin)
    assert alpha.main(["run", *arguments, "--interpret=protocol", "--rounds", str(ROUNDS)]) == 0
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", [name for name in EXAMPLES if not name.startswith("digits")])
def test_copies_are_those_that_are_foretold(
    name: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [f"examples/{name}.mlir", "--owners", "3", "--partition", mode]
    found = counted_run(monkeypatch, arguments)
    assert len(found) == 3
    for device, staging in found:
        sums: dict[tuple[str, str], int] = {}
        for copy in staging.copies:
            key = copy.to, copy.when
            sums[key] = sums.get(key, 0) + copy.bytes
        every = sums.get(("device", "every round"), 0)
        assert device.written == sums[("device", "once")] + ROUNDS * every
        stored = sums.get(("host", "when stored"), 0)
        assert device.read_back == ROUNDS * sums[("host", "every round")] + stored
        assert device.peak <= staging.needed_bytes


def test_words_that_kernels_make_for_the_next_round_are_not_copied_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of an owned state only the gradient moves in every round, and nothing where nobody reads."""
    arguments = [
        "examples/least_squares_momentum.mlir",
        "--owners",
        "2",
        "--partition",
        "optimizer",
    ]
    for _, staging in counted_run(monkeypatch, arguments):
        moved = {c.value for c in staging.copies if (c.to, c.when) == ("device", "every round")}
        assert "%u" not in moved and any(copy.value == "%u" for copy in staging.copies)
