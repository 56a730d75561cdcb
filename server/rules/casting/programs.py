"""Instructions as an announcement makes them: modes and spliced text joined, overload's "each" for "target".

The same instructions every time they are made of the same ones, since target slots are found by identity.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import cast

import msgspec
from msgspec.structs import replace

from server.cards import forms
from server.cards.nouns import Noun
from server.rules.model import Abilities, Entry, remember, targets_of

MUTATE = "mutate"
#: What a mutating creature spell targets, as the program of an Aura spell says what it enchants (current 702.140a).
MUTATING: forms.Tree = (forms.Attach(to=Noun("target non-Human creature {this}'s owner owns")),)

_together: dict[tuple[int, ...], tuple[tuple[forms.Tree, ...], forms.Tree]] = {}


def joined_programs(programs: tuple[forms.Tree, ...]) -> forms.Tree:
    """Several programs as one; the same tuple every time, so that target slots are found by identity."""
    if len(programs) == 1:
        return programs[0]
    key = tuple(id(p) for p in programs)
    known = _together.get(key)
    if known is None or any(a is not b for a, b in zip(known[0], programs, strict=True)):
        joined = tuple(verb for program in programs for verb in program)
        known = remember(_together, key, (programs, joined))
    return known[1]


#: Keywords whose spell ability costs nothing (cipher, current 702.99a).
FREE = frozenset(("cipher",))


def further_of(abilities: Abilities, entry: Entry) -> tuple[forms.SpellAbility, ...]:
    """The spell abilities of keywords whose cost was paid for a spell (awaken, gift: current 702.113a, current 702.174b)."""
    if not abilities.further or entry.kind != "spell":
        return ()
    return tuple(a for a in abilities.further if a.keyword in FREE or dict(entry.paid).get(a.keyword))


def with_further(program: forms.Tree, further: tuple[forms.SpellAbility, ...]) -> forms.Tree:
    """A program with these spell abilities, before it or after it."""
    if not further:
        return program
    before = (a.do for a in further if a.first)
    return joined_programs((*before, program, *(a.do for a in further if not a.first)))


KICKER = "kicker"


def spoken(cost: forms.CastingCost) -> str:
    """What a cost is called: the keyword, of however many costs of that keyword it is one."""
    return cost.name.partition(" {")[0]


def with_paid(paid: list[tuple[str, int]], cost: forms.CastingCost, times: int) -> list[tuple[str, int]]:
    """What was paid, with a cost so often; one of two kicker costs counts for both of them together, too (702.31b, d)."""
    found = [*paid, (cost.name, times)]
    if spoken(cost) != KICKER or cost.name == KICKER:
        return found
    kicked = dict(found).get(KICKER, 0) + times
    return [*(pair for pair in found if pair[0] != KICKER), (KICKER, kicked)]


_paid_for: dict[tuple[int, tuple[tuple[str, int], ...]], tuple[forms.Tree, forms.Tree]] = {}


def as_paid(program: forms.Tree, paid: tuple[tuple[str, int], ...]) -> forms.Tree:
    """A spell's program with what has targets and is done only if a cost was paid, or only if not, as far as that is so: other
    targets are not chosen (kicker, 702.31g)."""
    if not any(_hangs_on_cost(verb) for verb in program):
        return program
    key = (id(program), paid)
    known = _paid_for.get(key)
    if known is None or known[0] is not program:
        times = dict(paid)
        done = tuple(
            part
            for verb in program
            for part in (_branch(cast(forms.If, verb), times) if _hangs_on_cost(verb) else (verb,))
        )
        known = remember(_paid_for, key, (program, done))
    return known[1]


def _hangs_on_cost(verb: forms.Verb) -> bool:
    return isinstance(verb, forms.If) and _so(verb.condition, {}) is not None and bool(targets_of((verb,)))


def _branch(verb: forms.If, times: dict[str, int]) -> forms.Tree:
    return verb.then if _so(verb.condition, times) else verb.otherwise


def _so(condition: forms.AnyCondition, times: dict[str, int]) -> bool | None:
    """Whether a condition that asks for nothing but costs holds; None of any other."""
    if isinstance(condition, forms.Paid):
        return times.get(condition.cost, 0) >= condition.times
    if isinstance(condition, forms.NotSo):
        inner = _so(condition.condition, times)
        return None if inner is None else not inner
    return None


_joined: dict[tuple[int, tuple[int, ...]], tuple[tuple[forms.Mode, ...], forms.Tree]] = {}


def modal_program(all_modes: tuple[forms.Mode, ...], modes: tuple[int, ...]) -> forms.Tree:
    """The instructions of the chosen modes; the same tuple every time, so that target slots are found by identity."""
    if len(modes) == 1:
        return all_modes[modes[0]].do
    key = (id(all_modes), modes)
    known = _joined.pop(
        key, None
    )  # what is asked for is forgotten last: a mode chosen twice has slots made just for it
    if known is None or known[0] is not all_modes:
        programs = (all_modes[i].do if i not in modes[:at] else again(all_modes[i].do) for at, i in enumerate(modes))
        known = (all_modes, tuple(verb for program in programs for verb in program))
    return remember(_joined, key, known)[1]


def again(program: forms.Tree) -> forms.Tree:
    """The same instructions with target slots of their own."""
    return cast(forms.Tree, mapped(program, lambda noun: Noun(noun.text)))


_overloaded: dict[int, tuple[forms.Tree, forms.Tree]] = {}


def overloaded(program: forms.Tree) -> forms.Tree:
    """The instructions with "each" for every "target" (overload, current 702.96a)."""
    known = _overloaded.get(id(program))
    if known is None or known[0] is not program:
        known = remember(_overloaded, id(program), (program, cast(forms.Tree, mapped(program, _every))))
    return known[1]


def _every(noun: Noun) -> Noun:
    return Noun(f" {noun.text}".replace(" target ", " each ")[1:])


def mapped(node: object, change: Callable[[Noun], Noun]) -> object:
    """A tree with every noun changed so."""
    if isinstance(node, Noun):
        return change(node)
    if isinstance(node, tuple):
        return tuple(mapped(part, change) for part in cast("tuple[object, ...]", node))
    if isinstance(node, msgspec.Struct):
        return replace(node, **{name: mapped(getattr(node, name), change) for name in node.__struct_fields__})
    return node


def aura_program(abilities: Abilities) -> forms.Tree:
    """An Aura spell's target as a program: attach it to the target that "enchant" describes."""
    for ability in abilities.quality("enchant"):
        if ability.quality is not None:
            return _aura_program(ability.quality.text)
    return ()


@lru_cache(maxsize=1024)
def _aura_program(text: str) -> forms.Tree:
    return (forms.Attach(to=Noun("target " + text)),)
