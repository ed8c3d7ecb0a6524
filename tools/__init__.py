"""The commands that users start: `alpha`, `alpha-opt`, `alpha-translate`."""
