"""Turns a role's program into code that calls the runtime and the functions of its learner.

Before:
    protocol.role @least_squares role 1 of @least_squares ... edges [0] {
      protocol.repeat 2000 site 0 { ... protocol.perform reduce site 1 %c { ... } ... }
    }
After:
    func.func @alpha_role() {
      func.call @alpha_begin(%role, %identity, %needs) : (i64, !ptr_xdsl.ptr, i64) -> ()
      %memory = func.call @alpha_arena(%bytes) : (i64) -> !ptr_xdsl.ptr
      ...
      scf.for %round = %0 to %2000 step %1 { ... func.call @alpha_send(...) ... }
      func.call @alpha_finish(%edges, %count) : (memref<?x8xi64>, i64) -> ()
    }

Preserves: what the role sends, receives and computes, bit for bit, and the order of it.
Refuses: target-unsupported, protocol-role-range, shard-combine-order, shard-contribution-missing.

`role` says which program of several; the others are left out. Words of the learner that stand in
the module become constants; those of files, and those of the generation that a run goes on from,
lie in the role's data file, whose SHA-256 is `data`. Frames name the run `identity`, which only who
has read those files knows; without files it follows from the module. `needs` are features of the
processor, as bits; `addresses` the IPv4 address of each role of the group, in their order. `parts`
are the digests of the learner's parts, each as `state w=<64 digits>`, which a role's part of a
generation names. `samples`, `registers` and `bits` are those of `--lower-pointwise-to-loops`.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.attributes.region import FileAttr
from alpha.ir.checkpoints.facts import Facts
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.digests import learner_parts
from alpha.ir.frames import is_digest
from alpha.ir.learner_words import resolve
from alpha.ir.learners import Learner
from alpha.ir.protocol.generations import has_checkpoints
from alpha.ir.protocol.identity import RunDigests, identity_of
from alpha.ir.protocol.view import distribution_beside
from alpha.ir.refusals import Refusal
from alpha.passes.linux.role import RoleOptions, role_operations
from alpha.passes.lower_pointwise_to_loops import check_room

ANY = -1
"""The only role of a module."""


@dataclass(frozen=True)
class LowerProtocolToLinuxPass(ModulePass):
    """Makes the module of one role's executable."""

    name = "lower-protocol-to-linux"
    role: int = ANY
    identity: str = ""
    data: str = ""
    needs: int = 0
    addresses: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    samples: int = 4
    registers: int = 0
    bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Put the function of a role, and those that it calls, in the place of all."""
        room = check_room(op, self.samples, self.registers, self.bits)
        program = self._program(op)
        options = RoleOptions(
            self._identity(program),
            self._data(program),
            self.needs,
            self._addresses(program),
            room,
            self._facts(program),
        )
        made, _ = role_operations(program, options)
        for part in list(op.body.block.ops):
            part.detach()
            part.erase(safe_erase=False)
        op.body.block.add_ops(made)

    def _program(self, module: ModuleOp) -> RoleOp:
        found = [part for part in module.body.block.ops if isinstance(part, RoleOp)]
        chosen = [part for part in found if self.role in (ANY, part.role.data)]
        if len(chosen) != 1:
            known = ", ".join(str(part.role.data) for part in found[:8]) or "none"
            wanted = "the program of one role" if self.role == ANY else f"that of role {self.role}"
            wanted += " in the module"
            raise Refusal("protocol-role-range", wanted, f"those of roles {known}", module)
        return chosen[0]

    def _identity(self, program: RoleOp) -> bytes:
        if self.identity:
            return _digest(self.identity, "identity", program)
        distribution = distribution_beside(program)
        if distribution is None:
            return identity_of(program, None, None)
        if _has_files(distribution.learner):
            wanted = "identity=..., which follows from the words of the learner's files"
            raise Refusal("target-unsupported", wanted, "none", program)
        words = resolve(distribution.learner, Path())
        return identity_of(program, distribution.learner, words)

    def _facts(self, program: RoleOp) -> Facts | None:
        """What is known of the generations that a role writes a part of, if it writes any."""
        distribution = distribution_beside(program)
        if distribution is None or not has_checkpoints(program):
            return None
        learner = distribution.learner
        if self.parts:
            parts = dict(_named_digest(text, program) for text in self.parts)
        elif _has_files(learner):
            wanted = "parts=..., which follow from the words of the learner's files"
            raise Refusal("target-unsupported", wanted, "none", program)
        else:
            parts = learner_parts(learner, resolve(learner, Path()))
        digests = RunDigests.of_parts(program, learner, parts)
        resumed = None if program.resumed is None else program.resumed.data
        start = None if resumed is None else (resumed.version, resumed.sha256)
        return Facts.of(distribution, digests, parts, start)

    def _data(self, program: RoleOp) -> bytes:
        return _digest(self.data, "data", program) if self.data else b""

    def _addresses(self, program: RoleOp) -> dict[int, str]:
        group = program.group.data
        if not self.addresses:
            return {}
        if len(self.addresses) != group.size:
            wanted = f"{group.size} addresses, one a role of the group"
            raise Refusal("protocol-role-range", wanted, str(len(self.addresses)), program)
        for address in self.addresses:
            try:
                IPv4Address(address)
            except ValueError:
                wanted = "IPv4 addresses in dotted form"
                raise Refusal("target-unsupported", wanted, repr(address), program) from None
        return dict(zip(group.members, self.addresses, strict=True))


def _digest(text: str, option: str, at: RoleOp) -> bytes:
    if not is_digest(text):
        wanted = f"{option}=... with 64 hexadecimal digits in lower case"
        raise Refusal("target-unsupported", wanted, repr(text[:80]), at)
    return bytes.fromhex(text)


def _named_digest(text: str, at: RoleOp) -> tuple[str, str]:
    name, _, found = text.rpartition("=")
    _digest(found, f"parts={name}", at)
    return name, found


def _has_files(learner: Learner) -> bool:
    """Whether words of a learner lie in files."""
    values = [op.initial for op in (*learner.states.values(), *learner.constants.values())]
    values += [source for op in learner.samples.values() for source in op.sources.data]
    return any(isinstance(value, FileAttr) for value in values)
