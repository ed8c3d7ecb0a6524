"""Cases of coverage: every coordinate and every sample has one owner, or the map is refused.

A map is refused by the pass that is to use it, and as part of a distribution that a user wrote.
The owners of coordinates are written out here as lists, and no selection is evaluated.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from cases.plain_sums import column_means, different_words
from cases.running import (
    MODES,
    edited,
    everywhere,
    held,
    hexes,
    passed,
    printed,
    proved,
    read,
    refusal,
    remapped,
    shard_run,
    spread,
    written,
)
from cases.texts import contract, means, replaced
from checkpoints.makings import facts_of, write
from checkpoints.tampering import signed

from alpha.ir.checkpoints.reading import Generation

MISSING, DUPLICATE = "shard-coverage-missing", "shard-coverage-duplicate"
OUTSIDE, OWNERS = "select-universe", "shard-owner-range"


def refused_map(width: int, owners: int, shard_map: str) -> tuple[str, str]:
    """Code and finding with which both the pass and the check of a written round refuse a map."""
    text = means(different_words(5, width), [width], owners=f"{owners}, star")
    case = read(text)
    by_pass = refusal(lambda: passed(case, MODES, shard_map))
    by_check = refusal(remapped(printed(text, MODES), "cyclic", shard_map))
    assert (by_pass.code, by_pass.found) == (by_check.code, by_check.found)
    return by_check.code, by_check.found


def accepted_map(width: int, owners: int, shard_map: str, cut: Sequence[Sequence[int]]) -> None:
    """See that owners have the words of these coordinates, and that they are the right ones."""
    samples = different_words(5, width)
    wanted = column_means(samples, width)
    text = means(samples, [width], owners=f"{owners}, star")
    case, distribution = written(remapped(printed(text, MODES), "cyclic", shard_map))
    assert held(case, distribution, "mean") == [hexes([wanted[at] for at in own]) for own in cut]
    assert hexes(shard_run(case, distribution)[0]["mean"]) == hexes(wanted)
    assert proved(case, distribution)


SAMPLERS = {
    2: ([3, 2], "[stride(0, 2, 3), join(stride(0, 1, 2), stride(3, 1, 1))]", 0, (0, 1)),
    3: ([2, 2, 1], "[stride(0, 3, 2), stride(1, 3, 2), stride(0, 2, 2)]", 0, (0, 2)),
    4: (
        [2, 1, 1, 1],
        "[stride(0, 4, 2), stride(0, 1, 2), stride(1, 1, 2), stride(2, 1, 2)]",
        0,
        (0, 1),
    ),
    7: (
        [1, 1, 1, 1, 1, 0, 0],
        "[family(5, 1, stride(0, 1, 1)), family(2, 1, stride(0, 1, 1))]",
        0,
        (0, 5),
    ),
}
"""By number of owners: the sizes wanted, the parts that a sampler gave, and the first doubled."""


@pytest.mark.parametrize("owners", SAMPLERS)
def test_S01_a_padded_sampler_repeats_no_sample(owners: int) -> None:
    """pytorch #25162, #22584, #49180: samplers repeat samples so that every rank has as many.

    Repeated samples are refused by the first of them; sizes 3 and 2, or 0, are fine.
    """
    sizes, parts, sample, roles = SAMPLERS[owners]
    samples = [3.0, -1.0, 4.0, 1.0, -5.5]
    text = means(samples, owners=f"{owners}, star", order=contract([1] * 5))
    case, distribution = written(remapped(printed(text), "by block", f"by {sizes}"))
    assert hexes(shard_run(case, distribution)[0]["mean"]) == hexes(sum(samples) / 5)
    caught = refusal(remapped(printed(text), "by block", f"by {parts}"))
    assert caught.code == DUPLICATE
    assert caught.found == f"owners {roles[0]} and {roles[1]} for coordinate {sample}"


@pytest.mark.parametrize("owners", SAMPLERS)
def test_S01_even_parts_without_padding(owners: int) -> None:
    """Where no split is declared, sizes differ by at most one, and owners may have none."""
    sizes, samples = SAMPLERS[owners][0], [3.0, -1.0, 4.0, 1.0, -5.5]
    for topology in ("star", "tree<2>"):
        case = read(means(samples, owners=f"{owners}, {topology}"))
        for modes in ((), MODES):
            distribution = spread(case, modes)
            shared = distribution.map_of("data")
            assert shared is not None
            found = [shared.piece(role, owners, 5).size for role in range(owners)]
            assert found == sizes
    everywhere(means(samples), [sizes], {"mean": sum(samples) / 5})


@pytest.mark.parametrize(
    ("width", "owners", "pieces", "found"),
    [
        (4, 2, "[stride(0, 1, 2), stride(0, 1, 2)]", "owners 0 and 1 for coordinate 0"),
        (4, 2, "[stride(0, 1, 2), stride(1, 1, 2)]", "owners 0 and 1 for coordinate 1"),
        (7, 3, "[stride(0, 1, 4), empty, stride(3, 1, 3)]", "owners 0 and 2 for coordinate 3"),
        (
            7,
            3,
            "[empty, stride(0, 2, 4), join(stride(1, 2, 3), stride(6, 1, 1))]",
            "owners 1 and 2 for coordinate 6",
        ),
    ],
)
def test_C01_two_pieces_for_one_place(width: int, owners: int, pieces: str, found: str) -> None:
    """DeepSpeed PR #8624: two pieces of the right total were copied to one place.

    Four words in two pieces of two aren't a cover; the first doubled coordinate is named.
    """
    assert refused_map(width, owners, pieces) == (DUPLICATE, found)
    accepted_map(4, 2, "[stride(0, 1, 2), stride(2, 1, 2)]", [[0, 1], [2, 3]])


@pytest.mark.parametrize(
    ("owners", "pieces", "code", "found"),
    [
        (2, "[stride(0, 1, 2), stride(2, 1, 2)]", MISSING, "none for coordinate 4"),
        (2, "[stride(2, 1, 2), stride(4, 1, 2)]", MISSING, "none for coordinate 0"),
        (2, "[stride(0, 1, 5), stride(5, 1, 4)]", OUTSIDE, "coordinate 6 of owner 1"),
        (8, f"[{', '.join(['stride(0, 1, 6)', *['empty'] * 6])}]", OWNERS, "7 pieces for 8 owners"),
        (3, "[2, 2, 1]", MISSING, "none for coordinate 5"),
        (3, "[2, 2, 3]", OUTSIDE, "coordinate 6, with owner 2"),
        (3, "[2, 4]", OWNERS, "2 sizes for 3 owners"),
    ],
)
def test_C03_a_missing_tail_or_head_or_piece(
    owners: int, pieces: str, code: str, found: str
) -> None:
    """MLIR's shard dialect accepts offsets [0,2,4], [2,4,6] and [0,5,9] of 6, and 7 for 8 shards.

    Each is refused by its first wrong coordinate, or by the number of pieces.
    """
    assert refused_map(6, owners, pieces) == (code, found)
    accepted_map(6, 2, "[stride(0, 1, 2), stride(2, 1, 4)]", [[0, 1], [2, 3, 4, 5]])
    accepted_map(6, 3, "[2, 0, 4]", [[0, 1], [], [2, 3, 4, 5]])


def test_C04_a_map_of_a_shape_that_the_value_hasnt() -> None:
    """llvm-project #128803 and #128802: an axis that the tensor lacks crashes the compiler.

    Rows that don't fit, a width of 0 and a role beyond the last are refused by name.
    """
    found = "5 words"
    assert refused_map(5, 4, "rows<3, cyclic>") == (MISSING, found)
    text = means(different_words(5, 5), [5], owners="4, star")
    case = read(text)
    assert refusal(lambda: passed(case, MODES, "rows<0, cyclic>")).code == "select-overflow"
    accepted_map(6, 4, "rows<3, cyclic>", [[0, 1, 2], [3, 4, 5], [], []])
    scalar = printed(means(different_words(5, 1), owners="4, star"))
    there = "deliver role 0 : !shard.total<f64, @data, role 0, +0>"
    caught = refusal(edited(scalar, (there, there.replace("role 0", "role 4"))))
    assert caught.code == OWNERS
    assert (caught.expected, caught.found) == ("a role from 0 to 3 to deliver to", "4")
    everywhere(
        means(different_words(5, 1)), [(2, 0, 1, 2)], {"mean": sum(different_words(5, 1)) / 5}
    )


@pytest.mark.parametrize(
    ("pieces", "code", "found"),
    [
        ("[stride(0, 1, 2), stride(4, 1, 2)]", MISSING, "none for coordinate 2"),
        ("[stride(0, 1, 4), stride(2, 1, 4)]", DUPLICATE, "owners 0 and 1 for coordinate 2"),
        ("[stride(0, 2, 3), stride(1, 4, 2)]", MISSING, "none for coordinate 3"),
        ("[stride(4, 1, 2), stride(0, 1, 3)]", MISSING, "none for coordinate 3"),
    ],
)
def test_C12_stored_pieces_with_a_hole_or_an_overlap(pieces: str, code: str, found: str) -> None:
    """PyTorch's DCP loads [0,2) + [4,6), and [0,4) + [2,6), into [0,6) without an error."""
    assert refused_map(6, 2, pieces) == (code, found)
    accepted_map(6, 2, "[stride(4, 1, 2), stride(0, 1, 4)]", [[4, 5], [0, 1, 2, 3]])
    accepted_map(6, 2, "[stride(0, 2, 3), stride(1, 2, 3)]", [[0, 2, 4], [1, 3, 5]])


