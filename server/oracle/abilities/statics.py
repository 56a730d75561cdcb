"""Rules for static abilities: one sentence (or a fixed pair of sentences) of a permanent's text is a tuple of abilities.

Category `static` is one of them, without the full stop; `statics` is a line of them, each with its full stop.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.effects import reprinted
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words, walk
from server.oracle.nouns import speaks_of_it
from server.oracle.triggers import filled_it
from server.oracle.values import STATUS_CONDITIONS, in_status

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
WHAT = S.what


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal(
        "notmay",
        lambda r, place: [one for one in r.read("chain", place) if not isinstance(one.value[0], f.May)],
        lambda p, v: p.write("chain", v),
    )
    g.terminal("scond", _conditions_at, _conditions_words)
    g.terminal("aftermaths", _aftermaths_at, lambda p, v: p.write("program", v))
    g.terminal("selfaftermaths", _self_aftermaths_at, lambda p, v: p.write("program", v))
    g.terminal("attached", _attached_at, lambda p, v: p.write("noun", v))
    g.terminal("statics", _line_at, _line_words)
    g.terminal("underif", _under_condition_at, _under_condition_words)
    g.rule("static", "<x:underif>", S.x)
    _continuous(g)
    _of_two(g)
    _by_exiled(g)
    _about_permanents(g)


# --- lines ------------------------------------------------------------------------------------------------------------------


def _line_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Static abilities to the end of the line."""
    for one in reader.read("static", place):
        end = one.end
        if reader.at(end) == ".":
            end += 1
        if end == len(reader.words) or reader.at(end) == "\n":
            yield Reading(end, one.value, (*one.words, "."))
        elif reader.at(end - 1) == ".":
            for rest in reader.read("statics", end):
                yield Reading(rest.end, (*one.value, *rest.value), (*one.words, ".", *rest.words))


def _line_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value:
        return None
    for size in range(min(3, len(value)), 0, -1):
        first = printer.write("static", value[:size])
        if first is None:
            continue
        if size == len(value):
            return (*first, ".")
        rest = _line_words(printer, value[size:])
        if rest is not None:
            return (*first, ".", *rest)
    return None


def _aftermaths_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Instructions to the end of the line, for what is done about prevented damage."""
    for one in reader.read("program", place):
        if one.end + (reader.at(one.end) == ".") == len(reader.words):
            yield one


def _self_aftermaths_at(reader: Reader, place: int) -> Iterable[Reading]:
    """The same where "it" is {this}, to which the damage would have been dealt."""
    for one in _aftermaths_at(reader, place):
        if speaks_of_it(one.value):
            yield Reading(one.end, filled_it(one.value), one.words)


def _conditions_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Conditions that speak of nothing said before: a static ability has no "it"."""
    found = [one for one in reader.read("cond", place) if not _of_what_was_said(one.value)]
    both = [
        Reading(two.end, f.AllOf(conditions=(one.value, two.value)), (*one.words, "and", *two.words))
        for one in found
        if reader.at(one.end) == "and"
        for two in reader.read("cond", one.end + 1)
        if not _of_what_was_said(two.value)
    ]
    either = [
        Reading(two.end, f.OneOf(conditions=(one.value, two.value)), (*one.words, "or", "if", *two.words))
        for one in found
        if reader.words[one.end : one.end + 2] == ("or", "if")
        for two in reader.read("cond", one.end + 2)
        if not _of_what_was_said(two.value)
    ]
    return [*found, *both, *either]


def _of_what_was_said(condition: Any) -> bool:
    """Whether it speaks of what no static ability says before: of "it", of a player, or asks if what was offered was done."""
    done = any(isinstance(part, f.Did) for part in walk(condition))
    return done or speaks_of_it(condition) or _speaks_of_player(condition)


def _speaks_of_player(condition: Any) -> bool:
    """Whether it speaks of "that player", unless it is asked of each of several itself."""
    if isinstance(condition, f.SomePlayer):
        return False
    inner = condition.conditions if isinstance(condition, f.AllOf | f.OneOf) else ()
    if inner:
        return any(map(_speaks_of_player, inner))
    if isinstance(condition, f.NotSo):
        return _speaks_of_player(condition.condition)
    return any(isinstance(part, Noun) and "that player" in part.text for part in walk(condition))


