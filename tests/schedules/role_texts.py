"""Texts of the programs of two roles that halve a state, for tests of what roles do alike.

Entry: `programs`, `ADVANCE`.
"""

from __future__ import annotations

from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

LEARNER = """
region.learner @keep {
  region.state @w : f64 = 8.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v)
      : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
"""
GROUP = '#protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)>'
READ = (
    "%w, %v = shard.read @w, @v"
    " : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>\n"
)
UPDATE = (
    "%w1, %v1 = shard.update @halve(%w, %v)"
    " : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>\n"
)
ADVANCE = f"protocol.local at role ROLE {{\n{READ}{UPDATE}shard.advance @w = %w1, @v = %v1\n}}\n"
"""The work of one round; ROLE is put in by `programs`."""


def module_text(*bodies: str) -> str:
    """A module with the programs of roles 0 and 1, which have these bodies."""
    heads = (
        f'protocol.role @keep role {role} of @keep group {GROUP} protocol "{"0" * 64}"'
        f" edges [{1 - role}] {{\n"
        for role in (0, 1)
    )
    texts = (
        head + body.replace("ROLE", str(role)) + "\n}\n"
        for role, (head, body) in enumerate(zip(heads, bodies, strict=True))
    )
    return LEARNER + "".join(texts)


def programs(*bodies: str) -> dict[int, RoleOp]:
    """The programs of roles 0 and 1, verified, in a module with their learner."""
    module = parse_text(make_context(), module_text(*bodies), "roles.mlir")
    verify_module(module)
    return {op.role.data: op for op in module.body.block.ops if isinstance(op, RoleOp)}
