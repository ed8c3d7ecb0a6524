"""Programs of roles that somebody changed: refused with a code and a place, or as right as before.

Lines of programs are deleted, doubled, swapped and moved at random, and numbers and names in them
changed. Whatever is accepted is run, over edges that hold no frame, and any number of them. It ends
in the same words or in a refusal, also where the change is in what a role computes by itself.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.network.outcomes import Refused
from alpha.interpreters.roles import Programs, RolesInterpreter
from alpha.interpreters.words import Words
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import LearnerWords, resolve
from alpha.ir.learners import find_learner
from alpha.ir.refusals import Refusal
from alpha.passes.distribute import DistributePass
from alpha.passes.lower_shard_to_protocol import LowerShardToProtocolPass
from alpha.passes.partition_gradients import PartitionGradientsPass
from alpha.passes.project_role import ProjectRolePass
from alpha.passes.protocol.schedules import check_programs

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MUTANTS = 200


def programs_text(example: str, partitioned: bool = True) -> str:
    """The programs of all roles of an example, for two rounds."""
    context = make_context()
    module = parse_source(context, (EXAMPLES / f"{example}.mlir").read_bytes(), example)
    assert isinstance(module, ModuleOp)
    if example != "choice_gate":
        DistributePass(owners=3).apply(context, module)
        if partitioned:
            PartitionGradientsPass().apply(context, module)
        LowerShardToProtocolPass(rounds=2).apply(context, module)
    verify_module(module)
    ProjectRolePass().apply(context, module)
    return print_module(module)


def accepted(text: str) -> tuple[Programs, LearnerWords | None]:
    """The programs of a text, verified and checked."""
    module = parse_source(make_context(), text.encode(), "roles.mlir")
    assert isinstance(module, ModuleOp)
    verify_module(module)
    found = Programs.of(module)
    if found is None:
        raise Refusal("protocol-role-unfinished", "programs", "none")
    check_programs(found.roles)
    words = None
    if found.distribution is not None:
        words = resolve(find_learner(module, "roles.mlir"), EXAMPLES)
    return found, words


def ending(programs: Programs, words: LearnerWords | None, buffer: int | None) -> object:
    """The words of every role at the end, or the code of the first refusal."""
    run = RolesInterpreter(programs, words, Words(), buffer=buffer)
    run.run()
    failure = run.network.first_failure
    if failure is not None:
        assert isinstance(failure[1], Refused), failure
        return failure[1].code
    works = [walk.work for walk in run.walks.values() if walk.work is not None]
    return [
        [(name, words.tobytes()) for name, words in sorted(work.owner.words.items())]
        for work in works
    ]


def changed(lines: list[str], start: int, random: Random) -> list[str]:
    """The lines with one or two changes behind the first line of a program."""
    lines = lines[:]
    for _ in range(random.choice((1, 1, 1, 2))):
        at = random.randrange(start, len(lines) - 2)
        kind = random.random()
        if kind < 0.15:
            del lines[at]
        elif kind < 0.3:
            lines.insert(at, lines[at])
        elif kind < 0.45:
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
        elif kind < 0.55:
            lines.insert(random.randrange(start, len(lines) - 2), lines.pop(at))
        else:
            lines[at] = _edited(lines, at, start, random)
    return lines


def _edited(lines: list[str], at: int, start: int, random: Random) -> str:
    """A line with another number or name in it."""
    found = list(re.finditer(r'(?<![\w%@"])\d+(?![\w"])|%\w+', lines[at]))
    if not found:
        return lines[at]
    match = random.choice(found)
    near = "\n".join(lines[max(start, at - 15) : at + 3])
    names = sorted(set(re.findall(r"%\w+", near)))
    if match.group().startswith("%"):
        other = random.choice(names)
    else:
        number = int(match.group())
        other = str(random.choice((0, 1, 2, 3, 5, number + 1, max(0, number - 1))))
    return lines[at][: match.start()] + other + lines[at][match.end() :]


@pytest.mark.parametrize("example", ["least_squares_sgd", "least_squares_adam", "choice_gate"])
def test_what_is_accepted_is_right(example: str) -> None:
    text = programs_text(example)
    wanted = ending(*accepted(text), None)
    assert not isinstance(wanted, str)
    lines = text.split("\n")
    start = next(at for at, line in enumerate(lines) if "protocol.role" in line)
    random = Random(7)
    runs = refused = 0
    for _ in range(MUTANTS):
        mutant = "\n".join(changed(lines, start, random))
        try:
            programs, words = accepted(mutant)
        except Refusal as refusal:
            refused += 1
            assert refusal.code
            continue
        runs += 1
        for buffer in (0, None):
            found = ending(programs, words, buffer)
            assert isinstance(found, str) or found == wanted, mutant
    assert runs > 3 and refused > MUTANTS // 2


CHANGES = {
    # Frames of one size that change places, and other peers.
    "sends swapped": (
        r"(protocol.send to 1 count 6 words 1 : f64)\n(\s*)(protocol.send to 2 .*)",
        r"\3\n\2\1",
        "protocol-step-frames",
    ),
    "additions swapped": (
        r"(protocol.receive from 1 part 1 .*\n\s*protocol.add .1. into 0)\n(\s*)"
        r"(protocol.receive from 2 part 2 .*\n\s*protocol.add .2. into 0)",
        r"\3\n\2\1",
        "shard-combine-order",
    ),
    "other part": (r"send to 0 part 2", "send to 0 part 1", "protocol-dual-mismatch"),
    "other count": (r"send to 0 part 2 count 2", "send to 0 part 2 count 3", "protocol-step"),
    "riding": (r"(send to 1 count 6 words 1)", r"\1 riding 1", "protocol-step-frames"),
    "other type": (r"(send to 1 count 6 words 1) : f64", r"\1 : f32", "protocol-step-frames"),
    "other map": (r"(scatter site 2) by cyclic", r"\1 by block", "protocol-"),
    "fewer members": (r"(gather site 4 .* over) stride\(0, 1, 3\)", r"\1 role 0", "protocol-"),
    "members elsewhere": (r"(gather site 4 .* over) stride\(0, 1, 3\)", r"\1 stride(1, 1, 3)", "s"),
    "other contract": (r"(reduce site 1 .*combine = )left", r"\1tree<2>", "protocol-step-differs"),
    "a sum gathered": (r"(gather site 4) %w1", r"\1 %0", "protocol-payload-type"),
    "nothing published": (r"protocol.publish at role 0", "", "protocol-publish-missing"),
    "one version fewer": (r"repeat 2 site 0", "repeat 1 site 0", "protocol-role-unfinished"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_one_change_is_refused_where_it_is(name: str) -> None:
    pattern, other, code = CHANGES[name]
    text = programs_text("least_squares_sgd")
    mutant, count = re.subn(pattern, other, text, count=1)
    assert count and mutant != text
    with pytest.raises(Refusal) as caught:
        accepted(mutant)
    assert caught.value.code.startswith(code), caught.value
    assert caught.value.place is not None
    accepted(text)
