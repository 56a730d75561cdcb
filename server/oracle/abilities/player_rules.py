"""Rules about players: what they may and can't do, what attacking them costs, and what their spells cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import vocabulary as v
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, S, Words

YOU = Noun("you")
THIS = Noun("{this}")
EACH = Noun("each player")
OPPONENTS = Noun("your opponents")
WHAT = S.what


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("cardspells", _card_spells_at, lambda p, v: None)
    _players(g)
    _activating(g)
    _attacks(g)
    _spells(g)
    _costs(g)
    _in_their_combat(g)


def _rule(g: Grammar, template: str, name: str, *more: str, guard: Any = None, **fields: Any) -> None:
    """A rule about players, in a template or several."""
    made = f.PlayerRule(rule=name, **fields)  # type: ignore[arg-type]
    g.rule("static", template, (made,), *more, guard=guard)


_ENTERING = ("entering", "entering the battlefield")


def _players(g: Grammar) -> None:
    """What players may do, need not do, and can't do."""
    _rule(g, "{this} can be your commander", "can lead a deck")
    many = "a deck can have any number of <k:noun>"
    _rule(g, many, "any number in a deck", what=S.k, guard=lambda e: e["k"].text.startswith("cards named "))
    _rule(g, "you have no maximum hand size", "no maximum hand size")
    _rule(
        g, "players have no maximum hand size", "no maximum hand size", "each player has no maximum hand size", who=EACH
    )
    _rule(g, "you may play an additional land on each of your turns", "additional lands", number=1)
    more = [f"each player may play an additional land {when} each of their turns" for when in ("during", "on")]
    _rule(g, more[0], "additional lands", more[1], who=EACH, number=1)
    _rule(
        g,
        "you may play <m:count> additional lands on each of your turns",
        "additional lands",
        number=S.m,
        guard=lambda e: isinstance(e["m"], int) and e["m"] > 1,
    )
    for step, text in (("draw", "draw"), ("untap", "untap"), ("upkeep", "upkeep")):
        _rule(g, f"skip your {text} step", "skip step", step=step)
        _rule(
            g,
            f"players skip their {text} steps",
            "skip step",
            f"each player skips their {text} step",
            step=step,
            who=EACH,
        )
    _rule(g, "you have protection from everything", "protection", what=Noun("everything"))
    guarded, named = "you have protection from the chosen", Noun("source with the chosen name")
    _rule(g, f"{guarded} card name", "protection", f"{guarded} name", what=named)
    _rule(g, "you have protection from <q:bare>", "protection", "you have protection from <q:plurals>", what=S.q)
    made = "spells and abilities your opponents control can't cause you to sacrifice permanents"
    _rule(g, made, "can't be made to sacrifice")
    _again(g)
    _rule(g, "Room abilities of dungeons you own trigger an additional time", "rooms trigger again")
    often = "your opponents can't venture into the dungeon more than once each turn"
    _rule(g, often, "can't venture more than", number=1, who=Noun("your opponents"))
    nothing = [f"<w:plurals> {enters} don't cause abilities to trigger" for enters in _ENTERING]
    _rule(g, nothing[0], "entering triggers nothing", nothing[1], what=S.w)
    theirs = [text.replace("abilities", "abilities of <k:plurals>") for text in nothing]
    _rule(g, theirs[0], "entering triggers nothing", theirs[1], what=S.w, among=S.k)
    lost = "players don't lose unspent mana as steps and phases end"
    old = "mana pools don't empty as steps and phases end"
    _rule(g, lost, "mana doesn't empty", lost.replace("lose unspent", "lose their unspent"), old, who=EACH)
    for word, letter in zip(v.COLORS, v.COLOR_LETTERS, strict=True):
        _rule(g, f"you don't lose unspent {word} mana as steps and phases end", "mana doesn't empty", mana=letter)
    _hands(g)
    _legends(g)
    _rule(g, "you have hexproof", "can't be the target", number=1)
    _rule(g, "you have shroud", "can't be the target")
    _barred(g)
    _hand_sizes(g)


