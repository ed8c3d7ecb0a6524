"""The calls of a driver that pycuda makes, by the interpreter of kernels.

Devices are what the environment says: `ALPHA_STAND_IN` has one `CAPABILITY:BYTES` for each, such as
`8.6:1000000000,9.0:2000000`; a third number is that of the launches of which the last one fails.
What a real driver doesn't notice is reported as a failed launch here, with the interpreter's reason
on stderr; as with a real one, the context is of no use then.

Entry: `StandIn`, `uuid_of`.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
from ptx.stand_in.library import NAME, NAMES, TABLE

from alpha.backends.ptx.interpreter.device import Device, Module
from alpha.backends.ptx.interpreter.faults import Fault, UnknownText

DEVICES = "ALPHA_STAND_IN"

SUCCESS, INVALID_VALUE, OUT_OF_MEMORY, NO_DEVICE = 0, 1, 2, 100
INVALID_DEVICE, INVALID_PTX, INVALID_CONTEXT, NOT_FOUND, LAUNCH_FAILED = 101, 218, 201, 500, 719

VERSION = 12090
_INT, _PLACE = ctypes.c_int, ctypes.c_void_p
_SIZE, _ADDRESS = ctypes.c_size_t, ctypes.c_uint64
_BUFFER_POINTER, _BUFFER_SIZE = 1, 2
_INFO_LOG, _INFO_SIZE, _ERROR_LOG, _ERROR_SIZE = 3, 4, 5, 6


def uuid_of(number: int) -> str:
    """The UUID of the stand-in with this place among the devices."""
    return f"GPU-{UUID(int=0x5AD1_0000_0000_4000_8000_0000_0000_0000 + number)}"


@dataclass
class Gpu:
    """A device: its memory in bytes, and whether a launch has failed."""

    capability: tuple[int, int]
    bytes: int
    launches_max: int
    device: Device = field(default_factory=Device)
    held: dict[int, int] = field(default_factory=dict)
    launches: int = 0
    failed: bool = False


class StandIn:
    """The calls, by the names of the driver's functions; it has to live as long as the process."""

    def __init__(self, devices: str) -> None:
        self.gpus = [_gpu(each) for each in devices.split(",") if each]
        self._stack: list[Gpu] = []
        self._objects: dict[int, Any] = {}
        self._kept: list[Any] = []

    def load(self, folder: Path) -> None:
        """Load the library for all that is loaded after it, and fill its table."""
        library = ctypes.CDLL(str(folder / NAME), mode=ctypes.RTLD_GLOBAL)
        names = (folder / NAMES).read_text().split()
        table = (ctypes.c_void_p * len(names)).in_dll(library, TABLE)
        for name, types in _TYPES.items():
            call = ctypes.CFUNCTYPE(_INT, *types)(getattr(self, name))
            self._kept.append(call)
            table[names.index(name)] = ctypes.cast(call, ctypes.c_void_p)

    def cuInit(self, flags: int) -> int:
        return SUCCESS if self.gpus else NO_DEVICE

    def cuDriverGetVersion(self, version: int) -> int:
        return _give(_INT, version, VERSION)

    def cuGetErrorString(self, error: int, text: int) -> int:
        held = ctypes.create_string_buffer(f"error {error} of the stand-in".encode())
        self._kept.append(held)
        return _give(_PLACE, text, ctypes.addressof(held))

    def cuDeviceGetCount(self, count: int) -> int:
        return _give(_INT, count, len(self.gpus))

    def cuDeviceGet(self, device: int, number: int) -> int:
        if not 0 <= number < len(self.gpus):
            return INVALID_DEVICE
        return _give(_INT, device, number)

    def cuDeviceGetName(self, name: int, room: int, device: int) -> int:
        text = f"stand-in {device}".encode()[: room - 1] + b"\0"
        ctypes.memmove(name, text, len(text))
        return SUCCESS

    def cuDeviceGetUuid_v2(self, uuid: int, device: int) -> int:
        ctypes.memmove(uuid, UUID(uuid_of(device)[4:]).bytes, 16)
        return SUCCESS

    def cuDeviceComputeCapability(self, major: int, minor: int, device: int) -> int:
        one, other = self.gpus[device].capability
        return _give(_INT, major, one) or _give(_INT, minor, other)

    def cuDeviceTotalMem_v2(self, bytes: int, device: int) -> int:
        return _give(_SIZE, bytes, self.gpus[device].bytes)

    def cuDevicePrimaryCtxRetain(self, context: int, device: int) -> int:
        return _give(_PLACE, context, device + 1)

    def cuDevicePrimaryCtxRelease_v2(self, device: int) -> int:
        return SUCCESS

    def cuCtxPushCurrent_v2(self, context: int) -> int:
        self._stack.append(self.gpus[context - 1])
        return SUCCESS

    def cuCtxPopCurrent_v2(self, context: int) -> int:
        if not self._stack:
            return INVALID_CONTEXT
        gpu = self._stack.pop()
        return _give(_PLACE, context, self.gpus.index(gpu) + 1) if context else SUCCESS

    def cuCtxGetDevice(self, device: int) -> int:
        return _give(_INT, device, self.gpus.index(self._stack[-1]))

    def cuMemGetInfo_v2(self, free: int, total: int) -> int:
        gpu = self._stack[-1]
        return _give(_SIZE, free, gpu.bytes - sum(gpu.held.values())) or _give(
            _SIZE, total, gpu.bytes
        )

    def cuMemAlloc_v2(self, address: int, bytes: int) -> int:
        def allocate(gpu: Gpu) -> int:
            if not bytes:
                return INVALID_VALUE
            if sum(gpu.held.values()) + bytes > gpu.bytes:
                return OUT_OF_MEMORY
            found = gpu.device.allocate(bytes)
            gpu.held[found] = bytes
            return _give(_ADDRESS, address, found)

        return self._on_device(allocate)

    def cuMemFree_v2(self, address: int) -> int:
        def free(gpu: Gpu) -> int:
            gpu.device.free(address)
            del gpu.held[address]
            return SUCCESS

        return self._on_device(free)

    def cuMemcpyHtoD_v2(self, address: int, host: int, bytes: int) -> int:
        def copy(gpu: Gpu) -> int:
            gpu.device.write(address, ctypes.string_at(host, bytes))
            return SUCCESS

        return self._on_device(copy)

    def cuMemcpyDtoH_v2(self, host: int, address: int, bytes: int) -> int:
        def copy(gpu: Gpu) -> int:
            words = gpu.device.read(address, np.uint8, bytes)
            ctypes.memmove(host, words.tobytes(), bytes)
            return SUCCESS

        return self._on_device(copy)

    def cuMemcpyDtoD_v2(self, address: int, source: int, bytes: int) -> int:
        def copy(gpu: Gpu) -> int:
            gpu.device.write(address, gpu.device.read(source, np.uint8, bytes))
            return SUCCESS

        return self._on_device(copy)

    def cuModuleLoadDataEx(
        self, module: int, image: int, count: int, options: int, values: int
    ) -> int:
        def load(gpu: Gpu) -> int:
            text = ctypes.string_at(image).decode()
            try:
                loaded = gpu.device.load(text)
            except UnknownText as unknown:
                _log(str(unknown), count, options, values)
                return INVALID_PTX
            _log("", count, options, values)
            return self._new(module, (gpu, loaded))

        return self._on_device(load)

    def cuModuleUnload(self, module: int) -> int:
        del self._objects[module]
        return SUCCESS

    def cuModuleGetFunction(self, function: int, module: int, name: bytes) -> int:
        gpu, loaded = self._objects[module]
        if name.decode() not in loaded.program.kernels:
            return NOT_FOUND
        return self._new(function, Kernel(gpu, loaded, name.decode()))

    def cuFuncSetBlockShape(self, function: int, x: int, y: int, z: int) -> int:
        self._objects[function].block = (x, y, z)
        return SUCCESS

    def cuLaunchKernel(self, function: int, *rest: int) -> int:
        *sizes, _shared, _stream, arguments, extra = rest
        kernel = self._objects[function]
        assert not arguments, "arguments come in a buffer"
        count = len(kernel.module.program.kernels[kernel.name].parameters)
        words = _packed(extra, count)
        x, y, z, threads, y_threads, z_threads = sizes

        def launch(gpu: Gpu) -> int:
            if gpu is not kernel.gpu or (y, z, y_threads, z_threads) != (1, 1, 1, 1):
                return INVALID_VALUE
            gpu.launches += 1
            if gpu.launches == gpu.launches_max:
                raise ValueError(f"launch {gpu.launches} fails, as was asked for")
            gpu.device.launch(kernel.module, kernel.name, x, threads, words)
            return SUCCESS

        return self._on_device(launch)

    def _on_device(self, call: Callable[[Gpu], int]) -> int:
        """Do something in the current context, where the interpreter's faults are failures."""
        if not self._stack:
            return INVALID_CONTEXT
        gpu = self._stack[-1]
        if gpu.failed:
            return LAUNCH_FAILED
        try:
            return call(gpu)
        except (Fault, ValueError) as fault:
            print(f"stand-in: {fault}", file=sys.stderr)
            gpu.failed = True
            return LAUNCH_FAILED

    def _new(self, place: int, thing: object) -> int:
        self._objects[id(thing)] = thing
        return _give(_PLACE, place, id(thing))


