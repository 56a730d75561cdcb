"""The ten tables that `apnap bench engine --fuzz --preset NAME` plays: how many seats, which options, how a game of it begins."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec.structs import replace

from server import rules
from server.bench.engine import deal
from server.cards.forms import Card
from server.cards.grammar import parse_types
from server.oracle.house import commander_decks
from server.rules import Options, State
from server.rules.turn import variants

Decks = tuple[tuple[Card, ...], ...]


class Preset(msgspec.Struct, frozen=True):
    """A table: its seats, how its options differ from those of an edition, and how its games begin."""

    seats: int
    options: Callable[[Options, int], Options]
    begin: Callable[[Decks, int, Options], State] = deal


def led(decks: Decks, seed: int, options: Options) -> State:
    """A game of Commander: the first legendary creature of each deck leads it, or its first creature; the deck of none has none."""
    seats = tuple(_seat(f"P{number}", deck) for number, deck in enumerate(decks))
    return rules.start(replace(options, seed=str(seed)), seats)[0]


def _seat(name: str, deck: tuple[Card, ...]) -> rules.Seat:
    lead = next((card for wanted in ("legendary", "") for card in deck if _is_creature(card, wanted)), None)
    if lead is None:
        return rules.Seat(name, deck)
    at = next(place for place, card in enumerate(deck) if card is lead)
    return rules.Seat(name, (*deck[:at], *deck[at + 1 :]), commander=(lead,))


def _is_creature(card: Card, supertype: str) -> bool:
    supertypes, types, _ = parse_types(card.types)
    return "creature" in types and (not supertype or supertype in supertypes)


def led_decks(seats: int, seed: int) -> Decks:
    """The house's Commander decks, the card that leads each first."""
    decks = list(commander_decks().values())
    chosen = (decks[(seed + seat) % len(decks)] for seat in range(seats))
    return tuple((*deck.commander, *deck.cards) for deck in chosen)


def _plain(options: Options, seats: int) -> Options:
    return options


def _variant(variant: variants.Variant) -> Callable[[Options, int], Options]:
    return lambda options, seats: variants.with_variant(options, variant, seats)


PRESETS: Final = MappingProxyType(
    {
        "free-for-all-4": Preset(4, _plain),
        "free-for-all-10": Preset(10, _plain),
        "range-1": Preset(5, lambda options, seats: replace(options, range_of_influence=1)),
        "left": Preset(4, lambda options, seats: replace(options, attack="left")),
        "two-headed-giant": Preset(4, _variant("two_headed_giant")),
        "three-headed-giant": Preset(6, _variant("two_headed_giant")),
        "team-vs-team": Preset(6, _variant("team_vs_team")),
        "emperor": Preset(6, _variant("emperor")),
        "alternating-teams": Preset(4, _variant("alternating_teams")),
        "commander": Preset(4, lambda options, seats: replace(options, format="commander", life=40), led),
    }
)
"""By name."""
