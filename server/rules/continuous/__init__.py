"""Continuous effects as data (611): in which layers they apply, what they ask and say, whom they reach, what counters do, and what
they make of a state.

Reads no state: what effects do to the objects of one is the affair of `characteristics`. Offers the tables of layers, `Applied`
and `Board`, and what can be told of an effect from its words.
"""

from __future__ import annotations

from server.rules.continuous.boards import (
    LAYERS,
    Applied,
    Board,
    Index,
    RuleFlag,
    choice_of,
    linked_to,
)
from server.rules.continuous.counters import (
    ENTERED_AS,
    GAINED,
    added,
    given,
)
from server.rules.continuous.dependency import (
    SIZES,
    asks,
    looks_at_sizes,
    says,
    takes_abilities,
)
from server.rules.continuous.differences import (
    NOTHING,
    Different,
    Given,
    abilities_of,
    differences,
    entries_of,
    given_to_spells,
)
from server.rules.continuous.face_down import FACE_DOWN, FACE_DOWN_CARD, FACE_DOWN_WARD, face_down_of, is_marked
from server.rules.continuous.followed import (
    COMMAND,
    Effect,
    Followed,
    Group,
    Members,
    NotFollowed,
    Place,
    of_floating,
    of_permanent,
    of_spell,
    of_statics,
    order,
)
from server.rules.continuous.lasting import (
    fixed_mods,
    is_of_chosen_color,
    lasts,
    plain_noun,
)
from server.rules.continuous.shapes import (
    ABILITIES_LAYER,
    SIZED,
    Kind,
    alters,
)

__all__ = [
    "alters",
    "lasts",
    "ABILITIES_LAYER",
    "Applied",
    "Board",
    "COMMAND",
    "Different",
    "Effect",
    "FACE_DOWN",
    "FACE_DOWN_CARD",
    "FACE_DOWN_WARD",
    "Followed",
    "ENTERED_AS",
    "GAINED",
    "Given",
    "Group",
    "Index",
    "Kind",
    "LAYERS",
    "NOTHING",
    "Members",
    "NotFollowed",
    "Place",
    "RuleFlag",
    "SIZED",
    "SIZES",
    "abilities_of",
    "added",
    "asks",
    "choice_of",
    "differences",
    "entries_of",
    "face_down_of",
    "fixed_mods",
    "given",
    "given_to_spells",
    "is_marked",
    "is_of_chosen_color",
    "linked_to",
    "looks_at_sizes",
    "of_floating",
    "of_permanent",
    "of_spell",
    "of_statics",
    "order",
    "plain_noun",
    "says",
    "takes_abilities",
]
