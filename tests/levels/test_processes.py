"""`alpha run` at three levels: one process, a simulated network, and a process a role over TCP.

The last line is the same, and so is what was observed in every round.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from native_runs.folders import command
from runs.processes import EXAMPLES, alpha
from safetensors import safe_open

RUNS = {
    "owners that are given": ("diabetes_adam", "--owners=3", "--topology=tree<1>"),
    "a distribution by hand": ("perceptron_mixed",),
    "directly, all partitioned": (
        "least_squares_momentum",
        *("--owners=3", "--topology=star", "--partition=optimizer,parameters,gradients"),
        "--exchange=sharded",
    ),
}


State = tuple[dict[str, str], dict[str, bytes]]
"""Metadata and the words of each field; the file itself has them in any order."""


def read_state(path: Path) -> State:
    with safe_open(path, "numpy") as file:
        names = file.keys()
        return file.metadata(), {name: file.get_tensor(name).tobytes() for name in names}


@pytest.mark.parametrize("name", RUNS)
def test_the_digest_is_that_of_the_shard_level(name: str, tmp_path: Path) -> None:
    example, *flags = RUNS[name]
    shard_flags = [flag for flag in flags if not flag.startswith("--exchange")]
    ended: dict[str, tuple[str, bytes, State]] = {}
    for level in ("shard", "protocol", "role"):
        metrics, saved = tmp_path / f"{level}.jsonl", tmp_path / f"{level}.safetensors"
        # The two that are one process may be this one.
        started = alpha if level == "role" else command
        done = started(
            "run",
            EXAMPLES / f"{example}.mlir",
            *(f"--interpret={level}", "--rounds=7", "--metrics", metrics, "--save", saved),
            *(shard_flags if level == "shard" else flags),
        )
        assert done.status == 0, done
        digest = done.out.splitlines()[-1]
        assert digest.startswith("state sha256:"), done
        ended[level] = digest, metrics.read_bytes(), read_state(saved)
        assert len(ended[level][1].splitlines()) == 7
    assert ended["protocol"] == ended["shard"]
    assert ended["role"] == ended["shard"]
