"""Conditions: what players control, life and cards in numbers, status, kinds, the turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import NUMBERS
from server.cards.nouns import Noun
from server.oracle.engine import PLAIN, WORD_OF, Grammar, Printer, Reader, Reading, S, Words, tokens
from server.oracle.nouns import noun, noun_words, phrase

#: What something may be said to be without a noun ("as long as {this} is tapped").
STATUS_CONDITIONS = (
    "tapped", "untapped", "attacking", "blocking", "enchanted", "equipped", "monstrous", "renowned", "saddled",
    "modified", "suspected",
)  # fmt: skip


def in_status(word: str) -> Noun:
    """What is in such a status. ("The enchanted permanent" would be the one that this object is attached to.)"""
    return Noun(f"permanent that's {word}")


YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")


MORE_OR_LESS: tuple[tuple[str, n.Compare], ...] = (("or more", ">="), ("or less", "<="))
MORE_OR_FEWER: tuple[tuple[str, n.Compare], ...] = (("or more", ">="), ("or fewer", "<="))


def install(g: Grammar) -> None:
    """Adds the rules."""
    _of_control(g)
    _of_numbers(g)
    _compared(g)
    _of_status(g)
    _of_kind(g)
    _of_the_turn(g)
    _slots(g)


def _of_control(g: Grammar) -> None:
    """What players control."""
    r = g.rule
    r("cond", "you control your commander", f.Exists(of=Noun("a commander you own you control")))
    r("cond", "you control <of:controlled>", S.of)
    r("cond", "you don't control <of:absent>", f.NotSo(condition=S.of))
    r("cond", "you control <a:controlled> and <b:controlled>", f.AllOf(conditions=(S.a, S.b)), guard=_one_and_one)
    # What came onto the battlefield just now is yours if it entered under your control.
    r("cond", "it entered under your control", f.Is(what=Noun("it"), of=Noun("a permanent you control")))
    r("cond", "you control no <of:none>", S.of)
    g.terminal("exactlyone", _exactly_one_at, _exactly_one_words)
    r("cond", "you control exactly one <of:exactlyone>", S.of)
    g.terminal("mineplural", _mine_plural_at, _mine_plural_words)
    names = f.Holds(left=n.Distinct(what="names", of=S.of), compare=">=", right=S.n)
    named = "you control <n:count> or more <of:mineplural> with different names"
    r("cond", named, names, guard=lambda e: e["n"] != 1)
    # Of several opponents one must control so many: see `somebody`.
    r("cond", "an opponent controls <of:enemy>", S.of, guard=lambda e: not _several(e["of"]))
    r("cond", "your opponents control no <of:absent3>", f.NotSo(condition=S.of))
    r("cond", "defending player controls <of:defended>", S.of)
    r("cond", "defending player controls no <of:undefended>", f.NotSo(condition=S.of))
    g.terminal("defended", controlled_at("defending player"), controlled_words("defending player"))


def _compared(g: Grammar) -> None:
    """What a player has less of than another one, how full a graveyard is, and how few counters there are."""
    r = g.rule
    them = Noun("that player")
    less = f.Holds(left=n.LifeOf(of=YOU), compare="<", right=n.LifeOf(of=them))
    r("cond", "you have less life than an opponent", f.SomePlayer(who=Noun("your opponents"), condition=less))
    fewer = f.Holds(
        left=n.Count(of=Noun("creatures you control")),
        compare="<",
        right=n.Count(of=Noun("creatures that player controls")),
    )
    r("cond", "you control fewer creatures than an opponent", f.SomePlayer(who=Noun("your opponents"), condition=fewer))
    whole = f.Holds(left=n.LifeOf(of=YOU), compare=">=", right=n.StartingLife())
    r("cond", "your life total is greater than or equal to your starting life total", whole)
    above = replace(whole, right=n.Plus(parts=(n.StartingLife(), S.n)))
    r("cond", "you have at least <n:number> life more than your starting life total", above)
    full = f.Holds(left=n.CardsIn(zone="graveyard", of=them), compare=">=", right=S.n)
    r(
        "cond",
        "a graveyard has <n:count> or more cards in it",
        f.SomePlayer(who=Noun("each player"), condition=full),
        guard=lambda e: e["n"] != 1,
    )
    r(
        "cond",
        "{this} has <n:count> or fewer <counter> counters on it",
        f.Holds(left=n.CountersOn(counter=S.counter, of=THIS), compare="<=", right=S.n),
        "{this} has <n:count> or fewer <counter> counters on {this}",
        "there are <n:count> or fewer <counter> counters on {this}",
    )


def _of_numbers(g: Grammar) -> None:
    """Life, cards, counters and types in numbers."""
    r = g.rule
    for text, compare in MORE_OR_LESS:
        life = f.Holds(left=n.LifeOf(of=YOU), compare=compare, right=S.n)
        r("cond", f"you have <n:number> {text} life", life, f"your life total is <n:number> {text}")
        r(
            "cond",
            f"{{this}} 's power is <n:number> {text.replace('more', 'greater')}",
            f.Holds(left=n.StatOf(stat="power", of=THIS), compare=compare, right=S.n),
        )
    for text, compare in MORE_OR_FEWER:
        r(
            "cond",
            f"you have <n:count> {text} cards in hand",
            f.Holds(left=n.CardsIn(zone="hand", of=YOU), compare=compare, right=S.n),
            f"you have <n:count> {text} cards in your hand",
        )
        r(
            "cond",
            f"<n:count> {text} cards are in your graveyard",
            f.Holds(left=n.CardsIn(zone="graveyard", of=YOU), compare=compare, right=S.n),
            f"there are <n:count> {text} cards in your graveyard",
            f"you have <n:count> {text} cards in your graveyard",
        )
    r(
        "cond",
        "there are <n:count> or more <of:plural>",
        f.Exists(of=S.of, number=S.n),
        guard=lambda e: e["n"] != 1 and e["of"].text != "cards in your graveyard",
    )
    r("cond", "you have no cards in hand", f.Holds(left=n.CardsIn(zone="hand", of=YOU), compare="=", right=0))
    r(
        "cond",
        "{this} has <n:count> or more <counter> counters on it",
        f.Holds(left=n.CountersOn(counter=S.counter, of=THIS), compare=">=", right=S.n),
        "there are <n:count> or more <counter> counters on {this}",
        "{this} has <n:count> or more <counter> counters on {this}",
        guard=lambda e: e["n"] != 1,
    )
    r(
        "cond",
        "{this} has a|an <counter> counter on it",
        f.Holds(left=n.CountersOn(counter=S.counter, of=THIS), compare=">=", right=1),
        "{this} has one or more <counter> counters on it",
        "there are one or more <counter> counters on {this}",
    )
    r(
        "cond",
        "{this} has no <counter> counters on it",
        f.Holds(left=n.CountersOn(counter=S.counter, of=THIS), compare="=", right=0),
        "there are no <counter> counters on {this}",
    )
    for zone, text in (("your graveyard", "in your graveyard"), ("all graveyards", "in all graveyards")):
        types = n.Distinct(what="types", of=Noun(f"cards in {zone}"))
        several = f.Holds(left=types, compare=">=", right=S.n)
        r("cond", f"there are <n:count> or more card types among cards {text}", several)
        values = replace(several, left=replace(types, what="mana values"))
        r("cond", f"there are <n:count> or more mana value|values among cards {text}", values)


def _of_status(g: Grammar) -> None:
    """Whose turn it is, how something stands, its power or toughness, devotion."""
    r = g.rule
    r("cond", "it's not their turn", f.NotSo(condition=f.During(whose=Noun("that player"))), "it isn't their turn")
    r("cond", "it's their turn", f.During(whose=Noun("that player")), "it's that player 's turn")
    r("cond", "it's your turn", f.During(whose=YOU), "it 's your turn")
    r("cond", "it's not your turn", f.NotSo(condition=f.During(whose=YOU)), "it isn't your turn")
    for word in STATUS_CONDITIONS:
        such = in_status(word)
        r("cond", f"{{this}} is {word}", f.Is(what=THIS, of=such))
        r("cond", f"<what:one> is {word}", f.Is(what=S.what, of=such), guard=_of_bearer)
        if word in ("tapped", "untapped", "attacking", "suspected"):
            r("cond", f"it's {word}", f.Is(what=IT, of=such), f"it is {word}")
    for words, compare in (("or greater", ">="), ("or less", "<=")):
        for stat in ("power", "toughness", "mana value"):
            held = f.Holds(left=n.StatOf(stat=stat, of=S.of), compare=compare, right=S.n)  # type: ignore[arg-type]
            said = f"{stat} <n:number> {words}"
            r("cond", f"<of:one> 's {stat} is|was <n:number> {words}", held, f"<of:one> has|had {said}", guard=_another)
            of_it = replace(held, left=replace(held.left, of=IT))  # type: ignore[type-var]
            r("cond", f"its {stat} is|was <n:number> {words}", of_it, f"it has|had {said}")
    theirs = n.StatOf(stat=S.stat, of=S.of)
    for word, mask in (("greater", ">"), ("less", "<")):
        than = f.Holds(left=theirs, compare=mask, right=replace(theirs, of=THIS))  # type: ignore[arg-type]
        said = f"<of:one> 's <stat> is|was {word} than {{this}} 's"
        r("cond", said, than, f"{said} <stat>", f"<of:one> has|had {word} <stat> than {{this}}", guard=_another)
        of_it = replace(than, left=replace(theirs, of=IT))
        said = said.replace("<of:one> 's", "its")
        r("cond", said, of_it, f"{said} <stat>", f"it has|had {word} <stat> than {{this}}")
    for nth, word in ((1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"), (10, "tenth")):
        said = f"{word} time this ability has resolved this turn"
        r("cond", f"this is the {said}", f.Resolved(nth=nth), f"it's the {said}")
    often = f.Activated(times=S.n)
    r("cond", "this ability has been activated <n:count> or more times this turn", often, guard=lambda e: e["n"] != 1)
    for text, mask in (("is less than", "<"), ("is", ">=")):
        tail = "" if mask == "<" else " or greater"
        shape = f.Holds(left=n.Devotion(colors=S.c), compare=mask, right=S.m)  # type: ignore[arg-type]
        r("cond", f"your devotion to <c:colors> {text} <m:count>{tail}", shape)
    r("amount", "your devotion to <c:colors>", n.Devotion(colors=S.c))


def _of_kind(g: Grammar) -> None:
    """What something is or has on it, or how it was cast."""
    r = g.rule
    g.terminal("having", _having_at, _having_words)
    r(
        "cond",
        "<of:one> has <k:having>",
        f.Is(what=S.of, of=S.k),
        guard=lambda e: not isinstance(e["of"].reading, n.Choose),
    )
    r("cond", "it's <of:kindof>", f.Is(what=IT, of=S.of), "it was <of:kindof>")
    not_it = f.NotSo(condition=f.Is(what=IT, of=S.of))
    r("cond", "it's not <of:kindof>", not_it, "it isn't <of:kindof>", "it wasn't <of:kindof>")
    r("cond", "<what:one> is <of:kindof>", f.Is(what=S.what, of=S.of), "<what:one> was <of:kindof>")
    not_so = f.NotSo(condition=f.Is(what=S.what, of=S.of))
    r("cond", "<what:one> isn't <of:kindof>", not_so, "<what:one> wasn't <of:kindof>")
    marked = f.Holds(left=n.CountersOn(counter=S.counter, of=IT), compare=">=", right=1)
    r("cond", "it has a|an <counter> counter on it", marked, "it had a|an <counter> counter on it")
    g.wording("cond", "it has|had one or more <counter> counters on it", marked)
    said = "it has|had <n:count> or more <counter> counters on it"
    r("cond", said, replace(marked, right=S.n), guard=lambda e: e["n"] != 1)
    counted = f.Holds(left=n.CountersOn(counter="", of=IT), compare=">=", right=1)
    r(
        "cond",
        "it has one or more counters on it",
        counted,
        "it had one or more counters on it",
        "it had counters on it",
        "it has counters on it",
    )


def _of_the_turn(g: Grammar) -> None:
    """Where this is, what players did this turn, and hold in hand."""
    r = g.rule
    r("cond", "{this} is on the battlefield", f.Exists(of=Noun("{this}")))
    r("cond", "{this} is in the command zone or on the battlefield", f.Exists(of=Noun("{this} from the command zone")))
    r("cond", "{this} is in your graveyard", f.Exists(of=Noun("{this} from your graveyard")))
    r("cond", "you attacked this turn", f.Holds(left=n.TurnCount(what="attackers", of=YOU), compare=">=", right=1))
    r("cond", "you gained life this turn", f.Holds(left=n.TurnCount(what="life gained", of=YOU), compare=">=", right=1))
    r(
        "cond",
        "an opponent lost life this turn",
        f.Holds(left=n.TurnCount(what="life lost", of=Noun("your opponents")), compare=">=", right=1),
    )
    r(
        "cond",
        "that player has <n:count> or more cards in hand",
        f.Holds(left=n.CardsIn(zone="hand", of=Noun("that player")), compare=">=", right=S.n),
    )
    r(
        "cond",
        "that player has <n:count> or fewer cards in hand",
        f.Holds(left=n.CardsIn(zone="hand", of=Noun("that player")), compare="<=", right=S.n),
    )
    r(
        "cond",
        "<of:one> has a|an <counter> counter on it",
        f.Holds(left=n.CountersOn(counter=S.counter, of=S.of), compare=">=", right=1),
        guard=_another,
    )
    r("cond", "you do", f.Did())
    r("cond", "you don't", f.NotSo(condition=f.Did()))
    timely = (f.CastFrom(by=YOU), f.During(step="main", whose=YOU))  # a copy is not cast (706.10)
    r("cond", "you cast {this} during your main phase", f.AllOf(conditions=timely))


def _slots(g: Grammar) -> None:
    """What stands in the slots of these conditions."""
    g.terminal("controlled", controlled_at("you"), controlled_words("you"))
    g.terminal("enemy", controlled_at("an opponent"), controlled_words("an opponent"))
    g.terminal("absent", _absent_at, _absent_words)
    g.terminal("none", _none_at, _none_words)
    for slot, tail in (("absent3", "your opponents control"), ("undefended", "defending player controls")):
        g.terminal(slot, _nobodys_at(tail), _nobodys_words(tail))
    g.terminal("kindof", _kind_of_at, _kind_of_words)


def _one_and_one(e: dict[str, Any]) -> bool:
    """Whether two things are said, one of each kind ("an Island and a Swamp")."""
    found = (e["a"], e["b"])
    return all(isinstance(x, f.Exists) and x.number == 1 and x.of.text.startswith(("a ", "an ")) for x in found)


def _phrases(reader: Reader, place: int) -> Iterable[tuple[int, str]]:
    for one in reader.read("noun", place):
        yield one.end, phrase(one.words)


def _with_owner(text: str, who: str) -> Noun | None:
    """ "an artifact" as "an artifact you control", before what follows a kind ("a creature with flying")."""
    owner = f"{who} control{'s' if who != 'you' else ''}"
    for mark in (" with ", " without ", " that ", " named ", " other than "):
        head, found, tail = text.partition(mark)
        if found:
            return noun(f"{head} {owner}{mark}{tail}")
    return noun(f"{text} {owner}")


def _unowned(text: str, who: str) -> str:
    return text.replace(f" {who} control{'s' if who != 'you' else ''}", "", 1)


def _several(condition: Any) -> bool:
    return isinstance(condition, f.Exists) and isinstance(condition.of.reading, n.Each)


def controlled_at(who: str) -> Any:
    """ "a Swamp", "two or more artifacts", "another creature": how many of what someone controls."""

    def read(reader: Reader, place: int) -> Iterable[Reading]:
        found: list[Reading] = []
        word = reader.at(place)
        if (word, reader.at(place + 1)) == ("at", "least"):  # "at least five other Mountains"
            count = NUMBERS.get(reader.at(place + 2), 0)
            for end, text in _phrases(reader, place + 3) if count > 1 else ():
                made = _with_owner(text, who)
                if made is not None and isinstance(made.reading, n.Each):
                    words = (reader.at(place + 2), "or", "more", *reader.words[place + 3 : end])
                    found.append(Reading(end, f.Exists(of=made, number=count), words))
            return found
        if word in NUMBERS or word.isdecimal():
            if reader.at(place + 1) == "or" and reader.at(place + 2) in ("more", "fewer"):
                compare: Any = ">=" if reader.at(place + 2) == "more" else "<="
                count = NUMBERS.get(word) or int(word)
                for end, text in _phrases(reader, place + 3):
                    made = _with_owner(f"all {text}" if text == "Plains" else text, who)  # which is its own plural
                    if made is not None and isinstance(made.reading, n.Each):
                        words = reader.words[place:end]
                        found.append(Reading(end, f.Exists(of=made, compare=compare, number=count), words))
            return found
        for end, text in _phrases(reader, place):
            made = _with_owner(text, who)
            if made is not None and isinstance(made.reading, n.Choose) and text.split()[0] in ("a", "an", "another"):
                found.append(Reading(end, f.Exists(of=made), reader.words[place:end]))
        return found

    return read


def controlled_words(who: str) -> Any:
    """Prints what `controlled_at` reads."""

    def write(printer: Printer, value: Any) -> Words | None:
        if not isinstance(value, f.Exists) or value.of.text.endswith(" this way"):
            return None
        text = value.of.text
        if _unowned(text, who) == text:
            return None
        words = tuple(tokens(_unowned(text, who).removeprefix("all ")))
        if isinstance(value.of.reading, n.Each):
            if value.compare == "=":
                return None
            more = "more" if value.compare == ">=" else "fewer"
            count = value.number if isinstance(value.number, int) else 0
            return (WORD_OF.get(count, str(count)), "or", more, *words)
        single = value.compare == ">=" and value.number == 1 and words[0] in ("a", "an", "another")
        return words if single else None

    return write


def _mine_plural_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Gates", as those that you control."""
    for one in reader.read("plurals", place):
        made = _with_owner(one.value.text, "you")
        if made is not None and isinstance(made.reading, n.Each):
            yield Reading(one.end, made, one.words)


