"""What native roles store is the state at its version, whatever is made in place around it.

The learners are those that would go wrong in place. A program that stores has its round several
times: up to a multiple of what it stores at, between two, and behind the last.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from levels.natively import CACHE
from levels.test_native_homes import BODIES, LEARNER, MODES, PLACES
from native_runs.folders import command
from oracle_comparison.running import learner_file
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.role import find_roles
from alpha.interpreters.words import Words
from alpha.ir.checkpoints.reading import Generation
from alpha.ir.sharding.distribution import find_distribution
from alpha.passes.linux.homes import Homes
from alpha.tools.building.cache import VARIABLE
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

BEGIN, EVERY, ROUNDS = 1, 2, 6
DIGEST = "5e" * 32


def states_at(file: LearnerFile, versions: range) -> dict[int, dict[str, bytes]]:
    """The words of every state at these versions, as the learner says them."""
    running = LearnerInterpreter(file.learner, file.words, Words())
    found: dict[int, dict[str, bytes]] = {}
    for version in versions:
        found[version] = {name: words.tobytes() for name, words in running.state.items()}
        running.step()
    return found


ALONE = ("words of other coordinates", "none")
"""It is refused to partition this one."""

PARTITIONED = [body for body in BODIES if body != ALONE[0]]
WHOLE = [ALONE, *product(PARTITIONED, MODES)]
CASES = [ALONE, *((body, [*MODES][at % len(MODES)]) for at, body in enumerate(PARTITIONED))]
"""The modes take turns; `make verify-participants` runs every body with all of them."""


@pytest.mark.parametrize(("body", "modes"), CASES)
def test_what_is_stored_is_of_its_version(
    body: str, modes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = learner_file(LEARNER.replace("BODY", BODIES[body]), tmp_path)
    path, stored = tmp_path / "learner.mlir", tmp_path / "generations"
    partition = ("--partition", ",".join(MODES[modes]) or "none")
    partition += ("--map", "block") if MODES[modes] else ()
    targets = ("--targets", "x86-64,aarch64")
    given = (path, *partition, *targets, "--checkpoint", stored)
    given = (*given, "--checkpoint-every", str(EVERY), "--rounds")
    # What has been compiled once is kept for all of these.
    monkeypatch.setenv(VARIABLE, str(CACHE))
    assert command("run", *given, str(BEGIN)).status == 0
    done = command("run", *given, str(ROUNDS), "--resume", stored)
    assert done.status == 0, done.said
    wanted = states_at(file, range(ROUNDS + 1))
    versions = sorted(int(each.name.removeprefix("gen-")) for each in stored.iterdir())
    assert versions == [1, 2, 4, 6]
    for version in versions:
        generation = Generation.open(stored / f"gen-{version}")
        generation.verify()
        found = {name: generation.read_words(name).tobytes() for name in wanted[version]}
        assert found == wanted[version], version


def storing_roles(body: str, folder: Path) -> ModuleOp:
    """The programs of roles that go on from a generation, and store."""
    file = learner_file(LEARNER.replace("BODY", BODIES[body]), folder)
    module = file.module
    run_pass(file.context, module, "distribute")
    given = {"rounds": ROUNDS + 1, "checkpoint": EVERY, "begin": BEGIN, "generation": DIGEST}
    run_pass(file.context, module, "lower_shard_to_protocol", **given)
    run_pass(file.context, module, "project_role")
    return module


@pytest.mark.parametrize("body", BODIES)
def test_as_much_is_made_in_place(body: str, tmp_path: Path) -> None:
    """Whatever can be made in place in one round can be in each of the three that stand there."""
    module = storing_roles(body, tmp_path)
    for program in find_roles(module).values():
        homes = Homes(program, find_distribution(module)).made_at_home
        assert {*homes.values()} == PLACES[body]
        assert len(homes) == 3 * len(PLACES[body])
