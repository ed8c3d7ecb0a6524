"""Groups of operations that targets have one instruction for, and others that look like them.

What is between the first and the last of a group is used by the group alone, or by others, too.

Entry: `idiom`.
"""

from __future__ import annotations

from functions.memories import Memories
from functions.scalar_operations import truth
from functions.writing import FLOATS, NUMBERS, Writer, element_of, lanes_of, width_of

from alpha.interpreters.code.integers import COMPARISONS
from alpha.ir.scalars import PREDICATES

ARITHMETIC = ("addi", "subi", "andi", "ori", "xori")
SHIFTS = ("shli", "shrui", "shrsi")


def idiom(writer: Writer, memories: Memories, vectors: bool) -> None:
    """One group; of vectors only if there are any."""
    groups = [_rotation, _bytes, _complement, _product, _shifted, _tested, _fused, _clamped]
    groups += [_cast]
    groups += [_loaded] * 4
    groups += [_merged, _extreme_lanes, _pairs, _fused_lanes] if vectors else []
    writer.random.choice(groups)(writer, memories)


def _between(writer: Writer, type: str, text: str) -> str:
    """An operation inside of a group: others see its result now and then."""
    if writer.random.random() < 0.15:
        return writer.used(writer.make(type, text)).name
    return writer.passing(type, text)


def _rotation(writer: Writer, memories: Memories) -> None:
    """A rotation, or two shifts that almost are one; by itself or as an operand."""
    chance = writer.random
    type = chance.choice(NUMBERS)
    width, x = width_of(type), writer.pick(type).name
    count = chance.randrange(1, width)
    other = width - count if chance.random() < 0.8 else chance.randrange(1, width)
    left, right = (writer.constant(type, each).name for each in (count, other))
    high = _between(writer, type, f"arith.shli {x}, {left} : {type}")
    low = _between(writer, type, f"arith.shrui {x}, {right} : {type}")
    joined = f"arith.ori {high}, {low} : {type}"
    if chance.random() < 0.4:
        turned = _between(writer, type, joined)
        joined = f"arith.{chance.choice(ARITHMETIC)} {writer.pick(type).name}, {turned} : {type}"
    writer.make(type, joined)


def _bytes(writer: Writer, memories: Memories) -> None:
    """The bytes of a word in reversed order, each masked, moved and joined."""
    type = writer.random.choice(("i32", "i64"))
    width, x = width_of(type), writer.pick(type).name
    mask = writer.constant(type, 255).name
    whole = ""
    for at in range(0, width, 8):
        down, up = (writer.constant(type, each).name for each in (at, width - 8 - at))
        low = writer.passing(type, f"arith.shrui {x}, {down} : {type}")
        byte = writer.passing(type, f"arith.andi {low}, {mask} : {type}")
        part = writer.passing(type, f"arith.shli {byte}, {up} : {type}")
        whole = writer.passing(type, f"arith.ori {whole}, {part} : {type}") if whole else part
    writer.make(type, f"arith.addi {whole}, {writer.pick(type).name} : {type}")


def _complement(writer: Writer, memories: Memories) -> None:
    """An operation with the complement of a value, which may be shifted first."""
    chance = writer.random
    type = chance.choice(NUMBERS)
    x, ones = writer.pick(type).name, writer.constant(type, -1).name
    if chance.random() < 0.4:
        count = writer.constant(type, chance.randrange(width_of(type))).name
        x = _between(writer, type, f"arith.{chance.choice(SHIFTS)} {x}, {count} : {type}")
    turned = _between(writer, type, f"arith.xori {x}, {ones} : {type}")
    sides = [turned, writer.pick(type).name]
    chance.shuffle(sides)
    name = chance.choice(("andi", "ori", "xori"))
    writer.make(type, f"arith.{name} {', '.join(sides)} : {type}")


