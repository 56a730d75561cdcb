"""Rules for triggered and activated abilities: events, steps, what limits them, modes.

Category `event` is what stands between "whenever" and the comma, `when` a whole beginning with its "when", "whenever" or
"at"; `triggered` and `activated` are whole lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.core import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.terminals import is_kind, noun, noun_words

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
GRAVEYARD = "{this} from your graveyard"


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("subject", _subjects_at, _subject_words)
    g.terminal("player", _players_at, _subject_words)
    g.terminal("spell", _spells_at, _subject_words)
    g.terminal("recipient", _recipients_at, _subject_words)
    g.terminal("triggered", _triggered_at, _triggered_words)
    g.terminal("activated", _activated_at, _activated_words)
    g.terminal("instructions", _instructions_at, _instructions_words)
    _objects(g)
    _people(g)
    _steps(g)
    _limits(g)


# --- who and what events are about --------------------------------------------------------------------------------------------


def _subjects_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One object in a trigger event: {this}, "a creature you control", "enchanted creature", "{this} or another Goblin"."""
    found: list[Reading] = []
    for one in reader.read("noun", place):
        if _is_subject(one.value):
            found.append(one)
    return found


def _is_subject(value: Noun) -> bool:
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
        for one in reader.read("noun", place)
        if isinstance(one.value.reading, n.Choose)
        and one.value.reading.count == 1
        and "spell" in one.words
        and one.words[0] in ("a", "an", "another")
        and one.value.reading.of.players is None
        and "ability" not in one.words
    ]


def _recipients_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Whom damage is dealt to: a player, an opponent, a creature, a creature or player, you, {this}."""
    found = [one for one in reader.read("noun", place) if one.value.text in ("you", "{this}")]
    for one in reader.read("noun", place):
        reading = one.value.reading
        if isinstance(reading, n.Choose) and reading.count == 1 and one.words[0] in ("a", "an"):
            found.append(one)
    return found


def _subject_words(printer: Printer, value: Any) -> Words | None:
    return printer.write("noun", value)


# --- events -------------------------------------------------------------------------------------------------------------------


def _objects(g: Grammar) -> None:
    r = g.rule
    subject = S.s

    def event(template: str, *patterns: f.Pattern, more: tuple[str, ...] = (), guard: Any = None) -> None:
        r("event", template, patterns, *more, guard=guard)

    enters = f.Pattern(event="zone change", subject=subject, to="battlefield")
    dies = f.Pattern(event="zone change", subject=subject, from_="battlefield", to="graveyard")
    leaves = f.Pattern(event="zone change", subject=subject, from_="battlefield")
    attacks = f.Pattern(event="attacks", subject=subject)
    blocks = f.Pattern(event="blocks", subject=subject, grain="batch")
    blocked = f.Pattern(event="becomes blocked", subject=subject, grain="batch")
    g.terminal("buried", _buried_at, lambda p, v: None)
    event("<s:subject> dies", dies, more=("<s:buried>",))
    event("<s:subject> leaves the battlefield", leaves)
    event("<s:subject> attacks", attacks)
    event("<s:subject> attacks <o:recipient>", replace(attacks, object=S.o))
    event("<s:subject> blocks", blocks)
    event("<s:subject> becomes blocked", blocked)
    event("<s:subject> enters or attacks", enters, attacks)
    event("<s:subject> enters or dies", enters, dies)
    event("<s:subject> attacks or blocks", attacks, blocks)
    event("<s:subject> blocks or becomes blocked", blocks, blocked)
    event("<s:subject> attacks and isn't blocked", f.Pattern(event="becomes unblocked", subject=subject))
    event("{this} blocks <o:subject>", f.Pattern(event="blocks", subject=THIS, object=S.o))
    event("{this} becomes blocked by <s:subject>", f.Pattern(event="blocks", subject=subject, object=THIS))
    either = f.Pattern(event="blocks", subject=subject, object=THIS)
    event(
        "{this} blocks or becomes blocked by <s:subject>",
        f.Pattern(event="blocks", subject=THIS, object=subject),
        either,
    )
    for verb, shape in (("enter", enters), ("die", dies), ("attack", attacks)):
        plural = replace(shape, subject=S.q, grain="batch")
        event(f"one or more <q:plurals> {verb}", plural)
    event("<s:subject> attacks alone", f.Pattern(event="attacks alone", subject=subject))
    event("<s:subject> mutates", f.Pattern(event="mutates", subject=subject))
    event("<s:subject> becomes tapped", f.Pattern(event="tap", subject=subject))
    event("<s:subject> becomes untapped", f.Pattern(event="untap", subject=subject))
    event("{this} is turned face up", f.Pattern(event="turned face up", subject=THIS))
    event("{this} becomes the target of a spell or ability", f.Pattern(event="becomes target", subject=THIS))
    event(
        "{this} becomes the target of a spell or ability an opponent controls",
        f.Pattern(event="becomes target", subject=THIS, object=Noun("a spell or ability an opponent controls")),
    )
    event("<s:subject> is dealt damage", f.Pattern(event="damage dealt to", subject=subject))
    event("<s:subject> is dealt combat damage", f.Pattern(event="damage dealt to", subject=subject, combat=True))
    event("<s:subject> deals damage to <o:recipient>", f.Pattern(event="damage", subject=subject, object=S.o))
    event(
        "<s:subject> deals combat damage to <o:recipient>",
        f.Pattern(event="damage", subject=subject, object=S.o, combat=True),
    )
    event(
        "a creature dealt damage by {this} this turn dies",
        f.Pattern(
            event="zone change",
            subject=Noun("a creature dealt damage by {this} this turn"),
            from_="battlefield",
            to="graveyard",
        ),
    )
    g.terminal("entering", _entering_at, lambda p, v: None)
    r("event", "<s:subject> enters", (enters,), "<s:entering>")


def _buried_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a creature is put into your graveyard from the battlefield" is "a creature you own dies"."""
    tail = ("is", "put", "into", "your", "graveyard", "from", "the", "battlefield")
    for one in reader.read("subject", place):
        if reader.words[one.end : one.end + len(tail)] == tail and isinstance(one.value.reading, n.Choose):
            made = noun(f"{one.value.text} you own")
            if made is not None and _is_subject(made) and one.words[0] != "{this}":
                yield Reading(one.end + len(tail), made, noun_words(made))


