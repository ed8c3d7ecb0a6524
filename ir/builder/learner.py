"""Learners built from Python: functions are traced into the same IR that the text gives.

Invariant: what is built is what the text would be, checked by the same verifier. Operations carry
    the place in Python that made them, so refusals point there.
Why: a learner can be generated, and a rule can be one Python function that serves many shapes.
Refuses: region-symbol-unknown, region-domain, pointwise-type, and what the text's parser and the
    verifier refuse.
Entry: `LearnerBuilder`, `tensor`, `file`; `alpha.ir.builder` has them and the scalars of `values`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f64,
)
from xdsl.ir import Attribute, Block, Operation
from xdsl.parser import AttrParser

from alpha.ir.attributes.literals import dense_value, float_bytes
from alpha.ir.attributes.region import FileAttr
from alpha.ir.builder.bodies import Kinds, Round, program
from alpha.ir.builder.given import (
    here,
    require_callable,
    require_element,
    require_kind,
    require_list,
    require_number,
    require_symbol,
    require_text,
    require_type,
    require_types,
    require_whole,
    require_wholes,
)
from alpha.ir.builder.values import literal, located, parsed
from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp, UpdateOp
from alpha.ir.dialects.region import ConstantOp, FieldOp, LearnerOp, RoundOp, SamplesOp, StateOp
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import (
    FloatType,
    element_of,
    shape_of,
    tensor_or_scalar,
    words_of,
)

Rule = TypeVar("Rule", bound=Callable[..., Any])
Words = float | Sequence[Any] | FileAttr | Any
"""A number for all words, an array or nested lists of them, or a file."""


@runtime_checkable
class _Array(Protocol):
    """An array of numpy, or of a library like it."""

    def tolist(self) -> Any:
        """The words as nested lists, or one number."""
        ...


def tensor(*shape: int, element: FloatType = f64) -> Attribute:
    """The type of a tensor, or of a scalar where there is no extent."""
    extents = tuple(require_whole(extent, "an extent of a tensor") for extent in shape)
    return require_type(tensor_or_scalar(extents, require_element(element)), "a tensor")


def file(path: str, key: str = "") -> FileAttr:
    """Words in a `.npy` file, or in the tensor `key` of a `.safetensors` file.

    Raises:
        Refusal: `region-data-file` for another file.
    """
    require_text(path, "the path of a file")
    require_text(key, "the key of a tensor in a file")
    try:
        return FileAttr(StringAttr(path), StringAttr(key))
    except Refusal as refusal:
        refusal.place = here()
        raise


class LearnerBuilder:
    """A learner in the making: its parts stand in the order in which they are added."""

    def __init__(
        self,
        name: str,
        *,
        owners: int | None = None,
        topology: str = "star",
        samples: Sequence[int] | None = None,
    ) -> None:
        """`owners` with their topology, and how many samples each of them has."""
        require_text(name, "the name of a learner")
        require_text(topology, "a topology")
        declared = None
        if owners is None and (samples is not None or topology != "star"):
            raise Refusal(
                "source-structure", "owners with their samples or topology", "None", here()
            )
        if owners is not None:
            counts = None if samples is None else require_wholes(samples, "samples")
            split = "" if counts is None else f", samples = {counts}"
            text = f"#shard.owners<{require_whole(owners, 'owners')}, {topology}{split}>"
            declared = parsed(text, AttrParser.parse_attribute, make_context())
        self._op = located(LearnerOp(name, Block(), declared))

    def _add(self, op: Operation) -> None:
        self._op.body.block.add_op(located(op))

    def _find(self, name: str, kinds: Kinds) -> Operation:
        """The part that has the name and is of one of the kinds.

        Raises:
            Refusal: `region-symbol-unknown`.
        """
        require_text(name, "the name of a part of the learner")
        parts = {
            part.sym_name.data: part
            for part in self._op.body.block.ops
            if isinstance(part, FieldOp | SamplesOp | ProgramOp) and isinstance(part, kinds)
        }
        if name in parts:
            return parts[name]
        known = ", ".join(f"@{other}" for other in parts) or "none"
        wanted = f"one of the names defined before ({known})"
        raise Refusal("region-symbol-unknown", wanted, f"@{name}", here())

    def state(
        self,
        name: str,
        type: Attribute,
        initial: Words,
        *,
        shared: bool = False,
        identity: str | None = None,
    ) -> None:
        """`region.state`. `initial` is one number for all words, an array, lists, or a file.

        `identity` is written as in the text, `#region.identity<...>`.
        """
        given = None
        if identity is not None:
            text = require_text(identity, "an identity, #region.identity<...>")
            given = parsed(text, AttrParser.parse_attribute, make_context())
        require_kind(shared, bool, "True or False as shared")
        self._add(StateOp(name, type, _initial(name, type, initial), shared, given))

    def constant(self, name: str, type: Attribute, initial: Words) -> None:
        """`region.constant`, its value given as a state's."""
        self._add(ConstantOp(name, type, _initial(name, type, initial)))

    def samples(
        self, name: str, count: int, types: Sequence[Attribute], sources: Sequence[Words]
    ) -> None:
        """`region.samples`: each component's words have the shape (count, *component)."""
        require_text(name, "the name of samples")
        types = require_types(types, f"a component of @{name}")
        total = require_whole(count, f"the number of samples of @{name}")
        whole = [tensor_or_scalar((total, *shape_of(type)), element_of(type)) for type in types]
        listed: Any = sources.tolist() if isinstance(sources, _Array) else sources
        parts: list[Any] = require_list(listed, object, "sources", "numbers or a file")
        if len(parts) != len(types):
            wanted = f"one source for each of {len(types)} components of @{name}"
            raise Refusal("region-samples-components", wanted, str(len(parts)), here())
        words = [_initial(name, *pair) for pair in zip(whole, parts, strict=True)]
        self._add(SamplesOp(name, total, types, words))

    def contribution(
        self,
        parameters: Sequence[Attribute],
        sample: Sequence[Attribute],
        *,
        observed: Sequence[str] = (),
        name: str | None = None,
    ) -> Callable[[Rule], Rule]:
        """`pointwise.contribution`: decorates a function of the program, parameters and a sample.

        `observed` names the last of the results that it returns.
        """

        types = require_types(parameters, "a parameter")
        components = require_types(sample, "a component of a sample")
        names = require_list(observed, str, "observed", "a name")

        def build(rule: Rule) -> Rule:
            type, block = program(rule, [*types, *components])
            symbol = require_symbol(name, rule, "a contribution")
            self._add(ContributionOp(symbol, type, len(components), names, block))
            return rule

        return build

    def update(
        self, arguments: Sequence[Attribute], *, name: str | None = None
    ) -> Callable[[Rule], Rule]:
        """`pointwise.update`: decorates a function of the program and words of these types."""

        types = require_types(arguments, "an argument")

        def build(rule: Rule) -> Rule:
            type, block = program(rule, types)
            self._add(UpdateOp(require_symbol(name, rule, "an update"), type, block))
            return rule

        return build

    def round(self, rule: Callable[[Round], None]) -> None:
        """`region.round`: decorates a function that reads, sums, applies and at last advances."""
        scope = Round(self._find)
        require_callable(rule, "a round", (scope,))
        rule(scope)
        self._add(RoundOp(scope.block))

    def module(self) -> ModuleOp:
        """A module with the learner, verified; a new one each time.

        Raises:
            Refusal: at the place in Python where the wrong part was made.
        """
        module = ModuleOp([self._op.clone()])
        verify_module(module)
        return module


