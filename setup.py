"""Finds the packages under the top folders and installs them as `alpha.*`.

A wheel also has the runtime compiled, as it has no need to know what it is installed for: that is
assembly text for each machine. Where the compiler can't run yet, each user compiles it once.
"""

import os
import subprocess
import sys

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOTS = ("ir", "interpreters", "passes", "backends", "runtime", "tools")
COMPILE = (sys.executable, "-m", "alpha.tools.building.compiled")
SECONDS = 600


class build_with_runtime(build_py):
    """Builds the modules, and with them compiles the runtime; an editable tree is left as it is."""

    def run(self) -> None:
        """Build everything."""
        super().run()
        if self.editable_mode:
            return
        path = os.path.abspath(self.build_lib)
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            subprocess.run(COMPILE, cwd=path, env=environment, check=True, timeout=SECONDS)
        except (OSError, subprocess.SubprocessError) as error:
            self.warn(f"the runtime isn't compiled yet, but when it is used first: {error}")


setup(
    cmdclass={"build_py": build_with_runtime},
    packages=[f"alpha.{root}" for root in ROOTS]
    + [f"alpha.{root}.{name}" for root in ROOTS for name in find_packages(root)],
    package_dir={f"alpha.{root}": root for root in ROOTS},
)
