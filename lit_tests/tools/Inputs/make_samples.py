"""Writes the samples of examples/least_squares_adam.mlir as files into the working directory."""

from __future__ import annotations

import numpy as np
from safetensors.numpy import save_file

X = np.array(
    [
        [1.0, -0.5, 0.25, 2.0],
        [0.3, 1.7, -1.1, 0.2],
        [-2.0, 0.4, 0.9, -0.7],
        [0.1, 0.2, 0.3, 0.4],
        [1.5, -1.5, 2.5, -0.1],
        [-0.6, 3.0, 0.05, 1.3],
    ]
)
Y = np.array([1.2, -0.7, 3.1, 0.45, -2.3, 0.9])

if __name__ == "__main__":
    np.save("x.npy", X)
    np.save("y.npy", Y)
    save_file({"x": X, "y": Y}, "all.safetensors")