def _hands(g: Grammar) -> None:
    """Hands that are revealed (402.3), and how many permanents players untap (502.2)."""
    _rule(g, "play with your hand revealed", "hand revealed")
    _rule(g, "your opponents play with their hands revealed", "hand revealed", who=OPPONENTS)
    _rule(g, "players play with their hands revealed", "hand revealed", who=EACH)
    for said, who in (("players can't untap more than {} during their untap steps", EACH),
                      ("you can't untap more than {} during your untap step", YOU)):  # fmt: skip
        one, many = said.format("one <k:bare>"), said.format("<m:count> <k:plurals>")
        _rule(g, one, "can't untap more than", who=who, what=S.k, number=1)
        _rule(g, many, "can't untap more than", who=who, what=S.k, number=S.m,
              guard=lambda e: isinstance(e["m"], int) and e["m"] > 1)  # fmt: skip


def _legends(g: Grammar) -> None:
    """To what the "legend rule" doesn't apply (current 704.5j)."""
    said = 'the " legend rule " doesn\'t apply'
    _rule(g, said, "legend rule doesn't apply", who=EACH)
    _rule(g, f"{said} to <k:plurals>", "legend rule doesn't apply", what=S.k, who=EACH)


def _hand_sizes(g: Grammar) -> None:
    """How many cards players may keep (402.2)."""
    for said, who in (("your", YOU), ("each opponent 's", OPPONENTS), ("each player 's", EACH)):
        head = f"{said} maximum hand size is"
        _rule(g, f"{head} <n:count>", "maximum hand size", who=who, number=S.n, guard=_is_a_number)
        for word, times in (("reduced", -1), ("increased", 1)):
            changed = n.Times(number=times, of=S.n)
            said = f"{head} {word} by"
            _rule(g, f"{said} one", "maximum hand size changes", who=who, number=times)
            _rule(g, f"{said} <n:count>", "maximum hand size changes", who=who, number=changed, guard=_is_several)


def _is_several(e: dict[str, Any]) -> bool:
    return isinstance(e["n"], int) and e["n"] != 1


def _is_a_number(e: dict[str, Any]) -> bool:
    return isinstance(e["n"], int)


def _barred(g: Grammar) -> None:
    """What players can't do, of everybody, of you and of your opponents."""
    for text, who in (("players", EACH), ("your opponents", OPPONENTS), ("you", YOU)):
        _rule(g, f"{text} can't search libraries", "can't search", who=who)
        _rule(g, f"{text} can't gain life", "can't gain life", who=who)
        _rule(g, f"{text} can't cast <q:spells>", "can't cast", who=who, what=S.q)
        yours = f"{text} can't cast <q:spells> during your turn"
        early = f"during your turn , {text} can't cast <q:spells>"
        _rule(g, yours, "can't cast", early, who=who, what=S.q, condition=f.During(whose=YOU))
        fighting = f.During(step="combat")
        _rule(g, f"{text} can't cast <q:spells> during combat", "can't cast", who=who, what=S.q, condition=fighting)
        held = f.AllOf(conditions=(S.c, f.During(whose=YOU)))
        _rule(g, f"as long as <c:scond> , {yours}", "can't cast", who=who, what=S.q, condition=held)
        _rule(g, f"{text} can't lose the game", "can't lose the game", who=who)
        _rule(g, f"{text} can't win the game", "can't win the game", who=who)
        _rule(g, f"{text} can't get <k:counter> counters", "can't get counters", who=who, counter=S.k)
        one = "can't draw more than one card each turn"
        each = {"players": ("each player",), "your opponents": ("each opponent",)}.get(text, ())
        _rule(g, f"{text} {one}", "can't draw more than", *(f"{it} {one}" for it in each), who=who, number=1)
        _rule(g, f"{text} can't draw cards", "can't draw more than", who=who, number=0)
        _rule(g, f"{text} can't play lands", "can't play lands", who=who)
        _rule(g, f"{text} may cast <q:spells> as though they had flash", "cast as though flash", who=who, what=S.q)
        flashed = f.PlayerRule(rule="cast as though flash", who=who, what=S.q)
        g.wording("static", f"{text} may cast <q:cardspells> as though they had flash", (flashed,))
    _rule(g, "you don't lose the game for having 0 or less life", "can't lose for life")
    _of_the_game(g)


def _of_the_game(g: Grammar) -> None:
    """Who can't win and who can't lose, always or for a turn (104.3)."""
    lose, win = f.PlayerRule(rule="can't lose the game"), f.PlayerRule(rule="can't win the game")
    for mine, theirs in ((lose, win), (win, lose)):
        both = (mine, replace(theirs, who=OPPONENTS))
        g.rule("static", f"you {mine.rule} and your opponents {theirs.rule}", both)
    grace = tuple(f.RuleEffect(rule=rule, duration="end of turn") for rule in (lose, replace(win, who=OPPONENTS)))
    g.rule("do", f"you {lose.rule} this turn and your opponents {win.rule} this turn", grace)


