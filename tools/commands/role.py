"""`alpha role`: runs one role of a protocol as a participant, over TCP.

What it announces, reads and reports is for whoever launches the roles, such as `alpha run`; where
roles are told where they listen, nothing is announced and read, as behind `alpha launch`.

Refuses: what frames, agreements, choices and rounds refuse (exit status 3).
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from ipaddress import IPv4Address
from typing import TYPE_CHECKING

from alpha.interpreters.participants.listening import Known, Listener
from alpha.ir.refusals import Refusal
from alpha.tools.driver.boundary import say
from alpha.tools.driver.output import reason_of
from alpha.tools.exits import DONE, INPUT_OUTPUT, PEER_LOST, ROLE_STATUSES, ROUND_REFUSED, USAGE
from alpha.tools.number_flags import SIZE_MAX, quoted, ranged
from alpha.tools.waiting_flags import add_waiting_flags, deadline_of, wait_of

if TYPE_CHECKING:
    from alpha.interpreters.beginnings import MakeWork
    from alpha.ir.dialects.protocol_role import RoleOp
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.protocol_file import ProtocolFile

SUMMARY = "run one role of a protocol as a participant"
STATUSES = ROLE_STATUSES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "file", metavar="FILE", help="a module with the role's program; - for standard input"
    )
    parser.add_argument(
        "--role",
        type=ranged(0, SIZE_MAX),
        metavar="R",
        help="which role (default: the only one of the file)",
    )
    parser.add_argument(
        "--data", metavar="FOLDER", help="what data files are relative to (default: FILE's folder)"
    )
    parser.add_argument(
        "--addresses",
        type=_addresses,
        metavar="A,B,...",
        help="the IPv4 address of each role of the group, in their order (default: 127.0.0.1)",
    )
    parser.add_argument(
        "--listen",
        type=_listener,
        metavar="A:P",
        help="listen at this IPv4 address and port for the first higher peer, and at the next "
        "ports for the next ones, and announce nothing",
    )
    parser.add_argument(
        "--peers",
        type=_listeners,
        metavar="A:P,...",
        help="where the lower peers listen for this role, ascending: no port is read, and they "
        "may start later",
    )
    parser.add_argument(
        "--checkpoint", metavar="PATH", help="the folder in which the role writes its words"
    )
    parser.add_argument(
        "--resume",
        metavar="PATH",
        help="the generation that the role's program begins with, or the folder that it is in",
    )
    parser.add_argument(
        "--device",
        metavar="NAME",
        help="do the role's local work by kernels on this device: GPU-UUID, or interpreter, which "
        "runs their text and is no GPU (default: interpret the programs)",
    )
    add_waiting_flags(parser)


def _listener(text: str) -> Listener:
    """Where a role listens, for argparse."""
    try:
        return Listener.parse(text)
    except ValueError:
        wanted = "expected an IPv4 address and a port such as 127.0.0.1:20000"
        raise argparse.ArgumentTypeError(f"{wanted}, got {quoted(text)}") from None


def _listeners(text: str) -> tuple[Listener, ...]:
    """Where several roles listen, for argparse."""
    return tuple(map(_listener, text.split(",")))


def _addresses(text: str) -> tuple[str, ...]:
    """IPv4 addresses, for argparse."""
    parts = text.split(",")
    for part in parts:
        try:
            IPv4Address(part)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected IPv4 addresses, got {part!r}") from None
    return tuple(parts)


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command; ports and reports go to stdout, as bytes."""
    from alpha.interpreters.participants.deadlines import Bounds, Deadline
    from alpha.interpreters.participants.failures import Overdue, PeerLost
    from alpha.interpreters.participants.running import run_role
    from alpha.interpreters.walking import OutOfMemory
    from alpha.ir.checkpoints.writing import failure_text
    from alpha.ir.protocol.view import distribution_beside
    from alpha.passes.protocol.schedules import check_roles
    from alpha.tools.checkpoints.roles import facts_of, states_of, store_of
    from alpha.tools.protocol_file import ProtocolFile

    source = ProtocolFile.read(arguments.file, situation, arguments.data)
    op = _wanted(source, arguments.role)
    distribution = distribution_beside(op)
    store = states = None
    if distribution is not None and source.words is not None:
        if arguments.checkpoint is not None:
            facts = facts_of(distribution, op, source.words)
            store = store_of(arguments.checkpoint, facts, op)
        if arguments.resume is not None and op.resumed is not None:
            states = states_of(arguments.resume, distribution, op)
    make = _work_on(arguments.device)
    role = op.role.data
    check_roles({role: op}, partial=True)
    session = Deadline.after(deadline_of(arguments))
    bounds = Bounds(wait_seconds_max=wait_of(arguments))
    addresses = _by_role(op, arguments.addresses)
    known = Known(arguments.listen, arguments.peers)
    misfit = known.misfit(role, [edge.data for edge in op.edges.data])
    if misfit:
        return _end(role, f"usage: {misfit}", USAGE)
    if sys.stdin is None or sys.stdout is None:
        return _end(role, "failed: stdin or stdout is closed", INPUT_OUTPUT)
    inward, outward = sys.stdin.buffer, sys.stdout.buffer
    try:
        given = (op, source.words, inward, outward, session, bounds, addresses)
        run_role(*given, known=known, store=store, states=states, make=make)
    except Refusal as refusal:
        return _end(role, f"refused {refusal.code}: {refusal.message}", ROUND_REFUSED)
    except PeerLost as lost:
        return _end(role, f"lost role {lost.role}: {lost.detail}", PEER_LOST)
    except Overdue as over:
        return _end(role, f"overdue: {over}", PEER_LOST)
    except OutOfMemory as error:
        return _end(role, f"failed: out of memory in {error.where}: {error.why}", INPUT_OUTPUT)
    except MemoryError as error:
        return _end(role, f"failed: out of memory: {error}".rstrip(": "), INPUT_OUTPUT)
    except OSError as error:
        about_store = store is not None and error.filename is not None
        why = failure_text(error) if about_store else reason_of(error)
        return _end(role, f"failed: {why}", INPUT_OUTPUT)
    return DONE


def _work_on(device: str | None) -> MakeWork:
    """What does the local work: kernels on a device, or this process if none is named.

    Raises:
        Refusal: target-unsupported, for a device that isn't there.
    """
    from alpha.interpreters.work import RoleWork

    if device is None:
        return RoleWork
    from alpha.backends.ptx.devices import check_device, open_device
    from alpha.backends.ptx.role_work import DeviceWork

    check_device(device)
    return partial(DeviceWork, open=partial(open_device, device))


def _by_role(op: RoleOp, addresses: tuple[str, ...] | None) -> dict[int, str]:
    """The address of each role of the group, if addresses are given."""
    if addresses is None:
        return {}
    group = op.group.data
    if len(addresses) != group.size:
        wanted = f"{group.size} addresses, one a role of the group, with --addresses"
        raise Refusal("protocol-role-range", wanted, str(len(addresses)))
    return dict(zip(group.members, addresses, strict=True))


def _end(role: int, what: str, status: int) -> int:
    say(f"alpha: role {role}: {what}\n")
    return status


def _wanted(source: ProtocolFile, role: int | None) -> RoleOp:
    from alpha.interpreters.role import find_roles

    found = find_roles(source.module)
    if role is None and len(found) == 1:
        return next(iter(found.values()))
    if role is None or role not in found:
        known = ", ".join(map(str, found)) or "none"
        wanted = f"--role with one of the roles of the file ({known})"
        raise Refusal("protocol-role-range", wanted, "none" if role is None else f"role {role}")
    return found[role]
