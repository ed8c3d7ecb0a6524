"""Attributes and types of the project's dialects, and the literals that several of them share."""
