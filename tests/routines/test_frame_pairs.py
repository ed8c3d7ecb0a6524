"""Two frames at once: what comes in whatever order, and which of two faults is told."""

from __future__ import annotations

import re
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest
from routines.executables import built, command_of
from routines.library import MACHINES
from routines.test_frames import ANSWER, CONTRACT, IDENTITY, MODULES, ROLE, ROUNDS, SECONDS_MAX

from alpha.ir.frames import HEADER_BYTES, Header, check_digest, check_header, encode
from alpha.ir.refusals import Refusal

PEERS = (70_000, 70_001)
Send = Callable[[Sequence[socket.socket], Sequence[bytes]], None]

MAIN = """
func.func private @alpha_listen(!ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_accept(!ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_sooner(i64, i64) -> i64
func.func private @alpha_write(i64, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_set_run(i64, !ptr_xdsl.ptr, i64, i64)
func.func private @alpha_send_pair(i64, i64, memref<8xi64>, i64, i64, !ptr_xdsl.ptr, i64,
    memref<8xi64>, i64, i64, !ptr_xdsl.ptr, i64)
func.func private @alpha_receive_pair(i64, i64, memref<8xi64>, i64, i64, !ptr_xdsl.ptr, i64,
    memref<8xi64>, i64, i64, !ptr_xdsl.ptr, i64)
func.func private @alpha_finish(memref<?x8xi64>, i64)
func.func private @alpha_end(i64)
"memref.global"() <{sym_name = "edges", type = memref<2x8xi64>, sym_visibility = "private",
  initial_value = dense<[[-1, 70000, 0, 0, -1, 0, 0, 0], [-1, 70001, 0, 0, -1, 0, 0, 0]]>
  : tensor<2x8xi64>}> : () -> ()
"memref.global"() <{sym_name = "words", type = memref<2xWORDSxi64>, sym_visibility = "private",
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
  %four = arith.constant 4 : i64
  %record = arith.constant 64 : i64
  %home = arith.constant 0x7f000001 : i64
  %session_ns = arith.constant 30000000000 : i64
  %never = arith.constant 9223372036854775807 : i64
  %wait = arith.constant 20000000000 : i64
  %role = arith.constant ROLE : i64
  %edges = memref.get_global @edges : memref<2x8xi64>
  %first = ptr_xdsl.to_ptr %edges : memref<2x8xi64> -> !ptr_xdsl.ptr
  %second = ptr_xdsl.ptradd %first, %record : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %a = ptr_xdsl.from_ptr %first : !ptr_xdsl.ptr -> memref<8xi64>
  %b = ptr_xdsl.from_ptr %second : !ptr_xdsl.ptr -> memref<8xi64>
  %session = func.call @alpha_sooner(%session_ns, %never) : (i64, i64) -> i64
  %port_a = func.call @alpha_listen(%first, %home, %none) : (!ptr_xdsl.ptr, i64, i64) -> i64
  %port_b = func.call @alpha_listen(%second, %home, %none) : (!ptr_xdsl.ptr, i64, i64) -> i64
  %sixteen = arith.constant 16 : i64
  %above = arith.shli %port_b, %sixteen : i64
  %ports = arith.ori %above, %port_a : i64
  %said = memref.alloca() : memref<1xi64>
  memref.store %ports, %said[%c0] : memref<1xi64>
  %said_at = ptr_xdsl.to_ptr %said : memref<1xi64> -> !ptr_xdsl.ptr
  %w = func.call @alpha_write(%one, %said_at, %four, %session)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  %x = func.call @alpha_accept(%first, %none, %session) : (!ptr_xdsl.ptr, i64, i64) -> i64
  %y = func.call @alpha_accept(%second, %none, %session) : (!ptr_xdsl.ptr, i64, i64) -> i64
  %identity = memref.get_global @identity : memref<32xi8>
  %identity_at = ptr_xdsl.to_ptr %identity : memref<32xi8> -> !ptr_xdsl.ptr
  func.call @alpha_set_run(%role, %identity_at, %session, %wait)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> ()
  %words = memref.get_global @words : memref<2xWORDSxi64>
  %words_a = ptr_xdsl.to_ptr %words : memref<2xWORDSxi64> -> !ptr_xdsl.ptr
  %distance = arith.constant DISTANCE : i64
  %words_b = ptr_xdsl.ptradd %words_a, %distance : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %extent_a = arith.constant FIRST : i64
  %extent_b = arith.constant SECOND : i64
  %site = arith.constant 4 : i64
  %back = arith.constant 5 : i64
  %version = arith.constant 9 : i64
  %count = arith.constant 5 : i64
  scf.for %i = %c0 to %rounds step %c1 {
    func.call @alpha_receive_pair(%site, %version, %a, %one, %count, %words_a, %extent_a,
        %b, %two, %count, %words_b, %extent_b)
      : (i64, i64, memref<8xi64>, i64, i64, !ptr_xdsl.ptr, i64, memref<8xi64>, i64, i64,
         !ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_send_pair(%back, %version, %a, %none, %none, %words_a, %extent_a,
        %b, %none, %one, %words_b, %extent_b)
      : (i64, i64, memref<8xi64>, i64, i64, !ptr_xdsl.ptr, i64, memref<8xi64>, i64, i64,
         !ptr_xdsl.ptr, i64) -> ()
  }
  %all = ptr_xdsl.from_ptr %first : !ptr_xdsl.ptr -> memref<?x8xi64>
  func.call @alpha_finish(%all, %two) : (memref<?x8xi64>, i64) -> ()
  %done = linux.syscall "exit_group"(%none) : (i64) -> i64
  func.return
}
"""


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where executables are, until the tests end."""
    return TemporaryDirectory(prefix="alpha-pairs-")


@cache
def executable(machine: str, extents: tuple[int, int]) -> tuple[str, ...]:
    """The command of a participant that gives back what its two peers send."""
    words = max(extents) // 8 + 1
    main = MAIN.replace("ROUNDS", str(ROUNDS)).replace("ROLE", str(ROLE))
    main = main.replace("WORDS", str(words)).replace("DISTANCE", str(8 * words))
    main = main.replace("FIRST", str(extents[0])).replace("SECOND", str(extents[1]))
    main = main.replace("IDENTITY", ", ".join(str((n ^ 128) - 128) for n in IDENTITY))
    folder = Path(mkdtemp(dir=_folder().name))
    return command_of(machine, built(machine, main, folder, "frames", *MODULES))


class Talk:
    """Connections with a participant that runs, in the order of its peers."""

    def __init__(self, process: subprocess.Popen[bytes], streams: Sequence[socket.socket]) -> None:
        self.process, self.streams = process, streams

    def read(self, peer: int, size: int) -> bytes:
        data = b""
        while len(data) < size and (more := self.streams[peer].recv(size - len(data))):
            data += more
        return data

    def ended(self) -> tuple[int, str]:
        """Its status and its last line."""
        _, line = self.process.communicate(timeout=SECONDS_MAX)
        return self.process.returncode, line.decode()


@contextmanager
def talking(machine: str, extents: tuple[int, int] = (24, 24)) -> Iterator[Talk]:
    """A participant that has accepted both peers."""
    command = executable(machine, extents)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdout is not None
        ports = struct.unpack("<2H", process.stdout.read(4))
        with ExitStack() as stack:
            streams = [
                stack.enter_context(socket.create_connection(("127.0.0.1", port), SECONDS_MAX))
                for port in ports
            ]
            for stream in streams:
                stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            yield Talk(process, streams)
    finally:
        process.kill()
        process.communicate()


def expected(peer: int, sequence: int, extent: int) -> Header:
    """What the participant expects of the first or the second peer."""
    of = {**CONTRACT, "part": peer + 1}
    return Header(PEERS[peer], ROLE, sequence=sequence, extent=extent, **of)


def frame_of(peer: int, sequence: int, extent: int) -> bytes:
    payload = bytes((n * 7 + sequence + peer) % 256 for n in range(extent))
    return encode(expected(peer, sequence, extent), IDENTITY, payload)


def in_order(streams: Sequence[socket.socket], frames: Sequence[bytes]) -> None:
    for stream, frame in zip(streams, frames, strict=True):
        stream.sendall(frame)


def in_turn(streams: Sequence[socket.socket], frames: Sequence[bytes]) -> None:
    """The second one first, and the first one much later."""
    streams[1].sendall(frames[1])
    time.sleep(0.02)
    streams[0].sendall(frames[0])


def in_parts(streams: Sequence[socket.socket], frames: Sequence[bytes]) -> None:
    """Of the second frame a part is there when the first one is."""
    streams[1].sendall(frames[1][:100])
    time.sleep(0.01)
    streams[0].sendall(frames[0])
    time.sleep(0.01)
    streams[1].sendall(frames[1][100:])


def one_after_the_other(streams: Sequence[socket.socket], frames: Sequence[bytes]) -> None:
    streams[0].sendall(frames[0])
    time.sleep(0.02)
    streams[1].sendall(frames[1])


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("send", [in_order, in_turn, in_parts, one_after_the_other])
@pytest.mark.parametrize("extents", [(0, 0), (24, 24), (8, 4096), (65_536, 24)])
def test_frames_go_both_ways(machine: str, extents: tuple[int, int], send: Send) -> None:
    with talking(machine, extents) as talk:
        for sequence in range(ROUNDS):
            frames = [frame_of(peer, sequence, extents[peer]) for peer in (0, 1)]
            send(talk.streams, frames)
            for peer, frame in enumerate(frames):
                of = {**ANSWER, "count": peer}
                answer = Header(ROLE, PEERS[peer], sequence=sequence, extent=extents[peer], **of)
                wanted = encode(answer, IDENTITY, frame[HEADER_BYTES:-32])
                assert talk.read(peer, len(wanted)) == wanted
        for stream in talk.streams:
            stream.shutdown(socket.SHUT_WR)
        assert talk.ended() == (0, "")


def refused(peer: int, frame: bytes) -> tuple[int, str]:
    """How a participant ends that is sent a frame which isn't the expected one."""
    wanted = expected(peer, 0, 24)
    with pytest.raises(Refusal) as caught:
        check_header(frame[:HEADER_BYTES], wanted, IDENTITY)
        check_digest(frame[:HEADER_BYTES], frame[HEADER_BYTES:-32], frame[-32:], wanted)
    return 3, f"alpha: role {ROLE}: refused {caught.value.code}: {caught.value.message}\n"


