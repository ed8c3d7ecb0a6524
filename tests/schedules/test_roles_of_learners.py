"""Programs of roles and their learner: who its roles are, and that all programs name it.

What is wrong is refused wherever such a file is checked, run or verified, before anything runs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from schedules.test_changed_programs import programs_text

from alpha.tools.mains import alpha, alpha_opt

LEARNER = "least_squares_sgd"
OF = f" of @{LEARNER} group"


@pytest.fixture(scope="module")
def text() -> str:
    return programs_text(LEARNER)


def refusals(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What `--check-schedules`, a run and a comparison say of a file that they refuse."""
    path = tmp_path / "roles.mlir"
    path.write_text(text)
    said: list[str] = []
    for main, arguments in (
        (alpha_opt.main, ["--check-schedules", str(path)]),
        (alpha.main, ["run", "--interpret=role", str(path)]),
        (alpha.main, ["verify", str(path)]),
    ):
        assert main(arguments) == 1
        captured = capsys.readouterr()
        assert "sha256" not in captured.out
        said.append(captured.err.splitlines()[0])
    return said


def empty(text: str, universe: int) -> str:
    """A file with the learner, and roles of a universe of some size that only publish."""
    group = (
        f'#protocol.group<universe = {universe}, epoch = 0, id = "67", stride(0, 1, {universe})>'
    )
    roles = [
        f'protocol.role @p role {role}{OF} {group} protocol "{"0" * 64}" edges [] '
        f"{{\n protocol.publish at role {role}\n}}\n"
        for role in range(universe)
    ]
    return f"{text[: text.index('protocol.role')]}{''.join(roles)}}}\n"


def test_the_roles_of_a_learner_are_its_owners(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = f"[protocol-role-unbound] expected all 3 owners of @{LEARNER} as the roles, found"
    larger = text.replace("group<universe = 3,", "group<universe = 4,")
    for said in refusals(tmp_path, larger, capsys):
        assert f"{wanted} 3 of a universe of 4" in said and "roles.mlir:" in said
    for universe in (1, 2, 4):
        for said in refusals(tmp_path, empty(text, universe), capsys):
            assert f"{wanted} {universe} of a universe of {universe}" in said


def test_as_many_roles_as_owners_are_run(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "roles.mlir"
    path.write_text(empty(text, 3))
    assert alpha_opt.main(["--check-schedules", str(path)]) == 0
    assert alpha.main(["run", "--interpret=role", str(path)]) == 0
    assert "sha256" in capsys.readouterr().out


@pytest.mark.parametrize("roles", [(0,), (1,), (2,), (0, 1), (0, 1, 2)])
def test_who_publishes_names_the_learner(
    roles: tuple[int, ...], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nameless = empty(text, 3)
    for role in roles:
        nameless = nameless.replace(f"role {role}{OF}", f"role {role} group")
    for said in refusals(tmp_path, nameless, capsys):
        assert "[protocol-unrealized] expected a learner whose states are published" in said


@pytest.mark.parametrize("role", [0, 1, 2])
def test_all_programs_name_one_learner(
    role: int, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    silent = empty(text, 3).replace(f" protocol.publish at role {role}\n", "")
    silent = silent.replace(f"role {role}{OF}", f"role {role} group")
    names = ("none", f"@{LEARNER}") if role == 0 else (f"@{LEARNER}", "none")
    wanted = f"[protocol-digest-mismatch] expected the learner of role 0, {names[0]}, found"
    for said in refusals(tmp_path, silent, capsys):
        assert f"{wanted} {names[1]} of role {max(role, 1)}" in said


def test_roles_of_no_learner_arent_compared_with_one(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "roles.mlir"
    others = empty(text, 3).replace(OF, " group")
    path.write_text("\n".join(line for line in others.splitlines() if "publish" not in line))
    assert alpha_opt.main(["--check-schedules", str(path)]) == 0
    capsys.readouterr()
    assert alpha.main(["verify", str(path)]) == 1
    said = capsys.readouterr().err.splitlines()[0]
    assert f"[target-unsupported] expected programs that are 'of @{LEARNER}'" in said
    assert "found those of no learner" in said and "roles.mlir:" in said
