"""What ends `alpha run` with a status of its own, beside those of `driver/boundary.py`."""

from __future__ import annotations

from alpha.ir.refusals import Refusal

ROUND_REFUSED = 3
INPUT_OUTPUT = 5


class RoundRefused(Exception):
    """A round of a running learner was refused; the state is that of the version before."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
