"""The passes that are of AArch64 alone."""
