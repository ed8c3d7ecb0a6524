"""Runs a round of a distribution in which one owner's copy of a state was changed.

`alpha_changed_copy.py FILE STATE [OWNER]`: no text can say this, since the copies of all owners are
made alike; what changes one is a fault of a machine. Without OWNER nothing is changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.learner_words import resolve
from alpha.ir.learners import Learner
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import find_distribution
from alpha.ir.sharding.verification import verify_shards


def main(file: str, state: str, *owners: str) -> int:
    """Print the version after the round and return 0, or print the refusal and return 1."""
    path = Path(file)
    module = parse_text(make_context(), path.read_text(encoding="utf-8"), path.name)
    (learner,) = (Learner.of(op) for op in module.walk() if isinstance(op, LearnerOp))
    distribution = find_distribution(module)
    assert distribution is not None
    verify_shards(distribution)
    interpreter = ShardInterpreter(distribution, resolve(learner, path.parent), Words())
    for owner in owners:
        interpreter.owners[int(owner)].words[state].reshape(-1)[0] += 1
    try:
        interpreter.step()
    except Refusal as refusal:
        print("\n".join(refusal.lines()), file=sys.stderr)
        return 1
    finally:
        print(f"version {interpreter.version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
