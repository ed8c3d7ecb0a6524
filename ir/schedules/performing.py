"""Whether a role's part of each operation is one: its values, its frames and what they hold.

It is read from the program alone. What follows from the kind of an operation, from its values, its
map and the peer of each frame is found again and compared: a frame that has other words, another
part, or stands where another should, is refused where it stands. What a program can't say by
itself, such as who else takes part, is asked of all programs together in `alike`.

Invariant: a program that is accepted can be run: each frame is made of words that the role has, by
    its peer and not by its place, and what comes in is of the type of the value that it becomes.
Refuses: protocol-step-frames, protocol-payload-type, protocol-choice-arm-count,
    protocol-publish-missing, protocol-unrealized, source-structure, and what `pieces` and `sums`
    refuse.
Entry: `check_performed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Operation

from alpha.ir.attributes.shard import TotalType
from alpha.ir.dialects.protocol_choices import ARMS_MAX, ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_role import AddOp, PerformOp, RoleOp, SendOp
from alpha.ir.frames import SITES_IN_FRAMES
from alpha.ir.refusals import Refusal, place_of
from alpha.ir.schedules.performed import DIGEST_WORDS, VERDICT_WORDS, Content, Performed
from alpha.ir.schedules.pieces import check_exchange, check_gather, check_replicate, check_scatter
from alpha.ir.schedules.sums import check_reduce
from alpha.ir.selections import Stride
from alpha.ir.selections.relations import same_members
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.places import At

VERDICT_PART = 1
"""The part of an agreement or a checkpoint that comes down."""

UNTIL_ARMS = 2
"""Going on with a repeat, and leaving it."""

SAYS = {
    "transfer": (),
    "reduce": ("contract",),
    "replicate": (),
    "scatter": ("map", "members"),
    "gather": ("map", "members"),
    "exchange": ("map", "deliver", "members"),
    "agree": (),
    "checkpoint": ("members",),
    "decide": ("arms",),
}
"""What an operation of each kind says besides its frames; a sum may say more."""

MAY_SAY = {"reduce": ("part", "deliver")}

NAMES = {
    "map": "a map (by)",
    "members": "its members (over)",
    "deliver": "the map of who gets words (owners)",
    "arms": "the number of arms",
    "contract": "a contract",
    "part": "the number of a part",
}


def check_performed(
    program: RoleOp, distribution: Distribution | None
) -> dict[PerformOp, set[int]]:
    """See that all that a role performs can be, and give the role's own groups of each sum.

    Raises:
        Refusal: the first, in the order of the text.
    """
    role, owners = program.role.data, program.group.data.universe
    own: dict[PerformOp, set[int]] = {}
    for op in _performed(program):
        if isinstance(op, ChoiceOp | UntilOp):
            _check_arms(op)
            continue
        it = Performed(op, role, owners, distribution)
        _check_said(it)
        try:
            if op.kind.data == "reduce":
                own[op] = set(check_reduce(it))
            else:
                CHECKS[op.kind.data](it)
        except Refusal as refusal:
            # What a map says of itself has no place.
            refusal.place = refusal.place or place_of(op)
            raise
    return own


def _performed(program: RoleOp) -> Iterator[PerformOp | ChoiceOp | UntilOp]:
    for op in program.walk():
        if isinstance(op, PerformOp | ChoiceOp | UntilOp):
            yield op


def _check_said(it: Performed) -> None:
    """An operation says what one of its kind does, and nothing else."""
    kind, site = it.op.kind.data, it.op.site.data
    if site >= SITES_IN_FRAMES:
        wanted = f"a site from 0 to {SITES_IN_FRAMES - 1}, as a frame says it"
        raise it.wrong("source-structure", wanted, str(site))
    for name, text in NAMES.items():
        said = it.op.properties.get(name) is not None
        if not said and name in SAYS[kind]:
            raise it.wrong("source-structure", text, "none")
        if said and name not in (*SAYS[kind], *MAY_SAY.get(kind, ())):
            raise it.wrong("source-structure", f"no word of {text}", "one")
    for action in it.op.frames.block.ops:
        if isinstance(action, AddOp) and kind != "reduce":
            raise it.wrong("source-structure", "no addition", "one", action)


def _check_arms(op: ChoiceOp | UntilOp) -> None:
    """A word that was told of so many arms decides among as many."""
    told = op.selector.owner
    arms = len(op.arms) if isinstance(op, ChoiceOp) else UNTIL_ARMS
    if isinstance(told, PerformOp) and told.arms is not None and told.arms.data != arms:
        wanted = f"a word of {told.arms.data} arms to decide among as many"
        raise Refusal("protocol-choice-arm-count", wanted, str(arms), op)


def _check_transfer(it: Performed) -> None:
    """One frame, of the value that is given or made."""
    sends = bool(it.given)
    it.require_numbers((1 if sends else 0,), 0 if sends else 1)
    payload = (it.given or it.made)[0]
    it.require_common(payload)
    if len(it.frames) != 1 or isinstance(it.frames[0], SendOp) != sends:
        wanted = f"one frame {'sent' if sends else 'received'}"
        found = f"{len(it.sends)} sent and {len(it.receives)} received"
        at: Operation = it.frames[-1] if it.frames else it.op
        raise it.wrong("protocol-step-frames", wanted, found, at)
    if not sends:
        _require_here(it, payload)
    it.require_content(it.frames[0], it.whole(payload))


def _require_here(it: Performed, payload: Attribute) -> None:
    """A total that comes here is one that is here."""
    if isinstance(payload, TotalType) and payload.where.data != At(it.role):
        wanted = f"a total at role {it.role}"
        raise it.wrong("protocol-payload-type", wanted, str(payload))


def _check_decide(it: Performed) -> None:
    """The word that is given, or received, goes on as it is."""
    it.require_numbers((0, 1), 1)
    for payload in (*it.given, *it.made):
        it.require_selector(payload)
    assert it.op.arms is not None
    if not 2 <= it.op.arms.data <= ARMS_MAX:
        wanted = f"2 to {ARMS_MAX} arms"
        raise it.wrong("protocol-choice-arm-count", wanted, str(it.op.arms.data))
    if it.given and it.receives:
        wanted = "no word received by who decides"
        raise it.wrong("protocol-step-frames", wanted, "one", it.receives[0])
    it.require_once(it.frames)
    for frame in it.frames:
        it.require_content(frame, Content(1, i64))


def _check_agree(it: Performed) -> None:
    """Digests from below, one to the above; the verdict from there, and on to those below."""
    it.require_numbers((max(len(it.given), 1),), 0)
    for payload in it.given:
        it.require_common(payload)
    _require_up_and_down(it)


def _check_checkpoint(it: Performed) -> None:
    """What children say of their manifests, the own one's above; the verdict from there, and on."""
    it.require_numbers((0,), 0)
    if it.distribution is None:
        raise it.wrong("protocol-unrealized", "a learner whose states are stored", "none")
    assert it.op.members is not None
    if not same_members(it.op.members.data, Stride(0, 1, it.owners)):
        wanted = f"all {it.owners} owners to store their words"
        raise it.wrong("protocol-publish-missing", wanted, f"those of {it.op.members.data}")
    _require_up_and_down(it)


