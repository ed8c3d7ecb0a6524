"""`--help` and `--version`: read from the flags, the exit statuses and the passes' own source text.

Entry: `help_text`, `statuses_text`, `version_text`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alpha.tools.driver.arguments import Flag

COLUMN = 34
WIDTH = 100

"""How a page marks what the design has and this version doesn't."""


def help_text(
    tool: str,
    usage: str,
    about: str,
    flags: Sequence[Flag],
    statuses: Mapping[int, str],
    with_passes: bool = False,
) -> str:
    """The page that `--help` prints."""
    lines = [f"usage: {tool} {usage}", "", about, "", "flags:"]
    for flag in flags:
        spelling = f"{flag.spelling} {flag.metavar}".rstrip()
        lines.append(f"  {spelling:<{COLUMN - 2}}{flag.help}")
    if with_passes:
        lines += ["", "passes, in the order in which they are given:", *_passes()]
    return "".join(f"{line}\n" for line in lines) + f"\n{statuses_text(statuses)}"


def _passes() -> list[str]:
    from alpha.passes.registry import all_passes

    lines: list[str] = []
    for entry in all_passes().values():
        summary, options = entry.describe()
        lines.append(f"  --{entry.name:<{COLUMN - 4}}{summary}")
        for option in options:
            default = "required" if option.default is None else f"default {option.default}"
            lines.append(f"      {option.name}: {option.type} ({default})")
    return lines


def statuses_text(statuses: Mapping[int, str]) -> str:
    """The part of a page that says what the exit statuses mean."""
    lines = (f"  {status:<5}{meaning}\n" for status, meaning in statuses.items())
    return "".join(("exit status:\n", *lines))


def version_text(tool: str) -> str:
    """Name and version of the tool, and the version of xDSL under it."""
    from importlib.metadata import version

    return f"{tool} {version('alpha')} (xDSL {version('xdsl')})\n"
