"""Protocols at random, as texts and as what has to happen in them, in one order for all roles.

Invariant: everybody has the values that are sent, so that every text verifies; what is expected is
    made together with the text and not read from it.
Entry: `random_text`, `Events`, `of_role`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

Events = list[tuple]
"""("work", roles), ("message", from, to, name), ("loop", bound, until, events) or
("choice", [events of an arm, ...])."""

DEPTH_MAX = 3


def of_role(events: Events, role: int) -> Events:
    """What one role does: its own work, sends and receives; loops and choices where it does any."""
    found: Events = []
    for event in events:
        match event:
            case ("work", roles) if role in roles:
                found.append(("work",))
            case ("message", sender, receiver, name) if role in (sender, receiver):
                sends = role == sender
                found.append(("send" if sends else "receive", receiver if sends else sender, name))
            case ("loop", bound, until, body):
                body = of_role(body, role)
                found += [("loop", bound, until, body)] if body else []
            case ("choice", arms):
                arms = [of_role(arm, role) for arm in arms]
                found += [("choice", arms)] if any(arms) else []
    return found


@dataclass
class _Making:
    random: Random
    roles: int
    lines: list[str] = field(default_factory=list)
    made: int = 0

    def members(self) -> str:
        return f"stride(0, 1, {self.roles})"

    def line(self, depth: int, text: str) -> None:
        self.lines.append(f"{'  ' * (depth + 1)}{text}")

    def name(self) -> str:
        self.made += 1
        return f"%v{self.made}"

    def events(self, depth: int) -> Events:
        steps = (self.work, self.transfer, self.transfer, self.replicate, self.loop, self.choice)
        usable = steps if depth < DEPTH_MAX else steps[:4]
        return [
            event
            for _ in range(self.random.randrange(1, 5))
            for event in self.random.choice(usable)(depth)
        ]

    def work(self, depth: int) -> Events:
        """Each has another constant, so that no two arms are alike."""
        first = self.random.randrange(self.roles)
        count = self.random.randrange(1, self.roles - first + 1)
        self.made += 1
        self.line(depth, f"protocol.local at stride({first}, 1, {count}) {{")
        self.line(depth, f"  %c = arith.constant {self.made}.0 : f64")
        self.line(depth, "  protocol.yield")
        self.line(depth, "}")
        return [("work", frozenset(range(first, first + count)))]

    def transfer(self, depth: int) -> Events:
        sender, receiver = self.random.sample(range(self.roles), 2)
        self.line(depth, f"{self.name()} = protocol.transfer %x from {sender} to {receiver}")
        return [("message", sender, receiver, "transfer")]

    def replicate(self, depth: int) -> Events:
        self.line(depth, f"{self.name()} = protocol.replicate %x along star over {self.members()}")
        return self.tell("replicate")

    def tell(self, name: str) -> Events:
        """What role 0 sends to all others, ascending."""
        return [("message", 0, role, name) for role in range(1, self.roles)]

    def decision(self) -> tuple[str, Events]:
        if self.random.random() < 0.5:
            return "", []
        return f" by 0 along star over {self.members()}", self.tell("decide")

    def loop(self, depth: int) -> Events:
        bound, until = self.random.randrange(1, 4), self.random.random() < 0.4
        self.line(depth, f"protocol.repeat {bound} {{")
        body = self.events(depth + 1)
        if until:
            routes, told = self.decision()
            self.line(depth + 1, f"protocol.until %s{routes}")
            body += told
        self.line(depth, "}")
        return [("loop", bound, until, body)]

    def choice(self, depth: int) -> Events:
        routes, told = self.decision()
        self.line(depth, f"protocol.choice %s{routes} {{")
        arms = [self.events(depth + 1)]
        for _ in range(self.random.randrange(1, 3)):
            self.line(depth, "} {")
            arms.append(self.events(depth + 1))
        self.line(depth, "}")
        return [*told, ("choice", arms)]


def random_text(random: Random) -> tuple[str, int, Events]:
    """The text of a protocol, how many roles it has, and what happens in it."""
    making = _Making(random, random.randrange(2, 9))
    group = f'universe = {making.roles}, epoch = 0, id = "61", {making.members()}'
    making.lines.append(f"protocol.global @random group #protocol.group<{group}> {{")
    making.line(0, f"%x, %s = protocol.local at {making.members()} {{")
    making.line(0, "  %c = arith.constant 0.5 : f64")
    making.line(0, "  %n = arith.cmpf olt, %c, %c : f64")
    making.line(0, "  %w = arith.extui %n : i1 to i64")
    making.line(0, "  protocol.yield %c, %w")
    making.line(0, "}")
    events: Events = [("work", frozenset(range(making.roles)))]
    events += making.events(0)
    making.lines.append("}")
    return "".join(f"{line}\n" for line in making.lines), making.roles, events
