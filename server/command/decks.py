"""The decks that a server offers: the house set's, and lists of its cards and of imported ones. The lobby asks by
`server.lobby.decks.Decks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
import trio

from protocol.options import Format
from protocol.printings import Printing
from protocol.refusals import Code, Refusal
from protocol.rooms import DeckFault as ToldFault
from protocol.rooms import DeckReport, DeckRulesSummary, DeckSummary
from server.cards.decks import Deck as Listed
from server.cards.decks import DeckRules, read_deck
from server.cards.loading import CardFault, DeckFault
from server.command.deck_reading import Brought, Told, colors_of, deck_with
from server.command.library import Library
from server.lobby.decks import Deck
from server.oracle import house
from server.rooms.worker import NOWHERE, Around, Worker, WorkerError
from server.storage import StorageError
from server.storage.encoding import read_card

SENTENCE_LINES = 12
"""Faults of a deck list that are named in one sentence."""

_read_told = msgspec.msgpack.Decoder(Told).decode
"""Made here: see `server.storage.encoding`."""

_HOUSE: dict[Format, Callable[[], Mapping[str, Listed]]] = {
    "constructed": house.house_decks,
    "commander": house.commander_decks,
    "brawl": house.brawl_decks,
}


def read_house_decks() -> None:
    """Read them all, once: who forks afterwards need not."""
    for decks in _HOUSE.values():
        decks()


class HouseDecks:
    """See `server.lobby.decks.Decks`. Without a library, lists are of house cards; with a `worker` they are read by it (`deck_reader`),
    which has a library of its own.
    """

    def __init__(
        self, library: Library | None = None, worker: Worker | None = None, rules: Sequence[DeckRules] = ()
    ) -> None:
        self._library = Library() if library is None else library
        self._worker = worker
        self._rules = {one.name: one for one in rules}
        self._house: dict[tuple[str, str], Deck] = {}
        """House decks that were chosen, by deck rules: the same value for all who play one."""
        self._fitting = {
            (deck.name, one.name)
            for one in rules
            for deck in _HOUSE[one.format]().values()
            if not _house_faults(deck, one)
        }

    def summaries(self) -> list[DeckSummary]:
        """The house decks, in alphabetical order."""
        return [
            DeckSummary(
                name=deck.name,
                colors=colors_of(deck),
                cards=len(deck.cards) + len(deck.commander),
                text=deck.about,
                format=format,
                deck_rules=[name for name in self._rules if (deck.name, name) in self._fitting],
            )
            for format, decks in _HOUSE.items()
            for deck in decks().values()
        ]

    def rules(self) -> list[DeckRulesSummary]:
        """The deck rules that the host has added."""
        return [DeckRulesSummary(name=one.name, format=one.format, life=one.life) for one in self._rules.values()]

    def house(self, name: str, rules: str = "") -> Deck:
        """The house deck of that name, whatever its case. Raises `Refusal`: unknown_deck, bad_deck."""
        for format, decks in _HOUSE.items():
            deck = decks().get(name) or decks().get(name.strip().lower().replace(" ", "-"))
            if deck is None:
                continue
            if rules and (deck.name, rules) not in self._fitting:
                own = self._added(rules)
                faults = _house_faults(deck, own) if own is not None and own.format == format else ()
                raise Refusal(Code.BAD_DECK, _sentence(DeckFault(tuple(faults))) if faults else "")
            key = (deck.name, rules)
            if key not in self._house:
                made = Deck(deck.name, deck.cards, deck.commander, deck.outside, format, deck.companion, rules)
                self._house[key] = made
            return self._house[key]
        raise Refusal(Code.UNKNOWN_DECK)

    def _added(self, rules: str) -> DeckRules | None:
        """The deck rules of that name, None for "". Raises `Refusal`: bad_option."""
        if rules and rules not in self._rules:
            raise Refusal(Code.BAD_OPTION, f"There are no deck rules {rules!r} here.")
        return self._rules.get(rules)

    async def read(
        self,
        text: str,
        own: str = "",
        format: Format = "constructed",
        who: str = "",
        around: Around = NOWHERE,
        *,
        by_hand: bool = False,
        rules: str = "",
    ) -> Deck:
        """A deck list in any program's form; `own` are cards in TOML that it may name besides. Raises `Refusal`: bad_deck,
        naming lines and cards.
        """
        try:
            return (await self._read(Brought(text, own, format, by_hand, self._added(rules)), who, around)).deck
        except CardFault as fault:
            raise Refusal(Code.BAD_DECK, f"{fault}.") from None
        except DeckFault as fault:
            raise Refusal(Code.BAD_DECK, _sentence(fault)) from None

    async def check(
        self,
        text: str,
        format: Format = "constructed",
        who: str = "",
        around: Around = NOWHERE,
        *,
        by_hand: bool = False,
        rules: str = "",
    ) -> DeckReport:
        """What is in a deck list, or what is wrong with it. Raises `Refusal`: bad_deck when the imported cards cannot be read."""
        try:
            found = await self._read(Brought(text, "", format, by_hand, self._added(rules)), who, around)
        except DeckFault as fault:
            return DeckReport(faults=[ToldFault(line=line, text=what) for line, what in fault.faults])
        return DeckReport(
            cards=len(found.deck.cards) + len(found.deck.commander),
            sideboard=len(found.deck.sideboard),
            colors=found.colors,
            format=found.form,
            commander=" and ".join(card.name for card in found.deck.commander),
            by_hand=list(found.deck.by_hand),
        )

    async def printings(self, lang: str, names: Sequence[str]) -> dict[str, Printing]:
        """What the imported lists have of it. Raises `Refusal`: busy."""
        try:
            found = await trio.to_thread.run_sync(self._library.printings, lang, names)
        except StorageError:
            raise Refusal(Code.BUSY) from None
        return {name: Printing(name=one.name, types=one.types, text=one.text) for name, one in found.items()}

    async def _read(self, brought: Brought, who: str, around: Around) -> _Found:
        """Raises DeckFault, CardFault, and `Refusal` when the imported cards, or this list, cannot be read."""
        try:  # in another process, or in a thread: cards never read before may take seconds, in which tables go on
            if self._worker is None:
                return await trio.to_thread.run_sync(_found, brought, self._library)
            told = await self._worker.ask(msgspec.msgpack.encode(brought), who, around)
            return await trio.to_thread.run_sync(_told, told, brought)
        except StorageError as fault:
            raise Refusal(Code.BAD_DECK, f"The imported cards cannot be read now: {fault}.") from None
        except WorkerError as fault:
            raise Refusal(Code.BAD_DECK, f"This list cannot be read: {fault}.") from None


class _Found(msgspec.Struct, frozen=True):
    """A deck that was read, its colours, and whose program's form it has."""

    deck: Deck
    colors: str
    form: str


