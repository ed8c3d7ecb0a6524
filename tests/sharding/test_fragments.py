"""Fragments against indexing coordinate by coordinate; bits that no copy may change."""

from __future__ import annotations

import struct
from random import Random

import numpy as np
import pytest
from plain_sets.agreement import made
from plain_sets.enumeration import form_of, listed, random_form
from sharding.fragment_agreement import agrees_in_round_trip, bits_of, random_array

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Stride
from alpha.ir.sharding.fragments import assemble, fragment, members
from alpha.ir.sharding.maps import Block, BlockCyclic, Cyclic, Explicit, ShardMap


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_round_trips(dtype: str) -> None:
    """assemble(fragments of an array) is the array, bit by bit."""
    random = Random(dtype)
    for _ in range(150):
        agrees_in_round_trip(random, dtype)


def test_members() -> None:
    """Any selection, listed."""
    random = Random(3)
    for _ in range(500):
        form = random_form(random, random.randrange(1, 4))
        found = members(made(form))
        assert found.dtype == np.int64 and found.tolist() == listed(form)
    assert members(Empty()).tolist() == [] and members(Empty()).dtype == np.int64
    assert members(Stride(2**63 - 3, 2, 2)).tolist() == [2**63 - 3, 2**63 - 1]


def test_arrays_that_are_not_contiguous() -> None:
    """Transposed, reversed, and a splat of which only the fragment is written out."""
    random = Random(8)
    array = random_array(random, 24, "float64").reshape(4, 6)
    for view in (array.T, array[::-1], array[:, 1:5], array[::2, ::3]):
        words = bits_of(np.ascontiguousarray(view))
        has = sorted(random.sample(range(view.size), 3))
        cut = fragment(view, made(form_of(random, has)))
        assert bits_of(cut) == [words[at] for at in has]
    splat = np.broadcast_to(np.float64(-0.0), (10**6, 10**6))
    assert bits_of(fragment(splat, Stride(5, 10**11, 9))) == [struct.pack("<d", -0.0)] * 9
    alone = np.array(1.5)
    assert fragment(alone, Stride(0, 1, 1)).tolist() == [1.5]
    assert assemble(Block(), 3, (), [np.array([1.5]), np.empty(0), np.empty(0)]).shape == ()


def test_a_fragment_is_a_copy() -> None:
    """What an owner does to its words changes nobody else's."""
    array = np.arange(6.0)
    fragment(array, Stride(0, 1, 6))[:] = 0
    assert array.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("kind", [Cyclic(), Block(), BlockCyclic(3)], ids=str)
def test_domains_without_words_and_owners_without_words(kind: ShardMap) -> None:
    """A parameter of zero elements, and two words for eight owners."""
    for shape in ((0, 8), (2,), (1, 2)):
        array = np.arange(float(np.prod(shape))).reshape(shape)
        cuts = [fragment(array, kind.piece(role, 8, array.size)) for role in range(8)]
        whole = assemble(kind, 8, shape, cuts)
        assert whole.shape == shape and bits_of(whole) == bits_of(array)


@pytest.mark.parametrize(
    ("text", "lengths", "code", "says"),
    [
        ("[2, 4]", (2, 3), "shard-coverage-missing", "found 3, none for coordinate 5"),
        ("[2, 4]", (0, 4), "shard-coverage-missing", "found 0, none for coordinate 0"),
        ("cyclic", (3, 2), "shard-coverage-missing", "found 2, none for coordinate 5"),
        ("cyclic", (3, 4), "region-domain", "expected 3 words in the fragment of owner 1, found 4"),
        ("cyclic", (3, 3, 0), "shard-owner-range", "found 3 fragments for 2 owners"),
        ("cyclic", (6,), "shard-owner-range", "found 1 fragments for 2 owners"),
        (
            "[stride(0, 1, 3), stride(2, 1, 3)]",
            (3, 3),
            "shard-coverage-duplicate",
            "owners 0 and 1",
        ),
        ("[stride(0, 1, 3), stride(4, 1, 2)]", (3, 2), "shard-coverage-missing", "coordinate 3"),
        ("[stride(0, 1, 3), stride(3, 1, 4)]", (3, 4), "select-universe", "coordinate 6"),
        ("[stride(0, 1, 6)]", (6,), "shard-owner-range", "found 1 pieces for 2 owners"),
    ],
)
def test_refused_fragments(text: str, lengths: tuple[int, ...], code: str, says: str) -> None:
    """Too few words, too many, too few fragments, or a map that isn't right."""
    with pytest.raises(Refusal) as caught:
        assemble(ShardMap.parse(text), 2, (6,), [np.zeros(length) for length in lengths])
    assert caught.value.code == code
    assert says in caught.value.message


def test_refused_words() -> None:
    """Words of another type aren't converted, a matrix isn't taken for a fragment."""
    with pytest.raises(
        Refusal, match="float64 in the fragment of owner 1, found float32"
    ) as caught:
        assemble(Block(), 2, (2,), [np.zeros(1), np.zeros(1, np.float32)])
    assert caught.value.code == "region-identity"
    with pytest.raises(Refusal, match=r"found an array of shape \[1, 1\]") as caught:
        assemble(Block(), 2, (2,), [np.zeros(1), np.zeros((1, 1))])
    assert caught.value.code == "region-domain"
    with pytest.raises(Refusal, match="members below 6, found member 6") as caught:
        fragment(np.zeros(6), Stride(0, 3, 3))
    assert caught.value.code == "select-universe"


def test_a_fragment_of_a_thousand_million_words_of_a_splat() -> None:
    """Sizes are known without the words: a piece of 10^12 coordinates costs its nodes."""
    shard_map = Explicit((Stride(0, 2, 5 * 10**11), Stride(1, 2, 5 * 10**11)))
    shard_map.check(2, 10**12)
    assert shard_map.piece_size(1, 2, 10**12) == 5 * 10**11
