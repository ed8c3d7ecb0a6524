"""Values of a program that is being built: Python's operators on them put operations into it.

Invariant: an operation stands in the innermost body that one of its operands belongs to, at its
    end, and carries the place of the Python expression that made it. A number among the operands
    becomes an `arith.constant` in that body, of the type of the other operands.
Refuses: pointwise-type, source-syntax, and what the parts of the text's parser refuse.
Entry: `Value`, `Scope`, and the scalar functions from `sqrt` to `select`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FileLineColLoc, FloatAttr, IntAttr, StringAttr, f64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRTokenKind

from alpha.ir.attributes.literals import float_attr
from alpha.ir.builder.given import (
    described,
    here,
    require_callable,
    require_element,
    require_number,
    require_text,
)
from alpha.ir.dialects.pointwise import MaxOp, MinOp, SigmoidOp
from alpha.ir.frontend.foreign_errors import describe_token, split_message
from alpha.ir.frontend.located_parser import LocatedParser
from alpha.ir.refusals import Refusal
from alpha.ir.scalars import PREDICATES
from alpha.ir.shapes import FloatType, element_of, is_float, is_value_type

Built = TypeVar("Built", bound=Operation)
Parsed = TypeVar("Parsed")


def located(op: Built) -> Built:
    """The operation, with the place of the Python expression that made it."""
    place = here()
    file = StringAttr(place.file)
    op.location = FileLineColLoc(file, IntAttr(place.line), IntAttr(place.column))
    return op


def parsed(
    text: str, read: Callable[[LocatedParser], Parsed], ctx: Context | None = None
) -> Parsed:
    """What one of the parser's own methods reads from the text, which ends there.

    `ctx` is needed where the text names attributes of a dialect.

    Raises:
        Refusal: `source-syntax`, or what the method refuses, at the place in Python.
    """
    parser = LocatedParser(Context() if ctx is None else ctx, text, "<text>")
    try:
        result = read(parser)
        end = parser._current_token  # pyright: ignore[reportPrivateUsage]
        if end.kind is not MLIRTokenKind.EOF:
            wanted, found = f"the end of {text!r}", describe_token(end.text)
            raise Refusal("source-syntax", wanted, found, here())
        return result
    except ParseError as error:
        wanted, found = split_message(error.msg, error.span.text, "other text")
        raise Refusal("source-syntax", f"{wanted} in {text!r}", found, here()) from None
    except Refusal as refusal:
        refusal.place = here()
        raise


def literal(value: float, element: FloatType) -> FloatAttr:
    """A number as an attribute of the element type, rounded to nearest even.

    Raises:
        Refusal: `source-syntax` if it is out of range, `source-structure` if it is no number.
    """
    number = require_number(value)
    try:
        return float_attr(number, element)
    except OverflowError:
        wanted = f"a number in the range of {element}"
        raise Refusal("source-syntax", wanted, str(value), here()) from None


class Scope:
    """Where operations are put: the body of a program, of a round, or of a map or fold."""

    def __init__(self, block: Block, depth: int = 0) -> None:
        """`depth` is 1 in the body of a map or fold."""
        self.block = block
        self.depth = depth

    def put(self, op: Built) -> Built:
        """Put an operation at the end of the body."""
        self.block.add_op(located(op))
        return op

    def values(self, values: Sequence[SSAValue]) -> tuple[Value, ...]:
        """Values that are defined in this body."""
        return tuple(Value(value, self) for value in values)

    def constant(self, value: float, type: FloatType = f64) -> Value:
        """A word that is written in the program."""
        op = self.put(arith.ConstantOp(literal(value, require_element(type))))
        return Value(op.result, self)


class Traced:
    """What a function of the program is called with; Python's own operators on it are refused.

    Where Python would compute an answer from the object itself, as `==`, `in` and `for` do, the
    program would silently be another one. So all of them are refused, and a class defines again
    those that it has.
    """

    __array_ufunc__ = None
    """numpy's operators leave it to this class."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Any:
        _refuse("==", 'compare("oeq", a, b)')

    def __ne__(self, other: object) -> Any:
        _refuse("!=", 'compare("une", a, b)')

    def __contains__(self, other: object) -> bool:
        _refuse("in", 'compare("oeq", a, b)')

    def __iter__(self) -> NoReturn:
        _refuse("an iteration or unpacking of Python", "`map`, `fold` or one index at a time")

    def __bool__(self) -> bool:
        """Refused: a program has no branches, and Python's `and`, `or`, `if` would pick one."""
        _refuse("a branch of Python", "select(condition, a, b)")

    def __getitem__(self, index: Any) -> Any:
        _refuse("an index", "one index, [...], on a value alone")


