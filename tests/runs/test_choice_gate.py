"""The choice gate across three real processes: it finishes, and its mutants are refused by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from runs.conversations import at, record, sealed
from runs.played import Stage
from runs.processes import EXAMPLES, Done, alpha
from runs.stands import gate, performed

from alpha.ir.refusals import Refusal
from alpha.tools.mains import alpha_opt

GATE = EXAMPLES / "choice_gate.mlir"


def run(kind: str, folder: Path) -> Done:
    """Project and change it, and run it as a user would."""
    path = folder / "mutant.mlir"
    arguments = [str(GATE), "--project-role", f"--mutate=kind={kind}", "-o", str(path)]
    assert alpha_opt.main(arguments) == 0
    return alpha("run", path, "--interpret=role", "--unchecked")


def test_the_gate_is_passed() -> None:
    done = alpha("run", GATE, "--interpret=role")
    assert (done.status, done.said) == (0, "")
    assert done.out.splitlines()[-1] == "3 roles finished"


REFUSED = {
    "inverted-choice": (1, "frame-edge", "site 1 in the frame from role 0 to role 1 .*"),
    "independent-forwarder": (2, "frame-edge", "site 2 in the frame from role 1 to role 2 .*"),
    "noncanonical-word": (0, "protocol-choice-noncanonical", "a word from 0 to 1, found 2"),
    "frame-binding": (2, "frame-identity", "run_identity .* in the frame from role 1 to role 2 .*"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_mutant_is_refused_by_one_role_and_loses_the_others(kind: str, tmp_path: Path) -> None:
    role, code, expected = REFUSED[kind]
    done = run(kind, tmp_path)
    assert done.status == 3
    first, *rest = done.said.splitlines()
    assert re.fullmatch(f"alpha: role {role}: refused {code}: expected {expected}", first), done
    others = sorted({0, 1, 2} - {role})
    assert sorted(rest)[0].startswith(f"alpha: role {others[0]}: lost role ")
    assert sorted(rest)[1].startswith(f"alpha: role {others[1]}: lost role ")
    assert len(rest) == 2 and "finished" not in done.out


@pytest.mark.parametrize("word", [2, -1, 1 << 62, 7])
@pytest.mark.parametrize(("role", "peer"), [(1, 0), (2, 1)])
def test_a_word_that_is_told_is_looked_at(role: int, peer: int, word: int) -> None:
    """By whoever hears it, before an arm is taken or the word relayed."""
    stage = Stage(record(gate(), None), role)
    frames = stage.frames(peer)
    told = sealed(frames[0][:88] + word.to_bytes(8, "little", signed=True) + bytes(32))
    assert at("extent", told) == 8 and len(told) == len(frames[0])
    said = stage.script(peer, told + b"".join(frames[1:]))
    found = performed(stage, {peer: said})
    refusal = found.end.error
    assert isinstance(refusal, Refusal)
    assert refusal.code == "protocol-choice-noncanonical"
    assert (refusal.expected, refusal.found) == ("a word from 0 to 1", str(word))
    assert [kind for kind, *_ in found.happened] == ["received"], "it does nothing with it"
    assert not any(found.sent.values()) and not found.published
