"""Compares the copies that owners have of one value, before anything is published.

Refuses: data-parallel-replicas-diverge.
Entry: `require_equal`.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from alpha.interpreters.holdings import Located
from alpha.ir.refusals import Refusal


def require_equal(copies: Located, name: str, op: Operation) -> None:
    """See that all owners' copies are the same words, bit for bit.

    Raises:
        Refusal: `data-parallel-replicas-diverge` with the first owner that has another word.
    """
    first = copies[0]
    for role, copy in enumerate(copies):
        if copy.tobytes() != first.tobytes():
            bits = [np.atleast_1d(each).view(f"u{each.itemsize}") for each in (first, copy)]
            word = int(np.argmax(bits[0].reshape(-1) != bits[1].reshape(-1)))
            found = f"word {word} of {name} of owner {role} is another than that of owner 0"
            wanted = "copies that are equal with every owner"
            raise Refusal("data-parallel-replicas-diverge", wanted, found, op)
