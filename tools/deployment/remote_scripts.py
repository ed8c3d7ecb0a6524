"""What runs on a host that is reached over ssh, beside the roles: texts for its shell.

Invariant: a command is understood alike by every login shell: words of letters that mean nothing to
    any, or `/bin/sh -c` with one text in single quotes, in which there are no quotes of that kind,
    no line ends, no backslashes and no exclamation marks. Only what POSIX has is used, and mktemp,
    readlink, tar and sha256sum, which Debian, Fedora, Alpine and BusyBox have.
Why: a role that computes notices neither that its connection has ended nor that its launcher has.
    The warden notices both: its input ends, or is silent for too long. It then kills every process
    that has registered itself, and removes the folder. Who registers makes a symbolic link whose
    target is its process group, which is there as a whole or not at all; once the warden has given
    the folder of links another name, nobody can register any more.
Entry: `warden`, `unpack`, `holder`, `START`, `READY`, `words`, `is_plain`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

READY = "alpha ready"
"""The last line of a greeting."""

_WORD = re.compile(r"[A-Za-z0-9_./,=+-]+")

# `$1` is the role; the rest is its command. A shell stays in front of it, since the status of a
# command that a signal has ended gets lost on the way over ssh, and 128 and the signal doesn't.
# What it says of such an end itself goes nowhere.
START = """\
cd "${0%/*}" && ln -s $$ "run/$1" || exit 5
shift
exec 3>&2 2>/dev/null
( exec "$@" 2>&3 3>&- )
exit $?
"""
"""A file of the folder that starts a role."""

_OVER = (
    'over() { trap "" TERM; mv $d/run $d/over; '
    "for f in $d/over/*; do "
    "p=$(readlink $f) && test $p -gt 1 && test $(readlink /proc/$p/cwd) = $d && kill -KILL -$p; "
    "done; rm -rf $d; kill -TERM 0; }"
)
# A process group may be another's by now, unless what leads it works in the folder; 1 would stand
# for every process that there is. The last command is for the process that waits for a beat, which
# is in the group of the warden.


def is_plain(word: str) -> bool:
    """Whether a word means nothing else to any shell."""
    return _WORD.fullmatch(word) is not None


def words(*command: str) -> str:
    """A command of plain words, as every shell takes it."""
    for word in command:
        if not is_plain(word):
            raise ValueError(f"{word!r} is no plain word")
    return " ".join(command)


def _quoted(*commands: str) -> str:
    text = "; ".join(commands)
    if re.search(r"['\n\\!]", text):
        raise ValueError(f"a text that not every shell takes: {text}")
    return f"exec /bin/sh -c '{text}'"


def warden(place: str, silence_seconds: int, emulators: Mapping[str, Sequence[str]]) -> str:
    """The command of a warden, which makes a folder in a place and tells of it and of its host.

    `emulators` are by machine the programs that may run its executables; the first that is there is
    told. It ends, and everything that it is to end, when its input does, or is silent so long.
    """
    greeting = [
        'echo "alpha folder $d"',
        'echo "alpha system $(uname -s) $(uname -m)"',
        'echo "alpha memory $(grep ^MemAvailable: /proc/meminfo)"',
    ]
    for machine, programs in emulators.items():
        found = " || ".join(f"command -v {words(each)}" for each in programs)
        greeting.append(f'echo "alpha emulator {words(machine)} $({found})"')
    return _quoted(
        "umask 077",
        f"d=$(mktemp -d {words(place)}/alpha-run-XXXXXX) && d=$(cd $d && pwd -P) || exit 9",
        _OVER,
        'trap "over 2>/dev/null" EXIT',
        'trap "exit 1" HUP INT TERM',
        "mkdir $d/run && : > $d/beat || exit 9",
        f"( while sleep {silence_seconds} && rm $d/beat; do :; done; over ) "
        "< /dev/null > /dev/null 2>&1 & :",
        *greeting,
        f"echo {READY}",
        "while read -r line; do : > $d/beat; done",
    )


def unpack(folder: str, program: str) -> str:
    """The command that puts what it reads, a tar archive with a file `sums`, into the folder.

    It sees that the files have the digests in `sums`, and that a program among them can be run.
    """
    at = words(folder)
    # Not every tar says that the disk is full; dd does.
    full = f"dd if=/dev/zero of={at}/full bs=65536 count=1 || exit 1"
    return _quoted(
        f"tar -x -f - -C {at} || {{ {full}",
        "exit 1; }",
        f"sha256sum -c {at}/sums > /dev/null || exit 1",
        f"test -x {at}/{words(program)} || {{ echo {at} may not hold programs >&2",
        "exit 1; }",
    )


def holder() -> str:
    """The command that keeps a further connection open."""
    return _quoted(f"echo {READY}", "exec cat > /dev/null")
