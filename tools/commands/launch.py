"""`alpha launch`: writes what an engine takes to run a build on its machines, and submits it.

Afterwards it collects what the roles have left, and says how the run has ended as `alpha run` does.

Refuses: target-unsupported, build-description, build-file-differs; protocol-publish-missing and
    protocol-publish-version of what was left; what a role refuses is told by the role (status 3).
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.tools.driver.boundary import say
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import InputOutputError, flush_stdout, write_line
from alpha.tools.exits import DONE, ROLE_STATUSES
from alpha.tools.launching.flags import NAME_LETTERS_MAX, add_launch_flags, check_flags
from alpha.tools.waiting_flags import deadline_of, seconds_text, wait_of

if TYPE_CHECKING:
    from alpha.tools.building.description import RunDescription
    from alpha.tools.driver.boundary import Situation

SUMMARY = "run a build where an engine has machines: write what it takes, submit, collect"
STATUSES = ROLE_STATUSES

SLACK_SECONDS = 120
"""What a job may take beyond the deadline of its roles, to begin and to end."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    add_launch_flags(parser)


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command; what is collected of a learner ends in the digest of its state."""
    from alpha.tools.driver.output_checks import keep_inputs
    from alpha.tools.launching.folder import results_in
    from alpha.tools.launching.results import collect
    from alpha.tools.running.outputs import check_targets

    check_flags(arguments)
    check_targets(arguments)
    if arguments.collect:
        folder = results_in(arguments.folder)
        outputs = [each for each in (arguments.metrics, arguments.save) if each]
        keep_inputs(outputs, folder.iterdir())
        return collect(folder, arguments, lambda results: False)
    return _launch(arguments)


def _launch(arguments: argparse.Namespace) -> int:
    """Write, submit, and follow if that is wanted."""
    from alpha.ir.refusals import Refusal
    from alpha.tools.building.description import RunDescription
    from alpha.tools.checkpoints.builds import history_of
    from alpha.tools.checkpoints.folder import check_history
    from alpha.tools.checkpoints.paths import check_path
    from alpha.tools.launching import kubernetes, slurm
    from alpha.tools.launching.folder import check_launch_folder

    build, engine = arguments.folder, arguments.engine
    described = RunDescription.read(build)
    described.check_files(build)
    most = {"slurm": slurm, "kubernetes": kubernetes}[engine].ROLES_MAX
    if len(described.roles) > most:
        wanted = f"at most {most} roles with --engine {engine}"
        raise Refusal("target-unsupported", wanted, f"{len(described.roles)}")
    check_path(arguments, described.checkpoints)
    if engine == "slurm" and arguments.checkpoint is not None:
        check_history(Path(arguments.checkpoint), history_of(described))
    folder = arguments.output or f"{build.rstrip('/') or build}.{engine}"
    check_launch_folder(folder, build)
    if engine == "slurm":
        return _launch_slurm(described, arguments, folder)
    return _launch_kubernetes(described, arguments, folder)


def _launch_slurm(described: RunDescription, arguments: argparse.Namespace, folder: str) -> int:
    from alpha.tools.launching.folder import SCRIPT, write_launch
    from alpha.tools.launching.following import follow
    from alpha.tools.launching.ports import ports_of
    from alpha.tools.launching.slurm import PORT_FIRST, SlurmJob, job_script
    from alpha.tools.launching.submitting import at_hand, submit_job

    sbatch = at_hand("sbatch") if arguments.submit is not False else None
    if arguments.follow and sbatch is None:
        raise InputOutputError("cannot follow a job: there is no sbatch in PATH")
    ports = ports_of(described.roles, arguments.first_port or PORT_FIRST)
    given = arguments.deadline
    job = SlurmJob(
        name=arguments.name or _name_of(described),
        folder=os.path.abspath(folder),
        build=os.path.abspath(arguments.folder),
        first_port=arguments.first_port,
        wait=seconds_text(wait_of(arguments)),
        deadline=seconds_text(deadline_of(arguments)),
        minutes=None if given is None else math.ceil((given + SLACK_SECONDS) / 60),
        options=arguments.option or (),
        store=None if arguments.checkpoint is None else os.path.abspath(arguments.checkpoint),
    )
    text = job_script(described, ports, job)
    write_launch(folder, {SCRIPT: text})
    script = os.path.join(job.folder, SCRIPT)
    write_line(f"{_said(described)}: {os.path.join(folder, SCRIPT)}")
    if sbatch is None:
        if arguments.submit is not False:
            say("alpha: remark: there is no sbatch in PATH, so nothing is submitted\n")
        command = shlex.join(("sbatch", f"--chdir={job.folder}", script))
        write_line(f"submit it by: {command}")
        return DONE
    flush_stdout()
    number = submit_job(sbatch, job.folder, script)
    write_line(f"submitted as job {number}; its results go to {folder}/job-{number}")
    return follow(number, folder, arguments) if arguments.follow else DONE


def _launch_kubernetes(
    described: RunDescription, arguments: argparse.Namespace, folder: str
) -> int:
    from alpha.tools.launching.folder import DOCKERFILE, MANIFEST, write_launch
    from alpha.tools.launching.kubernetes import (
        PORT_FIRST,
        ClusterJob,
        dockerfile,
        manifest,
        results_folder,
    )
    from alpha.tools.launching.ports import ports_of
    from alpha.tools.launching.submitting import apply_manifest, at_hand

    first = arguments.first_port or PORT_FIRST
    deadline = deadline_of(arguments)
    job = ClusterJob(
        name=arguments.name or _name_of(described),
        image=arguments.image,
        claim=arguments.claim,
        first_port=first,
        wait=seconds_text(wait_of(arguments)),
        deadline=seconds_text(deadline),
        seconds=math.ceil(deadline + SLACK_SECONDS),
        store=arguments.checkpoint,
    )
    text = manifest(described, ports_of(described.roles, first), job)
    write_launch(folder, {MANIFEST: text, DOCKERFILE: dockerfile(job)})
    file = os.path.join(folder, MANIFEST)
    write_line(f"{_said(described)}: {file}")
    image = shlex.join(("docker", "build", "-t", job.image, "-f", os.path.join(folder, DOCKERFILE)))
    write_line(f"its image is made by: {image} {shlex.quote(arguments.folder)}")
    write_line(f"its results go to {results_folder(described, job)} of the claim {job.claim}")
    kubectl = at_hand("kubectl") if arguments.submit is not False else None
    if kubectl is None:
        if arguments.submit is not False:
            say("alpha: remark: there is no kubectl in PATH, so nothing is submitted\n")
        write_line(f"submit it by: {shlex.join(('kubectl', 'apply', '-f', file))}")
        return DONE
    flush_stdout()
    for line in apply_manifest(kubectl, file).splitlines():
        write_line(line)
    return DONE


def _said(described: RunDescription) -> str:
    """What is launched, in the words of a heading."""
    what = described.learner or described.title
    return f"launch {what}: {counted(len(described.roles), 'role')}"


def _name_of(described: RunDescription) -> str:
    """The name of a job that nobody has named: that of what is run, as engines take it."""
    what = re.sub(r"[^a-z0-9]+", "-", (described.learner or described.title).lower())
    return f"alpha-{what}"[:NAME_LETTERS_MAX].strip("-")
