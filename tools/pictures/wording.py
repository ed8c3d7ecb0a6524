"""What pictures say: counts, bytes, what a role has, which roles these are.

Invariant: numbers are exact; a name is no longer than a picture can bear.
Entry: `plural`, `size_text`, `traffic_text`, `holdings_of`,
    `message_text`, `detail_text`, `is_talk`, `title_of`, `repeat_text`.
"""

from __future__ import annotations

from collections.abc import Sequence

from alpha.ir.frames import DIGEST_BYTES, HEADER_BYTES
from alpha.ir.protocol.steps import VERDICT_WORDS
from alpha.ir.shapes import words_of
from alpha.ir.sharding.distribution import Distribution
from alpha.tools.pictures.drawings import Drawing
from alpha.tools.pictures.lettering import shortened
from alpha.tools.pictures.programs import Loop, Message
from alpha.tools.pictures.traffic import Load, Traffic

NAMES_SHOWN_MAX = 4
BYTES_NOTE = (
    f"Bytes are those of payloads; header and digest of a frame add {HEADER_BYTES + DIGEST_BYTES}."
)


def plural(count: int, noun: str) -> str:
    """A number and its noun: `1 frame`, `1,024 frames`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def size_text(size: int) -> str:
    """Bytes, exactly."""
    return plural(size, "byte")


def traffic_text(traffic: Traffic, has_rounds: bool) -> str:
    """Frames and bytes of a round, a line each, and what goes once in a run."""
    rounds, once = traffic.rounds, traffic.once
    if not has_rounds:
        return _load_text(once, "\n")
    texts = [_load_text(rounds, "\n")] if rounds.frames else []
    texts += [f"once: {_load_text(once, ', ')}"] if once.frames else []
    return "\n".join(texts)


def _load_text(load: Load, between: str) -> str:
    bound = "" if load.exact else "at most "
    return f"{bound}{plural(load.frames, 'frame')}{between}{bound}{size_text(load.size)}"


def message_text(message: Message) -> tuple[str, str]:
    """The name of a message, and how many frames it is and how large."""
    size = size_text(message.frames * message.size)
    rider = "verdict" if message.riding == VERDICT_WORDS else "agree"
    also = f" + {rider}" if message.riding else ""
    if message.frames > 1:
        return f"{message.name}{also}", f"{plural(message.frames, 'frame')}, {size}"
    part = f" part {message.part:,}" if message.part and message.name != "verdict" else ""
    return f"{message.name}{part}{also}", size


def detail_text(message: Message, sender: str, receiver: str) -> str:
    """A message in full: where it belongs and what it holds, and who sends it to whom."""
    first, rest = message_text(message)
    samples = f", {plural(message.count, 'sample')}" if message.count else ""
    words = f"{plural(message.words, 'word')} of {message.element}"
    if message.riding:
        words = f"{words} and {message.riding:,} of i64"
    return f"site {message.site}: {sender} to {receiver}, {first}{samples}, {words}, {rest}"


def is_talk(message: Message) -> bool:
    """Whether a message agrees, decides or says what is stored, without words of the learner."""
    return message.name in ("agree", "checkpoint", "verdict", "decide")


def title_of(drawing: Drawing) -> str:
    """The name of a protocol, how many roles it has, and how they exchange."""
    ways = f", {drawing.topology}" if drawing.topology else ""
    return f"@{shortened(drawing.title)}: {plural(drawing.group.size, 'role')}{ways}"


def repeat_text(loop: Loop) -> str:
    """How often a loop is run: a bound of 1 is the round that a picture shows."""
    if loop.bound == 1:
        return "one round"
    if loop.until:
        return f"repeat until decided, at most {loop.bound:,} times"
    return f"repeat {loop.bound:,} times"


def holdings_of(distribution: Distribution, role: int) -> list[str]:
    """What a role has of a learner between rounds, a line for each way of having it."""
    states: dict[str, list[str]] = {}
    for name, op in distribution.learner.states.items():
        map, size = distribution.map_of(name), words_of(op.type)
        own = size if map is None else map.piece_size(role, distribution.owners, size)
        what = "has all of" if map is None else f"owns {own:,} of {size:,} words of"
        states.setdefault(what, []).append(name)
    lines = [f"{what} {_names(names)}" for what, names in states.items()]
    return lines + samples_of(distribution, role)


def samples_of(distribution: Distribution, role: int) -> list[str]:
    """How many of the samples a role has, a line for each set of samples."""
    lines: list[str] = []
    for name in distribution.learner.samples:
        if name in distribution.place_ops:
            map, size = distribution.map_of(name), distribution.domain(name)
            own = size if map is None else map.piece_size(role, distribution.owners, size)
            lines.append(f"{own:,} of {plural(size, 'sample')} of {shortened(name)}")
    return lines


def _names(names: Sequence[str]) -> str:
    shown = names if len(names) <= NAMES_SHOWN_MAX + 1 else names[:NAMES_SHOWN_MAX]
    more = f" and {len(names) - len(shown):,} more" if len(shown) < len(names) else ""
    return f"{', '.join(map(shortened, shown))}{more}"
