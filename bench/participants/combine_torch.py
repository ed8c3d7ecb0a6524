"""The peer that adds by torch: all_reduce over gloo.

python combine_torch.py ROLE ROLES FILE WORDS ROUNDS; FILE is a new path by which they meet.
Process 0 prints the seconds of a round.
"""

from __future__ import annotations

import os
import sys
import time

import torch
import torch.distributed as dist


def main(role: int, roles: int, meeting: str, words: int, rounds: int) -> None:
    """Add the words of all processes, again and again."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=role, world_size=roles)
    given = torch.randn(words, dtype=torch.float64)
    total = torch.empty_like(given)
    begun = 0.0
    for number in range(rounds):
        if number == 1:
            begun = time.perf_counter()
        total.copy_(given)
        dist.all_reduce(total)
    taken = (time.perf_counter() - begun) / (rounds - 1)
    if role == 0:
        print(taken, flush=True)
    dist.barrier()
    # Taking gloo's connections down fails at times, when nothing is measured any more.
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
