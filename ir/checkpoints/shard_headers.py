"""The header of a shard as it is read from a file, compared with the layout that it should have.

Invariant: a header that passes says the learner, contract, run, role, version, fields, types,
    shapes, offsets and coordinates that follow from the manifests, and nothing else is sized or
    found by what it says. Further metadata is passed over.
Refuses: checkpoint-shard.
Entry: `check_header`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from alpha.ir.checkpoints.facts import Facts
from alpha.ir.checkpoints.names import ROOT_MANIFEST
from alpha.ir.checkpoints.regular_files import RegularFile
from alpha.ir.checkpoints.selection_texts import read_coordinates
from alpha.ir.checkpoints.shards import (
    DATA_ALIGNMENT,
    DTYPES,
    HEADER_JSON_MAX,
    LENGTH_BYTES,
    ShardField,
    metadata_texts,
)
from alpha.ir.json_document import Document, Node
from alpha.ir.names import RESERVED
from alpha.ir.refusals import Note, Place, Refusal

CODE = "checkpoint-shard"


def check_header(
    file: RegularFile, facts: Facts, role: int, version: int, fields: Sequence[ShardField]
) -> int:
    """See that a shard has the header that it should have; gives where its words begin.

    `fields` are those of the role's layout; the file has room for their words and a length before.

    Raises:
        Refusal: `checkpoint-shard`.
        OSError: the file can't be read.
    """
    data_bytes = sum(field.bytes for field in fields)
    begin = file.size - data_bytes
    place = Place(str(file.path), 1, 1)
    if begin % DATA_ALIGNMENT or begin - LENGTH_BYTES > HEADER_JSON_MAX:
        wanted = f"a header, up to a multiple of {DATA_ALIGNMENT} bytes, and {data_bytes} bytes"
        raise Refusal(CODE, f"{wanted} of words", f"{file.size} bytes in all", place)
    length = int.from_bytes(file.read(0, LENGTH_BYTES), "little")
    if length != begin - LENGTH_BYTES:
        wanted = f"a header of {begin - LENGTH_BYTES} bytes before {data_bytes} bytes of words"
        raise Refusal(CODE, wanted, f"{length}", place)
    what = "the header of a shard as alpha writes it"
    data = file.read(LENGTH_BYTES, length)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"no UTF-8 at byte {LENGTH_BYTES + error.start}"
        raise Refusal(CODE, what, found, place) from None
    if not text.startswith("{"):
        raise Refusal(CODE, what, f"{text[:1]!a} before the first brace", place)
    node = Document(str(file.path), text, CODE, what).read()
    _check_metadata(node.field(RESERVED), facts, role, version, fields)
    _check_tensors(node, fields)
    return begin


def _check_metadata(
    node: Node, facts: Facts, role: int, version: int, fields: Sequence[ShardField]
) -> None:
    texts = {**metadata_texts(facts, role, fields), "version": str(version)}
    for each in node.fields().values():
        each.string()
    for name, text in texts.items():
        if not _FITS.get(name, _is_equal)(node.field(name), text, fields):
            _refuse_other(node.field(name), text)


def _refuse_other(node: Node, wanted: str) -> NoReturn:
    """Refuse metadata that don't fit the manifests, whichever of both it is that changed."""
    root = Path(node.document.file).parent / ROOT_MANIFEST
    note = Note(f"it follows from {ROOT_MANIFEST} and what that names", Place(str(root), 1, 1))
    place = node.document.place(node.way)
    found = json.dumps(node.string()[:200], ensure_ascii=False)
    raise Refusal(CODE, f"{node.name} to be {wanted}", found, place, (note,))


def _is_equal(node: Node, wanted: str, fields: Sequence[ShardField]) -> bool:
    return node.string() == wanted


def _has_fields(node: Node, wanted: str, fields: Sequence[ShardField]) -> bool:
    """Whether a text is a JSON list of the fields' names."""
    try:
        names = _inner(node).items()
        return [each.string() for each in names] == [field.name for field in fields]
    except Refusal:
        return False


def _has_coordinates(node: Node, wanted: str, fields: Sequence[ShardField]) -> bool:
    """Whether a text is a JSON object with the selection of each field."""
    try:
        said = {name: read_coordinates(each) for name, each in _inner(node).fields().items()}
    except Refusal:
        return False
    return said == {field.name: field.coordinates for field in fields}


_FITS = {"fields": _has_fields, "coordinates": _has_coordinates}


def _inner(node: Node) -> Node:
    """The JSON that a text of the metadata is."""
    return Document(node.document.file, node.string(), CODE, node.name).read()


def _check_tensors(node: Node, fields: Sequence[ShardField]) -> None:
    tensors = node.fields()
    del tensors[RESERVED]
    known = {field.name for field in fields}
    for name, tensor in tensors.items():
        if name not in known:
            tensor.refuse("none of a state that the manifest doesn't name")
    for field in fields:
        tensor = node.field(field.name)
        _check(tensor.field("dtype"), DTYPES[field.element])
        _check(tensor.field("shape"), list(field.shape))
        _check(tensor.field("data_offsets"), [field.offset, field.offset + field.bytes])


def _check(node: Node, wanted: object) -> None:
    """Compare values as JSON says them: 1, 1.0 and true are three."""
    if json.dumps(node.value) != json.dumps(wanted):
        node.refuse(json.dumps(wanted), json.dumps(node.value)[:80])
