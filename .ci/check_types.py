"""Runs pyright over the sources under the names they are imported by.

Invariant: passes only if pyright has looked at every module of the package.
Why: a file checked as `ir.x` while others import `alpha.ir.x` would have two identities, so links
    named `alpha` are checked instead; and pyright passes silently when it finds no file at all.
Entry: `python .ci/check_types.py`; exit 0 or 1.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("ir", "interpreters", "passes", "backends", "runtime", "tools")
LINKS = ROOT / "build" / "typing" / "alpha"


def lay_links() -> None:
    """Makes build/typing/alpha/<top> point to every top folder."""
    LINKS.mkdir(parents=True, exist_ok=True)
    for top in TOPS:
        link = LINKS / top
        link.unlink(missing_ok=True)
        link.symlink_to(ROOT / top, target_is_directory=True)


def line_of(diagnostic: dict[str, Any]) -> str:
    """One finding as `file:line:column: severity: text`, with the file's real place."""
    file = Path(diagnostic["file"])
    file = file.relative_to(LINKS if file.is_relative_to(LINKS) else ROOT)
    start = diagnostic["range"]["start"]
    rule = diagnostic.get("rule", diagnostic["severity"])
    return f"{file}:{start['line'] + 1}:{start['character'] + 1}: {rule}: {diagnostic['message']}"


def main() -> int:
    """Checks, prints what was found, and one line with the number of files."""
    lay_links()
    pyright = Path(sysconfig.get_path("scripts")) / "pyright"
    command = [pyright, "--outputjson", "--pythonpath", sys.executable]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        report = json.loads(answer.stdout)
    except json.JSONDecodeError:
        print(answer.stdout, answer.stderr, "pyright gave no report", sep="\n")
        return 1
    for diagnostic in report["generalDiagnostics"]:
        print(line_of(diagnostic))
    analyzed = report["summary"]["filesAnalyzed"]
    errors = report["summary"]["errorCount"]
    modules = sum(1 for top in TOPS for _ in (ROOT / top).rglob("*.py"))
    print(f"pyright: {analyzed} files, {errors} errors")
    if analyzed < modules:
        print(f"pyright must look at {modules} modules or more")
        return 1
    return 1 if errors or answer.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
