"""`linalg.generic`, which says its loops, maps and body itself, and `linalg.index` in its body.

Refuses: source-syntax, pointwise-type, pointwise-domain, source-structure.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent

from alpha.ir.attributes.linalg import IteratorTypeAttr, LoopKind
from alpha.ir.dialects.linalg_structured import SegmentedOp, parse_group, parse_results
from alpha.ir.refusals import Refusal
from alpha.ir.syntax import parse_count, place_at

TEXTS = ("doc", "library_call")


@irdl_op_definition
class GenericOp(SegmentedOp):
    """Loops over the words of tensors, with an index map for each operand, as in MLIR.

    A reduction is `out + f(ins)` over the loops of type `reduction`, in row-major order from the
    words of `outs` on. In a program it is to be converted: `--convert-linalg-to-pointwise`.
    """

    name = "linalg.generic"
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    doc = opt_prop_def(StringAttr)
    library_call = opt_prop_def(StringAttr)

    def __init__(
        self,
        ins: Sequence[SSAValue],
        outs: Sequence[SSAValue],
        maps: Sequence[AffineMap],
        iterators: Sequence[LoopKind],
        body: Region,
        types: Sequence[Attribute],
        texts: dict[str, StringAttr] | None = None,
    ) -> None:
        super().__init__(
            operands=[list(ins), list(outs)],
            result_types=[list(types)],
            properties={
                "indexing_maps": ArrayAttr([AffineMapAttr(map) for map in maps]),
                "iterator_types": ArrayAttr([IteratorTypeAttr(each) for each in iterators]),
                **(texts or {}),
            },
            regions=[body],
        )

    def maps(self) -> Sequence[AffineMap]:
        return [entry.data for entry in self.indexing_maps.data]

    def iterators(self) -> Sequence[LoopKind]:
        return [entry.data for entry in self.iterator_types.data]

    @classmethod
    def parse(cls, parser: Parser) -> GenericOp:
        trait = _Trait(parser)
        ins, outs = parse_group(parser, "ins"), parse_group(parser, "outs")
        if parser.parse_optional_keyword("attrs") is not None:
            parser.parse_punctuation("=")
            trait.rest |= parser.parse_optional_attr_dict()
        body = parser.parse_region()
        types = parse_results(parser)
        op = cls(ins, outs, trait.maps, trait.iterators, body, types, trait.texts)
        op.attributes.update(trait.rest)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" {indexing_maps = ")
        printer.print_attribute(self.indexing_maps)
        printer.print_string(", iterator_types = [")
        printer.print_list(self.iterators(), lambda each: printer.print_string(f'"{each.value}"'))
        printer.print_string("]")
        for name in TEXTS:
            text = self.properties.get(name)
            if text is not None:
                printer.print_string(f", {name} = ")
                printer.print_attribute(text)
        printer.print_string("}")
        self.print_operands(printer)
        if self.attributes:
            printer.print_string(" attrs =")
            printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.enter_scope()
        printer.print_region(self.body)
        printer.exit_scope()
        self.print_results(printer)


class _Trait:
    """What stands between the name and the operands: a dictionary, or an alias of one."""

    def __init__(self, parser: Parser) -> None:
        self._place = place_at(parser, parser.pos)
        attribute = parser.parse_attribute()
        if not isinstance(attribute, DictionaryAttr):
            wanted = "a dictionary with indexing_maps and iterator_types"
            raise Refusal("source-syntax", wanted, str(attribute), self._place)
        self.rest: dict[str, Attribute] = dict(attribute.data)
        self.maps = [self._map(entry) for entry in self._list("indexing_maps")]
        self.iterators = [self._iterator(entry) for entry in self._list("iterator_types")]
        self.texts: dict[str, StringAttr] = {}
        for name in TEXTS:
            text = self.rest.pop(name, None)
            if isinstance(text, StringAttr):
                self.texts[name] = text
            elif text is not None:
                raise Refusal("source-syntax", f"a string as {name}", str(text), self._place)

    def _list(self, name: str) -> Sequence[Attribute]:
        entries = self.rest.pop(name, None)
        if not isinstance(entries, ArrayAttr):
            found = "none" if entries is None else str(entries)
            raise Refusal("source-syntax", f"a list as {name}", found, self._place)
        return entries.data

    def _map(self, entry: Attribute) -> AffineMap:
        if not isinstance(entry, AffineMapAttr):
            raise Refusal("source-syntax", "an affine map", str(entry), self._place)
        return entry.data

    def _iterator(self, entry: Attribute) -> LoopKind:
        if isinstance(entry, IteratorTypeAttr):
            return entry.data
        names = [each.value for each in LoopKind]
        if not isinstance(entry, StringAttr) or entry.data not in names:
            wanted = " or ".join(f'"{name}"' for name in names)
            raise Refusal("source-syntax", wanted, str(entry), self._place)
        return LoopKind(entry.data)


@irdl_op_definition
class IndexOp(IRDLOperation):
    """The number of the point along one loop, in a body: `linalg.index 0 : index`.

    It is read so that it can be refused by name: a pointwise body computes on words alone.
    """

    name = "linalg.index"
    dim = prop_def(IntegerAttr[I64])
    result = result_def(IndexType)
    traits = traits_def(HasParent(GenericOp))

    def __init__(self, dim: int) -> None:
        super().__init__(properties={"dim": IntegerAttr(dim, i64)}, result_types=[IndexType()])

    def verify_(self) -> None:
        parent = self.parent_op()
        loops = len(parent.iterators()) if isinstance(parent, GenericOp) else 0
        if not 0 <= self.dim.value.data < loops:
            wanted = f"the number of one of {loops} loops"
            raise Refusal("pointwise-domain", wanted, str(self.dim.value.data), self)

    @classmethod
    def parse(cls, parser: Parser) -> IndexOp:
        op = cls(parse_count(parser))
        op.attributes.update(parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        place = place_at(parser, parser.pos)
        type = parser.parse_type()
        if type != op.result.type:
            raise Refusal("source-syntax", "index", str(type), place)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.dim.value.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : index")
