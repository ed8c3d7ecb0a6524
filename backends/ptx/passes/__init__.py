"""Passes that read the rows of PTX."""
