"""Generations on disk: the words of all states at one version, shard by shard, with manifests."""
