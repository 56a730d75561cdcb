"""What is chosen or targeted first, and spoken of afterwards ("choose a Dwarf you control. Attach any number of Equipment you
control to it")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, tokens, walk

IT = Noun("it")
THAT_PLAYER = Noun("that player")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _shuffled_by_target(g)
    g.terminal("chosenone", _chosen_one_at, lambda p, v: p.write("noun", v))
    g.rule("do", "choose <w:chosenone>", f.Pick(what=S.w))
    _attached_to_chosen(g)
    _greater_than_target(g)
    _of_a_type_that_each_chooses(g)
    _attached_if_all_are_there(g)
    _tapped_to_fight(g)
    _counters_among_others(g)
    _distributed(g)


def _shuffled_by_target(g: Grammar) -> None:
    """ "Target player shuffles up to two target cards from their graveyard into their library"."""
    aimed = f.Bind(as_name="player", what=S.p)
    away = f.Move(what=S.w, to="library", shuffle=True)
    said = "<p:aimedplayer> shuffles <w:aimed> into their library"
    g.rule("do", said, (aimed, away), guard=lambda e: _is_theirs(e["w"]))


def _is_theirs(value: Noun) -> bool:
    """Whether it speaks of targets in a zone of the player who is targeted first."""
    return any(part == n.OwnedBy(by=n.It(what="player")) for part in walk(value.reading))


def _attached_to_chosen(g: Grammar) -> None:
    """ "Choose a Dwarf you control. Attach any number of Equipment you control to it"."""
    picked = f.Pick(what=S.w, as_name="it")
    attached = f.Attach(what=S.e, to=IT)
    g.rule("do", "choose <w:things> . attach <e:things> to it", (picked, attached), guard=lambda e: _one_kept(e["w"]))


def _chosen_one_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One thing in public, without a target ("a creature you control", "a card in your graveyard"), which "it" is then."""
    for one in reader.read("noun", place):
        reading = one.value.reading
        if not isinstance(reading, n.Choose) or reading.count != 1 or reading.up_to or one.words[0] not in _ARTICLES:
            continue
        kind = reading.of
        if one.words[0] == "another" and one.words[-2:] != ("you", "control"):
            continue  # than the source, or than a target that was spoken of before: which no rule tells
        if kind.players is None and kind.zone in ("battlefield", "graveyard", "exile") and not _speaks_back(reading):
            yield one


_ARTICLES = ("a", "an", "another")


def _speaks_back(reading: Any) -> bool:
    """Whether it is one of what was looked at, had something done to it or lies in one of two zones, of which other rules speak."""
    other = (n.LiesIn, n.Target)
    return any(isinstance(p, other) or isinstance(p, n.Among) and not isinstance(p.of, n.Linked) for p in walk(reading))


def _one_kept(value: Noun) -> bool:
    """Whether it is one permanent of one's own that is chosen, without a target."""
    reading = value.reading
    return isinstance(reading, n.Choose) and reading.count == 1 and value.text.endswith(" you control")


def _greater_than_target(g: Grammar) -> None:
    """ "Destroy all creatures with power greater than target creature's power"."""
    aimed = f.Bind(as_name="aimed", what=Noun("target creature"))
    greater = f.Destroy(what=Noun("all creatures with power greater than $aimed's power"))
    g.rule("do", "destroy all creatures with power greater than target creature 's power", (aimed, greater))


def _of_a_type_that_each_chooses(g: Grammar) -> None:
    """What players choose a creature type for, one after the other."""
    cards = Noun("any number of cards of the chosen type from their graveyard")
    word = f.ChooseWord(what="creature type", who=THAT_PLAYER)
    back = f.Move(what=cards, to="hand", who=THAT_PLAYER)
    each = f.ForEach(of=Noun("each player"), then=(word, back))
    said = "each player chooses a creature type and returns any number of cards of that type from their graveyard to their hand"
    g.rule("do", said, each)


