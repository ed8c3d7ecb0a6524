"""Prints update kernels on a GPU beside a copy of the same bytes, and torch's Adam, as ratios.

Started by `make bench`; by itself: PYTHONPATH=bench python -m gpu.run [GPU-UUID]. Without a GPU it
says that nothing was measured.

Invariant: a kernel and a copy are measured in turn, and what is told is the median of the ratios of
    the pairs. The copy reads and writes as many bytes as the kernel, half of them each.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
from compiled.learners import UPDATES, VALUES, update_learner

from alpha.backends.ptx.driver import CAPABILITY, CudaDevice, find_gpus
from alpha.backends.ptx.equality import Emitted, emitted_kernels
from alpha.backends.ptx.running import Buffers, run_plan
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal

SIZES = (1_000_000, 10_000_000, 100_000_000)
DTYPES = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}
PAIRS, LAUNCHES = 11, 20
SECONDS = 300


def kernels_of(name: str, element: str) -> Emitted:
    """The kernels of an update rule."""
    module = parse_text(make_context(), update_learner(name, element), "bench")
    verify_module(module)
    return emitted_kernels(module)


def nanoseconds(device: CudaDevice, launch: Callable[[], None], address: int) -> float:
    """The mean of some launches, one behind the other: a read waits for the last."""
    device.read(address, np.uint8, 1)
    began = time.perf_counter_ns()
    for _ in range(LAUNCHES):
        launch()
    device.read(address, np.uint8, 1)
    return (time.perf_counter_ns() - began) / LAUNCHES


def row(uuid: str, name: str, element: str, words: int) -> tuple[str, float]:
    """A row of the table, and nanoseconds of a launch."""
    kernels, dtype, rule = kernels_of(name, element), DTYPES[element], UPDATES[name]
    device = CudaDevice(uuid, kernels.text)
    source = np.random.default_rng(1)
    # What a rule doesn't replace is its gradient.
    replaced = len(rule.states) + 1
    given = [source.random(words).astype(dtype) for _ in range(replaced + 1)]
    given += [np.array([VALUES[each]], dtype) for each in rule.constants]
    inputs = [device.allocate(array.nbytes) for array in given]
    for array, address in zip(given, inputs, strict=True):
        device.write(address, array)
    buffers = Buffers(device, kernels.plan(name), [words])
    moved = (2 * replaced + 1) * words * dtype.itemsize
    half = device.allocate(moved // 2), device.allocate(moved // 2)
    for address in half:
        device.write(address, np.zeros(moved // 2, np.uint8))
    copy = import_module("pycuda.driver").memcpy_dtod

    def update() -> None:
        run_plan(device, buffers, inputs, inputs[:replaced])

    def copied() -> None:
        with device.current():
            copy(half[0], half[1], moved // 2)

    pairs = [
        (nanoseconds(device, update, inputs[0]), nanoseconds(device, copied, half[0]))
        for _ in range(PAIRS + 1)
    ][1:]
    ours, other = (statistics.median(each) for each in zip(*pairs, strict=True))
    ratio = statistics.median(b / a for a, b in pairs)
    what = f"{name} {element} N={words}"
    told = f"| {what} | a copy of {moved} bytes | {ours / 1e3:.1f} | {other / 1e3:.1f} |"
    return f"{told} {moved / ours:.0f} | {ratio:.3f} |", ours


def torch_row(element: str, words: int, ours: float) -> str:
    """Adam beside torch's, which a process of its own measures."""
    what = f"adam {element} N={words}"
    script = Path(__file__).with_name("updates_torch.py")
    command = [sys.executable, str(script), element, str(words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        why = done.stderr.strip().rpartition("\n")[2] or f"exit status {done.returncode}"
        return f"| {what} | torch, fused | | | | not compared: {why} |"
    theirs = float(done.stdout)
    told = f"| {what} | torch, fused | {ours / 1e3:.1f} | {theirs / 1e3:.1f} | |"
    return f"{told} {theirs / ours:.3f} |"


def rows(uuid: str) -> Iterator[str]:
    """Every rule, element type and size."""
    for element in DTYPES:
        for name in UPDATES:
            for words in SIZES:
                told, ours = row(uuid, name, element, words)
                yield told
                if name == "adam":
                    yield torch_row(element, words, ours)


def main(wanted: list[str]) -> None:
    """Measure on the first GPU, or the one that is named, and print as it is done."""
    try:
        found = [gpu for gpu in find_gpus() if gpu.capability >= CAPABILITY]
    except Refusal as refusal:
        print(f"kernels on a GPU: not measured: {refusal.message}")
        return
    chosen = [gpu for gpu in found if not wanted or gpu.uuid in wanted]
    if not chosen:
        print("kernels on a GPU: not measured: there is none that runs them")
        return
    print(f"{chosen[0].describe()}; ratios of a copy's time and the kernel's: 1 is its bandwidth")
    print("| what | peer | ours, us | peer, us | GB/s | ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    for line in rows(chosen[0].uuid):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
