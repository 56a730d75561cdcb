"""A card as the engine holds it: printed characteristics (109.3) and abilities sorted by what they do.

A `Definition` is made once for each card, token or ability on the stack and shared by all its objects, so that "the same
definition" is `is`. A `Kit` is the abilities of a set of characteristics, sorted: kits are shared too, and what effects
grant or take makes new ones (`with_abilities`).
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from typing import cast
from weakref import WeakValueDictionary

import msgspec

from server.cards import forms, nouns
from server.cards.forms import Ability, Card
from server.cards.nouns import Noun
from server.cards.types import parse_types
from server.rules import mana
from server.rules.keywords import FLAG_KEYWORDS, expand
from server.rules.keywords_casting import EXILED_FIRST, WAYS
from server.rules.remembered import remember

BASIC_LAND_TYPES = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}
TAP = (forms.TapCost(),)
#: Supertypes, types and subtypes that state-based actions look for on permanents (704.5 and the current 704.5).
WATCHED = frozenset(("legendary", "world", "planeswalker", "Aura", "Saga", "Role"))
#: Keywords for which the state-based actions look at a permanent (current 704.5z, 702.131b).
STARTERS = frozenset(("start your engines!", "ascend"))
COLOR_BITS = {"W": 1, "U": 2, "B": 4, "R": 8, "G": 16}


class Kit:
    """Abilities, sorted. `abilities` is every ability in order, keywords expanded into what they mean.

    `keywords` are the names of all keyword abilities; the other tuples hold (index into `abilities`, ability). `taps` are the
    indices of mana abilities that cost just {T} and ask for nothing else. What a card can never do is known once for all its
    objects: `ordinary` (cast from the hand there is one way and cost), `usable_outside` (something of it might be used outside
    the battlefield), `restricted_mana` (it makes mana for some purposes only), `moves_control` (of something).
    """

    __slots__ = (
        "abilities",
        "activated",
        "casting_costs",
        "casting_rules",
        "continuous",
        "cost_changes",
        "keyword_abilities",
        "keywords",
        "mana",
        "moves_control",
        "ordinary",
        "player_rules",
        "replacements",
        "restricted_mana",
        "spell",
        "taps",
        "triggers",
        "further",
        "usable_outside",
    )

    def __init__(self, abilities: tuple[Ability, ...], keywords: frozenset[str]) -> None:
        self.abilities = abilities
        self.keywords = keywords
        pairs = tuple(enumerate(abilities))
        spells = [a for a in abilities if isinstance(a, forms.SpellAbility)]
        self.spell = next((a for a in spells if not a.keyword), None)
        self.further = tuple(a for a in spells if a.keyword)
        activated = [(i, a) for i, a in pairs if isinstance(a, forms.ActivatedAbility)]
        self.mana = tuple((i, a) for i, a in activated if is_mana_ability(a))
        self.activated = tuple((i, a) for i, a in activated if not is_mana_ability(a))
        self.taps = tuple(i for i, a in self.mana if a == forms.ActivatedAbility(cost=TAP, do=a.do, text=a.text))
        self.triggers: dict[str, tuple[tuple[int, forms.TriggeredAbility, forms.Pattern], ...]] = {}
        for i, a in pairs:
            if isinstance(a, forms.TriggeredAbility):
                for pattern in a.when:
                    self.triggers[pattern.event] = (*self.triggers.get(pattern.event, ()), (i, a, pattern))
        self.continuous = tuple((i, a) for i, a in pairs if isinstance(a, forms.Continuous))
        self.replacements = tuple((i, a) for i, a in pairs if isinstance(a, forms.Replacement))
        self.cost_changes = tuple((i, a) for i, a in pairs if isinstance(a, forms.CostChange))
        self.player_rules = tuple((i, a) for i, a in pairs if isinstance(a, forms.PlayerRule))
        self.casting_costs = tuple((i, a) for i, a in pairs if isinstance(a, forms.CastingCost))
        self.casting_rules = tuple((i, a) for i, a in pairs if isinstance(a, forms.CastingRule))
        self.keyword_abilities = tuple((i, a) for i, a in pairs if isinstance(a, forms.KeywordAbility))
        self.ordinary = not self.casting_costs and keywords.isdisjoint(WAYS)
        self.usable_outside = (
            bool(self.casting_costs or self.casting_rules)
            or any(a.zone != "battlefield" for _, a in activated)
            or not keywords.isdisjoint(EXILED_FIRST)
        )
        self.restricted_mana = any(isinstance(v, forms.AddMana) and v.only for _, a in self.mana for v in a.do)
        self.moves_control = any(isinstance(m, forms.GainControl) for _, a in self.continuous for m in a.mods)

    def quality(self, keyword: str) -> tuple[forms.KeywordAbility, ...]:
        """The keyword abilities of that name that the card has (protection twice, several landwalks)."""
        return tuple(a for _, a in self.keyword_abilities if a.keyword == keyword)

    @property
    def statics(self) -> bool:
        """Whether anything here must be asked while the game goes on (any static ability)."""
        return bool(self.continuous or self.replacements or self.cost_changes or self.player_rules)


def is_mana_ability(ability: forms.ActivatedAbility) -> bool:
    """An activated ability without a target that could add mana and isn't a loyalty ability (605.1a)."""
    if any(isinstance(c, forms.LoyaltyCost) for c in ability.cost):
        return False
    if targets_of(ability.do):
        return False
    return any(isinstance(v, forms.AddMana) for v in ability.do)


