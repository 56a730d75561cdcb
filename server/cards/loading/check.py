"""Whole card or nothing: what a well-formed tree must also be before it may enter a game.

`faults` walks the tree once and finds every break of the rules below; `check` raises the first. Nouns were read as the
card was decoded, so here they are only looked at: targets stand in programs alone (114.1), what is bound is bound before
it is used, the greatest of several says what happens on a tie (609.5), X comes from somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

import msgspec

from server.cards import forms as f
from server.cards import nouns as n
from server.cards.grammar import parse_types, strange_types
from server.cards.grammar import vocabulary as v
from server.cards.keywords import MORPHS
from server.cards.loading.built import OWN_COST, PLAIN_NUMBER, READ_KEYWORDS, UNBUILT_EVENTS, UNBUILT_RULES
from server.cards.loading.errors import Unsound
from server.cards.loading.rooms import room_faults
from server.cards.loading.scope import Scope, names_bound

SYMBOL = r"\{(?:\d{1,2}|[WUBRGXYZSC]|[WUBRG]/P|[WUBRG2C]/[WUBRG]|[WUBRG]/[WUBRG]/P)\}"
MANA = re.compile(f"(?:{SYMBOL})*")
MADE_CHOICES = ("", "any", "any type", "chosen", "commander", "produced", "producible", "among")
MADE_MANA = re.compile(r"(?:\{[WUBRGCS]\})*")
STAT = re.compile(r"-?\d{1,3}|\*|\d{1,2}[+-]\*|\*[+]\d{1,2}")
NAME = re.compile(r"[a-z+/0-9-]+(?: [a-z+/0-9-]+)*")
PHASES = frozenset(("", "turn", "combat", "main", "beginning", "ending"))
LARGEST = 100_000
MOST_ABILITIES = 40
DEEPEST = 40


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong: where in the card, and why."""

    path: str
    why: str


def check(card: f.Card, source: str = "") -> None:
    """Raises Unsound with the first fault of the card, if it has one."""
    for fault in faults(card):
        raise Unsound(fault.why, source=source, card=repr(card.name), path=fault.path)


def faults(card: f.Card) -> Iterator[Fault]:
    """Every fault of a card (and of the tokens it makes), in the order of the tree."""
    yield from _Card(card, "", token=False).faults()
    layout = card.layout
    if bool(layout) != bool(card.faces) or layout and len(card.faces) != (2 if layout in ("split", "meld") else 1):
        why = "a split or meld card has two further faces, one of another layout has one, any other card none"
        yield Fault("faces", why)
    elif layout == "meld" and {"instant", "sorcery"} & set(parse_types(card.faces[0].types)[1]):
        yield Fault("faces[0].types", "what melds is a permanent (current 701.42a)")
    if layout == "split" and (card.abilities or card.keywords):
        yield Fault("abilities", "of a split card the halves have the abilities (708.2)")
    for why in room_faults(card):
        yield Fault("rooms", why)
    for i, room in enumerate(card.rooms):
        yield from _Card(card, "", token=False).part(room.do, f"rooms[{i}].do", Scope(True, False))
    for i, face in enumerate(card.faces):
        yield from _Card(face, f"faces[{i}]", token=False, layout=layout).faults()
        if face.layout or face.faces:
            yield Fault(f"faces[{i}].faces", "a face has no faces of its own")


_HERE = ("battlefield", "command")
#: Where static abilities are looked for, by kind: a card that says another zone would do nothing there (112.6b).
WORKS_IN: dict[type, tuple[str, ...]] = {
    f.Continuous: (*_HERE, "graveyard"),
    f.PlayerRule: _HERE,
    f.CostChange: _HERE,
}
_PAID: dict[type, str] = {
    f.SacrificeCost: "sacrificed this way",
    f.DiscardCost: "discarded this way",
    f.ExileCost: "exiled this way",
    f.ReturnCost: "returned this way",
    f.TapOthersCost: "tapped this way",
}


