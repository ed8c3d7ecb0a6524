"""The flag that names a deployment file.

Entry: `add_deployment_flag`.
"""

from __future__ import annotations

import argparse


def add_deployment_flag(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare the flag; `what` is what the file decides of a command."""
    parser.add_argument(
        "--deployment",
        metavar="FILE",
        help=f"a TOML file that gives hosts to roles: {what} (default: this machine alone)",
    )
