"""The interpreter of the code level: functions of loops, branches, memory and vectors."""

from alpha.interpreters.code.execution import Code
from alpha.interpreters.code.faults import (
    CodeFault,
    DepthExceeded,
    OutOfBounds,
    StepsExceeded,
    UndefinedResult,
    UninitializedRead,
)

__all__ = [
    "Code",
    "CodeFault",
    "DepthExceeded",
    "OutOfBounds",
    "StepsExceeded",
    "UndefinedResult",
    "UninitializedRead",
]
