"""What is chosen for an object or a program: a colour, a type, a name, a number, a player."""

from __future__ import annotations

from collections.abc import Generator

from server.cards.nouns import Noun, Things
from server.rules.characteristics import fits_kind
from server.rules.model import AnyAnswer, AnyQuestion, Choice, Scope, State, ask, lookup, player_ref, words_of

COLORS = ("white", "blue", "black", "red", "green")


def choose_value(
    state: State, seat: int, what: str, source: int, kind: Noun | None = None
) -> Generator[AnyQuestion, AnyAnswer, tuple[str, str]]:
    """(what is remembered, the chosen value) for "choose a color", "a creature type", "a player", "a number" ...; a name is one of
    what `kind` describes."""
    if what == "color":
        return "color", (yield from ask.choose_word(seat, COLORS, "color", source))
    if what == "colors":
        options = tuple(Choice(word=color, text=color) for color in COLORS)
        picks = yield from ask.choose(seat, options, 1, len(COLORS), "color", source)
        return "color", " ".join(COLORS[i] for i in picks)
    if what in ("player", "opponent"):
        others = lookup.opponents(state, seat) if what == "opponent" else lookup.turn_order(state, seat)
        refs = tuple(player_ref(s) for s in others)
        picked = yield from ask.choose_refs(seat, refs, 1, 1, "player", source)
        return "player", str(picked[0]) if picked else ""
    if what == "number":
        return "number", str((yield from ask.number(seat, 0, 20, "number", source)))
    words = words_of(state, what) if kind is None else _names_of(state, kind, seat)
    return ("name" if what == "name" else "type"), (yield from ask.choose_word(seat, words, what, source))


def _names_of(state: State, kind: Noun, seat: int) -> tuple[str, ...]:
    """The names in this game of cards of a kind (201.3)."""
    cards = (o for o in state.objects.values() if not o.token and _is(state, kind, o.id, seat))
    return tuple(dict.fromkeys(card.definition.name for card in cards))


def _is(state: State, kind: Noun, oid: int, seat: int) -> bool:
    return isinstance(kind.reading, Things) and fits_kind(state, kind.reading, oid, Scope(0, seat))