def is_mana_trigger(ability: Ability) -> bool:
    """A triggered ability without a target that triggers on mana being made and could add mana (605.1b)."""
    if not isinstance(ability, forms.TriggeredAbility) or ability.modes or targets_of(ability.do):
        return False
    made = any(pattern.event in ("tapped for mana", "mana added") for pattern in ability.when)
    return made and any(isinstance(verb, forms.AddMana) for verb in ability.do)


def walk(tree: object) -> list[object]:
    """All structs of a tree in printed order, nested programs included, depth first."""
    found: list[object] = []
    _walk(tree, found)
    return found


def _walk(node: object, found: list[object]) -> None:
    if isinstance(node, tuple):
        for part in cast("tuple[object, ...]", node):
            _walk(part, found)
    elif isinstance(node, Noun):
        found.append(node)
    elif isinstance(node, msgspec.Struct):
        found.append(node)
        for name in node.__struct_fields__:
            value = getattr(node, name)
            if value is not None and not isinstance(value, (str, int, bool)):
                _walk(value, found)


#: Verbs that make abilities of their own: targets inside are those abilities', not the program's.
OWN_PROGRAMS = (
    forms.AddMana,
    forms.Delayed,
    forms.Reflexive,
    forms.GainAbilities,
    forms.Shield,
    forms.Emblem,
    forms.CreateToken,
)


def target_nouns(tree: object) -> tuple[Noun, ...]:
    """The nouns of a program that are target slots, in the order in which they stand (601.2c)."""
    found: list[Noun] = []
    _target_nouns(tree, found)
    return tuple(found)


def _target_nouns(node: object, found: list[Noun]) -> None:
    if isinstance(node, tuple):
        for part in cast("tuple[object, ...]", node):
            _target_nouns(part, found)
    elif isinstance(node, Noun):
        _reading_targets(node, node.reading, found)
    elif isinstance(node, msgspec.Struct):
        names = node.__struct_fields__
        if isinstance(node, OWN_PROGRAMS):
            # The things spoken of are the program's own targets; what the new abilities do is not.
            names = tuple(n for n in names if n in ("per", "attached_to", "copy_of", "who", "source_choice", "count"))
        for name in sorted(names, key=_not_spoken_first):
            value = getattr(node, name)
            if value is not None and not isinstance(value, (str, int, bool)):
                _target_nouns(value, found)


def _not_spoken_first(name: str) -> bool:
    """Printed text names who acts before what is done to whom: "target creature deals damage to target player"."""
    return name not in ("source", "who", "what")


def _reading_targets(noun: Noun, reading: object, found: list[Noun]) -> None:
    if any(isinstance(part, nouns.Target) for part in walk(reading)):
        found.extend(noun.slots or (noun,))


_by_identity: dict[int, tuple[object, tuple[Noun, ...]]] = {}


def targets_of(program: forms.Tree) -> tuple[Noun, ...]:
    """The target slots of a program, remembered by the program's identity (programs live as long as their card)."""
    known = _by_identity.get(id(program))
    if known is not None and known[0] is program:
        return known[1]
    result = target_nouns(program)
    return remember(_by_identity, id(program), (program, result))[1]


_loops_by_identity: dict[int, tuple[object, dict[int, Noun]]] = {}


def loop_of(program: forms.Tree, noun: Noun) -> Noun | None:
    """The players for each of whom a target slot is filled ("for each opponent, destroy target creature that player
    controls"); None for every other slot."""
    known = _loops_by_identity.get(id(program))
    if known is None or known[0] is not program:
        found: dict[int, Noun] = {}
        for part in walk(program):
            if isinstance(part, forms.ForEach) and part.of is not None:
                kind = nouns.kind_of(part.of.reading)
                if kind is not None and kind.players is not None:
                    found.update((id(own), part.of) for own in target_nouns(part.then))
        known = remember(_loops_by_identity, id(program), (program, found))
    return known[1].get(id(noun))


