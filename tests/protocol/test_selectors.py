"""Constant selectors: followed to where they are made, and no further than they are constants."""

from __future__ import annotations

import pytest
from protocol.reading import opened

from alpha.ir.protocol.checking import check_protocol
from alpha.ir.refusals import Refusal

PROTOCOL = """
#all = #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)>
protocol.global @constant group #all {{
  %c = protocol.local at stride(0, 1, 4) {{
    %a = arith.constant {0} : i64
    protocol.yield %a
  }}
  %d = protocol.local at stride(0, 1, 4) {{
    %a = arith.constant 0 : i64
    protocol.yield %a
  }}
  {1}
  protocol.choice %s {{
    protocol.local at role 0 {{
      protocol.yield
    }}
  }} {{
  }} {{
  }}
}}
"""

FOLLOWED = [
    "%s = protocol.replicate %c along star over stride(0, 1, 4)",
    "%t = protocol.transfer %c from 0 to 1 %s = protocol.transfer %t from 1 to 0",
    "%s = protocol.local at role 0 (%a = %d, %b = %c) { protocol.yield %b }",
    "%u, %s = protocol.scope stride(0, 1, 4) { protocol.yield %d, %c }",
    """%s = protocol.scope stride(0, 1, 2) {
         %t = protocol.transfer %c from 2 to 0
         %u = protocol.scope role 0 { protocol.yield %t }
         protocol.yield %u
       }""".replace("from 2", "from 1"),
]
OTHERS = [
    "%s = protocol.choice %d { protocol.yield %c } { protocol.yield %d }",
    "%s = protocol.repeat 2 (%a = %c) { protocol.yield %d }",
    "%s = protocol.local at role 0 (%a = %c) { %b = arith.subi %a, %a : i64 protocol.yield %b }",
]


@pytest.mark.parametrize("way", FOLLOWED)
def test_a_constant_is_followed(way: str) -> None:
    """Words of three arms are 0, 1 and 2, wherever they come from."""
    for word in (0, 1, 2):
        check_protocol(opened(PROTOCOL.format(word, way)))
    for word in (-1, 3, 1 << 62):
        with pytest.raises(Refusal) as caught:
            check_protocol(opened(PROTOCOL.format(word, way)))
        assert caught.value.code == "protocol-choice-noncanonical"
        assert caught.value.message == (f"expected a selector from 0 to 2 for 3 arms, found {word}")
        (note,) = caught.value.notes
        assert note.place is not None and note.place.line == 5


@pytest.mark.parametrize("way", OTHERS)
def test_what_depends_on_the_run_is_looked_at_in_the_run(way: str) -> None:
    """A choice between constants, a carried value and a computed one."""
    check_protocol(opened(PROTOCOL.format(3, way)))
