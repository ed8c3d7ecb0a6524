"""`alpha verify`: proves that a distributed learner computes what the undistributed one does.

Refuses: verify-terms-differ, verify-bits-differ, target-unsupported for more owners than one
    process runs, and what the passes, `--check-protocol`, `--check-schedules` and
    `--verify-shards` refuse.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from alpha.ir.protocol.advances import advances_of
from alpha.ir.refusals import Refusal, place_of
from alpha.tools.checkpoints.flags import add_every_flag, every_of
from alpha.tools.code_proofs import add_targets_flag, print_code_proofs
from alpha.tools.commands.inspect import TERMS_NODES_MAX, nodes
from alpha.tools.commands.run import rounds
from alpha.tools.distribution_flags import MODES, add_distribution_flags
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.exits import DONE, REFUSED, VERIFY_STATUSES
from alpha.tools.progress import progress
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from alpha.interpreters.levels import Comparison, Level
    from alpha.interpreters.roles import Programs
    from alpha.ir.dialects.protocol import GlobalOp
    from alpha.ir.dialects.protocol_role import RoleOp
    from alpha.ir.protocol.view import Protocol
    from alpha.tools.distributing import Levels
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.learner_file import LearnerFile

SUMMARY = "prove that a distributed learner computes what the undistributed one does"
STATUSES = VERIFY_STATUSES

TOO_LARGE = "not proved: too large"
CHOOSES = "not proved: it chooses by words that it computes"
NOT_COMPARED = "not compared"

PROTOCOL_ROLES_MAX = 1024
"""Up to so many owners the protocol is compared as well: every role is run by itself."""

Found = Mapping[str, Sequence["Comparison"]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument("file", metavar="FILE", help="a learner; - for standard input")
    add_distribution_flags(parser)
    parser.add_argument(
        "--rounds",
        type=rounds,
        default=20,
        metavar="R",
        help="how many rounds are compared by their bits (default: %(default)s)",
    )
    add_every_flag(parser)
    parser.add_argument(
        "--carrier",
        choices=("bits", "terms"),
        help="compare words on the given data, or one round of terms for every input "
        "(default: both)",
    )
    parser.add_argument(
        "--terms-nodes-max",
        type=nodes,
        default=TERMS_NODES_MAX,
        metavar="N",
        help="give up a proof above this number of terms (default: %(default)s)",
    )
    parser.add_argument(
        "--mutants",
        action="store_true",
        help="also make every wrong distribution that applies, and print what refuses it",
    )
    add_targets_flag(parser)


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command; REFUSED if any word differs or any mutant is accepted."""
    from alpha.tools.distributing import Levels, say_remarks
    from alpha.tools.learner_file import LearnerFile

    source = LearnerFile.read(arguments.file, situation)
    _check_programs(source, arguments)
    levels = Levels.of(source, arguments, MODES)
    _check_owners(levels)
    say_remarks(source, situation)
    _print_heading(source, levels)
    terms, bits, chooses = compare(source, levels, arguments)
    texts = _texts(source, levels)
    difference = _print_comparison(terms, bits, texts, chooses, arguments)
    _say_what_is_missing(source, levels, (terms, bits), arguments.rounds)
    _print_costs(levels)
    if levels.skipped is not None:
        refusal = levels.skipped
        write_line(
            f"\nnot partitioned: [{refusal.code}] expected {refusal.expected}, "
            f"found {refusal.found}"
        )
    if arguments.mutants:
        from alpha.tools.mutants import print_mutants

        print_mutants(source, levels, arguments)
    if difference is not None:
        code, text = difference
        write_line(f"\n{text}")
        wanted = f"the words of @{source.learner.name}"
        raise Refusal(code, wanted, text.split("\n", 1)[0], place_of(source.learner.op))
    proved = not arguments.targets or print_code_proofs(source, arguments.targets)
    return DONE if proved and _anything_seen(terms, bits) else REFUSED


def _check_programs(source: LearnerFile, arguments: argparse.Namespace) -> None:
    """See that programs of roles in the file fit together, and that no flag asks for others."""
    from alpha.tools.distributing import run_pass
    from alpha.tools.distribution_flags import FLAGS

    programs = _programs(source)
    if programs is None:
        return
    for flag in (*FLAGS, "checkpoint_every"):
        if getattr(arguments, flag) is not None:
            found = f"--{flag.replace('_', '-')} with the programs of roles"
            raise Refusal("target-unsupported", "no flags that make another protocol", found)
    run_pass(source.context, source.module, "check_schedules")
    if programs.distribution is None:
        first = next(iter(programs.roles.values()))
        name = source.learner.name
        wanted = f"programs that are 'of @{name}', to compare them with this learner"
        raise Refusal("target-unsupported", wanted, "those of no learner", first)


