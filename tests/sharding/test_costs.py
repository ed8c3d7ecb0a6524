"""What a distribution costs, as computed: what owners hold and send when it is run.

The formulas of the design for Adam, and a few rounds counted by hand, stand beside the comparison
of the two, which might share a mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from oracle.orders import Order
from oracle_comparison.running import with_contract
from sharding.least_squares import RULES, random_text
from sharding.level_agreement import agrees_in_bits, agrees_in_costs
from sharding.product import MAPS, SUBSETS, Choice, Row, covering_rows, partitioned, read

from alpha.ir.contracts import Contract, Tree
from alpha.ir.protocol.parts import PartsUp
from alpha.ir.sharding.costs import Cost, costs_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.edges import Constant, Exchange, Moved, Parts, Pieces, Routed
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.verification import verify_shards
from alpha.ir.topologies import PreorderTree
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

TOPOLOGIES = ("star", "tree<1>", "tree<2>", "tree<3>")


def coordinates_of(map: str, role: int, owners: int, size: int) -> int:
    """How many coordinates a role has, counted one by one."""
    match map:
        case "cyclic":
            return sum(at % owners == role for at in range(size))
        case "block_cyclic<2>":
            return sum(at // 2 % owners == role for at in range(size))
        case _:
            return size // owners + (role < size % owners)


def distribution_of(
    text: str, owners: int, topology: str, choice: Choice
) -> tuple[LearnerFile, Distribution]:
    """A learner with its distribution, verified."""
    file = read(text)
    run_pass(file.context, file.module, "distribute", owners=owners, topology=topology)
    return file, partitioned(file, choice)


FACTORS = {"modes": SUBSETS, "size": (1, 3, 4, 5, 11), "map": MAPS, "topology": TOPOLOGIES}
ADAM = covering_rows(2, FACTORS)
"""Every two values of two factors are met; `make verify-product` has all rows."""


@pytest.mark.parametrize("row", ADAM, ids=lambda row: " ".join(map(str, row.values())))
def test_adam_keeps_the_words_of_the_design(row: Row) -> None:
    size, modes, map = row["size"], row["modes"], row["map"]
    text, owners = random_text("adam", size, 6), 4
    file, distribution = distribution_of(text, owners, row["topology"], Choice(map, modes))
    running = agrees_in_bits(file, distribution, 1)
    for cost, owner in zip(costs_of(distribution), running.owners, strict=True):
        own = coordinates_of(map, cost.role, owners, size)
        wanted = {
            (False, False): 3 * size + 2,
            (True, False): size + 2 * own + 2,
            (False, True): 2 * size + own + 2,
            (True, True): 3 * own + 2,
        }["optimizer" in modes, "parameters" in modes]
        assert cost.words_kept == wanted
        assert sum(words.size for words in owner.words.values()) == wanted
        assert cost.persistent == 8 * wanted
        # The replica of the parameters is held beside them, and given back in the round.
        replica = size if "parameters" in modes else 0
        assert cost.peak == 8 * (wanted + replica)


def explicit_map(random: Random, owners: int, size: int) -> str:
    """Any owner for each coordinate, as selections."""
    roles = [random.randrange(owners) for _ in range(size)]
    pieces = []
    for role in range(owners):
        own = [f"stride({at}, 1, 1)" for at in range(size) if roles[at] == role]
        joined = own[0] if len(own) == 1 else f"join({', '.join(own)})"
        pieces.append(joined if own else "empty")
    return f"[{', '.join(pieces)}]"


@pytest.mark.parametrize("seed", range(30))
def test_random_distributions_cost_what_they_take(seed: int) -> None:
    random = Random(seed)
    size, samples, owners = (
        random.choice((0, 1, 2, 5, 9)),
        random.randrange(1, 9),
        random.randrange(1, 9),
    )
    text = random_text(random.choice(RULES), size, samples)
    if random.random() < 0.5:
        ends = sorted(random.randrange(samples + 1) for _ in range(random.randrange(6)))
        groups = tuple(b - a for a, b in zip([0, *ends], [*ends, samples], strict=True))
        text = with_contract(text, Order(groups, random.randrange(4)))
    pairs = ["pair"] if owners == 2 else []
    topology = random.choice([*TOPOLOGIES, "tree<4>", *pairs])
    for modes in random.sample(SUBSETS, 3):
        map = random.choice((*MAPS, "block_cyclic<3>", explicit_map(random, owners, size)))
        file, distribution = distribution_of(text, owners, topology, Choice(map, modes))
        agrees_in_costs(distribution, agrees_in_bits(file, distribution, 2), 2)


def bytes_of(costs: Sequence[Cost]) -> list[tuple[int, int]]:
    """What each role sends and receives."""
    return [(cost.sent, cost.received) for cost in costs]


def test_a_pair_by_hand() -> None:
    """Plain steps of 3 coordinates; owner 1 has 1 of them under `cyclic`."""
    text = random_text("sgd", 3, 4)

    def counted(*modes: str) -> list[tuple[int, int]]:
        _, distribution = distribution_of(text, 2, "pair", Choice("cyclic", modes))
        return bytes_of(costs_of(distribution))

    words, own, count = 3 * 8, 1 * 8, 8
    up = (words + count) + (8 + count)  # a sum and a loss, each with its count
    total, digest, verdict = words + count, 32, 8
    assert counted() == [(total + verdict, up + digest), (up + digest, total + verdict)]
    assert counted("optimizer") == counted(), "plain steps have no optimizer state"
    # Owner 1 offers its word and takes in all words, instead of agreeing on what it computed.
    replaced = [(total + words, up + own), (up + own, total + words)]
    assert counted("parameters") == replaced
    # Of the sum it gets its own word alone.
    sent, received = counted("gradients")[1]
    assert sent == up + own
    assert own + words <= received <= own + words + count


def test_a_chain_relays() -> None:
    """Roles 0, 1 and 2 below one another: what role 2 sends goes through role 1."""
    text = random_text("sgd", 2, 3)
    _, replicated = distribution_of(text, 3, "tree<1>", Choice("cyclic", ()))
    # tree<1> adds from the end: (2) is added to (1) by role 1, so everyone sends one part.
    part, loss, digest, verdict = 2 * 8 + 8, 8 + 8, 32, 8
    up, down = part + loss + digest, part + verdict
    assert bytes_of(costs_of(replicated)) == [(down, up), (up + down, up + down), (up, down)]
    left = with_contract(text, Order((1, 1, 1)))
    _, unsummed = distribution_of(left, 3, "tree<1>", Choice("cyclic", ()))
    # Left adds 0 + 1 first, so role 1 hands on two parts that it may not add.
    twice = up + part + loss
    assert bytes_of(costs_of(unsummed)) == [(down, twice), (twice + down, up + down), (up, down)]


def test_a_star_has_one_message_a_role() -> None:
    text = random_text("sgd", 4, 8)
    for owners in range(1, 9):
        _, distribution = distribution_of(text, owners, "star", Choice("block", ()))
        others = owners - 1
        up, down = (4 * 8 + 8) + (8 + 8) + 32, (4 * 8 + 8) + 8
        wanted = [(others * down, others * up), *[(up, down)] * others]
        assert bytes_of(costs_of(distribution)) == wanted


def test_gradients_keep_no_word() -> None:
    for rule in RULES:
        text = random_text(rule, 7, 5)
        for modes in SUBSETS:
            kept = []
            for each in ({*modes} - {"gradients"}, {*modes} | {"gradients"}):
                choice = Choice("block", tuple(sorted(each)))
                _, distribution = distribution_of(text, 4, "tree<2>", choice)
                kept.append([(cost.words, cost.persistent) for cost in costs_of(distribution)])
            # An update by owners keeps no more than one by all.
            assert kept[0] == kept[1]


def test_words_of_binary32_cost_half() -> None:
    double = random_text("adam", 5, 6)
    costs = []
    for text in (double, double.replace("f64", "f32")):
        _, distribution = distribution_of(text, 3, "star", Choice("cyclic", SUBSETS[-1]))
        costs.append(costs_of(distribution))
    for one, other in zip(*costs, strict=True):
        assert one.words == other.words
        assert (one.persistent, one.peak) == (2 * other.persistent, 2 * other.peak)


TRANSFER = """
region.learner @moving {
  region.state @w : tensor<5xf64> = dense<[1.0, 2.0, 3.0, 4.0, 5.0]>
  pointwise.update @halve(%w : tensor<5xf64>) -> (tensor<5xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = pointwise.map over [i : 5] (%a = %w[i], %h = %half) {
      %b = arith.mulf %a, %h : f64
      pointwise.yield %b
    } : tensor<5xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<5xf64>
    %w1 = pointwise.apply @halve(%w) : tensor<5xf64>
    region.advance @w = %w1
  }
}
shard.learner @moving owners #shard.owners<OWNERS> {
  shard.place @w by HOME
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<5xf64>, HOME, +0>
    %there = shard.transfer %w to AWAY : !shard.owned<tensor<5xf64>, AWAY, +0>
    %w1 = shard.update @halve(%there) : !shard.owned<tensor<5xf64>, AWAY, +1>
    %back = shard.transfer %w1 to HOME : !shard.owned<tensor<5xf64>, HOME, +1>
    shard.advance @w = %back
  }
}
"""


@pytest.mark.parametrize("owners", ["2, pair", "3, star", "4, tree<2>", "5, tree<1>", "7, tree<3>"])
def test_a_transfer_takes_the_way_along_the_tree(owners: str) -> None:
    for seed in range(5):
        random, count = Random(seed), int(owners[0])
        maps = ["cyclic", "block", explicit_map(random, count, 5), explicit_map(random, count, 5)]
        home, away = random.sample(maps, 2)
        text = TRANSFER.replace("OWNERS", owners).replace("HOME", home).replace("AWAY", away)
        file = read(text)
        distribution = partitioned(file, Choice("cyclic", ()))
        verify_shards(distribution)
        agrees_in_costs(distribution, agrees_in_bits(file, distribution, 2), 2)
    star = TRANSFER.replace("OWNERS", "3, star").replace("HOME", "block").replace("AWAY", "cyclic")
    costs = costs_of(partitioned(read(star), Choice("cyclic", ())))
    # Words 1, 2, 3 and 4 move: 0 -> 1, 1 -> 2 (through 0), 1 -> 0, 2 -> 1 (through 0); and back.
    assert bytes_of(costs) == [(2 * 3 * 8, 2 * 3 * 8), (2 * 2 * 8, 2 * 2 * 8), (2 * 8, 2 * 8)]


def routed(tree: PreorderTree, of: int, to: int, size: int, edges: dict[tuple[int, int], int]):
    """Bytes from role to role: up to the last role above both, and down."""
    up, down = tree.path(of), tree.path(to)
    common = sum(one == other for one, other in zip(up, down, strict=False))
    for step in pairwise([*reversed(up[common - 1 :]), *down[common:]]):
        edges[step] = edges.get(step, 0) + size


def test_exchanges_along_every_edge() -> None:
    """Word by word, from role to role; what a role's children take together is their sum."""
    random = Random(7)
    for _ in range(150):
        owners, size, word = (random.randrange(1, limit) for limit in (12, 9, 5))
        tree = PreorderTree(owners, random.randrange(1, 6))
        texts = ["cyclic", "block", *(explicit_map(random, owners, size) for _ in range(2))]
        home, away = (ShardMap.parse(text) for text in random.sample(texts, 2))
        target = random.randrange(owners)
        moved, gathered, scattered, direct = ({} for _ in range(4))
        for at in range(size):
            holder, taker = (map.owner(at, owners, size) for map in (home, away))
            routed(tree, holder, taker, word, moved)
            routed(tree, holder, 0, word, gathered)
            routed(tree, 0, holder, word, scattered)
        routed(tree, 0, target, word, direct)
        every = {(tree.parent(role), role): 5 for role in range(1, owners)}
        every |= {(role, tree.parent(role)): 3 for role in range(1, owners)}
        contract = Contract([1] * owners, Tree(tree.fan_out))
        one_each = {(role, tree.parent(role)): 7 for role in range(1, owners)}
        settings: list[tuple[Exchange, dict]] = [
            (Moved(tree, home, away, size, word), moved),
            (Pieces(tree, home, size, word, True), gathered),
            (Pieces(tree, home, size, word, False), scattered),
            (Routed(tree, target, word), direct),
            (Constant(tree, 3, 5), every),
            (Parts(tree, PartsUp(tree, ShardMap.parse("block"), contract, owners), 7), one_each),
        ]
        for exchange, edges in settings:
            for role in range(owners):
                sent = sum(bytes for (of, _), bytes in edges.items() if of == role)
                received = sum(bytes for (_, to), bytes in edges.items() if to == role)
                assert exchange.sent_and_received(role) == (sent, received), (exchange, role)
                children = tree.children(role)
                assert exchange.ups(role) == sum(map(exchange.up, children))
                assert exchange.downs(role) == sum(map(exchange.down, children))


def test_costs_are_a_sequence() -> None:
    _, distribution = distribution_of(random_text("adam", 5, 6), 7, "tree<2>", Choice("block", ()))
    costs = costs_of(distribution)
    listed = list(costs)
    assert [cost.role for cost in listed] == list(range(7)) == list(range(len(costs)))
    assert costs[-1] == listed[6] and costs[1:5:2] == listed[1:5:2] and costs[::-1] == listed[::-1]
    for index in (-8, 7):
        with pytest.raises(IndexError):
            costs[index]
