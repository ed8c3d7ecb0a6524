"""What stops machine code that is interpreted: a fault of the code, not of the interpreter.

Entry: `MachineFault`.
"""

from __future__ import annotations


class MachineFault(Exception):
    """The code does what no right code does: touches memory that isn't there or was never written,
    changes a constant or a register that it has to keep, calls what there isn't, never ends."""
