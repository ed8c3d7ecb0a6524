"""The verifier: structure and order of values, with places; bugs of this project stay bugs."""

from __future__ import annotations

import pytest
from xdsl.dialects import test as xdsl_test
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Dialect, Region

from alpha.ir.frontend.dominance import Dominance
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Place, Refusal


def refusal_of(text: str) -> Refusal:
    module = parse_text(make_context(allow_unregistered=True), text, "in.mlir")
    with pytest.raises(Refusal) as caught:
        verify_module(module)
    # xDSL's name for every operation that isn't known; a refusal says the one in the text.
    assert "builtin.unregistered" not in caught.value.message
    return caught.value


def where(refusal: Refusal) -> tuple[str, int]:
    assert refusal.place is not None
    return refusal.code, refusal.place.line


def cfg(*blocks: str) -> str:
    """A function of several blocks; the first one has the argument %c."""
    body = "\n".join(blocks)
    return (
        '"func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({\n'
        + body
        + "\n}) : () -> ()"
    )


STRUCTURE = {
    "operand count": ('%a = "t.v"() : () -> f64\n%b = "arith.addf"(%a) : (f64) -> f64', 2),
    "operand type": ('%a = "t.v"() : () -> i1\n%b = "arith.addf"(%a, %a) : (i1, i1) -> i1', 2),
    "property missing": ('%a = "arith.constant"() : () -> f64', 1),
    "property unknown": ('\n"func.return"() <{x = 1}> : () -> ()', 2),
    "no terminator": (
        'func.func @f() {\n  %a = "arith.constant"() <{value = 1.0}> : () -> f64\n}',
        2,
    ),
    "terminator too early": (
        cfg('"t.go"()[^a] : () -> ()', "func.return", "^a:", "func.return"),
        2,
    ),
    "empty block": (
        '\n"func.func"() <{function_type = () -> (), sym_name = "f"}> ({^a:}) : () -> ()',
        2,
    ),
    "symbol twice": ("func.func private @f()\nfunc.func private @g()\nfunc.func private @f()", 3),
    "symbol unknown": ("builtin.module {\n  func.call @f() : () -> ()\n}", 2),
    "entry as successor": (cfg("^a(%c: i1):", '"t.go"()[^a] : () -> ()'), 3),
    "isolation": (
        '%a = "t.v"() : () -> f64\nfunc.func @f() {\n  %b = arith.negf %a : f64\n  func.return\n}',
        2,
    ),
}


@pytest.mark.parametrize("kind", STRUCTURE)
def test_structure(kind: str) -> None:
    text, line = STRUCTURE[kind]
    refusal = refusal_of(text)
    assert where(refusal) == ("source-structure", line)
    assert len(refusal.message) < 400
    assert "\n" not in refusal.message


def test_the_reason_is_split() -> None:
    refusal = refusal_of(STRUCTURE["operand count"][0])
    assert (refusal.expected, refusal.found) == ("2 operands", "1")
    refusal = refusal_of(STRUCTURE["symbol twice"][0])
    assert refusal.notes[0].place == Place("in.mlir", 1, 1)


LEGAL = [
    cfg(
        "^a(%c: i1):",
        '"t.go"(%c)[^b, ^d] : (i1) -> ()',
        "^b:",
        '%v = "t.v"() : () -> i1',
        '"t.go"()[^e] : () -> ()',
        "^d:",
        '"t.go"()[^e] : () -> ()',
        "^e:",
        "func.return",
    ),
    # Text order is not the order of control: ^b stands before ^d, which dominates it.
    cfg(
        "^a(%c: i1):",
        '"t.go"()[^d] : () -> ()',
        "^b:",
        '"t.use"(%v, %c) : (i1, i1) -> ()',
        "func.return",
        "^d:",
        '%v = "t.v"() : () -> i1',
        '"t.go"()[^b] : () -> ()',
    ),
    # Everything dominates a block that can't be reached.
    cfg(
        "^a(%c: i1):",
        '"t.go"()[^b] : () -> ()',
        "^b:",
        '%v = "t.v"() : () -> i1',
        "func.return",
        "^dead:",
        '"t.use"(%v) : (i1) -> ()',
        "func.return",
    ),
    # A loop: the value is used in the block that comes back.
    cfg(
        "^a(%c: i1):",
        '%v = "t.v"() : () -> i1',
        '"t.go"()[^b] : () -> ()',
        "^b:",
        '"t.use"(%v) : (i1) -> ()',
        '"t.go"()[^b, ^d] : () -> ()',
        "^d:",
        "func.return",
    ),
    '%a = "t.v"() : () -> i1\n"t.in"() ({ "t.in"() ({ "t.use"(%a) : (i1) -> () })'
    " : () -> () }) : () -> ()",
]


@pytest.mark.parametrize("text", LEGAL)
def test_legal(text: str) -> None:
    verify_module(parse_text(make_context(allow_unregistered=True), text, "in.mlir"))