def _card_spells_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "nonland cards", "creature cards" that may be cast: the spells that they are then."""
    for one in reader.read("noun", place):
        if one.words[-1] == "cards" and isinstance(one.value.reading, n.Each | n.Things):
            made = Noun("spells" if one.words == ("nonland", "cards") else f"{' '.join(one.words[:-1])} spells")
            yield Reading(one.end, made, tuple(made.text.split()))


def _activating(g: Grammar) -> None:
    """Whose activated abilities can't be activated (602.5)."""
    named = Noun("source with the chosen name")
    unless = "can't be activated unless they're mana abilities"
    _rule(
        g,
        f"activated abilities of sources with the chosen name {unless}",
        "can't activate",
        who=EACH,
        what=named,
        number=1,
    )
    _rule(
        g,
        "activated abilities of sources with the chosen name can't be activated",
        "can't activate",
        who=EACH,
        what=named,
    )
    uncast = (f.PlayerRule(rule="can't cast", who=EACH, what=Noun("spell with the chosen name")),)
    g.wording("static", "the named card can't be cast", uncast)
    both = (
        f.PlayerRule(rule="can't cast", who=OPPONENTS, what=S.q, condition=f.During(whose=YOU)),
        f.PlayerRule(rule="can't activate", who=OPPONENTS, what=S.k, condition=f.During(whose=YOU)),
    )
    silent = "your opponents can't cast <q:spells> or activate abilities of <k:plurals>"
    g.rule("static", f"during your turn , {silent}", both)


def _attacks(g: Grammar) -> None:
    """What attacking costs, and how many may attack or block."""
    _rule(
        g,
        "creatures can't attack you unless their controller pays <c:mana> for each creature they control that's attacking you",
        "attack tax",
        "creatures can't attack you unless their controller pays <c:mana> for each creature attacking you",
        cost=(f.ManaCost(mana=S.c),),
    )
    counted = (f.ManaCost(mana="{1}", per=S.a),)
    _rule(
        g,
        "creatures can't attack you unless their controller pays {X} for each creature they control that's attacking you , "
        "where X is <a:amount>",
        "attack tax",
        cost=counted,
    )
    whole = "creatures can't attack you or planeswalkers you control unless their controller pays <c:mana> for each"
    each = [
        f"{head} {tail}"
        for head in (whole, whole.replace("planeswalkers you", "a planeswalker you"))
        for tail in ("of those creatures", "creature they control that's attacking you or a planeswalker you control")
    ]
    _rule(g, each[0], "attack tax", *each[1:], cost=(f.ManaCost(mana=S.c),), what=Noun("planeswalker"))
    counted = (f.ManaCost(mana="{1}", per=S.a),)
    heads = [text.replace("<c:mana>", "{X}") + " , where X is <a:amount>" for text in each]
    _rule(g, heads[0], "attack tax", *heads[1:], cost=counted, what=Noun("planeswalker"))
    for count, text in ((1, "one creature"), (2, "two creatures")):
        _rule(
            g,
            f"no more than {text} can attack you each combat",
            "attackers at most",
            f"no more than {text} can attack you each turn",
            number=count,
        )
        _rule(
            g,
            f"no more than {text} can attack each combat",
            "attackers at most",
            f"no more than {text} can attack each turn",
            number=count,
            who=EACH,
        )
        _rule(
            g,
            f"no more than {text} can block each combat",
            "blockers at most",
            f"no more than {text} can block each turn",
            number=count,
            who=EACH,
        )


def _again(g: Grammar) -> None:
    """Abilities that trigger once more than they would (current 603.2d)."""
    again = "triggers an additional time"
    of = "a triggered ability of <k:subject>"
    causes = [f"if <w:subject> {enters} causes {of} to trigger , that ability {again}" for enters in _ENTERING]
    _rule(g, causes[0], "triggers again", causes[1], what=S.w, among=S.k)
    _caused_again(g, f"causes {of} to trigger , that ability {again}")
    own = [f"if {one} <k:subject> triggers , {it} {again}" for one in ("a triggered ability of", "an ability of")
           for it in ("that ability", "it")]  # fmt: skip
    _rule(g, own[0], "triggers again", *own[1:], among=S.k)


