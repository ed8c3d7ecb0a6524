"""From a learner to a folder of executables, one a role, and what describes the folder."""