def _product(writer: Writer, memories: Memories) -> None:
    """A product that is added or taken away; a negative."""
    chance = writer.random
    type = chance.choice(NUMBERS)
    a, b, c = (writer.pick(type).name for _ in range(3))
    if chance.random() < 0.3:
        b = writer.constant(type, 1 << chance.randrange(width_of(type) - 1)).name
    if chance.random() < 0.2:
        a = _between(writer, type, f"arith.subi {writer.constant(type, 0).name}, {a} : {type}")
    sides = [_between(writer, type, f"arith.muli {a}, {b} : {type}"), c]
    chance.shuffle(sides)
    writer.make(type, f"arith.{chance.choice(('addi', 'subi'))} {', '.join(sides)} : {type}")


def _shifted(writer: Writer, memories: Memories) -> None:
    """An operation with an operand that is shifted by a constant."""
    chance = writer.random
    type = chance.choice(NUMBERS)
    x, count = writer.pick(type).name, writer.constant(type, chance.randrange(width_of(type))).name
    sides = [writer.pick(type).name]
    sides.append(_between(writer, type, f"arith.{chance.choice(SHIFTS)} {x}, {count} : {type}"))
    if chance.random() < 0.3:
        sides.reverse()
    writer.make(type, f"arith.{chance.choice(ARITHMETIC)} {', '.join(sides)} : {type}")


def _cast(writer: Writer, memories: Memories) -> None:
    """A number as an index and as an integer of fewer bits, in a sum or a product."""
    chance = writer.random
    type = chance.choice(NUMBERS)
    number = chance.choice((1 << chance.randrange(63), -1, 255, (1 << 32) + 8, None))
    constant = writer.constant("index", number).name
    if chance.random() < 0.3:
        other = writer.constant("index", 1 << chance.randrange(63)).name
        constant = _between(writer, "index", f"arith.muli {constant}, {other} : index")
    sides = [writer.pick(type).name]
    sides.append(_between(writer, type, f"arith.index_cast {constant} : index to {type}"))
    chance.shuffle(sides)
    writer.make(type, f"arith.{chance.choice(('muli', *ARITHMETIC))} {', '.join(sides)} : {type}")


def _tested(writer: Writer, memories: Memories) -> None:
    """Whether some bits are set, as a truth and in a choice."""
    chance = writer.random
    type, result = chance.choice(NUMBERS), chance.choice((*NUMBERS, *FLOATS))
    bits = writer.pick(type).name
    mask = chance.choice((1, 2, 255, 1 << (width_of(type) - 2)))
    other = writer.constant(type, mask & ((1 << (width_of(type) - 1)) - 1)).name
    if chance.random() < 0.4:
        other = writer.pick(type).name
    found = _between(writer, type, f"arith.andi {bits}, {other} : {type}")
    zero, predicate = writer.constant(type, 0).name, chance.choice(("eq", "ne", "slt", "sge"))
    condition = writer.make("i1", f"arith.cmpi {predicate}, {found}, {zero} : {type}").name
    writer.make(result, f"arith.select {condition}, {writer.names_of(result, result)} : {result}")


def _fused(writer: Writer, memories: Memories) -> None:
    """A product and a sum rounded once, with signs changed."""
    _signed_fused(writer, writer.random.choice(FLOATS))


def _fused_lanes(writer: Writer, memories: Memories) -> None:
    _signed_fused(writer, writer.random.choice(writer.types.of_floats))


def _signed_fused(writer: Writer, type: str) -> None:
    names = [writer.pick(type).name for _ in range(3)]
    for at in range(3):
        if writer.random.random() < 0.4:
            names[at] = _between(writer, type, f"arith.negf {names[at]} : {type}")
    made = f"math.fma {', '.join(names)} : {type}"
    if writer.random.random() < 0.3:
        made = f"arith.negf {_between(writer, type, made)} : {type}"
    writer.make(type, made)


def _clamped(writer: Writer, memories: Memories) -> None:
    """A float brought between two others, by comparisons and choices."""
    _extremes(writer, writer.random.choice(FLOATS), "i1")


def _extreme_lanes(writer: Writer, memories: Memories) -> None:
    type = writer.random.choice(writer.types.of_floats)
    _extremes(writer, type, f"vector<{lanes_of(type)}xi1>")