def _caused_again(g: Grammar, causes: str) -> None:
    """What else than entering makes abilities trigger once more (current 603.2d)."""
    some, whom = S.w, S.o
    dies = f.Pattern(event="zone change", subject=some, from_="battlefield", to="graveyard")
    moves = (replace(dies, from_=None, to="battlefield"), replace(dies, to=None))
    cast = f.Pattern(event="cast", subject=YOU, object=whom)
    struck = f.Pattern(event="damage dealt to", subject=some)
    declared = f.Pattern(event="attackers declared")
    attacks = f.Pattern(event="attacks", subject=Noun("a creature"))
    mine = (replace(attacks, subject=Noun("a creature you control")), replace(declared, subject=YOU))
    rows: list[tuple[str, tuple[f.Pattern, ...]]] = [
        ("you gaining life", (f.Pattern(event="life gain", subject=YOU),)),
        ("a player drawing a card", (f.Pattern(event="draw"),)),
        ("you drawing a card", (f.Pattern(event="draw", subject=YOU),)),
        ("<w:subject> dying", (dies,)),
        ("<w:subject> entering or leaving the battlefield", moves),
        ("<w:subject> leaving the battlefield", moves[1:]),
        ("you casting or copying <o:spell>", (cast, replace(cast, event="copied"))),
        ("you casting <o:spell>", (cast,)),
        ("a creature attacking", (attacks, declared)),
        ("a creature you control attacking", mine),
    ]
    for word, combat in (("", None), ("combat ", True), ("noncombat ", False)):
        deals = f.Pattern(event="damage", subject=some, object=whom, combat=combat)
        rows.append((f"<w:subject> dealing {word}damage to <o:recipient>", (deals,)))
        rows.append((f"<w:subject> being dealt {word}damage", (replace(struck, combat=combat),)))
    for said, when in rows:
        _rule(g, f"if {said} {causes}", "triggers again", f"if {said} would {causes.replace('causes', 'cause', 1)}",
              when=when, among=S.k)  # fmt: skip


def _spells(g: Grammar) -> None:
    """Spells that can't be countered, and what "spells" are."""
    firm = f.Continuous(what=S.q, mods=(f.Flag(rule="can't be countered"),))
    g.rule("static", "<q:spells> can't be countered", (firm,), "<q:spells> can't be countered by spells or abilities")
    bare = f.Flag(rule="can't be countered")
    for said, ban in (("", bare), ("by <b:spells> ", replace(bare, param=S.b))):
        # 611.2c: it changes nothing of the spells, so also those are meant that are cast later.
        for_now = f.Effect(what=S.q, mods=(ban,), duration="end of turn", following=True)
        g.rule("do", f"<q:spells> can't be countered {said}this turn", for_now)
    named = replace(firm, mods=(replace(bare, param=S.b),))
    g.rule("static", "<q:spells> can't be countered by <b:spells>", (named,))
    forecast = f.KeywordAbility(keyword="forecast", cost=S.c, do=S.t)
    g.rule("static", "forecast — <c:cost> , reveal {this} from your hand : <t:aftermaths>", (forecast,))
    banned = f.PlayerRule(rule="can't cast", who=EACH, what=S.q)
    g.wording("static", "<q:spells> can't be cast", (banned,))
    g.terminal("spells", _spells_at, lambda p, v: p.write("noun", v))


def _your_spell_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "creature spell you cast"."""
    return [one for one in reader.read("bare", place) if one.words[-3:] == ("spell", "you", "cast")]


def _spells_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Spells by kind ("creature spells", "white spells you cast")."""
    return [
        one
        for one in reader.read("noun", place)
        if isinstance(one.value.reading, n.Things | n.Each)
        and ("spells" in one.words)
        and one.words[0] not in ("each", "all")
        and "spell" not in one.words
    ]


