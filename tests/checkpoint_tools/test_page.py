"""What docs/checkpoint.md quotes is what the tools print, from the run that it begins with."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkpoint_tools.calling import DIABETES, ROOT, Alpha

PAGE = (ROOT / "docs" / "checkpoint.md").read_text(encoding="utf-8")


def quoted(begins: str) -> list[str]:
    """The lines of the page's block of text that begins so."""
    _, _, rest = PAGE.partition(f"```text\n{begins}")
    assert rest
    return (begins + rest.partition("\n```")[0]).splitlines()


def test_what_the_page_quotes(
    alpha: Alpha, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comparison of equal words, and the first row of one that differs."""
    monkeypatch.chdir(tmp_path)
    storing = ("--checkpoint=trained", "--checkpoint-every=3")
    alpha("run", DIABETES, "--partition=optimizer", "--interpret=role", "--rounds=7", *storing)
    moving = "reshard trained moved --owners 2 --topology pair --partition parameters,optimizer"
    assert f"alpha checkpoint {moving} --map block\n" in PAGE
    alpha.done("checkpoint", *moving.split(), "--map", "block")
    equal = alpha.done("checkpoint", "diff", "trained", "moved")
    assert equal.splitlines() == quoted("trained/gen-7")
    other = alpha("checkpoint", "diff", "trained/gen-6", "trained/gen-7")
    assert other.status == 1
    printed = [" ".join(line.split()) for line in other.out.splitlines()]
    for line in quoted("  field"):
        assert " ".join(line.split()) in printed
