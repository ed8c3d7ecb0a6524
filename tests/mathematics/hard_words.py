"""f32 words whose results are closest to the halfway point of two words, by their bits.

Invariant: found by `mathematics.campaign`, which prints them with `--near`; the small odd multiples
    of 2^-23 and -2^-24 are those where sigmoid is 1/2 and a halfway step but for a third power.
Entry: `HARD`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

SIGN = 1 << 31


def _bits(word: float) -> int:
    return struct.unpack("<I", struct.pack("<f", word))[0]


_HALFWAY = tuple(_bits(odd * step) for odd in range(1, 257, 2) for step in (2.0**-23, -(2.0**-24)))

_EXP = (
    *(0x377EFF81, 0x38E69CC1, 0x39C6BE5B, 0x4001B249, 0x40315B33),
    *(0xB3000000, 0xBAE0E25C, 0xBBF0EDF1, 0xC16912CD),
)
_SIGMOID = (0x3A689801, 0x3B128604, 0x3D21BC81, 0xBA928601, 0xBE104170, 0xBF1964D0)
_TANH = (0x3AC37DE2,)

HARD: Mapping[str, tuple[int, ...]] = {
    "math.exp": _EXP,
    "math.log": (),
    "math.tanh": (*_TANH, *(SIGN | bits for bits in _TANH)),
    "pointwise.sigmoid": (*_SIGMOID, *_HALFWAY),
}
