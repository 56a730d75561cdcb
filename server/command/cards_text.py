"""`apnap cards show`, `coverage` and `frontier`: what the text grammar makes of cards and of whole lists."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.command.data import add_data, folder

if TYPE_CHECKING:
    from server.cards.forms import Card
    from server.cards.loading import Imported
    from server.oracle.deck_coverage import DeckCoverage, DeckFrontier
    from server.oracle.importing import Refused

SHOWN = 30


def add_text(actions: Any) -> None:
    """Adds the actions to `apnap cards`."""
    show = actions.add_parser("show", help="print a card's text, its tree, and the text that the tree prints")
    show.add_argument("name", metavar="NAME")
    show.add_argument(
        "--cards", action="append", default=[], metavar="FILE", type=Path, help="a card list, or own cards in TOML"
    )
    add_data(show)
    cover = actions.add_parser("coverage", help="count how many cards of a list, or decks of a file, can be played")
    _add_lists(cover)
    cover.add_argument("--json", action="store_true", help="print one JSON object")
    front = actions.add_parser("frontier", help="rank what stops most cards of a list, or most decks of a file")
    _add_lists(front)
    front.add_argument("--top", type=int, default=SHOWN, metavar="N", help=f"how many (default {SHOWN})")
    front.add_argument("--json", action="store_true", help="print a JSON list")


def _add_lists(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", type=Path, help="a card list")
    parser.add_argument(
        "--decks", metavar="DECKS", type=Path, help="decks, a line of JSON each: id, format, main, commander"
    )
    parser.add_argument(
        "--cards",
        action="append",
        default=[],
        metavar="LIST",
        type=Path,
        help="a card list for --decks (may be given again)",
    )


def run_text(args: argparse.Namespace) -> int:
    """0 if the list could be read (the card was found and is playable), 1 if not, 2 if a file cannot be opened."""
    from server.cards.loading import CardFault
    from server.oracle.importing import ListFault

    if args.action != "show" and ((args.file is None) == (args.decks is None) or bool(args.cards) != bool(args.decks)):
        print(f"apnap: cards {args.action} takes FILE, or --decks DECKS and --cards LIST", file=sys.stderr)
        return 2
    try:
        if args.action == "show":
            return _show(args)
        return _count(args) if args.decks is None else _count_decks(args)
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"apnap: {error.filename}: {error.strerror or error}", file=sys.stderr)
        return 2
    except (CardFault, ListFault) as fault:
        print(f"apnap: {fault}", file=sys.stderr)
        return 1


def _count(args: argparse.Namespace) -> int:
    import msgspec

    from server.oracle.coverage import coverage, frontier

    if args.action == "frontier":
        ranked = frontier(_cards(args.file))
        if args.json:
            print(msgspec.json.encode(ranked).decode())
        for reason in () if args.json else ranked[: args.top]:
            print(f"{reason.cards:>6}  {reason.what}   ({reason.example})")
        return 0
    found = coverage(_cards(args.file))
    if args.json:
        print(msgspec.json.encode(found).decode())
        return 0
    share = 100 * found.playable / found.total if found.total else 0
    print(f"{found.total} cards: {found.playable} playable ({share:.1f} %), {found.unread} unread")
    for reason in found.reasons[:SHOWN]:
        print(f"{reason.cards:>6}  {reason.what}   ({reason.example})")
    return 0


def _count_decks(args: argparse.Namespace) -> int:
    import msgspec

    from server.cards.loading import Imported
    from server.oracle.deck_coverage import DeckCoverage, deck_coverage, deck_frontier, read_decks, stops_of

    decks = read_decks(args.decks)
    stopped = stops_of(decks, (one for path in args.cards for one in _cards(path) if isinstance(one, Imported)))
    found = deck_coverage(decks, stopped) if args.action == "coverage" else deck_frontier(decks, stopped)
    if args.json:
        print(msgspec.json.encode(found).decode())
    elif isinstance(found, DeckCoverage):
        _tell_coverage(found)
    else:
        _tell_frontier(found, args.top)
    return 0


def _tell_coverage(found: DeckCoverage) -> None:
    print("format        decks  all listed  whole          copies read              names read")
    for one in found.shares:
        whole = f"{one.whole} ({_share(one.whole, one.listed)})"
        copies = f"{one.copies_read} of {one.copies} ({_share(one.copies_read, one.listed_copies)})"
        names = f"{one.names_read} of {one.names} ({_share(one.names_read, one.names)})"
        print(f"{one.format:<12} {one.decks:>6}  {one.listed:>10}  {whole:<13}  {copies:<23}  {names}")
    print(f"{len(found.missing)} names are in none of the lists; whole is counted of the decks that lack none,")
    print("and copies read of those in the lists")


def _tell_frontier(found: DeckFrontier, top: int) -> None:
    print(" decks   last  copies  what stops them, and where")
    for one in found.phrases[:top]:
        print(f"{one.decks:>6} {one.last:>6}  {one.copies:>6}  {one.what}   ({'; '.join(one.examples)})")
    print(" decks   last  copies  name")
    for one in found.names[:top]:
        print(f"{one.decks:>6} {one.last:>6}  {one.copies:>6}  {one.what}")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole if whole else 0:.1f} %"


def _cards(path: Path) -> Iterator[Imported | Refused]:
    """The cards of a list of any kind that is read; what is refused is said."""
    from server.oracle.importing import CardFile, Refused

    for item in CardFile(path).items():
        if isinstance(item, Refused):
            print(f"refused: {item}", file=sys.stderr)
        if isinstance(item, Refused) or item.kind == "card":
            yield item


def _show(args: argparse.Namespace) -> int:
    from server.cards.forms import Card
    from server.cards.loading import Unread
    from server.oracle.coverage import stops
    from server.oracle.importing import read

    found = _find(args)
    if found is None:
        print(f"apnap: no card is named {args.name!r}", file=sys.stderr)
        return 1
    if isinstance(found, Card):
        _tree(found)
        return 0
    entry = found.entry
    print(f"{entry.name}  {entry.cost}\n{entry.types}\n{entry.text}\n")
    card = read(found)
    if isinstance(card, Unread):
        print(f"unread: {card.word}")
        for place in stops(entry):
            print(f"  stopped at: {place}")
        return 1
    _tree(card)
    return 0


def _find(args: argparse.Namespace) -> Imported | Card | None:
    """The card of that name: in the files that were named, the house set, what was imported."""
    from server.cards.forms import Card
    from server.cards.loading import plain_name
    from server.oracle.house import house_card
    from server.storage.cards import CardStore

    for path in args.cards:
        for one in _defined(path):
            names = (one.name,) if isinstance(one, Card) else (one.title, *one.faces)
            if plain_name(args.name) in map(plain_name, names):
                return one
    card = house_card(args.name)
    store = CardStore.existing(folder(args)) if card is None else None
    if store is None:
        return card
    try:
        return next(iter(store.find(args.name)), None)
    finally:
        store.close()


def _defined(path: Path) -> Iterator[Imported | Card]:
    """The cards of a file: a list of any kind that is read, or people's own cards in TOML."""
    from server.cards.loading import Imported, card_of, is_entry, objects_of, to_entry
    from server.oracle.importing import CardFile

    if path.suffix != ".toml":
        yield from (one for one in CardFile(path).items() if isinstance(one, Imported))
        return
    for data in objects_of(path):
        yield Imported(to_entry(data)) if is_entry(data) else card_of(data, path.name)


def _tree(card: Any) -> None:
    import msgspec

    from server.cards.nouns import Noun
    from server.oracle.reading import printed

    tree = msgspec.to_builtins(card, enc_hook=lambda noun: noun.text if isinstance(noun, Noun) else str(noun))
    print(msgspec.json.format(msgspec.json.encode(tree), indent=2).decode())
    print(f"\nprinted back:\n{printed(card) or '(a part of this tree has no words yet)'}")
