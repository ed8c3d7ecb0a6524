"""A role's code in parts: programs apart, in modules whose text says what becomes of them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from alpha.backends.toolchain.finding import find_toolchain
from alpha.backends.toolchain.machines import machine_of
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.tools.building.cache import Cache
from alpha.tools.building.inputs import Input
from alpha.tools.building.objects import Objects
from alpha.tools.building.roles import (
    RoleMaker,
    RoleProgram,
    has_programs,
    memory_of,
    take_programs,
)
from alpha.tools.building.targets import BuildTarget
from alpha.tools.building.units import Unit
from alpha.tools.driver.boundary import Situation

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

CODE = """
"memref.global"() <{sym_name = "role.words.0", type = memref<1xi64>, constant,
  sym_visibility = "private", initial_value = dense<7> : tensor<1xi64>}> : () -> ()
"memref.global"() <{sym_name = "buffer", type = memref<1xf64>, sym_visibility = "private",
  initial_value = dense<0.0> : tensor<1xf64>}> : () -> ()
func.func private @alpha_arena(i64) -> !ptr_xdsl.ptr
func.func private @alpha_copy(!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64)
func.func private @program.gradient(%n : i64) {
  func.return
}
func.func private @program.with_buffer(%n : i64) {
  %b = memref.get_global @buffer : memref<1xf64>
  func.return
}
func.func private @program.with_shared(%n : i64) {
  %b = memref.get_global @role.words.0 : memref<1xi64>
  func.return
}
func.func private @program.calling(%n : i64) {
  func.call @program.gradient(%n) : (i64) -> ()
  func.return
}
func.func private @twin(%n : i64) {
  func.return
}
func.func @alpha_role() {
  %size = arith.constant 640 : i64
  %memory = func.call @alpha_arena(%size) : (i64) -> !ptr_xdsl.ptr
  %b = memref.get_global @role.words.0 : memref<1xi64>
  func.call @program.gradient(%size) : (i64) -> ()
  func.call @program.with_buffer(%size) : (i64) -> ()
  func.call @program.with_shared(%size) : (i64) -> ()
  func.call @program.calling(%size) : (i64) -> ()
  func.call @twin(%size) : (i64) -> ()
  func.return
}
"""


def defined(module: ModuleOp) -> dict[str, bool]:
    """The functions of a module, and whether it is only declared here."""
    ops = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    return {op.sym_name.data: not op.body.blocks for op in ops}


def test_what_needs_nothing_else_is_taken() -> None:
    module = parse_text(make_context(), CODE, "code.mlir")
    assert memory_of(module) == 640
    made = take_programs(module)
    names = ["program.gradient", "program.with_buffer"]
    assert [list(defined(each)) for each in made] == [[name] for name in names]
    left = defined(module)
    assert all(left[name] for name in (*names, "alpha_arena", "alpha_copy"))
    stays = ("program.with_shared", "program.calling", "twin", "alpha_role")
    assert not any(left[name] for name in stays)
    assert left.keys() == {*names, *stays, "alpha_arena", "alpha_copy"}
    text = print_module(module)
    assert "@buffer" not in text and "@role.words.0" in text
    assert "@buffer" in print_module(made[1])
    assert has_programs(module)
    assert "private" not in print_module(made[0])
    for each in (module, *made):
        verify_module(each)


@cache
def given() -> Input:
    flags = ("owners", "topology", "samples", "partition", "map", "exchange", "threshold")
    arguments = argparse.Namespace(
        command="build",
        file=str(EXAMPLES / "least_squares_adam.mlir"),
        rounds=20,
        unchecked=False,
        **dict.fromkeys(flags),
    )
    return Input.read(arguments, Situation("alpha", []))


def program(role: int, target: BuildTarget) -> RoleProgram:
    one = given()
    return RoleProgram(one.roles[role], one.others(), "", "ab" * 32, "", target)


def objects(machine: str) -> Objects:
    return Objects({machine: find_toolchain(machine_of(machine))}, "sources", Cache(None))


TARGETS = (BuildTarget("x86-64"), BuildTarget("x86-64", ("avx512",)), BuildTarget("aarch64"))


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_an_object_follows_from_its_text(target: BuildTarget) -> None:
    """Also where the module was at hand, as it is when it is made."""
    maker = RoleMaker(objects(target.machine), {})
    for unit in maker.parts(program(1, target)).units:
        read = Unit(unit.name, unit.text, unit.target, unit.behind)
        assert maker.objects.key(read) == maker.objects.key(unit)
        assert objects(target.machine).make(read) == objects(target.machine).make(unit)


def test_a_key_has_everything_that_an_object_is_made_of() -> None:
    one = Unit("name", "text", TARGETS[0], "behind")
    others = [
        replace(one, text="texts"),
        replace(one, target=TARGETS[1]),
        replace(one, behind="before"),
        replace(one, text="textbehind", behind=""),
    ]
    first = objects("x86-64")
    keys = {first.key(one), *map(first.key, others)}
    keys.add(Objects(first.toolchains, "other sources", Cache(None)).key(one))
    chain = replace(first.toolchains["x86-64"], version="0")
    keys.add(Objects({"x86-64": chain}, "sources", Cache(None)).key(one))
    assert len(keys) == 1 + len(others) + 2
    assert first.key(replace(one, name="other")) == first.key(one)


def test_roles_share_the_objects_of_programs() -> None:
    maker = RoleMaker(objects("x86-64"), {})
    parts = [maker.parts(program(role, TARGETS[0])) for role in range(4)]
    keys = [[maker.objects.key(unit) for unit in each.units] for each in parts]
    assert len({each[0] for each in keys}) == 4
    assert len(keys[0]) > 2
    assert all(each[1:] == keys[0][1:] for each in keys)
    units = [unit for each in parts for unit in each.units]
    assert len(maker.objects.missing(units)) == 4 + len(keys[0]) - 1


def test_a_role_needs_the_features_that_it_is_compiled_for() -> None:
    from alpha.backends.x86.entry import FEATURES

    maker = RoleMaker(objects("x86-64"), {})
    plain, wide = (maker.parts(program(0, target)).units[0].text for target in TARGETS[:2])
    number = f"arith.constant {1 << FEATURES['avx512']} : i64"
    assert "alpha_begin" in plain and plain != wide
    begin = wide[: wide.index("@alpha_begin(%")]
    assert number in begin
