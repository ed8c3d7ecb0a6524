"""Passes that read rows."""
