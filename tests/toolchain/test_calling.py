"""Calls of functions written by hand: values, conventions, and calls that can't be made."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from toolchain.functions_by_hand import TEXTS

from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call, CallFailed, Kind
from alpha.backends.toolchain.failures import TextRejected
from alpha.ir.refusals import Refusal

NANS_64 = (0x7FF0_0000_0000_0001, 0xFFF8_0000_0000_0000, 0x7FFF_FFFF_FFFF_FFFF)
NANS_32 = (0x7F80_0001, 0xFFC0_0000, 0x7FFF_FFFF)


def test_sums_at_every_offset_and_size(caller: Caller) -> None:
    words = np.array([0.1, -2.5, 1e300, -1e300, 5e-324, 3.0, -0.0, 7.25, 1 / 3])
    cases = [(offset, size) for offset in range(0, 64, 8) for size in range(len(words) + 1)]
    calls = [Call("sum", [Buffer(words[:n], offset), n], "f64") for offset, n in cases]
    for (_, size), result in zip(cases, caller.call(calls), strict=True):
        wanted = np.float64(-0.0)
        for word in words[:size]:
            wanted += word
        assert result.bits == int(wanted.view(np.uint64))
        assert result.buffers[0].tobytes() == words[:size].tobytes()


def test_buffers_come_back_changed_and_are_copies(caller: Caller) -> None:
    words = np.arange(6, dtype=np.float32).reshape(2, 3)
    call = Call("scale", [Buffer(words, 4), 5, np.float32(1.5)])
    (result,) = caller.call([call])
    assert result.value is None and result.bits is None
    assert result.buffers[0].dtype == np.float32
    assert result.buffers[0].tolist() == [[0, 1.5, 3], [4.5, 6, 5]]
    assert words.tolist() == [[0, 1, 2], [3, 4, 5]]
    result.buffers[0][:] = 0


def test_one_buffer_passed_twice_is_one_address(caller: Caller) -> None:
    one, other = Buffer(np.zeros(40, np.int64), 16), Buffer(np.zeros(1, np.int64))
    (result,) = caller.call([Call("arguments", [one, one, other, *[0] * 40])])
    first, again, _ = result.buffers
    assert first.tolist() == again.tolist()
    assert first[0] == first[1] != first[2]
    assert first[0] % 64 == 16 and first[2] % 64 == 0


def test_thirty_two_arguments_lie_where_the_conventions_say(caller: Caller) -> None:
    """The lists are the ABIs', read by hand: registers first, then the stack in order."""
    integers = [1000 + n for n in range(15)]
    floats = [0.5 + n for n in range(16)]
    mixed = [x for pair in zip(floats, [*integers, 0], strict=True) for x in pair][:-1]
    (result,) = caller.call([Call("arguments", [Buffer(np.zeros(40, np.uint64)), *mixed])])
    words = result.buffers[0]
    general = 6 if caller.machine.name == "x86-64" else 8
    assert words[1:general].tolist() == integers[: general - 1]
    assert words[general : general + 8].view(np.float64).tolist() == floats[:8]
    stack = words[general + 8 :]
    if general == 6:
        wanted = [1005, 1006, 1007, 8.5, 1008, 9.5, 1009, 10.5, 1010, 11.5, 1011]
    else:
        wanted = [1007, 8.5, 1008, 9.5, 1009, 10.5, 1010, 11.5, 1011]
    wanted += [12.5, 1012, 13.5, 1013, 14.5, 1014, 15.5]
    for word, value in zip(stack, wanted, strict=False):
        bits = np.float64(value).view(np.uint64) if isinstance(value, float) else value
        assert word == bits


def test_integers_pass_and_return(caller: Caller) -> None:
    cases: list[tuple[int | np.generic, Kind, int]] = [
        (-1, "i64", -1),
        ((1 << 64) - 1, "i64", -1),
        (1 << 63, "pointer", 1 << 63),
        (np.int32(-7), "i32", -7),
        (np.int16(-7), "i16", -7),
        (np.int8(-7), "i8", -7),
        (np.uint64(1 << 63), "i64", -(1 << 63)),
        (True, "i1", 1),
        (0xFFFF_FFFE, "i1", 0),
        (0x1_8000_0000, "i32", -(1 << 31)),
    ]
    calls = [Call("first_integer", [argument], kind) for argument, kind, _ in cases]
    results = caller.call(calls)
    assert [result.value for result in results] == [value for _, _, value in cases]


def test_floats_keep_their_bits_also_of_nans(caller: Caller) -> None:
    doubles = np.array([*NANS_64, 1, 1 << 63], np.uint64).view(np.float64)
    singles = np.array([*NANS_32, 1, 1 << 31], np.uint32).view(np.float32)
    calls = [Call("first_float", [word], "f64") for word in doubles]
    calls += [Call("first_float", [word], "f32") for word in singles]
    bits = [result.bits for result in caller.call(calls)]
    assert bits == [*NANS_64, 1, 1 << 63, *NANS_32, 1, 1 << 31]
    values = [result.value for result in caller.call(calls)]
    assert [type(value).__name__ for value in values] == ["float64"] * 5 + ["float32"] * 5


