"""How many versions every run of a protocol makes, where no word decides it."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.protocol.advances import advances_of, exact_advances_of
from alpha.ir.protocol.view import find_protocol

ADVANCE = """protocol.local at role 0 {
  %v = shard.read @w : !shard.replica<f64, +0>
  %v1 = shard.update @keep(%v) : !shard.replica<f64, +1>
  shard.advance @w = %v1
}
"""
WORD = "%w = protocol.local at role 0 {\n %c = arith.constant 0 : i64\n protocol.yield %c\n}\n"


def repeat(bound: int, body: str, end: str = "") -> str:
    return f"protocol.repeat {bound} {{\n{body}{end}}}\n"


def choice(*arms: str) -> str:
    return f"protocol.choice %w {' '.join(f'{{{chr(10)}{arm}}}' for arm in arms)}\n"


UNTIL = "protocol.until %w\n"


@pytest.mark.parametrize(
    ("body", "most", "exact"),
    [
        ("", 0, 0),
        (ADVANCE, 1, 1),
        (ADVANCE + ADVANCE, 2, 2),
        (repeat(3, ADVANCE), 3, 3),
        (repeat(3, repeat(4, ADVANCE) + ADVANCE), 15, 15),
        (f"protocol.scope stride(0, 1, 1) {{\n{ADVANCE}}}\n", 1, 1),
        (repeat(3, ADVANCE, UNTIL), 3, None),
        (repeat(1, ADVANCE, UNTIL), 1, 1),
        (repeat(3, "", UNTIL) + ADVANCE, 1, 1),
        (repeat(2, repeat(3, ADVANCE, UNTIL)), 6, None),
        (choice(ADVANCE, ADVANCE), 1, 1),
        (choice(ADVANCE, ""), 1, None),
        (choice("", "") + ADVANCE, 1, 1),
        (choice(repeat(2, ADVANCE), repeat(3, ADVANCE)) + ADVANCE, 4, None),
        (choice(repeat(3, ADVANCE, UNTIL), repeat(3, ADVANCE)), 3, None),
    ],
)
def test_exact_advances(body: str, most: int, exact: int | None) -> None:
    text = (
        'protocol.global @g group #protocol.group<universe = 1, epoch = 0, id = "", '
        f"stride(0, 1, 1)> {{\n{WORD}{body}}}\n"
    )
    module: ModuleOp = parse_text(make_context(), text, "g.mlir")
    protocol = find_protocol(module)
    assert protocol is not None
    assert (advances_of(protocol.op), exact_advances_of(protocol.op)) == (most, exact)
