"""A game within a game (715, current 728, 712 in 2009): the libraries are its decks, and the main game waits in `State.main`.

Nothing of one means anything in the other (715.1b) but what the effect that began it says of who did not win. Ids and chance go on, so
that no reference is ever another object's and nothing can be foreseen.
"""

from __future__ import annotations

from msgspec.structs import replace

from server.rules.happenings.beginning import NOT_IN_GAME, deploying, starting_player
from server.rules.happenings.cards_of_objects import cards_of
from server.rules.model import (
    NOT_WON,
    BatchFrame,
    Object,
    Player,
    RunFrame,
    StartFrame,
    State,
    Turn,
    events,
    evolve,
    lookup,
    player_ref,
    seat_of,
)


def games_around(state: State) -> tuple[State, ...]:
    """The games that wait for this one to end, the nearest first (715.6); none if it is no subgame."""
    found: list[State] = []
    main = state.main
    while main is not None:
        found.append(main)
        main = main.main
    return tuple(found)


def main_game(state: State) -> State:
    """The game in which all others are played: the state itself, if it is no subgame's."""
    while state.main is not None:
        state = state.main
    return state


def begun(state: State, event: events.Subgame) -> State:
    """The subgame before its first shuffle (715.2): libraries and the commanders in the command zone (715.2c) have gone into it. Those in
    the range of influence of the player whose spell or ability it is play it (801.10)."""
    inside = tuple(
        p.seat for p in state.players if not p.lost and lookup.in_range(state, seat_of(event.subject), p.seat)
    )
    counter, first = starting_player(state.options, state.chance, inside)
    taken = {oid for seat in inside for oid in state.players[seat].library}
    led: set[int] = set()
    if state.edition.commanders_in_subgames:
        led = {oid for oid in state.command if state.objects[oid].commander and state.objects[oid].owner in inside}
    objects: dict[int, Object] = {}
    libraries: dict[int, list[int]] = {p.seat: [] for p in state.players}
    command: list[int] = []
    number = state.next_id
    for oid in sorted(taken | led):
        for card in cards_of(state.objects[oid]):
            zone = command if oid in led else libraries[card.owner]
            objects[number] = replace(card, id=number, zone="command" if oid in led else "library")
            zone.append(number)
            number += 1
    effects = deploying(len(state.players), number) if state.options.deploy else ()
    return State(
        options=state.options,
        edition=state.edition,
        players=tuple(_anew(state, p, tuple(libraries[p.seat]), p.seat in inside) for p in state.players),
        objects=objects,
        command=tuple(command),
        effects=effects,
        agenda=(StartFrame(),),
        next_id=number + len(effects),
        turn=Turn(
            number=state.turn.number,
            active=first,
            step="cleanup",
            last_normal=(first - 1) % len(state.players),
            began=state.turn.number,
        ),
        questions=state.questions,
        clock=state.clock,
        chance=counter,
        fixed_chance=state.fixed_chance,
        main=_without(state, taken | led, inside),
    )


def _anew(state: State, player: Player, library: tuple[int, ...], inside: bool) -> Player:
    """A player as the subgame begins; who is out of the main game, or out of range, is not in it."""
    fresh = Player(player.seat, player.name, state.options.life, library=library)
    now = replace(fresh, dungeons=player.dungeons, outside=player.outside)
    return now if inside else replace(now, lost=NOT_IN_GAME)


def _without(state: State, taken: set[int], inside: tuple[int, ...]) -> State:
    """The main game while its libraries are decks of another."""
    return evolve(
        state,
        objects={oid: found for oid, found in state.objects.items() if oid not in taken},
        command=tuple(oid for oid in state.command if oid not in taken),
        players=tuple(replace(p, library=()) if p.seat in inside else p for p in state.players),
        pending=None,
    )


def given_back(state: State, seat: int = -1) -> State:
    """The main game with the cards that a player (-1: each) owns in the subgame, wherever there: on the library, commanders that are in
    the command zone in that of the main game (715.5, 715.5c). Who has left the main game had left the subgame before, with all cards."""
    main = state.main
    assert main is not None
    objects = dict(main.objects)
    libraries = {p.seat: list(p.library) for p in main.players}
    command = list(main.command)
    number = max(main.next_id, state.next_id)
    for oid in sorted(state.objects):
        found = state.objects[oid]
        for card in cards_of(found):
            if seat not in (-1, card.owner):
                continue
            led = found.zone == "command" and state.edition.commanders_in_subgames
            objects[number] = replace(card, id=number, zone="command" if led else "library")
            (command if led else libraries[card.owner]).append(number)
            number += 1
    players = tuple(
        replace(p, library=tuple(libraries[p.seat]), outside=state.players[p.seat].outside) for p in main.players
    )
    return evolve(main, objects=objects, players=players, command=tuple(command), next_id=number)


def ended(state: State, winners: tuple[int, ...]) -> State:
    """The main game as it goes on (715.5): libraries have to be shuffled, then what began the subgame finishes and knows who did not
    win it."""
    main = given_back(state)
    left = tuple(seat for seat in lookup.turn_order(main) if state.players[seat].lost != NOT_IN_GAME)
    losers = tuple(player_ref(seat) for seat in left if seat not in winners)
    batch = (
        events.Subgame(cause="over"),
        *(events.Shuffle(subject=player_ref(seat)) for seat in left),
    )
    agenda = main.agenda
    if agenda and isinstance(agenda[-1], RunFrame):
        # What the effect says of "each player who doesn't win the subgame" is bound as its next instruction begins.
        running = agenda[-1]
        agenda = (*agenda[:-1], replace(running, scope=running.scope.bind(NOT_WON, losers)))
    return evolve(
        main,
        agenda=(*agenda, BatchFrame(events=batch)),
        next_id=max(main.next_id, state.next_id),
        questions=state.questions,
        clock=state.clock,
        chance=state.chance,
        fixed_chance=state.fixed_chance,
        results=(),
        loop=None,
    )