def lost(peer: int, why: str) -> tuple[int, str]:
    return 4, f"alpha: role {ROLE}: lost role {PEERS[peer]}: {why}\n"


def spoilt(peer: int, place: int) -> bytes:
    frame = bytearray(frame_of(peer, 0, 24))
    frame[place] ^= 1
    return bytes(frame)


def reset(stream: socket.socket) -> None:
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()


def fault(talk: Talk, peer: int, kind: str) -> tuple[int, str] | None:
    """Let a peer do something, and how the participant ends for it; None for what is right."""
    stream, frame = talk.streams[peer], frame_of(peer, 0, 24)
    if kind in ("head", "digest"):
        frame = spoilt(peer, 60 if kind == "head" else -1)
        stream.sendall(frame)
        return refused(peer, frame)
    if kind in ("nothing", "part"):
        stream.sendall(b"" if kind == "nothing" else frame[:100])
        stream.shutdown(socket.SHUT_WR)
        found = f"[frame-extent] expected 144 bytes of {expected(peer, 0, 24)}, found the end after"
        early = f"it ended its stream before {expected(peer, 0, 24)}"
        return lost(peer, early if kind == "nothing" else f"{found} 100")
    if kind == "reset":
        reset(stream)
        return lost(peer, "ECONNRESET, .*")
    stream.sendall(frame)
    return None


