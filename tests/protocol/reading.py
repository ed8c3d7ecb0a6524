"""Protocols from text, for the tests of what is checked of them.

Entry: `opened`.
"""

from __future__ import annotations

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.protocol.view import Protocol


def opened(text: str) -> Protocol:
    """The only protocol of a text that verifies."""
    module = parse_text(make_context(), text, "protocol.mlir")
    verify_module(module)
    (op,) = (part for part in module.body.block.ops if isinstance(part, GlobalOp))
    return Protocol.of(op)
