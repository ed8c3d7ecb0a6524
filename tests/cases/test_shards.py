"""Cases of uneven and empty shards, padding and offsets: words lie where the one map says.

The coordinates of every owner are written out as lists; the words are computed in plain Python.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cases.plain_sums import column_means, different_words
from cases.running import (
    EVERY_MODES,
    MODES,
    edited,
    everywhere,
    held,
    hexes,
    proved,
    read,
    refusal,
    shard_run,
    spread,
    written,
)
from cases.texts import dense, fields, means
from checkpoints.makings import facts_of, write
from safetensors.numpy import load_file

from alpha.ir.checkpoints.reading import Generation
from alpha.ir.sharding.costs import costs_of
from alpha.ir.sharding.fragments import assemble, fragment
from alpha.ir.sharding.maps import ShardMap

ROWS_FIVE = "rows<2, block>"


SHARDS: dict[str, tuple[int, int, str, list[list[int]]]] = {
    "C05 widths 2, 3, 4, 5": (
        14,
        4,
        "[2, 3, 4, 5]",
        [[0, 1], [2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12, 13]],
    ),
    "C05 widths 5, 0, 1": (6, 3, "[5, 0, 1]", [[0, 1, 2, 3, 4], [], [5]]),
    "C08 2 words of 8 owners": (2, 8, "cyclic", [[0], [1], *[[]] * 6]),
    "C08 2 words in blocks of 8 owners": (2, 8, "block", [[0], [1], *[[]] * 6]),
    "C08 2 words, the last of 8 owners": (
        2,
        8,
        "[family(6, 1, empty), stride(1, 1, 1), stride(0, 1, 1)]",
        [*[[]] * 6, [1], [0]],
    ),
    "C10 2, 2, 2 and none": (6, 4, "[2, 2, 2, 0]", [[0, 1], [2, 3], [4, 5], []]),
    "C10 none and 3, none, 3": (6, 4, "[0, 3, 0, 3]", [[], [0, 1, 2], [], [3, 4, 5]]),
    "C15 32 words in blocks of 2,048": (32, 4, "block_cyclic<2048>", [[*range(32)], [], [], []]),
    "C15 33 words in blocks of 32": (33, 3, "block_cyclic<32>", [[*range(32)], [32], []]),
}
"""A case: the number of words, the owners, the map, and the coordinates of each owner."""


def check_shards(name: str) -> None:
    """See that a map gives each owner exactly its words, in every way of partitioning."""
    width, owners, shard_map, cut = SHARDS[name]
    samples = different_words(5, width)
    wanted = column_means(samples, width)
    case = read(means(samples, [width], owners=f"{owners}, star"))
    for modes in EVERY_MODES[1:]:
        distribution = spread(case, modes, shard_map)
        own = cut if "optimizer" in modes else [[*range(width)]] * owners
        found = held(case, distribution, "mean")
        assert found == [hexes([wanted[at] for at in part]) for part in own]
        assert hexes(shard_run(case, distribution)[0]["mean"]) == hexes(wanted)
        kept = [cost.words["mean"] for cost in costs_of(distribution)]
        assert kept == [len(part) for part in own]
    assert proved(case, spread(case, MODES, shard_map))


@pytest.mark.parametrize("name", [name for name in SHARDS if name.startswith("C05")])
def test_C05_uneven_widths_are_kept(name: str) -> None:
    """pytorch #144109: local widths 2, 3, 4, 5 were shown as 4, 4, 4, 2 and assembled wrongly."""
    check_shards(name)


@pytest.mark.parametrize(
    ("shard_map", "rows"),
    [
        (ROWS_FIVE, [2, 1, 1, 1]),
        ("rows<2, cyclic>", [2, 1, 1, 1]),
        ("rows<2, [0, 3, 0, 2]>", [0, 3, 0, 2]),
    ],
)
def test_C07_five_rows_stay_five(shard_map: str, rows: list[int]) -> None:
    """pytorch #103306: five rows over four ranks, sharded and replicated again, were eight."""
    array = np.array(different_words(5, 2)).reshape(5, 2)
    parsed = ShardMap.parse(shard_map)
    cut = [fragment(array, parsed.piece(role, 4, 10)) for role in range(4)]
    assert [part.size for part in cut] == [2 * count for count in rows]
    assert hexes(assemble(parsed, 4, (5, 2), cut)) == hexes(array)
    samples = different_words(3, 10)
    case = read(means(samples, [5, 2], owners="4, star"))
    for modes in (("parameters",), MODES):
        distribution = spread(case, modes, shard_map)
        state = shard_run(case, distribution, 3)[0]
        assert state["w"].shape == state["mean"].shape == (5, 2)
        assert hexes(state["mean"]) == hexes(column_means(samples, 10))
        assert hexes(state["w"]) == hexes([0.5] * 10)
        assert proved(case, distribution)