class _Card:
    """The walk over one card."""

    def __init__(self, card: f.Card, path: str, token: bool, layout: str = "") -> None:
        """`layout` is that of the card of which this is a further face."""
        self.card = card
        self.path = path
        self.token = token
        self.layout = layout or card.layout
        self.told = False  # whether what is looked at is a triggered ability, whose event may speak of a player
        self.supertypes, self.types, self.subtypes = parse_types(card.types)
        given = (one for a in card.abilities if isinstance(a, f.PlayerRule) for one in a.gives)
        self.paid = {a.name for a in (*card.abilities, *given) if isinstance(a, f.CastingCost)} | {
            a.keyword.removeprefix("multi") for a in card.abilities if isinstance(a, f.KeywordAbility)
        }
        self.paid.update(card.keywords)
        kickers = (
            a.cost[0] for a in card.abilities if isinstance(a, f.KeywordAbility) and a.keyword == "kicker" and a.cost
        )
        self.paid.update(f"kicker {cost.mana}" for cost in kickers if isinstance(cost, f.ManaCost))
        entering = (r for a in card.abilities if isinstance(a, f.Replacement) for r in a.rewrite)
        self.anchors = {word for rewrite in entering if isinstance(rewrite, f.EnterWith) for word in rewrite.words}

    def at(self, field: str) -> str:
        return f"{self.path}.{field}" if self.path else field

    def faults(self) -> Iterator[Fault]:
        yield from self.face()
        yield from self.numbers()
        yield from self.words()
        yield from self.kinds_of_ability()
        for i, ability in enumerate(self.card.abilities):
            yield from self.ability(ability, self.at(f"abilities[{i}]"))

    # --- what is printed on it -----------------------------------------------------------------------------------------

    def face(self) -> Iterator[Fault]:
        card = self.card
        if not 0 < len(card.name) <= 140 or not card.name.isprintable() or card.name != card.name.strip():
            yield Fault(self.at("name"), "a name is 1 to 140 printable characters")
        for word in strange_types(card.types):
            yield Fault(self.at("types"), f"the word {word!r} belongs to no type line")
        if not self.types:
            yield Fault(self.at("types"), f"{card.types!r} has no card type")
        if not MANA.fullmatch(card.cost):
            yield Fault(self.at("cost"), f"{card.cost!r} is no mana cost")
        if card.cost and "land" in self.types:
            yield Fault(self.at("cost"), "a land has no mana cost (202.1b)")
        if card.colors is not None and (set(card.colors) - set("WUBRG") or len(set(card.colors)) < len(card.colors)):
            yield Fault(self.at("colors"), f"{card.colors!r} are not letters of WUBRG, each once")

    def numbers(self) -> Iterator[Fault]:
        card = self.card
        creature = "creature" in self.types or "Vehicle" in self.subtypes
        for field in ("power", "toughness"):
            value = cast(str, getattr(card, field))
            if bool(value) != creature:
                yield Fault(
                    self.at(field), f"a creature has a {field}" if creature else f"only creatures have a {field}"
                )
            elif value and not STAT.fullmatch(value):
                yield Fault(self.at(field), f"{value!r} is no {field}")
            elif "*" in value and not self.token and not self.defines(field):
                yield Fault(self.at(field), f"nothing defines the * of {field} (a static ability with 'defines P/T')")
        walker = "planeswalker" in self.types
        turned = self.layout == "transform" and bool(self.path)  # it has its counters from the front (306.5b)
        if bool(card.loyalty) != walker and not (walker and turned):
            yield Fault(
                self.at("loyalty"), "a planeswalker has a loyalty" if walker else "only planeswalkers have loyalty"
            )
        elif card.loyalty and not re.fullmatch(r"\d{1,2}|X", card.loyalty):
            yield Fault(self.at("loyalty"), f"{card.loyalty!r} is no loyalty")

    def defines(self, field: str) -> bool:
        mods = (m for a in self.card.abilities if isinstance(a, f.Continuous) for m in a.mods)
        return any(isinstance(m, f.DefinePT) and getattr(m, field) is not None for m in mods)

    def words(self) -> Iterator[Fault]:
        for i, keyword in enumerate(self.card.keywords):
            if READ_KEYWORDS.get(keyword) != "nothing":
                yield Fault(self.at(f"keywords[{i}]"), _not_plain(keyword))
            if keyword == "ascend" and {"instant", "sorcery"} & set(self.types):
                yield Fault(self.at(f"keywords[{i}]"), "ascend as a spell ability (current 702.131a) is not built")

    def kinds_of_ability(self) -> Iterator[Fault]:
        abilities = self.card.abilities
        spell = [a for a in abilities if isinstance(a, f.SpellAbility)]
        if len(abilities) > MOST_ABILITIES:
            yield Fault(self.at("abilities"), f"more than {MOST_ABILITIES} abilities")
        if spell and not {"instant", "sorcery"} & set(self.types):
            yield Fault(self.at("abilities"), "only instants and sorceries have spell abilities (112.3a)")
        if len(spell) > 1:
            yield Fault(self.at("abilities"), "write one spell ability with all its instructions")
        enchants = any(isinstance(a, f.KeywordAbility) and a.keyword == "enchant" for a in abilities)
        if enchants != ("Aura" in self.subtypes):
            yield Fault(self.at("abilities"), "an Aura, and nothing else, has the keyword enchant (303.4a)")

    # --- abilities -----------------------------------------------------------------------------------------------------

    def ability(self, ability: f.Ability, path: str) -> Iterator[Fault]:
        x = "{X}" in self.card.cost or any(_has_x(a.cost) for a in self.card.abilities if isinstance(a, f.CastingCost))
        if isinstance(ability, f.TriggeredAbility):
            x = x or any(pattern.event == "designated" for pattern in ability.when) or self.turned_up_for_x(ability)
        if isinstance(ability, f.ActivatedAbility):
            verbs = tuple(_parts(ability.do))
            if any(isinstance(v, f.AddMana) for v in verbs) and any(isinstance(v, f.Activated) for v in verbs):
                yield Fault(f"{path}.do", "a mana ability does not know how often it was activated")
            x = x or _has_x(ability.cost)
            if any(isinstance(c, f.LoyaltyCost) for c in ability.cost) and "planeswalker" not in self.types:
                yield Fault(f"{path}.cost", "only planeswalkers have loyalty abilities")
        if getattr(ability, "zone", "battlefield") == "battlefield" and _says_graveyard(ability):
            yield Fault(f"{path}.condition", "what works from a graveyard is not said to do so (zone)")
        there = WORKS_IN.get(type(ability))
        uncounterable = isinstance(ability, f.Continuous) and ability.mods == (f.Flag(rule="can't be countered"),)
        if there is not None and not uncounterable and getattr(ability, "zone", there[0]) not in there:
            yield Fault(f"{path}.zone", f"such an ability works in no other zone than: {', '.join(there)}")
        if isinstance(ability, f.Continuous) and ability.zone == "graveyard":
            if any(isinstance(mod, f.GainControl | f.BecomeCopy) for mod in ability.mods):
                yield Fault(f"{path}.mods", "what works from a graveyard neither takes control nor makes a copy")
        if isinstance(ability, f.SpellAbility | f.ActivatedAbility | f.TriggeredAbility):
            yield from self.programs(ability, path, x)
            for field in ("cost", "when", "condition", "more"):
                yield from self.part(getattr(ability, field, None), f"{path}.{field}", Scope(False, x))
            return
        if isinstance(ability, f.HandAbility):
            yield from self.part(ability.do, f"{path}.do", Scope(True, x))
            return
        if isinstance(ability, f.KeywordAbility):
            yield from self.keyword(ability, path)
        yield from self.symbols(ability, path)
        promised = frozenset(
            ("promised",) if isinstance(ability, f.KeywordAbility) and ability.keyword == "gift" else ()
        )
        activated = isinstance(ability, f.KeywordAbility) and ability.keyword in ("forecast", "equip")
        yield from self.fields(ability, path, Scope(activated, x, promised))

    def turned_up_for_x(self, ability: f.TriggeredAbility) -> bool:
        """Whether it triggers as this is turned face up, or cycled, and X is chosen for that (107.3d)."""
        of_itself = all(one.event == "turned face up" and one.subject == n.Noun(f.THIS) for one in ability.when)
        cycled = all(one.event == "cycled" and one.object == n.Noun(f.THIS) for one in ability.when)
        words = ("cycling",) if cycled else MORPHS
        of_itself = of_itself or cycled
        morphs = (one for one in self.card.abilities if isinstance(one, f.KeywordAbility) and one.keyword in words)
        paid = (part for morph in morphs for part in morph.cost)
        return of_itself and any(isinstance(part, f.ManaCost) and "{X}" in part.mana for part in paid)

    def programs(
        self, ability: f.SpellAbility | f.ActivatedAbility | f.TriggeredAbility, path: str, x: bool
    ) -> Iterator[Fault]:
        if bool(ability.do) == bool(ability.modes):
            yield Fault(path, "an ability has either instructions (do) or modes")
        enough = ability.most if ability.again else len(ability.modes)
        if ability.modes and not 0 <= ability.least <= ability.most <= enough:
            yield Fault(path, f"cannot choose {ability.least} to {ability.most} of {len(ability.modes)} modes")
        self.told = isinstance(ability, f.TriggeredAbility)
        paid = self.done_to_pay(ability)
        yield from self.part(ability.do, f"{path}.do", Scope(True, x, paid))
        for i, mode in enumerate(ability.modes):
            yield from self.part(mode.do, f"{path}.modes[{i}].do", Scope(True, x, paid))
            yield from self.part(mode.cost, f"{path}.modes[{i}].cost", Scope(False, x))

    def done_to_pay(self, ability: f.Ability) -> frozenset[str]:
        """What was done to pay for a spell or ability, as its instructions speak of it."""
        costs: list[f.AnyCost] = list(ability.cost) if isinstance(ability, f.ActivatedAbility) else []
        if isinstance(ability, f.SpellAbility):
            costs = [cost for one in self.card.abilities if isinstance(one, f.CastingCost) for cost in one.cost]
        return frozenset(_PAID[type(cost)] for cost in costs if type(cost) in _PAID)

    def keyword(self, ability: f.KeywordAbility, path: str) -> Iterator[Fault]:
        word = ability.keyword
        takes = READ_KEYWORDS.get(word)
        if takes is None:
            yield Fault(f"{path}.keyword", _not_plain(word))
        if takes == "quality" and ability.quality is None:
            yield Fault(f"{path}.quality", f"{word} needs a quality")
        if takes in ("number", "number and cost") and ability.number == 0 and word not in OWN_COST:
            yield Fault(f"{path}.number", f"{word} needs a number")
        if word in PLAIN_NUMBER and not isinstance(ability.number, int):
            yield Fault(f"{path}.number", f"{word} takes a plain number")
        if takes in ("cost", "number and cost") and not ability.cost and word not in OWN_COST:
            yield Fault(f"{path}.cost", f"{word} needs a cost")
        if word == "equip" and "Equipment" not in self.subtypes:
            yield Fault(f"{path}.keyword", "only Equipment equips (301.5)")

    # --- any part ------------------------------------------------------------------------------------------------------

    def part(self, value: object, path: str, scope: Scope) -> Iterator[Fault]:
        """The faults of any value of the tree, in reading order; bindings are added to the scope on the way."""
        if isinstance(value, n.Noun):
            yield from self.reading(value.reading, path, scope)
        elif isinstance(value, tuple):
            for i, inner in enumerate(cast("tuple[object, ...]", value)):
                yield from self.part(inner, f"{path}[{i}]", scope)
        elif isinstance(value, bool):
            return
        elif isinstance(value, int):
            if not -LARGEST <= value <= LARGEST:
                yield Fault(path, f"the number {value} is out of bounds")
        elif isinstance(value, msgspec.Struct):
            yield from self.struct(value, path, scope)

    def struct(self, value: msgspec.Struct, path: str, scope: Scope) -> Iterator[Fault]:
        match value:
            case f.Card():
                yield from _Card(value, path, token=True).faults()
                return
            case f.GainAbilities() | f.Emblem():
                for i, ability in enumerate(value.abilities):
                    granted = isinstance(ability, f.KeywordAbility) and ability.keyword == "equip"
                    yield from () if granted else self.ability(ability, f"{path}.abilities[{i}]")
                for i, word in enumerate(value.keywords if isinstance(value, f.GainAbilities) else ()):
                    if READ_KEYWORDS.get(word) != "nothing":
                        yield Fault(f"{path}.keywords[{i}]", _not_plain(word))
                return
            case f.Delayed() | f.Reflexive():
                yield from self.part(getattr(value, "when", ()), f"{path}.when", scope.without_targets())
                yield from self.part(value.then, f"{path}.then", scope.program())
                return
            case f.May() if any(isinstance(part, f.ManaCost) and "{X}" in part.mana for part in value.cost):
                yield from self.part(value.cost, f"{path}.cost", Scope(False, True, frozenset(scope.bound)))
                yield from self.part(value.then, f"{path}.then", Scope(scope.targets, True, frozenset(scope.bound)))
                yield from self.part(value.otherwise, f"{path}.otherwise", scope)
                return
            case f.Shield():
                names = ("source",) if value.source_choice is not None else ()
                yield from self.part(value.effect, f"{path}.effect", scope.without_targets(*names))
                for field in ("per", "amount"):
                    yield from self.part(getattr(value, field), f"{path}.{field}", scope)
                yield from self.part(value.source_choice, f"{path}.source_choice", scope.without_targets())
                return
            case f.EnterWith(paying=paying) if paying:
                yield from self.fields(value, path, scope.without_targets("paid"))
                return
            case n.X():
                if not scope.x and "X" not in scope.bound:
                    yield Fault(path, "there is no X in the cost, and nothing binds it")
            case n.ThatMuch(name) if name and name not in scope.bound and name != "instants before":
                yield Fault(path, f"nothing binds {name!r} before")
            case f.TurnOver(what, how) if self.layout != how and not isinstance(what.reading, n.Each | n.Target):
                yield Fault(f"{path}.what", f"the face to which it would {how} is not known")
            case f.ChoseWord(word) if word not in self.anchors:
                yield Fault(path, f"the card offers no word {word!r}")
            case f.Paid(cost) if cost not in self.paid:
                yield Fault(path, f"the card has no cost named {cost!r}")
            case _:
                yield from self.symbols(value, path)
        rows = scope.program() if isinstance(value, f.RollDie) else scope
        rows.bound |= {"result"} if isinstance(value, f.RollDie) else set()
        yield from self.fields(value, path, rows)
        scope.bound.update(names_bound(value))

    def fields(self, value: msgspec.Struct, path: str, scope: Scope) -> Iterator[Fault]:
        if path.count(".") > DEEPEST:
            yield Fault(path, "is nested too deeply")
            return
        for field, key in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
            inner: object = getattr(value, field)
            if inner is not None and inner != () and not isinstance(inner, str):
                yield from self.part(inner, f"{path}.{key}", scope)

    def bent(self) -> Iterator[str]:
        """The paths of the abilities whose costs things may be tapped for: activated ones and what a spell costs besides."""
        for i, one in enumerate(self.card.abilities):
            besides = isinstance(one, f.CastingCost) and one.kind == "additional" and not one.optional
            used = isinstance(one, f.ActivatedAbility) and not any(isinstance(verb, f.AddMana) for verb in one.do)
            if used or besides:
                yield self.at(f"abilities[{i}]")

    def symbols(self, value: msgspec.Struct, path: str) -> Iterator[Fault]:
        """Texts inside of structs that must be symbols or names of steps."""
        match value:
            case f.Meld(into=into) if self.card.layout != "meld" or [into] != [one.name for one in self.card.faces[:1]]:
                yield Fault(path, f"only a meld card whose combined back face is {into!r} is melded into it")
            case f.ManaCost(mana) if not mana or not MANA.fullmatch(mana):
                yield Fault(f"{path}.mana", f"{mana!r} is no mana cost")
            case f.ManaCost(waterbend=True) if not any(path.startswith(f"{place}.cost[") for place in self.bent()):
                yield Fault(f"{path}.waterbend", "only what an ability or a spell costs is paid so (current 701.67b)")
            case f.CostChange(mana=mana, reduce=reduce) if not (MANA.fullmatch(mana) and MANA.fullmatch(reduce)):
                yield Fault(f"{path}.mana", f"{mana!r} is no mana cost")
            case f.AddMana(mana, choice):
                if not MADE_MANA.fullmatch(mana):
                    yield Fault(f"{path}.mana", f"{mana!r} is no mana")
                if choice not in MADE_CHOICES and set(choice.removeprefix("chosen")) - set("WUBRGC"):
                    yield Fault(f"{path}.choice", f"{choice!r} is neither 'any' nor letters of WUBRGC")
                if bool(mana) == bool(choice):
                    yield Fault(path, "adds either mana symbols or a choice of colours")
            case f.PutCounters() | f.RemoveCounters() | f.CountersCost() | f.MoveCounters():
                if not _names_counters(value):
                    yield Fault(f"{path}.counter", f"{value.counter!r} is no kind of counter")
            case f.Pattern(event="step", step=step) if step not in n.STEPS:
                yield Fault(f"{path}.step", f"{step!r} is none of {', '.join(n.STEPS)}")
            case f.During(step) if step not in n.STEPS and step not in PHASES:
                yield Fault(f"{path}.step", f"{step!r} is neither a step nor a phase")
            case f.Pattern(event=event) if event in UNBUILT_EVENTS:
                yield Fault(f"{path}.event", f"the event {event!r} is not built yet")
            case f.Flag(rule) | f.PlayerRule(rule) if rule in UNBUILT_RULES:
                yield Fault(f"{path}.rule", f"the rule {rule!r} is not built yet")
            case f.SetColors(colors) if colors != "chosen" and set(colors) - set("WUBRG"):
                yield Fault(f"{path}.colors", f"{colors!r} are not letters of WUBRG")
            case _:
                return

    def reading(self, reading: object, path: str, scope: Scope) -> Iterator[Fault]:
        """The faults of what a noun means."""
        for part in _parts(reading):
            if isinstance(part, n.TotalAtMost) and not isinstance(reading, n.Target | n.Choose):
                yield Fault(path, "a total is of what is chosen together")
            if isinstance(part, n.Target) and not scope.targets:
                yield Fault(path, "a target stands only in what a spell or ability does (114.1)")
            elif isinstance(part, n.Target) and any(isinstance(inner, n.Target) for inner in _parts(part.of)):
                yield Fault(
                    path, "one target that is described by another ('target card from target player's graveyard')"
                )
            elif isinstance(part, n.Target) and part.x and not (scope.x or "X" in scope.bound and not part.least):
                yield Fault(path, "there is no X in the cost for so many targets")
            elif isinstance(part, n.Target) and part.by_player and not self.told:
                yield Fault(path, "nobody is spoken of who could choose the target")
            elif isinstance(part, n.Named) and part.name not in scope.bound:
                yield Fault(path, f"nothing binds ${part.name} before")
            elif isinstance(part, n.Superlative) and part.tie == "none":
                yield Fault(path, "say what happens on a tie (609.5): 'a ...', 'each ...' or ', your choice if tied'")
            elif isinstance(part, n.X) and not scope.x and "X" not in scope.bound:
                yield Fault(path, "there is no X in the cost, and nothing binds it")


