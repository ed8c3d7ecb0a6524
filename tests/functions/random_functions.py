"""Random functions of the code level from seeds, with the functions they call and random calls.

Every operation is defined and every call ends, whatever words it is given; so all executions have
to give the same bits. What a function computes and doesn't use otherwise it stores at its end.

Entry: `random_function`, `RandomFunction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from functions.calls import Parameter, random_calls
from functions.memories import Array, Bytes
from functions.structures import BYTES_PASSED, Body, Callee
from functions.tangles import tangle
from functions.writing import (
    FLOATS,
    INTEGERS,
    NUMBERS,
    POINTER,
    Types,
    Value,
    Writer,
    element_of,
    lanes_of,
)

from alpha.backends.toolchain.calls import Call, Kind

COST_MAX = 1200
COST_CALLED_MAX = 150
RESULT_WORDS = 40
"""The words of each of the two arrays that what is left over is stored to."""

SIZES = (6, 12, 12, 20, 20, 35, 60)
"""How many statements a function has at its top."""


@dataclass(frozen=True)
class RandomFunction:
    """A function, by its seed: the text of it and of what it calls, and calls of it."""

    seed: int
    name: str
    text: str
    calls: tuple[Call, ...]
    functions: int

    def with_text(self, text: str) -> RandomFunction:
        """The same calls of another text."""
        return replace(self, text=text)


def random_function(seed: int, bits: int = 128, calls: int = 4) -> RandomFunction:
    """The function `f<seed>`, with vectors of so many bits, and so many calls of it."""
    chance = Random(f"{seed} {bits}")
    vectors = chance.choice((0.0, 0.1, 0.1, 0.35)) if bits == 128 else 0.4
    texts: list[str] = []
    callees: list[Callee] = []
    for number in range(chance.choice((0, 0, 1, 1, 2, 3))):
        text, callee = _called(chance, f"f{seed}_{number}", Types(bits), callees, vectors)
        texts.append(text)
        callees.append(callee)
    name = f"f{seed}"
    text, parameters, returned = _entry(chance, name, Types(bits), callees, vectors)
    texts.append(text)
    made = random_calls(name, parameters, returned, seed, calls)
    return RandomFunction(seed, name, "".join(texts), tuple(made), len(texts))


def _scalars(chance: Random) -> list[str]:
    """Types of parameters: few, or more than any target has registers for."""
    few, many = chance.randint(0, 3), chance.randint(7, 12)
    integers = [chance.choice(INTEGERS) for _ in range(many if chance.random() < 0.25 else few)]
    few, many = chance.randint(0, 3), chance.randint(9, 13)
    floats = [chance.choice(FLOATS) for _ in range(many if chance.random() < 0.25 else few)]
    types = integers + floats
    chance.shuffle(types)
    return types


def _called(
    chance: Random, name: str, types: Types, callees: Sequence[Callee], vectors: float
) -> tuple[str, Callee]:
    """A private function with what is needed to call it."""
    writer = Writer(chance, types, COST_CALLED_MAX)
    scalars = _scalars(chance)
    body = Body(writer, callees, vectors)
    arrays = _arrays(body, name)
    parameters = [writer.add(Value(writer.name("%a"), each)) for each in scalars]
    if chance.random() < 0.4:
        element, count = chance.choice((*NUMBERS, *FLOATS)), chance.choice((2, 3, 5, 8))
        parameters.append(Value(writer.name("%a"), f"memref<{count}x{element}>"))
        body.memories.arrays[0].append(Array(*parameters[-1][:2], element, count))
    if chance.random() < 0.3:
        parameters.append(Value(writer.name("%a"), POINTER))
        body.memories.bytes[0].append(Bytes(parameters[-1].name, BYTES_PASSED))
    results = [chance.choice((*INTEGERS, *NUMBERS)) for _ in range(chance.randint(0, 2))]
    results += [chance.choice(FLOATS) for _ in range(chance.randint(0, 2))]
    chance.shuffle(results)
    _statements(body, chance.choice((2, 4, 8)), results)
    for type in dict.fromkeys(results):
        _folded(body, type)
    body.leave(results)
    text = arrays + _function(writer, f"private @{name}", parameters, results)
    types_of = tuple(each.type for each in parameters)
    return text, Callee(name, types_of, tuple(results), writer.cost)


def _entry(
    chance: Random, name: str, types: Types, callees: Sequence[Callee], vectors: float
) -> tuple[str, list[Parameter], Kind | None]:
    """The function that is called from outside."""
    writer = Writer(chance, types, COST_MAX)
    body = Body(writer, callees, vectors)
    arrays = _arrays(body, name)
    kinds = [Parameter(each) for each in _scalars(chance)]
    for _ in range(chance.randint(0, 3)):
        element = chance.choice((*NUMBERS, *FLOATS))
        kinds.append(Parameter(f"memref<?x{element}>", element, chance.choice((1, 2, 5, 9, 17))))
    if chance.random() < 0.4:
        kinds.append(Parameter(POINTER, "i8", chance.choice((16, 33, 64))))
    chance.shuffle(kinds)
    kinds += [Parameter(f"memref<?x{each}>", each, RESULT_WORDS) for each in ("i64", "f64")]
    parameters: list[Value] = []
    for each in kinds:
        parameters.append(Value(writer.name("%a"), each.type))
        if each.type == POINTER:
            body.memories.bytes[0].append(Bytes(parameters[-1].name, each.words))
        elif each.words and each is not kinds[-1] and each is not kinds[-2]:
            array = Array(parameters[-1].name, each.type, each.element, each.words)
            body.memories.arrays[0].append(array)
        elif not each.words:
            writer.add(parameters[-1])
    returned = chance.choice((None, *INTEGERS[1:5], *FLOATS, "f64"))
    results = [] if returned is None else [returned]
    _statements(body, chance.choice(SIZES), results)
    _store_rest(body, parameters[-2].name, parameters[-1].name)
    body.leave(results)
    return arrays + _function(writer, f"@{name}", parameters, results), kinds, returned


def _arrays(body: Body, name: str) -> str:
    """Arrays of the module that one function uses, now and then: their texts."""
    count = body.writer.random.choice((0, 0, 0, 1, 1, 2))
    return "".join(body.memories.of_module(f"{name}_g{number}") for number in range(count))


def _statements(body: Body, count: int, results: Sequence[str]) -> None:
    """Statements, many values at once now and then, and blocks that branch now and then."""
    chance = body.writer.random
    for _ in range(chance.choice((1, 1, 2))):
        if chance.random() < 0.3:
            _many(body)
        body.statements(count // 2)
        if chance.random() < 0.4 and body.writer.affords(100):
            tangle(body, results)
        body.statements(count // 2)


def _many(body: Body) -> None:
    """Values of one or two classes that all live until they are used, later and in any order."""
    writer = body.writer
    chance = writer.random
    for type in chance.sample(("i64", "i32", "f64", "f32"), 2):
        last = writer.pick(type)
        for _ in range(chance.choice((4, 10, 18))):
            name = "addf" if type in FLOATS else "addi"
            text = f"arith.{name} {last.name}, {writer.constant(type).name} : {type}"
            last = writer.make(type, text)


def _folded(body: Body, type: str) -> None:
    """What nothing uses of a type joined to one value."""
    writer = body.writer
    rest = [each for each in writer.unused(writer.scopes[-1]) if each.type == type]
    name = "addf" if type in FLOATS else "xori"
    while len(rest) > 1:
        a, b = (writer.used(rest.pop(writer.random.randrange(len(rest)))) for _ in range(2))
        rest.append(writer.make(type, f"arith.{name} {a.name}, {b.name} : {type}"))


def _store_rest(body: Body, integers: str, floats: str) -> None:
    """What nothing uses, in any order, widened to the words of the two arrays of results."""
    writer = body.writer
    rest = writer.unused(writer.scopes[-1])
    writer.random.shuffle(rest)
    words = [word for value in rest for word in _lanes(writer, value)]
    for array, wide in ((integers, "i64"), (floats, "f64")):
        chosen = [each for each in words if (each.type in FLOATS) == (wide == "f64")]
        for at, value in enumerate(chosen[:RESULT_WORDS]):
            word = _widened(writer, value, wide)
            place = writer.constant("index", at).name
            writer.line(f"memref.store {word.name}, {array}[{place}] : memref<?x{wide}>")


def _lanes(writer: Writer, value: Value) -> list[Value]:
    """A scalar, or each lane of a vector (of one with many, four)."""
    if lanes_of(value.type) == 1:
        return [value]
    lanes, element = lanes_of(value.type), element_of(value.type)
    chosen = sorted(writer.random.sample(range(lanes), min(lanes, 4)))
    return [
        writer.make(element, f"vector.extract {value.name}[{lane}] : {element} from {value.type}")
        for lane in chosen
    ]


def _widened(writer: Writer, value: Value, wide: str) -> Value:
    if value.type == wide:
        return value
    match value.type:
        case "f32":
            name = "extf"
        case "index":
            name = "index_cast"
        case "i1":
            name = "extui"
        case _:
            name = writer.random.choice(("extui", "extsi"))
    return writer.make(wide, f"arith.{name} {value.name} : {value.type} to {wide}")


def _function(
    writer: Writer, name: str, parameters: Sequence[Value], results: Sequence[str]
) -> str:
    listed = ", ".join(f"{each.name}: {each.type}" for each in parameters)
    result = f" -> ({', '.join(results)})" if results else ""
    return "\n".join([f"func.func {name}({listed}){result} {{", *writer.lines, "}", ""])
