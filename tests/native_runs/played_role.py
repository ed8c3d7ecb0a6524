"""A process that does what a script says in the place of a role, and starts in no time.

It announces ports on which nobody listens, reads those of its lower peers, and then does its
actions: `rounds` tells of some rounds with their observations, `state`, `progress` and `end` are
records, `say` is a line on stderr, `sleep`, `stop` and `exit` are what they are called.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import time

HEADER = struct.Struct("<IIQQQ")
PROGRESS, OBSERVATION, STATE, END = 1, 2, 3, 4


def tell(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def record(kind: int, index: int, version: int, count: int = 0, words: bytes = b"") -> bytes:
    return HEADER.pack(kind, index, version, count, len(words)) + words


def rounds(first: int, last: int, labels: int, every: int) -> None:
    """Rounds whose totals are three times the version and the number of the label.

    What is held is told with the newest progress alone, every so many rounds.
    """
    for start in range(first, last, every):
        stop = min(start + every, last)
        held = [
            record(OBSERVATION, index, version, 2, struct.pack("<d", 3.0 * version + index))
            for version in range(start, stop)
            for index in range(labels)
        ]
        tell(b"".join(held) + record(PROGRESS, 0, stop))


def act(action: list) -> None:
    match action:
        case ["rounds", first, last, labels, every]:
            rounds(first, last, labels, every)
        case ["state", index, version, words]:
            tell(record(STATE, index, version, 0, bytes.fromhex(words)))
        case ["states", index, version, size]:
            tell(record(STATE, index, version, 0, bytes(size)))
        case ["progress", version]:
            tell(record(PROGRESS, 0, version))
        case ["end", version]:
            tell(record(END, 0, version))
        case ["say", text]:
            os.write(2, text.encode())
        case ["sleep", seconds]:
            time.sleep(seconds)
        case ["stop"]:
            os.kill(os.getpid(), signal.SIGSTOP)
        case ["deaf"]:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        case ["kill", number]:
            os.kill(os.getpid(), number)
        case ["exit", status]:
            os._exit(status)
        case _:
            raise ValueError(action)


def main() -> None:
    import json

    with open(sys.argv[1], encoding="utf-8") as stream:
        script = json.load(stream)
    for action in script["before"]:
        act(action)
    role = script["role"]
    higher = [peer for peer in script["edges"] if peer > role]
    tell(b"".join((1000 + 10 * role + at).to_bytes(2, "big") for at in range(len(higher))))
    lower = [peer for peer in script["edges"] if peer < role]
    ports = b""
    while len(ports) < 2 * len(lower):
        more = os.read(0, 2 * len(lower) - len(ports))
        if not more:
            os._exit(9)
        ports += more
    for action in script["actions"]:
        act(action)


if __name__ == "__main__":
    main()
