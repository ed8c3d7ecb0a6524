"""The registries of dialects and of passes: found from the files, loaded when they are named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.ir import Dialect

from alpha.ir.frontend.registry import (
    FOREIGN_DIALECTS,
    Remark,
    dialect_names,
    make_context,
    own_dialects,
    warn,
)
from alpha.ir.refusals import Place


@pytest.mark.parametrize("name", dialect_names())
def test_every_dialect_loads(name: str) -> None:
    dialect = make_context().get_dialect(name)
    assert isinstance(dialect, Dialect)
    assert dialect.name == name
    for operation in dialect.operations:
        assert operation.name.startswith(f"{name}.")


def test_own_dialects_come_from_the_files() -> None:
    folder = Path(__file__).resolve().parents[2] / "ir" / "dialects"
    files = {file.stem for file in folder.glob("*.py") if "_" not in file.stem}
    assert set(own_dialects()) == files
    assert files >= {"region", "pointwise", "shard"}
    assert not files & set(FOREIGN_DIALECTS)


def test_the_shard_dialect_is_this_project_s() -> None:
    operations = make_context().get_dialect("shard").operations
    assert all(operation.__module__.startswith("alpha.") for operation in operations)


def test_only_builtin_is_loaded() -> None:
    script = """
import sys
from alpha.ir.frontend.registry import make_context
ctx = make_context()
assert [dialect.name for dialect in ctx.loaded_dialects] == ["builtin"]
for name in ("xdsl.dialects.arith", "xdsl.dialects.func", "alpha.ir.dialects.region", "numpy"):
    assert name not in sys.modules, name
assert ctx.get_optional_op("arith.addf") is not None
assert "xdsl.dialects.arith" in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_contexts_share_nothing() -> None:
    first, second = make_context(), make_context()
    first.get_optional_op("arith.addf")
    assert "arith" not in [dialect.name for dialect in second.loaded_dialects]


def test_a_clone_keeps_the_remarks() -> None:
    ctx = make_context()
    clone = ctx.clone()
    warn(clone, "said", Place("in.mlir", 1, 2))
    assert ctx.remarks == [Remark("said", Place("in.mlir", 1, 2))]
    assert clone.get_optional_op("arith.addf") is not None
