"""Questions to a seat and the answers to them: about ten kinds; a card never adds one.

A question lists all legal answers, so that a client needs no rules of its own. Options are referred to by their index
in the question's list, starting at 0. The engine has structs of the same shape (`server/rules/model/questions.py`); the
rooms translate. Questions are read leniently (a client ignores fields it does not know), answers strictly.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

Index: TypeAlias = Annotated[int, Meta(ge=-1, le=1_000_000)]
Amount: TypeAlias = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Indices: TypeAlias = Annotated[tuple[Index, ...], Meta(max_length=2000)]
Amounts: TypeAlias = Annotated[tuple[Amount, ...], Meta(max_length=2000)]
ObjectId: TypeAlias = Annotated[str, Meta(max_length=32)]
QuestionId: TypeAlias = Annotated[str, Meta(max_length=64)]
Arg: TypeAlias = str | int | bool | list[str]
"""What fills a place in a text: a name, a number, a word, a list of object ids."""


class Text(Struct, frozen=True, omit_defaults=True):
    """A sentence by its key in the catalogue (`protocol.words`) and what fills its places."""

    key: str
    args: dict[str, Arg] = {}


# --- what can be picked ---------------------------------------------------------------------------------------------


class ObjectChoice(Struct, frozen=True, tag_field="kind", tag="object"):
    """An object of the view: a card, permanent, spell, ability. Its `id` is a key of `view.objects`."""

    id: ObjectId


class PlayerChoice(Struct, frozen=True, tag_field="kind", tag="player"):
    """A player, by seat number."""

    seat: int


class WordChoice(Struct, frozen=True, tag_field="kind", tag="word"):
    """Anything else, by a word and the text to show: a mode, colour, card type, name, replacement effect, option."""

    word: str
    text: str


Choice: TypeAlias = ObjectChoice | PlayerChoice | WordChoice


class Action(Struct, frozen=True, omit_defaults=True):
    """One thing a player with priority (or paying) may do.

    `type` is pass, play_land, cast, activate, special or call, a paragraph by hand that is said to trigger (a newer server may know
    others); `reminded` is true for one whose first words name something that has just happened. `object` is what is played,
    cast or whose ability is activated; `ability` tells its abilities apart; `way` names the way of casting (absent:
    for its mana cost); `text` says what it is in the card's words; `mana` is true for a mana ability. `side` is present where a
    card is cast or played by another of its faces: its number among the face's `faces`, from 1 (one more: both halves).
    `also`, only where `hello` said `gathered`: other objects of which there is the same action, each with its place in the whole list
    of actions, in which answers count (`protocol.gathered`).
    """

    type: str
    object: str | UnsetType = UNSET
    ability: int | UnsetType = UNSET
    way: str | UnsetType = UNSET
    text: str = ""
    mana: bool = False
    side: int | UnsetType = UNSET
    reminded: bool = False
    also: dict[str, int] = {}


class Attacker(Struct, frozen=True, omit_defaults=True):
    """A creature that may attack, and whom or which planeswalker it may attack (802.2).

    `costs`: for each defender what attacking it costs, as text, "" for nothing (508.1g); absent where nothing is to be paid.
    """

    object: ObjectId
    defenders: tuple[Choice, ...]
    costs: tuple[str, ...] = ()


class Blocker(Struct, frozen=True):
    """A creature that may block, the attackers it may block, how many of them it may block at once (`most`), and what blocking
    costs for it, as text (509.1d); absent where nothing is to be paid.
    """

    object: ObjectId
    attackers: tuple[ObjectId, ...]
    most: int = 1
    cost: str | UnsetType = UNSET


class Assigner(Struct, frozen=True, omit_defaults=True):
    """A creature whose combat damage is to be divided: `power` in all, over `options` in their order (510.1c).

    `lethal[i]` must be assigned to option i, by this assigner alone or by all of the question together (510.1e), before option i+1
    gets any. In edition `current` there is no order (`unordered`): then every creature's `lethal` must be reached only before the
    defender gets any (`trample`, 702.18). The last `heads` options are players of one team, of whom only one gets any (810.7f).
    """

    object: ObjectId
    power: int
    options: tuple[Choice, ...]
    lethal: tuple[int, ...]
    unordered: bool = False
    trample: bool = False
    heads: int = 0


# --- answers --------------------------------------------------------------------------------------------------------


class Answered(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of all answers; the tag `kind` is that of the question."""


class PriorityAnswer(Answered, frozen=True, tag="priority"):
    """Take `actions[index]`; 0 passes. `manual`: pay for it by hand, asked as `payment` questions."""

    index: Index
    manual: bool = False


class ChooseAnswer(Answered, frozen=True, tag="choose"):
    """Pick these options, each at most once; the order counts where the game makes it count."""

    picks: Indices


class ConfirmAnswer(Answered, frozen=True, tag="confirm"):
    """Yes or no."""

    yes: bool


class NumberAnswer(Answered, frozen=True, tag="number"):
    """A number within the bounds."""

    number: Amount


class OrderAnswer(Answered, frozen=True, tag="order"):
    """Every option's index once, in the order wanted: the first comes first."""

    order: Indices


