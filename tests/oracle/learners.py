"""The examples, each written by hand: what their final states and losses are.

Invariant: samples are visited one by one in their order (the digits, whose 300 images would take
    long, are the leading axis of elementwise operations); nothing is promoted beyond the dtype.
Why: the interpreter says what a learner means, so something else has to say what is right.
Entry: `EXAMPLES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from oracle import orders
from oracle.orders import Order, Word

State = dict[str, Any]
Data = Sequence[Any]  # the components of the samples, and initial states that lie in files
Result = tuple[State, list[Any]]  # the final state, and of every round the total of the loss
Run = Callable[[Any, Data, Order, int], Result]
Step = Callable[[Any, State, Word], State]  # dtype, state and mean gradient to the next state


def cast(data: Data, dtype: Any) -> list[Any]:
    """Arrays in the dtype of the words."""
    return [np.asarray(part, np.float64).astype(dtype) for part in data]


def least_squares(fold: orders.Fold, step: Step, **start: Any) -> Run:
    """Learners whose samples contribute r * x, and r * r to the loss, with r = fold(w * x) - y."""

    def run(dtype: Any, data: Data, order: Order, rounds: int) -> Result:
        x, y = cast(data, dtype)
        state, seen = {name: np.array(words, dtype) for name, words in start.items()}, []
        for _ in range(rounds):
            w, rows, losses = state["w"], [], []
            for sample in range(len(y)):
                r = fold([w[k] * x[sample, k] for k in range(len(w))]) - y[sample]
                rows.append(r * x[sample])
                losses.append(r * r)
            seen.append(orders.total(losses, order))
            state = step(dtype, state, orders.mean(orders.total(rows, order), len(y), dtype))
        return state, seen

    return run


def plain(rate: float) -> Step:
    """w - rate * g."""
    return lambda dtype, old, g: {"w": old["w"] - dtype(rate) * g}


def momentum(rate: float) -> Step:
    """Heavy ball, with 0.9 of the velocity kept."""

    def step(dtype: Any, old: State, g: Word) -> State:
        u = dtype(0.9) * old["u"] + g
        return {"w": old["w"] - dtype(rate) * u, "u": u}

    return step


def adam(rate: float) -> Step:
    """Adam; both powers are those of the new version."""

    def step(dtype: Any, old: State, g: Word) -> State:
        b1, b2, one = dtype(0.9), dtype(0.999), dtype(1.0)
        p1, p2 = old["b1_power"] * b1, old["b2_power"] * b2
        m = b1 * old["m"] + (one - b1) * g
        v = b2 * old["v"] + (one - b2) * (g * g)
        below = np.sqrt(v / (one - p2)) + dtype(1e-8)
        w = old["w"] - (dtype(rate) * (m / (one - p1))) / below
        return {"w": w, "m": m, "v": v, "b1_power": p1, "b2_power": p2}

    return step


def adagrad(dtype: Any, old: State, g: Word) -> State:
    """The squared gradients are gathered fused."""
    h = np.array([orders.fused(g[i], g[i], old["h"][i]) for i in range(len(g))], dtype)
    return {"w": old["w"] - (dtype(0.5) * g) / (np.sqrt(h) + dtype(1e-10)), "h": h}


def correlation(dtype: Any, data: Data, order: Order, rounds: int) -> Result:
    """Local correlation: five regions, each by its own samples; there is no sum and no loss."""
    a, b = cast(data, dtype)
    c = np.array([0.0, 0.1, -0.2, 0.3, 0.0], dtype)
    for _ in range(rounds):
        for i in range(len(c)):
            together = orders.left([a[i, t] * b[i, t] for t in range(3)]) / dtype(3.0)
            c[i] = c[i] + dtype(0.125) * (together - c[i])
    return {"c": c}, []


def partitioned(dtype: Any, data: Data, order: Order, rounds: int) -> Result:
    """Regression with the one parameter w."""
    x, y = cast(data, dtype)
    w, seen = dtype(0.5), []
    for _ in range(rounds):
        residuals = [w * x[sample] - y[sample] for sample in range(len(y))]
        rows = [r * x[sample] for sample, r in enumerate(residuals)]
        seen.append(orders.total([r * r for r in residuals], order))
        w = w - dtype(0.1) * orders.mean(orders.total(rows, order), len(y), dtype)
    return {"w": w}, seen


def perceptron(rate: float, fold: orders.Fold) -> Run:
    """Two layers with h = z / sqrt(1 + z * z); the leading axis of every array is the image."""

    def run(dtype: Any, data: Data, order: Order, rounds: int) -> Result:
        x, y, w1, w2 = cast(data, dtype)
        hidden, outputs, one = range(len(w1)), range(len(w2)), dtype(1.0)
        b1, b2, seen = np.zeros(len(w1), dtype), np.zeros(len(w2), dtype), []
        for _ in range(rounds):
            a = fold([w1[None, :, j] * x[:, j, None] for j in range(x.shape[1])])
            z = a + b1[None]
            s = one / np.sqrt(one + z * z)
            h = z * s
            o = orders.left([w2[None, :, j] * h[:, j, None] for j in hidden])
            e = (o + b2[None]) - y
            back = orders.left([w2[None, i, :] * e[:, i, None] for i in outputs])
            d = back * ((s * s) * s)
            losses = orders.pairs([e[:, i] * e[:, i] for i in outputs])
            seen.append(orders.total(losses, order))
            all_rows = (d[:, :, None] * x[:, None, :], d, e[:, :, None] * h[:, None, :], e)
            sums = [orders.total(rows, order) for rows in all_rows]
            steps = [dtype(rate) * orders.mean(part, len(x), dtype) for part in sums]
            w1, b1, w2, b2 = w1 - steps[0], b1 - steps[1], w2 - steps[2], b2 - steps[3]
        return {"w1": w1, "b1": b1, "w2": w2, "b2": b2}, seen

    return run


class Example(NamedTuple):
    """One example: its oracle, its data and the contract that its text declares."""

    run: Run
    data: Data
    order: Order


def _file(name: str) -> Any:
    return np.load(Path(__file__).resolve().parents[2] / "examples" / "data" / f"{name}.npy")


SIX_X = [1.0, -0.5, 0.25, 2.0, 0.3, 1.7, -1.1, 0.2, -2.0, 0.4, 0.9, -0.7]
SIX_X += [0.1, 0.2, 0.3, 0.4, 1.5, -1.5, 2.5, -0.1, -0.6, 3.0, 0.05, 1.3]
SIX = (np.array(SIX_X).reshape(6, 4), [1.2, -0.7, 3.1, 0.45, -2.3, 0.9])
FIVE = (
    [[1.0, 2.0], [-1.5, 0.5], [0.75, -0.25], [2.0, 1.0], [0.1, -3.0]],
    [3.0, -2.0, 1.0, 2.5, -4.0],
)
SIGNALS = (
    [[1.0, 0.5, -0.5], [0.25, -1.0, 2.0], [3.0, 0.0, 1.0], [-1.0, -2.0, 0.5], [0.7, 0.1, 0.2]],
    [[0.5, 1.5, 1.0], [2.0, 0.5, -0.25], [1.0, 1.0, -1.0], [0.3, 0.2, 0.1], [-0.4, 2.2, 0.9]],
)
THREE = ([1.0, 2.0, -3.0], [2.5, 3.0, -7.0])
PATIENTS = (_file("diabetes_x"), _file("diabetes_y"))
DIGITS = (_file("digits_x"), _file("digits_y"), _file("digits_w1"), _file("digits_w2"))

Z4, Z10, ONES = [0.0] * 4, [0.0] * 10, {"b1_power": 1.0, "b2_power": 1.0}
LANES, LEFT, OWNERS, WARDS = orders.lanes(4), orders.left, (1, 2, 3, 0), (265, 133, 44, 0)
SGD4 = least_squares(LANES, plain(0.1), w=Z4)
MOMENTUM4 = least_squares(LANES, momentum(0.05), w=Z4, u=Z4)
ADAM4 = least_squares(LANES, adam(0.05), w=Z4, m=Z4, v=Z4, **ONES)
SGD10 = least_squares(LEFT, plain(0.1), w=Z10)
MOMENTUM10 = least_squares(LEFT, momentum(0.02), w=Z10, u=Z10)
ADAM10 = least_squares(LEFT, adam(0.01), w=Z10, m=Z10, v=Z10, **ONES)
DIGITS16 = perceptron(0.1, lambda terms: orders.lanes(8)(terms))
ADAGRAD2 = least_squares(orders.pairs, adagrad, w=[0.25, -0.5], h=[0.0, 0.0])

EXAMPLES: Mapping[str, Example] = {
    "least_squares_sgd": Example(SGD4, SIX, Order(OWNERS)),
    "least_squares_momentum": Example(MOMENTUM4, SIX, Order(OWNERS)),
    "least_squares_adam": Example(ADAM4, SIX, Order(OWNERS)),
    "diabetes_sgd": Example(SGD10, PATIENTS, Order(WARDS)),
    "diabetes_momentum": Example(MOMENTUM10, PATIENTS, Order(WARDS)),
    "diabetes_adam": Example(ADAM10, PATIENTS, Order(WARDS)),
    "linear_predictor": Example(ADAGRAD2, FIVE, Order((5,))),
    "local_correlation": Example(correlation, SIGNALS, Order(())),
    "partitioned_regression": Example(partitioned, THREE, Order((1, 2))),
    "digits_perceptron": Example(DIGITS16, DIGITS, Order((120, 97, 83, 0), 2)),
}
