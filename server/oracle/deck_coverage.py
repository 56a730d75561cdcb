"""How much of real decks is read, and what to build next, weighted by the decks that it would bring nearer to whole.

A card counts by the decks that play it and not as a name among others. What a phrase of the frontier is, `coverage` says;
here a card with several unread paragraphs counts for each of them, since each one has to go before the deck is whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from server.cards.forms import Card
from server.cards.loading import FACES, Imported, joined, plain_name
from server.oracle.coverage import stops
from server.oracle.importing import ListFault, read
from server.oracle.reading import read_card

DECKS_BYTES = 64 * 2**20
ALL = "all"


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a file of decks: copies by name, the commanders among none of them."""

    id: str
    format: str
    main: dict[str, int]
    commander: tuple[str, ...] = ()

    def copies(self) -> dict[str, int]:
        """Copies by name, with the commanders."""
        return {**self.main, **{name: self.main.get(name, 0) + 1 for name in self.commander}}


class Share(msgspec.Struct, frozen=True):
    """What of the decks of a format is read. `listed` decks have no name that the card list lacks; `whole` can be played."""

    format: str
    decks: int
    listed: int
    whole: int
    listed_copies: int
    copies: int
    copies_read: int
    names: int
    names_read: int


class DeckCoverage(msgspec.Struct, frozen=True):
    """All formats, then each; `missing` are the names that the card list does not have."""

    shares: tuple[Share, ...]
    missing: tuple[str, ...]


class Worth(msgspec.Struct, frozen=True):
    """A phrase or a name: so many decks it stops (in so many copies), of which it alone stops `last`; and a few of the names."""

    what: str
    decks: int
    last: int
    copies: int
    examples: tuple[str, ...]


class DeckFrontier(msgspec.Struct, frozen=True):
    """What stops decks, the most decks first: phrases of text, and single names."""

    phrases: tuple[Worth, ...]
    names: tuple[Worth, ...]


def read_decks(path: Path) -> tuple[Deck, ...]:
    """The decks of a file of JSON lines. Raises OSError, and ListFault with the line that is no deck."""
    if path.stat().st_size > DECKS_BYTES:
        raise ListFault(f"{path}: is larger than {DECKS_BYTES} bytes")
    decks: list[Deck] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            decks += [msgspec.json.decode(line, type=Deck)] if line.strip() else []
        except (msgspec.DecodeError, RecursionError) as error:
            raise ListFault(f"{path}:{number}: is no deck: {error}") from None
    return tuple(decks)


Stops = Mapping[str, tuple[str, ...] | None]
"""What stops each name, by its plain form: nothing if it is read, None if the list does not have it."""


def stops_of(decks: Iterable[Deck], cards: Iterable[Imported]) -> Stops:
    """What stops each name of the decks. A name may be that of a card or of a face; the first card of a name counts, those that
    no sanctioned game knows last."""
    wanted = {plain_name(name) for deck in decks for name in deck.copies()}
    faces = wanted | {face for name in wanted for face in name.split(FACES)}
    found: dict[str, Imported] = {}
    for card in cards:
        for name in (card.title, *card.faces):
            key = plain_name(name)
            if key in faces and (key not in found or found[key].funny and not card.funny):
                found[key] = card
    return {name: _stopped(name, found) for name in sorted(wanted)}


def _stopped(name: str, found: Mapping[str, Imported]) -> tuple[str, ...] | None:
    card = found.get(name)
    if card is not None:
        return _stopped_card(card)
    faces = [found.get(face) for face in name.split(FACES)]
    if len(faces) < 2 or None in faces:
        return None
    if faces[0] is not None and len(faces[0].faces) == 2 and faces[0] == faces[1]:
        return _stopped_card(faces[0])  # a list may have the halves in the other order
    entry = joined([face.entry for face in faces if face is not None])
    both = read_card(entry)
    return () if isinstance(both, Card) else tuple(stops(entry)) or (both.word,)


def _stopped_card(card: Imported) -> tuple[str, ...]:
    made = read(card)
    return () if isinstance(made, Card) else tuple(stops(card.entry)) or (made.word,)


def deck_coverage(decks: Sequence[Deck], stopped: Stops) -> DeckCoverage:
    """How much of the decks can be played, in all and by format."""
    formats = sorted({deck.format for deck in decks})
    groups = [(ALL, decks), *((one, [deck for deck in decks if deck.format == one]) for one in formats)]
    missing = {name for deck in decks for name in deck.copies() if stopped[plain_name(name)] is None}
    return DeckCoverage(tuple(_share(one, some, stopped) for one, some in groups), tuple(sorted(missing)))


def _share(kind: str, decks: Sequence[Deck], stopped: Stops) -> Share:
    listed = whole = listed_copies = copies = copies_read = 0
    names: set[str] = set()
    for deck in decks:
        rows = [(plain_name(name), count) for name, count in deck.copies().items()]
        names.update(name for name, _ in rows)
        copies += sum(count for _, count in rows)
        copies_read += sum(count for name, count in rows if stopped[name] == ())
        listed_copies += sum(count for name, count in rows if stopped[name] is not None)
        listed += all(stopped[name] is not None for name, _ in rows)
        whole += all(stopped[name] == () for name, _ in rows)
    read_names = sum(stopped[name] == () for name in names)
    return Share(kind, len(decks), listed, whole, listed_copies, copies, copies_read, len(names), read_names)


class _Tally:
    """What one phrase or name stops, while it is counted."""

    def __init__(self) -> None:
        self.decks = self.last = self.copies = 0
        self.names: defaultdict[str, int] = defaultdict(int)

    def worth(self, what: str, shown: int) -> Worth:
        """As it is told, with the `shown` names of which it stops most copies."""
        names = sorted(self.names, key=lambda name: (-self.names[name], name))
        return Worth(what, self.decks, self.last, self.copies, tuple(names[:shown]))


def deck_frontier(decks: Sequence[Deck], stopped: Stops, shown: int = 4) -> DeckFrontier:
    """The phrases and the names that stop most decks. Names that the list does not have stop nothing that could be built."""
    phrases: defaultdict[str, _Tally] = defaultdict(_Tally)
    names: defaultdict[str, _Tally] = defaultdict(_Tally)
    for deck in decks:
        unread = {name: count for name, count in deck.copies().items() if stopped[plain_name(name)]}
        by_phrase: defaultdict[str, set[str]] = defaultdict(set)
        for name in unread:
            _count(names[name], {name}, unread)
            for place in stopped[plain_name(name)] or ():
                by_phrase[place].add(name)
        for place, some in by_phrase.items():
            freed = all(len(set(stopped[plain_name(name)] or ())) == 1 for name in some)
            _count(phrases[place], some, unread, freed)
    return DeckFrontier(_ranked(phrases, shown), _ranked(names, 0))


def _count(tally: _Tally, some: set[str], unread: Mapping[str, int], freed: bool = True) -> None:
    tally.decks += 1
    tally.last += freed and len(some) == len(unread)
    tally.copies += sum(unread[name] for name in some)
    for name in some:
        tally.names[name] += unread[name]


def _ranked(tallies: Mapping[str, _Tally], shown: int) -> tuple[Worth, ...]:
    order = sorted(tallies, key=lambda what: (-tallies[what].decks, -tallies[what].copies, what))
    return tuple(tallies[what].worth(what, shown) for what in order)
