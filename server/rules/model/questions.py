"""What the game asks a player, and the answers it takes: about ten kinds, and a card never adds one.

A question is lazy until it is stored: a step yields an `Ask`-like question, the driver stores it as `State.pending` with
its complete list of legal answers. `server.rules.turn.legal` says which answers are legal, which one is the default, and draws
random legal ones. A *reference* (`Ref`) is an object id (positive) or a player, -1 for seat 0, -2 for seat 1 and so on.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, dataclass_transform

import msgspec

from server.cards.forms import Tree

REFERS: Final = "an object's id or a player"
"""By this the fields that hold references are told from those that hold numbers."""
Ref: TypeAlias = Annotated[int, REFERS]


def player_ref(seat: int) -> Ref:
    """The reference to the player in `seat`."""
    return -1 - seat


def seat_of(ref: Ref) -> int:
    """The seat of a player reference."""
    return -1 - ref


class Choice(msgspec.Struct, frozen=True, gc=False):
    """One thing to pick: an object or player (`ref`), or a word (a mode, colour, type, name, replacement effect).

    `word` identifies it to programs, `text` shows it to people (a key of the words catalogue or rules text).
    """

    ref: Ref = 0
    word: str = ""
    text: str = ""


class Action(msgspec.Struct, frozen=True, gc=False):
    """Something to do with priority or while paying: one entry for each object and way of casting or activating.

    `object` is the card, permanent or source (0: none); `ability` the index among its characteristics' abilities;
    `way` names the way to cast ("", "flashback", "face down" ...) or the special action; `mana` marks mana abilities; to "call" is to
    say that a paragraph triggers which the server does not read;
    `side` is which of its sides a card of several faces is cast or played as, 0 for itself.
    """

    type: Literal["pass", "play_land", "cast", "activate", "special", "call"]
    object: Ref = 0
    ability: int = -1
    way: str = ""
    mana: bool = False
    side: int = 0


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Question(msgspec.Struct, frozen=True, gc=False, tag_field="kind"):
    """The common base. `number` counts the questions of the game; `seat` answers; `for_seat` is whose choice it is (differs
    when that player is controlled by another one, 712.5); `source` is the object that asks (0: the rules); `purpose` a short key."""

    seat: int
    purpose: str = ""
    source: Ref = 0
    number: int = 0
    for_seat: int = -1

    @property
    def whose(self) -> int:
        """The seat whose choice it is, whoever makes it (712.5)."""
        return self.for_seat if self.for_seat >= 0 else self.seat


class PriorityQuestion(Question, tag="priority"):
    """Take one of `actions`; the first is always to pass (116)."""

    actions: tuple[Action, ...] = ()


class ChooseQuestion(Question, tag="choose"):
    """Pick between `least` and `most` different options, in order. `together`, if given, are the sets of which one
    must be picked whole... absent for ordinary choices."""

    options: tuple[Choice, ...] = ()
    least: int = 1
    most: int = 1


class ConfirmQuestion(Question, tag="confirm"):
    """Yes or no. `text` tells what about; `default` is what is answered for a player who does not."""

    text: str = ""
    default: bool = False


class NumberQuestion(Question, tag="number"):
    """A number between `least` and `most`."""

    least: int = 0
    most: int = 0


class OrderQuestion(Question, tag="order"):
    """Put all options into an order."""

    options: tuple[Choice, ...] = ()


class DivideQuestion(Question, tag="divide"):
    """Divide `amount` among the options, at least `least_each` to each."""

    amount: int = 0
    options: tuple[Choice, ...] = ()
    least_each: int = 0


class CanAttack(msgspec.Struct, frozen=True, gc=False):
    """A creature that can attack, and the players and planeswalkers that it can attack."""

    object: Ref
    defenders: tuple[Ref, ...]


class AttackersQuestion(Question, tag="attackers"):
    """Declare attackers (508.1): which creatures attack whom. `required` tells how many requirements a legal
    declaration must obey (508.1d)."""

    attackers: tuple[CanAttack, ...] = ()
    required: int = 0


class CanBlock(msgspec.Struct, frozen=True, gc=False):
    """A creature that can block, the attackers that it can block, and how many of them at once."""

    object: Ref
    attackers: tuple[Ref, ...]
    most: int = 1


class BlockersQuestion(Question, tag="blockers"):
    """Declare blockers (509.1, 802.4)."""

    blockers: tuple[CanBlock, ...] = ()
    required: int = 0


class Assigner(msgspec.Struct, frozen=True, gc=False):
    """A creature that assigns `power` combat damage among `options` in order; `lethal[i]` must be reached by option i
    before option i+1 gets any, where `ordered`; otherwise (edition `current`) before only the defender's share. The last `heads`
    options are players of one team, of whom only one gets any (810.7f)."""

    object: Ref
    power: int
    options: tuple[Ref, ...]
    lethal: tuple[int, ...]
    ordered: bool = True
    trample: bool = False
    heads: int = 0


class DamageQuestion(Question, tag="damage"):
    """Assign combat damage (510.1): all creatures together for which this player has a choice."""

    assigners: tuple[Assigner, ...] = ()


class PaymentQuestion(Question, tag="payment"):
    """Pay by hand (601.2f, g): activate one of the mana abilities, let the rest be paid automatically (0), or take the
    whole announcement back (-1)."""

    cost: str = ""
    actions: tuple[Action, ...] = ()
    can_auto: bool = False


class ActQuestion(Question, tag="act"):
    """A printed `text` that the server does not read resolves: do what it says, up to `left` acts more (608.2c)."""

    text: str = ""
    left: int = 0


AnyQuestion = (
    PriorityQuestion
    | ChooseQuestion
    | ConfirmQuestion
    | NumberQuestion
    | OrderQuestion
    | DivideQuestion
    | AttackersQuestion
    | BlockersQuestion
    | DamageQuestion
    | PaymentQuestion
    | ActQuestion
)

# --- answers ----------------------------------------------------------------------------------------------------------


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Answer(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="kind"):
    """The common base; the tag is that of the question it answers."""


class Take(Answer, tag="priority"):
    """The action at `index`; `manual` asks to pay its costs by hand."""

    index: int
    manual: bool = False


class Pick(Answer, tag="choose"):
    """Indices of the picked options, in order, none twice."""

    picks: tuple[int, ...]


class Confirm(Answer, tag="confirm"):
    """Yes or no."""

    yes: bool


class Number(Answer, tag="number"):
    """A number."""

    number: int


class Order(Answer, tag="order"):
    """A permutation of the options' indices."""

    order: tuple[int, ...]


