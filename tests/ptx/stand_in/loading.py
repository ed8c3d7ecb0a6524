"""The stand-in of this process, and the environment of processes that are to have one.

Entry: `load_stand_in`, `environment`, `FOLDER`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ptx.stand_in.calls import DEVICES, StandIn
from ptx.stand_in.hook import install

FOLDER = Path(sys.prefix) / "stand-in"
"""Where `make` builds the library that stands in for the driver."""

TESTS = Path(__file__).resolve().parents[2]

_LOADED: list[StandIn] = []


def load_stand_in(devices: str) -> StandIn:
    """Have the stand-in in this process, once, with these devices (see `calls`)."""
    if not _LOADED:
        _LOADED.append(StandIn(devices))
        _LOADED[0].load(FOLDER)
    return _LOADED[0]


def environment(folder: Path, devices: str) -> dict[str, str]:
    """The environment in which processes of Python find these devices; `folder` is for its use.

    Python imports a module of this name at its start.
    """
    site = f"import sys\nsys.path.append({str(TESTS)!r})\n"
    site += f"from {install.__module__} import install\ninstall()\n"
    (folder / "sitecustomize.py").write_text(site)
    return {**os.environ, "PYTHONPATH": str(folder), DEVICES: devices}
