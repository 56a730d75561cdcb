"""Every seed rule broken in turn: `python -m tests.mutants` (`make mutants`)."""
