"""Keyword abilities (702) as abbreviations: what each expands to in the general vocabulary of the tree.

Keywords that the combat, casting or damage rules read by name are flags and stay as they are; all others become triggered,
activated, static or replacement abilities here, once, when a card is defined. The keyword ability itself stays among the
abilities, so that "creatures with bushido" and protection's quality can be found.

    combat             combat and damage
    entering           how permanents enter
    permanents         upkeep, spells, dying
    activating         activated ones, and those of hand, library and graveyard
    casting            what is triggered as a spell is cast, permissions to cast
    additional_costs   and what makes spells cheaper
    alternative_costs  and what follows from them

Rule numbers are those of the edition of 2011-09-30; what is younger says `current`.
"""

from __future__ import annotations

from server.cards.forms import Ability, KeywordAbility
from server.cards.keywords.activating import ACTIVATING
from server.cards.keywords.additional_costs import ADDITIONAL_COSTS
from server.cards.keywords.alternative_costs import ALTERNATIVE_COSTS
from server.cards.keywords.casting import CASTING
from server.cards.keywords.combat import COMBAT
from server.cards.keywords.entering import ENTERING
from server.cards.keywords.permanents import PERMANENTS
from server.cards.keywords.tools import Expansions

#: Keywords that rules read by name; nothing to expand.
FLAG_KEYWORDS = frozenset(
    (
        "deathtouch", "defender", "double strike", "enchant", "first strike", "flash", "flying", "haste", "hexproof", "hexproof from",
        "intimidate", "fear", "lifelink", "protection", "reach", "shroud", "trample", "vigilance", "shadow",
        "horsemanship", "wither", "infect", "changeling", "banding", "bands with other", "phasing", "indestructible",
        "menace", "split second", "toxic", "skulk", "devoid", "read ahead", "start your engines!", "ascend",
        "plainswalk", "islandwalk", "swampwalk", "mountainwalk", "forestwalk", "landwalk",
    )
)  # fmt: skip

#: What counts when a deck is put together, and never in play (companion, current 702.139; partner, current 702.124; current 903.5).
DECK_KEYWORDS = frozenset(
    (
        "companion", "choose a Background", "Doctor's companion", "partner", "friends forever", "partner — character select",
        "partner — father & son", "partner — friends forever", "partner — Survivors",
    )
)  # fmt: skip

EXPANSIONS: Expansions = {
    **COMBAT,
    **ENTERING,
    **PERMANENTS,
    **ACTIVATING,
    **CASTING,
    **ADDITIONAL_COSTS,
    **ALTERNATIVE_COSTS,
}


def expand(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """The keyword ability followed by the abilities that it stands for."""
    make = EXPANSIONS.get(keyword.keyword)
    return (keyword, *make(keyword)) if make else (keyword,)
