"""The carrier of terms for machine code: each of its operations, evaluated, against that of words.

Words of all kinds are put for the symbols: signed zeros, infinities, NaNs of both signs. What isn't
modelled raises, and a count shows that enough is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from machine.symbols import Symbols, same_words

from alpha.backends.core.carriers import MachineWords, NotModelled, Partial
from alpha.backends.core.interpreter.faults import MachineFault
from alpha.backends.core.interpreter.terms_memory import TermsMemory
from alpha.backends.core.pieces import Kind, Piece, Pieces, bits, unknown
from alpha.backends.core.symbolic import MachineTerms
from alpha.backends.core.truths import TruthBits

LANES = 4


def trials(count: int) -> Iterator[tuple[Symbols, int, str]]:
    """Random symbols, and a width of lanes with its element."""
    for seed in range(count):
        width = 8 if seed % 3 else 4
        yield Symbols(Random(seed)), width, "f64" if width == 8 else "f32"


def agree(
    symbols: Symbols,
    operation: Callable[..., Any],
    found: Counter[str],
    name: str,
    *vectors: Pieces,
) -> None:
    """Both carriers give the same vector, or it isn't modelled."""
    try:
        made = operation(symbols.terms, *vectors)
    except NotModelled:
        found[f"{name} refused"] += 1
        return
    expected = operation(MachineWords(), *map(symbols.concrete, vectors)).view(np.uint8)
    assert made.nbytes == len(expected)
    assert same_words(symbols.concrete(made), expected, made), (name, vectors, made)
    found[name] += any(piece.kind is not Kind.BITS for piece in made.pieces)


def test_bits_are_joined_as_those_of_words() -> None:
    found: Counter[str] = Counter()
    for symbols, width, _ in trials(250):
        a, b, c = (symbols.operand(width, 1) for _ in range(3))
        for operation in ("and", "or", "xor", "andnot"):
            agree(symbols, lambda m, a, b, o=operation: m.bitwise(o, a, b), found, operation, a, b)
        agree(symbols, lambda m, a, b, c: m.bitselect(a, b, c), found, "bitselect", a, b, c)
    for operation in ("and", "or", "xor", "andnot", "bitselect"):
        assert found[operation] > 20, found
        assert found[f"{operation} refused"] > 20, found


def test_choices_masks_and_shuffles_are_those_of_words() -> None:
    found: Counter[str] = Counter()
    for symbols, width, element in trials(60):
        a, b = symbols.floats(width, LANES), symbols.floats(width, LANES)
        mask = symbols.masks(width, LANES)
        places = [symbols.random.randrange(LANES) for _ in range(LANES)]

        def chosen(m: Any, mask: Any, a: Any, b: Any, e: str = element) -> Any:
            return m.select(m.truths(mask, e), a, b, e)

        def masked(m: Any, a: Any, b: Any, e: str = element) -> Any:
            return m.mask(m.carrier.compare("ogt", m.lanes(a, e), m.lanes(b, e)), e)

        def by_bits(m: Any, a: Any, b: Any, e: str = element) -> Any:
            truths = m.truths(masked(m, a, b), e)
            return m.select(m.truths_of(m.bits(truths) & 0b1011, LANES), a, b, e)

        agree(symbols, chosen, found, "select", mask, a, b)
        agree(symbols, masked, found, "mask", a, b)
        agree(symbols, by_bits, found, "bits", a, b)
        agree(symbols, lambda m, a, w=width, p=places: m.shuffle(a, w, p), found, "shuffle", a)
        agree(symbols, lambda m, a, b: m.join(a, b), found, "join", a, b)
        any_ = symbols.operand(width, LANES), symbols.operand(width, LANES)
        masks = [symbols.masks(width, LANES) for _ in range(2)]
        agree(symbols, chosen, found, "masks", mask, *masks)
        agree(symbols, lambda m, a, b: m.join(b, a, a), found, "join", *any_)
        for bytes in (width, 2 * width, 6 * width):
            agree(symbols, lambda m, a, n=bytes: m.resized(a, n), found, "resized", any_[0])
        for operation in ("addf", "mulf", "negf", "sqrt"):
            operands = (a, b) if operation in ("addf", "mulf") else (a,)
            full = f"{'math' if operation == 'sqrt' else 'arith'}.{operation}"
            agree(
                symbols,
                lambda m, *o, f=full, e=element: m.apply(f, e, *o),
                found,
                "apply",
                *operands,
            )
    for name in ("select", "masks", "mask", "bits", "shuffle", "join", "resized", "apply"):
        assert found[name] > 20, found