UNDEFINED = {
    "later": ('"t.use"(%a) : (i1) -> ()\n%a = "t.v"() : () -> i1', 1),
    "itself": ('\n%a = "t.use"(%a) : (i1) -> i1', 2),
    "inside itself": ('%a = "t.in"() ({\n "t.use"(%a) : (i1) -> () }) : () -> i1', 2),
    "later outside": (
        '"t.in"() ({\n "t.use"(%a) : (i1) -> () }) : () -> ()\n%a = "t.v"() : () -> i1',
        2,
    ),
    "a sibling region": (
        '"t.in"() ({\n "t.use"(%a) : (i1) -> () }) : () -> ()\n'
        '"t.in"() ({ %a = "t.v"() : () -> i1 }) : () -> ()',
        2,
    ),
    "one path": (
        cfg(
            "^a(%c: i1):",
            '"t.go"(%c)[^b, ^d] : (i1) -> ()',
            "^b:",
            '%v = "t.v"() : () -> i1',
            '"t.go"()[^d] : () -> ()',
            "^d:",
            '"t.use"(%v) : (i1) -> ()',
            "func.return",
        ),
        8,
    ),
    "a block's argument": (
        cfg(
            "^a(%c: i1):",
            '"t.go"(%c)[^b, ^d] : (i1) -> ()',
            "^b(%v: i1):",
            "func.return",
            "^d:",
            '"t.use"(%v) : (i1) -> ()',
            "func.return",
        ),
        7,
    ),
}


@pytest.mark.parametrize("kind", UNDEFINED)
def test_undefined(kind: str) -> None:
    text, line = UNDEFINED[kind]
    assert where(refusal_of(text)) == ("source-value-undefined", line)


def test_the_definition_is_noted() -> None:
    refusal = refusal_of(UNDEFINED["later"][0])
    assert refusal.notes[0].place == Place("in.mlir", 2, 1)
    assert "'%a'" in refusal.message


def test_dominance_agrees_with_removing_the_block() -> None:
    """A block dominates another if the other can't be reached without it."""
    import random

    rng = random.Random(3)
    for _ in range(200):
        blocks = [Block() for _ in range(rng.randrange(1, 8))]
        for block in blocks:
            targets = rng.sample(blocks[1:], min(len(blocks) - 1, rng.randrange(3)))
            block.add_op(xdsl_test.TestOp.create(successors=targets))
        region = Region(blocks)
        dominance = Dominance(region)
        for first in blocks:
            for second in blocks:
                reached = reachable(blocks[0], None)
                expected = second not in reached or second not in reachable(blocks[0], first)
                assert dominance.dominates(first, second) == expected


def reachable(entry: Block, without: Block | None) -> set[Block]:
    seen: set[Block] = set()
    rest = [entry]
    while rest:
        block = rest.pop()
        if block is not without and block not in seen:
            seen.add(block)
            assert block.last_op is not None
            rest.extend(block.last_op.successors)
    return seen


def planted(body: str) -> ModuleOp:
    """A module with an operation of this project's own whose rule is `body`."""
    source = f"""
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.ir import Dialect
from xdsl.utils.exceptions import VerifyException
from alpha.ir.refusals import Refusal
@irdl_op_definition
class Planted(IRDLOperation):
    name = "planted.op"
    def verify_(self):
        {body}
DIALECT = Dialect("planted", [Planted])
"""
    namespace: dict[str, object] = {"__name__": "alpha.planted"}
    exec(source, namespace)
    dialect = namespace["DIALECT"]
    assert isinstance(dialect, Dialect)
    ctx = make_context()
    ctx.load_dialect(dialect)
    return parse_text(ctx, 'builtin.module {\n  "planted.op"() : () -> ()\n}', "in.mlir")


def test_bugs_of_this_project_stay_bugs() -> None:
    with pytest.raises(KeyError):
        verify_module(planted("{}['key']"))
    with pytest.raises(AssertionError):
        verify_module(planted("assert False"))


def test_refusals_pass_and_get_a_place() -> None:
    with pytest.raises(Refusal) as caught:
        verify_module(planted("raise Refusal('region-domain', 'a', 'b')"))
    assert where(caught.value) == ("region-domain", 2)
    with pytest.raises(Refusal) as caught:
        verify_module(planted("raise VerifyException('Expected x, got y')"))
    assert where(caught.value) == ("source-structure", 2)
    assert (caught.value.expected, caught.value.found) == ("x", "y")


def test_inner_operations_come_first() -> None:
    """An outer rule may rely on what is inside: here both are wrong, the inner one is said."""
    text = (
        '"func.func"() <{sym_name = "f"}> ({\n  "func.return"() <{x = 1}> : () -> ()\n}) : () -> ()'
    )
    assert where(refusal_of(text)) == ("source-structure", 2)
