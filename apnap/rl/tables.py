"""Which game a table of an environment plays: the presets of rooms as options of the rules, and the decks."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec.structs import replace

from apnap.cards import Card, Deck, cards_of, house_deck
from server import rules
from server.oracle import house
from server.rules import Options, State
from server.rules.turn import variants


class Preset(msgspec.Struct, frozen=True):
    """A kind of table: how it differs from a free-for-all of so many seats, and whether its decks are led by commanders."""

    options: Callable[[Options, int], Options]
    led: bool = False


def _plain(options: Options, _seats: int) -> Options:
    return options


def _variant(variant: variants.Variant) -> Callable[[Options, int], Options]:
    return lambda options, seats: variants.with_variant(options, variant, seats)


def _led(options: Options, seats: int) -> Options:
    return replace(options, format="commander", life=variants.starting_life("commander", seats))


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        "free_for_all": Preset(_plain),
        "range_1": Preset(lambda options, _: replace(options, range_of_influence=1)),
        "attack_left": Preset(lambda options, _: replace(options, attack="left")),
        "attack_right": Preset(lambda options, _: replace(options, attack="right")),
        "attack_single": Preset(lambda options, _: replace(options, attack="single")),
        "two_headed_giant": Preset(_variant("two_headed_giant")),
        "team_vs_team": Preset(_variant("team_vs_team")),
        "emperor": Preset(_variant("emperor")),
        "alternating_teams": Preset(_variant("alternating_teams")),
        "commander": Preset(_led, led=True),
    }
)
"""By name. Teams have as many seats as `apnap.Game` asks of them."""


def table_options(preset: str, seats: int, edition: str) -> Options:
    """The options of such a table, without a seed. Raises ValueError for a preset, an edition or a number of seats that there is not."""
    if preset not in PRESETS:
        raise ValueError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
    if not 2 <= seats <= 10:
        raise ValueError(f"no table has {seats} seats")
    if edition not in rules.EDITIONS:
        raise ValueError(f"there is no edition {edition!r}")
    return PRESETS[preset].options(Options(edition=edition), seats)


def drawn_decks(options: Options, seats: int, seed: int) -> list[Deck]:
    """A deck of the house for each seat."""
    names = list(house.commander_decks() if options.led else house.house_decks())
    random.Random(f"decks {seed}").shuffle(names)
    return [house_deck(names[seat % len(names)]) for seat in range(seats)]


def begin_game(
    options: Options, decks: Sequence[Deck | Sequence[Card]] | None, seats: int, seed: int
) -> tuple[State, tuple[rules.Seat, ...]]:
    """A new game and who sits there, all drawn from the seed: chance, and if none are given, decks of the house."""
    if decks is None:
        decks = drawn_decks(options, seats, seed)
    if len(decks) != seats:
        raise ValueError(f"{len(decks)} decks are not for {seats} seats")
    sitting = tuple(rules.Seat(f"player_{seat}", *cards_of(deck)) for seat, deck in enumerate(decks))
    return rules.start(replace(options, seed=str(seed)), sitting)[0], sitting