def single(carrier: MachineTerms, term: Any) -> Pieces:
    """A vector of one f64."""
    return carrier.vector(np.array([int(term)], np.int64), "f64")


def known(value: int) -> Pieces:
    """A vector of known bits."""
    return Pieces([bits(value, 8)])


SIGN = 1 << 63


def test_signs_that_are_moved_by_bits_are_the_operations_of_floats() -> None:
    carrier = MachineTerms()
    terms = carrier.logic
    x, y = terms.symbol_array("x", (2,), "f64")
    vx, vy = single(carrier, x), single(carrier, y)
    absolute = carrier.bitwise("and", vx, known(SIGN - 1))
    assert absolute == single(carrier, terms.apply("math.absf", np.array(x)))
    assert absolute == carrier.bitwise("andnot", known(SIGN), vx)
    negative = carrier.bitwise("xor", vx, known(SIGN))
    assert negative == single(carrier, terms.apply("arith.negf", np.array(x)))
    with pytest.raises(NotModelled, match="the sign bit of a word that may be a NaN"):
        carrier.bitwise("and", vy, known(SIGN))
    unordered = terms.compare("uno", np.array([y]), np.array([y]))
    canonical = carrier.select(unordered, known(0x7FF8 << 48), vy, "f64")
    sign = carrier.bitwise("and", canonical, known(SIGN))
    copied = single(carrier, terms.apply("math.copysign", np.array(x), np.array(y)))
    assert carrier.bitwise("or", absolute, sign) == copied
    assert carrier.bitselect(known(SIGN), canonical, vx) == copied
    with pytest.raises(NotModelled, match="a NaN that isn't the canonical one"):
        carrier.select(unordered, known(0xFFF8 << 48), vy, "f64")


def test_masks_choose_and_pick_zeros() -> None:
    carrier = MachineTerms()
    terms = carrier.logic
    x, y = terms.symbol_array("x", (2,), "f64")
    vx, vy = single(carrier, x), single(carrier, y)
    truth = terms.compare("olt", np.array([x]), np.array([y]))
    mask = carrier.mask(truth, "f64")
    chosen = single(carrier, terms.apply("arith.select", truth, np.array([x]), np.array([y]))[0])
    assert chosen == single(carrier, terms.apply("pointwise.min", np.array(x), np.array(y)))
    assert carrier.select(carrier.truths(mask, "f64"), vx, vy, "f64") == chosen
    assert carrier.bitselect(mask, vx, vy) == chosen
    zero = terms.constant(0.0, "f64")
    picked = single(carrier, terms.apply("arith.select", truth, np.array([x]), zero)[0])
    assert carrier.bitwise("and", mask, vx) == picked
    inner = terms.compare("ogt", np.array([y]), np.array([x]))
    both = carrier.bitwise("and", mask, carrier.mask(inner, "f64"))
    expected = terms.apply("arith.select", inner, np.array([x]), np.array([y]))
    expected = terms.apply("arith.select", truth, expected, np.array([y]))
    assert carrier.select(carrier.truths(both, "f64"), vx, vy, "f64") == single(
        carrier, expected[0]
    )
    not_ = carrier.bitwise("xor", mask, known(-1))
    assert carrier.select(carrier.truths(not_, "f64"), vy, vx, "f64") == chosen


