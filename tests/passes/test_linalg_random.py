"""Random operations of `linalg`: what the pass makes of them has the words of the loops."""

from __future__ import annotations

from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from linalg_oracle.loops import run_loops, same_words
from linalg_oracle.random_operations import Operation, operations
from linalg_oracle.running import DTYPES, convert, run_update, words

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.passes.convert_linalg_to_pointwise import ConvertLinalgToPointwisePass


@settings(max_examples=250, deadline=None)
@given(operations(), st.integers(0, 2**32 - 1))
def test_words_of_random_operations(operation: Operation, seed: int) -> None:
    random, element = np.random.default_rng(seed), operation.element
    ins = [words(random, element, operation.shape(index), False) for index in operation.ins]
    captured = [words(random, element, (), False) for _ in range(operation.captured)]
    shapes = [operation.shape(index) for index in operation.outs]
    if operation.reduces:
        inits = [
            np.full(shape, word, DTYPES[element])
            for shape, word in zip(shapes, operation.inits(), strict=True)
        ]
    else:
        inits = [words(random, element, shape, False) for shape in shapes]
    wanted = run_loops(
        operation.extents,
        list(zip(ins, operation.ins, strict=True)),
        list(zip(inits, operation.outs, strict=True)),
        partial(operation.body, captured=[each[()] for each in captured]),
    )
    arguments = [*ins, *captured, *([] if operation.reduces else inits)]
    found = run_update(convert(operation.text()), arguments)
    for one, other in zip(found, wanted, strict=True):
        assert same_words(one, other), operation.text()


@settings(max_examples=100, deadline=None)
@given(operations())
def test_random_operations_print_and_parse(operation: Operation) -> None:
    """Both forms are fixed points before the pass, and behind it there is nothing left to do."""
    context = make_context()
    module = parse_text(context, operation.text(), "in.mlir")
    verify_module(module)
    printed = print_module(module)
    for generic in (False, True):
        text = print_module(module, generic)
        again = parse_text(make_context(), text, "in.mlir")
        verify_module(again)
        assert print_module(again, generic) == text
        assert print_module(again) == printed
    converted = convert(printed)
    text = print_module(converted)
    assert "linalg." not in text and "tensor." not in text
    ConvertLinalgToPointwisePass().apply(context, converted)
    assert print_module(converted) == text