@pytest.mark.parametrize(
    ("pieces", "found"),
    [
        ("[stride(0, 1, 2), stride(4, 1, 2)]", "2"),
        ("[stride(0, 1, 4), stride(2, 1, 4)]", "2"),
        ("[stride(0, 1, 3), stride(2, 1, 3)]", "2"),
        ("[stride(1, 1, 5), empty]", "0"),
    ],
)
def test_C12_stored_shards_with_a_hole_or_an_overlap(
    pieces: str, found: str, tmp_path: Path
) -> None:
    """As above, of a generation: also where as many words are stored as there are."""
    facts = facts_of([("w", "f64", (6,), pieces)], 2)
    folder = write(tmp_path, facts, {"w": np.arange(6.0)})
    caught = refusal(lambda: Generation.open(folder))
    assert caught.code == "checkpoint-coverage"
    assert found in caught.message.replace("@w", "")
    twin = facts_of([("w", "f64", (6,), "[stride(4, 1, 2), stride(0, 1, 4)]")], 2)
    (tmp_path / "twin").mkdir()
    generation = Generation.open(write(tmp_path / "twin", twin, {"w": np.arange(6.0)}))
    assert hexes(generation.read_words("w")) == hexes(np.arange(6.0))


def test_C18_one_participant_twice() -> None:
    """chapel #20162: a block over the targets [here, here] ran out of bounds.

    A set names a role once, a sum names a group once, and a pair has two owners.
    """
    header = "module attributes {roles = #region.select<join(ROLES)>} {}"
    caught = refusal(lambda: read(header.replace("ROLES", "stride(1, 1, 1), stride(1, 1, 1)")))
    assert caught.code == "select-overlap"
    text = printed(means(different_words(6, 1), owners="4, star, samples = [1, 2, 3, 0]"))
    clause = "combine = left> deliver all"
    for order, accepted in (([0, 0, 2, 3], False), ([1, 0, 2, 3], True)):
        ordered = edited(text, (clause, clause.replace(">", f"> order {order}")))
        if accepted:
            case, distribution = written(ordered)
            assert proved(case, distribution)
        else:
            caught = refusal(ordered)
            assert (caught.code, caught.found) == ("shard-combine-order", str(order))
            assert caught.expected == "each of the groups 0 to 3 once"
    caught = refusal(lambda: read(means(different_words(2, 1), owners="1, pair")))
    assert (caught.code, caught.found) == (OWNERS, "1")


