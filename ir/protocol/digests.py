"""The digest of a global protocol: what every frame of a run is bound to.

Invariant: it covers the group, every operation with its types, the generation that a run begins
    with if it does, and of a learner's distribution the places and the programs that it brings
    along; it doesn't depend on names of values or on places in a file. Nothing is hashed that xDSL
    prints.
Why: participants that were compiled for other partitionings, ways of exchange or numbers of rounds
    refuse one another at the first frame.
Entry: `protocol_digest`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from alpha.ir.attributes.literals import float_bytes
from alpha.ir.attributes.protocol import GroupAttr
from alpha.ir.attributes.protocol_values import AtType, RoutesAttr
from alpha.ir.attributes.region import ContractAttr, SelectAttr
from alpha.ir.attributes.shard import LocatedType, MapAttr, WhereAttr
from alpha.ir.canonical import digest
from alpha.ir.dialects.pointwise_domain import DomainOp
from alpha.ir.dialects.pointwise_programs import ContributionOp, UpdateOp
from alpha.ir.program_structures import (
    Structure,
    contribution_structure,
    domain_structure,
    update_structure,
)
from alpha.ir.protocol.view import Protocol
from alpha.ir.shapes import is_value_type, type_text


def protocol_digest(protocol: Protocol) -> str:
    """SHA-256 of a global protocol, in hexadecimal."""
    body = _region(protocol.op.body, {})
    start = protocol.op.resumed
    begins: Structure = ()
    if start is not None:
        begins = (("resumed", start.data.version, start.data.sha256),)
    return digest(("protocol", protocol.group.digest(), _distribution(protocol), body, *begins))


def _distribution(protocol: Protocol) -> Structure:
    distribution = protocol.distribution
    if distribution is None:
        return ()
    places = tuple(
        (name, str(op.where.data)) for name, op in sorted(distribution.place_ops.items())
    )
    own = [
        contribution_structure(part) if isinstance(part, ContributionOp) else update_structure(part)
        for part in distribution.op.body.block.ops
        if isinstance(part, ContributionOp | UpdateOp)
    ]
    return (distribution.owners, str(distribution.topology), places, tuple(own))


def _region(region: Region, numbers: dict[SSAValue, int]) -> Structure:
    if not region.blocks:
        return ()
    block = region.block
    for argument in block.args:
        numbers[argument] = len(numbers)
    types = tuple(_attribute(argument.type) for argument in block.args)
    return (types, tuple(_operation(op, numbers) for op in block.ops))


def _operation(op: Operation, numbers: dict[SSAValue, int]) -> Structure:
    operands = tuple(numbers[operand] for operand in op.operands)
    if isinstance(op, DomainOp):
        inside: Structure = domain_structure(op)
    else:
        inside = tuple(_region(region, numbers) for region in op.regions)
    said = tuple((name, _attribute(value)) for name, value in sorted(op.properties.items()))
    for result in op.results:
        numbers[result] = len(numbers)
    types = tuple(_attribute(result.type) for result in op.results)
    return (op.name, operands, said, types, inside)


def _attribute(attribute: Attribute) -> Structure:
    """What an attribute or type says."""
    match attribute:
        case IntAttr() | StringAttr():
            return attribute.data
        case SymbolRefAttr():
            return attribute.string_value()
        case ArrayAttr():
            return tuple(map(_attribute, attribute.data))
        case SelectAttr() | MapAttr():
            return attribute.data.structure()
        case ContractAttr() | GroupAttr():
            return attribute.data.digest()
        case RoutesAttr() | WhereAttr():
            return str(attribute.data)
        case AtType() | LocatedType():
            return (attribute.name, *map(_attribute, attribute.parameters))
        case IntegerType():
            return f"i{attribute.width.data}"
        case IntegerAttr():
            return attribute.value.data
        case FloatAttr():
            return float_bytes(attribute.value.data, attribute.type)
        case _ if is_value_type(attribute):
            return type_text(attribute)
        case _:
            return str(attribute)