def test_many_calls_of_one_batch(caller: Caller) -> None:
    results = caller.call([Call("recurse", [n % 50], "i64") for n in range(2000)])
    assert [result.value for result in results] == [n % 50 * (n % 50 + 1) // 2 for n in range(2000)]
    assert caller.call([]) == []


def test_what_means_nothing_is_not_zero(executable: Caller) -> None:
    width = executable.machine.extended_bits
    results = executable.call(
        [
            Call("first_integer", [], "i64"),
            Call("first_integer", [np.int8(-1)], "i64"),
            Call("first_integer", [np.bool_(True)], "i64"),
            Call("first_float", [np.float32(1.0)], "f64"),
            Call("upper_half", [1.0], "f64"),
        ]
    )
    unset, narrow, truth, single, upper = (result.bits for result in results)
    assert unset and single and upper and narrow and truth
    assert narrow & (1 << width) - 1 == (1 << width) - 1 and narrow >> width
    assert truth & (1 << width) - 1 == 1 and truth >> width
    assert narrow >> width != (1 << 64 - width) - 1
    assert single & 0xFFFF_FFFF == 0x3F80_0000 and single >> 32


def test_the_stack_pointer_takes_every_place_that_it_may(executable: Caller) -> None:
    odd = [Call("stack_pointer", range(n), "i64") for n in (0, 7, 8, 9, 10, 11)]
    results = executable.call([call for call in odd for _ in range(4)])
    for first in range(0, len(results), 4):
        places = {int(result.value or 0) % 64 for result in results[first : first + 4]}
        assert places == {0, 16, 32, 48}


def test_calls_that_cannot_be_made(caller: Caller) -> None:
    for call, error in (
        (Call("absent"), KeyError),
        (Call("sum", [1 << 64]), OverflowError),
        (Call("sum", [np.complex128(1)]), TypeError),
        (Call("sum", [np.uint8(1)]), TypeError),
    ):
        with pytest.raises(error):
            caller.call([call])
    with pytest.raises(ValueError, match="below 64"):
        Buffer(np.zeros(1), 64)
    with pytest.raises(ValueError, match="no offset"):
        Buffer(np.zeros(1), 8, fence="behind")


def test_functions_in_this_process() -> None:
    with Caller(TEXTS["x86-64"], "x86-64", "this process") as caller:
        recurse = caller.library().function("recurse", ["i64"], "i64")
        assert recurse(10) == 55
        total = caller.library().function("sum", ["pointer", "i64"], "f64")
        words = np.array([1.5, 2.25])
        assert total(words.ctypes.data, 2).value == 3.75
        with pytest.raises(KeyError, match="absent"):
            caller.library().function("absent", [], None)
        with pytest.raises(ValueError, match="fence"):
            caller.call([Call("sum", [Buffer(words, fence="behind"), 2], "f64")])


def test_another_machine_is_not_called_in_a_process_of_this_one() -> None:
    for by in ("library", "this process"):
        with pytest.raises(Refusal, match="this host to be of the target") as caught:
            Caller(TEXTS["aarch64"], "aarch64", by)
        assert caught.value.code == "target-unsupported"


def test_names_of_registers_are_names_too() -> None:
    """In the order of first mention; a comment behind a name, and one name twice."""
    text = ".globl rax, xmm0 # two\n.global rax\nrax: mov $5, %eax\nret\nxmm0: mov $6, %eax\nret\n"
    with Caller(text, "x86-64") as caller:
        results = caller.call([Call("xmm0", returns="i64"), Call("rax", returns="i64")])
    assert [result.value for result in results] == [6, 5]


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Caller(TEXTS["aarch64"], "aarch64") as caller:
        with pytest.raises(CallFailed):
            caller.call([Call("read_null")])
        assert len(list(tmp_path.iterdir())) == 1
    assert not list(tmp_path.iterdir())
    with pytest.raises(Exception, match="rejects"):
        Caller(".globl absent\n", "aarch64")
    assert [path.name.rpartition("-")[0] for path in tmp_path.iterdir()] == ["alpha-rejected"]


def test_the_example_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    """It runs, and says what the page says that it does."""
    page = (Path(__file__).parents[2] / "docs" / "toolchain.md").read_text(encoding="utf-8")
    program, said = re.findall(r"^```(?:python|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(program, "toolchain.md", "exec"), {})
    assert capsys.readouterr().out == said


@pytest.mark.parametrize("machine", ["x86-64", "aarch64"])
def test_texts_call_one_another(machine: str) -> None:
    jump = "jmp" if machine == "x86-64" else "b"
    texts = [f".text\n.globl {one}\n{one}: {jump} {other}\n" for one, other in ("ab", "bc")]
    with pytest.raises(TextRejected):
        Caller(texts, machine)
    with Caller([*texts, TEXTS[machine].replace("recurse", "c")], machine) as caller:
        results = caller.call([Call(name, [4], "i64") for name in ("a", "b", "c")])
    assert [result.value for result in results] == [10, 10, 10]
