"""Rules for what instructions take: amounts, conditions, costs, durations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import NUMBERS
from server.cards.nouns import Noun
from server.oracle.engine import PLAIN, WORD_OF, Grammar, Printer, Reader, Reading, S, Words, tokens
from server.oracle.nouns import INVARIABLE, is_plural, noun, noun_words, phrase

#: What something may be said to be without a noun ("as long as {this} is tapped").
STATUS_CONDITIONS = (
    "tapped", "untapped", "attacking", "blocking", "enchanted", "equipped", "monstrous", "renowned", "saddled",
)  # fmt: skip


def in_status(word: str) -> Noun:
    """What is in such a status. ("The enchanted permanent" would be the one that this object is attached to.)"""
    return Noun(f"permanent that's {word}")


YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _amounts(g)
    _conditions(g)
    _costs(g)
    _durations(g)
    _lists(g)


# --- amounts --------------------------------------------------------------------------------------------------------------


def _amounts(g: Grammar) -> None:
    for word, stat in (
        ("power", "power"),
        ("toughness", "toughness"),
        ("mana value", "mana value"),
        ("loyalty", "loyalty"),
    ):
        g.rule("stat", word, stat)
    r = g.rule
    r("amount", "<number>", S.number)
    g.terminal("amount", _that_much_at, lambda p, v: None)
    r("amount", "the number of opponents you have", n.Count(of=Noun("your opponents")))
    g.terminal("invariable", _invariable_at, _invariable_words)
    r("amount", "the number of <of:invariable>", n.Count(of=S.of))
    r(
        "amount",
        "the number of <of:noun>",
        n.Count(of=S.of),
        guard=lambda e: not isinstance(e["of"].reading, n.Choose) and not _single_kind(e["of"]),
    )
    r("amount", "its <stat>", n.StatOf(stat=S.stat, of=IT))
    r("amount", "<of:one> 's <stat>", n.StatOf(stat=S.stat, of=S.of), "the <stat> of <of:one>")
    r("amount", "your life total", n.LifeOf(of=YOU))
    r("amount", "the <g:most> <stat> among <of:noun>", n.Most(stat=S.stat, of=S.of, greatest=S.g))
    r("amount", "the total <stat> of <of:noun>", n.StatOf(stat=S.stat, of=S.of))
    r("amount", "the number of <counter> counters on <of:one>", n.CountersOn(counter=S.counter, of=S.of))
    r("amount", "twice <of:amount>", n.Times(number=2, of=S.of))
    for way in ("up", "down"):
        half = n.Times(number=1, of=S.of, half=way)
        r("amount", f"half <of:amount> , rounded {way}", half, f"half <of:amount> rounded {way}")
    r("amount", "<a:number> plus <b:amount>", n.Plus(parts=(S.a, S.b)))
    for what in ("colors", "names"):
        r("amount", f"the number of {what} among <of:noun>", n.Distinct(what=what, of=S.of))
    r("amount", "the number of basic land types among <of:noun>", n.Distinct(what="basic land types", of=S.of))
    r("amount", "the number of card types among <of:noun>", n.Distinct(what="types", of=S.of))
    party = n.Distinct(what="party", of=Noun("creatures you control"))
    r("amount", "the number of creatures in your party", party)
    r("each", "creature in your party", party)
    r("cond", "you have a full party", f.Holds(left=party, compare=">=", right=4))
    powers = n.Distinct(what="powers", of=S.of)
    r("amount", "the number of different powers among <of:noun>", powers)
    own = replace(powers, of=Noun("creatures you control"))
    several = f.Holds(left=own, compare=">=", right=S.n)
    r("cond", "you control <n:count> or more creatures with different powers", several, guard=lambda e: e["n"] != 1)
    r("most", "greatest|highest", True)
    r("most", "least|lowest", False)
    # What stands after "for each".
    r("each", "<of:bare>", n.Count(of=S.of), guard=lambda e: _single_kind(e["of"]))
    r("each", "<counter> counter on <of:one>", n.CountersOn(counter=S.counter, of=S.of))
    r("each", "color among <of:noun>", n.Distinct(what="colors", of=S.of))
    r("each", "basic land type among <of:noun>", n.Distinct(what="basic land types", of=S.of))
    r("each", "time it was kicked", n.TimesPaid())
    r("each", "<counter> counter removed this way", n.X())
    r("each", "of your opponents", n.Count(of=Noun("your opponents")), "opponent you have")
    r(
        "each",
        "basic land type among lands you control",
        n.Distinct(what="basic land types", of=Noun("lands you control")),
    )


#: What was done so much of just before, as it is said instead of "that much".
_THAT_MUCH = tuple(
    tuple(f"the {said} this way".split())
    for what in ("damage prevented", "damage dealt", "life lost", "life gained")
    for said in (what, f"amount of {what}")
)


def _that_much_at(reader: Reader, place: int) -> Iterable[Reading]:
    """How much was prevented, dealt, lost or gained this way, which is that much."""
    for words in _THAT_MUCH:
        if reader.words[place : place + len(words)] == words:
            yield Reading(place + len(words), n.ThatMuch(), ("that", "much"))


def _invariable_words(printer: Printer, value: Any) -> Words | None:
    words = noun_words(value)
    plural = words is not None and words[0] == "all" and any(word in INVARIABLE for word in words[1:4])
    return words[1:] if words is not None and plural else None


def _invariable_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Kinds whose plural is their singular ("Equipment you control"), as all of them."""
    for one in reader.read("noun", place):
        if isinstance(one.value.reading, n.Things) and any(word in INVARIABLE for word in one.words[:3]):
            made = noun(f"all {one.value.text}")
            if made is not None and isinstance(made.reading, n.Each):
                yield Reading(one.end, made, one.words)


