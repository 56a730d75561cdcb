"""A game as one seat may know it, for looking ahead where nobody is to learn more: what is hidden from the seat is blank.

A forecast of it says the same as one of the real game, because it ends where something hidden or drawn by chance comes into it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from server.knowledge.hidden import may_know
from server.rules.model import Definition, LastKnown, Object, Player, State, Struct, ability_definition, changed


def veiled(state: State, seat: int) -> State:
    """The state with a card that the seat knows in the place of each card that it may not know, and without the seed and the order of
    libraries; what is remembered of what they were before (a spell cast face down was a card in a hand), and of how all was before what
    is being announced, included.
    """
    known = (thing.definition for thing in state.objects.values() if may_know(thing, seat))
    return _Veil(seat, next(known, None) or ability_definition("", "")).over(state)


class _Veil:
    """`blank` is the card that stands for all others."""

    def __init__(self, seat: int, blank: Definition) -> None:
        self._seat = seat
        self._blank = blank

    def over(self, state: State) -> State:
        """See `veiled`."""
        shown = {name: self._part(getattr(state, name), state) for name in _PARTS}
        objects = {number: self._object(thing) for number, thing in state.objects.items()}
        players = tuple(self._player(player, state) for player in state.players)
        options = replace(state.options, seed="")
        return replace(state, objects=objects, players=players, options=options, memo={}, **shown)

    def _part(self, value: Any, state: State) -> Any:
        """Something in a state, the same where nothing in it has to be veiled."""
        match value:
            case State():
                return self.over(value)
            case LastKnown():
                return self._remembered(value, state)
            case Object():
                return self._object(value)
            case Struct():
                fields = [(name, getattr(value, name)) for name in value.__struct_fields__]
                others = {name: new for name, old in fields if (new := self._part(old, state)) is not old}
                return msgspec.structs.replace(value, **others) if others else value
            case tuple():
                parts: tuple[Any, ...] = value
                news = tuple([self._part(one, state) for one in parts])
                return news if any(map(_other, news, parts)) else parts
            case dict():
                pairs: dict[Any, Any] = value
                table = {key: self._part(one, state) for key, one in pairs.items()}
                return table if any(table[key] is not one for key, one in pairs.items()) else pairs
            case _:
                return value

    def _player(self, player: Player, state: State) -> Player:
        """Without the order of a library in which cards may lie that the seat has seen; the top card stays, if it is one."""
        *rest, top = player.library or (0,)
        if rest and may_know(state.objects[top], self._seat):
            return replace(player, library=(*sorted(rest), top))
        return replace(player, library=tuple(sorted(player.library)))

    def _object(self, thing: Object) -> Object:
        return thing if may_know(thing, self._seat) else changed(thing, definition=self._blank, printed=None)

    def _remembered(self, known: LastKnown, state: State) -> LastKnown:
        """What became public is known as what it was, too."""
        became = state.objects.get(known.became)
        if may_know(known.object, self._seat) or (became is not None and may_know(became, self._seat)):
            return known
        characteristics = known.characteristics if known.object.face_down else self._blank.base
        return replace(known, object=self._object(known.object), characteristics=characteristics)


_PARTS = tuple(
    name for name in State.__struct_fields__ if name not in ("objects", "players", "options", "edition", "memo")
)


def _other(new: object, old: object) -> bool:
    return new is not old
