"""Rules for keyword actions (701): surveil, explore, connive, proliferate, clash, vote and the like, and what speaks of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
WHO = S.who
WHAT = S.what
# What players do, without and with a number.
PLAIN_ACTIONS = ("investigate", "learn")
COUNTED_ACTIONS = ("surveil", "bolster", "blight", "incubate")
TRIGGERS = (*PLAIN_ACTIONS, "surveil", "proliferate")


#: Current 701.66a.
_EARTHBEND = (
    f.Effect(
        what=Noun("target land you control"),
        mods=(f.SetTypes(types=("creature",)), f.SetPT(power=0, toughness=0), f.GainAbilities(keywords=("haste",))),
        duration="forever",
    ),
    f.PutCounters(counter="+1/+1", what=IT, count=S.n),
    f.Delayed(
        when=(
            f.Pattern(event="zone change", subject=IT, from_="battlefield", to="graveyard"),
            f.Pattern(event="zone change", subject=IT, from_="battlefield", to="exile"),
        ),
        then=(f.Move(what=IT, to="battlefield", tapped=True),),
    ),
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule

    def acts(action: Any, **fields: Any) -> f.KeywordAction:
        return f.KeywordAction(action=action, **fields)

    for action in PLAIN_ACTIONS:
        r("vp", f"{action}~", acts(action, who=WHO))
    r("vp", "investigate~ twice", acts("investigate", count=2, who=WHO))
    r(
        "vp",
        "investigate~ <m:count> times",
        acts("investigate", count=S.m, who=WHO),
        guard=lambda e: e["m"] not in (1, 2),
    )
    r("vp", "investigate~ for each <e:each>", acts("investigate", count=S.e, who=WHO))
    for action in COUNTED_ACTIONS:
        r("vp", f"{action}~ <n:number>", acts(action, count=S.n, who=WHO))
    r("vp", "amass~ <n:number>", acts("amass", count=S.n, who=WHO), "amass~ Zombies <n:number>")
    r("vp", "amass~ <k:ofkind> <n:number>", acts("amass", count=S.n, who=WHO, kind=S.k))
    g.terminal(
        "ofkind", _of_kind_at, lambda p, value: (v.plurals(value)[0],) if isinstance(value, str) and value else None
    )
    r("do", "adapt <n:number>", acts("adapt", count=S.n, what=THIS))
    r("op", "explore~", acts("explore", what=WHAT))
    r("op", "connive~", acts("connive", what=WHAT))
    r("op", "connive~ <n:number>", acts("connive", count=S.n, what=WHAT))
    r("op", "endure~ <n:number>", acts("endure", count=S.n, what=WHAT))
    blight = f.CountersCost(counter="-1/-1", count=S.n, of=Noun("a creature you control"), put=True)  # current 701.68
    r("costpart", "blight <n:number>", blight)
    r("do", "detain <what:things>", acts("detain", what=WHAT))
    for number, word in ((1, "one"), (2, "two"), (3, "three"), (4, "four"), (5, "five"), (6, "six")):
        put = f.PutCounters(counter="+1/+1", what=Noun(f"up to {word} target creatures"))
        r("do", f"support {number}", put)
    r("vp", "proliferate~", f.Proliferate(who=WHO), "proliferate~ again")
    r("do", "time travel", f.TimeTravel())
    r("vp", "become~ the monarch", f.BecomeMonarch(who=WHO))
    r("cond", "you're the monarch", f.IsMonarch(who=YOU), "you are the monarch")
    r("cond", "an opponent is the monarch", f.IsMonarch(who=Noun("your opponents")))
    r("cond", "there is no monarch", f.NotSo(condition=f.IsMonarch()))
    r("cond", "you have the city 's blessing", f.HasBlessing(who=YOU))
    r("vp", "get~ <c:count> rad counter|counters", f.PutCounters(counter="rad", what=WHO, count=S.c))
    r("do", "earthbend <n:number>", _EARTHBEND)
    _hidden(g)
    _ring(g)
    _several_times(g)
    _clashing(g)
    _voting(g)
    for action in TRIGGERS:
        event = f.Pattern(event="keyword action", cause=action, subject=S.w)
        r("event", f"<w:player> {action}~", (event,))
    g.terminal("milling", _milling_at, _milling_words)
    r("event", "<m:milling>", (S.m,))
    together = f.Pattern(event="zone change", subject=S.k, from_="library", to="graveyard", cause="mill", grain="batch")
    r("event", "one or more <k:plural> are milled", (together,), guard=lambda e: e["k"].text.endswith("cards"))
    for action in ("explore", "connive", "evolve", "train"):
        r("event", f"<s:subject> {action}s", (f.Pattern(event="keyword action", cause=action, subject=S.s),))


_BEARER = Noun("your Ring-bearer")


def _ring(g: Grammar) -> None:
    """The Ring tempts a player, and who bears it (current 701.54)."""
    tempts = f.KeywordAction(action="the Ring tempts", who=S.w)
    g.rule("do", "the Ring tempts <w:person>", tempts)
    tempted = f.Pattern(event="keyword action", cause="the Ring tempts", subject=YOU)
    g.rule("event", "the Ring tempts you", (tempted,))
    # Who was chosen is so for good as it happens, and asked then (current 701.54d).
    other = replace(tempted, object=Noun("another creature"))
    g.rule("event", "the Ring tempts you , if you chose a creature other than {this} as your Ring-bearer", (other,))
    g.rule("cond", "{this} is your Ring-bearer", f.Is(what=THIS, of=_BEARER))
    g.rule("cond", "you control a Ring-bearer", f.Exists(of=_BEARER))
    g.rule("cond", "you don't control a Ring-bearer", f.NotSo(condition=f.Exists(of=_BEARER)))


#: What is said to be done several times.
_SEVERAL_TIMES = (("proliferate",), ("populate",), ("manifest", "dread"))


def _several_times(g: Grammar) -> None:
    r = g.rule
    g.terminal("again", _again_at, _again_words)
    again = f.ForEach(times=S.m, then=S.do)
    r("do", "<do:again> <m:count> times", again, guard=lambda e: e["m"] not in (1, 2))
    r("do", "<do:again> twice", replace(again, times=2))


def _again_at(reader: Reader, place: int) -> Iterable[Reading]:
    for words in _SEVERAL_TIMES:
        if reader.words[place : place + len(words)] == words:
            inner = Reader(reader.grammar, words)  # of these words alone, not again of what is done several times
            for one in inner.read("chain", 0):
                if one.end == len(words) and "those" not in reader.present:
                    yield Reading(place + len(words), one.value, one.words)


def _again_words(printer: Printer, value: Any) -> Words | None:
    words = tuple(word.rstrip("~") for word in printer.write("chain", value) or ())
    return words if words in _SEVERAL_TIMES else None


def _hidden(g: Grammar) -> None:
    """Manifesting and cloaking (current 701.40, current 701.58), and manifesting dread (current 701.62)."""
    for verb, mark in (("manifest", "manifested"), ("cloak", "cloaked")):
        hidden = f.Move(what=WHAT, to="battlefield", face_down=True, mark=mark)  # type: ignore[arg-type]
        g.rule("do", f"{verb} <what:things>", hidden)
    dread = Noun("$dread")
    g.rule(
        "do",
        "manifest dread",
        (
            f.Look(what=Noun("the top two cards of your library")),
            f.Pick(what=Noun("one of $looked"), as_name="dread"),
            f.Move(what=Noun("the rest"), to="graveyard"),
            f.Move(what=dread, to="battlefield", face_down=True, mark="manifested"),
        ),
    )


def _of_kind_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Orcs" as the creature type."""
    word = reader.at(place)
    for kind in v.CREATURE_TYPES:
        if word in v.plurals(kind) and kind != "Zombie":
            return [Reading(place + 1, kind, (v.plurals(kind)[0],))]
    return ()


