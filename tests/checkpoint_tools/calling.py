"""Calls `alpha` in this process, and looks at what it has written with json and struct alone.

Entry: `Alpha`, `Said`, `words_of_shards`, `headers_of_shards`, `held`.
"""

from __future__ import annotations

import json
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from alpha.tools.mains import alpha

ROOT = Path(__file__).resolve().parents[2]
DIABETES = ROOT / "examples" / "diabetes_adam.mlir"

MIB = 1 << 20


class Said(NamedTuple):
    """How a call ended, and what it printed."""

    status: int
    out: str
    err: str

    @property
    def code(self) -> str | None:
        """The code of the refusal, if there is one."""
        _, found, rest = self.err.partition("error: [")
        return rest.partition("]")[0] if found else None


class Alpha:
    """`alpha` with these arguments."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Said:
        self.flush()
        return self.said(alpha.main([str(each) for each in arguments]))

    def flush(self) -> None:
        """Forget what was printed."""
        self._capsys.readouterr()

    def said(self, status: int) -> Said:
        """What another main has printed since, which ended so."""
        told = self._capsys.readouterr()
        return Said(status, told.out, told.err)

    def done(self, *arguments: object) -> str:
        """What it printed on stdout; it has to have succeeded and said nothing else."""
        said = self(*arguments)
        assert (said.status, said.err) == (0, ""), said
        return said.out


def words_of_shards(folder: Path) -> dict[str, bytes]:
    """By the names of a generation's shards, all bytes behind their headers."""
    found: dict[str, bytes] = {}
    for path in folder.glob("shard-*"):
        data = path.read_bytes()
        (length,) = struct.unpack("<Q", data[:8])
        found[path.name] = data[8 + length :]
    return found


def headers_of_shards(folder: Path) -> dict[str, dict[str, Any]]:
    """The same of what the headers say."""
    found: dict[str, dict[str, Any]] = {}
    for path in folder.glob("shard-*"):
        data = path.read_bytes()
        (length,) = struct.unpack("<Q", data[:8])
        found[path.name] = json.loads(data[8 : 8 + length])
    return found


def held(act: Callable[[], object]) -> int:
    """The most bytes that Python and numpy hold at once while this is done."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
