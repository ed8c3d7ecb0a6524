"""The disk that loses its power, against cases that are counted out; and how calls are read."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from faults import recording
from faults.disk import SECTOR, Disk, File, Tree
from faults.recording import (
    Create,
    MakeFolder,
    Nothing,
    Operation,
    Remove,
    Rename,
    Said,
    Sync,
    Write,
)
from faults.tracing import calls_of, hit_of, points_of

ONE, TWO = b"1" * 700, b"2" * 100


def states(*operations: Operation, tree: Tree = ()) -> set[Tree]:
    disk = Disk("/r", tree)
    for each in operations:
        disk.do(each)
    return set(disk.states())


def sync(path: str, begun: int = 99) -> Sync:
    return Sync(path, 1, begun)


def test_names_are_kept_or_lost_each_by_itself() -> None:
    made = (MakeFolder("/r/a"), MakeFolder("/r/b"), MakeFolder("/r/a/c"))
    empty, inner = (), (("c", ()),)
    assert states(*made) == {
        (),
        (("b", ()),),
        *((("a", each), *more) for each in (empty, inner) for more in ((), (("b", ()),))),
    }
    assert states(*made, sync("/r")) == {(("a", each), ("b", ())) for each in (empty, inner)}
    assert states(*made, sync("/r"), sync("/r/a")) == {(("a", inner), ("b", ()))}
    # What is in a folder doesn't make its name safe.
    assert () in states(*made, sync("/r/a"))


def test_a_rename_is_kept_or_not_and_each_name_by_itself() -> None:
    tree: Tree = (("a", ()),)
    assert states(Rename("/r/a", "/r/b"), tree=tree) == {
        (),
        (("a", ()),),
        (("b", ()),),
        (("a", ()), ("b", ())),
    }
    assert states(Rename("/r/a", "/r/b"), sync("/r"), tree=tree) == {(("b", ()),)}
    assert states(Remove("/r/a"), tree=tree) == {(), (("a", ()),)}
    assert states(Remove("/r/a"), MakeFolder("/r/a"), MakeFolder("/r/a/x"), tree=tree) == {
        (),
        (("a", ()),),
        (("a", (("x", ()),)),),
    }


def test_writes_are_kept_lost_torn_and_zeros() -> None:
    file = File()
    file.pending = [(0, 0, ONE), (1, len(ONE), TWO)]
    found, whole = set(file.choices()), ONE + TWO
    assert {b"", ONE, whole, bytes(len(whole)), bytes(len(ONE)) + TWO} <= found
    assert {whole[:SECTOR], whole[:SECTOR] + bytes(len(whole) - SECTOR)} <= found
    assert ONE + bytes(len(TWO)) in found
    assert bytes(SECTOR) + whole[SECTOR:] in found
    file.synchronize(1)
    assert set(file.choices()) >= {ONE, whole, ONE + bytes(len(TWO))}
    assert all(each.startswith(ONE) for each in file.choices())
    file.synchronize(2)
    assert file.choices() == [whole]


def test_a_file_that_is_there_is_cut_off_or_not() -> None:
    tree: Tree = (("f", ONE),)
    assert states(Create("/r/f", True), tree=tree) == {(("f", ONE),), (("f", b""),)}
    assert states(Create("/r/f", False), tree=tree) == {(("f", ONE),)}
    kept = states(Create("/r/f", True), Write("/r/f", 0, TWO), sync("/r/f"), tree=tree)
    assert kept == {(("f", TWO),)}


def test_a_sync_covers_what_was_done_when_it_began() -> None:
    made = (
        Create("/r/f", True),
        Write("/r/f", 0, b"1"),
        Write("/r/f", 1, b"2"),
        Create("/r/g", True),
    )
    early = states(*made, sync("/r", 3), sync("/r/f", 2))
    assert early == {
        (("f", data), *more)
        for data, more in itertools.product((b"1", b"12", b"1\0"), ((), (("g", b""),)))
    }
    assert states(*made, sync("/r"), sync("/r/f")) == {(("f", b"12"), ("g", b""))}
    assert states(*made, Nothing(), Said(2), sync("/r"), sync("/r/f")) == {
        (("f", b"12"), ("g", b""))
    }


def test_many_choices_are_tried_alone_and_in_pairs() -> None:
    names = [f"/r/{letter}" for letter in "abcdefghijkl"]
    made = [MakeFolder(name) for name in names]
    found = states(*made)
    sizes = {len(each) for each in found}
    assert sizes == {0, 1, 2, 10, 11, 12}
    assert len(found) == 1 + 12 + 66 + 66 + 12 + 1
    assert len(states(*made[:6])) == 64


LOG = r"""
7 mkdir("/t/x/a", 0777) = 0
7 openat(AT_FDCWD</t/x>, "/t/x/a/f", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</t/x/a/f>
8 openat(4</t/x/a>, "g", O_WRONLY|O_CREAT|O_TRUNC, 0666 <unfinished ...>
7 write(3</t/x/a/f>, "(a\0\33\"1\n", 7) = 7
8 <... openat resumed>) = 3</t/x/a/g>
7 write(3</t/x/a/f>, "b) = 1", 6) = 6
7 fsync(3</t/x/a/f> <unfinished ...>
8 write(3</t/x/a/g>, "c", 1) = 1
7 <... fsync resumed>) = 0
8 write(3</t/x/a/g>, "d", 1) = -1 ENOSPC (No space left on device)
7 openat(AT_FDCWD</t/x>, "/t/x/a", O_RDONLY|O_DIRECTORY) = 5</t/x/a>
7 fsync(5</t/x/a>) = 0
7 renameat2(AT_FDCWD</t/x>, "/t/x/a", AT_FDCWD</t/x>, "/t/x/b", 0) = 0
7 write(1<pipe:[9]>, "\5\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32) = 32
7 unlinkat(6</t/x/b>, "g", 0) = 0
7 rmdir("/t/y") = 0
7 +++ exited with 0 +++
"""


def test_calls_are_read_as_strace_tells_them() -> None:
    assert recording._operations(LOG.splitlines(), "/t/x") == [
        MakeFolder("/t/x/a"),
        Create("/t/x/a/f", True),
        Create("/t/x/a/g", True),
        Write("/t/x/a/f", 0, b'(a\0\x1b"1\n'),
        Write("/t/x/a/f", 7, b"b) = 1"),
        Write("/t/x/a/g", 0, b"c"),
        Sync("/t/x/a/f", 7, 5),
        Sync("/t/x/a", 7, 7),
        Rename("/t/x/a", "/t/x/b"),
        Said(4),
        Remove("/t/x/b/g"),
    ]
    with pytest.raises(AssertionError, match="ftruncate"):
        recording._operations(["7 ftruncate(3</t/x/.gen-2.a/f>, 1) = 0"], "/t/x")


def test_points_are_counted_as_strace_counts(tmp_path: Path) -> None:
    log = tmp_path / "log"
    lines = [
        '7 execve("/r", ["/r"], 0x1 /* 2 vars */) = 0',
        '7 write(1<pipe:[1]>, "a", 1) = 1',
        '7 mkdirat(AT_FDCWD</t>, "/t/p/.gen-2.ab", 0777 <unfinished ...>',
        '8 write(9</t/p/.gen-2.ab/f>, "a", 1) = 1',
        "7 <... mkdirat resumed>) = -1 EEXIST (File exists)",
        '7 openat(AT_FDCWD</t>, "/t/p/.gen-2.ab", O_RDONLY) = 4</t/p/.gen-2.ab>',
        '7 openat(4</t/p/.gen-2.ab>, "f", O_WRONLY) = 5</t/p/.gen-2.ab/f>',
        '7 write(5</t/p/.gen-2.ab/f>, "/x", 2) = 2',
        "7 fsync(5</t/p/.gen-2.ab/f>) = -1 EINTR (Interrupted system call) (INJECTED)",
        "7 close(5</t/p/.gen-2.ab/f>) = ?",
        "7 +++ killed by SIGKILL +++",
    ]
    log.write_text("\n".join(lines))
    calls, path = calls_of(log), Path("/t/p")
    found = points_of(calls, path)
    assert [(each.name, each.turn, each.place, each.again) for each in found] == [
        ("mkdirat", 1, ".gen-2.ab", 1),
        ("openat", 1, ".gen-2.ab", 1),
        ("openat", 2, ".gen-2.ab/f", 1),
        ("write", 2, ".gen-2.ab/f", 1),
        ("fsync", 1, ".gen-2.ab/f", 1),
        ("close", 1, ".gen-2.ab/f", 1),
    ]
    assert [each.injected for each in calls[-2:]] == [True, False]
    assert (calls[2].result, calls[-1].result) == ("-1", None)
    assert hit_of(calls, path, "write", 2) == found[3]
    assert hit_of(calls, path, "write", 3) is None
    assert len(calls_of(log, threads=True)) == len(calls) + 1
