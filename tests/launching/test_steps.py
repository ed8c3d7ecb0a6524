"""What a node does for a role: what it gives it, says where it can't, and passes on of ends."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from building.descriptions import role
from native_runs.folders import BEYOND, HERE

from alpha.tools.launching.step import STEP, step_words

SHELLS = ("dash", "bash")
both = pytest.mark.parametrize("shell", SHELLS)

SEEING = '#!/bin/sh\nfor word; do echo "<$word>"; done\ncat\necho said >&2\nexit 3\n'
"""What it was given, and that its input is empty."""


class Node:
    """A node whose programs are those of a folder, and some of this machine."""

    def __init__(self, folder: Path, shell: str) -> None:
        self.shell = shell
        self.out, self.programs = folder / "out", folder / "programs"
        self.executable = folder / "a role's $program"
        self.out.mkdir()
        self.programs.mkdir()
        for name in (
            shell,
            "cat",
            "date",
            "mkdir",
            "mv",
            "rm",
            "sha256sum",
            "sleep",
            "uname",
            "env",
        ):
            path = next(p for d in ("/bin", "/usr/bin") if (p := Path(d) / name).exists())
            (self.programs / name).symlink_to(path)

    def program(self, name: str, text: str) -> None:
        path = self.programs / name
        path.write_text(text)
        path.chmod(0o755)

    def start(
        self,
        text: str,
        port: str = "-",
        peers: Sequence[str] = (),
        target: str = HERE.name,
        wait: str = "1",
        digest: str = "",
        mode: int = 0o755,
        store: str | None = None,
    ) -> subprocess.Popen[bytes]:
        self.executable.write_text(text)
        self.executable.chmod(mode)
        found = digest or hashlib.sha256(text.encode()).hexdigest()
        meant = replace(role(1, ""), target=target, sha256=found)
        words = step_words(meant, str(self.executable), wait, "90.5", store)
        # A shell can't catch what it was started to ignore, as the suite may be by nohup.
        heeding = (shutil.which("env") or "env", "--default-signal=HUP,INT")
        command = [*heeding, str(self.programs / self.shell), "-c", STEP, "alpha-step", *words]
        return subprocess.Popen(
            [*command, str(self.out), port, *peers],
            env={"PATH": str(self.programs)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *given: object, **named: object) -> tuple[int, str, str]:
        """Its status, and what the role told and what was said of it."""
        step = self.start(*given, **named)  # pyright: ignore[reportArgumentType]
        assert step.communicate(timeout=30) == (b"", b"")
        ended = int((self.out / "role-1.end").read_text())
        assert ended == step.returncode
        assert sorted(os.listdir(self.out)) == ["role-1.end", "role-1.err", "role-1.out"]
        told, said = ((self.out / f"role-1.{kind}").read_text() for kind in ("out", "err"))
        return ended, told, said


@pytest.fixture
def node(shell: str, tmp_path: Path) -> Node:
    """A node of this machine's kind."""
    return Node(tmp_path, shell)


@both
def test_what_a_role_is_given(node: Node) -> None:
    node.program("getent", '#!/bin/sh\necho "10.0.0.${2#node-} STREAM x"; echo "10.9.9.9 DGRAM"\n')
    given = ("--wait", "1", "--deadline", "90.5")
    told = "".join(f"<{word}>\n" for word in given)
    assert node.run(SEEING) == (3, told, "said\n")
    told += "<--listen>\n<0.0.0.0:20007>\n<--peers>\n<10.0.0.7:1,127.0.0.1:2>\n"
    assert node.run(SEEING, "20007", ("node-7:1", "127.0.0.1:2")) == (3, told, "said\n")


@both
def test_the_folder_of_generations_is_made(node: Node) -> None:
    store = node.out.parent / "some where" / "generations"
    given = ("--wait", "1", "--deadline", "90.5", "--checkpoint", str(store))
    told = "".join(f"<{word}>\n" for word in given)
    assert node.run(SEEING, store=str(store)) == (3, told, "said\n")
    assert node.run(SEEING, store=str(store)) == (3, told, "said\n")
    inside = node.executable / "generations"
    status, told, said = node.run(SEEING, store=str(inside))
    assert (status, told) == (5, "")
    assert said.endswith(f"alpha: role 1: failed: cannot make {inside}\n")


@both
def test_an_emulator_runs_what_the_node_does_not(node: Node) -> None:
    here = os.uname().machine
    expected = f"expected a node for {BEYOND.name} or with {BEYOND.qemu}, found {here}"
    said = f"alpha: role 1: refused target-unsupported: {expected}\n"
    assert node.run(SEEING, target=BEYOND.name) == (3, "", said)
    for name in (f"{BEYOND.qemu}-static", BEYOND.qemu):
        node.program(name, f'#!/bin/sh\necho {name}\nexec "$@"\n')
        status, told, _ = node.run(SEEING, target=BEYOND.name)
        assert (status, told.splitlines()[0]) == (3, name)


