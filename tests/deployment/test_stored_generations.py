"""Roles on other hosts store their words in a folder that all hosts see, and go on from one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from deployment.servers import Server, deployment_file
from native_runs.folders import EXAMPLES, command

MakeServer = Callable[..., Server]

LEARNER = EXAMPLES / "least_squares_adam.mlir"
FLAGS = ("--partition", "optimizer,parameters")


@pytest.fixture
def hosts(server: MakeServer, tmp_path: Path) -> Path:
    """A deployment of four roles on two hosts and here."""
    left, right = server("left"), server("right")
    tables = left.table("left", [1, 3]), right.table("right", [2])
    return deployment_file(tmp_path / "hosts.toml", *tables)


def test_they_store_and_go_on(hosts: Path, tmp_path: Path) -> None:
    """The same bytes as here alone; also from a folder that was built before."""
    flags = (*FLAGS, "--deployment", hosts)
    alone = command("run", LEARNER, *FLAGS, "--rounds=6", "--checkpoint", tmp_path / "alone")
    store = tmp_path / "generations"
    told = command("run", LEARNER, *flags, "--rounds=4", "--checkpoint", store)
    assert (told.status, told.said) == (0, "")
    given = (*flags, "--rounds=6", "--resume", store, "--checkpoint-every=end")
    assert command("build", LEARNER, "-o", tmp_path / "built", *given).status == 0
    told = command("run", LEARNER, *given, "--checkpoint", store, "--keep=1")
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[-1] == alone.out.splitlines()[-1]
    assert [path.name for path in store.iterdir()] == ["gen-6"]
    folder = ("run", tmp_path / "built", "--deployment", hosts, "--checkpoint", tmp_path / "next")
    assert command(*folder).out == told.out
    for path in (store / "gen-6").iterdir():
        assert path.read_bytes() == (tmp_path / "next" / "gen-6" / path.name).read_bytes()


def test_a_path_that_not_every_shell_takes_is_refused(hosts: Path, tmp_path: Path) -> None:
    """Before anything is started on a host; here alone it may have any letters."""
    flags = (*FLAGS, "--rounds=2", "--checkpoint", tmp_path / "a folder")
    told = command("run", LEARNER, *flags, "--deployment", hosts)
    assert told.status == 1
    assert "[checkpoint-path] expected a path of " in told.said and "a folder" in told.said
    assert command("run", LEARNER, *flags).status == 0


def test_a_host_that_does_not_see_the_folder_publishes_nothing(
    server: MakeServer, tmp_path: Path
) -> None:
    """What role 1 has written is on a disk that only its host sees."""
    if os.geteuid():
        pytest.skip("without the rights of root there is no small disk")
    store = tmp_path / "generations"
    store.mkdir()
    mount = 'mount -t tmpfs none "$0" && exec "$@"'
    left = server("left", front=("unshare", "--mount", "sh", "-c", mount, str(store)))
    hosts = deployment_file(tmp_path / "hosts.toml", left.table("left", [1]))
    told = command(
        "run", LEARNER, *FLAGS, "--rounds=2", "--deployment", hosts, "--checkpoint", store
    )
    assert told.status == 5
    assert re.match(r"alpha: role 0: failed: cannot read \S+/manifest-1.json: ", told.said), told
    assert not list(store.glob("gen-*"))
