"""How tools end: output that is lost, readers that go away, interrupts, and what is left behind."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sysconfig
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEARNER = str(ROOT / "examples" / "least_squares_adam.mlir")
GATE = str(ROOT / "examples" / "choice_gate.mlir")
DOUBLING = str(ROOT / "lit_tests" / "refusals" / "Inputs" / "doubling.mlir")
# Python keeps what it writes to a pipe or a file until its buffer is full or the tool ends.
BUFFERED = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
ENVIRONMENT = {
    **BUFFERED,
    "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
    "PYTHONDONTWRITEBYTECODE": "1",
}


def shell(command: str, folder: Path | None = None) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a line of bash."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def without_reader(command: str) -> tuple[int, str]:
    """Exit status and stderr of a command that writes to a pipe which nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command.split(), env=ENVIRONMENT, stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    return done.returncode, done.stderr.decode()


STDOUT = [
    (f"alpha run {LEARNER} --interpret", "alpha", 5),
    (f"alpha inspect {LEARNER}", "alpha", 1),
    (f"alpha inspect {LEARNER} --against {LEARNER}", "alpha", 1),
    ("alpha --help", "alpha", 1),
    ("alpha run --help", "alpha", 1),
    ("alpha --version", "alpha", 1),
    (f"alpha-opt {LEARNER}", "alpha-opt", 1),
    ("alpha-opt --help", "alpha-opt", 1),
    ("alpha-translate --version", "alpha-translate", 1),
]


@pytest.mark.parametrize(("command", "tool", "status"), STDOUT, ids=[row[0] for row in STDOUT])
def test_a_run_whose_output_is_lost_fails(command: str, tool: str, status: int) -> None:
    """On a full disk, and where the reader is gone: what is lost may be the last buffer alone."""
    said = f"{tool}: error: cannot write stdout: No space left on device\n"
    assert shell(f"{command} > /dev/full") == (status, "", said)
    assert without_reader(command) == (status, "")


def test_a_stdout_that_is_closed_is_said() -> None:
    said = "alpha: error: cannot write stdout: it is closed\n"
    assert shell(f"alpha run {LEARNER} --interpret >&-") == (5, "", said)
    assert shell(f"alpha inspect {LEARNER} >&-") == (1, "", said)


def test_a_refused_round_is_said_even_if_the_output_is_lost() -> None:
    status, _, err = shell(f"alpha run {DOUBLING} --interpret --rounds 3 > /dev/full")
    assert status == 3
    first, line, caret = err.splitlines()
    assert first.startswith(f"{DOUBLING}:3:3: error: [numeric-nonfinite] ")
    assert (line.strip().startswith("region.state @w"), caret) == (True, "  ^")


def test_a_stdin_that_is_closed_is_said() -> None:
    said = "alpha: error: cannot read stdin: it is closed\n"
    assert shell("alpha run - --interpret <&-") == (5, "", said)
    assert shell("alpha inspect - <&-") == (1, "", said)


FILES = [
    (f"alpha run {LEARNER} --interpret --metrics", "alpha", 5),
    (f"alpha run {LEARNER} --interpret --save", "alpha", 5),
    (f"alpha-opt {LEARNER} -o", "alpha-opt", 1),
]
TARGETS = {
    "/dev/full": "No space left on device",
    "absent/x": ("No such file or directory", "there is no folder absent"),
    ".": ("Is a directory", "it is a folder"),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("command", "tool", "status"), FILES, ids=[row[0] for row in FILES])
def test_a_file_that_cannot_be_written_is_named(
    command: str, tool: str, status: int, target: str, tmp_path: Path
) -> None:
    found, out, err = shell(f"{command} {target}", tmp_path)
    assert (found, "state sha256" in out) == (status, False)
    prefix = f"{tool}: error: cannot write {target}: "
    assert err.startswith(prefix) and err.count("\n") == 1
    assert err.removeprefix(prefix).strip() in TARGETS[target]
    assert not list(tmp_path.iterdir())


def test_a_translation_that_is_refused_writes_nothing(tmp_path: Path) -> None:
    status, out, err = shell(f"alpha-translate --emit-ptx {GATE} -o out.s", tmp_path)
    assert (status, out) == (1, "")
    assert "[target-unsupported]" in err.splitlines()[0]
    assert not list(tmp_path.iterdir())


def limited(bytes_max: int, *command: str) -> tuple[int, str]:
    """Exit status and stderr of a command whose files can't be longer, as on a disk that fills."""
    done = subprocess.run(
        command,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_max, bytes_max)),
        check=False,
    )
    return done.returncode, done.stderr


def test_metrics_are_whole_lines_when_the_disk_fills(tmp_path: Path) -> None:
    metrics = tmp_path / "metrics.jsonl"
    command = ("alpha", "run", LEARNER, "--interpret", "--rounds", "50", "--metrics", str(metrics))
    status, err = limited(1000, *command)
    assert (status, err) == (5, f"alpha: error: cannot write {metrics}: File too large\n")
    text = metrics.read_text()
    assert text.endswith("\n") and 800 < len(text) < 1000
    versions = [json.loads(line)["version"] for line in text.splitlines()]
    assert versions == [*range(len(versions))]


@pytest.mark.parametrize(
    "command", [("alpha", "run", LEARNER, "--interpret", "--save"), ("alpha-opt", LEARNER, "-o")]
)
def test_a_full_disk_leaves_the_old_file(command: tuple[str, ...], tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("as it was")
    status, err = limited(100, *command, str(target))
    assert status == (5 if command[1] == "run" else 1)
    assert err == f"{command[0]}: error: cannot write {target}: File too large\n"
    assert (target.read_text(), [*tmp_path.iterdir()]) == ("as it was", [target])


def test_an_interrupt_leaves_whole_lines_and_no_state(tmp_path: Path) -> None:
    """Ctrl-C while rounds are run, which the first line of the metrics tells."""
    metrics, save = tmp_path / "metrics.jsonl", tmp_path / "state.safetensors"
    options = ["--interpret", "--rounds", str(10**9), "--metrics", metrics, "--save", save]
    run = subprocess.Popen(
        ["alpha", "run", LEARNER, *options],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell starts what runs in the background with the signal ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while run.poll() is None and not (metrics.exists() and metrics.stat().st_size):
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    assert (run.returncode, err) == (130, "alpha: interrupted\n")
    assert out.startswith("learner least_squares_adam: ") and "sha256" not in out
    lines = metrics.read_text().splitlines(keepends=True)
    assert all(line.endswith("\n") and json.loads(line) for line in lines)
    assert [*tmp_path.iterdir()] == [metrics]
