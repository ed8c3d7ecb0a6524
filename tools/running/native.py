"""`alpha run` without `--interpret`: an executable a role, on this machine or as deployed.

Invariant: what is started is what `run.json` describes, byte for byte. What an emulator runs is
    said, and what nothing runs there is refused before anything is started.
Refuses: target-unsupported, protocol-role-range, build-description, build-file-differs,
    deployment-file, deployment-role, deployment-address.
Entry: `run_native`, `state_of`.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.backends.toolchain.emulation import Runner, find_runner
from alpha.backends.toolchain.machines import MACHINES
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import ELEMENTS, tensor_or_scalar
from alpha.tools.building import description
from alpha.tools.building.description import RoleDescription, RunDescription, StateDescription
from alpha.tools.building.targets import Targets
from alpha.tools.checkpoints.builds import history_of
from alpha.tools.checkpoints.storing import Storing, check_new, storing
from alpha.tools.deployment.deployed import Deployed, deployed
from alpha.tools.deployment.deployment_file import Deployment
from alpha.tools.deployment.placement import Placement
from alpha.tools.deployment.remote_scripts import is_plain
from alpha.tools.driver.boundary import say
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output_checks import keep_inputs
from alpha.tools.driver.source import folder_of
from alpha.tools.protocol_levels import ROLES_MAX
from alpha.tools.running.caretaker import Caretaker, cared_folder
from alpha.tools.running.device_memory import check_device_memory
from alpha.tools.running.gpu_roles import GpuRoles
from alpha.tools.running.interrupts import Interrupts
from alpha.tools.running.launching import Plan, cannot_start, launch
from alpha.tools.running.memory import check_memory, memory_of
from alpha.tools.running.native_flags import (
    is_folder,
    refuse_flags_of_builds,
    refuse_flags_of_levels,
)
from alpha.tools.running.outputs import check_inputs
from alpha.tools.running.reporting import Subject, heading
from alpha.tools.running.states import State
from alpha.tools.waiting_flags import deadline_of, seconds_text, wait_of

if TYPE_CHECKING:
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.protocol_file import ProtocolFile


def run_native(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the executables of a folder, or those that are built of a file for this run."""
    refuse_flags_of_levels(arguments)
    deployment = Deployment.of(arguments.deployment)
    if is_folder(arguments.file):
        return _run_folder(arguments, deployment)
    return _run_file(arguments, situation, deployment)


def _run_folder(arguments: argparse.Namespace, deployment: Deployment) -> int:
    """Run what a build has left in a folder."""
    folder = Path(arguments.file)
    described = RunDescription.read(folder)
    refuse_flags_of_builds(arguments, described.rounds)
    files = [each.data.file for each in described.roles if each.data is not None]
    files += [description.NAME, *(role.executable for role in described.roles)]
    inputs = [*(folder / name for name in files), *_deployment_files(arguments)]
    keep_inputs(_outputs(arguments), inputs)
    _refuse_results(described, arguments)
    described.check_files(folder)
    placement = _placement(deployment, described)
    if arguments.deployment is not None:
        placement.check_addresses({role.role: role.address for role in described.roles}, folder)
    runners = _runners(described, placement, ())
    with Interrupts() as interrupts, contextlib.ExitStack() as stack:
        given = (arguments, described.checkpoints, history_of(described), described.rounds)
        store = stack.enter_context(storing(*given))
        scratch, caretaker = folder, None
        if placement.remote():
            scratch, caretaker = stack.enter_context(cared_folder())
        caretaker = caretaker or stack.enter_context(Caretaker())
        there = stack.enter_context(deployed(placement, scratch, wait_of(arguments)))
        flags = _flags(arguments, store, placement)
        there.prepare(folder, described.roles, flags, deadline_of(arguments))
        plan = _plan(described, folder, runners, {}, flags, store, there)
        return launch(plan, arguments, caretaker, interrupts)


