"""Where a run begins: a version, and the generation whose words the states have there.

Invariant: without a start a run begins at version 0, with the words of its learner. A start names
    its generation by the SHA-256 of the manifest that published it, so nobody takes other words
    for it.
Refuses: checkpoint-version.
Entry: `Start`.
"""

from __future__ import annotations

from dataclasses import dataclass

from alpha.ir.frames import is_digest
from alpha.ir.refusals import Refusal

VERSIONS = 1 << 64
"""How many versions there are: frames say one in an unsigned word of 64 bits."""


@dataclass(frozen=True)
class Start:
    """The version at which states begin, and the digest of the generation's root manifest."""

    version: int
    sha256: str

    def __post_init__(self) -> None:
        if not 0 <= self.version < VERSIONS:
            wanted = "a version from 0 to 2^64 - 1 to begin with"
            raise Refusal("checkpoint-version", wanted, str(self.version))
        if not is_digest(self.sha256):
            wanted = "the SHA-256 of a generation, 64 hexadecimal digits in lower case"
            raise Refusal("checkpoint-version", wanted, repr(self.sha256[:80]))

    def __str__(self) -> str:
        """What stands between the brackets of `#protocol.start<...>`."""
        return f'{self.version}, "{self.sha256}"'
