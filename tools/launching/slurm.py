"""The batch script with which Slurm runs a build: a step for each role.

Invariant: the text depends on the build, its path and the flags alone. Nothing in it is read by the
    shell but what is written here: all else is quoted.
Why: the nodes and the job's number are known when the job begins, so the script finds them there;
    the step is a text in it, since Slurm keeps the script of a job that waits and nothing else.
Entry: `job_script`, `SlurmJob`, `ROLES_MAX`.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from alpha.tools.building.description import RoleDescription, RunDescription
from alpha.tools.driver.counts import counted
from alpha.tools.launching.ports import Ports
from alpha.tools.launching.step import STEP, step_words
from alpha.tools.running.memory import memory_of

ROLES_MAX = 1024
"""Each role has an srun of its own on the node of the batch script."""

PORT_FIRST, PORTS_END = 20000, 32768
"""The ports that jobs take in turn; behind them are those that Linux gives to connections."""

MARGIN_BYTES = 128 << 20
"""For what a step needs beside its role: the shell, buffers of sockets, an emulator."""

GRACE_SECONDS = 3
"""What the other roles have to notice that one has failed."""

END = "end-of-the-step"
"""The line behind the text of the step, which that hasn't."""

_SCRIPT = r"""
# The folder of this job's results, on a file system that its nodes share.
folder={folder}
build={build}
: "${{SLURM_JOB_ID:?this is a script for sbatch}}"
out=$folder/job-$SLURM_JOB_ID
mkdir "$out" && cp "$build/run.json" "$out/run.json" || exit 5
{first}

# The node of each role, as Slurm has divided the tasks: 2(x3),1 are two on three nodes, and one.
nodes=$(scontrol show hostnames "$SLURM_JOB_NODELIST") || exit 5
set -- $nodes
hosts=
IFS=,
for part in $SLURM_TASKS_PER_NODE; do
  count=${{part%%(*}} times=1
  case $part in *"(x"*) times=${{part##*x}} times=${{times%)}} ;; esac
  while [ "$times" -gt 0 ]; do
    left=$count
    while [ "$left" -gt 0 ]; do
      hosts="$hosts $1" left=$((left - 1))
    done
    shift
    times=$((times - 1))
  done
done
unset IFS
set -- $hosts
if [ $# -lt {count} ]; then
  echo "alpha: expected {places}, found $#: $SLURM_TASKS_PER_NODE on $SLURM_JOB_NODELIST" >&2
  exit 5
fi
for role in {roles}; do
  eval "host_$role=\$1"
  shift
done

text() {{
  cat <<'{end}'
{step}{end}
}}
step=$(text)

# When a role has failed, the others have {grace} s to notice it, and are then ended.
start() {{ # a node, and the arguments of the step
  node=$1
  shift
  (
    srun --exact --nodes=1 --ntasks=1 --cpus-per-task=1 --nodelist="$node" --input=none \
      --job-name="role-$1" sh -c "$step" alpha-step "$@"
    status=$?
    [ -e "$out/role-$1.end" ] || echo "$status" >"$out/role-$1.end"
    if [ "$status" -ne 0 ] && mkdir "$out/.failed" 2>/dev/null; then
      (
        sleep {grace}
        scancel --signal=TERM "$SLURM_JOB_ID"
        sleep {grace}
        scancel --signal=KILL "$SLURM_JOB_ID"
      ) >/dev/null 2>&1 &
    fi
    exit "$status"
  ) &
  steps="$steps $!"
}}
steps=
{starts}

# Who refused, or failed on its own, says more than who lost a peer (4), or was ended.
status=0
for each in $steps; do
  wait "$each"
  ended=$?
  [ "$ended" -lt 128 ] || ended=4
  case $status:$ended in
    *:0) ;;
    0:* | 4:[!4]*) status=$ended ;;
  esac
done
exit "$status"
"""


@dataclass(frozen=True)
class SlurmJob:
    """What of a job isn't in its build."""

    name: str
    folder: str
    """Where it is launched: an absolute path."""
    build: str
    """Where the executables are: an absolute path."""
    first_port: int | None
    """The first port; None for one that follows from the number of the job."""
    wait: str
    deadline: str
    minutes: int | None
    """How long the job may take, None for what its partition says."""
    options: Sequence[str]
    """More options of sbatch."""
    store: str | None = None
    """Where generations are written: an absolute path, None where none are."""


def job_script(described: RunDescription, ports: Ports, job: SlurmJob) -> str:
    """The text of the script, for `sbatch`.

    Raises:
        Refusal: target-unsupported, a role is for a machine that nothing is known of.
    """
    roles = described.roles
    bytes_most = max(map(memory_of, roles))
    options = [
        f"--job-name={job.name}",
        f"--ntasks={len(roles)}",
        "--cpus-per-task=1",
        f"--mem-per-cpu={math.ceil((bytes_most + MARGIN_BYTES) / (1 << 20))}M",
        "--no-requeue",
        "--output=job-%j.log",
        *(() if job.minutes is None else (f"--time={job.minutes}",)),
        *job.options,
    ]
    starts = [_start(role, ports, job) for role in roles]
    what = described.learner or described.title
    said = f"{counted(len(roles), 'role')} of {what}, run sha256:{described.digests.run}"
    body = _SCRIPT.format(
        folder=shlex.quote(job.folder),
        build=shlex.quote(job.build),
        first=_first_port(ports, job),
        count=len(roles),
        places=f"places for {counted(len(roles), 'task')}",
        roles=" ".join(str(role.role) for role in roles),
        step=STEP,
        end=END,
        grace=GRACE_SECONDS,
        starts="\n".join(starts),
    )
    lines = ["#!/bin/sh", f"# {_one_line(said)}", *(f"#SBATCH {option}" for option in options)]
    return "\n".join(lines) + "\n" + body


def _one_line(text: str) -> str:
    """A text for a comment, which a line end would end."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _first_port(ports: Ports, job: SlurmJob) -> str:
    if job.first_port is not None:
        return f"first={job.first_port}"
    width = max(1, ports.count)
    turns = max(1, (PORTS_END - PORT_FIRST) // width)
    return f"first=$(({PORT_FIRST} + SLURM_JOB_ID % {turns} * {width}))"


def _start(role: RoleDescription, ports: Ports, job: SlurmJob) -> str:
    """The line that starts a role."""
    own = ports.own[role.role]
    # Words that the shell reads, for a node or a port that it knows then.
    port = "-" if own is None else f'"$((first + {own}))"'
    peers = [f'"$host_{peer}:$((first + {at}))"' for peer, at in ports.lower[role.role]]
    executable = f"{job.build}/{role.executable}"
    words = step_words(role, executable, job.wait, job.deadline, job.store)
    node = f'"$host_{role.role}"'
    return " ".join(["start", node, *map(shlex.quote, words), '"$out"', port, *peers])
