"""Folders like those of `alpha build`, whose executables are scripts: for what the launcher does.

Entry: `interpreted_folder` (each script interprets its role), `PlayedRole`, `played_folder` (each
    does what a list says), `command` (runs `alpha`), `marked` (what a test has started).
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from alpha.backends.toolchain.machines import MACHINES, host_machine
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.frontend.printer import print_module
from alpha.tools.building.description import (
    DataFile,
    Digests,
    RoleDescription,
    RunDescription,
    StateDescription,
    Tool,
)
from alpha.tools.building.inputs import Input
from alpha.tools.driver.boundary import Situation
from alpha.tools.mains import alpha

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PLAYED = Path(__file__).with_name("played_role.py")
MARK = "ALPHA_TEST_MARK"
DIGEST = "0" * 64

HERE, BEYOND = sorted(MACHINES.values(), key=lambda machine: machine is not host_machine())
"""The machine that this host is, and the one that it needs an emulator for."""


def flags(file: Path, **given: object) -> argparse.Namespace:
    """The flags of a build of a file."""
    names = ("owners", "topology", "samples", "partition", "map", "rounds", "exchange", "threshold")
    empty = dict.fromkeys(names)
    return argparse.Namespace(
        file=str(file),
        command="build",
        interpret=None,
        unchecked=False,
        **{**empty, **given},
    )


def script_file(path: Path, *command: str | Path) -> tuple[str, int]:
    """An executable that runs a command with its own arguments behind it: its digest and size."""
    data = f'#!/bin/sh\nexec {shlex.join(map(str, command))} "$@"\n'.encode()
    path.write_bytes(data)
    path.chmod(0o755)
    return hashlib.sha256(data).hexdigest(), len(data)


def interpreted_folder(
    folder: Path, file: Path, targets: Sequence[str] = (HERE.name,), **given: object
) -> RunDescription:
    """A folder in which the executable of a role is a script that interprets it."""
    folder.mkdir()
    made = Input.read(flags(file, **given), Situation("alpha", []))
    (folder / "run.mlir").write_text(made.text(), encoding="utf-8")
    roles: list[RoleDescription] = []
    for at, role in enumerate(made.roles):
        program = folder / f"role-{role}.mlir"
        program.write_text(print_module(_module_of(made.module, role)), encoding="utf-8")
        main = (sys.executable, "-P", "-m", "alpha.tools.alpha", "role", program)
        digest, size = script_file(folder / f"role-{role}", *main, "--data", file.parent)
        roles.append(
            RoleDescription(
                role=role,
                target=targets[at % len(targets)],
                features=(),
                executable=f"role-{role}",
                sha256=digest,
                bytes=size,
                data=None,
                edges=tuple(edge.data for edge in made.roles[role].edges.data),
                memory_bytes=4096,
                address="127.0.0.1",
                pieces=made.pieces(role),
            )
        )
    described = made.described(roles, {HERE.name: Tool("none", "0")})
    (folder / "run.json").write_text(described.text(), encoding="utf-8")
    return described


def _module_of(module: ModuleOp, role: int) -> ModuleOp:
    parts = list(module.body.block.ops)
    kept = [part for part in parts if not isinstance(part, RoleOp) or part.role.data == role]
    return ModuleOp([part.clone() for part in kept])


@dataclass(frozen=True)
class PlayedRole:
    """What a role does that is played, before it announces its ports and behind."""

    actions: Sequence[Sequence[object]]
    before: Sequence[Sequence[object]] = ()
    target: str = HERE.name
    memory_bytes: int = 0
    data: bytes | None = None
    pieces: Mapping[str, str | None] = field(default_factory=dict)


def played_folder(
    folder: Path,
    roles: Sequence[PlayedRole],
    states: Sequence[tuple[str, int]] = (),
    labels: Sequence[str] = (),
    rounds: int = 100,
    python: Sequence[str] = (sys.executable, "-S", "-I"),
) -> Path:
    """A folder of played roles in a star around role 0; states have a name and a number of f64."""
    folder.mkdir(parents=True)
    described: list[RoleDescription] = []
    for role, played in enumerate(roles):
        edges = tuple(range(1, len(roles))) if role == 0 else (0,)
        script = {"role": role, "edges": edges, "before": played.before, "actions": played.actions}
        (folder / f"script-{role}.json").write_text(json.dumps(script), encoding="utf-8")
        command = (*python, PLAYED, folder / f"script-{role}.json")
        digest, size = script_file(folder / f"role-{role}", *command)
        data = None
        if played.data is not None:
            (folder / f"role-{role}.data").write_bytes(played.data)
            of_data = hashlib.sha256(played.data).hexdigest()
            data = DataFile(f"role-{role}.data", len(played.data), of_data)
        described.append(
            RoleDescription(
                role=role,
                target=played.target,
                features=(),
                executable=f"role-{role}",
                sha256=digest,
                bytes=size,
                data=data,
                edges=edges if len(roles) > 1 else (),
                memory_bytes=played.memory_bytes,
                address="127.0.0.1",
                pieces={name: None for name, _ in states} | dict(played.pieces),
            )
        )
    description = RunDescription(
        learner="played" if states else None,
        title="played",
        digests=Digests(DIGEST, DIGEST, DIGEST, DIGEST, DIGEST),
        rounds=rounds,
        start=None,
        checkpoints=False,
        ends_stored=False,
        owners=len(roles),
        topology="star" if states else None,
        samples=3,
        states=tuple(
            StateDescription(name, f"tensor<{size}xf64>", (size,), "f64") for name, size in states
        ),
        observations=tuple(labels),
        tools={},
        roles=tuple(described),
    )
    (folder / "run.json").write_text(description.text(), encoding="utf-8")
    return folder


@dataclass(frozen=True)
class Told:
    """How a command ended, and what it said."""

    status: int
    out: str
    said: str


def command(*arguments: str | Path) -> Told:
    """Run `alpha` to its end in this process, which takes no time to start."""
    out, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        status = alpha.main([*map(str, arguments)])
    return Told(status, out.getvalue(), said.getvalue())


def marked(mark: str) -> list[int]:
    """The processes that have this mark in their environment and haven't ended."""
    found: list[int] = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            variables = Path(f"/proc/{name}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"{MARK}={mark}".encode() in variables:
            found.append(int(name))
    return found
