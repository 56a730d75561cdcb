"""Sagas (current 714): lore counters, chapter abilities, and when the story is over."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeGuard

from server.cards import forms
from server.cards.forms import Ability
from server.cards.nouns import Noun
from server.rules import evolve as ev
from server.rules.definition import Kit
from server.rules.events import PutCounters
from server.rules.layers import characteristics
from server.rules.state import Object, State

LORE = "lore"
CHAPTER = "chapter"
READ_AHEAD = "read ahead"


def final_chapter(abilities: tuple[Ability, ...]) -> int:
    """The greatest number of a chapter ability, 0 if there is none (current 714.2d)."""
    return max((p.nth for a in abilities if _is_chapter(a) for p in a.when), default=0)


def _is_chapter(ability: Ability) -> TypeGuard[forms.TriggeredAbility]:
    return isinstance(ability, forms.TriggeredAbility) and ability.keyword == CHAPTER


@lru_cache(maxsize=64)
def enters_with_lore(most: int) -> forms.Replacement:
    """The ability that every Saga has: it enters with a lore counter, or with as many as are chosen up to `most`
    (current 714.3a)."""
    return forms.Replacement(
        event=forms.Pattern(event="zone change", subject=Noun(forms.THIS), to="battlefield"),
        rewrite=(forms.EnterWith(counter=LORE, most=most),),
        text="714.3a",
    )


def lore_of(state: State, seat: int) -> list[PutCounters]:
    """A lore counter on each Saga with chapters that the player controls (current 714.3b)."""
    found: list[PutCounters] = []
    for oid in state.battlefield:
        o = state.objects[oid]
        if o.controller == seat and not o.phased_out and _chapters(state, oid):
            found.append(PutCounters(subject=oid, amount=1, counter=LORE, cause="lore"))
    return found


def _chapters(state: State, oid: int) -> int:
    c = characteristics(state, oid)
    return final_chapter(c.kit.abilities) if "Saga" in c.subtypes else 0


def is_over(state: State, found: Object) -> bool:
    """Whether a Saga has told all its chapters and none of them waits or is on the stack (current 714.4)."""
    last = _chapters(state, found.id)
    if not last or ev.count(found.counters, LORE) < last:
        return False
    if any(w.source == found.id and _is_chapter(w.ability) for w in state.waiting):
        return False
    entries = (state.objects[oid].entry for oid in state.stack)
    return not any(e and e.source == found.id and e.ability and _is_chapter(e.ability) for e in entries)


def skips_chapters(state: State, found: Object, kit: Kit) -> bool:
    """Whether only the chapter with just as many counters triggers: a Saga read ahead, this turn (current 702.155a)."""
    return READ_AHEAD in kit.keywords and found.entered == state.turn.number
