"""`--help` and `--version`: read from the flags and from the passes' own source text.

Entry: `help_text`, `version_text`.
"""

from __future__ import annotations

from collections.abc import Sequence

from alpha.tools.driver.arguments import Flag

COLUMN = 34


def help_text(tool: str, usage: str, about: str, flags: Sequence[Flag], with_passes: bool) -> str:
    """The page that `--help` prints."""
    lines = [f"usage: {tool} {usage}", "", about, "", "flags:"]
    for flag in flags:
        spelling = f"{flag.spelling} {flag.metavar}".rstrip()
        lines.append(f"  {spelling:<{COLUMN - 2}}{flag.help}")
    if with_passes:
        lines += ["", "passes, in the order in which they are given:", *_passes()]
    return "".join(f"{line}\n" for line in lines)


def _passes() -> list[str]:
    from alpha.passes.registry import all_passes

    lines: list[str] = []
    for entry in all_passes().values():
        summary, options = entry.describe()
        lines.append(f"  --{entry.name:<{COLUMN - 4}}{summary}")
        for option in options:
            default = "required" if option.default is None else f"default {option.default}"
            lines.append(f"      {option.name}: {option.type} ({default})")
    return lines or ["  none in this version"]


def version_text(tool: str) -> str:
    """Name and version of the tool, and the version of xDSL under it."""
    from importlib.metadata import version

    return f"{tool} {version('alpha')} (xDSL {version('xdsl')})\n"