def _programs(source: LearnerFile) -> Programs | None:
    """The programs of roles that stand in the file, if some do."""
    from alpha.interpreters.roles import Programs

    return Programs.of(source.module)


def _check_owners(levels: Levels) -> None:
    """Refuse more owners than one process is to run, before any of them is."""
    from alpha.tools.protocol_levels import ROLES_MAX

    for distribution in levels.distributions().values():
        if distribution.owners > ROLES_MAX["protocol"]:
            wanted = f"at most {ROLES_MAX['protocol']} owners, which run in one process"
            found = f"{distribution.owners}; alpha simulate models more"
            raise Refusal("target-unsupported", wanted, found, place_of(distribution.op))


def _anything_seen(terms: Found | None, bits: Found | None) -> bool:
    """Whether something was compared: by terms, or in a round that the learner doesn't refuse."""
    return terms is not None or _compared(bits)[0] > 0


def compare(
    source: LearnerFile, levels: Levels, arguments: argparse.Namespace
) -> tuple[Found | None, Found | None, str | None]:
    """What terms and bits say of the levels; None for a carrier that wasn't asked or gave up.

    Then the level that terms don't show, since it chooses by words that it computes.
    """
    from alpha.interpreters.levels import compare_bits

    compared: dict[str, Level] = {**levels.distributions()}
    programs = _programs(source)
    whole = False
    if programs is not None and len(programs.roles) <= PROTOCOL_ROLES_MAX:
        compared["roles"], most = programs, min(programs.rounds, arguments.rounds)
        whole = most == programs.rounds
    else:
        protocol, most = _protocol(source, levels, arguments)
        if protocol is not None:
            compared["protocol"] = protocol
            whole = most == advances_of(protocol.op)
    terms = bits = chooses = None
    if arguments.carrier != "bits":
        terms, chooses = _compare_terms(source, levels, compared, arguments)
    if arguments.carrier != "terms":
        # Behind the last round is what a run does at its end, which may be refused as well.
        last = most + 1 if whole and most else most
        numbers = progress(range(1, last + 1), last, "rounds")
        bits = compare_bits(levels.learner, source.words, compared, numbers)
    return terms, bits, chooses


def _compare_terms(
    source: LearnerFile,
    levels: Levels,
    compared: Mapping[str, Level],
    arguments: argparse.Namespace,
) -> tuple[Found | None, str | None]:
    """What terms say, and the level of which they can't since it chooses by computed words.

    Raises:
        Refusal: `target-unsupported` for such a level, if nothing but terms was asked for.
    """
    from alpha.interpreters.levels import compare_terms

    given = levels.learner, source.words
    try:
        return compare_terms(*given, compared, arguments.terms_nodes_max), None
    except Refusal as refusal:
        if refusal.code != "target-unsupported":
            raise
        if arguments.carrier is not None:
            refusal.expected += "; --carrier bits compares words on the given data"
            raise
    level = next(level for level in ("roles", "protocol") if level in compared)
    others = {name: of for name, of in compared.items() if name != level}
    return compare_terms(*given, others, arguments.terms_nodes_max), level


def _protocol(
    source: LearnerFile, levels: Levels, arguments: argparse.Namespace
) -> tuple[Protocol | None, int]:
    """The protocol that is compared, if one is, and how many rounds can be.

    A protocol in the file makes as many as it says, however many are asked for.
    """
    from alpha.tools.distributing import lowered

    rounds = arguments.rounds
    owners = next(iter(levels.distributions().values())).owners
    if owners > PROTOCOL_ROLES_MAX:
        return None, rounds
    module = list(levels.modules.values())[-1]
    protocol = lowered(source, module, rounds, every_of(arguments))
    most = rounds if _written(levels) is None else advances_of(protocol.op)
    return (protocol, min(most, rounds)) if most or not rounds else (None, rounds)


def _written(levels: Levels) -> Protocol | None:
    """The protocol that stands in the file, if one does."""
    from alpha.ir.protocol.view import find_protocol

    return find_protocol(list(levels.modules.values())[-1])


def _say_what_is_missing(
    source: LearnerFile, levels: Levels, found: tuple[Found | None, Found | None], rounds: int
) -> None:
    """Say where fewer rounds were compared than asked for, or no protocol."""
    owners = next(iter(levels.distributions().values())).owners
    if owners > PROTOCOL_ROLES_MAX:
        write_line(
            f"\nno protocol is compared: at most {PROTOCOL_ROLES_MAX} roles are run by themselves, "
            f"and there are {owners}"
        )
        return
    bits = found[1]
    done, refused = _compared(bits)
    programs, written = _programs(source), _written(levels)
    if programs is not None:
        level, what, most, makes = "roles", "the programs of roles", programs.rounds, "make"
    elif written is not None:
        level, what, most, makes = "protocol", "the protocol", advances_of(written.op), "makes"
    else:
        return
    if not any(level in each for each in found if each):
        verb = "aren't" if programs is not None else "isn't"
        pronoun = "they make" if programs is not None else "it makes"
        write_line(f"\n{what} in the file {verb} compared: {pronoun} no round")
    elif bits is not None and refused is None and done < rounds:
        write_line(
            f"\n{counted(done, 'round')} of {rounds} compared by their bits: {what} in the "
            f"file {makes} at most {counted(most, 'round')}"
        )


