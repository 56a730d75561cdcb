"""Card forms, their loading and checking, and the house set."""
