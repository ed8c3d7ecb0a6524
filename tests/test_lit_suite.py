"""The lit runner itself: a fork of a warm process behaves as a real process does.

Why: if the two differed, the whole lit suite would test something that users never run.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

LIT_TESTS = Path(__file__).resolve().parent.parent / "lit_tests"
SCRIPTS = Path(sysconfig.get_path("scripts"))

TOY = """
import os, signal, sys

def main():
    words = sys.argv[1:]
    if words[0] == "warm":
        print("fork_runner" in sys.modules)
    elif words[0] == "say":
        print("out", *words[1:])
        print("err", file=sys.stderr)
    elif words[0] == "upper":
        sys.stdout.write(sys.stdin.read().upper())
    elif words[0] == "env":
        print(os.environ.get("WORD"), os.path.basename(os.getcwd()))
    elif words[0] == "flood":
        sys.stdout.write("line\\n" * 200_000)
    elif words[0] == "status":
        return int(words[1])
    elif words[0] == "reason":
        sys.exit("a reason")
    elif words[0] == "crash":
        raise ValueError("a bug")
    elif words[0] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
"""

CONFIG = f"""
import os, sys
import lit.formats
sys.path[:0] = [{str(LIT_TESTS)!r}, os.path.dirname(__file__)]
import fork_runner
config.name = "toy"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
path = os.pathsep.join([os.path.dirname(__file__), {str(SCRIPTS)!r}, os.environ["PATH"]])
config.environment["PATH"] = path
config.substitutions.append(("%check", "filecheck --match-full-lines %s --check-prefix"))
if lit_config.params.get("exec"):
    fork_runner.install({{}})
else:
    import toy
    fork_runner.install({{"toy": toy.main}})
"""

PASSING = {
    "pipes": "RUN: toy say a | toy upper | %check=A\nA: OUT A\n",
    "both": "RUN: toy say b 2>&1 | toy upper | %check=B\nB-DAG: OUT B\nB-DAG: ERR\n",
    "files": "RUN: toy say c > %t && toy upper < %t | %check=C\nC: OUT C\n",
    "words": "RUN: toy say 'two words' | %check=D\nD: out two words\n",
    "environment": "RUN: env WORD=set toy env | %check=E\nE: set {{.*}}\n",
    "folder": "RUN: mkdir -p %t/below && cd %t/below && toy env | %check=F\nF: None below\n",
    "flood": "RUN: toy flood | toy upper | tail -n 1 | %check=G\nG: LINE\n",
    "unread": "RUN: toy flood | head -n 1 | %check=H\nH: line\n",
    "failure": "RUN: not toy status 3\n",
    "reason": "RUN: not toy reason 2>&1 | %check=I\nI: a reason\n",
    "crash": "RUN: not toy crash 2>&1 | %check=J\nJ: ValueError: a bug\n",
}
FAILING = {
    "status": "RUN: toy status 3\n",
    "success": "RUN: not toy status 0\n",
    "killed": "RUN: not toy killed\n",
    "crashes": "RUN: toy crash\n",
    "first": "RUN: toy status 1 | toy upper\n",
}


@pytest.mark.parametrize("mode", ["warm", "exec"])
def test_both_ways_give_the_same_verdicts(mode: str, tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "lit.cfg.py").write_text(CONFIG)
    script = f"#!{sys.executable}\nimport sys\nfrom toy import main\nsys.exit(main())\n"
    (tmp_path / "toy").write_text(script)
    (tmp_path / "toy").chmod(0o755)
    warm = {"warm": f"RUN: toy warm | %check=K\nK: {mode == 'warm'}\n"}
    for name, text in {**PASSING, **FAILING, **warm}.items():
        (tmp_path / f"{name}.test").write_text(text)
    report = tmp_path / "report.json"
    options = ["-Dexec=1"] if mode == "exec" else []
    command = [SCRIPTS / "lit", "-q", "-j2", "-o", report, *options, tmp_path]
    subprocess.run(command, capture_output=True, check=False)
    tests = json.loads(report.read_text())["tests"]
    verdicts = {Path(test["name"].split(" :: ")[1]).stem: test["code"] for test in tests}
    expected = dict.fromkeys([*PASSING, *warm], "PASS") | dict.fromkeys(FAILING, "FAIL")
    assert verdicts == expected


def test_the_closing_line_counts_every_test() -> None:
    closing_line = runpy.run_path(str(LIT_TESTS / "run.py"))["closing_line"]
    assert closing_line({"PASS": 3, "XFAIL": 1}) == "lit: 4 passed, 0 failed"
    counts = {"PASS": 2, "FAIL": 1, "UNRESOLVED": 1, "XPASS": 1, "TIMEOUT": 1, "UNSUPPORTED": 2}
    assert closing_line(counts) == "lit: 2 passed, 4 failed, 2 skipped"


def test_a_suite_without_a_test_fails(tmp_path: Path) -> None:
    command = [sys.executable, LIT_TESTS / "run.py", "-Dexec=1", "--filter=no-such-test"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert answer.stdout.endswith("lit: 0 passed, 0 failed\n")
