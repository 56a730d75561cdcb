"""What effects are made of: modifications of an object by layer (613), event patterns, rewrites of events (614, 615)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from server.cards.forms.parts import AnyCondition, Costs, Form, kinds_of
from server.cards.nouns import Amount, Noun, Zone

if TYPE_CHECKING:  # the tree is recursive; the package puts these names in here
    from server.cards.forms.abilities import Ability, Card
    from server.cards.forms.trees import Tree

# --- modifications: what a continuous effect does to an object, by layer (613) ----------------------------------------------


class Modification(Form, tag_field="mod", frozen=True):
    """The common base of modifications; the handler knows the layer."""


class GainControl(Modification, tag="control", frozen=True):
    """Layer 2: `by` gains control."""

    by: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class BecomeCopy(Modification, tag="copy", frozen=True):
    """Layer 1: becomes a copy of what `of` selects, `excepting` what these modifications say (706.9).

    `card` is what it became a copy of, exceptions included, once the effect has begun (706.2).
    """

    of: Noun | None = None
    excepting: tuple[AnyModification, ...] = ()
    card: Card | None = None


class SetName(Modification, tag="name", frozen=True):
    """Among the exceptions of a copy (706.9): has this name."""

    name: str


class SetManaCost(Modification, tag="mana cost", frozen=True):
    """Among the exceptions of a copy (706.9): has this mana cost; "" is none (202.1b)."""

    mana: str = ""


class GainThisAbility(Modification, tag="gains this", frozen=True):
    """Among the exceptions of a copy (706.9): has the ability that makes the copy."""


class SetTypes(Modification, tag="types", frozen=True):
    """Layer 4: gains (or with `replace` has only) these types, subtypes and supertypes; `lose` removes some. The
    subtype "chosen" is the chosen type. What is `like` something has its creature types."""

    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    replace: bool = False
    lose: tuple[str, ...] = ()
    all_subtypes: str = ""
    like: Noun | None = None


class SetColors(Modification, tag="colors", frozen=True):
    """Layer 5: gains (or with `replace` has only) these colours, as letters "WUBRG"; "chosen" the chosen one."""

    colors: str
    replace: bool = True


class GainAbilities(Modification, tag="gains", frozen=True):
    """Layer 6: gains keywords and abilities."""

    keywords: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()


class GainsChosen(Modification, tag="gains chosen", frozen=True):
    """Layer 6: gains one of these keywords, chosen as the effect begins (608.2d)."""

    keywords: tuple[str, ...]


class GainsActivatedOf(Modification, tag="gains activated of", frozen=True):
    """Layer 6: gains all activated abilities that what `of` selects has as the effect begins (201.4b: they are its own then)."""

    of: Noun


class LoseAbilities(Modification, tag="loses", frozen=True):
    """Layer 6: loses these keywords, or with none named all abilities."""

    keywords: tuple[str, ...] = ()


class CantHave(Modification, tag="can't have", frozen=True):
    """Layer 6: loses these keywords and can't have them."""

    keywords: tuple[str, ...]


class DefinePT(Modification, tag="defines P/T", frozen=True):
    """Layer 7a: a characteristic-defining power and toughness."""

    power: Amount | None = None
    toughness: Amount | None = None


class SetPT(Modification, tag="sets P/T", frozen=True):
    """Layer 7b: power and toughness become these."""

    power: Amount | None = None
    toughness: Amount | None = None


class AddPT(Modification, tag="adds P/T", frozen=True):
    """Layer 7c: gets +power/+toughness (amounts may be negative; with `minus` the amounts are subtracted)."""

    power: Amount = 0
    toughness: Amount = 0
    minus: bool = False


class SwitchPT(Modification, tag="switches P/T", frozen=True):
    """Layer 7e: power and toughness switched."""


class IsIndestructible(Modification, tag="is indestructible", frozen=True):
    """Is indestructible, which is something true about a permanent (700.4a) and in the current edition an ability that it has
    (current 702.12a), layer 6."""


