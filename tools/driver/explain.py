"""`--explain CODE`: what a refusal means, the rule behind it, a case on either side, its tests.

Entry: `explain`.
"""

from __future__ import annotations

import os

from alpha.ir.refusals import TABLE
from alpha.tools.driver.arguments import UsageError


def explain(code: str) -> str:
    """The page of a code.

    Raises UsageError for a code that isn't in the table, with the nearest ones.
    """
    row = TABLE.get(code.strip().removeprefix("[").removesuffix("]"))
    if row is None:
        from difflib import get_close_matches

        near = get_close_matches(code, TABLE, 3)
        said = f"; did you mean {' or '.join(near)}?" if near else ""
        raise UsageError(f"there is no refusal code {code!r}{said}")
    lines = [
        row.name,
        f"  {row.meaning}",
        "",
        f"rule:     {row.rule}",
        f"refused:  {row.refused}",
        f"accepted: {row.accepted}",
    ]
    tests = _tests_of(row.name)
    if tests:
        lines.append(f"tests:    {', '.join(tests)}")
    return "".join(f"{line}\n" for line in lines)


def _tests_of(code: str) -> list[str]:
    """The lit tests that expect a code, if the tool runs from a checkout that holds them."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    found: list[str] = []
    for folder, _, names in sorted(os.walk(os.path.join(root, "lit_tests"))):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith((".mlir", ".test")):
                with open(path, encoding="utf-8", errors="replace") as stream:
                    if f"[{code}]" in stream.read():
                        found.append(os.path.relpath(path, root))
    return found
