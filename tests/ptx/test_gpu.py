"""The same on a GPU of this host as by the interpreter of kernels: `pytest -m gpu`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from code_level.running import parsed
from native.batches import text_of
from native.programs import ELEMENTS, EXAMPLES, example
from ptx.kernels import compare_kernels
from ptx.test_roles import digest

from alpha.backends.ptx.devices import Device, open_device
from alpha.backends.ptx.driver import CAPABILITY, find_gpus
from alpha.ir.refusals import Refusal

pytestmark = pytest.mark.gpu

COUNTS = (0, 1, 3, 31, 32, 33, 1000, 100_000)
WORDS_MAX = 10_000_000
PROGRAMS = 100
FILE = "examples/diabetes_adam.mlir"

Open = Callable[[str, str], Device]


@pytest.fixture(scope="module")
def gpus() -> list[str]:
    """The UUIDs of this host's GPUs that run the kernels."""
    try:
        found = [gpu.uuid for gpu in find_gpus() if gpu.capability >= CAPABILITY]
    except Refusal:
        found = []
    if not found:
        pytest.skip("there is no GPU that runs the kernels, or no pycuda")
    return found


@pytest.fixture
def opened(gpus: list[str]) -> Open:
    """Opens the first GPU, once for each text."""
    devices: dict[str, Device] = {}

    def open(text: str, order: str) -> Device:
        if text not in devices:
            devices[text] = open_device(gpus[0], text)
        return devices[text]

    return open


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_kernels_have_the_bits_of_the_interpreter(name: str, element: str, opened: Open) -> None:
    found = compare_kernels(example(name, element), COUNTS, words_max=WORDS_MAX, open=opened)
    assert found.runs and not found.wrong


def test_random_programs_have_the_bits_of_the_interpreter(opened: Open) -> None:
    for seed in range(PROGRAMS):
        found = compare_kernels(parsed(text_of(seed)), (0, 1, 3, 17), seed, open=opened)
        assert not found.wrong, seed


def test_roles_on_gpus_among_native_ones_and_resumed_with_others(
    gpus: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = digest(capsys, FILE, "--rounds", "4", "--interpret=learner")
    device, kept = ("--device", ",".join(gpus)), str(tmp_path / "kept")
    stored = ("--checkpoint", kept, "--checkpoint-every", "2")
    mixed = (FILE, "--targets", "sm86,x86-64,aarch64", *device)
    assert digest(capsys, *mixed, "--rounds", "4") == wanted
    digest(capsys, *mixed, "--rounds", "2", *stored)
    permuted = (FILE, "--targets", "aarch64,sm86,sm86,x86-64", *device)
    assert digest(capsys, *permuted, "--rounds", "4", "--resume", kept) == wanted
