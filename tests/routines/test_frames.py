"""Frames of a native participant: what the interpreter takes and gives, and what either refuses."""

from __future__ import annotations

import hashlib
import re
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest
from routines.executables import built, command_of
from routines.library import MACHINES

from alpha.ir.frames import FIELDS, HEADER_BYTES, Field, Header, check_digest, check_header, encode
from alpha.ir.refusals import Refusal

MODULES = (
    "line",
    "clock",
    "waiting",
    "streams",
    "edges",
    "digest",
    "sha256",
    "sha256_instructions",
)
ROLE, PEER = 3, 70_000
IDENTITY = hashlib.sha256(b"a run").digest()
ROUNDS = 3
SECONDS_MAX = 60

CONTRACT = {"site": 4, "part": 1, "version": 9, "count": 5}
ANSWER = {"site": 5, "part": 0, "version": 9, "count": 0}

MAIN = """
func.func private @alpha_listen(!ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_accept(!ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_sooner(i64, i64) -> i64
func.func private @alpha_write(i64, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_set_run(i64, !ptr_xdsl.ptr, i64, i64)
func.func private @alpha_send(memref<8xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64)
func.func private @alpha_receive(memref<8xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64)
func.func private @alpha_finish(memref<?x8xi64>, i64)
func.func private @alpha_end(i64)
"memref.global"() <{sym_name = "edge", type = memref<8xi64>, sym_visibility = "private",
  initial_value = dense<[-1, PEER, 0, 0, -1, 0, 0, 0]> : tensor<8xi64>}> : () -> ()
"memref.global"() <{sym_name = "words", type = memref<WORDSxi64>, sym_visibility = "private",
  initial_value}> : () -> ()
"memref.global"() <{sym_name = "identity", type = memref<32xi8>, sym_visibility = "private",
  initial_value = dense<[IDENTITY]> : tensor<32xi8>}> : () -> ()
func.func @test_main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant ROUNDS : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %home = arith.constant 0x7f000001 : i64
  %session_ns = arith.constant 30000000000 : i64
  %never = arith.constant 9223372036854775807 : i64
  %wait = arith.constant WAIT : i64
  %role = arith.constant ROLE : i64
  %edge = memref.get_global @edge : memref<8xi64>
  %edge_at = ptr_xdsl.to_ptr %edge : memref<8xi64> -> !ptr_xdsl.ptr
  %session = func.call @alpha_sooner(%session_ns, %never) : (i64, i64) -> i64
  %port = func.call @alpha_listen(%edge_at, %home, %none) : (!ptr_xdsl.ptr, i64, i64) -> i64
  %said = memref.alloca() : memref<1xi64>
  memref.store %port, %said[%c0] : memref<1xi64>
  %said_at = ptr_xdsl.to_ptr %said : memref<1xi64> -> !ptr_xdsl.ptr
  %w = func.call @alpha_write(%one, %said_at, %two, %session)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  %a = func.call @alpha_accept(%edge_at, %none, %session) : (!ptr_xdsl.ptr, i64, i64) -> i64
  %identity = memref.get_global @identity : memref<32xi8>
  %identity_at = ptr_xdsl.to_ptr %identity : memref<32xi8> -> !ptr_xdsl.ptr
  func.call @alpha_set_run(%role, %identity_at, %session, %wait)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> ()
  %words = memref.get_global @words : memref<WORDSxi64>
  %at = ptr_xdsl.to_ptr %words : memref<WORDSxi64> -> !ptr_xdsl.ptr
  %extent = arith.constant EXTENT : i64
  %site = arith.constant 4 : i64
  %back = arith.constant 5 : i64
  %version = arith.constant 9 : i64
  %count = arith.constant 5 : i64
  scf.for %i = %c0 to %rounds step %c1 {
    func.call @alpha_receive(%edge, %site, %one, %version, %count, %at, %extent)
      : (memref<8xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_send(%edge, %back, %none, %version, %none, %at, %extent)
      : (memref<8xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
  }
  %edges = ptr_xdsl.from_ptr %edge_at : !ptr_xdsl.ptr -> memref<?x8xi64>
  func.call @alpha_finish(%edges, %one) : (memref<?x8xi64>, i64) -> ()
  %done = linux.syscall "exit_group"(%none) : (i64) -> i64
  func.return
}
"""


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where executables are, until the tests end."""
    return TemporaryDirectory(prefix="alpha-frames-")


@cache
def executable(machine: str, extent: int, wait: float) -> tuple[str, ...]:
    """The command of a participant that gives back what it is sent, in frames of this extent."""
    main = MAIN.replace("ROUNDS", str(ROUNDS)).replace("EXTENT", str(extent))
    main = main.replace("WORDS", str(extent // 8 + 1)).replace("WAIT", str(int(wait * 1e9)))
    main = main.replace("ROLE", str(ROLE)).replace("PEER", str(PEER))
    main = main.replace("IDENTITY", ", ".join(str((n ^ 128) - 128) for n in IDENTITY))
    folder = Path(mkdtemp(dir=_folder().name))
    return command_of(machine, built(machine, main, folder, "frames", *MODULES))


class Talk:
    """A connection with a participant that runs."""

    def __init__(self, process: subprocess.Popen[bytes], stream: socket.socket) -> None:
        self.process = process
        self.stream = stream

    def read(self, size: int) -> bytes:
        """So many bytes, or those before the end."""
        data = b""
        while len(data) < size and (more := self.stream.recv(size - len(data))):
            data += more
        return data

    def ended(self) -> tuple[int, str]:
        """Its status and its last line."""
        _, line = self.process.communicate(timeout=SECONDS_MAX)
        return self.process.returncode, line.decode()


@contextmanager
def talking(machine: str, extent: int = 24, wait: float = 20.0) -> Iterator[Talk]:
    """A participant that has accepted this peer."""
    command = executable(machine, extent, wait)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdout is not None
        (port,) = struct.unpack("<H", process.stdout.read(2))
        with socket.create_connection(("127.0.0.1", port), SECONDS_MAX) as stream:
            yield Talk(process, stream)
    finally:
        process.kill()
        process.communicate()


def expected(sequence: int, extent: int) -> Header:
    """What the participant expects."""
    return Header(PEER, ROLE, sequence=sequence, extent=extent, **CONTRACT)


def message_of(refusal: Refusal) -> str:
    """The line of a participant that refuses."""
    return f"alpha: role {ROLE}: refused {refusal.code}: {refusal.message}\n"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("extent", [0, 8, 24, 65_536, 3_000_000])
def test_frames_go_both_ways(machine: str, extent: int) -> None:
    with talking(machine, extent) as talk:
        for sequence in range(ROUNDS):
            payload = bytes((n * 7 + sequence) % 256 for n in range(extent))
            talk.stream.sendall(encode(expected(sequence, extent), IDENTITY, payload))
            answer = Header(ROLE, PEER, sequence=sequence, extent=extent, **ANSWER)
            wanted = encode(answer, IDENTITY, payload)
            assert talk.read(len(wanted)) == wanted
        talk.stream.shutdown(socket.SHUT_WR)
        assert talk.read(1) == b""
        assert talk.ended() == (0, "")


@pytest.mark.parametrize("machine", MACHINES)
def test_single_bytes_and_two_frames_at_once(machine: str) -> None:
    with talking(machine) as talk:
        frames = [encode(expected(n, 24), IDENTITY, bytes(range(n, n + 24))) for n in range(ROUNDS)]
        for byte in frames[0]:
            talk.stream.sendall(bytes([byte]))
        talk.stream.sendall(frames[1] + frames[2])
        size = sum(map(len, frames))
        assert len(talk.read(size)) == size
        talk.stream.shutdown(socket.SHUT_WR)
        assert talk.read(1) == b""
        assert talk.ended() == (0, "")


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_another_header_is_refused_as_the_interpreter_does(machine: str, field: Field) -> None:
    frame = bytearray(encode(expected(0, 24), IDENTITY, bytes(24)))
    frame[field.end - 1] ^= 0x80
    with pytest.raises(Refusal) as refused:
        check_header(bytes(frame[:HEADER_BYTES]), expected(0, 24), IDENTITY)
    with talking(machine) as talk:
        # Nothing of the body is needed to refuse it.
        talk.stream.sendall(frame[:HEADER_BYTES])
        assert talk.ended() == (3, message_of(refused.value))


@pytest.mark.parametrize("machine", MACHINES)
def test_a_repeated_frame_is_refused(machine: str) -> None:
    frame = encode(expected(0, 24), IDENTITY, bytes(24))
    with pytest.raises(Refusal) as refused:
        check_header(frame[:HEADER_BYTES], expected(1, 24), IDENTITY)
    with talking(machine) as talk:
        talk.stream.sendall(frame + frame)
        assert talk.ended() == (3, message_of(refused.value))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("place", [HEADER_BYTES, HEADER_BYTES + 23, HEADER_BYTES + 24, -1])
def test_a_corrupt_frame_is_refused(machine: str, place: int) -> None:
    frame = bytearray(encode(expected(0, 24), IDENTITY, bytes(24)))
    frame[place] ^= 1
    head, payload, digest = frame[:HEADER_BYTES], frame[HEADER_BYTES:-32], frame[-32:]
    with pytest.raises(Refusal) as refused:
        check_digest(head, payload, digest, expected(0, 24))
    with talking(machine) as talk:
        talk.stream.sendall(frame)
        assert talk.ended() == (3, message_of(refused.value))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("length", [0, 1, 87, 88, 100, 112, 143])
def test_a_stream_that_ends_early_is_a_lost_peer(machine: str, length: int) -> None:
    frame = encode(expected(0, 24), IDENTITY, bytes(24))
    with talking(machine) as talk:
        talk.stream.sendall(frame[:length])
        talk.stream.shutdown(socket.SHUT_WR)
        which = f"{expected(0, 24)}"
        found = f"[frame-extent] expected 144 bytes of {which}, found the end after {length}"
        what = found if length else f"it ended its stream before {which}"
        assert talk.ended() == (4, f"alpha: role {ROLE}: lost role {PEER}: {what}\n")


@pytest.mark.parametrize("machine", MACHINES)
def test_a_byte_behind_the_last_frame_is_refused(machine: str) -> None:
    with talking(machine) as talk:
        for sequence in range(ROUNDS):
            talk.stream.sendall(encode(expected(sequence, 24), IDENTITY, bytes(24)))
        talk.stream.sendall(b"\x5a")
        status, line = talk.ended()
        assert status == 3
        wanted = f"the end of the stream from role {PEER} to role {ROLE}, found another byte, 0x5a"
        assert line == f"alpha: role {ROLE}: refused frame-extent: expected {wanted}\n"


@pytest.mark.parametrize("machine", MACHINES)
def test_a_peer_that_does_nothing_is_lost(machine: str) -> None:
    with talking(machine, wait=0.5) as talk:
        talk.stream.sendall(encode(expected(0, 24), IDENTITY, bytes(24))[:100])
        status, line = talk.ended()
        assert status == 4
        # Of the payload and the digest, behind the header.
        what = "12 of 56 bytes came in the 0.5 s of receiving a frame"
        assert line == f"alpha: role {ROLE}: lost role {PEER}: {what}\n"


@pytest.mark.parametrize("machine", MACHINES)
def test_a_reset_is_a_lost_peer(machine: str) -> None:
    with talking(machine) as talk:
        talk.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        talk.stream.close()
        status, line = talk.ended()
        assert status == 4
        assert line.startswith(f"alpha: role {ROLE}: lost role {PEER}: ECONNRESET, "), line


@pytest.mark.parametrize("machine", MACHINES)
def test_who_does_not_read_is_lost(machine: str) -> None:
    """Its own frame doesn't fit into the buffers, and nobody takes it."""
    extent = 30_000_000
    with talking(machine, extent, wait=2.0) as talk:
        talk.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        talk.stream.sendall(encode(expected(0, extent), IDENTITY, bytes(extent)))
        status, line = talk.ended()
        assert status == 4
        what = rf"it took \d+ of {extent + 120} bytes in the 2 s of sending a frame"
        assert re.fullmatch(f"alpha: role {ROLE}: lost role {PEER}: {what}\n", line), line