def _found(brought: Brought, library: Library) -> _Found:
    """Read it here. Raises DeckFault, CardFault, StorageError."""
    deck = deck_with(brought, library)
    own = Deck("own", deck.cards, deck.commander, deck.outside, brought.plays, deck.companion, brought.by_rules)
    return _Found(own, colors_of(deck), deck.format)


def _told(data: bytes, brought: Brought) -> _Found:
    """What the process that read it tells. Raises DeckFault, CardFault, StorageError."""
    told = _read_told(data)
    wrong, deck = told.wrong, told.deck
    if deck is None:
        assert wrong is not None
        if wrong.card:
            raise CardFault(wrong.card)
        if wrong.server:
            raise StorageError(wrong.server)
        raise DeckFault(wrong.lines)
    cards = [read_card(card) for card in deck.cards]
    own = Deck(
        name="own",
        cards=tuple(cards[place] for place in deck.main),
        commander=tuple(cards[place] for place in deck.commander),
        sideboard=tuple(cards[place] for place in deck.sideboard),
        format=brought.plays,
        companion=tuple(cards[place] for place in deck.companion),
        rules=brought.by_rules,
    )
    return _Found(own, deck.colors, deck.form)


def house_decks(
    library: Library | None = None, worker: Worker | None = None, rules: Sequence[DeckRules] = ()
) -> HouseDecks:
    """The decks of this server, and deck rules that the host adds; all of them are read now, so that a fault shows at the start."""
    house.house_decks()
    house.commander_decks()
    house.brawl_decks()
    return HouseDecks(library, worker, rules)


def _house_faults(deck: Listed, rules: DeckRules) -> Sequence[tuple[int, str]]:
    """What is wrong with a house deck by deck rules."""
    parts = (
        ("Commander", deck.commander),
        ("Deck", deck.cards),
        ("Sideboard", deck.outside),
        ("Companion", deck.companion),
    )
    lines = [line for title, cards in parts if cards for line in (title, *(f"1 {card.name}" for card in cards), "")]
    try:
        read_deck("\n".join(lines), house.house_card, own=rules)
    except DeckFault as fault:
        return fault.faults
    return ()


def _sentence(fault: DeckFault) -> str:
    said = [f"line {line}: {what}" if line else what for line, what in fault.faults[:SENTENCE_LINES]]
    more = len(fault.faults) - len(said)
    return "; ".join(said) + (f"; and {more} more" if more > 0 else "") + "."
