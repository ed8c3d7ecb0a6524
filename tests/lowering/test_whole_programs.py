"""The one text that is a role's whole program: assembled and linked, the roles train together."""

from __future__ import annotations

from pathlib import Path

from levels.endings import at_shard_level, difference, ending_of, lowered, projected
from levels.natively import MACHINES, NativeRole
from levels.sockets import connected
from oracle_comparison.running import example_file

from alpha.backends.toolchain.assembling import assemble, link_executable
from alpha.backends.toolchain.emulation import find_runner
from alpha.backends.toolchain.finding import find_toolchain
from alpha.backends.toolchain.machines import machine_of
from alpha.interpreters.role import find_roles
from alpha.ir.frontend.printer import print_module
from alpha.ir.sharding.distribution import find_distribution
from alpha.tools.distributing import run_pass
from alpha.tools.mains.alpha_translate import main

ROUNDS = 4
FLAGS = {"x86-64": "--emit-x86", "aarch64": "--emit-aarch64"}


def test_texts_of_two_targets_train_together(tmp_path: Path) -> None:
    file = example_file("least_squares_momentum", "f64", tmp_path)
    run_pass(file.context, file.module, "distribute", owners=2, topology="pair")
    run_pass(file.context, file.module, "partition_optimizer")
    distribution = find_distribution(file.module)
    assert distribution is not None
    wanted = at_shard_level(distribution, file.words, ROUNDS)
    protocol = lowered(file.context, file.module, "gather", ROUNDS)
    assert protocol is not None
    module = projected(file.context, protocol)
    source = tmp_path / "roles.mlir"
    source.write_text(print_module(module), encoding="utf-8")
    roles: list[NativeRole] = []
    for (role, op), name in zip(find_roles(module).items(), MACHINES, strict=True):
        text = tmp_path / f"role-{role}.s"
        assert main([FLAGS[name], f"--role={role}", str(source), "-o", str(text)]) == 0
        tools = find_toolchain(machine_of(name))
        path = tmp_path / f"role-{role}"
        path.write_bytes(link_executable([assemble(text.read_text(), tools)], tools))
        path.chmod(0o700)
        command = (*find_runner(machine_of(name)).command, str(path))
        roles.append(NativeRole(role, [edge.data for edge in op.edges.data], command))
    found = ending_of(module, connected(roles), every_progress=False)
    assert difference(found, wanted) is None
