"""The target as the core sees it: rows of one name, moves, conditions, views, addresses."""

from __future__ import annotations

from itertools import product

import pytest

from alpha.backends.core.program import Address
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Memory, Row
from alpha.backends.core.rows_page import rows_page, shown_text, signature_of
from alpha.backends.x86.meanings import (
    CONDITIONS,
    FLOAT_CONDITIONS,
    INTEGER_CONDITIONS,
    MASK_CONDITIONS,
    PREDICATES,
    Flags,
    holds,
)
from alpha.backends.x86.registers import VIEWS
from alpha.backends.x86.rows.table import ALL, FEATURES, MOVES, ROWS, moves_with, rows_with
from alpha.backends.x86.syntax import INVERSE
from alpha.backends.x86.target import TARGET, target
from alpha.interpreters.words import Words
from alpha.ir.scalars import PREDICATES as ALL_PREDICATES

WIDE = target(frozenset({"avx512"}))


def test_rows_of_one_name_say_the_same_and_the_second_is_for_avx512():
    by_name: dict[str, list[Row]] = {}
    for row in ALL:
        by_name.setdefault(row.name, []).append(row)
    twins = {name: rows for name, rows in by_name.items() if len(rows) > 1}
    assert "vblendvpd_y" in twins
    for rows in twins.values():
        first, second = rows
        assert (first.feature, second.feature) == ("", "avx512")
        assert (first.slots, first.role) == (second.slots, second.role)
        assert first.text != second.text
        assert ROWS[first.name] is second


def test_features_add_rows_and_take_none_away():
    assert frozenset({"avx512", "sha"}) == FEATURES
    assert set(TARGET.rows) < set(WIDE.rows) < set(ROWS)
    assert "sha256rnds2" not in WIDE.rows
    assert {row.feature for row in TARGET.rows.values()} == {""}
    assert rows_with(frozenset({"sha"}))["sha256rnds2"].feature == "sha"
    with pytest.raises(ValueError, match="avx2048"):
        target(frozenset({"avx2048"}))


def test_no_row_without_avx512_names_its_registers():
    for row in TARGET.rows.values():
        views = {slot.kind.name for slot in row.slots if isinstance(slot.kind, View)}
        assert not views & {"z", "k"}
        assert "k1" not in row.text and "zmm" not in row.text


@pytest.mark.parametrize("features", [(), ("avx512",), ("sha",), ("avx512", "sha")])
def test_moves_have_the_signatures_that_the_core_expects(features):
    moves = moves_with(frozenset(features))
    wide = "avx512" in features
    views = {"r64", "s", "d", "x", "y"} | ({"z", "k"} if wide else set())
    assert set(moves.move) == set(moves.store) == set(moves.load) == views
    for name in views:
        view = VIEWS[name]
        move, store, load = moves.move[name], moves.store[name], moves.load[name]
        assert (move.role, [slot.kind for slot in move.slots]) == ("move", [view, view])
        assert [slot.kind for slot in store.slots] == [Memory(view.bytes), view]
        assert [slot.kind for slot in load.slots] == [view, Memory(view.bytes)]
    assert set(moves.swap) == set(moves.move)
    for swap in moves.swap.values():
        assert [slot.tied for slot in swap.writes] == ["a", "b"]
        assert not swap.clobbers and len({slot.kind for slot in swap.slots}) == 1


def test_a_swap_keeps_all_that_the_view_has_and_touches_no_upper_half_for_less():
    for features in (frozenset(), frozenset({"avx512"})):
        moves = moves_with(features)
        for name, row in moves.swap.items():
            kind = row.reads[0].kind
            assert isinstance(kind, View) and kind.of is VIEWS[name].of
            assert kind.bytes >= VIEWS[name].bytes
    assert {name: MOVES.swap[name].name[-1] for name in "sdxyz"} == dict(
        zip("sdxyz", "xxxyz", strict=True)
    )


def test_what_is_never_allocated():
    for one in (TARGET, WIDE):
        assert VIEWS["r64"].number("rsp") not in one.convention.free["gpr"]
        assert {5, 12} < set(one.convention.free["gpr"])  # rbp and r12 are like the others
        assert 0 not in one.convention.free["mask"]
    assert len(TARGET.convention.free["gpr"]) == 15
    both = target(frozenset({"avx512", "sha"}))
    assert [len(one.convention.free["vec"]) for one in (TARGET, WIDE, both)] == [16, 32, 16]
    assert [len(one.convention.free["mask"]) for one in (TARGET, WIDE)] == [0, 7]


