"""Random contributions of whole rows, which several samples in flight go through in special ways.

Entry: `random_rows`. Each folds rows in lanes, works on the sums, and mostly maps rows with them:
what may be held in registers, done in two stages at once, or read backwards.
"""

from __future__ import annotations

import random

from code_level.random_programs import FUNCTIONS, UNARY, Text, scalar

LENGTHS = (4, 8, 9, 16, 23, 57, 64, 100, 100, 130, 200, 257, 400)


def random_rows(seed: int, functions: bool = False) -> str:
    """One contribution; with `functions`, exp and its kin may be in it."""
    chance = random.Random(seed)
    unary = UNARY + FUNCTIONS if functions else UNARY
    text = Text(chance, chance.choice(("f64", "f64", "f32")), unary)
    length, lanes = chance.choice(LENGTHS), chance.choice((2, 4, 8, 8, 16))
    row = (length,)
    shapes = [row] * chance.randint(0, 2) + [()] * chance.randint(0, 2)
    parameters = [(text.name("w"), shape) for shape in shapes]
    shapes = [row] * chance.randint(1, 2) + [()] * chance.randint(0, 2)
    samples = [(text.name("x"), shape) for shape in chance.sample(shapes, len(shapes))]
    text.values += parameters + samples
    returned: list[tuple[str, tuple[int, ...]]] = []
    if chance.random() < 0.2:
        _over_rows(text, f"pointwise.map over [i : {length}]", row)
    for _ in range(chance.choice((1, 1, 1, 2))):
        for _ in range(chance.randint(1, 2)):
            kind = chance.choice(("add", "add", "max"))
            head = f"pointwise.fold {kind} lanes<{lanes}> along [i : {length}]"
            returned.append(_over_rows(text, head, ()))
        for _ in range(chance.randint(0, 3)):
            result = text.name("s")
            text.lines.append(scalar(text, result, _scalars(text)))
            text.values.append((result, ()))
    for _ in range(chance.choice((0, 1, 1, 1, 2))):
        returned.append(_over_rows(text, f"pointwise.map over [i : {length}]", row))
    kept = chance.sample(returned, chance.randint(1, len(returned)))
    kept = list(dict.fromkeys((*kept, returned[-1])))
    if chance.random() < 0.3:
        kept.append(chance.choice(text.values))
    names = ", ".join(name for name, _ in kept)
    heads = [
        ", ".join(f"{name} : {text.type(shape)}" for name, shape in each)
        for each in (parameters, samples)
    ]
    body = "\n".join(f"  {line}" for line in (*text.lines, f"pointwise.return {names}"))
    results = ", ".join(text.type(shape) for _, shape in kept)
    return (
        f"pointwise.contribution @p({heads[0]}) sample({heads[1]}) -> ({results}) {{\n{body}\n}}\n"
    )


def _scalars(text: Text) -> list[str]:
    """The scalars so far, the latest more often."""
    names = [name for name, shape in text.values if not shape]
    return names + names[-2:]


def _over_rows(text: Text, head: str, shape: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """A map or fold that reads one to three rows, and some scalars."""
    chance = text.random
    rows = [name for name, each in text.values if each]
    scalars = _scalars(text)
    read = chance.sample(rows, chance.randint(1, min(3, len(rows))))
    if scalars:
        read += dict.fromkeys(chance.choices(scalars, k=chance.randint(0, 2)))
    names = {name: text.name("x") for name in read}
    inputs = [f"{names[name]} = {name}{'[i]' if name in rows else ''}" for name in read]
    held = list(names.values())
    lines: list[str] = []
    for _ in range(chance.randint(0, 4)):
        result = text.name("b")
        lines.append(scalar(text, result, held))
        held.append(result)
    result = text.name("v")
    body = [f"  {line}" for line in (*lines, f"pointwise.yield {held[-1]}")]
    text.lines += [f"{result} = {head} ({', '.join(inputs)}) {{", *body]
    text.lines.append(f"}} : {text.type(shape)}")
    text.values.append((result, shape))
    return result, shape
