"""The instructions of PTX, a row each."""
