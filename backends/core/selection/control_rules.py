"""Rules for what ends a block, for calls, and for calls of the system: the same on every target.

Entry: `control_rules`.
"""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.core.selection.calls import call, give_back
from alpha.backends.core.selection.common_rules import MakeInteger
from alpha.backends.core.selection.comparing import Tests, branch, jump
from alpha.backends.core.selection.matching import Rule
from alpha.backends.core.selection.switches import switch
from alpha.backends.core.selection.system_calls import system_call, system_constant


def control_rules(tests: Tests, system_row: str, integer: MakeInteger) -> Iterator[Rule]:
    """`system_row` begins the names of the rows that call the system; see `system_call`."""
    yield Rule("cf.br", "*", jump)
    yield Rule("cf.cond_br", "*", branch(tests))
    yield Rule("cf.switch", "*", switch(tests, integer))
    yield Rule("func.call", "*", call)
    yield Rule("func.return", "*", give_back)
    yield Rule("linux.syscall", "*", system_call(system_row, integer))
    yield Rule("linux.constant", "*", system_constant(integer))
