"""What stops code while it runs: each kind of fault is a class of its own.

Invariant: code that ends without a fault has read only words that it may read and that were
    written, and has had no result that the IR leaves undefined.
"""

from __future__ import annotations


class CodeFault(RuntimeError):
    """Code did what has no meaning; the message says where and with which numbers."""


class OutOfBounds(CodeFault):
    """A load or store outside of its buffer, at no buffer, or in one that is gone."""


class UninitializedRead(CodeFault):
    """A load of a word that nothing has written."""


class UndefinedResult(CodeFault):
    """What the IR leaves undefined: a division by zero, a shift by the width or more, a count of
    a loop that passes the largest number of its type, an array of less than no words."""


class StepsExceeded(CodeFault):
    """More operations than the budget: most likely a loop without end."""


class DepthExceeded(CodeFault):
    """More nested calls than are allowed."""