def _names_counters(value: f.PutCounters | f.RemoveCounters | f.CountersCost | f.MoveCounters) -> bool:
    """Whether it says which kind of counter, or needs not: several to choose from, those of another object, all or some of any kind."""
    match value:
        case f.PutCounters(counter="", options=options, as_on=like) if options or like is not None:
            return True
        case f.RemoveCounters(counter="") | f.CountersCost(counter="", put=False):
            return True
        case f.MoveCounters(counter="", all=every, some=some, missing=missing) if every or some or missing:
            return True
        case _:
            return bool(NAME.fullmatch(value.counter))


def _has_x(cost: f.Costs) -> bool:
    """Whether X is announced with a cost (107.3a): in its mana, as a loyalty symbol, or as so much of something else."""
    for part in cost:
        if isinstance(part, f.ManaCost) and "{X}" in part.mana or isinstance(part, f.LoyaltyCost) and part.x:
            return True
        for field in part.__struct_fields__:
            value: object = getattr(part, field)
            inside = _parts(value.reading) if isinstance(value, n.Noun) else (value,)
            if any(isinstance(one, n.X) for one in inside):
                return True
    return False


def _not_plain(keyword: str) -> str:
    """Why a word may not stand among the keywords."""
    if keyword in READ_KEYWORDS:
        return f"{keyword!r} needs a {READ_KEYWORDS[keyword]}: write it as an ability"
    return f"{keyword!r} is not built yet" if keyword in v.KEYWORDS else f"{keyword!r} is no keyword"


def _says_graveyard(ability: f.Ability) -> bool:
    """Whether an ability holds only while its object is in a graveyard, so that it works there (112.6)."""
    conditions = (part for part in _parts(getattr(ability, "condition", None)) if isinstance(part, f.Exists))
    return any(part.of.text.startswith("{this} from your graveyard") for part in conditions)


def _parts(reading: object) -> Iterator[object]:
    """A reading and everything in it."""
    yield reading
    if isinstance(reading, tuple):
        for inner in cast("tuple[object, ...]", reading):
            yield from _parts(inner)
    elif isinstance(reading, msgspec.Struct):
        for field in reading.__struct_fields__:
            inner: object = getattr(reading, field)
            if isinstance(inner, (msgspec.Struct, tuple)):
                yield from _parts(cast(object, inner))
