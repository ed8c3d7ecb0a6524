"""Compiled programs beside compiled C: the same arithmetic, the same bits, in one run."""
