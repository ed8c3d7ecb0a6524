"""What a program means: one interpreter a level, over words or over terms."""
