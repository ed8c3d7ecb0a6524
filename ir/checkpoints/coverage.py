"""Do the shards of a generation hold every word of every state exactly once?

Invariant: decided from the selections, never from totals, in a time that doesn't grow with the
    coordinates; a refusal names the first coordinate that no shard or more than one has.
Why: two shards may hold as many words as there are, some of them twice and others not at all.
Refuses: checkpoint-coverage, checkpoint-manifest.
Entry: `facts_of_tree`.
"""

from __future__ import annotations

from pathlib import Path

from alpha.ir.checkpoints.facts import Facts, StateFacts
from alpha.ir.checkpoints.manifests import NamedShard
from alpha.ir.checkpoints.names import ROOT_MANIFEST
from alpha.ir.checkpoints.selection_texts import coordinates_text
from alpha.ir.checkpoints.trees import Tree
from alpha.ir.refusals import Note, Place, Refusal
from alpha.ir.selections import Selection
from alpha.ir.sharding.covers import check_shares
from alpha.ir.sharding.families import Share
from alpha.ir.sharding.maps import Explicit, ShardMap

CODE = "checkpoint-coverage"


def facts_of_tree(folder: Path, tree: Tree) -> Facts:
    """What a generation is, from its manifests; every state's map covers it.

    Raises:
        Refusal: `checkpoint-manifest` where a role doesn't name what it should, or other states;
            `checkpoint-coverage` for a coordinate that isn't in exactly one shard.
    """
    root, whole = tree.root, tree.whole
    known = {state.name for state in whole.states}
    for role, shard in tree.shards.items():
        for name in shard.coordinates:
            if name not in known:
                place = Place(str(folder / tree.files[role]), 1, 1)
                found = f"coordinates of {name!r}"
                wanted = f"coordinates of the states that {ROOT_MANIFEST} names"
                raise Refusal("checkpoint-manifest", wanted, found, place)
    return Facts(
        name=whole.name,
        learner=root.learner,
        contract=root.contract,
        run=root.run,
        parts=whole.parts,
        contracts=whole.contracts,
        owners=whole.owners,
        topology=whole.topology,
        states=whole.states,
        maps={state.name: _map(folder, tree, state) for state in whole.states},
        resumed=whole.resumed,
    )


def _map(folder: Path, tree: Tree, state: StateFacts) -> ShardMap | None:
    """Who has which coordinates of a state; None if role 0 has all of them alone."""
    holding = [role for role, shard in tree.shards.items() if state.name in shard.coordinates]
    whole = holding == [0]
    if not whole and len(holding) < tree.whole.owners:
        role = next(role for role in tree.shards if role not in holding)
        place = Place(str(folder / tree.files[role]), 1, 1)
        wanted = f"coordinates of {state.name!r}, or an empty text, as of other roles"
        raise Refusal("checkpoint-manifest", wanted, "none", place)
    pieces = [tree.shards[role].coordinates[state.name] for role in holding]
    _check_cover(folder, tree, state, pieces)
    if whole and pieces[0] != state.all:
        place = Place(str(folder / ROOT_MANIFEST), 1, 1)
        wanted = f"{coordinates_text(state.all)!r} as all coordinates of {state.name!r}"
        found = repr(coordinates_text(pieces[0]))
        raise Refusal("checkpoint-manifest", wanted, found, place)
    return None if whole else Explicit(tuple(pieces))


def _check_cover(folder: Path, tree: Tree, state: StateFacts, pieces: list[Selection]) -> None:
    """See that the pieces of the roles from 0 on hold each coordinate of a state once."""
    try:
        check_shares([Share(role, (), piece) for role, piece in enumerate(pieces)], state.words)
    except Refusal as refusal:
        wanted = f"{refusal.expected} of {state.name!r}"
        notes = tuple(Note(note.message) for note in refusal.notes)
        place = Place(str(folder / ROOT_MANIFEST), 1, 1)
        raise Refusal(CODE, wanted, refusal.found, place, notes) from None


def require_room(folder: Path, tree: Tree, shard: NamedShard, role: int, least: int) -> None:
    """See that a shard has as many bytes as its words take, or more.

    Raises:
        Refusal: `checkpoint-manifest`.
    """
    if shard.digest.bytes < least:
        place = Place(str(folder / tree.files[role]), 1, 1)
        wanted = f"at least {least} bytes in {shard.file}, for the words that it should have"
        raise Refusal("checkpoint-manifest", wanted, f"{shard.digest.bytes}", place)
