"""The manifest with which Kubernetes runs a build: an indexed job for each machine, and a service.

Invariant: the texts depend on the build and the flags alone. The index of a pod says which role it
    is; pods find one another by the names that a headless service gives them.
Why: a job has one template for all its pods, and so one architecture. A role's results go to a
    volume, since the log of a pod is text, and bounded.
Refuses: target-unsupported.
Entry: `manifest`, `dockerfile`, `ClusterJob`, `start_text`.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from alpha.ir.refusals import Refusal
from alpha.tools.building.description import NAME as DESCRIPTION
from alpha.tools.building.description import RoleDescription, RunDescription
from alpha.tools.launching.ports import Ports
from alpha.tools.launching.step import STEP, step_words
from alpha.tools.launching.yaml_text import yaml_text
from alpha.tools.running.memory import memory_of

ROLES_MAX = 4096
PORT_FIRST = 20000
"""Each pod has ports of its own, so that nothing else has them."""

MARGIN_BYTES = 128 << 20
"""For what a pod needs beside its role: the shell and buffers of sockets."""

START_BYTES_MAX = 1_000_000
"""A config map has at most 1 MiB, with its names."""

ARCHITECTURES = {"x86-64": "amd64", "aarch64": "arm64"}
"""What Kubernetes calls the machines."""

BASE = "debian:stable-slim"
EXECUTABLES, RESULTS, START = "/alpha", "/results", "/start"
"""Where a pod has the executables, the volume and the text that starts its role."""

_START = """\
# What a pod does: its job's architecture and its index say which role it is.
out={out}
mkdir -p "$out" || exit 5
case $1-$JOB_COMPLETION_INDEX in
{cases}
  *)
    echo "alpha: there is no role for the pod $JOB_COMPLETION_INDEX of $1" >&2
    exit 5
    ;;
esac
[ "$1" != {first} ] || cp {description} "$out/run.json" || exit 5

"""

_DOCKERFILE = """\
# The image of {name}, whose context is the folder of the build.
# A role itself needs nothing of it; what starts one takes sh, getent, uname, date, mkdir and
# sha256sum.
FROM {base}
COPY {description} role-* {folder}/
"""


@dataclass(frozen=True)
class ClusterJob:
    """What of a job isn't in its build."""

    name: str
    """Of the service, and the beginning of those of the jobs."""
    image: str
    claim: str
    """The name of the claim on the volume of the results."""
    first_port: int
    wait: str
    deadline: str
    seconds: int
    """How long the job may take."""
    store: str | None = None
    """The folder of generations in the volume of the results, None where none are written."""


def dockerfile(job: ClusterJob) -> str:
    """The text of the file that makes the image of a build."""
    return _DOCKERFILE.format(name=job.name, base=BASE, description=DESCRIPTION, folder=EXECUTABLES)


def results_folder(described: RunDescription, job: ClusterJob) -> str:
    """Where in the volume the results of a run are: of no other run than this."""
    return f"{job.name}-{described.digests.run[:12]}"


def _by_machine(described: RunDescription) -> dict[str, list[RoleDescription]]:
    """The roles of each architecture, in the order of the first of each."""
    found: dict[str, list[RoleDescription]] = {}
    for role in described.roles:
        if role.target not in ARCHITECTURES:
            wanted = f"roles for {' or '.join(ARCHITECTURES)}"
            raise Refusal("target-unsupported", wanted, f"role {role.role} for {role.target}")
        found.setdefault(ARCHITECTURES[role.target], []).append(role)
    return found


def _job_name(job: ClusterJob, architecture: str) -> str:
    return f"{job.name}-{architecture}"


def start_text(described: RunDescription, ports: Ports, job: ClusterJob) -> str:
    """What each pod runs, as a text of POSIX sh, with its architecture as the argument.

    Raises:
        Refusal: target-unsupported, there are too many roles and edges for a config map.
    """
    pods = {
        role.role: (architecture, index)
        for architecture, roles in _by_machine(described).items()
        for index, role in enumerate(roles)
    }
    hosts = {
        role: f"{_job_name(job, architecture)}-{index}.{job.name}"
        for role, (architecture, index) in pods.items()
    }
    cases: list[str] = []
    for role in described.roles:
        executable = f"{EXECUTABLES}/{role.executable}"
        store = None if job.store is None else f"{RESULTS}/{job.store}"
        words = step_words(role, executable, job.wait, job.deadline, store)
        own = ports.own[role.role]
        port = "-" if own is None else str(job.first_port + own)
        peers = [f"{hosts[peer]}:{job.first_port + at}" for peer, at in ports.lower[role.role]]
        quoted = [*map(shlex.quote, words), '"$out"', port, *map(shlex.quote, peers)]
        architecture, index = pods[role.role]
        cases.append(f"  {architecture}-{index}) set -- {' '.join(quoted)} ;;")
    head = _START.format(
        out=f"{RESULTS}/{results_folder(described, job)}",
        cases="\n".join(cases),
        first=described.roles[0].role,
        description=f"{EXECUTABLES}/{DESCRIPTION}",
    )
    text = head + STEP
    if len(text) > START_BYTES_MAX:
        wanted = f"roles and edges that are started by at most {START_BYTES_MAX} bytes of text"
        raise Refusal("target-unsupported", wanted, f"{len(text)}")
    return text


def manifest(described: RunDescription, ports: Ports, job: ClusterJob) -> str:
    """The manifest of a run, as YAML.

    Raises:
        Refusal: target-unsupported.
    """
    labels = {"app.kubernetes.io/name": "alpha", "app.kubernetes.io/instance": job.name}
    about = {"name": job.name, "labels": labels}
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": about,
        "spec": {
            "clusterIP": "None",
            # A role is found before anybody could say that it is ready.
            "publishNotReadyAddresses": True,
            "selector": labels,
        },
    }
    texts = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": about,
        "data": {"start.sh": start_text(described, ports, job)},
    }
    jobs = [
        _job(job, architecture, roles, labels)
        for architecture, roles in _by_machine(described).items()
    ]
    return yaml_text([service, texts, *jobs])


def _job(
    job: ClusterJob, architecture: str, roles: Sequence[RoleDescription], labels: dict[str, str]
) -> dict[str, object]:
    """The job of the roles of one architecture."""
    needed = max(map(memory_of, roles))
    memory = f"{math.ceil((needed + MARGIN_BYTES) / (1 << 20))}Mi"
    container = {
        "name": "role",
        "image": job.image,
        "command": ["/bin/sh", f"{START}/start.sh", architecture],
        "resources": {"requests": {"cpu": "1", "memory": memory}, "limits": {"memory": memory}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "volumeMounts": [
            {"name": "start", "mountPath": START, "readOnly": True},
            {"name": "results", "mountPath": RESULTS},
        ],
    }
    pod = {
        "subdomain": job.name,
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "nodeSelector": {"kubernetes.io/arch": architecture, "kubernetes.io/os": "linux"},
        "containers": [container],
        "volumes": [
            {"name": "start", "configMap": {"name": job.name}},
            {"name": "results", "persistentVolumeClaim": {"claimName": job.claim}},
        ],
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": _job_name(job, architecture), "labels": labels},
        "spec": {
            "completionMode": "Indexed",
            "completions": len(roles),
            "parallelism": len(roles),
            # A role that failed isn't begun again: its peers have lost it.
            "backoffLimit": 0,
            "activeDeadlineSeconds": job.seconds,
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }
