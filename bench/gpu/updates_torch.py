"""Adam by torch's fused kernel, for comparison: nanoseconds of a step on so many words.

python updates_torch.py f32 10000000
"""

from __future__ import annotations

import sys
import time

import torch

WARM, STEPS = 5, 50


def main() -> None:
    """Measure and print."""
    dtype = {"f32": torch.float32, "f64": torch.float64}[sys.argv[1]]
    weights = torch.randn(int(sys.argv[2]), dtype=dtype, device="cuda", requires_grad=True)
    weights.grad = torch.randn_like(weights)
    optimizer = torch.optim.Adam([weights], fused=True)
    for count in (WARM, STEPS):
        torch.cuda.synchronize()
        began = time.perf_counter_ns()
        for _ in range(count):
            optimizer.step()
        torch.cuda.synchronize()
        taken = (time.perf_counter_ns() - began) / count
    print(taken)


if __name__ == "__main__":
    main()