def _require_up_and_down(it: Performed) -> None:
    """A digest from each role below and to that above; a verdict from there, and to each below."""
    up, down = Content(DIGEST_WORDS, i64), Content(VERDICT_WORDS, i64, part=VERDICT_PART)
    kinds = [
        (isinstance(frame, SendOp), frame.part.data == VERDICT_PART, frame) for frame in it.frames
    ]
    for _, verdict, frame in kinds:
        it.require_content(frame, down if verdict else up)
    below, above, heard, told = (
        [frame for sends, verdict, frame in kinds if (sends, verdict) == which]
        for which in ((False, False), (True, False), (False, True), (True, True))
    )
    for frames in (below, told):
        it.require_ascending(frames)
    for one, other, what in ((above, heard, "above"), (below, told, "below")):
        peers = [[frame.peer.data for frame in frames] for frames in (one, other)]
        if peers[0] != peers[1] or (what == "above" and len(one) > 1):
            wanted = f"a digest and a verdict with each role {what}"
            found = f"digests with {peers[0]}, verdicts with {peers[1]}"
            raise it.wrong("protocol-step-frames", wanted, found, (*other, *one)[0])
    order = {frame: at for at, frame in enumerate(it.frames)}
    for early, late in ((below, above or told), (heard, told)):
        for frame in late:
            if early and order[frame] < order[early[-1]]:
                wanted = "what is received before what is made of it is sent"
                raise it.other_frame(frame, wanted, "a frame that is sent before")


CHECKS: dict[str, Callable[[Performed], None]] = {
    "transfer": _check_transfer,
    "replicate": check_replicate,
    "scatter": check_scatter,
    "gather": check_gather,
    "exchange": check_exchange,
    "agree": _check_agree,
    "checkpoint": _check_checkpoint,
    "decide": _check_decide,
}
