"""Check deck lists: plain text, MTGA, MTGO (.txt, .dek), Cockatrice (.cod), Forge and XMage (.dck), told by their content.

apnap deck check FILE...      every card known and playable, at least 60 cards, no more than four of a name (100.2a)

A deck is legal if every card of it can be played. What is not is named by line, and the exit code is 1. Cards are those of
the house set, those imported (`apnap cards import`), and those of --cards. What is banned in a format, the lists say that say so.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from server.command.data import add_data, folder

if TYPE_CHECKING:
    from server.cards.decks import DeckRules
    from server.command.library import Library


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `apnap deck`."""
    from server.cards.decks import KINDS

    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser("check", help="read deck lists and name what is wrong with them")
    check.add_argument("files", nargs="+", metavar="FILE", type=Path)
    check.add_argument(
        "--format",
        choices=KINDS,
        default="constructed",
        metavar="FORMAT",
        help=f"by whose rules, and by what card lists say of it: {', '.join(KINDS)} (default: %(default)s)",
    )
    check.add_argument(
        "--rules",
        type=Path,
        metavar="FILE",
        help="deck rules of a club or a draft, as TOML (docs/cards.md), in place of a format",
    )
    check.add_argument(
        "--by-hand",
        choices=("never", "unread"),
        default="never",
        help="unread: cards that are partly read count, the rest of them being played by hand (default: %(default)s)",
    )
    check.add_argument(
        "--cards",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a card list (or a TOML file of cards) to look in besides (may be given again)",
    )
    add_data(check)


def run(args: argparse.Namespace) -> int:
    """Checks every file; 0 if all decks are legal, 1 if one is not, 2 if a file is missing."""
    from server.cards.decks import BadRules, read_rules
    from server.cards.loading import CardFault
    from server.command.library import open_library
    from server.oracle.importing import ListFault
    from server.storage import StorageError

    try:
        own = None if args.rules is None else read_rules(args.rules.read_bytes())
        library = open_library(folder(args), args.cards)
    except BadRules as fault:
        print(f"apnap: {args.rules}: {fault}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"apnap: {error.filename}: {error.strerror or error}", file=sys.stderr)
        return 2
    except (ListFault, CardFault, StorageError) as fault:
        print(f"apnap: {fault}", file=sys.stderr)
        return 1
    code = 0
    for path in args.files:
        try:
            code = max(code, _check(path, library, args.format, own, args.by_hand != "never"))
        except BrokenPipeError:
            raise
        except OSError as error:
            print(f"apnap: {path}: {error.strerror or error}", file=sys.stderr)
            code = 2
    library.close()
    return code


def _check(path: Path, library: Library, format_: str, own: DeckRules | None, by_hand: bool) -> int:
    """Print the verdict on one list. Raises OSError."""
    from server.cards.decks import TEXT_BYTES, read_deck
    from server.cards.loading import DeckFault, paragraphs_by_hand

    try:
        if path.stat().st_size > 4 * TEXT_BYTES:
            raise DeckFault(((0, f"is larger than {TEXT_BYTES} bytes"),))
        asked = library.partly() if by_hand else library
        deck = read_deck(_text(path.read_bytes()), asked, name=path.stem, format_=format_, own=own)
    except DeckFault as fault:
        for line, why in fault.faults:
            print(f"{path}:{line}: {why}" if line else f"{path}: {why}")
        count = len(fault.faults)
        print(f"{path}: not legal: {count} fault{'s' if count > 1 else ''}")
        return 1
    side = sum(line.count for line in deck.sideboard)
    board = f" and {side} in the sideboard" if side else ""
    led = f" led by {' and '.join(card.name for card in deck.commander)}" if deck.commander else ""
    brought = f", companion {deck.companion[0].name}" if deck.companion else ""
    cards = {card.name: card for card in (*deck.cards, *deck.commander, *deck.companion)}
    for card in cards.values():
        for text in paragraphs_by_hand(card):
            print(f"{path}: by hand: {card.name}: {' '.join(text.split())}")
    print(f"{path}: legal: {len(deck.cards) + len(deck.commander)} cards{led}{board}{brought} ({deck.format})")
    return 0


def _text(data: bytes) -> str:
    """The text of a list in UTF-8, with or without a byte order mark. Raises DeckFault."""
    from server.cards.loading import DeckFault

    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DeckFault(((0, "is UTF-16; deck lists are read in UTF-8"),))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DeckFault(((data.count(b"\n", 0, error.start) + 1, "is not UTF-8"),)) from None
    control = next((sign for sign in text if sign < " " and sign not in "\t\r\n"), None)
    if control is not None:
        line = text.count("\n", 0, text.index(control)) + 1
        raise DeckFault(((line, f"holds the control character U+{ord(control):04X}; this is no deck list"),))
    return text
