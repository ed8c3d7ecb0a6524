"""Pictures of a protocol: its graph for Graphviz, and a round as a message-sequence chart."""
