"""Passes that read the rows of x86-64."""
