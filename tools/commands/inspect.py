"""`alpha inspect`: what a learner, a build or a generation is, or a picture of how one is trained.

Tables of state, data, programs, sizes and digests, or the protocol's graph and chart of a round;
of a folder of executables, its roles and what they hold; of generations, who has stored what.
"""

from __future__ import annotations

import argparse
import os.path
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from alpha.ir.learners import Learner
from alpha.ir.refusals import Refusal
from alpha.ir.separability import explain
from alpha.ir.shapes import type_text, word_bytes, words_of
from alpha.tools.building.target_flags import words
from alpha.tools.checkpoints.flags import add_every_flag
from alpha.tools.checkpoints.inspecting import is_checkpoint
from alpha.tools.distribution_flags import (
    FLAGS,
    add_distribution_flags,
    refuse_distribution_flags,
)
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.exits import DONE, INSPECT_STATUSES, REFUSED
from alpha.tools.number_flags import NUMBER_MAX, ranged
from alpha.tools.pictures.writing import (
    PICTURES,
    add_picture_flags,
    asks_picture,
    write_pictures,
)
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.learner_file import LearnerFile

SUMMARY = "print what a learner, a build or a generation is made of, or draw a learner's protocol"
STATUSES = INSPECT_STATUSES

DIGEST_WORDS_MAX = 1 << 28
TERMS_NODES_MAX = 4_000_000


nodes = ranged(1, NUMBER_MAX, "a number of terms")
"""Reads a number of terms, for argparse."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a learner, for pictures a protocol; a folder that alpha build has made; a generation "
        "or a folder of them; - for standard input",
    )
    parser.add_argument(
        "--against",
        metavar="OTHER",
        help="compare with another learner: which parts differ, and whether one round means the "
        "same for every input",
    )
    parser.add_argument(
        "--terms-nodes-max",
        type=nodes,
        default=TERMS_NODES_MAX,
        metavar="N",
        help="give up a comparison above this number of terms (default: %(default)s)",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="of a generation, or each of a folder: compare every byte with its digests",
    )
    add_distribution_flags(parser)
    parser.add_argument(
        "--targets",
        type=words,
        metavar="T,...",
        help="the machines of the roles, in their order, repeated: print what those for sm86 copy "
        "between host and device, and the memory that they need there",
    )
    add_every_flag(parser)
    add_picture_flags(parser)


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command."""
    if arguments.file != "-" and os.path.exists(os.path.join(arguments.file, "run.json")):
        return _inspect_folder(arguments)
    if arguments.file != "-" and is_checkpoint(arguments.file):
        return _inspect_checkpoint(arguments)
    if arguments.file != "-" and os.path.isdir(arguments.file):
        wanted = f"a build, a generation or a folder of generations at {arguments.file}"
        raise Refusal("checkpoint-missing", wanted, "a folder with neither")
    _refuse_verify(arguments, "a file")
    if arguments.targets is not None:
        from alpha.tools.device_tables import check_targets

        check_targets(arguments.targets)
    if asks_picture(arguments):
        return write_pictures(arguments, situation)
    from alpha.ir.digests import learner_digest, learner_parts, state_digest
    from alpha.tools.distributing import is_distributed
    from alpha.tools.learner_file import LearnerFile
    from alpha.tools.owner_tables import print_owner_tables

    source = LearnerFile.read(arguments.file, situation)
    if arguments.against is not None:
        refuse_distribution_flags(arguments, "--against")
        _refuse_flags_of_owners(arguments, "--against")
        other = LearnerFile.read(arguments.against, situation)
        return _compare(source, other, arguments.terms_nodes_max)
    distributed = is_distributed(arguments, source)
    if not distributed:
        refuse_distribution_flags(arguments, "a learner")
        _refuse_flags_of_owners(arguments, "a learner")
    learner = source.learner
    parts = learner_parts(learner, source.words)
    write_line(f"learner {learner.name}")
    write_line(f"  digest sha256:{learner_digest(parts)}")
    print_table("state", ("field", "type", "words", "bytes", "kind"), _states(learner))
    print_table("constants", ("name", "type", "words", "bytes"), _constants(learner))
    print_table("samples", ("name", "samples", "components", "bytes"), _samples(learner))
    print_table("programs", ("name", "kind", "signature", "operations"), _programs(learner))
    print_table("sums", ("contribution", "samples", "contract", "digest"), _contracts(learner))
    _print_separability(learner)
    if distributed:
        print_owner_tables(source, arguments)
    _say_programs(source)
    print_table("digests", ("part", "sha256"), parts.items())
    types = {name: op.type for name, op in learner.states.items()}
    if sum(words_of(type) for type in types.values()) <= DIGEST_WORDS_MAX:
        write_line(f"\nstate sha256:{state_digest(types, source.words.states)}")
    else:
        size = counted(DIGEST_WORDS_MAX, "word")
        write_line(f"\nstate of more than {size}: not hashed here")
    return DONE


def _inspect_folder(arguments: argparse.Namespace) -> int:
    """Print what a folder of executables is."""
    from alpha.tools.building.inspecting import print_build

    _refuse_flags_of_files(arguments, "a folder of executables")
    _refuse_verify(arguments, "a folder of executables")
    print_build(arguments.file)
    return DONE


