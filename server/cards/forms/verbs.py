"""Verbs: the instructions of spells and abilities (608.2), in the order in which they are followed."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.cards.forms.abilities import Ability, Card, CostChange, Mode, PlayerRule, Replacement
from server.cards.forms.effects import AnyModification, Pattern
from server.cards.forms.parts import THIS, AnyCondition, Costs, Duration, Form, Spending
from server.cards.nouns import Amount, Noun, Zone

# --- verbs ------------------------------------------------------------------------------------------------------------


class VerbForm(Form, tag_field="do", frozen=True):
    """The common base of verbs: instructions of spells and abilities (608.2). `as_name` binds what it selected or made."""


class Damage(VerbForm, tag="damage", frozen=True):
    """`source` deals damage to what `to` selects; `divided` as its controller chooses at 601.2d, or with `to_each`
    the amount to each; `unpreventable` as 615.11."""

    amount: Amount
    to: Noun
    source: Noun = msgspec.field(default_factory=lambda: Noun(THIS))
    divided: bool = False
    unpreventable: bool = False


class Destroy(VerbForm, tag="destroy", frozen=True):
    """Destroys (701.6); with `no_regeneration` it can't be regenerated."""

    what: Noun
    no_regeneration: bool = False


class Move(VerbForm, tag="move", frozen=True):
    """Puts objects into a zone: exile, return to hand, onto the battlefield, on top or bottom of a library, shuffled in.

    `under` is who controls what enters the battlefield ("you", "owner"); `until` brings it back by a delayed effect when
    that duration ends; `link` remembers it for linked abilities of this object; `attacking`, `tapped`, `counter` say how it
    enters, attacking what `same_as` attacks or attacked; `face_down`; with `reveal` the cards are shown to all. `chosen` is
    remembered with the moved card as "the chosen creature"; `mark` is what the card is from then on ("plotted"). A double-faced
    card enters with its other face up if `transformed`; another card stays where it is.
    """

    what: Noun
    to: Zone
    bottom: bool = False
    position: int = 0
    shuffle: bool = False
    under: Noun | None = None
    tapped: bool = False
    attacking: bool = False
    counter: str = ""
    count: Amount = 1
    attached_to: Noun | None = None
    face_down: bool = False
    link: bool = False
    chosen: Noun | None = None
    same_as: Noun | None = None
    reveal: bool = False
    until: Literal["", "source leaves"] = ""
    mark: Literal["", "warped", "plotted", "foretold", "manifested", "cloaked"] = ""
    transformed: bool = False
    as_name: str = ""


class Sacrifice(VerbForm, tag="sacrifice", frozen=True):
    """Each of `who` sacrifices what `what` selects for that player (701.14); so `action` is done (exploiting, current 702.110b)."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    action: Literal["", "exploit"] = ""


class Discard(VerbForm, tag="discard", frozen=True):
    """Each of `who` discards: `count` cards (chosen by that player, `random`ly, or by `chooser`), of a kind, or the whole hand;
    with `up_to` as many of them as is liked (-1: any number)."""

    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    what: Noun | None = None
    random: bool = False
    all: bool = False
    up_to: bool = False
    chooser: Noun | None = None


class Draw(VerbForm, tag="draw", frozen=True):
    """Each of `who` draws cards, one after the other (120.2)."""

    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Mill(VerbForm, tag="mill", frozen=True):
    """Each of `who` puts the top cards of the library into the graveyard."""

    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class GainLife(VerbForm, tag="gain life", frozen=True):
    """Each of `who` gains life."""

    amount: Amount
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class LoseLife(VerbForm, tag="lose life", frozen=True):
    """Each of `who` loses life (not damage)."""

    amount: Amount
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class SetLife(VerbForm, tag="set life", frozen=True):
    """Each of `who`'s life total becomes the amount, by gaining or losing (118.5)."""

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
    """Moves counters from one object to another (121.5): so many of a kind, or `all`; "" is every kind."""

    source: Noun
    to: Noun
    counter: str = ""
    count: Amount = 1
    all: bool = False


class DoubleCounters(VerbForm, tag="double counters", frozen=True):
    """As many counters of a kind ("" each kind) as are on each object are put on it (current 701.10e)."""

    what: Noun
    counter: str = ""


