"""Keyword abilities (702) as abbreviations: what each expands to in the general vocabulary of the tree.

Keywords that the combat, casting or damage rules read by name are flags and stay as they are; all others become triggered,
activated, static or replacement abilities here, once, when a card is defined. The keyword ability itself stays among the
abilities, so that "creatures with bushido" and protection's quality can be found.

    fighting     combat and damage
    permanents   entering, upkeep, dying
    activating   activated ones, and those of hand, library and graveyard
    later        what came after September 2011
    ways         how spells are cast since then
    ../keywords_casting   how spells are cast

Rule numbers are those of July 2011 (banding is 702.20 there; the edition of 2011-09-30 has moved some by one).
"""

from __future__ import annotations

from collections.abc import Callable

from server.cards.forms import Ability, KeywordAbility
from server.cards.keywords import activating as a
from server.cards.keywords import combat as f
from server.cards.keywords import permanents as p
from server.cards.keywords import permanents_current as n
from server.cards.keywords.combat_current import FIGHTING_TODAY
from server.cards.keywords.costs import CASTING_EXPANSIONS
from server.cards.keywords.costs_current import WAYS
from server.cards.keywords.entering_current import TODAY

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

#: What counts when a deck is put together, and never in play (partner, current 702.124; current 903.5).
DECK_KEYWORDS = frozenset(("partner", "friends forever", "choose a Background", "Doctor's companion"))

EXPANSIONS: dict[str, Callable[[KeywordAbility], tuple[Ability, ...]]] = {
    **FIGHTING_TODAY,
    "protection": f.protection,
    "absorb": f.absorb,
    "bushido": f.bushido,
    "flanking": f.flanking,
    "rampage": f.rampage,
    "exalted": f.exalted,
    "battle cry": f.battle_cry,
    "frenzy": f.frenzy,
    "provoke": f.provoke,
    "annihilator": f.annihilator,
    "poisonous": f.poisonous,
    "ninjutsu": f.ninjutsu,
    "cumulative upkeep": p.cumulative_upkeep,
    "echo": p.echo,
    "fading": p.fading,
    "vanishing": p.vanishing,
    "amplify": p.amplify,
    "devour": p.devour,
    "bloodthirst": p.bloodthirst,
    "sunburst": p.sunburst,
    "modular": p.modular,
    "graft": p.graft,
    "hideaway": p.hideaway,
    "living weapon": p.living_weapon,
    "for Mirrodin!": p.for_mirrodin,
    "job select": p.job_select,
    "champion": p.champion,
    "changeling": p.changeling,
    "persist": p.persist,
    "undying": p.undying,
    "soulshift": p.soulshift,
    "haunt": p.haunt,
    "totem armor": p.totem_armor,
    "umbra armor": p.totem_armor,  # as totem armor is called since 2018
    "prowess": n.prowess,
    "ward": n.ward,
    "unleash": n.unleash,
    "evolve": n.evolve,
    "extort": n.extort,
    "scavenge": n.scavenge,
    "outlast": n.outlast,
    "exploit": n.exploit,
    "fabricate": n.fabricate,
    "afflict": n.afflict,
    "afterlife": n.afterlife,
    "decayed": n.decayed,
    "equip": a.equip,
    "fortify": a.fortify,
    "aura swap": a.aura_swap,
    "level up": a.level_up,
    "transfigure": a.transfigure,
    "cycling": a.cycling,
    "typecycling": a.typecycling,
    "transmute": a.transmute,
    "reinforce": a.reinforce,
    "forecast": a.forecast,
    "dredge": a.dredge,
    "recover": a.recover,
    "unearth": a.unearth,
    "ripple": a.ripple,
    **WAYS,
    **TODAY,
}


def expand(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """The keyword ability followed by the abilities that it stands for."""
    make = EXPANSIONS.get(keyword.keyword) or CASTING_EXPANSIONS.get(keyword.keyword)
    return (keyword, *make(keyword)) if make else (keyword,)
