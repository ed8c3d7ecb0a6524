"""What the core asks of the target: names, conditions, addresses, constants, the stack pointer."""

from __future__ import annotations

import itertools
import random

import pytest
from aarch64.assembled import FAMILIES, assembled_by, toolchain

from alpha.backends.aarch64.meanings import FLOAT_PREDICATES, KINDS, holds
from alpha.backends.aarch64.registers import CONVENTION, LINK, STACK_POINTER, VIEWS, ZERO
from alpha.backends.aarch64.rows.integers import constant
from alpha.backends.aarch64.rows.table import MOVES, ROWS
from alpha.backends.aarch64.syntax import CONDITIONS, inverse, spell_address, symbol
from alpha.backends.aarch64.target import move_stack_pointer, target
from alpha.backends.core.carriers import MachineWords
from alpha.backends.core.program import Address
from alpha.backends.toolchain.assembling import assemble
from alpha.backends.toolchain.failures import TextRejected
from alpha.interpreters.words import Words
from alpha.ir.refusals import Refusal

CARRIER = MachineWords()


# --- registers ---


def test_registers_that_the_convention_names_are_those_of_the_standard():
    free = CONVENTION.free["gpr"]
    assert len(set(free)) == len(free) == 27
    assert not {16, 17, 18, LINK, STACK_POINTER, ZERO} & set(free)
    assert sorted(CONVENTION.free["vec"]) == list(range(32))
    assert set(CONVENTION.kept["gpr"]) == {*range(19, 30), LINK}
    clobbered = {each.number for each in CONVENTION.clobbered() if each.of == "vec"}
    assert clobbered == {*range(8), *range(16, 32)}


def test_views_of_values_can_be_moved_stored_and_loaded():
    for view in "xsdq":
        bytes = VIEWS[view].bytes
        for rows in (MOVES.move, MOVES.load):
            assert rows[view].defs[0].kind == VIEWS[view]
        for rows in (MOVES.store, MOVES.load):
            memory = rows[view].memory
            assert memory is not None
            assert memory.kind.bytes == bytes  # pyright: ignore
    assert set(MOVES.move) == set(MOVES.swap)


# --- conditions ---


def test_an_inverse_is_the_exact_negation():
    for condition in CONDITIONS:
        assert inverse(inverse(condition)) == condition
        for flags in itertools.product((False, True), repeat=4):
            assert holds(inverse(condition), *flags) != holds(condition, *flags)
    assert {inverse("z"), inverse("nz")} == {"z", "nz"}


def test_conditions_behind_a_comparison_of_floats_are_its_predicates():
    """By the flags that the manual gives: less N, equal Z and C, greater C, unordered C and V."""
    flags = {
        (1.0, 2.0): (True, False, False, False),
        (1.0, 1.0): (False, True, True, False),
        (2.0, 1.0): (False, False, True, False),
        (float("nan"), 1.0): (False, False, True, True),
    }
    words = Words()
    for (a, b), nzcv in flags.items():
        operands = [words.constant(each, "f64") for each in (a, b)]
        for condition, predicate in FLOAT_PREDICATES.items():
            assert holds(condition, *nzcv) == bool(words.compare(predicate, *operands))


# --- immediates ---


def _bitmasks(bits: int) -> set[int]:
    """Every immediate of a logical instruction, from its fields, as DecodeBitMasks says."""
    found: set[int] = set()
    for size in (each for each in (2, 4, 8, 16, 32, 64) if each <= bits):
        for run in range(1, size):
            for turn in range(size):
                ones = (1 << run) - 1
                element = (ones >> turn | ones << (size - turn)) & ((1 << size) - 1)
                found.add(sum(element << at for at in range(0, bits, size)))
    return found


