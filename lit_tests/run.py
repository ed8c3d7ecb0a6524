"""Runs the lit suite and closes with one line: `lit: N passed, N failed`.

Why: lit's own summary leaves out what is zero, and a suite in which no test ran must not pass.
Entry: `python lit_tests/run.py [lit's own options]`; exit 0 if every test passed, else 1.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
PASSED = frozenset({"PASS", "FLAKYPASS", "XFAIL"})
SKIPPED = frozenset({"UNSUPPORTED", "EXCLUDED"})


def closing_line(results: dict[str, int]) -> str:
    """The last line, from the number of tests per result code of lit."""
    passed = sum(count for code, count in results.items() if code in PASSED)
    skipped = sum(count for code, count in results.items() if code in SKIPPED)
    failed = sum(results.values()) - passed - skipped
    line = f"lit: {passed} passed, {failed} failed"
    return f"{line}, {skipped} skipped" if skipped else line


def main(options: list[str]) -> int:
    """Runs lit over this folder, or over the paths in `options`."""
    report = HERE.parent / "build" / "lit.json"
    report.parent.mkdir(exist_ok=True)
    report.unlink(missing_ok=True)
    lit = Path(sysconfig.get_path("scripts")) / "lit"
    paths = [] if any(Path(word).exists() for word in options) else [str(HERE)]
    command = [sys.executable, lit, "-sv", "-o", report, *options, *paths]
    status = subprocess.run(command, check=False).returncode
    results: Counter[str] = Counter()
    if report.exists():
        results.update(test["code"] for test in json.loads(report.read_text())["tests"])
    print(closing_line(results), flush=True)
    return 0 if status == 0 and any(results[code] for code in PASSED) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
