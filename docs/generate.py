"""Writes the generated pages: of the language, of refusals, of instructions, a chart of a round.

Invariant: every operation, attribute and type has an example that a test parses: it is found in
    the examples or in the lit tests, never written here. What is said in prose, of indices and of
    orders, is in docs/indices.md, whose examples a test of their own parses and computes.
Entry: `main`; `--check` writes nothing and fails if a page isn't what would be written.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute
from xdsl.printer import Printer

from alpha.backends.core.rows_page import rows_page
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context, own_dialects
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import TABLE, Refusal
from alpha.ir.scalars import COMPARE, MEANINGS, OPERATIONS, predicate_of
from alpha.tools.exits import ALL_STATUSES
from alpha.tools.pictures.drawings import Drawing, ToProtocol
from alpha.tools.pictures.svg import svg_text

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (
    "examples/*.mlir",
    "lit_tests/ir/*_parse_print.mlir",
    "lit_tests/protocol/*_parse_print.mlir",
)
EXAMPLE_LINES_MAX = 14


def sources() -> Iterator[tuple[str, ModuleOp]]:
    """Every module of the examples and of the tests that print what they parse."""
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            name = str(path.relative_to(ROOT))
            for piece in path.read_text(encoding="utf-8").split("// -----"):
                try:
                    module = parse_text(make_context(), piece, name)
                    verify_module(module)
                except Refusal:
                    continue
                yield name, module


def text_of(op: Operation) -> str:
    """The operation as it is printed, shortened if it is long."""
    stream = io.StringIO()
    Printer(stream).print_op(op)
    lines = stream.getvalue().split("\n")
    if len(lines) > EXAMPLE_LINES_MAX:
        inner = len(lines[1]) - len(lines[1].lstrip())
        lines = [*lines[: EXAMPLE_LINES_MAX - 2], " " * inner + "...", lines[-1]]
    return "\n".join(lines)


def attributes_of(op: Operation) -> Iterator[Attribute]:
    """The attributes and types that an operation shows, and those inside them."""
    pending: list[Attribute] = [
        *op.properties.values(),
        *op.attributes.values(),
        *op.result_types,
        *(value.type for value in op.operands),
    ]
    while pending:
        attribute = pending.pop(0)
        yield attribute
        pending.extend(getattr(attribute, "parameters", ()))
        data = getattr(attribute, "data", None)
        if isinstance(data, tuple):
            pending.extend(part for part in data if isinstance(part, Attribute))


def find_examples() -> tuple[dict[str, tuple[str, str]], dict[type, tuple[str, str]]]:
    """For each operation's name and each attribute's class: its first example, and the file."""
    operations: dict[str, tuple[str, str]] = {}
    attributes: dict[type, tuple[str, str]] = {}
    for file, module in sources():
        for op in module.walk():
            if op.name == COMPARE and predicate_of(op) in ("false", "true"):
                continue  # There is an example that tells more.
            if op.name not in operations:
                operations[op.name] = (text_of(op), file)
            for attribute in attributes_of(op):
                if type(attribute) not in attributes:
                    attributes[type(attribute)] = (str(attribute), file)
    return operations, attributes


def dialects() -> Iterable[Dialect]:
    """The project's dialects, by name."""
    context = make_context()
    return [context.get_dialect(name) for name in sorted(own_dialects())]


def language_page() -> str:
    """docs/language.md."""
    operations, attributes = find_examples()
    lines = [
        "# The language",
        "",
        "Generated from the definitions by `make docs`; the examples are taken from the files",
        "named below them. What an index may be, and in which orders a fold adds, is on a page of",
        "its own: [indices and orders](indices.md). A learner can also be written in Python: see",
        "[the builder](builder.md).",
    ]
    for dialect in dialects():
        lines += ["", f"## {dialect.name}"]
        for op in sorted(dialect.operations, key=lambda op: op.name):
            lines += _section(op.name, op.__doc__, operations.get(op.name))
        for attribute in sorted(dialect.attributes, key=lambda part: part.name):
            mark = "!" if issubclass(attribute, TypeAttribute) else "#"
            lines += _section(
                f"{mark}{attribute.name}", attribute.__doc__, attributes.get(attribute)
            )
    lines += [
        "",
        "## Scalar operations",
        "",
        "Each is one IEEE 754 operation, rounded to nearest even and never contracted; exp, log,",
        "tanh and `pointwise.sigmoid` are lists of such operations, the same on every target, as",
        "[functions](mathematics.md) says. All NaNs",
        "are one value, since processors disagree on their bits: `math.copysign` takes the sign of",
        "a NaN as positive. A decimal literal, in `arith.constant` too, is rounded to binary64 and",
        "for `f32` from there to binary32, as in MLIR.",
    ]
    for name in sorted(OPERATIONS):
        if not name.startswith("pointwise."):
            doc = _predicates() if name == COMPARE else ""
            lines += _section(name, doc, operations.get(name))
    return "\n".join(lines) + "\n"


