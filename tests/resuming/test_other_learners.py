"""A generation is gone on from by the learner that wrote it; another is refused by its first part.

What is allowed to differ takes effect at that round, and nothing else does.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle_comparison.running import example_text
from resuming.plain_learner import going_on, versions_of
from resuming.runs import LEVELS, Side, Store, difference, refused, run

STOP, ENDS = 3, 7
TEXT = example_text("least_squares_adam", "f64")

EDITS = {
    "state w": ("@w : tensor<4xf64> = dense<0.0>", "@w : tensor<4xf64> = dense<-0.0>"),
    "state b1_power": ("@b1_power : f64 = 1.0 {shared}", "@b1_power : f64 = 2.0 {shared}"),
    "constant rate": ("@rate : f64 = 0.05", "@rate : f64 = 0.0500001"),
    "samples data": ("-0.6, 3.0, 0.05, 1.3", "-0.6, 3.0, 0.05, 1.4"),
    "contribution gradient": ("%r = arith.subf %p, %y : f64", "%r = arith.subf %y, %p : f64"),
    "update adam": ("%q1 = arith.mulf %p1, %b1 : f64", "%q1 = arith.mulf %b1, %p1 : f64"),
}
"""One edit of each kind of part, by the part that it changes."""


def learner(folder: Path, name: str, *edits: tuple[str, str]) -> Path:
    """The example with these edits, in a file of its own."""
    text = TEXT
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / f"{name}.mlir"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, Store]:
    """The example, and where it has stored a generation."""
    file, store = learner(tmp_path, "own"), Store(tmp_path / "generations")
    run(file, Side("shard", modes=("optimizer",)), STOP, tmp_path, store=store)
    return file, store


@pytest.mark.parametrize("part", EDITS)
def test_another_learner_is_refused_by_the_part(
    part: str, written: tuple[Path, Store], tmp_path: Path
) -> None:
    """At every level, before anything is run or stored; with the part allowed it goes on."""
    _, store = written
    file, name = learner(tmp_path, "other", EDITS[part]), part.partition(" ")[2]
    before = versions_of(written[0], STOP).at(STOP)
    wanted = going_on(file, before, STOP, ENDS)
    for level in LEVELS:
        told = refused(file, Side(level), ENDS, f"--resume={store.path}")
        assert told.status == 1
        first, *notes = told.said.splitlines()
        assert first.startswith(
            f"alpha: error: [checkpoint-learner] expected the {part} of sha256:"
        )
        assert not notes and not told.out
    for level in LEVELS[:4]:
        given = {"resume": store.path, "more": (f"--allow={name}",)}
        found = run(file, Side(level), ENDS, tmp_path, **given)
        assert difference(found, wanted.outcome(STOP, ENDS)) is None


def test_the_first_part_that_differs_is_named_and_others_are_noted(
    written: tuple[Path, Store], tmp_path: Path
) -> None:
    _, store = written
    file = learner(tmp_path, "other", *EDITS.values())
    told = refused(file, Side("shard"), ENDS, f"--resume={store.path}")
    first, *notes = told.said.splitlines()
    assert "expected the state w of sha256:" in first
    assert [note.partition("the ")[2].partition(" of")[0] for note in notes] == list(EDITS)[1:]
    allowed = [f"--allow={part.partition(' ')[2]}" for part in EDITS]
    told = refused(file, Side("shard"), ENDS, f"--resume={store.path}", *allowed[:-1])
    assert "expected the update adam of" in told.said and "note" not in told.said
    given = {"resume": store.path, "more": allowed}
    run(file, Side("shard"), ENDS, tmp_path, **given)


def test_the_rate_may_be_lowered_from_a_round_on(tmp_path: Path) -> None:
    """As the interpreter does with the words in memory: for each stop another result."""
    slow = learner(tmp_path, "slow", ("@rate : f64 = 0.05", "@rate : f64 = 0.01"))
    file = learner(tmp_path, "own")
    whole, digests = versions_of(file, ENDS), set[str]()
    for stop in range(1, 7):
        store = Store(tmp_path / f"stop-{stop}")
        run(file, Side("role", modes=("parameters",)), stop, tmp_path, store=store)
        wanted = going_on(slow, whole.at(stop), stop, ENDS)
        given = {"resume": store.path, "more": ("--allow=rate",)}
        found = run(slow, Side("protocol", owners=None), ENDS, tmp_path, **given)
        assert difference(found, wanted.outcome(stop, ENDS)) is None
        digests.add(found.digest)
    assert len(digests) == 6


@pytest.mark.parametrize("level", LEVELS)
def test_a_name_of_no_part_is_refused(
    level: str, written: tuple[Path, Store], tmp_path: Path
) -> None:
    """Who mistypes a name wouldn't learn of it otherwise."""
    file, store = written
    told = refused(file, Side(level), ENDS, f"--resume={store.path}", "--allow=rates")
    assert told.status == 1 and "[checkpoint-learner]" in told.said and "'rates'" in told.said


