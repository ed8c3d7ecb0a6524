"""What of this project decides the bytes of what it makes: its own sources and xDSL's version.

Entry: `sources_digest`, `runtime_texts`, `folder_of`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

TOPS = ("ir", "interpreters", "passes", "backends", "runtime", "tools")


def sources_digest() -> str:
    """A digest of every module and every file of the runtime, as this process would load them."""
    from xdsl import __version__ as xdsl_version

    hasher = hashlib.sha256(f"{xdsl_version} {sys.version_info[:2]}\n".encode())
    for top in TOPS:
        folder = folder_of(f"alpha.{top}")
        for path in sorted(_files(folder)):
            data = path.read_bytes()
            name = path.relative_to(folder).as_posix()
            hasher.update(f"{top}/{name} {len(data)}\n".encode())
            hasher.update(data)
    return hasher.hexdigest()


def runtime_texts() -> Mapping[str, str]:
    """The modules of the runtime, by name, in the order of their names."""
    folder = folder_of("alpha.runtime")
    return {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.mlir"))}


def folder_of(package: str) -> Path:
    """The folder of a package, which isn't imported for it."""
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.origin is not None, f"{package} isn't installed as files"
    return Path(spec.origin).parent


def _files(folder: Path) -> Iterator[Path]:
    for place, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if name != "__pycache__"]
        yield from (Path(place, name) for name in names if name.endswith((".py", ".mlir")))
