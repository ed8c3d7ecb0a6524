"""Tidy checks of what is written for people: links lead somewhere, commands are run by a test.

Entry: `links`, `commands`; each is a `Check`.
"""

from __future__ import annotations

import re
from pathlib import Path

from tidy.tree import shown, text_of

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)")
FENCE = re.compile(r"^```[^\n]*\n.*?^```", re.MULTILINE | re.DOTALL)
SHELL_FENCE = re.compile(r"^```(?:sh|bash|shell|console)\b", re.MULTILINE)
HEADING = re.compile(r"^#+\s+(.*?)\s*$", re.MULTILINE)

# The test that runs the commands of the pages.
COMMANDS_TEST = "tests/test_docs.py"


def _pages(root: Path) -> list[Path]:
    return [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]


def _anchors(text: str) -> set[str]:
    """The anchors that the headings of a page get: small letters, dashes, no punctuation."""
    headings = (re.sub(r"[^\w\- ]", "", title.lower()) for title in HEADING.findall(text))
    return {title.replace(" ", "-") for title in headings}


def links(root: Path) -> list[str]:
    """Every relative link of a page leads to a file, and to a heading if it names one."""
    findings: list[str] = []
    for page in _pages(root):
        for target in LINK.findall(FENCE.sub("", text_of(page))):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = page.parent / name if name else page
            if not file.exists():
                findings.append(f"{shown(root, page)}: {target} leads nowhere")
            elif anchor and anchor not in _anchors(FENCE.sub("", text_of(file))):
                findings.append(f"{shown(root, page)}: {target} has no such heading")
    return findings


def commands(root: Path) -> list[str]:
    """Every page with commands in it is one of those whose commands a test runs."""
    test = root / COMMANDS_TEST
    covered = text_of(test) if test.exists() else ""
    return [
        f"{shown(root, page)}: {COMMANDS_TEST} doesn't run its commands"
        for page in _pages(root)
        if SHELL_FENCE.search(text_of(page)) and page.name not in covered
    ]
