"""Values that would best be in one register: parameters with their arguments, tied operands.

Entry: `Webs`.
"""

from __future__ import annotations

from alpha.backends.core.allocation.flow import Flow, Link, Node, Step
from alpha.backends.core.program import Value


class Webs:
    """`of[v]` is the name of a value's web; `wish[v]` a register that its last use asks for, or -1.

    An argument that an edge brings to several parameters is in the web of none of them, since it
    can be in the register of one only. Spilling has been decided before.
    """

    def __init__(self, flow: Flow) -> None:
        self._above = list(range(len(flow.views)))
        self.wish = [-1] * len(flow.views)
        for node in reversed(flow.nodes):
            for link in node.successors:
                self._join_edge(flow.nodes[link.target], link)
            for step in reversed(node.steps):
                if step.form.copies and step.uses[0] in step.kills:
                    self._join(step.uses[0], step.defs[0])
                elif step.form.ties or not step.form.plain:
                    self._join_step(step)
        self.of = [self._find(value) for value in range(len(self._above))]

    def _find(self, value: Value) -> Value:
        above = self._above
        while above[value] != value:
            above[value] = above[above[value]]
            value = above[value]
        return value

    def _join_edge(self, target: Node, link: Link) -> None:
        for parameter, argument in zip(target.parameters, link.arguments, strict=True):
            if link.arguments.count(argument) == 1:
                self._above[self._find(argument)] = self._find(parameter)
            if self.wish[argument] < 0:
                self.wish[argument] = self.wish[parameter]

    def _join_step(self, step: Step) -> None:
        form, wish = step.form, self.wish
        for at, register in enumerate(form.fixed_uses):
            if register >= 0 and step.uses[at] in step.kills:
                wish[step.uses[at]] = register
        for at, use in enumerate(form.tied):
            if use >= 0 and step.uses[use] in step.kills:
                self._join(step.uses[use], step.defs[at])

    def _join(self, value: Value, made: Value) -> None:
        """A value that ends where another one is made of it."""
        self._above[self._find(value)] = self._find(made)
        if self.wish[value] < 0:
            self.wish[value] = self.wish[made]
