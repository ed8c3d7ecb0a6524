"""Instructions as they are written and as a disassembler writes them, brought to one form.

Entry: `meant`, `read`, `commuted`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from x86.instances import MEMORY

from alpha.backends.x86.registers import VIEWS

PREDICATES = dict(
    enumerate(
        re.findall(
            r"\w+",
            "eq lt le unord neq nlt nle ord eq_uq nge ngt false neq_oq ge gt true eq_os lt_oq "
            "le_oq unord_s neq_us nlt_uq nle_uq ord_s eq_us nge_uq ngt_uq false_os neq_os ge_oq "
            "gt_oq true_us",
        )
    )
)
"""How the manual spells the immediates of vcmppd (volume 2, table 3-1)."""

SYMMETRIC = frozenset(
    f"v{stem}{ending}" for stem in ("add", "mul", "and", "or", "xor") for ending in ("pd", "ps")
) | frozenset(
    re.findall(
        r"\w+",
        "xchg vpaddd vpaddq vpand vpor vpxor vpandq vporq vpxorq vpmuludq vpmulld vpcmpeqd "
        "vpcmpeqq",
    )
)
SYMMETRIC_PREDICATES = frozenset(
    predicate
    for predicate in PREDICATES.values()
    if predicate.partition("_")[0] in ("eq", "neq", "ord", "unord", "true", "false")
)
"""What gives the same for operands in either order, but for the bits of a NaN."""

_BITS = {"byte": 8, "word": 16, "dword": 32, "qword": 64}
_OF_REGISTER = {
    name: 8 * view.bytes
    for view in VIEWS.values()
    if view.of.name == "gpr"
    for name in view.spelled
}
_NUMBER = re.compile(r"-?(0x[0-9a-f]+|\d+)")


def meant(text: str, bytes: int) -> list[str]:
    """The lines of a row's text; what follows it lies so many bytes behind its start."""
    lines = [line for line in text.splitlines() if not line.endswith(":")]
    return [_line(re.sub(r"\b(end\d+|2f)$", str(bytes), line)) for line in lines]


def read(lines: Iterable[str]) -> list[str]:
    """Lines of the disassembler."""
    return [_line(line) for line in lines]


def _line(line: str) -> str:
    """An instruction with its numbers in decimal, modulo the width that it computes in."""
    # The symbol of a call is outside: the zeros in its place lead to what follows.
    line = line.replace("call called", "call 5").replace("byte ptr ", "", "prefetch" in line)
    mnemonic, _, rest = line.partition(" ")
    operands = [_operand(part.strip()) for part in rest.split(",")] if rest else []
    width = _width(operands)
    operands = [
        str(int(part) % (1 << width)) if _NUMBER.fullmatch(part) else part for part in operands
    ]
    if mnemonic.startswith("vcmp") and operands[-1].isdigit():
        predicate = PREDICATES[int(operands.pop()) & 31]
        mnemonic = f"vcmp{predicate}{mnemonic[4:]}"
    return f"{mnemonic} {', '.join(operands)}".strip()


def _width(operands: list[str]) -> int:
    """The bits of the first operand, by which an immediate is understood."""
    if not operands:
        return 64
    first = operands[0]
    return _OF_REGISTER.get(first) or _BITS.get(first.partition(" ")[0], 64)


def _operand(text: str) -> str:
    text = re.sub(r" (?={)", "", text)
    if _NUMBER.fullmatch(text):
        return str(int(text, 0))
    if "[" not in text:
        return text
    before, _, inside = text.partition("[")
    inside, _, after = inside.partition("]")
    # Of an address relative to rip, the disassembler sees the zeros that the linker fills.
    if MEMORY in inside:
        inside = "rip"
    terms = inside.replace("*1", "").replace("- ", "+ -").split(" + ")
    terms = [str(int(term, 0)) if _NUMBER.fullmatch(term) else term for term in terms]
    return f"{before}[{' + '.join(term for term in terms if term != '0')}]{after}"


def commuted(line: str) -> str:
    """The same with the last two operands in one order, where they may be exchanged."""
    mnemonic, _, rest = line.partition(" ")
    operands = rest.split(", ")
    predicate = mnemonic[4:-2]
    if mnemonic in SYMMETRIC or (mnemonic.startswith("vcmp") and predicate in SYMMETRIC_PREDICATES):
        operands[-2:] = sorted(operands[-2:])
    return f"{mnemonic} {', '.join(operands)}"
