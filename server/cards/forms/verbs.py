"""Verbs: the instructions of spells and abilities (608.2), in the order in which they are followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from server.cards.forms.abilities import Ability, CostChange, PlayerRule, Replacement
from server.cards.forms.effects import AnyModification
from server.cards.forms.parts import THIS, Duration, Spending, VerbForm
from server.cards.nouns import Amount, Noun, Zone

if TYPE_CHECKING:
    from server.cards.forms.trees import Tree

# --- verbs ------------------------------------------------------------------------------------------------------------


class Damage(VerbForm, tag="damage", frozen=True):
    """`source` deals damage to what `to` selects; `amount` to each, or `divided` among them as its
    controller chooses at 601.2d; `unpreventable` as 615.11; or `evenly` divided
    among those that are there then, rounded down; what is excess `spills`, and is dealt to the
    controllers of those that are objects instead. A `divider` divides it as it is dealt, among any number of them."""

    amount: Amount
    to: Noun
    source: Noun = msgspec.field(default_factory=lambda: Noun(THIS))
    divided: bool = False
    unpreventable: bool = False
    evenly: bool = False
    spills: bool = False
    divider: Noun | None = None


class Destroy(VerbForm, tag="destroy", frozen=True):
    """Destroys (701.6); with `no_regeneration` it can't be regenerated."""

    what: Noun
    no_regeneration: bool = False


class GainLife(VerbForm, tag="gain life", frozen=True):
    """Each of `who` gains life."""

    amount: Amount
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class LoseLife(VerbForm, tag="lose life", frozen=True):
    """Each of `who` loses life (not damage)."""

    amount: Amount
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class SetLife(VerbForm, tag="set life", frozen=True):
    """Each of `who`'s life total becomes the amount, by gaining or losing (118.5); "that player" in it is that one."""

    amount: Amount
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class PutCounters(VerbForm, tag="put counters", frozen=True):
    """Puts counters on objects or players; `distribute`d among targets as announced; with `options` of a kind chosen among
    these; with `as_on` as many of each kind as are on that, or last were."""

    counter: str
    what: Noun
    count: Amount = 1
    distribute: bool = False
    options: tuple[str, ...] = ()
    as_on: Noun | None = None


class RemoveCounters(VerbForm, tag="remove counters", frozen=True):
    """Removes counters (`all` of them) from objects or players; with `up_to` as many as are chosen, kind by kind."""

    counter: str
    what: Noun
    count: Amount = 1
    all: bool = False
    up_to: bool = False


class MoveCounters(VerbForm, tag="move counters", frozen=True):
    """Moves counters from one object to another (121.5): so many of a kind, or `all`; "" is every kind. `some` are as many as the
    player likes, kind by kind, or one of a kind that the player likes; what is `missing` is of kinds that the other one has none of."""

    source: Noun
    to: Noun
    counter: str = ""
    count: Amount = 1
    all: bool = False
    some: Literal["", "any number", "one or more", "one"] = ""
    missing: bool = False


class DoubleCounters(VerbForm, tag="double counters", frozen=True):
    """As many counters of a kind ("" each kind) as each object or player has are put on it (current 701.10e)."""

    what: Noun
    counter: str = ""


class RemoveDamage(VerbForm, tag="remove damage", frozen=True):
    """Removes all damage marked on permanents (119.6)."""

    what: Noun


class Tap(VerbForm, tag="tap", frozen=True):
    """Taps, or with `untap` untaps; `either` lets the player (or `who`) choose which."""

    what: Noun
    untap: bool = False
    either: bool = False
    who: Noun | None = None


class AddMana(VerbForm, tag="add mana", frozen=True):
    """Adds mana to `who`'s pool: symbols ("{G}{G}"), or `choice` of colours ("any" or letters; "chosen", and of letters behind
    it; those of the identity of the player's "commander"; what the event "produced"; what is "producible" by the lands `of`
    some kind, with `any_type` colourless too; the colours "among" what `of` selects), `count` times, which may be "devotion"
    to the colour that is chosen.

    With `lasts` it stays in the pool as steps and phases end until that (500.4). It may be spent `only` on something;
    when it is spent on a spell that `on` describes, that spell has what `gives` says and `then` is done
    (current 106.6a, a triggered ability)."""

    mana: str = ""
    choice: str = ""
    count: Amount = 1
    different: bool = False
    of: Noun | None = None
    any_type: bool = False
    only: Spending | None = None
    on: Noun | None = None
    gives: tuple[Ability, ...] = ()
    then: Tree = ()
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    lasts: Literal["", "end of combat", "end of turn"] = ""