@both
def test_another_executable_is_refused(node: Node) -> None:
    found = hashlib.sha256(SEEING.encode()).hexdigest()
    expected = f"expected sha256:{'0' * 64} as was launched, found sha256:{found}"
    said = f"alpha: role 1: refused build-file-differs: {expected}\n"
    assert node.run(SEEING, digest="0" * 64) == (3, "", said)


@both
def test_there_is_no_executable(node: Node) -> None:
    said = f"alpha: role 1: failed: there is no executable {node.executable} on "
    assert node.run("", mode=0o600) == (5, "", f"{said}{os.uname().nodename}\n")


@both
def test_a_host_that_nobody_knows(node: Node) -> None:
    said = f"alpha: role 1: failed: there is no getent on {os.uname().nodename}\n"
    assert node.run(SEEING, peers=("node-0:5",)) == (5, "", said)
    node.program("getent", "#!/bin/sh\nexit 2\n")
    before = time.monotonic()
    what = "overdue: the host node-0 had no IPv4 address in the 1 s of waiting for one"
    assert node.run(SEEING, peers=("node-0:5",)) == (4, "", f"alpha: role 1: {what}\n")
    assert time.monotonic() - before < 10


@both
def test_a_host_that_comes_into_being(node: Node) -> None:
    node.program("getent", f"#!/bin/sh\n[ -e {node.out.parent}/there ] && echo 10.1.2.3 STREAM\n")
    step = node.start(SEEING, peers=("node-0:5",), wait="20")
    time.sleep(0.3)
    assert step.poll() is None
    (node.out.parent / "there").touch()
    assert step.communicate(timeout=30) == (b"", b"")
    assert (node.out / "role-1.out").read_text().endswith("<--peers>\n<10.1.2.3:5>\n")


@both
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_an_end_from_outside_is_passed_on(node: Node, number: int) -> None:
    """The role is ended, and how it ended is told."""
    step = node.start("#!/bin/sh\necho begun\nexec sleep 60\n")
    _await(node.out / "role-1.out", "begun\n")
    step.send_signal(number)
    assert step.wait(30) == 128 + signal.SIGTERM
    assert (node.out / "role-1.end").read_text() == "143\n"


@both
def test_who_is_told_to_end_and_ends_its_own_way(node: Node) -> None:
    loop = "while :; do sleep 0.05; done"
    step = node.start(f'#!/bin/sh\ntrap "echo ending; exit 7" TERM\necho begun\n{loop}\n')
    _await(node.out / "role-1.out", "begun\n")
    step.send_signal(signal.SIGTERM)
    assert step.wait(30) == 7
    assert (node.out / "role-1.out").read_text() == "begun\nending\n"


@both
def test_being_told_again_and_again(node: Node) -> None:
    """Also while the role ends, and behind that.

    Not faster than a handler is run: a shell that is in the middle of thousands breaks down.
    """
    step = node.start('#!/bin/sh\ntrap "exit 7" TERM\necho begun\nwhile :; do :; done\n')
    _await(node.out / "role-1.out", "begun\n")
    until = time.monotonic() + 20
    while step.poll() is None:
        step.send_signal(signal.SIGTERM)
        time.sleep(0.005)
        assert time.monotonic() < until
    assert step.returncode == 7
    assert (node.out / "role-1.end").read_text() == "7\n"


@both
def test_an_end_before_the_role_begins(node: Node) -> None:
    node.program("getent", "#!/bin/sh\nexit 2\n")
    step = node.start(SEEING, peers=("node-0:5",), wait="60")
    time.sleep(0.3)
    step.send_signal(signal.SIGTERM)
    assert step.wait(30) == 143
    assert (node.out / "role-1.end").read_text() == "143\n"
    assert (node.out / "role-1.out").read_text() == ""


@both
def test_a_role_that_was_killed(node: Node) -> None:
    assert node.run("#!/bin/sh\nkill -KILL $$\n") == (137, "", "")


@both
def test_an_earlier_end_is_not_taken_for_this_one(node: Node) -> None:
    assert node.run("#!/bin/sh\necho one; echo two >&2; exit 4\n") == (4, "one\n", "two\n")
    step = node.start("#!/bin/sh\necho begun\nexec sleep 60\n")
    _await(node.out / "role-1.out", "begun\n")
    assert not (node.out / "role-1.end").exists()
    assert (node.out / "role-1.err").read_text() == ""
    step.terminate()
    step.wait(30)


def _await(file: Path, text: str) -> None:
    until = time.monotonic() + 20
    while not file.exists() or file.read_text() != text:
        assert time.monotonic() < until
        time.sleep(0.01)
