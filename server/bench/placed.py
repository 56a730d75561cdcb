"""A game in the middle, put together at once: who has what on the battlefield, in hand and library, in turn 9 before combat.

`setup.enter` lets things enter one by one as the rules have it; here hundreds stand at once, for measuring.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from server.cards.forms import Card
from server.cards.nouns import Zone
from server.rules import State
from server.rules.model import EDITIONS, Object, Options, Player, Turn, TurnFrame, define
from server.rules.turn import driver


class Side(msgspec.Struct, frozen=True):
    """What one player has; of the library the last card is the top."""

    battlefield: tuple[Card, ...]
    hand: tuple[Card, ...]
    library: tuple[Card, ...]


def placed(sides: Sequence[Side], life: int) -> State:
    """Seat 0's first main phase, at the first question."""
    objects: dict[int, Object] = {}
    players: list[Player] = []

    def make(cards: tuple[Card, ...], seat: int, zone: Zone) -> tuple[int, ...]:
        first = len(objects) + 1
        for oid, card in enumerate(cards, first):
            objects[oid] = Object(oid, define(card), seat, seat, zone, timestamp=oid, base=seat)
        return tuple(range(first, first + len(cards)))

    battlefield: tuple[int, ...] = ()
    for seat, side in enumerate(sides):
        battlefield += make(side.battlefield, seat, "battlefield")
        hand = make(side.hand, seat, "hand")
        players.append(Player(seat, f"P{seat}", life, hand=hand, library=make(side.library, seat, "library")))
    state = State(
        options=Options(),
        edition=EDITIONS["2011"],
        players=tuple(players),
        objects=objects,
        battlefield=battlefield,
        agenda=(TurnFrame(at="next"),),
        next_id=len(objects) + 1,
        clock=len(objects) + 1,
        turn=Turn(
            number=9,
            active=0,
            step="precombat_main",
            steps=(
                "begin_combat",
                "declare_attackers",
                "declare_blockers",
                "combat_damage",
                "end_combat",
                "postcombat_main",
                "end_turn",
                "cleanup",
            ),
        ),
    )
    return driver.advance(state, [])
