"""What a run shows of itself while it runs, on a terminal: a bar, and the rounds of a moment ago.

Invariant: it is drawn on stderr, in one place that is empty again at the end; what goes to stdout
    goes there, whatever is drawn. Without a terminal nothing is drawn.
Entry: `live`, `Shown`.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from alpha.tools.running.rounds import Rounds

if TYPE_CHECKING:
    from rich.console import RenderableType

ROUNDS_SHOWN = 5
"""The last so many rounds of those in which something was observed."""


class Shown:
    """The rounds of a moment ago."""

    def __init__(self, labels: Sequence[str], reached: Callable[[int], None]) -> None:
        """`reached` is told to which version the bar goes."""
        self.labels = labels
        self.lines: list[tuple[str, ...]] = []
        """The version and the means of a round, as texts."""
        self._reached = reached

    def add_rounds(self, rounds: Rounds) -> None:
        """Show these rounds, which are the last."""
        for version in rounds.latest_observed(ROUNDS_SHOWN):
            means = {each.name: repr(each.mean) for each in rounds.observations(version)}
            self.lines.append((str(version), *(means.get(label, "") for label in self.labels)))
        self.lines = self.lines[-ROUNDS_SHOWN:]
        self._reached(rounds.last)


class Hidden(Shown):
    """Nothing is shown, and nothing is done for it."""

    def __init__(self) -> None:
        super().__init__((), lambda version: None)

    def add_rounds(self, rounds: Rounds) -> None:
        """Leave them."""


@contextlib.contextmanager
def live(total: int, labels: Sequence[str]) -> Iterator[Shown]:
    """What shows rounds, of which there are at most `total`, if stderr is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield Hidden()
        return
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    class Display(Progress):
        """A bar under a table."""

        def get_renderables(self) -> Iterable[RenderableType]:
            """The table, which is as wide as that of stdout, and the bar."""
            table = Table(box=None, pad_edge=False, padding=0)
            for name, width in (("version", 10), *((label, 26) for label in labels)):
                table.add_column(name, justify="right", min_width=width, no_wrap=True)
            for line in list(shown.lines):
                table.add_row(*line)
            if shown.lines:
                yield table
            yield self.make_tasks_table(self.tasks)

    shown = Shown(labels, lambda version: display.update(task, completed=version))
    to_terminal = sys.stdout is not None and sys.stdout.isatty()
    console = Console(stderr=True)
    display = Display(console=console, transient=True, redirect_stdout=to_terminal)
    task = display.add_task("rounds", total=total)
    with display:
        yield shown
