"""Mistakes that an implementation of distributions can make, each as a patch of the package.

Entry: every function that takes the patch; `test_distribution_mutants` says what notices it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from alpha.interpreters import combine, levels, prepared, shard, sums, work
from alpha.interpreters.combine import Part, Parts
from alpha.interpreters.holdings import Holdings
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.traffic import Traffic
from alpha.interpreters.words import Words
from alpha.interpreters.work import RoleWork
from alpha.ir.contracts import Contract, Left
from alpha.ir.protocol.parts import PartsUp
from alpha.ir.sharding import costs
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.edges import Pieces
from alpha.ir.sharding.maps import Block, ShardMap
from alpha.passes import distribute, partition_gradients

Patch = pytest.MonkeyPatch

# Mutants of combining


def operands_exchanged_where_parts_arrive(patch: Patch) -> None:
    right = combine.add_what_is_there

    def add(additions: Any, parts: Parts, carrier: Any) -> None:
        right(additions, parts, _Exchanging(carrier))  # pyright: ignore[reportArgumentType]

    patch.setattr(combine, "add_what_is_there", add)


class _Exchanging:
    def __init__(self, carrier: Any) -> None:
        self._carrier = carrier

    def apply(self, operation: str, one: Any, other: Any) -> Any:
        return self._carrier.apply(operation, other, one)


def added_before_it_is_complete(patch: Patch) -> None:
    def add(additions: Any, parts: Parts, carrier: Any) -> None:
        for into in sorted(parts):
            for of in additions._tree.children(into):
                if into in parts and of in parts:
                    one, other = parts[into], parts.pop(of)
                    words = carrier.apply("arith.addf", one.words, other.words)
                    parts[into] = Part(words, one.count + other.count)

    patch.setattr(combine, "add_what_is_there", add)


def added_with_another_order(patch: Patch) -> None:
    right = combine.combine_up

    def up(tree: Any, owners: Any, contract: Contract, *rest: Any) -> Parts:
        return right(tree, owners, Contract(contract.groups, Left()), *rest)

    patch.setattr(combine, "combine_up", up)
    patch.setattr(shard, "combine_up", up)


def a_total_added_twice(patch: Patch) -> None:
    right = combine.combine_up

    def up(tree: Any, owners: Any, contract: Any, carrier: Any, sent: Any) -> Parts:
        (total,) = right(tree, owners, contract, carrier, sent).values()
        words = carrier.apply("arith.addf", total.words, total.words)
        return {0: Part(words, 2 * total.count)}

    patch.setattr(shard, "combine_up", up)


def a_count_left_behind(patch: Patch) -> None:
    right = combine.combine_up

    def up(*given: Any) -> Parts:
        (total,) = right(*given).values()
        return {0: Part(total.words, total.count - 1)}

    patch.setattr(shard, "combine_up", up)
    patch.setattr(combine, "combine_up", up)


def parts_sent_twice(patch: Patch) -> None:
    right = combine.combine_up

    def up(tree: Any, owners: Any, contract: Any, carrier: Any, sent: Any) -> Parts:
        def twice(child: int, parent: int, parts: int) -> None:
            sent(child, parent, parts)
            sent(child, parent, parts)

        return right(tree, owners, contract, carrier, twice)

    patch.setattr(shard, "combine_up", up)


# Mutants of owners and what they hold


def the_fragment_of_the_neighbour(patch: Patch) -> None:
    right = Holdings.cut

    def cut(self: Holdings, whole: np.ndarray, map: Any, role: int) -> np.ndarray:
        return right(self, whole, map, (role + 1) % self.owners)

    patch.setattr(Holdings, "cut", cut)


def coordinates_of_the_neighbour(patch: Patch) -> None:
    right = Holdings.coordinates

    def coordinates(self: Holdings, map: Any, role: int, size: int) -> np.ndarray:
        return right(self, map, (role + 1) % self.owners, size)

    patch.setattr(Holdings, "coordinates", coordinates)


def the_last_piece_left_out(patch: Patch) -> None:
    right = Holdings.whole

    def whole(self: Holdings, words: Sequence[np.ndarray], map: Any, type: Any) -> np.ndarray:
        return right(self, words[:-1] if map is not None else words, map, type)

    patch.setattr(Holdings, "whole", whole)


def groups_of_the_neighbour(patch: Patch) -> None:
    right = prepared.groups_by_owner

    def groups(*given: Any, **named: Any) -> list[list[int]]:
        found = right(*given, **named)
        return [*found[1:], found[0]]

    patch.setattr(prepared, "groups_by_owner", groups)


def the_version_before(patch: Patch) -> None:
    right = RoleWork.read

    def read(self: RoleWork, op: Any) -> Any:
        now, self.owner.words = self.owner.words, self._previous
        found = right(self, op)
        self.owner.words = now
        return found

    patch.setattr(RoleWork, "read", read)


def everyone_agrees(patch: Patch) -> None:
    patch.setattr(shard, "require_equal", lambda *_: None)


def anything_is_finite(patch: Patch) -> None:
    patch.setattr(shard, "require_finite", lambda *_: None)


def published_before_it_is_looked_at(patch: Patch) -> None:
    right = ShardInterpreter._advance

    def advance(self: ShardInterpreter, op: Any, environments: Any) -> None:
        for name, value in zip(op.names(), op.values, strict=True):
            self.owners[0].words[name] = environments[0][value]
        right(self, op, environments)

    patch.setattr(ShardInterpreter, "_advance", advance)


def nothing_is_asked_of_updates(patch: Patch) -> None:
    patch.setattr(work, "require_local", lambda *_: None)


def nothing_is_asked_of_reads(patch: Patch) -> None:
    patch.setattr(prepared, "require_placed", lambda *_: None)


def nothing_is_asked_of_contributions(patch: Patch) -> None:
    patch.setattr(prepared, "require_replicas", lambda *_: None)


def observed_a_version_later(patch: Patch) -> None:
    right = work.Observation

    def observation(name: str, total: np.ndarray, count: int, version: int) -> Any:
        return right(name, total, count, version + 1)

    patch.setattr(work, "Observation", observation)


def groups_that_start_at_plus_zero(patch: Patch) -> None:
    right = Words.constant

    def constant(self: Words, value: Any, element: str) -> Any:
        return right(self, 0.0 if value == 0.0 else value, element)

    patch.setattr(Words, "constant", constant)


def groups_that_run_into_one_another(patch: Patch) -> None:
    right = sums.group_sums

    def group_sums(c: Any, program: Any, given: Any, rows: Any, groups: Any, types: Any) -> Any:
        whole = right(c, program, given, rows, [sum(groups)], types) if groups else []
        return [*whole, *right(c, program, given, rows, [0] * (len(groups) - 1), types)]

    patch.setattr(work, "group_sums", group_sums)


# Mutants of the comparison, of the passes and of the costs


def no_term_differs(patch: Patch) -> None:
    patch.setattr(levels, "words_difference", lambda *_: None)


def the_contract_of_no_owners(patch: Patch) -> None:
    right = distribute.declare_owners

    def declare(ctx: Any, op: Any, owners: Any) -> None:
        op.owners = None
        right(ctx, op, owners)

    patch.setattr(distribute, "declare_owners", declare)
    patch.setattr(Contract, "from_owners", lambda count, samples, *_: Contract.single(samples))


def sums_delivered_by_another_map(patch: Patch) -> None:
    right = partition_gradients._deliver_to_owners

    def deliver(distribution: Distribution, map: ShardMap) -> None:
        right(distribution, Block())

    patch.setattr(partition_gradients, "_deliver_to_owners", deliver)


def counts_cost_nothing(patch: Patch) -> None:
    patch.setattr(costs, "COUNT_BYTES", 0)


def every_role_sends_one_part(patch: Patch) -> None:
    patch.setattr(PartsUp, "of", lambda self, role: ((role, 0),))


def nothing_is_relayed(patch: Patch) -> None:
    def own(self: Pieces, roles: range) -> int:
        return self.word * self.map.range_size(
            roles.start, roles.start + 1, self.tree.count, self.size
        )

    patch.setattr(Pieces, "_of", own)


def agreement_is_free(patch: Patch) -> None:
    patch.setattr(Traffic, "agree", lambda self: None)
    patch.setattr(costs, "DIGEST_BYTES", 0)
    patch.setattr(costs, "VERDICT_BYTES", 0)


def a_transfer_goes_straight(patch: Patch) -> None:
    def route(self: Traffic, of: int, to: int, size: int) -> None:
        if of != to:
            self.send(of, to, size)

    patch.setattr(Traffic, "route", route)
