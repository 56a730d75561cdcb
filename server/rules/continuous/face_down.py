"""What face-down objects are (707.2)."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms
from server.rules.model import Characteristics, Object, define

FACE_DOWN_CARD = forms.Card(name="", types="Creature", power="2", toughness="2")
FACE_DOWN = define(FACE_DOWN_CARD).base
_WARD = forms.KeywordAbility(keyword="ward", cost=(forms.ManaCost(mana="{2}"),), text="Ward {2}")
FACE_DOWN_WARD = define(replace(FACE_DOWN_CARD, abilities=(_WARD,))).base


def face_down_of(found: Object) -> Characteristics:
    """What a face-down object is: cast for its disguise, or cloaked, it has ward {2} (current 702.168a, current 701.58a)."""
    disguised = "disguise" in found.definition.base.keywords and found.entry is not None and found.entry.way
    return FACE_DOWN_WARD if disguised or is_marked(found, "cloaked") else FACE_DOWN


def is_marked(found: Object, mark: str) -> bool:
    """Whether an instruction has made this of it as it moved ("manifested")."""
    return any(what == mark for what, _ in found.chosen)
