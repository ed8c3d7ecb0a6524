"""How native roles get their edges, among themselves and with interpreted ones."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import time

import pytest
from routines.establisher import Ended, Setting, end_of, native
from routines.establishing_groups import INTERPRETED, Group, Pair, mesh, pipes, read, star
from routines.library import MACHINES

both = pytest.mark.parametrize("machine", MACHINES)

GROUPS = {
    "two": [(0, 1)],
    "three in a row": [(0, 1), (1, 2)],
    "star with a low hub": star(5, 0),
    "star with a high hub": star(5, 4),
    "mesh": mesh(5),
    "some roles": [(2, 9), (2, 70_000), (9, 70_000)],
}


@pytest.mark.parametrize("edges", GROUPS.values(), ids=GROUPS)
@pytest.mark.parametrize(
    "kinds",
    [
        ("x86-64",),
        ("aarch64",),
        ("x86-64", "aarch64"),
        ("aarch64", "x86-64"),
        ("x86-64", INTERPRETED),
        (INTERPRETED, "x86-64"),
        ("aarch64", INTERPRETED),
        (INTERPRETED, "aarch64"),
    ],
    ids="-".join,
)
def test_a_group_gets_its_edges(edges: list[Pair], kinds: tuple[str, ...]) -> None:
    roles = sorted({role for pair in edges for role in pair})
    with Group(edges) as group:
        for number, role in enumerate(roles):
            group.start(role, kinds[number % len(kinds)])
        group.check()


@both
@pytest.mark.parametrize("hub", [0, 6, 12])
def test_many_edges(machine: str, hub: int) -> None:
    with Group(star(13, hub)) as group:
        for role in range(13):
            group.start(role, machine if role == hub else INTERPRETED)
        assert len(group.check()[hub]) == 12


@both
def test_other_addresses(machine: str) -> None:
    """Each role listens on its own, and is reached there."""
    addresses = {0: "127.0.0.2", 1: "127.1.2.3", 2: "127.255.0.9"}
    for kinds in ((machine, INTERPRETED, machine), (INTERPRETED, machine, INTERPRETED)):
        with Group(mesh(3), addresses) as group:
            for role, kind in enumerate(kinds):
                group.start(role, kind)
            group.check()


@both
def test_a_role_listens_where_it_is_told(machine: str) -> None:
    setting = Setting(0, [1], {0: "127.0.0.2"})
    with pipes() as (given, taken), native(machine, setting, given.out, taken.into):
        (port,) = struct.unpack(">H", read(taken.out, 2))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), 5)
        socket.create_connection(("127.0.0.2", port), 5).close()


@both
def test_the_buffers_of_sockets(machine: str) -> None:
    sizes: dict[int, list[int]] = {}
    for buffer in (0, 20_000):
        setting = Setting(1, [0, 2], buffer=buffer)
        with (
            pipes() as (given, taken),
            socket.create_server(("127.0.0.1", 0)) as zero,
            native(machine, setting, given.out, taken.into) as process,
        ):
            taken.end()
            os.write(given.into, zero.getsockname()[1].to_bytes(2, "big"))
            (port,) = struct.unpack(">H", read(taken.out, 2))
            with socket.create_connection(("127.0.0.1", port), 5) as two, zero.accept()[0] as one:
                two.sendall(struct.pack("<q", 2))
                one.sendall(struct.pack("<q", 0))
                data = read(taken.out, 1 << 16)
                assert end_of(process, setting) == Ended(0)
        records = struct.iter_unpack("<8q", data[len(setting.end) :])
        sizes[buffer] = [record[7] for record in records]
    assert sizes[20_000] == [40_000, 40_000]
    assert all(size != 40_000 for size in sizes[0])


@both
def test_no_byte_more_isread(machine: str) -> None:
    with Group([(0, 2), (1, 2)]) as group:
        group.start(0, INTERPRETED)
        group.start(1, INTERPRETED)
        setting = group.setting(2)
        with pipes() as (given, taken), native(machine, setting, given.out, taken.into) as process:
            for byte in group.ports_for(2) + b"behind":
                os.write(given.into, bytes([byte]))
                time.sleep(0.02)
            assert end_of(process, setting) == Ended(0)
            given.end()
            assert read(given.out, 100) == b"behind"
        group.check()


@both
def test_stops_do_no_harm(machine: str) -> None:
    """While it waits for ports, and for a connection."""
    setting = Setting(1, [0, 2])
    with (
        pipes() as (given, taken),
        socket.create_server(("127.0.0.1", 0)) as zero,
        native(machine, setting, given.out, taken.into) as process,
    ):
        taken.end()
        zero.settimeout(20)
        (port,) = struct.unpack(">H", read(taken.out, 2))
        number = zero.getsockname()[1].to_bytes(2, "big")
        _storm(process)
        os.write(given.into, number[:1])
        _storm(process)
        os.write(given.into, number[1:])
        with zero.accept()[0] as one:
            _storm(process)
            with socket.create_connection(("127.0.0.1", port), 5) as two:
                one.sendall(struct.pack("<q", 0))
                two.sendall(struct.pack("<q", 2))
                _storm(process)
                assert read(taken.out, len(setting.end)) == setting.end
                assert end_of(process, setting) == Ended(0)


def _storm(process: subprocess.Popen[bytes]) -> None:
    for _ in range(15):
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.002)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.004)


@both
def test_a_role_without_peers(machine: str) -> None:
    setting = Setting(5, [])
    with pipes() as (given, taken):
        os.write(given.into, b"unread")
        with native(machine, setting, given.out, taken.into) as process:
            assert end_of(process, setting) == Ended(0)
        taken.end()
        assert read(taken.out, 100) == setting.end
        assert os.read(given.out, 100) == b"unread"