def _entering_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a creature enters under your control" is "a creature you control enters"."""
    for one in reader.read("subject", place):
        for who, tail in (("you", ("your",)), ("an opponent", ("an", "opponent", "'s"))):
            words = ("enters", "under", *tail, "control")
            if reader.words[one.end : one.end + len(words)] == words and not one.value.text.startswith("{this}"):
                made = with_owner(one.value.text, who)
                if made is not None and _is_subject(made):
                    yield Reading(one.end + len(words), made, noun_words(made))


def with_owner(text: str, who: str) -> Noun | None:
    """ "a creature" as "a creature you control", before what follows a kind."""
    owner = f"{who} control{'s' if who != 'you' else ''}"
    for mark in (" with ", " without ", " that ", " named ", " other than "):
        head, found, tail = text.partition(mark)
        if found:
            return noun(f"{head} {owner}{mark}{tail}")
    return noun(f"{text} {owner}")


def _people(g: Grammar) -> None:
    r = g.rule

    def event(template: str, **fields: Any) -> None:
        r("event", template, (f.Pattern(**fields),))

    who = S.w
    event("<w:player> cast~ <o:spell>", event="cast", subject=who, object=S.o)
    event("<w:player> gain~ life", event="life gain", subject=who)
    event("<w:player> lose~ life", event="life loss", subject=who)
    event("<w:player> draw~ a card", event="draw", subject=who)
    event("<w:player> discard~ a card", event="discard", subject=who)
    event("you cycle {this}", event="cycled", subject=YOU, object=THIS)
    event("you cycle a card", event="cycled", subject=YOU)
    event("a player cycles a card", event="cycled")
    event("you're dealt damage", event="damage dealt to", subject=YOU)


