"""What the dialects share: selections, contracts, digests, refusals, the guarded front end."""
