"""What is paid and with what: costs (117), mana sources (605), the search for a payment, what stands in for mana.

Knows whether a player can pay and which events paying is; does not know for what, nor do anything. The states that are
made for asking alone stand here too: a card as the spell, or the permanent, that it would be.
"""

from __future__ import annotations

from server.rules.costs import costs, mana_sources, payment
from server.rules.costs.costs import can_pay_costs, mana_cost, pay_events
from server.rules.costs.entering import becoming, entering
from server.rules.costs.exerting import (
    may_pay_to_attack,
    paid_to_attack,
)
from server.rules.costs.mana_payment import (
    floats,
    mana_available,
    mana_paid,
    most_x,
    tapped_for,
)
from server.rules.costs.mana_sources import (
    COLORS,
    Paid,
    Substitutes,
    can_tap,
    choosable,
    color_mask,
    floating,
    marked_by,
    pool_of,
    producible,
)
from server.rules.costs.mana_steps import (
    Step,
    spoiling,
    way,
)
from server.rules.costs.mana_substitutes import (
    PAID_OTHERWISE,
    TAPPED_FOR_MANA,
    ability_substitutes,
    assistants,
    assisting,
    first_trigger,
    paid_with_life,
    spell_substitutes,
    substitutes_of,
    unassisted,
)
from server.rules.costs.payers import payers
from server.rules.costs.plain_sources import PlainMana, plain_mana
from server.rules.costs.spell_view import as_copied, as_face_down, as_side, as_spell

__all__ = [
    "COLORS",
    "PAID_OTHERWISE",
    "Paid",
    "PlainMana",
    "Step",
    "Substitutes",
    "TAPPED_FOR_MANA",
    "ability_substitutes",
    "assistants",
    "assisting",
    "as_copied",
    "as_face_down",
    "as_side",
    "as_spell",
    "becoming",
    "can_pay_costs",
    "can_tap",
    "choosable",
    "color_mask",
    "costs",
    "entering",
    "first_trigger",
    "floating",
    "floats",
    "mana_available",
    "mana_cost",
    "mana_paid",
    "mana_sources",
    "marked_by",
    "may_pay_to_attack",
    "paid_to_attack",
    "most_x",
    "pay_events",
    "payers",
    "payment",
    "plain_mana",
    "pool_of",
    "producible",
    "paid_with_life",
    "spell_substitutes",
    "spoiling",
    "substitutes_of",
    "tapped_for",
    "unassisted",
    "way",
]