_OWNED = {"a player": "", "you": " you own", "an opponent": " an opponent owns"}


def _milling_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "A player mills a nonland card": the card is told of by whose it is."""
    for who in reader.read("player", place):
        owned = _OWNED.get(who.value.text)
        if owned is None or reader.at(who.end) not in ("mills", "mill"):
            continue
        for card in reader.read("noun", who.end + 1):
            subject = noun(card.value.text + owned)
            if subject is not None and isinstance(card.value.reading, n.Choose) and card.words[-1] == "card":
                event = f.Pattern(event="zone change", subject=subject, from_="library", to="graveyard", cause="mill")
                yield Reading(card.end, event, (*who.words, "mills" if owned != " you own" else "mill", *card.words))


def _milling_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Pattern) or value.cause != "mill" or value.subject is None:
        return None
    text = value.subject.text
    who = next((one for one, tail in _OWNED.items() if tail and text.endswith(tail)), "a player")
    card = noun(text[: len(text) - len(_OWNED[who])])
    same = f.Pattern(event="zone change", subject=value.subject, from_="library", to="graveyard", cause="mill")
    if card is None or value != same:
        return None
    return (*who.split(), "mill" if who == "you" else "mills", *noun_words(card))


# --- clashing and voting ------------------------------------------------------------------------------------------------------


def _clashing(g: Grammar) -> None:
    r = g.rule
    r("do", "clash with an opponent", f.Clash())
    r("cond", "you win", f.Holds(left=n.ThatMuch(name="won"), compare="=", right=1), "you won")
    r("do", "repeat this process", f.Again())


def _voting(g: Grammar) -> None:
    r = g.rule
    g.terminal("voted", _voted_at, _voted_words)
    g.terminal("candidate", _candidate_at, _candidate_words)
    for said, fields in (("<o:voted>", {"options": S.o}), ("<o:candidate>", {"among": S.o})):
        opened = f"starting with you , each player votes for {said}"
        r("do", opened, f.Vote(**fields), opened.replace(" ,", ""))
        r("do", f"each player secretly votes for {said} , then those votes are revealed", f.Vote(secret=True, **fields))
    g.terminal("ballot", _ballot_at, _ballot_words)
    r("each", "<b:ballot> vote", n.ThatMuch(name=S.b))
    r("amount", "the number of <b:ballot> votes", n.ThatMuch(name=S.b))
    r("each", "vote they received", n.Votes(of=Noun("that player")))
    r("each", "vote you received", n.Votes(of=YOU))
    often = f.ForEach(times=n.ThatMuch(name=S.b), then=S.do)
    r("governed", "for each <b:ballot> vote , <do:chain>", (often,))
    g.terminal("outcome", _outcome_at, _outcome_words)
    r("cond", "<o:outcome>", S.o)
    r("cond", "no creature got votes", f.Exists(of=Noun("creature with one or more votes"), compare="=", number=0))
    r("event", "players finish voting", (f.Pattern(event="voted"),))
    again = "while voting , you"
    r("static", f"{again} may vote an additional time", (f.PlayerRule(rule="votes again", number=1, free=True),))
    r("static", f"{again} get an additional vote", (f.PlayerRule(rule="votes again", number=1),))
    chosen = f.PlayerRule(rule="votes as chosen", who=Noun("each player"))
    r("do", "you choose how each player votes this turn", f.RuleEffect(rule=chosen))


def _candidate_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A thing to vote for ("a nonland permanent you don't control"), which may not depend on who votes."""
    return [one for one in reader.read("noun", place) if _is_candidate(one.value)]


