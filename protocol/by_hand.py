"""Messages of what a table does by hand: corrections, other words, objections to acts, and the ballots about all of them."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from protocol.base import SeatNumber, Sent, Step, Told
from protocol.questions import ObjectId, QuestionId, Text

# --- what a correction changes --------------------------------------------------------------------------------------


class LifeChange(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="life"):
    """A player's life total is to be that."""

    seat: SeatNumber
    to: Annotated[int, Meta(ge=-10_000, le=10_000)]


class CountersChange(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", tag="counters"
):
    """So many counters of a kind are to be on an object or, with a `seat`, on a player."""

    counter: Annotated[str, Meta(min_length=1, max_length=40)]
    to: Annotated[int, Meta(ge=0, le=10_000)]
    object: ObjectId = ""
    seat: SeatNumber | UnsetType = UNSET


class DamageChange(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="damage"):
    """So much damage is to be marked on a permanent."""

    object: ObjectId
    to: Annotated[int, Meta(ge=0, le=10_000)]


class TappedChange(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="tapped"):
    """A permanent is to be tapped, or untapped."""

    object: ObjectId
    to: bool


class MoveChange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", tag="move"):
    """An object is to be in that zone of its owner's; in a library on top, or at the `bottom`."""

    object: ObjectId
    to: Literal["battlefield", "graveyard", "exile", "hand", "library", "command"]
    bottom: bool = False


class TokenChange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", tag="token"):
    """A player is to have `count` tokens more: as a `line` says in rules English ("a 4/4 white Angel creature token with flying"), or
    each a copy of the permanent `object`; one of the two.
    """

    seat: SeatNumber
    line: Annotated[str, Meta(max_length=300)] = ""
    object: ObjectId = ""
    count: Annotated[int, Meta(ge=1, le=20)] = 1


class GoneChange(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="gone"):
    """A token is to be no more, or a spell or ability is to be off the stack without resolving: a card goes to its owner's graveyard."""

    object: ObjectId


class TurnChange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", tag="turn"):
    """It is to be that step (absent: the one it is) of the turn of that player (absent: whose it is), with nothing on the stack; who
    is active then has priority.
    """

    step: Step | UnsetType = UNSET
    seat: SeatNumber | UnsetType = UNSET


class BackChange(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="back"):
    """The game goes back to before that question was answered: one that `moments` lists. With no other change beside it."""

    question: QuestionId


Change: TypeAlias = (
    LifeChange
    | CountersChange
    | DamageChange
    | TappedChange
    | MoveChange
    | TokenChange
    | GoneChange
    | TurnChange
    | BackChange
)
Changes: TypeAlias = Annotated[tuple[Change, ...], Meta(max_length=200)]


# --- client to server -----------------------------------------------------------------------------------------------


class Correct(Sent, frozen=True, tag="correct"):
    """Propose, in rooms that play by hand: the table is mended. Nothing happens by it (no event, no trigger); then
    state-based actions are checked. It is done when somebody has priority next. In a room with `by_hand` "open" there may be more
    changes at once than 20, and more corrections than five of a seat in a turn.
    """

    changes: Annotated[Changes, Meta(min_length=1)]


class Reword(Sent, frozen=True, tag="reword"):
    """Propose, in rooms that play by hand: a paragraph by hand of this object's card is said in other words, which the server
    reads, for the rest of the game. `text` is the paragraph, absent for the only one. Before the game `card` is the name of a card of
    my own deck, instead of an `object`.
    """

    object: ObjectId = ""
    line: Annotated[str, Meta(max_length=600)] = ""
    text: Annotated[str, Meta(max_length=4000)] = ""
    card: Annotated[str, Meta(max_length=200)] = ""


class TakeUp(Sent, frozen=True, tag="take_up"):
    """Propose, in a frozen room that plays by hand: the game goes on from the last state that was good. `skip`: without the step that
    failed, which is what is on top of the stack, what is being done, or the step of the turn; otherwise it is tried once more. `changes`
    are made before, as in `correct`.
    """

    skip: bool = False
    changes: Changes = ()


class Agree(Sent, frozen=True, tag="agree"):
    """What I say on a ballot. To an act a no is an objection. Who proposed something withdraws it by a no, also while it waits to be
    done; until a ballot is over, what one has said may be changed.
    """

    ballot: Annotated[str, Meta(max_length=32)]
    yes: bool = True


class Moments(Sent, frozen=True, tag="moments"):
    """To which moments of this turn and the last may a correction go back? Reply: `moments`."""


class Paragraphs(Sent, frozen=True, tag="paragraphs"):
    """Before the game: what is by hand in my deck, and could be said in other words? Reply: `paragraphs`."""


# --- server to client -----------------------------------------------------------------------------------------------


class Ballot(Told, frozen=True, tag="ballot"):
    """Something is done by hand or proposed, or what people say of it has changed. `what` is act, correct, reword or take_up; `by` a
    seat; `changes` say what would be so, or what is done.

    A proposal passes with `need` in `yes`, all whose it takes, and fails when that cannot come any more or after `left_ms`. Passed,
    with nobody in `waiting`, it may have to wait for somebody's priority (`left_ms` absent) and can be withdrawn until then.

    An act can be objected to for `left_ms`, by `agree` with a no. It is done already, or `held` until then, because it shows something
    that going back could not take away. From the first objection on the game and its clocks stand (`stands`), those in `waiting` are
    asked, and it is undone when `need` are in `no`: more than half of all others in the game, bots and who is away being for it.

    `result`, once it is over: passed (an act stands), failed (an act is undone) or withdrawn. `spent` are the seats that have lost
    so many objections in this turn that they have none left.
    """

    ballot: str
    what: str
    by: int
    yes: list[int] = []
    no: list[int] = []
    waiting: list[int] = []
    need: int = 0
    left_ms: int = 0
    held: bool = False
    stands: bool = False
    result: str = ""
    changes: list[Text] = []
    spent: list[int] = []


class Moment(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A moment to go back to: before `seat` answered `question`, in that `turn` and `step` of the `active` player; `kind` and
    `purpose` are those of the question, `source` the name of what asked (absent: nothing, or not public).
    """

    question: str
    seat: int
    turn: int
    active: int
    step: str
    kind: str
    purpose: str = ""
    source: str = ""


class MomentsTold(Told, frozen=True, tag="moments"):
    """Reply to `moments`, the latest first."""

    moments: list[Moment] = []


class Paragraph(Struct, frozen=True, kw_only=True):
    """A paragraph by hand: the `card`'s name, the printed `text`."""

    card: str
    text: str


class ParagraphsTold(Told, frozen=True, tag="paragraphs"):
    """Reply to `paragraphs`, in the order of the deck."""

    paragraphs: list[Paragraph] = []


class Rewording(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Other words for a paragraph of a card, before the game: how they are `read`, who proposed them and whose yes is missing; with
    nobody in `waiting` the game begins with them. `ballot` is what `agree` names; a no takes them away.
    """

    ballot: str
    card: str
    text: str
    line: str
    read: str
    by: int
    waiting: list[int] = []
