"""States made by hand, for tests of views, events and questions: a table of three, one object of each sort."""

from __future__ import annotations

from typing import Any

from server.cards.forms import Card
from server.cards.nouns import Zone
from server.rules.model import (
    EDITIONS,
    Attacker,
    Combat,
    Entry,
    Object,
    Options,
    Player,
    State,
    Turn,
    ability_definition,
    changed,
    define,
    made_of,
)

BEAR = Card(name="Bear", types="Creature — Bear", cost="{1}{G}", power="2", toughness="2", keywords=("trample",))
PLAN = Card(name="Secret Plan", types="Sorcery", cost="{U}", text="Nobody may know.")
HERO = Card(name="Hero", types="Planeswalker — Hero", cost="{3}{W}", loyalty="4")
FOREST = Card(name="Forest", types="Basic Land — Forest")
DEFINITIONS = {card.name: define(card) for card in (BEAR, PLAN, HERO, FOREST)}


def thing(number: int, card: Card, zone: Zone, owner: int = 0, **more: Any) -> Object:
    fields = {"controller": owner, **more}
    return made_of(id=number, definition=DEFINITIONS[card.name], owner=owner, zone=zone, **fields)


def state_of(*things: Object, pending: Any = None, **more: Any) -> State:
    """A state of these objects, in the zones that they say."""
    players = tuple(
        Player(
            seat=seat,
            name=f"P{seat}",
            life=20,
            **{  # type: ignore[arg-type]
                zone: tuple(t.id for t in things if t.zone == zone and t.owner == seat)
                for zone in ("hand", "library", "graveyard")
            },
        )
        for seat in range(3)
    )
    zones = {
        zone: tuple(t.id for t in things if t.zone == zone) for zone in ("battlefield", "stack", "exile", "command")
    }
    fields: dict[str, Any] = {"turn": Turn(number=3, active=0, step="begin_combat"), **zones, **more}
    return State(
        options=Options(),
        edition=EDITIONS["2011"],
        players=players,
        objects={t.id: t for t in things},
        agenda=(),
        pending=pending,
        next_id=1000,
        **fields,
    )


def everything() -> State:
    """One of each: hidden cards, face-down ones, tokens, abilities, combat."""
    ability = changed(
        thing(30, BEAR, "stack", 1),
        definition=ability_definition("Bear", "Growl."),
        entry=Entry(kind="triggered", source=10, targets=((10, -3),)),
    )
    state = state_of(
        thing(1, PLAN, "library"),
        thing(2, PLAN, "library", known=0b010),
        thing(3, PLAN, "library", 1),
        thing(4, PLAN, "hand", 0, known=0b001),
        thing(5, BEAR, "hand", 1, known=0b110),
        thing(6, PLAN, "hand", 2),
        thing(10, BEAR, "battlefield", counters=(("+1/+1", 2),), tapped=True, sick=True),
        thing(11, PLAN, "battlefield", 1, face_down=True),
        thing(12, HERO, "battlefield", 2, counters=(("loyalty", 3),)),
        thing(13, BEAR, "battlefield", 2, token=True, attached_to=10),
        thing(14, FOREST, "battlefield", 2, phased_out=True),
        thing(20, BEAR, "graveyard", 1),
        thing(21, PLAN, "exile", 2, face_down=True, known=0b001),
        ability,
        combat=Combat(
            attacker=0,
            attackers=(Attacker(id=10, defender=12, player=2, blocked=True, blockers=(13,)),),
        ),
    )
    return state
