"""Conditions that one of several players meets, each asked by itself: "if an opponent has 10 or less life"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words
from server.oracle.values.conditions import MORE_OR_FEWER, MORE_OR_LESS, controlled_at, controlled_words

THAT_PLAYER = Noun("that player")
YOU = Noun("you")
OPPONENTS = Noun("your opponents")
EVERYONE = Noun("each player")
_WHO = (
    ("an opponent", OPPONENTS, False),
    ("a player", EVERYONE, False),
    ("each opponent", OPPONENTS, True),
    ("each player", EVERYONE, True),
)
_KNOWN = ("or more cards in hand", "or fewer cards in hand")
"""What is asked of that player among other conditions already."""


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("theirthings", controlled_at("that player"), controlled_words("that player"))
    # Current 102.4: you and your teammates.
    g.terminal("ofteam", controlled_at("your team"), controlled_words("your team"))
    g.rule("cond", "your team controls <of:ofteam>", S.of)
    gained = n.TurnCount(what="life gained", of=Noun("your team"))
    g.rule("cond", "your team gained life this turn", f.Holds(left=gained, compare=">=", right=1))
    for said, who, every in _WHO:
        for template, condition in _conditions():
            g.rule("cond", f"{said} {template}", f.SomePlayer(who=who, condition=condition, every=every))
    for template, condition in _conditions():
        if not template.endswith(_KNOWN):
            g.rule("cond", f"that player {template}", condition)
    g.rule("cond", "that player controls <of:theirthings>", S.of)
    for said in ("defending player", "its controller"):  # current 122.1f
        poisoned = n.CountersOn(counter="poison", of=Noun(said))
        words = said.replace("'s", " 's")
        g.rule("cond", f"{words} is poisoned", f.Holds(left=poisoned, compare=">=", right=1))
    _foremost(g)
    own = n.CardsIn(zone="hand", of=YOU)
    than: tuple[tuple[str, n.Compare], ...] = (("fewer", "<"), ("more", ">"))
    for text, compare in than:
        held = f.Holds(left=own, compare=compare, right=S.n)
        g.rule(
            "cond",
            f"you have {text} than <n:count> cards in hand",
            held,
            f"you have {text} than <n:count> cards in your hand",
        )
        lie = f.Holds(left=n.CardsIn(zone="graveyard", of=YOU), compare=compare, right=S.n)
        g.rule("cond", f"there are {text} than <n:count> cards in your graveyard", lie)
    for kind in ("lands", "creatures"):
        theirs, mine = n.Count(of=Noun(f"{kind} that player controls")), n.Count(of=Noun(f"{kind} you control"))
        more = f.Holds(left=theirs, compare=">", right=mine)
        ahead = f.SomePlayer(who=OPPONENTS, condition=more)
        g.rule("cond", f"an opponent controls more {kind} than you", ahead)
        defends = replace(more, left=n.Count(of=Noun(f"{kind} defending player controls")))
        g.rule("cond", f"defending player controls more {kind} than you", defends)
    made = f.SomePlayer(who=OPPONENTS, condition=S.of)
    g.rule("cond", "an opponent controls <of:theirthings>", made, guard=_several)


def _conditions() -> list[tuple[str, Any]]:
    """What is asked of a player, as a template and its condition."""
    life, hand = n.LifeOf(of=THAT_PLAYER), n.CardsIn(zone="hand", of=THAT_PLAYER)
    grave, poison = n.CardsIn(zone="graveyard", of=THAT_PLAYER), n.CountersOn(counter="poison", of=THAT_PLAYER)
    mine, my_hand = n.LifeOf(of=YOU), n.CardsIn(zone="hand", of=YOU)
    found: list[tuple[str, Any]] = [
        ("has no cards in hand", f.Holds(left=hand, compare="=", right=0)),
        ("has more life than you", f.Holds(left=life, compare=">", right=mine)),
        ("has less life than you", f.Holds(left=life, compare="<", right=mine)),
        ("has more cards in hand than you", f.Holds(left=hand, compare=">", right=my_hand)),
        ("is poisoned", f.Holds(left=poison, compare=">=", right=1)),
        ("has <n:count> or more poison counters", f.Holds(left=poison, compare=">=", right=S.n)),
        ("has <n:count> or more cards in their graveyard", f.Holds(left=grave, compare=">=", right=S.n)),
    ]
    for text, compare in MORE_OR_LESS:
        found.append((f"has <n:number> {text} life", f.Holds(left=life, compare=compare, right=S.n)))
    for text, compare in MORE_OR_FEWER:
        found.append((f"has <n:count> {text} cards in hand", f.Holds(left=hand, compare=compare, right=S.n)))
    return found


def _several(e: dict[str, Any]) -> bool:
    return isinstance(e["of"], f.Exists) and isinstance(e["of"].of.reading, n.Each)


_MOST = "the player who controls the most "


def _foremost(g: Grammar) -> None:
    """ "A player has more life than each other player": there is one who has the most."""
    for said, who in (
        ("has more life", "the player with the most life"),
        ("has more cards in hand", "the player who has the most cards in hand"),
    ):
        g.rule("cond", f"a player {said} than each other player", f.Exists(of=Noun(who)))
    g.terminal("controlsmost", _most_at, _most_words)
    g.rule("cond", "a player controls more <k:controlsmost> than each other player", f.Exists(of=S.k))


def _most_at(reader: Reader, place: int) -> Iterable[Reading]:
    for one in reader.read("plurals", place):
        made = noun(_MOST + one.value.text)
        if made is not None:
            yield Reading(one.end, made, one.words)


def _most_words(_: Printer, value: Any) -> Words | None:
    bare = noun(value.text.removeprefix(_MOST)) if isinstance(value, Noun) and value.text.startswith(_MOST) else None
    return None if bare is None else noun_words(bare)