def test_control_and_integers_that_depend_on_symbols_arent_modelled() -> None:
    carrier = MachineTerms()
    x, y = carrier.logic.symbol_array("x", (2,), "f64")
    vector = single(carrier, x)
    mask = carrier.bits(carrier.logic.compare("olt", np.array([x]), np.array([y])))
    assert isinstance(mask, TruthBits)
    for look in (
        lambda: bool(mask),
        lambda: int(mask),
        lambda: mask == 1,
        lambda: carrier.integers(vector, 64),
        lambda: carrier.integers(carrier.mask(np.array(mask.truths), "f64"), 64),
        lambda: carrier.truths(vector, "f64"),
        lambda: carrier.lanes(vector, "f32"),
        lambda: carrier.lanes(unknown(8), "f64"),
        lambda: carrier.resized(vector, 4),
        lambda: carrier.bitwise("xor", vector, known(1)),
        lambda: carrier.bitwise("and", unknown(8), known(1)),
        lambda: carrier.apply("arith.divf", "f64", known(0), known(0)),
        lambda: carrier.logic.apply("arith.addf", np.array([-1]), np.array([x])),
    ):
        with pytest.raises(NotModelled):
            look()


def test_bits_of_masks_join_with_integers_as_integers_do() -> None:
    symbols = Symbols(Random(3))
    carrier = symbols.terms
    xs = symbols.symbols["f64"]
    masks = [carrier.bits(carrier.logic.compare("olt", xs, np.roll(xs, by))) for by in (1, 2)]

    def value(mask: Any, lanes: int = 8) -> int:
        if isinstance(mask, int):
            return mask & ((1 << lanes) - 1)
        return sum(symbols.truth(mask.lane(at)) << at for at in range(lanes))

    a, b = masks
    assert value(a & b) == value(a) & value(b)
    assert value(a | b) == value(a) | value(b)
    assert value(a ^ b) == value(a) ^ value(b)
    assert value(~a) == ~value(a) & 0xFF
    assert value(0b101 & ~a) == 0b101 & ~value(a)
    assert value(0b1000101 | a) == 0b1000101 | value(a)
    assert value(a ^ 0xFF) == value(a) ^ 0xFF
    assert value(a >> 2, 4) == value(a) >> 2
    assert value(a << 2) == value(a) << 2 & 0xFF
    assert a & 0 == 0 and (a | -1) == -1 and (a ^ a) == 0


def test_memory_holds_lanes_and_divides_only_what_is_known() -> None:
    carrier = MachineTerms()
    memory = TermsMemory(carrier)
    xs = carrier.logic.symbol_array("x", (4,), "f64")
    vector = carrier.vector(xs, "f64")
    address = memory.allocate(40, skew=1)
    memory.store(address, vector, 32)
    assert memory.load(address + 8, 16) == Pieces(vector.cut(8, 16))
    with pytest.raises(MachineFault, match="not all of them written"):
        memory.load(address + 24, 16)
    with pytest.raises(NotModelled):
        memory.load(address + 4, 8)
    memory.put_integer(address + 8, 0x1122334455667788)
    assert memory.integer(address + 10, 32) == 0x33445566
    assert memory.load(address, 32) == Pieces(
        [*vector.cut(0, 8), bits(0x1122334455667788, 8), *vector.cut(16, 16)]
    )
    memory.put_integer(address + 20, 7, 32)
    assert memory.integer(address + 20, 32) == 7
    assert memory.load(address + 16, 4) == unknown(4)
    with pytest.raises(NotModelled):
        memory.integer(address + 16, 64)
    given = memory.given(bytes(range(20)))
    assert memory.integer(given + 7, 64) == int.from_bytes(bytes(range(7, 15)), "little")
    assert memory.load_partial(given + 16, 8) == Pieces([bits(0x13121110, 8)])
    truths = carrier.logic.compare("olt", xs[:2], xs[2:])
    with pytest.raises(NotModelled, match="a store of lanes that depend on symbols"):
        memory.store_partial(address, Partial(vector, truths, 64))
    memory.store_partial(address, Partial(vector, carrier.truths_of(0b10, 2), 64))
    assert memory.load(address + 8, 8) == Pieces(vector.cut(8, 8))
    assert Piece(Kind.UNKNOWN, 0, 4).part(1, 2) == Piece(Kind.UNKNOWN, 0, 2)
