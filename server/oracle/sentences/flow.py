"""How instructions join: subjects and predicates, "and", "then", "you may", "if", sentences, programs.

Inside of one sentence "and", ", then" and commas join instructions, and between sentences a full stop does; all of them mean
"one after the other", so the canonical joint is the full stop at the top and "and" below "you may", "if" and "for each".
A subject that is left out ("target player draws a card and loses 1 life") is the one before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.effects import speaks_of_prevented
from server.oracle.engine import Grammar, Printer, Reader, Reading, Slot, Words, filled, walk
from server.oracle.nouns import is_one, is_person, is_things, is_who, noun_words
from server.oracle.sentences.agreement import takes_singular, third_person
from server.oracle.sentences.attempts import DIDNT, as_told, misspeaks
from server.oracle.sentences.of_targets import AS_CAST, about_entered, is_announced, of_target, of_those
from server.oracle.sentences.offers import doubly_may
from server.oracle.sentences.reflexive import in_reflexive
from server.oracle.sentences.struck import of_struck

YOU = Noun("you")
IT = Noun("it")
THEM = Noun("them")
THAT_PLAYER = Noun("that player")
THOSE_PLAYERS = Noun("those players")
JOINTS: tuple[Words, ...] = (
    (",", "then"),
    (",", "and", "then"),
    ("and", "then"),
    (",", "and"),
    ("and",),
    (",",),
    ("then",),
    (";",),
)


def as_tree(value: Any) -> f.Tree:
    """A verb or verbs as a program."""
    return value if isinstance(value, tuple) else (value,)


#: What somebody does to things: "you" before it says no more than the bare instruction.
_DEEDS = frozenset(("attach", "destroy", "exile", "put", "regenerate", "return", "tap", "untap"))
_TAKEN = ("you", "gain", "control")


# --- clauses --------------------------------------------------------------------------------------------------------------


def _subjects(reader: Reader, place: int) -> list[tuple[str, Reading]]:
    found = [
        *(("vp", one) for one in reader.read("who", place)),
        *(("op", one) for one in reader.read("things", place)),
    ]
    # "You and that player each draw a card" says no more than that they do.
    each = [
        (category, Reading(one.end + 1, one.value, one.words))
        for category, one in found
        if reader.at(one.end) == "each" and not takes_singular(one.value)
    ]
    return [*found, *each]


def simple_at(reader: Reader, place: int) -> Iterable[Reading]:
    """One instruction, or a subject with several predicates."""
    if reader.at(place) == "where":
        return []  # "where X is ..." governs its whole sentence
    found = [Reading(one.end, as_tree(one.value), one.words) for one in reader.read("do", place)]
    if reader.words[place : place + 3] == _TAKEN or reader.at(place) == "you" and reader.at(place + 1) in _DEEDS:
        found = [Reading(one.end, as_tree(one.value), one.words) for one in reader.read("do", place + 1)]
    ends = {one.end for one in found}
    for one in reader.read("vp", place):
        if third_person(reader, one, place) is not True:
            mine = as_tree(filled(one.value, {"who": YOU}))
            if _is_own_move(mine[0]):
                continue
            if one.end in ends and mine == as_tree(one.value):
                continue  # what nobody in particular does is an instruction already
            found.append(Reading(one.end, mine, _said_by_you(mine, one.words)))
    for category, subject in _subjects(reader, place):
        name = "who" if category == "vp" else "what"
        for one in reader.read(category, subject.end):
            number = third_person(reader, one, subject.end)
            if number is not None and number != takes_singular(subject.value):
                they = subject.words == ("that", "player") and reader.at(place) == "they"
                if number or not (they or reader.at(place - 1) == "have"):
                    continue
            words = (*subject.words, *one.words)
            tree = as_tree(filled(one.value, {name: subject.value}))
            if subject.value == YOU and _is_own_move(tree[0]):
                continue
            if _group_rule(subject.value, tree) or _two_targets_each(subject.value, tree):
                continue
            if subject.value == YOU:
                words = _said_by_you(tree, one.words)
            whole = Reading(one.end, tree, words)
            if category == "vp" and number is False and subject.value != YOU and _goes_on(reader, one.end):
                # "Any number of target players each discard a card and lose 1 life": who does the one does the other.
                found.extend(_more(reader, category, name, subject.value, number, whole))
                continue
            found.append(whole)
            if number is not False or category == "op":
                found.extend(_more(reader, category, name, subject.value, number, whole))
    return found


def _goes_on(reader: Reader, end: int) -> bool:
    """Whether a verb without subject follows, of several who do something before it."""
    for joint in JOINTS[:6]:
        start = end + len(joint)
        if reader.words[end:start] == joint and any(
            third_person(reader, one, start) is False for one in reader.read("vp", start)
        ):
            return True
    return False


def _is_own_move(verb: Any) -> bool:
    """Whether an instruction says of you what only others do with "their" cards."""
    return isinstance(verb, f.Move) and verb.who == YOU


def _two_targets_each(subject: Noun, tree: f.Tree) -> bool:
    """Whether two targets each deal damage of their own, for which both must be bound first."""
    two = isinstance(subject.reading, n.Both) and any(isinstance(part, n.Target) for part in subject.reading.parts)
    dealt = tree[0].parts[0] if isinstance(tree[0], f.AtOnce) else tree[0]
    return two and isinstance(dealt, f.Damage) and dealt.source == subject


def _said_by_you(tree: f.Tree, words: Words) -> Words:
    """What you do is an instruction ("draw a card"), but what happens to you needs its subject ("you gain 3 life")."""
    return (
        ("you", *words)
        if isinstance(tree[0], f.GainLife | f.LoseLife | f.Lose | f.Win | f.BecomeMonarch | f.PutCounters)
        else words
    )


def _group_rule(subject: Noun, tree: f.Tree) -> bool:
    """Whether a rule is made about whatever is of a kind for a while, which another rule of the grammar reads (611.2c)."""
    verb = tree[0]
    if not isinstance(verb, f.Effect) or verb.following or not isinstance(subject.reading, n.Each):
        return False
    return all(isinstance(mod, f.Flag) for mod in verb.mods)


def _more(
    reader: Reader, category: str, name: str, subject: Noun, number: bool | None, first: Reading
) -> Iterable[Reading]:
    """Further predicates of the same subject ("... and loses 1 life")."""
    if subject == YOU:
        return
    again = _again(subject, first.value)
    if again is None:
        return
    for joint in JOINTS[:6]:
        if reader.words[first.end : first.end + len(joint)] != joint:
            continue
        start = first.end + len(joint)
        for one in reader.read(category, start):
            again_number = third_person(reader, one, start)
            if again_number is not None and number is not None and again_number is not number:
                continue
            added = as_tree(filled(one.value, {name: again}))
            if _group_rule(again, added):
                added = (replace(added[0], following=True), *added[1:])
            tree = (*first.value, *added)
            joined = Reading(one.end, tree, (*first.words, ".", *noun_words(again), *one.words))
            yield joined
            yield from _more(reader, category, name, subject, number, joined)


def _again(subject: Noun, before: f.Tree) -> Noun | None:
    """How a left-out subject is said in full."""
    reading = subject.reading
    if isinstance(reading, n.Target | n.Choose) or subject.text.startswith("up to"):
        if is_who(subject):
            return THAT_PLAYER if is_person(subject) else THOSE_PLAYERS
        if any(isinstance(verb, f.Damage | f.AtOnce) for verb in before):
            return None
        return IT if is_one(subject) else THEM
    if isinstance(reading, n.Both):
        return None
    return subject


def _written(printer: Printer, verbs: f.Tree) -> tuple[int, Words] | None:
    """The words of the first instruction of a program, and how many verbs they take."""
    grammar = printer.grammar
    for size in (6, 5, 4, 3, 2, 1):
        if len(verbs) < size:
            continue
        part: Any = verbs[:size]
        for rule in grammar.rules.get("do", ()):
            shaped = isinstance(rule.shape, tuple)
            if shaped or size == 1:
                words = printer.by_rule(rule, part if shaped else verbs[0])
                if words is not None:
                    return size, words
        for rule in grammar.rules.get("op", ()) if size > 1 else ():
            env: dict[str, Any] = {}
            words = printer.by_rule(rule, part, env) if isinstance(rule.shape, tuple) else None
            if words is not None and isinstance(env.get("what"), Noun) and is_things(env["what"]):
                return size, (*noun_words(env["what"]), *words)
    for category, name, test in (("vp", "who", is_who), ("op", "what", is_things)):
        for rule in grammar.rules.get(category, ()):
            env = {}
            words = printer.by_rule(rule, verbs[0], env)
            subject = env.get(name) or (getattr(verbs[0], name, None) if isinstance(rule.shape, Slot) else None)
            if (
                words is not None
                and isinstance(subject, Noun)
                and test(subject)
                and not _group_rule(subject, verbs[:1])
            ):
                if isinstance(subject.reading, n.Both):
                    words = tuple(word.removesuffix("~") for word in words)
                mine = subject == YOU and category == "vp"
                return 1, _said_by_you(verbs[:1], words) if mine else (*noun_words(subject), *words)
    return None


def _by_another(words: list[str]) -> bool:
    """Whether the instruction just written is done by somebody or something named before its verb."""
    return bool(words) and not words[0].endswith("~") and words[0] != "you" and any(w.endswith("~") for w in words)


# --- what stands before an instruction: may, if, for each -------------------------------------------------------------------


def _joined(reader: Reader, place: int) -> Iterable[Reading]:
    """A chain of instructions in one sentence; what governs the rest of the sentence comes last."""
    if reader.words[place : place + 3] == ("where", "X", "is"):  # as it is printed
        for amount in reader.read("amount", place + 3):
            for rest in reader.read("chain", amount.end + 1) if reader.at(amount.end) == "and" else ():
                words = ("where", "X", "is", *amount.words, "and", *rest.words)
                yield Reading(rest.end, (f.Bind(as_name="X", amount=amount.value), *rest.value), words)
        return
    for first in (*reader.read("simple", place), *reader.read("governed", place)):
        yield first
    for first in reader.read("simple", place):
        for joint in JOINTS if not isinstance(first.value[-1], f.FlipCoin | f.InsteadIf) else ():
            if reader.words[first.end : first.end + len(joint)] == joint:
                for rest in reader.read("chain", first.end + len(joint)):
                    yield _for_as_long(reader, place, first, rest, "and")


def _for_as_long(reader: Reader, place: int, first: Reading, rest: Reading, joint: str) -> Reading:
    """Two instructions of a sentence; a duration that begins it is that of both ("until end of turn, it gets +1/+0 and
    creatures you control gain trample")."""
    one, other = first.value[-1], rest.value[0]
    if (
        reader.at(place) == "until"
        and isinstance(one, f.Effect)
        and isinstance(other, f.Effect)
        and other.duration == "forever"
    ):
        tree = (*first.value, replace(other, duration=one.duration), *rest.value[1:])
        written = Printer(reader.grammar).write("chain" if joint == "and" else "program", tree)
        return Reading(rest.end, tree, written or ())
    return Reading(rest.end, (*first.value, *rest.value), (*first.words, joint, *rest.words))


def _chain_words(printer: Printer, value: Any) -> Words | None:
    return _words(printer, value, "and")


def _words(printer: Printer, verbs: f.Tree, joint: str) -> Words | None:
    if not isinstance(verbs, tuple) or not verbs:
        return None
    words: list[str] = []
    place = 0
    while place < len(verbs):
        governed = printer.write("governed", verbs[place : place + 2]) if len(verbs) > place + 1 else None
        size = 2
        if governed is None:
            governed, size = printer.write("governed", verbs[place : place + 1]), 1
        if governed is None:
            simple = _written(printer, verbs[place:])
            if simple is None:
                return None
            size, governed = simple
        if words:
            governed = as_told(verbs[place - 1], governed)
            words.append(joint)
            if joint == "and" and governed[0].endswith("~") and _by_another(words):
                words.append("you")
        words.extend(governed)
        place += size
    return tuple(words)


def _sentences(reader: Reader, place: int) -> Iterable[Reading]:
    """Sentences one after the other; each begins anew."""
    for first in reader.read("sentence", place):
        yield first
        at = first.end
        quoted = reader.words[at - 2 : at] == (".", '"')  # a quotation's full stop ends the sentence around it too
        if reader.at(at) != "." and not quoted:
            continue
        after = at + (reader.at(at) == ".")
        after += reader.at(after) == "\n"
        after += reader.at(after) == "then" and reader.at(after + 1) != ","
        for rest in filter(None, (of_struck(reader, first.value[-1], one) for one in reader.read("program", after))):
            last = first.value[-1]
            if isinstance(last, f.If) and not last.otherwise:
                last = last.then[-1]
            next_one = rest.value[1] if isinstance(rest.value[0], f.Bind) and len(rest.value) > 1 else rest.value[0]
            if isinstance(last, f.May) and isinstance(next_one, f.If) and next_one.condition in (f.Did(), DIDNT):
                continue  # "you may ... . if you do" is one instruction
            if misspeaks(reader, after, last, next_one):
                continue
            if isinstance(first.value[-1], f.May) and isinstance(rest.value[0], f.If) and _about_done(rest.value[0]):
                continue  # what was done "this way" was done by what one may do
            if _later(first.value[-1]) and _hangs_on(rest.value, last):
                yield from in_reflexive(reader, first, rest)
                continue  # it would be done now, before what it is about
            if doubly_may(first.value[-1]) and _hangs_on(rest.value, last):
                continue  # "it" is what one may put somewhere if one did something else: nothing if not
            if isinstance(first.value[-1], f.Shield) and speaks_of_prevented(rest.value[:1]):
                continue  # what is done about prevented damage belongs to the effect that prevents it (615.5)
            if _said_late(first.value[-1], rest.value[0]):
                yield from _entering(reader, first, rest)
                continue
            yield _after(reader, first, rest)


def _said_late(first: Any, second: Any) -> bool:
    """Whether an instruction says how something enters that the one before it puts onto the battlefield."""
    if isinstance(second, f.If):
        second = second.then[0]
    if not (isinstance(first, f.Move) and first.to == "battlefield" and isinstance(second, f.Shield)):
        return False
    event = second.effect.event
    return event.event == "zone change" and event.to == "battlefield" and event.subject == IT


def _entering(reader: Reader, first: Reading, rest: Reading) -> Iterable[Reading]:
    """ "Return it to the battlefield. It enters with an additional +1/+1 counter on it" is one instruction (608.2c)."""
    move, said = first.value[-1], rest.value[0]
    gives = said.effect.rewrite[0] if isinstance(said, f.Shield) else None
    if move.counter or not isinstance(gives, f.EnterWith):
        return
    tree = (*first.value[:-1], replace(move, counter=gives.counter, count=gives.count), *rest.value[1:])
    words = Printer(reader.grammar).write("program", tree)
    if words is not None:
        yield Reading(rest.end, tree, words)


def _after(reader: Reader, first: Reading, rest: Reading) -> Reading:
    """Two sentences; what is done about cards that are found only "if you do" belongs to that."""
    last = first.value[-1]
    if isinstance(last, f.Delayed) and (about_entered(rest.value[0]) or _plays_what_comes(last, rest.value[0])):
        tree = (*first.value[:-1], replace(last, then=(*last.then, *rest.value)))
        words = Printer(reader.grammar).write("program", tree)
        if words is not None:
            return Reading(rest.end, tree, words)
    if (
        isinstance(last, f.If)
        and not last.otherwise
        and (isinstance(last.then[-1], f.TakeUntil) or of_those(last.then[-1], rest.value[0]))
    ):
        tree = (*first.value[:-1], replace(last, then=(*last.then, *rest.value)))
        words = Printer(reader.grammar).write("program", tree)
        if words is not None:
            return Reading(rest.end, tree, words)
    return Reading(rest.end, (*first.value, *rest.value), (*first.words, ".", *rest.words))


def _plays_what_comes(later: f.Delayed, second: Any) -> bool:
    """Whether an instruction lets somebody play cards that only a delayed trigger before it exiles (603.7a): it is done then."""
    rule = second.rule if isinstance(second, f.RuleEffect) else None
    among = rule.among if isinstance(rule, f.PlayerRule) else None
    exiles = any(isinstance(part, f.Move) and part.to == "exile" for part in walk(later.then))
    return exiles and among is not None and isinstance(among.reading, n.It)


def _later(verb: Any) -> bool:
    """Whether an instruction only says what will be done: at another time, or as a trigger of its own."""
    if isinstance(verb, f.May) and verb.then:
        verb = verb.then[-1]
    if isinstance(verb, f.If) and not verb.otherwise:
        verb = verb.then[-1]
    return isinstance(verb, f.Delayed | f.Reflexive)


def _hangs_on(tree: f.Tree, last: Any) -> bool:
    """Whether instructions speak of what an earlier one will have done."""
    first = tree[0]
    if isinstance(first, f.If) and any(isinstance(part, f.Did) for part in walk(first.condition)):
        return True
    spoken = (part.reading for part in walk(tree[:1]) if isinstance(part, Noun))
    return not isinstance(last, f.Delayed) and any(isinstance(one, n.It) and one.what != "player" for one in spoken)


def _about_done(verb: f.If) -> bool:
    """Whether a condition asks how much was done this way."""
    return any(isinstance(part, n.ThatMuch) or part == Noun("$excess") for part in walk(verb.condition))


def _sentence(reader: Reader, place: int) -> Iterable[Reading]:
    """One sentence: a chain whose joints are canonical full stops, perhaps with "where X is ..."."""
    if reader.words[place : place + 3] == ("where", "X", "is"):  # as it is printed
        for amount in reader.read("amount", place + 3):
            for one in reader.read("sentence", amount.end + 1) if reader.at(amount.end) == "." else ():
                bind = f.Bind(as_name="X", amount=amount.value)
                words = ("where", "X", "is", *amount.words, ".", *one.words)
                yield Reading(one.end, (bind, *one.value), words)
        return
    for one in (*reader.read("top", place), *reader.read("governed", place)):
        yield one
        if reader.words[one.end : one.end + 4] == (",", "where", "X", "is"):
            for amount in reader.read("amount", one.end + 4):
                if (
                    isinstance(one.value[-1], f.Delayed)
                    and _speaks_of_something(amount.value)
                    and not _by_step(one.value[-1])
                ):
                    continue  # "that spell" is one that is cast later
                said = of_target(one.value[0], amount.value)
                told = Printer(reader.grammar).write("amount", said) if said is not None else None
                if told is None:
                    continue
                bind = f.Bind(as_name="X", amount=said)
                nested = _within(one.value, bind) or _where_done(one.value, bind)
                words = ("where", "X", "is", *told, ".", *one.words)
                if nested is not None:
                    words = Printer(reader.grammar).write("program", nested) or words
                yield Reading(amount.end, nested or (bind, *one.value), words)
                behind = amount.end + len(AS_CAST)
                if reader.words[amount.end : behind] == AS_CAST and nested is None and is_announced(one.value):
                    yield Reading(behind, (bind, *one.value), words)


def _by_step(verb: f.Delayed) -> bool:
    """Whether something is done as a step begins, of which nothing is spoken."""
    return all(pattern.event == "step" for pattern in verb.when)


def _speaks_of_something(amount: Any) -> bool:
    """Whether it is an amount of what was spoken of: "its power", "that spell's mana value"."""
    return any(isinstance(part, Noun) and part.text.split()[0] in ("it", "its", "that") for part in walk(amount))


def _where_done(tree: f.Tree, bind: f.Bind) -> f.Tree | None:
    """ "Destroy all creatures, then ... X ..., where X is how many were destroyed this way": found out after that is done."""
    done = any(isinstance(p, Noun) and "this way" in p.text for p in walk(bind.amount))
    uses = [i for i, verb in enumerate(tree) if any(isinstance(p, n.X) for p in walk(verb))] if done else []
    return (*tree[: uses[0]], bind, *tree[uses[0] :]) if uses and uses[0] else None


def _within(tree: f.Tree, bind: f.Bind) -> f.Tree | None:
    """ "You may sacrifice a creature. If you do, ... where X is ..." with X found out where it is used, after the sacrifice."""
    may = tree[-1]
    if isinstance(may, f.If) and may.condition == f.Did() and isinstance(may.then[0], f.Reflexive):
        triggers = replace(may.then[0], then=(bind, *may.then[0].then))
        return (*tree[:-1], replace(may, then=(triggers, *may.then[1:])))
    follows = may.then[-1] if isinstance(may, f.May) and len(may.then) > 1 else None
    if not isinstance(may, f.May) or not isinstance(follows, f.If) or follows.condition != f.Did():
        return None
    then = replace(follows, then=(bind, *follows.then))
    return (*tree[:-1], replace(may, then=(*may.then[:-1], then)))


def _top(reader: Reader, place: int) -> Iterable[Reading]:
    for first in reader.read("simple", place):
        yield first
        for joint in JOINTS if not isinstance(first.value[-1], f.FlipCoin | f.InsteadIf) else ():
            if reader.words[first.end : first.end + len(joint)] == joint:
                start = first.end + len(joint)
                for rest in (*reader.read("top", start), *reader.read("governed", start)):
                    yield _for_as_long(reader, place, first, rest, ".")


def _program_words(printer: Printer, value: Any) -> Words | None:
    return _words(printer, value, ".")


def _nothing(printer: Printer, value: Any) -> Words | None:
    return None


def install(g: Grammar) -> None:
    """Adds how instructions join."""
    g.terminal("simple", simple_at, lambda p, v: _words(p, v, "and") if isinstance(v, tuple) else None)
    g.terminal("chain", _joined, _chain_words)
    g.terminal("top", _top, _nothing)
    g.terminal("sentence", _sentence, _nothing)
    g.terminal("program", _sentences, _program_words)
    g.terminal("clause", simple_at, _chain_words)
