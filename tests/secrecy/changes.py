"""How the two games of a pair differ: what they are made of, the moment at which both begin, and what is another in the second.

Nothing here asks the server who may know what.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from protocol.options import RoomOptions
from server.cards.forms import Card
from server.rooms.game import Rules
from server.rules.model import Definition, State
from server.rules.model import questions as q
from server.rules.turn import legal
from server.storage import Setup, Sitting, make_setup
from tests.secrecy.facts import hidden

Decks = tuple[tuple[Card, ...], ...]

RULES = Rules()


@dataclass(frozen=True)
class Plan:
    """What a pair is made of, all of it drawn from `seed`: how the second game differs, and what is done in both."""

    seed: int
    decks: Decks
    before: int
    change: str
    owner: int
    inputs: int = 40
    restart: int = 0
    mates: bool = False
    """Whether what the owner's team mates may know differs, too, so that they are not compared."""
    options: dict[str, Any] = field(default_factory=dict)


def setup_of(plan: Plan) -> Setup:
    options = RoomOptions(seats=len(plan.decks), **plan.options)
    people = [Sitting(name=f"P{n}", person=f"p{n}", deck=deck) for n, deck in enumerate(plan.decks)]
    return make_setup(
        room="pair", options=options, seed=f"pair {plan.seed}", sittings=people, version=RULES.version, created=0
    )


def begun(setup: Setup, plan: Plan) -> State:
    """A moment of the game at which somebody has priority, or decides about the opening hand."""
    chance = random.Random(f"before {plan.seed}")
    state, _ = RULES.start(setup)
    last = state
    for _ in range(plan.before):
        if state.pending is None:
            break
        state, _ = RULES.submit(state, state.pending.seat, legal.sample(state.pending, state, chance))
        if state.result is not None:
            break
        if isinstance(state.pending, q.PriorityQuestion):
            last = state
    return last


def changed(state: State, plan: Plan) -> State:
    """The second game's beginning: the same to everyone but the owner of what is changed."""
    change = Change(plan.owner, insiders(state, plan), random.Random(f"change {plan.seed}"))
    return _CHANGES[plan.change](state, change)


def insiders(state: State, plan: Plan) -> tuple[int, ...]:
    """The seats that may know that the two games differ: the owner of what is changed, and perhaps the team mates."""
    teams = state.options.teams
    mates = plan.mates and bool(teams)
    return tuple(
        seat for seat in range(len(plan.decks)) if seat == plan.owner or (mates and teams[seat] == teams[plan.owner])
    )


@dataclass(frozen=True)
class Change:
    """Whose cards differ, who may know that they do, and how."""

    owner: int
    insiders: tuple[int, ...]
    chance: random.Random


def _with(state: State, definitions: dict[int, Definition]) -> State:
    objects = dict(state.objects)
    for oid, definition in definitions.items():
        objects[oid] = replace(objects[oid], definition=definition)
    return replace(state, objects=objects, memo={})


def _mixed(state: State, ids: Sequence[int], chance: random.Random) -> State:
    """Which card is which among these."""
    plain = [i for i in ids if state.objects[i].printed is None and not state.objects[i].merged]
    mixed = list(plain)
    chance.shuffle(mixed)
    return _with(state, {i: state.objects[j].definition for i, j in zip(plain, mixed, strict=True)})


def _hidden_cards(state: State, change: Change) -> State:
    return _mixed(state, hidden(state, change.owner, change.insiders), change.chance)


def _hand(state: State, change: Change) -> State:
    return _mixed(
        state,
        [i for i in hidden(state, change.owner, change.insiders) if state.objects[i].zone == "hand"],
        change.chance,
    )


def _libraries(state: State, change: Change) -> State:
    """The order of every library, but of cards that somebody has seen."""
    for player in state.players:
        state = _mixed(state, [i for i in player.library if not state.objects[i].known], change.chance)
    return state


def _dealt(state: State, change: Change) -> State:
    """Cards of others' decks instead of its own."""
    pool = [thing.definition for thing in state.objects.values() if thing.owner != change.owner and not thing.token]
    pool = [definition for definition in pool if definition.card.types]
    ids = [i for i in hidden(state, change.owner, change.insiders) if state.objects[i].zone in ("hand", "library")]
    return _with(state, {i: change.chance.choice(pool) for i in ids if change.chance.random() < 0.5})


def _bottom(state: State, change: Change) -> State:
    """The order in which cards that all have seen were put on the bottom of the library."""
    player = state.players[change.owner]
    seen = [i for i in player.library[:SHOWN] if state.objects[i].known]
    mixed = list(seen)
    change.chance.shuffle(mixed)
    players = list(state.players)
    players[change.owner] = replace(player, library=(*mixed, *player.library[len(seen) :]))
    return replace(state, players=tuple(players), memo={})


def _shown_hand(state: State, change: Change) -> State:
    """In which order the cards of a hand that all have seen were drawn."""
    return _mixed(state, state.players[change.owner].hand, change.chance)


def _same(state: State, change: Change) -> State:
    return state


SHOWN = 4

_CHANGES: dict[str, Callable[[State, Change], State]] = {
    "hidden cards": _hidden_cards,
    "hand": _hand,
    "libraries": _libraries,
    "dealt": _dealt,
    "bottom of the library": _bottom,
    "hand that was shown": _shown_hand,
    "passed for": _same,
    "secret choices": _same,
}
CHANGES = tuple(_CHANGES)


def prepared(state: State, plan: Plan) -> State:
    """Both games' beginning: with cards that everyone has seen, where the change is about such."""
    player = state.players[plan.owner]
    ids = {"bottom of the library": player.library[:SHOWN], "hand that was shown": player.hand}.get(plan.change, ())
    if not ids:
        return state
    everyone = (1 << len(state.players)) - 1
    objects = dict(state.objects)
    for oid in ids:
        objects[oid] = replace(objects[oid], known=everyone)
    return replace(state, objects=objects, memo={})
