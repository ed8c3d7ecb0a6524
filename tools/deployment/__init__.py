"""Which hosts the roles of a run are on, and how they are started and connected there."""
