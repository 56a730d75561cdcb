"""What a phrase asks of one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from server.cards.nouns.base import Compare, Part, Sort, Stat, Zone
from server.cards.nouns.selections import Things, This

if TYPE_CHECKING:  # readings hold readings; the package puts these names in here
    from server.cards.nouns.noun import Amount, Predicate, Reading

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


class ManaCostIs(Part, tag="mana cost", frozen=True):
    """Its mana cost is one of these, symbol for symbol ("{0}", "{1}")."""

    costs: tuple[str, ...]


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
        "new this turn",  # under whose control it is
        "arrived earlier",
        "discarded this turn",
        "milled this turn",
        "from library this turn",
        "from battlefield this turn",
        "foretold",
        "plotted",
        "warped",
        "adventuring",
        "unpaired",
        "renowned",
        "tributed",
        "monstrous",
        "saddled",
        "level-2",  # of a Class, or more (current 716.2b)
        "level-3",
        "solved",
        "modified",
        "kicked",
        "suspected",  # current 701.60b
        "goaded",  # by anybody (current 701.15a)
        "Ring-bearer",  # "the Ring tempts you", and you control it (current 701.54e)
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


class SharesType(Part, tag="same type", frozen=True):
    """Has a card type that something that `with_` selects has too; of those that a `permanent` can have, if that is said."""

    with_: Reading = This()
    permanent: bool = False


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


class HasX(Part, tag="has X", frozen=True):
    """Has {X} in its mana cost, or as an activated ability in its activation cost."""


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
    """Is a spell that was cast, or what one became: from this zone, or from anywhere. A copy of a spell was not (706.10)."""

    zone: Zone | None = None


class LiesIn(Part, tag="lies in", frozen=True):
    """Is in one of these zones ("from your hand or graveyard")."""

    zones: tuple[Zone, ...]


class Together(Part, tag="together", frozen=True):
    """Is in the same player's zone as the other targets of its slot ("from a single graveyard")."""


class Alike(Part, tag="alike", frozen=True):
    """Of the targets of its slot, all have one such quality in common ("that share a creature type"), or with `different` no two
    have it in common ("with different names"). Of a player, "controller", all are controlled by one, or each by another."""

    what: Literal["creature type", "color", "type", "permanent type", "name", "power", "mana value", "controller"]
    different: bool = False


class TotalAtMost(Part, tag="total", frozen=True):
    """With the others that are chosen with it, has no more of a statistic than this ("with total mana value 6 or less")."""

    stat: Stat
    amount: Amount


class FromSource(Part, tag="from source", frozen=True):
    """Is an ability on the stack whose source is of that kind (112.7)."""

    of: Things


class Targets(Part, tag="targets", frozen=True):
    """Is a spell or ability on the stack with a target that fits ("that targets you", "with a single target": number);
    with `only` it targets nothing else, once or several times."""

    of: Reading | None = None
    single: bool = False
    only: bool = False


class Not(Part, tag="not", frozen=True):
    """Does not satisfy."""

    part: Predicate


class All(Part, tag="all", frozen=True):
    """Satisfies every part."""

    parts: tuple[Predicate, ...]


class Any(Part, tag="any", frozen=True):
    """Satisfies at least one part."""

    parts: tuple[Predicate, ...]