def _attached_if_all_are_there(g: Grammar) -> None:
    """ "If you control Equipment named A, B, and C, create a token and attach those Equipment to it"."""
    g.terminal("kit", _kit_at, _kit_words)
    g.rule("governed", "if you control Equipment named <k:kit>", S.k)


def _tapped_to_fight(g: Grammar) -> None:
    """ "Tap target creature you control and target creature of an opponent's choice they control. Those creatures fight each other"."""
    one, other = (f.Bind(as_name=name, what=what) for name, what in (("own", S.a), ("theirs", S.b)))
    both = Noun("$own and $theirs")
    tree = (one, other, f.Tap(what=both), f.Fight(left=Noun("$own"), right=Noun("$theirs")))
    said = "tap <a:aimed> and <b:aimed> . those creatures fight each other"
    g.rule("do", said, tree, guard=lambda e: all("creature" in e[name].text for name in "ab"))


def _counters_among_others(g: Grammar) -> None:
    """ "Move any number of +1/+1 counters from {this} onto other creatures": which they are is chosen first, then how many each gets."""
    some = f.Pick(what=Noun("any number of other creatures"), as_name="receivers")
    one = f.MoveCounters(source=Noun(f.THIS), to=IT, counter=S.k, some="any number")
    tree = (some, f.ForEach(of=Noun("$receivers"), then=(one,)))
    g.rule("do", "move any number of <k:counter> counters from {this} onto other creatures", tree)


def _distributed(g: Grammar) -> None:
    """ "Distribute X +1/+1 counters among {this} and any number of commanders", who are chosen as it is followed."""
    some = f.Pick(what=S.w, least=0, as_name="receivers")
    for first, name in ((f.THIS, f.THIS), ("it", "$first")):
        given = f.PutCounters(counter=S.k, what=Noun(f"{name} and $receivers"), count=S.n, distribute=True)
        bound = (f.Bind(as_name="first", what=IT),) if first == "it" else ()
        g.rule(
            "do", f"distribute <n:count> <k:counter> counters among {first} and <w:anynumber>", (*bound, some, given)
        )


_NAMED = "all Equipment you control named "
_KIT = re.compile(r"(.+?) , (.+?) , and (.+?) , (create .+)")
_THOSE = ("and", "attach", "those", "Equipment", "to", "it")


def _kit_at(reader: Reader, place: int) -> Iterable[Reading]:
    end = next((i for i in range(place, len(reader.words)) if reader.words[i : i + 6] == _THOSE), None)
    if end is None:
        return
    found = _KIT.fullmatch(" ".join(reader.words[place:end]))
    if found is None or not all(found[i][:1].isupper() or found[i] == f.THIS for i in (1, 2, 3)):
        return
    start = end - len(found[4].split())
    for one in reader.read("simple", start):
        if one.end == end and len(one.value) == 1 and isinstance(one.value[0], f.CreateToken):
            names = [found[i].replace(" 's", "'s") for i in (1, 2, 3)]
            yield Reading(end + 6, (_kit(names, one.value[0]),), (*_listed(names), *one.words, *_THOSE))


def _listed(names: list[str]) -> Words:
    a, b, c = (tuple(tokens(name)) for name in names)
    return (*a, ",", *b, ",", "and", *c, ",")


def _kit(names: list[str], created: f.CreateToken) -> f.If:
    kinds = [Noun(_NAMED + name) for name in names]
    attached = tuple(f.Attach(what=kind, to=Noun("that token")) for kind in kinds)
    return f.If(condition=f.AllOf(conditions=tuple(f.Exists(of=kind) for kind in kinds)), then=(created, *attached))


def _kit_words(printer: Printer, value: Any) -> Words | None:
    match value:
        case (f.If(condition=f.AllOf(conditions=found), then=(f.CreateToken() as created, *_)),) if len(found) == 3:
            names = [one.of.text.removeprefix(_NAMED) for one in found if isinstance(one, f.Exists)]
            said = printer.write("chain", (created,)) if len(names) == 3 and value == (_kit(names, created),) else None
            return None if said is None else (*_listed(names), *said, *_THOSE)
    return None
