"""The typed tree that a card is: frozen, tagged structs that refuse unknown fields.

A card comes in by one of two doors, its printed text (`server.oracle`) or this tree itself in TOML, and is the same data
afterwards: verbs are structs, nouns are rules English (`server.cards.nouns`), and nothing here is code. The engine has one
handler for each struct (`server.rules`). A card never adds a struct; a new general verb does.

Tags: verbs carry `do`, abilities `ability`, costs `pay`, modifications `mod`, rewrites `rewrite`, conditions `if`.

The struct definitions stand in `parts`, `effects`, `abilities`, `flow_verbs`, `zone_verbs` and `verbs`; everyone imports them
from here. A verb, condition, modification or rewrite is declared by its struct: the unions are made of what stands there.

Verbs hold abilities and abilities hold verbs, so the lower modules get the upper ones' names at the end of this
one, where msgspec looks them up as it builds its first decoder.
"""

from __future__ import annotations

from server.cards.forms import abilities as _abilities
from server.cards.forms import effects as _effects
from server.cards.forms import flow_verbs as _flow_verbs
from server.cards.forms import verbs as _verbs
from server.cards.forms.abilities import *
from server.cards.forms.done_words import BURIED as BURIED
from server.cards.forms.done_words import BURIES as BURIES
from server.cards.forms.done_words import done_word as done_word
from server.cards.forms.effects import *
from server.cards.forms.flow_verbs import *
from server.cards.forms.parts import *
from server.cards.forms.trees import Tree as Tree
from server.cards.forms.trees import Verb as Verb
from server.cards.forms.verbs import *
from server.cards.forms.zone_verbs import *
from server.cards.nouns import Noun as Noun
from server.cards.nouns import Value as Value

_effects.__dict__.update(Ability=_abilities.Ability, Card=_abilities.Card)
for _module in (_abilities, _effects, _flow_verbs, _verbs):
    _module.__dict__.update(Tree=Tree)
