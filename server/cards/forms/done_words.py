"""How texts speak of what an instruction did before ("each creature destroyed this way"): the words under which its objects are
bound."""

from __future__ import annotations

from server.cards.forms import verbs as f
from server.cards.forms import zone_verbs as z

_DONE: dict[type, str] = {
    f.Destroy: "destroyed",
    z.Sacrifice: "sacrificed",
    z.Discard: "discarded",
    z.Draw: "drawn",
    f.CounterSpell: "countered",
    f.Damage: "dealt damage",
    f.AtOnce: "dealt damage",
}
_MOVED = {
    "exile": "exiled",
    "hand": "returned",
    "battlefield": "put onto the battlefield",
    "graveyard": "put into a graveyard",
}


#: What puts cards into graveyards, so that they are spoken of as put there, too.
BURIES = (f.Destroy, z.Sacrifice, z.Discard, z.Mill)
BURIED = "put into a graveyard this way"


def done_word(verb: object) -> str:
    """How texts say that something was done by such an instruction; "" if they do not."""
    word = _DONE.get(type(verb), "")
    if isinstance(verb, f.Tap):
        word = "untapped" if verb.untap else "tapped"
    elif isinstance(verb, z.Move | z.Search):
        word = _MOVED.get(verb.to, "")
    return f"{word} this way" if word else ""
