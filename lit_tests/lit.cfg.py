"""The lit suite: which files are tests, what they may call, and how the tools are started.

`lit -Dexec=1` starts a real process for every command.
"""

import importlib
import os
import shutil
import sys
import sysconfig
from pathlib import Path

import lit.formats

here = Path(__file__).resolve().parent
root = here.parent
sys.path.insert(0, str(here))
fork_runner = importlib.import_module("fork_runner")

config.name = "alpha"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = str(here)
config.test_exec_root = str(root / "build" / "lit")

scripts = sysconfig.get_path("scripts")
path = os.pathsep.join([scripts, config.environment.get("PATH", "")])
config.environment["PATH"] = path
# What tests build is kept between them, and nowhere else.
config.environment["ALPHA_CACHE"] = str(root / "build" / "lit" / "cache")
for tool in ("alpha", "alpha-opt", "alpha-translate", "filecheck"):
    if shutil.which(tool, path=path) is None:
        lit_config.fatal(f"{tool} not found; run: pip install -e '.[dev]'")

# Printing is a fixed point, and the generic form says the same as the custom form.
config.substitutions.append(
    (
        "%roundtrip",
        "alpha-opt %s -o %t.custom && alpha-opt %t.custom | diff %t.custom - && "
        "alpha-opt %s --print-op-generic -o %t.generic && "
        "alpha-opt %t.generic | diff %t.custom - && "
        "alpha-opt %t.generic --print-op-generic | diff %t.generic -",
    )
)
config.substitutions.append(("%examples", str(root / "examples")))
config.substitutions.append(("%console", scripts))

tools = {
    "alpha": "alpha.tools.alpha",
    "alpha-opt": "alpha.tools.alpha_opt",
    "alpha-translate": "alpha.tools.alpha_translate",
    "filecheck": "filecheck.main",
}
if lit_config.params.get("exec"):
    tools.clear()
else:
    tops = ("ir", "interpreters", "passes", "backends", "runtime", "tools")
    fork_runner.preload(root, tops)
mains = {name: importlib.import_module(module).main for name, module in tools.items()}
if mains:
    # The first run in a process compiles operation definitions and patterns.
    mains["alpha-opt"]([str(root / "examples" / "least_squares_adam.mlir"), "-o", os.devnull])
fork_runner.install(mains)
