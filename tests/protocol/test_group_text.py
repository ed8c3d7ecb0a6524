"""The text of `#protocol.group<...>`: what is written is read back, and what is refused."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from alpha.ir.attributes.protocol import GroupAttr
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.protocol.groups import Group
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection


def read(text: str, before: str = "") -> Group:
    """The group that a text says, as an attribute of a module."""
    module = parse_text(make_context(), f"{before}module attributes {{g = {text}}} {{}}", "g.mlir")
    assert isinstance(module, ModuleOp)
    attribute = module.attributes["g"]
    assert isinstance(attribute, GroupAttr)
    return attribute.data


@pytest.mark.parametrize(
    "members", ["stride(0, 1, 4)", "repeat(2, 2, stride(0, 1, 1))", "join(stride(1, 1, 1))"]
)
@pytest.mark.parametrize("identity", [b"", b"ls", b"\x00\xff", b"x" * 64])
@pytest.mark.parametrize("epoch", [0, (1 << 64) - 1])
def test_what_is_written_is_read_back(epoch: int, identity: bytes, members: str) -> None:
    group = Group(4, epoch, identity, Selection.parse(members))
    text = f'#protocol.group<universe = 4, epoch = {epoch}, id = "{identity.hex()}", {members}>'
    assert str(GroupAttr(group)) == text
    assert read(text) == group


def test_members_by_an_alias() -> None:
    alias = "#some = #region.select<stride(1, 2, 2)>\n"
    group = Group(4, 0, b"ls", Selection.parse("stride(1, 2, 2)"))
    for members in ("#some", "#region.select<stride(1, 2, 2)>"):
        text = f'#protocol.group<universe = 4, epoch = 0, id = "6C73", {members}>'
        assert read(text, alias) == group


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('universe = 4, epoch = 0, id = "6c7", stride(0, 1, 4)', "source-syntax"),
        ('universe = 4, epoch = 0, id = "6c  73", stride(0, 1, 4)', "source-syntax"),
        ('universe = 4, epoch = 0, id = "ls", stride(0, 1, 4)', "source-syntax"),
        ("universe = 4, epoch = 0, id = 6c73, stride(0, 1, 4)", "source-syntax"),
        ('universe = -4, epoch = 0, id = "6c73", stride(0, 1, 4)', "source-syntax"),
        ('universe = 4, id = "6c73", stride(0, 1, 4)', "source-syntax"),
        ('universe = 4, epoch = 0, id = "6c73", @all', "source-syntax"),
        ('universe = 4, epoch = 0, id = "6c73", #shard.map<cyclic>', "source-syntax"),
        ('universe = 0, epoch = 0, id = "6c73", stride(0, 1, 1)', "protocol-role-range"),
        (f'universe = 4, epoch = {1 << 64}, id = "", stride(0, 1, 4)', "protocol-group-identity"),
        (f'universe = 4, epoch = 0, id = "{"00" * 65}", empty', "protocol-group-identity"),
        ('universe = 4, epoch = 0, id = "6c73", empty', "select-empty"),
        ('universe = 4, epoch = 0, id = "6c73", stride(0, 1, 5)', "select-universe"),
    ],
)
def test_what_is_refused(text: str, code: str) -> None:
    """With a place in the text."""
    with pytest.raises(Refusal) as caught:
        read(f"#protocol.group<{text}>")
    assert caught.value.code == code
    assert caught.value.place is not None and caught.value.place.line == 1
