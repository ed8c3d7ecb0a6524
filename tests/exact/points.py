"""Words at which a root or quotient is hard to round, found by arithmetic on integers.

A square root of a double is never halfway between two doubles, nor is a quotient. The nearest ones
are found by solving congruences modulo powers of two (Hensel's lemma), and what they round to is
known from the integers, without any root or division.

Entry: `near_midpoints`, `quotients_near_midpoints`, `squares`, `SPECIAL`, `any_doubles`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

BITS = 53
LOW, HIGH = 1 << (BITS - 1), 1 << BITS

SPECIAL = np.array(
    [
        *(0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1.0, -1.0, 2.0, 3.0, 4.0, 0.25, 1e300, -1e9),
        *(5e-324, -5e-324, 2.0**-1022, 2.0**-1021, np.finfo(np.float64).max),
        *(np.nextafter(1.0, 0.0), np.nextafter(1.0, 2.0), np.nextafter(4.0, 0.0)),
        *(np.nextafter(2.0**-511, side) for side in (0.0, 2.0**-511, 1.0)),
        *(np.nextafter(2.0**513, side) for side in (0.0, 2.0**513, np.inf)),
        *(2.0**power for power in range(-1074, 1024)),
    ]
)
"""Signs, ends of ranges, and every power of two."""


def near_midpoints(offsets: Iterable[int]) -> tuple[np.ndarray, np.ndarray]:
    """Squares x = k^2 + k + j with so small a j, as doubles, and what their roots round to.

    The root is just above k + 1/2 if j > 0, else below: (k + 1/2)^2 is k^2 + k + 1/4. As k^2 + k is
    even, so is j. x is a double if it is a multiple of 2^52 and below 2^105, or one of 2^53.
    """
    found: dict[float, float] = {}
    for j in offsets:
        for start in (0, 1):
            for power in (BITS - 1, BITS):
                modulus = 1 << power
                k = start
                for _ in range(6):
                    k = (k - (k * k + k + j) * pow(2 * k + 1, -1, modulus)) % modulus
                k += LOW if k < LOW else 0
                x = k * k + k + j
                if j % 2 == 0 and LOW <= k < HIGH and int(float(x)) == x:
                    found[float(x)] = float(k + (j > 0))
    return np.array(list(found)), np.array(list(found.values()))


def quotients_near_midpoints(
    divisors: Iterable[int], offsets: Iterable[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Dividends, divisors, and what their quotients round to: x / c = m / 2^p + j / (c * 2^p).

    c is odd, m has 54 bits and is odd, so that m / 2^p is halfway between two doubles.
    """
    found: list[tuple[float, float, float]] = []
    for c in divisors:
        for j in offsets:
            for power in (BITS, BITS + 1):
                m = -j * pow(c, -1, 1 << power) % (1 << power)
                m += HIGH if m < HIGH else 0
                x, rest = divmod(m * c + j, 1 << power)
                if m % 2 and not rest and 0 < x < HIGH and HIGH <= m < 2 * HIGH:
                    rounded = m // 2 + (j > 0)
                    found.append((float(x), float(c), float(rounded) * 2.0 ** (1 - power)))
    columns = np.array(found).T
    return columns[0], columns[1], columns[2]


def squares(rng: np.random.Generator, count: int) -> np.ndarray:
    """Doubles about the squares of doubles and of what lies halfway between two."""
    k = rng.integers(LOW, HIGH, count)
    about = [
        np.array([float(number * number + more * number) for number in k.tolist()])
        for more in (0, 1)
    ]
    near = [np.nextafter(each, side) for each in about for side in (0.0, np.inf)]
    return np.concatenate([*about, *near])


def any_doubles(rng: np.random.Generator, count: int) -> np.ndarray:
    """Doubles of any bits, and as many without a sign of moderate size."""
    bits = rng.integers(0, 1 << 64, count, np.uint64)
    moderate = np.ldexp(rng.random(count) + 1.0, rng.integers(-100, 100, count))
    return np.concatenate([bits.view(np.float64), moderate])