class RemoveDamage(VerbForm, tag="remove damage", frozen=True):
    """Removes all damage marked on permanents (119.6)."""

    what: Noun


class Tap(VerbForm, tag="tap", frozen=True):
    """Taps, or with `untap` untaps; `either` lets the player choose which."""

    what: Noun
    untap: bool = False
    either: bool = False


class CreateToken(VerbForm, tag="create", frozen=True):
    """Each of `who` puts tokens onto the battlefield (110.5); or copies of what `copy_of` selects,
    `excepting` what these modifications say (706.9). With `whom` they attack that player or a planeswalker of that player; they
    are `blocking` what that selects (509.7)."""

    token: Card | None = None
    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    tapped: bool = False
    attacking: bool = False
    whom: Noun | None = None
    blocking: Noun | None = None
    copy_of: Noun | None = None
    power: Amount | None = None
    toughness: Amount | None = None
    attached_to: Noun | None = None
    as_name: str = ""
    excepting: tuple[AnyModification, ...] = ()


class AddMana(VerbForm, tag="add mana", frozen=True):
    """Adds mana to `who`'s pool: symbols ("{G}{G}"), or `choice` of colours ("any" or letters; what the event "produced"; what
    is "producible" by the lands `of` some kind, with `any_type` colourless too; the colours "among" what `of` selects), `count` times.

    With `lasts` it stays in the pool as steps and phases end until that (500.4). It may be spent `only` on something; when it is spent on a spell that `on` describes, that spell has what `gives` says and
    `then` is done (current 106.6a, a triggered ability)."""

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


class Search(VerbForm, tag="search", frozen=True):
    """`who` searches zones of `whose` for up to (hidden zone, 701.15b) `count` cards of a kind (-1: any number) and puts them
    somewhere; then shuffles. Of `every` one of a kind those in zones that all see must be found (701.15b). With `to` "found" they
    stay where they are and are known as "looked" to what follows."""

    what: Noun
    to: Zone | Literal["found"] = "hand"
    count: Amount = 1
    every: bool = False
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    whose: Noun | None = None
    places: tuple[Zone, ...] = ("library",)
    tapped: bool = False
    reveal: bool = False
    top: bool = False
    shuffle: bool = True
    as_name: str = ""


class Shuffle(VerbForm, tag="shuffle", frozen=True):
    """Each of `who` shuffles the library."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Look(VerbForm, tag="look", frozen=True):
    """`who` looks at (or with `reveal` all see) what is selected: top cards, a hand. Later instructions know the cards as
    "looked", and those of them that are still where they were as "rest"; so too after `Mill`."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    reveal: bool = False
    as_name: str = ""


class RevealHand(VerbForm, tag="reveal hand", frozen=True):
    """Each of `who` reveals the hand; later instructions know the cards as "looked"."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Pick(VerbForm, tag="pick", frozen=True):
    """`who` chooses among what is selected and binds it as `as_name`; the rest is bound as "rest"."""

    what: Noun
    least: Amount = 1
    most: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    random: bool = False
    as_name: str = "it"


class Separate(VerbForm, tag="separate", frozen=True):
    """One of `who` separates what is selected into two piles (700.3) and `chooser` chooses one of them, which is bound as "pile",
    the other as "rest"."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    chooser: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Scry(VerbForm, tag="scry", frozen=True):
    """Each of `who` scries (701.18)."""

    count: Amount
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


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
    ]
    count: Amount = 1
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    what: Noun | None = None
    kind: str = ""


