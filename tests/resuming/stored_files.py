"""What the files of a generation have to be, word by word, looked at without the package.

Invariant: files are read with json and struct, and by the library `safetensors`; what a role has to
    have is counted out by `nine_words`, and words are those of the learner-level interpreter.
Entry: `first_flaw`, `bytes_of`.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from checkpoints.plain_reader import listed_text
from resuming.nine_words import coordinates, shared_out
from resuming.runs import Side
from safetensors.numpy import load_file

Header = dict[str, dict[str, Any]]


def bytes_of(generation: Path) -> dict[str, bytes]:
    """Every file of a generation."""
    return {path.name: path.read_bytes() for path in generation.iterdir()}


def first_flaw(
    generation: Path,
    rule: str,
    side: Side,
    map: str,
    version: int,
    state: Mapping[str, np.ndarray],
) -> str | None:
    """What is wrong with a generation that such a run of the nine words has written, or None."""
    owners = 1 if side.owners is None else side.owners
    wanted = {f"shard-{role}.safetensors" for role in range(owners)} | {"manifest.json"}
    wanted |= {f"manifest-{role}.json" for role in range(1, owners)}
    if set(bytes_of(generation)) != wanted:
        return f"files {sorted(bytes_of(generation))}"
    pieces = coordinates(map, owners)
    own = shared_out(rule, side.modes) if owners > 1 else []
    counts = {name: np.zeros(words.size, int) for name, words in state.items()}
    for role in range(owners):
        path = generation / f"shard-{role}.safetensors"
        header, begin = read_header(path)
        metadata = header.pop("__metadata__")
        said = json.loads(metadata["coordinates"])
        names = [name for name in state if name in own or role == 0]
        if sorted(header) != sorted(names) or json.loads(metadata["fields"]) != list(header):
            return f"{path.name} names {sorted(header)}, not {sorted(names)}"
        about = (metadata["role"], metadata["owners"], metadata["version"])
        if about != (str(role), str(owners), str(version)):
            return f"{path.name} says {about}"
        for name, words in state.items():
            if name in header:
                at = pieces[role] if name in own else [*range(words.size)]
                if listed_text(said[name]) != at:
                    return f"{path.name} says {said[name]} of @{name}, not {at}"
                shape = [len(at)] if name in own else list(words.shape)
                different = _tensor_flaw(path, begin, header[name], words.reshape(-1)[at], shape)
                if different:
                    return f"@{name} in {path.name}: {different}"
                counts[name][at] += 1
        tensors = load_file(path)
        if any(tensors[name].tobytes() != _part(path, begin, header[name]) for name in names):
            return f"the library reads other words in {path.name}"
    if any((count != 1).any() for count in counts.values()):
        return f"not every coordinate is in one shard: {counts}"
    return _manifest_flaw(generation, owners, version, state)


def read_header(path: Path) -> tuple[Header, int]:
    """The header of a shard, and where its words begin."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8 : 8 + length]), 8 + length


def _part(path: Path, begin: int, tensor: Mapping[str, Any]) -> bytes:
    low, high = tensor["data_offsets"]
    return path.read_bytes()[begin + low : begin + high]


def _tensor_flaw(
    path: Path, begin: int, tensor: Mapping[str, Any], words: np.ndarray, shape: Sequence[int]
) -> str | None:
    kind = {"float64": "F64", "float32": "F32"}[str(words.dtype)]
    if (tensor["dtype"], tensor["shape"]) != (kind, shape):
        return f"{tensor['dtype']} {tensor['shape']}, not {kind} {shape}"
    if begin % 64:
        return f"words begin at {begin}"
    found = np.frombuffer(_part(path, begin, tensor), words.dtype.newbyteorder("<"))
    if len(found):
        mapped = np.memmap(path, found.dtype, "r", begin + tensor["data_offsets"][0], len(found))
        if mapped.tobytes() != found.tobytes():
            return "numpy maps other words"
    return None if found.tobytes() == words.tobytes() else f"{found}, not {words}"


def _manifest_flaw(
    generation: Path, owners: int, version: int, state: Mapping[str, np.ndarray]
) -> str | None:
    """What the manifests say of one another, of shards and of states."""
    files = bytes_of(generation)
    met: list[int] = []
    waiting = ["manifest.json"]
    for name in waiting:
        manifest = json.loads(files[name])
        met.append(manifest["role"])
        if manifest["version"] != version:
            return f"{name} says version {manifest['version']}"
        waiting += [each["file"] for each in manifest["manifests"]]
        for each in (manifest["shard"], *manifest["manifests"]):
            data = files[each["file"]]
            if (each["bytes"], each["sha256"]) != (len(data), hashlib.sha256(data).hexdigest()):
                return f"{name} says something else of {each['file']}"
    root = json.loads(files["manifest.json"])
    if sorted(met) != [*range(owners)] or root["owners"] != owners:
        return f"manifests of roles {met}, {root['owners']} owners"
    found = {each["name"]: tuple(each["shape"]) for each in root["states"]}
    return None if found == {name: words.shape for name, words in state.items()} else f"{found}"
