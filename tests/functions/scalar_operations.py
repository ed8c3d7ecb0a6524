"""Random operations on integers and floats, none of which the IR leaves undefined.

Divisors are kept from zero, and from -1 where the dividend may be the least number; counts of
shifts are kept below the width; a float whose bits are read is no NaN.

Entry: `integer_operation`, `float_operation`, `truth`, `known`.
"""

from __future__ import annotations

from functions.writing import FLOATS, INTEGERS, NUMBERS, Value, Writer, width_of

from alpha.interpreters.code.integers import COMPARISONS
from alpha.ir.scalars import PREDICATES

PLAIN = ("addi", "subi", "muli", "andi", "ori", "xori")
EXTREMES = ("minsi", "maxsi", "minui", "maxui")
DIVISIONS = ("divui", "remui", "divsi", "remsi")
SHIFTS = ("shli", "shrui", "shrsi")
FLOAT_BINARY = ("addf", "subf", "mulf", "divf")


def integer_operation(writer: Writer) -> None:
    """One operation whose result is an integer, with what keeps it defined."""
    chance = writer.random
    roll = chance.random()
    if roll < 0.36:
        type = chance.choice(INTEGERS)
        writer.make(type, f"arith.{chance.choice(PLAIN)} {writer.names_of(type, type)} : {type}")
    elif roll < 0.44:
        type = chance.choice((*NUMBERS, "index"))
        writer.make(type, f"arith.{chance.choice(EXTREMES)} {writer.names_of(type, type)} : {type}")
    elif roll < 0.54:
        _division(writer)
    elif roll < 0.66:
        _shift(writer)
    elif roll < 0.76:
        _resized(writer)
    elif roll < 0.88:
        _of_floats(writer)
    else:
        type = chance.choice(INTEGERS)
        condition, (a, b) = truth(writer), (writer.pick(type), writer.pick(type))
        writer.make(type, f"arith.select {condition.name}, {a.name}, {b.name} : {type}")


def truth(writer: Writer) -> Value:
    """An i1: a comparison, or one that is there."""
    chance = writer.random
    roll = chance.random()
    if roll < 0.45:
        type = chance.choice(INTEGERS)
        predicate = chance.choice(tuple(COMPARISONS))
        made = writer.make("i1", f"arith.cmpi {predicate}, {writer.names_of(type, type)} : {type}")
        return writer.used(made)
    if roll < 0.75:
        type = chance.choice(FLOATS)
        predicate = chance.choice(PREDICATES)
        made = writer.make("i1", f"arith.cmpf {predicate}, {writer.names_of(type, type)} : {type}")
        return writer.used(made)
    return writer.pick("i1")


def _division(writer: Writer) -> None:
    chance = writer.random
    type, name = chance.choice((*NUMBERS, "index")), chance.choice(DIVISIONS)
    a, b = writer.pick(type), writer.pick(type)
    if chance.random() < 0.3:
        number = chance.choice((1, 2, 3, 7, 10, 64, (1 << (width_of(type) - 1)) - 1))
        b = writer.used(writer.constant(type, number))
    elif chance.random() < 0.4:
        one = writer.used(writer.constant(type, 1))
        b = writer.used(writer.make(type, f"arith.ori {b.name}, {one.name} : {type}"))
        if name.endswith("si"):
            b = _unlike(writer, b, -1)
    else:
        b = _unlike(writer, b, 0)
        b = _unlike(writer, b, -1) if name.endswith("si") else b
    writer.make(type, f"arith.{name} {a.name}, {b.name} : {type}")


def _unlike(writer: Writer, value: Value, number: int) -> Value:
    """The value where it isn't this number, else another number."""
    type = value.type
    refused, other = (writer.used(writer.constant(type, each)) for each in (number, 5))
    same = writer.used(writer.make("i1", f"arith.cmpi eq, {value.name}, {refused.name} : {type}"))
    chosen = f"arith.select {same.name}, {other.name}, {value.name} : {type}"
    return writer.used(writer.make(type, chosen))