class Flag(Modification, tag="rule", frozen=True):
    """A rule about the object, after the layers (613.10): what it can't, must or may do.

    `param` limits it by a noun: whom it can't attack or block, by what it can't be blocked ("creatures with power 2 or less"),
    whom it must attack; `cost` is what may be paid to do it all the same; `number` counts ("can block an additional creature");
    "can't attack" does not hold `unless` a condition does, in which "defending player" is who would be attacked. What is so "as
    though without" is judged as though the `keyword` were not there (609.4): that of what it blocks, or its own; "landwalk" stands for
    all landwalk abilities. Which counters it can't have is a `keyword`, too ("" all), and that "mana" abilities can be activated.
    """

    rule: Literal[
        "can't attack",
        "can't block",
        "can't attack or block",
        "can't be blocked",
        "can't be blocked except by",
        "can't be blocked by",
        "can't block except",
        "can't attack alone",
        "can't block alone",
        "attacks if able",
        "goaded",  # attacks if able, and if able somebody other than who goaded it (current 701.15b)
        "blocks if able",
        "must be blocked",
        "must be blocked by all",
        "can block additional",
        "can attack as though no defender",
        "can attack as though haste",
        "can use abilities as though haste",
        "loyalty abilities as an instant",  # any time its controller could cast one
        "abilities as an instant",  # of that `keyword`
        "can block as though without",
        "can block as though untapped",
        "can be blocked as though without",
        "can be the target as though without",  # of the spells and abilities of `param`, a player
        "can block only",
        "can't be countered",
        "can't be regenerated",
        "can't be sacrificed",
        "can't be the target",
        "can't be enchanted",
        "can't be equipped",
        "can't have counters",
        "can't transform",
        "can't phase out",
        "may be exerted",  # as it attacks (current 701.43d)
        "may enlist",  # as it attacks (current 702.154a)
        "can't activate abilities",
        "doesn't untap",
        "may not untap",
        "assigns damage by toughness",
        "assigns as though unblocked",
        "deals no combat damage",
        "as though haste",
        "as though flash",
        "attack tax",
        "block tax",
        "indestructible",
        "damage can't be prevented",
        "blocks each combat",
        "blocked by at least",
        "blocked by at most",
        "crews as though stronger",  # by `number`, and saddles: what `param` describes
    ]
    param: Noun | None = None
    number: Amount = 1
    cost: Costs = ()
    unless: AnyCondition | None = None
    keyword: str = ""


if TYPE_CHECKING:
    AnyModification = Modification
else:
    AnyModification = kinds_of(Modification, globals())

# --- patterns: which events a trigger or a replacement looks for ------------------------------------------------------------

EventName = Literal[
    "zone change",  # from/to; "enters", "dies", "leaves" are written with these
    "damage",  # source, recipient, combat
    "damage dealt to",  # one grain per recipient ("whenever you're dealt damage")
    "life gain",
    "life loss",
    "counters put",
    "counters removed",
    "destroy",
    "sacrifice",
    "discard",
    "draw",
    "draw several",  # two or more cards at once, before they are drawn one after the other
    "tap",
    "untap",
    "token created",
    "mana added",
    "tapped for mana",
    "cast",
    "copied",  # a spell is, by the player who controls the copy
    "activated",
    "becomes target",
    "countered",
    "attacks",
    "attacks alone",
    "attackers declared",
    "blocks",
    "becomes blocked by",  # the same as what the attacker suffers, also by what enters blocking (509.4d)
    "becomes blocked",
    "becomes unblocked",
    "step",
    "attached",
    "unattached",
    "control changed",
    "land played",
    "regenerated",
    "shuffle",
    "search",
    "scry",
    "reveal",
    "cycled",
    "player loses",
    "turned face up",
    "phased in",
    "phased out",
    "ability triggered",
    "state",
    "coin flipped",
    "die rolled",
    "evidence collected",
    "crime",
    "expended",
    "transformed",
    "mutates",
    "designated",
    "keyword action",  # which one is the `cause`
    "voted",  # players have finished voting
    "room entered",  # by a venture marker; its name is the `cause`
    "dungeon completed",  # by its owner, who is the subject
]


class Pattern(Form, frozen=True):
    """Which event: its kind, and what its parts must be (an absent part may be anything).

    `subject`: the object or player that the event is about (what moves, deals damage, is tapped, draws, casts ...).
    `object`: the other object (the damage's recipient, the blocked attacker, the spell cast by the subject, the target).
    `by`: the object or player that causes it. `combat` limits damage. `step` and `whose` belong to "step".
    `nth`: only the nth of its kind this turn (of main phases, with "step"); with "counters put" the one that makes it
    `nth` counters of that kind; below 0, of cards drawn any but the first in a draw step of who draws. `not_from` is where what
    moves does not come from, `not_to` where it does not go. `grain`: "each" (one trigger for each item), "batch" (one for all
    simultaneous items), "single" (of counters one for each of them).
    """

    event: EventName
    subject: Noun | None = None
    object: Noun | None = None
    by: Noun | None = None
    from_: Zone | None = msgspec.field(default=None, name="from")
    to: Zone | None = None
    combat: bool | None = None
    counter: str = ""
    step: str = ""
    whose: Noun | None = None
    cause: str = ""
    not_from: Zone | None = None
    not_to: Zone | None = None
    grain: Literal["each", "batch", "single"] = "each"
    nth: int = 0
    reached: int = 0
    condition: AnyCondition | None = None