class DivideAnswer(Answered, frozen=True, tag="divide"):
    """For each option its share; the shares add up to the amount."""

    amounts: Amounts


class AttackersAnswer(Answered, frozen=True, tag="attackers"):
    """Who attacks whom: pairs (index in `attackers`, index in that attacker's `defenders`); none: no attack.

    `bands` groups indices of attackers (702.20).
    """

    attacks: Annotated[tuple[tuple[Index, Index], ...], Meta(max_length=2000)]
    bands: Annotated[tuple[Indices, ...], Meta(max_length=1000)] = ()


class BlockersAnswer(Answered, frozen=True, tag="blockers"):
    """Who blocks whom: pairs (index in `blockers`, id of the attacker); none: no block."""

    blocks: Annotated[tuple[tuple[Index, ObjectId], ...], Meta(max_length=2000)]


class DamageAnswer(Answered, frozen=True, tag="damage"):
    """For each assigner, for each of its options, the damage assigned to it."""

    amounts: Annotated[tuple[Amounts, ...], Meta(max_length=2000)]


class PaymentAnswer(Answered, frozen=True, tag="payment"):
    """0: pay the rest automatically; -1: take the casting or activation back; n > 0: do `actions[n - 1]`."""

    index: Index


class ActAnswer(Answered, frozen=True, tag="act"):
    """One act in rules English, in which "me" and "my", players' names and objects' ids ("#104") are known; with no `line` all is done.

    Where the line was refused because it can be read in several ways, `reading` says which, from 1."""

    line: Annotated[str, Meta(max_length=300)] = ""
    reading: Annotated[int, Meta(ge=0, le=50)] = 0


Answer: TypeAlias = (
    PriorityAnswer
    | ChooseAnswer
    | ConfirmAnswer
    | NumberAnswer
    | OrderAnswer
    | DivideAnswer
    | AttackersAnswer
    | BlockersAnswer
    | DamageAnswer
    | PaymentAnswer
    | ActAnswer
)


# --- questions ------------------------------------------------------------------------------------------------------


class Asked(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """What every question has.

    `id` outlives restarts of the server. `seat` is who answers, `for_seat` whose choice it is where that is another player, whom
    `seat` controls (712.5): what is chosen is that player's, and so are hand, mana and permanents. `purpose` is a short key for why it
    is asked ("sacrifice", "target", "mulligan"), `prompt` the sentence to show, `source` the object that asks. `default` is a
    legal answer, used when `deadline_ms` (milliseconds left when the message was sent; absent: no limit) runs out.
    """

    id: QuestionId
    seat: int
    purpose: str
    prompt: Text
    default: Answer
    for_seat: int | UnsetType = UNSET
    source: str | UnsetType = UNSET
    deadline_ms: int | UnsetType = UNSET


class PriorityQuestion(Asked, frozen=True, tag="priority"):
    """You have priority: all you may do. `actions[0]` is always to pass."""

    actions: tuple[Action, ...]


class ChooseQuestion(Asked, frozen=True, tag="choose"):
    """Pick from `least` to `most` of the options.

    `aim` stands where targets are chosen and the source's text tells whether it helps or harms all that it targets.
    """

    options: tuple[Choice, ...]
    least: int
    most: int
    aim: Literal["help", "harm"] | UnsetType = UNSET


class ConfirmQuestion(Asked, frozen=True, tag="confirm"):
    """Yes or no?"""


class NumberQuestion(Asked, frozen=True, tag="number"):
    """A number from `least` to `most`."""

    least: int
    most: int


class OrderQuestion(Asked, frozen=True, tag="order"):
    """Put the options in order."""

    options: tuple[Choice, ...]


class DivideQuestion(Asked, frozen=True, tag="divide"):
    """Divide `amount` over the options, at least `least_each` to each."""

    amount: int
    options: tuple[Choice, ...]
    least_each: int


class AttackersQuestion(Asked, frozen=True, tag="attackers"):
    """Declare attackers (508.1). `required`: how many requirements a legal declaration must obey (508.1d)."""

    attackers: tuple[Attacker, ...]
    required: int = 0


class BlockersQuestion(Asked, frozen=True, tag="blockers"):
    """Declare blockers (509.1). `required`: how many requirements a legal declaration must obey (509.1c)."""

    blockers: tuple[Blocker, ...]
    required: int = 0


class DamageQuestion(Asked, frozen=True, tag="damage"):
    """Assign combat damage (510.1): all creatures of this player with a real choice, together."""

    assigners: tuple[Assigner, ...]


class PaymentQuestion(Asked, frozen=True, tag="payment"):
    """Pay `cost` (what is left of it, as text): a mana ability or another action at a time, or the rest automatically
    if `can_auto`.
    """

    cost: str
    actions: tuple[Action, ...]
    can_auto: bool


class ActQuestion(Asked, frozen=True, tag="act"):
    """A printed `text` that the server does not read resolves: do what it says, an act at a time, up to `left` more."""

    text: str
    left: int


Question: TypeAlias = (
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
