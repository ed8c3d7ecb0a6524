"""What the flags of a command make of a learner: its distributions, level by level.

Invariant: the flags run the passes of the same names, on a copy of the module that was read; so
    `alpha verify --partition optimizer` looks at what `alpha-opt --partition-optimizer` prints.
Refuses: what the passes and `verify_shards` refuse.
Entry: `Levels`, `is_distributed`, `lowered`, `run_pass`, `say_remarks`, `without_programs`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learners import Learner
from alpha.ir.protocol.view import Protocol, find_protocol
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.verification import verify_shards

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

    from alpha.ir.frontend.registry import AlphaContext
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.learner_file import LearnerFile
    from alpha.tools.protocol_file import ProtocolFile


def is_distributed(arguments: argparse.Namespace, source: LearnerFile) -> bool:
    """Whether owners are given: by a flag, by the learner, or by a distribution in the file."""
    named = (arguments.owners, arguments.topology, arguments.samples, arguments.partition)
    given = any(each is not None for each in named)
    return given or source.learner.op.owners is not None or _has_distribution(source.module)


def _has_distribution(module: ModuleOp) -> bool:
    return find_distribution(module) is not None


@dataclass(frozen=True)
class Levels:
    """The distributions of one learner, by the name of the level, each in a module of its own."""

    modules: dict[str, ModuleOp]
    skipped: Refusal | None = None
    """Why the partitioned level is missing, where nobody asked for it by name."""
    modes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, source: LearnerFile, arguments: argparse.Namespace, by_default: Sequence[str] = ()
    ) -> Levels:
        """What the flags make of a learner: `replicated`, and `partitioned` with its modes.

        A distribution in the file takes the place of the replicated one, as `as written`.
        `by_default` are the modes where no flag says any; then a learner that can't be partitioned
        stays replicated, unless a map was given.

        Raises:
            Refusal: what the passes and `verify_shards` refuse.
        """
        # Who says a map wants it used, and hears why it can't be.
        if arguments.map is not None and arguments.partition is None and not by_default:
            found = f"--map {arguments.map} alone"
            raise Refusal("target-unsupported", "--partition with --map", found)
        if arguments.map is not None:
            ShardMap.parse(arguments.map)  # also where no mode reads it
        asked = arguments.partition is not None or arguments.map is not None
        modes = by_default if arguments.partition is None else arguments.partition
        written = _has_distribution(source.module)
        flags = {key: getattr(arguments, key) for key in ("owners", "topology", "samples")}
        first = source.module.clone()
        if not written or any(value is not None for value in flags.values()):
            run_pass(source.context, first, "distribute", **flags)
        modules = {"as written" if written else "replicated": first}
        if not modes or (written and not asked):
            return cls(_verified(modules))
        partitioned = first.clone()
        before = len(source.context.remarks)
        try:
            for mode in modes:
                run_pass(source.context, partitioned, f"partition_{mode}", map=arguments.map)
        except Refusal as refusal:
            if asked:
                raise
            return cls(_verified(modules), refusal)
        if not asked:
            # That a mode changes nothing is news only to somebody who asked for it.
            del source.context.remarks[before:]
        return cls(_verified({**modules, "partitioned": partitioned}), modes=tuple(modes))

    @property
    def learner(self) -> Learner:
        """The learner that the levels are compared with, with the contracts that they keep.

        It is the one that was read, unless its owners were changed: then their contract was
        written first.
        """
        return next(iter(self.distributions().values())).learner

    def distributions(self) -> dict[str, Distribution]:
        """The views of the levels."""
        return {name: _distribution(module) for name, module in self.modules.items()}


def lowered(
    source: LearnerFile, module: ModuleOp, rounds: int, every: int | None = None
) -> Protocol:
    """The protocol of a module's distribution, in a copy of the module; one in it is checked.

    With `every` it writes a generation after so many rounds, and at the end; after 0, there alone.

    Raises:
        Refusal: what the passes refuse; target-unsupported for generations of a protocol as it is.
    """
    copy = module.clone()
    if find_protocol(copy) is None:
        options: dict[str, object] = {"rounds": max(rounds, 1)}
        if every is not None:
            options["checkpoint"] = every
        run_pass(source.context, copy, "lower_shard_to_protocol", **options)
    elif every is None:
        run_pass(source.context, copy, "check_protocol")
    else:
        found = "--checkpoint-every with a protocol as it is"
        raise Refusal("target-unsupported", "no flags that make another protocol", found)
    protocol = find_protocol(copy)
    assert protocol is not None
    return protocol


def without_programs(module: ModuleOp) -> ModuleOp:
    """A copy of a module, without protocols and programs of roles: what they were made from."""
    copy = module.clone()
    for op in list(copy.body.block.ops):
        if isinstance(op, GlobalOp | RoleOp):
            op.detach()
            op.erase()
    return copy


def say_remarks(source: LearnerFile | ProtocolFile, situation: Situation) -> str:
    """Say on stderr what the passes remarked, such as that the bits change; gives it back."""
    from alpha.tools.driver.boundary import say
    from alpha.tools.driver.diagnostics import of_remark, render

    said = [each for remark in source.context.remarks for each in of_remark(remark, source.file)]
    if not said:
        return ""
    text = render(said, source.file, situation.inputs.get(source.file, b""))
    say(text)
    return text


def run_pass(context: AlphaContext, module: ModuleOp, name: str, **options: object) -> None:
    """Run the pass of this file name over a module, and the verifier behind it."""
    module_name = f"alpha.passes.{name}"
    words = "".join(part.capitalize() for part in name.split("_"))
    pass_class: type[ModulePass] = getattr(import_module(module_name), f"{words}Pass")
    pass_class(**options).apply(context, module)
    verify_module(module)


def _distribution(module: ModuleOp) -> Distribution:
    distribution = find_distribution(module)
    assert distribution is not None
    return distribution


def _verified(modules: dict[str, ModuleOp]) -> dict[str, ModuleOp]:
    for module in modules.values():
        verify_shards(_distribution(module))
    return modules
