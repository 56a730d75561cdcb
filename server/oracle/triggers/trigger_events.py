"""Rules for trigger events: somebody or something, and what happens to it.

Category `happens` is what one object does or suffers, without its subject ("dies", "attacks and isn't blocked"); category
`event` a subject with one happening or several ("enters or attacks"), or several subjects at once ("one or more creatures you
control die"). What players do is in `players_events`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, third
from server.oracle.engine import filled as filled_shape
from server.oracle.nouns import is_kind, noun, noun_words, own_commander, phrase, with_owner

YOU = Noun("you")
THIS = Noun("{this}")
JOINTS: tuple[Words, ...] = (("or",), (",", "or"))


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("subject", _subjects_at, _noun_words)
    g.terminal("player", _players_at, _noun_words)
    g.terminal("spell", _spells_at, _noun_words)
    g.terminal("recipient", _recipients_at, _noun_words)
    g.terminal("event", _events_at, _event_words)
    _objects(g)
    _combat(g)
    _damage(g)
    _zones(g)
    _whole(g)
    for verb, event, times in (("gain", "life gain", "life gains"), ("lose", "life loss", "life losses")):
        # What is gained or lost at one moment is the first together (603.2c).
        only = f.Holds(left=n.TurnCount(what=times, of=YOU), compare="=", right=1)
        first = f.Pattern(event=event, subject=YOU, grain="batch", condition=only)  # type: ignore[arg-type]
        g.rule("event", f"you {verb} life for the first time each turn", (first,))
    # 702.53b: what a card haunts it haunts in exile.
    haunted = f.Pattern(
        event="zone change", subject=Noun("the creature it haunts"), from_="battlefield", to="graveyard"
    )
    enters = f.Pattern(event="zone change", subject=Noun("{this}"), to="battlefield")
    g.rule("event", "the creature it haunts dies", (haunted,), "the creature {this} haunts dies")
    g.rule("event", "{this} enters or the creature it haunts dies", (enters, haunted))
    g.terminal("standing", _standing_at, lambda p, v: p.write("scond", v))
    g.rule("event", "<c:standing>", (f.Pattern(event="state", condition=S.c),))


def _noun_words(printer: Printer, value: Any) -> Words | None:
    return printer.write("noun", value)


# --- who and what events are about --------------------------------------------------------------------------------------------


def _subjects_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One object in a trigger event: {this}, "a creature you control", "enchanted creature", "{this} or another Goblin"."""
    nouns = (*own_commander(reader, place, "a commander you own"), *reader.read("noun", place))
    return [one for one in nouns if is_subject(one.value)]


def is_subject(value: Noun) -> bool:
    """Whether a noun is one object that a trigger event may be about."""
    reading = value.reading
    if isinstance(reading, n.This | n.Attached):
        return value.text not in (
            "enchanted player",
            "enchanted opponent",
            "this spell",
            "this ability",
        ) and " " not in value.text.replace("enchanted ", "").replace("equipped ", "").replace("fortified ", "")
    if not isinstance(reading, n.Choose) or reading.count != 1 or reading.up_to:
        return False
    return reading.of.players is None and is_kind(value) and value.text.split()[0] in ("a", "an", "another", "{this}")


def _players_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One player in a trigger event."""
    return [
        one
        for one in reader.read("noun", place)
        if one.value.text in ("you", "an opponent", "a player", "another player", "enchanted player")
    ]


def _spells_at(reader: Reader, place: int) -> Iterable[Reading]:
    """A spell that is cast."""
    return [
        one
        for one in (*own_commander(reader, place, "a commander spell you own"), *reader.read("noun", place))
        if isinstance(one.value.reading, n.Choose)
        and one.value.reading.count == 1
        and "spell" in one.words
        and one.words[0] in ("a", "an", "another")
        and one.value.reading.of.players is None
        and "ability" not in one.words
    ]


def _recipients_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Whom damage is dealt to or an attack goes against: a player, an opponent, a creature, a creature or player, you, {this}."""
    alone = ("you", "{this}", "enchanted player")
    found = [one for one in reader.read("noun", place) if one.value.text in alone or _you_or(one.value)]
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Choose) and reading.count == 1 and one.words[0] in ("a", "an"):
            found.append(one)
    if reader.words[place : place + 4] == ("one", "of", "your", "opponents"):
        found.append(Reading(place + 4, Noun("an opponent"), ("an", "opponent")))
    return found


