"""What rows mean of symbols: the same terms' words as their meaning of words gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from x86.instances import lane_bytes

from alpha.backends.core.carriers import BYTES, MachineWords, NotModelled, Partial, Trap
from alpha.backends.core.pieces import Kind
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Immediate, Memory, Row, Word
from alpha.backends.core.symbolic import MachineTerms
from alpha.backends.core.truths import TruthBits
from alpha.backends.x86.meanings import FLOAT_CONDITIONS
from alpha.backends.x86.rows.table import ALL

WORDS = MachineWords()

FLOATS = re.compile(
    r"v(add|sub|mul|div|min|max|sqrt)[ps]|vfn?m|vcmp[ps]|vblend[mv]|vmov(a|u)p|vmovn?t?ps_|vmovs[sd]"
    r"|vmaskmov|vbroadcast|vunpck|vshuf|vperm|vextractf|vinsert|vmov(hl|lh)ps|vxorps_(zero|swap)"
    r"|select_|vmov[aq]p?s?_zero|k(and|or|xor|not)|kmovq$"
)
"""Arithmetic on floats, choices between them, and their moves."""

SIGNS = re.compile(r"vblendv|vmaskmov")
"""What looks at the highest bits of a mask, which a word that may be a NaN doesn't have."""

DTYPES = {"f64": np.float64, "f32": np.float32}


def _values(row: Row, terms: MachineTerms) -> Iterator[tuple[Any, Any, dict[str, np.ndarray]]]:
    """For each slot that is read: the value in words, in terms, and the words of its symbols."""
    rng = np.random.default_rng(len(row.name))
    for slot in row.reads:
        kind = slot.kind
        vector = isinstance(kind, View) and kind.of.name == "vec"
        bytes = kind.bytes if isinstance(kind, View | Memory) else 0
        element = "f32" if lane_bytes(row) == 4 or bytes == 4 else "f64"
        if vector or (isinstance(kind, Memory) and bytes >= 4):
            lanes = bytes // BYTES[element]
            held = (rng.standard_normal(lanes) + 2.0).astype(DTYPES[element])
            ids = terms.logic.symbol_array(slot.name, (lanes,), element)
            yield held.view(np.uint8), terms.vector(ids, element), {slot.name: held}
        elif isinstance(kind, Memory) and bytes:
            data = rng.integers(0, 256, bytes, np.uint8)
            yield data, terms.of_integers(data), {}
        elif isinstance(kind, View | Memory):
            number = int(rng.integers(1 << 16))
            yield number, number, {}
        elif isinstance(kind, Immediate):
            yield kind.step, kind.step, {}
        elif kind == Word("cond"):
            name = next(iter(FLOAT_CONDITIONS))
            yield name, name, {}
        elif kind == Word("symbol"):
            yield 0, 0, {}


def _bytes(terms: MachineTerms, found: Any, environment: dict[str, Any]) -> bytes:
    """The bytes that a vector of terms has for the words of its symbols."""
    made = b""
    for piece in found.pieces:
        one = type(found)([piece])
        if piece.kind is Kind.TERM:
            element = "f64" if piece.bytes == 8 else "f32"
            made += terms.logic.evaluate(terms.lanes(one, element), environment).tobytes()
        elif piece.kind is Kind.TRUTH:
            truths = terms.logic.evaluate(np.array([piece.value]), environment)
            made += (b"\xff" if truths[0] else b"\0") * piece.bytes
        else:
            made += terms.integers(one, 8).tobytes()
    return made


def _same(terms: MachineTerms, found: Any, wanted: Any, environment: dict[str, Any]) -> bool:
    """Whether a result in terms has the words of a result in words."""
    if isinstance(wanted, tuple):
        return all(_same(terms, *pair, environment) for pair in zip(found, wanted, strict=True))
    if isinstance(wanted, Partial):
        return _same(terms, found.vector, wanted.vector, environment)
    if isinstance(wanted, np.ndarray):
        return _bytes(terms, found, environment) == wanted.tobytes()
    if isinstance(found, TruthBits):
        truths = terms.logic.evaluate(np.array(found.truths), environment)
        return WORDS.bits(truths) == wanted
    return found == wanted


def _verdict(row: Row) -> str:
    """`same`, `differs` or `not modelled`."""
    terms = MachineTerms()
    values = list(_values(row, terms))
    environment = {name: words for each in values for name, words in each[2].items()}
    try:
        wanted = row.meaning(WORDS, *(each[0] for each in values))
        found = row.meaning(terms, *(each[1] for each in values))
    except (NotModelled, Trap):
        return "not modelled"
    return "same" if _same(terms, found, wanted, environment) else "differs"


@pytest.mark.parametrize("part", range(4))
def test_rows_of_floats_mean_the_same_of_terms(part):
    verdicts = {(row.name, row.feature): _verdict(row) for row in ALL[part::4]}
    assert not [name for name, verdict in verdicts.items() if verdict == "differs"]
    floats = [name for name in verdicts if FLOATS.match(name[0]) and not SIGNS.match(name[0])]
    assert not [name for name in floats if verdicts[name] != "same"]
