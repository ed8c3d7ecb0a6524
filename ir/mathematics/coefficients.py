"""The constants of the lists: coefficients of polynomials, and the parts of ln 2.

Invariant: `tests/mathematics/fitting.py` computes each of these words again, from their meaning.
"""

EXPONENTIAL = (
    float.fromhex("0x1.5555555555556p-3"),
    float.fromhex("0x1.5555555555555p-5"),
    float.fromhex("0x1.11111111109b5p-7"),
    float.fromhex("0x1.6c16c16c167e2p-10"),
    float.fromhex("0x1.a01a01a7c2f2cp-13"),
    float.fromhex("0x1.a01a01a47a5abp-16"),
    float.fromhex("0x1.71de0db2eb873p-19"),
    float.fromhex("0x1.27e4e1f71bcbbp-22"),
    float.fromhex("0x1.af389eea54156p-26"),
    float.fromhex("0x1.1f66d957d0ef0p-29"),
)
"""Q with exp(r) = 1 + r + r^2 / 2 + r^3 Q(r) for |r| up to half of ln 2."""

LOGARITHM = (
    float.fromhex("0x1.5555555555555p-1"),
    float.fromhex("0x1.9999999999f17p-2"),
    float.fromhex("0x1.24924923de6e8p-2"),
    float.fromhex("0x1.c71c72df5869dp-3"),
    float.fromhex("0x1.745cac43b0504p-3"),
    float.fromhex("0x1.3b29d04981d3dp-3"),
    float.fromhex("0x1.0e8c555ecbc33p-3"),
    float.fromhex("0x1.169c3b5da1bb4p-3"),
)
"""R with log(1 + f) = 2 s + s z R(z), s = f / (2 + f), z = s^2, for 1 + f from 2/3 to 4/3."""

LOG_2_HIGH = float.fromhex("0x1.62e42fefa3800p-1")
"""42 bits of ln 2: its product with a whole number of 11 bits is exact."""

LOG_2_LOW = float.fromhex("0x1.ef35793c76730p-45")
"""ln 2 without those bits, to the nearest word."""

LOG_2_RECIPROCAL = float.fromhex("0x1.71547652b82fep+0")