def _extremes(writer: Writer, type: str, truths: str) -> None:
    chance = writer.random
    value, typed = writer.pick(type).name, type if truths == "i1" else f"{truths}, {type}"
    for predicate in chance.sample(("olt", "ogt", "ole", "ult"), 2):
        pair = [value, writer.pick(type).name]
        chance.shuffle(pair)
        compare = f"arith.cmpf {predicate}, {', '.join(pair)} : {type}"
        condition = writer.passing(truths, compare)
        chance.shuffle(pair)
        value = _between(writer, type, f"arith.select {condition}, {', '.join(pair)} : {typed}")
    writer.make(type, f"arith.addf {value}, {writer.pick(type).name} : {type}")


def _merged(writer: Writer, memories: Memories) -> None:
    """An operation on some lanes alone, which a constant names."""
    chance = writer.random
    type = chance.choice(writer.types.of_floats)
    a, b = writer.pick(type).name, writer.pick(type).name
    sides = [a, b]
    if chance.random() < 0.3:
        sides.reverse()
    name = chance.choice(("addf", "subf", "mulf", "divf"))
    made = _between(writer, type, f"arith.{name} {', '.join(sides)} : {type}")
    truths = f"vector<{lanes_of(type)}xi1>"
    words = ", ".join(chance.choice(("true", "false")) for _ in range(lanes_of(type)))
    mask = writer.passing(truths, f"arith.constant dense<[{words}]> : {truths}")
    writer.make(type, f"arith.select {mask}, {made}, {a} : {truths}, {type}")


def _pairs(writer: Writer, memories: Memories) -> None:
    """Two lanes of a vector, added or compared."""
    chance = writer.random
    type = chance.choice(writer.types.of_floats)
    element, whole = element_of(type), writer.pick(type).name
    first = chance.randrange(lanes_of(type) - 1)
    lanes = [first, first + 1]
    chance.shuffle(lanes)
    a, b = (
        _between(writer, element, f"vector.extract {whole}[{lane}] : {element} from {type}")
        for lane in lanes
    )
    writer.make(element, f"arith.{chance.choice(('addf', 'mulf'))} {a}, {b} : {element}")


def _loaded(writer: Writer, memories: Memories) -> None:
    """A word from memory that an instruction may read itself."""
    chance = writer.random
    arrays = [each for each in memories.visible() if each.element not in ("i8", "i16")]
    narrow = [each for each in memories.visible() if each.element in NUMBERS[:3]]
    if narrow and chance.random() < 0.2:
        array = chance.choice(narrow)
        type = array.element
        word = _between(writer, type, f"memref.load {memories.place(array, 1)}")
        wide = chance.choice([each for each in NUMBERS if width_of(each) > width_of(type)])
        name = chance.choice(("extsi", "extui"))
        writer.make(wide, f"arith.{name} {word} : {type} to {wide}")
        return
    if not arrays:
        return
    array = chance.choice(arrays)
    type = array.element
    other = writer.pick(type).name
    if type in FLOATS and not array.rows and chance.random() < 0.4:
        vector = writer.types.vector(type)
        if array.words >= lanes_of(vector):
            type, other = vector, writer.pick(vector).name
    words = lanes_of(type)
    place = memories.place(array, words)
    load = f"memref.load {place}" if words == 1 else f"vector.load {place}, {type}"
    sides = [_between(writer, type, load), other]
    chance.shuffle(sides)
    operands = f"{', '.join(sides)} : {type}"
    if element_of(type) not in FLOATS and chance.random() < 0.5:
        writer.make(type, f"arith.{chance.choice((*ARITHMETIC, 'muli'))} {operands}")
    elif words > 1 or (type in FLOATS and chance.random() < 0.6):
        writer.make(type, f"arith.{chance.choice(('addf', 'subf', 'mulf', 'divf'))} {operands}")
    else:
        name, predicate = "cmpf", chance.choice(PREDICATES)
        if type not in FLOATS:
            name, predicate = "cmpi", chance.choice(tuple(COMPARISONS))
        condition = writer.make("i1", f"arith.{name} {predicate}, {operands}").name
        result = chance.choice((type, "i64", "f64"))
        both = writer.names_of(result, result)
        writer.make(result, f"arith.select {condition}, {both} : {result}")
        writer.used(truth(writer))
