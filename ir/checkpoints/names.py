"""The names of generations and of the files in them.

Invariant: one thing has one name: numbers are decimal and have no leading zeros. What reads a name
    gives None for every other one.
Why: whoever finds a folder must not mistake a file that somebody laid there for one of a
    generation, and a name that a manifest says must not lead out of the folder.
Entry: `generation_name`, `partial_name`, `shard_name`, `manifest_name`, and to read them
    `version_of`, `version_of_partial`, `is_passing_name`, `role_of_shard`, `role_of_manifest`.
"""

from __future__ import annotations

import re

from alpha.ir.frames import ROLES_IN_FRAMES
from alpha.ir.protocol.starts import VERSIONS

ROOT_MANIFEST = "manifest.json"
"""Whoever reads this one of a generation finds all others."""

RUN_DIGITS = 16
"""So many hexadecimal digits of a run's identity tell its unfinished generations from others."""

_NUMBER = "(0|[1-9][0-9]{0,19})"
_GENERATION = re.compile(f"gen-{_NUMBER}", re.ASCII)
_PARTIAL = re.compile(rf"\.gen-{_NUMBER}\.[0-9a-f]{{{RUN_DIGITS}}}", re.ASCII)
_REMOVED = re.compile(rf"\.gen-{_NUMBER}\.removed", re.ASCII)
_SHARD = re.compile(rf"shard-{_NUMBER}\.safetensors", re.ASCII)
_MANIFEST = re.compile(rf"manifest-{_NUMBER}\.json", re.ASCII)


def generation_name(version: int) -> str:
    """The folder of a generation that is published."""
    return f"gen-{version}"


def partial_name(version: int, run: str) -> str:
    """The folder of a generation while it is written by the run of this identity (hexadecimal)."""
    return f".gen-{version}.{partial_suffix(run)}"


def partial_suffix(run: str) -> str:
    """What stands behind the last dot of `partial_name`."""
    return run[:RUN_DIGITS]


def removed_name(version: int) -> str:
    """The folder of a generation while it is removed."""
    return f".gen-{version}.removed"


def shard_name(role: int) -> str:
    """The file with the words of a role."""
    return f"shard-{role}.safetensors"


def manifest_name(role: int, root: bool) -> str:
    """The file that names a role's shard and its children's manifests."""
    return ROOT_MANIFEST if root else f"manifest-{role}.json"


def version_of(name: str) -> int | None:
    """The version of a published generation whose folder has this name, or None."""
    return _number(_GENERATION, name, VERSIONS)


def version_of_partial(name: str) -> int | None:
    """The version of an unfinished generation whose folder has this name, or None."""
    return _number(_PARTIAL, name, VERSIONS)


def is_passing_name(name: str) -> bool:
    """Whether a folder of this name goes away: a generation that was begun, or is removed."""
    removed = _number(_REMOVED, name, VERSIONS)
    return removed is not None or version_of_partial(name) is not None


def role_of_shard(name: str) -> int | None:
    """The role whose shard has this name, or None."""
    return _number(_SHARD, name, ROLES_IN_FRAMES)


def role_of_manifest(name: str) -> int | None:
    """The role whose manifest has this name, or None; the root's says no role."""
    return _number(_MANIFEST, name, ROLES_IN_FRAMES)


def _number(pattern: re.Pattern[str], name: str, end: int) -> int | None:
    match = pattern.fullmatch(name)
    if match is None or int(match.group(1)) >= end:
        return None
    return int(match.group(1))
