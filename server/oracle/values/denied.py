"""Conditions that are denied ("you didn't attack this turn", "it doesn't have first strike"), and players beside other players.

What is denied is read as if it were affirmed, by the rules that others have, and is not so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words, with_owner

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
OPPONENTS = Noun("your opponents")
THAT_PLAYER = Noun("that player")

#: What is denied, and as what it is affirmed.
_DENIED: dict[Words, Words] = {
    **{
        ("didn't", verb): (past,)
        for verb, past in (
            ("attack", "attacked"),
            ("block", "blocked"),
            ("cast", "cast"),
            ("deal", "dealt"),
            ("die", "died"),
            ("draw", "drew"),
            ("enter", "entered"),
            ("gain", "gained"),
            ("have", "had"),
            ("lose", "lost"),
        )
    },
    ("doesn't", "have"): ("has",),
    ("you", "haven't"): ("you've",),
    ("wasn't",): ("was",),
}
_AFFIRMED = {said: denied for denied, said in _DENIED.items()}
_SUBJECTS = ("you", "it", "{this}", "that")
_FAR = 3
"""So many words the subject has at most."""


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("denied", _denied_at, _denied_words)
    g.rule("cond", "<c:denied>", S.c)
    _of_players(g)
    _of_the_turn(g)


def _denied_at(reader: Reader, place: int) -> Iterable[Reading]:
    if reader.at(place) not in _SUBJECTS:
        return
    for at in range(place, place + _FAR + 1):
        for denied, said in _DENIED.items():
            if reader.words[at : at + len(denied)] != denied:
                continue
            words = (*reader.words[place:at], *said, *reader.words[at + len(denied) :])
            for one in Reader(reader.grammar, words).read("cond", 0):
                end = one.end + place - len(said) + len(denied)
                value = f.NotSo(condition=one.value)
                shown = None if isinstance(one.value, f.NotSo) else _denied_words(Printer(reader.grammar), value)
                if shown is not None and end >= at + len(denied):
                    yield Reading(end, value, shown)
            return


def _denied_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.NotSo):
        return None
    words = printer.write("cond", value.condition)
    if words and words[0] in (*_SUBJECTS, "it's", "you've"):
        words = ("it", "is", *words[1:]) if words[0] == "it's" else words
        for at in range(_FAR + 1):
            for said, denied in _AFFIRMED.items():
                if words[at : at + 1] == said:
                    return (*words[:at], *denied, *words[at + 1 :])
    return None


def _amounts_of(who: str) -> tuple[tuple[str, str, n.Amount], ...]:
    """What a player has or controls, as it is said, and how much of it."""
    control = "you control" if who == "you" else f"{who} controls"
    player = Noun(who)
    return (
        ("has", "life", n.LifeOf(of=player)),
        ("has", "cards in hand", n.CardsIn(zone="hand", of=player)),
        *(("controls", kind, n.Count(of=Noun(f"{kind} {control}"))) for kind in _KINDS),
    )


_KINDS = ("lands", "creatures", "artifacts", "permanents", "enchantments")
_BESIDE: tuple[tuple[str, n.Compare], ...] = (("more", ">"), ("fewer", "<"), ("less", "<"))


def _of_players(g: Grammar) -> None:
    """ "You have more life than an opponent", "that player controls fewer lands than you"."""
    mine, theirs, defenders = (_amounts_of(who) for who in ("you", "that player", "defending player"))
    known = {rule.name for rule in g.rules["cond"]}
    for (verb, what, own), (_, _, other), (_, _, hers) in zip(mine, theirs, defenders, strict=True):
        have = {"has": "have", "controls": "control"}[verb]
        for word, compare in _BESIDE:
            if (word == "less") != (what == "life" and compare == "<"):
                continue
            ahead = f.Holds(left=own, compare=compare, right=other)
            behind = f.Holds(left=other, compare=compare, right=own)
            for whom, who, every in (("an opponent", OPPONENTS, False), ("each opponent", OPPONENTS, True)):
                one = f.SomePlayer(who=who, condition=ahead, every=every)
                _once(g, known, f"you {have} {word} {what} than {whom}", one)
            others = f.SomePlayer(who=OPPONENTS, condition=behind)
            _once(
                g,
                known,
                f"an opponent {verb} {word} {what} than you",
                others,
                f"an opponent {verb} {word} {what} than you do",
            )
            _once(
                g,
                known,
                f"that player {verb} {word} {what} than you",
                behind,
                f"that player {verb} {word} {what} than you do",
            )
            defending = f.Holds(left=hers, compare=compare, right=own)
            _once(g, known, f"defending player {verb} {word} {what} than you", defending)
    for kind in _KINDS:
        theirs, hers = Noun(f"{kind} that player controls"), Noun(f"{kind} defending player controls")
        beaten = f.Holds(left=n.Count(of=theirs), compare=">", right=n.Count(of=hers))
        most = f.NotSo(condition=f.SomePlayer(who=Noun("each player"), condition=beaten))
        g.rule("cond", f"defending player controls the most {kind} or is tied for the most", most)
    no_hand = f.Holds(left=n.CardsIn(zone="hand", of=THAT_PLAYER), compare="=", right=0)
    g.rule("cond", "that player has no cards in hand", no_hand)
    none_left = f.Holds(left=n.CardsIn(zone="library", of=YOU), compare="=", right=0)
    g.rule("cond", "your library has no cards in it", none_left, "you have no cards in your library")
    g.rule("cond", "you have exactly <n:number> life", f.Holds(left=n.LifeOf(of=YOU), compare="=", right=S.n))


def _once(g: Grammar, known: set[str], said: str, shape: Any, *more: str) -> None:
    """A rule that no other module has."""
    if said not in known:
        g.rule("cond", said, shape, *more)


def _of_the_turn(g: Grammar) -> None:
    r = g.rule
    for said in ("dealt damage to an opponent this turn", "dealt damage this turn", "was dealt damage this turn"):
        for what in (THIS, IT):
            such = f.Is(what=what, of=Noun(f"permanent that {said}"))
            r("cond", f"{what.text} {said}", such)
    for done in ("attacked", "blocked"):
        for what in (IT, Noun("that creature")):
            r("cond", f"{what.text} {done} this turn", f.Is(what=what, of=Noun(f"permanent that {done} this turn")))
    been = f.Holds(left=n.TurnCount(what="damage", of=OPPONENTS), compare=">=", right=1)
    g.wording("cond", "an opponent has been dealt damage this turn", been)
    had = f.Is(what=IT, of=S.k)
    g.wording("cond", "it had <k:having>", had)
    _of_attackers(g)
    most = f.Holds(left=n.TurnCount(what="most spells", of=OPPONENTS), compare=">=", right=S.n)
    r("cond", "an opponent cast <n:count> or more spells this turn", most, guard=lambda e: e["n"] != 1)
    cast = f.Holds(left=n.Happened(what="cast", of=S.k), compare=">=", right=1)
    g.terminal("theirspell", _their_spell_at, _their_spell_words)
    r("cond", "an opponent cast <k:theirspell> this turn", cast, "an opponent has cast <k:theirspell> this turn")
    buried = f.Exists(of=S.of, number=S.n)
    g.wording("cond", "you have <n:count> or more <of:plural>", buried, guard=_is_buried)
    facing = f.Holds(left=n.Count(of=OPPONENTS), compare=">=", right=S.n)
    r("cond", "you have <n:count> or more opponents", facing, guard=lambda e: e["n"] != 1)
    g.terminal("alltheirs", _all_theirs_at, _all_theirs_words)
    r("cond", "your opponents control <n:count> or more <k:alltheirs>", f.Exists(of=S.k, number=S.n), guard=_several)
    none = f.Exists(of=S.of, compare="=", number=0)
    g.wording("cond", "no <of:onboard>", none)
    g.terminal("onboard", _on_board_at, lambda p, v: None)


def _of_attackers(g: Grammar) -> None:
    """ "If a white creature is attacking", "if four or more creatures are attacking"."""
    g.terminal("attackers", _attackers_at, _attackers_words)
    g.rule("cond", "<k:attackers> is attacking", f.Exists(of=S.k))
    g.rule("cond", "<n:count> or more <k:attackers> are attacking", f.Exists(of=S.k, number=S.n), guard=_several)


_ATTACKING = " that's attacking"


def _several(e: dict[str, Any]) -> bool:
    return isinstance(e["n"], int) and e["n"] != 1


def _attackers_at(reader: Reader, place: int) -> Iterable[Reading]:
    for one in reader.read("noun", place):
        if reader.words[one.end : one.end + 2] in (("is", "attacking"), ("are", "attacking")) and _is_kind(one):
            made = noun(f"{one.value.text}{_ATTACKING}")
            if made is not None:
                yield Reading(one.end, made, one.words)


def _is_kind(one: Reading) -> bool:
    reading = one.value.reading
    return isinstance(reading, n.Choose | n.Each | n.Things) and one.words[0] not in ("all", "each", "target")


def _attackers_words(_: Printer, value: Any) -> Words | None:
    if not isinstance(value, Noun) or not value.text.endswith(_ATTACKING):
        return None
    bare = noun(value.text.removesuffix(_ATTACKING))
    return None if bare is None else noun_words(bare)


_ALL_THEIRS = " your opponents control"


def _all_theirs_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Lands", as those of all opponents together."""
    for one in reader.read("plurals", place):
        made = noun(f"{one.value.text}{_ALL_THEIRS}")
        if made is not None and isinstance(made.reading, n.Each):
            yield Reading(one.end, made, one.words)


def _all_theirs_words(_: Printer, value: Any) -> Words | None:
    bare = noun(value.text.removesuffix(_ALL_THEIRS)) if isinstance(value, Noun) else None
    return noun_words(bare) if bare is not None and bare != value else None


_THEIRS = " an opponent controls"


def _their_spell_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "A blue spell", as one of an opponent."""
    for one in reader.read("spell", place):
        made = with_owner(one.value.text, "an opponent")
        if made is not None and made.text.endswith(_THEIRS):
            yield Reading(one.end, made, one.words)


def _their_spell_words(_: Printer, value: Any) -> Words | None:
    bare = noun(value.text.removesuffix(_THEIRS)) if isinstance(value, Noun) else None
    return noun_words(bare) if bare is not None and bare != value else None


def _is_buried(e: dict[str, Any]) -> bool:
    text = e["of"].text
    return e["n"] != 1 and text.endswith(" cards in your graveyard")


def _on_board_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creatures are on the battlefield"."""
    for one in reader.read("plural", place):
        if reader.words[one.end : one.end + 4] == ("are", "on", "the", "battlefield"):
            made = noun(f"{one.value.text} on the battlefield")
            if made is not None and isinstance(made.reading, n.Each):
                yield Reading(one.end + 4, made, ())
