"""What a native role reports: the interpreter's records, when they are written, and who reads."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import threading
import time

import numpy as np
import pytest
from routines import reporter as commands
from routines.library import MACHINES
from routines.reporter import ENDED, FAILED, ROLE, ROUND, WAIT, Reporter

from alpha.interpreters.participants.reports import (
    END,
    OBSERVATION,
    PROGRESS,
    STATE,
    STORED,
    Record,
    RecordReader,
    encode_record,
)

both = pytest.mark.parametrize("machine", MACHINES)

HELD_BYTES = 32768
LARGE = 2**64 - 3


def observation(version: int, index: int = 0, bits: int = 64) -> Record:
    """An observation whose word is of this version alone."""
    word = struct.pack("<d" if bits == 64 else "<f", version / 3)
    return Record(OBSERVATION, index, version, version % 99, word)


def rounds(first: int, last: int) -> list[Record]:
    """What is reported in these rounds."""
    return [
        record
        for version in range(first, last)
        for record in (observation(version), Record(PROGRESS, version=version))
    ]


def encoded(*records: Record) -> bytes:
    """The bytes of records, one behind another."""
    return b"".join(map(encode_record, records))


def read(data: bytes) -> list[Record]:
    """The records of a stream, of which nothing is left."""
    reader = RecordReader()
    records = list(reader.feed(data))
    assert encoded(*records) == data
    return records


def line(what: str) -> str:
    """A line of the role."""
    return f"alpha: role {ROLE}: {what}\n"


def arrived(reporter: Reporter, seconds: float) -> bytes:
    """What comes on stdout within a time."""
    stream = reporter.process.stdout
    assert stream is not None
    data, until = b"", time.monotonic() + seconds
    while select.select([stream], [], [], max(0.0, until - time.monotonic()))[0]:
        more = os.read(stream.fileno(), 65536)
        if not more:
            break
        data += more
    return data


@both
def test_every_kind_of_record(machine: str) -> None:
    states = [
        Record(STATE, index, LARGE, 0, np.random.default_rng(index).bytes(size))
        for index, size in enumerate((0, 4, 8, 4095, 4096, 65_536, 65_537, 3_000_004, 1))
    ]
    told = [
        observation(1),
        observation(1, 2**32 - 1, 32),
        Record(OBSERVATION, 3, LARGE, LARGE, b"\x01\x02\x03\x04\x05\xf6\xf7\xf8"),
        Record(PROGRESS, version=LARGE),
    ]
    with Reporter(machine) as reporter:
        collected: list[bytes] = []
        assert reporter.process.stdout is not None
        reading = threading.Thread(
            target=lambda s: collected.append(s.read()), args=[reporter.process.stdout]
        )
        reading.start()
        for record in told:
            reporter.report(record)
        reporter.publish(states)
        reporter.tell(ENDED, LARGE)
        assert reporter.process.stdin is not None
        reporter.process.stdin.close()
        reading.join(60)
        assert collected == [encoded(*told, *states, Record(END, version=LARGE))]
        assert reporter.process.wait(60) == 0


@both
def test_of_progress_the_newest_is_written(machine: str) -> None:
    with Reporter(machine) as reporter:
        for version in range(5):
            reporter.report(Record(PROGRESS, version=version))
        reporter.report(observation(5))
        for version in range(5, 9):
            reporter.report(Record(PROGRESS, version=version))
        reporter.tell(ENDED, 8)
        status, out, _ = reporter.ended()
    written = [Record(PROGRESS, version=4), observation(5), Record(PROGRESS, version=8)]
    assert (status, read(out)) == (0, [*written, Record(END, version=8)])


@both
def test_what_is_stored_is_reported_at_once(machine: str) -> None:
    """Behind what was held before it; what is reported behind it is held again."""
    with Reporter(machine) as reporter:
        for version in (0, 7, LARGE):
            reporter.report(Record(PROGRESS, version=1))
            reporter.report(observation(3))
            reporter.report(Record(PROGRESS, version=version))
            reporter.tell(commands.STORED, version)
            told = [Record(PROGRESS, version=1), observation(3), Record(PROGRESS, version=version)]
            assert arrived(reporter, 0.3) == encoded(*told, Record(STORED, version=version))
        reporter.report(Record(PROGRESS, version=8))
        assert arrived(reporter, 0.1) == b""
        reporter.tell(ENDED, 8)
        status, out, _ = reporter.ended()
    assert (status, read(out)) == (0, [Record(PROGRESS, version=8), Record(END, version=8)])


@both
def test_what_is_held_is_written_when_no_more_fits(machine: str) -> None:
    told = rounds(0, 1000)
    with Reporter(machine) as reporter:
        for record in told[: 2 * 455]:
            reporter.report(record)
        # 455 times 72 bytes fit, and no more.
        assert arrived(reporter, 0.3) == b""
        for record in told[2 * 455 :]:
            reporter.report(record)
        first = arrived(reporter, 0.3)
        assert first == encoded(*told)[: len(first)]
        assert 0 < len(encoded(*told)) - len(first) <= HELD_BYTES
        reporter.tell(ENDED, 999)
        status, out, _ = reporter.ended()
    assert status == 0
    assert first + out == encoded(*told, Record(END, version=999))


@both
def test_exactly_full_is_held(machine: str) -> None:
    """Of 1024 records of 32 bytes none goes before there is another."""
    told = [Record(OBSERVATION, 1, version) for version in range(1024)]
    with Reporter(machine) as reporter:
        for record in told:
            reporter.report(record)
        assert arrived(reporter, 0.3) == b""
        reporter.report(Record(PROGRESS, version=7))
        assert arrived(reporter, 0.3) == encoded(*told)
        reporter.report(Record(PROGRESS, version=8))
        reporter.tell(ENDED, 8)
        status, out, _ = reporter.ended()
    assert (status, read(out)) == (0, [Record(PROGRESS, version=8), Record(END, version=8)])


@both
def test_a_round_writes_what_has_been_held_long(machine: str) -> None:
    with Reporter(machine) as reporter:
        reporter.tell(ROUND)
        for record in rounds(1, 3):
            reporter.report(record)
        # Nothing is written between rounds, however much time passes.
        assert arrived(reporter, 0.3) == b""
        reporter.tell(ROUND)
        assert arrived(reporter, 0.3) == encoded(*rounds(1, 3))
        reporter.report(Record(PROGRESS, version=4))
        reporter.tell(ROUND)
        assert arrived(reporter, 0.3) == encoded(Record(PROGRESS, version=4))


@both
def test_rounds_that_are_short_write_seldom(machine: str) -> None:
    count = 400
    with Reporter(machine) as reporter:
        began = time.monotonic()
        for version in range(count):
            reporter.report(Record(PROGRESS, version=version))
            reporter.tell(ROUND)
        reporter.tell(ENDED, count)
        status, out, _ = reporter.ended()
        most = (time.monotonic() - began) / 0.05 + 2
    records = read(out)
    versions = [record.version for record in records]
    assert status == 0
    assert versions == sorted(versions)
    assert versions[-2:] == [count - 1, count]
    assert len(records) <= most + 1


@both
def test_the_session_is_over(machine: str) -> None:
    with Reporter(machine) as reporter:
        reporter.begin(0.25, WAIT)
        reporter.tell(ROUND)
        for record in rounds(1, 3):
            reporter.report(record)
        time.sleep(0.4)
        reporter.tell(ROUND)
        found = reporter.ended()
    wanted = "overdue: the 0.25 s of the session have passed"
    assert found == (4, encoded(*rounds(1, 3)), line(wanted))


@both
def test_who_fails_has_reported_what_it_held(machine: str) -> None:
    with Reporter(machine) as reporter:
        for record in rounds(1, 400):
            reporter.report(record)
        reporter.tell(FAILED, 5)
        assert reporter.ended() == (5, encoded(*rounds(1, 400)), line("failed: as told"))


@both
def test_who_fails_does_not_wait_for_a_reader(machine: str) -> None:
    out, into = _full_pipe()
    try:
        with Reporter(machine, stdout=into) as reporter:
            reporter.report(observation(1))
            began = time.monotonic()
            reporter.tell(FAILED, 4)
            assert reporter.ended()[::2] == (4, line("failed: as told"))
            assert 0.09 < time.monotonic() - began < 5
    finally:
        os.close(out)
        os.close(into)


@both
def test_nobody_will_read(machine: str) -> None:
    """As the interpreter says it: the end, a full buffer, a round, and a failure."""
    for ending in ("end", "full", "round", "state", "failure"):
        out, into = os.pipe()
        with Reporter(machine, stdout=into) as reporter:
            os.close(into)
            os.close(out)
            reporter.report(observation(1))
            if ending == "end":
                reporter.tell(ENDED, 1)
            elif ending == "state":
                reporter.publish([Record(STATE, 0, 1, 0, bytes(8))])
            elif ending == "full":
                # It may have ended before all of them, since it writes every 50 ms.
                with contextlib.suppress(BrokenPipeError):
                    for record in rounds(2, 460):
                        reporter.report(record)
            elif ending == "round":
                reporter.tell(ROUND)
            else:
                reporter.tell(FAILED, 3)
            status, _, said = reporter.ended()
        failed = ending != "failure"
        wanted = (5, line("failed: Broken pipe")) if failed else (3, line("failed: as told"))
        assert (status, said) == wanted, ending


@both
def test_a_full_disk(machine: str) -> None:
    with open("/dev/full", "wb") as full, Reporter(machine, stdout=full.fileno()) as reporter:
        reporter.tell(ENDED, 1)
        status, _, said = reporter.ended()
    assert (status, said) == (5, line("failed: No space left on device"))


@both
def test_a_file_takes_all(machine: str, tmp_path: object) -> None:
    told = rounds(0, 2000)
    with open(f"{tmp_path}/records", "w+b") as file:
        with Reporter(machine, stdout=file.fileno()) as reporter:
            for record in told:
                reporter.report(record)
            reporter.tell(ENDED, 1)
            assert reporter.ended()[0] == 0
        file.seek(0)
        assert file.read() == encoded(*told, Record(END, version=1))


@both
@pytest.mark.parametrize("bounds", [(3600, 0.3), (0.3, 3600)])
def test_nobody_reads(machine: str, bounds: tuple[float, float]) -> None:
    out, into = _full_pipe()
    try:
        with Reporter(machine, stdout=into) as reporter:
            reporter.begin(*bounds)
            reporter.tell(ENDED, 1)
            status, _, said = reporter.ended()
    finally:
        os.close(out)
        os.close(into)
    what = "reporting" if bounds[1] == 0.3 else "the session"
    assert (status, said) == (4, line(f"overdue: no report was read in the 0.3 s of {what}"))


@both
def test_a_reader_that_is_slow_loses_nothing(machine: str) -> None:
    """It takes longer for a state than one wait may be, but reads on."""
    state = Record(STATE, 1, 5, 0, np.random.default_rng(1).bytes(400_000))
    with Reporter(machine) as reporter:
        stream = reporter.process.stdout
        assert stream is not None
        reporter.begin(3600, 0.6)
        reporter.publish([state])
        reporter.tell(ENDED, 5)
        wanted, data = encoded(state, Record(END, version=5)), b""
        began = time.monotonic()
        while len(data) < len(wanted):
            time.sleep(0.03)
            more = os.read(stream.fileno(), 10_000)
            assert more, reporter.ended()
            data += more
        assert time.monotonic() - began > 0.9
        assert data == wanted
        assert reporter.ended()[0] == 0


@both
@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_stops_lose_nothing(machine: str, kind: str) -> None:
    told = rounds(0, 600)
    state = Record(STATE, 1, 5, 0, np.random.default_rng(1).bytes(300_000))
    wanted = encoded(*told, state, Record(END, version=600))
    out, into = _ends(kind)
    with Reporter(machine, stdout=into) as reporter:
        os.close(into)
        for record in told:
            reporter.report(record)
        reporter.publish([state])
        reporter.tell(ENDED, 600)
        data = b""
        while len(data) < len(wanted):
            reporter.process.send_signal(signal.SIGSTOP)
            time.sleep(0.002)
            reporter.process.send_signal(signal.SIGCONT)
            assert select.select([out], [], [], 20)[0]
            more = os.read(out, 20_000)
            assert more, reporter.ended()
            data += more
        os.close(out)
        assert data == wanted
        assert reporter.ended()[0] == 0


def _ends(kind: str) -> tuple[int, int]:
    """The two ends of a stream."""
    if kind == "pipe":
        return os.pipe()
    one, other = socket.socketpair()
    return one.detach(), other.detach()


def _full_pipe() -> tuple[int, int]:
    """A pipe into which nothing more fits."""
    out, into = os.pipe()
    os.set_blocking(into, False)
    try:
        while True:
            os.write(into, bytes(4096))
    except BlockingIOError:
        os.set_blocking(into, True)
    return out, into


@both
def test_a_device_takes_all(machine: str) -> None:
    with Reporter(machine, stdout=subprocess.DEVNULL) as reporter:
        reporter.tell(ENDED, 1)
        assert reporter.ended()[::2] == (0, "")
