"""At which times players can cast spells and activate abilities that have other times: any time they could cast an instant (304.5), only
any time they could cast a sorcery (307.5)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.effects.modifications import flag
from server.oracle.engine import Grammar, S

YOU = Noun("you")
AT_ONCE = "any time you could cast an instant"


def install(g: Grammar) -> None:
    """Adds the rules."""
    _loyalty(g)
    _equip(g)
    _spells(g)


def _loyalty(g: Grammar) -> None:
    quick = f.Continuous(what=S.w, mods=flag("loyalty abilities as an instant"))
    own = "you may activate loyalty abilities of"
    for what, guard in (("{this}", None), ("<w:group>", _is_yours)):
        made = replace(quick, what=Noun(what)) if guard is None else quick
        g.rule("static", f"{own} {what} on any player 's turn {AT_ONCE}", (made,), guard=guard)
    held = replace(quick, what=Noun("{this}"), condition=S.c)
    said = [f"as long as <c:scond> , you may activate {whose} loyalty abilities {AT_ONCE}"
            for whose in ("its", "her", "his", "their", "{this} 's")]  # fmt: skip
    g.rule("static", said[0], (held,), *said[1:])


def _is_yours(e: dict[str, Any]) -> bool:
    """Whether you control all of it: who doesn't cannot activate its abilities anyway (602.2)."""
    return e["w"].text.endswith(" you control")


def _equip(g: Grammar) -> None:
    """Equip abilities of whatever you control."""
    quick = f.Continuous(what=Noun("permanents you control"), mods=flag("abilities as an instant", keyword="equip"))
    said = f"you may activate equip abilities {AT_ONCE}"
    g.rule("static", said, (quick,))
    g.rule("static", f"during your turn , {said}", (replace(quick, condition=f.During(whose=YOU)),))


def _spells(g: Grammar) -> None:
    for who, others, whose in (
        ("your opponents", ("each opponent",), "their own turns"),
        ("players", ("each player",), "their own turns"),
        ("you", (), "your turn"),
    ):
        they = "you" if who == "you" else "they"
        rule = f.PlayerRule(rule="casts as sorceries", who=Noun("each player" if who == "players" else who))
        own = replace(rule, rule="casts in own turns")
        for tail, made in ((f"only any time {they} could cast a sorcery", rule), (f"only during {whose}", own)):
            texts = [f"{one} can cast spells {tail}" for one in (who, *others)]
            g.rule("static", texts[0], (made,), *texts[1:])
    few = f.PlayerRule(rule="can't cast", number=S.n)
    both = (f.PlayerRule(rule="casts in own turns"), few)
    said = "you can cast spells only during your turn and you can cast no more than <n:count> spells each turn"
    g.rule("static", said, both, guard=lambda e: isinstance(e["n"], int))
