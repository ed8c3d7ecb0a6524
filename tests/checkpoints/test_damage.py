"""Files of a generation that were damaged, lost or mixed up: each is refused, and named.

Nothing that is changed here is signed again, so that a digest, or in the root's manifest what the
shards say, has to notice it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkpoints.makings import RUN, SMALL, bits, facts_of, state_of, write
from checkpoints.tampering import copied, in_order

from alpha.ir.checkpoints.reading import Generation, newest
from alpha.ir.refusals import Refusal

RESUMED = (3, "5" * 64)
ROOT = "manifest.json"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generation of three roles, of which the last is below the second."""
    facts = facts_of(SMALL, 3, "tree<1>", resumed=RESUMED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return write(tmp_path_factory.mktemp("whole"), facts, state_of(facts))


@pytest.fixture
def generation(whole: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    shutil.copytree(whole, tmp_path / "gen-7")
    return tmp_path / "gen-7"


def refusal_of(folder: Path) -> Refusal:
    """How a generation is refused; with one that is accepted the test fails."""
    try:
        newest(folder)
    except Refusal as refusal:
        assert refusal.code.startswith("checkpoint-"), refusal.lines()
        return refusal
    raise AssertionError(f"{folder} was accepted")


def assert_refused(folder: Path, file: str, *codes: str) -> None:
    """See that a generation is refused, that the refusal names the file, and that codes fit."""
    refusal = refusal_of(folder)
    text = "\n".join(refusal.lines())
    assert file in text, (file, text)
    assert not codes or refusal.code in codes, text
    assert refusal.place is not None and refusal.place.file.startswith(str(folder)), text


def test_the_generation_as_it_was_is_accepted(generation: Path) -> None:
    assert newest(generation).generation.version == 7
    assert in_order(generation) == [
        *("manifest-1.json", "manifest-2.json", ROOT),
        *(f"shard-{role}.safetensors" for role in range(3)),
    ]


def flips(size: int, every: bool) -> Iterator[tuple[int, int]]:
    """An offset, and which bits of the byte there are flipped."""
    for at in range(size):
        yield at, 1 << at % 8
        if every:
            yield at, 0xFF
            # What makes another letter of a blank, and another digit of a digit.
            yield at, 0x2A
            yield at, 0x01


@pytest.mark.parametrize("name", [ROOT, "manifest-1.json", "shard-0.safetensors"])
def test_no_flipped_byte_is_accepted(name: str, generation: Path) -> None:
    """The root's manifest is named by no digest: all that it says is said again elsewhere."""
    path = generation / name
    data = path.read_bytes()
    for at, mask in flips(len(data), every=name == ROOT):
        path.write_bytes(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])
        assert_refused(generation, name)
    path.write_bytes(data)
    newest(generation)


@pytest.mark.parametrize("name", [ROOT, "shard-0.safetensors"])
def test_no_flipped_byte_of_a_role_alone_is_accepted(name: str, tmp_path: Path) -> None:
    """Without another manifest, the shard alone says what the root's does."""
    facts = facts_of(SMALL[:1], 1, name="sole")
    path = write(tmp_path, facts, state_of(facts)) / name
    data = path.read_bytes()
    for at, mask in flips(len(data), every=name == ROOT):
        path.write_bytes(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])
        assert_refused(path.parent, name)


@pytest.mark.parametrize("name", ["manifest-2.json", "shard-1.safetensors", "shard-2.safetensors"])
def test_a_digest_notices_every_flipped_byte(name: str, generation: Path) -> None:
    path = generation / name
    data = path.read_bytes()
    for at, mask in flips(len(data), every=False):
        path.write_bytes(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])
        assert_refused(generation, name, "checkpoint-digest")


@pytest.mark.parametrize("role", range(3))
def test_no_truncated_shard_is_accepted(role: int, generation: Path) -> None:
    path = generation / f"shard-{role}.safetensors"
    for size in range(path.stat().st_size - 1, -1, -1):
        os.truncate(path, size)
        assert_refused(generation, path.name, "checkpoint-digest")


def test_no_truncated_manifest_is_accepted(generation: Path) -> None:
    for name in ("manifest-2.json", "manifest-1.json", ROOT):
        path = generation / name
        data = path.read_bytes()
        for size in range(len(data) - 1, -1, -1):
            os.truncate(path, size)
            code = "checkpoint-manifest" if name == ROOT else "checkpoint-digest"
            assert_refused(generation, name, code)
        path.write_bytes(data)


def test_nothing_may_stand_behind_a_file(generation: Path) -> None:
    for name in in_order(generation):
        path = generation / name
        data = path.read_bytes()
        for more in (b"\n", b"\0", data):
            path.write_bytes(data + more)
            assert_refused(generation, name)
        path.write_bytes(data)


def test_every_file_has_to_be_there(generation: Path) -> None:
    for name in in_order(generation):
        for change in (os.unlink, _fold, _link, _pipe, _dangle):
            folder = copied(generation, "changed")
            change(folder / name)
            if change is os.unlink and name == ROOT:
                assert refusal_of(folder).code == "checkpoint-missing"
            else:
                code = "checkpoint-missing" if name == ROOT else "checkpoint-shard-missing"
                assert_refused(folder, name, code)


