"""How many registers an instruction takes while it runs, and how many are there for them.

Where registers are fixed or clobbered, those are taken out of the pool; everything else that has a
register then (values that live on, operands that are in no fixed register, copies for tied
operands) has to fit into what is left, and then always does, since all of the pool are alike.

Entry: `pool`, `taken`, `safe_homes`, `banned`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.flow import Step
from alpha.backends.core.program import Value


def fixed_masks(step: Step, kind: int, kinds: Sequence[int]) -> tuple[int, int, int]:
    """The registers that uses have to be in, those of defs, and among these the early ones."""
    uses = defs = early = 0
    for at, register in enumerate(step.form.fixed_uses):
        if register >= 0 and kinds[step.uses[at]] == kind:
            uses |= 1 << register
    for at, register in enumerate(step.form.fixed_defs):
        if register >= 0 and kinds[step.defs[at]] == kind:
            defs |= 1 << register
            if step.form.early[at]:
                early |= 1 << register
    return uses, defs, early


def pool(step: Step, kind: int, kinds: Sequence[int], banks: Banks) -> int:
    """The registers that are neither fixed nor clobbered."""
    if step.form.plain:
        return banks.all[kind]
    uses, defs, _ = fixed_masks(step, kind, kinds)
    return banks.all[kind] & ~(uses | defs | step.form.clobbers[kind])


def taken(
    step: Step,
    kind: int,
    kinds: Sequence[int],
    ending: Collection[Value],
    at_home: Collection[Value] = (),
) -> int:
    """How many registers of the pool the operands take.

    `ending` are the used values that have no register afterwards, `at_home` those that live on in
    the fixed register that they are used in.
    """
    form, uses = step.form, step.uses
    count = 0
    given: list[Value] = []
    for at, use in enumerate(form.tied):
        if use >= 0 and form.fixed_defs[at] < 0 and kinds[step.defs[at]] == kind:
            count += 1
            if hands_over(step, at, ending) and uses[use] not in given:
                given.append(uses[use])
    shared = 0
    for value in dict.fromkeys(uses):
        if kinds[value] != kind or value in given:
            continue
        if value not in ending:
            count += value not in at_home
        elif needs_pool(step, kind, kinds, value):
            count += 1
            shared += 1
    fresh = 0
    for at, value in enumerate(step.defs):
        if form.tied[at] < 0 and form.fixed_defs[at] < 0 and kinds[value] == kind:
            if form.early[at]:
                count += 1
            else:
                fresh += 1
    return count + max(0, fresh - shared)


def hands_over(step: Step, at: int, ending: Collection[Value]) -> bool:
    """Whether a tied def may take the register of its use, if no def before did."""
    value = step.uses[step.form.tied[at]]
    return value in ending and not (step.form.early[at] and step.uses.count(value) > 1)


def needs_pool(step: Step, kind: int, kinds: Sequence[int], value: Value) -> bool:
    """Whether a value that ends here is read in a register that is not fixed."""
    form = step.form
    if form.plain and not form.ties:
        return True
    plain, fixed = False, -1
    for at, use in enumerate(step.uses):
        if use == value:
            if form.fixed_uses[at] >= 0:
                if not form.clobbers[kind] >> form.fixed_uses[at] & 1:
                    fixed = form.fixed_uses[at]
            elif at not in form.tied:
                plain = True
    if not plain or fixed < 0:
        return plain
    _, _, early = fixed_masks(step, kind, kinds)
    return early >> fixed & 1 == 1


def safe_homes(step: Step, kind: int, kinds: Sequence[int], value: Value, banks: Banks) -> int:
    """The registers that a value is used in by force and can stay in."""
    form = step.form
    if form.plain:
        return 0
    _, defs, _ = fixed_masks(step, kind, kinds)
    found = 0
    for at, register in enumerate(form.fixed_uses):
        if register >= 0 and step.uses[at] == value:
            found |= 1 << register
    return found & ~(defs | form.clobbers[kind]) & banks.all[kind]


def banned(
    step: Step, kind: int, kinds: Sequence[int], value: Value, bytes: int, banks: Banks
) -> int:
    """The registers that a value can't live through the instruction in."""
    form = step.form
    if form.plain:
        return 0
    uses, defs, _ = fixed_masks(step, kind, kinds)
    found = defs | form.clobbers[kind]
    if form.call and bytes > banks.wide[kind]:
        found |= banks.kept[kind]
    for at, register in enumerate(form.fixed_uses):
        if register >= 0 and step.uses[at] == value:
            uses &= ~(1 << register)
    return found | uses