def _costs(g: Grammar) -> None:
    r = g.rule
    g.terminal("delta", _delta_at, _delta_words)
    none_yet = f.Holds(left=n.Happened(what="cast", of=WHAT), compare="=", right=0)
    first = f.CostChange(what=WHAT, generic=S.d, condition=none_yet)
    r("static", "the first <what:yourspell> each turn costs <d:delta> to cast", (first,))
    g.terminal("yourspell", _your_spell_at, lambda p, v: p.write("bare", v) if v.text.endswith(" you cast") else None)
    for template, shape in (
        ("<what:spells> cost <d:delta> to cast", f.CostChange(what=WHAT, generic=S.d)),
        ("{this} costs <d:delta> to cast", f.CostChange(what=THIS, generic=S.d)),
    ):
        r("static", template, (shape,))
    while_so = f.CostChange(what=WHAT, generic=S.d, condition=S.c)
    said = "as long as <c:scond> , <what:spells> cost <d:delta> to cast"
    r("static", said, (while_so,), guard=lambda e: e["what"] != THIS)  # of which that is said last
    r("static", "<what:spells> cost <m:coloured> more to cast", (f.CostChange(what=WHAT, mana=S.m),))
    g.terminal("coloured", _coloured_at, lambda p, v: (v,) if isinstance(v, str) and v else None)
    ours = f.CostChange(what=THIS, generic=S.d, condition=f.During(whose=YOU))
    r("static", "{this} costs <d:delta> to cast during your turn", (ours,))
    conditional = f.CostChange(what=THIS, generic=S.d, condition=S.c)
    r(
        "static",
        "{this} costs <d:delta> to cast if <c:scond>",
        (conditional,),
        "if <c:scond> , {this} costs <d:delta> to cast",
        "{this} costs <d:delta> to cast as long as <c:scond>",
        guard=lambda e: not isinstance(e["d"], n.Times),
    )
    # Additional and alternative costs (601.2b).
    r("static", "as an additional cost to cast {this} , <c:cost>", (f.CastingCost(name="additional", cost=S.c),))
    r(
        "static",
        "if <w:scond> , you may cast {this} without paying its mana cost",
        (f.CastingCost(name="free", cost=(), kind="alternative", condition=S.w),),
    )
    for timing, text in (
        ("combat", "cast {this} only during combat"),
        ("before blockers", "cast {this} only during combat before blockers are declared"),
        ("after blockers", "cast {this} only during combat after blockers are declared"),
        ("your turn", "cast {this} only during your turn"),
        ("opponent's turn", "cast {this} only during an opponent 's turn"),
    ):
        r("static", text, (f.CastingRule(timing=timing),))  # type: ignore[arg-type]
    attacked = f.Exists(of=Noun("creatures attacking you"))
    declared = f.During(step="declare_attackers")
    threatened = f.CastingRule(condition=f.AllOf(conditions=(declared, attacked)))
    said = "cast {this} only during the declare attackers step"
    r("static", f"{said} and only if you've been attacked this step", (threatened,))
    r("static", said, (f.CastingRule(condition=declared),))
    r(
        "static",
        "cast {this} only during the declare blockers step",
        (f.CastingRule(condition=f.During(step="declare_blockers")),),
    )
    r("static", "cast {this} only if <c:scond>", (f.CastingRule(condition=S.c),))
    r("static", "X can't be 0", (f.CastingRule(least_x=1),))
    for whose, they in (("your", YOU), ("an opponent 's", OPPONENTS)):
        for step in ("upkeep", "draw step", "end step"):
            when = f.During(step={"upkeep": "upkeep", "draw step": "draw", "end step": "end_turn"}[step], whose=they)
            r("static", f"cast {{this}} only during {whose} {step}", (f.CastingRule(condition=when),))


def _in_their_combat(g: Grammar) -> None:
    """ "Cast this spell only during combat on an opponent's turn": both must hold."""
    for when, said in (("combat", "combat"), ("declare_blockers", "the declare blockers step")):
        theirs = f.CastingRule(condition=f.During(step=when, whose=OPPONENTS))
        g.rule("static", f"cast {{this}} only during {said} on an opponent 's turn", (theirs,))


def _delta_at(reader: Reader, place: int) -> Iterable[Reading]:
    """ "{2} less", "{1} more", "{1} less to cast for each ..." without the "to cast": generic mana, negative if less."""
    word = reader.at(place)
    if not (word.startswith("{") and word[1:-1].isdecimal()) or reader.at(place + 1) not in ("less", "more"):
        return
    number = int(word[1:-1]) * (-1 if reader.at(place + 1) == "less" else 1)
    yield Reading(place + 2, number, (word, reader.at(place + 1)))


def _delta_words(printer: Printer, value: Any) -> Words | None:
    if isinstance(value, bool) or not isinstance(value, int) or value == 0:
        return None
    return ("{" + str(abs(value)) + "}", "less" if value < 0 else "more")


def _coloured_at(reader: Reader, place: int) -> Iterable[Reading]:
    return [one for one in reader.read("mana", place) if not one.value[1:-1].isdecimal() and "X" not in one.value]
