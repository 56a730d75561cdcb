"""Everything that happens: proposed, perhaps replaced, done, then seen by triggers.

All have the same five parts, so that patterns read them alike: `subject` is what it is about, `object` the other thing, `by` its
source, `amount`, `cause`. Composite ones (destroy ...) are expanded before a batch is done at once."""

from __future__ import annotations

from typing import Any

from server.cards.forms import AddMana as AddManaVerb
from server.cards.forms import Duration
from server.cards.nouns import Zone
from server.rules.definitions import Definition
from server.rules.model.questions import Ref
from server.rules.model.state import (
    NO_MANA,
    Counters,
    DelayedTrigger,
    Entry,
    Floating,
    LastKnown,
    Marked,
    Pool,
    Step,
    Struct,
    Triggered,
)


class Event(Struct, tag_field="event"):
    """The common base; see the module."""

    subject: Ref = 0
    object: Ref = 0
    by: Ref = 0
    amount: int = 0
    cause: str = ""


class Move(Event, tag="move"):
    """An object changes zones (400.7). `subject` 0 with a `definition`: a token, copy or emblem begins to exist.

    `position`: in a library, 0 the top, -1 the bottom. `controller`: a seat, -1 its owner. `counters`, `tapped`, `face_down`,
    `attach_to`, `attacking`, `blocking` (in the order in front of the blocker `ahead`), `chosen`, `copy` say how it enters, melded
    with the card `object` (current 701.42a); `order` in which a merged permanent's components come. Done, `became` is the new id
    (`others` those of its other components), `from_` whence it came, `last` what it was; a card drawn is its player's `nth` this turn."""

    to: Zone = "graveyard"
    from_: str = ""
    controller: int = -1
    owner: int = -1
    position: int = 0
    tapped: bool = False
    counters: Counters = ()
    face_down: bool = False
    attach_to: Ref = 0
    attacking: Ref = 0
    blocking: Ref = 0
    ahead: Ref = 0
    chosen: tuple[tuple[str, str], ...] = ()
    definition: Definition | None = None
    entry: Entry | None = None
    reveal: bool = False
    linked_to: Ref = 0
    became: Ref = 0
    order: tuple[int, ...] = ()
    others: tuple[Ref, ...] = ()
    last: LastKnown | None = None
    name: str = ""
    nth: int = 0


class Mutates(Event, tag="mutates"):
    """The spell `object` merges with the permanent `subject`, put on top of it or `under` it (current 702.140c, current 729.2)."""

    under: bool = False


class CreateTokens(Event, tag="create"):
    """`subject` (a player) puts `amount` tokens of a definition onto the battlefield."""

    definition: Definition | None = None
    tapped: bool = False
    attacking: Ref = 0
    blocking: Ref = 0
    ahead: Ref = 0
    attach_to: Ref = 0
    name: str = ""


class Draw(Event, tag="draw"):
    """`subject` (a player) draws a card (120)."""


class DrawSeveral(Event, tag="draw several"):
    """`subject` (a player) draws `amount` cards, two or more, one after the other (120.2)."""


class Destroy(Event, tag="destroy"):
    """`subject` is destroyed (701.6)."""

    no_regeneration: bool = False


class Countered(Event, tag="countered"):
    """`subject`, a spell or ability on the stack, is countered (701.5)."""

    to: Zone = "graveyard"
    position: int = 0


class Shuffle(Event, tag="shuffle"):
    """`subject` (a player) shuffles the library, then puts `top` on top; of `cards` shuffled in, one must have come there (701.16d)."""

    top: tuple[Ref, ...] = ()
    cards: tuple[Ref, ...] = ()


class Reveal(Event, tag="reveal"):
    """Cards are shown to `seats` (a mask; all seats: revealed, 701.13)."""

    objects: tuple[Ref, ...] = ()
    seats: int = 0


class SetLibrary(Event, tag="arrange"):
    """`subject`'s library gets this order (scry, putting cards back in any order); the last is the top."""

    objects: tuple[Ref, ...] = ()


class SearchLibrary(Event, tag="search"):
    """`subject` (a player) searches a library (`object`: whose)."""


class Scried(Event, tag="scry"):
    """`subject` (a player) has scried."""


class KeywordAction(Event, tag="keyword action"):
    """`subject`, an object or player, does the keyword action that `cause` names, `amount` its number (701)."""


class LandPlayed(Event, tag="land played"):
    """`subject` (a player) plays `object`, a land."""


# --- damage, life, counters ----------------------------------------------------------------------------------------------


class Damage(Event, tag="damage"):
    """`subject`, the source, deals `amount` damage to `object` (119.4a). `by` is the spell or ability that says so."""

    combat: bool = False
    unpreventable: bool = False


class Prevented(Event, tag="prevented"):
    """`amount` damage that `subject`, the source, would have dealt to `object` was prevented by `by`'s effect (615)."""


class DamageHappened(Event, tag="damage happened"):
    """The damage event has happened: its results before this one are all done, at once (119.4c)."""


