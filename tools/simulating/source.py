"""The protocol that `alpha simulate` models: a file's own, or that of its learner among many roles.

Invariant: the passes are those of `alpha-opt`, on a copy of what was read. Data files stay closed:
    a model needs how many samples there are, and no word of them.
Refuses: what the front end and the passes refuse, fleet-control-work, select-budget.
Entry: `read_without_data`, `modelled_protocol`.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from alpha.ir.attributes.shard import OwnersAttr
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner, find_learner
from alpha.ir.protocol.checking import check_protocol
from alpha.ir.protocol.fleets import even_split, intervals, without
from alpha.ir.protocol.view import Protocol, find_protocol
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection, as_group
from alpha.ir.sharding.distribution import find_distribution
from alpha.tools.driver.arguments import UsageError
from alpha.tools.driver.source import folder_of, read_source, source_name
from alpha.tools.protocol_file import ProtocolFile
from alpha.tools.protocol_levels import protocol_module

if TYPE_CHECKING:
    from alpha.tools.driver.boundary import Situation

FAN_OUT = 64
"""Of the tree of a learner for which roles are given and no topology."""


def read_without_data(path: str, situation: Situation) -> ProtocolFile:
    """Read a module from a path, or from standard input for `-`, and none of its data.

    Raises:
        Refusal: the text isn't right.
        InputOutputError: the file can't be opened or read.
    """
    data, file = read_source(path), source_name(path)
    situation.inputs[file] = data
    context = make_context()
    module = parse_source(context, data, file)
    verify_module(module)
    folder = folder_of(path)
    learner = None
    if any(isinstance(op, LearnerOp) for op in module.body.block.ops):
        learner = find_learner(module, file)
    return ProtocolFile(file, context, module, learner, LearnerWords({}, {}, {}), folder)


def modelled_protocol(
    source: ProtocolFile, arguments: argparse.Namespace, control: Selection
) -> Protocol:
    """The protocol of a file, checked; a learner's is distributed as the flags say.

    Roles of `control` get no samples, unless something says how many samples each role has.

    Raises:
        Refusal: what the passes and `--check-protocol` refuse; `fleet-control-work` if no role is
            left to work; `select-budget` for too irregular a control.
        UsageError: `--fan-out` with another topology.
    """
    _choose_topology(arguments)
    if source.learner is not None and find_protocol(source.module) is None:
        _spare(source, source.learner, arguments, control)
    protocol = find_protocol(protocol_module(source, arguments))
    assert protocol is not None
    check_protocol(protocol)
    return protocol


def _choose_topology(arguments: argparse.Namespace) -> None:
    if arguments.fan_out is None:
        if arguments.topology is None and arguments.owners is not None:
            arguments.topology = f"tree<{FAN_OUT}>"
        return
    if arguments.topology is not None:
        found = f"--fan-out {arguments.fan_out} with --topology {arguments.topology}"
        raise UsageError(f"{found}: give one of them")
    arguments.topology = f"tree<{arguments.fan_out}>"


def _spare(
    source: ProtocolFile, learner: Learner, arguments: argparse.Namespace, control: Selection
) -> None:
    """Share the samples out among the roles that don't only control."""
    if not control.size or arguments.samples is not None:
        return
    declared = learner.op.owners
    roles = arguments.owners
    if isinstance(declared, OwnersAttr) and roles in (None, declared.count.data):
        if declared.samples is not None:
            return
        roles = declared.count.data
    totals = {learner.contract_of(op).groups.total for op in learner.sums()}
    if roles is None or len(totals) != 1 or find_distribution(source.module) is not None:
        return
    as_group(control, roles)
    working = without([(0, roles)], intervals(control, "roles that only control"))
    if not working:
        wanted = "a role that doesn't only control"
        raise Refusal("fleet-control-work", wanted, f"none of {roles}")
    arguments.samples = even_split(totals.pop(), working, roles)
