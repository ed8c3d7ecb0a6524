"""Mutated inputs: each is refused with a code and a place, or prints to a fixed point.

Grammar-aware mutations work on tokens, the others on bytes. The seeds are fixed: one tree always
tries the same inputs. A failure prints the input and the numbers that `make_case` makes it from.
"""

from __future__ import annotations

import random
import re
import signal
from pathlib import Path
from types import FrameType

import pytest

from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.source_guard import NESTING_MAX, nesting_of
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import TABLE, Refusal
from alpha.tools.driver.diagnostics import of_refusal, render

CHUNKS = 24
CASES = 420
SECONDS_MAX = 2.0
"""Of processor time, so that other work on the machine makes no case slow."""
SEED_BYTES_MAX = 2600

CORPUS = Path(__file__).resolve().parent / "corpus"
ROOT = CORPUS.parents[2]

TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|[A-Za-z_][\w$.]*|[%#!@^][\w$.-]+|0x[0-9a-fA-F]+'
    r"|[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+|->|::|//[^\n]*|\s+|.",
    re.DOTALL,
)

STRAY_BYTES = (
    "00 ff c3 e282 eda080 0c 7f 1b5b324a 0d0a 09 5c 22 c3a9 c2b2 f09d94b8 efbbbf e280a8 2f2f 2f"
)
"""In hexadecimal: control bytes, pieces of UTF-8, letters and digits of other scripts, a byte order
mark, a line separator, and what begins an escape, a string and a comment."""
BYTES = [bytes.fromhex(each) for each in STRAY_BYTES.split()] + [
    b"<" * 40,
    b"(" * (NESTING_MAX + 12),
]

BRACKETS = ("( )", "[ ]", "{ }", "< >", "tuple< >", "{a= }", "[1, ]", "builtin.module{ }")


class TooSlow(BaseException):
    """The time limit of a case is over; no `except Exception` may swallow it."""


def _read_seeds() -> list[str]:
    """Short pieces of every text of the project; those that are legal count four times."""
    files = [
        *sorted((ROOT / "examples").glob("*.mlir")),
        *sorted((ROOT / "lit_tests").rglob("*.mlir")),
    ]
    files += [*sorted(CORPUS.glob("*.mlir"))]
    seeds: list[str] = []
    for file in files:
        text = file.read_text(encoding="utf-8", errors="ignore")
        for piece in re.split(r"^// -----.*\n", text, flags=re.M):
            code = re.sub(r"^ *// .*\n", "", piece, flags=re.M).lstrip("\n")
            if 8 < len(code) <= SEED_BYTES_MAX:
                seeds += [code] * (1 if "expected-error" in piece else 4)
    return seeds


VALUES = (CORPUS / "values.txt").read_text(encoding="utf-8").splitlines()
NASTY = (CORPUS / "nasty.txt").read_text(encoding="utf-8").splitlines()
SEEDS = _read_seeds()
VOCABULARY = sorted({token for seed in SEEDS for token in TOKEN.findall(seed) if token.strip()})


def _mutate_tokens(text: str, rng: random.Random) -> str:
    tokens = TOKEN.findall(text)
    at = rng.randrange(len(tokens))
    length = rng.choice((1, 1, 1, 2, 3, 8))
    match rng.randrange(10):
        case 0:
            del tokens[at : at + length]
        case 1:
            tokens[at:at] = tokens[at : at + length]
        case 2:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 3:
            tokens[at] = rng.choice(VOCABULARY)
        case 4 | 5:
            tokens[at] = f" {rng.choice(rng.choice((NASTY, VALUES)))} "
        case 6:
            other = TOKEN.findall(rng.choice(SEEDS))
            start = rng.randrange(len(other))
            tokens[at : at + length] = other[start : start + rng.choice((1, 3, 10, 30))]
        case 7:
            opening, closing = rng.choice(BRACKETS).split()
            depth = rng.choice((1, 1, 2, 4, 60, NESTING_MAX, 300))
            tokens[at] = f"{opening * depth}{tokens[at]}{closing * depth}"
        case 8:
            same = [i for i, token in enumerate(tokens) if token[:1] == tokens[at][:1]]
            tokens[at] = tokens[rng.choice(same)]
        case _:
            tokens[at] = rng.choice(
                ("", " ", "\n", tokens[at] * 2, tokens[at][:-1], f"-{tokens[at]}")
            )
    return "".join(tokens)


