"""What the passes of the protocol level share: the lowering of a round, and the projection."""
