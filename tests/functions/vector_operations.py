"""Random operations on vectors that every target has rows for.

Entry: `vector_operation`, `known_lanes`.
"""

from __future__ import annotations

from functions.scalar_operations import truth
from functions.writing import Value, Writer, element_of, lanes_of, width_of

from alpha.interpreters.code.integers import COMPARISONS
from alpha.ir.scalars import PREDICATES


def vector_operation(writer: Writer) -> None:
    """One operation whose result is a vector, or a lane of one."""
    chance = writer.random
    roll = chance.random()
    if roll < 0.32:
        _of_floats(writer, chance.choice(writer.types.of_floats))
    elif roll < 0.5:
        _of_integers(writer, chance.choice(writer.types.of_integers))
    elif roll < 0.68:
        _chosen(writer)
    else:
        _lanes(writer)


def _of_floats(writer: Writer, type: str) -> None:
    chance = writer.random
    roll = chance.random()
    if roll < 0.5:
        name = chance.choice(("addf", "subf", "mulf", "divf"))
        text = f"arith.{name} {writer.names_of(type, type)} : {type}"
    elif roll < 0.65:
        name = chance.choice(("math.fma", "vector.fma"))
        text = f"{name} {writer.names_of(type, type, type)} : {type}"
    elif roll < 0.85:
        name = chance.choice(("arith.negf", "math.absf", "math.sqrt"))
        text = f"{name} {writer.pick(type).name} : {type}"
    elif roll < 0.92:
        text = f"math.copysign {writer.names_of(type, type)} : {type}"
    elif element_of(type) == "f64" and writer.types.bits > 128:
        narrow = f"vector<{lanes_of(type)}xf32>"
        source = f"arith.truncf {writer.pick(type).name} : {type} to {narrow}"
        half = writer.name()
        writer.line(f"{half} = {source}")
        text = f"arith.extf {half} : {narrow} to {type}"
    else:
        bits = writer.types.vector(f"i{element_of(type)[1:]}")
        text = f"arith.bitcast {writer.pick(bits).name} : {bits} to {type}"
    writer.make(type, text)


def _of_integers(writer: Writer, type: str) -> None:
    chance = writer.random
    names = ["addi", "subi", "andi", "ori", "xori"]
    names += ["muli"] if element_of(type) == "i32" else []
    roll = chance.random()
    if roll < 0.6:
        text = f"arith.{chance.choice(names)} {writer.names_of(type, type)} : {type}"
    elif roll < 0.85:
        value = writer.pick(type)
        count = writer.used(writer.constant(type, chance.randrange(width_of(element_of(type)))))
        name = chance.choice(("shli", "shrui", "shrsi"))
        text = f"arith.{name} {value.name}, {count.name} : {type}"
    else:
        floats = writer.types.vector(f"f{element_of(type)[1:]}")
        source = known_lanes(writer, writer.pick(floats))
        text = f"arith.bitcast {source.name} : {floats} to {type}"
    writer.make(type, text)


def known_lanes(writer: Writer, value: Value) -> Value:
    """A vector of floats with zeros in the place of NaNs."""
    type, truths = value.type, f"vector<{lanes_of(value.type)}xi1>"
    zero = writer.used(writer.make(type, f"arith.constant dense<0.0> : {type}"))
    mask = writer.name("%t")
    writer.line(f"{mask} = arith.cmpf ord, {value.name}, {value.name} : {type}")
    text = f"arith.select {mask}, {value.name}, {zero.name} : {truths}, {type}"
    return writer.used(writer.make(type, text))


def _chosen(writer: Writer) -> None:
    """A comparison of lanes with one or two choices by it, or a choice of whole vectors."""
    chance = writer.random
    types = writer.types
    result = chance.choice((*types.of_floats, *types.of_integers))
    if chance.random() < 0.2:
        condition = truth(writer)
        text = f"arith.select {condition.name}, {writer.names_of(result, result)} : {result}"
        writer.make(result, text)
        return
    width = element_of(result)[1:]
    compared = types.vector(chance.choice("fi") + width)
    truths = f"vector<{lanes_of(result)}xi1>"
    name, predicates = ("cmpf", PREDICATES)
    if element_of(compared)[0] == "i":
        name, predicates = "cmpi", tuple(COMPARISONS)
    mask, predicate = writer.name("%t"), chance.choice(predicates)
    compare = f"arith.{name} {predicate}, {writer.names_of(compared, compared)} : {compared}"
    sides = [writer.names_of(result, result) for _ in range(chance.choice((1, 1, 2)))]
    writer.line(f"{mask} = {compare}")
    for each in sides:
        writer.make(result, f"arith.select {mask}, {each} : {truths}, {result}")


def _lanes(writer: Writer) -> None:
    chance = writer.random
    types = writer.types
    type = chance.choice((*types.of_floats, *types.of_integers))
    element, lanes = element_of(type), lanes_of(type)
    lane = chance.randrange(lanes)
    match chance.randrange(4):
        case 0:
            text = f"vector.extract {writer.pick(type).name}[{lane}] : {element} from {type}"
            writer.make(element, text)
        case 1:
            word, whole = writer.pick(element), writer.pick(type)
            text = f"vector.insert {word.name}, {whole.name}[{lane}] : {element} into {type}"
            writer.make(type, text)
        case 2:
            text = f"vector.broadcast {writer.pick(element).name} : {element} to {type}"
            writer.make(type, text)
        case _:
            places = chance.choice(_shuffles(lanes))
            if chance.random() < 0.3:
                places = [chance.randrange(2 * lanes) for _ in range(lanes)]
            text = f"vector.shuffle {writer.names_of(type, type)} {places} : {type}, {type}"
            writer.make(type, text)


def _shuffles(lanes: int) -> list[list[int]]:
    """Those that targets have instructions for."""
    low, high = range(lanes // 2), range(lanes // 2, lanes)
    return [
        list(range(lanes, 2 * lanes)),
        list(range(1, lanes + 1)),
        list(range(lanes))[::-1],
        [lanes + 1] * lanes,
        list(range(0, 2 * lanes, 2)),
        list(range(1, 2 * lanes, 2)),
        [place for lane in low for place in (lane, lanes + lane)],
        [place for lane in high for place in (lane, lanes + lane)],
        [place for lane in range(1, lanes, 2) for place in (lane, lanes + lane)],
        [place for lane in range(0, lanes, 2) for place in (lane, lanes + lane)],
    ]
