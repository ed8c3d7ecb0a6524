"""The frames of a checkpoint fit together along every topology, and are those of its tree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from generations.memories import Memory
from generations.running import Schedule, lowered, over_the_network
from protocol.explicit_trees import Node, grow
from sharding.product import Setting, distributed
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.role import find_roles
from alpha.ir.dialects.protocol_role import FrameOp, PerformOp, SendOp
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import AlphaContext
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.protocol.digests import protocol_digest
from alpha.ir.protocol.view import find_protocol
from alpha.tools.distributing import run_pass

TOPOLOGIES = ("star", "pair", "tree<1>", "tree<2>", "tree<3>")

Told = tuple[bool, int, int, int, str]
"""Whether it is sent, the peer, the part, the words and their type."""


def tree_of(topology: str, owners: int) -> dict[int, Node]:
    """The nodes of a topology, by role."""
    nodes: dict[int, Node] = {}
    fan_out = int(topology[5:-1]) if topology.startswith("tree") else max(owners, 1)
    grow(list(range(owners)), fan_out, None, nodes)
    return nodes


def frames_wanted(node: Node) -> Iterator[Told]:
    """What the design says that a role sends and receives."""
    children = sorted(child.number for child in node.children)
    for child in children:
        yield False, child, 0, 5, "i64"
    if node.above is not None:
        yield True, node.above.number, 0, 5, "i64"
        yield False, node.above.number, 1, 1, "i64"
    for child in children:
        yield True, child, 1, 1, "i64"


def frames_found(op: PerformOp) -> list[Told]:
    frames = [each for each in op.frames.block.ops if isinstance(each, FrameOp)]
    assert len(frames) == len(list(op.frames.block.ops))
    assert all(not each.count.data and each.riding is None for each in frames)
    return [
        (isinstance(f, SendOp), f.peer.data, f.part.data, f.words.data, str(f.element))
        for f in frames
    ]


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("owners", range(1, 8))
def test_frames_are_those_of_the_tree(owners: int, topology: str) -> None:
    if topology == "pair" and owners != 2:
        return
    file = distributed(Setting("sgd", topology, owners, "even"))
    run_pass(file.context, file.module, "partition_parameters")
    protocol = lowered(file.context, file.module, Schedule(3, 2), False)
    module = protocol.clone()
    run_pass(file.context, module, "project_role")
    run_pass(file.context, module, "check_schedules")
    nodes, roles = tree_of(topology, owners), find_roles(module)
    assert sorted(roles) == list(range(owners))
    for role, program in roles.items():
        performed = [op for op in program.walk() if isinstance(op, PerformOp)]
        stores = [op for op in performed if op.kind.data == "checkpoint"]
        assert len(stores) == 2, "one in the repeat and one behind the last round"
        for op in stores:
            assert frames_found(op) == list(frames_wanted(nodes[role]))
            assert not op.arguments and not op.outcomes
            assert op.members is not None and list(op.members.data) == list(range(owners))
    memory = Memory()
    over_the_network(file.context, protocol, file.words, memory, None)
    assert memory.published == [2, 3]
    for role, node in nodes.items():
        below = tuple(sorted(child.number for child in node.children))
        assert memory.children[2, role] == memory.children[3, role] == below


def digest_of(module: ModuleOp) -> str:
    protocol = find_protocol(module)
    assert protocol is not None
    return protocol_digest(protocol)


def test_a_digest_says_what_is_stored_and_where_a_run_begins() -> None:
    """Participants that store otherwise, or begin elsewhere, refuse one another."""
    file = distributed(Setting("adam", "star", 4, "even"))
    texts = {
        "none": lowered(file.context, file.module, Schedule(6, None), False),
        "the end": lowered(file.context, file.module, Schedule(6, 0), False),
        "every 2": lowered(file.context, file.module, Schedule(6, 2), False),
        "every 3": lowered(file.context, file.module, Schedule(6, 3), False),
        "every 4": lowered(file.context, file.module, Schedule(6, 4), False),
        "from 0": lowered(file.context, file.module, Schedule(6, 2, 0), True),
        "from 2": lowered(file.context, file.module, Schedule(6, 2, 2), True),
        # The text of as many rounds as in "none", apart from where they begin.
        "later": lowered(file.context, file.module, Schedule(8, None, 2), True),
    }
    other = lowered(file.context, file.module, Schedule(6, 2, 2), True)
    text = str(other).replace("c0ffee", "decafe")
    assert text != str(other)
    digests = {name: digest_of(module) for name, module in texts.items()}
    assert len({*digests.values()}) == len(texts)
    for module in texts.values():
        copy = module.clone()
        run_pass(file.context, copy, "project_role")
        for program in find_roles(copy).values():
            assert program.protocol.data == digest_of(module)
            protocol = find_protocol(module)
            assert protocol is not None and program.resumed == protocol.op.resumed
    assert digest_of(other) == digests["from 2"]
    changed = reread(file.context, text)
    assert digest_of(changed) not in digests.values(), "the generation is part of it"


def reread(context: AlphaContext, text: str) -> ModuleOp:
    module = parse_source(context, text.encode(), "protocol.mlir")
    verify_module(module)
    return module
