"""The `apnap` command: the top floor, which may import every other and is imported by none.

`main` holds the table of subcommands. A subcommand `name` is the module `server.command.name` with two functions:
`arguments(parser)` adds its options to an `argparse.ArgumentParser`, `run(args)` does the work and returns the exit code.
Neither this module nor `main` imports any of them before it is asked for.
"""
