"""Other words for paragraphs that the server does not read, kept with the cards of a data directory: `apnap cards keep`, `reword`,
`wordings`.

They stand in `wordings.jsonl` there, a line for each: the card's name, the paragraph as it is printed, the words. Whatever deck is read
from then on has the card so: whole, if nothing is left of it that is not read.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from server.command.data import add_data, folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.cards.forms import Card

FILE = "wordings.jsonl"
MOST = 10_000
"""Wordings that are kept."""


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That paragraph `text` of the card of that name is said as `line`."""

    card: str
    text: str
    line: str


class Wordings:
    """Those of a file, read again when it has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._by_name: dict[str, list[Wording]] = {}
        self._stamp: tuple[int, int] | None = None

    def version(self) -> int:
        """Another number after each change of the file; 0 where there is none."""
        try:
            found = self._path.stat()
        except OSError:
            self._by_name, self._stamp = {}, None
            return 0
        stamp = found.st_mtime_ns, found.st_size
        if stamp != self._stamp:
            self._stamp, self._by_name = stamp, {}
            from server.cards.loading import plain_name

            for one in read(self._path):
                self._by_name.setdefault(plain_name(one.card), []).append(one)
        return hash(stamp)

    def said(self, card: Card) -> Card:
        """The card with its paragraphs in these words; what they do not fit, or do not read any more, stays as it is."""
        from server.cards.loading import plain_name
        from server.oracle.acts import ActFault
        from server.oracle.rewording import reworded

        for one in self._by_name.get(plain_name(card.name), ()):
            try:
                card, _ = reworded(card, one.text, one.line)
            except ActFault:
                continue
        return card


def read(path: Path) -> list[Wording]:
    """The wordings of a file, none if there is no such file; a line that is none is left out."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return []
    found: list[Wording] = []
    for line in lines[:MOST]:
        try:
            found.append(msgspec.json.decode(line, type=Wording))
        except msgspec.MsgspecError:
            continue
    return found


def keep(path: Path, fresh: Iterable[Wording]) -> int:
    """Put wordings into the file, each in the place of an earlier one of its paragraph; how many are new. Raises OSError."""
    known = {(one.card, one.text): one for one in read(path)}
    before = set(known.values())
    known.update(((one.card, one.text), one) for one in fresh)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in list(known.values())[-MOST:]))
    os.replace(beside, path)
    return len(set(known.values()) - before)


# --- the command --------------------------------------------------------------------------------------------------------------


def add_wordings(actions: Any) -> None:
    """Adds the actions to `apnap cards`."""
    keeping = actions.add_parser("keep", help="keep the other words that a table agreed on, from its journal")
    keeping.add_argument("journal", metavar="ROOM|FILE")
    add_data(keeping)
    saying = actions.add_parser("reword", help="keep other words for a paragraph that the server does not read")
    saying.add_argument("name", metavar="NAME")
    saying.add_argument("line", metavar="WORDS", help="rules English that the server reads")
    saying.add_argument("--text", default="", metavar="TEXT", help="which paragraph, where there are several")
    saying.add_argument("--cards", action="append", default=[], metavar="FILE", type=Path, help="a card list")
    add_data(saying)
    listing = actions.add_parser("wordings", help="print the words that are kept")
    add_data(listing)


def run_wordings(args: argparse.Namespace) -> int:
    """0 if it went well, 1 if nothing could be kept."""
    path = folder(args) / FILE
    if args.action == "wordings":
        for one in read(path):
            print(f"{one.card}: {one.text!r} is said as {one.line!r}")
        return 0
    try:
        found = _of_journal(args) if args.action == "keep" else [_of_line(args)]
        number = keep(path, found)
    except (OSError, ValueError) as fault:
        print(f"apnap cards {args.action}: {fault}", file=sys.stderr)
        return 1
    print(f"{number} wordings kept in {path}")
    return 0


def _of_journal(args: argparse.Namespace) -> list[Wording]:
    """What the table of a journal agreed on. Raises ValueError."""
    import trio

    from server.command.data import find_journal
    from server.rules.turn import Reworded
    from server.storage import Amended, StorageError

    try:
        journal = trio.run(find_journal, args.journal, folder(args))
    except StorageError as fault:
        raise ValueError(str(fault)) from None
    changes = [entry.change for entry in journal.entries if isinstance(entry, Amended)]
    agreed = [Wording(one.card.name, one.text, one.line) for one in changes if isinstance(one, Reworded)]
    return [one for one in agreed if one.text and one.line]


def _of_line(args: argparse.Namespace) -> Wording:
    """The wording that was typed, if it is read. Raises ValueError."""
    from server.cards.forms import Card
    from server.cards.loading import paragraphs_by_hand
    from server.command.library import open_library
    from server.oracle.acts import ActFault
    from server.oracle.rewording import reworded
    from server.storage import StorageError

    try:
        library = open_library(folder(args), args.cards)
        found = library.find(args.name, by_hand=True)
        library.close()
    except StorageError as fault:
        raise ValueError(str(fault)) from None
    if not isinstance(found, Card):
        raise ValueError(f"there is no card {args.name!r} that can be played")
    texts = paragraphs_by_hand(found)
    text = args.text or (texts[0] if len(texts) == 1 else "")
    if text not in texts:
        raise ValueError("say which paragraph by --text: " + " / ".join(texts) if texts else "nothing of it is by hand")
    try:
        _, understood = reworded(found, text, args.line)
    except ActFault as fault:
        raise ValueError(fault.why) from None
    print(f"{found.name}: {text!r} is read as {understood!r}")
    return Wording(found.name, text, args.line.strip())