def _you_or(value: Noun) -> bool:
    """ "you or a planeswalker you control" and the like."""
    return isinstance(value.reading, n.Both) and value.text.startswith("you or ")


# --- a subject and what happens to it ------------------------------------------------------------------------------------------


def _verb(word: str, plural: bool) -> tuple[str, ...]:
    """A word of a happening as it stands after a subject of that number; "is|are" and the like are both at once."""
    if not word.endswith("~"):
        return (word,)
    base = word[:-1]
    return (base,) if plural else (third(base),)


def _events_at(reader: Reader, place: int) -> Iterable[Reading]:
    subjects = [(one, False) for one in reader.read("subject", place)]
    if reader.words[place : place + 3] == ("one", "or", "more"):
        subjects += [(one, True) for one in (*reader.read("plurals", place + 3), *_same_plural(reader, place + 3))]
    for subject, many in subjects:
        head = ("one", "or", "more", *subject.words) if many else subject.words
        states: list[tuple[int, tuple[f.Pattern, ...], Words]] = [(subject.end, (), head)]
        while states:
            at, patterns, words = states.pop()
            for one in reader.read("happens", at):
                if not _agrees(reader, one, at, many or subject.value == THIS and reader.at(at)[-1:] != "s"):
                    continue
                said = tuple(form for word in one.words for form in _verb(word, many))
                made = (*patterns, *(_with_subject(p, subject.value, many) for p in one.value))
                if [p.event for p in made] == ["blocks", "becomes blocked by"] and len(one.value) == 1:
                    continue  # "blocks or becomes blocked by a creature" is one happening
                row = (*words, *(("or",) if patterns else ()), *said)
                yield Reading(one.end, made, row)
                for joint in JOINTS:
                    if reader.words[one.end : one.end + len(joint)] == joint and len(made) < 4:
                        states.append((one.end + len(joint), made, row))


def _same_plural(reader: Reader, place: int) -> Iterable[Reading]:
    """Kinds whose plural is their singular ("nontoken Merfolk you control")."""
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Things) and not reading.anywhere and reading.zone == "battlefield":
            made = noun(f"all {one.value.text}")
            if made is not None and isinstance(made.reading, n.Each) and reading.players is None:
                yield Reading(one.end, made, one.words)


def _agrees(reader: Reader, reading: Reading, place: int, many: bool) -> bool:
    """Whether the verb is in the number of its subject."""
    word = reader.at(place)
    if reading.words[0].endswith("~"):
        base = reading.words[0][:-1]
        wanted = base if many else third(base)
        return word == wanted or word not in (base, third(base)) and word.endswith("s") is not many
    return True


def _with_subject(pattern: f.Pattern, subject: Noun, many: bool) -> f.Pattern:
    made = filled_shape(pattern, {"s": subject})
    return replace(made, grain="batch") if many else made


def _event_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value or not all(isinstance(p, f.Pattern) for p in value):
        return None
    for rule in printer.grammar.rules.get("event", ()):
        whole = printer.by_rule(rule, value)
        if whole is not None:
            return whole
    words: list[str] = []
    place = 0
    subject: Noun | None = None
    while place < len(value):
        for size in (2, 1):
            found = _happening_words(printer, value[place : place + size])
            if found is not None:
                break
        else:
            return None
        about, said = found
        if subject is not None and about != subject:
            return None
        subject = about
        words += [*(("or",) if words else ()), *said]
        place += size
    if subject is None:
        return None
    many = isinstance(subject.reading, n.Each)
    said = noun_words(subject)
    return (*(("one", "or", "more") if many else ()), *(said[1:] if said[0] == "all" else said), *words)


