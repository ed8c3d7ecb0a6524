"""What a protocol is about, apart from its IR: groups of roles, their trees, what they send."""