def test_C19_a_part_that_isnt_in_its_parent() -> None:
    """legion #356: a child {(2,3)} of the parent {1,3} went unnoticed for as long as a checker did.

    An owner's work is contained in the samples that it has; a smaller or equal part is not wrong.
    """
    text = printed(means(different_words(4, 1), owners="2, pair", order=contract([1] * 4)))
    place = "shard.place @data by block"
    edits = [(place, "shard.place @data by cyclic"), ("over @data by block", "over @data by PART")]
    apart = edited(text, *edits)
    case, distribution = written(apart.replace("PART", "[stride(0, 2, 2), stride(1, 2, 2)]"))
    assert proved(case, distribution)
    caught = refusal(apart.replace("PART", "[stride(0, 1, 2), stride(2, 1, 2)]"))
    assert caught.code == "shard-not-held"
    assert caught.message == "expected owner 0 with sample 1 of @data, found owner 1 has it"
    everyone = edited(text, (place, "shard.place @data replicated"))
    case, distribution = written(everyone)
    assert proved(case, distribution)


def test_C25_one_field_in_two_places() -> None:
    """qwen38 PR #123: a tensor that is in two shard files has the words of the one read last."""
    text = printed(means(different_words(5, 6), [6], owners="2, pair"), MODES)
    place = "shard.place @w by cyclic"
    for second in (place, "shard.place @w by block", "shard.place @w replicated"):
        caught = refusal(edited(text, (place, f"{place}\n{second}")))
        assert (caught.code, caught.message) == (DUPLICATE, "expected one place of @w, found two")
        assert [note.message for note in caught.notes] == ["@w is first placed here"]
    caught = refusal(edited(text, (f"{place}\n", "\n")))
    assert caught.code == MISSING and caught.expected.startswith("a place of @w")
    written(text)


