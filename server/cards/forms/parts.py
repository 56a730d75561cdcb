"""The tree's small parts: the base struct, durations, conditions, costs (117). They refer to nothing above them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Union

import msgspec

from server.cards.nouns import Amount, Compare, Noun, Zone

THIS = "{this}"


class Form(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """The common base of the tree's structs."""


def kinds_of(base: type[Form], *modules: Mapping[str, Any]) -> Any:
    """The union of the structs that follow `base` in the names of these modules: who defines one there has declared it."""
    found = (one for names in modules for one in names.values() if isinstance(one, type) and issubclass(one, base))
    return Union[tuple(dict.fromkeys(one for one in found if one is not base))]  # noqa: UP007


# --- durations and conditions -------------------------------------------------------------------------------------------

Duration = Literal[
    "end of turn",  # "until end of turn", "this turn" (514.2)
    "end of combat",
    "your next turn",
    "end of your next turn",
    "end of their next turn",  # of "that player"
    "during their next turn",  # of the player whom the effect is about: not yet, all of it (712.1)
    "during their turn",  # that turn has begun
    "during their next combat",
    "during their combat",
    "your next upkeep",
    "your next end step",
    "next untap step",  # of the affected object's controller
    "your next untap step",
    "their next untap step",  # of "that player"
    "while source",  # "for as long as {this} remains on the battlefield"
    "while control",  # "for as long as you control {this}"
    "while tapped",  # "for as long as {this} remains tapped"
    "forever",
    "source leaves",  # of what returns then (current 610.3)
]


class Condition(Form, tag_field="if", frozen=True):
    """The common base of conditions; `negate`d with `not`."""


class Exists(Condition, tag="exists", frozen=True):
    """What a noun selects counts `compare` `number` ("if you control two or more artifacts")."""

    of: Noun
    compare: Compare = ">="
    number: Amount = 1


class Holds(Condition, tag="holds", frozen=True):
    """Two amounts compare so ("if you have 40 or more life")."""

    left: Amount
    compare: Compare
    right: Amount


class Is(Condition, tag="is", frozen=True):
    """What `what` selects is (all of it) something that `of` describes ("if it was a creature"). Last known information counts."""

    what: Noun
    of: Noun


class Paid(Condition, tag="paid", frozen=True):
    """An optional or additional cost was paid for this spell ("if it was kicked"), at least `times` times."""

    cost: str = "kicker"
    times: int = 1


class CastFrom(Condition, tag="cast from", frozen=True):
    """The spell (or what it became) was cast, from this zone if one is said, by one of these players if any are said."""

    zone: Zone | None = None
    by: Noun | None = None


class AsCast(Condition, tag="as cast", frozen=True):
    """The condition held as the spell (or what became of it) became cast (601.2h); a copy was not cast (706.10)."""

    condition: AnyCondition


class Did(Condition, tag="did", frozen=True):
    """The last optional or attempted instruction was done ("if you do"), or with `anyone` some turn of the last "for each"
    ("if a player does")."""

    anyone: bool = False


class During(Condition, tag="during", frozen=True):
    """It is such a time: a step or phase of such a player's turn ("if it's your turn"). `step` "" means the turn."""

    step: str = ""
    whose: Noun | None = None


class ChoseWord(Condition, tag="chose word", frozen=True):
    """This word was chosen for the object as it entered (anchor words, current 614.12b)."""

    word: str


class MadeMana(Condition, tag="made mana", frozen=True):
    """Among the mana that was made is some of this `type`: a letter of "WUBRGC", or "chosen", the chosen color."""

    type: str


class Activated(Condition, tag="activated", frozen=True):
    """The ability that resolves has been activated so many `times` this turn, or more."""

    times: int


class Once(Condition, tag="first this turn", frozen=True):
    """This ability has not triggered or been activated before this turn (more than `times` - 1 times)."""

    times: int = 1


class Resolved(Condition, tag="resolved", frozen=True):
    """It is the `nth` time this turn that this ability resolves."""

    nth: int


class IsMonarch(Condition, tag="monarch", frozen=True):
    """One of `who` is the monarch; with nobody named, somebody is."""

    who: Noun | None = None


class HasInitiative(Condition, tag="initiative", frozen=True):
    """One of `who` has the initiative (current 725); with nobody named, somebody has."""

    who: Noun | None = None


class CompletedDungeon(Condition, tag="completed dungeon", frozen=True):
    """One of `who` has completed a dungeon (current 309.7), or one of that name."""

    who: Noun
    name: str = ""


class HasBlessing(Condition, tag="city's blessing", frozen=True):
    """One of `who` has the city's blessing (current 702.131c)."""

    who: Noun


class SomePlayer(Condition, tag="some player", frozen=True):
    """The condition holds of one of these players ("if an opponent has 10 or less life"), or with `every` of each of them; "that
    player" is whoever it is asked of."""

    who: Noun
    condition: AnyCondition
    every: bool = False


class NotSo(Condition, tag="not", frozen=True):
    """The condition does not hold."""

    condition: AnyCondition


class AllOf(Condition, tag="all", frozen=True):
    """Every condition holds."""

    conditions: tuple[AnyCondition, ...]


