"""The network under the participants of a protocol: what they yield, and a simulation of it."""
