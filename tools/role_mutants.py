"""Wrong programs of the roles of a learner: makes one, and says what refuses it.

Invariant: a mutant is looked at as a user's own programs would be: by the verifier, by
    `--check-schedules`, and then by running all roles, over networks that hold no frame, one, or
    any number.
Entry: `what_refuses_roles`, `roles_of`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.protocol.advances import advances_of
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import find_distribution
from alpha.passes.protocol.mutants import KINDS
from alpha.passes.protocol.schedules import check_programs
from alpha.tools.distributing import run_pass

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from alpha.tools.learner_file import LearnerFile

EQUIVALENT = "equivalent"
INAPPLICABLE = "doesn't apply"
LOST = "a role that waits in vain"

ROUNDS = 2
BUFFERS = (0, 1, None)
"""In frames."""


def roles_of(source: LearnerFile, module: ModuleOp) -> ModuleOp:
    """The programs of all roles of a distribution, in a copy of its module; or those in it.

    Raises:
        Refusal: what the passes refuse.
    """
    copy = module.clone()
    if any(isinstance(op, RoleOp) for op in copy.body.block.ops):
        return copy
    run_pass(source.context, copy, "lower_shard_to_protocol", rounds=ROUNDS)
    run_pass(source.context, copy, "project_role")
    return copy


def what_refuses_roles(source: LearnerFile, module: ModuleOp, kind: str) -> str:
    """The code that refuses a mutant of the roles of a distribution, or what else happens."""
    from alpha.interpreters.role import find_roles

    mutant = roles_of(source, module)
    roles = find_roles(mutant)
    if not KINDS[kind](roles):
        return INAPPLICABLE
    try:
        verify_module(mutant)
        check_programs(roles)
    except Refusal as refusal:
        return refusal.code
    ends = {_how_they_end(source, module, mutant, buffer) for buffer in BUFFERS}
    return next((end for end in sorted(ends) if end != EQUIVALENT), EQUIVALENT)


def _how_they_end(
    source: LearnerFile, module: ModuleOp, mutant: ModuleOp, buffer: int | None
) -> str:
    """The code with which a role refuses first, LOST, or what a comparison with owners says."""
    from alpha.interpreters.network.outcomes import Refused
    from alpha.interpreters.network.simulated import SimulatedNetwork
    from alpha.interpreters.prepared import Prepared
    from alpha.interpreters.protocol import DEADLINE_SECONDS
    from alpha.interpreters.role import RoleWalk, find_roles
    from alpha.interpreters.words import Words
    from alpha.interpreters.work import RoleWork
    from alpha.ir.protocol.contracts import contract_of

    distribution = find_distribution(mutant)
    assert distribution is not None
    carrier = Words()
    prepared = Prepared(distribution, carrier, contract_of)
    works = {role: RoleWork(prepared, role, source.words) for role in find_roles(mutant)}
    participants = {
        role: RoleWalk(op, works[role], carrier).participant()
        for role, op in find_roles(mutant).items()
    }
    network = SimulatedNetwork(participants, seed=0, buffer=buffer, deadline=DEADLINE_SECONDS)
    network.run()
    failure = network.first_failure
    if failure is not None:
        return failure[1].code if isinstance(failure[1], Refused) else LOST
    rounds = advances_of(next(iter(find_roles(mutant).values())))
    wanted = _owners_words(source, module, rounds)
    found = [
        {name: words.tobytes() for name, words in work.owner.words.items()}
        for work in works.values()
    ]
    return EQUIVALENT if found == wanted else "verify-bits-differ"


def _owners_words(source: LearnerFile, module: ModuleOp, rounds: int) -> list[dict[str, bytes]]:
    """What each owner has at the shard level after some rounds, in bits."""
    from alpha.interpreters.shard import ShardInterpreter
    from alpha.interpreters.words import Words

    distribution = find_distribution(module)
    assert distribution is not None
    reference = ShardInterpreter(distribution, source.words, Words())
    for _ in range(rounds):
        reference.step()
    return [
        {name: words.tobytes() for name, words in owner.words.items()} for owner in reference.owners
    ]