def _mutate_bytes(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    match rng.randrange(5):
        case 0:
            flipped = bytes(byte ^ (1 << rng.randrange(8)) for byte in data[at : at + 1])
            return data[:at] + flipped + data[at + 1 :]
        case 1:
            return data[:at] + rng.choice(BYTES) + data[at:]
        case 2:
            return data[:at]
        case 3:
            return data[:at] + data[at + rng.choice((1, 2, 10, 100)) :]
        case _:
            return data[:at] + data[max(0, at - rng.choice((1, 5, 40))) :]


def make_case(chunk: int, case: int) -> bytes:
    """The mutated input of a case: mostly one or two mutations, so that many stay legal."""
    rng = random.Random(f"{chunk}/{case}")
    text = rng.choice(SEEDS)
    if rng.random() < 0.3:
        values = [f"a{index} = {rng.choice(VALUES)}" for index in range(rng.choice((1, 1, 2)))]
        text = f"builtin.module attributes {{{', '.join(values)}}} {{}}\n"
    for _ in range(rng.choice((0, 1, 1, 1, 1, 1, 2, 4))):
        text = _mutate_tokens(text or " ", rng)
    data = text.encode("utf-8", "surrogatepass")
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        data = _mutate_bytes(data, rng)
    return data


def try_input(data: bytes, allow: bool) -> str:
    """Treat an input as `alpha-opt` does: the code of its refusal, or '' for a round trip."""
    try:
        module = parse_source(make_context(allow), data, "in.mlir")
        verify_module(module)
    except Refusal as refusal:
        assert refusal.place is not None, f"no place: {refusal}"
        assert refusal.code in TABLE, f"unknown code: {refusal.code}"
        assert f": error: [{refusal.code}] " in render(of_refusal(refusal, ""), "in.mlir", data)
        return refusal.code
    for generic in (False, True):
        text = print_module(module, generic)
        if nesting_of(text) > NESTING_MAX:
            continue  # the generic form has two brackets a region
        again = parse_source(make_context(allow), text.encode("utf-8"), "out.mlir")
        verify_module(again)
        assert print_module(again, generic) == text, f"not a fixed point, generic {generic}"
        assert print_module(again) == print_module(module), f"another module, generic {generic}"
    return ""


def _on_alarm(signum: int, frame: FrameType | None) -> None:
    raise TooSlow


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_mutated_inputs(chunk: int) -> None:
    codes: list[str] = []
    before = signal.signal(signal.SIGPROF, _on_alarm)
    try:
        for case in range(CASES):
            data = make_case(chunk, case)
            signal.setitimer(signal.ITIMER_PROF, SECONDS_MAX)
            try:
                codes.append(try_input(data, b'"test.' in data or case % 8 == 0))
            except BaseException as error:
                signal.setitimer(signal.ITIMER_PROF, 0)
                pytest.fail(f"CASE {chunk}, {case}: {type(error).__name__}: {error}\n{data!r}")
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
    finally:
        signal.signal(signal.SIGPROF, before)
    accepted = codes.count("")
    assert CASES // 20 < accepted < CASES * 19 // 20, f"{accepted} of {CASES} accepted"
    assert len(set(codes)) >= 5, f"only {set(codes)}"


def test_enough_cases() -> None:
    assert CHUNKS * CASES >= 10_000
    assert len({make_case(chunk, case) for chunk in range(4) for case in range(100)}) > 350
