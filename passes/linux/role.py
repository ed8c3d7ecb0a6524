"""Writes the function of a role: what it does from its start to its last report.

Invariant: what is done, and in which order, is the program's; the function calls the runtime and
    the functions of the learner's programs, and keeps all words in one arena.
Refuses: target-unsupported, shard-combine-order, shard-contribution-missing.
Entry: `role_operations`, `RoleOptions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address

from xdsl.dialects import func, scf
from xdsl.dialects.arith import ConstantOp, SubiOp
from xdsl.dialects.builtin import FunctionType, IntegerAttr, i64
from xdsl.ir import Operation, Region, SSAValue

from alpha.ir.checkpoints.facts import Facts
from alpha.ir.dialects.arith_vectors import CmpiOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.protocol.contracts import contract_of
from alpha.ir.protocol.view import distribution_beside
from alpha.passes.linux.context import EDGE_WORDS, RoleContext
from alpha.passes.linux.control import Control, Publication
from alpha.passes.linux.data_layout import data_arrays, data_bytes
from alpha.passes.linux.emitting import EDGES, POINTER, Emitter
from alpha.passes.linux.homes import Homes
from alpha.passes.linux.initial import Sources
from alpha.passes.linux.local import LocalWriter
from alpha.passes.linux.memory import ARENA, DATA, Place
from alpha.passes.linux.programs import Programs
from alpha.passes.loops.samples import Room

MAIN = "alpha_role"
LOOPBACK = "127.0.0.1"
PEER, DESCRIPTOR, LISTENER = 1, 0, 4
"""Words of the record of an edge, as runtime/edges.mlir has them."""

SPIN_NS = 200_000
"""How long a role asks for a frame before it waits in the kernel: being woken up can take longer
than a peer takes to answer. Between two questions whoever else has work goes first."""


@dataclass(frozen=True)
class RoleOptions:
    """What a role's executable is told by whoever builds it."""

    identity: bytes
    """The 32 bytes that every frame of the run names."""

    data: bytes = b""
    """The SHA-256 of the role's data file, where it has one."""

    needs: int = 0
    """The features of the processor that the program uses, as bits."""

    addresses: Mapping[int, str] = field(default_factory=dict)
    """The IPv4 address of each role that isn't on the loopback address."""

    room: Room = field(default_factory=lambda: Room(4, 0, 0))
    """What the samples of a contribution may take."""

    facts: Facts | None = None
    """What is known of generations, where the role writes a part of any."""


def role_operations(program: RoleOp, options: RoleOptions) -> tuple[list[Operation], int]:
    """What stands in the module of a role, and how many bytes of memory it takes.

    Raises:
        Refusal: `target-unsupported` for what has no native form; `shard-combine-order`,
            `shard-contribution-missing` for a sum of parts that the role hasn't.
    """
    distribution = distribution_beside(program)
    programs = Programs(distribution, options.room)
    emitter = Emitter(programs.has)
    homes = Homes(program, distribution)
    context = RoleContext(
        program.role.data,
        program.group.data.universe,
        [edge.data for edge in program.edges.data],
        distribution,
        homes.made_at_home,
        emitter,
        facts=options.facts,
    )
    _begin(context, options)
    size = ConstantOp(IntegerAttr(0, i64))
    (memory,) = emitter.call("alpha_arena", [emitter.add(size)], [POINTER])
    emitter.set_base(ARENA, memory)
    labels: list[str] = []
    sources: dict[str, list[Place]] = {}
    if distribution is not None:
        resumed = program.resumed is not None
        held = Sources(context, distribution, resumed)
        held.reserve()
        _open_data(context, options, resumed)
        held.write()
        sources, labels = held.places, distribution.learner.labels()
    if program.resumed is not None:
        emitter.store(emitter.number(program.resumed.data.version), context.version)
    _establish(context, options)
    local = LocalWriter(context, programs, homes, sources, contract_of, labels)
    control = Control(program, context, local)
    control.write(program.body.block)
    _end(context, control)
    function = func.FuncOp(MAIN, FunctionType.from_lists([], []), Region(emitter.block))
    size.properties["value"] = IntegerAttr(context.arena.bytes, i64)
    declared = list(emitter.declared.values())
    return [*emitter.globals, *programs.written(), *declared, function], context.arena.bytes


def _begin(context: RoleContext, options: RoleOptions) -> None:
    emitter = context.emitter
    identity = emitter.constant(options.identity, "i64")
    operands = [
        emitter.number(context.role),
        emitter.pointer(identity),
        emitter.number(options.needs),
    ]
    emitter.call("alpha_begin", operands)
    emitter.call("alpha_store_begin", [emitter.number(int(options.facts is not None))])
    emitter.call("alpha_set_spin", [emitter.number(SPIN_NS)])


def _open_data(context: RoleContext, options: RoleOptions, resumed: bool) -> None:
    """Map the data file, where the role has one."""
    assert context.distribution is not None
    size = data_bytes(data_arrays(context.distribution, context.role, resumed))
    if not size:
        return
    emitter = context.emitter
    digest = emitter.constant(options.data or bytes(32), "i64")
    name = emitter.text(f"role-{context.role}.data")
    operands = [*name, emitter.number(size), emitter.pointer(digest)]
    (data,) = emitter.call("alpha_data", operands, [POINTER])
    emitter.set_base(DATA, data)


def _establish(context: RoleContext, options: RoleOptions) -> None:
    """Connect to all peers."""
    emitter = context.emitter
    addresses = context.arena.place(len(context.peers), "i64")
    for number, peer in enumerate(context.peers):
        record = context.edges.part(EDGE_WORDS * number, EDGE_WORDS)
        for word, value in ((PEER, peer), (DESCRIPTOR, -1), (LISTENER, -1)):
            emitter.store(emitter.number(value), record, word)
        emitter.store(emitter.number(_address(options, peer)), addresses, number)
    operands = [
        emitter.typed(emitter.pointer(context.edges), EDGES),
        emitter.number(len(context.peers)),
        emitter.number(_address(options, context.role)),
        emitter.pointer(addresses),
    ]
    emitter.call("alpha_establish", operands)


def _address(options: RoleOptions, role: int) -> int:
    return int(IPv4Address(options.addresses.get(role, LOOPBACK)))


def _end(context: RoleContext, control: Control) -> None:
    """Finish all edges, and report what was published."""
    emitter = context.emitter
    edges = emitter.typed(emitter.pointer(context.edges), EDGES)
    emitter.call("alpha_finish", [edges, emitter.number(len(context.peers))])
    for publication in control.published:
        version = emitter.load(publication.version)
        if not publication.kept:
            _report(context, publication, version)
            continue
        any_at_all = emitter.add(CmpiOp(version, emitter.number(0), "ne"))

        def report(of: Publication = publication) -> None:
            above = emitter.load(of.version)
            _report(context, of, emitter.add(SubiOp(above, emitter.number(1))))

        emitter.block.add_op(scf.IfOp(any_at_all, [], Region(emitter.inside(report))))
    emitter.call("alpha_report_end", [emitter.load(context.version)])
    emitter.block.add_op(func.ReturnOp())


def _report(context: RoleContext, publication: Publication, version: SSAValue) -> None:
    emitter, names = context.emitter, list(context.states)
    for name, place in publication.places.items():
        operands = [
            emitter.number(names.index(name)),
            version,
            emitter.pointer(place),
            emitter.number(place.bytes),
        ]
        emitter.call("alpha_report_state", operands)