def _inspect_checkpoint(arguments: argparse.Namespace) -> int:
    """Print what a generation is, or which a folder has; REFUSED if one is seen to be broken."""
    from alpha.tools.checkpoints.inspecting import print_checkpoint

    _refuse_flags_of_files(arguments, "which has generations")
    sound = print_checkpoint(arguments.file, arguments.verify)
    return DONE if sound or not arguments.verify else REFUSED


def _refuse_flags_of_files(arguments: argparse.Namespace, what: str) -> None:
    for flag in (*FLAGS, "checkpoint_every", "targets", *PICTURES, "against"):
        if getattr(arguments, flag) is not None:
            wanted = f"a file with --{flag.replace('_', '-')}"
            raise Refusal("target-unsupported", wanted, f"{arguments.file}, {what}")


def _refuse_verify(arguments: argparse.Namespace, what: str) -> None:
    if arguments.verify:
        wanted = "a generation or a folder of them with --verify"
        raise Refusal("target-unsupported", wanted, f"{arguments.file}, {what}")


def _refuse_flags_of_owners(arguments: argparse.Namespace, level: str) -> None:
    for flag in ("checkpoint_every", "targets"):
        if getattr(arguments, flag) is not None:
            name = f"--{flag.replace('_', '-')}"
            wanted = f"no {name} with {level}, which has no owners"
            raise Refusal("target-unsupported", wanted, name)


def _compare(left: LearnerFile, right: LearnerFile, nodes_max: int) -> int:
    """Print which parts differ and whether a round means the same; REFUSED if it may not."""
    from alpha.interpreters.comparison import compare_learners
    from alpha.interpreters.terms.store import TermsTooLarge
    from alpha.ir.digests import learner_parts

    parts = [learner_parts(source.learner, source.words) for source in (left, right)]
    names = [*parts[0], *(name for name in parts[1] if name not in parts[0])]
    rows = [
        (name, "equal" if parts[0].get(name) == parts[1].get(name) else "differs") for name in names
    ]
    print_table("parts", ("part", "digest"), rows)
    sides = [(source.learner, source.words) for source in (left, right)]
    try:
        fields = compare_learners(sides[0], sides[1], (left.file, right.file), nodes_max)
    except TermsTooLarge as error:
        size = counted(error.nodes_max, "term")
        write_line(f"\none round: not compared, more than {size}")
        return REFUSED
    rows = [(f.name, f.words, "differs" if f.difference else "equal") for f in fields]
    print_table("one round, for every input", ("field", "words", "terms"), rows)
    differing = [field for field in fields if field.difference is not None]
    if differing:
        write_line(f"\n{differing[0].difference}")
    return REFUSED if differing else DONE


def _say_programs(source: LearnerFile) -> None:
    """Say that the file holds programs of roles, which the tables aren't about."""
    from alpha.ir.dialects.protocol_role import RoleOp

    found = [op for op in source.module.body.block.ops if isinstance(op, RoleOp)]
    for title in dict.fromkeys(op.title.data for op in found):
        roles = counted(sum(op.title.data == title for op in found), "role")
        write_line(f"\nthe file holds the programs of {roles} of @{title}")


def _size(type: Attribute) -> int:
    return words_of(type) * word_bytes(type)


def _states(learner: Learner) -> list[Sequence[object]]:
    parameters = learner.parameters()
    rows: list[Sequence[object]] = []
    for name, op in learner.states.items():
        kind = "parameter" if name in parameters else "optimizer state"
        kind = f"{kind}, shared" if op.shared is not None else kind
        rows.append((name, type_text(op.type), words_of(op.type), _size(op.type), kind))
    total = sum(words_of(op.type) for op in learner.states.values())
    size = sum(_size(op.type) for op in learner.states.values())
    return [*rows, ("all", "", total, size, "")]


def _constants(learner: Learner) -> list[Sequence[object]]:
    return [
        (name, type_text(op.type), words_of(op.type), _size(op.type))
        for name, op in learner.constants.items()
    ]


def _samples(learner: Learner) -> list[Sequence[object]]:
    return [
        (
            name,
            op.count.value.data,
            ", ".join(type_text(type) for type in op.types.data),
            sum(_size(type) for type in op.whole_types()),
        )
        for name, op in learner.samples.items()
    ]


def _programs(learner: Learner) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = []
    for kind, programs in (
        ("contribution", learner.contributions),
        ("update", learner.updates),
    ):
        for name, op in programs.items():
            inputs = ", ".join(type_text(type) for type in op.function_type.inputs.data)
            outputs = ", ".join(type_text(type) for type in op.function_type.outputs.data)
            operations = sum(1 for _ in op.walk()) - 1
            rows.append((name, kind, f"({inputs}) -> ({outputs})", operations))
    return rows


def _contracts(learner: Learner) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = []
    for op in learner.sums():
        contract = learner.contract_of(op)
        name, samples = op.callee.string_value(), op.samples.string_value()
        text = str(contract)
        text = text if len(text) <= 60 else counted(len(contract.groups), "group")
        rows.append((name, samples, text, contract.digest()))
    return rows


def _print_separability(learner: Learner) -> None:
    violations = explain(learner)
    write_line("\nseparable" if not violations else "\nnot separable")
    for violation in violations:
        write_line(
            f"  [{violation.code}] expected {violation.expected()}, found {violation.found()}"
        )
