"""Progress of long work: a bar on a terminal, nothing in a pipe.

Entry: `progress`, `bar`, `amounts`.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

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
    with _shown() as shown:
        if shown is None:
            yield lambda: None
            return
        task = shown.add_task(what, total=total)
        yield lambda: shown.advance(task)


@contextlib.contextmanager
def amounts(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how much is done, and of how much; the bar is as above."""
    with _shown() as shown:
        if shown is None:
            yield lambda done, total: None
            return
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


@contextlib.contextmanager
def _shown() -> Iterator[Progress | None]:
    """Bars on stderr; None if that is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    # What goes to a pipe goes there, and not above the bar.
    to_terminal = sys.stdout is not None and sys.stdout.isatty()
    with Progress(console=console, transient=True, redirect_stdout=to_terminal) as shown:
        yield shown