@pytest.mark.parametrize("name", [name for name in SHARDS if name.startswith("C08")])
def test_C08_more_owners_than_words(name: str) -> None:
    """pytorch #161368: two words over eight ranks had wrong offsets; six owners have none."""
    check_shards(name)


@pytest.mark.parametrize("name", [name for name in SHARDS if name.startswith("C10")])
def test_C10_an_empty_shard_is_a_shard(name: str) -> None:
    """pytorch #108869: the fourth rank of 2, 2, 2, 0 had no entry, so a load failed."""
    check_shards(name)


@pytest.mark.parametrize("pieces", ["[2, 2, 2, 0]", "[0, 3, 0, 3]", "[0, 0, 6, 0]"])
def test_C10_an_empty_shard_is_stored_and_loaded(pieces: str, tmp_path: Path) -> None:
    """pytorch PR #163480: metadata of the fourth rank were missing, so a load failed.

    Who has no word has a shard that says so, and a generation without that shard isn't whole.
    """
    sizes = [int(size) for size in pieces.strip("[]").split(",")]
    facts = facts_of([("w", "f64", (6,), pieces)], 4)
    folder = write(tmp_path, facts, {"w": np.arange(6.0)})
    for role, size in enumerate(sizes):
        assert load_file(folder / f"shard-{role}.safetensors")["w"].shape == (size,)
    generation = Generation.open(folder)
    generation.verify()
    assert hexes(generation.read_words("w")) == hexes(np.arange(6.0))
    (folder / f"shard-{sizes.index(0)}.safetensors").unlink()
    assert refusal(generation.verify).code == "checkpoint-shard-missing"


@pytest.mark.parametrize("name", [name for name in SHARDS if name.startswith("C15")])
def test_C15_an_alignment_beyond_the_end(name: str) -> None:
    """DeepSpeed #6659: with words aligned to 2,048, a shard began, and read, behind the last."""
    check_shards(name)


@pytest.mark.parametrize(("first", "second"), [(3, 5), (5, 3), (1, 8), (4, 4), (7, 1)])
def test_C14_two_parameters_have_no_padding_between_them(first: int, second: int) -> None:
    """DeepSpeed PR #8158: laid out at aligned offsets, read at others; padding was summed in.

    A map applies to each field from its own first word; what lies between fields is no coordinate.
    """
    samples = {
        "a": different_words(4, first),
        "b": [word / 2 for word in different_words(4, second)],
    }
    text = fields([("a", first, "f64"), ("b", second, "f64")], samples)
    wanted = {
        "a_mean": column_means(samples["a"], first),
        "b_mean": column_means(samples["b"], second),
    }
    everywhere(text, [(1, 1, 1, 1), (0, 3, 1)], wanted)
    case = read(text)
    distribution = spread(case, MODES, "cyclic", owners=4)
    for field, of in wanted.items():
        assert held(case, distribution, field) == [hexes(of[role::4]) for role in range(4)]


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("width", [1, 4])
def test_C16_an_owner_of_no_words_takes_part(width: int, element: str) -> None:
    """DeepSpeed #8279, #8467, Megatron-LM PR #100: an empty local shard crashed the fused Adam.

    Owners without words or samples take part in the round and add nothing.
    """
    samples = different_words(3, width)
    text = means(samples, [width], element)
    splits = [(1, 0, 2, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 3)]
    everywhere(text, splits, {"mean": column_means(samples, width), "w": [0.5] * width})


@pytest.mark.parametrize("shape", [[0], [2, 0], [0, 3]])
def test_C16_a_field_of_no_words_is_legal(shape: list[int]) -> None:
    """DeepSpeed PR #275: a parameter with no elements lost its shape; here it keeps it."""
    for modes in EVERY_MODES:
        case = read(means([], shape, owners="3, star, samples = [1, 0, 2]"))
        state = shard_run(case, spread(case, modes), 2)[0]
        assert state["w"].shape == state["mean"].shape == tuple(shape)


def test_C17_no_size_needs_to_divide() -> None:
    """DeepSpeed PR #1380: an export worked since all sizes that were tried divided.

    Sizes from 1 to 7 over 1 to 5 owners, dividing or not, give the same words.
    """
    dividing = 0
    for width in range(1, 8):
        samples = different_words(3, width)
        case = read(means(samples, [width]))
        for owners in range(1, 6):
            split = [3, 0, 0, 0, 0][:owners][::-1]
            dividing += width % owners == 0
            for shard_map in ("cyclic", "block", "block_cyclic<2>"):
                distribution = spread(case, MODES, shard_map, owners=owners, samples=split)
                state = shard_run(case, distribution)[0]
                assert hexes(state["mean"]) == hexes(column_means(samples, width))
    assert dividing < 7 * 5 / 2, "most of the sizes don't divide"


