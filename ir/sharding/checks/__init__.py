"""What `--verify-shards` asks of a distribution; one question a file."""