class MarkDamage(Event, tag="mark"):
    """`amount` damage is marked on `subject` by `by` (119.3e)."""

    deathtouch: bool = False


class Deathtouched(Event, tag="deathtouched"):
    """`subject` was dealt damage by a source with deathtouch that marks none (702.2b)."""


class GainLife(Event, tag="life gain"):
    """`subject` (a player) gains life; the total is so much more than by this as shares of it were `rounded` up (2009 806.9b)."""

    rounded: int = 0


class LoseLife(Event, tag="life loss"):
    """`subject` (a player) loses life; `cause` "damage", "pay" or ""; `rounded` as in `GainLife`."""

    rounded: int = 0


class PutCounters(Event, tag="counters put"):
    """`amount` counters of a kind are put on `subject`, an object or player."""

    counter: str = ""


class RemoveCounters(Event, tag="counters removed"):
    """`amount` counters of a kind are removed from `subject`."""

    counter: str = ""


class AddMana(Event, tag="mana added"):
    """`subject` (a player) gets mana, `tapped` for (106.10), with a `verb` or `kinds` `Marked`; `used` of it is spent at once."""

    mana: Pool = NO_MANA
    tapped: bool = False
    verb: AddManaVerb | None = None
    kinds: tuple[str, ...] = ()
    used: Pool = NO_MANA


class SpendMana(Event, tag="mana spent"):
    """`subject` (a player) pays mana, plain and (by places) marked, in all `total`, `riders` marked, for the spell `object` or 0."""

    mana: Pool = NO_MANA
    marked: tuple[int, ...] = ()
    total: Pool = NO_MANA
    riders: tuple[Marked, ...] = ()


# --- permanents ------------------------------------------------------------------------------------------------------------


class Tap(Event, tag="tap"):
    """`subject` becomes tapped."""


class Untap(Event, tag="untap"):
    """`subject` becomes untapped."""


class Attach(Event, tag="attached"):
    """`subject` becomes attached to `object` (0: unattached), 701.3."""


class ControlChanged(Event, tag="control changed"):
    """`object` (a player) has come to control `subject`; noticed by `settle`."""


class RemoveDamage(Event, tag="damage removed"):
    """All damage marked on `subject` is removed."""


class Regenerated(Event, tag="regenerated"):
    """`subject` regenerates: tapped, its damage removed, removed from combat (701.12)."""


class RemovedFromCombat(Event, tag="removed from combat"):
    """`subject` is removed from combat (506.4)."""


class Chosen(Event, tag="chosen"):
    """For `subject` a word was chosen: `what` ("color") is `value`."""

    what: str = ""
    value: str = ""


class Acted(Event, tag="acted"):
    """`subject` does an act of a text by hand of `by`, in the words `said`."""

    said: str = ""


class Paired(Event, tag="paired"):
    """`subject` becomes paired with `object`, and that with it; with nothing, unpaired (current 702.95b, e)."""


class Designated(Event, tag="designated"):
    """`subject` is `cause` from now on ("monstrous", "renowned", "saddled")."""


class TurnedOver(Event, tag="turned over"):
    """`subject` has its other face up, `definition`: it was transformed (701.25) or flipped (709), as `cause` says."""

    definition: Definition | None = None


class PhaseOut(Event, tag="phased out"):
    """`subject` phases out (702.24), indirectly if `object` is what it is attached to."""


class PhaseIn(Event, tag="phased in"):
    """`subject` phases in."""


class TurnFaceUp(Event, tag="turned face up"):
    """`subject` is turned face up (707)."""


class UsedPermission(Event, tag="permission used"):
    """A permission of `subject` to play cards, which is limited to so many a turn, was used; `cause` is its name."""


class EvidenceCollected(Event, tag="evidence collected"):
    """`subject` (a player) has collected evidence (current 701.59)."""


class Expended(Event, tag="expended"):
    """`subject` (a player) has spent mana: `amount` in all this turn, `before` until then (current 700.14)."""

    before: int = 0


class Crime(Event, tag="crime"):
    """`subject` (a player) has aimed `object`, a spell or ability, at an opponent or what is an opponent's (current 700.13)."""


class UsedAbility(Event, tag="ability used"):
    """The ability at `amount` of `subject` was activated this turn; `loyalty` if it was a loyalty ability (606.3)."""

    loyalty: bool = False


# --- the stack, combat --------------------------------------------------------------------------------------------------


class Cast(Event, tag="cast"):
    """`subject` (a player) has cast `object`, a spell (601.2h)."""


class Activated(Event, tag="activated"):
    """`subject` (a player) has activated an ability of `by`; `object` is the one on the stack (0: a mana ability)."""

    loyalty: bool = False


class AbilityOnStack(Event, tag="ability on stack"):
    """An ability of `by` is put on the stack by `subject` (a player); done, `object` is its id."""

    entry: Entry | None = None
    definition: Definition | None = None


class BecameTarget(Event, tag="becomes target"):
    """`subject` became the target of `object`, a spell or ability on the stack."""


