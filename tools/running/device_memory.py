"""Whether devices have the memory that the roles of a run need on them, all roles added up.

Why: where they haven't, a role fails in the middle of a run.
Refuses: target-unsupported.
Entry: `check_device_memory`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from alpha.ir.refusals import Refusal
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import InputOutputError, reason_of

if TYPE_CHECKING:
    from alpha.tools.protocol_file import ProtocolFile


def check_device_memory(source: ProtocolFile, devices: Mapping[int, str]) -> None:
    """See that every device has what its roles need; the interpreter takes the host's memory.

    Raises:
        Refusal: target-unsupported, with both numbers, or for a program that has no kernels.
        InputOutputError: a device can't be asked.
    """
    if not devices:
        return
    from alpha.backends.ptx.devices import INTERPRETER

    roles_of: dict[str, list[int]] = {}
    for role, device in devices.items():
        if device != INTERPRETER:
            roles_of.setdefault(device, []).append(role)
    if not roles_of:
        return
    from alpha.backends.ptx.driver import available_bytes

    needed = _needed_bytes(source, devices.keys())
    for device, roles in roles_of.items():
        wanted = sum(needed[role] for role in roles)
        try:
            found = available_bytes(device)
        except (OSError, MemoryError) as error:
            why = reason_of(error) if isinstance(error, OSError) else str(error)
            raise InputOutputError(f"cannot ask for the memory of a device: {why}") from None
        if wanted > found:
            needs = f"{wanted} bytes of memory on {device} for {counted(len(roles), 'role')}"
            raise Refusal("target-unsupported", needs, f"{found} that nobody uses")


def _needed_bytes(source: ProtocolFile, roles: Collection[int]) -> dict[int, int]:
    """The bytes that each of these roles needs on a device."""
    from alpha.backends.ptx.role_work import kernels_of
    from alpha.backends.ptx.staging import staging_of
    from alpha.interpreters.prepared import Prepared
    from alpha.interpreters.role import find_roles
    from alpha.interpreters.words import Words
    from alpha.ir.protocol.contracts import contract_of
    from alpha.ir.protocol.view import distribution_beside

    ops = find_roles(source.module)
    # The roles of a protocol have one learner, and so one distribution.
    distribution = distribution_beside(ops[min(roles)])
    if distribution is None:
        return dict.fromkeys(roles, 0)
    prepared, kernels = Prepared(distribution, Words(), contract_of), kernels_of(distribution)
    staged = {role: staging_of(ops[role], prepared, role, kernels) for role in roles}
    return {role: staging.needed_bytes for role, staging in staged.items()}