LINEAR = """
region.learner @linear attributes {{owners = #shard.owners<2, pair>}} {{
  region.state @w : {of} = {words}
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  pointwise.contribution @itself(%w : {of}) sample(%x : f64) -> (f64) {{
    pointwise.return %x
  }}
  pointwise.update @keep(%w : {of}, %g : f64) -> ({of}) {{
    pointwise.return %w
  }}
  region.round {{
    %w = region.read @w : {of}
    %s, %c = pointwise.sum @itself(%w) over @data : f64
    %g = pointwise.mean %s, %c
    %w1 = pointwise.apply @keep(%w, %g) : {of}
    region.advance @w = %w1
  }}
}}
"""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("of", ["tensor<5xf64>", "tensor<4xf32>", "f64", "tensor<2x2xf64>"])
def test_words_of_another_type_fit_nowhere(level: str, of: str, tmp_path: Path) -> None:
    """Also where every part is allowed to differ: four words are no five, and no two by two."""
    file, other = tmp_path / "own.mlir", tmp_path / "other.mlir"
    file.write_text(LINEAR.format(of="tensor<4xf64>", words="dense<0.5>"), encoding="utf-8")
    words = "dense<0.5>" if "tensor" in of else "0.5"
    other.write_text(LINEAR.format(of=of, words=words), encoding="utf-8")
    store = Store(tmp_path / "generations")
    run(file, Side("shard"), STOP, tmp_path, store=store)
    allowed = [f"--allow={name}" for name in ("w", "itself", "keep", "round")]
    told = refused(other, Side(level), ENDS, f"--resume={store.path}", *allowed)
    assert told.status == 1
    assert f"[checkpoint-learner] expected words of @w : {of} in " in told.said
    assert told.said.strip().endswith("found tensor<4xf64>")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("flag", "needed"),
    [("--checkpoint-every=3", "checkpoint"), ("--keep=2", "checkpoint"), ("--allow=w", "resume")],
)
def test_flags_that_need_another(level: str, flag: str, needed: str, tmp_path: Path) -> None:
    told = refused(learner(tmp_path, "own"), Side(level), 2, flag)
    assert told.status == 1
    name = flag.partition("=")[0]
    assert f"[checkpoint-path] expected --{needed} PATH with {name}, found none" in told.said


@pytest.mark.parametrize("level", LEVELS)
def test_a_whole_name_means_one_part(
    level: str, written: tuple[Path, Store], tmp_path: Path
) -> None:
    """As `alpha inspect` prints it; a name that a state and the round have means neither."""
    _, store = written
    file = learner(tmp_path, "other", EDITS["constant rate"])
    given = {"resume": store.path, "more": ("--allow=constant rate",)}
    run(file, Side(level), ENDS, tmp_path, **given)
    told = refused(file, Side(level), ENDS, f"--resume={store.path}", "--allow=state rate")
    assert "found 'state rate', which no part has" in told.said
