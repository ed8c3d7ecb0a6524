"""The peer by torch: DistributedDataParallel over gloo, with its Adam.

python training_torch.py ROLE ROLES FILE X.npy Y.npy ROUNDS; FILE is a new path by which they meet.
Process 0 prints the seconds of a round.
"""

from __future__ import annotations

import os
import sys
import time

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main(role: int, roles: int, meeting: str, x_file: str, y_file: str, rounds: int) -> None:
    """Train on this process's rows."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=role, world_size=roles)
    every_x, every_y = np.load(x_file), np.load(y_file)
    count = len(every_x)
    mine = slice(role * count // roles, (role + 1) * count // roles)
    x, y = torch.from_numpy(every_x[mine].copy()), torch.from_numpy(every_y[mine].copy())
    model = torch.nn.Linear(x.shape[1], 1, bias=False, dtype=torch.float64)
    with torch.no_grad():
        model.weight.zero_()
    model = DistributedDataParallel(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001, fused=True)
    begun = 0.0
    for number in range(rounds):
        if number == 1:
            begun = time.perf_counter()
        optimizer.zero_grad()
        loss = (model(x)[:, 0] - y).square().mean() / 2
        loss.backward()
        optimizer.step()
    taken = (time.perf_counter() - begun) / (rounds - 1)
    if role == 0:
        print(taken, flush=True)
    dist.barrier()
    # Taking gloo's connections down fails at times, when nothing is measured any more.
    os._exit(0)


if __name__ == "__main__":
    numbers = (int(sys.argv[1]), int(sys.argv[2]))
    main(*numbers, sys.argv[3], sys.argv[4], sys.argv[5], int(sys.argv[6]))
