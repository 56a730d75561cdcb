"""The beginning of a scenario: its setup, placement by placement."""

from __future__ import annotations

from server.cards.forms import Card
from server.cards.loading import Unread
from server.rules.model import Options, Ref, State, player_ref
from server.rules.turn import Decide, setup
from server.scenario.errors import BadScenario
from server.scenario.format import Placement, Scenario
from server.scenario.seen import Seen, named, seat_named
from server.scenario.source import CardSource


def build(options: Options, scenario: Scenario, source: CardSource, decide: Decide) -> tuple[State, dict[str, int]]:
    """The state before turn 1, and the aliases. Raises Unsupported for a card that cannot be played."""
    own = source.own(scenario.head.cards)
    state = setup.table(options, scenario.head.seats)
    aliases: dict[str, int] = {}
    for i, one in enumerate(scenario.setup):
        state = _place(state, one, f"setup[{i}]", source, own, aliases, decide)
    return (setup.shuffle(state) if scenario.head.shuffle else state), aliases


def _place(
    state: State,
    one: Placement,
    path: str,
    source: CardSource,
    own: dict[str, Card | Unread],
    aliases: dict[str, int],
    decide: Decide,
) -> State:
    seat = seat_named(state, one.player)
    if one.zone == "life":
        if one.life is None:
            raise BadScenario(f"{path}: life needs `life`")
        return setup.life(state, seat, one.life)
    if one.zone == "poison":
        if one.poison is None:
            raise BadScenario(f"{path}: poison needs `poison`")
        return setup.poison(state, seat, one.poison)
    if one.clear:
        if one.zone != "library":
            raise BadScenario(f"{path}.clear: only a library is cleared")
        return setup.clear_library(state, seat)
    if not one.card:
        raise BadScenario(f"{path}: needs `card`")
    card = source.get(one.card, own)
    for nth in range(one.count):
        if one.zone == "battlefield":
            state, oid = _permanent(state, seat, one, card, path, aliases, decide)
        elif one.zone == "outside":
            state, oid = setup.outside(state, seat, card), 0
        else:
            state, oid = setup.add(state, seat, one.zone, card)
        if one.alias and nth == 0:
            aliases[one.alias] = oid
    return state


def _permanent(
    state: State, seat: int, one: Placement, card: Card, path: str, aliases: dict[str, int], decide: Decide
) -> tuple[State, int]:
    types = card.types.split("—")[0].split()
    if "Instant" in types or "Sorcery" in types:
        raise BadScenario(f"{path}: {card.name} is no permanent card")
    state, oid = setup.enter(state, seat, card, decide)
    if one.tapped:
        state = setup.tap(state, oid)
    for kind, count in one.counters.items():
        state = setup.counters(state, oid, kind, count)
    if one.attached_to:
        state = setup.attach(state, oid, _host(state, one.attached_to, aliases, oid, path))
    return state, oid


def _host(state: State, name: str, aliases: dict[str, int], oid: int, path: str) -> Ref:
    for player in state.players:
        if name in (player.name, f"Player{player.name}"):
            return player_ref(player.seat)
    found = [o for o in named(Seen(state, [], aliases, {}), name, None) if o.id != oid]
    if not found:
        raise BadScenario(f"{path}.attached_to: there is no {name} yet")
    return found[0].id
