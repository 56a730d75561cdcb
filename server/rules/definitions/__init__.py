"""What a card is before any game (109.3): its mana cost, its abilities sorted by what they do, its printed characteristics and its
further sides, as definitions that all games share.

Knows no state. Offers `Definition` and what makes it, the reads of trees, and what is remembered for all games. The rooms above have
all of it from `model`, which offers it with the rest.
"""

from __future__ import annotations

from server.rules.definitions import (
    definition,
    mana,
    printed,
    remembered,
)
from server.rules.definitions.abilities import (
    BASIC_LAND_TYPES,
    NO_ABILITIES,
    Abilities,
    basic_land_ability,
    defines,
    is_mana_ability,
    is_mana_trigger,
    make_abilities,
)
from server.rules.definitions.definition import (
    PROTOTYPE,
    Definition,
    ability_definition,
    define,
    encode_card,
    is_inert,
    named_token,
)
from server.rules.definitions.intrinsic import (
    LORE,
    READ_AHEAD,
    final_chapter,
    is_chapter,
)
from server.rules.definitions.mana import (
    ANY_COLOR,
    ANY_MANA,
    COLORS,
    GENERIC,
    NO_MANA,
    SNOW,
    SYMBOLS,
    Cost,
    Mana,
    parse_cost,
    with_x,
)
from server.rules.definitions.printed import (
    COLOR_BITS,
    Characteristics,
)
from server.rules.definitions.remembered import (
    remember,
)
from server.rules.definitions.sides import (
    SIDE_WAYS,
    castable_sides,
    is_bestowed,
    is_flipped,
    melded,
    turned_over,
    when_flipped,
)
from server.rules.definitions.trees import (
    divided,
    loop_of,
    shared,
    targets_of,
    walk,
)

__all__ = [
    "ANY_COLOR", "ANY_MANA", "Abilities", "BASIC_LAND_TYPES", "COLORS", "COLOR_BITS", "Characteristics", "Cost", "Definition",
    "GENERIC", "LORE", "Mana", "NO_ABILITIES", "NO_MANA", "PROTOTYPE", "READ_AHEAD", "SIDE_WAYS", "SNOW", "SYMBOLS",
    "ability_definition", "basic_land_ability", "castable_sides", "define", "defines", "definition", "divided", "encode_card",
    "final_chapter", "is_bestowed", "is_chapter", "is_flipped", "is_inert", "is_mana_ability", "is_mana_trigger", "loop_of",
    "make_abilities", "mana", "melded", "named_token", "parse_cost", "printed", "remember", "remembered", "shared", "targets_of",
    "turned_over", "walk", "when_flipped", "with_x",
]  # fmt: skip
