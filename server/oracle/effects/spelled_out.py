"""Keyword actions of the newest sets that are other instructions in short, as their reminder texts say; they are printed as those."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Reader, Reading, S

THIS = Noun("{this}")
SOLDIER = f.Card(name="Human Soldier", types="Creature — Human Soldier", power="1", toughness="1", colors="W")


def install(g: Grammar) -> None:
    """Adds the rules."""
    thrown = f.Exists(of=Noun("a nonland card discarded this way"))
    made = f.If(condition=thrown, then=(f.CreateToken(token=SOLDIER, who=S.who),))
    g.wording("vp", "recruit~", (f.Draw(who=S.who), f.Discard(who=S.who), made))
    _airbending(g)
    taken = f.Effect(what=S.what, mods=(f.GainControl(),), duration="forever")
    g.wording("do", "you gain control of <what:things>", taken)
    g.wording("do", "you gain control of <what:things> <d:until>", replace(taken, duration=S.d))
    g.wording("do", "<d:until> , gain control of <what:things>", replace(taken, duration=S.d))
    for what, said in ((THIS, "{this}"), (Noun("$dealer"), "<w:one>")):
        twice = n.Times(number=2, of=n.StatOf(stat=S.stat, of=what))
        struck = f.Damage(amount=twice, to=S.to, source=what)
        shape = struck if what == THIS else (f.Bind(as_name="dealer", what=S.w), struck)
        guard = None if what == THIS else _is_target
        g.rule("do", f"{said} deal~ damage equal to twice its <stat> to <to:mixed>", shape, guard=guard)
    ends = (("Top", False), ("Bottom", True))
    placed = tuple(f.Mode(do=(f.Move(what=Noun("$put"), to="library", bottom=b),), text=said) for said, b in ends)
    yours = (f.Bind(as_name="put", what=S.w), f.Either(options=placed))
    g.rule("do", "put <w:one> on the top or bottom of its owner 's library", yours)
    _revealed_by_an_amount(g)
    _of_spells_this_turn(g)
    g.rule("op", "become~ saddled until end of turn", f.Designate(what=S.what, designation="saddled"))
    thrown = f.Discard(what=Noun("$chosen"), all=True)
    one = f.Pick(what=Noun("a card drawn this way"), as_name="chosen")
    said = "draw <n:count> cards , then discard one of them"
    g.rule("do", said, (f.Draw(count=S.n), one, thrown), guard=lambda e: e["n"] != 1)
    g.terminal("theirexiled", _their_exiled_at, lambda p, v: None)
    back = f.Move(what=S.w, to="graveyard")
    g.wording(
        "do",
        "put <w:theirexiled> into that player 's graveyard",
        back,
        "put <w:theirexiled> into their owners 's graveyards",
    )
    stays = f.NotSo(condition=f.Exists(of=Noun("a card put onto the battlefield this way")))
    g.rule("cond", "you don't put the card onto the battlefield", stays)


def _revealed_by_an_amount(g: Grammar) -> None:
    """So many cards that a player reveals from the hand as something comes to, of which you pick one."""
    player, cards, chosen = Noun("$revealing"), Noun("X cards in $revealing's hand"), Noun("$chosen")
    tree = (
        f.Bind(as_name="X", amount=S.a),
        f.Bind(as_name="revealing", what=S.w),
        f.Pick(what=cards, who=player, as_name="revealed"),
        f.Look(what=Noun("$revealed"), reveal=True),
        f.Pick(what=Noun("one of $revealed"), as_name="chosen"),
        f.Discard(what=chosen, who=player, all=True),
    )
    many = ("a number of cards from their hand equal to <a:amount>", "X cards from their hand , where X is <a:amount>")
    then = [f". you choose one of {what} . that player discards that card" for what in ("them", "those cards")]
    said = [f"<w:other> reveals {cards} {tail}" for cards in many for tail in then]
    g.rule("do", said[0], tree, *said[1:])


def _of_spells_this_turn(g: Grammar) -> None:
    """What spells of a kind cost for a turn, and that some cannot be cast in it."""
    cheaper = f.RuleEffect(rule=f.CostChange(what=S.q, generic=S.d))
    g.rule("do", "<q:spells> this turn cost <d:delta> to cast", cheaper, "<q:spells> cost <d:delta> to cast this turn")
    until = f.RuleEffect(rule=f.CostChange(what=S.q, generic=S.d), duration=S.u)
    g.rule("do", "<q:spells> cost <d:delta> to cast <u:until>", until, "<u:until> , <q:spells> cost <d:delta> to cast",
           guard=lambda e: e["u"] != "end of turn")  # fmt: skip
    banned = f.RuleEffect(rule=f.PlayerRule(rule="can't cast", who=S.who, what=S.q))
    g.rule(
        "vp", "can't cast <q:spells> this turn", banned, guard=lambda e: e["q"] is not None and e["q"].text != "spells"
    )


def _their_exiled_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a card an opponent owns from exile", "two cards your opponents own from exile"."""
    for one in reader.read("things", place):
        if isinstance(one.value.reading, n.Choose) and one.value.reading.of.zone == "exile" and "own" in one.value.text:
            yield one


def _is_target(e: dict[str, Any]) -> bool:
    return isinstance(e["w"].reading, n.Target)


def _airbending(g: Grammar) -> None:
    """Airbending (current 701.65a): for as long as a card remains exiled, its owner may cast it for {2}."""
    offer = f.CastingCost(name="airbend", cost=(f.ManaCost(mana="{2}"),), kind="alternative", zone="exile")
    lent = f.Effect(what=Noun("it"), mods=(f.GainAbilities(abilities=(offer,)),), duration="forever")
    g.rule("do", "airbend <what:things>", (f.Move(what=S.what, to="exile"), lent))
