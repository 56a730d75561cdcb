"""The grammar with the rules of all rooms, in the order in which they are tried."""

from __future__ import annotations

from functools import lru_cache

from server.oracle.abilities import (
    as_enters,
    conditional,
    copies,
    cost_changes,
    entering,
    enters_with,
    in_combat,
    instead_mana,
    keyword_lines,
    layouts,
    player_rules,
    replacements,
    statics,
    turn_history,
    wards,
)
from server.oracle.effects import (
    as_though,
    instead,
    losing_others,
    modifications,
    own_moves,
    permissions,
    prevention,
    roles,
    spells,
    spending,
    substitutes,
    transforming,
)
from server.oracle.engine import grammar as grammars
from server.oracle.engine import (
    terminals,
)
from server.oracle.instructions import (
    chosen_first,
    chosen_words,
    combat,
    counters,
    damage,
    dice,
    dungeons,
    keyword_actions,
    looking,
    objects,
    permanents,
    piles,
    players,
    revealing,
    searching,
    sparing,
    untapping,
    zones,
)
from server.oracle.nouns import slots
from server.oracle.sentences import delayed_events, flow, instead_if, offers, sentence_modifiers
from server.oracle.triggers import (
    card_events,
    destroyers,
    modes,
    players_deeds,
    players_events,
    trigger_events,
    triggers,
    under_control,
)
from server.oracle.values import (
    amounts,
    chosen_colors,
    chosen_keywords,
    comparisons,
    conditions,
    conditions_of_players,
    costs,
    denied,
    done_this_way,
    energy,
    how_cast,
    lists,
    more_amounts,
    more_conditions,
    sums,
    superlatives,
    tokens,
    types_and_sizes,
)

MODULES = (
    slots,
    terminals,
    amounts,
    conditions,
    costs,
    lists,
    looking,
    searching,
    keyword_actions,
    dungeons,
    players,
    damage,
    zones,
    permanents,
    prevention,
    conditions_of_players,
    comparisons,
    sums,
    more_amounts,
    superlatives,
    sentence_modifiers,
    chosen_words,
    offers,
    delayed_events,
    flow,
    modifications,
    cost_changes,
    instead_mana,
    wards,  # what is said last is tried first
    entering,  # each of a kind, before all of a kind
    statics,
    enters_with,
    replacements,
    player_rules,
    turn_history,
    instead,
    keyword_lines,
    trigger_events,
    card_events,
    players_events,
    players_deeds,
    under_control,
    triggers,
    modes,
    types_and_sizes,
    losing_others,
    copies,
    how_cast,
    conditional,
    layouts,
    counters,
    chosen_colors,
    dice,
    done_this_way,
    denied,
    objects,
    own_moves,
    roles,
    as_though,
    permissions,
    spending,
    spells,
    substitutes,
    piles,
    untapping,
    sparing,
    revealing,
    instead_if,
    chosen_keywords,
    energy,
    combat,
    transforming,
    tokens,
    chosen_first,
    more_conditions,
    in_combat,
    as_enters,
    destroyers,
)
"""In the order in which they enter their rules."""


@lru_cache(maxsize=1)
def grammar() -> grammars.Grammar:
    """The grammar with all its rules."""
    made = grammars.Grammar()
    for module in MODULES:
        module.install(made)
    return made