_divided_by_identity: dict[int, tuple[object, tuple[forms.Damage | forms.PutCounters, ...]]] = {}


def divided(program: forms.Tree) -> tuple[forms.Damage | forms.PutCounters, ...]:
    """The instructions whose damage or counters are divided among targets (601.2d), those that stand in others too."""
    known = _divided_by_identity.get(id(program))
    if known is None or known[0] is not program:
        slots = targets_of(program)
        found = tuple(
            part
            for part in walk(program)
            if isinstance(part, forms.Damage | forms.PutCounters)
            and (part.divided if isinstance(part, forms.Damage) else part.distribute)
            and any(own is part or own is shared(part) for own in (*program, *slots))
        )
        known = remember(_divided_by_identity, id(program), (program, found))
    return known[1]


def shared(verb: forms.Damage | forms.PutCounters) -> Noun:
    """Among whom an instruction divides its damage or counters."""
    return verb.to if isinstance(verb, forms.Damage) else verb.what


_defending_by_identity: dict[int, tuple[object, bool]] = {}


def speaks_of_defending(program: forms.Tree) -> bool:
    """Whether a program says "defending player", remembered by its identity."""
    known = _defending_by_identity.get(id(program))
    if known is None or known[0] is not program:
        found = any(isinstance(part, Noun) and "defending player" in part.text for part in walk(program))
        known = remember(_defending_by_identity, id(program), (program, found))
    return known[1]


class Characteristics(msgspec.Struct, frozen=True, gc=False):
    """The characteristics of an object (109.3). `colors` is a mask (W 1, U 2, B 4, R 8, G 16); `kit` its abilities; `halves`
    those of each half of a split card that is no spell (708.2)."""

    name: str
    cost: mana.Cost | None
    mana_value: int
    colors: int
    supertypes: frozenset[str]
    types: frozenset[str]
    subtypes: frozenset[str]
    kit: Kit
    power: int | None = None
    toughness: int | None = None
    loyalty: int | None = None
    halves: tuple[Characteristics, ...] = ()

    @property
    def keywords(self) -> frozenset[str]:
        """The names of the keyword abilities it has."""
        return self.kit.keywords


class Definition:
    """A card, token or ability as the engine holds it. `key` is its fingerprint (a hash of the form), the same on every
    machine; `base` the printed characteristics. `inert`: no state-based action concerns a permanent with just these
    characteristics, no damage and nothing else on it (704.5). Another face, a *side* of the card `whole`, has its number in
    `side`."""

    __slots__ = ("__weakref__", "_sides", "base", "card", "inert", "key", "side", "text", "variants", "whole")

    def __init__(self, card: Card, whole: Definition | None = None, side: int = 0, digest: bytes = b"") -> None:
        self.card = card
        self.whole = whole
        self.side = side
        self.key = f"{whole.key}{side}" if whole is not None else (digest or form_digest(card)).hex()[:16]
        self.text = card.text
        self.base = base = printed(card)
        watched = WATCHED & (base.supertypes | base.types | base.subtypes)
        watched |= STARTERS & base.keywords
        self.inert = not watched and ("creature" not in base.types or (base.toughness or 0) > 0)
        self.variants: dict[object, Characteristics] = {}
        self._sides: tuple[Definition, ...] | None = None

    @property
    def sides(self) -> tuple[Definition, ...]:
        """What else the card can be (`server.rules.sides`); nothing for a card of one face."""
        if self._sides is None:
            from server.rules.sides import make_sides

            self._sides = make_sides(self)
        return self._sides

    @property
    def name(self) -> str:
        """The printed name."""
        return self.base.name

    def __repr__(self) -> str:
        return f"Definition({self.card.name!r})"


def encode_card(card: Card) -> bytes:
    """The card as canonical JSON; nouns as their text."""
    return msgspec.json.encode(card, enc_hook=lambda noun: noun.text if isinstance(noun, Noun) else str(noun))


def form_digest(card: Card) -> bytes:
    """The SHA-256 of the card's form."""
    return hashlib.sha256(encode_card(card)).digest()


def number(text: str) -> int | None:
    """A printed power, toughness or loyalty as a number: "*" and "1+*" count their fixed part, "" is none."""
    if not text:
        return None
    if text.lstrip("-").isdigit():
        return int(text)
    return sum(int(part) for part in text.split("+") if part.strip().isdigit())


