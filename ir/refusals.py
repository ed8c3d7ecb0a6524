"""The refusal: a stop with a stable code, before anything wrong is published.

Invariant: every refusal that a tool prints names a row of `TABLE`; a code never changes meaning.
Why: users and checks call codes by name; `alpha-opt --explain CODE` and `docs/refusals.md` read
    this table, so there is one place where a code is defined.
Entry: `Refusal`, `Place`, `Note`, `TABLE`; `place_of` and `name_of` for what a refusal points to.

A refusal is about the user's input. An internal error (a bug of this project) and a failure of the
operating system are different things and never use this class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue


@dataclass(frozen=True)
class Place:
    """Where in the source something stands: file name, line and column, both counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def place_of(op: Operation) -> Place | None:
    """The place an operation was parsed from, or None if it was built and not parsed."""
    from xdsl.dialects.builtin import FileLineColLoc

    location = op.location
    if not isinstance(location, FileLineColLoc):
        return None
    return Place(location.filename.data, location.line.data, location.column.data)


def name_of_value(value: SSAValue, otherwise: str = "a value") -> str:
    """How a message names a value: as the source does, where it has a name there."""
    return f"%{value.name_hint}" if value.name_hint else otherwise


def name_of(op: Operation) -> str:
    """The name of an operation as its text says it.

    Unlike `op.name`, which xDSL gives to all operations of dialects that aren't known.
    """
    from xdsl.dialects.builtin import UnregisteredOp

    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


@dataclass(frozen=True)
class Note:
    """One witness of a refusal: what stands there, and where if it has a place."""

    message: str
    place: Place | None = None


