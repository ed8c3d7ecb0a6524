"""Running learners and protocols: levels, processes, and what a run reports and writes."""
