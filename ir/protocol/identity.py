"""The identity of a run: what every frame names, so that participants of another run are refused.

Invariant: it follows from a role's program and its learner alone, so every role finds the same; it
    differs if the learner, a contract, the membership, the partitioning, the exchange or the number
    of rounds does.
Refuses: protocol-digest-mismatch.
Entry: `identity_of`, `RunDigests`, `contract_digest`, `check_digest`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from alpha.ir.canonical import digest
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.digests import learner_digest, learner_parts
from alpha.ir.frames import is_digest, run_identity
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner
from alpha.ir.protocol.digests import protocol_digest
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal


def check_digest(op: RoleOp) -> None:
    """See that frames can name the protocol of a program that is to be run.

    Raises:
        Refusal: `protocol-digest-mismatch`.
    """
    if not is_digest(op.protocol.data):
        wanted = "the digest of a protocol, 64 hexadecimal digits in lower case"
        raise Refusal("protocol-digest-mismatch", wanted, repr(op.protocol.data[:80]), op)


class RunDigests(NamedTuple):
    """What the identity of a run is made of, each as 64 hexadecimal digits."""

    learner: str
    contract: str
    membership: str
    protocol: str

    @classmethod
    def of(cls, op: RoleOp, learner: Learner | None, words: LearnerWords | None) -> RunDigests:
        """Those of a run of which this role is one; without a learner its part is empty.

        Raises:
            Refusal: as `check_digest` does.
        """
        return cls.of_parts(op, learner, _parts(learner, words))

    @classmethod
    def of_parts(cls, op: RoleOp, learner: Learner | None, parts: Mapping[str, str]) -> RunDigests:
        """The same, where the digests of the learner's parts are known.

        Raises:
            Refusal: as `check_digest` does.
        """
        check_digest(op)
        contract = contract_digest(learner)
        return cls(learner_digest(parts), contract, op.group.data.digest(), op.protocol.data)

    @classmethod
    def of_protocol(cls, protocol: Protocol, parts: Mapping[str, str]) -> RunDigests:
        """The same, from the protocol of all roles."""
        distribution = protocol.distribution
        contract = contract_digest(None if distribution is None else distribution.learner)
        made = protocol_digest(protocol)
        return cls(learner_digest(parts), contract, protocol.group.digest(), made)

    @property
    def identity(self) -> bytes:
        """The 32 bytes that every frame of the run names."""
        return run_identity(self.learner, self.contract, self.membership, self.protocol)


def contract_digest(learner: Learner | None) -> str:
    """The digest of the contracts of all sums of a learner; 64 hexadecimal digits."""
    contracts: tuple[str, ...] = ()
    if learner is not None:
        contracts = tuple(learner.contract_of(sum).digest() for sum in learner.sums())
    return digest(("contracts", contracts))


def _parts(learner: Learner | None, words: LearnerWords | None) -> Mapping[str, str]:
    return {} if learner is None or words is None else learner_parts(learner, words)


def identity_of(op: RoleOp, learner: Learner | None, words: LearnerWords | None) -> bytes:
    """The 32 bytes of a run of which this role is one; without a learner its part is empty.

    Raises:
        Refusal: as `check_digest` does.
    """
    return RunDigests.of(op, learner, words).identity
