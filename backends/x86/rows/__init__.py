"""The instructions of x86-64 as rows, by group; `table` has them all."""