def _texts(source: LearnerFile, levels: Levels) -> dict[str, Sequence[GlobalOp | RoleOp]]:
    """By level, the texts in the file that say what each round does."""
    programs, written = _programs(source), _written(levels)
    texts: dict[str, Sequence[GlobalOp | RoleOp]] = {}
    if programs is not None:
        texts["roles"] = list(programs.roles.values())
    if written is not None:
        texts["protocol"] = [written.op]
    return texts


def _print_heading(source: LearnerFile, levels: Levels) -> None:
    distribution = next(iter(levels.distributions().values()))
    owners = counted(distribution.owners, "owner")
    modes = f"; partitioned: {', '.join(levels.modes)}" if levels.modes else ""
    write_line(f"learner {source.learner.name}: {owners}, {distribution.topology}{modes}")


def _print_comparison(
    terms: Found | None,
    bits: Found | None,
    texts: Mapping[str, Sequence[GlobalOp | RoleOp]],
    chooses: str | None,
    arguments: argparse.Namespace,
) -> tuple[str, str] | None:
    """Print a row a level and field; the code and text of the first difference, if there is one."""
    from alpha.interpreters.levels import holds_in_every_round
    from alpha.ir.protocol.rounds import rounds_are_alike

    by_code: dict[str, str] = {}
    rows: list[Sequence[object]] = []
    # Terms have every observation; bits have none where no round was run to its end.
    for level in {**(terms or {}), **(bits or {})}:
        proofs = (terms or {}).get(level)
        alike = all(map(rounds_are_alike, texts.get(level, ())))
        always = proofs is None or (alike and holds_in_every_round(proofs))
        words = {field.field: field for field in (bits or {}).get(level, ())}
        for field in proofs or (bits or {})[level]:
            by_terms = None if proofs is None else field
            by_bits = words.get(field.field)
            why = CHOOSES if level == chooses else TOO_LARGE
            verdict = _verdict(by_terms, by_bits, arguments, always, why)
            digest = () if bits is None else ("" if by_bits is None else _digest(by_bits),)
            rows.append((level, field.field, field.size, verdict, *digest))
            for each, code in ((by_terms, "verify-terms-differ"), (by_bits, "verify-bits-differ")):
                if each is not None and each.difference is not None:
                    by_code.setdefault(code, each.difference)
    heading = ["level", "field", "words", "equal to the learner"]
    if bits is not None:
        heading.append("sha256 of the words")
    if terms is None and bits is None:
        rows.append(("all", "all", "", TOO_LARGE))
    done, refused = _compared(bits)
    print_table(_title(arguments, done), heading, rows)
    if refused is not None:
        write_line(f"\nthe learner refuses round {done + 1} on this data: [{refused}]")
    # A difference of terms shows the cause, one of bits perhaps what followed from it.
    return next(iter(sorted(by_code.items(), reverse=True)), None)


def _compared(bits: Found | None) -> tuple[int, str | None]:
    """How many rounds were compared by their bits, and the code that ended them early or None."""
    fields = [field for level in (bits or {}).values() for field in level]
    return (fields[0].rounds, fields[0].refused) if fields else (0, None)


def _title(arguments: argparse.Namespace, done: int) -> str:
    """What was compared."""
    size = counted(done, "round")
    titles = {
        "terms": "one round, for every input",
        "bits": f"{size}, by their bits",
        None: f"one round, for every input; {size}, by their bits",
    }
    return titles[arguments.carrier]


def _verdict(
    terms: Comparison | None,
    bits: Comparison | None,
    arguments: argparse.Namespace,
    always: bool,
    why: str,
) -> str:
    if any(each is not None and each.difference is not None for each in (terms, bits)):
        return "differs"
    if terms is not None:
        return "proved" if always else "equal in one round"
    seen = "equal" if bits is not None and bits.rounds else NOT_COMPARED
    return f"{seen}, {why}" if arguments.carrier is None else seen


def _digest(field: Comparison) -> str:
    from alpha.ir.digests import words_bytes

    if field.words is None:
        return "missing"  # an observation that the distribution doesn't make
    return sha256(words_bytes(field.words)).hexdigest()[:16]


def _print_costs(levels: Levels) -> None:
    from alpha.ir.sharding.costs import costs_of
    from alpha.tools.owner_tables import print_costs

    for level, distribution in levels.distributions().items():
        print_costs(f"each owner, {level}", costs_of(distribution))
