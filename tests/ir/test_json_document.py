"""Places of values in a JSON text: at each stands that value, as Python's own parser reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alpha.ir.json_document import Document, Node
from alpha.ir.refusals import Refusal

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)


def nodes(node: Node) -> Iterator[Node]:
    """A value and all that is in it."""
    yield node
    if isinstance(node.value, dict):
        for each in node.fields().values():
            yield from nodes(each)
    elif isinstance(node.value, list):
        for each in node.items():
            yield from nodes(each)


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_every_value_stands_at_its_place(value: Any, indent: int | None, ascii: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    lines = text.split("\n")
    for node in nodes(Document("run.json", text, "build-description", "a text").read()):
        place = node.document.place(node.way)
        at = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1
        assert json.JSONDecoder().raw_decode(text, at)[0] == node.value


def test_a_way_reads_as_it_would_be_written() -> None:
    node = Document("f", '{"roles": [{"edges": [1]}]}', "build-description", "a text").read()
    inner = node.field("roles").items()[0].field("edges").items()[0]
    assert (inner.name, inner.number()) == ("roles[0].edges[0]", 1)


REFUSED = {
    '{"a": NaN}': "no JSON: NaN",
    "[Infinity]": "no JSON: Infinity",
    '{"a": -Infinity}': "no JSON: -Infinity",
    '["\\ud800"]': "half of a surrogate pair",
    '{"\\udc00\\ud800": 1}': "half of a surrogate pair",
    '{"a": 1, "b": {"a": 1, "a": 2}}': "an object that names 'a' twice",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_python_takes_for_json_and_is_none(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        Document("f", text, "build-description", "a text").read()
    assert (caught.value.code, caught.value.found) == ("build-description", REFUSED[text])


def test_a_pair_of_surrogates_is_a_letter() -> None:
    node = Document("f", '["\\ud83d\\ude00", 1e400]', "build-description", "a text").read()
    assert node.items()[0].string() == "\U0001f600"


def test_a_truth_is_no_number() -> None:
    node = Document("f", '{"a": true, "b": 1}', "build-description", "a text").read()
    assert node.field("a").truth() is True
    for wrong in (node.field("b").truth, node.field("a").number):
        with pytest.raises(Refusal):
            wrong()
