"""Rules for triggered and activated abilities: events, steps, what limits them, modes.

Category `event` is what stands between "whenever" and the comma, `when` a whole beginning with its "when", "whenever" or
"at"; `triggered` and `activated` are whole lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, walk
from server.oracle.nouns import noun
from server.oracle.triggers.modes import Modal, body_of, with_body
from server.oracle.triggers.said_x import said_x, said_x_words
from server.oracle.triggers.so_much import counts_nothing
from server.oracle.values import SUSPENDED

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
GRAVEYARD = "{this} from your graveyard"
GRAVEYARD_TOO = re.compile(r"\{this\} and .* cards? from your graveyard")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("triggered", _triggered_at, _triggered_words)
    g.terminal("activated", _activated_at, _activated_words)
    _steps(g)


def _steps(g: Grammar) -> None:
    r = g.rule
    # It counts the turn's main phases (current 505.1b); all after the first are postcombat main phases.
    r("step", "your second main phase", f.Pattern(event="step", step="postcombat_main", whose=YOU, nth=2))
    texts = (
        ("upkeep", "upkeep"),
        ("draw", "draw step"),
        ("end_turn", "end step"),
        ("precombat_main", "precombat main phase"),
        ("postcombat_main", "postcombat main phase"),
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
        for whose in ("each opponent", "enchanted player", "each other player"):
            said = f"{whose} 's"
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
    theirs = f.Pattern(event="step", step="begin_combat", whose=Noun("each opponent"))
    r("step", "combat on each opponent 's turn", theirs)
    r("step", "each combat", f.Pattern(event="step", step="begin_combat"))
    r("when", "at the beginning of <s:step>", (S.s,), "at the beginning of <s:step>")
    r("when", "at end of combat", (f.Pattern(event="step", step="end_combat"),))
    r("when", "when|whenever <e:event>", S.e)
    g.terminal("when", _two_whens_at, _two_whens_words)


_WHENS = ("when", "whenever")
_BEGINNING: Words = ("at", "the", "beginning", "of")


def _two_whens_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "when {this} enters and whenever you cast a spell", "at the beginning of your upkeep or whenever ...": two events of one
    ability."""
    firsts: Iterable[Reading] = ()
    if reader.at(place) in _WHENS:
        firsts = reader.read("event", place + 1)
    elif reader.words[place : place + 4] == _BEGINNING:
        firsts = [one._replace(value=(one.value,)) for one in reader.read("step", place + 4)]
    for first in firsts:
        joint = 1 + (reader.at(first.end) == ",")
        if reader.at(first.end + joint - 1) not in ("and", "or"):
            continue
        start = first.end + joint
        for second in _second_whens(reader, start, first.value):
            value = (*first.value, *second.value)
            words = Printer(reader.grammar).write("when", value)
            if words is not None:
                yield Reading(second.end, value, words)


def _second_whens(reader: Reader, place: int, first: tuple[f.Pattern, ...]) -> Iterable[Reading]:
    """The event that follows, in which "it" is {this} if the first was about {this} alone ("when {this} enters and whenever it
    attacks", "when you cycle {this} or it dies")."""
    found = [*reader.read("when", place)]
    at = place + (reader.at(place) in _WHENS)
    if at == place and reader.at(place) in ("a", "an") and first[0].event == "cast":
        found += reader.read("event", place)  # "you cast a red spell or a Mountain enters"
    if reader.words[at : at + 3] == ("you", "sacrifice", "it") and all(p.subject == THIS for p in first):
        gone = f.Pattern(event="sacrifice", subject=THIS)
        words = Printer(reader.grammar).write("when", (gone,))
        found += [Reading(at + 3, (gone,), words)] if words is not None else []
    if reader.at(at) == "it" and all(THIS in (p.subject, p.object) for p in first):
        inner = Reader(reader.grammar, (*reader.words[place:at], "{this}", *reader.words[at + 1 :]))
        category = "when" if at > place else "event"
        found += [Reading(one.end + place, one.value, one.words) for one in inner.read(category, 0)]
    return found


def _two_whens_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or len(value) < 2 or printer.write("event", value) is not None:
        return None
    for size in range(len(value) - 1, 0, -1):
        first = printer.write("when", value[:size]) if size == 1 or printer.write("event", value[:size]) else None
        second = printer.write("when", value[size:]) if first is not None else None
        if first is not None and second is not None:
            return (*first, "and", *second)
    return None


# --- triggered abilities --------------------------------------------------------------------------------------------------------