class OneOf(Condition, tag="any", frozen=True):
    """At least one condition holds."""

    conditions: tuple[AnyCondition, ...]


if TYPE_CHECKING:
    AnyCondition = Condition
else:
    AnyCondition = kinds_of(Condition, globals())

# --- what mana is for ---------------------------------------------------------------------------------------------------


class Spending(Form, frozen=True):
    """What mana may be spent on (106.6): casting spells of a kind, activating abilities of things of a kind; with `others` on all
    that is neither, too."""

    spells: Noun | None = None
    abilities: Noun | None = None
    others: bool = False


# --- costs ------------------------------------------------------------------------------------------------------------


class Cost(Form, tag_field="pay", frozen=True):
    """The common base of costs (117)."""


class ManaCost(Cost, tag="mana", frozen=True):
    """Mana, as printed ("{2}{R}"); with `per` that many times over. `own` adds the mana cost of the object itself. With `waterbend`
    artifacts and creatures may be tapped for what is generic of it (current 701.67a)."""

    mana: str
    per: Amount = 1
    own: bool = False
    waterbend: bool = False


class TapCost(Cost, tag="tap", frozen=True):
    """The tap symbol: this object becomes tapped (107.5)."""


class UntapCost(Cost, tag="untap", frozen=True):
    """The untap symbol (107.6)."""


class LoyaltyCost(Cost, tag="loyalty", frozen=True):
    """A loyalty symbol: `change` counters put on or (negative) removed; with `x` minus X (606.4)."""

    change: int = 0
    x: bool = False


class LifeCost(Cost, tag="life", frozen=True):
    """An amount of life."""

    amount: Amount


class SacrificeCost(Cost, tag="sacrifice", frozen=True):
    """Permanents to sacrifice ("{this}", "a creature")."""

    what: Noun


class DiscardCost(Cost, tag="discard", frozen=True):
    """Cards to discard ("a card", "{this}", "two cards"), with `random` at random."""

    what: Noun
    random: bool = False


class ExileCost(Cost, tag="exile", frozen=True):
    """Objects to exile ("{this} from your graveyard", "a card from your hand"); `link` remembers them for linked abilities
    of this object (607)."""

    what: Noun
    link: bool = False


class ReturnCost(Cost, tag="return", frozen=True):
    """Permanents to return to their owner's hand."""

    what: Noun


class TapOthersCost(Cost, tag="tap others", frozen=True):
    """Untapped permanents to tap ("two untapped creatures you control"); with `power` any number of them whose total power
    is that much or more (crew)."""

    what: Noun
    power: Amount = 0


class CountersCost(Cost, tag="counters", frozen=True):
    """Counters to remove from what is selected, or with `put` to put on it; those to remove may come from several with `among`.
    Where an X is how many, it is at `least` so many; with -1 all that are there."""

    counter: str
    count: Amount = 1
    of: Noun = msgspec.field(default_factory=lambda: Noun(THIS))
    put: bool = False
    least: int = 0
    among: bool = False


class BuryCost(Cost, tag="bury", frozen=True):
    """Cards to put from exile into their owners' graveyards ("a card an opponent owns from exile")."""

    what: Noun


class RevealCost(Cost, tag="reveal", frozen=True):
    """Cards to reveal."""

    what: Noun


class MillCost(Cost, tag="mill", frozen=True):
    """Cards to put from the top of the library into the graveyard."""

    count: Amount = 1


class EvidenceCost(Cost, tag="evidence", frozen=True):
    """Collecting evidence: any number of cards of the graveyard to exile, of this total mana value or more (current 701.59)."""

    amount: Amount


class BeholdCost(Cost, tag="behold", frozen=True):
    """Beholding: so many permanents of a kind are chosen, or cards of that kind revealed from the hand (current 701.4a)."""

    what: Noun


class GiveLifeCost(Cost, tag="give life", frozen=True):
    """An opponent, whom the player chooses, or with `each` every other player, gains so much life."""

    amount: Amount
    each: bool = False


class DamageCost(Cost, tag="have damage", frozen=True):
    """The source deals so much damage to the player who has it do so ("unless its controller has it deal 3 damage to them")."""

    amount: Amount


class LibraryCost(Cost, tag="put into library", frozen=True):
    """Cards to put on top of their owner's library, or with `bottom` on the bottom of it, in any order."""

    what: Noun
    bottom: bool = False


class PromiseCost(Cost, tag="promise", frozen=True):
    """An opponent is chosen, whom instructions know as "promised" (gift, current 702.174a)."""


class ExertCost(Cost, tag="exert", frozen=True):
    """The source is exerted (current 701.43)."""


class EitherCost(Cost, tag="either", frozen=True):
    """One of several costs, as the player chooses."""

    options: tuple[Costs, ...]


if TYPE_CHECKING:
    AnyCost = Cost
else:
    AnyCost = kinds_of(Cost, globals())
Costs = tuple[AnyCost, ...]


class VerbForm(Form, tag_field="do", frozen=True):
    """The common base of verbs: instructions of spells and abilities (608.2). `as_name` binds what it selected or made."""
