"""Trigger events that a subject and a verb do not tell: which spell of a turn it is, how much damage, beside whom something attacks,
and two events of different subjects with "or" between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words
from server.oracle.nouns import noun, noun_words
from server.oracle.triggers.players_deeds import spell_of_kind

YOU = Noun("you")
IT = Noun("it")
THIS = Noun("{this}")
THAT_PLAYER = Noun("that player")
_NTH = ((1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (5, "fifth"))


def install(g: Grammar) -> None:
    """Adds the rules."""
    _of_spells(g)
    _of_damage(g)
    _of_combat(g)
    _of_zones(g)
    _of_targets(g)
    g.rule("happens", "phase~ in", (f.Pattern(event="phased in", subject=S.s),))
    # 603.10: it is looked at as it was; of others that phase out nothing speaks yet.
    g.rule("happens", "phase~ out", (f.Pattern(event="phased out", subject=S.s),))
    g.rule("happens", "fight~", (f.Pattern(event="keyword action", cause="fight", subject=S.s),))
    made = f.Pattern(event="token created", subject=S.s)
    g.terminal("madetoken", _made_token_at, _made_token_words)
    g.rule("event", "you create <s:madetoken>", (made,))
    g.rule("event", "you create one or more <s:madetoken>", (replace(made, grain="batch"),))


def _of_spells(g: Grammar) -> None:
    """Which spell of a turn it is, of all or of a kind, and cards that are played either way (305.1, 601.1)."""
    r = g.rule
    cast = f.Pattern(event="cast", subject=S.w)
    played = (f.Pattern(event="land played", subject=S.w), replace(cast, object=Noun("a spell")))
    g.wording("event", "<w:player> play~ a card", played)
    g.terminal("theirkind", *spell_of_kind("that player", " that player controls"))
    for nth, word in _NTH:
        count = f.Holds(left=n.Happened(what="cast", of=S.k), compare="=", right=nth)
        such = replace(cast, condition=f.AllOf(conditions=(f.Is(what=IT, of=S.k), count)))
        said = f"<w:player> cast~ their {word} <k:theirkind> each turn"
        r("event", said, (such,), guard=lambda e: e["w"] != YOU)
    spells = n.TurnCount(what="spells", of=YOU)
    later = f.Holds(left=spells, compare=">=", right=2)
    said = "you cast a spell other than your first spell each turn"
    r("event", said, (replace(cast, subject=YOU, condition=later),))
    mine = f.AllOf(conditions=(f.During(whose=YOU), later))
    said = "you cast a spell during your turn other than your first spell that turn"
    r("event", said, (replace(cast, subject=YOU, condition=mine),))
    for nth, word in _NTH:
        drawn, nth_cast = f.Pattern(event="draw", subject=YOU, nth=nth), f.Pattern(event="cast", subject=YOU, nth=nth)
        g.wording("event", f"you draw your {word} card in a turn", (drawn,))
        g.wording("event", f"you cast your {word} spell in a turn", (nth_cast,))


_MINE = " you control"


def _made_token_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a creature token", which is yours as you create it (current 111.2); "tokens" of one or more."""
    many = reader.at(place - 1) == "more"
    for one in reader.read("plurals" if many else "subject", place):
        made = noun(f"{one.value.text}{_MINE}") if one.words[-1] == ("tokens" if many else "token") else None
        if made is not None:
            yield Reading(one.end, made, one.words)


def _made_token_words(_: Printer, value: Any) -> Words | None:
    bare = noun(value.text.removesuffix(_MINE)) if isinstance(value, Noun) and value.text.endswith(_MINE) else None
    return noun_words(bare) if bare is not None and bare.text.rpartition(" ")[2] in ("token", "tokens") else None


def _of_damage(g: Grammar) -> None:
    """So much damage at once, or more."""
    r = g.rule
    much = f.Holds(left=n.ThatMuch(), compare=">=", right=S.n)
    dealt = f.Pattern(event="damage dealt to", subject=S.s, condition=much)
    r("event", "<s:subject> is dealt <n:number> or more damage", (dealt,))
    for word, combat in (("", None), ("combat ", True), ("noncombat ", False)):
        deals = f.Pattern(event="damage", subject=S.s, object=S.o, combat=combat, condition=much)
        r("event", f"<s:subject> deals <n:number> or more {word}damage to <o:recipient>", (deals,))
    told = f.Pattern(event="damage dealt to", subject=YOU, combat=True)
    g.wording("event", "combat damage is dealt to you", (told,))


