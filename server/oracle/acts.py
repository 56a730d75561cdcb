"""A line that a player types, as instructions: rules English that also knows the players' names, "me", "my" and what is pointed at.

`#104` is the object of that id; names are those of the table. One reading or none, as of a card's text; a line with two readings says
which there are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from server.cards.forms import ByHand, Card, CreateToken, SpellAbility, Tree
from server.oracle.engine import Printer, Reader, TooMany, Words, line_words, text_of, walk, words_of
from server.oracle.engine import grammar as grammars
from server.oracle.nouns import with_own_targets
from server.oracle.spoken import as_printed, spoken_grammar

LONGEST_LINE = 300
MOST_NAMED = 20


class ActFault(Exception):
    """A line that is no act: why, for people. With several `readings` it says which."""

    def __init__(self, why: str, readings: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.why = why
        self.readings = readings


class TooLong(ActFault):
    """A line that takes too long to read, whatever its names mean."""


class Said(msgspec.Struct, frozen=True):
    """What a line says: its instructions, and whom the names in it name: seats by "player0", objects' ids by "104"."""

    do: Tree
    seats: tuple[int, ...] = ()
    objects: tuple[int, ...] = ()


_LARGE = re.compile(r"(?<![#\d])\d{4,}")
_OBJECT = re.compile(r"#(\d{1,9})\b")


def read_act(line: str, card: str, players: Mapping[str, int], which: int = 0) -> Said:
    """What a line says for the card of that name, `players` being seats by name; with two readings number `which` of them, from 1.
    Raises ActFault."""
    line = " ".join(line.split())
    if not line or len(line) > LONGEST_LINE:
        raise ActFault(f"An act is a line of 1 to {LONGEST_LINE} characters.")
    if "$" in line:
        raise ActFault("There is no $ in rules English.")
    objects = tuple(dict.fromkeys(int(number) for number in _OBJECT.findall(line)))
    if len(objects) > MOST_NAMED:
        raise ActFault(f"An act names at most {MOST_NAMED} objects.")
    do, seats = _first_read(line, card, players, which)
    if any(isinstance(part, ByHand) for part in walk(do)):
        raise ActFault("That is not read.")
    return Said(_with_slots(do), seats, objects)


def _first_read(line: str, card: str, players: Mapping[str, int], which: int) -> tuple[Tree, tuple[int, ...]]:
    """What a line says with the players' names as they are written; where that is not read, in any case; at last, each word that is
    a name ("Draw") as a word of the rules. With the seats it names. Raises ActFault: why the first of them is not read.
    """
    fault: ActFault | None = None
    tried: set[str] = set()
    for flags, names in ((0, players), (re.IGNORECASE, players), *((0, _without(players, name)) for name in players)):
        named, seats = _named(line, names, flags)
        if named in tried:
            continue
        tried.add(named)
        try:
            if _LARGE.search(named):
                raise ActFault("A number in an act is at most 999.")
            return _readings(as_printed(_OBJECT.sub(r"$\1", named)), card, which), seats
        except ActFault as why:
            if why.readings or isinstance(why, TooLong):
                raise
            fault = fault or why
    assert fault is not None
    raise fault


def _without(players: Mapping[str, int], name: str) -> dict[str, int]:
    return {other: seat for other, seat in players.items() if other != name}


def _named(line: str, players: Mapping[str, int], flags: int) -> tuple[str, tuple[int, ...]]:
    """The line with "$player0" where it names a seat, and the seats."""
    seats: list[int] = []
    for name, seat in sorted(players.items(), key=lambda pair: -len(pair[0])):
        said = re.compile(rf"(?<![\w$#{{/]){re.escape(name)}(?![\w}}/])", flags)
        if said.search(line):
            line = said.sub(f"$player{seat}", line)
            seats.append(seat)
    return line, tuple(seats)


def read_token(line: str) -> Card:
    """The token that a line names ("a 4/4 white Angel creature token with flying", "Treasure"). Raises ActFault."""
    line = " ".join(line.split())
    if not line or len(line) > LONGEST_LINE or "$" in line or "#" in line:
        raise ActFault(f"A token is said in 1 to {LONGEST_LINE} characters.")
    line = re.sub(r"\btokens\b", "token", line.rstrip(". "))
    if not re.search(r"\btoken\b", line):
        line = re.sub(r"( (?:with|that|named)\b.*)?$", r" token\1", line, count=1)
    article = "" if re.match(r"(?:an?|one)\b", line, re.IGNORECASE) else "a "
    try:
        read = _readings(f"Create {article}{line}.", "", 1)
    except ActFault:
        read = ()
    match read:
        case (CreateToken(token=Card() as token, count=1, power=None, toughness=None, copy_of=None, also=()),):
            return canonical(token)
        case _:
            raise ActFault("That is no token as cards name one: 1/1 white Soldier creature, Treasure.")


def _readings(line: str, card: str, which: int) -> Tree:
    words = line_words(line, card)
    reader = Reader(spoken_grammar(), words)
    try:
        found = [one.value for one in reader.read("instructions", 0) if one.end == len(words)]
    except (TooMany, RecursionError):
        raise TooLong("There are too many ways to read that.") from None
    different: list[Any] = []
    for value in found:
        if isinstance(value, tuple) and value not in different:
            different.append(value)
    shown = [(value, _shown(value)) for value in different]
    sound = [(value, text) for value, text in shown if text is not None]
    if not sound:
        word = reader.at(reader.furthest) or "the end"
        raise ActFault(f"That is not read at {word!r}.")
    if len(sound) > 1 and not 1 <= which <= len(sound):
        readings = tuple(text for _, text in sound)
        raise ActFault("That can be read in several ways; say which: " + " / ".join(readings), readings)
    return sound[which - 1 if len(sound) > 1 else 0][0]


def _shown(value: Any) -> str | None:
    """The instructions as a card would print them, if that is read as the same."""
    written: Words | None = Printer(spoken_grammar()).write("instructions", value)
    if written is None:
        return None
    text = text_of(written)
    words = words_of(text, ())
    again = [one.value for one in Reader(spoken_grammar(), words).read("instructions", 0) if one.end == len(words)]
    return text if any(grammars.matched(one, value, {}) for one in again) else None


def _with_slots(do: Tree) -> Tree:
    card = with_own_targets(Card(name="act", types="Sorcery", abilities=(SpellAbility(do=do),)))
    ability = card.abilities[0]
    assert isinstance(ability, SpellAbility)
    return canonical(ability.do)


def canonical(value: Any) -> Any:
    """The tree with every default as the very default: what is left out as it is written, and so what it hashes to, is told by identity."""
    if isinstance(value, tuple):
        return tuple(map(canonical, value))
    if not isinstance(value, msgspec.Struct):
        return value
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(value):
        found = canonical(getattr(value, field.name))
        same = isinstance(field.default, str) and found == field.default
        fields[field.name] = field.default if same else found
    return type(value)(**fields)
