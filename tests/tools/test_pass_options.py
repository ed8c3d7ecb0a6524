"""The options of passes: every type, every spelling, every refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.tools.driver.arguments import PassRequest, UsageError
from alpha.tools.driver.pass_options import build_pass, split_options


@dataclass(frozen=True)
class Everything(ModulePass):
    """A pass with an option of every type."""

    name: ClassVar[str] = "everything"
    count: int = 1
    rate: float = 0.5
    text: str = ""
    on: bool = False
    kind: Literal["a", "b"] = "a"
    level: Literal[1, 2] = 1
    counts: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    perhaps: int | None = None
    either: int | str = 0
    two_words: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Nothing."""


def build(options: str) -> object:
    return build_pass(Everything, PassRequest("everything", options))


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        ("count=7", "count", 7),
        ("count=-7", "count", -7),
        ("  count = 7 ".replace(" = ", "="), "count", 7),
        ("rate=2", "rate", 2.0),
        ("rate=-1.5e-3", "rate", -1.5e-3),
        ("text=tree<4>", "text", "tree<4>"),
        ("text=", "text", ""),
        ('text="a b = {c}"', "text", "a b = {c}"),
        ("text='say \"x\"'", "text", 'say "x"'),
        ("on", "on", True),
        ("on=true", "on", True),
        ("on=false", "on", False),
        ("kind=b", "kind", "b"),
        ("level=2", "level", 2),
        ("counts=1,2,3,0", "counts", (1, 2, 3, 0)),
        ("counts=[1,2]", "counts", (1, 2)),
        ("counts=[]", "counts", ()),
        ("counts=", "counts", ()),
        ("counts='1, 2'", "counts", (1, 2)),
        ("names=a,b", "names", ("a", "b")),
        ("perhaps=3", "perhaps", 3),
        ("either=3", "either", 3),
        ("either=x", "either", "x"),
        ("two-words=3", "two_words", 3),
        ("two_words=3", "two_words", 3),
        ("{count=2 on}", "on", True),
    ],
)
def test_values(options: str, field: str, value: object) -> None:
    found = getattr(build(options), field)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("count=4.0", "option 'count' expects an integer, got '4.0'"),
        ("count=0x4", "option 'count' expects an integer, got '0x4'"),
        ("count=", "option 'count' expects an integer, got ''"),
        ("count=" + "9" * 5000, "option 'count' expects an integer, got '999"),
        ("rate=nan", "option 'rate' expects a number, got 'nan'"),
        ("rate=1e", "option 'rate' expects a number, got '1e'"),
        ("on=yes", "option 'on' expects 'true' or 'false', got 'yes'"),
        ("kind=c", "option 'kind' expects 'a' or 'b', got 'c'"),
        ("kind", "option 'kind' expects 'a' or 'b', got no value"),
        ("counts=1,x", "option 'counts' expects a list, each an integer, got '1,x'"),
        ("counts=1,,2", "option 'counts' expects a list, each an integer, got '1,,2'"),
        ("perhaps=x", "option 'perhaps' expects an integer, got 'x'"),
        ("two-words=1 two_words=2", "option 'two-words' is given twice"),
        ("nope=1", "there is no option 'nope'; its options are count, rate, text, on, kind, "),
        ("text='a", "expected options as 'key=value', got \"text='a\""),
        ("text='a'b", "expected options as 'key=value', got \"text='a'b\""),
        ("1=2", "expected options as 'key=value', got '1=2'"),
    ],
)
def test_errors(options: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        build(options)
    assert str(caught.value).startswith(f"--everything: {message}")


def test_split_keeps_the_order() -> None:
    request = PassRequest("x", " b=1  a='2 3' flag ")
    assert list(split_options(request).items()) == [("b", "1"), ("a", "2 3"), ("flag", None)]