def _single_kind(noun: Noun) -> bool:
    """Whether a phrase is a kind in the singular ("creature you control")."""
    return isinstance(noun.reading, n.Things | n.Players) and not is_plural(noun)


# --- conditions -------------------------------------------------------------------------------------------------------------


MORE_OR_LESS: tuple[tuple[str, n.Compare], ...] = (("or more", ">="), ("or less", "<="))
MORE_OR_FEWER: tuple[tuple[str, n.Compare], ...] = (("or more", ">="), ("or fewer", "<="))


def _conditions(g: Grammar) -> None:
    r = g.rule
    r("cond", "you control your commander", f.Exists(of=Noun("a commander you own you control")))
    r("cond", "you control <of:controlled>", S.of)
    r("cond", "you don't control <of:absent>", f.NotSo(condition=S.of))
    r("cond", "you control no <of:none>", S.of)
    # Of several opponents one must control so many: see `somebody`.
    r("cond", "an opponent controls <of:enemy>", S.of, guard=lambda e: not _several(e["of"]))
    r("cond", "your opponents control no <of:absent3>", f.NotSo(condition=S.of))
    r("cond", "defending player controls <of:defended>", S.of)
    g.terminal("defended", controlled_at("defending player"), controlled_words("defending player"))
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
    r("cond", "it's not their turn", f.NotSo(condition=f.During(whose=Noun("that player"))), "it isn't their turn")
    r("cond", "it's their turn", f.During(whose=Noun("that player")), "it's that player 's turn")
    r("cond", "it's your turn", f.During(whose=YOU), "it 's your turn")
    r("cond", "it's not your turn", f.NotSo(condition=f.During(whose=YOU)), "it isn't your turn")
    for word in STATUS_CONDITIONS:
        such = in_status(word)
        r("cond", f"{{this}} is {word}", f.Is(what=THIS, of=such))
        of_bearer = lambda e: isinstance(e["what"].reading, n.Attached)  # noqa: E731
        r("cond", f"<what:one> is {word}", f.Is(what=S.what, of=such), guard=of_bearer)
        if word in ("tapped", "untapped", "attacking"):
            r("cond", f"it's {word}", f.Is(what=IT, of=such), f"it is {word}")
    for words, compare in (("or greater", ">="), ("or less", "<=")):
        for stat in ("power", "toughness", "mana value"):
            held = f.Holds(left=n.StatOf(stat=stat, of=S.of), compare=compare, right=S.n)  # type: ignore[arg-type]
            named = lambda e: e["of"] not in (THIS, IT)  # noqa: E731
            said = f"{stat} <n:number> {words}"
            r("cond", f"<of:one> 's {stat} is|was <n:number> {words}", held, f"<of:one> has|had {said}", guard=named)
            of_it = replace(held, left=replace(held.left, of=IT))  # type: ignore[type-var]
            r("cond", f"its {stat} is|was <n:number> {words}", of_it, f"it has|had {said}")
    for nth, word in ((1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"), (10, "tenth")):
        said = f"{word} time this ability has resolved this turn"
        r("cond", f"this is the {said}", f.Resolved(nth=nth), f"it's the {said}")
    for text, mask in (("is less than", "<"), ("is", ">=")):
        tail = "" if mask == "<" else " or greater"
        shape = f.Holds(left=n.Devotion(colors=S.c), compare=mask, right=S.m)  # type: ignore[arg-type]
        r("cond", f"your devotion to <c:colors> {text} <m:count>{tail}", shape)
    r("amount", "your devotion to <c:colors>", n.Devotion(colors=S.c))
    g.terminal("having", _having_at, _having_words)
    r("cond", "<of:one> has <k:having>", f.Is(what=S.of, of=S.k))
    alike = Noun("a card that shares a creature type with {this}")
    r("cond", "it shares a creature type with {this}", f.Is(what=IT, of=alike))
    r("cond", "it's <of:kindof>", f.Is(what=IT, of=S.of), "it was <of:kindof>")
    not_it = f.NotSo(condition=f.Is(what=IT, of=S.of))
    r("cond", "it's not <of:kindof>", not_it, "it isn't <of:kindof>", "it wasn't <of:kindof>")
    r("cond", "<what:one> is <of:kindof>", f.Is(what=S.what, of=S.of), "<what:one> was <of:kindof>")
    not_so = f.NotSo(condition=f.Is(what=S.what, of=S.of))
    r("cond", "<what:one> isn't <of:kindof>", not_so, "<what:one> wasn't <of:kindof>")
    marked = f.Holds(left=n.CountersOn(counter=S.counter, of=IT), compare=">=", right=1)
    r("cond", "it has a|an <counter> counter on it", marked, "it had a|an <counter> counter on it")
    counted = f.Holds(left=n.CountersOn(counter="", of=IT), compare=">=", right=1)
    r(
        "cond",
        "it has one or more counters on it",
        counted,
        "it had one or more counters on it",
        "it had counters on it",
        "it has counters on it",
    )
    r("cond", "it was kicked", f.Paid(), "{this} was kicked")
    r("cond", "it wasn't kicked", f.NotSo(condition=f.Paid()))
    r("cond", "{this} is on the battlefield", f.Exists(of=Noun("{this}")))
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
    other = lambda e: e["of"] not in (THIS, IT)  # noqa: E731
    r(
        "cond",
        "<of:one> has a|an <counter> counter on it",
        f.Holds(left=n.CountersOn(counter=S.counter, of=S.of), compare=">=", right=1),
        guard=other,
    )
    r("cond", "you do", f.Did())
    r("cond", "you don't", f.NotSo(condition=f.Did()))
    timely = (f.CastFrom(by=YOU), f.During(step="main", whose=YOU))  # a copy is not cast (706.10)
    r("cond", "you cast {this} during your main phase", f.AllOf(conditions=timely))
    g.terminal("controlled", controlled_at("you"), controlled_words("you"))
    g.terminal("enemy", controlled_at("an opponent"), controlled_words("an opponent"))
    g.terminal("absent", _absent_at, _absent_words)
    g.terminal("none", _none_at, _none_words)
    g.terminal("absent3", _nobodys_at, _nobodys_words)
    g.terminal("kindof", _kind_of_at, _kind_of_words)


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
        if word in NUMBERS or word.isdecimal():
            if reader.at(place + 1) == "or" and reader.at(place + 2) in ("more", "fewer"):
                compare: Any = ">=" if reader.at(place + 2) == "more" else "<="
                count = NUMBERS.get(word) or int(word)
                for end, text in _phrases(reader, place + 3):
                    made = _with_owner(text, who)
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
        if not isinstance(value, f.Exists):
            return None
        text = value.of.text
        if _unowned(text, who) == text:
            return None
        words = tuple(tokens(_unowned(text, who)))
        if isinstance(value.of.reading, n.Each):
            if value.compare == "=":
                return None
            more = "more" if value.compare == ">=" else "fewer"
            count = value.number if isinstance(value.number, int) else 0
            return (WORD_OF.get(count, str(count)), "or", more, *words)
        single = value.compare == ">=" and value.number == 1 and words[0] in ("a", "an", "another")
        return words if single else None

    return write


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


def _nobodys_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "artifacts" after "your opponents control no": that one of them controls one, for what denies it."""
    for end, text in _phrases(reader, place):
        made = noun(f"{text} your opponents control")
        several = isinstance(made.reading, n.Each) if made is not None else False
        if made is not None and several and text.split()[0] not in ("each", "all"):
            yield Reading(end, f.Exists(of=made), reader.words[place:end])


def _nobodys_words(printer: Printer, value: Any) -> Words | None:
    tail = " your opponents control"
    if not isinstance(value, f.Exists) or not value.of.text.endswith(tail) or value != f.Exists(of=value.of):
        return None
    bare = noun(value.of.text.removesuffix(tail))
    return noun_words(bare) if bare is not None and isinstance(value.of.reading, n.Each) else None


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


# --- costs ----------------------------------------------------------------------------------------------------------------


def _costs(g: Grammar) -> None:
    r = g.rule
    r("costpart", "<mana>", f.ManaCost(mana=S.mana), "pay <mana>")
    r("costpart", "{T}", f.TapCost())
    r("costpart", "{Q}", f.UntapCost())
    r("costpart", "pay <n:number> life", f.LifeCost(amount=S.n))
    r("costpart", "sacrifice <what:payable>", f.SacrificeCost(what=S.what))
    r("costpart", "discard <what:fromhand>", f.DiscardCost(what=S.what))
    r("costpart", "discard <what:fromhand> at random", f.DiscardCost(what=S.what, random=True))
    r("costpart", "exile <what:payable>", f.ExileCost(what=S.what))
    r(
        "costpart",
        "return <what:payable> to its owner 's hand",
        f.ReturnCost(what=S.what),
        "return <what:payable> to their owner 's hand",
    )
    r("costpart", "tap <what:untapped>", f.TapOthersCost(what=S.what))
    any_number = f.CountersCost(counter=S.counter, count=n.X())  # how many is announced, as an X is
    r(
        "costpart",
        "remove X <counter> counters from {this}",
        any_number,
        "remove any number of <counter> counters from {this}",
    )
    r(
        "costpart",
        "remove <count> <counter> counter from {this}",
        f.CountersCost(counter=S.counter, count=S.count),
        "remove <count> <counter> counters from {this}",
    )
    from_other = f.CountersCost(counter=S.counter, count=S.count, of=S.w)
    r(
        "costpart",
        "remove <count> <counter> counter|counters from <w:payable>",
        from_other,
        guard=lambda e: e["w"] != THIS and isinstance(e["count"], int),
    )
    some = f.CountersCost(counter="", count=S.count, of=S.w)
    r("costpart", "remove <count> counter|counters from <w:payable>", some, guard=lambda e: isinstance(e["count"], int))
    r(
        "costpart",
        "put <count> <counter> counter on {this}",
        f.CountersCost(counter=S.counter, count=S.count, put=True),
        "put <count> <counter> counters on {this}",
    )
    r("costpart", "reveal <what:fromhand>", f.RevealCost(what=S.what))
    r("costpart", "mill <count> card", f.MillCost(count=S.count), "mill <count> cards")
    g.terminal("payable", _payable_at, lambda p, v: p.write("noun", v))
    g.terminal("fromhand", _from_hand_at, lambda p, v: p.write("noun", v))
    g.terminal("untapped", _untapped_at, lambda p, v: p.write("noun", v))
    g.terminal("cost", _cost_at, _cost_words)
    # What is paid while something resolves ("pay {2}").
    r("toll", "pay~ <mana>", (f.ManaCost(mana=S.mana),))
    r("toll", "pay~ <n:number> life", (f.LifeCost(amount=S.n),))
    r("toll", "sacrifice~ <what:payable>", (f.SacrificeCost(what=S.what),))
    r("toll", "discard~ <what:fromhand>", (f.DiscardCost(what=S.what),))
    r("toll", "return~ <what:payable> to its owner 's hand", (f.ReturnCost(what=S.what),))
    r("toll", "pay~ <mana> and <n:number> life", (f.ManaCost(mana=S.mana), f.LifeCost(amount=S.n)))
    r(
        "toll",
        "remove~ <count> <counter> counter from {this}",
        (f.CountersCost(counter=S.counter, count=S.count),),
        "remove~ <count> <counter> counters from {this}",
    )


def _payable_at(reader: Reader, place: int) -> Iterable[Reading]:
    found: list[Reading] = []
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.This) or isinstance(reading, n.Choose) and reading.of.players is None:
            found.append(one)
    return found


def _from_hand_at(reader: Reader, place: int) -> Iterable[Reading]:
    found = list(_payable_at(reader, place))
    if reader.words[place : place + 2] == ("your", "hand"):
        found.append(Reading(place + 2, Noun("your hand"), ("your", "hand")))
    return found


def _untapped_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in _payable_at(reader, place) if "untapped" in one.words]


def _cost_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Costs with commas between them."""
    for first in reader.read("costpart", place):
        yield Reading(first.end, (first.value,), first.words)
        for joint in ((",",), ("and",), (",", "and")):
            if reader.words[first.end : first.end + len(joint)] == joint:
                for rest in reader.read("cost", first.end + len(joint)):
                    yield Reading(rest.end, (first.value, *rest.value), (*first.words, ",", *rest.words))


def _cost_words(printer: Printer, value: Any) -> Words | None:
    words: list[str] = []
    for part in value:
        one = printer.write("costpart", part)
        if one is None:
            return None
        words.extend((",", *one) if words else one)
    return tuple(words) or None


# --- durations and lists ----------------------------------------------------------------------------------------------------


def _durations(g: Grammar) -> None:
    r = g.rule
    r("until", "until end of turn", "end of turn")
    r("until", "until end of combat", "end of combat")
    r("until", "until your next turn", "your next turn")
    r("until", "until the end of your next turn", "end of your next turn")
    r("until", "for as long as you control {this}", "while control", "as long as you control {this}")
    r("until", "for as long as {this} remains tapped", "while tapped", "as long as {this} remains tapped")
    r(
        "until",
        "for as long as {this} remains on the battlefield",
        "while source",
        "as long as {this} remains on the battlefield",
    )
    g.terminal("lasting", _lasting_at, lambda p, v: p.write("until", v))
    r("thisturn", "this turn", "end of turn")
    r("thisturn", "this combat", "end of combat")
    r("thisturn", "until your next turn", "your next turn")


def _lasting_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Durations for as long as something is so."""
    return [one for one in reader.read("until", place) if one.value.startswith("while ")]


def _lists(g: Grammar) -> None:
    g.terminal("keywords", _list_at("keyword"), _list_words("keyword"))
    g.terminal("subtypes", _row_at("subtype"), _row_words("subtype"))
    g.terminal("colors", _colors_at, _colors_words)


def _list_at(category: str) -> Any:
    """A list with commas and "and"."""

    def read(reader: Reader, place: int) -> Iterable[Reading]:
        states = [(one.end, (one.value,)) for one in reader.read(category, place)]
        while states:
            after: list[tuple[int, tuple[Any, ...]]] = []
            for end, values in states:
                yield Reading(end, values, _listed(values))
                for joint in (("and",), (",", "and"), (",",)):
                    if reader.words[end : end + len(joint)] == joint:
                        after.extend((one.end, (*values, one.value)) for one in reader.read(category, end + len(joint)))
            states = after

    return read


def _listed(values: tuple[str, ...]) -> Words:
    words: list[str] = []
    for i, value in enumerate(values):
        if i:
            words.append("and" if i == len(values) - 1 else ",")
        words.extend(value.split())
    return tuple(words)


def _list_words(category: str) -> Any:
    def write(printer: Printer, value: Any) -> Words | None:
        ok = isinstance(value, tuple) and value and all(v in PLAIN for v in value)
        return _listed(value) if ok else None

    return write


def _row_at(category: str) -> Any:
    def read(reader: Reader, place: int) -> Iterable[Reading]:
        end, values = place, []
        while one := next(iter(reader.read(category, end)), None):
            values.append(one.value)
            end = one.end
        return [Reading(end, tuple(values), tuple(values))] if values else []

    return read


def _row_words(category: str) -> Any:
    return lambda printer, value: tuple(value) if value else None


def _colors_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Letters of colours: "white and blue", "colorless"."""
    if reader.at(place) == "colorless":
        return [Reading(place + 1, "", ("colorless",))]
    found: list[Reading] = []
    states = [(one.end, one.value) for one in reader.read("color", place)]
    while states:
        end, letters = states.pop()
        words: list[str] = []
        for i, letter in enumerate(letters):
            words += ["and"] if i else []
            words += next(iter(w for w, b in _COLOR_WORDS if b == letter)).split()
        found.append(Reading(end, letters, tuple(words)))
        for joint in (("and",), (",", "and"), (",",)):
            if reader.words[end : end + len(joint)] == joint:
                states += [(one.end, letters + one.value) for one in reader.read("color", end + len(joint))]
    return found


_COLOR_WORDS = (("white", "W"), ("blue", "U"), ("black", "B"), ("red", "R"), ("green", "G"))


def _colors_words(printer: Printer, value: Any) -> Words | None:
    if value == "":
        return ("colorless",)
    names = {letter: word for word, letter in _COLOR_WORDS}
    if any(letter not in names for letter in value):
        return None
    words: list[str] = []
    for i, letter in enumerate(value):
        words += (["and"] if i else []) + [names[letter]]
    return tuple(words)