def _shift(writer: Writer) -> None:
    chance = writer.random
    type = chance.choice((*NUMBERS, "index"))
    a, width = writer.pick(type), width_of(type)
    if chance.random() < 0.5:
        number = chance.choice((0, 1, width - 1, chance.randrange(width)))
        count = writer.used(writer.constant(type, number))
    else:
        most, given = writer.used(writer.constant(type, width - 1)), writer.pick(type)
        text = f"arith.andi {given.name}, {most.name} : {type}"
        count = writer.used(writer.make(type, text))
    writer.make(type, f"arith.{chance.choice(SHIFTS)} {a.name}, {count.name} : {type}")


def _resized(writer: Writer) -> None:
    chance = writer.random
    kinds = ["i1", *NUMBERS]
    before, after = chance.sample(kinds, 2)
    if chance.random() < 0.2:
        before, after = chance.choice((("i32", "index"), ("i64", "index"), ("i8", "index")))
        if chance.random() < 0.5:
            before, after = after, before
        name = "index_cast"
    elif kinds.index(before) < kinds.index(after):
        name = chance.choice(("extsi", "extui"))
    else:
        name = "trunci"
    writer.make(after, f"arith.{name} {writer.pick(before).name} : {before} to {after}")


def _of_floats(writer: Writer) -> None:
    """A float as an integer: its value, which saturates, or its bits."""
    chance = writer.random
    before = chance.choice(FLOATS)
    if chance.random() < 0.3:
        after = f"i{before[1:]}"
        source = known(writer, writer.pick(before))
        writer.make(after, f"arith.bitcast {source.name} : {before} to {after}")
        return
    after, name = chance.choice(NUMBERS), chance.choice(("fptosi", "fptoui"))
    writer.make(after, f"arith.{name} {writer.pick(before).name} : {before} to {after}")


def known(writer: Writer, value: Value) -> Value:
    """A float that is no NaN: the value, or zero."""
    type = value.type
    ordered = writer.used(writer.make("i1", f"arith.cmpf ord, {value.name}, {value.name} : {type}"))
    zero = writer.used(writer.make(type, f"arith.constant 0.0 : {type}"))
    text = f"arith.select {ordered.name}, {value.name}, {zero.name} : {type}"
    return writer.used(writer.make(type, text))


def float_operation(writer: Writer) -> None:
    """One operation whose result is a float."""
    chance = writer.random
    type = chance.choice(FLOATS)
    roll = chance.random()
    if roll < 0.42:
        text = f"arith.{chance.choice(FLOAT_BINARY)} {writer.names_of(type, type)} : {type}"
    elif roll < 0.5:
        text = f"math.fma {writer.names_of(type, type, type)} : {type}"
    elif roll < 0.6:
        name = chance.choice(("arith.negf", "math.absf", "math.absf"))
        text = f"{name} {writer.pick(type).name} : {type}"
    elif roll < 0.66:
        size = writer.pick(type)
        if chance.random() < 0.7:
            size = writer.used(writer.make(type, f"math.absf {size.name} : {type}"))
        text = f"math.sqrt {size.name} : {type}"
    elif roll < 0.71:
        text = f"math.copysign {writer.names_of(type, type)} : {type}"
    elif roll < 0.8:
        text = _converted(writer, type)
    elif roll < 0.88:
        a, b = writer.pick(type), writer.pick(type)
        predicate = chance.choice(("olt", "ogt"))
        compare = f"arith.cmpf {predicate}, {a.name}, {b.name} : {type}"
        sides = [a.name, b.name]
        chance.shuffle(sides)
        condition = writer.used(writer.make("i1", compare))
        text = f"arith.select {condition.name}, {', '.join(sides)} : {type}"
    else:
        condition = truth(writer)
        text = f"arith.select {condition.name}, {writer.names_of(type, type)} : {type}"
    writer.make(type, text)


def _converted(writer: Writer, type: str) -> str:
    """A float of another width or of an integer."""
    chance = writer.random
    roll = chance.random()
    if roll < 0.4:
        other, name = ("f64", "truncf") if type == "f32" else ("f32", "extf")
        return f"arith.{name} {writer.pick(other).name} : {other} to {type}"
    if roll < 0.6:
        bits = f"i{type[1:]}"
        return f"arith.bitcast {writer.pick(bits).name} : {bits} to {type}"
    source, name = chance.choice(("i1", *NUMBERS)), chance.choice(("sitofp", "uitofp"))
    return f"arith.{name} {writer.pick(source).name} : {source} to {type}"