def _run_file(arguments: argparse.Namespace, situation: Situation, deployment: Deployment) -> int:
    """Build a file into a folder that is gone afterwards, and run that."""
    from alpha.tools.building.cache import Cache
    from alpha.tools.building.making import build

    check_new(arguments)
    gpus = GpuRoles.of(arguments)
    targets = Targets.of(gpus.native(), arguments.features)
    # As `alpha build` is given them: what is built depends on nothing else.
    given = argparse.Namespace(**{**vars(arguments), "command": "build", "interpret": None})
    # The signals last, so that also the folder is removed where one comes.
    with Interrupts() as interrupts, contextlib.ExitStack() as stack:
        folder, caretaker = stack.enter_context(cared_folder())
        described = build(given, targets, Cache.of(), folder, situation, None, deployment)
        placement = _placement(deployment, described)
        on_gpus = gpus.among([role.role for role in described.roles])
        chosen = tuple(sorted({*(arguments.roles_interpreted or ()), *on_gpus}))
        runners = _runners(described, placement, chosen)
        history = history_of(described, arguments.resume)
        stores = (arguments, described.checkpoints, history, described.rounds)
        store = stack.enter_context(storing(*stores))
        interpreted: Mapping[int, Sequence[str]] = {}
        if chosen or _outputs(arguments):
            source = _source(folder, arguments, situation)
            check_inputs(arguments, [*source.data_files(), *_deployment_files(arguments)])
            check_device_memory(source, on_gpus)
            commands = _commands(source, chosen, folder, arguments, placement, store)
            interpreted = {
                role: (*command, "--device", on_gpus[role]) if role in on_gpus else command
                for role, command in commands.items()
            }
        _refuse_results(described, arguments)
        there = stack.enter_context(deployed(placement, folder, wait_of(arguments)))
        flags = _flags(arguments, store, placement)
        there.prepare(folder, described.roles, flags, deadline_of(arguments))
        plan = _plan(described, folder, runners, interpreted, flags, store, there, len(on_gpus))
        return launch(plan, arguments, caretaker, interrupts)


def _placement(deployment: Deployment, described: RunDescription) -> Placement:
    return Placement.of(deployment, {role.role: role.edges for role in described.roles})


def _outputs(arguments: argparse.Namespace) -> list[str]:
    return [each for each in (arguments.metrics, arguments.save) if each]


def _deployment_files(arguments: argparse.Namespace) -> list[Path]:
    return [] if arguments.deployment is None else [Path(arguments.deployment)]


def _refuse_results(described: RunDescription, arguments: argparse.Namespace) -> None:
    """Refuse to write what only a learner has."""
    for flag in ("save", "metrics"):
        if described.learner is None and getattr(arguments, flag):
            wanted = f"a learner in what is run with --{flag}"
            raise Refusal("target-unsupported", wanted, "none")


def _source(folder: Path, arguments: argparse.Namespace, situation: Situation) -> ProtocolFile:
    """The programs of the roles that a build has compiled, with what their data is relative to."""
    from alpha.tools.building.making import MODULE
    from alpha.tools.protocol_file import ProtocolFile

    data = str(folder_of(arguments.file))
    return ProtocolFile.read(str(folder / MODULE), situation, data)


def _commands(
    source: ProtocolFile,
    roles: Collection[int],
    folder: Path,
    arguments: argparse.Namespace,
    placement: Placement,
    store: Storing,
) -> dict[int, Sequence[str]]:
    """The commands that interpret these roles."""
    from alpha.tools.running.launched import RoleFiles

    files = RoleFiles(source.module, source.folder, arguments, store, placement.addresses())
    with cannot_start():
        return {role: files.command(role, folder) for role in roles}