def _of_combat(g: Grammar) -> None:
    """Beside whom something attacks, how many attack one player, and what is so as they are declared (508.3)."""
    r = g.rule
    others = f.Exists(of=S.k)
    g.terminal("beside", _beside_at, _beside_words)
    for who, subject in (("{this}", THIS), ("equipped creature", Noun("equipped creature"))):
        led = f.Pattern(event="attacks", subject=subject, condition=others)
        r("event", f"{who} and at least one other <k:beside> attack", (led,))
    r("event", "you attack while <c:scond>", (f.Pattern(event="attackers declared", subject=YOU, condition=S.c),))
    with_ = "you attack with {this} and another <k:beside>"
    g.wording("event", with_, (f.Pattern(event="attacks", subject=THIS, condition=others),))
    power = n.StatOf(stat="power", of=Noun("attacking creatures you control"))
    total = f.Holds(left=power, compare=">=", right=S.n)
    said = "{this} attacks , if you attacked with creatures with total power <n:number> or greater this combat"
    r("event", said, (f.Pattern(event="attacks", subject=THIS, condition=total),))


def _beside_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "Warrior" after "at least one other": another one of yours that attacks."""
    for one in reader.read("singular", place):
        made = noun(f"another attacking {one.value.text} you control")
        if made is not None and one.words[-1] != "creature" or made is not None and len(one.words) > 1:
            yield Reading(one.end, made, one.words)


def _beside_words(_: Printer, value: Any) -> Words | None:
    text = value.text if isinstance(value, Noun) else ""
    if not (text.startswith("another attacking ") and text.endswith(" you control")):
        return None
    bare = noun(text.removeprefix("another attacking ").removesuffix(" you control"))
    return noun_words(bare) if bare is not None else None


def _of_zones(g: Grammar) -> None:
    """Permanents that go to a graveyard or back to a hand, told by whose it is."""
    r = g.rule
    dies = f.Pattern(event="zone change", subject=S.s, from_="battlefield", to="graveyard")
    own = f.Is(what=IT, of=Noun("a permanent you own"))
    r(
        "event",
        "{this} is put into your graveyard from the battlefield",
        (replace(dies, subject=THIS, condition=own),),
    )
    g.terminal("ofsomebody", _of_somebody_at, lambda p, v: None)
    g.wording("event", "<s:ofsomebody> is put into a player 's graveyard from the battlefield", (dies,))
    g.wording("event", "<s:subject> is put into a graveyard", (dies,), guard=_permanent)
    back = f.Pattern(event="zone change", subject=S.s, from_="battlefield", to="hand")
    r(
        "event",
        "<s:subject> is returned to its owner 's hand",
        (back,),
        "<s:subject> is returned to a player 's hand",
        guard=_permanent,
    )
    mine = replace(back, condition=own)
    said = "<s:subject> is returned to your hand"
    r("event", said, (mine,), f"{said} from the battlefield", guard=_permanent)
    enters = f.Pattern(event="zone change", subject=S.s, to="battlefield")
    g.terminal("cursed", _cursed_at, lambda p, v: None)
    g.wording("event", "<s:cursed>", (enters,))


def _of_somebody_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a permanent" that is put into a player's graveyard, who is its owner (400.3)."""
    for one in reader.read("subject", place):
        made = noun(f"{one.value.text} a player owns")
        if made is not None and _permanent({"s": one.value}):
            yield Reading(one.end, made, noun_words(made))


_UNDER: Words = ("enters", "under", "enchanted", "player", "'s", "control")


def _cursed_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "a land enters under enchanted player's control" is "a land enchanted player controls enters"."""
    for one in reader.read("subject", place):
        made = noun(f"{one.value.text} enchanted player controls")
        if reader.words[one.end : one.end + len(_UNDER)] == _UNDER and made is not None:
            yield Reading(one.end + len(_UNDER), made, (*noun_words(made), "enters"))


def _permanent(e: dict[str, Any]) -> bool:
    """Whether it is a permanent: of a card it would be told from where it comes."""
    return e["s"] != THIS and " card" not in e["s"].text


def _of_targets(g: Grammar) -> None:
    """Players who become targets, alone or beside what they control."""
    r = g.rule
    target = f.Pattern(event="becomes target", subject=YOU, object=S.o)
    g.terminal("aimer", _aimer_at, lambda p, v: noun_words(v) if v in _AIMERS else None)
    r("event", "you become the target of <o:aimer>", (target,))
    r("event", "you or <s:subject> becomes the target of <o:aimer>", (target, replace(target, subject=S.s)))
    either = (replace(target, subject=S.s), replace(target, subject=S.t))
    r("event", "<s:subject> or <t:subject> becomes the target of <o:aimer>", either, guard=lambda e: e["s"] != THIS)


_AIMERS = (
    Noun("a spell"),
    Noun("a spell or ability"),
    Noun("a spell an opponent controls"),
    Noun("a spell or ability an opponent controls"),
    Noun("a spell or ability you control"),
)


def _aimer_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("noun", place) if one.value in _AIMERS]
