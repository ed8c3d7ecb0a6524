"""The tree of manifests of a generation, read from its root downwards.

Invariant: every manifest has the bytes and the digest with which its parent names it, and is of the
    root's version, run, learner and contract; each role is met once. No shard is opened.
Why: whatever a file says, no more manifests are read than the generation has owners.
Refuses: checkpoint-missing, checkpoint-manifest, checkpoint-digest, checkpoint-shard-missing,
    checkpoint-name.
Entry: `read_tree`, `read_root`, `Tree`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from alpha.ir.checkpoints.file_digests import FileDigest
from alpha.ir.checkpoints.manifests import (
    MANIFEST_BYTES_MAX,
    Manifest,
    NamedManifest,
    NamedShard,
    Whole,
)
from alpha.ir.checkpoints.names import ROOT_MANIFEST
from alpha.ir.checkpoints.regular_files import RegularFile
from alpha.ir.refusals import Place, Refusal

CODE = "checkpoint-manifest"


@dataclass(frozen=True)
class Tree:
    """What the manifests of a generation say; by role, ascending in `shards` and `files`."""

    root: Manifest
    whole: Whole
    shards: Mapping[int, NamedShard]
    files: Mapping[int, str]
    """The manifest of each role."""
    digests: Mapping[int, FileDigest]
    """The digest of the manifest of each role."""
    children: Mapping[int, tuple[NamedManifest, ...]]
    """The manifests that the one of each role names, in its order."""

    @property
    def digest(self) -> str:
        """The SHA-256 of the root's manifest, in hexadecimal: that of the generation."""
        return self.digests[self.root.role].sha256.hex()


def read_tree(folder: Path) -> Tree:
    """Read all manifests of a generation.

    Raises:
        Refusal: `checkpoint-missing` without a root's manifest; what else the manifests break.
        OSError: one can't be read.
    """
    root, whole, digest = read_root(folder)
    if root.role >= whole.owners:
        root.node.field("role").refuse(f"a role below {whole.owners}")
    shards = {root.role: root.shard}
    files = {root.role: ROOT_MANIFEST}
    digests, children = {root.role: digest}, {root.role: root.manifests}
    coming = _children(root)
    while coming:
        parent, number = coming.pop()
        child = parent.manifests[number]
        if child.role in shards or child.role >= whole.owners:
            role = parent.node.field("manifests").items()[number].field("role")
            wanted = f"one of the {whole.owners} roles that {ROOT_MANIFEST} says"
            role.refuse(f"{wanted}, of which no other manifest is")
        manifest = _read_child(folder, child, files[parent.role], root)
        shards[child.role] = manifest.shard
        files[child.role] = child.file
        digests[child.role] = child.digest
        children[child.role] = manifest.manifests
        coming += _children(manifest)
    if len(shards) < whole.owners:
        missing = next(role for role in range(whole.owners) if role not in shards)
        wanted = f"a manifest of each of {whole.owners} roles"
        place = root.node.document.place(("owners",))
        raise Refusal(CODE, wanted, f"none of role {missing}", place)
    roles = sorted(shards)
    return Tree(
        root,
        whole,
        {role: shards[role] for role in roles},
        {role: files[role] for role in roles},
        digests,
        children,
    )


def read_root(folder: Path) -> tuple[Manifest, Whole, FileDigest]:
    """The root's manifest of a generation, what it says of all of it, and its digest.

    Raises:
        Refusal: `checkpoint-missing` if it isn't there; what it breaks.
        OSError: it can't be read.
    """
    data = _root_bytes(folder)
    root = Manifest.parse(data, str(folder / ROOT_MANIFEST))
    assert root.whole is not None
    return root, root.whole, FileDigest(len(data), hashlib.sha256(data).digest())


def _children(manifest: Manifest) -> list[tuple[Manifest, int]]:
    """The children that a manifest names, each by its number, the first one last."""
    return [(manifest, number) for number in reversed(range(len(manifest.manifests)))]


def _root_bytes(folder: Path) -> bytes:
    path = folder / ROOT_MANIFEST
    with RegularFile.open(path, "every generation", "checkpoint-missing") as file:
        if file.size > MANIFEST_BYTES_MAX:
            wanted = f"a manifest of at most {MANIFEST_BYTES_MAX} bytes"
            raise Refusal(CODE, wanted, f"{file.size}", Place(str(path), 1, 1))
        return file.read(0, file.size)


def _read_child(folder: Path, child: NamedManifest, parent: str, root: Manifest) -> Manifest:
    """The manifest that another one names, which it fits."""
    path = folder / child.file
    with RegularFile.open(path, parent) as file:
        check_size(file, child.digest, parent)
        if file.size > MANIFEST_BYTES_MAX:
            wanted = f"a manifest of at most {MANIFEST_BYTES_MAX} bytes"
            raise Refusal(CODE, wanted, f"{file.size}", Place(str(path), 1, 1))
        data = file.read(0, file.size)
    check_digest(path, child.digest, FileDigest(len(data), hashlib.sha256(data).digest()), parent)
    manifest = Manifest.parse(data, str(path))
    for name in ("version", "run", "learner", "contract"):
        wanted = getattr(root, name)
        if getattr(manifest, name) != wanted:
            manifest.node.field(name).refuse(f"{wanted}, as in {ROOT_MANIFEST}")
    if manifest.role != child.role:
        manifest.node.field("role").refuse(f"{child.role}, as the file's name says")
    return manifest


def check_size(file: RegularFile, named: FileDigest, by: str) -> None:
    """See that a file has as many bytes as a manifest says.

    Raises:
        Refusal: `checkpoint-digest`.
    """
    if file.size != named.bytes:
        wanted = f"the {named} that {by} names"
        raise Refusal(
            "checkpoint-digest", wanted, f"{file.size} bytes", Place(str(file.path), 1, 1)
        )


def check_digest(path: Path, named: FileDigest, found: FileDigest, by: str) -> None:
    """See that what was read of a file is what a manifest says.

    Raises:
        Refusal: `checkpoint-digest`.
    """
    if found != named:
        wanted = f"the {named} that {by} names"
        raise Refusal("checkpoint-digest", wanted, str(found), Place(str(path), 1, 1))
