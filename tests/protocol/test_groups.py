"""Groups of roles and their trees, against trees that are built node by node."""

from __future__ import annotations

from random import Random

import pytest
from plain_sets.agreement import made
from plain_sets.enumeration import form_of, listed, random_form
from protocol.explicit_trees import Node, grow

from alpha.ir.protocol.groups import Group
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride
from alpha.ir.topologies import Topology

UNIVERSE = 4096


def members_of(size: int) -> list[tuple[Selection, list[int]]]:
    """Groups of so many roles, in several forms, each with its roles."""
    found = [(Selection.parse(f"stride(3, 7, {size})"), [3 + 7 * at for at in range(size)])]
    half, rest = divmod(size, 2)
    if half:
        roles = [*range(5, 5 + half), *range(1005, 1005 + half)]
        selection: Selection = Repeat(2, 1000, Stride(5, 1, half))
        if rest:
            selection, roles = Join((selection, Stride(2000, 9, 1))), [*roles, 2000]
        found.append((selection, roles))
    return found


def topologies_of(size: int) -> list[tuple[Topology, int]]:
    """Topologies with the most children that a node has."""
    fans = sorted({*range(2, 9), size})
    found = [(Topology("tree", fan), fan) for fan in fans]
    found.append((Topology("star"), size))
    if size == 2:
        found.append((Topology("pair"), 1))
    return found


def agrees(group: Group, topology: Topology, nodes: dict[int, Node]) -> None:
    """Every place of every member, and of the members of its subtree."""
    depths: dict[int, tuple[int, ...]] = {}
    for rank, (role, node) in enumerate(nodes.items()):
        parent = node.above.number if node.above else None
        depths[role] = (*(() if parent is None else depths[parent]), role)
        below = node.members()
        assert group.rank(role) == rank and group.role(rank) == role
        assert group.parent(role, topology) == parent
        assert group.children(role, topology) == tuple(each.number for each in node.children)
        assert group.path(role, topology) == depths[role]
        subtree = group.subtree(role, topology)
        assert list(map(group.role, subtree)) == below
        assert list(group.subtree_members(role, topology)) == below
        assert group.size_class(role, topology) == len(below)


@pytest.mark.parametrize("sizes", [range(1, 61), range(61, 101), (149, 200), (347, 500)])
def test_places_equal_explicit_trees(sizes: range | tuple[int, ...]) -> None:
    """Every role of groups of up to 500, fan-outs 2 to 8 and as many as there are roles."""
    random = Random(sizes[0])
    for size in sizes:
        forms = members_of(size)
        for topology, fan in topologies_of(size):
            members, roles = random.choice(forms)
            nodes: dict[int, Node] = {}
            grow(roles, fan, None, nodes)
            agrees(Group(UNIVERSE, 0, b"", members), topology, nodes)


@pytest.mark.parametrize("size", [1, 2, 3, 60])
def test_chains(size: int) -> None:
    """A chain is all depth."""
    for members, roles in members_of(size):
        nodes: dict[int, Node] = {}
        grow(roles, 1, None, nodes)
        agrees(Group(UNIVERSE, 0, b"", members), Topology("tree", 1), nodes)


def test_200_000_roles_cost_their_nodes() -> None:
    """A place is a few divisions in a group of any size, and a subtree a few nodes."""
    group, tree = Group.whole(200_000), Topology.parse("tree<64>")
    assert group.path(199_999, tree) == (0, 196_876, 199_952, 199_999)
    assert group.children(0, tree)[-1] == 196_876
    assert str(group.subtree_members(196_876, tree)) == "stride(196876, 1, 3124)"
    every = Group(10**15, 0, b"", Repeat(10**6, 10**9, Stride(0, 3, 10**8)))
    below = every.subtree_members(every.children(0, tree)[1], tree)
    assert below.nodes <= 6 and below.size == every.size_class(below.min, tree)


def test_members_and_others() -> None:
    random = Random(1)
    for _ in range(300):
        form = random_form(random, 3)
        members, roles = made(form), listed(form)
        universe = roles[-1] + random.randrange(1, 4)
        group = Group(universe, 0, b"", members)
        assert group.size == len(roles)
        for role in range(-1, universe + 1):
            if role in roles:
                assert group.rank(role) == roles.index(role)
                continue
            with pytest.raises(Refusal) as caught:
                group.rank(role)
            inside = 0 <= role < universe
            assert caught.value.code == "protocol-" + ("group-scope" if inside else "role-range")
        with pytest.raises(IndexError):
            group.role(len(roles))


def test_subgroups() -> None:
    random = Random(2)
    for _ in range(300):
        form = random_form(random, 2)
        roles = listed(form)
        group = Group(roles[-1] + 1, 7, b"ls", made(form))
        some = sorted(random.sample(roles, random.randrange(1, len(roles) + 1)))
        members = made(form_of(random, some))
        assert group.subgroup(members) == Group(group.universe, 7, b"ls", members)
        others = sorted({*range(group.universe + 2)} - {*roles})
        wrong = random.choice(others)
        outside = made(form_of(random, sorted({*some, wrong})))
        with pytest.raises(Refusal, match=f"found role {wrong}$") as caught:
            group.subgroup(outside)
        assert caught.value.code == "protocol-group-scope"
    with pytest.raises(Refusal) as caught:
        Group.whole(3).subgroup(Empty())
    assert caught.value.code == "select-empty"


@pytest.mark.parametrize(
    ("universe", "epoch", "identity", "members", "code"),
    [
        (4, 0, b"ls", "empty", "select-empty"),
        (4, 0, b"ls", "stride(0, 1, 5)", "select-universe"),
        (0, 0, b"ls", "stride(0, 1, 1)", "protocol-role-range"),
        (-1, 0, b"ls", "stride(0, 1, 1)", "protocol-role-range"),
        (1 << 63, 0, b"ls", "stride(0, 1, 1)", "protocol-role-range"),
        (4, -1, b"ls", "stride(0, 1, 4)", "protocol-group-identity"),
        (4, 1 << 64, b"ls", "stride(0, 1, 4)", "protocol-group-identity"),
        (4, 0, b"x" * 65, "stride(0, 1, 4)", "protocol-group-identity"),
    ],
)
def test_refused_groups(
    universe: int, epoch: int, identity: bytes, members: str, code: str
) -> None:
    with pytest.raises(Refusal) as caught:
        Group(universe, epoch, identity, Selection.parse(members))
    assert caught.value.code == code


def test_the_greatest_of_everything() -> None:
    """The accepted twins of what is refused."""
    group = Group((1 << 63) - 1, (1 << 64) - 1, b"x" * 64, Stride((1 << 63) - 2, 1, 1))
    assert group.rank((1 << 63) - 2) == 0
    with pytest.raises(Refusal) as caught:
        Group.whole(0)
    assert caught.value.code == "protocol-role-range"


def test_digests() -> None:
    """One a group, frozen; whatever differs, the digest does."""
    groups = [
        Group(universe, epoch, identity, Selection.parse(members))
        for universe in (4, 5)
        for epoch in (0, 1)
        for identity in (b"", b"ls", b"l")
        for members in ("stride(0, 1, 4)", "stride(0, 1, 3)", "repeat(2, 2, stride(0, 1, 2))")
    ]
    assert len({group.digest() for group in groups}) == len(groups)
    frozen = "e154b30ad6e063c1a2f6ae8d47b29303050169ff77d1deebdd8a01145f02cdd0"
    assert Group.whole(4, 0, b"ls").digest() == frozen
