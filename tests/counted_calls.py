"""How many calls a piece of work makes: a bound for every machine, as one in seconds can't be.

Entry: `calls_of`.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable


def calls_of(work: Callable[[], object]) -> int:
    """How often functions of Python and of C are entered and left while `work` runs."""
    events = itertools.count()
    sys.setprofile(lambda frame, event, argument: next(events) and None)
    try:
        work()
    finally:
        sys.setprofile(None)
    return next(events)