class Refusal(Exception):
    """The input is refused.

    `code` is a row of `TABLE`; `expected` and `found` say both sides, with numbers where there are
    numbers; `at` is the operation or place that the message points to; one note per witness.
    """

    def __init__(
        self,
        code: str,
        expected: str,
        found: str,
        at: Operation | Place | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.code = code
        self.expected = expected
        self.found = found
        self.place = at if isinstance(at, Place) or at is None else place_of(at)
        self.notes = notes
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The text after the code: what was expected, what was found."""
        return f"expected {self.expected}, found {self.found}"

    def lines(self, file: str = "<unknown>") -> list[str]:
        """The refusal as it is printed: one line for the error and one per note."""
        place = self.place or Place(file, 1, 1)
        result = [f"{place}: error: [{self.code}] {self.message}"]
        result.extend(f"{note.place or place}: note: {note.message}" for note in self.notes)
        return result


@dataclass(frozen=True)
class Code:
    """One row of the table: what a code means, the rule behind it, and a case on either side."""

    name: str
    meaning: str
    rule: str
    refused: str
    accepted: str


def _table(*rows: tuple[str, str, str, str, str]) -> dict[str, Code]:
    return {row[0]: Code(*row) for row in rows}


TABLE: dict[str, Code] = _table(
    (
        "source-encoding",
        "The input isn't UTF-8 text, or holds a control character.",
        "IR text is UTF-8 without control characters other than tab and line ends.",
        "a NUL byte between two operations",
        "a space in its place",
    ),
    (
        "source-size-limit",
        "The input is larger than a tool reads.",
        "IR text has at most 64 MiB; larger data belongs in files that the IR names.",
        "a dense literal of 100 MB",
        'region.state @w : tensor<4xf64> from "w.npy"',
    ),
    (
        "source-string-unterminated",
        "A string literal isn't closed on its line.",
        "A string literal ends with a quote before the line does.",
        'region.state @w : f64 from "w.npy',
        'region.state @w : f64 from "w.npy"',
    ),
    (
        "source-string-escape",
        "A string literal holds an escape that has no meaning.",
        'An escape is \\n, \\t, \\\\, \\" or two hexadecimal digits.',
        'region.state @w : f64 from "a\\x.npy"',
        'region.state @w : f64 from "a\\\\x.npy"',
    ),
    (
        "source-token-limit",
        "A name is longer than any name needs to be.",
        "A name has at most 1,024 letters; a string may be longer.",
        "module @aaa... of 1,025 letters",
        "module @aaa... of 1,024 letters",
    ),
    (
        "source-nesting-limit",
        "Brackets are nested more deeply than a tool reads.",
        "At most 128 levels of (), [], {} and <> stand inside one another.",
        "5,000 nested regions",
        "128 nested regions",
    ),
    (
        "source-integer-limit",
        "A number has more digits than any number of the IR can have.",
        "A number or shape has at most 1,024 letters, an integer type 1,024 bits.",
        "stride(0, 1, 1000...) with 100,000 digits",
        "stride(0, 1, 1000)",
    ),
    (
        "source-affine-limit",
        "An affine map has more operands, or larger constants, than a tool reads.",
        "A map has at most 96 operands; its constants have at most 63 bits and a sign.",
        "affine_map<(i) -> (i + i + ...)> with 97 operands",
        "affine_map<(i) -> (i + i + ...)> with 96 operands",
    ),
    (
        "source-alias-limit",
        "Aliases stand for a text that is too deep or too long to be written out.",
        "What aliases stand for is nested at most 128 deep and has at most 2^17 letters.",
        "#b = [#a, #a] and so on, doubling with each line, 30 times",
        "#b = [#a, #a]",
    ),
    (
        "source-tensor-limit",
        "A dense attribute would be written out in memory, and is too large for that.",
        "An attribute written as dense<...> has at most 2^16 elements; all of a text have 2^17.",
        "#a = dense<0.0> : tensor<16777216xf64>",
        "region.state @w : tensor<16777216xf64> = dense<0.0>",
    ),
    (
        "source-syntax",
        "The text isn't IR.",
        "The grammar of MLIR and of the operation's own syntax.",
        "region.state @w tensor<4xf64> = dense<0.0>",
        "region.state @w : tensor<4xf64> = dense<0.0>",
    ),
    (
        "source-operation-unknown",
        "No dialect has an operation of this name.",
        "Operations are those of the project's dialects and of builtin, func, arith, math, scf, "
        "cf, memref, vector and ptr_xdsl.",
        "region.sate @w : f64 = 0.0",
        "region.state @w : f64 = 0.0",
    ),
    (
        "source-value-undefined",
        "A value is used that isn't defined, or not yet.",
        "A value is defined before it is used, in the same block or one around it.",
        "pointwise.return %q",
        "pointwise.return %p",
    ),
    (
        "source-structure",
        "An operation breaks a rule of its definition: operands, results, regions, terminators.",
        "What the definition of the operation in docs/language.md says.",
        '"arith.addf"(%a) : (f64) -> f64',
        "arith.addf %a, %a : f64",
    ),
    (
        "region-domain",
        "The number of words or coordinates isn't that of the type, or too large for an array.",
        "A value has exactly the shape of its type; an identity's domain is all its coordinates. "
        "There are at most 32 axes and fewer than 2^60 words, an extent of 0 counted as 1.",
        "#region.identity<..., domain = stride(0, 1, 3), ...> on tensor<4xf64>",
        "#region.identity<..., domain = stride(0, 1, 4), ...> on tensor<4xf64>",
    ),
    (
        "region-identity",
        "Two things have one identity, or one thing has an identity that isn't its own.",
        "A name is defined once and has no control character; each observation of a round has its "
        "own, and each checkpoint a version of its own; an identity's field, representation and "
        "version are its field's.",
        "two operations region.state @w",
        "region.state @w and region.state @m",
    ),
    (
        "region-symbol-unknown",
        "A round or tool names something that the learner doesn't define.",
        "Every symbol resolves to an operation of the right kind in the same learner.",
        "region.read @v where there is only @w",
        "region.read @w",
    ),
    (
        "region-learner-count",
        "A file holds no learner, or more than one.",
        "A tool that runs or inspects a learner takes a file with exactly one.",
        "an empty module",
        "a module with one region.learner",
    ),
    (
        "region-round-count",
        "A learner has no round, several, or one without an end.",
        "A learner has exactly one region.round, which ends in region.advance.",
        "two operations region.round",
        "one operation region.round",
    ),
    (
        "region-contract-groups",
        "The groups of a contract don't fit the samples.",
        "The sizes of the groups are 0 or more and add up to the number of samples.",
        "groups = [1, 2] for 6 samples",
        "groups = [1, 2, 3, 0] for 6 samples",
    ),
    (
        "region-tree-fan-out",
        "The fan-out of a tree isn't usable.",
        "F in tree<F> is from 1 to 2^24.",
        "combine = tree<0>",
        "combine = tree<2>",
    ),
    (
        "region-samples-components",
        "The components of samples and their sources don't match.",
        "Each component has one source, and all are inline or all are files.",
        '(tensor<4xf64>, f64) from "x.npy"',
        '(tensor<4xf64>, f64) from "x.npy", "y.npy"',
    ),
    (
        "region-data-file",
        "A data file can't serve: its name, its format, or a tensor that it doesn't hold.",
        "Data lies in .npy files, or in named tensors of .safetensors files.",
        'from "x.csv"',
        'from "x.npy"',
    ),
    (
        "region-data-extent",
        "A data file holds words of another shape or type than the IR says.",
        "A file's shape is (samples, *component), its type exactly the declared one.",
        "an array of float32 for f64 words",
        "an array of float64 for f64 words",
    ),
    (
        "select-empty",
        "A selection is empty where members are needed.",
        "A group of roles has at least one member; a set of coordinates may be empty.",
        "empty as a group",
        "stride(0, 1, 1) as a group",
    ),
    (
        "select-overlap",
        "Two parts of a join have a common member.",
        "The parts of a join are disjoint.",
        "join(stride(0, 1, 3), stride(2, 1, 3))",
        "join(stride(0, 1, 3), stride(3, 1, 3))",
    ),
    (
        "select-order",
        "The parts of a join aren't in ascending order.",
        "Each part of a join ends before the next begins.",
        "join(stride(4, 1, 2), stride(0, 1, 2))",
        "join(stride(0, 1, 2), stride(4, 1, 2))",
    ),
    (
        "select-repeat-span",
        "The copies of a repeat would interleave.",
        "The step of a repeat exceeds the span (max - min) of what it repeats.",
        "repeat(2, 3, stride(0, 1, 4))",
        "repeat(2, 4, stride(0, 1, 4))",
    ),
    (
        "select-universe",
        "A selection has a member outside the universe.",
        "Every member is below the size of the universe.",
        "stride(0, 1, 5) in a universe of 4",
        "stride(0, 1, 4) in a universe of 4",
    ),
    (
        "select-overflow",
        "A member of a selection, or its size, doesn't fit 63 bits.",
        "Members and sizes are below 2^63; strides and repeats have at least one step and member.",
        "stride(0, 9223372036854775807, 3)",
        "stride(0, 1, 3)",
    ),
    (
        "select-budget",
        "A question about selections would cost more than its budget.",
        "Disjointness and cover visit a bounded number of index nodes.",
        "the disjointness of two interleaved irregular families of 10^12 coordinates",
        "the disjointness of two strides",
    ),
    (
        "shard-owner-range",
        "A number of owners, or an owner, is out of range.",
        "There is at least one owner, two in a pair, and one split of samples for each.",
        "#shard.owners<3, pair>",
        "#shard.owners<2, pair>",
    ),
    (
        "shard-coverage-missing",
        "A coordinate has no owner.",
        "A shard map gives every coordinate of its domain to exactly one owner.",
        "[stride(0, 1, 2), stride(2, 1, 2)] over 6 coordinates",
        "[stride(0, 1, 2), stride(2, 1, 4)] over 6 coordinates",
    ),
    (
        "shard-coverage-duplicate",
        "A coordinate has more than one owner.",
        "A shard map gives every coordinate of its domain to exactly one owner.",
        "[stride(0, 1, 4), stride(3, 1, 3)] over 6 coordinates",
        "[stride(0, 1, 4), stride(4, 1, 2)] over 6 coordinates",
    ),
    (
        "shard-owners-undeclared",
        "A learner is to be partitioned, but nobody said among whom.",
        "Owners are declared by the learner or given to --distribute.",
        "--partition-optimizer of a learner without owners",
        "--partition-optimizer of a learner with owners = #shard.owners<4, star>",
    ),
    (
        "shard-learner-count",
        "A module has several distributions of a learner, or is to get a second one.",
        "A learner has at most one distribution; another is made from the learner itself.",
        '--distribute="owners=3" of a learner that is distributed among 4',
        '--distribute="owners=4" of a learner that is distributed among 4',
    ),
    (
        "shard-map-conflict",
        "Fields that are updated together would get different maps.",
        "Fields that are updated together share one map.",
        '--partition-optimizer="map=cyclic" --partition-parameters="map=block"',
        '--partition-optimizer="map=cyclic" --partition-parameters="map=cyclic"',
    ),
    (
        "shard-not-held",
        "An owner would read a word that it doesn't have.",
        "Local work reads the owner's own coordinates, replicas and constants; an owner's samples "
        "are whole groups of the contract.",
        "an update of block coordinates from a mean that was delivered by cyclic",
        "an update of cyclic coordinates from a mean that was delivered by cyclic",
    ),
    (
        "shard-replica-write",
        "A replica would become the state.",
        "A state that is owned takes words of its owner; a replica is never a second authority.",
        "shard.advance @w = %w1, where %w1 comes from shard.replicate",
        "shard.advance @w = %w1, where %w1 comes from shard.combine select",
    ),
    (
        "shard-version-mixed",
        "Words of different versions would be used together.",
        "A round reads version +0; contributions and values on the way are of +0; new words are of "
        "+1, computed from words of +0 and from other new words. No value is used behind an "
        "advance of its version.",
        "a contribution from !shard.replica<f64, -1>",
        "a contribution from !shard.replica<f64, +0>",
    ),
    (
        "shard-contribution-missing",
        "A sample would be left out of a sum.",
        "The owners that contribute have all samples, each once.",
        "shard.contribute ... over @data by [1, 2, 0, 0] of 6 samples",
        "shard.contribute ... over @data by [1, 2, 3, 0] of 6 samples",
    ),
    (
        "shard-combine-order",
        "A sum would be combined in another order than the learner declares.",
        "A combine has the contract of the learner's sum, and its groups in the order 0, 1, 2, ...",
        "shard.combine sum %c contract ... order [0, 2, 1, 3]",
        "shard.combine sum %c contract ... order [0, 1, 2, 3]",
    ),
    (
        "shard-sum-pending",
        "A mean is taken of a sum that is still in parts.",
        "A mean divides a total by its count; a mean of means is another number.",
        "shard.mean of a !shard.contribution",
        "shard.mean of a !shard.total",
    ),
    (
        "shard-agree-missing",
        "Words that several owners computed would be published without a comparison.",
        "Replicas that owners compute are compared by shard.agree before the version advances.",
        "a round of replicas without shard.agree",
        "a round of replicas with shard.agree %w1",
    ),
    (
        "shard-count-zero",
        "A mean over no samples is wanted.",
        "The total count of a round's samples isn't zero; one owner's may be.",
        "region.samples @data[0]",
        "region.samples @data[1]",
    ),
    (
        "data-parallel-replica-released",
        "A replica is used after its release, or released though it is none.",
        "A replica made by shard.replicate is read before its one release.",
        "shard.release %w before shard.contribute @gradient(%w)",
        "shard.release %w behind shard.contribute @gradient(%w)",
    ),
    (
        "data-parallel-replica-version",
        "A contribution reads a replica of another version.",
        "A contribution reads replicas of the version that the round starts from.",
        "shard.replicate of words of version -1",
        "shard.replicate of words of version +0",
    ),
    (
        "data-parallel-replica-retained",
        "A version would advance while a replica of it is still held.",
        "Every replica made by shard.replicate is released before the version advances.",
        "shard.replicate without shard.release",
        "shard.replicate with shard.release",
    ),
    (
        "data-parallel-replicas-diverge",
        "Copies of one word differ between owners.",
        "Before a round is published, all copies of each word are equal bit for bit.",
        "an owner whose copy was changed",
        "owners whose copies are equal",
    ),
    (
        "protocol-role-range",
        "A role, or a number of roles, is out of range.",
        "The roles of a universe of n are 0 to n - 1, and there is at least one.",
        "role 4 of a universe of 4",
        "role 3 of a universe of 4",
    ),
    (
        "protocol-group-identity",
        "The identity or epoch of a group of roles isn't usable.",
        "An epoch is below 2^64, an identity has at most 64 bytes, two hexadecimal digits each.",
        '#protocol.group<universe = 4, epoch = 18446744073709551616, id = "6c73", ...>',
        '#protocol.group<universe = 4, epoch = 18446744073709551615, id = "6c73", ...>',
    ),
    (
        "protocol-group-scope",
        "A role is to act in a group that it isn't a member of.",
        "A group's operations concern its members alone; a subgroup has some of its group's roles.",
        "role 3 in the group stride(0, 2, 2)",
        "role 2 in the group stride(0, 2, 2)",
    ),
    (
        "protocol-role-unbound",
        "A protocol and its roles don't fit: a role is of no group, or an owner has no role.",
        "Who acts is a member of the protocol's group; a learner's owners are all its roles.",
        "protocol.transfer %x from 0 to 3 in the group stride(0, 1, 3)",
        "protocol.transfer %x from 0 to 2 in the group stride(0, 1, 3)",
    ),
    (
        "protocol-learner-count",
        "A learner would have two protocols.",
        "A module has at most one protocol of a learner.",
        "two operations protocol.global of one learner",
        "one operation protocol.global of the learner",
    ),
    (
        "protocol-self-transfer",
        "A role would send to itself.",
        "A frame goes from one role to another.",
        "protocol.transfer %x from 1 to 1",
        "protocol.transfer %x from 1 to 2",
    ),
    (
        "protocol-value-not-held",
        "A role would use, send or hand on a value that it doesn't have.",
        "The type of a value names the roles that have it; whoever uses it is one of them.",
        "protocol.transfer of !protocol.at<f64, role 0> from 1 to 2",
        "protocol.transfer of !protocol.at<f64, role 0> from 0 to 2",
    ),
    (
        "protocol-payload-type",
        "A value has another payload than an operation takes or makes.",
        "Payloads are words, selectors and values of the shard dialect; each operation says which "
        "it takes, and its result has the payload that it makes.",
        "protocol.gather of an f64",
        "protocol.gather of a !shard.owned<...>",
    ),
    (
        "protocol-payload-extent",
        "What is put together isn't the whole, or a size can't be one.",
        "The members of a gather own all words, those of an exchange all that one of them is to "
        "own behind it, those of a sum have all its parts, one in a group of the contract; a "
        "threshold of bytes is 0 or more.",
        "a sum of the words of 3 roles by a contract of 2 groups",
        "a sum of the words of 3 roles by a contract of 3 groups",
    ),
    (
        "protocol-unrealized",
        "A protocol holds an operation that no role can do.",
        "A protocol is made of operations of its dialect; local work sends nothing, and it reads, "
        "advances and publishes the states of the learner that the protocol is of.",
        "protocol.publish in a protocol without a learner",
        "protocol.publish in a protocol of @least_squares",
    ),
    (
        "protocol-repeat-zero",
        "A repeat would run no iteration.",
        "The bound of a repeat is at least 1.",
        "protocol.repeat 0",
        "protocol.repeat 1",
    ),
    (
        "protocol-repeat-bound",
        "The bound of a repeat can't be counted to.",
        "The bound of a repeat is below 2^63.",
        "protocol.repeat 9223372036854775808",
        "protocol.repeat 9223372036854775807",
    ),
    (
        "protocol-repeat-version-overflow",
        "Repeats run so often that the number of a frame or of a version would begin again.",
        "An edge has at most 2^64 frames in each direction, and a role at most 2^64 versions: "
        "bounds multiply, and of a choice the arm with most counts.",
        "3 transfers in a repeat of 9223372036854775807",
        "2 transfers in a repeat of 9223372036854775807",
    ),
    (
        "protocol-choice-arm-count",
        "A choice has too few arms to choose from, or too many.",
        "A choice has 2 to 65,536 arms; one of them may do nothing.",
        "protocol.choice %s { ... }",
        "protocol.choice %s { ... } { }",
    ),
    (
        "protocol-choice-selector",
        "A decision depends on a value that isn't a selector.",
        "A selector is an i64.",
        "protocol.choice of an f64",
        "protocol.choice of an i64",
    ),
    (
        "protocol-choice-noncanonical",
        "A selector is the number of no arm.",
        "The words of a choice with k arms are 0 to k - 1; 1 ends a repeat, 0 goes on.",
        "the constant 2 for a choice with 2 arms",
        "the constant 1 for a choice with 2 arms",
    ),
    (
        "protocol-choice-authority",
        "Who would decide isn't who can.",
        "The authority of a choice has the selector, and is the first member of a topology of "
        "routes.",
        "protocol.choice by 1, of a selector that role 0 has",
        "protocol.choice by 0, of a selector that role 0 has",
    ),
    (
        "protocol-choice-receiver-twice",
        "Routes tell a role what it knows already.",
        "Routes tell each role once, and never the authority.",
        "by 0 along [0 -> 1, 0 -> 2, 1 -> 2]",
        "by 0 along [0 -> 1, 1 -> 2]",
    ),
    (
        "protocol-choice-forwarder-early",
        "A role would tell a choice before it is told.",
        "Routes are in an order in which they can be taken: who tells was told before, or decides.",
        "by 0 along [1 -> 2, 0 -> 1]",
        "by 0 along [0 -> 1, 1 -> 2]",
    ),
    (
        "protocol-choice-uninformed",
        "A role would have to take an arm of a choice that it doesn't hear of.",
        "Who does something else in another arm, or takes part in a repeat that may end early, has "
        "the selector or is told.",
        "protocol.choice by 0 along [], with a transfer from 0 to 1 in an arm",
        "protocol.choice by 0 along [0 -> 1], with a transfer from 0 to 1 in an arm",
    ),
    (
        "protocol-choice-excess",
        "A role is told of a choice that makes no difference to it.",
        "Routes tell no role whose arms are the same, nor one that takes no part in a repeat.",
        "protocol.choice by 0 along [0 -> 1, 0 -> 2], with a transfer from 0 to 1 in an arm",
        "protocol.choice by 0 along [0 -> 1], with a transfer from 0 to 1 in an arm",
    ),
    (
        "protocol-verdict-unheard",
        "Copies are compared on the way of a sum, and a member never hears the verdict.",
        "The verdict of a sum that is agreeing goes down to all of its members.",
        "protocol.reduce sum %c ... agreeing %w, and protocol.replicate %t without the verdict",
        "the same, and protocol.replicate %t ... with %verdict",
    ),
    (
        "protocol-observation-unheard",
        "A number would be observed, and nobody told.",
        "Role 0 makes each observation, and behind it the version advances, which ends its round; "
        "other roles may make it as well.",
        'protocol.local at role 1 (%t = %total) { shard.observe "loss" %t over @data ... }',
        'protocol.local at role 0 (%t = %total) { shard.observe "loss" %t over @data ... }',
    ),
    (
        "protocol-publish-missing",
        "A run would end, or store a generation, without giving out a word of a state.",
        "On every path to the end of a learner's protocol, each word of each state is published "
        "behind the last advance, by a role that gives it: of copies that is role 0. All roles "
        "take part in a checkpoint.",
        "protocol.publish at role 0, of a state that is shared out among 4 roles",
        "protocol.publish at stride(0, 1, 4)",
    ),
    (
        "protocol-publish-version",
        "Words of a state would be given out at different versions.",
        "Roles that publish on the way publish all words of every state before the version "
        "advances, in one body, one behind the other.",
        "protocol.publish at role 0, shard.advance, and protocol.publish at role 1",
        "protocol.publish at role 0, protocol.publish at role 1, and shard.advance",
    ),
    (
        "checkpoint-version",
        "A run can't begin at this version, or end at that one.",
        "A run begins at version 0, or at that of a generation, which it names by its SHA-256; it "
        "ends there or later. Generations are some rounds apart, at least one.",
        "rounds=5 of a run that begins with the generation of version 7",
        "rounds=7 of the same run",
    ),
    (
        "checkpoint-path",
        "A run isn't told where its generations are, or is told and has none.",
        "A protocol that stores generations is run with a path for them, and one that begins with "
        "a generation is given it; others are given neither.",
        "a protocol with protocol.checkpoint, run without --checkpoint",
        "the same with --checkpoint PATH",
    ),
    (
        "checkpoint-missing",
        "There is no generation that could be read.",
        "A path names a generation, which has a manifest.json, or a folder with a whole one.",
        "a folder whose only generation was never finished",
        "the same folder with an older generation that is whole",
    ),
    (
        "checkpoint-manifest",
        "A manifest says what no generation has.",
        "Manifests are as alpha writes them, byte for byte: all of one version, run and learner, "
        "and together of each role once, along the topology that the root's names.",
        'a manifest-1.json with "version": 8 below a manifest.json with "version": 7',
        'the same with "version": 7',
    ),
    (
        "checkpoint-digest",
        "A file of a generation isn't the one that was written.",
        "Each file has the length and the SHA-256 with which a manifest names it.",
        "a shard of which a bit was flipped",
        "the shard as it was written",
    ),
    (
        "checkpoint-shard-missing",
        "A file of a generation isn't there.",
        "Each file that a manifest names is a regular file beside it.",
        "a generation without shard-1.safetensors",
        "the same with shard-1.safetensors",
    ),
    (
        "checkpoint-shard",
        "The header of a shard isn't the one that the manifests call for.",
        "A shard has the words of its role at its version: the fields, types, shapes and "
        "coordinates that follow from the manifests.",
        "a shard whose metadata say role 2, named by the manifest of role 1",
        "the same with role 1 in its metadata",
    ),
    (
        "checkpoint-coverage",
        "A word of a state isn't in a generation, or is there twice.",
        "Each coordinate of each state is in one shard, whatever the totals are.",
        "two shards with coordinates 0 to 3 and 2 to 5 of a state of 8 words",
        "two shards with coordinates 0 to 3 and 4 to 7",
    ),
    (
        "checkpoint-learner",
        "A generation is of another learner.",
        "States, constants, samples, programs and round are those of the learner whose words were "
        "stored, but for the parts that --allow names.",
        "--resume with another rate",
        "--resume with another rate and --allow rate",
    ),
    (
        "checkpoint-exists",
        "There is a generation already where one would be written.",
        "A generation is never replaced or written into, and a folder has those of one history: of "
        "one learner, and none that is later than where a run goes on.",
        "a new run with --checkpoint PATH, where PATH has gen-7",
        "the same with --resume PATH",
    ),
    (
        "checkpoint-name",
        "A state has a name under which no shard can hold it.",
        "Names are texts in UTF-8, and __metadata__ is the shard's own.",
        "a state __metadata__ in a manifest",
        "a state metadata in a manifest",
    ),
    (
        "protocol-orphan-send",
        "A role sends a frame that its peer doesn't receive.",
        "For each frame that a role sends, its peer has a receive in the same loops and arms.",
        "role 0 sends two frames to role 1, which receives one",
        "role 0 sends two frames to role 1, which receives two",
    ),
    (
        "protocol-orphan-receive",
        "A role waits for a frame that its peer doesn't send.",
        "For each frame that a role receives, its peer has a send in the same loops and arms.",
        "role 1 receives two frames from role 0, which sends one",
        "role 1 receives two frames from role 0, which sends two",
    ),
    (
        "protocol-dual-mismatch",
        "The two ends of an edge say different things of a frame.",
        "Sender and receiver of a frame have the same site, part, count, words and type.",
        "protocol.send to 1 words 4 : f64 and protocol.receive from 0 words 3 : f64",
        "protocol.send to 1 words 4 : f64 and protocol.receive from 0 words 4 : f64",
    ),
    (
        "protocol-step-frames",
        "A role's part of an operation has other frames than the operation.",
        "Which frames a role exchanges, and what is in each, follows from the kind of the "
        "operation, its values, its map and members, and the peer of the frame.",
        "protocol.perform scatter ... over stride(0, 1, 3) that sends to 2, and then to 1",
        "protocol.perform scatter ... over stride(0, 1, 3) that sends to 1, and then to 2",
    ),
    (
        "protocol-step-differs",
        "The programs of two roles say different things of one operation.",
        "All programs of a group have the same kind, members, maps, contract and types of values "
        "at a site, and one of them gives what the others get.",
        "protocol.perform gather site 4 ... by cyclic at role 0, and by block at role 1",
        "protocol.perform gather site 4 ... by cyclic at role 0 and at role 1",
    ),
    (
        "protocol-edge-order",
        "The two ends of an edge have its frames in different orders.",
        "A role receives the frames of an edge in the order in which its peer sends them.",
        "role 0 sends sites 2 and 3 to role 1, which receives 3 and then 2",
        "role 0 sends sites 2 and 3 to role 1, which receives 2 and then 3",
    ),
    (
        "protocol-wait-cycle",
        "Roles would wait for one another for ever.",
        "All frames stand in one order with which every role's agrees, and each loop stands "
        "together in it; so the first frame that isn't made yet can be made.",
        "role 0 receives from 1 and then sends to 1, and role 1 receives from 0 and then sends",
        "role 0 receives from 1 and then sends to 1, and role 1 sends to 0 and then receives",
    ),
    (
        "protocol-role-unfinished",
        "A role would be left behind: it has no schedule, or other loops or arms than its peers.",
        "Every role of the group has a schedule; roles that exchange frames in a loop or arm have "
        "it with the same bound, or as one of as many arms.",
        "role 0 sends in a loop of 3 rounds what role 1 receives in a loop of 2 rounds",
        "role 0 sends in a loop of 3 rounds what role 1 receives in a loop of 3 rounds",
    ),
    (
        "protocol-role-duplicate",
        "A module has two programs of one role.",
        "Each role of a protocol has one program.",
        "protocol.role @p role 1 twice",
        "protocol.role @p role 1 once",
    ),
    (
        "protocol-buffer-unbounded",
        "More may be on the way to a role than there is room for.",
        "If sends don't wait, no more frames or bytes are on an edge at a time than a limit says: "
        "behind so many the sender hears that they were received.",
        "a repeat of 200,000 in which role 0 sends to role 1, and nothing comes back",
        "a repeat of 200,000 in which role 0 sends to role 1, and role 1 to role 0",
    ),
    (
        "pointwise-type",
        "A type, operation or flag that a pointwise program can't have.",
        "Words are f32 or f64, operations are exact IEEE 754 ones, and no fast-math flag is set.",
        "arith.addf %a, %b fastmath<fast> : f64",
        "arith.addf %a, %b : f64",
    ),
    (
        "pointwise-footprint",
        "A program reads or writes what it may not.",
        "A body reads its own arguments, inside their shapes; an update writes states alone.",
        "%x[i + 1] over [i : 4] of a tensor<4xf64>",
        "%x[i + 1] over [i : 3] of a tensor<4xf64>",
    ),
    (
        "pointwise-domain",
        "The axes of an operation over a domain don't fit its index maps.",
        "There is one map an operand, from all axes to the operand's indices.",
        "%x[i, j] of a tensor<4xf64>",
        "%x[i] of a tensor<4xf64>",
    ),
    (
        "pointwise-fold-empty",
        "A fold by max has no element.",
        "A fold by max starts at its first element, so its axes aren't empty; an empty sum is -0.",
        "pointwise.fold max left along [k : 0]",
        "pointwise.fold max left along [k : 1]",
    ),
    (
        "pointwise-fold-lanes",
        "The number of lanes of a fold isn't usable.",
        "L in lanes<L> is a power of two from 1 to 65536.",
        "lanes<6>",
        "lanes<8>",
    ),
    (
        "pointwise-not-separable",
        "A coordinate's new words depend on another coordinate.",
        "In a separable update each coordinate reads its own words, mean and samples, shared words "
        "and constants.",
        "a gradient that is clipped by its norm",
        "a gradient whose words are clipped one by one",
    ),
    (
        "pointwise-shared-overclaim",
        "A state is declared shared, but is updated from words of coordinates.",
        "A shared word is updated from shared words and constants alone.",
        "Adam's second moment with {shared}",
        "Adam's power of beta with {shared}",
    ),
    (
        "protocol-digest-mismatch",
        "Programs of roles aren't of one protocol.",
        "All roles of a protocol have its digest and its group, are of its learner or of none, and "
        "begin at one version.",
        'protocol.role @p role 1 ... protocol "0..." beside role 0 with "1..."',
        'the same with "1..." twice',
    ),
    (
        "frame-identity",
        "A frame isn't one of this run.",
        "Every frame has the magic and the version of the format and the identity of its run, "
        "which is the digest of learner, contract, membership and protocol.",
        "a frame from a role that was compiled for another learner",
        "a frame from a role of the same run",
    ),
    (
        "frame-edge",
        "A frame belongs to another edge, direction or operation.",
        "A role receives what its schedule says next on an edge: sender, receiver, site and part.",
        "part 1 of a sum where part 0 is due",
        "part 0 of a sum where part 0 is due",
    ),
    (
        "frame-version",
        "A frame is of another state version, or isn't the next one on its edge.",
        "A frame has the version its receiver has read and the number of the frames before it on "
        "its edge; both are below 2^64.",
        "a frame that arrives a second time",
        "the next frame of the same edge",
    ),
    (
        "frame-extent",
        "A frame, or the stream it is in, is longer or shorter than the schedule says.",
        "The receiver knows the bytes of a payload and the samples behind a sum before either "
        "arrives; nothing follows the last frame.",
        "a byte behind the last frame of an edge",
        "the end of the stream behind the last frame of an edge",
    ),
    (
        "frame-digest",
        "The bytes of a frame aren't those that were sent.",
        "A frame ends in the SHA-256 of its header and payload.",
        "a frame in which one bit of the payload was flipped",
        "a frame that arrives as it was sent",
    ),
    (
        "network-fault-place",
        "A fault is asked for at a place that the run doesn't have or doesn't come to.",
        "Its roles are the protocol's, frames go from one to the other, and its frame or event "
        "comes in the run; else nothing would be seen of it.",
        "--fault drop:0-1:9 where role 0 sends 3 frames to role 1",
        "--fault drop:0-1:2, after which role 1 is lost",
    ),
    (
        "mutant-inapplicable",
        "A mutant can't be made of this program.",
        "The kind is known, and the program has what it changes.",
        '--mutate="kind=release-never" of a round without replicas to release',
        '--mutate="kind=release-never" --verify-shards, refused as it should be',
    ),
    (
        "fleet-capability-missing",
        "A role of a fleet has no capability, although others have one.",
        "Where capabilities are named, every role of the group has exactly one.",
        '--roles 4 --capability "sm86=stride(0, 2, 2)"',
        '--roles 4 --capability "sm86=stride(0, 2, 2)" --capability "x86-64=stride(1, 2, 2)"',
    ),
    (
        "fleet-capability-duplicate",
        "A role of a fleet has several capabilities.",
        "Where capabilities are named, every role of the group has exactly one.",
        '--roles 4 --capability "sm86=stride(0, 1, 3)" --capability "x86-64=stride(2, 1, 2)"',
        '--roles 4 --capability "sm86=stride(0, 1, 2)" --capability "x86-64=stride(2, 1, 2)"',
    ),
    (
        "fleet-device-duplicate",
        "A role of a fleet is on several devices.",
        "A role runs on one device; a device may have several roles.",
        '--device "one=stride(0, 1, 3)" --device "two=stride(2, 1, 2)"',
        '--device "one=stride(0, 1, 2)" --device "two=stride(2, 1, 2)"',
    ),
    (
        "fleet-control-work",
        "A role that should only control has work of its own.",
        "Roles that only control relay; they have no samples and no words of state of their own.",
        '--roles 4 --samples 1,2,3,0 --control "stride(0, 1, 1)"',
        '--roles 4 --samples 0,2,4,0 --control "stride(0, 1, 1)"',
    ),
    (
        "build-description",
        "A run.json isn't what describes a folder of executables.",
        "A run.json is as alpha build writes it: roles, edges, pieces and digests fit together.",
        "a run.json in which a role has an edge to a role that isn't there",
        "a run.json in which both ends of each edge have it",
    ),
    (
        "build-file-differs",
        "A file of a folder of executables isn't the one that its run.json describes.",
        "Each executable and each file of data has the size and the digest that run.json says.",
        "a role-0 of which a byte was changed",
        "the role-0 that alpha build wrote",
    ),
    (
        "deployment-file",
        "A deployment file isn't one, or says something that would change nothing.",
        "A deployment file is TOML with the keys of docs/deployment.md and values that they take.",
        'ssh = "-oProxyCommand=..."',
        'ssh = "left.example.org"',
    ),
    (
        "deployment-role",
        "A role is where it can't be: on two hosts, in no run, or interpreted on another host.",
        "Each role that a deployment file names is one of the run and on one host; roles that are "
        "interpreted are on this machine.",
        "roles = [0, 1] of one host and roles = [1] of another",
        "roles = [0] of one host and roles = [1] of another",
    ),
    (
        "deployment-address",
        "A role listens where a peer of it on another machine can't reach it or doesn't look.",
        "Directly connected roles on two machines have addresses that aren't loopback addresses, "
        "and executables are built for the addresses at which they run.",
        'two hosts without address in transport = "direct"',
        'the same in transport = "ssh-tunnel"',
    ),
    (
        "verify-bits-differ",
        "Two levels of a learner give different words.",
        "Each level gives, bit for bit, what the undistributed learner computes.",
        "alpha verify of a round that sums in another order",
        "alpha verify of a round that sums in the declared order",
    ),
    (
        "verify-terms-differ",
        "Two levels of a learner compute different expressions.",
        "Each level computes, for every input, what the undistributed learner does.",
        "alpha verify --carrier terms of a round that drops a contribution",
        "alpha verify --carrier terms of a round that has all contributions",
    ),
    (
        "numeric-nonfinite",
        "A state word isn't finite.",
        "Every word of state is finite, at the beginning and after each round.",
        "region.state @w : f64 = 0x7FF0000000000000",
        "region.state @w : f64 = 0.0",
    ),
    (
        "target-unsupported",
        "The learner is legal, but this version or target can't realize it.",
        "What isn't built is refused by name and never computed in another way.",
        "math.sin %a : f64",
        "math.sqrt %a : f64",
    ),
)
