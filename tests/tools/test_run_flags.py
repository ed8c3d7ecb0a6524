"""Flags of `alpha run`: each belongs to some levels, and is refused at every other one."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from alpha.tools.driver.output import InputOutputError
from alpha.tools.driver.output_checks import check_target
from alpha.tools.level_flags import LEVELS_OF
from alpha.tools.mains import alpha
from alpha.tools.number_flags import QUOTED_LETTERS_MAX, quoted, ranged

ROOT = Path(__file__).resolve().parents[2]
ADAM = ROOT / "examples" / "least_squares_adam.mlir"
VALUES = {
    "exchange": "gather",
    "threshold": "1",
    "seed": "1",
    "buffer": "1",
    "fault": "drop:0-1:0",
    "unchecked": None,
    "wait": "5",
    "deadline": "60",
}
LEVELS = ("auto", "learner", "shard", "protocol", "role")


def test_every_flag_has_a_value_here() -> None:
    assert VALUES.keys() == LEVELS_OF.keys()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("flag", VALUES)
def test_a_flag_of_another_level_is_refused(
    capsys: pytest.CaptureFixture[str], flag: str, level: str
) -> None:
    """Before anything is read: the file isn't there, which is all that is said at the right one."""
    value = VALUES[flag]
    given = [f"--{flag}"] if value is None else [f"--{flag}", value]
    status = alpha.main(["run", "absent.mlir", f"--interpret={level}", *given])
    out, err = capsys.readouterr()
    assert out == ""
    if level in LEVELS_OF[flag]:
        assert status == 5 and "cannot read absent.mlir" in err
    else:
        assert status == 1
        wanted = " or ".join(f"--interpret={each}" for each in LEVELS_OF[flag])
        refused = f"[target-unsupported] expected {wanted} with --{flag}, found --interpret={level}"
        assert refused in err


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("append:0-1:0:0", "BYTES from 1 to 16777216"),
        ("append:0-1:0:999999999999", "BYTES from 1 to 16777216"),
        ("truncate:0-1:0:0", "BYTES from 1 to 16777216"),
        ("delay:0-1:0:0", "SECONDS more than 0 and below 1000000000"),
        ("replay:0-1:2:2", "EARLIER below N"),
        ("misroute:0-1:2:0-1", "C-D other than A-B"),
        ("flip:0-1:2:tail:0", "PART one of magic, "),
        ("kill:1:1000000000000000000", "numbers from 0 to 999999999999999999"),
    ],
)
def test_a_fault_that_can_change_nothing_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], fault: str, said: str
) -> None:
    assert alpha.main(["run", str(ADAM), "--interpret=protocol", "--fault", fault]) == 2
    err = capsys.readouterr().err
    assert f"argument --fault: expected {fault.partition(':')[0]}:" in err and said in err


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kill:1:3", "kill:1:03"),
        ("silence:1:3", "silence:1:3"),
        ("partition:0-1:2", "partition:0-1:2"),
        ("drop:0-1:2", "drop:0-1:2"),
        ("delay:0-1:2:0.5", "delay:0-1:2:0.50"),
    ],
)
def test_the_same_fault_twice_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], one: str, other: str
) -> None:
    flags = ["--fault", one, "--fault", "drop:1-0:0", "--fault", other]
    assert alpha.main(["run", str(ADAM), "--interpret=protocol", *flags]) == 2
    err = capsys.readouterr().err
    assert f"argument --fault: expected each fault once; got '{other}' behind '{one}'" in err


def test_numbers_say_their_range() -> None:
    read = ranged(1, 250, "a number of apples")
    for text, value in (("1", 1), ("250", 250), ("0" * 9000 + "7", 7)):
        assert read(text) == value
    for text in ("", "0", "000", "251", "9" * 5000, "-1", "+1", "1.0", " 1", "\u0663", "\u00b2"):
        with pytest.raises(Exception, match="expected a number of apples from 1 to 250, got ") as e:
            read(text)
        assert len(str(e.value)) < 200
    long = "9" * (QUOTED_LETTERS_MAX + 1)
    assert quoted(long[1:]) == repr(long[1:])
    assert quoted(long) == f"'{long[1:]}' and 1 letters more"


def test_what_is_in_the_way_of_an_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is root may write everywhere, so the system's answer is planted."""
    there = tmp_path / "there"
    there.write_text("as it was")
    (tmp_path / "to-nothing").symlink_to(tmp_path / "absent" / "x")
    for name in ("there", "new"):
        check_target(str(tmp_path / name))
        check_target(str(tmp_path / name), grows=True)
    check_target("/dev/null", grows=True)
    assert there.read_text() == "as it was"

    def refused(name: str, why: str, grows: bool = False) -> None:
        path = tmp_path / name
        said = f"cannot write {path}: {why}"
        with pytest.raises(InputOutputError, match=f"^{re.escape(said)}$"):
            check_target(str(path), grows=grows)

    refused(".", "it is a folder")
    refused("absent/x", f"there is no folder {tmp_path / 'absent'}")
    refused("to-nothing", f"there is no folder {tmp_path / 'absent'}")
    refused("there/x", "Not a directory")
    refused("x" * 300, "File name too long")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    refused("there", f"the folder {tmp_path} can't be written to")
    refused("there", "it can't be written to", grows=True)
    refused("new", f"the folder {tmp_path} can't be written to", grows=True)
