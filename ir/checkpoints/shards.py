"""The layout of a shard: one `.safetensors` file with the words of one role.

Invariant: the header has as many bytes at every version, and the words begin behind it at a
    multiple of 64 bytes. Tensors stand without gaps, those of f64 first, so that each begins at a
    multiple of its word.
Why: a role is compiled before it runs, and the place of each of its words in the file with it.
Refuses: target-unsupported.
Entry: `shard_layout`, `ShardLayout`, `ShardField`.

The header is 8 bytes of length, little-endian, and so many bytes of JSON, padded with spaces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alpha.ir.checkpoints.facts import WORD_BYTES, Facts
from alpha.ir.checkpoints.json_pieces import Json, Quoted, json_pieces
from alpha.ir.checkpoints.selection_texts import coordinates_text
from alpha.ir.checkpoints.texts import Piece, Spaces, Text, VersionText, bytes_most, render
from alpha.ir.names import RESERVED
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection

SHARD_FORMAT = "alpha-shard-1"

LENGTH_BYTES = 8
"""The number in front of the JSON."""

DATA_ALIGNMENT = 64

HEADER_JSON_MAX = 100_000_000
"""The longest JSON of a header that readers of .safetensors files take."""

DTYPES = {"f64": "F64", "f32": "F32"}
"""The element types as .safetensors files call them."""


@dataclass(frozen=True)
class ShardField:
    """The words of a state in a shard, in ascending order of their coordinates."""

    name: str
    element: str
    words: int
    shape: tuple[int, ...]
    """That of the state where the shard has it whole, and of the words' number else."""
    offset: int
    """In bytes, from where the words begin."""
    coordinates: Selection

    @property
    def bytes(self) -> int:
        """The bytes of all its words."""
        return self.words * WORD_BYTES[self.element]


@dataclass(frozen=True)
class ShardLayout:
    """What the shard of a role is made of."""

    role: int
    fields: tuple[ShardField, ...]
    header: Sequence[Piece]
    """With the length before the JSON, and the spaces behind it."""
    header_bytes: int
    data_bytes: int

    @property
    def bytes(self) -> int:
        """The length of the file."""
        return self.header_bytes + self.data_bytes


def shard_layout(facts: Facts, role: int) -> ShardLayout:
    """The layout of the shard of a role.

    Raises:
        Refusal: `target-unsupported` if the header is longer than any reader takes.
    """
    fields = shard_fields(facts, role)
    data_bytes = sum(field.bytes for field in fields)
    text = json_pieces(_header(facts, role, fields))
    size = LENGTH_BYTES + bytes_most(text)
    size += -size % DATA_ALIGNMENT
    if size - LENGTH_BYTES > HEADER_JSON_MAX:
        wanted = f"a header of at most {HEADER_JSON_MAX} bytes in the shard of role {role}"
        raise Refusal("target-unsupported", wanted, f"{size - LENGTH_BYTES}")
    length = Text((size - LENGTH_BYTES).to_bytes(LENGTH_BYTES, "little"))
    first, *others = text
    assert isinstance(first, Text)
    header = (Text(length.data + first.data), *others, Spaces(size))
    return ShardLayout(role, fields, header, size, data_bytes)


def shard_fields(facts: Facts, role: int) -> tuple[ShardField, ...]:
    """What a role's shard holds, in the order of its words."""
    fields: list[ShardField] = []
    offset = 0
    for state in facts.stored(role):
        coordinates = facts.coordinates(state.name, role)
        assert coordinates is not None
        words = coordinates.size
        shape = state.shape if facts.is_whole(state.name) else (words,)
        fields.append(ShardField(state.name, state.element, words, shape, offset, coordinates))
        offset += fields[-1].bytes
    return tuple(fields)


def header_bytes(layout: ShardLayout, version: int) -> bytes:
    """The header at a version."""
    return render(layout.header, version, {})


def _header(facts: Facts, role: int, fields: Sequence[ShardField]) -> Mapping[str, Json]:
    metadata = {**metadata_texts(facts, role, fields), "version": Quoted(VersionText())}
    tensors: dict[str, Json] = {
        field.name: {
            "dtype": DTYPES[field.element],
            "shape": field.shape,
            "data_offsets": (field.offset, field.offset + field.bytes),
        }
        for field in fields
    }
    return {RESERVED: metadata, **tensors}


def metadata_texts(facts: Facts, role: int, fields: Sequence[ShardField]) -> dict[str, str]:
    """The metadata of a shard but for its version; all values are texts, as they have to be."""
    names = [field.name for field in fields]
    coordinates = {field.name: coordinates_text(field.coordinates) for field in fields}
    return {
        "format": SHARD_FORMAT,
        "learner": facts.learner,
        "contract": facts.contract,
        "run": facts.run,
        "facts": facts.digest,
        "role": str(role),
        "owners": str(facts.owners),
        "fields": _one_line(names),
        "coordinates": _one_line(coordinates),
    }


def _one_line(value: Json) -> str:
    return render(json_pieces(value), 0, {}).decode("utf-8")
