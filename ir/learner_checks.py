"""Checks of a whole learner: every name is known once, and the round fits what it names.

Invariant: after `check_learner` every symbol of the round resolves to an operation of the right
    kind and type, every sum has a contract of its samples, and every advanced word was written by
    an update.
Refuses: region-identity, region-symbol-unknown, region-round-count, region-contract-groups,
    shard-count-zero, pointwise-type, pointwise-footprint.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.attributes.shard import OwnersAttr
from alpha.ir.dialects.pointwise_programs import ContributionOp, UpdateOp
from alpha.ir.dialects.pointwise_round import ApplyOp, MeanOp, SumOp
from alpha.ir.dialects.region import (
    AdvanceOp,
    ConstantOp,
    LearnerOp,
    ReadOp,
    RoundOp,
    SamplesOp,
    StateOp,
)
from alpha.ir.learners import Learner
from alpha.ir.names import require_name
from alpha.ir.refusals import Note, Refusal, name_of, place_of
from alpha.ir.shapes import types_text

PARTS = (StateOp, ConstantOp, SamplesOp, ContributionOp, UpdateOp, RoundOp)

Symbols = dict[str, Operation]


def check_learner(op: LearnerOp) -> None:
    """Refuse a learner whose parts don't fit together."""
    if op.owners is not None and not isinstance(op.owners, OwnersAttr):
        raise Refusal("region-identity", "#shard.owners<...> as owners", str(op.owners), op)
    require_name(op.sym_name.data, "a learner", op)
    symbols = _symbols(op)
    rounds = [part for part in op.body.block.ops if isinstance(part, RoundOp)]
    if len(rounds) != 1:
        at = rounds[1] if len(rounds) > 1 else op
        raise Refusal("region-round-count", "exactly one region.round", str(len(rounds)), at)
    block = rounds[0].body.block
    if not isinstance(block.last_op, AdvanceOp):
        found = name_of(block.last_op) if block.last_op else "an empty round"
        at = block.last_op or rounds[0]
        raise Refusal("region-round-count", "region.advance as the last operation", found, at)
    if block.args:
        raise Refusal("pointwise-footprint", "a round without arguments", "some", rounds[0])
    for part in block.ops:
        _check_part(part, symbols)
    learner = Learner.of(op)
    _check_labels(learner)
    for total in learner.sums():
        _check_contract(learner, total)
    if not learner.sums() and isinstance(op.owners, OwnersAttr) and op.owners.samples is not None:
        raise Refusal(
            "region-contract-groups",
            "no samples of owners in a learner without a sum",
            f"[{op.owners.samples}]",
            op,
        )


def _symbols(op: LearnerOp) -> Symbols:
    symbols: Symbols = {}
    for part in op.body.block.ops:
        if not isinstance(part, PARTS):
            wanted = "a state, constant, samples, program or round in a learner"
            raise Refusal("region-identity", wanted, name_of(part), part)
        if isinstance(part, RoundOp):
            continue
        name = part.sym_name.data
        if name in symbols:
            note = Note(f"@{name} is first defined here", place_of(symbols[name]))
            raise Refusal("region-identity", f"one definition of @{name}", "two", part, (note,))
        symbols[name] = part
    return symbols


def _check_part(op: Operation, symbols: Symbols) -> None:
    match op:
        case ReadOp():
            _check_read(op, symbols)
        case SumOp():
            _check_sum(op, symbols)
        case ApplyOp():
            _check_apply(op, symbols)
        case AdvanceOp():
            _check_advance(op, symbols)
        case MeanOp():
            pass
        case _:
            wanted = "read, sum, mean, apply and advance in a round"
            raise Refusal("pointwise-footprint", wanted, name_of(op), op)


def _resolve(
    name: str, kinds: tuple[type[Operation], ...], what: str, op: Operation, symbols: Symbols
) -> Operation:
    found = symbols.get(name)
    if isinstance(found, kinds):
        return found
    of_kind = sorted(other for other, part in symbols.items() if isinstance(part, kinds))
    known = ", ".join(f"@{other}" for other in of_kind) or "none"
    is_what = "which isn't defined" if found is None else f"a {found.name}"
    wanted = f"the name of {what} (there is: {known})"
    raise Refusal("region-symbol-unknown", wanted, f"@{name}, {is_what}", op)


def _check_types(
    op: Operation, what: str, wanted: Sequence[Attribute], found: Sequence[Attribute]
) -> None:
    if list(wanted) != list(found):
        raise Refusal("pointwise-type", f"{types_text(wanted)} {what}", types_text(found), op)


