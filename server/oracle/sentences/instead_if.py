"""Rules for an instruction that another one replaces if something is so ("Draw a card. If you control a Wall, draw two cards
instead", 614.15).

Both are of one kind, verb for verb, so that there is no doubt which instruction is meant. What the second says of "it" is what
the first would have been about; it has no targets of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, walk
from server.oracle.nouns import speaks_of_it
from server.oracle.sentences.conditions_behind import asks_of_chosen, excepts
from server.oracle.sentences.sentence_modifiers import asks_of_named, is_may, targets

IT = Noun("it")
THIS = Noun("{this}")

#: Verbs of which one stands in for another: what becomes of something, and how it grows.
KIN: tuple[tuple[type[f.VerbForm], ...], ...] = (
    (f.Destroy, f.Move, f.Sacrifice, f.CounterSpell),
    (f.Effect, f.PutCounters),
)
_AGAIN = (
    "creature",
    "permanent",
    "creature or player",
    "permanent or player",
    "player or permanent",
    "player",
    "planeswalker",
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("replaced", _replaced_at, _replaced_words)
    g.rule("governed", "<x:replaced>", (S.x,), guard=lambda e: isinstance(e["x"], f.InsteadIf))
    g.terminal("eitherway", _either_way_at, lambda p, v: None)
    g.wording("governed", "<x:eitherway>", (S.x,))
    g.terminal("whole", _whole_at, lambda p, v: None)
    g.wording("governed", "<x:whole>", (S.x,))
    back = f.Move(what=Noun("that card"), to="battlefield")
    g.rule("inplace", "return that card to the battlefield", (back,),
           "return that card from your graveyard to the battlefield")  # fmt: skip
    dealt = f.Damage(amount=S.n, to=IT, source=THIS)
    equal = f.Damage(amount=S.a, to=IT, source=THIS)
    more = [
        f"{who} deals <n:number> damage{to}"
        for who in ("{this}", "it")
        for to in ("", *(f" to that {w}" for w in _AGAIN))
    ]
    g.rule("inplace", more[0], (dealt,), *more[1:])
    said = [f"{who} deals damage equal to <a:amount>" for who in ("{this}", "it")]
    g.rule("inplace", said[0], (equal,), said[1])


def _kin(one: f.Verb, other: f.Verb) -> bool:
    if isinstance(one, f.If) and isinstance(other, f.If):  # "destroy it if its mana value is 4 or less instead"
        return _fits(one.then, other.then) and not (one.otherwise or other.otherwise)
    return type(one) is type(other) or any(isinstance(one, kin) and isinstance(other, kin) for kin in KIN)


def _fits(first: f.Tree, second: f.Tree) -> bool:
    """Whether the second may stand in for the first."""
    if len(first) != len(second) or not all(_kin(a, b) for a, b in zip(first, second, strict=True)):
        return False
    if targets(second):
        return False
    what = getattr(first[0], "what", None)
    if what is not None and isinstance(what.reading, n.Choose) and speaks_of_it(second):
        return False
    verbs = (part for verb in (*first, *second) for part in (verb.parts if isinstance(verb, f.AtOnce) else (verb,)))
    deals = [verb.source for verb in verbs if isinstance(verb, f.Damage)]
    return not deals or all(source == THIS for source in deals)


def _by_this(verb: f.Verb) -> f.Verb:
    """Damage that "it" deals as dealt by {this}."""
    if isinstance(verb, f.AtOnce):
        return replace(verb, parts=tuple(replace(p, source=THIS) if p.source == IT else p for p in verb.parts))
    return replace(verb, source=THIS) if isinstance(verb, f.Damage) and verb.source == IT else verb


def _resized(first: f.Tree, second: f.Tree) -> f.Tree:
    """ "It has base power and toughness 1/1 instead" of what becomes a 4/3 creature: it becomes that all the same, of another size."""
    if len(first) != 1 or len(second) != 1:
        return second
    made, sized = first[0], second[0]
    if not isinstance(made, f.Effect) or not isinstance(sized, f.Effect) or made.duration != sized.duration:
        return second
    types = [mod for mod in made.mods if isinstance(mod, f.SetTypes)]
    sizes = [mod for mod in made.mods if isinstance(mod, f.SetPT)]
    if not types or len(sizes) != 1 or len(sized.mods) != 1 or not isinstance(sized.mods[0], f.SetPT):
        return second
    return (replace(sized, mods=tuple(sized.mods[0] if mod is sizes[0] else mod for mod in made.mods)),)


def _instead_at(reader: Reader, place: int, first: f.Tree) -> Iterable[Reading]:
    """What is done instead, "it" that deals damage being {this}."""
    inplace = reader.read("inplace", place)
    said = [one.end for one in inplace]  # "to that creature" is what the first instruction was about
    for one in (*inplace, *(one for one in reader.read("chain", place) if one.end not in said)):
        value = tuple(_by_this(verb) for verb in one.value)
        yield Reading(one.end, _resized(first, value), one.words)
    # "Create two of those tokens"
    for count in reader.read("count", place + 1) if reader.at(place) == "create" else ():
        made = first[0]
        if reader.words[count.end : count.end + 3] == ("of", "those", "tokens") and isinstance(made, f.CreateToken):
            copied = IT if made.copy_of is not None and targets(made.copy_of) else made.copy_of
            value = (replace(made, count=count.value, copy_of=copied),)
            yield Reading(count.end + 3, value, ("create", *count.words, "of", "those", "tokens"))


def _replaced_at(reader: Reader, place: int) -> Iterable[Reading]:
    if "instead" not in reader.present:
        return
    for first in (*reader.read("top", place), *_checked_at(reader, place)):
        if reader.at(first.end) != "." or place and any(isinstance(verb, f.AddMana) for verb in first.value):
            continue  # a mana ability is two of them (`abilities.instead_mana`)
        for end, condition, second in (*_condition_first(reader, first), *_condition_last(reader, first)):
            if _fits(first.value, second):
                value = f.InsteadIf(first=_shuffled(first.value, second), condition=condition, instead=second)
                words = _replaced_words(Printer(reader.grammar), value)
                if words is not None:
                    yield Reading(end, value, words)


def _shuffled(first: f.Tree, second: f.Tree) -> f.Tree:
    """The first search with "then shuffle" that stands behind what is searched for instead: either way it is done."""
    one, other = first[-1], second[-1]
    if isinstance(one, f.Search) and isinstance(other, f.Search) and other.shuffle:
        return (*first[:-1], replace(one, shuffle=True))
    return first


def _checked_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Destroy target creature if its mana value is 2 or less", of which another number may stand in the place of the first."""
    for one in reader.read("simple", place):
        for cond in reader.read("cond", one.end + 1) if reader.at(one.end) == "if" else ():
            if asks_of_named(cond.value, one.value) and not excepts(one.value):
                value = f.If(condition=cond.value, then=one.value, trailing=True)
                yield Reading(cond.end, (value,), (*one.words, "if", *cond.words))


