"""What the dialects share: learners, contracts, topologies, digests, refusals."""
