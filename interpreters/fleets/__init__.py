"""Models of fleets: what a protocol's rounds cost many roles, without running them."""
