"""Loads the stand-in of NVIDIA's driver before pycuda, in processes that the tests start.

Entry: `install`.
"""

from __future__ import annotations

import os
import sys
from importlib.abc import MetaPathFinder
from types import ModuleType


class BeforeDriver(MetaPathFinder):
    """Looks for nothing itself: it loads the stand-in when someone looks for pycuda."""

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> None:
        """Load the stand-in once, for `pycuda.driver`."""
        if name != "pycuda.driver":
            return
        sys.meta_path.remove(self)
        from ptx.stand_in.loading import DEVICES, load_stand_in

        load_stand_in(os.environ[DEVICES])


def install() -> None:
    """Have the stand-in loaded when it is needed."""
    sys.meta_path.insert(0, BeforeDriver())
