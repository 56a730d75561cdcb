"""What is done at a table before its game: options, bots, decks, who is ready."""

from __future__ import annotations

import trio

from protocol import messages as m
from protocol.options import RoomOptions
from protocol.refusals import Code, Refusal
from protocol.words import fill
from server.cards.forms import Card
from server.cards.loading import younger_keywords
from server.lobby.client import Client
from server.lobby.decks import Deck
from server.lobby.hall import Hall
from server.lobby.matches import exchanged
from server.lobby.options import clean_options
from server.lobby.people import Person
from server.lobby.rewordings import paragraphs_of
from server.lobby.starting import Starting
from server.lobby.table import Table

_SETTLED = (m.SetOptions, m.AddBot, m.RemoveSeat, m.ChooseDeck, m.Reword)
"""What cannot be asked between the games of a match."""


class Gathering:
    """See the module."""

    def __init__(self, hall: Hall, starting: Starting) -> None:
        self._hall = hall
        self._starting = starting

    async def handle(self, client: Client, message: m.ClientMessage) -> m.ServerMessage | None:
        """Do what a client asks; the reply is in its outbox. Raises `Refusal`."""
        table = self._hall.table_of(client)
        if table.match is not None and isinstance(message, _SETTLED):
            raise Refusal(Code.GAME_ON, "The match goes on as it was begun.")
        match message:
            case m.SetOptions():
                table.only_host(client)
                table.change(self._hall.ladder.checked(clean_options(message.options, self._hall.decks.rules())))
                self._hall.seating.deal_anew(table)
            case m.AddBot():
                table.only_host(client)
                self._hall.space.for_bot(table)
                self._hall.seating.add(table, message)
            case m.RemoveSeat():
                table.only_host(client)
                _remove(table, message.seat)
            case m.ChooseDeck():
                assert client.person is not None
                deck = await self._deck(client, client.person, message, table.options)
                table.before_the_game()  # asked when the deck is read: the table may have begun meanwhile
                table.check_deck(deck)
                place = table.place_of(client)
                place.deck = deck
                place.deck_name = place.deck.name
                if not message.house and (younger := younger_keywords(deck.whole, table.options.edition)):
                    key, edition = "notice.younger_keywords", table.options.edition
                    told: dict[str, str | int | bool | list[str]] = {"edition": edition, "keywords": ", ".join(younger)}
                    client.put(m.Notice(key=key, text=fill(key, told, client.lang), args=told))
            case m.Ready():
                _ready(table, client, message)
            case m.Sideboard():
                _exchange(table, client, message)
            case m.Start():
                table.only_host(client)
                await self._starting.start(table, client, message.id)
                return None
            case m.Reword():
                await self._reword(table, client, message)
            case m.Paragraphs():
                table.before_the_game()
                cards = _cards_of(table, client)
                return m.ParagraphsTold(re=message.id, paragraphs=paragraphs_of(cards))
            case m.Agree():
                table.before_the_game()
                table.place_of(client)
                assert client.person is not None
                table.rewordings.say(message.ballot, client.person.id, yes=message.yes)
            case m.Commit():
                table.commit(client, message.hash)
            case m.Reveal():
                table.reveal(client, message.entropy)
            case _:
                raise Refusal(Code.UNKNOWN_MESSAGE)
        client.put(m.Ok(re=message.id))
        table.tell()
        if table.match is not None:
            await self._starting.go_on(table)
        return None

    async def _reword(self, table: Table, client: Client, message: m.Reword) -> None:
        """Other words for a card of one's own deck. Raises `Refusal`."""
        table.before_the_game()
        cards = _cards_of(table, client)
        assert client.person is not None
        person = client.person.id
        # Words never read before take a while, in which tables go on.
        await trio.to_thread.run_sync(table.rewordings.propose, message, cards, person)

    async def _deck(self, client: Client, person: Person, message: m.ChooseDeck, options: RoomOptions) -> Deck:
        """The deck that is asked for. Raises `Refusal`."""
        if sum(map(bool, (message.house, message.text, message.saved))) != 1:
            raise Refusal(Code.BAD_DECK, "Give either `house`, `text` or `saved`.")
        if message.house:
            return self._hall.decks.house(message.house, options.deck_rules).played_as(options.format)
        if message.cards:
            self._hall.personal.may_bring_cards(person)
        text = await self._hall.personal.deck(person, message.saved) if message.saved else message.text
        around = client.peer.network, client.peer.address
        by_hand = options.by_hand != "never"
        return await self._hall.decks.read(
            text, message.cards, options.format, person.id, around, by_hand=by_hand, rules=options.deck_rules
        )


def _ready(table: Table, client: Client, message: m.Ready) -> None:
    """Raises `Refusal`."""
    table.before_the_game()
    place = table.place_of(client)
    if message.ready and place.deck is None:
        raise Refusal(Code.NO_DECK)
    place.ready = message.ready


def _exchange(table: Table, client: Client, message: m.Sideboard) -> None:
    """Cards of one's own deck and sideboard change places between two games of a match. Raises `Refusal`."""
    table.before_the_game()
    place = table.place_of(client)
    if table.match is None or place.deck is None:
        raise Refusal(Code.NOT_OVER, "Cards are exchanged between the games of a match.")
    place.deck, place.begins, place.ready = exchanged(place.deck, message), message.first, False


def _cards_of(table: Table, client: Client) -> tuple[Card, ...]:
    """The cards of one's own deck, the commander's first. Raises `Refusal`: bad_option, no_deck."""
    deck = table.place_of(client).deck
    if table.options.by_hand == "never":
        raise Refusal(Code.BAD_OPTION, "This room plays nothing by hand.")
    if deck is None:
        raise Refusal(Code.NO_DECK)
    return (*deck.commander, *deck.cards)


def _remove(table: Table, seat: int) -> None:
    table.before_the_game()
    if seat >= len(table.places) or table.places[seat].person is None:
        raise Refusal(Code.NO_SUCH_SEAT)
    place = table.places[seat]
    if place.person is not None and place.person.id == table.host:
        raise Refusal(Code.BAD_OPTION, "The host leaves by `leave`.")
    client = place.client
    place.clear()
    if client is not None:
        table.put_out(client, "notice.removed")