def _happening_words(printer: Printer, patterns: tuple[f.Pattern, ...]) -> tuple[Noun, Words] | None:
    """The subject of these patterns and what they say of it."""
    subjects = [p.subject if p.subject is not None else p.object for p in patterns]
    for subject in subjects[:1]:
        many = subject is not None and isinstance(subject.reading, n.Each)
        for rule in printer.grammar.rules.get("happens", ()):
            env: dict[str, Any] = {}
            shaped = tuple(replace(p, grain="each") for p in patterns) if many else patterns
            words = printer.by_rule(rule, shaped, env)
            if words is None and many:
                env = {}
                words = printer.by_rule(rule, patterns, env)
            about = env.get("s")
            if words is not None and isinstance(about, Noun):
                return about, tuple(form for word in words for form in _verb(word, many))
    return None


# --- happenings -----------------------------------------------------------------------------------------------------------------

SUBJECT = S.s
#: How something enters.
ARRIVED = {word: f.Is(what=Noun("it"), of=Noun(f"permanent that's {word}")) for word in ("tapped", "untapped")}
_EXILED = ("is|are put into exile", "is|are put into exile from the battlefield")
STEPS = (("declare_attackers", "declare attackers"), ("declare_blockers", "declare blockers"))


def _happens(g: Grammar, template: str, one: f.Pattern, more: tuple[str, ...] = ()) -> None:
    """What happens to a subject, with "while ..." and "during your turn" after it."""
    g.rule("happens", template, (one,), *more)
    held = (replace(one, condition=S.c),)
    g.rule("happens", f"{template} while <c:scond>", held, *(f"{m} while <c:scond>" for m in more))
    during = (replace(one, condition=f.During(whose=YOU)),)
    tail = ("during your turn", "on your turn")
    variants = [f"{m} {t}" for m in (template, *more) for t in tail]
    g.rule("happens", variants[0], during, *variants[1:])


def _objects(g: Grammar) -> None:
    def happens(template: str, *more: str, **fields: Any) -> None:
        _happens(g, template, f.Pattern(subject=SUBJECT, **fields), more=more)

    happens("become~ tapped", event="tap")
    happens("become~ untapped", event="untap")
    happens("mutate~", event="mutates")
    happens("become~ attached to <o:subject>", event="attached", object=S.o)
    happens("is|are put into your hand from your graveyard", event="zone change", from_="graveyard", to="hand")
    for word in ("monstrous", "renowned"):
        happens(f"become~ {word}", event="designated", cause=word)
    saddled = f.Is(what=THIS, of=Noun("saddled permanent"))
    g.rule("happens", "attack~ while saddled", (f.Pattern(event="attacks", subject=SUBJECT, condition=saddled),))
    happens("is|are turned face up", event="turned face up")
    target = "become~ the target of a spell or ability"
    happens(target, event="becomes target")
    happens(
        f"{target} an opponent controls", event="becomes target", object=Noun("a spell or ability an opponent controls")
    )
    happens(f"{target} you control", event="becomes target", object=Noun("a spell or ability you control"))
    happens("become~ the target of <o:spell>", event="becomes target", object=S.o)
    happens("is|are sacrificed", event="sacrifice")


def _combat(g: Grammar) -> None:
    def happens(template: str, *more: str, **fields: Any) -> None:
        _happens(g, template, f.Pattern(subject=SUBJECT, **fields), more=more)

    happens("attack~", event="attacks")
    happens("attack~ alone", event="attacks alone")
    happens("attack~ <o:recipient>", event="attacks", object=S.o)
    happens("attack~ and isn't|aren't blocked", event="becomes unblocked")
    happens("block~", event="blocks", grain="batch")
    happens("block~ <o:subject>", event="blocks", object=S.o)
    happens("become~ blocked", event="becomes blocked", grain="batch")
    blocked = f.Pattern(event="becomes blocked by", subject=S.o, object=SUBJECT)
    g.rule("happens", "become~ blocked by <o:subject>", (blocked,))
    blocking = f.Pattern(event="blocks", subject=SUBJECT, object=S.o)
    g.rule("happens", "block~ or become~ blocked by <o:subject>", (blocking, blocked))


