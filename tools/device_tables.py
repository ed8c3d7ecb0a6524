"""What roles on devices copy between a host and a device in a round, for `alpha inspect`.

Refuses: target-unsupported.
Entry: `print_device_tables`, `check_targets`.
"""

from __future__ import annotations

from collections.abc import Sequence

from alpha.backends.ptx.role_work import kernels_of
from alpha.backends.ptx.staging import Copy, Staging, staging_of
from alpha.backends.toolchain.machines import GPU, MACHINES
from alpha.interpreters.prepared import Prepared
from alpha.interpreters.words import Words
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution
from alpha.tools.driver.output import write_line
from alpha.tools.number_flags import quoted
from alpha.tools.tables import ROLES_SHOWN_MAX, print_table

NOTHING = "-"


def check_targets(targets: Sequence[str]) -> None:
    """See that these are targets, and that some roles are on devices: others copy nothing.

    Raises:
        Refusal: target-unsupported.
    """
    known = (*MACHINES, GPU)
    for target in targets:
        if target not in known:
            wanted = f"some of the targets {', '.join(known)}"
            raise Refusal("target-unsupported", wanted, quoted(target))
    if GPU not in targets:
        wanted = f"roles for {GPU} among --targets, which copy words to a device"
        raise Refusal("target-unsupported", wanted, ",".join(targets))


def print_device_tables(distribution: Distribution, targets: Sequence[str]) -> None:
    """Print the copies of the roles for GPUs, the first ones if there are many, and their memory.

    Raises:
        Refusal: target-unsupported for a program that has no kernels.
    """
    roles = [role for role in range(distribution.owners) if targets[role % len(targets)] == GPU]
    shown = roles[:ROLES_SHOWN_MAX]
    if not shown:
        write_line(f"\nno role of {distribution.owners} is for {GPU}")
        return
    prepared, kernels = Prepared(distribution, Words()), kernels_of(distribution)
    staged = {role: staging_of(distribution.op, prepared, role, kernels) for role in shown}
    rows: dict[tuple[str, str, str], dict[int, Copy]] = {}
    for role, staging in staged.items():
        for copy in staging.copies:
            rows.setdefault((copy.program, copy.value, copy.to), {})[role] = copy
    names = [f"role {role}" for role in shown]
    print_table(
        f"bytes copied between host and device, for each role for {GPU}",
        ("program", "value", "to", "when", *names),
        [
            (*key, next(iter(held.values())).when, *(_bytes(held.get(role)) for role in shown))
            for key, held in rows.items()
        ],
    )
    heading = ("role", "to the device once", "every round", "to the host every round", "needed")
    print_table(
        "bytes of each role on its device: copied, and memory that is enough",
        heading,
        [_sums(role, staging) for role, staging in staged.items()],
    )
    if len(roles) > len(shown):
        write_line(f"\nand {len(roles) - len(shown)} more roles for {GPU}")


def _bytes(copy: Copy | None) -> str:
    return NOTHING if copy is None else str(copy.bytes)


def _sums(role: int, staging: Staging) -> Sequence[object]:
    kinds = (("device", "once"), ("device", "every round"), ("host", "every round"))
    sums = [sum(c.bytes for c in staging.copies if (c.to, c.when) == kind) for kind in kinds]
    return (role, *sums, staging.needed_bytes)