class Proliferate(VerbForm, tag="proliferate", frozen=True):
    """Each of `who` proliferates (701.24)."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Clash(VerbForm, tag="clash", frozen=True):
    """The controller clashes with an opponent (701.20); "won" is 1 for what follows if that player won."""


class Again(VerbForm, tag="again", frozen=True):
    """The whole program is followed once more ("repeat this process")."""


class Vote(VerbForm, tag="vote", frozen=True):
    """Each player votes for one of the words, the controller first; "WORD votes" is how many votes each got."""

    options: tuple[str, ...]


class BecomeMonarch(VerbForm, tag="become monarch", frozen=True):
    """`who` becomes the monarch."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Reorder(VerbForm, tag="reorder", frozen=True):
    """`who` puts what is selected back on top (or bottom) of its library in any order, or with `random` in a random one."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    bottom: bool = False
    random: bool = False


class Attach(VerbForm, tag="attach", frozen=True):
    """Attaches `what` to `to` (701.3); with `unattach` takes it off."""

    to: Noun | None = None
    what: Noun = msgspec.field(default_factory=lambda: Noun(THIS))


class Fight(VerbForm, tag="fight", frozen=True):
    """Two creatures fight (701.10 since September 2011)."""

    left: Noun
    right: Noun


class ChooseWord(VerbForm, tag="choose", frozen=True):
    """`who` chooses a colour, type, name, number or player, which is remembered for this object and the program."""

    what: Literal[
        "color", "type", "creature type", "land type", "basic land type", "player", "opponent", "name", "number"
    ]
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class FlipCoin(VerbForm, tag="flip", frozen=True):
    """`who` flips a coin and calls it: `won` or `lost` is done (705)."""

    won: Tree = ()
    lost: Tree = ()
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    count: int = 1


class Row(Form, frozen=True):
    """What is done at results from `least` to `most` of a die."""

    least: int
    most: int
    do: Tree


class RollDie(VerbForm, tag="roll", frozen=True):
    """Rolls a die (706 of the current edition) and follows the row of the table that has the result; "that much" and "the
    result" of later instructions are the result."""

    sides: int = 6
    rows: tuple[Row, ...] = ()


class If(VerbForm, tag="if", frozen=True):
    """If the condition holds, `then`; else `otherwise`. With `trailing` the condition stands behind, and "it" is what `then`
    names first ("destroy target creature if it's tapped")."""

    condition: AnyCondition
    then: Tree
    otherwise: Tree = ()
    trailing: bool = False


class InsteadIf(VerbForm, tag="instead if", frozen=True):
    """`first`, but if the condition holds `instead` of it (614.15), which may speak of what `first` would have been done to."""

    first: Tree
    condition: AnyCondition
    instead: Tree


class May(VerbForm, tag="may", frozen=True):
    """`who` may do `then`, having paid `cost` (`times` over) if there is one; else (or if it can't be done) `otherwise`."""

    then: Tree = ()
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    cost: Costs = ()
    otherwise: Tree = ()
    times: Amount = 1


class Unless(VerbForm, tag="unless", frozen=True):
    """`then` happens unless one of `who` pays the cost, `times` over (117.12)."""

    cost: Costs
    then: Tree
    who: Noun = msgspec.field(default_factory=lambda: Noun("its controller"))
    times: Amount = 1


class ForEach(VerbForm, tag="for each", frozen=True):
    """For each thing that `of` selects, `then` with "it" meaning that thing; with `times` so often."""

    then: Tree
    of: Noun | None = None
    times: Amount = 1


class Either(VerbForm, tag="either", frozen=True):
    """`who` chooses one of several programs as the instruction is followed (not a mode)."""

    options: tuple[Mode, ...]
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class Delayed(VerbForm, tag="delayed", frozen=True):
    """Makes a delayed triggered ability (603.7): `when` it happens (`once`, or all the while of `duration`), `then`."""

    when: tuple[Pattern, ...]
    then: Tree
    once: bool = True
    duration: Duration = "forever"
    text: str = ""


class Reflexive(VerbForm, tag="when you do", frozen=True):
    """A reflexive trigger: an ability with own targets that triggers on the instruction just done."""

    then: Tree
    text: str = ""


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
    """Ends the turn (713 in July 2011)."""


class Lose(VerbForm, tag="lose the game", frozen=True):
    """Each of `who` loses the game."""

    who: Noun


class Win(VerbForm, tag="win the game", frozen=True):
    """`who` wins the game."""

    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))


class DrawGame(VerbForm, tag="draw the game", frozen=True):
    """The game is a draw."""


class RemoveFromCombat(VerbForm, tag="remove from combat", frozen=True):
    """Removes creatures from combat (506.4)."""

    what: Noun


