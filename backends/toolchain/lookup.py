"""Where the programs of this host are, and what they say of themselves.

Entry: `which`, `package_file`, `answer`.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from alpha.backends.toolchain.failures import ToolFailure
from alpha.backends.toolchain.processes import quiet_environment, run

ANSWER_SECONDS_MAX = 20.0
"""For a tool to say what it is."""


def which(program: str, environment: Mapping[str, str]) -> str | None:
    """The path of a program; PATH isn't asked for one that is named with a folder."""
    return shutil.which(program, path=environment.get("PATH", ""))


def package_file(package: str, name: str) -> str | None:
    """The path of a file of an installed package, without importing the package."""
    found = importlib.util.find_spec(package)
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder) / name
        if path.is_file():
            return str(path)
    return None


def answer(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """What a tool says when it is asked what it is, or nothing if it fails to.

    Raises:
        ToolFailure: it doesn't end.
    """
    try:
        ended = run(command, Path("/"), ANSWER_SECONDS_MAX, quiet_environment(environment))
    except ToolFailure:
        return ""
    if not ended.in_time:
        asked = " ".join(command)
        raise ToolFailure(f"{asked} was ended, since it took more than {ANSWER_SECONDS_MAX:g} s")
    return ended.output if ended.status == 0 else ""
