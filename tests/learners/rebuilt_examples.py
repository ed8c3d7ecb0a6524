"""The learners of `examples/`, each written once more with the builder.

Entry: `REBUILT`: for each file of `examples/`, a function that builds the learner.
"""

from __future__ import annotations

from collections.abc import Callable

from alpha.ir.builder import LearnerBuilder, Program, Round, Value, f64, file, fma, sqrt, tensor

Values = tuple[Value, ...]

FEATURES = [
    [1.0, -0.5, 0.25, 2.0],
    [0.3, 1.7, -1.1, 0.2],
    [-2.0, 0.4, 0.9, -0.7],
    [0.1, 0.2, 0.3, 0.4],
    [1.5, -1.5, 2.5, -0.1],
    [-0.6, 3.0, 0.05, 1.3],
]
TARGETS = [1.2, -0.7, 3.1, 0.45, -2.3, 0.9]


def _least_squares(name: str) -> LearnerBuilder:
    return LearnerBuilder(name, owners=4, topology="star", samples=[1, 2, 3, 0])


def _diabetes(name: str) -> LearnerBuilder:
    return LearnerBuilder(name, owners=4, topology="star", samples=[265, 133, 44, 0])


def _inline_samples(learner: LearnerBuilder) -> None:
    learner.samples("data", 6, [tensor(4), f64], [FEATURES, TARGETS])


def _diabetes_samples(learner: LearnerBuilder) -> None:
    sources = [file("data/diabetes_x.npy"), file("data/diabetes_y.npy")]
    learner.samples("data", 442, [tensor(10), f64], sources)


def _gradient(learner: LearnerBuilder, size: int, order: str) -> None:
    """The gradient of (w . x - y)^2 / 2 for one sample, with the squared error observed."""

    @learner.contribution([tensor(size)], [tensor(size), f64], observed=["loss"])
    def gradient(p: Program, w: Value, x: Value, y: Value) -> Values:
        predicted = p.fold("add", order, [w["k"], x["k"]], lambda a, b: a * b, along={"k": size})
        r = predicted - y
        g = p.map([x["i"], r], lambda xi, ri: ri * xi, over={"i": size})
        return g, r * r


def _plain_step(learner: LearnerBuilder, size: int, rate: float) -> None:
    w = tensor(size)

    @learner.update([w, w, f64])
    def plain_step(p: Program, w: Value, g: Value, rate: Value) -> Value:
        return p.map([w["i"], g["i"], rate], lambda wi, gi, r: wi - r * gi, over={"i": size})

    @learner.round
    def descend(r: Round) -> None:
        w, rate = r.read("w", "rate")
        total, count = r.sum("gradient", [w], "data")
        r.advance(w=r.apply("plain_step", [w, r.mean(total, count), rate]))


def _sgd(
    learner: LearnerBuilder,
    size: int,
    order: str,
    rate: float,
    samples: Callable[[LearnerBuilder], None],
) -> LearnerBuilder:
    learner.state("w", tensor(size), 0.0)
    learner.constant("rate", f64, rate)
    samples(learner)
    _gradient(learner, size, order)
    _plain_step(learner, size, rate)
    return learner


def _momentum(
    learner: LearnerBuilder,
    size: int,
    order: str,
    rate: float,
    samples: Callable[[LearnerBuilder], None],
) -> LearnerBuilder:
    learner.state("w", tensor(size), 0.0)
    learner.state("u", tensor(size), 0.0)
    learner.constant("rate", f64, rate)
    learner.constant("mu", f64, 0.9)
    samples(learner)
    _gradient(learner, size, order)

    @learner.update([*[tensor(size)] * 3, f64, f64])
    def heavy_ball(p: Program, w: Value, u: Value, g: Value, rate: Value, mu: Value) -> Values:
        def step(wi: Value, ui: Value, gi: Value, r: Value, m: Value) -> Values:
            ui1 = m * ui + gi
            return wi - r * ui1, ui1

        return p.map([w["i"], u["i"], g["i"], rate, mu], step, over={"i": size})

    @learner.round
    def roll(r: Round) -> None:
        w, u, rate, mu = r.read("w", "u", "rate", "mu")
        total, count = r.sum("gradient", [w], "data")
        w1, u1 = r.apply("heavy_ball", [w, u, r.mean(total, count), rate, mu])
        r.advance(w=w1, u=u1)

    return learner


