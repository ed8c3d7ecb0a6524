"""Steps of SHA-256, for targets with feature `sha`.

An instruction does two rounds. It has the state in the order f, e, b, a and h, g, d, c, from lane 0
on (Intel SDM, volume 2, SHA256RNDS2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.ir import Operation

from alpha.backends.core.program import Value
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import literal
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule

KEY = "4xi32"
NEEDED = "sha256rnds2"
"""The row that there is if the processor has the instructions."""

SWAPPED = bytes(at ^ 3 for at in range(16))
"""The bytes of each word from the highest on, for `vpshufb`."""

PAIRS, TURNED, UPPER = 0b10_11_00_01, 0b00_01_10_11, 0b11_10_11_10
"""Orders for `vpshufd`: each pair turned, all turned, the upper two words below."""

UPPER_HALF = 0xF0
"""The words of 16 bits that `vpblendw` takes from its second operand."""

Compute = Callable[..., Sequence[Value]]


def sha256() -> Iterator[Rule]:
    """Rules for the steps of SHA-256."""
    yield Rule("sha256.words", KEY, _matching(_words, "vpshufb_x"))
    yield rule("sha256.add", KEY, "vpaddd_x", "a b")
    for name, compute in (
        ("schedule", _scheduled),
        ("pack", _packed),
        ("rounds", _rounds),
        ("unpack", _unpacked),
    ):
        yield Rule(f"sha256.{name}", KEY, _matching(compute, NEEDED))


def _matching(compute: Compute, needed: str) -> Matching:
    """All results of all operands, where a target has a row."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        if needed not in matcher.target.rows:
            return None

        def emit(builder: Builder) -> None:
            made = compute(builder, *(builder.value(operand) for operand in op.operands))
            for result, value in zip(op.results, made, strict=True):
                builder.bind(result, value)

        return Match(list(op.operands), emit)

    return match


def _words(builder: Builder, bytes: Value) -> Sequence[Value]:
    places = builder.constant("vmovups_x_pool", literal(SWAPPED))
    return builder.emit("vpshufb_x", bytes, places)


def _scheduled(
    builder: Builder, first: Value, second: Value, third: Value, fourth: Value
) -> Sequence[Value]:
    (begun,) = builder.emit("sha256msg1", first, second)
    (seventh,) = builder.emit("vpalignr_x", fourth, third, extras=(4,))
    (added,) = builder.emit("vpaddd_x", begun, seventh)
    return builder.emit("sha256msg2", added, fourth)


def _packed(builder: Builder, abcd: Value, efgh: Value) -> Sequence[Value]:
    (badc,) = builder.emit("vpshufd_x", abcd, extras=(PAIRS,))
    (hgfe,) = builder.emit("vpshufd_x", efgh, extras=(TURNED,))
    (feba,) = builder.emit("vpalignr_x", badc, hgfe, extras=(8,))
    (hgdc,) = builder.emit("vpblendw_x", hgfe, badc, extras=(UPPER_HALF,))
    return feba, hgdc


def _rounds(builder: Builder, feba: Value, hgdc: Value, added: Value) -> Sequence[Value]:
    """What was f, e, b, a is h, g, d, c two rounds later."""
    (middle,) = builder.emit("sha256rnds2", hgdc, feba, added)
    (upper,) = builder.emit("vpshufd_x", added, extras=(UPPER,))
    (last,) = builder.emit("sha256rnds2", feba, middle, upper)
    return last, middle


def _unpacked(builder: Builder, feba: Value, hgdc: Value) -> Sequence[Value]:
    (abef,) = builder.emit("vpshufd_x", feba, extras=(TURNED,))
    (ghcd,) = builder.emit("vpshufd_x", hgdc, extras=(PAIRS,))
    (abcd,) = builder.emit("vpblendw_x", abef, ghcd, extras=(UPPER_HALF,))
    (efgh,) = builder.emit("vpalignr_x", ghcd, abef, extras=(8,))
    return abcd, efgh
