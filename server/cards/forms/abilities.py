"""Abilities of all kinds (112, current 113), and the card that has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from server.cards.forms.effects import AnyModification, AnyRewrite, Pattern
from server.cards.forms.parts import AnyCondition, Costs, Form
from server.cards.nouns import Amount, Noun, Zone

if TYPE_CHECKING:  # the tree is recursive; the package puts this name in here
    from server.cards.forms.trees import Tree

# --- abilities --------------------------------------------------------------------------------------------------------


class Mode(Form, frozen=True):
    """One mode of a modal spell or ability (700.2); `cost` is an additional cost of choosing it."""

    do: Tree
    text: str = ""
    cost: Costs = ()


class MoreModes(Form, frozen=True):
    """How many modes are chosen instead while the condition holds as they are chosen (601.2b)."""

    condition: AnyCondition
    least: int
    most: int


class SpellAbility(Form, tag_field="ability", tag="spell", frozen=True):
    """What an instant or sorcery does; with `modes` instead of `do`, `least` to `most` of them are chosen, or as many as `more`
    says; with `again` the same one may be chosen several times (current 700.2d). One that must be `fresh` hasn't been
    chosen for this object before, or not this turn (current 700.2h). With `by_opponent` an opponent chooses, who is "that player" in them.

    One that a keyword brings (`keyword`) is followed if the cost of that keyword was `paid` for, after the others or, with `first`,
    before them; only then has it targets (awaken and gift, current 702.113b and current 702.174j)."""

    do: Tree = ()
    modes: tuple[Mode, ...] = ()
    least: int = 1
    most: int = 1
    more: MoreModes | None = None
    again: bool = False
    fresh: Literal["", "turn", "game"] = ""
    by_opponent: bool = False
    keyword: str = ""
    first: bool = False
    text: str = ""


class ActivatedAbility(Form, tag_field="ability", tag="activated", frozen=True):
    """`cost`: `do` (602). `timing` "sorcery" limits it, "instant" keeps a mana ability from being activated while something is paid
    for; `zone` is where it can be activated from; `by` who may.

    A mana ability is recognised by 605.1a (adds mana, no target, no loyalty); `limit` is how often a turn (0: as often as
    one likes; below 0: only once at all); `condition` "activate only if"; `changes` are what it costs more or less itself.
    """

    cost: Costs
    do: Tree = ()
    modes: tuple[Mode, ...] = ()
    least: int = 1
    most: int = 1
    more: MoreModes | None = None
    again: bool = False
    fresh: Literal["", "turn", "game"] = ""
    by_opponent: bool = False
    timing: Literal["", "sorcery", "instant", "your turn", "upkeep", "combat", "before attackers", "after blockers"] = (
        ""
    )
    zone: Zone = "battlefield"
    by: Literal["controller", "any player", "opponent", "owner"] = "controller"
    limit: int = 0
    condition: AnyCondition | None = None
    changes: tuple[CostChange, ...] = ()
    keyword: str = ""
    text: str = ""


class TriggeredAbility(Form, tag_field="ability", tag="triggered", frozen=True):
    """When/whenever/at `when`, [if `condition`,] `do` (603). `zone` is where it functions besides what 112.6 implies. With `limit` -1 it
    triggers until its controller has done what it lets that player do ("Do this only once each turn", current 603.2h). One that
    `reveals` is put on the stack only if its controller shows its source (miracle, current 603.11).
    """

    when: tuple[Pattern, ...]
    do: Tree = ()
    modes: tuple[Mode, ...] = ()
    least: int = 1
    most: int = 1
    more: MoreModes | None = None
    again: bool = False
    fresh: Literal["", "turn", "game"] = ""
    by_opponent: bool = False
    condition: AnyCondition | None = None
    zone: Zone = "battlefield"
    limit: int = 0
    reveals: bool = False
    keyword: str = ""
    text: str = ""


class Continuous(Form, tag_field="ability", tag="static", frozen=True):
    """A static ability's continuous effect: while `condition` holds, what `what` selects is modified (604, 611.3)."""

    what: Noun
    mods: tuple[AnyModification, ...]
    condition: AnyCondition | None = None
    zone: Zone = "battlefield"
    text: str = ""


class Replacement(Form, tag_field="ability", tag="replacement", frozen=True):
    """A replacement or prevention effect: while `condition` holds, such an event is rewritten (614, 615).

    `optional`: the controller (or `chooser`) may. `uses`: how often a floating one applies (0: any number).
    `self_replacement`: of a resolving spell or ability, about part of what that does itself (614.15).
    """

    event: Pattern
    rewrite: tuple[AnyRewrite, ...]
    condition: AnyCondition | None = None
    optional: bool = False
    zone: Zone = "battlefield"
    keyword: str = ""
    text: str = ""
    self_replacement: bool = False


