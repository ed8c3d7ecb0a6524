"""Integer operations of the code level, on Python integers that are kept without a sign.

Invariant: an integer of width w is from 0 to 2^w - 1; an i1 is a bool. A result that the IR leaves
    undefined is a fault, never a number.
Entry: `integer_function`, `signed`, `masked`.
"""

from __future__ import annotations

from collections.abc import Callable

from alpha.interpreters.code.faults import UndefinedResult

IntegerFunction = Callable[..., int]

COMPARISONS: dict[str, tuple[bool, Callable[[int, int], bool]]] = {
    "eq": (False, lambda a, b: a == b),
    "ne": (False, lambda a, b: a != b),
    "slt": (True, lambda a, b: a < b),
    "sle": (True, lambda a, b: a <= b),
    "sgt": (True, lambda a, b: a > b),
    "sge": (True, lambda a, b: a >= b),
    "ult": (False, lambda a, b: a < b),
    "ule": (False, lambda a, b: a <= b),
    "ugt": (False, lambda a, b: a > b),
    "uge": (False, lambda a, b: a >= b),
}
"""Whether a predicate of `arith.cmpi` reads signs, and when it holds; in MLIR's order."""


def signed(value: int, width: int) -> int:
    """The number that the bits of `value` are in two's complement."""
    return value - (1 << width) if value >> (width - 1) else int(value)


def masked(value: int, width: int) -> int:
    """The lowest `width` bits; an i1 is a bool."""
    return bool(value & 1) if width == 1 else value & ((1 << width) - 1)


def _divided(a: int, b: int, width: int, name: str) -> int:
    """The quotient towards zero of signed numbers. Raises UndefinedResult."""
    x, y = signed(a, width), signed(b, width)
    _check_divisor(y, name)
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    if quotient >> (width - 1) > 0:
        raise UndefinedResult(f"{name} of {x} by {y}: {quotient} has more than {width} bits")
    return quotient


def _check_divisor(divisor: int, name: str) -> None:
    if divisor == 0:
        raise UndefinedResult(f"{name} by zero")


def _division(name: str, width: int) -> IntegerFunction:
    def unsigned(a: int, b: int) -> int:
        _check_divisor(b, name)
        match name:
            case "arith.divui":
                return a // b
            case "arith.ceildivui":
                return -(-a // b)
            case _:
                return a % b

    def of_signs(a: int, b: int) -> int:
        quotient = _divided(a, b, width, name)
        x, y = signed(a, width), signed(b, width)
        exact = quotient * y == x
        match name:
            case "arith.divsi":
                result = quotient
            case "arith.floordivsi":
                result = quotient - (not exact and (x < 0) != (y < 0))
            case "arith.ceildivsi":
                result = quotient + (not exact and (x < 0) == (y < 0))
            case _:
                result = x - quotient * y
        return masked(result, width)

    return unsigned if name.endswith("ui") else of_signs


def _shift(name: str, width: int) -> IntegerFunction:
    def shifted(a: int, b: int) -> int:
        if b >= width:
            raise UndefinedResult(f"{name} of {width} bits by {b}")
        match name:
            case "arith.shli":
                return masked(a << b, width)
            case "arith.shrui":
                return a >> b
            case _:
                return masked(signed(a, width) >> b, width)

    return shifted


def _least_or_most(name: str, width: int) -> IntegerFunction:
    choose = min if name.startswith("arith.min") else max
    if name.endswith("ui"):
        return choose
    return lambda a, b: choose(a, b, key=lambda value: signed(value, width))


def integer_function(name: str, width: int) -> IntegerFunction | None:
    """The function of an operation whose operands and result have one width, or None."""
    mask = (1 << width) - 1
    if width == 1 and name in ("arith.addi", "arith.subi", "arith.muli"):
        both = name == "arith.muli"
        return (lambda a, b: bool(a and b)) if both else (lambda a, b: bool(a) != bool(b))
    match name:
        case "arith.addi":
            return lambda a, b: (a + b) & mask
        case "arith.subi":
            return lambda a, b: (a - b) & mask
        case "arith.muli":
            return lambda a, b: (a * b) & mask
        case "arith.andi":
            return lambda a, b: a & b
        case "arith.ori":
            return lambda a, b: a | b
        case "arith.xori":
            return lambda a, b: a ^ b
        case "arith.shli" | "arith.shrui" | "arith.shrsi":
            return _shift(name, width)
        case "arith.minui" | "arith.maxui" | "arith.minsi" | "arith.maxsi":
            return _least_or_most(name, width)
        case "math.ctpop":
            return lambda a: int(a).bit_count()
        case "math.ctlz":
            return lambda a: width - int(a).bit_length()
        case "math.cttz":
            return lambda a: (int(a) & -int(a)).bit_length() - 1 if a else width
        case (
            "arith.divui"
            | "arith.divsi"
            | "arith.remui"
            | "arith.remsi"
            | "arith.floordivsi"
            | "arith.ceildivsi"
            | "arith.ceildivui"
        ):
            return _division(name, width)
        case _:
            return None


def extended_function(name: str, width: int) -> Callable[[int, int], tuple[int, int]] | None:
    """The function of an operation that gives two integers, the lower first; or None."""

    def sum_with_carry(a: int, b: int) -> tuple[int, int]:
        total = a + b
        return masked(total, width), bool(total >> width)

    def product(a: int, b: int) -> tuple[int, int]:
        return masked(a * b, width), (a * b) >> width

    def signed_product(a: int, b: int) -> tuple[int, int]:
        total = signed(a, width) * signed(b, width)
        return masked(total, width), masked(total >> width, width)

    functions = {
        "arith.addui_extended": sum_with_carry,
        "arith.mului_extended": product,
        "arith.mulsi_extended": signed_product,
    }
    return functions.get(name)


def comparison_function(number: int, width: int) -> Callable[[int, int], bool]:
    """The function of a predicate of `arith.cmpi`, given by its number."""
    signs, holds = tuple(COMPARISONS.values())[number]
    if not signs:
        return holds
    return lambda a, b: holds(signed(a, width), signed(b, width))


def resized_function(name: str, before: int, after: int) -> IntegerFunction | None:
    """The function of an operation that changes the width of an integer, or None."""
    match name:
        case "arith.extui" | "arith.index_castui":
            return lambda a: masked(int(a), after)
        case "arith.extsi" | "arith.index_cast" | "arith.trunci":
            return lambda a: masked(signed(int(a), before), after)
        case _:
            return None
