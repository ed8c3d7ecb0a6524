"""Runs kernels from their text, in numpy, a lane a thread."""