def _damage(g: Grammar) -> None:
    def happens(template: str, *more: str, **fields: Any) -> None:
        _happens(g, template, f.Pattern(subject=SUBJECT, **fields), more=more)

    for word, combat in (("", None), ("combat ", True), ("noncombat ", False)):
        happens(f"is|are dealt {word}damage", event="damage dealt to", combat=combat)
        happens(f"deal~ {word}damage to <o:recipient>", event="damage", object=S.o, combat=combat)
        # All that one source deals at once is dealt once (the ability triggers once).
        happens(
            f"deal~ {word}damage",
            f"deal~ {word}damage to one or more permanents and/or players",
            event="damage",
            combat=combat,
            grain="batch",
        )


def _zones(g: Grammar) -> None:
    def happens(template: str, *more: str, **fields: Any) -> None:
        _happens(g, template, f.Pattern(event="zone change", subject=SUBJECT, **fields), more=more)

    for word, status in ARRIVED.items():
        arrives = f.Pattern(event="zone change", subject=SUBJECT, to="battlefield", condition=status)
        g.rule("happens", f"enter~ {word}", (arrives,))
    happens("enter~", to="battlefield")
    for step, text in STEPS:
        there = f.Pattern(event="zone change", subject=SUBJECT, to="battlefield", condition=f.During(step=step))
        g.rule("happens", f"enter~ during the {text} step", (there,))
    happens("die~", from_="battlefield", to="graveyard")
    fighting = f.Pattern(
        event="zone change",
        subject=SUBJECT,
        from_="battlefield",
        to="graveyard",
        condition=f.During(step="combat"),
    )
    g.rule("happens", "die~ during combat", (fighting,))
    happens("leave~ the battlefield", from_="battlefield")
    happens("leave~ the battlefield without dying", from_="battlefield", not_to="graveyard")
    happens("is|are exiled from the battlefield", *_EXILED, from_="battlefield", to="exile")
    happens("is|are put into the command zone", from_="battlefield", to="command")
    milled = f.Pattern(event="zone change", subject=THIS, from_="library", to="graveyard")
    g.rule("event", "{this} is put into your graveyard from your library", (milled,))
    g.rule(
        "event",
        "{this} is put into a graveyard from anywhere",
        (f.Pattern(event="zone change", subject=THIS, to="graveyard"),),
    )


def _whole(g: Grammar) -> None:
    """Events that are no subject with a happening."""
    r = g.rule

    def event(template: str, *patterns: f.Pattern, more: tuple[str, ...] = ()) -> None:
        r("event", template, patterns, *more)

    dies = f.Pattern(event="zone change", subject=SUBJECT, from_="battlefield", to="graveyard")
    enters = f.Pattern(event="zone change", subject=SUBJECT, to="battlefield")
    g.terminal("buried", _buried_at, lambda p, v: None)
    g.terminal("moved", _moved_at(enters, dies), lambda p, v: None)
    r("event", "<a:moved>", S.a)
    event(
        "a creature dealt damage by {this} this turn dies",
        replace(dies, subject=Noun("a creature dealt damage by {this} this turn")),
    )
    # How many attack is asked as they do (508.3).
    attack = f.Pattern(event="attackers declared", subject=YOU)
    g.terminal("force", _force_at, _force_words)
    event("you attack", attack)
    event("you attack with <c:force>", replace(attack, condition=S.c))
    g.terminal("horde", _horde_at, _horde_words)
    event("<c:horde> attack", f.Pattern(event="attackers declared", condition=S.c))
    total = f.Holds(left=n.StatOf(stat="power", of=Noun("attacking creatures you control")), compare=">=", right=S.n)
    event("you attack with creatures with total power <n:number> or greater", replace(attack, condition=total))
    event("{this} attacks for the first time each turn", f.Pattern(event="attacks", subject=THIS, nth=1))
    others = f.Exists(of=Noun("other attacking creatures you control"), number=S.n)
    battalion = f.Pattern(event="attacks", subject=THIS, condition=others)
    r("event", "{this} and at least <n:count> other creatures attack", (battalion,), guard=lambda e: e["n"] != 1)
    r(
        "event",
        "{this} and at least one other creature attack",
        (replace(battalion, condition=replace(others, number=1)),),
    )


