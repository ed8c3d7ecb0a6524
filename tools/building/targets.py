"""Which processor each role is compiled for, as `--targets` and `--features` say it.

Refuses: target-unsupported.
Entry: `Targets` (`Targets.of`), `BuildTarget`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alpha.backends.toolchain.machines import GPU, MACHINES, host_machine
from alpha.ir.refusals import Refusal
from alpha.tools.number_flags import quoted

DIALECTS = {"x86-64": "x64", "aarch64": "a64"}
"""The dialect of each machine's instruction set."""


@dataclass(frozen=True)
class BuildTarget:
    """A machine, and the features of its processor beyond the baseline that roles may use."""

    machine: str
    features: tuple[str, ...] = ()

    @property
    def dialect(self) -> str:
        """The dialect of its instruction set."""
        return DIALECTS[self.machine]

    @property
    def feature_text(self) -> str:
        """The features as the options of passes have them."""
        return ",".join(self.features)

    def __str__(self) -> str:
        return "+".join((self.machine, *self.features))


@dataclass(frozen=True)
class Targets:
    """The targets of roles: a list that is repeated as often as there are roles."""

    listed: tuple[BuildTarget, ...]

    @classmethod
    def of(cls, names: Sequence[str] | None, features: Sequence[str] | None) -> Targets:
        """What the flags say; without names this host, or x86-64 where it can't run any of them.

        A feature goes to the targets that know it.

        Raises:
            Refusal: target-unsupported for a target that isn't built, or a feature that none of the
                targets knows.
        """
        if names is None:
            host = host_machine()
            names = ("x86-64" if host is None else host.name,)
        for name in names:
            _check(name)
        if not features:
            return cls(tuple(map(BuildTarget, names)))
        from alpha.backends.core.targets import all_features  # loads the whole instruction sets

        known = {name: all_features(DIALECTS[name]) for name in dict.fromkeys(names)}
        for feature in features:
            if not any(feature in each for each in known.values()):
                every = sorted(set().union(*known.values()))
                wanted = f"some of the features {', '.join(every)} of {', '.join(known)}"
                raise Refusal("target-unsupported", wanted, quoted(feature))
        return cls(
            tuple(BuildTarget(name, tuple(sorted({*features} & known[name]))) for name in names)
        )

    def at(self, rank: int) -> BuildTarget:
        """The target of the role with this place among all roles, from 0."""
        return self.listed[rank % len(self.listed)]

    def machines(self) -> list[str]:
        """The machines, each once, in the order in which they come."""
        return list(dict.fromkeys(each.machine for each in self.listed))


def _check(name: str) -> None:
    if name in MACHINES:
        return
    found = quoted(name)
    if name == GPU:
        found = f"{GPU}, whose roles aren't executables: alpha run drives them"
    raise Refusal("target-unsupported", f"some of the targets {', '.join(MACHINES)}", found)
