"""Generations as the commands see them: flags, resuming, the folder they are written to, tools."""