# --- rewrites: what a replacement or prevention effect makes of the event (614, 615) ----------------------------------------


class Rewrite(Form, tag_field="rewrite", frozen=True):
    """The common base of rewrites."""


class Prevent(Rewrite, tag="prevent", frozen=True):
    """Prevents all (amount absent) or so much of the damage, shrinking a shield of a number (615.7); `then` happens
    immediately afterwards (615.5), "that much" being the amount prevented; `at_once` joins it to the same event."""

    amount: Amount | None = None
    shield: bool = False
    then: Tree = ()
    at_once: bool = False


class CantPrevent(Rewrite, tag="can't prevent", frozen=True):
    """Such damage can't be prevented (615.11): no event is rewritten, but what would prevent it does not."""


class Redirect(Rewrite, tag="redirect", frozen=True):
    """Deals the damage to what `to` selects instead (614.9); `amount` limits it as a shield."""

    to: Noun
    amount: Amount | None = None


class Scale(Rewrite, tag="scale", frozen=True):
    """Multiplies the event's amount, then adds (doubling, plus one, halving with `half` rounded so)."""

    times: int = 1
    plus: Amount = 0
    half: Literal["", "up", "down"] = ""


class AtMost(Rewrite, tag="at most", frozen=True):
    """Limits the amount, or with `life_floor` the loss so that life does not end below it, with `counters_floor` what is removed
    so that so many of those counters remain."""

    amount: Amount | None = None
    life_floor: int | None = None
    counters_floor: int | None = None


class TokensInstead(Rewrite, tag="tokens instead", frozen=True):
    """As many tokens of another kind are created instead, as those would have been (tapped, attacking ...)."""

    token: Card


class ToZone(Rewrite, tag="to zone", frozen=True):
    """Moves to another zone instead; `shuffle`s it in, puts it at the `bottom`, with `link` remembers it for linked abilities of this
    object; `mark` is what the card is from then on, and a `counter` is put on it there."""

    to: Zone
    bottom: bool = False
    shuffle: bool = False
    reveal: bool = False
    link: bool = False
    mark: Literal["", "adventuring"] = ""
    counter: str = ""


class EnterWith(Rewrite, tag="enters with", frozen=True):
    """Enters the battlefield tapped, with counters, after a choice, attached, or as a copy (614.1c, d).

    `mark` is remembered of what entered so. `paying`: as it enters, any number of what each of these costs asks for is revealed
    or sacrificed, and all counters that it speaks of are removed; `ThatMuch("paid")` is how many. With `most` the controller
    chooses how many counters, from one; with `options` of which kind. `excepting` are the exceptions of the copy (706.9).
    Whether an `optional` one applies is for one of `asked` to say; a name that is chosen is of what `kind` describes, a word
    (or a color) one of `words`; `gains` is the keyword that it gains for good if that is declined. It has these `subtypes`, too,
    for good.
    """

    tapped: bool = False
    counter: str = ""
    count: Amount = 1
    choose: Literal[
        "",
        "color",
        "type",
        "creature type",
        "land type",
        "basic land type",
        "planeswalker type",
        "player",
        "opponent",
        "name",
        "number",
        "word",
    ] = ""
    copy: Noun | None = None
    optional: bool = False
    asked: Noun | None = None
    unless: Costs = ()
    attached: bool = False
    mark: str = ""
    paying: Costs = ()
    most: int = 0
    options: tuple[str, ...] = ()
    excepting: tuple[AnyModification, ...] = ()
    gains: str = ""
    kind: Noun | None = None
    words: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()


class EnterUnder(Rewrite, tag="enters under", frozen=True):
    """Enters the battlefield under this player's control; whose effect it is chooses among several (616.1b)."""

    control: Noun


class Instead(Rewrite, tag="instead", frozen=True):
    """Does these instructions instead; "that much" is the event's amount. With nothing to do the event is skipped."""

    do: Tree = ()


class Also(Rewrite, tag="also", frozen=True):
    """The event happens, and with it these instructions."""

    do: Tree = ()


class Regenerates(Rewrite, tag="regenerate", frozen=True):
    """Regenerates the permanent instead of destroying it (701.12)."""


if TYPE_CHECKING:
    AnyRewrite = Rewrite
else:
    AnyRewrite = kinds_of(Rewrite, globals())
