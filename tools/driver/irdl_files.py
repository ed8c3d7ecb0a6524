"""Takes away xDSL's search for dialects in the working directory.

Why: on its import `xdsl.dialects` adds a finder that looks for `NAME.irdl` in the working directory
    for every module that nothing else finds. So an optional import of another package (numpy tries
    `org`, through pickle) fails in a folder that was removed, and runs a file that happens to lie
    beside the input. This project has no dialects in IRDL files.
Entry: `ignore_irdl_files`.
"""

from __future__ import annotations

import sys


def ignore_irdl_files() -> None:
    """Import xDSL's dialects and take their finder away, before anything else is imported."""
    import xdsl.dialects  # noqa: F401
    from xdsl.utils.dialect_loader import IRDLDialectFinder

    sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, IRDLDialectFinder)]
