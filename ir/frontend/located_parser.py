"""A parser whose operations know where they stand, and whose errors are refusals with a place.

Invariant: for every text that the source guard lets through, parsing ends in a module or in a
    Refusal, in time linear in the text and in what it stands for. An exception that arose in this
    project's own code is a bug and isn't turned into a refusal.
Why: xDSL 0.75 gives operations no location, points past the culprit or nowhere, and leaves raw
    Python exceptions, unbounded recursion and unbounded expansion to its callers.
Refuses: source-syntax, source-operation-unknown, source-value-undefined, source-nesting-limit, and
    what the parsers under it refuse.
Entry: `parse_source`, `parse_text`, `LocatedParser`.
"""

from __future__ import annotations

from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, UnregisteredAttr, UnregisteredOp
from xdsl.ir import (
    Attribute,
    AttributeInvT,
    Block,
    Data,
    Operation,
    ParametrizedAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.parser import UnresolvedOperand
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from alpha.ir.frontend.bounded_parser import BoundedParser
from alpha.ir.frontend.foreign_errors import arose_in_xdsl, describe_token, shorten, split_message
from alpha.ir.frontend.recursion import recursion_room
from alpha.ir.frontend.source_guard import guard_source
from alpha.ir.refusals import Note, Place, Refusal

_NO_OPERATION = "Could not parse entire input!"
"""What xDSL says at the end of a text that holds no operation: an empty module in MLIR."""


class LocatedParser(BoundedParser):
    """The parser of this project's tools, over one piece of text."""

    def __init__(self, ctx: Context, text: str, file: str, first_line: int = 1) -> None:
        super().__init__(ctx, text, file, first_line)
        self._name_position = 0
        self._first_uses: dict[str, int] = {}

    # Operations: their places, and errors as refusals.

    def parse_operation(self) -> Operation:
        """Parse an operation and give it its place, unless the text itself says `loc("file":1:2)`.

        Raises Refusal with the place of the error, or of the operation if there is none better.
        """
        position = self.pos
        try:
            op = super().parse_operation()
        except Refusal as refusal:
            self._place(refusal, position)
            raise
        except Exception as error:
            raise self._as_refusal(error, position, "an operation") from error
        if not isinstance(op.location, FileLineColLoc):
            op.location = self.location_at(position)
        return op

    def parse_optional_attribute(self) -> Attribute | None:
        """Parse an attribute, if present; an error that has no place is about the attribute."""
        position = self.pos
        try:
            return super().parse_optional_attribute()
        except ParseError:
            raise
        except Refusal as refusal:
            self._place(refusal, position)
            raise
        except Exception as error:
            raise self._as_refusal(error, position, "an attribute") from error

    def parse_optional_type(self) -> TypeAttribute | None:
        """Parse a type, if present; an error that has no place is about the type."""
        position = self.pos
        try:
            return super().parse_optional_type()
        except ParseError:
            raise
        except Refusal as refusal:
            self._place(refusal, position)
            raise
        except Exception as error:
            raise self._as_refusal(error, position, "a type") from error

    def _place(self, refusal: Refusal, position: int) -> None:
        """Give a refusal a place, unless it has one."""
        if refusal.place is None:
            refusal.place = self.place_at(position)

    def _as_refusal(self, error: Exception, position: int, wanted: str) -> Exception:
        """The refusal that an error of xDSL's front end amounts to, else the error itself."""
        if isinstance(error, ParseError):
            return self._parse_error(error)
        if isinstance(error, (RecursionError, MemoryError)) or not arose_in_xdsl(error):
            return error
        expected, found = split_message(str(error), None, f"{wanted} that can be built")
        return Refusal("source-syntax", expected, found, self.place_at(position))

    def _parse_error(self, error: ParseError) -> Refusal:
        span = error.span
        expected, found = split_message(error.msg, span.text, "valid IR text")
        notes: list[Note] = []
        if isinstance(error, MultipleSpansParseError):
            for reference, message in error.refs:
                text = message or error.ref_text or "here"
                notes.append(Note(shorten(text.rstrip(":")), self.place_at(reference.start)))
        place = self.place_at(span.start)
        return Refusal("source-syntax", expected, found, place, tuple(notes))

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse the whole text; one without any operation is the empty module.

        Raises Refusal with a place for every text that isn't a module.
        """
        try:
            return super().parse_module(allow_implicit_module)
        except ParseError as error:
            if self._current_token.kind is MLIRTokenKind.EOF:
                if error.msg == _NO_OPERATION:
                    return ModuleOp([])
                if self.forward_ssa_references:
                    raise self._undefined_values() from error
            raise self._parse_error(error) from error
        except Refusal as refusal:
            self._place(refusal, self.pos)
            raise
        except Exception as error:
            raise self._as_refusal(error, self.pos, "IR") from error

    def _parse_dialect_type_or_attribute_body(
        self,
        attr_name: str,
        is_type: bool,
        is_opaque: bool,
        starting_opaque_pos: Position | None,
    ) -> UnregisteredAttr | ParametrizedAttribute | Data[Any]:
        attribute = super()._parse_dialect_type_or_attribute_body(
            attr_name, is_type, is_opaque, starting_opaque_pos
        )
        if isinstance(attribute, UnregisteredAttr) and "\n" in attribute.value.data:
            # The printer would indent the lines of the body, each time more.
            body = attribute.value.data.replace("\n", " ")
            return type(attribute)(attr_name, is_type, is_opaque, body)
        return attribute

    # Names: operations, blocks, values.

    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        results = super()._parse_op_result_list()
        self._name_position = self.pos
        return results

    def _get_op_by_name(self, name: str) -> type[Operation]:
        plain = MLIRLexer.bare_identifier_regex.fullmatch(name) is not None
        found = (
            self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
            if plain
            else None
        )
        place = self.place_at(self._name_position)
        if found is not None:
            if issubclass(found, UnregisteredOp) and self.text[self._name_position] != '"':
                wanted = f'the generic form of an operation that isn\'t known, "{name}"'
                raise Refusal("source-syntax", wanted, f"a bare {name}", place)
            return found
        raise Refusal(
            "source-operation-unknown",
            "the name of an operation",
            describe_token(name),
            place,
            tuple(Note(text, place) for text in self._near_names(name)),
        )

    def _near_names(self, name: str) -> list[str]:
        """What the user may have meant by the name of an operation that doesn't exist."""
        from difflib import get_close_matches

        dialect, dot, _ = name.partition(".")
        dialects = [*self.ctx.registered_dialect_names]
        if dot and dialect not in dialects:
            near = get_close_matches(dialect, dialects, 1)
            said = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(dialects)}"
            return [f"no dialect is named '{shorten(dialect, 40)}'; {said}"]
        if dot:
            self.ctx.get_optional_dialect(dialect)
        prefixes = (dialect,) if dot else tuple(set(self._parser_state.dialect_stack))
        names = [op.name for op in self.ctx.loaded_ops if op.name.partition(".")[0] in prefixes]
        near = get_close_matches(name, names, 3, 0.5)
        return [f"did you mean {' or '.join(repr(each) for each in near)}?"] if near else []

    def _check_block_name(self) -> None:
        """Refuse a block name that xDSL's blocks can't bear; the current token isn't consumed."""
        token = self._current_token
        if token.kind is MLIRTokenKind.CARET_IDENT and not Block.is_valid_name(token.text[1:]):
            self.refuse(
                "source-syntax", "a block name that doesn't begin with a digit", f"'{token.text}'"
            )

    def _parse_block(self) -> Block:
        self._check_block_name()
        return super()._parse_block()

    def parse_optional_successor(self) -> Block | None:
        """Parse `^name`, if present."""
        self._check_block_name()
        return super().parse_optional_successor()

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        """The value of an operand; where it isn't defined yet, its first use is remembered."""
        name = operand.operand_name
        if name not in self.ssa_values and name not in self.forward_ssa_references:
            self._first_uses[name] = operand.span.start
        return super().resolve_operand(operand, type)

    def _undefined_values(self) -> Refusal:
        """The refusal of values that are used and never defined: a note for each but the first."""
        uses = sorted((self._first_uses[name], name) for name in self.forward_ssa_references)
        (first, name), *others = uses
        return Refusal(
            "source-value-undefined",
            "a value that is defined",
            f"'%{name}'",
            self.place_at(first),
            tuple(Note(f"nor is '%{other}' defined", self.place_at(at)) for at, other in others),
        )


def parse_text(ctx: Context, text: str, file: str, first_line: int = 1) -> ModuleOp:
    """Parse a guarded text, or a piece of one that begins at `first_line`, into a module.

    Raises Refusal with a place.
    """
    with recursion_room():
        try:
            return LocatedParser(ctx, text, file, first_line).parse_module()
        except ParseError as error:
            # The first token is read while the parser is built.
            location = error.span.get_location()
            place = Place(file, location.line + first_line - 1, location.col)
            expected, found = split_message(error.msg, error.span.text, "valid IR text")
            raise Refusal("source-syntax", expected, found, place) from error
        except RecursionError as error:
            expected = "a text that nests less deeply"
            raise Refusal(
                "source-nesting-limit",
                expected,
                "more than the parser can hold",
                Place(file, first_line, 1),
            ) from error


def parse_source(ctx: Context, data: bytes, file: str) -> ModuleOp:
    """Guard and parse the bytes of a whole file into a module.

    Raises Refusal with a place.
    """
    return parse_text(ctx, guard_source(data, file), file)
