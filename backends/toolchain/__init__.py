"""From assembly text to objects, shared objects and executables; and calls of what they hold."""
