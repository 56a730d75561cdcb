"""A scenario to begin from: a small game in TOML that passes as it is, with a word about each key."""

from __future__ import annotations

import json
from collections.abc import Sequence

BEGINNING = """\
# One small game with a known outcome; docs/scenarios.md says what else may stand here.
id = {ident}
rules = {rules}  # "2011", or "current"
seats = {seats}  # names in turn order; the first takes turn 1
rule = ["704.5a"]  # the numbers of the rules that it shows

# What is there before turn 1. Nobody draws an opening hand; what starts on the battlefield may attack.
setup = [
{libraries}
  {{ zone = "hand", player = {me}, card = "Ember Lash" }},
  {{ zone = "battlefield", player = {me}, card = "Mountain", count = 2 }},
  {{ zone = "life", player = {other}, life = 3 }},
]

# With turn and step: what a player does there. Without: the answer to a question, as
#   {{ player = {me}, do = "choice", yes = true }}
script = [
  {{ turn = 1, step = "precombat_main", player = {me}, do = "cast", card = "Ember Lash", targets = [{{ player = {other} }}] }},
]

# Play stops when this step is over; then all of this must hold.
until = {{ turn = 1, step = "end_turn" }}
expect = [
  {{ check = "lost", player = {other} }},
  {{ check = "graveyard_count", player = {me}, name = "Ember Lash", count = 1 }},
]
"""


def begin(ident: str, seats: Sequence[str], rules: str) -> str:
    """The TOML of a scenario of that id for these seats (two at least): the first burns the last one out."""
    words = {"ident": ident, "rules": rules, "me": seats[0], "other": seats[-1]}
    quoted = {key: json.dumps(word, ensure_ascii=False) for key, word in words.items()}
    names = [json.dumps(name, ensure_ascii=False) for name in seats]
    libraries = (f'  {{ zone = "library", player = {name}, card = "Forest", count = 5 }},' for name in names)
    return BEGINNING.format(seats=f"[{', '.join(names)}]", libraries="\n".join(libraries), **quoted)
