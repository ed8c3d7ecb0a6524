"""Writes a role's part of a generation: its shard, its manifest, and what goes along the tree.

Invariant: the bytes of a file are those that `ir/checkpoints` says, piece by piece; the words of
    states are written from where they lie. Nobody hears that a generation is published before it
    has its name.
Entry: `write_checkpoint`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from alpha.ir.checkpoints.facts import Facts
from alpha.ir.checkpoints.manifests import manifest_pieces
from alpha.ir.checkpoints.names import manifest_name, partial_suffix, shard_name
from alpha.ir.checkpoints.shards import shard_layout
from alpha.ir.checkpoints.texts import (
    DigestText,
    Piece,
    SizeText,
    Spaces,
    Text,
    VersionText,
    bytes_most,
)
from alpha.ir.protocol.patterns import VERDICT_PART
from alpha.ir.protocol.steps import CHECKPOINT_WORDS, PUBLISHED, VERDICT_WORDS, Step
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.frames import receive, send
from alpha.passes.linux.memory import Place

PIECE_WORDS = 2
"""An address and a number of bytes."""

DIGEST_BYTES = 32


def write_checkpoint(context: RoleContext, step: Step) -> None:
    """Write what a role does to publish a generation.

    Raises:
        Refusal: `checkpoint-name` for a state whose name no shard can have.
    """
    emitter, arena, facts = context.emitter, context.arena, context.facts
    assert facts is not None
    version = emitter.load(context.version)
    suffix = emitter.text(partial_suffix(facts.run))
    emitter.call("alpha_store_folder", (version, *suffix))
    said: dict[int | None, Place] = {None: _write_shard(context, facts, version)}
    upwards = [frame for frame in step.frames if frame.part != VERDICT_PART]
    downwards = [frame for frame in step.frames if frame.part == VERDICT_PART]
    for frame in upwards:
        if not frame.outgoing:
            said[frame.peer] = arena.place(frame.words, "i64")
            receive(context, step, frame, said[frame.peer])
    parents = [frame for frame in upwards if frame.outgoing]
    manifest = _write_manifest(context, facts, version, said, root=not parents)
    for frame in parents:
        send(context, step, frame, manifest)
    verdict = arena.place(VERDICT_WORDS, "i64")
    emitter.store(emitter.number(PUBLISHED), verdict)
    for frame in downwards:
        if frame.outgoing:
            send(context, step, frame, verdict)
            continue
        receive(context, step, frame, verdict)
        only = emitter.number(PUBLISHED + 1)
        emitter.call("alpha_require_arm", (emitter.load(verdict), only))
    if context.role == 0:
        emitter.call("alpha_report_stored", (version,))


def _write_shard(context: RoleContext, facts: Facts, version: SSAValue) -> Place:
    """Write the role's shard; gives the place of its bytes and digest."""
    emitter, arena = context.emitter, context.arena
    layout = shard_layout(facts, context.role)
    header = _write_text(context, layout.header, layout.header_bytes, version, {})
    held = [context.states[field.name] for field in layout.fields]
    for field, place in zip(layout.fields, held, strict=True):
        assert (field.words, field.element) == (place.words, place.element), field.name
    pieces = [(emitter.pointer(header), emitter.number(layout.header_bytes))]
    pieces += [(emitter.pointer(each), emitter.number(each.bytes)) for each in held if each.words]
    made = arena.place(CHECKPOINT_WORDS, "i64")
    _write_file(context, shard_name(context.role), pieces, made)
    return made


def _write_manifest(
    context: RoleContext,
    facts: Facts,
    version: SSAValue,
    said: Mapping[int | None, Place],
    root: bool,
) -> Place:
    """Write the role's manifest, and give the generation its name where it is the root's.

    `said` has the bytes and digests of the role's shard, and of its children's manifests.
    """
    children = sorted(role for role in said if role is not None)
    emitter = context.emitter
    for child in children:
        name = manifest_name(child, root=False)
        operands = (*_name(context, name), emitter.number(child), emitter.pointer(said[child]))
        emitter.call("alpha_store_seen", operands)
    texts = manifest_pieces(facts, context.role, children, root)
    text = _write_text(context, texts, bytes_most(texts), version, said)
    (used,) = emitter.call("alpha_text_end", (), [i64])
    made = context.arena.place(CHECKPOINT_WORDS, "i64")
    name = manifest_name(context.role, root)
    _write_file(context, name, [(emitter.pointer(text), used)], made)
    emitter.call("alpha_store_end", ())
    if root:
        suffix = emitter.text(partial_suffix(facts.run))
        emitter.call("alpha_store_publish", (version, *suffix))
    emitter.call("alpha_store_close", ())
    return made


def _write_text(
    context: RoleContext,
    pieces: Sequence[Piece],
    room: int,
    version: SSAValue,
    said: Mapping[int | None, Place],
) -> Place:
    """Put a text together in memory; gives the place where it begins."""
    emitter = context.emitter
    place = context.arena.place(-(-room // 8), "i64")
    emitter.call("alpha_text_begin", (emitter.pointer(place), emitter.number(room)))
    for piece in pieces:
        match piece:
            case Text(data=data):
                known = emitter.constant(data + bytes(-len(data) % 8), "i64")
                operands = (emitter.pointer(known), emitter.number(len(data)))
                emitter.call("alpha_text_put", operands)
            case VersionText():
                emitter.call("alpha_text_number", (version,))
            case Spaces(to=to):
                emitter.call("alpha_text_spaces", (emitter.number(to),))
            case SizeText(role=role):
                emitter.call("alpha_text_number", (emitter.load(said[role]),))
            case DigestText(role=role):
                digest = emitter.offset(emitter.pointer(said[role]), 8)
                emitter.call("alpha_text_hex", (digest, emitter.number(DIGEST_BYTES)))
    return place


def _write_file(
    context: RoleContext,
    name: str,
    pieces: Sequence[tuple[SSAValue, SSAValue]],
    made: Place,
) -> None:
    """Write a file of pieces, each an address and a number of bytes."""
    emitter = context.emitter
    place = context.arena.place(PIECE_WORDS * len(pieces), "i64")
    base = emitter.pointer(place)
    for number, (address, size) in enumerate(pieces):
        at = emitter.offset(base, 16 * number)
        emitter.store_at(address, at)
        emitter.store_at(size, emitter.offset(at, 8))
    count = emitter.number(len(pieces))
    operands = (*_name(context, name), base, count, emitter.pointer(made))
    emitter.call("alpha_store_file", operands)


def _name(context: RoleContext, name: str) -> Sequence[SSAValue]:
    """The address of a name, with a zero byte behind it, and its bytes without that."""
    emitter = context.emitter
    address, _ = emitter.text(name + "\0")
    return address, emitter.number(len(name.encode()))
