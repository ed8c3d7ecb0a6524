"""Runs that an engine starts on its own machines: what it takes, submitting that, its results."""
