"""What `alpha inspect --dot` and `--svg` do: draw a file's protocol, or the one of its learner.

Invariant: nothing is written unless all pictures that were asked for could be drawn, and no input
    is written over.
Refuses: what the front end, the passes and the pictures refuse; target-unsupported for flags that
    would change a protocol as it is.
Entry: `add_picture_flags`, `asks_picture`, `write_pictures`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from alpha.ir.frontend.recursion import recursion_room
from alpha.ir.refusals import Refusal
from alpha.tools.distribution_flags import FLAGS
from alpha.tools.driver.arguments import UsageError
from alpha.tools.driver.output import write_line, write_output
from alpha.tools.driver.output_checks import STDIN, check_target, keep_inputs
from alpha.tools.exits import DONE

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from alpha.tools.driver.boundary import Situation
    from alpha.tools.pictures.drawings import Drawing
    from alpha.tools.protocol_file import ProtocolFile

PICTURES: Mapping[str, str] = MappingProxyType(
    {
        "dot": "write the topology and the schedule of the protocol for Graphviz, - for stdout",
        "svg": "write one round as a message-sequence chart, - for stdout; of more than 8 roles, "
        "the first 8 and one lifeline for the others",
    }
)
STDOUT = "-"


def add_picture_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    for picture, what in PICTURES.items():
        parser.add_argument(f"--{picture}", metavar="PICTURE", help=f"instead of tables, {what}")


def asks_picture(arguments: argparse.Namespace) -> bool:
    """Whether a picture is asked for."""
    return any(getattr(arguments, picture) is not None for picture in PICTURES)


def write_pictures(arguments: argparse.Namespace, situation: Situation) -> int:
    """Write the pictures that are asked for, and say of each what is in it.

    Raises:
        Refusal: what can't be drawn.
        UsageError: flags that don't go together.
        InputOutputError, OutputClosed: a file can't be read or written.
    """
    from alpha.tools.distributing import say_remarks
    from alpha.tools.pictures import drawings
    from alpha.tools.pictures.wording import title_of
    from alpha.tools.protocol_file import ProtocolFile

    asked = {name: getattr(arguments, name) for name in PICTURES}
    files = {name: file for name, file in asked.items() if file is not None}
    for flag in ("against", "targets"):
        if getattr(arguments, flag) is not None:
            raise UsageError(
                f"--{next(iter(files))} draws one protocol, so --{flag} can't be given"
            )
    if list(files.values()).count(STDOUT) > 1:
        raise UsageError("--dot and --svg can't both be written to stdout")
    written = [file for file in files.values() if file != STDOUT]
    for file in written:
        check_target(file)
    source = ProtocolFile.read(arguments.file, situation)
    learner = STDIN if arguments.file == "-" else arguments.file
    keep_inputs(written, (learner, *source.data_files()))
    with recursion_room():
        drawing = drawings.Drawing.of(_module(source, arguments))
        texts = {name: _draw(name, drawing) for name in files}
    say_remarks(source, situation)
    for name, file in files.items():
        write_output(texts[name], file)
        if file != STDOUT and STDOUT not in files.values():
            write_line(f"{file}: {_what(name)} of {title_of(drawing)}")
    return DONE


def _module(source: ProtocolFile, arguments: argparse.Namespace) -> ModuleOp:
    """A module with the protocol that is drawn, global or projected."""
    from alpha.interpreters.role import find_roles
    from alpha.tools.protocol_levels import protocol_module

    if not find_roles(source.module):
        given = {**vars(arguments), "rounds": None, "exchange": None, "threshold": None}
        return protocol_module(source, argparse.Namespace(**given))
    for flag in (*FLAGS, "checkpoint_every"):
        if getattr(arguments, flag) is not None:
            found = f"--{flag.replace('_', '-')} with the programs of roles"
            raise Refusal("target-unsupported", "no flags that make another protocol", found)
    return source.module


def _draw(name: str, drawing: Drawing) -> str:
    if name == "dot":
        from alpha.tools.pictures.dot import dot_text

        return dot_text(drawing)
    from alpha.tools.pictures.svg import svg_text

    return svg_text(drawing)


def _what(name: str) -> str:
    return "topology and schedule" if name == "dot" else "one round"
