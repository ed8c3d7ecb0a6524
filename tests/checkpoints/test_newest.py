"""Which generation of a folder is taken: the newest that is whole, and what is said of others."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from checkpoints.makings import RUN, SMALL, bits, facts_of, state_of, write
from checkpoints.tampering import in_order

from alpha.ir.checkpoints.names import partial_name
from alpha.ir.checkpoints.reading import Generation, newest
from alpha.ir.refusals import Refusal

FACTS = facts_of(SMALL, 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Generations of versions 3, 9 and 10, each with words of its own."""
    for version in (3, 9, 10):
        write(tmp_path, FACTS, state_of(FACTS, version), version)
    return tmp_path


def words_are_of(version: int, folder: Path) -> bool:
    """Whether the newest generation has the words that were written at a version."""
    found = newest(folder).generation
    wanted = state_of(FACTS, version)
    return found.version == version and all(
        bits(found.read_words(name)) == bits(words) for name, words in wanted.items()
    )


def test_the_greatest_version_is_the_newest(folder: Path) -> None:
    """By its number: not by its name's letters, nor by when it was written."""
    assert newest(folder).passed_over == []
    assert words_are_of(10, folder)
    os.utime(folder / "gen-3")
    assert words_are_of(10, folder)


def _gone(generation: Path, name: str) -> None:
    (generation / name).unlink()