def own_zone(value: Any) -> str:
    """Where an ability works, as its text shows: it speaks of {this} in a graveyard or hand, or discards it."""
    for part in walk(value):
        if isinstance(part, Noun) and (part.text.startswith(GRAVEYARD) or GRAVEYARD_TOO.fullmatch(part.text)):
            return "graveyard"
        if isinstance(part, Noun) and part.text.startswith("{this} from your hand"):
            return "hand"
        if isinstance(part, f.DiscardCost) and part.what == THIS:
            return "hand"
        if part == SUSPENDED:
            return "exile"
    return "battlefield"


def _says_it(value: Any) -> bool:
    """Whether a program begins by speaking of "it"."""
    return any(isinstance(part, Noun) and part.text.split()[0] in ("it", "its") for part in walk(value))


def _says_one(made: f.TriggeredAbility) -> bool:
    """Whether an ability that triggers once for several things speaks of a single one of them."""
    several = [p for p in made.when if p.grain == "batch" and p.subject is not None and _many(p.subject)]
    if not several:
        return False
    known = all(p.object is not None and not _many(p.object) for p in several)
    return any(
        isinstance(part, Noun)
        and (
            part.text.split()[0] in ("it", "its")
            or part.text.startswith("that ")
            and not (known and "that player" in part.text)
        )
        for part in walk((_until_brought(made.do), made.modes))
    )


#: What brings something of which is spoken then, whatever the event was about.
_BRINGS = f.CreateToken | f.Search | f.TakeUntil | f.Pick


def _until_brought(tree: f.Tree) -> f.Tree:
    """The instructions as far as the first that brings a token or a card, which "it" and "that card" are from then on."""
    for place, verb in enumerate(tree):
        from_top = isinstance(verb, f.Move | f.Look) and isinstance(verb.what.reading, n.Top)
        if from_top or isinstance(verb, _BRINGS):
            return tree[: place + 1]
    return tree


def _many(subject: Noun) -> bool:
    return isinstance(subject.reading, n.Each | n.Things)


def filled_it(value: Any) -> Any:
    """A tree with {this} for "it", outside of abilities that it makes."""
    if isinstance(value, Noun):
        return THIS if value == IT else value
    if isinstance(value, tuple):
        return tuple(filled_it(part) for part in value)
    if isinstance(value, msgspec.Struct):
        return replace(value, **{name: filled_it(getattr(value, name)) for name in value.__struct_fields__})
    return value


def _triggered_at(reader: Reader, place: int) -> Iterable[Reading]:
    for when, once in _whens_at(reader, place):
        if reader.at(when.end) != ",":
            continue
        starts: list[tuple[int, Any, Words]] = [(when.end + 1, None, ())]
        if reader.at(when.end + 1) == "if" and once:
            continue  # what did not trigger the first time would the second
        if reader.at(when.end + 1) == "if":
            for cond in reader.read("cond", when.end + 2):
                if reader.at(cond.end) == ",":
                    starts.append((cond.end + 1, cond.value, ("if", *cond.words, ",")))
        about_this = reader.words[when.end + 1 : when.end + 3] == ("if", f.THIS)
        for start, condition, said in starts:
            for body, limit in _limited_bodies(reader, start):
                # However it is put, the condition is printed as one that begins with {this}, and must be read again.
                about = condition is not None and (about_this or said[1:2] == (f.THIS,))
                does = _of_this(body.value) if about else body.value
                told = _besides(_so_many(does, condition), when.value)
                made = with_body(f.TriggeredAbility(when=when.value, condition=condition, limit=limit or once), told)
                if _says_one(made) or counts_nothing(made):
                    continue
                printed = _triggered_words(Printer(reader.grammar), made) if told != does else None
                if printed is not None:
                    yield from _zoned(made, body.end, printed)
                if told != does:
                    continue
                if any(
                    p.event in ("blocks", "becomes blocked by") and p.object is not None for p in made.when
                ) and _says_it((made.do, made.modes)):
                    continue  # which of the two "it" is would be a guess
                said_first = next((verb for verb in made.do if not isinstance(verb, f.Bind)), None)
                if condition is None and isinstance(said_first, f.If):
                    if not said_first.otherwise and reader.at(when.end + 1) == "if":
                        continue  # "if" right after the event is an intervening if (603.4)
                yield from _zoned(made, body.end, (*when.words, ",", *said, *body.words))


def _of_this(program: Any) -> Any:
    """The instructions after "if {this} ...": what is spoken of last is {this}, not what the event was about, until the first of
    them has spoken of something itself."""
    if isinstance(program, Modal):
        return program
    first = next((place for place, verb in enumerate(program) if not isinstance(verb, f.Bind)), 0)
    return (*program[:first], *filled_it(program[first : first + 1]), *program[first + 1 :])


