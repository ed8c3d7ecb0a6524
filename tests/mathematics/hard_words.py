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
_LOG = (
    *(0x022AE487, 0x064CB44B, 0x07C060FA, 0x0DC8BBA4, 0x0F61FF63, 0x111C87F8, 0x145CB6D4),
    *(0x14907055, 0x158772EB, 0x16C5EE7A, 0x18B06F2A, 0x1A8446CB, 0x1AAC80DC, 0x1B81AB52),
    *(0x1F116AB8, 0x22925AD4, 0x2423C085, 0x28E3FA26, 0x29E6126B, 0x29FD22F8, 0x2C4C24B7),
    *(0x2E492984, 0x38DCBE38, 0x39C31348, 0x3BF86EF0, 0x3C413D3A, 0x3E2B3421, 0x41178FEB),
    *(0x44BC4360, 0x464D5B2B, 0x4665A9A6, 0x4C5D65A5, 0x4D604EBE, 0x4E85F412, 0x54AF989D),
    *(0x5D800341, 0x5EE8984E, 0x5F64C24A, 0x62B467BA, 0x64E27FA3, 0x65D890D3, 0x66A8C860),
    *(0x66ABBD63, 0x6914CB96, 0x6D1F23EB, 0x6F31A8EC, 0x79E7EC37, 0x7D98B8F4),
)
_SIGMOID = (0x3A689801, 0x3B128604, 0x3D21BC81, 0xBA928601, 0xBE104170, 0xBF1964D0)
_TANH = (0x3AC37DE2,)

HARD: Mapping[str, tuple[int, ...]] = {
    "math.exp": _EXP,
    "math.log": _LOG,
    "math.tanh": (*_TANH, *(SIGN | bits for bits in _TANH)),
    "pointwise.sigmoid": (*_SIGMOID, *_HALFWAY),
}