def _check_read(op: ReadOp, symbols: Symbols) -> None:
    wanted: list[Attribute] = []
    kinds = (StateOp, ConstantOp, SamplesOp)
    for symbol in op.symbols.data:
        part = _resolve(symbol.string_value(), kinds, "a state, constant or samples", op, symbols)
        match part:
            case SamplesOp():
                wanted.extend(part.whole_types())
            case StateOp() | ConstantOp():
                wanted.append(part.type)
    _check_types(op, "from this read", wanted, op.result_types)


def _is_read_of(value: SSAValue, symbols: Symbols, kinds: tuple[type[Operation], ...]) -> bool:
    """Whether the value is read, in this round, from a field of one of these kinds."""
    owner = value.owner
    if not isinstance(owner, ReadOp):
        return False
    name = owner.names(symbols)[owner.results.index(value)]
    return isinstance(symbols.get(name), kinds)


def _check_sum(op: SumOp, symbols: Symbols) -> None:
    callee = _resolve(op.callee.string_value(), (ContributionOp,), "a contribution", op, symbols)
    samples = _resolve(op.samples.string_value(), (SamplesOp,), "samples", op, symbols)
    assert isinstance(callee, ContributionOp) and isinstance(samples, SamplesOp)
    name = f"@{callee.sym_name.data}"
    found = [value.type for value in op.arguments]
    _check_types(op, f"as parameters of {name}", callee.parameter_types(), found)
    what = f"as components of @{samples.sym_name.data} for {name}"
    _check_types(op, what, callee.sample_types(), samples.types.data)
    summed = [result.type.value for result in op.sums]
    _check_types(op, f"as sums of {name}", callee.summed_types(), summed)
    for number, value in enumerate(op.arguments):
        if not _is_read_of(value, symbols, (StateOp, ConstantOp)):
            wanted = f"argument {number} of {name} read from a state or constant"
            raise Refusal("pointwise-footprint", wanted, "another value", op)
    if samples.count.value.data == 0:
        wanted = f"at least one sample in @{samples.sym_name.data} to take a mean over"
        raise Refusal("shard-count-zero", wanted, "0", op)


def _check_apply(op: ApplyOp, symbols: Symbols) -> None:
    callee = _resolve(op.callee.string_value(), (UpdateOp,), "an update", op, symbols)
    assert isinstance(callee, UpdateOp)
    name = f"@{callee.sym_name.data}"
    found = [value.type for value in op.arguments]
    _check_types(op, f"as arguments of {name}", callee.function_type.inputs.data, found)
    results = [value.type for value in op.outputs]
    _check_types(op, f"as results of {name}", callee.function_type.outputs.data, results)
    for number, value in enumerate(op.arguments):
        if not isinstance(value.owner, ReadOp | MeanOp | ApplyOp):
            wanted = f"argument {number} of {name} from a read, a mean or an update"
            raise Refusal("pointwise-footprint", wanted, "another value", op)


def _check_advance(op: AdvanceOp, symbols: Symbols) -> None:
    names = [symbol.string_value() for symbol in op.symbols.data]
    for number, (name, value) in enumerate(zip(names, op.values, strict=True)):
        if name in names[:number]:
            raise Refusal("region-identity", f"one new value for @{name}", "two", op)
        if isinstance(symbols.get(name), ConstantOp | SamplesOp):
            wanted = "a state, since an update writes only parameters and optimizer state"
            raise Refusal("pointwise-footprint", wanted, f"@{name}, which never changes", op)
        state = _resolve(name, (StateOp,), "a state", op, symbols)
        assert isinstance(state, StateOp)
        _check_types(op, f"for @{name}", [state.type], [value.type])
        if not isinstance(value.owner, ApplyOp):
            wanted = f"the new words of @{name} from pointwise.apply"
            raise Refusal("pointwise-footprint", wanted, "a value that no update wrote", op)


def _check_labels(learner: Learner) -> None:
    """Each observation of a round has a label of its own: under it its numbers are reported."""
    first: dict[str, SumOp] = {}
    for op in learner.sums():
        for label in learner.observation_labels(op):
            earlier = first.setdefault(label, op)
            if earlier is not op:
                note = Note(f"{label!r} is first observed here", place_of(earlier))
                wanted = f"one observation {label!r} in a round"
                raise Refusal("region-identity", wanted, "two", op, (note,))


def _check_contract(learner: Learner, op: SumOp) -> None:
    count = learner.samples[op.samples.string_value()].count.value.data
    contract = learner.contract_of(op)
    try:
        contract.check(count)
    except Refusal as refusal:
        raise Refusal(refusal.code, refusal.expected, refusal.found, op) from None
