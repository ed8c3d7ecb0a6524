"""Digests of messages in pieces, by each block function and on each machine, beside Python's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from routines.library import DIALECTS, FOLDER, INITIAL, MACHINES, assembly, texts
from x86.execution import has

from alpha.backends.core.carriers import MachineWords
from alpha.backends.core.dialect.functions import DataOpBase, FuncOpBase
from alpha.backends.core.dialect.reading import read_data, read_placed
from alpha.backends.core.emission import remaining_passes
from alpha.backends.core.frames import add_frame
from alpha.backends.core.interpreter.machine import Machine
from alpha.backends.core.interpreter.memory import WordsMemory
from alpha.backends.core.registers import Register
from alpha.backends.core.targets import features_of, instruction_set
from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call, Result
from alpha.interpreters.code import Code
from alpha.interpreters.words import Words
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

FEATURES = {"x86-64": "sha", "aarch64": "sha2"}
FAST = "alpha_sha256_blocks_fast"
INSTRUCTIONS = "sha256_instructions"
BLOCKS_MODULES = ("sha256", INSTRUCTIONS)
NOWHERE = 1 << 60
"""As the place of a piece: an address that no processor can read."""

DRIVER = """
func.func private @alpha_use_fast(i64)
func.func private @alpha_digest(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr)
func.func @digest_of(%data : !ptr_xdsl.ptr, %pieces : !ptr_xdsl.ptr, %count : i64,
                     %out : !ptr_xdsl.ptr, %fast : i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  func.call @alpha_use_fast(%fast) : (i64) -> ()
  scf.for %i = %zero to %count step %one : i64 {
    %offset = arith.shli %i, %four : i64
    %piece = ptr_xdsl.ptradd %pieces, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %place = ptr_xdsl.load %piece : !ptr_xdsl.ptr -> i64
    %at = ptr_xdsl.ptradd %data, %place : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    ptr_xdsl.store %at, %piece : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  }
  func.call @alpha_digest(%pieces, %count, %out) : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  func.return
}
"""
"""Makes addresses of the places that a test can say."""

MARKING = """
func.func @NAME(%state : memref<8xi32>, %data : memref<?x16xi32>, %blocks : i64) {
  %c0 = arith.constant 0 : index
  %marker = arith.constant MARKER : i32
  memref.store %marker, %state[%c0] : memref<8xi32>
  func.return
}
"""
"""In the place of a block function: the state says which one it was."""

NO_PAIR = """
func.func @alpha_sha256_blocks_pair(%a : memref<8xi32>, %data_a : memref<?x16xi32>,
    %b : memref<8xi32>, %data_b : memref<?x16xi32>, %blocks : i64) {
  func.return
}
"""
"""In the place of the block function of two messages."""

COUNTING = """
func.func @sha256_blocks(%state : memref<8xi32>, %data : memref<?x16xi32>, %blocks : i64) {
  %c0 = arith.constant 0 : index
  %four = arith.constant 4 : i32
  %before = memref.load %state[%c0] : memref<8xi32>
  %moved = arith.shli %before, %four : i32
  %count = arith.trunci %blocks : i64 to i32
  %after = arith.ori %moved, %count : i32
  memref.store %after, %state[%c0] : memref<8xi32>
  func.return
}
"""
"""In the place of a block function: the state says how many blocks it was given each time."""


class Run(NamedTuple):
    """Where digests are computed, and by which block function."""

    machine: str
    fast: bool

    def __str__(self) -> str:
        return f"{self.machine} {'instructions' if self.fast else 'scalar'}"


RUNS = [Run(machine, fast) for machine in MACHINES for fast in (False, True)]
each_run = pytest.mark.parametrize("run", RUNS, ids=str)


def skip_without_instructions(machine: str) -> None:
    """An emulator of AArch64 has all features; this processor is as it is."""
    if machine == "x86-64" and not has("sha"):
        pytest.skip("without SHA instructions this processor can't run it")


def caller_of(run: Run, source: str = DRIVER) -> Caller:
    """The digest, both block functions, and a driver."""
    if run.fast:
        skip_without_instructions(run.machine)
    parts = [*texts(run.machine, "digest", without=(INSTRUCTIONS,)), *fast_texts(run.machine)]
    return Caller([*parts, assembly(source, run.machine, "driver")], run.machine)


def fast_texts(machine: str) -> Sequence[str]:
    return texts(machine, INSTRUCTIONS, features=FEATURES[machine])


def function_text(machine: str, name: str) -> str:
    """The assembly of one of the functions by instructions, with what it reads."""
    (text,) = fast_texts(machine)
    parts = re.split(r"^(?=\.text$|\.section|\.data)", text, flags=re.MULTILINE)
    others = [part for part in parts if ".globl" in part and f".globl {name}\n" not in part]
    assert len(others) == 1
    return "".join(part for part in parts if part not in others)


class Message(NamedTuple):
    """A message, where its pieces lie, and how many bytes each has."""

    content: bytes
    data: np.ndarray
    pieces: np.ndarray

    def call(self, run: Run, offset: int, fence: bool = False) -> Call:
        data = Buffer(self.data, fence="behind") if fence else Buffer(self.data, offset)
        pieces = Buffer(self.pieces.copy(), (3 * offset) % 64)
        out = Buffer(np.zeros(32, np.int8), (7 * offset) % 64)
        return Call("digest_of", [data, pieces, len(self.pieces) // 2, out, int(run.fast)])

    def check(self, result: Result) -> None:
        data, _, out = result.buffers
        assert out.tobytes() == hashlib.sha256(self.content).digest(), self.pieces[1::2].tolist()
        assert data.tobytes() == self.data.tobytes()


def message_of(content: bytes, sizes: Sequence[int], source: np.random.Generator) -> Message:
    """Pieces of these sizes in any order in memory, with gaps; those of no bytes are nowhere."""
    assert sum(sizes) == len(content)
    starts = np.cumsum([0, *sizes])
    pieces = np.full(2 * len(sizes), NOWHERE, np.int64)
    pieces[1::2] = sizes
    data = bytearray(source.bytes(int(source.integers(0, 9))))
    for number in source.permutation(len(sizes)).tolist():
        if sizes[number]:
            pieces[2 * number] = len(data)
            data += content[starts[number] : starts[number + 1]]
            data += source.bytes(int(source.integers(0, 9)))
    return Message(content, np.frombuffer(bytes(data) or b"x", np.int8).copy(), pieces)


def cuts(length: int, source: np.random.Generator) -> Iterator[list[int]]:
    """Ways to cut a message into pieces, as their sizes."""
    yield [1] * length
    yield [length] if length else []
    places = np.sort(source.integers(0, length + 1, int(source.integers(1, 9))))
    yield np.diff([0, *places, length]).tolist()
    # Around a border of blocks, with nothing in between.
    first = min(length, 64 * int(source.integers(0, 4)) + int(source.integers(-1, 2)) % 64)
    yield [0, first, 0, 0, length - first, 0]


def checked(run: Run, messages: Sequence[Message], fence: bool = False) -> None:
    with caller_of(run) as caller:
        calls = [each.call(run, number % 64, fence) for number, each in enumerate(messages)]
        for message, result in zip(messages, caller.call(calls), strict=True):
            message.check(result)


def checked_in_pieces(run: Run, contents: Sequence[bytes], source: np.random.Generator) -> None:
    """See that these messages have their digests in all kinds of pieces."""
    messages = [
        message_of(content, sizes, source)
        for content in contents
        for sizes in cuts(len(content), source)
    ]
    checked(run, messages)


@each_run
def test_every_length_in_all_kinds_of_pieces(run: Run) -> None:
    source = np.random.default_rng(7)
    checked_in_pieces(run, [source.bytes(length) for length in range(258)], source)


@each_run
def test_many_blocks_in_pieces(run: Run) -> None:
    source = np.random.default_rng(8)
    contents = [source.bytes(int(source.integers(258, 5000))) for _ in range(20)]
    checked_in_pieces(run, contents, source)


@each_run
def test_nothing_behind_a_piece_is_read(run: Run) -> None:
    source = np.random.default_rng(9)
    sizes = [1, 7, 8, 9, 55, 56, 63, 64, 65, 127, 128, 129, 200]
    contents = [source.bytes(size) for size in sizes]
    whole = [
        Message(each, np.frombuffer(each, np.int8).copy(), np.array([0, len(each)]))
        for each in contents
    ]
    checked(run, whole, fence=True)


@each_run
def test_the_digest_may_lie_on_the_message(run: Run) -> None:
    content = np.random.default_rng(10).bytes(100)
    data = Buffer(np.frombuffer(content, np.int8).copy(), 5)
    pieces = Buffer(np.array([0, 64, 64, 36]))
    with caller_of(run) as caller:
        (result,) = caller.call([Call("digest_of", [data, pieces, 2, data, int(run.fast)])])
    digest = hashlib.sha256(content).digest()
    assert result.buffers[0].tobytes() == digest + content[32:]


@pytest.mark.parametrize("machine", MACHINES)
def test_the_choice_of_the_block_function(machine: str) -> None:
    parts = [*texts(machine, "digest", without=BLOCKS_MODULES)]
    parts.append(assembly(NO_PAIR, machine, "pair"))
    for name, marker in (("sha256_blocks", 1), (FAST, 2)):
        source = MARKING.replace("NAME", name).replace("MARKER", str(marker))
        parts.append(assembly(source, machine, name))
    out = Buffer(np.zeros(8, np.int32))

    def digest() -> Call:
        return Call("alpha_digest", [Buffer(np.zeros(2, np.int64)), 0, out])

    wanted = [1, 2, 2, 1]
    with Caller(parts, machine) as caller:
        fast, scalar = (Call("alpha_use_fast", [each]) for each in (1, 0))
        results = caller.call([digest(), fast, digest(), digest(), scalar, digest()])
    found = [int(each.buffers[1].view(">i4")[0]) for each in results if each.buffers]
    assert found == wanted


@pytest.mark.parametrize("machine", MACHINES)
def test_whole_blocks_are_read_in_place(machine: str) -> None:
    fast = assembly(MARKING.replace("NAME", FAST).replace("MARKER", "0"), machine, FAST)
    counting = assembly(COUNTING, machine, "counting")
    driver = assembly(DRIVER, machine, "driver")
    wanted = {(256,): 0x41, (10, 182, 64): 0x1211, (64, 0, 63, 1): 0x111, (0, 5): 0x1}
    data, out = Buffer(np.zeros(256, np.int8)), Buffer(np.zeros(8, np.int32))
    calls: list[Call] = []
    for sizes in wanted:
        pieces = np.zeros(2 * len(sizes), np.int64)
        pieces[1::2] = sizes
        calls.append(Call("digest_of", [data, Buffer(pieces), len(sizes), out, 0]))
    pair = assembly(NO_PAIR, machine, "pair")
    parts = [*texts(machine, "digest", without=BLOCKS_MODULES), fast, pair, counting, driver]
    with Caller(parts, machine) as caller:
        results = caller.call(calls)
    for (sizes, counts), result in zip(wanted.items(), results, strict=True):
        found = int(result.buffers[2].view(">u4")[0])
        digits = len(f"{counts:x}")
        assert found % 16**digits == counts, sizes
        # Before the first call there was the state at the start.
        assert found >> 4 * digits == int(INITIAL[0]) % 16 ** (8 - digits), sizes


def test_more_than_32_bits_of_length() -> None:
    """The same bytes again and again, in pieces that begin and end within blocks."""
    fast = has("sha")
    source = np.random.default_rng(11)
    data = source.integers(0, 256, (1 << 23) + 5, np.uint8)
    count = 65
    pieces = np.array([data.ctypes.data + 3, data.size - 4] * count)
    assert 8 * int(pieces[1::2].sum()) > 1 << 32
    digest, wanted = np.zeros(32, np.uint8), hashlib.sha256()
    for _ in range(count):
        wanted.update(data[3:-1].data)
    parts = [*texts("x86-64", "digest", without=(INSTRUCTIONS,)), *fast_texts("x86-64")]
    with Caller(parts, "x86-64", by="this process") as caller:
        choose = caller.library().function("alpha_use_fast", ["i64"], None)
        function = caller.library().function("alpha_digest", ["pointer", "i64", "pointer"], None)
        choose(int(fast))
        function(pieces.ctypes.data, count, digest.ctypes.data)
    assert digest.tobytes() == wanted.digest()


def padded(content: bytes) -> bytes:
    """Whole blocks, with zeros and the length at the end (FIPS 180-4, 5.1.1)."""
    zeros = (55 - len(content)) % 64
    return content + b"\x80" + bytes(zeros) + (8 * len(content)).to_bytes(8, "big")


CONTENT = bytes(np.random.default_rng(12).integers(0, 256, 150, np.uint8))
BLOCKS = padded(CONTENT)
DIGEST = hashlib.sha256(CONTENT).digest()


def test_instructions_are_interpreted_as_the_standard_says() -> None:
    file = FOLDER / "sha256_instructions.mlir"
    module = parse_text(make_context(), file.read_text(encoding="utf-8"), str(file))
    verify_module(module)
    state = INITIAL.copy()
    Code(module, Words()).call(FAST, [state, np.frombuffer(BLOCKS, np.uint32).copy(), 3])
    assert state.astype(">u4").tobytes() == DIGEST


@pytest.mark.parametrize("machine", MACHINES)
def test_rows_mean_what_the_standard_says(machine: str) -> None:
    """The placed function, run by the meanings of its rows."""
    dialect, features = DIALECTS[machine], FEATURES[machine]
    file = FOLDER / "sha256_instructions.mlir"
    context = make_context()
    module = parse_text(context, file.read_text(encoding="utf-8"), str(file))
    for each in remaining_passes(module, dialect, features):
        each.apply(context, module)
    target = instruction_set(dialect, features_of(features)).target
    ops = list(module.body.block.ops)
    functions = [add_frame(read_placed(op), target) for op in ops if isinstance(op, FuncOpBase)]
    data = [read_data(op) for op in ops if isinstance(op, DataOpBase)]
    memory = WordsMemory(MachineWords())
    machine_code = Machine(functions, target, memory, data)
    state, blocks = memory.given(INITIAL.tobytes(), 4), memory.constant(BLOCKS)
    arguments = [Register("gpr", number) for number in target.convention.arguments["gpr"]]
    words = (state, blocks, len(BLOCKS) // 64)
    machine_code.run(FAST, dict(zip(arguments, words, strict=False)))
    found = b"".join(memory.integer(state + 4 * at, 32).to_bytes(4, "big") for at in range(8))
    assert found == DIGEST


CHANGED = re.compile(r"\s*(sha256\w+|vpshuf\w|vpalignr|vpblendw|rev32) .*")
REGISTER = re.compile(r"\b(xmm|q|v)(\d+)")


def mutants_of(text: str) -> Iterator[str]:
    """Texts with two registers of an instruction swapped, another immediate, or constant."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        changed: list[str] = []
        if CHANGED.fullmatch(line):
            changed = [_swapped(line), line.replace("rev32", "rev64")]
            changed.append(re.sub(r"(?<=, )\d+$", lambda found: str(int(found[0]) ^ 1), line))
        elif ".byte 0x" in line:
            words = re.findall(r"0x\w\w", line)
            for at in range(0, len(words), 4):
                other = f"0x{int(words[at], 16) ^ 1:02x}"
                changed.append("  .byte " + ", ".join([*words[:at], other, *words[at + 1 :]]))
        for each in changed:
            if each != line:
                yield "\n".join([*lines[:number], each, *lines[number + 1 :], ""])


