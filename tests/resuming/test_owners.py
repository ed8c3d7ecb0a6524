"""Owners may be others behind a stop: groups that stay change no bit, others are a contract.

Where a resumed run declares other groups, it has the bits of the learner-level interpreter that
goes on with the other contract at that round, with the words that it has in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from oracle.orders import Order
from oracle_comparison.running import with_contract
from resuming.nine_words import MAPS, learner_file, map_text
from resuming.plain_learner import Whole, going_on, versions_of
from resuming.runs import Side, Store, difference, run
from sharding.least_squares import random_text
from sharding.product import SUBSETS, TOPOLOGIES, Row, covering_rows

STOP, ENDS = 4, 8
OWNERS = range(1, 8)
LEVELS = ("shard", "protocol", "role")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Whole]:
    """The learner with groups of its own, and its versions."""
    file = learner_file("adam", "f64", tmp_path_factory.mktemp("learner"))
    return file, versions_of(file, ENDS)


def side(owners: int, turn: int, level: str = "shard") -> Side:
    """So many owners, however they are joined and whatever they have."""
    topology = TOPOLOGIES[turn % 4]
    if topology == "pair" and owners != 2:
        topology = "star"
    modes, map = SUBSETS[1 + turn % 7], map_text(MAPS[turn % len(MAPS)], owners)
    return Side(level, owners, topology, modes, map)


@pytest.mark.parametrize("before", OWNERS)
def test_any_number_of_owners_goes_on_from_any_other(
    before: int, whole: tuple[Path, Whole], tmp_path: Path
) -> None:
    """The topology, the modes and the map are others as well."""
    file, wanted = whole
    store = Store(tmp_path / "generations")
    found = run(file, side(before, before), STOP, tmp_path, store=store)
    assert difference(found, wanted.outcome(0, STOP)) is None
    for behind in OWNERS:
        level = LEVELS[(before + 2 * behind) % len(LEVELS)]
        reader = side(behind, 3 * before + behind, level)
        found = run(file, reader, ENDS, tmp_path, resume=store.path)
        assert difference(found, wanted.outcome(STOP, ENDS)) is None, str(reader)


def test_a_run_may_be_stopped_again_and_again(whole: tuple[Path, Whole], tmp_path: Path) -> None:
    """Each part of it by other owners, at another level, and into the same folder."""
    file, wanted = whole
    store = Store(tmp_path / "generations")
    levels = ("role", "learner", "protocol", "shard", "role", "learner", "shard", "protocol")
    for version, level in enumerate(levels):
        resume = store.path if version else None
        owners = 7 - version % 7
        found = run(
            file, side(owners, version, level), version + 1, tmp_path, store=store, resume=resume
        )
        assert difference(found, wanted.outcome(version, version + 1)) is None, version
    assert len(list(store.path.iterdir())) == ENDS


SPLITS: Sequence[tuple[Sequence[int], Sequence[int]]] = (
    ((1, 2, 4, 0), (4, 3)),
    ((4, 3), (0, 1, 0, 2, 3, 0, 1)),
    ((7,), (2, 0, 5)),
    ((0, 7), (7, 0)),
    ((2, 2, 2, 1), (2, 2, 2, 1)),
)


def declared(split: Sequence[int], topology: str, contract: Order | None = None) -> str:
    """Least squares whose owners say the groups; with a contract, without owners."""
    if contract is not None:
        return with_contract(random_text("adam", 9, 7), contract)
    owners = f"{len(split)}, {topology}, samples = {list(split)}"
    return random_text("adam", 9, 7, owners)


FACTORS = {"splits": SPLITS, "topology": ("star", "tree<2>", "tree<3>"), "level": LEVELS}
GROUPS = covering_rows(2, FACTORS)
"""Every two values of two factors are met; `make verify-resuming` has all rows."""


@pytest.mark.parametrize("row", GROUPS, ids=lambda row: " ".join(map(str, row.values())))
def test_other_groups_are_another_contract_from_that_round_on(row: Row, tmp_path: Path) -> None:
    """Of owners that say the groups: 4 go on as 2, and trees as a star."""
    (before, behind), topology, level = row["splits"], row["topology"], row["level"]
    fan = int(topology[5:-1]) if topology.startswith("tree") else 0
    texts = {
        "before": declared(before, topology),
        "behind": declared(behind, "star"),
        "plain before": declared(before, topology, Order(tuple(before), fan)),
        "plain behind": declared(behind, "star", Order(tuple(behind))),
    }
    files = {name: tmp_path / f"{name}.mlir" for name in texts}
    for name, text in texts.items():
        files[name].write_text(text, encoding="utf-8")
    first = versions_of(files["plain before"], ENDS)
    second = going_on(files["plain behind"], first.at(STOP), STOP, ENDS)
    # An empty group changes no bit, wherever it stands.
    is_other = [each for each in before if each] != [each for each in behind if each]
    assert is_other is (first.digests[ENDS] != second.digests[-1]) or fan
    store = Store(tmp_path / "generations")
    found = run(files["before"], Side(level, modes=("optimizer",)), STOP, tmp_path, store=store)
    assert difference(found, first.outcome(0, STOP)) is None
    reader = Side(level, modes=("parameters", "gradients"))
    found = run(files["behind"], reader, ENDS, tmp_path, store=store, resume=store.path)
    assert difference(found, second.outcome(STOP, ENDS)) is None


def test_owners_of_a_flag_declare_other_groups(tmp_path: Path) -> None:
    """A learner with owners is given others by a flag: so it gets their contract, and says so."""
    file, plain = tmp_path / "declared.mlir", tmp_path / "plain.mlir"
    file.write_text(declared((1, 2, 4, 0), "star"), encoding="utf-8")
    plain.write_text(declared((), "", Order((3, 2, 2))), encoding="utf-8")
    store = Store(tmp_path / "generations")
    run(file, Side("shard"), STOP, tmp_path, store=store)
    first = versions_of(file, STOP)
    wanted = going_on(plain, first.at(STOP), STOP, ENDS)
    found = run(file, Side("shard", owners=3), ENDS, tmp_path, resume=store.path)
    assert difference(found, wanted.outcome(STOP, ENDS)) is None
