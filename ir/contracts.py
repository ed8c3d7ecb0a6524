"""The contract of a sum over samples: the declared order of its floating-point additions.

Invariant: a contract has at least one group, and no group has fewer than 0 samples. The samples, in
    order, fall into groups; each group's sum starts at -0.0, the identity of IEEE addition, and
    adds its samples in order; then the groups' sums are combined. So a group without samples
    changes no bit.
Why: addition of floating-point numbers isn't associative, so the order is part of what a learner
    means. It is declared here, and whoever computes the sum has to keep it.
Refuses: region-contract-groups, region-tree-fan-out, shard-owner-range.
Entry: `Contract`, `Left`, `Tree`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from alpha.ir.canonical import digest
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs, even_runs
from alpha.ir.topologies import FAN_OUT_MAX, PreorderTree, Topology, check_fan_out

GROUPS_MAX = FAN_OUT_MAX
"""Most groups of a contract: as many as there can be owners."""


@dataclass(frozen=True)
class Left:
    """Left-deep: ((group 0 + group 1) + group 2) + ..."""

    def tree(self, groups: int) -> PreorderTree:
        """The tree of this order: all groups but the first are children of the first."""
        return PreorderTree(groups, max(groups - 1, 1))

    def __str__(self) -> str:
        return "left"


@dataclass(frozen=True)
class Tree:
    """Over the preorder tree in which group g is node g: own group, then children's totals."""

    fan_out: int

    def __post_init__(self) -> None:
        check_fan_out(self.fan_out)

    def tree(self, groups: int) -> PreorderTree:
        """The tree of this order."""
        return PreorderTree(groups, self.fan_out)

    def __str__(self) -> str:
        return f"tree<{self.fan_out}>"


@dataclass(frozen=True, init=False)
class Contract:
    """`groups = [1, 2, 3, 0], combine = left`: how many samples each group has, and the order."""

    groups: Runs
    combine: Left | Tree

    def __init__(self, groups: Iterable[int], combine: Left | Tree) -> None:
        runs = Runs.of(groups)
        if not runs.length:
            raise Refusal("region-contract-groups", "at least one group", "none")
        if runs.length > GROUPS_MAX:
            wanted = f"at most {GROUPS_MAX} groups"
            raise Refusal("region-contract-groups", wanted, f"{runs.length}")
        if runs.least < 0:
            wanted = "groups of 0 or more samples"
            raise Refusal("region-contract-groups", wanted, f"{runs.least}")
        object.__setattr__(self, "groups", runs)
        object.__setattr__(self, "combine", combine)

    @classmethod
    def single(cls, samples: int) -> Contract:
        """All samples in one group: the order of an undistributed sum."""
        return cls((samples,), Left())

    @classmethod
    def from_owners(
        cls, count: int, samples: int, topology: Topology, split: Iterable[int] | None = None
    ) -> Contract:
        """The contract that owners declare: one group an owner, combined as they exchange.

        Args:
            count: how many owners there are.
            samples: how many samples there are in all.
            topology: `tree<F>` combines by that tree; `pair` and `star` combine left.
            split: how many samples each owner has; without it sizes differ by at most one, larger
                first.

        Raises:
            Refusal: `shard-owner-range` without owners, for a pair that isn't two, or if `split`
                isn't one number an owner; `region-contract-groups` if it has another total.
        """
        topology.tree(count)
        groups = even_runs(samples, count) if split is None else Runs.of(split)
        if groups.length != count:
            wanted = f"{count} numbers of samples, one an owner"
            raise Refusal("shard-owner-range", wanted, f"{groups.length}")
        combine = Tree(topology.fan_out) if topology.form == "tree" else Left()
        contract = cls(groups, combine)
        contract.check(samples)
        return contract

    def check(self, samples: int) -> None:
        """See that the groups hold all samples.

        Raises:
            Refusal: `region-contract-groups` if their sizes don't add up to `samples`.
        """
        total = self.groups.total
        if total != samples:
            wanted = f"groups that add up to {samples} samples"
            raise Refusal("region-contract-groups", wanted, f"{total}")

    def schedule(self) -> Iterator[tuple[int, int]]:
        """The additions that combine the groups' sums, in an order in which they can be made.

        Each (into, of) replaces the sum of group `into` by itself plus that of group `of`, in this
        order of operands; at the end group 0 has the total. O(groups) time and space.
        """
        return self.combine.tree(len(self.groups)).additions()

    def digest(self) -> str:
        """SHA-256 of the contract, in hexadecimal."""
        runs = tuple((size, count) for count, size in self.groups.pairs)
        return digest(("contract", runs, str(self.combine)))

    def __str__(self) -> str:
        return f"groups = [{self.groups}], combine = {self.combine}"
