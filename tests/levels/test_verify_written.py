"""What `alpha verify` says of protocols that are written by hand: no more than it has seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from schedules.role_texts import GROUP, LEARNER, READ, UPDATE

from alpha.tools.mains import alpha

ALL = "stride(0, 1, 2)"
READ_W = (
    f"protocol.local at {ALL} {{ %x = shard.read @w : !shard.replica<f64, +0> protocol.yield %x }}"
)
ADVANCE = f"protocol.local at {ALL} {{ {READ} {UPDATE} shard.advance @w = %w1, @v = %v1 }}\n"
PUBLISH = f"protocol.publish at {ALL}\n"
CARRIED = f"""
%first = {READ_W}
%last = protocol.repeat 3 (%at = %first) {{
  protocol.local at {ALL} (%w = %at) {{
    %old, %v = shard.read @w, @v
      : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    {UPDATE} shard.advance @w = %w1, @v = %v1
  }}
  %next = {READ_W}
  protocol.yield %next
}}
"""
"""The first iteration reads what the learner does, and so do the others, which no round shows."""

CHOSEN = f"""
protocol.repeat 3 {{
  %s = protocol.local at {ALL} {{
    {READ}
    %words = protocol.words %w
    %limit = arith.constant 3.0 : f64
    %low = arith.cmpf olt, %words, %limit : f64
    %a = arith.extui %low : i1 to i64
    protocol.yield %a
  }}
  protocol.choice %s {{
    {ADVANCE}
  }} {{
    {ADVANCE}
  }}
}}
"""
NONCANONICAL = f"""
%s = protocol.local at {ALL} {{
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.subi %zero, %one : i64
  protocol.yield %a
}}
protocol.choice %s {{ }} {{ }}
"""


def verified(
    body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *flags: str
) -> tuple[int, str, str]:
    """The status, the rows of the table that are of the protocol, and the errors."""
    path = tmp_path / "written.mlir"
    path.write_text(f"{LEARNER}protocol.global @keep of @keep group {GROUP} {{\n{body}}}\n")
    status = alpha.main(["verify", str(path), *flags])
    said = capsys.readouterr()
    rows = [line for line in said.out.splitlines() if line.startswith("  protocol ")]
    return status, "\n".join(rows), said.err


def test_what_is_carried_round_is_no_proof_of_every_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = f"protocol.repeat 3 {{\n{ADVANCE}}}\n{PUBLISH}"
    assert "proved" in verified(plain, tmp_path, capsys)[1]
    status, rows, _ = verified(CARRIED + PUBLISH, tmp_path, capsys)
    assert status == 0 and "equal in one round" in rows and "proved" not in rows


def test_a_choice_by_computed_words_is_compared_by_bits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, rows, _ = verified(CHOSEN + PUBLISH, tmp_path, capsys)
    assert status == 0 and "equal, not proved: it chooses by words that it computes" in rows
    status, _, errors = verified(CHOSEN + PUBLISH, tmp_path, capsys, "--carrier", "terms")
    assert status == 1 and "--carrier bits compares words on the given data" in errors


def test_the_end_behind_the_last_round_is_run_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = f"protocol.repeat 3 {{\n{ADVANCE}}}\n{PUBLISH}"
    status, _, errors = verified(rounds + NONCANONICAL, tmp_path, capsys)
    assert status == 1 and "refuses with [protocol-choice-noncanonical]" in errors
    assert verified(rounds + NONCANONICAL, tmp_path, capsys, "--rounds", "2")[0] == 0