@pytest.mark.parametrize(("bits", "count"), [(64, 5334), (32, 1302)])
def test_immediates_of_logic_are_those_that_can_be_encoded(bits, count):
    encoded = _bitmasks(bits)
    assert len(encoded) == count
    kind = KINDS[f"immB{bits}"]
    assert all(kind.holds(value) for value in encoded)
    assert all(kind.holds(value - (1 << bits)) for value in encoded if value >> (bits - 1))
    draw = random.Random(1)
    near = {value ^ 1 << draw.randrange(bits) for value in encoded}
    others = {0, (1 << bits) - 1, *near, *(draw.getrandbits(bits) for _ in range(2000))}
    assert not any(kind.holds(value) for value in others - encoded)


def _constants() -> list[int]:
    draw = random.Random(2)
    parts = (0, 0, 0xFFFF, 0xFFFF, 1, 0x8000, 0x1234)
    made = [sum(draw.choice(parts) << at for at in (0, 16, 32, 48)) for _ in range(2000)]
    return [*made, *(draw.getrandbits(64) for _ in range(200)), 0, 1, -1, -(1 << 63), (1 << 64) - 1]


def test_constants_are_made_by_as_few_instructions_as_halfwords_need():
    for value in _constants():
        name, immediates = constant(value)
        row = ROWS[name]
        assert row.role == "constant"
        slots = [slot.kind for slot in row.reads]
        assert all(kind.holds(each) for kind, each in zip(slots, immediates, strict=True))  # pyright: ignore
        assert row.meaning(CARRIER, *immediates) == value % (1 << 64)
        halves = [value >> at & 0xFFFF for at in (0, 16, 32, 48)]
        needed = 4 - max(halves.count(0), halves.count(0xFFFF))
        lines = len(row.text.splitlines())
        assert lines <= max(needed, 1)
        assert lines == max(needed, 1) or KINDS["immB64"].holds(value)


@pytest.mark.parametrize("value", [1 << 64, -(1 << 63) - 1])
def test_a_constant_of_more_bits_is_an_error(value):
    with pytest.raises(ValueError, match="64 bits"):
        constant(value)


# --- addresses ---


@pytest.mark.parametrize(
    ("address", "width", "before", "operand"),
    [
        (Address(), 8, "", "[x1]"),
        (Address(offset=8 * 4095), 8, "", "[x1, #32760]"),
        (Address(offset=-256), 8, "", "[x1, #-256]"),
        (Address(offset=4), 8, "", "[x1, #4]"),
        (Address(offset=-257), 8, "sub x16, x1, #4096\nadd x16, x16, #3839\n", "[x16]"),
        (Address(offset=32768), 8, "add x16, x1, #32768\n", "[x16]"),
        (Address(offset=1 << 20 | 16), 16, "add x16, x1, #1048576\n", "[x16, #16]"),
        (Address(True, True, 8), 8, "", "[x1, x2, lsl #3]"),
        (Address(True, True, 1), 8, "", "[x1, x2]"),
        (Address(True, True, 4), 8, "add x16, x1, x2, lsl #2\n", "[x16]"),
        (Address(True, True, 8, 16), 8, "add x16, x1, x2, lsl #3\n", "[x16, #16]"),
        (Address(True, True, 16), 0, "", "x1, x2, lsl #4"),
        (Address(offset=-4095), 0, "", "x1, #-4095"),
        (Address(offset=8), -1, "add x16, x1, #8\n", "[x16]"),
        (
            Address(False, False, 1, 8, "symbol", 0, "f"),
            8,
            "adrp x16, f+8\nadd x16, x16, :lo12:f+8\n",
            "[x16]",
        ),
        (Address(False, False, 1, 0, "symbol", 0, "f"), 0, "adrp x16, f\n", "x16, :lo12:f"),
    ],
)
def test_an_address_costs_what_the_access_cannot_hold(address, width, before, operand):
    registers = ("x1", "x2")[: address.registers]
    name = "base" if width < 0 else str(width)
    assert spell_address(address, registers, f"reach{name}") == before
    assert spell_address(address, registers, name) == operand
    row = {8: "load_d", 16: "load_q", 0: "address", -1: "load_dup_2d"}[width]
    assert target().holds(ROWS[row], address) == (not before or width == 0)