def _mine_plural_words(_: Printer, value: Any) -> Words | None:
    bare = noun(_unowned(value.text, "you")) if isinstance(value, Noun) else None
    return noun_words(bare) if bare is not None and bare != value and isinstance(bare.reading, n.Each) else None


def _exactly_one_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creature" after "you control exactly one"."""
    for one in reader.read("noun", place):
        made = _with_owner(one.value.text, "you") if isinstance(one.value.reading, n.Things) else None
        if made is not None:
            yield Reading(one.end, f.Exists(of=made, compare="="), one.words)


def _exactly_one_words(_: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Exists) or (value.compare, value.number) != ("=", 1):
        return None
    bare = noun(_unowned(value.of.text, "you"))
    return noun_words(bare) if bare is not None and bare != value.of else None


def _absent_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("controlled", place) if one.words[0] in ("a", "an", "another")]


def _absent_words(printer: Printer, value: Any) -> Words | None:
    words = printer.write("controlled", value)
    return words if words is not None and words[0] in ("a", "an", "another") else None


def _none_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "artifacts" after "you control no"."""
    for end, text in _phrases(reader, place):
        made = _with_owner(text, "you")
        if made is not None and isinstance(made.reading, n.Each) and text.split()[0] not in ("all", "each"):
            yield Reading(end, f.Exists(of=made, compare="=", number=0), reader.words[place:end])


def _none_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Exists) or (value.compare, value.number) != ("=", 0):
        return None
    text = _unowned(value.of.text, "you")
    return tuple(tokens(text)) if text != value.of.text else None


def _nobodys_at(tail: str) -> Any:
    """ "artifacts" after "your opponents control no": that one of them controls one, for what denies it."""

    def read(reader: Reader, place: int) -> Iterable[Reading]:
        for end, text in _phrases(reader, place):
            made = noun(f"{text} {tail}")
            several = isinstance(made.reading, n.Each) if made is not None else False
            if made is not None and several and text.split()[0] not in ("each", "all"):
                yield Reading(end, f.Exists(of=made), reader.words[place:end])

    return read


def _nobodys_words(tail: str) -> Any:
    def write(printer: Printer, value: Any) -> Words | None:
        if not isinstance(value, f.Exists) or not value.of.text.endswith(f" {tail}") or value != f.Exists(of=value.of):
            return None
        bare = noun(value.of.text.removesuffix(f" {tail}"))
        return noun_words(bare) if bare is not None and isinstance(value.of.reading, n.Each) else None

    return write


_QUALITIES = frozenset(
    (word,)
    for word in (
        "red", "white", "blue", "black", "green", "legendary", "nonlegendary", "basic", "nonbasic", "multicolored", "monocolored",
        "colorless", "historic", "nontoken", "snow", "nonwhite", "nonblue", "nonblack", "nonred", "nongreen",
    )
)  # fmt: skip


def _having_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A keyword that something has, as what has it."""
    for one in reader.read("keyword", place):
        yield Reading(one.end, Noun(f"permanent with {one.value}"), one.words)


