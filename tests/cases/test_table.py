"""The table of the cases has every id once, and what it calls built has a test there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

SECTIONS = {
    "2.1": "D01 D02 D03 D05 D06 D07 D08 D10 D11 D12 D14 D15 D17 D18",
    "2.2": "S01 S03 S04 S06",
    "2.3": "C01 C02 C03 C04 C05 C07 C08 C10 C12 C14 C15 C16 C17 C18 C19 C21 C22 C24 C25 C27",
    "2.4": "O01 O03 O05 O06 O07 O09 O10 O12 O13 O14 O16 O18",
    "2.5": "V01 V02 V04 V05 V06 V08",
    "2.6": "P01 P03 P04 P05 P07 P08 P10 P11 P13",
    "2.7": "K01 K02 K03 K05 K07 K08 K10",
    "2.8": "B01 B02 B03 B04 B05 B07 B08 B09 B11 B13 B14",
    "2.9": "T01 T02 T04 T05",
}
"""The ids of each section of the collection that the cases are from."""
IDS = [number for ids in SECTIONS.values() for number in ids.split()]

REPORTED = re.compile(r"#\d+|tutorial|MLIR|DCP|Megatron-core|sdy|Measured")
NAMED = re.compile(r"test_([A-Z]\d\d)_[a-z]")
OWN = ("B08", "B09", "B11", "B13")
"""These come from reasoning and measurement here, and no report is known."""


def rows() -> list[tuple[str, str, str]]:
    """Id, file and what is waited for, of each row of the table."""
    found: list[tuple[str, str, str]] = []
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] not in ("id", "---"):
            number, file, waits = cells
            found.append((number, file, waits))
    return found


def named_tests() -> dict[str, dict[str, list[ast.FunctionDef]]]:
    """By file and id, the tests that are named by the id."""
    found: dict[str, dict[str, list[ast.FunctionDef]]] = {}
    for path in sorted(FOLDER.glob("test_*.py")):
        of_file = found.setdefault(path.name, {})
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match = NAMED.match(node.name) if isinstance(node, ast.FunctionDef) else None
            if isinstance(node, ast.FunctionDef) and match is not None:
                of_file.setdefault(match.group(1), []).append(node)
    return found


def test_every_id_is_in_the_table_once() -> None:
    """In the order of the sections, and none besides."""
    assert [number for number, _, _ in rows()] == IDS
    assert len(set(IDS)) == len(IDS) == 87


def test_what_is_built_has_a_test_where_the_table_says() -> None:
    """A case that isn't built says what it waits for, and no test pretends that it is."""
    found = named_tests()
    for number, file, waits in rows():
        having = [name for name, of_file in found.items() if number in of_file]
        assert having == ([file] if file else []), number
        assert file or waits, number


def test_every_test_of_a_case_says_what_it_is_about() -> None:
    """Each has a docstring, and each id at least one that names where it was reported."""
    for of_file in named_tests().values():
        for number, nodes in of_file.items():
            texts = [ast.get_docstring(node) or "" for node in nodes]
            assert all(texts), number
            reported = any(REPORTED.search(text) for text in texts)
            assert reported or number in OWN, number
