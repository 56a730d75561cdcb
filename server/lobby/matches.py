"""A match of several games between two: who has won how many, who may choose who begins, and cards exchanged with sideboards.

Values and small deeds of one table; when its next game begins is the affair of `starting`.
"""

from __future__ import annotations

from collections import Counter

from msgspec import UNSET
from msgspec.structs import replace

from protocol.refusals import Code, Refusal
from protocol.rooms import MatchState, Sideboard
from server.cards.decks import FEWEST, SIDEBOARD, companion_faults
from server.cards.forms import Card
from server.lobby.decks import Deck
from server.rooms.room import Room
from server.storage import Match


def after(room: Room) -> Match | None:
    """The match as the game of this room leaves it, with the number of the game that would be next; None where single games are
    played. The loser chooses who takes the first turn; of a drawn game who chose before (103.2).
    """
    setup, result = room.setup, room.result
    if setup.options.best_of == 1 or result is None:
        return None
    before = setup.match or Match(wins=(0,) * len(setup.seats))
    wins, chooser = before.wins, before.chooser
    if len(result.winners) == 1:
        (winner,) = result.winners
        wins = tuple(won + (seat == winner) for seat, won in enumerate(wins))
        chooser = 1 - winner
    return Match(game=before.game + 1, wins=wins, chooser=chooser)


def winner(match: Match, best_of: int) -> int | None:
    """The seat that has won the match, None as long as nobody has won more than half of its games."""
    return next((seat for seat, won in enumerate(match.wins) if won * 2 > best_of), None)


def goes_on(room: Room) -> Match | None:
    """The match of which another game is to be played after that of this room; None: it is over, or was no match."""
    match = after(room)
    return match if match is not None and winner(match, room.setup.options.best_of) is None else None


def told(match: Match, best_of: int, left_ms: int | None, deck: Deck | None) -> MatchState:
    """The match as a seat is told of it, with the cards of its own deck while it may exchange them."""
    won = winner(match, best_of)
    return MatchState(
        best_of=best_of,
        game=match.game,
        wins=list(match.wins),
        chooser=UNSET if match.chooser < 0 else match.chooser,
        winner=UNSET if won is None else won,
        left_ms=UNSET if left_ms is None else left_ms,
        main={} if deck is None else _counted(deck.cards),
        sideboard={} if deck is None else _counted(deck.sideboard),
    )


def _counted(cards: tuple[Card, ...]) -> dict[str, int]:
    return dict(Counter(card.name for card in cards))


def _picked(pool: tuple[Card, ...], counts: dict[str, int]) -> list[Card]:
    """So many of each name."""
    cards = {card.name: card for card in pool}
    return [cards[name] for name, count in counts.items() for _ in range(count)]


def exchanged(deck: Deck, message: Sideboard) -> Deck:
    """The deck with those cards as its main deck, of all that are in it and in its sideboard (100.4).

    Raises `Refusal`: bad_deck for cards that it has not, and for a main deck or a sideboard that is none (100.2a, 100.4a).
    """
    dungeons = tuple(card for card in deck.sideboard if card.rooms)  # which are no cards of it (current 309.2)
    pool = (*deck.cards, *(card for card in deck.sideboard if not card.rooms))
    there = _counted(pool)
    left = {name: count for name, count in message.main.items() if count}
    wrong = [name for name, count in left.items() if count > there.get(name, 0)]
    if wrong:
        raise Refusal(Code.BAD_DECK, f"There are not so many in this deck and its sideboard: {', '.join(wrong[:5])}.")
    total, least = sum(left.values()), min(FEWEST, len(deck.cards))
    if total < least:
        raise Refusal(Code.BAD_DECK, f"A deck has at least {least} cards, not {total} (100.2a).")
    if len(pool) - total > SIDEBOARD:
        raise Refusal(Code.BAD_DECK, f"A sideboard has at most {SIDEBOARD} cards (100.4a).")
    starting = [(1, card) for card in (*deck.commander, *_picked(pool, left))]
    why = next(
        (f"{card.name!r} {why}" for card in deck.companion if (why := companion_faults(card, starting, FEWEST))), ""
    )
    if why:
        raise Refusal(Code.BAD_DECK, f"{why}.")
    main: list[Card] = []
    side: list[Card] = []
    for card in pool:
        (main if left.get(card.name, 0) else side).append(card)
        left[card.name] = left.get(card.name, 0) - 1 if left.get(card.name, 0) else 0
    return replace(deck, cards=tuple(main), sideboard=(*side, *dungeons))