def _refuse(found: str, wanted: str) -> NoReturn:
    raise Refusal("pointwise-type", wanted, f"{found} on a value of the program", here())


def _refused(name: str) -> Callable[..., NoReturn]:
    def refuse(traced: object, *_: object) -> NoReturn:
        if isinstance(traced, Read):
            wanted = "value[index] as an input of a map or fold, and the word in its body"
            raise Refusal("pointwise-type", wanted, f"Python's {name} on it", here())
        wanted = "+, -, *, /, <, <=, >, >=, abs or a function of the builder on a scalar value"
        _refuse(f"Python's {name}", wanted)

    return refuse


_BINARY = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
_UNARY = (
    *("lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "round", "trunc", "floor", "ceil"),
    *("float", "int", "complex", "index", "len", "reversed", "call", "setitem", "delitem"),
    *("enter", "exit", "next", "bytes"),
)

for _name in (*_BINARY, *(f"r{name}" for name in _BINARY), *_UNARY):
    setattr(Traced, f"__{_name}__", _refused(f"__{_name}__"))


@dataclass(frozen=True, eq=False)
class Read(Traced):
    """The word of a tensor that an index selects, as an input of a map or fold."""

    value: Value
    index: str


@dataclass(frozen=True, eq=False)
class Value(Traced):
    """A value of a program. A scalar has +, -, *, /, <, <=, >, >=, abs; a tensor is indexed."""

    ssa: SSAValue
    scope: Scope

    @property
    def type(self) -> Attribute:
        """The type of the value."""
        return self.ssa.type

    def __getitem__(self, index: str | int) -> Read:
        """The word at an index over the axes of a map or fold, written as in the text."""
        if isinstance(index, int) and not isinstance(index, bool):
            return Read(self, str(index))
        return Read(self, require_text(index, "an index, such as w['i, j + 1']"))

    def constant(self, value: float) -> Value:
        """A word that is written in the same body, of the same element type."""
        if not is_value_type(self.type):
            raise Refusal("pointwise-type", "a value of words", str(self.type), here())
        return self.scope.constant(value, element_of(self.type))

    def __add__(self, other: Operand) -> Value:
        return _put(arith.AddfOp, self, other)

    def __radd__(self, other: float) -> Value:
        return _put(arith.AddfOp, other, self)

    def __sub__(self, other: Operand) -> Value:
        return _put(arith.SubfOp, self, other)

    def __rsub__(self, other: float) -> Value:
        return _put(arith.SubfOp, other, self)

    def __mul__(self, other: Operand) -> Value:
        return _put(arith.MulfOp, self, other)

    def __rmul__(self, other: float) -> Value:
        return _put(arith.MulfOp, other, self)

    def __truediv__(self, other: Operand) -> Value:
        return _put(arith.DivfOp, self, other)

    def __rtruediv__(self, other: float) -> Value:
        return _put(arith.DivfOp, other, self)

    def __neg__(self) -> Value:
        return _put(arith.NegfOp, self)

    def __abs__(self) -> Value:
        return absf(self)

    def __lt__(self, other: Operand) -> Value:
        return compare("olt", self, other)

    def __le__(self, other: Operand) -> Value:
        return compare("ole", self, other)

    def __gt__(self, other: Operand) -> Value:
        return compare("ogt", self, other)

    def __ge__(self, other: Operand) -> Value:
        return compare("oge", self, other)


Operand = Value | float


def _put(build: Callable[..., Operation], *operands: Operand) -> Value:
    """Put an operation on these operands into the innermost of their bodies."""
    for operand in operands:
        if isinstance(operand, Read):
            wanted = "a word that is the input of a map or fold, and computed with in its body"
            raise Refusal("pointwise-type", wanted, "an index among the operands", here())
        if not isinstance(operand, Value):
            require_number(operand)
    values = [operand for operand in operands if isinstance(operand, Value)]
    if not values:
        wanted = "a value of the program among the operands"
        raise Refusal("pointwise-type", wanted, "numbers alone", here())
    scope = max((value.scope for value in values), key=lambda scope: scope.depth)
    elements = [element_of(value.type) for value in values if is_float(value.type)]
    element = elements[0] if elements else f64
    ssa = [
        operand.ssa if isinstance(operand, Value) else scope.constant(operand, element).ssa
        for operand in operands
    ]
    return Value(scope.put(build(*ssa)).results[0], scope)


def sqrt(a: Value) -> Value:
    """`math.sqrt`."""
    return _put(math.SqrtOp, a)


def absf(a: Value) -> Value:
    """`math.absf`."""
    return _put(math.AbsFOp, a)


def exp(a: Value) -> Value:
    """`math.exp`."""
    return _put(math.ExpOp, a)


def log(a: Value) -> Value:
    """`math.log`: the natural logarithm."""
    return _put(math.LogOp, a)


def tanh(a: Value) -> Value:
    """`math.tanh`."""
    return _put(math.TanhOp, a)


def sigmoid(a: Value) -> Value:
    """`pointwise.sigmoid`: 1 / (1 + exp(-a))."""
    return _put(SigmoidOp, a)


def copysign(a: Operand, b: Operand) -> Value:
    """`math.copysign`: the magnitude of a with the sign of b."""
    return _put(math.CopySignOp, a, b)


def fma(a: Operand, b: Operand, c: Operand) -> Value:
    """`math.fma`: a * b + c, rounded once."""
    return _put(math.FmaOp, a, b, c)


def minimum(a: Operand, b: Operand) -> Value:
    """`pointwise.min`: a < b ? a : b."""
    return _put(MinOp, a, b)


def maximum(a: Operand, b: Operand) -> Value:
    """`pointwise.max`: a > b ? a : b."""
    return _put(MaxOp, a, b)


def compare(predicate: str, a: Operand, b: Operand) -> Value:
    """`arith.cmpf` with one of its predicates, such as `oeq`."""
    if not isinstance(predicate, str) or predicate not in PREDICATES:
        wanted = f"one of {', '.join(PREDICATES)}"
        raise Refusal("pointwise-type", wanted, described(predicate), here())
    return _put(lambda x, y: arith.CmpfOp(x, y, predicate), a, b)


def select(condition: Value, a: Operand, b: Operand) -> Value:
    """`arith.select`: a where the condition holds, else b."""
    return _put(arith.SelectOp, condition, a, b)


def traced(body: Callable[..., object], scope: Scope, *first: object) -> list[SSAValue]:
    """Call a function on the arguments of the scope's block; they take the names it gives them.

    Raises:
        Refusal: `pointwise-type` if it returns something else than values.
    """
    arguments = list(scope.block.args)
    names = require_callable(body, "a body of the program", (*first, *arguments))[len(first) :]
    for argument, name in zip(arguments, names, strict=False):
        name_value(argument, name)
    returned = body(*first, *scope.values(arguments))
    results = returned if isinstance(returned, tuple) else (returned,)
    for result in results:
        if not isinstance(result, Value):
            wanted = "values of the program as what its function returns"
            raise Refusal("pointwise-type", wanted, described(result), here())
    return [result.ssa for result in results if isinstance(result, Value)]


def name_value(value: SSAValue, name: str) -> None:
    """Print a value by this name, if values can have it."""
    if SSAValue.is_valid_name(name):
        value.name_hint = name


def one_or_all(values: tuple[Value, ...]) -> Value | tuple[Value, ...]:
    """The only value, or all of them."""
    return values[0] if len(values) == 1 else values