def _steps(g: Grammar) -> None:
    r = g.rule
    texts = (
        ("upkeep", "upkeep"),
        ("draw", "draw step"),
        ("end_turn", "end step"),
        ("precombat_main", "precombat main phase"),
    )
    for step, text in texts:
        also = ("your first main phase",) if step == "precombat_main" else ()
        r("step", f"your {text}", f.Pattern(event="step", step=step, whose=YOU), *also)
        r(
            "step",
            f"each {text}",
            f.Pattern(event="step", step=step),
            f"each player 's {text}",
            *((f"the {text}",) if step == "end_turn" else ()),
        )
        for whose, said in (("each opponent", "each opponent 's"), ("enchanted player", "enchanted player 's")):
            r("step", f"{said} {text}", f.Pattern(event="step", step=step, whose=Noun(whose)))
        controllers = [
            noun(f"{what}'s controller")
            for what in (
                "enchanted creature",
                "enchanted land",
                "enchanted permanent",
                "enchanted artifact",
                "enchanted enchantment",
            )
        ]
        for controller in controllers:
            if controller is not None:
                words = controller.text.replace("'s", " 's")
                r("step", f"the {text} of {words}", f.Pattern(event="step", step=step, whose=controller))
    r("step", "combat on your turn", f.Pattern(event="step", step="begin_combat", whose=YOU))
    r("step", "each combat", f.Pattern(event="step", step="begin_combat"))
    r("when", "at the beginning of <s:step>", (S.s,), "at the beginning of <s:step>")
    r("when", "at end of combat", (f.Pattern(event="step", step="end_combat"),))
    r("when", "when|whenever <e:event>", S.e)


# --- triggered abilities --------------------------------------------------------------------------------------------------------


_CHOICES: tuple[tuple[str, int, int], ...] = (
    ("choose one —", 1, 1),
    ("choose two —", 2, 2),
    ("choose three —", 3, 3),
    ("choose one or both —", 1, 2),
    ("choose one or more —", 1, -1),
    ("choose up to one —", 0, 1),
    ("choose up to two —", 0, 2),
)


