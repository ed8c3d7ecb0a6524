"""Least squares in nine coordinates with a contract of its own, and the maps of its words.

Invariant: seven samples fall into eight groups, whoever the owners are; so all that a run can vary
    in changes no bit of it. What a map gives an owner is counted out here, without the package.
Entry: `RULES`, `ELEMENTS`, `MAPS`, `learner_file`, `map_text`, `coordinates`, `FIELDS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from oracle.orders import Order
from oracle_comparison.running import with_contract
from sharding.least_squares import random_text

WORDS, SAMPLES = 9, 7
GROUPS = (1, 0, 1, 2, 0, 1, 1, 1)
RULES: Mapping[str, int] = {"adam": 0, "momentum": 2, "sgd": 3}
"""With the fan of the tree along which the groups combine; 0 is left."""

ELEMENTS = ("f64", "f32")
MAPS = (
    "cyclic",
    "block",
    "block_cyclic<2>",
    "rows<3, cyclic>",
    "rows<3, block>",
    "sizes",
    "pieces",
)

PARAMETERS = ("w",)
OPTIMIZER: Mapping[str, Sequence[str]] = {"adam": ("m", "v"), "momentum": ("u",), "sgd": ()}
SHARED: Mapping[str, Sequence[str]] = {
    "adam": ("b1_power", "b2_power"),
    "momentum": (),
    "sgd": (),
}

SIZES: Mapping[int, Sequence[int]] = {
    1: (9,),
    2: (2, 7),
    3: (0, 7, 2),
    4: (1, 2, 6, 0),
    5: (0, 2, 0, 6, 1),
    6: (1, 0, 6, 0, 2, 0),
    7: (0, 1, 0, 2, 5, 0, 1),
}


def learner_file(rule: str, element: str, folder: Path) -> Path:
    """The learner of a rule, in a file of a folder."""
    text = random_text(rule, WORDS, SAMPLES).replace("f64", element)
    path = folder / f"{rule}-{element}.mlir"
    path.write_text(with_contract(text, Order(GROUPS, RULES[rule])), encoding="utf-8")
    return path


def shared_out(rule: str, modes: Sequence[str]) -> list[str]:
    """The states of which each owner has its own words alone."""
    optimizer = OPTIMIZER[rule] if "optimizer" in modes else ()
    return [*(PARAMETERS if "parameters" in modes else ()), *optimizer]


def map_text(map: str, owners: int) -> str:
    """A map for so many owners, as flags and passes take it."""
    if map == "sizes":
        return str(list(SIZES[owners]))
    if map == "pieces":
        return f"[{', '.join(_piece(role, owners) for role in range(owners))}]"
    return map


def _piece(role: int, owners: int) -> str:
    """As cyclic, with the owners in the reverse order."""
    has = range(owners - 1 - role, WORDS, owners)
    return f"stride({has.start}, {owners}, {len(has)})" if has else "empty"


def coordinates(map: str, owners: int) -> list[list[int]]:
    """What each owner has of nine words."""
    if map.startswith("rows<3, "):
        rows = _dealt(map.removeprefix("rows<3, ").removesuffix(">"), owners, WORDS // 3)
        return [[3 * row + at for row in of for at in range(3)] for of in rows]
    return _dealt(map, owners, WORDS)


def _dealt(map: str, owners: int, words: int) -> list[list[int]]:
    owner_of = {
        "cyclic": lambda at: at % owners,
        "block_cyclic<2>": lambda at: at // 2 % owners,
        "pieces": lambda at: owners - 1 - at % owners,
    }
    if map in owner_of:
        return [[at for at in range(words) if owner_of[map](at) == each] for each in range(owners)]
    sizes = SIZES[owners]
    if map == "block":
        sizes = [words // owners + (each < words % owners) for each in range(owners)]
    ends = [sum(sizes[: each + 1]) for each in range(owners)]
    return [[*range(end - size, end)] for size, end in zip(sizes, ends, strict=True)]