class CounterSpell(VerbForm, tag="counter", frozen=True):
    """Counters spells or abilities on the stack (701.5); `to` another zone instead of the graveyard."""

    what: Noun
    to: Zone = "graveyard"
    top: bool = False


class Effect(VerbForm, tag="effect", frozen=True):
    """Makes a continuous effect (611.2): what is selected now is modified for the duration; `following` keeps it open to
    whatever comes to fit (as rules about groups do, 611.2c: "creatures can't block this turn")."""

    what: Noun
    mods: tuple[AnyModification, ...]
    duration: Duration = "end of turn"
    following: bool = False


class Shield(VerbForm, tag="shield", frozen=True):
    """Makes a floating replacement or prevention effect (614, 615) with a duration and a number of uses (0: unlimited).

    `per` makes one for each thing selected, "it" inside the pattern meaning that thing (615.10); `source_choice` asks for a
    source of damage of that kind as it is made (609.7a), which the pattern finds as the binding "source".
    """

    effect: Replacement
    duration: Duration = "end of turn"
    uses: int = 0
    amount: Amount | None = None
    per: Noun | None = None
    source_choice: Noun | None = None


class RuleEffect(VerbForm, tag="rule effect", frozen=True):
    """Makes a rule about players, or a cost change, for a duration ("target player can't cast spells this turn")."""

    rule: PlayerRule | CostChange
    duration: Duration = "end of turn"


class Regenerate(VerbForm, tag="regenerate", frozen=True):
    """Makes a regeneration shield for each (701.12)."""

    what: Noun


class KeywordAction(VerbForm, tag="keyword action", frozen=True):
    """A keyword action (701) that stands for other instructions: `what` does it (explores, connives), or else each of `who`;
    `count` is its number, `kind` what it is of ("amass Orcs")."""

    action: Literal[
        "surveil",
        "investigate",
        "explore",
        "connive",
        "amass",
        "adapt",
        "bolster",
        "detain",
        "learn",
        "blight",
        "endure",
        "incubate",
        "evolve",  # done by its keyword, and told
        "train",
        "crew",
        "the Ring tempts",
        "gift",  # given, and told (current 702.174c)
    ]
    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    what: Noun | None = None
    kind: str = ""


class Proliferate(VerbForm, tag="proliferate", frozen=True):
    """Each of `who` proliferates (701.24)."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class TimeTravel(VerbForm, tag="time travel", frozen=True):
    """The controller time travels: a time counter more or less on any number of permanents controlled and suspended cards
    owned that have one (current 701.56a)."""


class Clash(VerbForm, tag="clash", frozen=True):
    """The controller clashes with an opponent (701.20); "won" is 1 for what follows if that player won."""


class BecomeMonarch(VerbForm, tag="become monarch", frozen=True):
    """`who` becomes the monarch."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class TakeInitiative(VerbForm, tag="take the initiative", frozen=True):
    """`who` takes the initiative (current 725)."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Venture(VerbForm, tag="venture", frozen=True):
    """Each of `who` ventures into the dungeon, or into one of a type (`into`, current 701.49)."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    into: str = ""


class Attach(VerbForm, tag="attach", frozen=True):
    """Attaches `what` to `to` (701.3); with `unattach` takes it off."""

    to: Noun | None = None
    what: Noun = msgspec.field(default_factory=lambda: Noun(THIS))


class Fight(VerbForm, tag="fight", frozen=True):
    """Two creatures fight (701.10 since September 2011); where they are `paired` each of those of `left` fights another one of
    those of `right`, as you choose, as far as there are some."""

    left: Noun
    right: Noun
    paired: bool = False


class ChooseWord(VerbForm, tag="choose", frozen=True):
    """`who` chooses a colour, type, name (of what `kind` describes), number or player, which is remembered for this object and the
    program."""

    what: Literal[
        "color",
        "colors",  # one or more of them
        "type",
        "permanent type",
        "creature type",
        "land type",
        "basic land type",
        "player",
        "opponent",
        "name",
        "number",
    ]
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    kind: Noun | None = None


