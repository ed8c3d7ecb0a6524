"""What a launcher takes from a stream is what is in it, however it is cut, at any speed."""

from __future__ import annotations

import json
import random
import struct
import time
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from native_runs.played_role import END, OBSERVATION, PROGRESS, STATE, record

from alpha.interpreters.learner import Observation
from alpha.interpreters.participants.reports import Record, RecordReader
from alpha.tools.driver.output import LineFile
from alpha.tools.running.collecting import Observations, RecordStream
from alpha.tools.running.reporting import Recorder
from alpha.tools.running.rounds import RoundCollector, Rounds


def word(value: float, narrow: bool) -> bytes:
    return struct.pack("<f" if narrow else "<d", value)


def records_of(random: random.Random) -> list[Record]:
    """Records of every kind in an order without rhyme or reason."""
    found: list[Record] = []
    for _ in range(random.randrange(1, 60)):
        kind = random.choice((PROGRESS, OBSERVATION, OBSERVATION, STATE, END))
        size = random.choice((0, 1, 40, 5000)) if kind == STATE else 0
        words = random.randbytes(size)
        if kind == OBSERVATION:
            words = word(random.random(), random.random() < 0.3)
        alike = random.choice((1, 1, 1, 200)) if kind == OBSERVATION else 1
        for _ in range(alike):
            index, version = random.randrange(5), random.randrange(1 << 40)
            found.append(Record(kind, index, version, random.randrange(99), words))
    return found


def cut(data: bytes, random: random.Random) -> Iterable[bytes]:
    longest = random.choice((1, 7, 33, 700, 1 << 16))
    at = 0
    while at < len(data):
        size = random.randint(1, longest)
        yield data[at : at + size]
        at += size


def flat(told: Record | Observations) -> list[Record]:
    if isinstance(told, Record):
        return [told]
    return [
        Record(OBSERVATION, index, version, count, word(total, narrow))
        for index, version, count, total, narrow in told.rows.tolist()
    ]


def newest(records: Sequence[Record]) -> list[Record]:
    """The same, with observations and progress between other records as the newest progress alone,
    behind the observations."""
    found: list[Record] = []
    held: list[Record] = []
    progress: list[Record] = []
    for each in [*records, Record(END)]:
        if each.kind == OBSERVATION:
            held.append(each)
        elif each.kind == PROGRESS:
            progress = [Record(PROGRESS, version=each.version)]
        else:
            found += [*held, *progress, each]
            held, progress = [], []
    return found[:-1]


@pytest.mark.parametrize("seed", range(60))
def test_a_stream_is_its_records(seed: int) -> None:
    """The reader of one record at a time is the oracle, piece by piece: nothing waits that is
    whole, and nothing is in another order but progress that came together with something."""
    choose = random.Random(seed)
    wanted = records_of(choose)
    data = b"".join(
        record(each.kind, each.index, each.version, each.count, each.words) for each in wanted
    )
    stream, reader = RecordStream(), RecordReader()
    plain: list[Record] = []
    for part in cut(data, choose):
        found = [each for told in stream.feed(part) for each in flat(told)]
        one_by_one = list(reader.feed(part))
        assert found == newest(one_by_one)
        plain += one_by_one
    assert plain == wanted


@pytest.mark.parametrize("every", [1, 3, 5000])
@pytest.mark.parametrize("narrow", [False, True])
def test_observations_come_together(every: int, narrow: bool) -> None:
    """However much progress stands between them."""
    data = b""
    for v in range(5000):
        data += record(OBSERVATION, 0, v, 1, word(v, narrow))
        data += record(PROGRESS, 0, v + 1) if (v + 1) % every == 0 else b""
    told = list(RecordStream().feed(data))
    assert [type(each) for each in told] == [Observations, Record]
    assert len(told[0].rows) == 5000  # pyright: ignore[reportAttributeAccessIssue]
    assert told[1] == Record(PROGRESS, version=5000 - 5000 % every)


def test_a_record_that_is_too_long() -> None:
    head = struct.pack("<IIQQQ", STATE, 0, 0, 0, (1 << 40) + 1)
    with pytest.raises(ValueError, match="a record of 1099511627777 bytes"):
        list(RecordStream().feed(head))


