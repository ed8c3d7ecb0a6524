"""Manifests: what a role stored and what its children say, and at the root, what all of it is.

Invariant: what is written reads back as what it says, along the topology that it names. What is
    read is of the right types and in range: a file's name is that of its role, so that it leads
    nowhere else. The root's, which nothing names by its digest, has the blanks that are written.
Refuses: checkpoint-manifest, checkpoint-name, target-unsupported.
Entry: `manifest_pieces`, `Manifest` (`Manifest.parse`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import cast

from alpha.ir.checkpoints.facts import WORD_BYTES, Facts, Kind, StateFacts, require_storable
from alpha.ir.checkpoints.file_digests import FileDigest
from alpha.ir.checkpoints.json_pieces import Json, Quoted, json_pieces
from alpha.ir.checkpoints.names import ROOT_MANIFEST, manifest_name, shard_name
from alpha.ir.checkpoints.selection_texts import coordinates_text, read_coordinates
from alpha.ir.checkpoints.shards import shard_fields
from alpha.ir.checkpoints.texts import (
    DigestText,
    Piece,
    SizeText,
    Text,
    VersionText,
    bytes_most,
    merged,
)
from alpha.ir.digests import learner_digest
from alpha.ir.frames import ROLES_IN_FRAMES
from alpha.ir.json_document import Document, Node
from alpha.ir.protocol.starts import VERSIONS
from alpha.ir.refusals import Place, Refusal
from alpha.ir.selections import Selection
from alpha.ir.shapes import require_extents
from alpha.ir.topologies import FAN_OUT_MAX, Topology

CODE = "checkpoint-manifest"
MANIFEST_FORMAT = "alpha-manifest-1"

MANIFEST_BYTES_MAX = 256 << 20
"""The longest manifest: a root's with a million children has about so much."""

DIGEST = "[0-9a-f]{64}"
DIGEST_WORDS = "64 hexadecimal digits"


def manifest_pieces(facts: Facts, role: int, children: Sequence[int], root: bool) -> list[Piece]:
    """The manifest of a role, whose children are these roles, ascending.

    Raises:
        Refusal: `target-unsupported` if it is longer than any manifest may be, or if these aren't
            the children along the topology of the facts, which whoever reads it looks for.
    """
    along = facts.tree.children(role)
    if tuple(children) != along:
        wanted = f"a checkpoint along {facts.topology}, as the learner's owners exchange"
        found = f"one in which the children of role {role} are {list(children)}, not {list(along)}"
        raise Refusal("target-unsupported", wanted, found)
    fields = shard_fields(facts, role)
    shard: dict[str, Json] = {
        **_file(shard_name(role), None),
        "coordinates": {each.name: coordinates_text(each.coordinates) for each in fields},
    }
    value: dict[str, Json] = {
        "format": MANIFEST_FORMAT,
        "version": VersionText(),
        "role": role,
        "run": facts.run,
        "learner": facts.learner,
        "contract": facts.contract,
        **(_whole(facts) if root else {}),
        "shard": shard,
        "manifests": [
            {"role": child, **_file(manifest_name(child, root=False), child)} for child in children
        ],
    }
    pieces = merged((*json_pieces(value, indent=1), Text(b"\n")))
    if (most := bytes_most(pieces)) > MANIFEST_BYTES_MAX:
        wanted = f"a manifest of at most {MANIFEST_BYTES_MAX} bytes for role {role}"
        raise Refusal("target-unsupported", wanted, f"{most}")
    return pieces


def _file(name: str, role: int | None) -> dict[str, Json]:
    return {"file": name, "bytes": SizeText(role), "sha256": Quoted(DigestText(role))}


def _whole(facts: Facts) -> dict[str, Json]:
    """What the root's manifest says of the whole generation."""
    resumed: Json = None
    if facts.resumed is not None:
        resumed = {"version": facts.resumed[0], "sha256": facts.resumed[1]}
    return {
        "name": facts.name,
        "parts": facts.parts,
        "contracts": facts.contracts,
        "owners": facts.owners,
        "topology": facts.topology,
        "states": [
            {
                "name": state.name,
                "type": state.type,
                "element": state.element,
                "shape": state.shape,
                "kind": state.kind,
            }
            for state in facts.states
        ],
        "resumed": resumed,
    }


@dataclass(frozen=True)
class NamedShard:
    """A shard as its manifest names it."""

    file: str
    digest: FileDigest
    coordinates: Mapping[str, Selection]
    """By state."""


@dataclass(frozen=True)
class NamedManifest:
    """A child's manifest as its parent's names it."""

    role: int
    file: str
    digest: FileDigest


@dataclass(frozen=True)
class Whole:
    """What the root's manifest says of the whole generation, as `Facts` has it."""

    name: str
    parts: Mapping[str, str]
    contracts: tuple[str, ...]
    owners: int
    topology: str
    states: tuple[StateFacts, ...]
    resumed: tuple[int, str] | None


