"""The rules of x86-64, a file for each kind of operation."""
