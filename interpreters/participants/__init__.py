"""A role's connections: its edges over TCP, their deadlines, and the frames that pass them."""