def _conditions_words(printer: Printer, value: Any) -> Words | None:
    words = printer.write("cond", value)
    if words is not None or not isinstance(value, f.AllOf | f.OneOf) or len(value.conditions) != 2:
        return words
    one, two = (printer.write("cond", part) for part in value.conditions)
    joint = ("and",) if isinstance(value, f.AllOf) else ("or", "if")
    return None if one is None or two is None else (*one, *joint, *two)


#: How it is said when a rule about players or costs holds.
_WHILE: tuple[tuple[Words, f.AnyCondition | None], ...] = (
    (("as", "long", "as"), None),
    (("during", "your", "turn"), f.During(whose=YOU)),
    (("during", "turns", "other", "than", "yours"), f.NotSo(condition=f.During(whose=YOU))),
)


def _can_hang(ability: Any) -> bool:
    """Whether an ability is such a rule, or prevents damage; what {this} itself costs to cast is said otherwise."""
    if isinstance(ability, f.Replacement):
        return any(isinstance(rewrite, f.Prevent) for rewrite in ability.rewrite)
    return isinstance(ability, f.PlayerRule) or isinstance(ability, f.CostChange) and ability.what != THIS


def _under_condition_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "As long as you control an Elf, you may play an additional land on each of your turns": what players may do, and what things
    cost, on a condition."""
    if reader.at(place) not in ("as", "during"):
        return
    for head, when in _WHILE:
        if reader.words[place : place + len(head)] != head:
            continue
        at = place + len(head)
        for cond in reader.read("scond", at) if when is None else [Reading(at, when, ())]:
            for one in reader.read("static", cond.end + 1) if reader.at(cond.end) == "," else ():
                if any(isinstance(part, Noun) and "command zone" in part.text for part in walk(cond.value)):
                    continue  # there another zone is meant in which the ability works
                if all(_can_hang(ability) and ability.condition is None for ability in one.value):
                    value = tuple(replace(ability, condition=cond.value) for ability in one.value)
                    yield Reading(one.end, value, (*head, *cond.words, ",", *one.words))


def _under_condition_words(printer: Printer, value: Any) -> Words | None:
    if not isinstance(value, tuple) or not value or not all(map(_can_hang, value)):
        return None
    condition = value[0].condition
    if condition is None or any(ability.condition != condition for ability in value):
        return None
    plain = printer.write("static", tuple(replace(ability, condition=None) for ability in value))
    head = next((words for words, when in _WHILE if when == condition), None)
    said = () if head is not None else printer.write("scond", condition)
    return None if plain is None or said is None else (*(head or _WHILE[0][0]), *said, ",", *plain)


def _attached_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("group", place) if isinstance(one.value.reading, n.Attached)]


def _by_exiled(g: Grammar) -> None:
    """What {this} gets by the power and toughness of a creature card that it exiled."""
    exiled = Noun("the exiled card")
    sizes = f.AddPT(power=n.StatOf(stat="power", of=exiled), toughness=n.StatOf(stat="toughness", of=exiled))
    last = Noun("the last creature card exiled with {this}")
    like = (
        f.SetTypes(subtypes=S.t, replace=True, like=last),
        f.SetPT(power=n.StatOf(stat="power", of=last), toughness=n.StatOf(stat="toughness", of=last)),
    )
    held = f.Continuous(what=THIS, mods=like, condition=f.Exists(of=Noun("creature cards exiled with {this}")))
    template = "as long as a card exiled with {this} is a creature card , {this} has the power , toughness , and creature types of"
    g.rule("static", f"{template} the last creature card exiled with {{this}} . it's still a|an <t:subtypes>", (held,),
           f"{template} the last creature card exiled with it . it's still a|an <t:subtypes>")  # fmt: skip
    said = "{this} gets +X/+Y , where X is the exiled creature card 's power and Y is its toughness"
    g.rule("static", said, (f.Continuous(what=THIS, mods=(sizes,)),), said.replace("creature card", "card"))


def _of_this(values: dict[str, Any]) -> bool:
    """Whether a condition speaks of {this} alone."""
    said = {part.text for part in walk(values["c"]) if isinstance(part, Noun)}
    return said == {THIS.text}


def _of_two(g: Grammar) -> None:
    """What one and others have on one condition ("as long as ..., {this} gets +2/+2 and creatures you control have vigilance")."""
    one, other = (f.Continuous(what=what, mods=mods, condition=S.c) for what, mods in ((S.a, S.x), (S.b, S.y)))
    g.rule("static", "as long as <c:scond> , <a:group> <x:smods> and <b:group> <y:smods>", (one, other))


# --- continuous effects -------------------------------------------------------------------------------------------------------


def _of_defender(condition: Any) -> bool:
    """Whether a condition speaks of who defends, which is known of an attack only."""
    return any(isinstance(part, Noun) and "defending player" in part.text for part in walk(condition))


def _has_flash(e: dict[str, Any]) -> bool:
    """Whether {this} would have flash and nothing else, which is said of the spell."""
    return e["what"] == THIS and e["m"] == (f.GainAbilities(keywords=("flash",)),)


def in_graveyard(condition: Any) -> bool:
    """Whether it is asked that {this} is in a graveyard, where the ability functions then (112.6)."""
    return any(isinstance(part, Noun) and part.text == "{this} from your graveyard" for part in walk(condition))


def _works_in_graveyard(e: dict[str, Any]) -> bool:
    """Whether it does so there, and what it modifies is elsewhere."""
    return in_graveyard(e["c"]) and not any(isinstance(part, n.This | n.It) for part in walk(e["what"].reading))


def _continuous(g: Grammar) -> None:
    r = g.rule
    r(
        "static",
        "as long as <c:scond> , <what:group> <m:smods>",
        (f.Continuous(what=WHAT, mods=S.m, condition=S.c),),
        "<what:group> <m:smods> as long as <c:scond>",
        "<what:group> <m:smods> if <c:scond>",
        "if <c:scond> , <what:group> <m:smods>",
        guard=lambda e: not _of_defender(e["c"]) and not _has_flash(e) and not in_graveyard(e["c"]),
    )
    there = f.Continuous(what=WHAT, mods=S.m, condition=S.c, zone="graveyard")
    r("static", "as long as <c:scond> , <what:group> <m:smods>", (there,), guard=_works_in_graveyard)
    yours = f.During(whose=YOU)
    for said, when in (("during your turn", yours), ("during turns other than yours", f.NotSo(condition=yours))):
        limited = (f.Continuous(what=WHAT, mods=S.m, condition=when),)
        g.wording("static", f"{said} , <what:group> <m:smods>", limited)
    r("static", "<what:group> <m:smods>", (f.Continuous(what=WHAT, mods=S.m),))
    # "It" is what the condition speaks of.
    for word in STATUS_CONDITIONS:
        held = f.Is(what=WHAT, of=in_status(word))
        it = f.Continuous(what=WHAT, mods=S.m, condition=held)
        r("static", f"as long as <what:group> is {word} , it <m:smods>", (it,))
    about = f.Continuous(what=WHAT, mods=S.m, condition=f.Is(what=WHAT, of=S.k))
    g.wording("static", "as long as <what:group> is <k:kindof> , it <m:smods>", (about,))
    is_so = f.Is(what=WHAT, of=S.k)
    either = (
        f.Continuous(what=WHAT, mods=S.m, condition=is_so),
        f.Continuous(what=WHAT, mods=S.o, condition=f.NotSo(condition=is_so)),
    )
    alone = "<what:group> <m:smods> as long as it's <k:kindof>"
    g.wording("static", alone, (about,), guard=_attached)
    r("static", f"{alone} . otherwise , it <o:smods>", either, guard=_attached)
    for text in ("enchanted creature", "enchanted permanent", "equipped creature"):
        what, mine = Noun(text), f.Is(what=Noun(text), of=Noun("permanent you control"))
        ways = ((S.m, mine), (S.o, f.NotSo(condition=mine)))
        two = tuple(f.Continuous(what=what, mods=mods, condition=when) for mods, when in ways)
        r("static", f"as long as you control {text} , it <m:smods> . otherwise , it <o:smods>", two)
    each = f.Continuous(what=WHAT, mods=S.m)
    g.wording("static", "<what:group> each <m:smods>", (each,), guard=lambda e: isinstance(e["what"].reading, n.Both))
    r("cond", "{this} is attached to a creature", f.Exists(of=Noun("equipped creature")))
    _of_itself(g)


def _of_itself(g: Grammar) -> None:
    """Where the condition names nothing but {this}, that is it; and what {this} is paired with."""
    r = g.rule
    mine = f.Continuous(what=THIS, mods=S.m, condition=S.c)
    g.wording("static", "as long as <c:scond> , it <m:smods>", (mine,), guard=_of_this)
    for holds in ("scond", "itcond"):
        unless = f.Continuous(what=THIS, mods=S.m, condition=f.NotSo(condition=S.c))
        r("static", f"{{this}} <m:smods> unless <c:{holds}>", (unless,), guard=_is_had)
    pair = f.Continuous(
        what=Noun("{this} and the creature it's paired with"),
        mods=S.m,
        condition=f.Exists(of=Noun("the creature it's paired with")),
    )
    base = "as long as {this} is paired with another creature ,"
    r("static", f"{base} each of those creatures <m:smods>", (pair,), f"{base} both creatures <m:smods>")
    g.terminal("itcond", _it_at, lambda p, v: p.write("cond", v))
    g.wording(
        "static",
        "as long as <c:itcond> , {this} <m:smods>",
        (f.Continuous(what=THIS, mods=S.m, condition=S.c),),
        "{this} <m:smods> as long as <c:itcond>",
        "{this} <m:smods> if <c:itcond>",
    )


def _about_permanents(g: Grammar) -> None:
    """Control, untapping, blocking, and power and toughness that are defined (604.3)."""
    r = g.rule
    r("static", "you control <what:attached>", (f.Continuous(what=WHAT, mods=(f.GainControl(),)),))
    r(
        "static",
        "you may choose not to untap {this} during your untap step",
        (f.Continuous(what=THIS, mods=(f.Flag(rule="may not untap"),)),),
    )
    lured = f.Continuous(what=WHAT, mods=(f.Flag(rule="must be blocked by all"),))
    all_able = "all creatures able to block <what:group> do so"
    r("static", all_able, (lured,))
    held = (replace(lured, condition=S.c),)
    r("static", f"as long as <c:scond> , {all_able}", held, guard=lambda e: not _of_defender(e["c"]))
    too = "all creatures able to block it do so"
    for joint in (", and", "and"):
        also = (f.Continuous(what=WHAT, mods=S.m), lured)
        said = f"<what:attached> <m:smods> {joint} {too}"
        g.wording("static", said, also)
    both = (replace(lured, what=THIS), replace(lured, what=Noun("enchanted creature")))
    r("static", "all creatures able to block {this} or enchanted creature do so", both)
    r(
        "static",
        "you may have {this} assign its combat damage as though it weren't blocked",
        (f.Continuous(what=THIS, mods=(f.Flag(rule="assigns as though unblocked"),)),),
    )
    g.wording(
        "static",
        "creatures with power less than {this} 's power can't block it",
        (
            f.Continuous(
                what=THIS,
                mods=(f.Flag(rule="can't be blocked by", param=Noun("creatures with power less than {this}'s power")),),
            ),
        ),
    )
    define: tuple[tuple[str, Any], ...] = (
        ("{this} 's power and toughness are each equal to <a:amount>", f.DefinePT(power=S.a, toughness=S.a)),
        ("{this} 's power is equal to <a:amount>", f.DefinePT(power=S.a)),
        ("{this} 's toughness is equal to <a:amount>", f.DefinePT(toughness=S.a)),
        (
            "{this} 's power is equal to <a:amount> and its toughness is equal to that number plus 1",
            f.DefinePT(power=S.a, toughness=n.Plus(parts=(S.a, 1))),
        ),
    )
    on_it = f.DefinePT(power=(counters := n.CountersOn(counter=S.c, of=THIS)), toughness=counters)
    said = "{this} 's power and toughness are each equal to the number of <c:counter> counters on it"
    g.wording("static", said, (f.Continuous(what=THIS, mods=(on_it,)),))
    for template, shape in define:
        r("static", template, (f.Continuous(what=THIS, mods=(shape,)),), guard=_computed)


def _it_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Conditions in which "it" is {this}: "as long as it's attacking", "as long as it has a +1/+1 counter on it"."""
    found: list[Reading] = []
    for one in reader.read("cond", place):
        if isinstance(one.value, f.Is) and one.value.what == IT:
            found += reprinted(reader, "cond", one.end, f.Is(what=THIS, of=one.value.of))
    if reader.at(place) == "it":
        inner = Reader(reader.grammar, ("{this}", *reader.words[place + 1 :]))
        found += [Reading(one.end + place, one.value, one.words) for one in inner.read("cond", 0)]
    return found


def _computed(e: dict[str, Any]) -> bool:
    return not isinstance(e["a"], int | n.X | n.ThatMuch) and not speaks_of_it(e["a"])


def _is_had(e: dict[str, Any]) -> bool:
    """Whether modifications are what something has, gets or is, not what it can't do, which has conditions of its own."""
    return not any(isinstance(mod, f.Flag) for mod in e["m"]) and not isinstance(e["c"], f.NotSo)


def _attached(e: dict[str, Any]) -> bool:
    return isinstance(e["what"].reading, n.Attached)