def test_a_large_state_is_not_looked_at_again_and_again() -> None:
    """64 MB in pieces as a pipe gives them: seconds if each were put behind what came before."""
    size, part = 64 << 20, bytes(1 << 16)
    stream, began = RecordStream(), time.process_time()
    told = list(stream.feed(struct.pack("<IIQQQ", STATE, 3, 7, 0, size)))
    for _ in range(size // len(part)):
        told += stream.feed(part)
    (state,) = told
    assert isinstance(state, Record)
    assert (state.index, state.version, len(state.words)) == (3, 7, size)
    assert time.process_time() - began < 2


LABELS = ("loss", 'odd "name"', "späť")


def rounds_of(choose: random.Random) -> list[list[Observation]]:
    """What is observed in each round: all, some or nothing, in words of both types."""
    narrow = [choose.random() < 0.4 for _ in LABELS]
    special = (float("nan"), float("inf"), -float("inf"), -0.0, 1e-310, 0.1)
    found: list[list[Observation]] = []
    for version in range(choose.randrange(0, 300)):
        labels = choose.choice((range(3), range(3), range(3), [], [1], [2, 0]))
        found.append([])
        for index in labels:
            value = choose.choice((choose.uniform(-9, 9), choose.choice(special)))
            total = np.asarray(value, "f4" if narrow[index] else "f8")
            found[-1].append(
                Observation(LABELS[index], total, choose.randrange(1, 1 << 30), version)
            )
    return found


def tell(rounds: Sequence[Sequence[Observation]], choose: random.Random) -> bytes:
    """The rounds as a native role tells them: only the newest progress of a while."""
    data = bytearray()
    for version, observations in enumerate(rounds):
        for each in observations:
            index, words = LABELS.index(each.name), each.total.tobytes()
            data += record(OBSERVATION, index, version, each.count, words)
        if choose.random() < 0.1 or version == len(rounds) - 1:
            data += record(PROGRESS, 0, version + 1)
    return bytes(data)


@pytest.mark.parametrize("seed", range(40))
def test_many_rounds_are_recorded_as_one_by_one(
    seed: int, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same table and the same lines, which another encoder of JSON has made."""
    choose = random.Random(seed)
    rounds = rounds_of(choose)
    folder = tmp_path_factory.mktemp("metrics")
    with np.errstate(all="ignore"), LineFile(str(folder / "one")) as file:
        recorder = Recorder(file)
        for version, observations in enumerate(rounds):
            recorder.add(version, observations)
        recorder.end()
    one = capsys.readouterr().out
    with LineFile(str(folder / "many")) as file:
        recorder = Recorder(file)
        collector, stream = RoundCollector(LABELS, recorder.add_rounds), RecordStream()
        for part in cut(tell(rounds, choose), choose):
            for told in stream.feed(part):
                if isinstance(told, Observations):
                    collector.observe(told)
                else:
                    collector.advance(told.version)
        recorder.end()
    assert capsys.readouterr().out == one
    many = (folder / "many").read_text()
    assert many == (folder / "one").read_text()
    for version, line in enumerate(many.splitlines()):
        assert json.loads(line)["version"] == version
    assert len(many.splitlines()) == len(rounds)


def observed(version: int, narrow: bool = False) -> Observations:
    data = record(OBSERVATION, 0, version, 1, word(1.0, narrow))
    (told,) = RecordStream().feed(data)
    assert isinstance(told, Observations)
    return told


def test_observations_wait_for_the_end_of_their_round() -> None:
    found: list[Rounds] = []
    collector = RoundCollector(LABELS, found.append)
    for version in (0, 1, 1, 2):
        collector.observe(observed(version, narrow=version == 1))
    collector.advance(2)
    assert (found[0].first, found[0].last, found[0].latest_observed(9)) == (0, 2, [0, 1])
    assert [each.total.dtype for each in found[0].observations(1)] == [np.float32] * 2
    collector.advance(5)
    assert (found[1].first, found[1].last, found[1].latest_observed(9)) == (2, 5, [2])
    assert found[1].observations(3) == []
    with pytest.raises(ValueError, match="of a round that has ended"):
        collector.observe(observed(4))


@pytest.mark.parametrize("every", [1, 500])
def test_the_reading_keeps_up_with_native_roles(every: int) -> None:
    """Ten thousand rounds a second are to take less than a tenth of a processor."""
    count = 100_000
    data = b"".join(
        b"".join(record(OBSERVATION, 0, v, 1, word(v, False)) for v in range(at, at + every))
        + record(PROGRESS, 0, at + every)
        for at in range(0, count, every)
    )
    seen: list[int] = []
    collector, stream = RoundCollector(LABELS, lambda each: seen.append(each.last)), RecordStream()
    began = time.process_time()
    for at in range(0, len(data), 1 << 16):
        for told in stream.feed(data[at : at + (1 << 16)]):
            if isinstance(told, Observations):
                collector.observe(told)
            else:
                collector.advance(told.version)
    assert seen[-1] == count
    assert time.process_time() - began < 1.0
