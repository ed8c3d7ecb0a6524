"""Learners that train in several processes, beside what trains or adds otherwise."""