class Divide(Answer, tag="divide"):
    """An amount for each option."""

    amounts: tuple[int, ...]


class Attackers(Answer, tag="attackers"):
    """Pairs (attacker index, defender index), and the bands (tuples of attacker indices, 702.20)."""

    attacks: tuple[tuple[int, int], ...] = ()
    bands: tuple[tuple[int, ...], ...] = ()


class Blockers(Answer, tag="blockers"):
    """Pairs (blocker index, attacker object id)."""

    blocks: tuple[tuple[int, int], ...] = ()


class AssignDamage(Answer, tag="damage"):
    """For each assigner an amount for each of its options."""

    amounts: tuple[tuple[int, ...], ...]


class Pay(Answer, tag="payment"):
    """0: pay the rest automatically; -1: take it back; n: the n-th mana ability (from 1)."""

    index: int


class Act(Answer, tag="act"):
    """One act, or with nothing to `do` that all is done. `said` is the line as it was typed, `named` what it calls by a name of its
    own ("$1"): (name without the sign, objects and players)."""

    do: Tree = ()
    said: str = ""
    named: tuple[tuple[str, tuple[Ref, ...]], ...] = ()


AnyAnswer = Take | Pick | Confirm | Number | Order | Divide | Attackers | Blockers | AssignDamage | Pay | Act
