"""Each row's text: two assemblers make the same of it, and a disassembler reads what was meant."""

from __future__ import annotations

from functools import cache

import pytest
from x86.choices import all_instances
from x86.instances import text_of
from x86.machine_code import FAMILIES, disassembled, encodings
from x86.reading import commuted, meant, read

from alpha.backends.core.program import Address
from alpha.backends.x86.registers import VIEWS
from alpha.backends.x86.rows.table import ALL
from alpha.backends.x86.syntax import address, aliases, symbol
from alpha.ir.refusals import Refusal

INSTANCES = 2


@cache
def texts() -> list[str]:
    """Some instances of every row; a label is behind its row."""
    return [
        text_of(instance, dict.fromkeys(("yes", "no", "to"), f"end{number}"))
        for number, instance in enumerate(all_instances(INSTANCES, seed=1))
    ]


@cache
def codes(family: str) -> list[bytes]:
    return encodings(family, texts())


def test_two_assemblers_make_the_same_bytes_but_for_operands_that_may_be_exchanged():
    """LLVM exchanges operands where a VEX prefix becomes shorter, and GNU as those of xchg."""
    differing = [
        (text, one.hex(), other.hex())
        for text, one, other in zip(texts(), *(codes(family) for family in FAMILIES), strict=True)
        if one != other
        and [commuted(line) for line in read(disassembled(one))]
        != [commuted(line) for line in read(disassembled(other))]
    ]
    assert not differing


@pytest.mark.parametrize("family", FAMILIES)
def test_a_disassembler_reads_back_the_lines_of_a_row(family):
    differing = []
    for text, code in zip(texts(), codes(family), strict=True):
        wanted = [commuted(line) for line in meant(text, len(code))]
        found = [commuted(line) for line in read(disassembled(code))]
        if wanted != found:
            differing.append((wanted, found))
    assert not differing


def test_another_operand_would_be_seen():
    (code,) = encodings("gnu", ["vsubpd ymm1, ymm2, ymm3"])
    assert read(disassembled(code)) == meant("vsubpd ymm1, ymm2, ymm3", 0)
    assert read(disassembled(code)) != meant("vsubpd ymm1, ymm3, ymm2", 0)
    assert commuted("vsubpd ymm1, ymm3, ymm2") != commuted("vsubpd ymm1, ymm2, ymm3")


def test_every_row_is_among_the_instances():
    assert len({(row.name, row.feature) for row in ALL}) == len(ALL)
    made = {(each.row.name, each.row.feature) for each in all_instances(1, seed=1)}
    assert made == {(row.name, row.feature) for row in ALL}


STACK = (
    (Address(), ("rsp",), "mov rax, qword ptr [rsp]"),
    (Address(offset=8), ("r12",), "mov rax, qword ptr [r12 + 8]"),
    (Address(offset=-136), ("rbp",), "mov rax, qword ptr [rbp - 136]"),
    (Address(True, True, 8, 5000), ("rsp", "rbp"), "mov rax, qword ptr [rsp + rbp*8 + 5000]"),
    (Address(), ("r13",), "mov rax, qword ptr [r13]"),
)
"""Registers that an address encodes in ways of their own."""


def test_addresses_of_the_frame_are_what_they_say():
    said = [f"mov rax, qword ptr {address(place, names, '')}" for place, names, _ in STACK]
    assert said == [text for _, _, text in STACK]
    for text, code in zip(said, encodings("gnu", said), strict=True):
        assert read(disassembled(code)) == meant(text, 0)


@pytest.mark.parametrize(
    ("place", "names"),
    [
        (Address(based=False, offset=4), ()),
        (Address(True, area="symbol", symbol="a"), ("rax",)),
        (Address(area="slot"), ("rax",)),
    ],
)
def test_an_address_that_no_instruction_has_is_an_error(place, names):
    with pytest.raises(ValueError, match="address|symbol|area|registers"):
        address(place, names, "")


TAKEN = [name for view in VIEWS.values() for name in view.spelled] + [
    *("RAX", "Eax", "ah", "rip", "eflags", "st0", "mm3", "tmm1", "bnd2", "cr0", "dr7", "db0", "cs"),
    *("and", "OR", "xor", "not", "mod", "shl", "shr", "eq", "ne", "lt", "le", "gt", "ge", "offset"),
    *("ptr", "flat", "near", "far", "short", "byte", "word", "dword", "qword", "oword", "xmmword"),
    *("ymmword", "zmmword", "tbyte", "fword", "mmword", "length", "size", "type", "high", "low"),
]
PLAIN = ["main", "add", "mov", "call", "lock", "lit.00ff", "_r8", "raxx", "a$b", "r8.x"]


@pytest.mark.parametrize("family", FAMILIES)
def test_no_name_is_read_as_a_register_or_an_operator(family):
    names = [*TAKEN, *PLAIN]
    direct = [f"call {symbol(name)}" for name in names]
    through = [f"lea rdi, [rip + {symbol(name)}]" for name in names]
    lines = aliases((), names)
    found = encodings(family, [*direct, *through, "\n".join(lines)])
    assert set(found[: len(names)]) == {bytes.fromhex("e800000000")}
    assert set(found[len(names) : -1]) == {bytes.fromhex("488d3d00000000")}


def test_a_name_that_is_exported_keeps_it():
    text = "\n".join([f"{symbol('rax')}:", "ret", *aliases(["rax"], [])])
    for family in FAMILIES:
        assert encodings(family, [text]) == [b"\xc3"]
    assert aliases(["main"], ["other"]) == ()


@pytest.mark.parametrize("name", ["", ".Lmain.1", "1a", "a b", "a-b", "ä", "name.rax", 'a"'])
def test_a_name_that_no_assembler_takes_is_refused(name):
    with pytest.raises(Refusal) as refused:
        symbol(name)
    assert refused.value.code == "target-unsupported"
