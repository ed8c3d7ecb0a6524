"""A Slurm of one node on this machine, in a folder of its own, at ports that were free.

The node says that it has more processors than it has. What a job of it asks is answered without
munge: whoever can connect to its ports is believed, which is this machine alone.

Entry: `cluster`, `Cluster`, `Ended`.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SECONDS_MAX = 60
PROCESSORS = 8

SETTINGS = """\
ClusterName=alpha
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/daemon.pid
SlurmctldLogFile={folder}/controller.log
SlurmdLogFile={folder}/daemon.log
SchedulerParameters=batch_sched_delay=0,sched_min_interval=10000
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} RealMemory=100000 State=UNKNOWN
PartitionName=short Nodes=ALL Default=YES MaxTime=60
"""


@dataclass(frozen=True)
class Ended:
    """How a job ended: its state and its exit status."""

    state: str
    status: int


@dataclass(frozen=True)
class Cluster:
    """Where its settings are, which is all that Slurm's programs have to know."""

    settings: Path

    def answer(self, *command: str | Path) -> str:
        """What a program of Slurm says."""
        done = subprocess.run(
            [*map(str, command)],
            env={**os.environ, "SLURM_CONF": str(self.settings)},
            capture_output=True,
            text=True,
            timeout=SECONDS_MAX,
            check=True,
        )
        return done.stdout

    def submit(self, folder: Path) -> int:
        """Submit the script of a launch; the number of the job."""
        return int(self.answer("sbatch", "--parsable", f"--chdir={folder}", folder / "job.sh"))

    def wait(self, job: int) -> Ended:
        """How a job ends."""
        until = time.monotonic() + SECONDS_MAX
        while True:
            told = self.answer("scontrol", "show", "job", str(job))
            state = re.search(r"JobState=(\w+)", told)
            status = re.search(r"ExitCode=(\d+):(\d+)", told)
            assert state is not None
            assert status is not None
            if state[1] not in ("PENDING", "RUNNING", "COMPLETING"):
                return Ended(state[1], int(status[1]))
            assert time.monotonic() < until, told
            time.sleep(0.1)


def _unused_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """The cluster, until the context ends; what it still runs then is ended."""
    for name in ("state", "spool"):
        (folder / name).mkdir()
    controller, daemon = _unused_ports(2)
    settings = folder / "slurm.conf"
    settings.write_text(
        SETTINGS.format(
            host=socket.gethostname().partition(".")[0],
            controller=controller,
            daemon=daemon,
            user=getpass.getuser(),
            folder=folder,
            processors=PROCESSORS,
        ),
        encoding="utf-8",
    )
    made = Cluster(settings)
    environment = {**os.environ, "SLURM_CONF": str(settings)}
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    with contextlib.ExitStack() as stack:
        for name in ("slurmctld", "slurmd"):
            out = stack.enter_context((folder / f"{name}.out").open("wb"))
            process = subprocess.Popen(
                (name, "-D"), env={**environment, "PATH": path}, stdout=out, stderr=out
            )
            stack.callback(_end, process)
        _wait_for_node(made, folder)
        yield made
        with contextlib.suppress(subprocess.CalledProcessError):
            made.answer("scancel", "--full", f"--user={getpass.getuser()}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_for_node(made: Cluster, folder: Path) -> None:
    until = time.monotonic() + SECONDS_MAX
    while True:
        with contextlib.suppress(subprocess.CalledProcessError):
            if made.answer("sinfo", "--noheader", "--format=%T").strip() == "idle":
                return
        logs = [each.read_text("utf-8", "replace") for each in sorted(folder.glob("*.[lo]*"))]
        assert time.monotonic() < until, "\n".join(logs)
        time.sleep(0.1)
