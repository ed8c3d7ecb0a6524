"""The command line: flags and passes in their order, one input file.

Invariant: a flag that the tool doesn't have is taken for the name of a pass; whether there is one
    is asked later. Long flags may have one dash or two, as in mlir-opt.
Why: argparse can't keep the order of pass flags, nor give a bare one an optional value without
    eating the file behind it, and its import costs more than a small run.
Entry: `Flag`, `Command`, `PassRequest`, `UsageError`, `parse_command`, `split_pipeline`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class UsageError(Exception):
    """The command line can't be understood: exit status 2."""


class Flag(NamedTuple):
    """A flag of a tool. Without a `metavar` it takes no value."""

    name: str
    help: str
    metavar: str = ""

    @property
    def spelling(self) -> str:
        """How the documentation writes it."""
        return f"-{self.name}" if len(self.name) == 1 else f"--{self.name}"


class PassRequest(NamedTuple):
    """A pass as a command names it; the text of its options isn't read yet."""

    name: str
    options: str

    @property
    def spelling(self) -> str:
        """How the documentation writes it."""
        return f"--{self.name}"


class Command(NamedTuple):
    """A command line: values of flags by name, passes in order, and the input file."""

    flags: dict[str, str]
    passes: list[PassRequest]
    file: str

    def has(self, *names: str) -> bool:
        """Whether one of these flags was given."""
        return any(name in self.flags for name in names)


FLAG_OF_PIPELINE = "p"


def parse_command(arguments: Sequence[str], flags: Sequence[Flag]) -> Command:
    """Read a command line. A pipeline's passes take their place among the pass flags.

    Raises UsageError.
    """
    known = {flag.name: flag for flag in flags}
    command = Command({}, [], "-")
    files: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            files.extend(rest)
        elif argument == "-" or not argument.startswith("-"):
            files.append(argument)
        else:
            spelled, equals, value = argument.partition("=")
            name = spelled.removeprefix("-").removeprefix("-")
            flag = known.get(name)
            if flag is not None:
                _give(command, flag, value if equals else None, rest)
            elif FLAG_OF_PIPELINE in known and _may_be_pass(name):
                command.passes.append(PassRequest(name, value.strip()))
            else:
                raise UsageError(f"unknown flag {spelled}{hint(name, known)}")
    if len(files) > 1:
        raise UsageError(f"expected one input file, got {len(files)}: {' '.join(files)}")
    return command._replace(file=files[0]) if files else command


def _may_be_pass(name: str) -> bool:
    return len(name) > 1 and name[0].isalpha() and name.replace("-", "").isalnum()


def _give(command: Command, flag: Flag, value: str | None, rest: Iterator[str]) -> None:
    """Store the value of a flag, from behind its `=` or from the next argument."""
    if not flag.metavar:
        if value is not None:
            raise UsageError(f"{flag.spelling} takes no value, got {value!r}")
        command.flags[flag.name] = ""
        return
    if value is None:
        value = next(rest, None)
    if value is None:
        raise UsageError(f"{flag.spelling} needs a value: {flag.spelling} {flag.metavar}")
    if flag.name == FLAG_OF_PIPELINE:
        command.passes.extend(split_pipeline(value))
    elif flag.name in command.flags:
        raise UsageError(f"{flag.spelling} is given twice")
    else:
        command.flags[flag.name] = value


def hint(name: str, known: Sequence[str] | dict[str, Flag], dashes: str = "--") -> str:
    """The end of a message about an unknown name: the nearest known one, if there is one."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    return f"; did you mean {dashes}{near[0]}?" if near else ""


def split_pipeline(text: str) -> list[PassRequest]:
    """Split `a,b{x=1 y=2}` or `builtin.module(a,b{x=1})` into passes; none is looked up.

    Raises UsageError where braces don't balance or a name is missing.
    """
    body = text.strip()
    if body.startswith("builtin.module(") and body.endswith(")"):
        body = body.removeprefix("builtin.module(").removesuffix(")")
    if not body.strip():
        return []
    passes: list[PassRequest] = []
    start = depth = 0
    for position, letter in enumerate(f"{body},"):
        depth += (letter == "{") - (letter == "}")
        if depth < 0:
            raise UsageError(f"-p: '}}' closes nothing in the pipeline {text!r}")
        if letter == "," and depth == 0:
            passes.append(_pipeline_element(body[start:position].strip(), text))
            start = position + 1
    if depth:
        raise UsageError(f"-p: '{{' isn't closed in the pipeline {text!r}")
    return passes


def _pipeline_element(element: str, text: str) -> PassRequest:
    name, brace, options = element.partition("{")
    name = name.strip()
    if brace and not options.endswith("}"):
        raise UsageError(f"-p: expected ',' behind '}}' in the pipeline {text!r}")
    if not _may_be_pass(name):
        raise UsageError(f"-p: expected the name of a pass, got {name!r} in the pipeline {text!r}")
    return PassRequest(name, options.removesuffix("}").strip())
