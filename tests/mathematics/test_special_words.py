"""exp, log, tanh and sigmoid of zeros, infinities, NaN, and at the ends of their ranges."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping

import numpy as np
import pytest

from alpha.interpreters.words import DTYPES, Words

WORDS = Words()
INF, NAN = math.inf, math.nan
LEAST = {"f64": 2.0**-1074, "f32": 2.0**-149}
NORMAL = {"f64": 2.0**-1022, "f32": 2.0**-126}
LARGEST = {"f64": 1.7976931348623157e308, "f32": 3.4028234663852886e38}

BOTH: Mapping[str, list[tuple[float, float]]] = {
    "math.exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN)],
    "math.log": [
        *[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-INF, NAN), (NAN, NAN)],
        *[(-1.0, NAN), (-1e-30, NAN), (-1e30, NAN)],
    ],
    "math.tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN)],
    "pointwise.sigmoid": [(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (NAN, NAN)],
}

ENDS: Mapping[tuple[str, str], list[tuple[float, float]]] = {
    ("math.exp", "f64"): [
        (709.782712893384, 1.7976931348622732e308),
        (709.7827128933841, INF),
        (-745.1332191019411, 2.0**-1074),
        (-745.1332191019412, 0.0),
        (LEAST["f64"], 1.0),
    ],
    ("math.exp", "f32"): [
        (88.72283172607422, 3.402798519021476e38),
        (88.7228393554688, INF),
        (-103.97207641601562, 2.0**-149),
        (-103.97208404541016, 0.0),
    ],
    ("math.log", "f64"): [
        (2.0**-1074, -744.4400719213812),
        (2.0**-1022, -708.3964185322641),
        (LARGEST["f64"], 709.782712893384),
        (1 - 2.0**-53, -(2.0**-53)),
        (1 + 2.0**-52, 2.0**-52 - 2.0**-105),
    ],
    ("math.log", "f32"): [
        (2.0**-149, -103.27893),
        (LARGEST["f32"], 88.72284),
        (1 - 2.0**-24, -(2.0**-24)),
        (1 + 2.0**-23, 2.0**-23 - 2.0**-47),
    ],
    ("math.tanh", "f64"): [(19.061547465398498, 1.0), (18.0, 1 - 2.0**-51), (1e-8, 1e-8)],
    ("math.tanh", "f32"): [(9.010913848876953, 1.0), (1e-4, 1e-4)],
    ("pointwise.sigmoid", "f64"): [
        (37.5, 1.0),
        (-745.1332191019411, 2.0**-1074),
        (-745.1332191019412, 0.0),
        (-744.0, 2.0**-1074 * 2),
    ],
    ("pointwise.sigmoid", "f32"): [
        (17.4, 1.0),
        (-103.97207641601562, 2.0**-149),
        (-103.97208404541016, 0.0),
        (2.0**-23, 0.5),
        (3 * 2.0**-23, 0.5 + 2.0**-24),
        (-3 * 2.0**-24, 0.5 - 2.0**-25),
    ],
}


def _bits(word: float, element: str) -> str:
    if math.isnan(word):
        return "NaN"
    code, digits = (">d", 16) if element == "f64" else (">f", 8)
    return struct.pack(code, word).hex().zfill(digits)


def _check(operation: str, element: str, pairs: list[tuple[float, float]]) -> None:
    words = np.array([word for word, _ in pairs], DTYPES[element])
    for (word, wanted), found in zip(pairs, WORDS.apply(operation, words).tolist(), strict=True):
        assert _bits(found, element) == _bits(wanted, element), word


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("operation", BOTH)
def test_special_words(operation: str, element: str) -> None:
    _check(operation, element, BOTH[operation])


@pytest.mark.parametrize(("operation", "element"), ENDS)
def test_the_ends_of_the_range(operation: str, element: str) -> None:
    _check(operation, element, ENDS[operation, element])


@pytest.mark.parametrize("element", ["f64", "f32"])
def test_the_smallest_words_come_out_of_tanh_as_they_are(element: str) -> None:
    sizes = [LEAST[element], 3 * LEAST[element], NORMAL[element], NORMAL[element] * 1.5]
    _check("math.tanh", element, [(sign * size, sign * size) for size in sizes for sign in (1, -1)])


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("operation", BOTH)
def test_every_nan_gives_a_nan(operation: str, element: str) -> None:
    """Also those whose bits look like a whole number to be read from them, or a sign."""
    if element == "f64":
        bits = np.array([0x7FF0 << 48 | 1, 0xFFF8 << 48, (1 << 64) - 1, 0x7FF8 << 48], np.uint64)
    else:
        bits = np.array([0x7F80_0001, 0xFFC0_0000, 0xFFFF_FFFF, 0x7FC0_0000], np.uint32)
    assert np.all(np.isnan(WORDS.apply(operation, bits.view(DTYPES[element]))))
