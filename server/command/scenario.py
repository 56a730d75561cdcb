"""Run games written as data and check what they expect (docs/scenarios.md).

apnap scenario run FILE... [--cards CARDS]... [--report OUT.json] [--only ID]
apnap scenario new FILE.toml [--seats NAME...] [--rules EDITION]    begin one: a small game that passes, to be changed

FILE is .jsonl (a scenario a line), .json or .toml (one; or several under the key `scenario`), or a folder of such. Prints one line for each
scenario that did not pass, then the sum. Exit status 0 only if none failed, was illegal or in error.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.scenario import CardSource, Report
    from server.scenario.source import Cards


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `apnap scenario`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    play = actions.add_parser("run", help="play scenarios and check what they expect")
    play.add_argument("files", nargs="+", metavar="FILE", type=Path)
    play.add_argument(
        "--cards",
        action="append",
        default=[],
        metavar="CARDS",
        type=Path,
        help="a card list (JSON lines), or a TOML or JSON file of cards",
    )
    play.add_argument("--report", metavar="OUT.json", type=Path, help="write one object per scenario, as a JSON list")
    play.add_argument("--only", metavar="ID", help="play only the scenario with this id")
    new = actions.add_parser("new", help="begin a scenario: a small game that passes, to be changed")
    new.add_argument("file", metavar="FILE.toml", type=Path)
    new.add_argument("--seats", nargs="+", default=["A", "B"], metavar="NAME", help="the players in turn order (A B)")
    new.add_argument(
        "--rules", choices=("2009", "2011", "current"), default="2011", help="the edition of the rules (2011)"
    )


def run(args: argparse.Namespace) -> int:
    """Plays every scenario; 0 if none failed, was illegal or in error, 1 otherwise, 2 if a file cannot be read."""
    if args.action == "new":
        return _new(args.file, args.seats, args.rules)
    import gc

    import msgspec

    from server.cards.loading import CardFault
    from server.oracle.reading import read_card
    from server.scenario import CardSource
    from server.scenario.verdict import OUTCOMES

    gc.freeze()
    try:
        source = CardSource(tuple(_cards_of(path) for path in args.cards), read_card)
    except (OSError, CardFault) as error:
        print(f"apnap: {error}", file=sys.stderr)
        return 2
    reports: list[Report] = []
    try:
        for path in _files(args.files):
            for report in _played(path, source, args.only):
                reports.append(report)
                if report.outcome != "passed":
                    print(f"{report.outcome} {report.id}: {report.why}")
    except BrokenPipeError:
        raise  # whoever read our output went away: main knows
    except OSError as error:
        print(f"apnap: {error.filename}: {error.strerror or error}", file=sys.stderr)
        return 2
    counts = {outcome: sum(r.outcome == outcome for r in reports) for outcome in OUTCOMES}
    print(", ".join(f"{outcome} {n}" for outcome, n in counts.items()) + f" of {len(reports)}")
    if args.report:
        lines = b",\n".join(msgspec.json.encode(report) for report in reports)
        args.report.write_bytes(b"[\n" + lines + b"\n]\n")
    if args.only is not None and not reports:
        print(f"apnap: no scenario has the id {args.only!r}", file=sys.stderr)
        return 2
    return 1 if counts["failed"] or counts["illegal"] or counts["error"] else 0


def _new(path: Path, seats: list[str], rules: str) -> int:
    """Writes the beginning of a scenario; 2 if it is no TOML file, is there already or cannot be written, or for wrong seats."""
    from server.scenario import begin

    if path.suffix != ".toml":
        print(f"apnap: {path}: what is written is TOML, so the name must end in .toml", file=sys.stderr)
        return 2
    if len(seats) < 2 or len(set(seats)) < len(seats):
        print("apnap: a game needs two players at least, all of different names", file=sys.stderr)
        return 2
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(begin(path.stem, seats, rules))
    except OSError as error:
        print(f"apnap: {path}: {error.strerror or error}", file=sys.stderr)
        return 2
    print(f"apnap scenario run {path}")
    return 0


def _cards_of(path: Path) -> Cards:
    """Who knows the cards of a file: of a list each is read when it is asked for. Raises CardFault, OSError."""
    from server.cards.loading import CardList, objects_of
    from server.oracle.reading import read_card
    from server.scenario import CardFile

    if path.suffix in (".toml", ".json"):
        return CardFile(objects_of(path), path.name, read_card)
    return CardList(path, read_card)


def _files(given: list[Path]) -> Iterator[Path]:
    """The files, with the scenario files of a folder in its place, in order of name."""
    for path in given:
        if path.is_dir():
            yield from sorted(inner for inner in path.iterdir() if inner.suffix in (".jsonl", ".json", ".toml"))
        else:
            yield path


def _played(path: Path, source: CardSource, only: str | None) -> Iterator[Report]:
    """The reports of a file's scenarios, in order."""
    from server.scenario import BadScenario, Report, Unsupported, play, read

    for place, data in scenarios_of(path):
        ident = data.get("id") if isinstance(data, dict) else None
        name = ident if isinstance(ident, str) else place
        if only is not None and name != only:
            continue
        if isinstance(data, ValueError):
            yield Report(name, "error", str(data))
            continue
        try:
            scenario = read(data)
        except Unsupported as fault:
            yield Report(name, "unsupported", str(fault))
        except BadScenario as fault:
            yield Report(name, "error", str(fault))
        else:
            yield play(scenario, source)


def scenarios_of(path: Path) -> Iterator[tuple[str, object]]:
    """The decoded scenarios of a file, each with its place; a ValueError in the place of what cannot be decoded."""
    import tomllib

    import msgspec

    text = path.read_bytes()
    if path.suffix == ".jsonl":
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield f"{path.name}:{number}", _decoded(line)
        return
    if path.suffix == ".toml":
        try:
            data: object = tomllib.loads(text.decode("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            data = ValueError(f"is no TOML: {error}")
    else:
        data = _decoded(text)
    if isinstance(data, dict) and list(data) == ["scenario"] and isinstance(data["scenario"], list):
        data = data["scenario"]
    if isinstance(data, list):
        for number, one in enumerate(data):
            yield f"{path.name}[{number}]", msgspec.to_builtins(one)
    else:
        yield path.name, data


def _decoded(text: bytes) -> object:
    import msgspec

    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return ValueError(f"is no JSON: {error}")