def test_an_inverse_condition_holds_exactly_where_the_condition_does_not():
    for condition in CONDITIONS:
        for flags in product((False, True), repeat=4):
            assert holds(condition, Flags(*flags)) != holds(INVERSE[condition], Flags(*flags))
    assert set(INTEGER_CONDITIONS.values()) <= set(CONDITIONS)
    assert set(MASK_CONDITIONS) <= set(CONDITIONS)


def test_an_inverse_condition_of_floats_is_the_opposite_predicate():
    words = Words()
    values = [words.constant(value, "f64") for value in (1.0, 2.0, float("nan"))]
    for condition, predicate in FLOAT_CONDITIONS.items():
        opposite = FLOAT_CONDITIONS[INVERSE[condition]]
        for a, b in product(values, repeat=2):
            assert words.compare(predicate, a, b) != words.compare(opposite, a, b)


def test_every_predicate_has_a_number_or_a_condition():
    assert set(PREDICATES) == set(ALL_PREDICATES)
    swapped = {"olt": "ogt", "ole": "oge", "ugt": "ult", "uge": "ule"}
    direct = set(FLOAT_CONDITIONS.values())
    assert direct | set(swapped) | {"oeq", "une", "true", "false"} == set(ALL_PREDICATES)
    assert set(swapped.values()) <= direct


def test_a_constant_reads_no_register():
    for row in ALL:
        if row.role == "constant":
            assert not any(slot.is_register for slot in row.reads) and not row.clobbers
            assert len(row.defs) == 1


VIEW_OF = {
    "i1": "r64",
    "i8": "r64",
    "i32": "r64",
    "i64": "r64",
    "f32": "s",
    "f64": "d",
    "2xf64": "x",
    "4xf32": "x",
    "4xf64": "y",
    "8xf32": "y",
    "4xi64": "y",
    "8xi32": "y",
}
WIDE_ONLY = {"8xf64": "z", "16xf32": "z", "8xi64": "z", "8xi1": "k", "4xi1": "k"}


def test_the_view_of_each_type():
    for key, view in VIEW_OF.items():
        assert TARGET.view_of(key) == WIDE.view_of(key) == view
    for key, view in WIDE_ONLY.items():
        assert WIDE.view_of(key) == view
    for one, keys in ((TARGET, [*WIDE_ONLY, "2xf32", "3xf64"]), (WIDE, ["2xf32", "16xf64"])):
        for key in keys:
            with pytest.raises(KeyError):
                one.view_of(key)


HELD = [
    (Address(offset=(1 << 31) - 1), True),
    (Address(offset=1 << 31), False),
    (Address(offset=-(1 << 31)), True),
    (Address(True, True, 8, -5), True),
    (Address(False, True, 4, 12), True),
    (Address(False, False, 1, 12), False),
    (Address(False, area="symbol", symbol="a", offset=8), True),
    (Address(True, area="symbol", symbol="a"), False),
    (Address(False, area="slot", offset=16), True),
    (Address(False, True, 8, 16, "slot"), True),
    (Address(True, area="slot"), False),
    (Address(False, area="slot", offset=1 << 30), False),
]


@pytest.mark.parametrize(("address", "held"), HELD)
def test_which_addresses_an_instruction_holds(address, held):
    assert TARGET.holds(ROWS["load_64"], address) == held


def test_the_frame_moves_the_stack_pointer():
    (placed,) = TARGET.frame(-136)
    assert placed.instruction.row.text == "add rsp, {i}"
    assert placed.instruction.extras == (-136,) and not placed.registers


def test_the_page_has_every_row_as_it_is_declared():
    page = rows_page("x86-64", "alpha.backends.x86")
    lines = [line for line in page.splitlines() if line.startswith("| `")]
    assert len(lines) == len(ALL)
    assert signature_of(ROWS["div"]) == "q:r64@rax, r:r64@rdx! = a:r64@rax, b:r64"
    assert signature_of(ROWS["vmaskmovpd_y_store"]) == "m:mem32? = w:y, s:y"
    assert signature_of(ROWS["add_imm"]) == "d:r64/a = a:r64, i:-2^31..2^31-1"
    assert shown_text(ROWS["cmp_set"]).splitlines()[1:] == ["setc d:r8", "movzx d:r32, d:r8"]
    shown = "| `vblendmpd_y` | `d:y = k:k, a:y, b:y` | `vblendmpd d{k}, a, b` | avx512 |"
    assert shown in lines
