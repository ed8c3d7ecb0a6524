"""Roles whose local work is done by kernels: alone, among native ones, and with wrong copies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import alpha.interpreters.protocol as protocol
from alpha.backends.ptx.devices import INTERPRETER, open_device
from alpha.backends.ptx.role_work import DeviceWork
from alpha.interpreters.beginnings import begin_work
from alpha.tools.mains import alpha

EXAMPLES = ("diabetes_adam", "least_squares_momentum", "digits_perceptron", "local_correlation")
MODES = ("none", "optimizer", "optimizer,parameters", "optimizer,parameters,gradients")
ROUNDS = "3"


def digest(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The digest of a run that ends well."""
    assert alpha.main(["run", *arguments]) == 0, capsys.readouterr().err
    return re.findall(r"^state (sha256:[0-9a-f]{64})$", capsys.readouterr().out, re.MULTILINE)[-1]


def on_devices(monkeypatch: pytest.MonkeyPatch, make: type[DeviceWork] = DeviceWork) -> list[int]:
    """Have every role of a simulated run work on a device; who does is noted."""
    seen: list[int] = []

    def begin(op, prepared, role, words, states=None):
        seen.append(role)
        on = partial(make, open=partial(open_device, INTERPRETER))
        return begin_work(op, prepared, role, words, states, on)

    monkeypatch.setattr(protocol, "begin_work", begin)
    return seen


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_kernels_do_the_work_of_roles(
    name: str, mode: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = "1" if name.startswith("digits") else ROUNDS
    run = [f"examples/{name}.mlir", "--owners", "3", "--rounds", rounds]
    run += ["--interpret=protocol", "--partition", mode]
    wanted = digest(capsys, *run)
    seen = on_devices(monkeypatch)
    assert digest(capsys, *run) == wanted
    assert sorted(seen) == [0, 1, 2]


def test_roles_on_devices_among_native_ones_and_resumed_with_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = "examples/diabetes_adam.mlir"
    device = ("--device", INTERPRETER)
    wanted = digest(capsys, file, "--rounds", "4", "--interpret=learner")
    mixed = ("--targets", "sm86,x86-64,aarch64")
    assert digest(capsys, file, "--rounds", "4", *mixed, *device) == wanted
    kept = ("--checkpoint", str(tmp_path / "kept"))
    digest(capsys, file, "--rounds", "2", "--checkpoint-every", "2", *mixed, *device, *kept)
    permuted = ("--targets", "aarch64,sm86,sm86,x86-64")
    resumed = (file, "--rounds", "4", "--resume", str(tmp_path / "kept"))
    assert digest(capsys, *resumed, *permuted, *device) == wanted


class Corrupting(DeviceWork):
    """Changes what the host has of the words that kernels made, behind each round."""

    def publish(self, op, values: Sequence[np.ndarray]) -> None:
        super().publish(op, values)
        if self.version < int(ROUNDS):
            for words in self.owner.words.values():
                words[...] = 1234.5


class CorruptingDevice(DeviceWork):
    """Changes the words on the device, behind the first round."""

    def publish(self, op, values: Sequence[np.ndarray]) -> None:
        super().publish(op, values)
        if self.version == 1:
            for words in self.owner.words.values():
                self._device.write(self._resident.address(words), np.full_like(words, 0.25))


def test_the_device_has_the_words_that_count(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong copy on the host changes nothing; wrong words on the device change the result."""
    run = ["examples/diabetes_adam.mlir", "--rounds", ROUNDS, "--interpret=protocol"]
    run += ["--owners", "1", "--partition", "none"]
    wanted = digest(capsys, *run)
    on_devices(monkeypatch, Corrupting)
    assert digest(capsys, *run) == wanted
    on_devices(monkeypatch, CorruptingDevice)
    assert digest(capsys, *run) != wanted
