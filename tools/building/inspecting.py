"""What a folder of executables is, as text: the tables of `alpha inspect DIR`.

Refuses: build-description, build-file-differs.
Entry: `print_build`, `heading`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from alpha.tools.building.description import RunDescription
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from alpha.tools.building.description import RoleDescription

NONE = "-"


def heading(made: RunDescription) -> str:
    """What a build is, in a line."""
    kinds = {str(tool) for tool in made.tools.values()}
    tools = [f"{tool} for {machine}" for machine, tool in made.tools.items()]
    by = kinds.pop() if len(kinds) == 1 else ", ".join(tools)
    how = [] if made.topology is None else [made.topology]
    sizes = (counted(len(made.roles), "role"), *how, counted(made.rounds, "round"))
    return f"build {made.learner or made.title}: {', '.join(sizes)}; by {by}"


def print_build(folder: str) -> None:
    """Print what is in a folder, and see that it is what was built.

    Raises:
        Refusal: build-description, build-file-differs.
        InputOutputError: a file can't be read.
    """
    made = RunDescription.read(folder)
    made.check_files(folder)
    write_line(heading(made))
    roles = ("role", "target", "executable", "bytes", "data", "memory", "address", "peers")
    print_table("roles", roles, map(_role, made.roles))
    states = [
        (state.name, state.type, state.words, state.words * state.word_bytes)
        for state in made.states
    ]
    print_table("state", ("field", "type", "words", "bytes"), states)
    print_table("pieces", ("field", "role", "words", "coordinates"), _pieces(made))
    print_table("observations", ("label",), [(label,) for label in made.observations])
    digests = made.digests
    parts = ("learner", "contract", "membership", "protocol")
    print_table("digests", ("part", "sha256"), [(part, getattr(digests, part)) for part in parts])
    write_line(f"\nrun sha256:{digests.run}")


def _role(role: RoleDescription) -> Sequence[object]:
    target = "+".join((role.target, *role.features))
    data = NONE if role.data is None else role.data.bytes
    peers = ", ".join(map(str, role.edges)) or NONE
    start = (role.role, target, role.executable, role.bytes)
    return (*start, data, role.memory_bytes, role.address, peers)


def _pieces(made: RunDescription) -> Iterator[Sequence[object]]:
    """Who has which words of each state."""
    for state in made.states:
        pieces = {role.role: role.coordinates(state.name) for role in made.roles}
        if all(piece is None for piece in pieces.values()):
            yield state.name, "all", state.words, "a copy each"
            continue
        for role, piece in pieces.items():
            assert piece is not None
            yield state.name, role, piece.size, str(piece)
