"""The project's dialects, one a file; `alpha.ir.frontend.registry` finds them from the files."""
