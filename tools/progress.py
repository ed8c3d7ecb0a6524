"""Progress of long work: a bar on a terminal, nothing in a pipe.

Entry: `progress`, `bar`.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """The items, with a bar on stderr that advances behind each, if that is a terminal."""
    with bar(total, what) as advance:
        for item in items:
            yield item
            advance()


@contextlib.contextmanager
def bar(total: int, what: str) -> Iterator[Callable[[], None]]:
    """A function that advances a bar on stderr by one, if that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    # What goes to a pipe goes there, and not above the bar.
    to_terminal = sys.stdout is not None and sys.stdout.isatty()
    with Progress(console=console, transient=True, redirect_stdout=to_terminal) as shown:
        task = shown.add_task(what, total=total)
        yield lambda: shown.advance(task)
