"""The kernels that select, place and look at words, and roles whose words are on a device alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ptx.assembler import ASSEMBLERS, assembled
from ptx.kernels import ORDERS
from ptx.test_roles import digest, on_devices
from xdsl.dialects.builtin import ModuleOp

from alpha.backends.ptx.equality import emitted_kernels
from alpha.backends.ptx.interpreter.faults import Fault
from alpha.backends.ptx.interpreter.launcher import InterpretedLauncher
from alpha.backends.ptx.moving import FLAG_BYTES, Moving, moving_kernels
from alpha.backends.ptx.resident import Resident
from alpha.backends.ptx.role_work import DeviceWork
from alpha.tools.mains import alpha

COUNTS = (0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 10_000)
KINDS = {"f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}
TEXT = emitted_kernels(ModuleOp(moving_kernels(KINDS))).text
both = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
orders = pytest.mark.parametrize("order", ORDERS)


@both
@orders
@pytest.mark.parametrize("count", COUNTS)
def test_words_are_selected_and_placed(order: str, count: int, kind: np.dtype) -> None:
    device = InterpretedLauncher(TEXT, order)
    moving, resident = Moving(device), Resident(device)
    generator = np.random.default_rng(count)
    whole = generator.standard_normal(2 * count + 3).astype(kind)
    places = np.sort(generator.permutation(whole.size)[:count])
    table = moving.table(places)
    own = resident.made((count,), kind)
    assert np.isnan(own).all()
    moving.select(resident.address(whole), resident.address(own), table, count, kind)
    assert resident.capture(own).tobytes() == whole[places].tobytes()
    there = np.full_like(whole, 7)
    moving.place(resident.address(own), resident.address(there), table, count, kind)
    found = device.read(resident.address(there), kind, there.size)
    wanted = there.copy()
    wanted[places] = whole[places]
    assert found.tobytes() == wanted.tobytes()


@both
@orders
@pytest.mark.parametrize("count", [count for count in COUNTS if count])
def test_one_word_that_is_not_finite_is_seen(order: str, count: int, kind: np.dtype) -> None:
    device = InterpretedLauncher(TEXT, order)
    moving = Moving(device)
    words = np.full(count, np.finfo(kind).max, kind)
    words[::2] = np.finfo(kind).smallest_subnormal
    address = device.allocate(words.nbytes)
    for at in sorted({0, count // 2, count - 1}):
        for value in (np.inf, -np.inf, np.nan):
            changed = words.copy()
            changed[at] = value
            device.write(address, changed)
            assert not moving.is_finite(address, count, kind)
    device.write(address, words)
    assert moving.is_finite(address, count, kind)


@both
def test_of_no_words_all_are_finite(kind: np.dtype) -> None:
    device = InterpretedLauncher(TEXT)
    assert Moving(device).is_finite(device.allocate(1), 0, kind)


def test_flags_lie_in_their_memory() -> None:
    """The most flags that there are end where their memory ends: one byte less is a fault."""
    device = InterpretedLauncher(TEXT)
    words = np.ones(40_000)
    address = device.allocate(words.nbytes)
    device.write(address, words)
    moving = Moving(device)
    moving._flags = device.allocate(FLAG_BYTES)
    assert moving.is_finite(address, words.size, words.dtype)
    moving._flags = device.allocate(FLAG_BYTES - 1)
    with pytest.raises(Fault):
        moving.is_finite(address, words.size, words.dtype)


def test_assemblers_take_the_kernels_and_spill_nothing(tmp_path: Path) -> None:
    for assembler in ASSEMBLERS:
        made = assembled(assembler, TEXT, tmp_path)
        assert len(made) == 7 and not any(each.spilled for each in made.values())


def test_places_outside_of_a_value_are_a_fault() -> None:
    device = InterpretedLauncher(TEXT)
    moving, resident = Moving(device), Resident(device)
    whole, own = np.ones(8), np.ones(2)
    table = moving.table(np.array([0, 8]))
    given = (resident.address(whole), resident.address(own), table, 2, whole.dtype)
    with pytest.raises(Fault):
        moving.select(*given)


SOURCE = "examples/least_squares_momentum.mlir"


@pytest.mark.parametrize("mode", ["none", "optimizer", "optimizer,parameters"])
def test_words_that_are_not_finite_are_refused_as_elsewhere(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rate under which the state soon overflows: the same coordinate of the same version."""
    text = Path(SOURCE).read_text()
    changed = text.replace("@rate : f64 = 0.05", "@rate : f64 = 1.0e100")
    file = tmp_path / "diverging.mlir"
    file.write_text(changed)
    assert changed != text
    run = ["run", str(file), "--owners", "2", "--partition", mode]
    run += ["--interpret=protocol", "--rounds", "9"]
    assert alpha.main(run) == 3
    wanted = capsys.readouterr().err
    assert "numeric-nonfinite" in wanted
    on_devices(monkeypatch)
    assert alpha.main(run) == 3
    assert capsys.readouterr().err == wanted


def test_a_state_that_nobody_sends_stays_on_the_device(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    captured: list[tuple[int, ...]] = []

    class Watching(Resident):
        def capture(self, array: np.ndarray) -> np.ndarray:
            if self.is_stale(array):
                captured.append(array.shape)
            return super().capture(array)

    monkeypatch.setattr("alpha.backends.ptx.role_work.Resident", Watching)
    run = [SOURCE, "--owners", "2", "--partition", "optimizer", "--rounds", "5"]
    run.append("--interpret=protocol")
    wanted = digest(capsys, *run)
    on_devices(monkeypatch, DeviceWork)
    assert digest(capsys, *run) == wanted
    # Of each role: a loss and a gradient in each round, its half of @w, which all others get, and
    # its half of @u once, when it is published.
    assert sorted(captured) == [*[()] * 10, *[(2,)] * 12, *[(4,)] * 10]
