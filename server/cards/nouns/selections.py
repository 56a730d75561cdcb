"""Which players and objects a phrase selects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from server.cards.nouns.base import Compare, Part, Stat, Zone

if TYPE_CHECKING:  # readings hold readings; the package puts these names in here
    from server.cards.nouns.noun import Amount, Noun, Predicate, Reading

# --- players -----------------------------------------------------------------------------------------------------------


class You(Part, tag="you", frozen=True):
    """The controller of the spell, ability or effect (109.5)."""


class Players(Part, tag="players", frozen=True):
    """A kind of player: anyone, an opponent or a teammate of you, someone other than you, the active or a defending player.

    `which`: "any", "opponent", "teammate", "team" (you and your teammates, current 102.4), "other" (than you), "active",
    "nonactive", "attacking", "defending".

    `controls`: who controls such a thing ("a creature that player controls"), or with `than` more of them (`fewer`: fewer of
    them) than these are ("creatures you control"). `amount`: of whom an amount ("that player's" life) compares so to `number`.
    `besides`: who is none of these ("other than target player").
    """

    which: Literal["any", "opponent", "teammate", "team", "other", "active", "nonactive", "attacking", "defending"] = (
        "any"
    )
    controls: Noun | None = None
    than: Noun | None = None
    fewer: bool = False
    amount: Amount | None = None
    compare: Compare = ">="
    number: Amount = 1
    besides: Reading | None = None


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


THEM = "them"
"""What was spoken of last, or if that is nothing the players of whom a trigger event tells."""


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
    """The cards that a linked ability of this object exiled (607), or "put" onto the battlefield, or what was chosen for it."""

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


#: Who chooses a target, if not the controller of what has it.
Chooser: TypeAlias = Literal["", "opponent", "player"]


class Target(Part, tag="target", frozen=True):
    """A target slot (114): between `least` and `most` different things of a kind. `most` < 0 means any number.

    With `x` the announced X is how many (with `least` 0 up to that many).

    `other`: another one than this object and than the program's earlier targets. Two phrases mean different things in the
    editions: with `any_target` ("any target", "target creature or player") a planeswalker is a legal target in `current`
    and not in 2011 (306.7 redirects the damage); so too, for players only, with `or_planeswalker` ("target player or
    planeswalker"). In both cases `of` holds planeswalkers too, for the engine of edition 2011 to leave out.

    With `by_opponent` it is of an opponent's choice, who is "that player" in `of`; the controller says which opponent.
    With `by_player` "that player", of whom the event of a triggered ability speaks, chooses it.
    """

    of: Things
    least: int = 1
    most: int = 1
    other: bool = False
    any_target: bool = False
    or_planeswalker: bool = False
    x: bool = False
    by_opponent: bool = False
    by_player: bool = False


class Choose(Part, tag="choose", frozen=True):
    """Things that the acting player chooses as the instruction is followed, without targeting ("two lands you control").

    `count` < 0 means any number. In a pattern ("whenever a creature dies") only the kind matters: see `kind_of`.
    """

    of: Things
    count: Amount = 1
    up_to: bool = False


class Top(Part, tag="top", frozen=True):
    """The top `count` cards of the library of `of`; with `bottom` from the other end. With `buried` it is the graveyard (404.2),
    of which only cards of a `kind` may count."""

    count: Amount = 1
    of: Reading = You()
    bottom: bool = False
    buried: bool = False
    kind: Things | None = None


class Foremost(Part, tag="foremost", frozen=True):
    """The one player with more life, more cards in hand, or more of a `kind` under their control than each other player."""

    most: Literal["life", "hand", "controls"]
    kind: Things | None = None


class Both(Part, tag="both", frozen=True):
    """Several selections one after the other ("you and target opponent")."""

    parts: tuple[Reading, ...]


class Last(Part, tag="last", frozen=True):
    """The last of the cards of a kind, in the order in which they came where they are."""

    of: Things


class Superlative(Part, tag="superlative", frozen=True):
    """The objects of a kind with the greatest or least of a statistic. With `tie` "choose" the acting player picks one of
    several; with "all" all are meant; a card without the clause is refused where one object is needed (609.5)."""

    of: Things
    stat: Stat
    greatest: bool = True
    tie: Literal["none", "choose", "all"] = "none"
