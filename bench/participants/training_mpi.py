"""The peer by mpi4py and numpy: each process adds its gradient to the others', and updates alike.

mpirun -n 4 python training_mpi.py X.npy Y.npy ROUNDS: process 0 prints the seconds of a round.
"""

from __future__ import annotations

import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from mpi4py import MPI


def main(x_file: str, y_file: str, rounds: int) -> None:
    """Train on this process's rows."""
    world = MPI.COMM_WORLD
    role, roles = world.Get_rank(), world.Get_size()
    every_x, every_y = np.load(x_file), np.load(y_file)
    count = len(every_x)
    mine = slice(role * count // roles, (role + 1) * count // roles)
    x, y = np.ascontiguousarray(every_x[mine]), every_y[mine]
    words = x.shape[1]
    w, m, v, total, step, spare = (np.zeros(words) for _ in range(6))
    rate, b1, b2, eps, p1, p2 = 0.001, 0.9, 0.999, 1e-8, 1.0, 1.0
    begun = 0.0
    for number in range(rounds):
        if number == 1:
            begun = time.perf_counter()
        g = x.T @ (x @ w - y)
        world.Allreduce(g, total)
        total /= count
        p1 *= b1
        p2 *= b2
        m *= b1
        np.multiply(total, 1 - b1, out=spare)
        m += spare
        v *= b2
        np.multiply(total, total, out=spare)
        spare *= 1 - b2
        v += spare
        np.divide(v, 1 - p2, out=spare)
        np.sqrt(spare, out=spare)
        spare += eps
        np.divide(m, 1 - p1, out=step)
        step /= spare
        step *= rate
        w -= step
    if role == 0:
        print((time.perf_counter() - begun) / (rounds - 1))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
