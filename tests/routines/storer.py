"""A participant that writes generations as a script on its standard input tells it.

A script is commands of eight words, each a number and its words; what they write of lies in an
arena, and pieces are told by their places there.

Entry: `Script`, `storer`, `stored`, `MORE`, `FOLDER`, `VERSION`, `SUFFIX`.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from routines.starting import participant, started

ARENA_BYTES = 1 << 24
VERSION, SUFFIX = 7, "0123456789abcdef"
FOLDER = f".gen-{VERSION}.{SUFFIX}"
"""The folder while it is written, as it is called here."""

MORE = ("generation", "texts")
"""The modules of the runtime beside those that every role has."""

COMMANDS = (
    ("begin", "func.call @alpha_store_begin(%a) : (i64) -> ()"),
    ("folder", "func.call @alpha_store_folder(%a, %pb, %c) : (i64, !ptr_xdsl.ptr, i64) -> ()"),
    (
        "file",
        """func.call @place(%pc, %d) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_store_file(%pa, %b, %pc, %d, %pe)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()""",
    ),
    (
        "seen",
        """func.call @alpha_store_seen(%pa, %b, %c, %pd)
    : (!ptr_xdsl.ptr, i64, i64, !ptr_xdsl.ptr) -> ()""",
    ),
    ("end", "func.call @alpha_store_end() : () -> ()"),
    ("publish", "func.call @alpha_store_publish(%a, %pb, %c) : (i64, !ptr_xdsl.ptr, i64) -> ()"),
    ("close", "func.call @alpha_store_close() : () -> ()"),
    (
        "fill",
        """%f = func.call @alpha_read(%zero, %pa, %b, %far)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64""",
    ),
    ("give", "func.call @give(%pa, %b) : (!ptr_xdsl.ptr, i64) -> ()"),
    (
        "session",
        """%now = func.call @alpha_now() : () -> i64
  %end = arith.addi %now, %a : i64
  %session = memref.get_global @session : memref<1xi64>
  memref.store %end, %session[%c0] : memref<1xi64>""",
    ),
    ("text", "func.call @alpha_text_begin(%pa, %b) : (!ptr_xdsl.ptr, i64) -> ()"),
    ("put", "func.call @alpha_text_put(%pa, %b) : (!ptr_xdsl.ptr, i64) -> ()"),
    ("number", "func.call @alpha_text_number(%a) : (i64) -> ()"),
    ("hex", "func.call @alpha_text_hex(%pa, %b) : (!ptr_xdsl.ptr, i64) -> ()"),
    ("spaces", "func.call @alpha_text_spaces(%a) : (i64) -> ()"),
    (
        "size",
        """%size = func.call @alpha_text_end() : () -> i64
  func.call @give_word(%size) : (i64) -> ()""",
    ),
    ("pause", "func.call @pause() : () -> ()"),
)
"""What each does with its words `%a` to `%e`, which as places in the arena are `%pa` to `%pe`."""

NAMES = tuple(name for name, _ in COMMANDS)

_BESIDE = """
func.func private @alpha_store_begin(i64)
func.func private @alpha_store_folder(i64, !ptr_xdsl.ptr, i64)
func.func private @alpha_store_file(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr)
func.func private @alpha_store_seen(!ptr_xdsl.ptr, i64, i64, !ptr_xdsl.ptr)
func.func private @alpha_store_end()
func.func private @alpha_store_publish(i64, !ptr_xdsl.ptr, i64)
func.func private @alpha_store_close()
func.func private @alpha_text_begin(!ptr_xdsl.ptr, i64)
func.func private @alpha_text_put(!ptr_xdsl.ptr, i64)
func.func private @alpha_text_number(i64)
func.func private @alpha_text_hex(!ptr_xdsl.ptr, i64)
func.func private @alpha_text_spaces(i64)
func.func private @alpha_text_end() -> i64
func.func private @alpha_read(i64, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_now() -> i64
"memref.global"() <{sym_name = "arena", sym_visibility = "private", initial_value,
  type = memref<ARENAxi8>}> : () -> ()
"memref.global"() <{sym_name = "session", type = memref<1xi64>, sym_visibility = "private",
  initial_value = dense<9223372036854775807> : tensor<1xi64>}> : () -> ()
func.func @alpha_is_over(%moment : i64) -> i1 {
  %c0 = arith.constant 0 : index
  %session = memref.get_global @session : memref<1xi64>
  %end = memref.load %session[%c0] : memref<1xi64>
  %over = arith.cmpi sge, %moment, %end : i64
  func.return %over : i1
}
func.func private @arena_at(%place : i64) -> !ptr_xdsl.ptr {
  %bytes = memref.get_global @arena : memref<ARENAxi8>
  %arena = ptr_xdsl.to_ptr %bytes : memref<ARENAxi8> -> !ptr_xdsl.ptr
  %at = ptr_xdsl.ptradd %arena, %place : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.return %at : !ptr_xdsl.ptr
}
// Pieces that are told by places in the arena are told by addresses.
func.func private @place(%pieces : !ptr_xdsl.ptr, %count : i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  scf.for %i = %zero to %count step %one : i64 {
    %offset = arith.shli %i, %four : i64
    %piece = ptr_xdsl.ptradd %pieces, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %where = ptr_xdsl.load %piece : !ptr_xdsl.ptr -> i64
    %at = func.call @arena_at(%where) : (i64) -> !ptr_xdsl.ptr
    ptr_xdsl.store %at, %piece : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  }
  func.return
}
"""


def _body() -> str:
    """What the role does: commands until its input ends."""
    loads, words = [], "abcde"
    for number, word in enumerate(words, 1):
        loads += [
            f"  %i{number} = arith.constant {number} : index",
            f"  %{word} = memref.load %command[%i{number}] : memref<8xi64>",
            f"  %p{word} = func.call @arena_at(%{word}) : (i64) -> !ptr_xdsl.ptr",
        ]
    cases = [f"    {number}: ^{name}" for number, name in enumerate(NAMES)]
    blocks = [f"^{name}:\n  {code}\n  cf.br ^next" for name, code in COMMANDS]
    return "\n".join(
        [
            "  %command = memref.alloca() : memref<8xi64>",
            "  %in = ptr_xdsl.to_ptr %command : memref<8xi64> -> !ptr_xdsl.ptr",
            "  %c0 = arith.constant 0 : index",
            "  %zero = arith.constant 0 : i64",
            "  %bytes = arith.constant 64 : i64",
            "  %far = arith.constant 9223372036854775807 : i64",
            "  cf.br ^next",
            "^next:",
            "  %got = func.call @alpha_read(%zero, %in, %bytes, %far)",
            "    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64",
            "  %whole = arith.cmpi eq, %got, %bytes : i64",
            "  cf.cond_br %whole, ^command, ^leave",
            "^command:",
            "  %wide = memref.load %command[%c0] : memref<8xi64>",
            "  %which = arith.trunci %wide : i64 to i32",
            *loads,
            "  cf.switch %which : i32, [\n    default: ^leave,",
            ",\n".join(cases),
            "  ]",
            *blocks,
            "^leave:",
        ]
    )


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where executables are, until the tests end."""
    return TemporaryDirectory(prefix="alpha-storing-")


@cache
def storer(machine: str, changes: tuple[tuple[str, str], ...] = ()) -> Path:
    """The executable; with texts of the runtime that are changed to others."""
    file = Path(_folder().name, f"{machine}-{len(changes)}-{abs(hash(changes))}")
    beside = _BESIDE.replace("ARENA", str(ARENA_BYTES))
    return participant(machine, _body(), file, beside=beside, changes=changes, more=MORE)


class Script:
    """Commands that are put together; what they need is put into the arena on the way."""

    def __init__(self, needed: int | None = 1) -> None:
        """With `needed`, generations begin first."""
        self.data = b""
        self.free = 0
        """Where the arena is free; what lay behind it isn't needed any more once this is set."""
        if needed is not None:
            self.tell("begin", needed)

    def tell(self, name: str, *words: int) -> Script:
        """Add a command with up to five words."""
        padded = (NAMES.index(name), *words, *(0 for _ in range(7 - len(words))))
        self.data += struct.pack("<8Q", *(word % (1 << 64) for word in padded))
        return self

    def fill(self, content: bytes, before: int = 0) -> int:
        """Put bytes into the arena, `before` behind a multiple of 64; gives the place."""
        place = -(-self.free // 64) * 64 + before
        self.free = place + len(content)
        assert self.free <= ARENA_BYTES
        self.tell("fill", place, len(content))
        self.data += content
        return place

    def folder(self, version: int = VERSION, suffix: str = SUFFIX) -> Script:
        """Make and open the folder of a generation."""
        return self.tell("folder", version, self.fill(suffix.encode()), len(suffix))

    def file(self, name: str, *pieces: bytes, before: Sequence[int] = (0,)) -> Script:
        """Write a file of these pieces, and give the words that come out."""
        held = name.encode()
        named = self.fill(held + b"\0")
        places = [
            self.fill(piece, before[number % len(before)]) for number, piece in enumerate(pieces)
        ]
        told = b"".join(
            struct.pack("<2Q", place, len(piece))
            for place, piece in zip(places, pieces, strict=True)
        )
        pairs = self.fill(told)
        out = self.fill(bytes(40), before[0])
        self.tell("file", named, len(held), pairs, len(pieces), out)
        return self.tell("give", out, 40)

    def seen(self, name: str, role: int, said: bytes, before: int = 0) -> Script:
        """See that a file is what a role has said of it."""
        held = name.encode()
        named = self.fill(held + b"\0")
        return self.tell("seen", named, len(held), role, self.fill(said, before))

    def publish(self, version: int = VERSION, suffix: str = SUFFIX) -> Script:
        """Give the folder its name."""
        return self.tell("publish", version, self.fill(suffix.encode()), len(suffix))


def words_of(content: bytes) -> bytes:
    """The five words that say a file: how many bytes, and their SHA-256."""
    return struct.pack("<Q", len(content)) + hashlib.sha256(content).digest()


def stored(
    machine: str,
    path: Path | str,
    script: Script,
    before: Callable[[], object] | None = None,
    changes: tuple[tuple[str, str], ...] = (),
    front: Sequence[str] = (),
) -> tuple[int, bytes, bytes]:
    """Status, stdout and stderr of a participant that does a script; `front` is what starts it."""
    from routines.executables import command_of

    file = storer(machine, changes)
    emulator = (*front, *command_of(machine, file)[:-1]) if front else ()
    return started(
        machine,
        file,
        "--checkpoint",
        str(path),
        before=before,
        stdin=script.data,
        emulator=emulator,
    )
