"""Which roles of a run are on a GPU: those that `--targets` says are for sm86.

Such a role is a process that does its local work by kernels on a device that `--device` names;
what it sends and receives is the host's. Several devices are taken in turn.

Refuses: target-unsupported.
Entry: `GpuRoles`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from alpha.backends.toolchain.machines import GPU, host_machine
from alpha.ir.refusals import Refusal


@dataclass(frozen=True)
class GpuRoles:
    """`devices` is empty where no role is on a GPU."""

    targets: tuple[str, ...] | None
    devices: tuple[str, ...]

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> GpuRoles:
        """What the flags say.

        Raises:
            Refusal: target-unsupported for roles on a GPU without a device, a device without such
                roles, or one that isn't there.
        """
        targets = arguments.targets
        asked = targets is not None and GPU in targets
        devices: tuple[str, ...] = arguments.device or ()
        if asked and not devices:
            wanted = f"--device with what runs the kernels of the roles for {GPU}"
            raise Refusal("target-unsupported", wanted, "none")
        if devices and not asked:
            wanted = f"roles for {GPU} among --targets with --device"
            raise Refusal("target-unsupported", wanted, "none")
        if devices:
            from alpha.backends.ptx.devices import check_device

            for device in dict.fromkeys(devices):
                check_device(device)
        return cls(targets, devices)

    def native(self) -> tuple[str, ...] | None:
        """The targets, where this host stands for a GPU: its program of such a role never runs."""
        if self.targets is None or not self.devices:
            return self.targets
        host = host_machine()
        name = "x86-64" if host is None else host.name
        return tuple(name if target == GPU else target for target in self.targets)

    def among(self, roles: Sequence[int]) -> dict[int, str]:
        """The roles that are on a GPU, of all roles in their order, each with its device."""
        if self.targets is None or not self.devices:
            return {}
        targets = self.targets
        those = [r for n, r in enumerate(roles) if targets[n % len(targets)] == GPU]
        return {r: self.devices[n % len(self.devices)] for n, r in enumerate(those)}
