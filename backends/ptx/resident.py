"""Words that arrays of the host stand for, on a device: copied there once, and back if they are
looked at.

An array whose words a kernel has made is *stale* until it is captured: then, and only then, its
words are copied to the host. Until then it has nothing but NaNs.

Invariant: of words that a kernel has made, those on the device count, whatever the host's
    array has.
Entry: `Resident`.
"""

from __future__ import annotations

import weakref

import numpy as np

from alpha.backends.ptx.devices import Device


class Resident:
    """What arrays of the host have on a device, as long as the arrays live."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._addresses: dict[int, int] = {}
        self._stale: set[int] = set()

    def has(self, array: np.ndarray) -> bool:
        """Whether the array's words are on the device."""
        return id(array) in self._addresses

    def is_stale(self, array: np.ndarray) -> bool:
        """Whether the array's words are on the device alone."""
        return id(array) in self._stale

    def address(self, array: np.ndarray) -> int:
        """Where an array's words are on the device; they are copied there if they aren't."""
        found = self._addresses.get(id(array))
        if found is None:
            found = self._device.allocate(max(1, array.nbytes))
            if array.size:
                self._device.write(found, np.ascontiguousarray(array))
            self._keep(array, found)
        return found

    def made(self, shape: tuple[int, ...], kind: np.dtype) -> np.ndarray:
        """A stale array, for words that a kernel is going to make at its address."""
        array = np.full(shape, np.nan, kind)
        self._keep(array, self._device.allocate(max(1, array.nbytes)))
        self._stale.add(id(array))
        return array

    def capture(self, array: np.ndarray) -> np.ndarray:
        """The array, with its words copied to the host if they are on the device alone."""
        if id(array) in self._stale:
            if array.size:
                words = self._device.read(self._addresses[id(array)], array.dtype, array.size)
                array[...] = words.reshape(array.shape)
            self._stale.discard(id(array))
        return array

    def _keep(self, array: np.ndarray, address: int) -> None:
        self._addresses[id(array)] = address
        weakref.finalize(array, self._forget, id(array))

    def _forget(self, number: int) -> None:
        self._stale.discard(number)
        self._device.free(self._addresses.pop(number))