class ExtraTurn(VerbForm, tag="extra turn", frozen=True):
    """Each of `who` takes an extra turn after this one (500.7)."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    count: Amount = 1


class ExtraPhase(VerbForm, tag="extra phase", frozen=True):
    """After this phase there is an additional combat phase, with `main` followed by a main phase (500.8)."""

    main: bool = True


class SkipNext(VerbForm, tag="skip", frozen=True):
    """Each of `who` skips the next such step, phase or turn (614.10)."""

    step: str
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class EndTurn(VerbForm, tag="end the turn", frozen=True):
    """Ends the turn (713 in July 2011), or with `combat` only the combat phase, if it is one (current 723.2)."""

    combat: bool = False


class Lose(VerbForm, tag="lose the game", frozen=True):
    """Each of `who` loses the game."""

    who: Noun


class Win(VerbForm, tag="win the game", frozen=True):
    """`who` wins the game."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class DrawGame(VerbForm, tag="draw the game", frozen=True):
    """The game is a draw."""


class Restart(VerbForm, tag="restart the game", frozen=True):
    """Restarts the game; what `leaving` selects stays in exile, and later instructions know it as "those cards" (714)."""

    leaving: Noun


class PlaySubgame(VerbForm, tag="play a subgame", frozen=True):
    """All play a game within the game, with their libraries as decks; later instructions know who did not win it (715)."""


class RemoveFromCombat(VerbForm, tag="remove from combat", frozen=True):
    """Removes creatures from combat (506.4)."""

    what: Noun


class CopySpell(VerbForm, tag="copy spell", frozen=True):
    """Copies a spell or ability on the stack, `excepting` what these modifications say (706.9); `who` controls the copies and may
    choose new targets (706.10). With `each` there is one for each other thing of that kind that it could target, which the copy
    targets (current 707.10d)."""

    what: Noun
    count: Amount = 1
    new_targets: bool = True
    excepting: tuple[AnyModification, ...] = ()
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    each: Noun | None = None


class DoubleX(VerbForm, tag="double X", frozen=True):
    """The X that was announced for spells and abilities on the stack becomes twice as much (107.3)."""

    what: Noun


class Emblem(VerbForm, tag="emblem", frozen=True):
    """`who` gets an emblem with these abilities (113)."""

    abilities: tuple[Ability, ...]
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    text: str = ""


class ChangeTargets(VerbForm, tag="change targets", frozen=True):
    """The targets of spells and abilities on the stack are changed, if that is legal: each to another chosen one, or with
    `to` one of them to that; with `optional` as the player likes (114.6)."""

    what: Noun
    to: Noun | None = None
    optional: bool = False


class Pair(VerbForm, tag="pair", frozen=True):
    """{this} becomes paired with a creature if both are unpaired creatures of the controller (current 702.95a, c)."""

    what: Noun


class Designate(VerbForm, tag="designate", frozen=True):
    """What is selected has a designation from now on, "saddled" until end of turn (renowned, monstrous: current 702.112b,
    current 701.37b); or has it `no_longer` (suspected: current 701.60a)."""

    what: Noun
    designation: Literal["renowned", "monstrous", "saddled", "suspected", "level-2", "level-3", "solved"]
    no_longer: bool = False


class TurnOver(VerbForm, tag="turn over", frozen=True):
    """What is selected has its other face up from now on: double-faced permanents `transform` (701.25), flip cards `flip`
    once and for all (709.4)."""

    what: Noun
    how: Literal["transform", "flip"]


class TurnFaceUp(VerbForm, tag="turn face up", frozen=True):
    """Face-down permanents that are selected are turned face up by the instruction, for nothing (707.7)."""

    what: Noun


class BecomeBlocked(VerbForm, tag="become blocked", frozen=True):
    """Attacking creatures become blocked, by no creature (509.1h)."""

    what: Noun


class Reselect(VerbForm, tag="reselect", frozen=True):
    """You choose anew which player or planeswalker each attacking creature attacks (current 508.7)."""

    what: Noun


class BecomeAttacking(VerbForm, tag="become attacking", frozen=True):
    """What is selected is attacking from now on, which it never attacked: a player or planeswalker that creatures of `of` attack, as
    you choose (current 508.4)."""

    what: Noun
    of: Noun


class AtOnce(VerbForm, tag="at once", frozen=True):
    """Several instructions to deal damage are one event ("1 damage to any target and 2 damage to another target")."""

    parts: tuple[Damage, ...]
