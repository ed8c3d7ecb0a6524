"""The machine dialects: operations made from the rows of an instruction set, and their text."""
