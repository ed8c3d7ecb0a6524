"""What the passes over the `shard` dialect share; each pass is a file beside this folder."""
