"""`run.json`: what a folder of executables is, for whoever runs or inspects it.

Invariant: what is written depends on the build alone: no folder, time or name of a host. A text
    that is read describes roles that can be started: each has an executable of the folder itself,
    edges that its peers have too, and a piece of every state that is divided, so that all pieces
    together have as many words as the state. It has its own digest, so one that was edited, and
    says what nobody built, isn't taken.
Refuses: build-description, build-file-differs.
Entry: `RunDescription` (`read`, `text`), `RoleDescription`, `StateDescription`, `DataFile`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import prod
from pathlib import Path
from typing import cast

from alpha.ir.canonical import digest
from alpha.ir.json_document import Document, Node
from alpha.ir.refusals import Place, Refusal
from alpha.ir.regular_files import open_regular
from alpha.ir.selections import Empty, Selection
from alpha.tools.driver.output import InputOutputError, reason_of

NAME = "run.json"
FORMAT = 1
CODE = "build-description"
BYTES_MAX = 64 << 20
"""As IR has at most; the description of 4,096 roles has about 4 MB."""

WORD_BYTES = {"f64": 8, "f32": 4}
DIGEST = "[0-9a-f]{64}"
FILE = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
"""The name of a file of the folder: nothing that leads elsewhere."""


@dataclass(frozen=True)
class Digests:
    """The digests that a run is named by, each 64 hexadecimal digits; `run` is in every frame."""

    learner: str
    contract: str
    membership: str
    protocol: str
    run: str


@dataclass(frozen=True)
class StateDescription:
    """A state of the learner, in the order in which roles number them."""

    name: str
    type: str
    shape: tuple[int, ...]
    element: str

    @property
    def words(self) -> int:
        """How many words it has."""
        return prod(self.shape)

    @property
    def word_bytes(self) -> int:
        """The bytes of one word."""
        return WORD_BYTES[self.element]


@dataclass(frozen=True)
class DataFile:
    """A file of words that a role maps at its start."""

    file: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Tool:
    """The assembler and linker that made a target's executables."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True)
class RoleDescription:
    """A role: its executable, and what it needs to be started."""

    role: int
    target: str
    features: tuple[str, ...]
    executable: str
    sha256: str
    bytes: int
    data: DataFile | None
    edges: tuple[int, ...]
    """The peers, ascending."""
    memory_bytes: int
    """What it maps beside its executable and its data: one arena."""
    address: str
    """The IPv4 address at which its peers look for it."""
    pieces: Mapping[str, str | None]
    """Of each state the coordinates that it has: a selection, "" for none, None for a copy."""

    def coordinates(self, state: str) -> Selection | None:
        """The coordinates of a state that this role has and publishes; None for a copy."""
        text = self.pieces[state]
        if text is None:
            return None
        return Selection.parse(text) if text else Empty()


@dataclass(frozen=True)
class StartDescription:
    """The generation that a run goes on from: its version, and the SHA-256 of its manifest."""

    version: int
    sha256: str


@dataclass(frozen=True)
class RunDescription:
    """All of `run.json`."""

    learner: str | None
    title: str
    """The name of the protocol."""
    digests: Digests
    rounds: int
    """The version at the end, or the most that there can be."""
    start: StartDescription | None
    """None where a run begins at version 0."""
    checkpoints: bool
    """Whether generations are written, which is given a folder then."""
    ends_stored: bool
    """Whether what is published at the end is in a generation then."""
    owners: int
    topology: str | None
    """None where a protocol has no learner."""
    samples: int
    states: tuple[StateDescription, ...]
    observations: tuple[str, ...]
    """Their labels, in the order in which roles number them."""
    tools: Mapping[str, Tool]
    """By target."""
    roles: tuple[RoleDescription, ...]

    def digest(self) -> str:
        """The SHA-256 of what is described, in hexadecimal."""
        return digest(("description", FORMAT, asdict(self)))

    def text(self) -> str:
        """What `run.json` holds."""
        value = {"format": FORMAT, "sha256": self.digest(), **asdict(self)}
        return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: str | Path) -> RunDescription:
        """What a folder is described as.

        Raises:
            Refusal: build-description, with the place in the file.
            InputOutputError: there is no such file, or it can't be read.
        """
        path = Path(folder) / NAME
        try:
            with open_regular(path) as stream:
                data = stream.read(BYTES_MAX + 1)
        except (OSError, ValueError) as error:
            raise InputOutputError(f"cannot read {path}: {reason_of(error)}") from None
        what = f"a {NAME} as alpha build writes it"
        if len(data) > BYTES_MAX:
            found = f"more than {BYTES_MAX} bytes"
            raise Refusal(CODE, what, found, Place(str(path), 1, 1))
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"no UTF-8 at byte {error.start}"
            raise Refusal(CODE, what, found, Place(str(path), 1, 1)) from None
        return _read(Document(str(path), text, CODE, what).read())

    def check_files(self, folder: str | Path) -> None:
        """See that the executables and data in a folder are those that are described.

        Raises:
            Refusal: build-file-differs.
            InputOutputError: a file can't be read.
        """
        for role in self.roles:
            _check_file(Path(folder), role.executable, role.bytes, role.sha256)
            if role.data is not None:
                _check_file(Path(folder), role.data.file, role.data.bytes, role.data.sha256)


def _check_file(folder: Path, name: str, size: int, sha256: str) -> None:
    path = folder / name
    try:
        with open_regular(path) as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
            length = stream.tell()
    except OSError as error:
        raise InputOutputError(f"cannot read {path}: {reason_of(error)}") from None
    if (length, found) != (size, sha256):
        place = Place(str(path), 1, 1)
        wanted = f"the {size} bytes of sha256:{sha256} that {NAME} describes"
        raise Refusal("build-file-differs", wanted, f"{length} bytes of sha256:{found}", place)


