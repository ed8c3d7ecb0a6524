"""From a role's program to code: where its words lie, and the calls that do what it says."""
