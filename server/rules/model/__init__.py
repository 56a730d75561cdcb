"""What a game is: the state as a value, the questions it asks, the events that can happen, the cards as definitions.

Knows nothing of what effects make of objects, of costs or of any procedure. Offers the structs, the small reads (`lookup`), the
next state (`evolve`) and the canonical hash.
"""

from __future__ import annotations

from server.rules.editions import CURRENT, EDITION_2011, EDITIONS, Edition, Rule
from server.rules.model import (
    ask,
    chance,
    definition,
    events,
    frames,
    lookup,
    mana,
    next_state,
    printed,
    questions,
    remembered,
    scope,
    state,
    votes,
)
from server.rules.model.abilities import (
    BASIC_LAND_TYPES,
    NO_ABILITIES,
    Abilities,
    basic_land_ability,
    defines,
    is_mana_ability,
    is_mana_trigger,
    make_abilities,
)
from server.rules.model.answers import ANSWERS, plain_default
from server.rules.model.bindings import (
    MOST_VOTES,
    NOT_WON,
    VOTED_FOR,
    BindingName,
    BoundNumber,
    BoundRefs,
    BoundWord,
    Label,
    ballot,
    chosen_name,
    instead_of,
    votes_for,
)
from server.rules.model.definition import (
    PROTOTYPE,
    Definition,
    ability_definition,
    define,
    encode_card,
    is_inert,
    named_token,
)
from server.rules.model.errors import Defect, Illegal, RulesError
from server.rules.model.events import Event, PutCounters
from server.rules.model.floating import locked, make_effect
from server.rules.model.frames import (
    AnnounceFrame,
    BatchFrame,
    CombatFrame,
    Next,
    PriorityFrame,
    ResolveFrame,
    RunFrame,
    StartFrame,
    TurnFrame,
)
from server.rules.model.hashing import fingerprint
from server.rules.model.intrinsic import LORE, READ_AHEAD, final_chapter, is_chapter
from server.rules.model.lookup import CONTROLLED, WAITING, commander_number, commander_owner, on_board, with_counters
from server.rules.model.mana import ANY_COLOR, ANY_MANA, COLORS, GENERIC, SNOW, SYMBOLS, Cost, Mana, with_x
from server.rules.model.name_lists import words_of
from server.rules.model.next_state import asking, evolve, of_board, of_zones, out_of_combat, stepped
from server.rules.model.printed import COLOR_BITS, Characteristics
from server.rules.model.questions import (
    Act,
    Action,
    ActQuestion,
    AnyAnswer,
    AnyQuestion,
    AssignDamage,
    Assigner,
    Attackers,
    AttackersQuestion,
    Blockers,
    BlockersQuestion,
    CanAttack,
    CanBlock,
    Choice,
    ChooseQuestion,
    DamageQuestion,
    DivideQuestion,
    OrderQuestion,
    Pay,
    PaymentQuestion,
    PriorityQuestion,
    Question,
    Ref,
    Take,
    player_ref,
    seat_of,
)
from server.rules.model.remembered import remember
from server.rules.model.scope import (
    COLOR_MASKS,
    Scope,
    attacking,
    compare,
    controller_of,
    current,
    is_creature_type,
    object_or_last,
    zone_ids,
)
from server.rules.model.sides import SIDE_WAYS, castable_sides, is_bestowed, is_flipped, turned_over, when_flipped
from server.rules.model.state import (
    COMBAT_STEPS,
    MAIN_PHASES,
    NO_MANA,
    Attacker,
    Bindings,
    Blocker,
    Combat,
    Component,
    Counters,
    DelayedTrigger,
    Entry,
    Floating,
    Frame,
    LastKnown,
    Loop,
    Marked,
    Object,
    Options,
    Player,
    Pool,
    Result,
    State,
    Step,
    Struct,
    Triggered,
    Turn,
)
from server.rules.model.trees import (
    divided,
    loop_of,
    shared,
    targets_of,
    walk,
)
from server.rules.model.turn_history import (
    Counted,
    Counter,
    HistoryKey,
    activated,
    all_of,
    attacked_by,
    blocked,
    blocks,
    called,
    in_text,
    played_by,
    reminded,
    resolved,
    struck_by,
    this_turn,
    triggered,
    used_once,
)

__all__ = [
    "ANSWERS", "ANY_COLOR", "ANY_MANA", "Abilities", "Act", "ActQuestion", "Action", "AnnounceFrame", "AnyAnswer", "AnyQuestion",
    "AssignDamage", "Assigner", "Attacker", "Attackers", "AttackersQuestion", "BASIC_LAND_TYPES", "BatchFrame", "BindingName",
    "Bindings", "Blocker", "Blockers", "BlockersQuestion", "BoundNumber", "BoundRefs", "BoundWord", "COLORS", "COLOR_BITS",
    "COLOR_MASKS", "COMBAT_STEPS", "CONTROLLED", "CURRENT",
    "CanAttack", "CanBlock", "Characteristics", "Choice", "ChooseQuestion", "Combat",
    "CombatFrame", "Component", "Cost", "Counted", "Counter", "Counters", "DamageQuestion", "Defect", "Definition",
    "DelayedTrigger", "DivideQuestion", "EDITIONS", "EDITION_2011", "Edition", "Entry", "Event", "Floating", "Frame", "GENERIC",
    "HistoryKey", "Illegal", "LORE", "Label", "LastKnown", "Loop", "MAIN_PHASES", "Mana", "Marked", "NOT_WON", "NO_ABILITIES", "NO_MANA",
    "Next", "Object", "Options", "OrderQuestion", "PROTOTYPE", "Pay", "PaymentQuestion", "Player", "Pool", "PriorityFrame",
    "PriorityQuestion", "PutCounters", "Question", "READ_AHEAD", "Ref", "ResolveFrame", "Result", "Rule", "RulesError",
    "RunFrame", "SIDE_WAYS", "SNOW", "SYMBOLS", "Scope", "StartFrame", "State", "Step", "Struct",
    "Take", "Triggered", "Turn", "TurnFrame", "WAITING", "ability_definition", "activated", "all_of", "ask", "asking", "attacked_by",
    "attacking", "basic_land_ability", "blocked", "blocks", "called", "reminded", "castable_sides", "chance", "chosen_name",
    "commander_number", "commander_owner", "compare", "controller_of", "current", "define", "defines", "definition", "divided",
    "encode_card", "events", "evolve", "final_chapter", "fingerprint", "frames", "in_text", "instead_of", "is_bestowed",
    "is_chapter", "is_creature_type", "is_flipped", "is_inert", "is_mana_ability", "is_mana_trigger", "locked", "lookup",
    "loop_of", "make_abilities", "make_effect", "mana", "named_token", "next_state", "object_or_last", "of_board",
    "of_zones", "on_board", "out_of_combat",
    "plain_default", "played_by", "player_ref", "printed", "questions", "remember", "remembered", "resolved", "scope", "seat_of",
    "shared", "state", "stepped", "struck_by", "targets_of", "this_turn", "triggered", "turned_over", "used_once", "votes_for",
    "ballot", "MOST_VOTES", "VOTED_FOR", "votes", "walk", "when_flipped", "with_counters", "with_x", "words_of", "zone_ids",
]  # fmt: skip
