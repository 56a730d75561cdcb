"""Statics and conditions in words of older texts: bans "if" something is so, what no opponent controls, damage that something else
happens instead of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import ENTERS, Grammar, Reader, Reading, S, Words, walk
from server.oracle.nouns import noun

THIS = Noun("{this}")
YOU = Noun("you")
OPPONENTS = Noun("your opponents")
THAT_PLAYER = Noun("that player")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _conditions(g)
    _of_itself(g)
    _damage_instead(g)
    _of_the_game(g)


def _conditions(g: Grammar) -> None:
    g.wording("cond", "no opponent controls <of:enemy>", f.NotSo(condition=S.of))
    colors = tuple(f.Exists(of=Noun(f"a {color} permanent you control")) for color in v.COLORS)
    g.rule("cond", "you control a permanent of each color", f.AllOf(conditions=colors))
    g.terminal("buriedkind", _buried_at, lambda p, v: None)
    g.wording("cond", "<n:count> or more <k:buriedkind>", f.Exists(of=S.k, number=S.n), guard=lambda e: e["n"] != 1)
    g.rule("cond", "there are fewer than <n:count> <of:plural>", f.Exists(of=S.of, compare="<", number=S.n),
           guard=lambda e: e["n"] != 1 and e["of"].text != "cards in your graveyard")  # fmt: skip
    few = f.Holds(left=n.CardsIn(zone="library", of=THAT_PLAYER), compare="<=", right=S.n)
    g.rule("cond", "a library has <n:count> or fewer cards in it", f.SomePlayer(who=Noun("each player"), condition=few))


_LIES: Words = ("are", "in", "your", "graveyard")


def _buried_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creature cards are in your graveyard" as "creature cards in your graveyard"."""
    end = next((i for i in range(place + 2, place + 6) if reader.words[i : i + 4] == _LIES), place)
    made = noun(" ".join((*reader.words[place:end], *_LIES[1:]))) if end > place else None
    if made is not None and reader.at(end - 1) == "cards":
        yield Reading(end + 4, made, (*reader.words[place:end], *_LIES[1:]))


def _of_itself(g: Grammar) -> None:
    """What {this} can't do or must do, on a condition that is said last."""
    for ban in ("can't attack", "can't block", "can't attack or block"):
        barred = f.Continuous(what=THIS, mods=(f.Flag(rule=ban),), condition=S.c)
        g.wording("static", f"{{this}} {ban} if <c:scond>", (barred,), guard=_of_no_defender)
        toll = f.Flag(rule=ban, cost=(f.ManaCost(mana=S.m, per=S.e),))
        owed = f.Continuous(what=THIS, mods=(toll,))
        g.wording("static", f"{{this}} {ban} unless you pay <m:mana> for each <e:each>", (owed,))
    driven = f.Continuous(what=THIS, mods=(f.Flag(rule="attacks if able"),), condition=f.NotSo(condition=S.c))
    g.wording("static", "{this} attacks each combat if able unless <c:scond>", (driven,), guard=_of_no_defender)
    stays = f.Continuous(what=THIS, mods=(f.Flag(rule="doesn't untap"),))
    tapped = f.Replacement(event=ENTERS, rewrite=(f.EnterWith(tapped=True),))
    g.rule("static", "{this} enters tapped and doesn't untap during your untap step", (tapped, stays))


def _of_no_defender(e: dict[str, Any]) -> bool:
    return not any(isinstance(part, Noun) and "defending player" in part.text for part in walk(e["c"]))


def _damage_instead(g: Grammar) -> None:
    """ "If damage would be dealt to {this}, put that many counters on it instead" (614.1a), and damage that is halved or less by one."""
    put = f.PutCounters(counter=S.k, what=THIS, count=n.ThatMuch())
    for whom, there in ((THIS, "it"), (YOU, "{this}")):
        event = f.Pattern(event="damage", object=whom)
        made = f.Replacement(event=event, rewrite=(f.Instead(do=(put,)),))
        said = f"if damage would be dealt to {whom.text} , put that many <k:counter> counters on {there} instead"
        g.rule("static", said, (made,))
    about = f.Pattern(event="damage", subject=S.by, object=S.to)
    halved = f.Replacement(event=about, rewrite=(f.Scale(half="down"),))
    less = replace(halved, rewrite=(f.Scale(plus=-1),))
    head = "if <by:receiver> would deal damage to <to:receiver> , it deals"
    for whom in (" to that creature or player", " to that permanent or player", " to that creature", ""):
        add = g.rule if whom == " to that creature or player" else g.wording
        add("static", f"{head} half that damage , rounded down ,{whom} instead", (halved,))
        add("static", f"{head} that much damage minus 1{whom} instead", (less,))


def _of_the_game(g: Grammar) -> None:
    """Who can't win and who can't lose, always or for a turn (104.3)."""
    lose, win = "can't lose the game", "can't win the game"
    demon = (f.PlayerRule(rule=win), f.PlayerRule(rule=lose, who=OPPONENTS))
    g.rule("static", "you can't win the game and your opponents can't lose the game", demon)
    grace = tuple(
        f.RuleEffect(rule=rule, duration="end of turn")
        for rule in (f.PlayerRule(rule=lose), f.PlayerRule(rule=win, who=OPPONENTS))
    )
    g.rule("do", "you can't lose the game this turn and your opponents can't win the game this turn", grace)
