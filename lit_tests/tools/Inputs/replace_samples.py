"""Prints a learner with its inline samples in files: `replace_samples.py LEARNER SOURCES`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    pattern = r"(region\.samples @data\[\d+\] : \([^)]*\)) =\s+dense<.*?>,\s+dense<.*?>\n"
    print(re.sub(pattern, rf"\1 from {sys.argv[2]}\n", text, count=1, flags=re.DOTALL), end="")
