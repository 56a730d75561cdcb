"""What is chosen or targeted first, and spoken of afterwards ("choose two target creature cards in your graveyard. Sacrifice a
creature. If you do, return the chosen cards ...")."""

from __future__ import annotations

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, S, walk

_CHOSEN = Noun("$chosen")
IT = Noun("it")
THAT_PLAYER = Noun("that player")


def install(g: Grammar) -> None:
    """Adds the rules."""
    _for_a_sacrifice(g)
    _shuffled_by_target(g)
    _attached_to_chosen(g)
    _greater_than_target(g)
    _of_a_type_that_each_chooses(g)


def _for_a_sacrifice(g: Grammar) -> None:
    """Targets that come back for something that is sacrificed: what is sacrificed is chosen later, and is none of them."""
    chosen = f.Bind(as_name="chosen", what=S.w)
    for tapped, word in ((False, ""), (True, " tapped")):
        back = f.If(condition=f.Did(), then=(f.Move(what=_CHOSEN, to="battlefield", tapped=tapped),))
        said = f"choose <w:aimed> . sacrifice <s:things> . if you do , return the chosen card|cards to the battlefield{word}"
        g.rule("do", said, (chosen, f.Sacrifice(what=S.s), back), guard=lambda e: "graveyard" in e["w"].text)


def _shuffled_by_target(g: Grammar) -> None:
    """ "Target player shuffles up to two target cards from their graveyard into their library"."""
    aimed = f.Bind(as_name="player", what=S.p)
    away = f.Move(what=S.w, to="library", shuffle=True)
    said = "<p:aimedplayer> shuffles <w:aimed> into their library"
    g.rule("do", said, (aimed, away), guard=lambda e: _is_theirs(e["w"]))


def _is_theirs(value: Noun) -> bool:
    """Whether it speaks of targets in a zone of the player who is targeted first."""
    return any(part == n.OwnedBy(by=n.It(what="player")) for part in walk(value.reading))


def _attached_to_chosen(g: Grammar) -> None:
    """ "Choose a Dwarf you control. Attach any number of Equipment you control to it"."""
    picked = f.Pick(what=S.w, as_name="it")
    attached = f.Attach(what=S.e, to=IT)
    g.rule("do", "choose <w:things> . attach <e:things> to it", (picked, attached), guard=lambda e: _one_kept(e["w"]))


def _one_kept(value: Noun) -> bool:
    """Whether it is one permanent of one's own that is chosen, without a target."""
    reading = value.reading
    return isinstance(reading, n.Choose) and reading.count == 1 and value.text.endswith(" you control")


def _greater_than_target(g: Grammar) -> None:
    """ "Destroy all creatures with power greater than target creature's power"."""
    aimed = f.Bind(as_name="aimed", what=Noun("target creature"))
    greater = f.Destroy(what=Noun("all creatures with power greater than $aimed's power"))
    g.rule("do", "destroy all creatures with power greater than target creature 's power", (aimed, greater))


def _of_a_type_that_each_chooses(g: Grammar) -> None:
    """What players choose a creature type for, one after the other."""
    cards = Noun("any number of cards of the chosen type from their graveyard")
    word = f.ChooseWord(what="creature type", who=THAT_PLAYER)
    back = f.Move(what=cards, to="hand", who=THAT_PLAYER)
    each = f.ForEach(of=Noun("each player"), then=(word, back))
    said = "each player chooses a creature type and returns any number of cards of that type from their graveyard to their hand"
    g.rule("do", said, each)