FAULTS = ("head", "digest", "nothing", "part", "reset")


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("first", ["right", *FAULTS])
@pytest.mark.parametrize("second", FAULTS)
@pytest.mark.parametrize("early", [False, True])
def test_which_fault_is_told(machine: str, first: str, second: str, early: bool) -> None:
    """That of the first frame, also where the second one's was there before."""
    with talking(machine) as talk:
        order = (1, 0) if early else (0, 1)
        found: dict[int, tuple[int, str] | None] = {}
        for number, peer in enumerate(order):
            time.sleep(0.02 * number)
            # Who has ended for the first frame takes no other one.
            over = number and not early and first != "right"
            found[peer] = None if over else fault(talk, peer, (first, second)[peer])
        status, line = talk.ended()
        wanted = found[0] or found[1]
        assert wanted is not None
        assert status == wanted[0]
        if line != wanted[1]:
            assert "ECONNRESET" in wanted[1] and re.fullmatch(wanted[1], line), (line, wanted)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_wrong_header_is_refused_before_the_rest_of_its_frame(machine: str) -> None:
    """Nothing of the body is needed, of the second frame either."""
    frame = spoilt(1, 60)
    with talking(machine) as talk:
        talk.streams[1].sendall(frame[:HEADER_BYTES])
        time.sleep(0.01)
        talk.streams[0].sendall(frame_of(0, 0, 24))
        assert talk.ended() == refused(1, frame)
