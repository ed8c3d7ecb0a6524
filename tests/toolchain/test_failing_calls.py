"""Calls of functions that err: what each of them did wrong is told, and of which call."""

from __future__ import annotations

import time

import numpy as np
import pytest
from toolchain.functions_by_hand import BREAKERS, TEXTS, breaker

from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call, CallFailed


def failure(caller: Caller, *calls: Call, seconds: float = 60.0) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        caller.call(calls, seconds)
    return caught.value


def test_each_broken_convention_is_named(executable: Caller) -> None:
    names = list(BREAKERS[executable.machine.name])
    calls = [Call("clobber"), *(Call(breaker(name), [1, 2.0]) for name in names)]
    error = failure(executable, *calls, *calls)
    twice = [*names, "nothing", *names]
    wanted = [(n, f"it didn't preserve {name}") for n, name in enumerate(twice, 1)]
    assert list(error.problems) == [each for each in wanted if "nothing" not in each[1]]
    assert len(error.results) == 1


def test_the_stack_of_the_caller_begins_behind_the_arguments(executable: Caller) -> None:
    """Words with arguments are the function's own; there are two of them, and then three."""
    registers = executable.machine.integer_registers
    for words in (2, 3):
        calls = [Call("poke_stack", [8 * n, *range(registers + words - 1)]) for n in range(5)]
        error = failure(executable, *calls)
        said = "it didn't preserve the stack of its caller"
        assert error.problems == tuple((n, said) for n in range(words, min(words + 2, 5)))


@pytest.mark.parametrize(
    ("offset", "said"),
    [
        (24, "it wrote 1 bytes outside of argument 0, the first +0 from its end"),
        (24 + 40, "it wrote 1 bytes outside of argument 0, the first +40 from its end"),
        (-1, "it wrote 1 bytes outside of argument 0, the first -1 from its start"),
        (-64 - 8, "what it was called with was overwritten"),
    ],
)
def test_a_write_outside_of_a_buffer_is_told(caller: Caller, offset: int, said: str) -> None:
    good = Call("poke", [Buffer(np.zeros(3)), 23])
    bad = Call("poke", [Buffer(np.zeros(3)), offset])
    if offset > -64:
        error = failure(caller, good, bad, good)
        assert error.problems == ((1, said),)
        assert str(error) == f"call 1 (poke): {said}"
        assert len(error.results) == 1
    else:
        assert failure(caller, bad).problems == ((0, said),)


def test_a_write_is_told_of_the_nearest_buffer(caller: Caller) -> None:
    pair = [Buffer(np.zeros(3)), 80, Buffer(np.zeros(3))]
    assert "argument 2, the first -48 from its start" in str(failure(caller, Call("poke", pair)))


def test_a_fence_stops_what_reads_too_far(executable: Caller) -> None:
    words = np.arange(3, dtype=np.int64)
    fine = [
        Call("peek", [Buffer(words, fence="behind"), 16], "i64"),
        Call("peek", [Buffer(words), 17], "i64"),
        Call("peek", [Buffer(words[:0], fence="behind"), -8], "i64"),
    ]
    last, _, before = executable.call(fine)
    assert last.value == 2 and before.value == -0x0404_0404_0404_0405
    error = failure(executable, *fine, Call("peek", [Buffer(words, fence="behind"), 17], "i64"))
    assert error.problems == ((3, "it ended the process with SIGSEGV"),)
    assert [result.value for result in error.results[:1]] == [2]


def test_a_fence_stops_what_reads_before(executable: Caller) -> None:
    words = np.arange(3, dtype=np.int64)
    fine = Call("peek", [Buffer(words + 7, fence="before"), 0], "i64")
    assert [result.value for result in executable.call([fine, fine])] == [7, 7]
    error = failure(executable, fine, Call("peek", [Buffer(words, fence="before"), -1], "i64"))
    assert error.problems == ((1, "it ended the process with SIGSEGV"),)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("undefined_instruction", "SIGILL"),
        ("read_null", "SIGSEGV"),
        ("leave", "exit status 7"),
    ],
)
def test_a_function_that_ends_the_process(executable: Caller, name: str, said: str) -> None:
    before = Call("recurse", [4], "i64")
    error = failure(executable, before, Call(name), before)
    assert error.problems == ((1, f"it ended the process with {said}"),)
    assert [result.value for result in error.results] == [10]
    assert executable.call([before])[0].value == 10


@pytest.mark.parametrize("machine", TEXTS)
def test_a_function_that_never_returns(machine: str) -> None:
    start = time.monotonic()
    with Caller(TEXTS[machine], machine) as caller:
        error = failure(caller, Call("recurse", [4], "i64"), Call("spin"), seconds=1.0)
    assert error.problems == ((1, "it didn't return within 1 s"),)
    assert len(error.results) == 1
    assert time.monotonic() - start < 20


def test_a_crash_in_another_process_is_told_as_well() -> None:
    with Caller(TEXTS["x86-64"], "x86-64", "library") as caller:
        fenced = Call("peek", [Buffer(np.zeros(1, np.int64), fence="behind"), 1], "i64")
        for call, said in ((Call("read_null"), "SIGSEGV"), (fenced, "SIGSEGV")):
            error = failure(caller, Call("recurse", [4], "i64"), call)
            assert error.problems == ((1, f"it ended the process with {said}"),)
        error = failure(caller, Call("spin"), seconds=2.0)
        assert error.problems == ((0, "it didn't return within 2 s"),)
