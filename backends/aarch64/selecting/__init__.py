"""The rules of AArch64, a file for each kind of operation."""
