"""What happened this turn, counted: the keys of `State.history`, with the object or player of whom it is counted.

The keys stand in snapshots and hashes, and texts ask for many of them (`nouns.TurnCount`), so they keep their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NewType, TypeAlias

from server.rules.model.questions import Ref
from server.rules.model.state import State

Counter = NewType("Counter", str)
"""A key made of a word and what it is about."""


class Counted(StrEnum):
    """What is counted of a player or object in the turn."""

    ACTS = "acts by hand"
    ATTACKED = "attacked"
    ATTACKERS = "attackers"
    BLOCKED = "blocked"
    COMBAT_PHASES = "combat phases"
    CREATURES_DIED = "creatures died"
    CRIMES = "crimes"
    DAMAGE = "damage"
    DESCENDED = "descended"
    """Permanent cards put into the player's graveyard (current 700.11)."""
    DISCARDED = "discarded"
    DISCARDS = "discards"  # cards, by who discarded them
    DRAWN = "drawn"
    DRAWN_IN_DRAW_STEP = "drawn in draw step"
    ENTERED = "entered"
    FROM_BATTLEFIELD = "from battlefield"
    FROM_LIBRARY = "from library"
    INSTANTS_AND_SORCERIES = "instants and sorceries"
    LAND_PLAYS = "land plays allowed"
    """Land plays, by the source of the effect that allowed each; 0 is the rule itself (305.2)."""
    LANDS_PLAYED = "lands played"
    LEFT = "left"
    LEFT_GRAVEYARD = "left graveyard"  # cards, by whose graveyard it was
    LIFE_GAINED = "life gained"
    LIFE_GAINS = "life gains"  # how often, however much at once
    LIFE_LOST = "life lost"
    LIFE_LOSSES = "life losses"
    LOYALTY = "loyalty"
    MAIN_PHASES = "main phases"
    MANA_SPENT = "mana spent"
    MILLED = "milled"
    SEARCHES = "searches"
    """Of one's own library."""
    SPELLS = "spells"
    SPELLS_LAST_TURN = "spells last turn"
    STRUCK_BY_COMMANDER = "struck by a commander"
    VENTURES = "ventures"
    THING_RETURNED = "thing returned"  # from the battlefield to a hand
    THING_ATTACKED = "thing attacked"
    """The objects that did, for `nouns.Happened`; so the next ones."""
    THING_CAST = "thing cast"
    THING_COUNTERED = "thing countered"
    """By a spell or ability that an opponent of its controller controlled; so the next one."""
    THING_DESTROYED = "thing destroyed"
    THING_DIED = "thing died"
    THING_ENTERED = "thing entered"
    THING_LEFT = "thing left"
    THING_SACRIFICED = "thing sacrificed"
    TOKENS_BY_HAND = "tokens by hand"
    TOKENS_CREATED = "tokens created"
    TO_GRAVEYARD = "to graveyard"
    WARPED = "warped"  # spells cast for their warp costs


HistoryKey: TypeAlias = Counted | Counter


def activated(index: int) -> Counter:
    """An object's ability of that index was activated."""
    return Counter(f"activated {index}")


def triggered(index: int | None) -> Counter:
    """It triggered."""
    return Counter(f"triggered {index}")


def called(index: int) -> Counter:
    """It was called by a player (a paragraph that the server does not read)."""
    return Counter(f"called {index}")


def reminded(index: int) -> Counter:
    """Something happened that the first words of a paragraph name which the server does not read."""
    return Counter(f"reminded {index}")


def resolved(index: int) -> Counter:
    """It resolved."""
    return Counter(f"resolved {index}")


def used_once(index: int) -> Counter:
    """What it lets its controller do once each turn was done (current 603.2h)."""
    return Counter(f"done {index}")


def attacked_by(seat: int, phase: int) -> Counter:
    """A player was attacked by a player's creatures, in the combat of that phase."""
    return Counter(f"attacked by {seat} in {phase}")


def struck_by(kind: str) -> Counter:
    """Combat damage was dealt to a player by a source of a player's of that creature type (prowl 702.74a)."""
    return Counter(f"struck by {kind}")


def blocked(attacker: int | str) -> Counter:
    """A creature blocked that attacker; with "" how all such keys begin."""
    return Counter(f"blocked {attacker}")


def played_by(rule: str) -> Counter:
    """A card was played by a permission of an object, told by its text."""
    return Counter(f"played by {rule}")


def in_text(words: str) -> Counter:
    """What a text counts, as `nouns.TurnCount` and patterns name it."""
    return Counter(words)


def this_turn(state: State, what: HistoryKey, ref: Ref) -> int:
    """How often, or how much of it, it was this turn."""
    return state.history.get((what, ref), 0)


def all_of(state: State, what: HistoryKey) -> Iterator[tuple[Ref, int]]:
    """All of whom it is counted, in order of their numbers, and how much."""
    return iter(sorted((ref, n) for (key, ref), n in state.history.items() if key == what))


def blocks(state: State) -> Iterator[tuple[int, int]]:
    """Who blocked whom this turn: the blocker and the attacker."""
    for key, ref in sorted(state.history):
        if key.startswith(prefix := blocked("")):
            yield ref, int(key.removeprefix(prefix))
