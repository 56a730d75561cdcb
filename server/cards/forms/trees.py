"""Every verb that there is, from the modules that define them, and the program that is made of them (608.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cards.forms import flow_verbs, verbs, zone_verbs
from server.cards.forms.parts import VerbForm, kinds_of

if TYPE_CHECKING:
    Verb = VerbForm
else:
    Verb = kinds_of(VerbForm, vars(flow_verbs), vars(verbs), vars(zone_verbs))

Tree = tuple[Verb, ...]
