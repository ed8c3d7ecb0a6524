"""The instructions of AArch64 as rows, by group; `table` has them all."""