def _besides(program: Any, when: tuple[f.Pattern, ...]) -> Any:
    """The instructions after "whenever a player ...": "each other player" is not that player, who need not be you."""
    if all(pattern.subject != Noun("a player") for pattern in when):
        return program
    if program == Noun("each other player"):
        return Noun("each player other than that player")
    if isinstance(program, Modal) or not isinstance(program, tuple | f.Form):
        return program
    if isinstance(program, tuple):
        return tuple(_besides(part, when) for part in program)
    return replace(program, **{name: _besides(getattr(program, name), when) for name in program.__struct_fields__})


def _so_many(program: Any, condition: Any) -> Any:
    """The instructions after "if it had one or more +1/+1 counters on it", which speak of "that many": so many as there were."""
    asked = condition.left if isinstance(condition, f.Holds) and condition.compare == ">=" else None
    if not isinstance(asked, n.CountersOn) or isinstance(program, Modal):
        return program
    does = tuple(_so_many_in(verb) for verb in program)
    return program if does == program else (f.Bind(as_name="X", amount=asked), *does)


def _so_many_in(verb: Any) -> Any:
    if isinstance(verb, f.May) and not verb.cost:
        return replace(verb, then=_as_counted(verb.then))
    return _as_counted(verb)


_FIRST: Words = ("for", "the", "first", "time", "each", "turn")


def _whens_at(reader: Reader, place: int) -> Iterable[tuple[Reading, int]]:
    """What an ability triggers on, and how often a turn at most: something is done to {this} "for the first time each turn" once.
    How often {this} attacked is counted, so that its first attack is an event of its own."""
    for when in reader.read("when", place):
        yield when, 0
        mine = all(THIS in (p.subject, p.object) and p.event != "attacks" for p in when.value)
        if mine and reader.words[when.end : when.end + len(_FIRST)] == _FIRST:
            yield Reading(when.end + len(_FIRST), when.value, when.words), 1


_ONCE: Words = ("this", "ability", "triggers", "only", "once", "each", "turn", ".")
_DONE_ONCE: Words = ("do", "this", "only", "once", "each", "turn", ".")
_TWICE: Words = ("this", "ability", "triggers", "only", "twice", "each", "turn", ".")


def _limited_bodies(reader: Reader, place: int) -> Iterable[tuple[Reading, int]]:
    """Instructions, perhaps with how often a turn the ability triggers at most."""
    for body in reader.read("instructions", place):
        yield body, 0
    for one in reader.read("program", place):
        optional = isinstance(one.value[-1], f.May) or any(isinstance(verb, f.PlayCard) for verb in one.value)
        for limit, words in ((1, _ONCE), (2, _TWICE), (-1, _DONE_ONCE)):
            if limit < 0 and not optional:
                continue
            end = one.end + 1
            if reader.at(one.end) == "." and reader.words[end:] in (words, words[:-1]):
                yield Reading(len(reader.words), one.value, (*one.words, ".", *words)), limit


def _zoned(made: f.TriggeredAbility, end: int, words: Words) -> Iterable[Reading]:
    zone = own_zone((made.do, made.modes, made.condition, tuple(p.condition for p in made.when)))
    if any(p.to == "hand" and p.subject == THIS for p in made.when):
        zone = "hand"  # where it is when it has been put there (603.6)
    if any(p.to == "graveyard" and p.from_ == "library" and p.subject == THIS for p in made.when):
        zone = "graveyard"
    dies = any(p.event == "zone change" and _on_battlefield(p.subject) and p.from_ == "battlefield" for p in made.when)
    if zone != "battlefield" and not dies:
        made = replace(made, zone=zone)
    yield Reading(end, made, words)


def _on_battlefield(subject: Noun | None) -> bool:
    """Whether it leaves with {this}, or {this} is attached to it, which only a permanent is (603.6c)."""
    return subject is not None and (subject == THIS or isinstance(subject.reading, n.Attached))


def _triggered_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.TriggeredAbility):
        return None
    when = printer.write("when", value.when)
    body = printer.write("instructions", body_of(value))
    late = value.do[0] if len(value.do) == 1 and value.condition is None else None
    if isinstance(late, f.If) and not late.otherwise:  # at the front it would be an intervening if (603.4)
        then, condition = printer.write("chain", late.then), printer.write("cond", late.condition)
        if then is not None and condition is not None:
            body = (*then, "if", *condition, ".")
        elif body is not None and body[0] == "if":
            body = None
    said: Words = ()
    if value.condition is not None:
        condition = printer.write("cond", value.condition)
        if condition is None:
            return None
        said = ("if", *condition, ",")
    if when is None or body is None:
        return None
    return (*when, ",", *said, *body, *({1: _ONCE, 2: _TWICE, -1: _DONE_ONCE}.get(value.limit, ())))