class CostChange(Form, tag_field="ability", tag="costs", frozen=True):
    """Spells or abilities that `what` describes cost more or less (601.2e); negative `generic` reduces, as does the mana of
    `reduce`, and with `own_cost` the mana cost of the source; with `minimum` no less than so much mana is left. With `per_target`
    the `mana` is added once for each target beyond the first; of `abilities` those of a `keyword` alone may be meant. With
    `only_colored` the mana of `reduce` takes off no generic mana, with `not_mana` mana abilities are not meant; `by` is who activates
    those that are meant, if not anybody."""

    what: Noun
    generic: Amount = 0
    mana: str = ""
    reduce: str = ""
    abilities: bool = False
    minimum: int = 0
    zone: Zone = "battlefield"
    condition: AnyCondition | None = None
    text: str = ""
    own_cost: bool = False
    per_target: bool = False
    keyword: str = ""
    only_colored: bool = False
    not_mana: bool = False
    by: Noun | None = None


class PlayerRule(Form, tag_field="ability", tag="player rule", frozen=True):
    """A rule about players (613.9, 613.10): limits, permissions and prohibitions. An "attack tax" with `what` holds for the
    player's planeswalkers too.

    Who "can't activate" abilities of what `what` describes, with `number` still can if they are mana abilities.

    Of a permission to play cards ("play from zone"), `among` says which cards, `what` which of them as spells or lands, `mode`
    whether as spells, as lands or as both; `number` is how many a turn (0: any number). `free` is without paying the mana
    cost; `mana_as` lets mana be spent as though it were of any colour or type, which is a rule of its own too, `mana` then
    being the colour that may be spent so. `counter` is of which kind players can't get any ("" all kinds). `gives` are abilities
    that the spell has ("next spell has", "spells have"; "exile it instead").
    """

    rule: Literal[
        "maximum hand size",
        "maximum hand size changes",  # by so much
        "no maximum hand size",
        "additional lands",
        "can't cast",
        "casts as sorceries",  # spells, only when a sorcery could be cast (307.5)
        "casts in own turns",  # spells, only then
        "can't activate",
        "can't play lands",
        "can't gain life",
        "can't get counters",
        "can't lose life",
        "can't lose the game",
        "can't lose for life",  # for having 0 or less of it
        "can't win the game",
        "can't draw more than",
        "can't search",
        "controlled",  # by the effect's controller (712)
        "can't be the target",
        "protection",
        "skip step",
        "spend mana as any color",
        "pays life for mana",  # 2 for each symbol of the colour of `mana` in a cost
        "play from zone",
        "play as though in own zone",
        "cast as though flash",
        "casts without paying",
        "play top of library",
        "reveals top of library",
        "looks at top of library",
        "hand revealed",
        "mana doesn't empty",  # with `mana` none of that colour
        "legend rule doesn't apply",  # to what `what` describes, or at all (704.5k)
        "controls turn",
        "untaps in other untap steps",
        "can't untap more than",  # so many of `what` in untap steps of their own
        "can't be attacked",
        "attack tax",
        "attackers at most",
        "blockers at most",
        "next spell has",
        "spells have",  # those that the player casts and `what` describes, from then on
        "can't sacrifice to pay",
        "can't be made to sacrifice",
        "can't pay life",
        "triggers again",  # abilities of `among`, if `what` enters, what is in `when` happens, or of themselves (current 603.2d)
        "rooms trigger again",  # abilities of rooms of the player's dungeons
        "can't venture more than",  # so often a turn
        "entering triggers nothing",
        "votes again",  # so often more, with `free` if the player likes (current 701.38d)
        "votes as chosen",  # by the effect's controller
        "entered by its type alone",  # of a dungeon: by "venture into" what it is (current 701.49d)
        "can lead a deck",  # of decks, not of games: `server.cards.decks` asks the text (current 903.3)
        "any number in a deck",  # so this one (current 100.2a)
    ]
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    what: Noun | None = None
    number: Amount = 0
    step: str = ""
    cost: Costs = ()
    among: Noun | None = None
    mode: Literal["play", "cast", "lands"] = "play"
    free: bool = False
    mana_as: Literal["", "color", "type"] = ""
    mana: str = ""
    counter: str = ""
    gives: tuple[Ability, ...] = ()
    zone: Zone = "battlefield"
    condition: AnyCondition | None = None
    when: tuple[Pattern, ...] = ()
    text: str = ""