class Exchange(VerbForm, tag="exchange", frozen=True):
    """Exchanges control of two permanents, or life totals of two players (both selected by `left` if there is no `right`), or with "zones" a permanent with a card elsewhere
    that its controller picks (701.8)."""

    left: Noun
    right: Noun | None = None
    what: Literal["control", "life", "zones"] = "control"


class CopySpell(VerbForm, tag="copy spell", frozen=True):
    """Copies a spell or ability on the stack, `excepting` what these modifications say (706.9); the controller may choose new
    targets (706.10)."""

    what: Noun
    count: Amount = 1
    new_targets: bool = True
    excepting: tuple[AnyModification, ...] = ()


class Bind(VerbForm, tag="bind", frozen=True):
    """Gives a name to a selection or an amount for later instructions ("where X is ...": name "X")."""

    as_name: str
    what: Noun | None = None
    amount: Amount | None = None


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
    current 701.37b)."""

    what: Noun
    designation: Literal["renowned", "monstrous", "saddled"]


class TurnOver(VerbForm, tag="turn over", frozen=True):
    """What is selected has its other face up from now on: double-faced permanents `transform` (701.25), flip cards `flip`
    once and for all (709.4)."""

    what: Noun
    how: Literal["transform", "flip"]


class AtOnce(VerbForm, tag="at once", frozen=True):
    """Several instructions to deal damage are one event ("1 damage to any target and 2 damage to another target")."""

    parts: tuple[Damage, ...]


class BecomeBlocked(VerbForm, tag="become blocked", frozen=True):
    """Attacking creatures become blocked, by no creature (509.1h)."""

    what: Noun


class Reselect(VerbForm, tag="reselect", frozen=True):
    """You choose anew which player or planeswalker each attacking creature attacks (current 508.7)."""

    what: Noun


class PhaseOut(VerbForm, tag="phase out", frozen=True):
    """Permanents phase out (702.24)."""

    what: Noun


class PlayCard(VerbForm, tag="play", frozen=True):
    """`who` may cast what is selected (with `lands` play it), `free` without paying its mana cost, in a `way` ("madness"),
    as this resolves; only spells of the `kind`; at most `most` of it, or with `total` no more than that mana value together. `gives` are abilities that
    the spells have; with `copies` copies of the cards are cast."""

    what: Noun
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    free: bool = False
    way: str = ""
    lands: bool = False
    most: int = 0
    total: Amount | None = None
    kind: Noun | None = None
    gives: tuple[Ability, ...] = ()


class TakeUntil(VerbForm, tag="take until", frozen=True):
    """`who` moves cards from the top of the library to a zone (shown to all; with "library" they are only revealed) until so
    many are what `what` describes, with a mana value less than `below` if that is given; these are bound as `as_name`, the
    others as "rest"."""

    what: Noun
    to: Zone = "exile"
    who: Noun = msgspec.field(default_factory=lambda: Noun("you"))
    below: Amount | None = None
    as_name: str = "found"


Verb = (
    AtOnce
    | BecomeBlocked
    | Reselect
    | TakeUntil
    | Damage
    | Destroy
    | Move
    | Sacrifice
    | Discard
    | Draw
    | Mill
    | GainLife
    | LoseLife
    | SetLife
    | PutCounters
    | RemoveCounters
    | MoveCounters
    | DoubleCounters
    | RemoveDamage
    | Tap
    | CreateToken
    | AddMana
    | CounterSpell
    | Effect
    | Shield
    | RuleEffect
    | Regenerate
    | Search
    | Shuffle
    | Look
    | Pick
    | RevealHand
    | Separate
    | Scry
    | KeywordAction
    | Proliferate
    | Clash
    | Again
    | Vote
    | BecomeMonarch
    | Reorder
    | Attach
    | Fight
    | ChooseWord
    | FlipCoin
    | RollDie
    | If
    | InsteadIf
    | May
    | Unless
    | ForEach
    | Either
    | Delayed
    | Reflexive
    | ExtraTurn
    | ExtraPhase
    | SkipNext
    | EndTurn
    | Lose
    | Win
    | DrawGame
    | RemoveFromCombat
    | Exchange
    | CopySpell
    | Bind
    | Emblem
    | PhaseOut
    | Designate
    | TurnOver
    | Pair
    | ChangeTargets
    | Designate
    | PlayCard
)

Tree = tuple[Verb, ...]
