"""The console command `apnap`: finds the subcommand, imports its module and runs it.

Exit codes: 0 fine; 1 what was asked for found a fault (a scenario failed, a card cannot be read, a game does not replay);
2 wrong usage; 130 stopped by Ctrl-C; 141 the reader of our output went away (as a shell reports SIGPIPE).

This module imports next to nothing, so that `apnap --help` is instant: help lines stand in the table below.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence

VERSION = "0.1.0"  # tests/house keeps it equal to pyproject.toml; importlib.metadata would cost 30 ms

SUBCOMMANDS: dict[str, str] = {
    "serve": "serve tables over websockets",
    "play": "play at a table, in the terminal",
    "bot": "seat a bot at a table",
    "demo": "play one whole game of bots over real websockets and verify every view",
    "replay": "play a journal again and print the game",
    "export": "write a room's journal to a file",
    "scenario": "run games written as data and check what they expect",
    "cards": "check and import cards",
    "deck": "check deck lists",
    "doctor": "check that this machine, and a server at an address, are ready for friends",
    "migrate": "move all that is kept from the data directory to PostgreSQL, or back",
    "admin": "ask and order the server that runs on this machine",
    "cluster": "try several nodes on this machine",
    "config": "show the settings in force",
    "arena": "let bots play against each other and rate them",
    "puzzles": "see how many tactical puzzles a bot solves",
    "bench": "measure speed and memory",
    "schema": "print the JSON Schema of the protocol",
    "rules": "print how the editions of the rules differ and number a rule",
}

FAULT, USAGE, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run `apnap` with these arguments (default: the process's) and return the exit code.

    argparse leaves by SystemExit (0 after help, 2 after wrong usage); every other way out is a returned code.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    _take_every_sign()
    try:
        code = _dispatch(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The interpreter flushes stdout once more at exit and would complain; give it somewhere to write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except BaseExceptionGroup as group:
        # trio wraps what its nurseries raise. A Ctrl-C in there is a Ctrl-C.
        if group.subgroup(KeyboardInterrupt):
            return INTERRUPTED
        if group.split(OSError)[1] is not None:
            raise
        print(f"apnap: {_first(group)}", file=sys.stderr)
        return FAULT
    except OSError as error:
        # Subcommands name the files they cannot read; what is left is a standard output that takes no more (a full disk).
        print(f"apnap: {error}", file=sys.stderr)
        return FAULT


def _first(fault: BaseException) -> BaseException:
    return _first(fault.exceptions[0]) if isinstance(fault, BaseExceptionGroup) else fault


def _take_every_sign() -> None:
    """What a terminal or a file of few letters cannot show becomes a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _dispatch(words: list[str]) -> int:
    top = _top_parser()
    name = words[0] if words else ""
    if name not in SUBCOMMANDS:
        top.parse_args(words)  # leaves with --help, --version, or a wrong-usage error that names the choices
        top.print_help(sys.stderr)
        return USAGE
    full = f"server.command.{name}"
    module = importlib.import_module(full)
    parser = argparse.ArgumentParser(prog=f"apnap {name}", description=module.__doc__ or SUBCOMMANDS[name])
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    module.arguments(parser)
    result: int | None = module.run(parser.parse_args(words[1:]))
    return result or 0


def _top_parser() -> argparse.ArgumentParser:
    width = max(map(len, SUBCOMMANDS))
    table = "\n".join(f"  {name:<{width}}  {text}" for name, text in SUBCOMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="apnap",
        usage="apnap [--help] [--version] COMMAND ...",
        description="Rules-enforcing Magic tables for two to ten players over websockets.",
        epilog=f"commands:\n{table}\n\n'apnap COMMAND --help' tells more. Exit codes: 0 fine, 1 a fault was found, 2 wrong usage.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"apnap {VERSION}")
    parser.add_argument("command", metavar="COMMAND", nargs="?", choices=list(SUBCOMMANDS), help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