def _fold(path: Path) -> None:
    """A folder in place of a file."""
    path.unlink()
    path.mkdir()


def _link(path: Path) -> None:
    """A link to a file with the same bytes."""
    path.rename(path.with_name("aside"))
    path.symlink_to("aside")


def _dangle(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _pipe(path: Path) -> None:
    """A pipe, which nobody writes to."""
    path.unlink()
    os.mkfifo(path)


def test_files_in_each_others_places(generation: Path) -> None:
    names = in_order(generation)
    for one in names:
        for other in names:
            if one == other:
                continue
            folder = copied(generation, "changed")
            (folder / one).rename(folder / "aside")
            (folder / other).rename(folder / one)
            (folder / "aside").rename(folder / other)
            assert refusal_of(folder).code in (
                *("checkpoint-digest", "checkpoint-manifest", "checkpoint-shard-missing"),
            )


def test_one_content_under_two_names(generation: Path) -> None:
    """A file in place of another one, as a copy or as a second name of it."""
    names = in_order(generation)
    for one in names:
        for other in names:
            for put in (shutil.copyfile, os.link):
                if one == other:
                    continue
                folder = copied(generation, "changed")
                (folder / other).unlink()
                put(folder / one, folder / other)
                assert_refused(folder, other, "checkpoint-digest", "checkpoint-manifest")


def test_a_file_under_another_name(generation: Path) -> None:
    for name in in_order(generation):
        folder = copied(generation, "changed")
        (folder / name).rename(folder / f"{name}.old")
        code = "checkpoint-missing" if name == ROOT else "checkpoint-shard-missing"
        assert refusal_of(folder).code == code


@pytest.mark.parametrize("other", ["words", "version", "run", "learner", "owners", "topology"])
def test_files_of_another_generation(other: str, generation: Path, tmp_path: Path) -> None:
    """Each file alone in the place of the one that has its name, and all but one."""
    version = 8 if other == "version" else 7
    facts = facts_of(
        SMALL,
        4 if other == "owners" else 3,
        "star" if other == "topology" else "tree<1>",
        run=RUN[::-1] if other == "run" else RUN,
        name="other" if other == "learner" else "least",
        resumed=RESUMED,
    )
    state = state_of(facts, 1 if other == "words" else 0)
    (tmp_path / "other").mkdir()
    elsewhere = write(tmp_path / "other", facts, state, version)
    for name in in_order(generation):
        data, foreign = (generation / name).read_bytes(), (elsewhere / name).read_bytes()
        if data == foreign:
            continue
        (generation / name).write_bytes(foreign)
        assert refusal_of(generation).code != "checkpoint-missing"
        (generation / name).write_bytes(data)
        (elsewhere / name).write_bytes(data)
        assert refusal_of(elsewhere).code != "checkpoint-missing"
        (elsewhere / name).write_bytes(foreign)
    newest(generation)
    newest(elsewhere)


def test_other_files_are_left_alone(generation: Path) -> None:
    """What no manifest names is no part of the generation."""
    for name in ("shard-3.safetensors", "manifest-0.json", "notes.txt"):
        (generation / name).write_bytes(b"?")
    (generation / "gen-9").mkdir()
    assert newest(generation).generation.version == 7


def test_a_shard_that_changes_after_it_was_verified(generation: Path) -> None:
    """Its length is looked at again whenever words are read."""
    found = newest(generation).generation
    wanted = bits(found.read_words("w"))
    path = generation / "shard-1.safetensors"
    os.truncate(path, path.stat().st_size - 8)
    with pytest.raises(Refusal, match=r"shard|bytes") as caught:
        found.read_words("w")
    assert caught.value.code == "checkpoint-digest"
    os.unlink(path)
    with pytest.raises(Refusal) as caught:
        found.read_words("w")
    assert caught.value.code == "checkpoint-shard-missing"
    assert wanted != b""


def test_shards_are_looked_at_without_their_words(generation: Path) -> None:
    """Length and header are compared; a flipped word is for the digest to notice."""
    found = Generation.open(generation)
    path = generation / "shard-2.safetensors"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    found.check_shards()
    for change, code in (
        (
            lambda: path.write_bytes(data.replace(b"alpha-shard-1", b"alpha-shard-2")),
            "checkpoint-shard",
        ),
        (lambda: path.write_bytes(data[:-1]), "checkpoint-digest"),
        (path.unlink, "checkpoint-shard-missing"),
    ):
        change()
        with pytest.raises(Refusal) as caught:
            Generation.open(generation).check_shards()
        assert caught.value.code == code


def test_a_generation_may_be_anywhere(generation: Path, tmp_path: Path) -> None:
    """It is what is in it that counts: its folder may be renamed, or reached by a link."""
    moved = generation.rename(tmp_path / "kept")
    assert Generation.open(moved).version == 7
    (tmp_path / "link").symlink_to("kept")
    assert newest(tmp_path / "link").generation.version == 7
