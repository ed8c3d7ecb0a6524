"""Cases of pending sums: what is still in parts has a type of its own, and only a combine reads it.

The data have mixed signs and unequal parts, so that no operation commutes with the sum by accident.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from cases.optimizers import scaled
from cases.running import (
    MODES,
    bits,
    edited,
    everywhere,
    hexes,
    printed,
    proved,
    read,
    refusal,
    shard_run,
    totals,
    written,
)
from cases.texts import means, replaced

SAMPLES = [4.0, -9.0, -16.0, 1.0, -3.0, 27.0]
OWNERS = "4, star, samples = [1, 2, 3, 0]"
MEAN = 4.0 / 6.0

PENDING = "!shard.contribution<f64, @data, +0>"
KEPT = "pointwise.return %w, %g"


def measured(operation: str, samples: list[float], owners: str = OWNERS) -> str:
    """A learner that keeps one operation of the mean of its samples."""
    lines = f"%q = {operation} %g : f64\n    {KEPT.replace('%g', '%q')}"
    return replaced(means(samples, owners=owners), (KEPT, lines))


def refused_wherever_it_is_pending(text: str) -> None:
    """See that the update of a learner takes the mean alone, at both levels.

    In place of the mean: the sum that isn't divided, each owner's part, and the total, whether all
    owners have it, role 0 alone, or the owners of its coordinates.
    """
    applied = "pointwise.apply @keep(%w, %mean, %g)"
    caught = refusal(lambda: read(replaced(text, (applied, applied.replace("%g)", "%sum)")))))
    assert caught.code == "pointwise-type" and "!region.sum<f64, @data>" in caught.found
    for modes, own in (((), ""), (MODES, "_own")):
        distribution = printed(text, modes)
        written(distribution)
        update = f"shard.update @keep(%w{own}, %mean, %g)"
        for value in ("%0", "%sum", "%2"):
            wrong = edited(distribution, (update, update.replace("%g)", f"{value})")))
            caught = refusal(wrong)
            assert caught.code == "pointwise-type"
            assert caught.expected == "owned words or replicas in an update"
            assert caught.found.startswith(PENDING if value == "%0" else "!shard.total<f64, @data")


UNARY: dict[str, Callable[[float], float]] = {
    "math.absf": abs,
    "math.sqrt": math.sqrt,
    "arith.negf": lambda word: -word,
}


NORM = """
    %squares = pointwise.fold add left along [i : SIZE] (%a = %g[i]) {
      %aa = arith.mulf %a, %a : f64
      pointwise.yield %aa
    } : f64
    %s = math.sqrt %squares : f64"""

MAXIMUM = """
    %most = pointwise.fold max left along [i : SIZE] (%a = %g[i]) {
      pointwise.yield %a
    } : f64
    %s = math.absf %most : f64"""


@pytest.mark.parametrize(
    ("scale", "of"),
    [(NORM, lambda g: math.sqrt(g[0] * g[0] + g[1] * g[1])), (MAXIMUM, lambda g: abs(max(g)))],
    ids=["norm", "maximum"],
)
def test_T01_a_norm_or_maximum_of_a_part_is_refused(
    scale: str, of: Callable[[list[float]], float]
) -> None:
    """pytorch PR #165962 and #159856: the operation ran on the parts, and the sum came behind it.

    A maximum or a norm is of the mean of all samples, or is refused.
    """
    samples = [3.0, -4.0, 1.0, 0.0, -2.0, 7.0]
    text = scaled(samples, [0.5, 0.25], scale, owners="3, star, samples = [1, 0, 2]")
    mean = [sum(samples[0::2]) / 3, sum(samples[1::2]) / 3]
    case, distribution = written(printed(text))
    wanted = [of(mean) * each for each in mean]
    assert hexes(shard_run(case, distribution)[0]["last"]) == hexes(wanted)
    assert proved(case, distribution)
    update = "shard.update @scaled(%w, %g)"
    for value in ("%0", "%sum"):
        caught = refusal(edited(printed(text), (update, update.replace("%g", value))))
        assert caught.code == "pointwise-type"
        assert caught.expected == "owned words or replicas in an update"


@pytest.mark.parametrize("operation", UNARY)
def test_T02_no_operation_passes_through_a_pending_sum(operation: str) -> None:
    """pytorch #174536: `abs` of parts passed a validator whose parts were multiples of one another.

    Every operation on a part or an undivided total is refused; on the mean it is exact.
    """
    refused_wherever_it_is_pending(measured(operation, SAMPLES))
    wanted = UNARY[operation](MEAN)
    everywhere(measured(operation, SAMPLES, ""), [(1, 2, 3, 0), (6,)], {"mean": wanted})


def test_T02_the_data_tell_the_order_apart() -> None:
    """On these samples the magnitude of the mean is no mean of magnitudes, of words or of parts."""
    parts = (SAMPLES[:1], SAMPLES[1:3], SAMPLES[3:])
    of_parts = sum(abs(sum(part)) for part in parts) / 6
    assert len({abs(MEAN), of_parts, sum(map(abs, SAMPLES)) / 6}) == 3
    negative = [-each for each in SAMPLES]
    everywhere(measured("math.absf", negative, ""), [(1, 2, 3, 0), (6,)], {"mean": MEAN})


def test_T04_a_nonlinear_reader_of_an_unreduced_value_is_refused() -> None:
    """sdy accepts `exp` of a value that isn't reduced yet.

    The type says that it isn't; a part is no operand of anything but its combine.
    """
    for operation in ("math.sqrt", "math.exp", "math.log", "math.tanh", "pointwise.sigmoid"):
        refused_wherever_it_is_pending(measured(operation, SAMPLES))
    caught = refusal(lambda: read(measured("math.sin", SAMPLES)))
    assert caught.code == "target-unsupported"
    text = printed(measured("math.sqrt", SAMPLES))
    both = f"{PENDING}, {PENDING}"
    for line in (
        "%9 = shard.partition %0 by cyclic : !shard.owned<f64, cyclic, +0>",
        "%9 = shard.replicate %0 : !shard.replica<f64, +0>",
        "%9 = shard.transfer %0 to cyclic : !shard.owned<f64, cyclic, +0>",
        "%9 = shard.combine select %0 deliver all : !shard.replica<f64, +0>",
        f"%8, %9 = shard.contribute @itself(%0) over @data by [1, 2, 3, 0] : {both}",
        "shard.release %0",
        "shard.agree %0",
    ):
        caught = refusal(edited(text, ("shard.agree", f"{line}\nshard.agree")))
        assert caught.code in ("pointwise-type", "source-structure", "shard-not-held"), line
        assert PENDING in caught.found


def test_T05_a_gradient_of_a_replicated_parameter_is_of_all_owners() -> None:
    """jax #3970 and #36886, jax-finufft #226: it was 0.0, or one owner's, with the checks off.

    Each owner's part is pending until the combine: two owners' ones total 2.0.
    """
    text = means([1.0, 1.0])
    assert totals(text, [(1, 1), (2, 0), (0, 1, 1)]) == {bits(2.0)}
    everywhere(text, [(1, 1), (0, 1, 1)], {"mean": 1.0})
    distribution = printed(means([1.0, 1.0], owners="2, pair"))
    advance = "@w = %w1, @mean = %mean1"
    assert proved(*written(distribution))
    caught = refusal(edited(distribution, (advance, advance.replace("%mean1", "%0"))))
    assert (caught.code, caught.found) == ("shard-version-mixed", "+0")
    mean = "%g = shard.mean %sum : !shard.replica<f64, +0>"
    part = f"%h = shard.mean %0 : {PENDING}\n{mean}"
    caught = refusal(edited(distribution, (mean, part)))
    assert (caught.code, caught.found) == ("shard-sum-pending", PENDING)