class KeywordAbility(Form, tag_field="ability", tag="keyword", frozen=True):
    """A keyword with what it takes (702): a cost ("equip {2}"), a number ("bushido 2"), a quality ("protection from red",
    "enchant creature"), instructions (forecast, gift; for backup what it gives), a `size` (prototype; of a companion the words of
    its condition). Keywords without any may stand in a card's `keywords` list. Protection may spare what is attached already: all
    "Auras", or the one that gives it ("this")."""

    keyword: str
    cost: Costs = ()
    number: Amount = 0
    quality: Noun | None = None
    do: Tree = ()
    size: str = ""
    spares: Literal["", "Auras", "this"] = ""
    text: str = ""


class CastingCost(Form, tag_field="ability", tag="casting", frozen=True):
    """Additional or alternative costs of casting this spell (601.2b).

    `kind`: "additional", "alternative" (instead of the mana cost), or "permission" (the mana cost and this). `optional`
    additional ones are asked (kicker), `repeat`able ones as often as wanted, of `options` one is paid; `name` is how
    `Paid` finds it, and the way to cast. Permissions and alternative costs count for casting from `zone`; alternative
    costs of the hand also from where else the player may cast the card, but not `bound` ones. `offered` ones count only
    when an effect says so, `slow` ones only as a sorcery, `fast` ones as an instant.
    """

    name: str
    cost: Costs
    kind: Literal["additional", "alternative", "permission"] = "additional"
    optional: bool = False
    repeat: bool = False
    options: tuple[Costs, ...] = ()
    zone: Zone = "hand"
    offered: bool = False
    slow: bool = False
    fast: bool = False
    bound: bool = False
    condition: AnyCondition | None = None
    text: str = ""


class CastingRule(Form, tag_field="ability", tag="casting rule", frozen=True):
    """When this spell may be cast ("cast only during combat"), from which other `zone` it may be cast or played (and with `only`
    from no other), that no mana can be spent to cast it (`no_mana`), or the `least_x` that may be announced."""

    timing: Literal["flash", "combat", "before blockers", "your turn", "opponent's turn", "after blockers", ""] = ""
    zone: Zone | None = None
    only: bool = False
    no_mana: bool = False
    least_x: int = 0
    condition: AnyCondition | None = None
    text: str = ""


class OpeningHand(Form, tag_field="ability", tag="opening hand", frozen=True):
    """The player may begin the game with this card from the opening hand on the battlefield (103.5, current 103.6a); or with `do` may
    reveal it, and then that is done (current 103.6b)."""

    do: Tree = ()
    text: str = ""


class CommanderColor(Form, tag_field="ability", tag="commander color", frozen=True):
    """For this card as a commander a color is chosen before the game, which is of its color identity (current 903.4b)."""

    text: str = ""


class HandAbility(Form, tag_field="ability", tag="by hand", frozen=True):
    """A printed paragraph that the server does not read and that does nothing by itself. A triggered ability is called by a
    player; any other kind waits for words that the server reads. `do` is what is done once it is called; its controller is reminded of
    it by an event that its first words name (`reminds`)."""

    text: str
    do: Tree = ()
    reminds: tuple[Pattern, ...] = ()


Ability = (
    OpeningHand
    | CommanderColor
    | SpellAbility
    | ActivatedAbility
    | TriggeredAbility
    | Continuous
    | Replacement
    | CostChange
    | PlayerRule
    | KeywordAbility
    | CastingCost
    | CastingRule
    | HandAbility
)

# --- cards ------------------------------------------------------------------------------------------------------------


class Room(Form, frozen=True):
    """A room of a dungeon: its name, what its ability does (current 309.4c), and the rooms to which arrows lead from it; the first
    of a card is the topmost, one without arrows the bottommost."""

    name: str
    do: Tree
    leads_to: tuple[str, ...] = ()
    text: str = ""


Layout = Literal["", "split", "flip", "transform", "modal", "adventure", "omen", "meld"]
"""How a card of several faces holds them (708, 709, 711; 712, 715 and 720 of the current edition)."""


class Card(Form, frozen=True):
    """A card, a face or a token as it is printed or defined.

    `types` is the type line ("Legendary Creature — Elf Druid"); `power` and `toughness` are texts ("2", "*", "1+*");
    `colors` ("WU") overrides the mana cost (tokens, colour indicators); `text` is what people read.

    With a `layout` it has further `faces`: what it is flipped, transformed, cast by its other face or as its adventure. All
    else is its first face then; but of a split card `faces` are both halves, and the card has a name, types, a cost and
    a text for both together, and no abilities of its own. Of a meld card they are the combined back face, and the other card of its
    pair as far as it must be known: by name and mana cost (current 712.4). A dungeon has `rooms` (current 309.4).
    """

    name: str
    types: str
    cost: str = ""
    power: str = ""
    toughness: str = ""
    loyalty: str = ""
    colors: str | None = None
    keywords: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    text: str = ""
    layout: Layout = ""
    faces: tuple[Card, ...] = ()
    rooms: tuple[Room, ...] = ()
