"""What a rules-English noun phrase means: the selections, predicates and amounts that verbs, patterns and costs are about.

A card form holds nouns as `Noun`, which keeps the phrase as written and its reading. The reading is one of the frozen
structs below; `server.cards.grammar` makes it from the phrase and is the only place that knows English. Nothing here
knows a game: what a reading selects in one is the business of `server.rules.select`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

Zone = Literal["battlefield", "hand", "library", "graveyard", "exile", "stack", "command"]
Compare = Literal["=", "<", "<=", ">", ">="]
Stat = Literal["power", "toughness", "mana value", "loyalty"]


class Part(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="noun"):
    """The common base of all parts of a reading; each is told apart by its tag `noun`."""


# --- players -----------------------------------------------------------------------------------------------------------


class You(Part, tag="you"):
    """The controller of the spell, ability or effect (109.5)."""


class Players(Part, tag="players"):
    """A kind of player: anyone, an opponent of you, someone other than you, the active or a defending player.

    `which`: "any", "opponent", "other" (than you), "active", "nonactive", "attacking", "defending".
    """

    which: Literal["any", "opponent", "other", "active", "nonactive", "attacking", "defending"] = "any"


class DefendingPlayer(Part, tag="defending player"):
    """The defending player of the attacking creature that the ability speaks of (508.5, 802.2a)."""


class ControllerOf(Part, tag="controller of"):
    """The controller (or last controller) of each object that `of` selects."""

    of: Reading


class OwnerOf(Part, tag="owner of"):
    """The owner of each object that `of` selects."""

    of: Reading


# --- objects -----------------------------------------------------------------------------------------------------------


class This(Part, tag="this"):
    """The object that the ability is on, or that it is (201.4)."""


class It(Part, tag="it"):
    """What was spoken of last: the object or player of the trigger event, or the last selection of the program.

    `what` narrows it: "object", "player", "source" (a damage event's source), "card", "spell", "attacker", "blocker"
    and so on are looked for from the last binding backwards; "" takes the last one whatever it is.
    """

    what: str = ""


class Named(Part, tag="binding"):
    """What an earlier instruction of the same program bound under `name` (`as_name`)."""

    name: str


class Attached(Part, tag="attached"):
    """The object or player that this Aura, Equipment or Fortification is attached to ("enchanted creature")."""


class Linked(Part, tag="linked"):
    """The cards that a linked ability of this object exiled (607), or what was chosen for it."""

    what: str = "exiled"


class Things(Part, tag="things"):
    """A kind of thing: objects that satisfy `objects`, and players of the kind `players` (absent: none of that sort).

    "creature or player" has both. `zone` is where the objects are looked for (609.2: the battlefield unless said).
    """

    objects: Predicate | None = None
    players: Players | None = None
    zone: Zone = "battlefield"


class Each(Part, tag="each"):
    """Everything of a kind ("each creature you control", "all lands", "creatures with flying", "each opponent")."""

    of: Things


class Target(Part, tag="target"):
    """A target slot (114): between `least` and `most` different things of a kind. `most` < 0 means any number."""

    of: Things
    least: int = 1
    most: int = 1
    other: bool = False


class Choose(Part, tag="choose"):
    """Things that the acting player chooses as the instruction is followed, without targeting ("two lands you control")."""

    of: Things
    count: Amount = 1
    up_to: bool = False


class Top(Part, tag="top"):
    """The top `count` cards of the library of `of`; with `bottom` from the other end."""

    count: Amount = 1
    of: Reading = You()
    bottom: bool = False


class Both(Part, tag="both"):
    """Several selections one after the other ("you and target opponent")."""

    parts: tuple[Reading, ...]


class Superlative(Part, tag="superlative"):
    """The objects of a kind with the greatest or least of a statistic. With `tie` "choose" the acting player picks one of
    several; with "all" all are meant; a card without the clause is refused where one object is needed (609.5)."""

    of: Things
    stat: Stat
    greatest: bool = True
    tie: Literal["none", "choose", "all"] = "none"


# --- predicates over one object ----------------------------------------------------------------------------------------


class HasType(Part, tag="type"):
    """Has a card type ("creature"); "permanent", "spell", "card" and "ability" are `IsA`."""

    type: str


class HasSupertype(Part, tag="supertype"):
    """Has a supertype ("basic", "legendary")."""

    supertype: str


class HasSubtype(Part, tag="subtype"):
    """Has a subtype ("Goblin", "Forest"), written with a capital letter."""

    subtype: str


class IsA(Part, tag="is"):
    """Is of this sort: "permanent" (on the battlefield), "spell", "ability" (on the stack), "card" (not a token or
    copy), "token", "source" (anything that can be a source of damage), "historic" and the like are built of others."""

    sort: Literal["permanent", "spell", "activated ability", "triggered ability", "ability", "card", "token", "source"]


class HasColor(Part, tag="color"):
    """Has at least one of the colours of the mask (W 1, U 2, B 4, R 8, G 16)."""

    mask: int


class ColorCount(Part, tag="colors"):
    """The number of its colours compares so: colourless is = 0, monocoloured = 1, multicoloured >= 2."""

    compare: Compare
    number: int


class HasKeyword(Part, tag="keyword"):
    """Has a keyword ability ("flying")."""

    keyword: str


class ControlledBy(Part, tag="controlled"):
    """Is controlled by a player that `by` selects ("you control", "that player controls", "an opponent controls")."""

    by: Reading


class OwnedBy(Part, tag="owned"):
    """Is owned by a player that `by` selects ("card in your graveyard" too)."""

    by: Reading


class StatIs(Part, tag="stat"):
    """A statistic compares so to an amount ("with power 3 or greater")."""

    stat: Stat
    compare: Compare
    amount: Amount


class Status(Part, tag="status"):
    """Has a status or a place in combat.

    "attacking alone"/"blocking alone" as 506.5; "attacking you": attacks you or a planeswalker you control;
    "entered this turn", "damaged this turn", "face down", "monstrous" and so on are read from the object and its history.
    """

    status: Literal[
        "tapped",
        "untapped",
        "attacking",
        "blocking",
        "blocked",
        "unblocked",
        "attacking alone",
        "blocking alone",
        "attacking you",
        "attached",
        "enchanted",
        "equipped",
        "face down",
        "face up",
        "entered this turn",
        "damaged this turn",
        "attacked this turn",
        "blocked this turn",
        "summoning sick",
    ]


class HasCounter(Part, tag="counter"):
    """Has at least one counter of a kind; "" means of any kind."""

    counter: str = ""


class HasName(Part, tag="name"):
    """Has this name."""

    name: str


class SharesName(Part, tag="same name"):
    """Has the same name as something that `with_` selects."""

    with_: Reading = This()


class OfChosen(Part, tag="chosen"):
    """Is of the chosen colour, type or name (`what`) that was chosen for this object."""

    what: Literal["color", "type", "name", "player", "source"]


class Other(Part, tag="other"):
    """Is another object than this one ("another creature", "other Goblins")."""


class Among(Part, tag="among"):
    """Is one of the objects that `of` selects ("that creature", "enchanted creature")."""

    of: Reading


class InCombatWith(Part, tag="in combat with"):
    """Is blocking, or is blocked by, or is attacking something that `with_` selects."""

    relation: Literal["blocking", "blocked by", "attacking", "blocking or blocked by"]
    with_: Reading


class DealtDamageBy(Part, tag="damaged by"):
    """Was dealt damage this turn by something that `by` selects (look-back included)."""

    by: Reading


class Targets(Part, tag="targets"):
    """Is a spell or ability on the stack with a target that fits ("that targets you", "with a single target": number)."""

    of: Reading | None = None
    single: bool = False


class Not(Part, tag="not"):
    """Does not satisfy."""

    part: Predicate


class All(Part, tag="all"):
    """Satisfies every part."""

    parts: tuple[Predicate, ...]


class Any(Part, tag="any"):
    """Satisfies at least one part."""

    parts: tuple[Predicate, ...]


# --- amounts -----------------------------------------------------------------------------------------------------------


class Value(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="amount"):
    """The common base of amounts that are computed as an instruction is followed (or continuously, in static abilities)."""


class X(Value, tag="X"):
    """The X of the spell or ability (107.3), or what `where X is` defines for the program."""


class Count(Value, tag="count"):
    """How many things a noun selects ("the number of creatures you control")."""

    of: Noun


class StatOf(Value, tag="stat"):
    """The (summed) statistic of what a noun selects ("its power"); last known information if it has left."""

    stat: Stat
    of: Noun


class CountersOn(Value, tag="counters"):
    """How many counters of a kind ("" any) are on what a noun selects, players included (poison)."""

    counter: str
    of: Noun


class LifeOf(Value, tag="life"):
    """The life total of the players that a noun selects, summed."""

    of: Noun


class CardsIn(Value, tag="cards"):
    """How many cards are in a zone of the players that a noun selects."""

    zone: Zone
    of: Noun


class ThatMuch(Value, tag="that much"):
    """The amount of the event that is spoken of: damage dealt, life gained, cards drawn, what the last instruction did."""

    name: str = ""


class TurnCount(Value, tag="this turn"):
    """How often something happened this turn, as history keeps it ("spells", "creatures died", "life gained", "cards
    drawn", "attackers", "lands played"), for the players that `of` selects."""

    what: str
    of: Noun


class Times(Value, tag="times"):
    """A multiple; with `half` "up" or "down" the half of it, rounded so."""

    number: int
    of: Amount
    half: Literal["", "up", "down"] = ""


class Plus(Value, tag="plus"):
    """A sum of amounts."""

    parts: tuple[Amount, ...]


class Minus(Value, tag="minus"):
    """A difference, not below `floor`."""

    left: Amount
    right: Amount
    floor: int = 0


class Most(Value, tag="most"):
    """The greatest (or least) statistic among what a noun selects; 0 if there is none."""

    stat: Stat
    of: Noun
    greatest: bool = True


class Distinct(Value, tag="distinct"):
    """How many different ones there are among what a noun selects: "colors", "types", "basic land types", "names"."""

    what: Literal["colors", "types", "basic land types", "names"]
    of: Noun


# --- the phrase itself --------------------------------------------------------------------------------------------------


class Noun:
    """A noun phrase of rules English with its reading; equal to another of the same text.

    `Noun("each creature you control").reading` is an `Each`. Raises `NounError` (a ValueError that names the first word
    that was not understood) when it is made from a phrase that the grammar does not read.
    """

    __slots__ = ("reading", "text")
    text: str
    reading: Reading

    def __init__(self, text: str) -> None:
        self.text = text
        self.reading = _read(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Noun) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Noun({self.text!r})"


class NounError(ValueError):
    """A phrase that the noun grammar does not read; the message names the word."""


def _read(text: str) -> Reading:
    from server.cards import grammar  # the grammar builds these structs, so it is imported late

    return grammar.read_noun(text)


Reading = (
    You
    | Players
    | DefendingPlayer
    | ControllerOf
    | OwnerOf
    | This
    | It
    | Named
    | Attached
    | Linked
    | Things
    | Each
    | Target
    | Choose
    | Top
    | Both
    | Superlative
)
Predicate = (
    HasType
    | HasSupertype
    | HasSubtype
    | IsA
    | HasColor
    | ColorCount
    | HasKeyword
    | ControlledBy
    | OwnedBy
    | StatIs
    | Status
    | HasCounter
    | HasName
    | SharesName
    | OfChosen
    | Other
    | Among
    | InCombatWith
    | DealtDamageBy
    | Targets
    | Not
    | All
    | Any
)
Amount = (
    int
    | X
    | Count
    | StatOf
    | CountersOn
    | LifeOf
    | CardsIn
    | ThatMuch
    | TurnCount
    | Times
    | Plus
    | Minus
    | Most
    | Distinct
)

Reader = Callable[[str], Reading]
