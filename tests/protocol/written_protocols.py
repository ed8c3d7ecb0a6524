"""Protocols that were made at random, as text.

Entry: `written`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from protocol.random_protocols import (
    Block,
    Choice,
    Decision,
    Exchange,
    Node,
    Protocol,
    Repeat,
    Roles,
    Scope,
    Work,
    inside_out,
    selection_text,
)


@dataclass
class _Text:
    """A protocol as lines, and the keys of its decisions in the order in which they stand."""

    protocol: Protocol
    towards: int | None
    lines: list[str] = field(default_factory=list[str])
    keys: list[int] = field(default_factory=list[int])

    def block(self, block: Block) -> None:
        for node in block.nodes:
            self.node(node)

    def node(self, node: Node) -> None:
        match node:
            case Work():
                self.work(node)
            case Exchange(form, value, result):
                made = "" if result is None else f"{result} = "
                self.lines.append(made + form.format(value))
            case Scope(roles, body):
                self.lines.append(f"{_made(body)}protocol.scope {selection_text(roles)} {{")
                self.block(body)
                self.end(body)
                self.lines.append("}")
            case Repeat(bound, carried, body, until):
                pairs = ", ".join(f"{inside} = {outside}" for inside, outside in carried)
                pairs = f" ({pairs})" if pairs else ""
                self.lines.append(f"{_made(body)}protocol.repeat {bound}{pairs} {{")
                self.block(body)
                if until is None:
                    self.end(body)
                else:
                    yields = f" yields {', '.join(body.yields)}" if body.yields else ""
                    self.lines.append(f"protocol.until {self.decided(until)}{yields}")
                self.lines.append("}")
            case Choice(decision, arms):
                head = f"{_made(arms[0])}protocol.choice {self.decided(decision)}"
                self.lines.append(head)
                for arm in sorted(arms, key=lambda arm: not self.leads(arm)):
                    self.lines.append("{")
                    self.block(arm)
                    self.end(arm)
                    self.lines.append("}")

    def work(self, work: Work) -> None:
        pairs = [f"%a{number} = {name}" for number, name in enumerate(work.arguments)]
        bound = f" ({', '.join(pairs)})" if pairs else ""
        made = "" if work.result is None else f"{work.result} = "
        self.lines.append(f"{made}protocol.local at {selection_text(work.roles)}{bound} {{")
        self.lines.append(f"%c = arith.constant {work.constant}.0 : f64")
        last = "%c"
        for number in range(len(pairs)):
            self.lines.append(f"%s{number} = arith.addf {last}, %a{number} : f64")
            last = f"%s{number}"
        self.lines.append("protocol.yield" + ("" if work.result is None else f" {last}"))
        self.lines.append("}")

    def end(self, block: Block) -> None:
        if block.yields:
            self.lines.append(f"protocol.yield {', '.join(block.yields)}")

    def decided(self, decision: Decision) -> str:
        self.keys.append(decision.key)
        text = f"%selector{decision.selector}"
        if decision.authority is None:
            return text
        pairs = ", ".join(f"{teller} -> {told}" for teller, told in decision.pairs)
        return f"{text} by {decision.authority} along [{pairs}]"

    def leads(self, block: Block) -> bool:
        return any(decision.key == self.towards for decision in inside_out(block))


def _made(block: Block) -> str:
    return f"{', '.join(block.results)} = " if block.results else ""


def written(
    protocol: Protocol, known: bool = False, towards: int | None = None
) -> tuple[str, list[int]]:
    """The protocol as text, and the keys of its decisions in the order of the text.

    With `known`, all roles have every selector. Of a choice around the decision `towards`, the arm
    that it is in comes first.
    """
    everyone = Roles(range(protocol.roles))
    text = _Text(protocol, towards)
    group = f'universe = {protocol.roles}, epoch = 0, id = "", {selection_text(everyone)}'
    text.lines.append(f"protocol.global @random group #protocol.group<{group}> {{")
    for number, roles in enumerate(protocol.selectors):
        at = selection_text(everyone if known else roles)
        text.lines.append(f"%selector{number} = protocol.local at {at} {{")
        text.lines += ["%s = arith.constant 1 : i64", "protocol.yield %s", "}"]
    text.block(protocol.body)
    text.lines.append("}")
    return "\n".join(text.lines), text.keys
