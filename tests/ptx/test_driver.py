"""The driver of GPUs: pycuda as it is, on what stands in for NVIDIA's library."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from code_level.running import case, differences, programs_of, words_maker
from native.programs import ELEMENTS, example
from ptx.stand_in.calls import uuid_of
from ptx.stand_in.loading import environment, load_stand_in

from alpha.backends.ptx.devices import INTERPRETER, check_device, open_device
from alpha.backends.ptx.driver import DeviceFailure, Gpu, available_bytes, find_gpus
from alpha.backends.ptx.equality import emitted_kernels
from alpha.backends.ptx.running import Buffers, run_plan
from alpha.interpreters.words import Words
from alpha.ir.refusals import Refusal
from alpha.tools.mains import alpha

MEGABYTE = 1_000_000
DEVICES = "8.6:1000000000,9.0:1000000,7.5:1000000"
ONE, OTHER, OLD = map(uuid_of, range(3))
FILE = "examples/diabetes_adam.mlir"
ALPHA = (sys.executable, "-P", "-m", "alpha.tools.alpha")
EMPTY = ".version 7.1\n.target sm_86\n.address_size 64\n"


@pytest.fixture(autouse=True, scope="module")
def _stand_in() -> None:
    load_stand_in(DEVICES)


def test_devices_are_found_by_their_uuid() -> None:
    assert find_gpus() == [
        Gpu(ONE, 0, "stand-in 0", (8, 6), 1000 * MEGABYTE),
        Gpu(OTHER, 1, "stand-in 1", (9, 0), MEGABYTE),
        Gpu(OLD, 2, "stand-in 2", (7, 5), MEGABYTE),
    ]
    check_device(ONE)
    check_device(OTHER.upper())
    assert available_bytes(OTHER) == MEGABYTE


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            uuid_of(3),
            f"with a GPU of this host: {ONE} (stand-in 0, compute capability 8.6, 1000 MB), ",
        ),
        (
            OLD,
            f"8.6 or later with --device, found {OLD} (stand-in 2, compute capability 7.5, 1 MB)",
        ),
        (f"{ONE}0", f"{INTERPRETER} or the UUID of a GPU, as GPU-8-4-4-4-12 digits"),
    ],
)
def test_other_devices_are_refused(name: str, expected: str) -> None:
    with pytest.raises(Refusal, match="--device") as refused:
        check_device(name)
    assert refused.value.code == "target-unsupported" and expected in refused.value.message


def test_words_come_back_and_memory_is_used_again() -> None:
    device = open_device(ONE, EMPTY)
    words = np.arange(1000.0)
    first = device.allocate(words.nbytes)
    assert first % 256 == 0
    device.write(first, words[::-1])
    device.write(first + 8 * 10, words[:5])
    found = device.read(first, np.float64, 1000)
    assert np.array_equal(found[:10], words[::-1][:10])
    assert np.array_equal(found[10:15], words[:5]) and found[15] == 984
    assert available_bytes(ONE) == 1000 * MEGABYTE - words.nbytes
    device.free(first)
    assert device.allocate(words.nbytes) == first
    assert device.allocate(words.nbytes) != first
    del device
    gc.collect()
    assert available_bytes(ONE) == 1000 * MEGABYTE


def test_memory_that_a_device_has_not_is_not_given() -> None:
    device = open_device(OTHER, EMPTY)
    held = device.allocate(600_000)
    with pytest.raises(MemoryError, match=f"{OTHER}: no 600000 bytes of memory: cuMemAlloc"):
        device.allocate(600_000)
    device.free(held)
    assert device.allocate(600_000) == held


def test_a_text_that_the_driver_does_not_take_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DeviceFailure, match=f"{ONE}: it doesn't take the kernels: cuModuleLoad"):
        open_device(ONE, EMPTY.replace("7.1", "seven"))
    device = open_device(ONE, EMPTY)
    with pytest.raises(DeviceFailure, match=f"{ONE}: @missing can't be launched: cuModuleGetFunc"):
        device.start("missing", 1, 1, [])


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("name", ["diabetes_adam", "local_correlation"])
def test_kernels_have_the_bits_of_the_interpreter(name: str, element: str) -> None:
    module = example(name, element)
    kernels = emitted_kernels(module)
    device = open_device(ONE, kernels.text)
    for program in programs_of(module):
        made = case(program, 33, Words(), words_maker(5, 0.1))
        inputs = [device.allocate(max(1, array.nbytes)) for array in made.arguments]
        for array, address in zip(made.arguments, inputs, strict=True):
            device.write(address, array)
        results = [device.allocate(max(1, array.nbytes)) for array in made.wanted]
        buffers = Buffers(device, kernels.plan(made.name), made.extents)
        run_plan(device, buffers, inputs, results)
        found = [
            device.read(address, array.dtype, array.size).reshape(array.shape)
            for array, address in zip(made.wanted, results, strict=True)
        ]
        assert not list(differences(made, found))


def run(folder: Path, devices: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run by `alpha`, in whose processes these devices are found."""
    given = [*ALPHA, "run", FILE, *arguments]
    return subprocess.run(
        given,
        env=environment(folder, devices),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def digest(ended: subprocess.CompletedProcess[str]) -> str:
    """The digest of a run that ended well."""
    assert ended.returncode == 0, ended.stderr
    return re.findall(r"^state (sha256:[0-9a-f]{64})$", ended.stdout, re.MULTILINE)[-1]


def test_roles_on_unequal_gpus_among_native_ones_and_resumed_with_others(tmp_path: Path) -> None:
    wanted = digest(run(tmp_path, "", "--rounds", "4", "--interpret=learner"))
    device = ("--device", f"{ONE},{OTHER}")
    kept = str(tmp_path / "kept")
    stored = ("--checkpoint-every", "2", "--checkpoint", kept)
    mixed = ("--targets", "sm86,x86-64,aarch64")
    half = run(tmp_path, DEVICES, "--rounds", "2", *mixed, *device, *stored)
    assert "2 for sm86" in half.stdout and digest(half) != wanted
    permuted = ("--targets", "aarch64,sm86,sm86,x86-64")
    assert (
        digest(run(tmp_path, DEVICES, "--rounds", "4", "--resume", kept, *permuted, *device))
        == wanted
    )


def test_memory_of_the_roles_of_a_device_is_added_up(tmp_path: Path) -> None:
    small = ("--rounds", "1", "--targets", "sm86", "--device")
    one = run(tmp_path, "8.6:1000", *small, ONE)
    found = re.search(
        r"expected (\d+) bytes of memory on (\S+) for 4 roles, found 1000 ", one.stderr
    )
    assert one.returncode == 1 and found is not None and found[2] == ONE
    needed = int(found[1])
    assert run(tmp_path, f"8.6:{needed - 1}", *small, ONE).returncode == 1
    assert run(tmp_path, f"8.6:{needed}", *small, ONE).returncode == 0
    assert (
        run(tmp_path, f"8.6:{needed - 1},8.6:{needed - 1}", *small, f"{ONE},{OTHER}").returncode
        == 0
    )


def test_a_failing_device_ends_the_run(tmp_path: Path) -> None:
    ended = run(
        tmp_path, "8.6:100000000:9", "--rounds", "4", "--targets", "sm86,x86-64", "--device", ONE
    )
    assert ended.returncode == 5 and "state sha256" not in ended.stdout
    assert re.search(
        rf"role [02]: failed: {ONE}: @\S+ can't be launched: cuLaunchKernel", ended.stderr
    )
    assert "Traceback" not in ended.stderr and "PyCUDA" not in ended.stderr


@pytest.mark.parametrize("failure", [DeviceFailure, MemoryError])
def test_a_device_that_cannot_be_asked_is_told(
    failure: type[Exception], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(uuid: str) -> int:
        raise failure(f"{uuid}: its memory can't be asked for: it is gone")

    monkeypatch.setattr("alpha.backends.ptx.driver.available_bytes", fail)
    assert alpha.main(["run", FILE, "--targets", "sm86", "--device", ONE]) == 5
    why = f"cannot ask for the memory of a device: {ONE}: its memory can't be asked for: it is gone"
    assert f"alpha: error: {why}\n" in capsys.readouterr().err


def test_a_driver_that_does_not_run_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(number: int) -> str:
        raise DeviceFailure("the driver gives no UUID of device 0: error 999")

    monkeypatch.setattr("alpha.backends.ptx.driver._uuid", fail)
    with pytest.raises(Refusal, match="found the driver gives no UUID of device 0: error 999"):
        check_device(ONE)


def test_without_a_driver_gpus_are_refused() -> None:
    given = [*ALPHA, "run", FILE, "--targets", "sm86", "--device", ONE]
    without = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(given, env=without, capture_output=True, text=True, check=False)
    wanted = "[target-unsupported] expected pycuda and libcuda.so.1 for a GPU with --device"
    assert ended.returncode == 1 and wanted in ended.stderr


def test_the_benchmark_runs_where_there_is_a_gpu_and_says_so_where_not(tmp_path: Path) -> None:
    """Its numbers say nothing here: sizes are small, and a peer is missing."""
    small = (
        "import gpu.run as run; run.SIZES, run.LAUNCHES, run.PAIRS = (1000,), 1, 1; run.main([])"
    )
    there = environment(tmp_path, "8.6:10000000")
    there["PYTHONPATH"] += f"{os.pathsep}{Path('bench').resolve()}"
    given = {"capture_output": True, "text": True, "timeout": 300, "check": False}
    ended = subprocess.run([sys.executable, "-c", small], env=there, **given)
    assert ended.returncode == 0, ended.stderr
    rows = [line for line in ended.stdout.splitlines() if "a copy of" in line]
    assert len(rows) == 8 and rows[0].startswith("| sgd f64 N=1000 | a copy of 24000 bytes |")
    nowhere = {**there, "PYTHONPATH": "bench"}
    ended = subprocess.run([sys.executable, "-c", small], env=nowhere, **given)
    assert ended.returncode == 0 and "kernels on a GPU: not measured: " in ended.stdout
