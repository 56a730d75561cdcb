"""Print the JSON Schema of the protocol: every message, question, answer, view and refusal."""

from __future__ import annotations

import argparse
import json


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap schema`."""
    parser.add_argument("--compact", action="store_true", help="one line, without indentation")


def run(args: argparse.Namespace) -> int:
    """Write the schema to standard output, the same bytes every time."""
    from protocol.schema import schema

    print(json.dumps(schema(), indent=None if args.compact else 2, ensure_ascii=False))
    return 0
