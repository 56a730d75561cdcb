"""What a rules-English noun phrase means: the selections, predicates and amounts that verbs, patterns and costs are about.

A card form holds nouns as `Noun`, which keeps the phrase as written and its reading. The reading is one of the frozen
structs below; `server.cards.grammar` makes it from the phrase and is the only place that knows English. Nothing here
knows a game: what a reading selects in one is the business of `server.rules.characteristics.selection`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Zone = Literal["battlefield", "hand", "library", "graveyard", "exile", "stack", "command"]
Compare = Literal["=", "<", "<=", ">", ">="]
Stat = Literal["power", "toughness", "mana value", "loyalty"]
Sort = Literal[
    "permanent", "spell", "activated ability", "triggered ability", "ability", "card", "token", "source", "commander"
]


class Part(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="noun"):
    """The common base of all parts of a reading; each is told apart by its tag `noun`."""


# --- players -----------------------------------------------------------------------------------------------------------


class You(Part, tag="you", frozen=True):
    """The controller of the spell, ability or effect (109.5)."""


class Players(Part, tag="players", frozen=True):
    """A kind of player: anyone, an opponent of you, someone other than you, the active or a defending player.

    `which`: "any", "opponent", "other" (than you), "active", "nonactive", "attacking", "defending".
    """

    which: Literal["any", "opponent", "other", "active", "nonactive", "attacking", "defending"] = "any"


class DefendingPlayer(Part, tag="defending player", frozen=True):
    """The defending player of the attacking creature that the ability speaks of (508.5, 802.2a)."""


class ControllerOf(Part, tag="controller of", frozen=True):
    """The controller (or last controller) of each object that `of` selects."""

    of: Reading


class OwnerOf(Part, tag="owner of", frozen=True):
    """The owner of each object that `of` selects."""

    of: Reading


# --- objects -----------------------------------------------------------------------------------------------------------


class This(Part, tag="this", frozen=True):
    """The object that the ability is on, or that it is (201.4)."""


class It(Part, tag="it", frozen=True):
    """What was spoken of last: the object or player of the trigger event, or the last selection of the program.

    `what` narrows it to the last binding of that name, if there is one: the word of the phrase ("creature", "permanent",
    "player", "card", "spell", "source", ...), "attacker", "blocker", or what was done to it ("sacrificed", "discarded").
    Without such a binding, and for "", it is the last one spoken of, whatever it is.
    """

    what: str = ""


class Named(Part, tag="binding", frozen=True):
    """What an earlier instruction of the same program bound under `name` (`as_name`)."""

    name: str


class Attached(Part, tag="attached", frozen=True):
    """The object or player that this Aura, Equipment or Fortification is attached to ("enchanted creature")."""


class PairedWith(Part, tag="paired with", frozen=True):
    """The creature that what `of` selects is paired with by soulbond (current 702.95b)."""

    of: Reading


class Linked(Part, tag="linked", frozen=True):
    """The cards that a linked ability of this object exiled (607), or what was chosen for it."""

    what: str = "exiled"


class Things(Part, tag="things", frozen=True):
    """A kind of thing: objects that satisfy `objects`, and players of the kind `players` (absent: none of that sort).

    "creature or player" has both. `zone` is where the objects are looked for (609.2: the battlefield unless said, the stack
    for spells and abilities). `anywhere` is true if the phrase leaves the zone to the verb or event: cards without a zone
    ("search for a land card", "discard a card"), sources of damage, "red" as a quality, "spell or permanent".
    """

    objects: Predicate | None = None
    players: Players | None = None
    zone: Zone = "battlefield"
    anywhere: bool = False


class Each(Part, tag="each", frozen=True):
    """Everything of a kind ("each creature you control", "all lands", "creatures with flying", "each opponent")."""

    of: Things


class Target(Part, tag="target", frozen=True):
    """A target slot (114): between `least` and `most` different things of a kind. `most` < 0 means any number.

    With `x` the announced X is how many (with `least` 0 up to that many).

    `other`: another one than this object and than the program's earlier targets. Two phrases mean different things in the
    editions: with `any_target` ("any target", "target creature or player") a planeswalker is a legal target in `current`
    and not in 2011 (306.7 redirects the damage); so too, for players only, with `or_planeswalker` ("target player or
    planeswalker"). In both cases `of` holds planeswalkers too, for the engine of edition 2011 to leave out.
    """

    of: Things
    least: int = 1
    most: int = 1
    other: bool = False
    any_target: bool = False
    or_planeswalker: bool = False
    x: bool = False


class Choose(Part, tag="choose", frozen=True):
    """Things that the acting player chooses as the instruction is followed, without targeting ("two lands you control").

    `count` < 0 means any number. In a pattern ("whenever a creature dies") only the kind matters: see `kind_of`.
    """

    of: Things
    count: Amount = 1
    up_to: bool = False


class Top(Part, tag="top", frozen=True):
    """The top `count` cards of the library of `of`; with `bottom` from the other end."""

    count: Amount = 1
    of: Reading = You()
    bottom: bool = False


class Both(Part, tag="both", frozen=True):
    """Several selections one after the other ("you and target opponent")."""

    parts: tuple[Reading, ...]


class Superlative(Part, tag="superlative", frozen=True):
    """The objects of a kind with the greatest or least of a statistic. With `tie` "choose" the acting player picks one of
    several; with "all" all are meant; a card without the clause is refused where one object is needed (609.5)."""

    of: Things
    stat: Stat
    greatest: bool = True
    tie: Literal["none", "choose", "all"] = "none"


# --- predicates over one object ----------------------------------------------------------------------------------------


class HasType(Part, tag="type", frozen=True):
    """Has a card type ("creature"); "permanent", "spell", "card" and "ability" are `IsA`."""

    type: str


class HasSupertype(Part, tag="supertype", frozen=True):
    """Has a supertype ("basic", "legendary")."""

    supertype: str


class HasSubtype(Part, tag="subtype", frozen=True):
    """Has a subtype ("Goblin", "Forest"), written with a capital letter."""

    subtype: str


class IsA(Part, tag="is", frozen=True):
    """Is of this sort: "permanent" (on the battlefield), "spell", "ability" (on the stack), "card" (not a token or
    copy), "token", "source" (anything that can be a source of damage), "historic" and the like are built of others."""

    sort: Sort


class HasColor(Part, tag="color", frozen=True):
    """Has at least one of the colours of the mask (W 1, U 2, B 4, R 8, G 16)."""

    mask: int


class ColorCount(Part, tag="colors", frozen=True):
    """The number of its colours compares so: colourless is = 0, monocoloured = 1, multicoloured >= 2."""

    compare: Compare
    number: int


class HasKeyword(Part, tag="keyword", frozen=True):
    """Has a keyword ability ("flying")."""

    keyword: str


class NoAbilities(Part, tag="no abilities", frozen=True):
    """Has no abilities."""


class ControlledBy(Part, tag="controlled", frozen=True):
    """Is controlled by a player that `by` selects ("you control", "that player controls", "an opponent controls")."""

    by: Reading


class OwnedBy(Part, tag="owned", frozen=True):
    """Is owned by a player that `by` selects ("card in your graveyard" too)."""

    by: Reading


class StatIs(Part, tag="stat", frozen=True):
    """A statistic compares so to an amount ("with power 3 or greater")."""

    stat: Stat
    compare: Compare
    amount: Amount


class Status(Part, tag="status", frozen=True):
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
        "new since upkeep",
        "arrived earlier",
        "discarded this turn",
        "milled this turn",
        "from library this turn",
        "foretold",
        "plotted",
        "warped",
        "adventuring",
        "unpaired",
        "renowned",
        "tributed",
        "monstrous",
        "saddled",
    ]


class HasCounter(Part, tag="counter", frozen=True):
    """Has at least so many counters of a kind; "" means of any kind."""

    counter: str = ""
    least: int = 1


class HasName(Part, tag="name", frozen=True):
    """Has this name."""

    name: str


class SharesName(Part, tag="same name", frozen=True):
    """Has the same name as something that `with_` selects."""

    with_: Reading = This()


class SharesCreatureType(Part, tag="same creature type", frozen=True):
    """Has a creature type that something that `with_` selects has too."""

    with_: Reading = This()


class SharesColor(Part, tag="same color", frozen=True):
    """Has a colour that something that `with_` selects has too."""

    with_: Reading = This()


class OfChosen(Part, tag="chosen", frozen=True):
    """Is of the chosen colour, type or name (`what`) that was chosen for this object."""

    what: Literal["color", "type", "name", "player", "source"]


class Other(Part, tag="other", frozen=True):
    """Is another object than this one ("another creature", "other Goblins")."""


class Among(Part, tag="among", frozen=True):
    """Is one of the objects that `of` selects ("that creature", "enchanted creature")."""

    of: Reading


class InCombatWith(Part, tag="in combat with", frozen=True):
    """Is blocking, or is blocked by, or is attacking something that `with_` selects."""

    relation: Literal["blocking", "blocked by", "attacking", "blocking or blocked by"]
    with_: Reading


class FoughtThisTurn(Part, tag="fought this turn", frozen=True):
    """Blocked something that `with_` describes this turn, or (with `blocked`) was blocked by it, or with "either" one of both."""

    relation: Literal["blocked", "was blocked by", "either"]
    with_: Reading


class EvenValue(Part, tag="even", frozen=True):
    """Has an even mana value, or with `odd` an odd one; zero is even."""

    odd: bool = False


class AttachedTo(Part, tag="attached to", frozen=True):
    """Is an Aura, Equipment or Fortification attached to something that `to` selects."""

    to: Reading


class DealtDamageBy(Part, tag="damaged by", frozen=True):
    """Was dealt damage this turn by something that `by` selects (look-back included)."""

    by: Reading


class DealtDamageTo(Part, tag="dealt damage", frozen=True):
    """Dealt damage this turn, to something that `to` selects (absent: to anything)."""

    to: Reading | None = None


class WasCastFrom(Part, tag="cast from", frozen=True):
    """Is a spell that was cast from this zone."""

    zone: Zone


class Together(Part, tag="together", frozen=True):
    """Is in the same player's zone as the other targets of its slot ("from a single graveyard")."""


class TotalAtMost(Part, tag="total", frozen=True):
    """With the others that are chosen with it, has no more of a statistic than this ("with total mana value 6 or less")."""

    stat: Stat
    amount: Amount


class Targets(Part, tag="targets", frozen=True):
    """Is a spell or ability on the stack with a target that fits ("that targets you", "with a single target": number)."""

    of: Reading | None = None
    single: bool = False


class Not(Part, tag="not", frozen=True):
    """Does not satisfy."""

    part: Predicate


class All(Part, tag="all", frozen=True):
    """Satisfies every part."""

    parts: tuple[Predicate, ...]


class Any(Part, tag="any", frozen=True):
    """Satisfies at least one part."""

    parts: tuple[Predicate, ...]


# --- amounts -----------------------------------------------------------------------------------------------------------


class Value(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="amount"):
    """The common base of amounts that are computed as an instruction is followed (or continuously, in static abilities)."""


class X(Value, tag="X", frozen=True):
    """The X of the spell or ability (107.3), or what `where X is` defines for the program."""


class Count(Value, tag="count", frozen=True):
    """How many things a noun selects ("the number of creatures you control")."""

    of: Noun


class StatOf(Value, tag="stat", frozen=True):
    """The (summed) statistic of what a noun selects ("its power"); last known information if it has left."""

    stat: Stat
    of: Noun


class CountersOn(Value, tag="counters", frozen=True):
    """How many counters of a kind ("" any) are on what a noun selects, players included (poison)."""

    counter: str
    of: Noun


class LifeOf(Value, tag="life", frozen=True):
    """The life total of the players that a noun selects, summed."""

    of: Noun


class CommanderCasts(Value, tag="commander casts", frozen=True):
    """How often you have cast a commander from the command zone this game (current 903.8)."""


class Speed(Value, tag="speed", frozen=True):
    """The speed of the players that a noun selects, summed; 0 for who has none (current 702.179f)."""

    of: Noun


class CardsIn(Value, tag="cards", frozen=True):
    """How many cards are in a zone of the players that a noun selects."""

    zone: Zone
    of: Noun


class ThatMuch(Value, tag="that much", frozen=True):
    """The amount of the event that is spoken of: damage dealt, life gained, cards drawn, what the last instruction did."""

    name: str = ""


class TurnCount(Value, tag="this turn", frozen=True):
    """How often something happened this turn, as history keeps it ("spells", "creatures died", "life gained", "cards
    drawn", "attackers", "lands played"; "spells last turn"; "life gains" counts moments), for the players that `of` selects, or with "most " before it for the
    one of them of whom it is most."""

    what: str
    of: Noun


class Happened(Value, tag="happened", frozen=True):
    """How many things of a kind that `of` describes entered, died, left the battlefield, were cast, sacrificed or attacked this
    turn. Last known information tells what is gone; "you control" is who controlled it then."""

    what: Literal["entered", "died", "left", "cast", "sacrificed", "attacked"]
    of: Noun


class TimesPaid(Value, tag="times paid", frozen=True):
    """How often an optional cost was paid for the spell ("for each time it was kicked")."""

    cost: str = "kicker"


class ColorsSpent(Value, tag="colors spent", frozen=True):
    """How many colours of mana were spent to cast this spell (or what became of it)."""


class ManaSpent(Value, tag="mana spent", frozen=True):
    """How much mana was spent to cast this spell (or what became of it): all of it, of these colours ("R", "WU"; colourless
    "C"), or mana that a source of a kind made ("Treasure")."""

    colors: str = ""
    source: str = ""


class Devotion(Value, tag="devotion", frozen=True):
    """Your devotion to these colours: how many of their symbols are among mana costs of permanents you control (700.5)."""

    colors: str


class Times(Value, tag="times", frozen=True):
    """A multiple; with `half` "up" or "down" the half of it, rounded so."""

    number: int
    of: Amount
    half: Literal["", "up", "down"] = ""


class Plus(Value, tag="plus", frozen=True):
    """A sum of amounts."""

    parts: tuple[Amount, ...]


class Minus(Value, tag="minus", frozen=True):
    """A difference, not below `floor`."""

    left: Amount
    right: Amount
    floor: int = 0


class Most(Value, tag="most", frozen=True):
    """The greatest (or least) statistic among what a noun selects; 0 if there is none."""

    stat: Stat
    of: Noun
    greatest: bool = True


class Distinct(Value, tag="distinct", frozen=True):
    """How many different ones there are among what a noun selects: "colors", "types", "basic land types", "names", "powers"; with
    "party" how many of them can be Cleric, Rogue, Warrior and Wizard, each but one (700.8 of the current edition)."""

    what: Literal["colors", "types", "basic land types", "names", "powers", "party"]
    of: Noun


# --- the phrase itself --------------------------------------------------------------------------------------------------


class Noun:
    """A noun phrase of rules English with its reading; equal to another of the same text.

    `Noun("each creature you control").reading` is an `Each`. Raises `NounError` (a ValueError that names the first word
    that was not understood) when it is made from a phrase that the grammar does not read.

    A phrase that says "target" more than once ("target creature and target land") has that many `slots`, nouns of their own
    (601.2c).
    """

    __slots__ = ("reading", "slots", "text")
    text: str
    reading: Reading
    slots: tuple[Noun, ...]

    def __init__(self, text: str, reading: Reading | None = None) -> None:
        self.text = text
        self.reading = _read(text) if reading is None else reading
        parts = self.reading.parts if isinstance(self.reading, Both) else ()
        targets = tuple(part for part in parts if isinstance(part, Target))
        self.slots = tuple(Noun(text, part) for part in targets) if len(targets) > 1 else ()

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
    | PairedWith
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
    | SharesCreatureType
    | SharesColor
    | OfChosen
    | NoAbilities
    | Other
    | Among
    | InCombatWith
    | FoughtThisTurn
    | EvenValue
    | AttachedTo
    | DealtDamageBy
    | DealtDamageTo
    | WasCastFrom
    | Targets
    | Together
    | TotalAtMost
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
    | Speed
    | CommanderCasts
    | CardsIn
    | ThatMuch
    | TimesPaid
    | TurnCount
    | Happened
    | ColorsSpent
    | ManaSpent
    | Devotion
    | Times
    | Plus
    | Minus
    | Most
    | Distinct
)


def kind_of(reading: Reading) -> Things | None:
    """The kind that a phrase describes, however it selects from it: "a creature", "creatures", "each creature" are one.

    Patterns, cost changes and protections ask for this. None for what is no kind ("it", "{this}", "you").
    """
    match reading:
        case Things():
            return reading
        case Players():
            return Things(players=reading)
        case Each(of) | Target(of) | Choose(of) | Superlative(of):
            return of
        case _:
            return None
