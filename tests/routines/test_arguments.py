"""What a participant is given at its start: a stack, arguments, an environment."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest
from routines.library import MACHINES
from routines.starting import (
    ROLE,
    SEEN,
    Seen,
    features_of_host,
    lacking,
    line,
    now,
    on_stack,
    participant,
    started,
)

from alpha.backends.toolchain.machines import host_machine
from alpha.interpreters.participants.listening import Listener
from alpha.ir.linux.constants import value_of

both = pytest.mark.parametrize("machine", MACHINES)

SECOND = 10**9
YEAR = 366 * 24 * 3600


@both
@pytest.mark.parametrize("offset", [0, 8, 16, 48, 56])
def test_any_stack_will_do(machine: str, offset: int, tmp_path: Path) -> None:
    """No argument at all, no environment, and nothing that says where the executable is."""
    kind = value_of("AT_HWCAP", "aarch64")
    entry = on_stack(machine, [0, 0, 0, kind, 3, 0, 0], offset)
    body = "%stack = func.call @own_stack() : () -> i64\nfunc.call @give_word(%stack) : (i64) -> ()"
    beside = "func.func private @own_stack() -> i64\n"
    # What a function finds: on x86-64 the address of its caller lies above it.
    read = {"x86-64": "lea rax, [rsp + 8]", "aarch64": "mov x0, sp"}[machine]
    own = f".text\n.globl own_stack\nown_stack: {read}\n  ret\n"
    file = participant(machine, body, tmp_path / "one", beside=beside, entry=entry + own)
    status, out, err = started(machine, file)
    assert (status, err) == (0, b"")
    assert struct.unpack("<Q", out)[0] % 16 == 0


@both
def test_many_arguments_and_variables(machine: str, seeing: dict[str, Path]) -> None:
    environment = {f"VARIABLE_{n}": "x" * (n % 100) for n in range(3000)} | {"ALPHA_SHA": "scalar"}
    status, out, err = started(
        machine, seeing[machine], "--wait", "0" * 100_000 + "5", environment=environment
    )
    assert (status, err) == (0, b"")
    assert (Seen.of(out).wait, Seen.of(out).fast) == (5 * SECOND, 0)


def test_an_executable_without_a_name(seeing: dict[str, Path]) -> None:
    host = host_machine()
    assert host is not None
    ended = subprocess.run(
        [""], executable=seeing[host.name], capture_output=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


@both
def test_every_argument(machine: str, seeing: dict[str, Path]) -> None:
    before = now()
    arguments = ("--deadline", "90.5", "--socket-buffer", "4096", "--wait", "2", "--data", "x")
    status, out, err = started(machine, seeing[machine], *arguments)
    assert (status, err) == (0, b"")
    seen = Seen.of(out)
    assert (seen.wait, seen.length, seen.buffer) == (2 * SECOND, 90_500_000_000, 4096)
    assert before + seen.length <= seen.session <= now() + seen.length


SECONDS = {
    "1": SECOND,
    "0001": SECOND,
    "60.0": 60 * SECOND,
    "0.5": SECOND // 2,
    "0.000000001": 1,
    "0.0000000001": 1,
    "0.0000000010000": 1,
    "0.00000000100001": 2,
    "1.999999999": 1_999_999_999,
    "1.9999999991": 2 * SECOND,
    "0.123456789": 123_456_789,
    "31622400": YEAR * SECOND,
    "31622400.000000000000": YEAR * SECOND,
    "31622399.999999999": YEAR * SECOND - 1,
}


@both
def test_seconds(machine: str, seeing: dict[str, Path]) -> None:
    for text, nanoseconds in SECONDS.items():
        for name in ("--wait", "--deadline")[: 2 - MACHINES.index(machine)]:
            status, out, err = started(machine, seeing[machine], name, text)
            assert (status, err) == (0, b""), text
            seen = Seen.of(out)
            assert (seen.wait if name == "--wait" else seen.length) == nanoseconds, text


NO_SECONDS = (
    *("", "0", "0.0", "0.000", "-1", "+1", " 1", "1 ", "1s", "nan", "inf", "1e3", "0x10", "1_000"),
    *(".5", "5.", ".", "1..2", "1.2.3", "1,5", "--wait", "31622401", "31622400.0000000001"),
    *("31622400.000000001", "9" * 19, "9" * 40, "18446744073", "18446744074", "\u0663"),
    *("184467440737095517", "99999999999999999999.5", "1\n", "1.5\t"),
)
"""Texts that no bound is read from; 18446744074 seconds have 2^64 nanoseconds and a few."""

NO_BYTES = (
    *("", "0", "-1", "1.5", "2147483648", "4294967297", "18446744073709551617", "1k", "9" * 60),
)
BYTES = {"1": 1, "007": 7, "4096": 4096, "2147483647": 2147483647}


def quoted(text: str) -> str:
    """A text as a usage line repeats it."""
    held = text.encode()
    shown = b"".join(
        b"\\x%02x" % byte if byte < 32 or byte in (92, 127) else bytes([byte]) for byte in held[:60]
    )
    more = f" and {len(held) - 60} bytes more" if len(held) > 60 else ""
    return f"'{shown.decode('utf-8', 'surrogateescape')}{more}'"


def test_what_is_no_bound_is_said(seeing: dict[str, Path]) -> None:
    machine = MACHINES[0]
    for name in ("--wait", "--deadline"):
        for text in NO_SECONDS:
            expected = f"expected seconds behind {name}, more than 0 and at most {YEAR}"
            said = line(f"usage: {expected}, found {quoted(text)}")
            assert started(machine, seeing[machine], name, text) == (2, b"", said)
    for text in NO_BYTES:
        expected = "expected bytes behind --socket-buffer, from 1 to 2147483647"
        said = line(f"usage: {expected}, found {quoted(text)}")
        assert started(machine, seeing[machine], "--socket-buffer", text) == (2, b"", said)
    for text, number in BYTES.items():
        _, out, _ = started(machine, seeing[machine], "--socket-buffer", text)
        assert Seen.of(out).buffer == number


UNKNOWN = (
    *("", "x", "-", "--", "--wai", "--waits", "--wait=5", "--WAIT", "wait", "-w", "--help", "-h"),
    *("--data\n", "\x1b[31m", "back\\slash", "\x7f", "ü" * 40, "y" * 60, "y" * 61, "z" * 100_000),
)
NAMES = ("--data", "--wait", "--deadline", "--socket-buffer", "--listen", "--peers", "--checkpoint")
VALUES = {"--listen": "1.2.3.4:5", "--peers": "1.2.3.4:5,6.7.8.9:10"}


@both
def test_what_is_no_argument_is_said(machine: str, seeing: dict[str, Path]) -> None:
    for text in UNKNOWN if machine == MACHINES[0] else UNKNOWN[-4:]:
        names = "--data, --wait, --deadline, --socket-buffer, --listen, --peers or --checkpoint"
        expected = f"expected {names}"
        said = f"alpha: role {ROLE}: usage: {expected}, found {quoted(text)}\n"
        held = said.encode("utf-8", "surrogateescape")
        for arguments in ((text,), ("--wait", "5", text, "more"), (text, "--wait")):
            assert started(machine, seeing[machine], *arguments) == (2, b"", held)
    for name in NAMES:
        said = line(f"usage: expected a value behind {name}, found none")
        assert started(machine, seeing[machine], name) == (2, b"", said)
        said = line(f"usage: expected {name} once, found it again")
        for last in ((), ("7",), ("",)):
            value = VALUES.get(name, "5")
            found = started(machine, seeing[machine], name, value, name, *last)
            assert found == (2, b"", said)
    for text in ("", "x" * 4032, "/" * 100_000):
        expected = "expected a folder behind --checkpoint, of 1 to 4031 bytes"
        said = line(f"usage: {expected}, found {quoted(text)}")
        assert started(machine, seeing[machine], "--checkpoint", text) == (2, b"", said)
    for text in ("x", "x" * 4031):
        assert started(machine, seeing[machine], "--checkpoint", text)[::2] == (0, b"")
    said = line("usage: expected a file behind --data, found ''")
    assert started(machine, seeing[machine], "--data", "") == (2, b"", said)


LISTENERS = ("0.0.0.0:1", "127.0.0.1:20000", "255.255.255.255:65535", "1.0.10.200:9")
NO_LISTENERS = (
    *("", "1.2.3.4", "1.2.3.4:", "1.2.3:4", "1.2.3.4.5:6", "1.2.3.4:0", "1.2.3.4:65536", ":5"),
    *("1.2.3.256:4", "1.2.3.04:5", "00.2.3.4:5", "1.2.3.4:05", "1.2.3.4:5 ", " 1.2.3.4:5", "a:5"),
    *("1.2.3.4:5x", "1..3.4:5", "1.2.3.-4:5", "1.2.3.4:+5", "1:2:3:4:5", "1.2.3.4.5", "vm:20000"),
    *("18446744073709551617.2.3.4:5", "1.2.3.4:18446744073709551617", "\u0661.2.3.4:5"),
)


def test_what_is_no_listener_is_said(seeing: dict[str, Path]) -> None:
    machine = MACHINES[0]
    for text in NO_LISTENERS:
        with pytest.raises(ValueError, match="no address and port|Octet|octet|permitted"):
            Listener.parse(text)
        expected = "expected an IPv4 address and a port behind --listen, such as 127.0.0.1:20000"
        said = line(f"usage: {expected}, found {quoted(text)}")
        assert started(machine, seeing[machine], "--listen", text) == (2, b"", said)
        expected = "expected IPv4 addresses and ports behind --peers, such as "
        expected += "127.0.0.1:20000,127.0.0.1:20001"
        for given in (text, f"1.2.3.4:5,{text}", f"{text},1.2.3.4:5"):
            said = line(f"usage: {expected}, found {quoted(given)}")
            assert started(machine, seeing[machine], "--peers", given) == (2, b"", said)


@both
def test_listeners_are_read(machine: str, seeing: dict[str, Path]) -> None:
    for text in LISTENERS:
        assert str(Listener.parse(text)) == text
        for name in ("--listen", "--peers"):
            assert started(machine, seeing[machine], name, text)[::2] == (0, b"")
    many = ",".join(LISTENERS * 50)
    assert started(machine, seeing[machine], "--peers", many)[::2] == (0, b"")


@both
@pytest.mark.parametrize(("given", "fast"), [("fast", 1), ("scalar", 0), ("", 1)])
def test_how_digests_are_computed(
    machine: str, given: str, fast: int, tmp_path: Path, seeing: dict[str, Path]
) -> None:
    """The emulator's best processor of AArch64 has the instructions."""
    variables = {"ALPHA_SHAPE": "fast", "XALPHA_SHA": "scalar", "ALPHA_SHA": given}
    status, out, err = started(machine, seeing[machine], environment=variables)
    host = host_machine()
    assert host is not None
    if machine == host.name and not features_of_host() & {"sha", "sha2"}:
        fast = 0
        if given == "fast":
            assert (status, err) == (3, lacking("instructions for SHA-256"))
            return
    assert (status, err) == (0, b"")
    assert Seen.of(out).fast == fast


@both
def test_what_says_nothing_of_digests_is_said(machine: str, seeing: dict[str, Path]) -> None:
    for text in ("FAST", "fast ", "fas", "scalars", "1", "\n"):
        said = line(f"usage: expected fast or scalar in ALPHA_SHA, found {quoted(text)}")
        found = started(machine, seeing[machine], environment={"ALPHA_SHA": text})
        assert found == (2, b"", said)


def test_instructions_that_a_processor_lacks(tmp_path: Path) -> None:
    """Of several variables of the name, the first one counts."""
    kind = value_of("AT_HWCAP", "aarch64")
    for said, status in (("fast", 3), ("scalar", 0), ("", 0)):
        words = [1, "name", 0, "X=1", f"ALPHA_SHA={said}", "ALPHA_SHA=odd", 0, kind, 3, 0, 0]
        entry = on_stack("aarch64", words)
        file = participant("aarch64", SEEN, tmp_path / "one", entry=entry)
        found, out, err = started("aarch64", file)
        assert (found, err) == (status, lacking("instructions for SHA-256") if status else b"")
        assert not out or Seen.of(out).fast == 0