def _condition_first(reader: Reader, first: Reading) -> Iterable[tuple[int, Any, f.Tree]]:
    """ "If you control a Wall, draw two cards instead"."""
    for cond in reader.read("cond", first.end + 2) if reader.at(first.end + 1) == "if" else ():
        if reader.at(cond.end) != ",":
            continue
        early = reader.at(cond.end + 1) == "instead"
        for one in _instead_at(reader, cond.end + 1 + early, first.value):
            end = one.end + (not early)
            # "Instead counter that spell, then scry 2": all of the sentence is done instead.
            if (early or reader.at(one.end) == "instead") and reader.at(end) not in (",", "and"):
                yield end, cond.value, one.value


def _condition_last(reader: Reader, first: Reading) -> Iterable[tuple[int, Any, f.Tree]]:
    """ "Draw two cards instead if you control a Wall"."""
    for one in _instead_at(reader, first.end + 1, first.value):
        if reader.words[one.end : one.end + 2] == ("instead", "if"):
            for cond in reader.read("cond", one.end + 2):
                yield cond.end, cond.value, one.value


def _either_way_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Draw a card if it was attacking. Otherwise, you gain 1 life", not as a part of what somebody may do."""
    if "otherwise" not in reader.present or reader.at(place - 1) in ("may", "have", "and", "then"):
        return
    for one in reader.read("simple", place):
        for cond in reader.read("cond", one.end + 1) if reader.at(one.end) == "if" else ():
            if reader.words[cond.end : cond.end + 3] != (".", "otherwise", ","):
                continue
            do, condition = one.value, cond.value
            if is_may(do) or asks_of_named(condition, do) or excepts(do) or asks_of_chosen(condition, do):
                continue
            if any(isinstance(part, f.Search | f.Look | f.Pick) for part in walk(do)):
                continue  # what is asked of is found first
            for other in reader.read("chain", cond.end + 3):
                value = f.If(condition=condition, then=do, otherwise=other.value)
                words = ("if", *cond.words, ",", *one.words, ".", "otherwise", ",", *other.words)
                yield Reading(other.end, value, words)


def _whole_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Counter target creature spell. If it was kicked, instead counter target spell": another instruction altogether in place of
    the one with which the program begins. With targets of their own that is so only by what was paid, before they are chosen
    (702.31g)."""
    if "instead" not in reader.present or reader.at(place - 1) in (".", "and", "then"):
        return
    for first in reader.read("chain", place):
        if reader.words[first.end : first.end + 2] != (".", "if"):
            continue
        for cond in reader.read("cond", first.end + 2):
            early = reader.at(cond.end + 1) == "instead"
            if reader.at(cond.end) != ",":
                continue
            for second in reader.read("chain", cond.end + 1 + early):
                if not early:
                    if reader.at(second.end) != "instead":
                        continue
                    second = second._replace(end=second.end + 1)
                if _replaces_all(first.value, cond.value, second.value):
                    value = f.If(condition=cond.value, then=second.value, otherwise=first.value)
                    words = ("if", *cond.words, ",", *second.words, ".", "otherwise", ",", *first.words)
                    yield Reading(second.end, value, words)


def _replaces_all(first: f.Tree, condition: f.AnyCondition, second: f.Tree) -> bool:
    if _fits(first, second):  # verb for verb
        return False
    if any(isinstance(part, f.Bind) for part in walk((*first, *second))):
        return False  # "the chosen creature" is spoken of afterwards
    asked = condition.condition if isinstance(condition, f.NotSo) else condition
    if targets(first) or targets(second):
        return isinstance(asked, f.Paid) and bool(targets(second))
    said = (part.text.split()[0] for part in walk(second) if isinstance(part, Noun))
    return not any(word in ("it", "its", "they", "them", "their", "that", "those") for word in said)


def _replaced_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.InsteadIf):
        return None
    first, condition = printer.write("chain", value.first), printer.write("cond", value.condition)
    made, more = value.first[0], value.instead[0]
    second: Words | None = None
    if (
        isinstance(made, f.CreateToken)
        and isinstance(more, f.CreateToken)
        and more.copy_of in (made.copy_of, IT)
        and replace(made, count=more.count, copy_of=more.copy_of) == more
    ):
        count = printer.write("count", more.count)
        second = None if count is None else ("create", *count, "of", "those", "tokens")
    second = second or printer.write("inplace", value.instead) or printer.write("chain", value.instead)
    if first is None or condition is None or second is None:
        return None
    return (*first, ".", "if", *condition, ",", *second, "instead")
