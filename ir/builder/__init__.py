"""Learners from Python: a small builder that yields the same IR as their text.

Its operations carry the place in Python that made them, so that refusals point there:

    learner = LearnerBuilder("descent", owners=4, samples=[1, 2, 3, 0])
    learner.state("w", tensor(4), 0.0)
    learner.constant("rate", f64, 0.1)
    learner.samples("data", 6, [tensor(4)], [file("x.npy")])

    @learner.contribution([tensor(4)], [tensor(4)])
    def pull(p, w, x):
        return p.map([w["i"], x["i"]], lambda wi, xi: wi - xi, over={"i": 4})

    @learner.update([tensor(4), tensor(4), f64])
    def step(p, w, g, rate):
        return p.map([w["i"], g["i"], rate], lambda wi, gi, r: wi - r * gi, over={"i": 4})

    @learner.round
    def descend(r):
        w, rate = r.read("w", "rate")
        total, count = r.sum("pull", [w], over="data")
        r.advance(w=r.apply("step", [w, r.mean(total, count), rate]))

    module = learner.module()
"""

from xdsl.dialects.builtin import f32, f64

from alpha.ir.builder.bodies import Program, Round
from alpha.ir.builder.learner import LearnerBuilder, file, tensor
from alpha.ir.builder.values import (
    Value,
    absf,
    compare,
    copysign,
    exp,
    fma,
    log,
    maximum,
    minimum,
    select,
    sigmoid,
    sqrt,
    tanh,
)

__all__ = [
    "LearnerBuilder",
    "Program",
    "Round",
    "Value",
    "absf",
    "compare",
    "copysign",
    "exp",
    "f32",
    "f64",
    "file",
    "fma",
    "log",
    "maximum",
    "minimum",
    "select",
    "sigmoid",
    "sqrt",
    "tanh",
    "tensor",
]