def _force_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "two or more creatures": how many of what someone attacks with."""
    for count in reader.read("count", place):
        if not isinstance(count.value, int) or reader.words[count.end : count.end + 2] != ("or", "more"):
            continue
        for one in reader.read("plurals", count.end + 2):
            if count.value == 1 and one.value.text != "creatures":
                continue  # it is they that attack
            made = with_owner(f"attacking {one.value.text}", "you")
            if made is not None and isinstance(made.reading, n.Each):
                word = "one" if count.value == 1 else count.words[0]
                words = (word, "or", "more", *one.words)
                yield Reading(one.end, f.Exists(of=made, number=count.value), words)


def _horde_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "two or more creatures", whoever attacks with them."""
    for count in reader.read("count", place):
        if not isinstance(count.value, int) or reader.words[count.end : count.end + 2] != ("or", "more"):
            continue
        for one in reader.read("plurals", count.end + 2):
            made = noun(f"all attacking {phrase(one.words)}")
            if made is not None and isinstance(made.reading, n.Each) and "control" not in one.words and count.value > 1:
                made = Noun(made.text.removeprefix("all "))
                yield Reading(one.end, f.Exists(of=made, number=count.value), (*count.words, "or", "more", *one.words))


def _horde_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Exists) or value.compare != ">=" or not isinstance(value.number, int):
        return None
    if not value.of.text.startswith("attacking ") or " control" in value.of.text:
        return None
    kind = noun(value.of.text.removeprefix("attacking "))
    count = printer.write("count", value.number)
    return None if kind is None or count is None else (*count, "or", "more", *noun_words(kind))


def _force_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.Exists) or value.compare != ">=" or not isinstance(value.number, int):
        return None
    text = value.of.text
    if not text.startswith("attacking ") or " you control" not in text:
        return None
    kind = noun(text.removeprefix("attacking ").replace(" you control", "", 1))
    count = printer.write("count", value.number) if value.number > 1 else ("one",)
    return None if kind is None or count is None else (*count, "or", "more", *noun_words(kind))


def _moved_at(enters: f.Pattern, dies: f.Pattern) -> Any:
    """Old and owned wordings of entering and dying."""

    def read(reader: Reader, place: int) -> Iterable[Reading]:
        for category, shape, *said in (
            ("entering", enters, "enters"),
            ("enteringtapped", replace(enters, condition=ARRIVED["tapped"]), "enters", "tapped"),
            ("buried", dies, "dies"),
        ):
            for one in reader.read(category, place):
                yield Reading(one.end, (filled_shape(shape, {"s": one.value}),), (*one.words, *said))

    return read


def _buried_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a creature is put into your graveyard from the battlefield" is "a creature you own dies"."""
    for one in reader.read("subject", place):
        for said, owner in _GRAVES:
            tail = said if "permanent" not in one.words else said[:-3]
            for words in dict.fromkeys((said, tail)):
                if reader.words[one.end : one.end + len(words)] != words or not isinstance(one.value.reading, n.Choose):
                    continue
                made = noun(f"{one.value.text} {owner}")
                if made is not None and is_subject(made) and one.words[0] != "{this}":
                    yield Reading(one.end + len(words), made, noun_words(made))


# Whose graveyard something is put into from the battlefield (which "a permanent" need not say).
_GRAVES: tuple[tuple[Words, str], ...] = (
    (("is", "put", "into", "your", "graveyard", "from", "the", "battlefield"), "you own"),
    (("is", "put", "into", "an", "opponent", "'s", "graveyard", "from", "the", "battlefield"), "an opponent owns"),
)


# --- what players do ------------------------------------------------------------------------------------------------------------


def _standing_at(reader: Reader, place: int) -> Iterable[Reading]:
    """What a state trigger looks for (603.8): what is controlled, how many counters or cards there are."""
    for one in reader.read("scond", place) if reader.at(place - 1) == "when" else ():
        held = one.value.condition if isinstance(one.value, f.NotSo) else one.value
        held = held.condition if isinstance(held, f.SomePlayer) else held
        about = isinstance(held, f.Holds) and isinstance(held.left, n.CountersOn | n.CardsIn | n.LifeOf | n.StatOf)
        if isinstance(held, f.Exists) or about:
            yield one
