"""A kernel of a few instructions, run on arrays: thread i has element i of each operand.

Entry: `elementwise`, `kernel_text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alpha.backends.ptx.interpreter.device import Device

HEADER = ".version 7.1\n.target sm_86\n.address_size 64\n"
NAMES = "abcd"
PREFIXES = {"p": "%p", "w": "%r", "x": "%rd", "s": "%f", "d": "%fd"}
TYPES = {"p": "b32", "w": "b32", "x": "b64", "s": "f32", "d": "f64"}
WORDS = {"p": np.uint32, "w": np.uint32, "x": np.uint64, "s": np.float32, "d": np.float64}
THREADS = 64
RESULT = 40
"""The number of the register of the result; operands are in 41 and on."""


def register(view: str, number: int) -> str:
    return f"{PREFIXES[view]}{number}"


def kernel_text(lines: str, views: Sequence[str], result: str) -> str:
    """`lines` have `{a}`, `{b}`... for the operands, and `{r}` for the result."""
    names = {"r": register(result, RESULT)}
    loads = []
    for number, view in enumerate(views):
        held = register(view, RESULT + 1 + number)
        names[NAMES[number]] = held
        step = 4 if TYPES[view].endswith("32") else 8
        loads += [
            f"ld.param.b64 %rd3, [k_{number + 2}];",
            f"mul.lo.s64 %rd4, %rd2, {step};",
            "add.s64 %rd3, %rd3, %rd4;",
        ]
        if view == "p":
            loads += ["ld.global.b32 %r5, [%rd3];", f"setp.ne.s32 {held}, %r5, 0;"]
        else:
            loads.append(f"ld.global.{TYPES[view]} {held}, [%rd3];")
    stored = names["r"]
    ending = []
    if result == "p":
        ending, stored = [f"selp.b32 %r6, 1, 0, {stored};"], "%r6"
    step = 4 if TYPES[result].endswith("32") else 8
    parameters = ", ".join(f".param .u64 k_{number}" for number in range(len(views) + 2))
    body = [
        ".reg .pred %p<50>; .reg .b32 %r<50>; .reg .b64 %rd<50>;",
        ".reg .f32 %f<50>; .reg .f64 %fd<50>;",
        "mov.u32 %r1, %tid.x;",
        "mov.u32 %r2, %ctaid.x;",
        "mov.u32 %r4, %ntid.x;",
        "mad.lo.s32 %r3, %r2, %r4, %r1;",
        "cvt.u64.u32 %rd2, %r3;",
        "ld.param.b64 %rd1, [k_0];",
        "setp.ge.u64 %p1, %rd2, %rd1;",
        "@%p1 bra $done;",
        *loads,
        lines.format(**names),
        *ending,
        "ld.param.b64 %rd3, [k_1];",
        f"mul.lo.s64 %rd4, %rd2, {step};",
        "add.s64 %rd3, %rd3, %rd4;",
        f"st.global.{TYPES[result]} [%rd3], {stored};",
        "$done:",
        "ret;",
    ]
    return f"{HEADER}.visible .entry k({parameters})\n{{\n" + "\n".join(body) + "\n}\n"


def elementwise(
    lines: str,
    views: str,
    result: str,
    *operands: Sequence[Any] | np.ndarray,
    order: str = "forward",
) -> np.ndarray:
    """The results as words of the view `result`; truths are 0 and 1 in 32 bits."""
    device = Device(order)
    count = len(operands[0]) if operands else THREADS
    addresses = []
    for view, operand in zip(views, operands, strict=True):
        words = np.array(operand, WORDS[view])
        addresses.append(device.allocate(words.nbytes))
        device.write(addresses[-1], words)
    made = device.allocate(count * np.dtype(WORDS[result]).itemsize)
    module = device.load(kernel_text(lines, views, result))
    blocks = (count + THREADS - 1) // THREADS
    device.launch(module, "k", blocks, THREADS, [count, made, *addresses])
    return device.read(made, WORDS[result], count)
