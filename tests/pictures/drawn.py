"""Drawings of texts, for the tests of pictures.

Entry: `drawing_of`, `module_of`, `EXAMPLE`, `distributed`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from xdsl.dialects.builtin import ModuleOp

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.passes.distribute import DistributePass
from alpha.passes.lower_shard_to_protocol import LowerShardToProtocolPass
from alpha.passes.partition_gradients import PartitionGradientsPass
from alpha.passes.partition_optimizer import PartitionOptimizerPass
from alpha.passes.partition_parameters import PartitionParametersPass
from alpha.passes.project_role import ProjectRolePass
from alpha.tools.pictures.drawings import Drawing, ToProtocol

ROOT = Path(__file__).resolve().parents[2]
Exchange: TypeAlias = Literal["gather", "sharded", "auto"]
EXAMPLE = ROOT / "examples" / "least_squares_adam.mlir"


def module_of(text: str) -> ModuleOp:
    """A module that verifies."""
    module = parse_text(make_context(), text, "picture.mlir")
    verify_module(module)
    return module


def drawing_of(text: str) -> Drawing:
    """What is drawn of a text."""
    module = module_of(text)
    ToProtocol().apply(make_context(), module)
    verify_module(module)
    return Drawing.of(module)


def distributed(
    owners: int,
    topology: str = "star",
    partitioned: bool = False,
    exchange: Exchange = "gather",
    roles: tuple[int, ...] | None = None,
    project: bool = False,
) -> ModuleOp:
    """The protocol of the example among so many owners, projected or not."""
    context, module = make_context(), module_of(EXAMPLE.read_text())
    DistributePass(owners=owners, topology=topology).apply(context, module)
    if partitioned:
        for each in (PartitionOptimizerPass, PartitionParametersPass, PartitionGradientsPass):
            each().apply(context, module)
    LowerShardToProtocolPass(rounds=3, exchange=exchange).apply(context, module)
    if project:
        ProjectRolePass(role=roles).apply(context, module)
    verify_module(module)
    return module
