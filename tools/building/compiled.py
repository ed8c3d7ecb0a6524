"""The runtime's assembly text, compiled when the package is installed, as Python's modules are.

Invariant: a text follows from its module, the target and this project's own sources, which all are
    in its name; so what is found is what would be made, and after a change nothing is found.
Why: compiling the runtime takes longer than all else of a build that finds nothing in its cache.
Entry: `compiled_text`, `unit_text`; as a script it compiles for this installation.
"""

from __future__ import annotations

import contextlib
import os
from functools import partial
from pathlib import Path

from alpha.tools.building.cache import key_of
from alpha.tools.building.sources import folder_of, runtime_texts, sources_digest
from alpha.tools.building.units import Unit, runtime_units, unit_text

FOLDER = "compiled"
"""The name of the folder with the texts, beside the runtime's modules."""


def compiled_text(unit: Unit, sources: str) -> str | None:
    """The assembly text of a module of the runtime, if this installation has it.

    `sources` is the digest of this project's own sources.
    """
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return _path(unit, sources).read_text("ascii")
    return None


def _path(unit: Unit, sources: str) -> Path:
    key = key_of("assembly", sources, str(unit.target), unit.name, unit.text)
    return folder_of("alpha.runtime") / FOLDER / f"{key}.s"


def main() -> None:
    """Compile the runtime for every machine, and remove what was compiled of other sources."""
    from alpha.backends.toolchain.machines import MACHINES
    from alpha.tools.building.jobs import Jobs

    sources, texts = sources_digest(), runtime_texts()
    units = [unit for machine in MACHINES for unit in runtime_units(texts, machine)]
    missing = [unit for unit in units if compiled_text(unit, sources) is None]
    paths = {_path(unit, sources) for unit in units}
    folder = folder_of("alpha.runtime") / FOLDER
    folder.mkdir(exist_ok=True)
    with Jobs([partial(_made, unit) for unit in missing]) as jobs:
        for unit, made in zip(missing, jobs.results() if missing else (), strict=True):
            path = _path(unit, sources)
            partial_path = path.with_name(f".{path.name}.{os.getpid()}")
            partial_path.write_bytes(made)
            partial_path.replace(path)
    for path in folder.iterdir():
        if path not in paths:
            path.unlink()


def _made(unit: Unit) -> bytes:
    return unit_text(unit).encode("ascii")


if __name__ == "__main__":
    main()
