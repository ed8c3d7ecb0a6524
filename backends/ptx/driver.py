"""Drives GPUs of NVIDIA through pycuda: which there are, their memory, copies and launches.

Everything of a device happens in its primary context, which is current only while a call of this
module runs: several devices can be driven by one process.

Invariant: launches and copies of one device happen in the order in which they were asked for.
Refuses: target-unsupported.
Entry: `CudaDevice`, `Gpu`, `find_gpus`, `find_gpu`, `available_bytes`, `DeviceFailure`.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import weakref
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from alpha.ir.refusals import Refusal

CAPABILITY = 8, 6
"""The least compute capability for which kernels are emitted."""

LIBRARY = "libcuda.so.1"


class Gpu(NamedTuple):
    """A device as its driver knows it: `uuid` as in `GPU-...`, its place among the devices."""

    uuid: str
    number: int
    name: str
    capability: tuple[int, int]
    bytes: int

    def describe(self) -> str:
        """The device for a person."""
        major, minor = self.capability
        memory = f"{self.bytes // 10**6} MB"
        return f"{self.uuid} ({self.name}, compute capability {major}.{minor}, {memory})"


class DeviceFailure(OSError):
    """What a device or its driver couldn't do; nothing of that context can be used any more."""

    def __init__(self, what: str) -> None:
        super().__init__(errno.EIO, what)


def find_gpus() -> list[Gpu]:
    """The devices of this host, in the driver's order.

    Raises:
        Refusal: `target-unsupported` where pycuda or the driver isn't there, or no driver runs.
    """
    cuda = _pycuda()
    try:
        cuda.init()
        numbers = range(cuda.Device.count())
        return [_gpu(cuda, number) for number in numbers]
    except (cuda.Error, DeviceFailure) as error:
        wanted = "a driver of NVIDIA that runs, for a GPU with --device"
        found = str(error.strerror if isinstance(error, DeviceFailure) else error)
        raise Refusal("target-unsupported", wanted, found) from None


def find_gpu(uuid: str) -> Gpu:
    """The device of a UUID.

    Raises:
        Refusal: `target-unsupported` if there is none here, or it is too old for the kernels.
    """
    found = find_gpus()
    for gpu in found:
        if gpu.uuid == f"GPU-{uuid[4:].lower()}":
            if gpu.capability < CAPABILITY:
                major, minor = CAPABILITY
                wanted = f"a GPU of compute capability {major}.{minor} or later with --device"
                raise Refusal("target-unsupported", wanted, gpu.describe())
            return gpu
    listed = ", ".join(gpu.describe() for gpu in found) or "none"
    raise Refusal("target-unsupported", f"--device with a GPU of this host: {listed}", uuid)


def available_bytes(uuid: str) -> int:
    """The bytes of a device's memory that nobody uses, beside what a process of it takes itself.

    Raises:
        Refusal: as `find_gpu`.
        OSError, MemoryError: the device can't be used.
    """
    cuda, gpu = _pycuda(), find_gpu(uuid)
    with _failing(cuda, gpu, "its memory can't be asked for"):
        context = cuda.Device(gpu.number).retain_primary_context()
        try:
            context.push()
            free, _ = cuda.mem_get_info()
            cuda.Context.pop()
        finally:
            context.detach()
    return free


