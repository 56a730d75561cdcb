"""Restarting the game (714, current 726): nobody wins, loses or draws, and whoever was still in it begins a new one with all cards."""

from __future__ import annotations

from msgspec.structs import replace

from server.rules.happenings.beginning import NOT_IN_GAME, deploying
from server.rules.happenings.cards_of_objects import cards_of, color_of
from server.rules.model import (
    Object,
    Player,
    RunFrame,
    StartFrame,
    State,
    Turn,
    TurnFrame,
    events,
    lookup,
    rare,
    seat_of,
)


def restarted(state: State, event: events.Restarts) -> State:
    """The new game before its first shuffle; the effect that began it finishes just before the first untap step (714.4).

    Every card is a new object in its owner's library, a commander in the command zone (903.6); tokens, copies and emblems are no more.
    What is exempted stays in exile, and is the same object (714.5)."""
    starter = lookup.spokesman(state, seat_of(event.subject))
    left_out = tuple(oid for oid in event.objects if oid in state.objects)
    objects = {oid: _as_it_was(state.objects[oid]) for oid in left_out}
    libraries: dict[int, list[int]] = {p.seat: [] for p in state.players}
    command: list[int] = []
    number = state.next_id
    for oid in sorted(state.objects):
        for card in () if oid in objects else cards_of(state.objects[oid]):
            led = (state.options.led and bool(card.commander)) or lookup.is_companion(card)
            objects[number] = replace(card, id=number, zone="command" if led else "library")
            (command if led else libraries[card.owner]).append(number)
            number += 1
    effects = deploying(len(state.players), number) if state.options.deploy else ()
    running = state.agenda[-1]
    finishing = (replace(running, answers=()),) if isinstance(running, RunFrame) else ()
    before = (starter - 1) % len(state.players)
    return State(
        options=state.options,
        edition=state.edition,
        players=tuple(_anew(state, p, tuple(libraries[p.seat])) for p in state.players),
        objects=objects,
        exile=left_out,
        command=tuple(command),
        effects=effects,
        agenda=(TurnFrame(at="next"), *finishing, StartFrame()),
        next_id=number + len(effects),
        turn=Turn(
            number=state.turn.number, active=starter, step="cleanup", last_normal=before, began=state.turn.number
        ),
        questions=state.questions,
        clock=state.clock,
        chance=state.chance,
        fixed_chance=state.fixed_chance,
        main=state.main,
    )


def _anew(state: State, player: Player, library: tuple[int, ...]) -> Player:
    """A player as the new game begins; who has left the old one is not in it."""
    if player.lost:
        return replace(player, lost=NOT_IN_GAME, library=library)
    fresh = Player(player.seat, player.name, state.options.life, library=library)
    return replace(fresh, dungeons=player.dungeons, outside=player.outside)


def _as_it_was(found: Object) -> Object:
    """A card that stays in exile, without what the old game knew of it."""
    card, seat = found.printed or found.definition, found.owner
    kept = rare(commander=found.commander, chosen=color_of(found, card, found.commander))
    return Object(found.id, card, seat, seat, "exile", timestamp=found.timestamp, base=seat, rare=kept)