def _instructions_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Instructions to the end of the text, or "choose one" with modes: a tree, or (least, most, modes)."""
    words = reader.words
    for one in reader.read("program", place):
        end = one.end
        end += reader.at(end) == "."
        if end == len(words):
            yield Reading(end, one.value, (*one.words, "."))
    for text, least, most in _CHOICES:
        head = tuple(text.split())
        if words[place : place + len(head)] == head:
            at = place + len(head)
            if reader.at(at) == "\n":
                at += 1
            states: list[tuple[int, tuple[f.Mode, ...], Words]] = [(at, (), head)]
            while states:
                after = []
                for start, modes, said in states:
                    if reader.at(start) != "•":
                        continue
                    for one in reader.read("program", start + 1):
                        end = one.end
                        if reader.at(end) != ".":
                            continue
                        row = (*modes, f.Mode(do=one.value, text=""))
                        its = (*said, "•", *one.words, ".")
                        end += 1
                        if end == len(words):
                            high = len(row) if most < 0 else most
                            if len(row) > 1 and high <= len(row):
                                yield Reading(end, (least, high, row), its)
                        elif reader.at(end) == "•":
                            after.append((end, row, its))
                        elif reader.at(end) == "\n":
                            after.append((end + 1, row, its))
                states = after


def _instructions_words(printer: Printer, value: Any) -> Words | None:
    if isinstance(value, tuple) and len(value) == 3 and isinstance(value[0], int):
        least, most, modes = value
        for text, low, high in _CHOICES:
            if low == least and (high if high > 0 else len(modes)) == most and (high > 0 or len(modes) != 2):
                words: list[str] = list(text.split())
                for mode in modes:
                    said = printer.write("program", mode.do)
                    if said is None:
                        return None
                    words += ["•", *said, "."]
                return tuple(words)
        return None
    words_ = printer.write("program", value)
    return None if words_ is None else (*words_, ".")


def with_body(made: Any, body: Any) -> Any:
    """The ability with its instructions or modes; the opposite of `body_of`."""
    """The ability with its instructions or modes; the opposite of `body_of`."""
    if body and isinstance(body[0], int):
        return replace(made, least=body[0], most=body[1], modes=body[2])
    return replace(made, do=body)


def body_of(ability: Any) -> Any:
    """The instructions of an ability as `instructions` reads them."""
    return (ability.least, ability.most, ability.modes) if ability.modes else ability.do


def own_zone(value: Any) -> str:
    """Where an ability works, as its text shows: it speaks of {this} in a graveyard or hand, or discards it."""
    for part in walk(value):
        if isinstance(part, Noun) and part.text.startswith(GRAVEYARD):
            return "graveyard"
        if isinstance(part, Noun) and part.text.startswith("{this} from your hand"):
            return "hand"
        if isinstance(part, f.DiscardCost) and part.what == THIS:
            return "hand"
    return "battlefield"


def _says_it(value: Any) -> bool:
    """Whether a program begins by speaking of "it"."""
    return any(isinstance(part, Noun) and part.text.split()[0] in ("it", "its") for part in walk(value))


def _says_many(value: Any) -> bool:
    """Whether a program speaks of one of several things that happened at once, or of how many."""
    return _says_it(value) or any(
        isinstance(part, n.ThatMuch) or isinstance(part, Noun) and part.text.startswith(("that ", "those ", "them"))
        for part in walk(value)
    )


def walk(value: Any) -> Iterable[Any]:
    """A value of the tree and all parts of it; nouns are leaves."""
    yield value
    if isinstance(value, tuple):
        for part in value:
            yield from walk(part)
    elif not isinstance(value, Noun):
        for field in getattr(value, "__struct_fields__", ()):
            yield from walk(getattr(value, field))


def _triggered_at(reader: Reader, place: int) -> Iterable[Reading]:
    for when in reader.read("when", place):
        if reader.at(when.end) != ",":
            continue
        starts: list[tuple[int, Any, Words]] = [(when.end + 1, None, ())]
        if reader.at(when.end + 1) == "if":
            for cond in reader.read("cond", when.end + 2):
                if reader.at(cond.end) == ",":
                    starts.append((cond.end + 1, cond.value, ("if", *cond.words, ",")))
        for start, condition, said in starts:
            for body in reader.read("instructions", start):
                made = with_body(f.TriggeredAbility(when=when.value, condition=condition), body.value)
                batch = any(p.grain == "batch" and isinstance(p.subject, Noun) and p.subject != THIS for p in made.when)
                if batch and _says_many((made.do, made.modes)):
                    continue
                if any(p.event == "blocks" and p.object is not None for p in made.when) and _says_it(
                    (made.do, made.modes)
                ):
                    continue  # which of the two "it" is would be a guess
                if condition is None and made.do and isinstance(made.do[0], f.If):
                    if not made.do[0].otherwise and reader.at(when.end + 1) == "if":
                        continue  # "if" right after the event is an intervening if (603.4)
                yield from _zoned(made, body.end, (*when.words, ",", *said, *body.words))


def _zoned(made: f.TriggeredAbility, end: int, words: Words) -> Iterable[Reading]:
    zone = own_zone((made.do, made.modes))
    dies = any(p.event == "zone change" and p.subject == THIS and p.from_ == "battlefield" for p in made.when)
    if zone != "battlefield" and not dies:
        made = replace(made, zone=zone)
    yield Reading(end, made, words)


def _triggered_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.TriggeredAbility):
        return None
    when = printer.write("when", value.when)
    body = printer.write("instructions", body_of(value))
    late = value.do[0] if len(value.do) == 1 and value.condition is None else None
    if isinstance(late, f.If) and not late.otherwise:  # at the front it would be an intervening if (603.4)
        then, condition = printer.write("chain", late.then), printer.write("cond", late.condition)
        body = None if then is None or condition is None else (*then, "if", *condition, ".")
    said: Words = ()
    if value.condition is not None:
        condition = printer.write("cond", value.condition)
        if condition is None:
            return None
        said = ("if", *condition, ",")
    return None if when is None or body is None else (*when, ",", *said, *body)


# --- activated abilities ----------------------------------------------------------------------------------------------------------


def _limits(g: Grammar) -> None:
    r = g.rule
    for value, text in (
        ({"timing": "sorcery"}, "activate only as a sorcery"),
        ({"timing": "your turn"}, "activate only during your turn"),
        ({"timing": "upkeep"}, "activate only during your upkeep"),
        ({"timing": "combat"}, "activate only during combat"),
        ({"timing": "before attackers"}, "activate only during your turn , before attackers are declared"),
        ({"limit": 1}, "activate only once each turn"),
        ({"by": "any player"}, "any player may activate this ability"),
        ({"timing": "sorcery", "limit": 1}, "activate only as a sorcery and only once each turn"),
        ({"timing": "your turn", "limit": 1}, "activate only during your turn and only once each turn"),
    ):
        shape = f.ActivatedAbility(cost=(), **value)  # type: ignore[arg-type]
        old = text.replace("activate only", "activate this ability only")
        r("limit", text, shape, *((old,) if old != text else ()))
    r(
        "limit",
        "activate only if <c:scond>",
        f.ActivatedAbility(cost=(), condition=S.c),
        "activate this ability only if <c:scond>",
    )
    r(
        "limit",
        "activate no more than twice each turn",
        f.ActivatedAbility(cost=(), limit=2),
        "activate this ability no more than twice each turn",
    )


def _activated_at(reader: Reader, place: int) -> Iterable[Reading]:
    colon = next((i for i in range(place, len(reader.words)) if reader.words[i] in (":", '"')), -1)
    if colon < 0 or reader.words[colon] != ":":
        return
    for cost, said in _costs_at(reader, place, colon):
        for body_end, body, words, limit, limit_words in _bodies(reader, colon + 1):
            made = with_body(f.ActivatedAbility(cost=cost), body)
            if limit is not None:
                made = _merged(made, limit)
            zone = own_zone((made.cost, made.do, made.modes))
            yield Reading(body_end, replace(made, zone=zone), (*said, ":", *words, *limit_words))


def _merged(made: f.ActivatedAbility, limit: f.ActivatedAbility) -> f.ActivatedAbility:
    return replace(made, timing=limit.timing, limit=limit.limit, by=limit.by, condition=limit.condition)


def _costs_at(reader: Reader, place: int, colon: int) -> Iterable[tuple[f.Costs, Words]]:
    word = reader.words[place] if place < colon else ""
    plain = word.strip("[]").replace("−", "-")
    if colon == place + 1 and plain and plain.lstrip("+-").isdecimal() and (plain[0] in "+-" or plain == "0"):
        yield (f.LoyaltyCost(change=int(plain)),), (plain,)
    elif colon == place + 1 and plain == "-X":
        yield (f.LoyaltyCost(x=True),), ("-X",)
    for one in reader.read("cost", place):
        if one.end == colon:
            yield one.value, one.words


def _bodies(reader: Reader, place: int) -> Iterable[tuple[int, Any, Words, f.ActivatedAbility | None, Words]]:
    for body in reader.read("instructions", place):
        yield body.end, body.value, body.words, None, ()
    for one in reader.read("program", place):
        if reader.at(one.end) != ".":
            continue
        for limit in reader.read("limit", one.end + 1):
            end = limit.end + (reader.at(limit.end) == ".")
            if end == len(reader.words):
                yield end, one.value, (*one.words, "."), limit.value, (*limit.words, ".")


def _activated_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.ActivatedAbility):
        return None
    first = value.cost[0] if value.cost else None
    if isinstance(first, f.LoyaltyCost):
        cost: Words | None = ("-X",) if first.x else (f"{first.change:+d}" if first.change else "0",)
    else:
        cost = printer.write("cost", value.cost)
    body = printer.write("instructions", body_of(value))
    if cost is None or body is None:
        return None
    limit = f.ActivatedAbility(cost=(), timing=value.timing, limit=value.limit, by=value.by, condition=value.condition)
    said: Words = ()
    if limit != f.ActivatedAbility(cost=()):
        words = printer.write("limit", limit)
        if words is None:
            return None
        said = (*words, ".")
    return (*cost, ":", *body, *said)
