"""Abilities that an object has only under a condition which stands before them: "Max speed — ..."
(current 702.178), and what stands beside a station symbol (current 721.2) or a level symbol (710.2), or below a class level
(current 716.2), or after "solved" on a Case (current 719.3).

Such an ability is the ability itself with the condition put where its kind has one. Category `conditional` is a paragraph of
them, as a tuple.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

YOU = Noun("you")
THIS = Noun("{this}")
MAX_SPEED = f.Holds(left=n.Speed(of=YOU), compare=">=", right=4)
SOLVED = f.Is(what=THIS, of=Noun("solved permanent"))
SOLVING: Words = ("to", "solve", "—")
FASTEST: Words = ("max", "speed", "—")
STATION, LEVEL = "station", "level"
_KINDS = ("keywordline", "statics", "triggered", "activated")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.rule("cond", "you have max speed", MAX_SPEED)
    g.rule("amount", "your speed", n.Speed(of=YOU))
    ends = f.Pattern(event="step", step="end_turn", whose=YOU)
    met = f.AllOf(conditions=(f.NotSo(condition=SOLVED), S.c))
    solves = f.TriggeredAbility(when=(ends,), condition=met, do=(f.Designate(what=THIS, designation="solved"),))
    g.rule("solving", "to solve — <c:cond>", solves)  # current 719.3a
    g.terminal("conditional", _conditional_at, _conditional_words)


# --- an ability and its condition ---------------------------------------------------------------------------------------------


def _both(condition: f.AnyCondition, own: f.AnyCondition | None) -> f.AnyCondition:
    return condition if own is None else f.AllOf(conditions=(condition, own))


def _under(ability: Any, condition: f.AnyCondition) -> f.Ability | None:
    """The ability under the condition; None if its kind has no place for one."""
    if isinstance(ability, str):
        return f.Continuous(what=THIS, mods=(f.GainAbilities(keywords=(ability,)),), condition=condition)
    if isinstance(ability, f.KeywordAbility):
        return f.Continuous(what=THIS, mods=(f.GainAbilities(abilities=(ability,)),), condition=condition)
    if isinstance(ability, f.TriggeredAbility):
        return replace(ability, when=tuple(replace(p, condition=_both(condition, p.condition)) for p in ability.when))
    if isinstance(ability, f.Continuous | f.Replacement | f.CostChange | f.PlayerRule | f.ActivatedAbility):
        return replace(ability, condition=_both(condition, ability.condition))
    return None


def _without(ability: Any) -> tuple[f.AnyCondition, Any] | None:
    """The condition under which an ability is had, and the ability without it; None if it is under no such condition."""
    if isinstance(ability, f.TriggeredAbility):
        split = [_split(pattern.condition) for pattern in ability.when]
        first = split[0] if split else None
        if first is None or any(one is None or one[0] != first[0] for one in split):
            return None
        own = [one[1] for one in split if one is not None]
        when = tuple(replace(p, condition=c) for p, c in zip(ability.when, own, strict=True))
        return first[0], replace(ability, when=when)
    found = _split(getattr(ability, "condition", None))
    return None if found is None else (found[0], replace(ability, condition=found[1]))


def _split(condition: f.AnyCondition | None) -> tuple[f.AnyCondition, f.AnyCondition | None] | None:
    if condition is not None and _levels(condition) is not None:
        return condition, None
    if isinstance(condition, f.AllOf) and len(condition.conditions) == 2 and _known(condition.conditions[0]):
        return condition.conditions[0], condition.conditions[1]
    return (condition, None) if condition is not None and _known(condition) else None


def _known(condition: f.AnyCondition) -> bool:
    return (
        condition in (MAX_SPEED, SOLVED)
        or isinstance(condition, f.ChoseWord)
        or _charge(condition) is not None
        or _levels(condition) is not None
        or _class_level(condition) is not None
    )


# --- class levels (current 716.2) -----------------------------------------------------------------------------------------------


def _has_level(level: str) -> f.AnyCondition:
    """Whether the Class is of that level or a higher one: it gains them one after the other."""
    return f.Is(what=THIS, of=Noun(f"level-{level} permanent"))


_CLASS_LEVELS = {level: _has_level(level) for level in ("2", "3")}


def _class_level(condition: f.AnyCondition) -> str | None:
    return next((level for level, known in _CLASS_LEVELS.items() if condition == known), None)


def _gains_level(cost: f.Costs, level: str) -> f.ActivatedAbility:
    """ "{1}{R}: Level 2": only if it is of the level before, and only as a sorcery (current 716.2a)."""
    new: f.AnyCondition = f.NotSo(condition=_CLASS_LEVELS[level])
    before = _CLASS_LEVELS.get(str(int(level) - 1))
    condition = f.AllOf(conditions=(before, new)) if before is not None else new
    become = f.Designate(what=THIS, designation=f"level-{level}")  # type: ignore[arg-type]
    return f.ActivatedAbility(cost=cost, do=(become,), timing="sorcery", condition=condition)


def _level_gained(ability: Any) -> str | None:
    """The level that an activated ability gives its Class."""
    if not isinstance(ability, f.ActivatedAbility):
        return None
    plain = replace(ability, text="")
    return next((level for level in _CLASS_LEVELS if plain == _gains_level(ability.cost, level)), None)


def _level_words(printer: Printer, value: tuple[Any, ...], level: str) -> Words | None:
    """A class level and what stands below it."""
    cost = printer.write("cost", value[0].cost)
    split = [_without(ability) for ability in value[1:]]
    if cost is None or any(one is None or one[0] != _CLASS_LEVELS[level] for one in split):
        return None
    lines = [_line_words(printer, one[1]) for one in split if one is not None]
    if any(line is None for line in lines):
        return None
    return (*cost, ":", LEVEL, level, *(word for line in lines for word in ("\n", *(line or ()))))


def _levels(condition: f.AnyCondition) -> str | None:
    """The level symbol ("2-6", "7+") of which this is the condition."""
    parts = condition.conditions if isinstance(condition, f.AllOf) else (condition,)
    numbers = [part.right for part in parts if isinstance(part, f.Holds) and isinstance(part.right, int)]
    if len(numbers) != len(parts) or len(numbers) > 2:
        return None
    symbol = f"{numbers[0]}-{numbers[1]}" if len(numbers) == 2 else f"{numbers[0]}+"
    return symbol if condition == _leveled(symbol) else None


def _leveled(symbol: str) -> f.AnyCondition:
    """So many level counters as a symbol says (710.2a, 710.2b)."""
    least, _, most = symbol.rstrip("+").partition("-")
    on = n.CountersOn(counter=LEVEL, of=THIS)
    enough = f.Holds(left=on, compare=">=", right=int(least))
    return f.AllOf(conditions=(enough, f.Holds(left=on, compare="<=", right=int(most)))) if most else enough


def _charge(condition: f.AnyCondition) -> int | None:
    """How many charge counters a condition asks for."""
    if not isinstance(condition, f.Holds) or not isinstance(condition.right, int):
        return None
    return condition.right if condition == _charged(condition.right) else None


def _charged(number: int) -> f.Holds:
    return f.Holds(left=n.CountersOn(counter="charge", of=THIS), compare=">=", right=number)


# --- reading ------------------------------------------------------------------------------------------------------------------


def _conditional_at(reader: Reader, place: int) -> Iterable[Reading]:
    words = reader.words[place:]
    if words[:3] == SOLVING or words[:2] == ("solved", "—"):
        yield from _of_case_at(reader, place, words)
    elif words[:3] == FASTEST:
        for made, said in _line(reader, words[3:]):
            yield from _found(reader, (made,), (*FASTEST, *said), MAX_SPEED)
    elif len(words) > 3 and words[0] == "•" and words[2] == "—":
        anchor = words[1][:1].upper() + words[1][1:]
        for made, said in _line(reader, words[3:]):
            yield from _found(reader, (made,), ("•", anchor, "—", *said), f.ChoseWord(word=anchor))
    elif len(words) > 3 and words[0].lower() == STATION and words[1][:-1].isdecimal() and words[1][-1] == "+":
        number = int(words[1][:-1])
        for made, said in _lines(reader, words[3:]):
            yield from _found(reader, made, (STATION, words[1], "\n", *said), _charged(number))
    elif len(words) > 3 and words[0].lower() == LEVEL and _LEVELS.fullmatch(words[1]) and words[2] == "\n":
        for made, said in _lines(reader, words[3:], creature=False):
            yield from _found(reader, made, (LEVEL, words[1], "\n", *said), _leveled(words[1]))

    elif words[1:3] == (":", LEVEL) and len(words) > 5 and words[3] in _CLASS_LEVELS and words[4] == "\n":
        yield from _class_level_at(reader, words)


def _of_case_at(reader: Reader, place: int, words: Words) -> Iterable[Reading]:
    """How a Case is solved, and what it has then (current 719.3)."""
    for one in reader.read("solving", place) if words[:3] == SOLVING else ():
        end = one.end + (reader.at(one.end) == ".")
        if end == len(reader.words):
            yield Reading(end, (one.value,), (*one.words, "."))
    for made, said in _line(reader, words[2:]) if words[:3] != SOLVING else ():
        yield from _found(reader, (made,), ("solved", "—", *said), SOLVED)


def _class_level_at(reader: Reader, words: Words) -> Iterable[Reading]:
    """A class level and what stands below it (current 716.2a)."""
    level = words[3]
    for cost in Reader(reader.grammar, words).read("cost", 0):
        for made, said in _lines(reader, words[5:]) if cost.end == 1 else ():
            under = (_under(ability, _CLASS_LEVELS[level]) for line in made for ability in line)
            value = (_gains_level(cost.value, level), *under)
            if None not in value:
                yield Reading(len(reader.words), value, (*cost.words, *words[1:5], *said))


_LEVELS = re.compile(r"\d+(?:-\d+|\+)")


def _found(
    reader: Reader, lines: tuple[tuple[Any, ...], ...], words: Words, condition: f.AnyCondition
) -> Iterable[Reading]:
    value = tuple(_under(ability, condition) for line in lines for ability in line)
    if value and None not in value:
        yield Reading(len(reader.words), value, words)


def _lines(reader: Reader, words: Words, creature: bool = True) -> Iterable[tuple[tuple[tuple[Any, ...], ...], Words]]:
    """Every way to read lines, each an ability or several."""
    end = words.index("\n") if "\n" in words else len(words)
    while words[end : end + 2] == ("\n", "•"):  # modes belong to what they stand below
        end = words.index("\n", end + 1) if "\n" in words[end + 1 :] else len(words)
    for made, said in _line(reader, words[:end], creature):
        if end == len(words):
            yield (made,), said
            continue
        for rest, more in _lines(reader, words[end + 1 :], creature):
            yield (made, *rest), (*said, "\n", *more)


def _line(reader: Reader, words: Words, creature: bool = True) -> Iterable[tuple[tuple[Any, ...], Words]]:
    """Every way to read one line: its abilities and its words. A size makes it a `creature` besides, if it is none."""
    inner = Reader(reader.grammar, words)
    for category in _KINDS:
        for one in inner.read(category, 0):
            if one.end == len(words):
                yield one.value if isinstance(one.value, tuple) else (one.value,), one.words
    reader.furthest = max(reader.furthest, len(reader.words) - len(words) + inner.furthest)
    for size in inner.read("fixedsize", 0) if len(words) == 1 else ():
        typed = (f.SetTypes(types=("creature",)),) if creature else ()
        yield (f.Continuous(what=THIS, mods=(*typed, size.value)),), size.words


# --- printing -----------------------------------------------------------------------------------------------------------------


def _conditional_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value:
        return None
    solving = printer.write("solving", value[0]) if len(value) == 1 else None
    if solving is not None:
        return (*solving, ".")
    level = _level_gained(value[0])
    if level is not None:
        return _level_words(printer, value, level)
    split = [_without(ability) for ability in value]
    first = split[0]
    if first is None or any(one is None or one[0] != first[0] for one in split):
        return None
    lines = [_line_words(printer, one[1]) for one in split if one is not None]
    if any(line is None for line in lines):
        return None
    if first[0] == SOLVED:
        return ("solved", "—", *(lines[0] or ())) if len(lines) == 1 else None
    if isinstance(first[0], f.ChoseWord):
        return ("•", first[0].word, "—", *(lines[0] or ())) if len(lines) == 1 else None
    if _class_level(first[0]) is not None:  # the line with the level stands before it
        return lines[0] if len(lines) == 1 else None
    below = (word for line in lines for word in ("\n", *(line or ())))
    levels = _levels(first[0])
    if levels is not None:
        return (LEVEL, levels, *below)
    number = _charge(first[0])
    if number is None:
        return (*FASTEST, *(lines[0] or ())) if len(lines) == 1 else None
    return (STATION, f"{number}+", *below)


def _line_words(printer: Printer, ability: Any) -> Words | None:
    if isinstance(ability, f.TriggeredAbility):
        return printer.write("triggered", ability)
    if isinstance(ability, f.ActivatedAbility):
        return printer.write("activated", ability)
    if isinstance(ability, f.Continuous) and ability.what == THIS and ability.condition is None:
        mods = ability.mods
        if len(mods) == 2 and mods[0] == f.SetTypes(types=("creature",)):
            return printer.write("fixedsize", mods[1])
        if len(mods) == 1 and isinstance(mods[0], f.SetPT):
            return printer.write("fixedsize", mods[0])
        if len(mods) == 1 and isinstance(mods[0], f.GainAbilities):
            return printer.write("keywordline", (*mods[0].keywords, *mods[0].abilities))
    return printer.write("statics", (replace(ability, text=""),))


def symbol_of(words: Words) -> Words:
    """The station symbol at the head of a printed paragraph ("station 3+"), or () if there is none. What stands below a symbol
    is its own up to the next one (current 721.2)."""
    return words[:2] if words[:1] in ((STATION,), (LEVEL,)) and words[2:3] == ("\n",) else ()


def with_lines(abilities: tuple[f.Ability, ...], paragraph: str) -> list[tuple[f.Ability, str]]:
    """The abilities of a paragraph, each with the words that people read: its line, if each has one."""
    if _level_gained(abilities[0]) is not None and paragraph.count("\n") == len(abilities) - 1:
        return list(zip(abilities, paragraph.split("\n"), strict=True))
    if paragraph.startswith("To solve"):
        return [(ability, paragraph) for ability in abilities]
    _, *lines = paragraph.split("\n") if "\n" in paragraph else ("", paragraph.partition(" — ")[2])
    if len(lines) == len(abilities):
        return list(zip(abilities, lines, strict=True))
    # A line of keywords is several abilities; what can be activated or triggers has a line of its own.
    named = iter(line for line in lines if ":" in line or line.startswith(("When", "At ")))
    own = f.ActivatedAbility | f.TriggeredAbility
    return [(ability, next(named, paragraph) if isinstance(ability, own) else paragraph) for ability in abilities]
