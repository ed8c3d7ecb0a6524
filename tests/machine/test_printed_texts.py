"""What assembly text of a module says: names, what is of the source, forms by features."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from machine.mutated_texts import FEATURES, WAYS, ran, toolchain

from alpha.backends.toolchain.assembling import assemble
from alpha.tools.mains import alpha_translate

MASKED = """
func.func @f(%a : f64, %x : f64, %y : f64) -> f64 {
  %c = arith.cmpf olt, %a, %x : f64
  %r = arith.select %c, %x, %y : f64
  func.return %r : f64
}
func.func @g(%p : memref<8xf64>) {
  %i = arith.constant 0 : index
  %c = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %z = vector.load %p[%i] : memref<8xf64>, vector<4xf64>
  %v = arith.addf %z, %z : vector<4xf64>
  %o = arith.cmpf olt, %z, %v : vector<4xf64>
  %s = arith.select %o, %v, %z : vector<4xi1>, vector<4xf64>
  vector.maskedstore %p[%i], %c, %s : memref<8xf64>, vector<4xi1>, vector<4xf64>
  func.return
}
"""


def test_without_features_nothing_of_avx512_is_written(tmp_path: Path):
    """Rows whose form differs with AVX-512 are written in the form that the function asks for."""
    file = tmp_path / "source.mlir"
    file.write_text(MASKED)
    texts = {
        features: ran(alpha_translate.main, WAYS["x64"][0], f"--features={features}", str(file))
        for features in FEATURES["x64"]
    }
    for features, outcome in texts.items():
        assert outcome.status == 0, outcome.said
        wide = re.search(r"\bk[0-7]\b|[xyz]mm(1[6-9]|2\d|3[01])|zmm", outcome.out) is not None
        assert wide == (features == "avx512"), outcome.out


def test_what_is_said_of_the_source_stands_before_an_instruction(tmp_path: Path):
    text = """x64.func @f in () slots [] out 0 {
x64.mov placed (0 = 1) {"origin" = "one\\n  nop"}
x64.jmp placed ( = ) ^next {"origin" = "two"}
^next:
x64.ret placed ( = 0) {"origin" = "three"}
}
"""
    file = tmp_path / "source.mlir"
    file.write_text(text)
    made = ran(alpha_translate.main, WAYS["x64"][0], "--show-source", str(file))
    assert made.status == 0, made.said
    said = [line.strip() for line in made.out.splitlines() if line.startswith("  #")]
    assert said == ["# one nop", "# three"]


WORDS = (
    "low",
    "high",
    "this",
    "or",
    "and",
    "not",
    "al",
    "eax",
    "size",
    "offset",
    "x0",
    "sp",
    "end",
)


@pytest.mark.parametrize("dialect", WAYS)
def test_data_named_like_a_word_of_the_assembler_is_read(dialect: str, tmp_path: Path):
    lines: list[str] = []
    for name in WORDS:
        lines += [
            f'"memref.global"() <{{sym_name = "{name}", type = memref<2xi64>, '
            'sym_visibility = "private", initial_value}> : () -> ()',
            f"func.func @read_{name}(%i : index) -> i64 {{",
            f"  %g = memref.get_global @{name} : memref<2xi64>",
            "  %w = memref.load %g[%i] : memref<2xi64>",
            "  func.return %w : i64",
            "}",
        ]
    file = tmp_path / "source.mlir"
    file.write_text("\n".join(lines))
    made = ran(alpha_translate.main, WAYS[dialect][0], str(file))
    assert made.status == 0, made.said
    assemble(made.out, toolchain(dialect))


LINKERS = ("_end", "__bss_start", "_GLOBAL_OFFSET_TABLE_", "_edata", "__executable_start", "_init")
OURS = ("end", "edata", "etext", "main", "this", "low", "_ends", "lit.x")


@pytest.mark.parametrize("dialect", WAYS)
def test_names_of_the_linker_are_refused_and_those_alike_are_not(dialect: str, tmp_path: Path):
    file = tmp_path / "source.mlir"
    for names, status in ((LINKERS, 1), (("lit.00",), 1), (OURS, 0)):
        for name in names:
            for text in (
                f"func.func @{name}() {{ func.return }}\n",
                f'"memref.global"() <{{sym_name = "{name}", type = memref<2xi64>, '
                'initial_value, sym_visibility = "private"}> : () -> ()\n',
            ):
                file.write_text(text)
                made = ran(alpha_translate.main, WAYS[dialect][0], str(file))
                assert made.status == status, made.said
                assert status == 0 or "[target-unsupported] expected a symbol" in made.said
                assert status == 0 or f"found '{name}'" in made.said
