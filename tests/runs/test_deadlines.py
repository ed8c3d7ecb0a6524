"""A run ends with its deadline also where no role waits for another."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs.processes import alpha

ENDLESS = """
protocol.global @endless group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> {
  %x = protocol.local at role 0 {
    %word = arith.constant 1.5 : f64
    protocol.yield %word
  }
  %y = protocol.transfer %x from 0 to 1
  protocol.repeat 9000000000000000000 {
    protocol.local at role 1 (%z = %y) {
      protocol.yield
    }
  }
}
"""


@pytest.mark.parametrize("level", ["protocol", "role"])
def test_a_loop_that_sends_nothing_ends_with_the_deadline(level: str, tmp_path: Path) -> None:
    path = tmp_path / "endless.mlir"
    path.write_text(ENDLESS)
    wait = ("--wait", "2") if level == "role" else ()
    done = alpha("run", str(path), f"--interpret={level}", "--deadline", "3", *wait)
    assert done.status == 4
    assert "overdue: the 3 s of the session have passed" in done.said
    assert done.seconds < 25
