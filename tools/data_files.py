"""The files that the words of a module's learners are in.

Entry: `data_files_in`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alpha.ir.attributes.region import FileAttr
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.dialects.region_fields import ConstantOp, SamplesOp, StateOp

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute


def data_files_in(module: ModuleOp, folder: Path) -> list[Path]:
    """The data files of a module, which are relative to a folder; none is opened."""
    found: list[Attribute] = []
    for learner in module.body.block.ops:
        if isinstance(learner, LearnerOp):
            for op in learner.body.block.ops:
                if isinstance(op, StateOp | ConstantOp):
                    found.append(op.initial)
                elif isinstance(op, SamplesOp):
                    found += op.sources.data
    return [folder / each.path.data for each in found if isinstance(each, FileAttr)]