MIRROR = f"""
region.learner @mirror attributes {{owners = #shard.owners<3, star, samples = [1, 0, 2]>}} {{
  region.state @w : tensor<5xf64> = dense<0.0>
  region.state @m : tensor<5xf64> = dense<-1.0>
  region.samples @data[3] : (tensor<5xf64>) = {dense(different_words(3, 5), [3, 5])}
  pointwise.contribution @itself(%w : tensor<5xf64>) sample(%x : tensor<5xf64>)
      -> (tensor<5xf64>) {{
    pointwise.return %x
  }}
  pointwise.update @take(%g : tensor<5xf64>) -> (tensor<5xf64>) {{
    pointwise.return %g
  }}
  pointwise.update @turn(%w : tensor<5xf64>) -> (tensor<5xf64>) {{
    %m = pointwise.map over [i : 5] (%a = %w[4 - i]) {{
      pointwise.yield %a
    }} : tensor<5xf64>
    pointwise.return %m
  }}
  region.round {{
    %w = region.read @w : tensor<5xf64>
    %sum, %count = pointwise.sum @itself(%w) over @data : tensor<5xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @take(%g) : tensor<5xf64>
    %m1 = pointwise.apply @turn(%w1) : tensor<5xf64>
    region.advance @w = %w1, @m = %m1
  }}
}}

shard.learner @mirror owners #shard.owners<3, star, samples = [1, 0, 2]> {{
  shard.place @w by cyclic
  shard.place @m by block
  shard.place @data by [1, 0, 2]
  shard.round {{
    %w = shard.read @w : !shard.owned<tensor<5xf64>, cyclic, +0>
    %w_all = shard.replicate %w : !shard.replica<tensor<5xf64>, +0>
    %c = shard.contribute @itself(%w_all) over @data by [1, 0, 2]
      : !shard.contribution<tensor<5xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 0, 2], combine = left>
      deliver owners cyclic : !shard.total<tensor<5xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<5xf64>, cyclic, +0>
    %w1 = shard.update @take(%g) : !shard.owned<tensor<5xf64>, cyclic, +1>
    %w1_all = shard.combine select %w1 deliver all : !shard.replica<tensor<5xf64>, +1>
    shard.release %w_all
    %m1 = shard.update @turn(%w1_all) : !shard.owned<tensor<5xf64>, block, +1>
    shard.advance @w = %w1, @m = %m1
  }}
}}
"""


def test_C21_a_read_through_another_map_sees_the_new_version() -> None:
    """legion #130: a sum went through a disjoint partition, a read through an aliased one saw zero.

    Words that are made by one map and read by another are those of the version made.
    """
    wanted = column_means(different_words(3, 5), 5)
    case, distribution = written(MIRROR)
    state = shard_run(case, distribution)[0]
    assert (hexes(state["w"]), hexes(state["m"])) == (hexes(wanted), hexes(wanted[::-1]))
    assert proved(case, distribution)


def test_C21_a_read_of_the_old_version_or_of_another_owner_is_no_proof() -> None:
    """The same round that reads the old words is not proved; one that reads past its owner ends."""
    release = "shard.release %w_all\n"
    late = edited(MIRROR, (release, "\n"), ("@turn(%w1_all)", "@turn(%w_all)"))
    late = edited(late, ("shard.advance", f"{release}    shard.advance"))
    case, distribution = written(late)
    assert not proved(case, distribution)
    assert hexes(shard_run(case, distribution)[0]["m"]) == hexes([0.0] * 5)
    caught = refusal(edited(MIRROR, ("@turn(%w1_all)", "@turn(%w1)")))
    assert caught.code == "shard-not-held"
    assert caught.message == "expected owner 0 with %w1[4] for %m1[0], found owner 1 has it"
    moved = "%b = shard.transfer %w1 to [stride(3, 1, 2), stride(1, 1, 2), stride(0, 1, 1)]"
    to = "!shard.owned<tensor<5xf64>, [stride(3, 1, 2), stride(1, 1, 2), stride(0, 1, 1)], +1>"
    sent = edited(MIRROR, ("%m1 =", f"{moved} : {to}\n%m1 ="), ("@turn(%w1_all)", "@turn(%b)"))
    case, distribution = written(sent)
    assert proved(case, distribution)


@pytest.mark.parametrize(
    ("owners", "topology"), [(16, "tree<2>"), (15, "tree<2>"), (15, "star"), (15, "tree<1>")]
)
def test_C27_unequal_groups_are_the_usual_case(owners: int, topology: str) -> None:
    """nccl #2385: 7 + 8 ranks on two nodes came to a standstill.

    The two subtrees below the root have 8 and 7 owners; all sums and words arrive.
    """
    split = [(3 * role) % 4 for role in range(owners)]
    assert len(set(split)) == 4
    samples = different_words(sum(split), 5)
    everywhere(
        means(samples, [5]), [split], {"mean": column_means(samples, 5)}, topologies=[topology]
    )
