"""The modules of the runtime that a role needs, beside what their parsed texts say."""

from __future__ import annotations

from functools import cache

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.tools.building.runtime_modules import START, RuntimeModules, declared_functions
from alpha.tools.building.sources import runtime_texts

ROLE = "alpha_role"
"""What the start calls, which a role has."""


@cache
def parsed(name: str) -> ModuleOp:
    return parse_text(make_context(), runtime_texts()[name], f"{name}.mlir")


def functions(name: str) -> tuple[set[str], set[str]]:
    """The functions that a module has for others, and those that it has from others."""
    ops = [op for op in parsed(name).body.block.ops if isinstance(op, FuncOp)]
    public = {
        op.sym_name.data
        for op in ops
        if op.body.blocks and op.properties.get("sym_visibility") != StringAttr("private")
    }
    return public, {op.sym_name.data for op in ops if not op.body.blocks}


@pytest.mark.parametrize("name", runtime_texts())
def test_a_role_that_calls_a_module_needs_all_that_it_calls(name: str) -> None:
    """Whichever function it is, and nothing that isn't called by anything that it needs."""
    public, declared = functions(name)
    assert declared == declared_functions(parsed(name))
    called = {op.callee.string_value() for op in parsed(name).walk() if isinstance(op, CallOp)}
    assert declared <= called
    modules = RuntimeModules(runtime_texts())
    found = [modules.needed([function]) for function in public]
    assert found and all(each == found[0] for each in found)
    needed = found[0]
    assert name in needed
    assert all(runtime_texts()[each] == text for each, text in needed.items())
    assert list(needed) == sorted(needed)
    given = {START, *public}.union(*(functions(each)[1] for each in needed))
    there = set().union(*(functions(each)[0] for each in needed))
    assert given - there <= {ROLE}
    reasons = [functions(each)[0] & given for each in needed]
    assert all(reasons)


def test_what_stores_generations_is_there_where_they_are_stored() -> None:
    modules = RuntimeModules(runtime_texts())
    storing = {"generation", "texts"}
    for calls in ([], ["alpha_begin", "alpha_store_begin"], ["alpha_report_stored", ROLE]):
        assert not storing & modules.needed(calls).keys()
    assert storing <= modules.needed(["alpha_store_folder"]).keys()
    assert storing & modules.needed(["alpha_text_put"]).keys() == {"texts"}
    assert "data" not in modules.needed([]) and "data" in modules.needed(["alpha_data"])
