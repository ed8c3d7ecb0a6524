"""The project's dialects, one a file; `alpha.ir.registry` finds them from the files."""
