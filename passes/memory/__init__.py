"""What arrays in memory have to be so that a function's frame can hold them."""
