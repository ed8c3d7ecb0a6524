"""Runs a command and checks its exit status: `status.py 3 alpha run ...`."""

from __future__ import annotations

import subprocess
import sys


def main(arguments: list[str]) -> int:
    """0 if the command ended with the status that is the first argument, else 1."""
    expected, command = int(arguments[0]), arguments[1:]
    found = subprocess.run(command, check=False).returncode
    if found != expected:
        print(f"expected exit status {expected}, found {found}: {command}", file=sys.stderr)
    return int(found != expected)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
