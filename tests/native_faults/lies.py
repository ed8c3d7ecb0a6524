"""Frames that say other words in a digest that agrees: what a role makes of them is compared.

Invariant: a liar can't be found by its frames; so whatever the interpreter does with such words, a
    native role does: it goes on with them, or refuses them, in the same line.
Entry: `Lie`, `lies`, `told`, `differing`, `compared`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from native_faults.casts import CASTS, End, play_of
from native_faults.faults import instead
from native_faults.relayed import run
from runs.conversations import DIGEST, HEAD, Direction, sealed

NAN, INFINITY = struct.pack("<d", float("nan")), struct.pack("<d", float("-inf"))


MORE = "found another byte"


class Lie(NamedTuple):
    """Another payload in a frame of a direction."""

    way: Direction
    frame: int
    what: str
    payload: bytes


def lies(name: str) -> Iterator[Lie]:
    """For each frame of a play: a bit, a word that isn't finite, and a large integer."""
    for way, frames in play_of(name).conversation.frames.items():
        for number, frame in enumerate(frames):
            payload = frame[HEAD:-DIGEST]
            if not payload:
                continue
            bit = bytes((payload[0] ^ 1,)) + payload[1:]
            last = len(payload) - 8
            yield Lie(way, number, "bit", bit)
            yield Lie(way, number, "nan", payload[:last] + NAN)
            yield Lie(way, number, "infinity", INFINITY + payload[8:])
            yield Lie(way, number, "integer", struct.pack("<q", -(2**62)) + payload[8:])


@cache
def told(name: str, lie: Lie, cast: str) -> Mapping[int, End]:
    """How all roles end if this lie is told."""
    recorded = play_of(name)
    frames = recorded.conversation.frames[lie.way]
    right = frames[lie.frame]
    place = sum(map(len, frames[: lie.frame]))
    said = sealed(right[:HEAD] + lie.payload + right[-DIGEST:])
    return run(recorded.play, CASTS[cast], {lie.way: (instead(place, len(right), said),)}).ends


def differing(name: str, lie: Lie, cast: str) -> list[str]:
    """What a cast makes of a lie that the interpreter doesn't."""
    found, wanted = told(name, lie, cast), told(name, lie, "interpreted")
    return [f"{lie[:3]}: {each}" for each in compared(found, wanted)]


def compared(found: Mapping[int, End], wanted: Mapping[int, End]) -> Iterator[str]:
    """How two casts differ; of roles that would all refuse, some may lose another one before."""
    refused = [{end.said for end in ends.values() if end.status == 3} for ends in (found, wanted)]
    # Who leaves a repeat early may end its stream before its peer has sent something more.
    timely = not any(MORE in said for said in refused[0] | refused[1])
    if timely and any(refused) and not refused[0] & refused[1]:
        yield f"refused is {refused[0]}, not {refused[1]}: {found}, {wanted}"
    for role, end in found.items():
        other = wanted[role]
        if {end.status, other.status} == {0} and end.told != other.told:
            yield f"role {role} has told {end.told}, not {other.told}"
        if end.status == other.status == 3 and end.said != other.said:
            yield f"role {role} said {end.said}, not {other.said}"
        if end.status not in (0, 3, 4) or (end.status and end.published):
            yield f"role {role} ended with {end}"
        if timely and not any(refused) and end.status != other.status:
            yield f"role {role} ended with {end}, not {other}"
