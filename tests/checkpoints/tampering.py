"""Changes what is in a generation, and afterwards, if a test wants so, all digests with it.

Invariant: nothing of the package is used. A generation that was signed again has only the one flaw
    that the test made: files have the lengths and digests with which manifests name them.
Entry: `copied`, `edited`, `edited_header`, `signed`, `in_order`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def copied(folder: Path, name: str) -> Path:
    """A copy of a generation, beside it."""
    target = folder.parent / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target)
    return target


def in_order(folder: Path) -> list[str]:
    """The names of all files of a generation."""
    return sorted(path.name for path in folder.iterdir())


def edited(folder: Path, name: str, change: Callable[[Json], None]) -> None:
    """Change a manifest, and sign the generation again."""
    manifest = json.loads((folder / name).read_text("utf-8"))
    change(manifest)
    _write(folder / name, manifest)
    signed(folder)


def edited_header(folder: Path, role: int, change: Callable[[Json], None]) -> None:
    """Change the header of a shard, which begins at a multiple of 64 again, and sign all again."""
    path = folder / f"shard-{role}.safetensors"
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    change(header)
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data[8 + length :])
    signed(folder)


def signed(folder: Path) -> None:
    """Write into each manifest what its shard and its children's manifests are now."""
    _sign(folder, "manifest.json", set())


def _sign(folder: Path, name: str, met: set[str]) -> None:
    met.add(name)
    manifest = json.loads((folder / name).read_text("utf-8"))
    children = manifest.get("manifests")
    children = children if isinstance(children, list) else []
    for child in children:
        if child.get("file") not in met and _is_there(folder, child):
            _sign(folder, child["file"], met)
    shard = manifest.get("shard")
    for each in [*([shard] if isinstance(shard, dict) else []), *children]:
        if _is_there(folder, each):
            data = (folder / each["file"]).read_bytes()
            found = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            each.update({key: value for key, value in found.items() if key in each})
    _write(folder / name, manifest)


def _is_there(folder: Path, named: Json) -> bool:
    file = named.get("file")
    return isinstance(file, str) and (folder / file).is_file()


def _write(path: Path, manifest: Json) -> None:
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