def printed(card: Card) -> Characteristics:
    """The printed characteristics of a card form."""
    if card.layout == "split":
        from server.rules.sides import both_halves

        return both_halves(card)
    supertypes, types, subtypes = parse_types(card.types)
    cost = mana.parse_cost(card.cost) if card.cost else None
    if card.colors is not None:
        colors = 0
        for letter in card.colors:
            colors |= COLOR_BITS[letter]
    else:
        colors = mana.colors_of(cost) & 31 if cost is not None else 0
    if "devoid" in card.keywords:
        colors = 0  # 702.114a, current: a characteristic-defining ability, which works everywhere
    abilities = card.abilities
    loyalty = number(card.loyalty)
    if "planeswalker" in types and loyalty is not None:
        abilities = (*abilities, enters_with_loyalty(loyalty))
    if "Saga" in subtypes:
        from server.rules.sagas import READ_AHEAD, enters_with_lore, final_chapter

        most = final_chapter(abilities) if READ_AHEAD in card.keywords else 0
        abilities = (*abilities, enters_with_lore(most))
    if card.layout == "adventure":
        from server.rules.sides import AFTER_ADVENTURE

        abilities = (*abilities, AFTER_ADVENTURE)
    return Characteristics(
        name=card.name,
        cost=cost,
        mana_value=mana.mana_value(cost) if cost is not None else 0,
        colors=colors,
        supertypes=frozenset(supertypes),
        types=frozenset(types),
        subtypes=frozenset(subtypes),
        kit=make_kit(abilities, card.keywords, tuple(subtypes) if "land" in types else ()),
        power=number(card.power),
        toughness=number(card.toughness),
        loyalty=loyalty if "planeswalker" in types else None,  # 306.5
    )


@lru_cache(maxsize=64)
def enters_with_loyalty(loyalty: int) -> forms.Replacement:
    """The ability that every planeswalker has: it enters with loyalty counters, as a replacement effect (306.5b)."""
    return forms.Replacement(
        event=forms.Pattern(event="zone change", subject=Noun(forms.THIS), to="battlefield"),
        rewrite=(forms.EnterWith(counter="loyalty", count=loyalty),),
        text="306.5b",
    )


def make_kit(abilities: tuple[Ability, ...], keywords: tuple[str, ...], land_types: tuple[str, ...] = ()) -> Kit:
    """Sorts abilities: expands keywords, adds the mana abilities of basic land types (305.6)."""
    all_abilities: list[Ability] = []
    names: set[str] = set()
    for keyword in keywords:
        names.add(keyword)
        all_abilities.extend(expand(forms.KeywordAbility(keyword=keyword)))
    for ability in abilities:
        if isinstance(ability, forms.KeywordAbility):
            names.add(ability.keyword)
            all_abilities.extend(expand(ability))
        else:
            all_abilities.append(ability)
    for subtype in land_types:
        if subtype in BASIC_LAND_TYPES:
            all_abilities.append(basic_land_ability(subtype))
    return Kit(tuple(all_abilities), frozenset(names))


@cache
def basic_land_ability(subtype: str) -> forms.ActivatedAbility:
    """The intrinsic mana ability of a basic land type (305.6)."""
    symbol = "{" + BASIC_LAND_TYPES[subtype] + "}"
    return forms.ActivatedAbility(cost=(forms.TapCost(),), do=(forms.AddMana(mana=symbol),), text="{T}: Add " + symbol)


EMPTY_KIT = Kit((), frozenset())
FLAGS = FLAG_KEYWORDS

DEFINITIONS = 8192
"""Card forms whose definitions are found without a look at what they say."""
_definitions: dict[int, tuple[Card, Definition]] = {}
_by_form: WeakValueDictionary[bytes, Definition] = WeakValueDictionary()
"""All definitions in use, by what is written of their cards."""


def define(card: Card) -> Definition:
    """The definition of a card form: the same for equal forms, as long as anything uses it."""
    known = _definitions.get(id(card))
    if known is not None and known[0] is card:
        return known[1]
    digest = form_digest(card)
    definition = _by_form.get(digest)
    if definition is None:
        definition = _by_form[digest] = Definition(card, digest=digest)
    return remember(_definitions, id(card), (card, definition), DEFINITIONS)[1]


def ability_definition(name: str, text: str) -> Definition:
    """A definition for an ability on the stack: it has text and no other characteristics (603.3)."""
    return _ability_definition(name, text)


@lru_cache(maxsize=8192)
def _ability_definition(name: str, text: str) -> Definition:
    return define(Card(name=name, types="", text=text))
