"""The words that one owner hands to another when they go from one map to the other.

Invariant: they are the coordinates that the old map gives to the one and the new map to the other,
    ascending; so sender and receiver put them in the same order.
Entry: `crossing`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from alpha.ir.sharding.maps import ShardMap

if TYPE_CHECKING:
    import numpy as np


@lru_cache(maxsize=1 << 12)
def crossing(
    old: ShardMap, sender: int, new: ShardMap, receiver: int, owners: int, size: int
) -> np.ndarray[Any, Any]:
    """The coordinates, ascending, as 64-bit integers; of a domain with `size` words."""
    import numpy as np

    from alpha.ir.sharding.fragments import members

    given = members(old.piece(sender, owners, size))
    taken = members(new.piece(receiver, owners, size))
    return np.intersect1d(given, taken, assume_unique=True)
