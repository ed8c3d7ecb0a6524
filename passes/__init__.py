"""The transformations, one a file; `alpha.passes.registry` finds them from the files."""