def _runners(
    described: RunDescription, placement: Placement, interpreted: Collection[int]
) -> dict[str, Runner]:
    """What runs the executables of each machine here; what an emulator does is said.

    Raises:
        Refusal: target-unsupported if nothing does, or if there are too many roles;
            protocol-role-range if a role is to be interpreted that there isn't; deployment-role if
            one is on another host.
    """
    roles = {each.role: each for each in described.roles}
    for role in interpreted:
        if role not in roles:
            known = f"one of the {counted(len(roles), 'role')}, {_listed([*roles])}"
            wanted = f"{known}, with --roles-interpreted"
            raise Refusal("protocol-role-range", wanted, f"role {role}")
    placement.check_interpreted(interpreted)
    if len(roles) > ROLES_MAX["role"]:
        wanted = f"at most {ROLES_MAX['role']} roles on one host"
        raise Refusal("target-unsupported", wanted, f"{len(roles)}")
    of_machine: dict[str, list[RoleDescription]] = {}
    for role in roles.values():
        if role.role not in interpreted and placement.is_here(role.role):
            of_machine.setdefault(role.target, []).append(role)
    for target, those in of_machine.items():
        if target not in MACHINES:
            wanted = f"roles for {' or '.join(MACHINES)}"
            raise Refusal("target-unsupported", wanted, f"role {those[0].role} for {target}")
    found = {target: find_runner(MACHINES[target]) for target in of_machine}
    for target, runner in found.items():
        if runner.command:
            numbers = _listed([each.role for each in of_machine[target]])
            say(f"alpha: remark: emulated by {runner.describe()}: {numbers}\n")
    native = [role for those in of_machine.values() for role in those]
    check_memory(sum(map(memory_of, native)), len(native))
    return found


def _listed(roles: Sequence[int]) -> str:
    """Numbers of roles, of which only the first are told if there are many."""
    shown = ", ".join(map(str, roles[:8]))
    return shown if len(roles) <= 8 else f"{shown}, ... {roles[-1]}"


def _plan(
    described: RunDescription,
    folder: Path,
    runners: Mapping[str, Runner],
    interpreted: Mapping[int, Sequence[str]],
    flags: Sequence[str],
    store: Storing,
    there: Deployed,
    on_gpus: int = 0,
) -> Plan:
    """What is started: executables, but for the roles that are interpreted or on GPUs."""
    commands: dict[int, Sequence[str]] = {**there.commands, **interpreted}
    for role in described.roles:
        if role.role in commands:
            continue
        executable = str((folder / role.executable).absolute())
        commands[role.role] = (*runners[role.target].command, executable, *flags)
    subject, states = None, [state_of(each, described) for each in described.states]
    if described.learner is not None:
        subject = Subject(described.learner, {state.name: state.type for state in states})
    return Plan(
        _heading(described, interpreted, on_gpus) + there.heading(),
        commands,
        {role.role: role.edges for role in described.roles},
        described.rounds,
        subject,
        states,
        described.observations,
        there.port,
        there.explain,
        store,
        described.ends_stored,
        0 if described.start is None else described.start.version,
    )


def _flags(arguments: argparse.Namespace, store: Storing, placement: Placement) -> Sequence[str]:
    """What an executable is told: how long things may take, and where it stores its words.

    Raises:
        Refusal: checkpoint-path, for one that the shells of other hosts would take for more.
    """
    wait, deadline = seconds_text(wait_of(arguments)), seconds_text(deadline_of(arguments))
    path = store.path
    if path is not None and placement.remote() and not is_plain(str(path)):
        wanted = "a path of letters, digits and _./,=+- with --checkpoint for roles on other hosts"
        raise Refusal("checkpoint-path", wanted, str(path))
    return ("--wait", wait, "--deadline", deadline, *store.flags())


def _heading(described: RunDescription, interpreted: Collection[int], on_gpus: int) -> str:
    """What is run, and what runs it."""
    roles = counted(len(described.roles), "role")
    native = {role.target: None for role in described.roles if role.role not in interpreted}
    how = [f"native for {' and '.join(native)}"] if native else []
    others = len(interpreted) - on_gpus
    how += [f"{on_gpus} for sm86"] if on_gpus else []
    how += [f"{others} interpreted"] if others else []
    if described.learner is None:
        return f"protocol {described.title}: {roles}, {', '.join(how)}"
    words = sum(state.words for state in described.states)
    learner = heading(described.learner, described.samples, len(described.states), words)
    return f"{learner}; {roles}, {described.topology}, {', '.join(how)}"


def state_of(state: StateDescription, described: RunDescription) -> State:
    """A state, and what each role publishes of it."""
    pieces = {role.role: role.coordinates(state.name) for role in described.roles}
    held = {role: piece for role, piece in pieces.items() if piece is not None}
    type = tensor_or_scalar(state.shape, ELEMENTS[state.element])
    return State(state.name, type, held or None)
