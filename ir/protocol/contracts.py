"""By which contract a contribution is summed: that of the sum which its parts come to.

Refuses: shard-contribution-missing.
Entry: `contract_of`.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from alpha.ir.attributes.region import ContractAttr
from alpha.ir.contracts import Contract
from alpha.ir.dialects.shard_work import ContributeOp
from alpha.ir.protocol.flows import handed_on
from alpha.ir.refusals import Refusal


def contract_of(op: ContributeOp) -> Contract:
    """The contract of a sum that what is contributed comes to; of all of them, since it is one.

    Raises:
        Refusal: `shard-contribution-missing` where nobody sums it.
    """
    pending: list[SSAValue] = list(op.parts)
    seen = set(pending)
    while pending:
        value = pending.pop()
        for use in value.uses:
            contract = use.operation.properties.get("contract")
            if isinstance(contract, ContractAttr):
                return contract.data
        for becomes in handed_on(value):
            if becomes not in seen:
                seen.add(becomes)
                pending.append(becomes)
    raise Refusal("shard-contribution-missing", "a sum of what is contributed", "none", op)
