"""Where a deck's cards are found by name: the house set, the imported cards, lists that were named. The names of faces and
names in other languages do as well.
"""

from __future__ import annotations

import difflib
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from server.cards.decks import MANY
from server.cards.forms import Card
from server.cards.loading import FACES, Foreign, Status, Unread, joined, paragraphs_by_hand, plain_name
from server.command.wordings import FILE, Wordings
from server.oracle.by_hand import read_partly
from server.oracle.house import house_card, house_cards
from server.oracle.importing import CardFile, ListFault, read, read_by_hand
from server.oracle.reading import read_card
from server.storage.cards import CardStore

REMEMBERED = 20_000
NEAR = 3
ALIKE = 0.8
"""How much of two names is the same (0 to 1, as difflib counts) if one is taken for a slip of the other."""
FEWER = 3
"""By how many characters such names differ in length."""
NAME_LENGTH = 100


class Library:
    """Cards by name. May be asked from any thread."""

    def __init__(
        self, stores: Sequence[CardStore] = (), trees: Sequence[Card] = (), wordings: Wordings | None = None
    ) -> None:
        """`trees` come before the house set, the stores after it, in their order; `wordings` say what is not read."""
        self._wordings = wordings
        self._stores = tuple(stores)
        self._trees = {plain_name(card.name): card for card in trees}
        self._known: dict[tuple[str, bool], Card | Unread | None] = {}
        self._versions: tuple[int, ...] = ()
        self._mutex = threading.Lock()

    def find(self, name: str, *, by_hand: bool = False) -> Card | Unread | None:
        """The card of that name, whole or a face's, in English or another language; `Unread` if it cannot be played
        (or the name could mean several cards), None if it is unknown. A card that is partly read is found only if it may be
        played `by_hand`. Raises StorageError.
        """
        key = plain_name(name)
        found = self._trees.get(key) or house_card(name)
        if found is not None:
            return found
        with self._mutex:
            versions = tuple(store.version() for store in self._stores)
            if self._wordings is not None:
                versions = (*versions, self._wordings.version())
            if versions != self._versions or len(self._known) > REMEMBERED:
                self._known.clear()
                self._versions = versions
            if (key, by_hand) not in self._known:
                self._known[key, by_hand] = self._said(name, by_hand)
            return self._known[key, by_hand]

    def partly(self) -> Partly:
        """The same, with the cards that are partly read."""
        return Partly(self)

    def near(self, name: str) -> list[str]:
        """Up to three names of cards spelt nearly so, the nearest first. Raises StorageError."""
        key = plain_name(name)
        if not 2 < len(key) <= NAME_LENGTH:
            return []
        spelt = {plain_name(card.name): card.name for card in (*self._trees.values(), *house_cards().values())}
        for store in self._stores:
            found = store.spelt(len(key) - FEWER, len(key) + FEWER, (key[0], key[-1]))
            spelt.update((plain_name(one), one) for one in found)
        return [spelt[one] for one in difflib.get_close_matches(key, list(spelt), NEAR, ALIKE)]

    def legality(self, name: str) -> dict[str, Status] | None:
        """What formats say of the card of that name; None if no list says anything of it. Raises StorageError."""
        for store in self._stores:
            said = next((card.legalities for card in store.find(name) if card.legalities), None)
            if said is not None:
                return dict(said)
        return None

    def printings(self, lang: str, names: Iterable[str]) -> dict[str, Foreign]:
        """What stands in a language on the cards of those English names, by name. Raises StorageError."""
        found: dict[str, Foreign] = {}
        for store in self._stores:
            found.update(store.printings(lang, [name for name in names if name not in found]))
        return found

    def _said(self, name: str, by_hand: bool) -> Card | Unread | None:
        """The card as it is read, or in the words that are kept for it."""
        found = self._imported(name, by_hand)
        if self._wordings is None or found is None or isinstance(found, Card) and not by_hand:
            return found
        partly = found if by_hand else self._imported(name, True)
        if not isinstance(partly, Card):
            return found
        said = self._wordings.said(partly)
        return said if by_hand or not paragraphs_by_hand(said) else found

    def _imported(self, name: str, by_hand: bool) -> Card | Unread | None:
        read_one = read_by_hand if by_hand else read
        for store in self._stores:
            cards = store.find(name)
            if len(cards) > 1:
                return Unread(name, MANY + ", ".join(card.entry.name for card in cards[:4]))
            if cards:
                return read_one(cards[0])
        return self._joined(name, by_hand)

    def _joined(self, name: str, by_hand: bool) -> Card | Unread | None:
        """A card of two faces ("A // B") of which a list has each face as an entry of its own, or the faces in the other order."""
        faces = plain_name(name).split(FACES)
        for store in self._stores if len(faces) == 2 else ():
            found = [store.find(face) for face in faces]
            if found[0] == found[1] and len(found[0]) == 1 and len(found[0][0].faces) == 2:
                return (read_by_hand if by_hand else read)(found[0][0])
            if all(len(cards) == 1 and len(cards[0].faces) == 1 for cards in found):
                return (read_partly if by_hand else read_card)(joined([cards[0].entry for cards in found]))
        return None

    def close(self) -> None:
        """Close the stores."""
        for store in self._stores:
            store.close()


class Partly:
    """A library with the cards that are partly read."""

    def __init__(self, library: Library) -> None:
        self.near = library.near
        self.legality = library.legality
        self._library = library

    def find(self, name: str) -> Card | Unread | None:
        """As the library's own, or the card with paragraphs by hand. Raises StorageError."""
        return self._library.find(name, by_hand=True)


def open_library(data: Path, lists: Sequence[Path] = (), following: bool = False) -> Library:
    """The house set, the cards imported into `data`, and those in card files: lists, or trees in TOML. `following`: cards
    that are first imported later are found then. Raises OSError,
    StorageError, ListFault, CardFault.
    """
    from server.cards.loading import read_file
    from server.command.cards_import import gather
    from server.oracle.reading import read_card

    trees: list[Card] = []
    stores: list[CardStore] = []
    for path in lists:
        if path.suffix == ".toml":
            trees += read_file(path, read=read_card)
            continue
        store = CardStore(None)
        file = CardFile(path)
        with store.importing() as found:
            try:
                gather(file, found)
            except ListFault as fault:
                raise ListFault(f"{path}: {fault}") from None
            found.keep(path.name, file.format, file.fingerprint)
        stores.append(store)
    imported = CardStore(data) if following else CardStore.existing(data)
    if imported is not None:
        stores.append(imported)
    return Library(stores, trees, Wordings(data / FILE))
