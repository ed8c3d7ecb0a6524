"""Names of generations and of their files: each reads back, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from checkpoints.makings import RUN

from alpha.ir.checkpoints.names import (
    generation_name,
    manifest_name,
    partial_name,
    partial_suffix,
    role_of_manifest,
    role_of_shard,
    shard_name,
    version_of,
    version_of_partial,
)

VERSIONS = (0, 7, 10, 12345, (1 << 64) - 1)
ROLES = (0, 1, 199_999, (1 << 32) - 1)

READERS: tuple[Callable[[str], int | None], ...] = (
    version_of,
    version_of_partial,
    role_of_shard,
    role_of_manifest,
)


def readings(name: str) -> list[int | None]:
    """What each reader makes of a name."""
    return [read(name) for read in READERS]


def test_names_read_back() -> None:
    for version in VERSIONS:
        assert readings(generation_name(version)) == [version, None, None, None]
        assert readings(partial_name(version, RUN)) == [None, version, None, None]
    for role in ROLES:
        assert readings(shard_name(role)) == [None, None, role, None]
        assert readings(manifest_name(role, root=False)) == [None, None, None, role]


def test_names_are_those_of_the_format() -> None:
    assert generation_name(12) == "gen-12"
    assert partial_name(12, RUN) == ".gen-12.0123456789abcdef"
    assert partial_suffix(RUN) == "0123456789abcdef"
    assert shard_name(3) == "shard-3.safetensors"
    assert manifest_name(3, root=False) == "manifest-3.json"
    assert manifest_name(0, root=True) == "manifest.json"


@pytest.mark.parametrize(
    "name",
    [
        *("gen-", "gen-07", "gen--1", "gen-+1", "gen-1 ", " gen-1", "gen-1\n", "GEN-1", "gen-١"),
        *("gen-1.0", "gen-1e3", "gen-0x1", "gen-18446744073709551616", "gen-" + "9" * 5000, "gen"),
        *(".gen-1", ".gen-1.", ".gen-1.0123456789abcde", ".gen-1.0123456789ABCDEF"),
        *(".gen-01.0123456789abcdef", ".gen-1.0123456789abcdef0", "x.gen-1.0123456789abcdef"),
        *("shard-4294967296.safetensors", "shard-00.safetensors", "shard-1.safetensors.old"),
        *("shard-1xsafetensors", "manifest.json", "manifest-01.json", "manifest-1xjson", ""),
        *("../gen-1", "gen-1/", "a/shard-1.safetensors", "manifest-1.json\n"),
    ],
)
def test_other_names_are_nothing(name: str) -> None:
    assert readings(name) == [None] * 4
