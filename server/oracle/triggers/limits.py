"""When, how often and on what condition an activated ability may be activated, and by whom (602.1b, 602.5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

#: What stands after "activate only" and of an activated ability says so, in the order in which it is printed; conditions stand between.
_ONLY: tuple[tuple[str, dict[str, Any]], ...] = (
    ("as a sorcery", {"timing": "sorcery"}),
    ("any time you could cast a sorcery", {"timing": "sorcery"}),
    ("any time you could play a sorcery", {"timing": "sorcery"}),
    ("as sorcery", {"timing": "sorcery"}),
    ("during your turn", {"timing": "your turn"}),
    ("during your upkeep", {"timing": "upkeep"}),
    ("during combat", {"timing": "combat"}),
    ("once each turn", {"limit": 1}),
    ("once", {"limit": -1}),
)
_STARTS: tuple[Words, ...] = (("activate", "this", "ability", "only"), ("activate", "only"))


def _row_of_limits_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Activate only during your upkeep and only if you control an Elf": two limits or three."""
    head = next((head for head in _STARTS if reader.words[place : place + len(head)] == head), None)
    states: list[tuple[int, dict[str, Any]]] = [(place + len(head), {})] if head is not None else []
    while states:
        at, fields = states.pop()
        for end, more in _one_limit(reader, at):
            if set(more) & set(fields):
                continue
            both = {**fields, **more}
            value = f.ActivatedAbility(cost=(), **both)
            words = _limits_words(reader.grammar, value) if len(both) > 1 else None
            if words is not None:
                yield Reading(end, value, words)
            for joint in (("and", "only"), (",", "only"), (",", "and", "only")):
                if reader.words[end : end + len(joint)] == joint:
                    states.append((end + len(joint), both))


def _one_limit(reader: Reader, at: int) -> Iterable[tuple[int, dict[str, Any]]]:
    for said, fields in _ONLY:
        words = tuple(said.split())
        if reader.words[at : at + len(words)] == words:
            yield at + len(words), fields
    for cond in reader.read("scond", at + 1) if reader.at(at) == "if" else ():
        if "defending" not in cond.words:  # outside of an attack nobody says of whom
            yield cond.end, {"condition": cond.value}


def _limits_words(grammar: Grammar, value: f.ActivatedAbility) -> Words | None:
    """A row of limits, each of which nothing else says: when, on what condition, how often."""
    parts: list[Words] = []
    timing = next((said for said, fields in _ONLY if fields == {"timing": value.timing}), "")
    often = next((said for said, fields in _ONLY if fields == {"limit": value.limit}), "")
    condition = Printer(grammar).write("scond", value.condition) if value.condition is not None else ()
    if condition is None:
        return None
    parts = [tuple(timing.split()), ("if", *condition) if condition else (), tuple(often.split())]
    said = [part for part in parts if part]
    told = f.ActivatedAbility(cost=(), timing=value.timing, limit=value.limit, condition=value.condition)
    if len(said) < 2 or value != told or bool(timing) is not bool(value.timing):
        return None
    words: Words = ("activate", "only", *said[0])
    for part in said[1:]:
        words = (*words, "and", "only", *part)
    return words


#: What one sentence says, beside what is said in a row.
_ALONE: tuple[tuple[f.ActivatedAbility, str], ...] = (
    (f.ActivatedAbility(cost=(), timing="sorcery"), "activate only as a sorcery"),
    (f.ActivatedAbility(cost=(), timing="instant"), "activate only as an instant"),
    (f.ActivatedAbility(cost=(), timing="your turn"), "activate only during your turn"),
    (f.ActivatedAbility(cost=(), timing="upkeep"), "activate only during your upkeep"),
    (f.ActivatedAbility(cost=(), timing="combat"), "activate only during combat"),
    (
        f.ActivatedAbility(cost=(), timing="after blockers"),
        "activate only during combat after blockers are declared",
    ),
    (
        f.ActivatedAbility(cost=(), timing="before attackers"),
        "activate only during your turn , before attackers are declared",
    ),
    (f.ActivatedAbility(cost=(), limit=1), "activate only once each turn"),
    (f.ActivatedAbility(cost=(), limit=3), "activate no more than three times each turn"),
    (f.ActivatedAbility(cost=(), limit=-1), "activate only once"),
    (f.ActivatedAbility(cost=(), timing="sorcery", limit=-1), "activate only as a sorcery and only once"),
    (f.ActivatedAbility(cost=(), by="any player"), "any player may activate this ability"),
    (f.ActivatedAbility(cost=(), timing="sorcery", limit=1), "activate only as a sorcery and only once each turn"),
    (
        f.ActivatedAbility(cost=(), timing="your turn", limit=1),
        "activate only during your turn and only once each turn",
    ),
)


def install(g: Grammar) -> None:
    """Adds the rules."""
    r = g.rule
    g.terminal("limits", _row_of_limits_at, lambda p, v: _limits_words(p.grammar, v))
    r("limit", "<x:limits>", S.x, guard=lambda e: isinstance(e["x"], f.ActivatedAbility))
    for shape, text in _ALONE:
        also = ("any time you could play a sorcery", "as sorcery")
        texts = [text, *(text.replace("as a sorcery", how) for how in also if text.endswith("as a sorcery"))]
        texts += [one.replace("activate ", "activate this ability ") for one in texts if one.startswith("activate")]
        r("limit", texts[0], shape, *texts[1:])
    r(
        "limit",
        "activate only if <c:scond>",
        f.ActivatedAbility(cost=(), condition=S.c),
        "activate this ability only if <c:scond>",
    )
    _in_steps(g)
    late = f.ActivatedAbility(cost=(), condition=f.During(step="end_combat"))
    said = "only during the end of combat step"
    r("limit", f"activate {said}", late, f"activate this ability {said}")
    if_so = f.ActivatedAbility(cost=(), condition=S.c)
    for shape, text in (
        (replace(if_so, limit=1), "activate only if <c:scond> and only once each turn"),
        (replace(if_so, limit=-1), "activate only if <c:scond> and only once"),
        (replace(if_so, timing="sorcery"), "activate only if <c:scond> and only as a sorcery"),
        (replace(if_so, timing="your turn"), "activate only during your turn and only if <c:scond>"),
    ):
        texts = [text, text.replace("activate only", "activate this ability only")]
        if shape.timing == "sorcery":
            texts += [
                f"{head} only as a sorcery and only if <c:scond>" for head in ("activate", "activate this ability")
            ]
        r("limit", texts[0], shape, *texts[1:])
    r(
        "limit",
        "activate no more than twice each turn",
        f.ActivatedAbility(cost=(), limit=2),
        "activate this ability no more than twice each turn",
    )


def _in_steps(g: Grammar) -> None:
    """Limits to steps of other turns, and to what anybody may activate then."""
    r = g.rule
    for said, when in (
        ("during any upkeep step", f.During(step="upkeep")),
        ("during an opponent 's upkeep", f.During(step="upkeep", whose=Noun("your opponents"))),
        ("during an opponent 's turn", f.During(whose=Noun("your opponents"))),
    ):
        shape = f.ActivatedAbility(cost=(), condition=when)
        r("limit", f"activate only {said}", shape, f"activate this ability only {said}")
    anyone = f.ActivatedAbility(cost=(), by="any player", condition=f.During(step="upkeep"))
    r("limit", "any player may activate this ability but only during any upkeep step", anyone)
    slowly = f.ActivatedAbility(cost=(), by="any player", timing="sorcery")
    said = "any player may activate this ability but only"
    r("limit", f"{said} as a sorcery", slowly, f"{said} any time they could cast a sorcery")
