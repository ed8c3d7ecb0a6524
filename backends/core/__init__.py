"""What the instruction sets share: rows, selection, allocation and its checker, frames, text."""
