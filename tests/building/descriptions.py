"""A description by hand, of two roles, for tests that change it.

Entry: `described`, `write`.
"""

from __future__ import annotations

from pathlib import Path

from alpha.tools.building.description import (
    DataFile,
    Digests,
    RoleDescription,
    RunDescription,
    StartDescription,
    StateDescription,
    Tool,
)

DIGEST = "0123456789abcdef" * 4


def role(number: int, coordinates: str | None, data: DataFile | None = None) -> RoleDescription:
    return RoleDescription(
        role=number,
        target="x86-64",
        features=("avx512",) if number else (),
        executable=f"role-{number}",
        sha256=DIGEST,
        bytes=10 + number,
        data=data,
        edges=(1 - number,),
        memory_bytes=4096,
        address="127.0.0.1",
        pieces={"w": coordinates, "s": None},
    )


def described() -> RunDescription:
    """Two roles: the first has all words of `w`, the second none, and both a copy of `s`."""
    return RunDescription(
        learner="least",
        title="train",
        digests=Digests(DIGEST, DIGEST, DIGEST, DIGEST, DIGEST[::-1]),
        rounds=3,
        start=StartDescription(1, DIGEST),
        checkpoints=True,
        ends_stored=False,
        owners=2,
        topology="star",
        samples=6,
        states=(
            StateDescription("w", "tensor<2x2xf64>", (2, 2), "f64"),
            StateDescription("s", "f32", (), "f32"),
        ),
        observations=("loss",),
        tools={"x86-64": Tool("GNU as and ld", "2.40")},
        roles=(role(0, "stride(0, 1, 4)"), role(1, "", DataFile("role-1.data", 64, DIGEST))),
    )


def write(folder: Path, text: str) -> None:
    """Write a `run.json`."""
    (folder / "run.json").write_text(text, encoding="utf-8")