# --- activated abilities ----------------------------------------------------------------------------------------------------------


def _activated_at(reader: Reader, place: int) -> Iterable[Reading]:
    colon = next((i for i in range(place, len(reader.words)) if reader.words[i] in (":", '"')), -1)
    if colon < 0 or reader.words[colon] != ":":
        return
    for cost, said in _costs_at(reader, place, colon):
        yield from said_x(reader, colon + 1, cost, said)
        for body_end, body, words, limit, limit_words in _bodies(reader, colon + 1):
            made = with_body(f.ActivatedAbility(cost=cost), body)
            if limit is not None:
                made = _merged(made, limit)
            made = replace(made, zone=own_zone((made.cost, made.do, made.modes, made.condition)))
            if _aims_by_what_pays(made) or _says_x_twice(made):
                continue
            if any(isinstance(part, f.CountersCost) and part.count == n.X() for part in made.cost):
                counted = replace(made, do=(*map(_as_counted, made.do[:1]), *made.do[1:]))
                printed = _activated_words(Printer(reader.grammar), counted) if counted != made else None
                if printed is not None:
                    yield Reading(body_end, counted, printed)
                    continue
            yield Reading(body_end, made, (*said, ":", *words, *limit_words))


def _says_x_twice(made: f.ActivatedAbility) -> bool:
    """Whether what it does says what X is, and X is in its cost: nobody chooses that X, so it is read otherwise (107.3b)."""
    paid = any(isinstance(part, f.ManaCost) and "{X}" in part.mana for part in made.cost)
    return paid and any(isinstance(part, f.Bind) and part.as_name == "X" for part in walk((made.do, made.modes)))


def _aims_by_what_pays(made: f.ActivatedAbility) -> bool:
    """Whether a target is another than what is tapped to pay, which nothing is yet as targets are chosen (601.2c, 601.2h)."""
    nouns = (part for part in walk((made.do, made.modes)) if isinstance(part, Noun))
    return any(part.text.startswith("target ") and part.text.endswith("tapped this way") for part in nouns)


_COUNTED = f.Damage | f.Draw | f.GainLife | f.LoseLife | f.PutCounters | f.CreateToken | f.AddMana | f.Mill


def _as_counted(value: Any) -> Any:
    """The first instruction with X for "that much": so many counters were removed to pay, and nothing was done before."""
    if isinstance(value, tuple):
        return tuple(_as_counted(part) for part in value)
    if isinstance(value, n.ThatMuch):
        return n.X() if value == n.ThatMuch() else value
    if isinstance(value, _COUNTED):
        return replace(value, **{name: _as_counted(getattr(value, name)) for name in value.__struct_fields__})
    return value


def _merged(made: f.ActivatedAbility, limit: f.ActivatedAbility) -> f.ActivatedAbility:
    return replace(
        made, timing=limit.timing, limit=limit.limit, by=limit.by, condition=limit.condition, changes=limit.changes
    )


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
        after = body.end + (reader.at(body.end) == "\n")
        for limit in reader.read("limit", after) if isinstance(body.value, Modal) else ():
            end = limit.end + (reader.at(limit.end) == ".")
            if end == len(reader.words):
                yield end, body.value, body.words, limit.value, (*limit.words, ".")
    for one in reader.read("program", place):
        if reader.at(one.end) != ".":
            continue
        for limit in reader.read("limit", one.end + 1):
            end = limit.end + (reader.at(limit.end) == ".")
            if end == len(reader.words):
                yield end, one.value, (*one.words, "."), limit.value, (*limit.words, ".")


def _activated_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, f.ActivatedAbility) or value.limit < 0 and value.keyword:
        return None
    if (words := said_x_words(printer, value)) is not None:
        return words
    first = value.cost[0] if value.cost else None
    if isinstance(first, f.LoyaltyCost):
        cost: Words | None = ("-X",) if first.x else (f"{first.change:+d}" if first.change else "0",)
    else:
        cost = printer.write("cost", value.cost)
    body = printer.write("instructions", body_of(value))
    if cost is None or body is None:
        return None
    limit = _merged(f.ActivatedAbility(cost=()), value)
    said: Words = ()
    if limit != f.ActivatedAbility(cost=()):
        words = printer.write("limit", limit)
        if words is None:
            return None
        said = (*words, ".")
    return (*cost, ":", *body, *said)