def _having_words(printer: Printer, value: Any) -> Words | None:
    head = "permanent with "
    keyword = value.text.removeprefix(head) if isinstance(value, Noun) and value.text.startswith(head) else ""
    return tuple(keyword.split()) if keyword in PLAIN else None


def _is_quality(words: Words) -> bool:
    """ "red", "white or blue", "red, white, or blue"."""
    sayable = all((word,) in _QUALITIES or word in ("or", ",") for word in words)
    return sayable and (words[-1:] in _QUALITIES) and words[:1] in _QUALITIES


def _kind_of_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What something is said to be: "a creature", "red", "a Goblin or Orc"."""
    found: list[Reading] = []
    for one in reader.read("noun", place):
        reading = one.value.reading
        if (
            isinstance(reading, n.Choose)
            and one.words[0] in ("a", "an")
            or isinstance(reading, n.Things)
            and _is_quality(one.words)
        ):
            found.append(one)
    return found


def _kind_of_words(printer: Printer, value: Any) -> Words | None:
    words = printer.write("noun", value)
    return words if words is not None and (words[0] in ("a", "an") or _is_quality(words)) else None


def _of_bearer(e: dict[str, Any]) -> bool:
    return isinstance(e["what"].reading, n.Attached)


def _another(e: dict[str, Any]) -> bool:
    return e["of"] not in (THIS, IT)
