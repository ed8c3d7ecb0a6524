"""Least squares by three rules, as text and as the oracle has it, in two sizes and both elements.

Invariant: the texts are those of examples/; the size `own` has their words, the size `odd` has
    5 coordinates and 7 samples, which no number of owners from 2 to 4 divides, of mixed signs and
    magnitudes, and states that don't start from zero.
Why: what the rounds compute comes from tests/oracle, which shares no line with the package.
Entry: `RULES`, `SIZES`, `learner_text`, `random_text`, `trajectory`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from oracle.learners import ONES, SIX, Z4, Data, State, adam, least_squares, momentum, plain
from oracle.orders import Order, Word, lanes
from oracle_comparison.running import DTYPES, example_text

RULES = ("sgd", "momentum", "adam")
STEPS = {"sgd": plain(0.1), "momentum": momentum(0.05), "adam": adam(0.05)}
MOMENTS = {"sgd": (), "momentum": ("u",), "adam": ("m", "v")}


class Size(NamedTuple):
    """The samples of a size, and the words at version 0 of parameters and moments."""

    data: Data
    parameters: Sequence[float]
    moments: Sequence[float]


ODD_X = [
    [-1.5156, -3.3055, 0.2005, 4.4674, -1.6407],
    [-0.2068, 0.1633, 0.119, 0.0351, -0.3102],
    [-0.0098, 0.2318, -0.4481, -0.1525, -0.6337],
    [-4.2985, -6.1391, -0.7836, -4.2248, 0.9042],
    [0.0523, -0.0623, -0.8389, -0.1796, -0.0162],
    [0.3777, -5.1005, -1.5925, -3.2617, -2.6961],
    [3.5363, -2.6918, -0.1084, 2.948, -1.9453],
]
ODD_Y = [-0.0011, 0.0011, 0.0064, -1.2251, 0.0076, 1.3588, -15.4714]

SIZES: Mapping[str, Size] = {
    "odd": Size((ODD_X, ODD_Y), [0.5, -3.0, 1e-3, 0.0, 0.07], [0.25, 0.5, 1e-6, 0.0, 3.0]),
    "own": Size(SIX, Z4, Z4),
}

_SAMPLES = re.compile(r"(region\.samples @data)\[6\]( : [^=]*=)\s*dense<.*?>,\s*dense<.*?>\n", re.S)
_OWNERS = re.compile(r" attributes \{owners = #shard\.owners<.*>\} \{")


def sample_count(size: str) -> int:
    """How many samples there are in a size."""
    return len(SIZES[size].data[1])


def learner_text(rule: str, size: str, element: str, owners: str | None = None) -> str:
    """The text of a learner; `owners`, such as `2, pair`, take the place of those it declares."""
    text = example_text(f"least_squares_{rule}", element)
    if size != "own":
        text = _resized(text, rule, SIZES[size])
    return _declaring(text, owners)


def random_text(rule: str, coordinates: int, samples: int, owners: str | None = None) -> str:
    """The text of a learner in binary64 on random words, of any size."""
    random = np.random.default_rng((coordinates, samples))
    shapes = (samples, coordinates), (samples,), (coordinates,), (coordinates,)
    x, y, w, m = (random.standard_normal(shape).tolist() for shape in shapes)
    text = example_text(f"least_squares_{rule}", "f64")
    return _declaring(_resized(text, rule, Size((x, y), w, [abs(word) for word in m])), owners)


def _declaring(text: str, owners: str | None) -> str:
    declared = "" if owners is None else f" attributes {{owners = #shard.owners<{owners}>}}"
    text, count = _OWNERS.subn(f"{declared} {{", text)
    assert count == 1, "the examples declare owners"
    return text


def _resized(text: str, rule: str, size: Size) -> str:
    """An example with other samples and initial words."""
    extent = len(size.parameters)
    for before in ("tensor<", "[i : ", "[k : "):
        assert f"{before}4" in text
        text = text.replace(f"{before}4", f"{before}{extent}")
    sources = ", ".join(dense(part) for part in size.data)
    text, count = _SAMPLES.subn(rf"\1[{len(size.data[1])}]\2 {sources}\n", text)
    assert count == 1, "the examples have six samples"
    starts = {"w": size.parameters, **dict.fromkeys(MOMENTS[rule], size.moments)}
    for name, words in starts.items():
        text, count = re.subn(rf"(@{name} : \S+ =) dense<0\.0>", rf"\1 {dense(words)}", text)
        assert count == 1, "these start from zero"
    return text


def dense(words: Any) -> str:
    """Words as the text of a learner has them."""

    def text(part: Any) -> str:
        if isinstance(part, Sequence):
            return f"[{', '.join(text(each) for each in part)}]"
        return f"{part:.17e}"

    return f"dense<{text(words)}>"


def trajectory(
    rule: str, size: str, element: str, order: Order, rounds: int
) -> list[tuple[State, Word]]:
    """What the oracle says after each round: the state, and the total of the round's loss."""
    states: list[State] = []

    def recorded(dtype: Any, old: State, g: Word) -> State:
        states.append(STEPS[rule](dtype, old, g))
        return states[-1]

    of, powers = SIZES[size], ONES if rule == "adam" else {}
    moments = dict.fromkeys(MOMENTS[rule], of.moments)
    run = least_squares(lanes(4), recorded, w=of.parameters, **moments, **powers)
    with np.errstate(all="ignore"):
        _, losses = run(DTYPES[element], of.data, order, rounds)
    return list(zip(states, losses, strict=True))
