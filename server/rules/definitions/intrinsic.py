"""Abilities that the rules themselves give a card: a planeswalker's and a Saga's counters, the way out of an adventure
(306.5b; current 714.3a, current 715.3d, current 720.3d)."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeGuard

from server.cards import forms
from server.cards.forms import Ability
from server.cards.keywords import leaves_stack
from server.cards.nouns import Noun

THIS = Noun(forms.THIS)
#: After its adventure the card lies in exile, from where its other face may be cast (current 715.3d).
ADVENTURE = leaves_stack("exile", "resolve", None, mark="adventuring")
#: Current 720.3d.
OMEN = forms.Replacement(
    event=forms.Pattern(event="zone change", subject=THIS, from_="stack", cause="resolve"),
    rewrite=(forms.ToZone(to="library", shuffle=True),),
)
#: Current 715.3d.
AFTER_ADVENTURE = forms.CastingRule(zone="exile", condition=forms.Is(what=THIS, of=Noun("adventuring card")))

LORE = "lore"
CHAPTER = "chapter"
READ_AHEAD = "read ahead"


@lru_cache(maxsize=64)
def enters_with_loyalty(loyalty: int) -> forms.Replacement:
    """The ability that every planeswalker has: it enters with loyalty counters, as a replacement effect (306.5b)."""
    return forms.Replacement(
        event=forms.Pattern(event="zone change", subject=Noun(forms.THIS), to="battlefield"),
        rewrite=(forms.EnterWith(counter="loyalty", count=loyalty),),
        text="306.5b",
    )


def final_chapter(abilities: tuple[Ability, ...]) -> int:
    """The greatest number of a chapter ability, 0 if there is none (current 714.2d)."""
    return max((p.nth for a in abilities if is_chapter(a) for p in a.when), default=0)


def is_chapter(ability: Ability) -> TypeGuard[forms.TriggeredAbility]:
    """Whether an ability is a chapter of a Saga (current 714.2a)."""
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
