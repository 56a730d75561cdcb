"""What is done if somebody cannot do what they are told: "that player sacrifices a creature. If they can't, draw a card".

A condition says only that the instruction before it was not done; by whom it was to be done stands there.
"""

from __future__ import annotations

from typing import Any

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, S, Words
from server.oracle.nouns import is_one, is_person

DIDNT = f.NotSo(condition=f.Did())
_THEY_CANT: Words = ("if", "they", "can't")
_YOU_DONT: Words = ("if", "you", "don't")
_IT_DIES: Words = ("if", "it", "would", "die")
_ONE_DIES: Words = ("if", "a", "creature", "dealt", "damage", "this", "way", "would", "die")
_OF_OTHERS = frozenset((_THEY_CANT, *(("if", who, "player", "can't") for who in ("the", "that"))))
_YOURS = frozenset((_YOU_DONT, ("if", "you", "can't")))


def install(g: Grammar) -> None:
    """Adds the rules."""
    cant = (f.If(condition=DIDNT, then=S.do),)
    said = [f"if {who} can't , <do:chain>" for who in ("you", "they", "the player", "that player")]
    g.wording("governed", said[0], cant, *said[1:])


def is_anothers(verb: Any) -> bool:
    """Whether a player other than you does it."""
    who = getattr(verb, "who", None)
    return isinstance(who, Noun) and who != Noun("you") and is_person(who)


def misspeaks(reader: Reader, place: int, before: Any, verb: Any) -> bool:
    """Whether what begins there is about an attempt that was another player's than the one whose it is said to be."""
    if not isinstance(verb, f.If) or verb.condition != DIDNT:
        return False
    return reader.words[place : place + 3] in (_YOURS if is_anothers(before) else _OF_OTHERS)


def as_told(before: Any, words: Words) -> Words:
    """The words about what was just told: an attempt with who attempted it, one of several creatures that were dealt damage."""
    if words[:3] == _YOU_DONT and is_anothers(before):
        return (*_THEY_CANT, *words[3:])
    if words[: len(_IT_DIES)] == _IT_DIES and isinstance(before, f.Damage) and not is_one(before.to):
        return (*_ONE_DIES, *words[len(_IT_DIES) :])
    return words
