"""Our side: a learner's text to a library of this process, with the widest vectors of this host.

Entry: `library_of`, `host_features`.
"""

from __future__ import annotations

import platform

from alpha.backends.core.emission import assembly_of, remaining_passes
from alpha.backends.toolchain.calling import Caller
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

WIDE = {"avx512f", "avx512dq", "avx512bw", "avx512vl"}
"""What the feature `avx512` asks of a processor, as Linux names it."""


def host_features() -> str:
    """The features of this processor that programs may be compiled for."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as stream:
        flags = next((line.split() for line in stream if line.startswith("flags")), [])
    return "avx512" if set(flags) >= WIDE else ""


def assembly(text: str, features: str) -> str:
    """The assembly text of a learner's programs."""
    context = make_context()
    module = parse_text(context, text, "bench")
    verify_module(module)
    for each in remaining_passes(module, "x64", features):
        each.apply(context, module)
    return assembly_of(module, "x64")


def library_of(text: str) -> Caller:
    """The programs of a learner, assembled and loaded into this process."""
    if platform.machine() != "x86_64":
        raise SystemExit("the benchmark compares x86-64 code, and this isn't an x86-64 host")
    return Caller(assembly(text, host_features()), "x86-64", by="this process")