def _torn(generation: Path, name: str) -> None:
    size = (generation / name).stat().st_size
    os.truncate(generation / name, size // 2)


def _blank(generation: Path, name: str) -> None:
    """As long as it was, and all zero: named, and never written."""
    size = (generation / name).stat().st_size
    (generation / name).write_bytes(bytes(size))


def _old(generation: Path, name: str) -> None:
    """The file of the generation before."""
    shutil.copy(generation.parent / "gen-9" / name, generation / name)


@pytest.mark.parametrize("name", ["manifest.json", "manifest-1.json", "shard-1.safetensors"])
@pytest.mark.parametrize("tear", [_gone, _torn, _blank, _old])
def test_K05_a_torn_generation_hides_no_older_one(
    tear: Callable[[Path, str], None], name: str, folder: Path
) -> None:
    """LMResiliency #82: a save that was killed is the latest, and a good one before it is lost."""
    tear(folder / "gen-10", name)
    assert words_are_of(9, folder)
    ((passed, why),) = newest(folder).passed_over
    assert passed == "gen-10"
    assert why.startswith("[checkpoint-") and str(folder / "gen-10") in why
    for each in in_order(folder / "gen-9"):
        _torn(folder / "gen-9", each)
    assert words_are_of(3, folder)
    assert [passed for passed, _ in newest(folder).passed_over] == ["gen-10", "gen-9"]


def test_K05_nothing_whole(folder: Path) -> None:
    """The notes say why each isn't."""
    for generation in ("gen-3", "gen-9", "gen-10"):
        _torn(folder / generation, "shard-0.safetensors")
    with pytest.raises(Refusal) as caught:
        newest(folder)
    assert caught.value.code == "checkpoint-missing"
    assert caught.value.found == "none of 3"
    notes = [note.message for note in caught.value.notes]
    assert [note.partition(":")[0] for note in notes] == ["gen-10", "gen-9", "gen-3"]
    assert all("[checkpoint-digest]" in note and "shard-0.safetensors" in note for note in notes)


def test_what_was_begun_is_said_and_passed_over(folder: Path) -> None:
    """Also where all files of it are there: it never got its name."""
    partial = partial_name(12, RUN)
    (folder / "gen-10").rename(folder / partial)
    (folder / partial_name(2, RUN)).mkdir()
    assert words_are_of(9, folder)
    ((name, why),) = newest(folder).passed_over
    assert name == partial
    wanted = (
        f"expected a generation in {folder / partial}, found one that was begun and not finished"
    )
    assert why == f"[checkpoint-missing] {wanted}"


def test_a_generation_under_another_version(folder: Path) -> None:
    """What counts is what is in it; in a folder of them its name has to say that."""
    (folder / "gen-10").rename(folder / "gen-11")
    assert words_are_of(9, folder)
    ((name, why),) = newest(folder).passed_over
    assert name == "gen-11"
    assert "found one of version 10" in why
    assert newest(folder / "gen-11").generation.version == 10


@pytest.mark.parametrize("kind", ["file", "link", "pipe", "dangling"])
def test_no_folder_under_the_name_of_one(kind: str, folder: Path) -> None:
    path = folder / "gen-12"
    match kind:
        case "file":
            path.write_bytes(b"")
        case "link":
            path.symlink_to("gen-10")
        case "pipe":
            os.mkfifo(path)
        case _:
            path.symlink_to("nowhere")
    assert words_are_of(10, folder)
    assert "no folder of its own" in newest(folder).passed_over[0][1]


def test_names_that_are_no_generations(folder: Path) -> None:
    for name in ("gen-011", "gen-", "gen-1e3", "Gen-12", "gen-12.old", "gen-18446744073709551616"):
        (folder / name).mkdir()
    (folder / "notes.txt").write_text("?")
    found = newest(folder)
    assert (found.generation.version, found.passed_over) == (10, [])


def test_a_path_may_name_a_generation_itself(folder: Path) -> None:
    """Then it is that one, or none."""
    found = newest(folder / "gen-3")
    assert (found.generation.version, found.passed_over) == (3, [])
    _torn(folder / "gen-3", "shard-1.safetensors")
    with pytest.raises(Refusal) as caught:
        newest(str(folder / "gen-3"))
    assert caught.value.code == "checkpoint-digest"


@pytest.mark.parametrize("kind", ["nothing", "file", "empty", "dangling"])
def test_no_generation_at_a_path(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "path"
    match kind:
        case "file":
            path.write_text("?")
        case "empty":
            path.mkdir()
        case "dangling":
            path.symlink_to("nowhere")
        case _:
            assert kind == "nothing"
    with pytest.raises(Refusal) as caught:
        newest(path)
    assert caught.value.code == "checkpoint-missing"
    assert caught.value.expected == f"a generation at {path}, or a folder of generations"
    found = {"file": "a file", "empty": "a folder without one"}.get(kind, "no such file or folder")
    assert (caught.value.found, caught.value.notes) == (found, ())


def test_a_failing_disk_is_no_reason_to_go_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What can't be read may be whole: an older one isn't taken in its place."""
    reads = os.preadv

    def failing(descriptor: int, buffers: list[memoryview], offset: int) -> int:
        if "gen-10/shard" in os.readlink(f"/proc/self/fd/{descriptor}"):
            raise OSError(5, "Input/output error")
        return reads(descriptor, buffers, offset)

    monkeypatch.setattr(os, "preadv", failing)
    with pytest.raises(OSError, match="Input/output error") as caught:
        newest(folder)
    assert caught.value.filename == str(folder / "gen-10" / "shard-0.safetensors")


@pytest.mark.parametrize("error", [errno.EMFILE, errno.EACCES, errno.EIO])
@pytest.mark.parametrize("name", ["manifest.json", "manifest-1.json", "shard-1.safetensors"])
def test_a_file_that_cant_be_opened(
    name: str, error: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens = os.open

    def failing(path: str | Path, *flags: int, **keys: int) -> int:
        if str(path) == str(folder / "gen-10" / name):
            raise OSError(error, os.strerror(error), str(path))
        return opens(path, *flags, **keys)

    monkeypatch.setattr(os, "open", failing)
    with pytest.raises(OSError) as caught:
        newest(folder)
    assert (caught.value.errno, caught.value.filename) == (error, str(folder / "gen-10" / name))


def test_a_file_that_becomes_shorter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is read: there is nothing any more where bytes were."""
    reads = os.preadv

    def ending(descriptor: int, buffers: list[memoryview], offset: int) -> int:
        return 0 if offset else reads(descriptor, [buffers[0][:100]], offset)

    monkeypatch.setattr(os, "preadv", ending)
    with pytest.raises(Refusal, match="bytes that manifest.json had when it was opened, found 100"):
        newest(folder / "gen-10")


def test_short_reads_are_taken_up_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = os.preadv

    def short(descriptor: int, buffers: list[memoryview], offset: int) -> int:
        return reads(descriptor, [buffers[0][:5]], offset)

    monkeypatch.setattr(os, "preadv", short)
    assert words_are_of(10, folder)


def test_a_file_of_another_length_isnt_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it is; only manifests are."""
    os.truncate(folder / "gen-10" / "shard-0.safetensors", 1 << 40)
    reads: list[str] = []
    preadv = os.preadv

    def counted(descriptor: int, buffers: list[memoryview], offset: int) -> int:
        reads.append(os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}")))
        return preadv(descriptor, buffers, offset)

    monkeypatch.setattr(os, "preadv", counted)
    with pytest.raises(Refusal) as caught:
        newest(folder / "gen-10")
    assert (caught.value.code, caught.value.found) == ("checkpoint-digest", f"{1 << 40} bytes")
    assert reads == ["manifest.json", "manifest-1.json"]


def test_progress_ends_at_all_bytes(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    newest(folder, lambda done, total: told.append((done, total)))
    total = sum(path.stat().st_size for path in (folder / "gen-10").glob("shard-*"))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (total, total)


def test_what_is_removed_while_it_is_looked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever keeps the newest alone has written another one before; then there is more to list."""
    opens, listings, lists = Generation.open.__func__, [0], os.listdir

    def listing(path: Path) -> list[str]:
        listings[0] += 1
        return lists(path)

    def removing(cls: type[Generation], path: Path) -> Generation:
        """Somebody publishes a newer one, and removes all others, before this one is opened."""
        if listings[0] < 4:
            others = [folder / name for name in lists(folder)]
            write(folder, FACTS, state_of(FACTS), 20 + listings[0])
            for other in others:
                shutil.rmtree(other)
        return opens(cls, path)

    monkeypatch.setattr(os, "listdir", listing)
    monkeypatch.setattr(Generation, "open", classmethod(removing))
    found = newest(folder)
    assert (found.generation.version, found.passed_over, listings) == (23, [], [4])


def test_an_end_of_looking(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a folder in which each one always goes before it is read."""
    opens, opened = Generation.open.__func__, [100]

    def removing(cls: type[Generation], path: Path) -> Generation:
        shutil.rmtree(path)
        opened[0] += 1
        write(folder, FACTS, state_of(FACTS), opened[0])
        return opens(cls, path)

    monkeypatch.setattr(Generation, "open", classmethod(removing))
    with pytest.raises(Refusal) as caught:
        newest(folder)
    # There are three in each of the eight listings.
    assert (caught.value.code, opened) == ("checkpoint-missing", [100 + 3 * 8])


def test_what_has_gone_is_not_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opens = Generation.open.__func__

    def removing(cls: type[Generation], path: Path) -> Generation:
        if path.name == "gen-10":
            shutil.rmtree(path)
        return opens(cls, path)

    monkeypatch.setattr(Generation, "open", classmethod(removing))
    found = newest(folder)
    assert (found.generation.version, found.passed_over) == (9, [])
