"""`alpha checkpoint`: shares a generation out anew, exports it, compares two, or removes some.

Refuses: checkpoint-missing, checkpoint-exists, checkpoint-path, target-unsupported; what maps,
    topologies and reading a generation refuse.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.tools.checkpoints.flags import folder_path
from alpha.tools.distribution_flags import add_partition_flags
from alpha.tools.driver.counts import counted
from alpha.tools.driver.help import statuses_text
from alpha.tools.driver.output import write_line
from alpha.tools.exits import CHECKPOINT_STATUSES, DONE, REFUSED
from alpha.tools.number_flags import NUMBER_MAX, SIZE_MAX, ranged
from alpha.tools.progress import amounts

if TYPE_CHECKING:
    from alpha.ir.checkpoints.reading import Generation
    from alpha.tools.driver.boundary import Situation

SUMMARY = "share a generation out anew, export it, compare two, or remove some"
STATUSES = CHECKPOINT_STATUSES

SOURCE = "a generation, or a folder of them, of which the newest whole one is taken"

Act = Callable[[argparse.Namespace], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their flags."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, act: Act, summary: str) -> argparse.ArgumentParser:
        part = actions.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=statuses_text(STATUSES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        part.set_defaults(act=act, parser=part)
        return part

    _add_reshard(action("reshard", _reshard, "write the words of a generation for other owners"))
    part = action("export", _export, "write the whole state of a generation as one file")
    part.add_argument("source", type=folder_path, metavar="SRC", help=SOURCE)
    part.add_argument("file", metavar="FILE", help="the .safetensors file, as --save writes it")
    part = action("diff", _diff, "compare the words of two generations by their bits")
    part.add_argument("first", type=folder_path, metavar="A", help=SOURCE)
    part.add_argument("second", type=folder_path, metavar="B", help="another one")
    _add_prune(
        action("prune", _prune, "remove old or later generations, once one has been read back")
    )


def _add_prune(part: argparse.ArgumentParser) -> None:
    part.add_argument("folder", type=folder_path, metavar="PATH", help="a folder of generations")
    which = part.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--keep",
        type=ranged(1, NUMBER_MAX, "a number of generations"),
        metavar="N",
        help="how many stay, the newest ones",
    )
    which.add_argument(
        "--after",
        type=ranged(0, NUMBER_MAX, "a version"),
        metavar="V",
        help="remove what is later than version V, to go on from there",
    )


def _add_reshard(part: argparse.ArgumentParser) -> None:
    part.add_argument("source", type=folder_path, metavar="SRC", help=SOURCE)
    part.add_argument(
        "folder",
        type=folder_path,
        metavar="DST",
        help="the folder in which gen-VERSION is written; it is made if it isn't there",
    )
    part.add_argument(
        "--owners",
        type=ranged(0, SIZE_MAX),
        required=True,
        metavar="N",
        help="among how many owners",
    )
    part.add_argument(
        "--topology",
        default="star",
        metavar="T",
        help="along which manifests name one another: pair, star or tree<F> (default: %(default)s)",
    )
    add_partition_flags(part)


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the action; REFUSED if generations differ."""
    situation.stage = f"alpha checkpoint {arguments.action}"
    act: Act = arguments.act
    return act(arguments)


def summary_of(generation: Generation) -> str:
    """What a generation is, in a line."""
    facts = generation.facts
    owners = f"{counted(facts.owners, 'owner')}, {facts.topology}"
    return f"{generation.path}: version {generation.version} of {facts.name}; {owners}"


def _reshard(arguments: argparse.Namespace) -> int:
    from alpha.ir.refusals import Refusal
    from alpha.ir.sharding.maps import Cyclic, ShardMap
    from alpha.ir.topologies import Topology
    from alpha.tools.checkpoints.resharding import Sharing, idle_modes, reshard
    from alpha.tools.checkpoints.sources import whole_at
    from alpha.tools.driver.boundary import say

    if arguments.map is not None and arguments.partition is None:
        found = f"--map {arguments.map} alone"
        raise Refusal("target-unsupported", "--partition with --map", found)
    map = Cyclic() if arguments.map is None else ShardMap.parse(arguments.map)
    modes = arguments.partition or ()
    sharing = Sharing(arguments.owners, Topology.parse(arguments.topology), modes, map)
    generation = whole_at(Path(arguments.source))
    for states in idle_modes(generation, modes):
        say(f"alpha: warning: {generation.path} has no {states}: none is shared out\n")
    folder = Path(arguments.folder)
    with amounts("writing") as told:
        made = reshard(generation, folder, sharing, told)
    write_line(summary_of(made))
    write_line(f"generation sha256:{made.digest}")
    return DONE


def _export(arguments: argparse.Namespace) -> int:
    from alpha.tools.checkpoints.exporting import export
    from alpha.tools.checkpoints.sources import whole_at
    from alpha.tools.driver.output_checks import check_target

    check_target(arguments.file, read=arguments.source)
    generation = whole_at(Path(arguments.source))
    with amounts("writing") as told:
        export(generation, arguments.file, told)
    facts = generation.facts
    sizes = f"{counted(len(facts.states), 'field')}, {counted(facts.words, 'word')}"
    write_line(f"{arguments.file}: version {generation.version} of {facts.name}; {sizes}")
    return DONE


def _diff(arguments: argparse.Namespace) -> int:
    from alpha.tools.checkpoints.comparing import compare, print_comparison
    from alpha.tools.checkpoints.sources import whole_at

    left, right = (whole_at(Path(each)) for each in (arguments.first, arguments.second))
    with amounts("comparing") as told:
        found = compare(left, right, told)
    for generation in (left, right):
        write_line(summary_of(generation))
    return DONE if print_comparison(left, right, found) else REFUSED


def _prune(arguments: argparse.Namespace) -> int:
    from alpha.tools.checkpoints.folder import (
        clean,
        generations_of,
        go_back,
        owning,
        prune,
    )

    folder = Path(arguments.folder)
    generations_of(folder)
    with owning(folder, make=False):
        clean(folder)
        with amounts("reading") as told:
            if arguments.after is None:
                removed = prune(folder, arguments.keep, told)
            else:
                removed = go_back(folder, arguments.after, told)
        left = generations_of(folder)
    for name in removed:
        write_line(f"{folder / name}: removed")
    kept = counted(len(left), "generation")
    write_line(f"{counted(len(removed), 'generation')} removed, {kept} left")
    return DONE
