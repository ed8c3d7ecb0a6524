"""Operations of the protocol dialect that stand outside of every protocol and program.

Invariant: after `check_strays` whoever reads the protocols of a module, or the programs of roles,
    has read all that the module says of exchanges.
Why: a step that slid out of its protocol would be passed over in silence. By itself such an
    operation may be read and printed; it is refused where a protocol is wanted.
Refuses: source-structure.
Entry: `check_strays`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from alpha.ir.dialects.protocol import PROTOCOL, GlobalOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.refusals import Refusal, name_of

_PREFIX = f"{PROTOCOL.name}."


def check_strays(module: ModuleOp) -> None:
    """Refuse the first operation of a protocol that is in none.

    Raises:
        Refusal: `source-structure`.
    """
    pending: list[Operation] = [module]
    while pending:
        op = pending.pop()
        if isinstance(op, GlobalOp | RoleOp):
            continue
        if op.name.startswith(_PREFIX):
            parent = op.parent_op()
            found = "nothing around it" if parent is None else f"it in {name_of(parent)}"
            wanted = f"'{op.name}' in a protocol.global or protocol.role"
            raise Refusal("source-structure", wanted, found, op)
        blocks = [block for region in op.regions for block in region.blocks]
        pending += reversed([each for block in blocks for each in block.ops])
