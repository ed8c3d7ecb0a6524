"""Finds the packages under the top folders and installs them as `alpha.*`."""

from setuptools import find_packages, setup

ROOTS = ("ir", "interpreters", "passes", "backends", "runtime", "tools")

setup(
    packages=[f"alpha.{root}" for root in ROOTS]
    + [f"alpha.{root}.{name}" for root in ROOTS for name in find_packages(root)],
    package_dir={f"alpha.{root}": root for root in ROOTS},
)
