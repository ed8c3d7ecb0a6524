"""What holds of every run, whatever happens in it.

Entry: `check_run`.
"""

from __future__ import annotations

import numpy as np
from network.participants import Exchange, expected_words

from alpha.interpreters.network.outcomes import Finished
from alpha.interpreters.network.simulated import SimulatedNetwork

ENDS = {"finished", "refused", "lost", "killed"}
ROUNDING = 1e-9
"""Virtual seconds by which a sum of times may be rounded."""


def check_run(network: SimulatedNetwork, exchange: Exchange, deadline: float) -> None:
    """Everybody ended, nobody waited longer than the deadline or did anything after the end.

    Whoever published, published the right words. The run was recorded.
    """
    assert set(network.outcomes) == set(range(exchange.roles))
    assert network.trace is not None
    last = dict.fromkeys(range(exchange.roles), 0.0)
    over: set[int] = set()
    now = 0.0
    for step in network.trace:
        one_too_many = step.happening == "refused" and step.role in over
        assert step.role not in over or one_too_many
        if step.happening in ENDS:
            over.add(step.role)
        if not one_too_many:
            assert step.time >= now, step
            now = step.time
        assert step.time - last[step.role] <= deadline + ROUNDING, step
        last[step.role] = step.time
    words = expected_words(exchange)
    for role, published in network.published.items():
        assert [each.version for each in published] == [exchange.rounds]
        assert same_bits(published[0].words["x"], words[role])
    for role, outcome in network.outcomes.items():
        assert not isinstance(outcome, Finished) or role in network.published


def same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays have the same words, by their bits."""
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()