def _adam(
    learner: LearnerBuilder,
    size: int,
    order: str,
    rate: float,
    samples: Callable[[LearnerBuilder], None],
) -> LearnerBuilder:
    for name in ("w", "m", "v"):
        learner.state(name, tensor(size), 0.0)
    for name in ("b1_power", "b2_power"):
        learner.state(name, f64, 1.0, shared=True)
    for name, value in (("rate", rate), ("b1", 0.9), ("b2", 0.999), ("eps", 1e-8)):
        learner.constant(name, f64, value)
    samples(learner)
    _gradient(learner, size, order)

    def step(
        wi: Value,
        mi: Value,
        vi: Value,
        gi: Value,
        r: Value,
        e: Value,
        k1: Value,
        k2: Value,
        n1: Value,
        n2: Value,
        d1: Value,
        d2: Value,
    ) -> Values:
        kept = k1 * mi
        mi1 = kept + n1 * gi
        gg = gi * gi
        kept = k2 * vi
        vi1 = kept + n2 * gg
        m_hat = mi1 / d1
        v_hat = vi1 / d2
        below = sqrt(v_hat) + e
        return wi - r * m_hat / below, mi1, vi1

    words = [tensor(size)] * 3

    @learner.update([*words, f64, f64, tensor(size), f64, f64, f64, f64])
    def adam(p: Program, *given: Value) -> Values:
        w, m, v, p1, p2, g, rate, b1, b2, eps = given
        one = p.constant(1.0)
        q1, q2 = p1 * b1, p2 * b2
        c1, c2 = one - q1, one - q2
        a1, a2 = one - b1, one - b2
        inputs = [w["i"], m["i"], v["i"], g["i"], rate, eps, b1, b2, a1, a2, c1, c2]
        w1, m1, v1 = p.map(inputs, step, over={"i": size})
        return w1, m1, v1, q1, q2

    @learner.round
    def advance(r: Round) -> None:
        w, m, v = r.read("w", "m", "v")
        p1, p2 = r.read("b1_power", "b2_power")
        constants = r.read("rate", "b1", "b2", "eps")
        total, count = r.sum("gradient", [w], "data")
        g = r.mean(total, count)
        w1, m1, v1, q1, q2 = r.apply("adam", [w, m, v, p1, p2, g, *constants])
        r.advance(w=w1, m=m1, v=v1, b1_power=q1, b2_power=q2)

    return learner


def least_squares_sgd() -> LearnerBuilder:
    return _sgd(_least_squares("least_squares_sgd"), 4, "lanes<4>", 0.1, _inline_samples)


def least_squares_momentum() -> LearnerBuilder:
    learner = _least_squares("least_squares_momentum")
    return _momentum(learner, 4, "lanes<4>", 0.05, _inline_samples)


def least_squares_adam() -> LearnerBuilder:
    return _adam(_least_squares("least_squares_adam"), 4, "lanes<4>", 0.05, _inline_samples)


def diabetes_sgd() -> LearnerBuilder:
    return _sgd(_diabetes("diabetes_sgd"), 10, "left", 0.1, _diabetes_samples)


def diabetes_momentum() -> LearnerBuilder:
    return _momentum(_diabetes("diabetes_momentum"), 10, "left", 0.02, _diabetes_samples)


def diabetes_adam() -> LearnerBuilder:
    return _adam(_diabetes("diabetes_adam"), 10, "left", 0.01, _diabetes_samples)


