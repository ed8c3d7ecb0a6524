"""No command writes a file into a generation, or under the name of one: it is said before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from checkpoint_tools.calling import DIABETES, Alpha, Said
from checkpoints.makings import State, facts_of, state_of, write

from alpha.tools.mains import alpha_opt, alpha_translate

STATES: tuple[State, ...] = (("w", "f64", (10,), "cyclic"),)
PICTURED = DIABETES.with_name("choice_gate.mlir")

Call = Callable[[Alpha, Path], Said]


def _by_main(main: Callable[[list[str]], int], *arguments: object) -> Call:
    def call(alpha: Alpha, path: Path) -> Said:
        alpha.flush()
        status = main([*map(str, arguments), "-o", str(path)])
        return alpha.said(status)

    return call


def built_for(path: Path) -> Path:
    """The build beside the generations into which this path leads."""
    return next(each / "built" for each in path.parents if (each / "built").exists())


COMMANDS: dict[str, Call] = {
    "save": lambda alpha, path: alpha("run", DIABETES, "--interpret=learner", "--save", path),
    "metrics": lambda alpha, path: alpha("run", DIABETES, "--interpret=shard", "--metrics", path),
    "roles": lambda alpha, path: alpha("run", DIABETES, "--interpret=role", "--save", path),
    "native": lambda alpha, path: alpha("run", DIABETES, "--save", path),
    "build": lambda alpha, path: alpha("build", DIABETES, "-o", path),
    "launch": lambda alpha, path: alpha(
        *("launch", built_for(path), "--engine=slurm", "--no-submit", "-o", path)
    ),
    "collect": lambda alpha, path: alpha("launch", path.parent, "--collect", "--save", path),
    "export": lambda alpha, path: alpha("checkpoint", "export", path.parent, path),
    "dot": lambda alpha, path: alpha("inspect", PICTURED, "--dot", path),
    "svg": lambda alpha, path: alpha("inspect", PICTURED, "--svg", path),
    "opt": _by_main(alpha_opt.main, PICTURED),
    "translate": _by_main(alpha_translate.main, "--emit-x86", PICTURED),
}


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder, and every folder with None."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_written_into_a_generation(alpha: Alpha, tmp_path: Path, command: str) -> None:
    facts = facts_of(STATES, 2)
    write(tmp_path, facts, state_of(facts))
    (tmp_path / "built").mkdir()
    if command == "launch":
        alpha.done("build", PICTURED, "-o", tmp_path / "built")
    before = contents(tmp_path)
    for name, why in (
        ("gen-7/shard-0.safetensors", "it is in a generation, which is never changed"),
        ("gen-7/manifest.json", "it is in a generation, which is never changed"),
        ("gen-7/new", "it is in a generation, which is never changed"),
        ("gen-9", "that is the name of a generation"),
    ):
        said = COMMANDS[command](alpha, tmp_path / name)
        assert said.status in (1, 5) and said.out == "", said
        assert said.err.endswith(f"error: cannot write {tmp_path / name}: {why}\n")
        assert contents(tmp_path) == before


@pytest.mark.parametrize("flag", ["--save", "--metrics"])
@pytest.mark.parametrize("level", ["--interpret=shard", "--interpret=protocol", "--wait=1"])
def test_a_file_in_the_place_of_the_folder_of_generations(
    alpha: Alpha, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: str, level: str
) -> None:
    """It is said before anything is run, whether the folder is there or will be."""
    monkeypatch.chdir(tmp_path)
    for folder, why in (
        ("kept", "it is the folder of --checkpoint"),
        ("./x/../kept", "it is the folder of --checkpoint"),
        ("kept/below", "the folder of --checkpoint is in it"),
    ):
        said = alpha("run", DIABETES, level, flag, "kept", "--checkpoint", folder)
        assert said == (5, "", f"alpha: error: cannot write kept: {why}\n")
    assert not (tmp_path / "kept").exists()


def test_what_a_run_goes_on_from_is_not_written_into(alpha: Alpha, tmp_path: Path) -> None:
    """Whatever its name is."""
    run = ("run", DIABETES, "--interpret=learner")
    alpha.done(*run, "--rounds=1", "--checkpoint", tmp_path)
    best = (tmp_path / "gen-1").rename(tmp_path / "best")
    before = contents(tmp_path)
    for flag in ("--save", "--metrics"):
        said = alpha(*run, "--rounds=2", "--resume", best, flag, best / "shard-0.safetensors")
        assert said.err.endswith(": it is in a generation, which is never changed\n")
        assert contents(tmp_path) == before
