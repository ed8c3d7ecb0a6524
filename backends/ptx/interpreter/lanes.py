"""The carrier that meanings of rows get: words of the threads that run, and who they are.

Source: PTX ISA 7.1, 9.7.8.6 (`shfl.sync`) and 10 (special registers).

Entry: `LaneWords`, `WARP`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from alpha.backends.core.carriers import MachineWords
from alpha.ir.dialects.gpu_threads import WARP

Lanes = np.ndarray


class LaneWords(MachineWords):
    """Arrays with a word for each thread that runs; `chosen` are those among `specials`' lanes."""

    def __init__(self, specials: Mapping[str, Lanes]) -> None:
        super().__init__()
        self._specials = specials
        self.chosen: Lanes | None = None

    def special(self, name: str) -> Lanes:
        """A special register of each thread. Raises KeyError for one that isn't known."""
        words = self._specials[name]
        return words if self.chosen is None else words[self.chosen]

    def shuffled(self, mode: str, a: Lanes, distance: int, last: int) -> Lanes:
        """Each thread's word from another of its warp; `a` has whole warps, one after another.

        `last` has the last lane of a segment in bits 0 to 4, and in bits 8 to 12 which bits of a
        lane's number say its segment. A lane whose source is behind the last gets its own word.
        Raises KeyError for another mode.
        """
        lane = np.arange(WARP)
        segment = last >> 8 & 31
        highest = (lane & segment) | (last & 31 & ~segment)
        source = {"down": lane + (distance & 31), "bfly": lane ^ (distance & 31)}[mode]
        source = np.where(source <= highest, source, lane)
        return a.reshape(-1, WARP)[:, source].reshape(-1)