def partitioned_regression() -> LearnerBuilder:
    learner = LearnerBuilder("partitioned_regression", owners=2, topology="pair", samples=[1, 2])
    learner.state("w", f64, 0.5)
    learner.constant("rate", f64, 0.1)
    learner.samples("data", 3, [f64, f64], [[1.0, 2.0, -3.0], [2.5, 3.0, -7.0]])

    @learner.contribution([f64], [f64, f64], observed=["loss"])
    def gradient(p: Program, w: Value, x: Value, y: Value) -> Values:
        r = w * x - y
        return r * x, r * r

    @learner.update([f64, f64, f64])
    def plain_step(p: Program, w: Value, g: Value, rate: Value) -> Value:
        return w - rate * g

    @learner.round
    def descend(r: Round) -> None:
        w, rate = r.read("w", "rate")
        total, count = r.sum("gradient", [w], "data")
        r.advance(w=r.apply("plain_step", [w, r.mean(total, count), rate]))

    return learner


def linear_predictor() -> LearnerBuilder:
    learner = LearnerBuilder("linear_predictor")
    learner.state("w", tensor(2), [0.25, -0.5])
    learner.state("h", tensor(2), 0.0)
    learner.constant("rate", f64, 0.5)
    learner.constant("eps", f64, 1e-10)
    features = [[1.0, 2.0], [-1.5, 0.5], [0.75, -0.25], [2.0, 1.0], [0.1, -3.0]]
    learner.samples("data", 5, [tensor(2), f64], [features, [3.0, -2.0, 1.0, 2.5, -4.0]])
    _gradient(learner, 2, "pairs")

    def step(wi: Value, hi: Value, gi: Value, r: Value, e: Value) -> Values:
        hi1 = fma(gi, gi, hi)
        below = sqrt(hi1) + e
        return wi - r * gi / below, hi1

    @learner.update([tensor(2), tensor(2), tensor(2), f64, f64])
    def adagrad(p: Program, w: Value, h: Value, g: Value, rate: Value, eps: Value) -> Values:
        return p.map([w["i"], h["i"], g["i"], rate, eps], step, over={"i": 2})

    @learner.round
    def descend(r: Round) -> None:
        w, h = r.read("w", "h")
        rate, eps = r.read("rate", "eps")
        total, count = r.sum("gradient", [w], "data", groups=[5], combine="left")
        w1, h1 = r.apply("adagrad", [w, h, r.mean(total, count), rate, eps])
        r.advance(w=w1, h=h1)

    return learner


def local_correlation() -> LearnerBuilder:
    learner = LearnerBuilder("local_correlation", owners=3)
    learner.state("c", tensor(5), [0.0, 0.1, -0.2, 0.3, 0.0])
    learner.constant("rate", f64, 0.125)
    first = [[1.0, 0.5, -0.5], [0.25, -1.0, 2.0], [3.0, 0.0, 1.0], [-1.0, -2.0, 0.5]]
    second = [[0.5, 1.5, 1.0], [2.0, 0.5, -0.25], [1.0, 1.0, -1.0], [0.3, 0.2, 0.1]]
    signals = [[*first, [0.7, 0.1, 0.2]], [*second, [-0.4, 2.2, 0.9]]]
    learner.samples("signals", 5, [tensor(3), tensor(3)], signals)

    @learner.update([tensor(5), tensor(5, 3), tensor(5, 3), f64])
    def correlate(p: Program, c: Value, a: Value, b: Value, rate: Value) -> Value:
        total = p.fold(
            "add",
            "left",
            [a["i, t"], b["i, t"]],
            lambda ait, bit: ait * bit,
            over={"i": 5},
            along={"t": 3},
        )
        three = p.constant(3.0)
        return p.map(
            [c["i"], total["i"], rate, three],
            lambda ci, si, r, n: ci + r * (si / n - ci),
            over={"i": 5},
        )

    @learner.round
    def correlated(r: Round) -> None:
        c, rate = r.read("c", "rate")
        a, b = r.read("signals")
        r.advance(c=r.apply("correlate", [c, a, b, rate]))

    return learner


