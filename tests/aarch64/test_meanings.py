"""Each row's meaning against the executed instruction, and what that comparison finds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from aarch64.assembled import TARGET
from aarch64.comparing import NO_SYSTEM_CALL, differences, reachable, states
from aarch64.executed import Program
from aarch64.instances import Instance, instances_of
from aarch64.mutants import is_told_apart, wrong_meanings

from alpha.backends.core.carriers import MachineCarrier
from alpha.backends.core.rows import Row, Word

INSTANCES = 4
STATES = 20
NOT_EXECUTED = {
    "ret": "it leaves the instance",
    "brk": "it ends the program",
    "blr": "it goes to what a register holds",
    "write_fpcr": "it changes how floats round",
}

Compared = tuple[list[Instance], np.ndarray, np.ndarray]
"""Instances, and records before and after."""


def executed_instances(count: int, seed: int) -> list[Instance]:
    """Instances of every row that can be executed by itself."""
    rows = [row for row in TARGET.rows.values() if row.name not in NOT_EXECUTED]
    return [instance for row in rows for instance in _some_of(row, count, seed)]


def _some_of(row: Row, count: int, seed: int) -> list[Instance]:
    """Four times as many for a row with conditions, of which each instance has one."""
    if Word("cond") in (slot.kind for slot in row.reads):
        count *= 4
    return [instance for instance in instances_of(row, count, seed) if reachable(instance)]


def executed(instances: list[Instance], each: int, seed: int) -> Compared:
    """So many records for each instance, before and after."""
    before = states(instances, each, seed)
    return instances, before, Program(instances).run(before)


@cache
def all_rows() -> Compared:
    return executed(executed_instances(INSTANCES, seed=2), STATES, seed=3)


def of_row(name: str) -> Compared:
    """What was executed of one row."""
    instances, before, after = all_rows()
    numbers = [at for at, instance in enumerate(instances) if instance.row.name == name]
    first, last = numbers[0], numbers[-1] + 1
    chosen = slice(first * STATES, last * STATES)
    picked = before[chosen].copy(), after[chosen].copy()
    for records in picked:
        records["instance"] -= first
    return instances[first:last], *picked


def test_rows_mean_what_a_processor_does():
    assert not list(differences(*all_rows()))


def test_every_row_is_executed_or_says_why_not():
    found = {instance.row.name for instance in all_rows()[0]}
    assert found | set(NOT_EXECUTED) == set(TARGET.rows)


def test_the_meaning_of_another_row_is_told_apart():
    names = dict.fromkeys(instance.row.name for instance in all_rows()[0])
    rows = [TARGET.rows[name] for name in names]
    pairs = list(wrong_meanings(rows, 2))
    assert len(pairs) > 500
    alike = [mutant.name for row, mutant in pairs if not is_told_apart(mutant, *of_row(row.name))]
    assert not alike


def test_operands_that_commute_can_be_exchanged():
    commuting = [row for row in TARGET.rows.values() if row.commutes is not None]
    assert len(commuting) > 40
    for row in commuting:
        names = [slot.name for slot in row.reads]
        first, second = (names.index(name) for name in row.commutes or ())

        def exchanged(
            c: MachineCarrier, *operands: Any, row: Row = row, at: int = first, other: int = second
        ) -> Any:
            held = list(operands)
            held[at], held[other] = held[other], held[at]
            return row.meaning(c, *held)

        assert not is_told_apart(replace(row, meaning=exchanged), *of_row(row.name))


def test_a_clobber_that_is_left_out_is_found():
    wrong = replace(TARGET.rows["bl"], clobbers=())
    assert is_told_apart(wrong, *of_row("bl"))


EARLY = [row.name for row in TARGET.rows.values() if any(slot.early for slot in row.writes)]


@pytest.mark.parametrize("name", EARLY)
def test_a_result_that_has_to_be_apart_is_found(name):
    """Without `!`, some instance has the result in a register that is read behind its writing."""
    row = TARGET.rows[name]
    wrong = replace(row, writes=tuple(replace(slot, early=False) for slot in row.writes))
    assert any(differences(*executed(_some_of(wrong, 24, seed=4), STATES, seed=5)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sub", "sub {d}, {b}, {a}"),
        ("ror_imm", "lsr {d}, {a}, #{i}"),
        ("add_32", "add {d}, {a}, {b}"),
        ("fmsub_d", "fnmsub {d}, {a}, {b}, {c}"),
        ("zip1_4s", "zip1 {d:v}.2d, {a:v}.2d, {b:v}.2d"),
        ("fadd_2d", "fadd {d:v}.2d, {a:v}.2d, {b:v}.2d\nadd x15, x15, #1"),
        ("store_32", "{m:reach8}str {s}, {m:8}"),
        ("load_s8", "{m:reach1}ldrsb {d:w}, {m:1}"),
        ("cset_fcmp_ueq_d", "fcmp {a}, {b}\ncset {d}, eq"),
        ("branch_fcmp_one_s", "fcmp {a}, {b}\nb.ne {yes}"),
    ],
)
def test_a_wrong_text_is_found(name, text):
    wrong = replace(TARGET.rows[name], text=text)
    assert any(differences(*executed(_some_of(wrong, 6, seed=6), STATES, seed=7)))


def test_system_calls_take_their_number_and_give_their_result_in_the_registers_of_the_rows():
    for name in TARGET.rows:
        if name.startswith("svc"):
            _, before, after = of_row(name)
            assert set(before["x"][:, 8]) == {NO_SYSTEM_CALL}
            assert set(after["x"][:, 0]) == {2**64 - 38}  # ENOSYS


def test_the_mode_of_floats_is_read_and_written():
    """With bit 25 (DN) of FPCR, every NaN that arithmetic makes is the default one."""
    numbers = {"write_fpcr": {"a": 3}, "read_fpcr": {"d": 4}, "fadd_d": {"d": 0, "a": 1, "b": 2}}
    instances = [Instance(TARGET.rows[name], held, {}) for name, held in numbers.items()]
    nan = np.frombuffer((0x7FF8_0000_0000_1234).to_bytes(16, "little"), np.uint8)
    records = states(instances, 1, seed=1)
    records["v"][:, 1] = nan
    records["x"][:, 3] = 1 << 25
    after = Program(instances).run(np.concatenate([records[1:], records, records[2:]]))
    assert [int(word) for word in after["x"][[0, 3], 4]] == [0, 1 << 25]
    sums = after["v"][[1, 4], 0, :8].view("<u8").ravel().tolist()
    assert sums == [0x7FF8_0000_0000_1234, 0x7FF8_0000_0000_0000]


def test_a_stop_ends_the_program():
    instance = Instance(TARGET.rows["brk"], {}, {"i": 1})
    with pytest.raises(RuntimeError, match="behind record 0"):
        executed([instance], 1, seed=1)