def _read(node: Node) -> RunDescription:
    node.field("format").number(FORMAT, FORMAT)
    learner = node.field("learner")
    topology = node.field("topology")
    digests, start = node.field("digests"), node.field("start")
    states = tuple(map(_read_state, node.field("states").items()))
    _refuse_twice(node.field("states"), [state.name for state in states])
    roles = tuple(_read_role(each, states) for each in node.field("roles").items())
    found = RunDescription(
        learner=None if learner.is_null else learner.string(),
        title=node.field("title").string(),
        digests=Digests(
            *(
                digests.field(name).matching(DIGEST, "64 hexadecimal digits")
                for name in ("learner", "contract", "membership", "protocol", "run")
            )
        ),
        rounds=node.field("rounds").number(),
        start=None if start.is_null else _read_start(start),
        checkpoints=node.field("checkpoints").truth(),
        ends_stored=node.field("ends_stored").truth(),
        owners=node.field("owners").number(1),
        topology=None if topology.is_null else topology.string(),
        samples=node.field("samples").number(),
        states=states,
        observations=tuple(each.string() for each in node.field("observations").items()),
        tools={
            name: Tool(each.field("name").string(), each.field("version").string())
            for name, each in node.field("tools").fields().items()
        },
        roles=roles,
    )
    _check_roles(node.field("roles"), roles)
    _check_pieces(node.field("roles"), roles, states)
    said = node.field("sha256")
    if said.matching(DIGEST, "64 hexadecimal digits") != found.digest():
        said.refuse(f"{found.digest()}, the digest of all that is described")
    return found


def _read_state(node: Node) -> StateDescription:
    return StateDescription(
        node.field("name").string(),
        node.field("type").string(),
        tuple(each.number() for each in node.field("shape").items()),
        node.field("element").matching("f64|f32", "f64 or f32"),
    )


def _read_role(node: Node, states: Sequence[StateDescription]) -> RoleDescription:
    data, pieces = node.field("data"), node.field("pieces")
    names = {state.name for state in states}
    if set(pieces.fields()) != names:
        pieces.refuse(f"an object with the fields {', '.join(sorted(names)) or 'none'}")
    return RoleDescription(
        role=node.field("role").number(),
        target=node.field("target").string(),
        features=tuple(each.string() for each in node.field("features").items()),
        executable=_file(node.field("executable")),
        sha256=_digest(node.field("sha256")),
        bytes=node.field("bytes").number(),
        data=None if data.is_null else _read_data(data),
        edges=tuple(each.number() for each in node.field("edges").items()),
        memory_bytes=node.field("memory_bytes").number(),
        address=_address(node.field("address")),
        pieces={name: _piece(each) for name, each in pieces.fields().items()},
    )


def _read_start(node: Node) -> StartDescription:
    return StartDescription(node.field("version").number(), _digest(node.field("sha256")))


def _read_data(node: Node) -> DataFile:
    name, size = _file(node.field("file")), node.field("bytes").number()
    return DataFile(name, size, _digest(node.field("sha256")))


def _file(node: Node) -> str:
    return node.matching(FILE, "the name of a file of this folder")


def _digest(node: Node) -> str:
    return node.matching(DIGEST, "64 hexadecimal digits")


def _address(node: Node) -> str:
    text = node.matching(r"(\d{1,3}\.){3}\d{1,3}", "an IPv4 address")
    if any(int(part) > 255 or part != str(int(part)) for part in text.split(".")):
        node.refuse("an IPv4 address")
    return text


def _piece(node: Node) -> str | None:
    """The text of a selection; that it is one is looked at here."""
    if node.is_null or node.value == "":
        return cast("str | None", node.value)
    try:
        Selection.parse(node.string())
    except Refusal as refusal:
        node.refuse(f"a selection ({refusal.message})")
    return node.string()


def _refuse_twice(node: Node, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for item, name in zip(node.items(), names, strict=True):
        if name in seen:
            item.refuse("each state once", f"state {name} again")
        seen.add(name)


def _check_roles(node: Node, roles: Sequence[RoleDescription]) -> None:
    """See that roles are ascending, and that the two ends of an edge know of one another."""
    if not roles:
        node.refuse("at least one role", "none")
    items = node.items()
    for before, role, item in zip(roles, roles[1:], items[1:], strict=False):
        if role.role <= before.role:
            item.field("role").refuse(f"a role above {before.role}")
    edges = {role.role: set(role.edges) for role in roles}
    for role, item in zip(roles, items, strict=True):
        if list(role.edges) != sorted(set(role.edges)):
            item.field("edges").refuse("peers in ascending order", str(list(role.edges)))
        for peer in role.edges:
            if peer == role.role or role.role not in edges.get(peer, ()):
                wanted = "peers of which each has the edge as well"
                item.field("edges").refuse(wanted, f"role {peer}, which hasn't")


def _check_pieces(
    node: Node, roles: Sequence[RoleDescription], states: Sequence[StateDescription]
) -> None:
    """See that a state is copied everywhere, or divided so that no word is missing."""
    for state in states:
        pieces = [role.coordinates(state.name) for role in roles]
        if all(piece is None for piece in pieces):
            continue
        total = 0
        for piece, item in zip(pieces, node.items(), strict=True):
            at = item.field("pieces").field(state.name)
            if piece is None or (piece.size and piece.max >= state.words):
                at.refuse(f"some of the coordinates 0 to {state.words - 1}, as of other roles")
            total += piece.size
        if total != state.words:
            wanted = f"pieces of {state.name} of {state.words} words together"
            node.refuse(wanted, f"{total}")