@dataclass
class Kernel:
    """A kernel of a module that is loaded on a device."""

    gpu: Gpu
    module: Module
    name: str
    block: tuple[int, int, int] = (0, 0, 0)


def _gpu(text: str) -> Gpu:
    capability, bytes, *failing = text.split(":")
    major, _, minor = capability.partition(".")
    return Gpu((int(major), int(minor)), int(bytes), int(failing[0]) if failing else 0)


def _give(kind: Any, place: int, value: int) -> int:
    """Store a word where a caller wants it."""
    kind.from_address(place).value = value
    return SUCCESS


def _log(error: str, count: int, options: int, values: int) -> None:
    """Fill the logs that a caller has room for: nothing but what is wrong is told."""
    keys = (ctypes.c_int * count).from_address(options)
    held = (ctypes.c_void_p * count).from_address(values)
    places = dict(zip(keys, range(count), strict=True))
    for buffer, size, text in ((_INFO_LOG, _INFO_SIZE, ""), (_ERROR_LOG, _ERROR_SIZE, error)):
        if buffer in places:
            room = held[places[size]] or 0
            given = text.encode()[:room]
            ctypes.memmove(held[places[buffer]], given, len(given))
            held[places[size]] = len(given)


def _packed(extra: int, count: int) -> list[int]:
    """The words of 8 bytes in the buffer of a launch: pairs of a key and a place, up to 0."""
    places = (ctypes.c_void_p * 5).from_address(extra)
    held = dict(zip(places[0:4:2], places[1:4:2], strict=True))
    assert places[4] is None, "a buffer and its size, and no more"
    bytes = ctypes.c_size_t.from_address(held[_BUFFER_SIZE]).value
    if bytes != 8 * count:
        raise ValueError(f"{bytes} bytes of arguments for {count} parameters")
    return list((ctypes.c_uint64 * count).from_address(held[_BUFFER_POINTER]))