def _multiply(
    p: Program, order: str, matrix: Value, vector: Value, rows: int, columns: int
) -> Value:
    """A matrix times a vector."""
    return p.fold(
        "add",
        order,
        [matrix["i, j"], vector["j"]],
        lambda w, x: w * x,
        over={"i": rows},
        along={"j": columns},
    )


def _outer(p: Program, left: Value, right: Value, rows: int, columns: int) -> Value:
    """The product of each word of one vector with each of another."""
    return p.map([left["i"], right["j"]], lambda a, b: a * b, over={"i": rows, "j": columns})


def digits_perceptron() -> LearnerBuilder:
    owned = [120, 97, 83, 0]
    learner = LearnerBuilder("digits_perceptron", owners=4, topology="tree<2>", samples=owned)
    shapes = [(16, 64), (16,), (10, 16), (10,)]
    words = [tensor(*shape) for shape in shapes]
    learner.state("w1", words[0], file("data/digits_w1.npy"))
    learner.state("b1", words[1], 0.0)
    learner.state("w2", words[2], file("data/digits_w2.npy"))
    learner.state("b2", words[3], 0.0)
    learner.constant("rate", f64, 0.1)
    sources = [file("data/digits_x.npy"), file("data/digits_y.npy")]
    learner.samples("digits", 300, [tensor(64), tensor(10)], sources)

    def activation(ai: Value, bi: Value) -> Values:
        one = ai.constant(1.0)
        z = ai + bi
        si = one / sqrt(one + z * z)
        return z * si, si

    @learner.contribution(words, [tensor(64), tensor(10)], observed=["loss"])
    def backpropagate(
        p: Program, w1: Value, b1: Value, w2: Value, b2: Value, x: Value, y: Value
    ) -> Values:
        a = _multiply(p, "lanes<8>", w1, x, 16, 64)
        h, s = p.map([a["i"], b1["i"]], activation, over={"i": 16})
        o = _multiply(p, "left", w2, h, 10, 16)
        e = p.map([o["i"], b2["i"], y["i"]], lambda oi, bi, yi: oi + bi - yi, over={"i": 10})
        g2 = _outer(p, e, h, 10, 16)
        back = p.fold(
            "add",
            "left",
            [w2["i, j"], e["i"]],
            lambda w, ei: w * ei,
            over={"j": 16},
            along={"i": 10},
        )
        d = p.map([back["i"], s["i"]], lambda bi, si: bi * (si * si * si), over={"i": 16})
        g1 = _outer(p, d, x, 16, 64)
        loss = p.fold("add", "pairs", [e["i"]], lambda ei: ei * ei, along={"i": 10})
        return g1, d, g2, e, loss

    @learner.update([*words, *words, f64])
    def plain_step(p: Program, *given: Value) -> Values:
        *fields, rate = given
        new: list[Value] = []
        for shape, w, g in zip(shapes, fields[:4], fields[4:], strict=True):
            axes = dict(zip("ij", shape, strict=False))
            at = ", ".join(axes)
            new.append(p.map([w[at], g[at], rate], lambda w, g, r: w - r * g, over=axes))
        return tuple(new)

    @learner.round
    def descend(r: Round) -> None:
        w1, b1 = r.read("w1", "b1")
        w2, b2 = r.read("w2", "b2")
        rate = r.read("rate")
        *sums, count = r.sum("backpropagate", [w1, b1, w2, b2], "digits")
        means = [r.mean(total, count) for total in sums]
        new = r.apply("plain_step", [w1, b1, w2, b2, *means, rate])
        r.advance(**dict(zip(("w1", "b1", "w2", "b2"), new, strict=True)))

    return learner


REBUILT: dict[str, Callable[[], LearnerBuilder]] = {
    f"{build.__name__}.mlir": build
    for build in (
        diabetes_adam,
        diabetes_momentum,
        diabetes_sgd,
        digits_perceptron,
        least_squares_adam,
        least_squares_momentum,
        least_squares_sgd,
        linear_predictor,
        local_correlation,
        partitioned_regression,
    )
}
