"""The subcommands of `alpha`, one a file; each has `add_arguments` and `run`."""
