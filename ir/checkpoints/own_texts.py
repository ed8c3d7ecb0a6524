"""Is each manifest of a generation the text that alpha writes for what it says?

Invariant: a generation that passes has, byte for byte, the manifests that its facts are written as,
    along the topology that its root names. So nothing is in a manifest that nobody reads.
Why: a manifest of another text would be another generation with the same words, by a name that no
    run would give it. Texts are compared by their digests, so that none has to be kept.
Refuses: checkpoint-manifest.
Entry: `check_own_texts`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NoReturn

from alpha.ir.checkpoints.facts import Facts
from alpha.ir.checkpoints.file_digests import FileDigest
from alpha.ir.checkpoints.manifests import manifest_pieces
from alpha.ir.checkpoints.regular_files import RegularFile
from alpha.ir.checkpoints.texts import render
from alpha.ir.checkpoints.trees import Tree
from alpha.ir.refusals import Place, Refusal

CODE = "checkpoint-manifest"

LETTERS_MAX = 120
"""So much of a line is shown."""


def check_own_texts(folder: Path, tree: Tree, facts: Facts) -> None:
    """See that the manifests in a folder, which were read as this tree, are the texts of the facts.

    Raises:
        Refusal: `checkpoint-manifest`, at the first line that differs.
        OSError: one that differs can't be read again.
    """
    for role, name in tree.files.items():
        children = facts.tree.children(role)
        named = {child.role: child.digest for child in tree.children[role]}
        if named.keys() != set(children):
            place = Place(str(folder / name), 1, 1)
            wanted = f"manifests of {_roles(children)} below role {role}, along {facts.topology}"
            raise Refusal(CODE, wanted, _roles(sorted(named)), place)
        is_root = role == tree.root.role
        pieces = manifest_pieces(facts, role, children, is_root)
        files = {None: tree.shards[role].digest, **named}
        text = render(pieces, tree.root.version, files)
        if FileDigest(len(text), hashlib.sha256(text).digest()) != tree.digests[role]:
            _refuse(folder / name, text)


def _roles(roles: tuple[int, ...] | list[int]) -> str:
    if not roles:
        return "no roles"
    shown = ", ".join(map(str, roles[:8]))
    return f"the roles {shown}" + (", ..." if len(roles) > 8 else "")


def _refuse(path: Path, wanted: bytes) -> NoReturn:
    """Refuse a manifest at the first line that isn't the one which alpha writes."""
    with RegularFile.open(path, "the generation") as file:
        lines = file.read(0, file.size).decode().split("\n")
    own = wanted.decode().split("\n")
    pairs = enumerate(zip(lines, own, strict=False))
    ends = min(len(lines), len(own)) - 1
    at = next((at for at, (one, other) in pairs if one != other), ends)
    place = Place(str(path), at + 1, 1)
    raise Refusal(
        CODE, f"the line {_quoted(own[at])}, as alpha writes it", _quoted(lines[at]), place
    )


def _quoted(line: str) -> str:
    """A line, of which no more is shown than can be read."""
    line = line.strip()
    return repr(line if len(line) <= LETTERS_MAX else f"{line[:LETTERS_MAX]}...")
