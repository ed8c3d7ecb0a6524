"""The parts of the checker of register allocation; `checker` says what is checked."""
