"""What a phrase counts or measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from server.cards.nouns.base import Stat, Zone

if TYPE_CHECKING:  # readings hold readings; the package puts these names in here
    from server.cards.nouns.noun import Amount, Noun

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


class LowestLife(Value, tag="lowest life", frozen=True):
    """The lowest life total among all players (within range)."""


class CommanderCasts(Value, tag="commander casts", frozen=True):
    """How often you have cast a commander, or that one (`of`), from the command zone this game (current 903.8)."""

    of: Noun | None = None


class StartingLife(Value, tag="starting life", frozen=True):
    """The life total with which players began the game (103.3)."""


class Speed(Value, tag="speed", frozen=True):
    """The speed of the players that a noun selects, summed; 0 for who has none (current 702.179f)."""

    of: Noun


class DungeonsCompleted(Value, tag="dungeons completed", frozen=True):
    """How many dungeons of different names you have completed (current 309.7)."""


class Votes(Value, tag="votes", frozen=True):
    """How many votes of the last vote are meant: those that what `of` selects "received", or of the choices that `of` voted for those
    that "you" voted for ("shared") or did not ("other") (current 701.38)."""

    of: Noun
    what: Literal["received", "shared", "other"] = "received"


class CardsIn(Value, tag="cards", frozen=True):
    """How many cards are in a zone of the players that a noun selects."""

    zone: Zone
    of: Noun


class ThatMuch(Value, tag="that much", frozen=True):
    """The amount of the event that is spoken of: damage dealt, life gained, cards drawn, what the last instruction did."""

    name: str = ""


class TurnCount(Value, tag="this turn", frozen=True):
    """How often something happened this turn, as history keeps it ("spells", "creatures died", "life gained", "cards
    drawn", "attackers", "lands played"; "spells last turn"; "life gains" counts moments), for the players that `of`
    selects, or with "most " before it for the one of them of whom it is most."""

    what: str
    of: Noun


Happening: TypeAlias = Literal[
    "entered", "died", "left", "cast", "sacrificed", "attacked", "countered", "destroyed", "returned"
]
"""What the turn's history tells of things of a kind."""


class Happened(Value, tag="happened", frozen=True):
    """How many things of a kind that `of` describes entered, died, left the battlefield, were cast, sacrificed or attacked this
    turn, were put into hands from there, or were countered or destroyed by spells and abilities of opponents. Last known
    information tells what is gone; "you control" is who controlled it then."""

    what: Happening
    of: Noun


class TimesPaid(Value, tag="times paid", frozen=True):
    """How often an optional cost was paid for the spell ("for each time it was kicked")."""

    cost: str = "kicker"


class ColorsSpent(Value, tag="colors spent", frozen=True):
    """How many colours of mana were spent to cast this spell (or what became of it)."""


class ManaSpent(Value, tag="mana spent", frozen=True):
    """How much mana was spent to cast this spell (or what became of it): all of it, of these colours ("R", "WU"; colourless
    "C"), or mana that a source of a kind made ("Treasure"); for several, what was spent to cast all that `of` selects."""

    colors: str = ""
    source: str = ""
    of: Noun | None = None


class Devotion(Value, tag="devotion", frozen=True):
    """Your devotion to these colours: how many of their symbols are among mana costs of permanents you control (700.5).
    "chosen" is the colour chosen as mana is added."""

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


class MostOfPlayers(Value, tag="most of players", frozen=True):
    """The greatest of an amount among the players that a noun selects; "that player" in it is each of them."""

    what: Amount
    of: Noun


Differing: TypeAlias = Literal[
    "colors",
    "types",
    "basic land types",
    "names",
    "powers",
    "mana values",
    "of one creature type",
    "of one name",
    "party",
]
"""In what things are counted as different, or as having it in common."""


class Distinct(Value, tag="distinct", frozen=True):
    """How many different ones there are among what a noun selects: "colors", "types", "basic land types", "names", "powers", "mana
    values"; with "of one creature type" or "of one name" the most that have one in common; with "party" how many of them can be Cleric,
    Rogue, Warrior and Wizard, each but one (current 700.8)."""

    what: Differing
    of: Noun
