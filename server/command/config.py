"""Show the settings in force.

apnap config show [--config FILE]   prints every setting as the file would say it, what it says, and where it came from
apnap config show --json            the same as one JSON object
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

PASSWORD = re.compile(r"(postgres(?:ql)?://[^:@/\s\"]*:)[^@/\s\"]+(?=@)|([?&](?:ssl)?password=)[^&\s\"]+")
"""In the address of a database, before its host or among its options; it is shown to nobody."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `apnap config`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="show")
    show = actions.add_parser("show", help="print the settings in force and where each came from")
    show.add_argument("--config", type=Path, metavar="FILE", help="a settings file (TOML)")
    show.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """0; 2 if the settings cannot be read."""
    from server.command.settings import BadSettings, find

    try:
        found = find(args.config)
    except (BadSettings, OSError) as fault:
        print(f"apnap config: {fault}", file=sys.stderr)
        return 2
    text = _object(found.settings) if args.json else "\n".join(_file(found.settings, found.origins))
    print(PASSWORD.sub(r"\1\2***", text))
    return 0


def _object(settings: object) -> str:
    import msgspec

    return msgspec.json.encode(settings).decode()


def _file(settings: object, origins: dict[str, str]) -> list[str]:
    """The settings as a TOML file, each under a line that says what it is."""
    from server.command.config_words import WORDS
    from server.command.settings import keys, value_of
    from server.settings import Settings

    assert isinstance(settings, Settings)
    lines: list[str] = []
    section = ""
    for key in keys():
        table, dot, name = key.rpartition(".")
        if dot and table != section:
            section = table
            lines += ["", f"[{table}]"]
        # What JSON writes for a text, a number, a truth and a list of texts is TOML as well.
        text = json.dumps(value_of(settings, key), ensure_ascii=False)
        lines.append(f"# {WORDS[key]}")
        lines.append(f"{name} = {text}" + (f"  # {origins[key]}" if key in origins else ""))
    return lines
