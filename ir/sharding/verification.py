"""Decides whether a distribution can be right, whatever its programs compute.

Invariant: a distribution that `verify_shards` accepts covers every coordinate once, sums every
    sample once in the declared order, mixes no versions, holds no replica across a round, writes
    each word by its authority and reads only what its owner has. That it then gives the learner's
    words is what `alpha verify` proves.
Refuses: what the checks refuse; `docs/refusals.md` has every code.
Entry: `verify_shards`, `refusals_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from alpha.ir.refusals import Refusal
from alpha.ir.sharding.checks.authority import check_authority
from alpha.ir.sharding.checks.contributions import check_contributions
from alpha.ir.sharding.checks.coverage import check_coverage
from alpha.ir.sharding.checks.locality import check_locality
from alpha.ir.sharding.checks.replicas import check_replicas
from alpha.ir.sharding.checks.versions import check_versions
from alpha.ir.sharding.distribution import Distribution

CHECKS: tuple[Callable[[Distribution], Iterator[Refusal]], ...] = (
    check_coverage,
    check_contributions,
    check_versions,
    check_authority,
    check_replicas,
    check_locality,
)
"""In this order, so that a check may rely on what those before it look at."""


def refusals_of(distribution: Distribution) -> Iterator[Refusal]:
    """Everything that is wrong with a distribution, in the order of the checks."""
    for check in CHECKS:
        yield from check(distribution)


def verify_shards(distribution: Distribution, without: Collection[str] = ()) -> None:
    """Refuse a distribution that can't be right.

    `without` names codes that are passed over, to see what else would catch a fault.

    Raises:
        Refusal: the first that isn't passed over.
    """
    for refusal in refusals_of(distribution):
        if refusal.code not in without:
            raise refusal
