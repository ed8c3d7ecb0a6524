"""Reads a generation as its format is written down, with json, struct and hashlib alone.

Invariant: nothing of the package is used. What is read is as the format says, to the byte; an
    AssertionError names what isn't.
Entry: `read_generation`, `PlainGeneration`, `listed_text`.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from plain_sets.enumeration import listed

TYPES = {"F64": "<f8", "F32": "<f4"}
FORMS = {
    "stride": lambda *numbers: ("stride", *numbers),
    "repeat": lambda *parts: ("repeat", *parts),
    "join": lambda *parts: ("join", *parts),
}
COMMON = ("format", "version", "role", "run", "learner", "contract")
OF_ROOTS = ("name", "parts", "contracts", "owners", "topology", "states", "resumed")
METADATA = ("format", "learner", "contract", "run", "facts", "role", "owners", "fields")


@dataclass
class PlainGeneration:
    """What a generation has: its root's manifest, and the words of each state as they lie in it."""

    root: dict[str, Any]
    states: dict[str, np.ndarray]
    tree: dict[int, list[int]] = field(default_factory=dict)
    """The children of each role."""
    stored: dict[int, list[str]] = field(default_factory=dict)
    """The states that a role's shard names, in order."""


def listed_text(text: str) -> list[int]:
    """The coordinates of a selection's text, counted out."""
    return listed(eval(text, {"__builtins__": {}, **FORMS})) if text else []


def read_generation(folder: Path) -> PlainGeneration:
    """All of a generation, whose every file is met."""
    root = json.loads((folder / "manifest.json").read_text("utf-8"))
    states = {each["name"]: each for each in root["states"]}
    types = {"f64": "<f8", "f32": "<f4"}
    words = {
        name: np.empty(prod(each["shape"]), types[each["element"]]) for name, each in states.items()
    }
    found = PlainGeneration(root, words)
    counts = {name: np.zeros(len(each), int) for name, each in words.items()}
    met = _read(folder, "manifest.json", found, counts)
    assert sorted(met) == sorted(path.name for path in folder.iterdir())
    assert sorted(found.tree) == list(range(root["owners"]))
    for name, each in states.items():
        assert (counts[name] == 1).all(), name
        found.states[name] = words[name].reshape(each["shape"])
    return found


def _read(
    folder: Path, name: str, found: PlainGeneration, counts: dict[str, np.ndarray]
) -> list[str]:
    text = (folder / name).read_text("utf-8")
    manifest = json.loads(text)
    assert text == json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    is_root = name == "manifest.json"
    between = OF_ROOTS if is_root else ()
    assert tuple(manifest) == (*COMMON, *between, "shard", "manifests")
    assert manifest["format"] == "alpha-manifest-1"
    role = manifest["role"]
    assert is_root or name == f"manifest-{role}.json"
    for key in ("version", "run", "learner", "contract"):
        assert manifest[key] == found.root[key]
    shard = manifest["shard"]
    assert tuple(shard) == ("file", "bytes", "sha256", "coordinates")
    assert shard["file"] == f"shard-{role}.safetensors"
    _check_file(folder, shard)
    found.stored[role] = list(shard["coordinates"])
    _read_shard(folder / shard["file"], role, shard["coordinates"], found, counts)
    met = [name, shard["file"]]
    found.tree[role] = [child["role"] for child in manifest["manifests"]]
    for child in manifest["manifests"]:
        assert tuple(child) == ("role", "file", "bytes", "sha256")
        assert child["file"] == f"manifest-{child['role']}.json"
        _check_file(folder, child)
        met += _read(folder, child["file"], found, counts)
    return met


def _check_file(folder: Path, named: dict[str, Any]) -> None:
    data = (folder / named["file"]).read_bytes()
    assert len(data) == named["bytes"]
    assert hashlib.sha256(data).hexdigest() == named["sha256"]


def _read_shard(
    path: Path,
    role: int,
    coordinates: dict[str, str],
    found: PlainGeneration,
    counts: dict[str, np.ndarray],
) -> None:
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    assert (8 + length) % 64 == 0
    header = json.loads(data[8 : 8 + length].decode("utf-8"))
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    # Room for a version of 20 digits, whatever the version is.
    version = str(found.root["version"])
    room = 8 + len(text) + 20 - len(version)
    assert 8 + length == room + -room % 64
    assert data[8 : 8 + length] == text + b" " * (length - len(text))
    metadata = header.pop("__metadata__")
    assert tuple(metadata) == (*METADATA, "coordinates", "version")
    wanted = {
        "format": "alpha-shard-1",
        "role": str(role),
        "owners": str(found.root["owners"]),
        "version": version,
        **{key: found.root[key] for key in ("learner", "contract", "run")},
    }
    assert all(metadata[key] == value for key, value in wanted.items())
    assert json.loads(metadata["fields"]) == list(header) == list(coordinates)
    assert json.loads(metadata["coordinates"]) == coordinates
    words = data[8 + length :]
    at = 0
    kinds = [each["dtype"] for each in header.values()]
    assert kinds == sorted(kinds, reverse=True)
    for name, tensor in header.items():
        assert tuple(tensor) == ("dtype", "shape", "data_offsets")
        low, high = tensor["data_offsets"]
        assert low == at
        at = high
        array = np.frombuffer(words[low:high], TYPES[tensor["dtype"]])
        members = listed_text(coordinates[name])
        state = next(each for each in found.root["states"] if each["name"] == name)
        alone = found.root["owners"] == 1 or not _is_shared_out(path.parent, name)
        assert tensor["shape"] == (state["shape"] if alone else [len(members)])
        assert len(array) == len(members)
        found.states[name][members] = array
        counts[name][members] += 1
    assert at == len(words)


def _is_shared_out(folder: Path, name: str) -> bool:
    """Whether another role than 0 names a state."""
    others = [json.loads(path.read_text("utf-8")) for path in folder.glob("manifest-*.json")]
    return any(name in other["shard"]["coordinates"] for other in others)