_UINT = ctypes.c_uint
_TYPES: dict[str, tuple[Any, ...]] = {
    "cuInit": (_UINT,),
    "cuDriverGetVersion": (_PLACE,),
    "cuGetErrorString": (_INT, _PLACE),
    "cuDeviceGetCount": (_PLACE,),
    "cuDeviceGet": (_PLACE, _INT),
    "cuDeviceGetName": (_PLACE, _INT, _INT),
    "cuDeviceGetUuid_v2": (_PLACE, _INT),
    "cuDeviceComputeCapability": (_PLACE, _PLACE, _INT),
    "cuDeviceTotalMem_v2": (_PLACE, _INT),
    "cuDevicePrimaryCtxRetain": (_PLACE, _INT),
    "cuDevicePrimaryCtxRelease_v2": (_INT,),
    "cuCtxPushCurrent_v2": (_PLACE,),
    "cuCtxPopCurrent_v2": (_PLACE,),
    "cuCtxGetDevice": (_PLACE,),
    "cuMemGetInfo_v2": (_PLACE, _PLACE),
    "cuMemAlloc_v2": (_PLACE, _SIZE),
    "cuMemFree_v2": (_ADDRESS,),
    "cuMemcpyHtoD_v2": (_ADDRESS, _PLACE, _SIZE),
    "cuMemcpyDtoH_v2": (_PLACE, _ADDRESS, _SIZE),
    "cuMemcpyDtoD_v2": (_ADDRESS, _ADDRESS, _SIZE),
    "cuModuleLoadDataEx": (_PLACE, _PLACE, _UINT, _PLACE, _PLACE),
    "cuModuleUnload": (_PLACE,),
    "cuModuleGetFunction": (_PLACE, _PLACE, ctypes.c_char_p),
    "cuFuncSetBlockShape": (_PLACE, _INT, _INT, _INT),
    "cuLaunchKernel": (_PLACE, *[_UINT] * 7, _PLACE, _PLACE, _PLACE),
}