def _is_candidate(noun: Noun) -> bool:
    reading = noun.reading
    return isinstance(reading, n.Choose) and reading.count == 1 and "another" not in noun.text.split()


def _candidate_words(printer: Printer, value: Any) -> Words | None:
    return noun_words(value) if isinstance(value, Noun) and _is_candidate(value) else None


def _choices(reader: Reader) -> tuple[str, ...]:
    """The words that a text has its players vote for."""
    words = reader.words
    for place in range(len(words) - 4):
        if words[place : place + 2] == ("votes", "for"):
            for one in _voted_at(reader, place + 2):
                return one.value
    return ()


def _voted_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "strength or numbers", "death, torture, or taxes": single words."""
    found = [reader.at(place)]
    at = place + 1
    last = False
    while not last and reader.at(at) in (",", "or"):
        last = "or" in (reader.at(at), reader.at(at + 1))
        at += 1 + (reader.words[at : at + 2] == (",", "or"))
        found.append(reader.at(at))
        at += 1
    if last and all(word.isalpha() for word in found):
        yield Reading(at, tuple(found), reader.words[place:at])


def _voted_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or len(value) < 2:
        return None
    words: list[str] = []
    for word in value[:-1]:
        words += [*([","] if words else []), word]
    return (*words, *((",",) if len(value) > 2 else ()), "or", value[-1])


def _ballot_at(reader: Reader, place: int) -> Iterable[Reading]:
    word = reader.at(place)
    return [Reading(place + 1, f"{word} votes", (word,))] if word in _choices(reader) else ()


def _ballot_words(printer: Printer, value: Any) -> Words | None:
    return (value[: -len(" votes")],) if isinstance(value, str) and value.endswith(" votes") else None


_MORE: tuple[tuple[Words, n.Compare], ...] = (
    (("gets", "more", "votes", "or", "the", "vote", "is", "tied"), ">="),
    (("gets", "more", "votes"), ">"),
)


def _outcome_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Death gets more votes": than the other of two."""
    options = _choices(reader) if reader.at(place + 1) == "gets" else ()
    if len(options) != 2 or reader.at(place) not in options:
        return
    one = reader.at(place)
    other = options[1 - options.index(one)]
    for tail, compare in _MORE:
        if reader.words[place + 1 : place + 1 + len(tail)] == tail:
            value = f.Holds(
                left=n.ThatMuch(name=f"{one} votes"), compare=compare, right=n.ThatMuch(name=f"{other} votes")
            )
            yield Reading(place + 1 + len(tail), value, (one, *tail))
            return


def _outcome_words(printer: Printer, value: Any) -> Words | None:
    if (
        not isinstance(value, f.Holds)
        or not isinstance(value.left, n.ThatMuch)
        or not isinstance(value.right, n.ThatMuch)
    ):
        return None
    said = _ballot_words(printer, value.left.name)
    tail = next((words for words, compare in _MORE if compare == value.compare), None)
    return None if said is None or tail is None else (*said, *tail)
