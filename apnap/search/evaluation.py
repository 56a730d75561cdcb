"""Who stands how well: the chance to win of each seat, from what lies on the table. Cheap, and fitted to games of simple bots.

Each seat has a strength, a sum of weighted features; teams share the chance to win as the exponentials of their strengths say. So one
set of weights serves any number of seats. The weights are data (`weights.json`), made by `python -m apnap.search.fitting`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

import msgspec

from server.rules import State, characteristics
from server.rules.model import lookup

FEATURES = (
    "life",
    "last life",
    "poison",
    "spells",
    "land cards",
    "lands",
    "creatures",
    "power",
    "toughness",
    "evasion",
    "ready",
    "others",
    "clock",
    "danger",
    "library",
    "turn",
)
"""What a seat's strength is the sum of: see `features`."""
EVASIVE = frozenset({"flying", "unblockable", "shadow", "fear", "intimidate", "menace", "horsemanship"})


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weight for each feature; `made` says from how many games and moments."""

    weights: dict[str, float]
    made: str = ""


@cache
def weights() -> tuple[float, ...]:
    """Those of the wheel, by the order of `FEATURES`."""
    text = resources.files("apnap.search").joinpath("weights.json").read_bytes()
    known = msgspec.json.decode(text, type=Weights).weights
    return tuple(known.get(name, 0.0) for name in FEATURES)


class _Army(msgspec.Struct):
    """What a seat has on the battlefield."""

    lands: int = 0
    creatures: int = 0
    power: int = 0
    toughness: int = 0
    evasion: int = 0
    blockers: int = 0
    others: float = 0.0


def _armies(state: State) -> dict[int, _Army]:
    armies = {player.seat: _Army() for player in state.players}
    for number in state.battlefield:
        thing = state.objects[number]
        if thing.phased_out:
            continue
        army, c = armies[thing.controller], characteristics(state, number)
        if "creature" in c.types:
            power = max(c.power or 0, 0)
            attacks = power if "defender" not in c.keywords else 0
            army.creatures += 1
            army.power += attacks
            army.toughness += max(c.toughness or 0, 0)
            army.evasion += 0 if EVASIVE.isdisjoint(c.keywords) else attacks
            army.blockers += not thing.tapped
        elif "land" in c.types:
            army.lands += 1
        elif "planeswalker" in c.types:
            army.others += 3.0 + sum(count for kind, count in thing.counters if kind == "loyalty") * 0.5
        else:
            army.others += 0.5 + 0.5 * c.mana_value
    return armies


def features(state: State) -> dict[int, tuple[float, ...]]:
    """By the seats that are in the game their features, each between about 0 and 3.

    `land cards` are those in hand and on the battlefield together, many of which are no good sign, so that `lands` tells what it is
    worth to play one. `clock` is how much of the weakest opponent's life the seat's army takes in a turn,
    `danger` how much of its own the most dangerous opponent's army does.
    """
    armies = _armies(state)
    alive = [player for player in state.players if not player.lost]
    found: dict[int, tuple[float, ...]] = {}
    for player in alive:
        seat, army = player.seat, armies[player.seat]
        foes = [other for other in alive if not lookup.same_team(state, seat, other.seat)]
        life = max(player.life, 0)
        danger = max((_hit(armies[foe.seat], army.blockers) for foe in foes), default=0.0) / max(life, 1)
        clock = max((_hit(army, armies[foe.seat].blockers) / max(foe.life, 1) for foe in foes), default=0.0)
        held = sum("land" in state.objects[card].definition.base.types for card in player.hand)
        poison = sum(count for kind, count in player.counters if kind == "poison")
        found[seat] = (
            math.sqrt(min(life, 60)) / 4,
            1.0 if life <= 5 else 0.0,
            poison / 5,
            math.sqrt(min(len(player.hand) - held, 9)),
            math.sqrt(army.lands + held),
            math.sqrt(min(army.lands, 10)),
            math.sqrt(army.creatures),
            math.sqrt(army.power),
            math.sqrt(army.toughness),
            math.sqrt(army.evasion),
            army.blockers / max(army.creatures, 1),
            math.sqrt(army.others),
            min(clock, 1.5),
            min(danger, 1.5),
            1.0 if len(player.library) <= 3 else 0.0,
            1.0 if state.turn.active == seat else 0.0,
        )
    return found


def _hit(army: _Army, blockers: int) -> float:
    """What an army's attack takes from one with so many untapped creatures, roughly."""
    walking = army.power - army.evasion
    walkers = max(army.creatures, 1)
    return army.evasion + walking * max(0, walkers - blockers) / walkers


def chances(state: State) -> tuple[float, ...]:
    """By seats the chance to win, 0 for who is out without a team; those of one team are equal. They add up to 1 over the teams."""
    count = len(state.players)
    if state.result is not None:
        winners = state.result.winners
        return tuple(1.0 if seat in winners else 0.0 if winners else 1 / count for seat in range(count))
    return shares(state, features(state), weights())


def shares(state: State, seen: Mapping[int, Sequence[float]], by: Sequence[float]) -> tuple[float, ...]:
    """The chances by such weights."""
    strengths = {seat: sum(map(float.__mul__, by, row)) for seat, row in seen.items()}
    teams: dict[int, list[float]] = {}
    for seat, strength in strengths.items():
        teams.setdefault(team_of(state, seat), []).append(strength)
    joined = {team: sum(each) / len(each) for team, each in teams.items()}
    most = max(joined.values(), default=0.0)
    grown = {team: math.exp(strength - most) for team, strength in joined.items()}
    whole = sum(grown.values()) or 1.0
    return tuple(
        grown.get(team_of(state, player.seat), 0.0) / whole if player.seat in seen or state.options.teams else 0.0
        for player in state.players
    )


def team_of(state: State, seat: int) -> int:
    """A number for each team; without teams each seat is its own."""
    return state.options.teams[seat] if state.options.teams else seat
