"""xDSL's own wordings: what they become, and that none of its templates reaches a user."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import xdsl

from alpha.interpreters.words import Words
from alpha.ir.frontend.foreign_errors import split_message
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import make_context
from alpha.ir.refusals import Refusal
from alpha.ir.scalars import MEANINGS, PREDICATES

NAN = float("nan")
WORDS = Words()
TEMPLATE = re.compile(r"\{[A-Za-z_.]+\}")


def _messages() -> Iterator[str]:
    """Every text that xDSL raises an error with, and that was meant to be filled in but isn't."""
    for path in sorted(Path(xdsl.__file__).parent.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not TEMPLATE.search(source):
            continue
        for node in ast.walk(ast.parse(source)):
            called = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Raise) or called in ("raise_error", "expect", "emit_error"):
                for part in ast.walk(node):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value


def test_no_template_of_xdsl_is_said() -> None:
    templates = [message for message in _messages() if TEMPLATE.search(message)]
    assert templates
    for message in templates:
        assert not TEMPLATE.search(" ".join(split_message(message, "#", "IR"))), message


def _refused(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        parse_source(make_context(), text.encode(), "in.mlir")
    return caught.value


def test_a_comment_of_another_language() -> None:
    refusal = _refused("# hello\n")
    wanted = "a name right behind a mark such as #, % or @ (a comment begins with //)"
    assert (refusal.expected, refusal.found) == (wanted, "'#'")


def test_a_wrong_predicate_names_the_right_ones() -> None:
    refusal = _refused("func.func @f(%a : f64) {\n %b = arith.cmpf gt, %a, %a : f64\n}")
    assert refusal.found == "'gt'"
    assert f"one of {', '.join(PREDICATES)} as" in refusal.expected


@pytest.mark.parametrize("predicate", PREDICATES)
def test_the_meaning_of_a_predicate_is_what_the_interpreter_computes(predicate: str) -> None:
    pairs = [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (0.0, -0.0), (NAN, 1.0), (1.0, NAN)]
    first, second = (np.array(column) for column in zip(*pairs, strict=True))
    truths = WORDS.compare(predicate, first, second).tolist()
    assert truths == [_holds(MEANINGS[predicate], a, b) for a, b in pairs]


def _holds(meaning: str, a: float, b: float) -> bool:
    """The meaning, read as a person reads it."""
    relation, _, rest = (
        meaning.replace(", and ", "; and ").replace(", or ", "; or ").partition("; ")
    )
    told = {"neither is NaN": a == a and b == b, "one of them is NaN": a != a or b != b}
    told |= {"never": False, "always": True, "a = b": a == b, "a > b": a > b, "a < b": a < b}
    told |= {"a >= b": a >= b, "a <= b": a <= b, "a < b or a > b": a < b or a > b}
    word, _, other = rest.partition(" ")
    if not rest:
        return told[relation]
    return told[relation] and told[other] if word == "and" else told[relation] or told[other]