class CudaDevice:
    """One GPU with the kernels of one text; memory that is given back is kept for as much again.

    It is used by the thread that has made it, and not any more once something has failed.
    """

    def __init__(self, uuid: str, text: str) -> None:
        """Find the device and load a text of PTX.

        Raises:
            Refusal: as `find_gpu`.
            DeviceFailure: the driver doesn't take the text, or has no memory for it.
        """
        self.gpu = find_gpu(uuid)
        self._cuda = _pycuda()
        self._allocations: dict[int, tuple[int, Any]] = {}
        self._free: dict[int, list[Any]] = {}
        self._functions: dict[str, Any] = {}
        with _failing(self._cuda, self.gpu, "it can't be used"):
            self._context = self._cuda.Device(self.gpu.number).retain_primary_context()
        # Memory has to be given back before the context is, also at the end of the process.
        self._close = weakref.finalize(
            self, _close, self._context, self._allocations, self._free, self._functions
        )
        with self._using("it doesn't take the kernels"):
            self._module = self._cuda.module_from_buffer(text.encode() + b"\0")

    def allocate(self, bytes: int) -> int:
        """So many bytes of the device's memory: their address, a multiple of 256.

        Raises:
            MemoryError: there is no more.
        """
        kept = self._free.get(bytes)
        if kept:
            allocation = kept.pop()
        else:
            with self._using(f"no {bytes} bytes of memory"):
                allocation = self._cuda.mem_alloc(bytes)
        self._allocations[int(allocation)] = bytes, allocation
        return int(allocation)

    def free(self, address: int) -> None:
        """Give memory back, for the next allocation of as many bytes."""
        bytes, allocation = self._allocations.pop(address)
        self._free.setdefault(bytes, []).append(allocation)

    def write(self, address: int, words: np.ndarray) -> None:
        """Copy words to the device, in row-major order."""
        with self._using("a copy to it failed"):
            self._cuda.memcpy_htod(address, np.ascontiguousarray(words))

    def read(self, address: int, kind: Any, count: int) -> np.ndarray:
        """Copy so many words of a dtype from the device, when all launches before have ended."""
        words = np.empty(count, kind)
        with self._using("a launch, or a copy from it, failed"):
            self._cuda.memcpy_dtoh(words, address)
        return words

    def start(self, kernel: str, blocks: int, threads: int, arguments: Sequence[int]) -> None:
        """Launch a kernel by its name; what fails in it is told by a later call."""
        with self._using(f"@{kernel} can't be launched"):
            function = self._functions.get(kernel)
            if function is None:
                function = self._module.get_function(kernel)
                function.prepare("P" * len(arguments))
                self._functions[kernel] = function
            function.prepared_call((blocks, 1), (threads, 1, 1), *arguments)

    @contextlib.contextmanager
    def current(self) -> Iterator[None]:
        """Have the device's context current, for other calls of pycuda."""
        self._context.push()
        try:
            yield
        finally:
            self._cuda.Context.pop()

    @contextlib.contextmanager
    def _using(self, what: str) -> Iterator[None]:
        """Have the context current, and say what couldn't be done in it."""
        try:
            with _failing(self._cuda, self.gpu, what), self.current():
                yield
        except DeviceFailure:
            # A context in which something has failed takes no call, also none that frees memory.
            if self._close.detach():
                self._context.detach()
            raise


@contextlib.contextmanager
def _failing(cuda: ModuleType, gpu: Gpu, what: str) -> Iterator[None]:
    """Say what couldn't be done, with the device and the driver's own words."""
    try:
        yield
    except cuda.MemoryError as error:
        raise MemoryError(f"{gpu.uuid}: {what}: {error}") from None
    except cuda.Error as error:
        raise DeviceFailure(f"{gpu.uuid}: {what}: {error}") from None


def _close(context: Any, *held: dict[Any, Any]) -> None:
    """Give back what is held in a context, and then the context."""
    for each in held:
        each.clear()
    context.detach()


def _pycuda() -> ModuleType:
    """The module `pycuda.driver`, which is linked with the driver's library.

    Raises:
        Refusal: `target-unsupported` if either isn't there.
    """
    try:
        return import_module("pycuda.driver")
    except ImportError as error:
        wanted = f"pycuda and {LIBRARY} for a GPU with --device: see docs/gpu.md"
        raise Refusal("target-unsupported", wanted, str(error)) from None


def _gpu(cuda: ModuleType, number: int) -> Gpu:
    device = cuda.Device(number)
    name, capability, bytes = device.name(), device.compute_capability(), device.total_memory()
    return Gpu(_uuid(number), number, name, tuple(capability), bytes)


def _uuid(number: int) -> str:
    """The UUID of a device, for which pycuda has no call: by the library that it has loaded."""
    library = ctypes.CDLL(LIBRARY)
    device, held = ctypes.c_int(), (ctypes.c_ubyte * 16)()
    status = library.cuDeviceGet(ctypes.byref(device), number)
    status = status or library.cuDeviceGetUuid_v2(held, device)
    if status:
        raise DeviceFailure(f"the driver gives no UUID of device {number}: error {status}")
    return f"GPU-{UUID(bytes=bytes(held))}"
