"""Check card files: every card of FILE... is read whole or its fault is named, with the place in the card.

apnap cards check FILE...     TOML or JSON files of cards (the typed tree), or JSON-lines card lists
apnap cards import FILE...    take card lists into the data directory, where decks find their cards
apnap cards show NAME [--cards FILE]    a card's text, its tree, and the text that the tree prints
apnap cards coverage FILE [--json]      how many cards of a list can be played, and what stops the others
apnap cards frontier FILE [--top N]     the phrases that stop most cards which nothing else stops
apnap cards keep ROOM|FILE              keep the other words that a table agreed on, from its journal
apnap cards reword NAME WORDS [--text TEXT]    keep other words for a paragraph that the server does not read
apnap cards wordings                    print the words that are kept
apnap cards coverage --decks DECKS --cards LIST    how many decks can be played whole, copies and names read, by format
apnap cards frontier --decks DECKS --cards LIST    the phrases and names that stop most decks
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from server.command import cards_import, cards_text, wordings

SHOWN = 80
"""Characters of a name that a fault repeats."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `apnap cards`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser("check", help="read card files and name what cannot be read")
    check.add_argument("files", nargs="+", metavar="FILE", type=Path)
    check.add_argument("--quiet", action="store_true", help="print faults only")
    cards_import.add_import(actions)
    cards_text.add_text(actions)
    wordings.add_wordings(actions)


def run(args: argparse.Namespace) -> int:
    """Checks every file; 0 if all cards may be played, 1 if one has a fault, 2 if a file is missing."""
    if args.action == "import":
        return cards_import.run_import(args)
    if args.action in ("show", "coverage", "frontier"):
        return cards_text.run_text(args)
    if args.action in ("keep", "reword", "wordings"):
        return wordings.run_wordings(args)
    faults = cards = 0
    for path in args.files:
        try:
            found, wrong = _check(path)
        except OSError as error:
            print(f"apnap: {path}: {error.strerror or error}", file=sys.stderr)
            return 2
        cards += found
        faults += len(wrong)
        for line in wrong:
            print(line)
    if not args.quiet:
        print(f"{cards} cards read, {faults} faults")
    return 1 if faults else 0


def _check(path: Path) -> tuple[int, list[str]]:
    """How many cards of the file are sound, and a line for each fault."""
    from server.cards.loading import CardFault, objects_of, plain_name

    good, wrong = 0, list[str]()
    names: set[str] = set()
    try:
        data = objects_of(path)
    except CardFault as fault:
        return 0, [str(fault)]
    for one in data:
        name = str(cast("dict[str, object]", one).get("name", "")) if isinstance(one, dict) else ""
        try:
            found = list(_faults(one, path.name))
        except CardFault as fault:
            found = [str(fault)]
        if name and plain_name(name) in names:
            found.append(f"{path.name}: {name[:SHOWN]!r}: the file has this name more than once")
        names.add(plain_name(name))
        wrong += found
        good += not found
    return good, wrong


def _faults(data: object, source: str) -> Iterator[str]:
    """A line for each fault of one card, a tree or a printed text. Raises CardFault for what is no card at all."""
    from server.cards.loading import Unread, faults, is_entry, read_definition, shape, to_entry
    from server.oracle.reading import read_card, unread_paragraphs

    if not is_entry(data):
        card = shape(data, source)
        yield from (f"{source}: {card.name[:SHOWN]!r}: {fault.path}: {fault.why}" for fault in faults(card))
        return
    found = read_definition(data, source, read_card)
    if isinstance(found, Unread):
        place = f"{source}: {found.name[:SHOWN]!r}"
        unread = [
            f"{place}: text: {word!r} is not understood in {line!r}" for line, word in unread_paragraphs(to_entry(data))
        ]
        yield from unread or (f"{place}: {found.word}",)