def _swapped(line: str) -> str:
    """The two operands that are read change places; xmm0 of a round has no other."""
    found = list(REGISTER.finditer(line))
    first = 1 if len(found) > 2 and "rnds2" not in line else 0
    one, other = found[first], found[first + 1]
    between = line[one.end(2) : other.start(2)]
    return line[: one.start(2)] + other[2] + between + one[2] + line[other.end(2) :]


def _renamed(text: str, number: int) -> str:
    """A copy that can be assembled beside others."""
    text = text.replace(FAST, f"mutant{number}").replace("lit.", f"lit{number}.")
    return text.replace("sha256_constants_in_fours", f"constants{number}")


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_wrong_is_noticed(machine: str) -> None:
    skip_without_instructions(machine)
    text = function_text(machine, FAST)
    copies = [text, *mutants_of(text)]
    assert len(copies) > 64 + 16 + 12  # constants, rounds in fours, steps of the schedule
    joined = "\n".join(_renamed(each, number) for number, each in enumerate(copies))
    state = Buffer(INITIAL.view(np.int32))
    data = Buffer(np.frombuffer(BLOCKS, np.int8).copy(), 9)
    calls = [Call(f"mutant{number}", [state, data, 3]) for number in range(len(copies))]
    with Caller(joined, machine) as caller:
        results = caller.call(calls)
    right = [each.buffers[0].view(np.uint32).astype(">u4").tobytes() == DIGEST for each in results]
    wrong = [number for number, is_right in enumerate(right) if is_right and number]
    assert right[0]
    assert not wrong, [_difference(text, copies[number]) for number in wrong]


def _difference(text: str, mutant: str) -> str:
    pairs = zip(text.splitlines(), mutant.splitlines(), strict=True)
    return next(f"{one.strip()} | {other.strip()}" for one, other in pairs if one != other)
