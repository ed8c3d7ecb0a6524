"""The bodies of programs and rounds that are being built: what Python functions are traced in.

Refuses: pointwise-type, pointwise-domain, and what the text's parser refuses.
Entry: `Program`, `Round`, `program`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from alpha.ir.attributes.pointwise import parse_order
from alpha.ir.attributes.region import ContractAttr
from alpha.ir.builder.given import (
    described,
    here,
    require_axes,
    require_list,
    require_text,
    require_wholes,
)
from alpha.ir.builder.values import (
    Read,
    Scope,
    Value,
    name_value,
    one_or_all,
    parsed,
    traced,
)
from alpha.ir.dialects.pointwise_domain import FoldOp, MapOp
from alpha.ir.dialects.pointwise_programs import ContributionOp, UpdateOp
from alpha.ir.dialects.pointwise_round import ApplyOp, MeanOp, SumOp
from alpha.ir.dialects.pointwise_terminators import ReturnOp, YieldOp
from alpha.ir.dialects.region import AdvanceOp, FieldOp, ReadOp, SamplesOp
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import element_of, require_value_type, tensor_or_scalar
from alpha.ir.syntax import parse_index

Axes = Mapping[str, int]
Input = Value | Read
Kinds = tuple[type[Operation], ...]


class Program(Scope):
    """The body of a contribution or an update."""

    @overload
    def map(self, inputs: Sequence[Input], body: Callable[..., Value], *, over: Axes) -> Value: ...

    @overload
    def map(
        self, inputs: Sequence[Input], body: Callable[..., tuple[Value, ...]], *, over: Axes
    ) -> tuple[Value, ...]: ...

    def map(
        self, inputs: Sequence[Input], body: Callable[..., object], *, over: Axes
    ) -> Value | tuple[Value, ...]:
        """`pointwise.map`: the body at every point of the axes; one result a value it returns."""
        axes = require_axes(over, "over")
        values, maps, block, yielded = self._domain(inputs, body, list(axes))
        shape = tuple(axes.values())
        types = [tensor_or_scalar(shape, value.type) for value in yielded]
        op = self.put(MapOp(values, maps, shape, block, types))
        return one_or_all(self.values(op.results))

    def fold(
        self,
        kind: str,
        order: str,
        inputs: Sequence[Input],
        body: Callable[..., Value],
        *,
        along: Axes,
        over: Axes | None = None,
    ) -> Value:
        """`pointwise.fold`: the body at every point, reduced by `add` or `max` along axes.

        `order` is `left`, `pairs` or `lanes<L>`.
        """
        require_text(kind, "the kind of a fold, add or max")
        declared = parsed(require_text(order, "the order of a fold"), parse_order)
        kept = {} if over is None else require_axes(over, "over")
        reduced = require_axes(along, "along")
        values, maps, block, yielded = self._domain(inputs, body, [*kept, *reduced])
        types = [tensor_or_scalar(tuple(kept.values()), value.type) for value in yielded]
        extents = [*kept.values(), *reduced.values()]
        op = FoldOp(kind, declared, values, maps, extents, len(reduced), block, types)
        return Value(self.put(op).results[0], self)

    def _domain(
        self, inputs: Sequence[Input], body: Callable[..., object], names: list[str]
    ) -> tuple[list[SSAValue], list[AffineMap], Block, list[SSAValue]]:
        """What map and fold share: operands, index maps, the traced body and what it yields."""
        if len(set(names)) != len(names):
            wanted = "axes of different names"
            raise Refusal("pointwise-domain", wanted, ", ".join(names), here())
        values: list[SSAValue] = []
        maps: list[AffineMap] = []
        parts: list[object] = require_list(inputs, object, "the inputs", "a value or value[index]")
        for number, given in enumerate(parts):
            if not isinstance(given, Value | Read):
                wanted = f"a value or value[index] as input {number}"
                raise Refusal("source-structure", wanted, described(given), here())
            value = given.value if isinstance(given, Read) else given
            require_value_type(value.type, f"input {number}", here())
            index = ()
            if isinstance(given, Read):
                index = parsed(f"[{given.index}]", lambda parser: parse_index(parser, names))
            values.append(value.ssa)
            maps.append(AffineMap(len(names), 0, index))
        scope = Scope(Block(arg_types=[element_of(value.type) for value in values]), 1)
        yielded = traced(body, scope)
        scope.put(YieldOp(*yielded))
        return values, maps, scope.block, yielded


class Round(Scope):
    """The body of a round."""

    def __init__(self, find: Callable[[str, Kinds], Operation]) -> None:
        """`find` gives the part of the learner that has a name and is of one of some kinds."""
        super().__init__(Block())
        self._find = find

    @overload
    def read(self, name: str, /) -> Any: ...

    @overload
    def read(self, name: str, other: str, /, *names: str) -> tuple[Value, ...]: ...

    def read(self, *names: str) -> Value | tuple[Value, ...]:
        """`region.read`: the words of states and constants; of samples, those of each component."""
        types: list[Attribute] = []
        for name in names:
            require_text(name, "a name to read")
            part = self._find(name, (FieldOp, SamplesOp))
            if isinstance(part, SamplesOp):
                types += part.whole_types()
            elif isinstance(part, FieldOp):
                types.append(part.type)
        results = self.values(self.put(ReadOp(names, types)).results)
        if len(names) == len(results):
            for name, value in zip(names, results, strict=True):
                name_value(value.ssa, name)
        return one_or_all(results)

    def sum(
        self,
        contribution: str,
        arguments: Sequence[Value],
        over: str,
        *,
        groups: Sequence[int] | None = None,
        combine: str = "left",
    ) -> tuple[Value, ...]:
        """`pointwise.sum`: the sum of each result of a contribution, and last their count.

        `groups`, combined `left` or by `tree<F>`, are the contract; without them the owners are.
        """
        callee = self._find(contribution, (ContributionOp,))
        assert isinstance(callee, ContributionOp)
        contract = None
        if groups is not None:
            how = require_text(combine, "the combination of groups")
            text = f"<groups = {require_wholes(groups, 'groups')}, combine = {how}>"
            contract = ContractAttr(parsed(text, ContractAttr.parse_parameter))
        samples = require_text(over, "the name of samples")
        op = SumOp(contribution, _ssa(arguments), samples, callee.summed_types(), contract)
        return self.values(self.put(op).results)

    def mean(self, total: Value, count: Value) -> Value:
        """`pointwise.mean`: total / count."""
        return Value(self.put(MeanOp(*_ssa([total, count]))).result, self)

    def apply(self, update: str, arguments: Sequence[Value]) -> Any:
        """`pointwise.apply`: the result of an update, or a tuple of its results."""
        callee = self._find(update, (UpdateOp,))
        assert isinstance(callee, UpdateOp)
        op = ApplyOp(update, _ssa(arguments), callee.function_type.outputs.data)
        return one_or_all(self.values(self.put(op).results))

    def advance(self, **words: Value) -> None:
        """`region.advance`: the new words of states by their names; it ends the round."""
        self.put(AdvanceOp(list(words), _ssa(list(words.values()))))


def program(rule: Callable[..., Any], types: Sequence[Attribute]) -> tuple[FunctionType, Block]:
    """The signature and the traced body of a program."""
    scope = Program(Block(arg_types=types))
    results = traced(rule, scope, scope)
    scope.put(ReturnOp(*results))
    return FunctionType.from_lists(list(types), [value.type for value in results]), scope.block


def _ssa(values: Sequence[Value]) -> list[SSAValue]:
    given = require_list(values, Value, "arguments", "a value of the program")
    return [value.ssa for value in given]
