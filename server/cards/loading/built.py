"""What of the vocabulary the engine handles. A card with anything else is refused: it would do less than it says."""

from __future__ import annotations

from typing import Literal

Takes = Literal["nothing", "number", "cost", "number and cost", "quality", "instructions", "cost and size", "condition"]

# What each takes. Whoever writes a handler (`server.cards.keywords`, or a rule that reads the name) adds the keyword here.
READ_KEYWORDS: dict[str, Takes] = {
    **dict.fromkeys(
        (
            "deathtouch", "defender", "double strike", "first strike", "flash", "flying", "haste", "hexproof",
            "indestructible", "intimidate", "fear", "lifelink", "menace", "reach", "shroud", "trample", "vigilance",
            "shadow", "horsemanship", "wither", "infect", "changeling", "skulk", "flanking", "exalted", "battle cry",
            "prowess", "persist", "undying", "phasing", "split second", "storm", "gravestorm",
            "conspire", "retrace", "cascade", "rebound", "epic", "convoke", "delve", "plainswalk", "islandwalk", "swampwalk",
            "mountainwalk", "forestwalk", "banding", "provoke", "sunburst", "haunt", "totem armor", "umbra armor",
            "living weapon", "for Mirrodin!", "job select",
            "hideaway", "partner", "friends forever", "partner — character select", "partner — father & son", "partner — friends forever", "partner — Survivors", "choose a Background", "Doctor's companion", "unleash", "evolve", "extort", "exploit", "increment", "decayed", "bargain", "jump-start", "improvise", "assist", "undaunted", "devoid",
            "read ahead", "fuse", "aftermath", "myriad", "mentor", "ingest", "ravenous", "soulbond", "melee", "training", "riot", "dethrone", "cipher", "enlist", "start your engines!", "station", "ascend",
        ),
        "nothing",
    ),
    **dict.fromkeys(
        (
            "bushido", "rampage", "annihilator", "fading", "vanishing", "poisonous", "amplify", "modular", "soulshift",
            "dredge", "bloodthirst", "graft", "ripple", "absorb", "frenzy", "devour", "toxic",
            "fabricate", "afflict", "afterlife", "casualty", "crew", "saddle", "mobilize", "renown", "firebending", "tribute", "teamwork", "backup",
        ),
        "number",
    ),
    **dict.fromkeys(
        (
            "equip", "cycling", "kicker", "multikicker", "buyback", "entwine", "replicate", "flashback", "evoke", "prowl",
            "madness", "morph", "megamorph", "disguise", "cumulative upkeep", "echo", "ninjutsu", "commander ninjutsu", "transmute", "recover", "aura swap", "fortify",
            "transfigure", "unearth", "level up", "ward", "forecast",
            "scavenge", "outlast", "spectacle", "surge", "freerunning", "dash", "blitz", "warp", "overload", "emerge",
            "escape", "bestow", "mayhem", "harmonize", "foretell", "plot", "offspring", "squad", "escalate", "mutate", "reconfigure", "embalm", "eternalize", "encore", "web-slinging", "sneak", "miracle",
        ),
        "cost",
    ),
    "gift": "instructions",
    "companion": "condition",
    "prototype": "cost and size",
    "suspend": "number and cost",
    "reinforce": "number and cost",
    "awaken": "number and cost",
    "impending": "number and cost",
    "bands with other": "quality",
    "champion": "quality",
    "partner with": "quality",
    "typecycling": "quality",
    "affinity": "quality",
    "offering": "quality",
    "splice": "quality",
    "enchant": "quality",
    "landwalk": "quality",
    "hexproof from": "quality",
    "protection": "quality",
}  # fmt: skip

# Keywords whose cost is the mana cost where none is said (flashback, 702.32a); of suspend nothing is left to pay in exile.
OWN_COST = frozenset(("flashback", "mayhem", "replicate", "emerge", "suspend"))

# Keywords whose number is a number and no amount: it stands in a cost, before which nothing can say how much X is.
PLAIN_NUMBER = frozenset(("casualty",))

# Words of the tree that no rule of the engine reads yet. Whoever makes one work takes it out (tests/cards compares).
UNBUILT_RULES = frozenset(
    (
        "as though flash", "blocks each combat",
        "casts without paying", "play top of library",
        "controls turn",
    )
)  # fmt: skip
UNBUILT_EVENTS = frozenset(("unattached",))
