"""Abilities sorted by what they do, keywords expanded (702): what the engine asks of a set of characteristics."""

from __future__ import annotations

from functools import cache

from server.cards import forms
from server.cards.forms import Ability
from server.cards.keywords import CAST_OTHERWISE, EXILED_FIRST, expand
from server.cards.nouns import This
from server.rules.definitions.trees import targets_of, walk

BASIC_LAND_TYPES = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}
TAP = (forms.TapCost(),)
THIS_IN_COMMAND = forms.Noun("{this} from the command zone")


class Abilities:
    """Abilities, sorted. `all` has every ability in order, keywords expanded into what they mean.

    `keywords` are the names of all keyword abilities; the other tuples hold (index into `all`, ability). `taps` are the
    indices of mana abilities that cost just {T} and ask for nothing else, `makers` the mana abilities that cost more or make more
    than one mana. What a card can never do is known once for all its objects: `as_cast` (conditions that its text asks of the moment
    it becomes cast), `ordinary` (cast from the hand there is one way and cost), `hand_rules` (what of `casting_rules` matters to casting
    it from there), `usable_outside` (something of it might be used outside the battlefield), `restricted_mana` (it makes mana for some
    purposes only), `moves_control` (of something), `defining` (characteristic-defining abilities, 604.3, as far as they are printed),
    `by_hand` (what a player may call), `in_command` (indices of what says that it works in the command zone, 112.6b).
    """

    __slots__ = (
        "activated",
        "all",
        "as_cast",
        "by_hand",
        "casting_costs",
        "casting_rules",
        "continuous",
        "cost_changes",
        "defining",
        "keyword_abilities",
        "keywords",
        "makers",
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
        "hand_rules",
        "in_command",
        "usable_outside",
    )

    def __init__(self, abilities: tuple[Ability, ...], keywords: frozenset[str]) -> None:
        self.all = abilities
        self.keywords = keywords
        pairs = tuple(enumerate(abilities))
        spells = [a for a in abilities if isinstance(a, forms.SpellAbility)]
        self.spell = next((a for a in spells if not a.keyword), None)
        self.further = tuple(a for a in spells if a.keyword)
        activated = [(i, a) for i, a in pairs if isinstance(a, forms.ActivatedAbility)]
        self.mana = tuple((i, a) for i, a in activated if is_mana_ability(a))
        self.activated = tuple((i, a) for i, a in activated if not is_mana_ability(a))
        self.taps = tuple(i for i, a in self.mana if a == forms.ActivatedAbility(cost=TAP, do=a.do, text=a.text))
        self.makers = tuple((i, a) for i, a in self.mana if i not in self.taps or not _makes_one(a))
        self.triggers: dict[str, tuple[tuple[int, forms.TriggeredAbility, forms.Pattern], ...]] = {}
        for i, a in pairs:
            if isinstance(a, forms.TriggeredAbility):
                for pattern in a.when:
                    self.triggers[pattern.event] = (*self.triggers.get(pattern.event, ()), (i, a, pattern))
        self.as_cast = tuple(p.condition for p in walk(abilities) if isinstance(p, forms.AsCast))
        self.by_hand = tuple((i, a) for i, a in pairs if isinstance(a, forms.HandAbility) and a.do)
        self.continuous = tuple((i, a) for i, a in pairs if isinstance(a, forms.Continuous) and a.zone != "graveyard")
        self.defining = tuple(a for _, a in self.continuous if a.condition is None and defines(a.what, a.mods))
        there = (i for i, a in pairs if getattr(a, "zone", "") == "command" or any(map(_of_command, walk(a))))
        self.in_command = tuple(there)
        self.replacements = tuple((i, a) for i, a in pairs if isinstance(a, forms.Replacement))
        self.cost_changes = tuple((i, a) for i, a in pairs if isinstance(a, forms.CostChange))
        self.player_rules = tuple((i, a) for i, a in pairs if isinstance(a, forms.PlayerRule))
        self.casting_costs = tuple((i, a) for i, a in pairs if isinstance(a, forms.CastingCost))
        self.casting_rules = tuple((i, a) for i, a in pairs if isinstance(a, forms.CastingRule))
        self.hand_rules = tuple(rule for _, rule in self.casting_rules if not _lets_be_cast_elsewhere(rule))
        self.keyword_abilities = tuple((i, a) for i, a in pairs if isinstance(a, forms.KeywordAbility))
        self.ordinary = not self.casting_costs and keywords.isdisjoint(CAST_OTHERWISE)
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


def _lets_be_cast_elsewhere(rule: forms.CastingRule) -> bool:
    """Whether a rule only lets its card be cast from another zone than the hand, and says nothing of casting it from there."""
    elsewhere = rule.zone is not None and rule.zone != "hand"
    return elsewhere and rule == forms.CastingRule(zone=rule.zone, condition=rule.condition, text=rule.text)


def _of_command(part: object) -> bool:
    return isinstance(part, forms.Exists) and part.of == THIS_IN_COMMAND


def defines(what: forms.Noun, mods: tuple[forms.AnyModification, ...]) -> bool:
    """Whether that is what a characteristic-defining ability says, but for conditions and where the ability comes from: colours,
    subtypes, power or toughness of its own object (604.3a). A card type is none of these, nor what is added to power."""
    return isinstance(what.reading, This) and all(
        isinstance(m, forms.DefinePT | forms.SetColors)
        or isinstance(m, forms.SetTypes)
        and not (m.types or m.supertypes or m.lose)
        for m in mods
    )


def is_mana_ability(ability: forms.ActivatedAbility) -> bool:
    """An activated ability without a target that could add mana and isn't a loyalty ability (605.1a)."""
    if any(isinstance(c, forms.LoyaltyCost) for c in ability.cost):
        return False
    if targets_of(ability.do):
        return False
    return any(isinstance(v, forms.AddMana) for v in ability.do)


def _makes_one(ability: forms.ActivatedAbility) -> bool:
    """Whether it adds one mana, of whatever colour, and does no more."""
    verb = ability.do[0]
    if len(ability.do) > 1 or not isinstance(verb, forms.AddMana) or verb.count != 1 or verb.only is not None:
        return False
    return not verb.mana or verb.mana.count("{") == 1 and not verb.mana[1:-1].isdigit()


def is_mana_trigger(ability: Ability) -> bool:
    """A triggered ability without a target that triggers on mana being made and could add mana (605.1b)."""
    if not isinstance(ability, forms.TriggeredAbility) or ability.modes or targets_of(ability.do):
        return False
    made = any(pattern.event in ("tapped for mana", "mana added") for pattern in ability.when)
    return made and any(isinstance(verb, forms.AddMana) for verb in ability.do)


def make_abilities(
    abilities: tuple[Ability, ...], keywords: tuple[str, ...], land_types: tuple[str, ...] = ()
) -> Abilities:
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
    return Abilities(tuple(all_abilities), frozenset(names))


@cache
def basic_land_ability(subtype: str) -> forms.ActivatedAbility:
    """The intrinsic mana ability of a basic land type (305.6)."""
    symbol = "{" + BASIC_LAND_TYPES[subtype] + "}"
    return forms.ActivatedAbility(cost=(forms.TapCost(),), do=(forms.AddMana(mana=symbol),), text="{T}: Add " + symbol)


NO_ABILITIES = Abilities((), frozenset())