def _predicates() -> str:
    """What `arith.cmpf` does, with a table of its predicates."""
    lines = ["Whether a predicate holds of a and b, as i1. In each, -0.0 = 0.0:", ""]
    lines += ["| predicate | holds if |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| `{name}` | {meaning} |" for name, meaning in MEANINGS.items())])


def _section(title: str, doc: str | None, example: tuple[str, str] | None) -> list[str]:
    if example is None:
        raise SystemExit(f"docs/generate.py: no example of {title} in {' or '.join(SOURCES)}")
    text, file = example
    paragraphs = [line.strip() for line in (doc or "").strip().split("\n")]
    lines = ["", f"### `{title}`", ""]
    if doc:
        lines += [*paragraphs, ""]
    return [*lines, "```mlir", text, "```", "", f"From `{file}`."]


def refusals_page() -> str:
    """docs/refusals.md."""
    lines = [
        "# Refusals",
        "",
        "Generated from the table in `ir/refusals.py` by `make docs`. A refusal is a stop with a",
        "code, before anything wrong is published: `in.mlir:12:5: error: [code] expected ...,",
        "found ...`, one note per witness, exit status 1, or 3 in a round of `alpha run`. Codes",
        "never change meaning; `alpha-opt --explain CODE` prints a row of this page. Each has a",
        "test in `lit_tests/refusals/`, named by the code, where every refused case is followed by",
        "an accepted one.",
        "",
        "The exit status of every tool tells a refusal from what else may end it:",
        "",
        "| status | meaning |",
        "| --- | --- |",
        *(f"| {status} | {meaning} |" for status, meaning in ALL_STATUSES.items()),
    ]
    for code in sorted(TABLE.values(), key=lambda code: code.name):
        lines += [
            "",
            f"## `{code.name}`",
            "",
            code.meaning,
            f"Rule: {code.rule}",
            "",
            f"- Refused: `{code.refused}`",
            f"- Accepted: `{code.accepted}`",
            f"- Test: [{code.name}.mlir](../lit_tests/refusals/{code.name}.mlir)",
        ]
    return "\n".join(lines) + "\n"


def round_chart() -> str:
    """docs/pictures/round.svg, the example of docs/pictures.md."""
    source = (ROOT / "examples" / "least_squares_adam.mlir").read_text(encoding="utf-8")
    context = make_context()
    module = parse_text(context, source, "least_squares_adam.mlir")
    ToProtocol().apply(context, module)
    return svg_text(Drawing.of(module))


MEANT_OF_KERNELS = "by which\nkernels are interpreted"
"""What becomes of the meanings of PTX, which no processor here runs."""

PAGES = {
    "language.md": language_page,
    "refusals.md": refusals_page,
    "pictures/round.svg": round_chart,
    "instructions_x64.md": partial(rows_page, "x86-64", "alpha.backends.x86"),
    "instructions_a64.md": partial(rows_page, "AArch64", "alpha.backends.aarch64"),
    "instructions_ptx.md": partial(rows_page, "PTX", "alpha.backends.ptx", MEANT_OF_KERNELS),
}


def main() -> int:
    """Write the pages, or with `--check` compare them."""
    stale: list[str] = []
    for name, make in PAGES.items():
        path, text = ROOT / "docs" / name, make()
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    for name in stale:
        print(f"docs/{name} isn't what `make docs` writes", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