def _initial(name: str, type: Attribute, words: Words) -> Attribute:
    """An initial value as the text gives it: a float attribute where all words are alike."""
    require_text(name, "the name of a part of the learner")
    require_type(type, f"@{name}")
    if isinstance(words, FileAttr):
        return words
    element = element_of(type)
    values, shape = _flat(words)
    data = b"".join(float_bytes(literal(value, element).value.data, element) for value in values)
    if not shape:
        return literal(values[0], element)
    found = TensorType(element, shape)
    if isinstance(type, TensorType) and (shape == shape_of(type) or not (data or words_of(type))):
        return dense_value(type, data)
    return DenseIntOrFPElementsAttr(found, BytesAttr(data))


def _flat(words: Any) -> tuple[list[float], tuple[int, ...]]:
    """The numbers of an array or of nested lists in row-major order, and their shape.

    Raises:
        Refusal: `region-domain` if rows have different shapes.
    """
    nested: Any = words.tolist() if isinstance(words, _Array) else words
    if not isinstance(nested, list | tuple):
        return [require_number(nested)], ()
    rows = [_flat(row) for row in nested]
    shapes = {shape for _, shape in rows}
    if len(shapes) > 1:
        found = " and ".join(str(list(shape)) for shape in sorted(shapes))
        raise Refusal("region-domain", "rows of one shape", found, here())
    inner = shapes.pop() if shapes else ()
    return [value for values, _ in rows for value in values], (len(rows), *inner)