class Announced(Event, tag="announced"):
    """`subject`, on the stack, has chosen what `entry` says."""

    entry: Entry | None = None


class TriggeredAbilities(Event, tag="ability triggered"):
    """Abilities have triggered, or with `waiting` replaced what still waits for the stack."""

    waiting: tuple[Triggered, ...] = ()


class AttackersDeclared(Event, tag="attackers declared"):
    """`subject` (a player) declared `amount` attackers: pairs of creature and what it attacks, with band numbers."""

    attacks: tuple[tuple[int, Ref, int], ...] = ()


class Attacks(Event, tag="attacks"):
    """`subject` attacks `object`; `amount` creatures were declared in all."""


class BlockersDeclared(Event, tag="blockers declared"):
    """`subject` (a player) declared blockers: pairs of blocker and attacker."""

    blocks: tuple[tuple[int, int], ...] = ()


class Blocks(Event, tag="blocks"):
    """`subject` blocks `object`; `amount` is how many attackers it blocks."""


class BecomesBlocked(Event, tag="becomes blocked"):
    """`subject` becomes blocked; `amount` creatures block it; `object` is the blocker where the grain is each."""


class BecomesUnblocked(Event, tag="becomes unblocked"):
    """`subject` attacks and isn't blocked (509.1h)."""


class DamageOrder(Event, tag="damage order"):
    """The damage assignment order of `subject` is announced (509.2, 509.3)."""

    order: tuple[Ref, ...] = ()


# --- turn and game -----------------------------------------------------------------------------------------------------------


class StepEntered(Event, tag="step entered"):
    """The game goes on to a step, before its turn-based actions; only told, nothing triggers on it."""

    step: Step = "untap"


class StepBegins(Event, tag="step"):
    """A step has begun in the turn of `subject` (a player), its turn-based actions done: what triggers then does so (500.6, 504.2)."""

    step: Step = "untap"


class Loses(Event, tag="player loses"):
    """`subject` (a player) loses the game (104.3); `cause` tells why."""


class Wins(Event, tag="player wins"):
    """`subject` (a player) wins the game (104.2)."""


class GameDrawn(Event, tag="game drawn"):
    """The game is a draw (104.4)."""


class Restarts(Event, tag="restart"):
    """The game ends with no result and begins anew with `subject` (a player); `objects` stay in exile (714.1, 714.5)."""

    objects: tuple[Ref, ...] = ()


class Subgame(Event, tag="subgame"):
    """A subgame of `subject` (a player) begins (715.1a), or with `cause` "over" has ended (715.5)."""


class ExtraTurn(Event, tag="extra turn"):
    """`subject` (a player) will take an extra turn after this one (500.7)."""


class ExtraPhase(Event, tag="extra phase"):
    """An additional combat phase (and main phase) follows (500.8)."""

    main: bool = True


class Skip(Event, tag="skip"):
    """`subject` (a player) will skip the next such step, phase or turn (614.10)."""

    step: str = ""


class MakeEffect(Event, tag="effect"):
    """A continuous, replacement, prevention or rule effect begins (611.2)."""

    effect: Floating | None = None


class MakeDelayed(Event, tag="delayed"):
    """A delayed triggered ability begins to wait (603.7)."""

    trigger: DelayedTrigger | None = None


class EndEffects(Event, tag="effects end"):
    """Effects and delayed triggers with these ids end; nobody is told more than that."""

    ids: tuple[int, ...] = ()
    until: Duration | None = None


class CoinFlipped(Event, tag="coin flipped"):
    """`subject` (a player) flipped a coin; `cause` "won" or "lost"."""


class DieRolled(Event, tag="die rolled"):
    """`subject` (a player) rolled `amount`."""


class Mulligan(Event, tag="mulligan"):
    """`subject` (a player) takes a mulligan, or with `cause` "kept" keeps the hand."""


class Ceases(Event, tag="ceases"):
    """`subject` ceases to exist: an ability that left the stack, a token elsewhere than on the battlefield (704.5d)."""


class UpdateEffect(Event, tag="effect updated"):
    """A floating effect has been used: fewer uses (below zero: spent), a smaller amount (zero: spent)."""

    effect: Floating | None = None


class FlipCoin(Event, tag="flip"):
    """`subject` (a player) flips a coin; chance decides as it is done (705)."""


class RollDie(Event, tag="roll"):
    """`subject` (a player) rolls a die of `amount` sides; chance decides as it is done."""


class PickAtRandom(Event, tag="random"):
    """`amount` of `objects` are picked at random; the state's `results` hold them."""

    objects: tuple[Ref, ...] = ()


class DrawFromEmpty(Event, tag="draw from empty"):
    """`subject` (a player) tried to draw from an empty library (120.4)."""


class SetTurn(Event, tag="turn"):
    """Bookkeeping of the turn structure: these fields of the state are set. Nothing triggers on it."""

    fields: tuple[tuple[str, Any], ...] = ()
