"""Venturing into dungeons (current 309, current 701.49): where a venture marker may go, and what comes of it."""

from __future__ import annotations

from collections.abc import Generator

from server.cards import forms
from server.cards.keywords import DUNGEONS, ROOM, exits
from server.rules.characteristics import amount, dungeon_of, room_of
from server.rules.functioning import rules
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    Counted,
    Definition,
    Object,
    State,
    ask,
    define,
    events,
    player_ref,
    this_turn,
)

LIMIT = "can't venture more than"
Venturing = Generator[AnyQuestion, AnyAnswer, "tuple[events.Event, ...]"]


def venturing(state: State, seat: int, into: str) -> Venturing:
    """What a player who ventures does: along an arrow that the player chooses, or into a dungeon from outside the game, which from a
    bottommost room completes the one before."""
    if any(ventured(state, seat) >= amount(state, rule.number, scope) for rule, scope in rules(state, seat, LIMIT)):
        return ()
    told = events.KeywordAction(subject=player_ref(seat), amount=1, cause="venture")
    now = dungeon_of(state, seat)
    if now is not None and (leads_to := exits(now.definition.card, room_of(now))):
        room = yield from ask.choose_word(seat, leads_to, "room", now.id)
        return (told, events.Chosen(subject=now.id, what=ROOM, value=room))
    left = () if now is None else (completes(now),)
    dungeons = {one.name: one for one in enterable(state, seat, into)}
    if not dungeons:
        return (told, *left)
    chosen = dungeons[(yield from ask.choose_word(seat, tuple(dungeons), "dungeon"))]
    topmost = ((ROOM, chosen.card.rooms[0].name),)
    entered = events.Move(to="command", definition=chosen, controller=seat, owner=seat, chosen=topmost, cause="venture")
    return (told, *left, entered)


def ventured(state: State, seat: int) -> int:
    """How often the player has ventured this turn."""
    return this_turn(state, Counted.VENTURES, player_ref(seat))


def completes(dungeon: Object) -> events.Ceases:
    """A dungeon is removed from the game, and so completed by its owner (current 309.7)."""
    return events.Ceases(subject=dungeon.id, object=player_ref(dungeon.owner), cause="completed")


def enterable(state: State, seat: int, into: str) -> tuple[Definition, ...]:
    """The dungeons that a player owns outside the game and may enter: one of that type (current 701.49d), or any but those that are
    entered by their type alone. Of each type the player brought, it is those; of others everybody has the house's."""
    brought = state.players[seat].dungeons
    kinds = {one.base.subtypes for one in brought}
    owned = (*brought, *(one for card in DUNGEONS if (one := define(card)).base.subtypes not in kinds))
    return tuple(one for one in owned if (into in one.base.subtypes if into else not _by_its_type(one)))


def _by_its_type(dungeon: Definition) -> bool:
    return any(
        isinstance(a, forms.PlayerRule) and a.rule == "entered by its type alone" for a in dungeon.card.abilities
    )
