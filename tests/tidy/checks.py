"""All tidy checks, in the order in which they are reported."""

from __future__ import annotations

from tidy import form, imports, pages, witnesses
from tidy.tree import Check

CHECKS: tuple[Check, ...] = (
    form.module_docstrings,
    form.sizes,
    form.names,
    form.banned_words,
    form.mutable_globals,
    form.isa_folders,
    imports.spelling,
    imports.direction,
    imports.dead_files,
    witnesses.refusal_table,
    witnesses.refusal_tests,
    witnesses.pass_tests,
    witnesses.example_tests,
    witnesses.skipped_tests,
    pages.links,
    pages.commands,
)