def test_what_no_address_is_is_an_error():
    with pytest.raises(ValueError, match="scale"):
        spell_address(Address(True, True, 3), ("x1", "x2"), "8")
    with pytest.raises(ValueError, match="literal"):
        spell_address(Address(), ("x1",), "page")


def test_parts_of_the_frame_are_held_without_an_index():
    for area in ("slot", "in", "out"):
        assert target().holds(ROWS["load_64"], Address(False, area=area))
        assert not target().holds(ROWS["load_64"], Address(False, True, 8, area=area))
        assert target().holds(ROWS["address"], Address(False, True, 8, area=area))
    literal = Address(False, area="symbol", symbol="f")
    assert target().holds(ROWS["literal_d"], literal)
    assert not target().holds(ROWS["literal_d"], Address())
    assert not target().holds(ROWS["add"], Address())


# --- the frame ---


@pytest.mark.parametrize(
    "bytes", [0, 16, -16, 4080, 4096, -4112, -5008, 65536 + 32, -(1 << 24) + 16]
)
def test_the_stack_pointer_moves_by_multiples_of_its_alignment(bytes):
    at = 1 << 30
    for placed in move_stack_pointer(bytes):
        assert placed.written == placed.read == (STACK_POINTER,)
        at = placed.instruction.row.meaning(CARRIER, at, *placed.instruction.extras)
        assert at % CONVENTION.alignment == 0
    assert at == (1 << 30) + bytes


def test_a_frame_that_is_too_large_is_an_error():
    with pytest.raises(ValueError, match="a frame of 16777216 bytes"):
        move_stack_pointer(-(1 << 24))


# --- features and names ---


def test_rows_of_a_feature_are_there_where_it_is():
    assert "sha256h" in target(frozenset({"sha2"})).rows
    assert set(target().rows) == {name for name, row in ROWS.items() if row.feature == ""}
    with pytest.raises(Refusal, match="sve") as refused:
        target(frozenset({"sve"}))
    assert refused.value.code == "target-unsupported"


@pytest.mark.parametrize("family", FAMILIES)
def test_without_the_feature_an_assembler_takes_none_of_its_instructions(family):
    for features, is_taken in ((frozenset({"sha2"}), True), (frozenset(), False)):
        syntax = target(features).syntax
        text = "\n".join([*syntax.header, "sha256h q0, q1, v2.4s", *syntax.footer, ""])
        if is_taken:
            assemble(text, toolchain(family))
        else:
            with pytest.raises(TextRejected):
                assemble(text, toolchain(family))


WORDS = """
    sp wsp xzr wzr lr fp ip0 pc SP fpcr fpsr nzcv ffr vg za zt0 lsl uxtw eq add ret adrp lo12
    main _f f.g f$1 lit.00ff x0_1 sum8
"""
NUMBERED = [f"{letter}{number}" for letter in "xwbhsdqvzpXW" for number in (0, 9, 30, 31)]
NAMES = (*NUMBERED, *WORDS.split())


def test_any_name_can_be_defined_and_used():
    for family in FAMILIES:
        lines: list[str] = []
        for name in map(symbol, NAMES):
            lines += [f".globl {name}", f".type {name}, %function", f"{name}:"]
            lines += [f"bl {name}", f"adrp x16, {name}+8", f"add x16, x16, :lo12:{name}+8"]
            lines += [f"ldr d0, [x16, :lo12:{name}]", f".size {name}, . - {name}"]
        made = assembled_by(family, ["\n".join(lines)])
        called = [line.split()[-1] for [*all] in made for line in all if "CALL26" in line]
        assert called == list(NAMES)


@pytest.mark.parametrize("name", ["", ".", ".L1", "1f", "a b", 'a"b', "é", "a\n"])
def test_a_name_that_no_assembler_takes_is_refused(name):
    with pytest.raises(Refusal) as refused:
        symbol(name)
    assert refused.value.code == "target-unsupported"
