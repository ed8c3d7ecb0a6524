"""Digests of two messages at once, on each machine, beside Python's and beside one at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest
from routines.library import FOLDER, INITIAL, MACHINES, assembly, texts
from routines.test_digest import (
    BLOCKS,
    CONTENT,
    FAST,
    INSTRUCTIONS,
    Message,
    Run,
    cuts,
    each_run,
    fast_texts,
    function_text,
    message_of,
    mutants_of,
    skip_without_instructions,
)

from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call
from alpha.interpreters.code import Code
from alpha.interpreters.words import Words
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context

PAIR = "alpha_sha256_blocks_pair"
OTHER = bytes(np.random.default_rng(13).integers(0, 256, 192, np.uint8))

DRIVER = """
func.func private @alpha_use_fast(i64)
func.func private @alpha_digest_pair(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr, i64,
    !ptr_xdsl.ptr)
func.func private @placed(%data : !ptr_xdsl.ptr, %pieces : !ptr_xdsl.ptr, %count : i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  scf.for %i = %zero to %count step %one : i64 {
    %offset = arith.shli %i, %four : i64
    %piece = ptr_xdsl.ptradd %pieces, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %place = ptr_xdsl.load %piece : !ptr_xdsl.ptr -> i64
    %at = ptr_xdsl.ptradd %data, %place : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    ptr_xdsl.store %at, %piece : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  }
  func.return
}
func.func @digests_of(%data_a : !ptr_xdsl.ptr, %a : !ptr_xdsl.ptr, %count_a : i64,
    %data_b : !ptr_xdsl.ptr, %b : !ptr_xdsl.ptr, %count_b : i64, %out : !ptr_xdsl.ptr,
    %fast : i64) {
  %bytes = arith.constant 32 : i64
  func.call @alpha_use_fast(%fast) : (i64) -> ()
  func.call @placed(%data_a, %a, %count_a) : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> ()
  func.call @placed(%data_b, %b, %count_b) : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> ()
  %behind = ptr_xdsl.ptradd %out, %bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @alpha_digest_pair(%a, %count_a, %out, %b, %count_b, %behind)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  func.return
}
"""
"""Makes addresses of the places that a test can say."""

COUNTING = f"""
func.func @{PAIR}(%a : memref<8xi32>, %data_a : memref<?x16xi32>, %b : memref<8xi32>,
    %data_b : memref<?x16xi32>, %blocks : i64) {{
  %c0 = arith.constant 0 : index
  %count = arith.trunci %blocks : i64 to i32
  memref.store %count, %a[%c0] : memref<8xi32>
  memref.store %count, %b[%c0] : memref<8xi32>
  func.return
}}
func.func @{FAST}(%state : memref<8xi32>, %data : memref<?x16xi32>, %blocks : i64) {{
  func.return
}}
"""
"""In the place of the block functions: a pair says how many blocks it was given."""


def call(run: Run, number: int, a: Message, b: Message) -> Call:
    """Two messages whose digests come to stand one behind the other."""
    operands: list[Buffer | int] = []
    for at, each in enumerate((a, b)):
        operands.append(Buffer(each.data, (number + at) % 64))
        operands.append(Buffer(each.pieces.copy(), (3 * number) % 64))
        operands.append(len(each.pieces) // 2)
    return Call("digests_of", [*operands, Buffer(np.zeros(64, np.int8)), int(run.fast)])


def checked(run: Run, pairs: Sequence[tuple[Message, Message]]) -> None:
    if run.fast:
        skip_without_instructions(run.machine)
    parts = [*texts(run.machine, "digest", without=(INSTRUCTIONS,)), *fast_texts(run.machine)]
    with Caller([*parts, assembly(DRIVER, run.machine, "driver")], run.machine) as caller:
        calls = [call(run, number, *each) for number, each in enumerate(pairs)]
        results = caller.call(calls)
    for (a, b), result in zip(pairs, results, strict=True):
        digests = [hashlib.sha256(each.content).digest() for each in (a, b)]
        sizes = a.pieces[1::2].tolist(), b.pieces[1::2].tolist()
        assert result.buffers[4].tobytes() == b"".join(digests), sizes
        assert result.buffers[0].tobytes() == a.data.tobytes()
        assert result.buffers[2].tobytes() == b.data.tobytes()


@each_run
def test_messages_of_all_lengths_beside_others(run: Run) -> None:
    """Borders of pieces and ends come at other places of the one than of the other."""
    source = np.random.default_rng(14)

    def message(length: int) -> Message:
        ways = list(cuts(length, source))
        return message_of(source.bytes(length), ways[int(source.integers(len(ways)))], source)

    pairs = [(message(length), message(int(source.integers(0, 258)))) for length in range(258)]
    pairs += [(message(length), message(length)) for length in (0, 55, 64, 88, 120, 1000, 4096)]
    pairs += [(message(size), message(3 * size)) for size in (64, 640, 1000)]
    checked(run, [*pairs, *((b, a) for a, b in pairs)])


@pytest.mark.parametrize("machine", MACHINES)
def test_blocks_that_both_have_are_read_together(machine: str) -> None:
    """As many as lie in one piece of each; what is left of one is read alone."""
    parts = [*texts(machine, "digest", without=(INSTRUCTIONS,))]
    parts += [assembly(COUNTING, machine, "counting"), assembly(DRIVER, machine, "driver")]
    source = np.random.default_rng(15)
    sizes = {(640, 640): 10, (320, 640): 5, (640, 64): 1, (63, 640): None}
    calls: list[Call] = []
    for a, b in sizes:
        both = (message_of(source.bytes(each), [each], source) for each in (a, b))
        calls.append(call(Run(machine, True), 0, *both))
    with Caller(parts, machine) as caller:
        results = caller.call(calls)
    for count, result in zip(sizes.values(), results, strict=True):
        found = result.buffers[4].view(">u4")[[0, 8]].tolist()
        # The state behind padding that isn't hashed is the count, or what there was at the start.
        assert found == [INITIAL[0] if count is None else count] * 2


def test_the_pair_is_interpreted_as_the_standard_says() -> None:
    file = FOLDER / "sha256_instructions.mlir"
    module = parse_text(make_context(), file.read_text(encoding="utf-8"), str(file))
    states = [INITIAL.copy(), INITIAL.copy()]
    blocks = [np.frombuffer(each, np.uint32).copy() for each in (BLOCKS, OTHER)]
    alone = INITIAL.copy()
    code = Code(module, Words())
    code.call(PAIR, [states[0], blocks[0], states[1], blocks[1], 3])
    code.call(FAST, [alone, blocks[1], 3])
    assert states[0].astype(">u4").tobytes() == hashlib.sha256(CONTENT).digest()
    assert states[1].tobytes() == alone.tobytes() != INITIAL.tobytes()


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_wrong_is_noticed(machine: str) -> None:
    skip_without_instructions(machine)
    text = function_text(machine, PAIR)
    copies = [text, *mutants_of(text)]
    assert len(copies) > 64 + 2 * (4 + 1) + 2
    renamed = [
        each.replace(PAIR, f"mutant{number}")
        .replace("lit.", f"lit{number}.")
        .replace("sha256_constants_in_fours", f"constants{number}")
        for number, each in enumerate(copies)
    ]
    given: list[Buffer | int] = []
    for each in (BLOCKS, OTHER):
        given += [
            Buffer(INITIAL.view(np.int32).copy()),
            Buffer(np.frombuffer(each, np.int8).copy()),
        ]
    calls = [Call(f"mutant{number}", [*given, 3]) for number in range(len(copies))]
    with Caller("\n".join(renamed), machine) as caller:
        results = caller.call(calls)
    found = [b"".join(each.buffers[at].tobytes() for at in (0, 2)) for each in results]
    assert [number for number, each in enumerate(found) if each == found[0]] == [0]