def test_C25_one_tensor_in_two_shards(tmp_path: Path) -> None:
    """Of two shard files that both have a word, none is the last: the generation is refused.

    So is a shard that has another's tensor beside its own.
    """
    state = {"w": np.arange(6.0), "b": np.array([7.0, 8.0])}
    other = ("b", "f64", (2,), "cyclic")
    doubled = ("[stride(0, 1, 6), stride(5, 1, 1)]", "[stride(0, 1, 6), stride(0, 1, 6)]")
    for version, pieces in enumerate(doubled):
        facts = facts_of([("w", "f64", (6,), pieces), other], 2)
        folder = write(tmp_path, facts, state, version)
        caught = refusal(lambda folder=folder: Generation.open(folder))
        assert caught.code == "checkpoint-coverage"
    facts = facts_of([("w", "f64", (6,), "[stride(0, 1, 6), empty]"), other], 2)
    folder = write(tmp_path, facts, state, version=2)
    Generation.open(folder).verify()
    shutil.copy(folder / "shard-0.safetensors", folder / "shard-1.safetensors")
    signed(folder)
    caught = refusal(lambda: Generation.open(folder).verify())
    assert caught.code in ("checkpoint-shard", "checkpoint-coverage", "checkpoint-manifest")


def test_C25_one_name_in_two_fields() -> None:
    """Two states of one name are refused at the learner level, whatever their words are."""
    text = means(different_words(5, 2), [2])
    state = "region.state @w : tensor<2xf64> = dense<0.5>"
    caught = refusal(lambda: read(replaced(text, (state, f"{state}\n{state}"))))
    assert caught.code == "region-identity"
    written_once = read(replaced(text, (state, f"{state}\n{state.replace('@w', '@other')}")))
    assert set(written_once.words.states) == {"w", "other", "mean"}
