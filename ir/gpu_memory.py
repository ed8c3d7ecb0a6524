"""The memory that the threads of a block share, as an address space of memrefs.

Entry: `WORKGROUP`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr

WORKGROUP = StringAttr("workgroup")
"""The address space of arrays that each block has for itself."""