@dataclass(frozen=True)
class Manifest:
    """A manifest that has been read."""

    version: int
    role: int
    run: str
    learner: str
    contract: str
    shard: NamedShard
    manifests: tuple[NamedManifest, ...]
    whole: Whole | None
    """Of the root's manifest alone."""
    node: Node = field(repr=False, compare=False)
    """Its JSON, so that it can be refused with a place."""

    @classmethod
    def parse(cls, data: bytes, path: str) -> Manifest:
        """The manifest of a file with this content; its name says whether it is the root's.

        Raises:
            Refusal: `checkpoint-manifest` with the place in the file; `checkpoint-name`.
        """
        what = "a manifest as alpha writes it"
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"no UTF-8 at byte {error.start}"
            raise Refusal(CODE, what, found, Place(path, 1, 1)) from None
        node = Document(path, text, CODE, what).read()
        is_root = PurePath(path).name == ROOT_MANIFEST
        if is_root:
            _require_own_form(node, what)
        _same(node.field("format"), MANIFEST_FORMAT)
        role = node.field("role").number(0, ROLES_IN_FRAMES - 1)
        return cls(
            version=node.field("version").number(0, VERSIONS - 1),
            role=role,
            run=_digest(node.field("run")),
            learner=_digest(node.field("learner")),
            contract=_digest(node.field("contract")),
            shard=_read_shard(node.field("shard"), role),
            manifests=tuple(map(_read_manifest, node.field("manifests").items())),
            whole=_read_whole(node) if is_root else None,
            node=node,
        )


def _require_own_form(node: Node, what: str) -> None:
    """Refuse a text with other blanks or escapes than alpha writes for its value.

    So no byte of it can change without a change of what it says.
    """
    text = node.document.text
    wanted = json.dumps(node.value, ensure_ascii=False, indent=1) + "\n"
    if text == wanted:
        return
    pairs = enumerate(zip(text, wanted, strict=False))
    ends = min(len(text), len(wanted))
    at = next((at for at, (one, other) in pairs if one != other), ends)
    line = text.count("\n", 0, at) + 1
    place = Place(node.document.file, line, at - text.rfind("\n", 0, at))
    found = f"{text[at : at + 1]!a} where alpha writes {wanted[at : at + 1]!a}"
    raise Refusal(CODE, what, found, place)


def _same(node: Node, wanted: str) -> None:
    if node.string() != wanted:
        node.refuse(wanted)


def _digest(node: Node) -> str:
    return node.matching(DIGEST, DIGEST_WORDS)


def _read_file(node: Node, name: str) -> FileDigest:
    """The digest of a file, which has to have this name."""
    _same(node.field("file"), name)
    return FileDigest(node.field("bytes").number(), bytes.fromhex(_digest(node.field("sha256"))))


def _read_shard(node: Node, role: int) -> NamedShard:
    name = shard_name(role)
    said = node.field("coordinates").fields()
    coordinates = {state: read_coordinates(each) for state, each in said.items()}
    return NamedShard(name, _read_file(node, name), coordinates)


def _read_manifest(node: Node) -> NamedManifest:
    role = node.field("role").number(0, ROLES_IN_FRAMES - 1)
    name = manifest_name(role, root=False)
    return NamedManifest(role, name, _read_file(node, name))


def _read_whole(node: Node) -> Whole:
    parts = {name: _digest(each) for name, each in node.field("parts").fields().items()}
    if learner_digest(parts) != node.field("learner").value:
        node.field("learner").refuse("the digest of the parts")
    owners = node.field("owners").number(1, FAN_OUT_MAX)
    topology = node.field("topology")
    try:
        Topology.parse(topology.string()).tree(owners)
    except Refusal as refusal:
        topology.refuse(refusal.expected, refusal.found)
    states = tuple(_read_state(each, parts) for each in node.field("states").items())
    seen: set[str] = set()
    for item, state in zip(node.field("states").items(), states, strict=True):
        if state.name in seen:
            item.field("name").refuse("the name of another state")
        seen.add(state.name)
    for part in parts:
        kind, _, name = part.partition(" ")
        if kind == "state" and name not in seen:
            node.field("states").refuse(f"a list with the state {name}", "none")
    _check_order(node.field("parts"), list(parts), [f"state {state.name}" for state in states])
    return Whole(
        name=node.field("name").string(),
        parts=parts,
        contracts=tuple(each.string() for each in node.field("contracts").items()),
        owners=owners,
        topology=topology.string(),
        states=states,
        resumed=_read_resumed(node.field("resumed"), node.field("version").number(0, VERSIONS - 1)),
    )


KINDS = ("state", "constant", "samples", "contribution", "update", "round")
"""The kinds of the parts of a learner, in the order in which they are named."""


def _check_order(node: Node, parts: list[str], states: list[str]) -> None:
    """See that parts stand kind by kind, and those of states in the order of these."""
    kinds = [part.partition(" ")[0] for part in parts]
    if kinds != [kind for known in KINDS for kind in kinds if kind == known]:
        node.refuse(f"parts in the order of {', '.join(KINDS)}", ", ".join(kinds))
    if parts[: len(states)] != states:
        node.refuse(f"parts that begin with {', '.join(states)}", ", ".join(parts))


def _read_state(node: Node, parts: Mapping[str, str]) -> StateFacts:
    name = node.field("name").string()
    try:
        require_storable(name)
    except Refusal as refusal:
        place = node.document.place((*node.way, "name"))
        raise Refusal(refusal.code, refusal.expected, refusal.found, place) from None
    if f"state {name}" not in parts:
        node.field("name").refuse("a state that the parts have")
    element = node.field("element").matching("|".join(WORD_BYTES), "f64 or f32")
    shape = tuple(each.number() for each in node.field("shape").items())
    try:
        require_extents(shape, "a state", None)
    except Refusal as refusal:
        node.field("shape").refuse(refusal.expected, refusal.found)
    kind = node.field("kind").matching(
        "parameter|optimizer|shared", "parameter, optimizer or shared"
    )
    state = StateFacts(name, element, shape, cast("Kind", kind))
    _same(node.field("type"), state.type)
    return state


def _read_resumed(node: Node, version: int) -> tuple[int, str] | None:
    """Where the run went on from, which is no later than this version."""
    if node.is_null:
        return None
    return node.field("version").number(0, version), _digest(node.field("sha256"))
