"""Messages at a table beside the answers: what a room does for a seat by itself, clocks, votes, previews, emotes."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from protocol.base import BotLevel, Count, SeatKey, SeatNumber, Sent, Step, Told
from protocol.options import DAY_MS
from protocol.patch import Tree
from protocol.questions import Answer, ObjectId, QuestionId, Text

# --- client to server: what the room does for me --------------------------------------------------------------------


class Stops(Sent, frozen=True, tag="stops"):
    """Where I want to be asked for priority when I may do something, with an empty stack: steps of my turns and of
    others' turns. Elsewhere the room passes for me.

    Absent: every step. `seats` are the steps in the turns of single other seats, instead of `others`. With something on
    the stack I am asked unless its top is mine. `only_pass`: ask me also when passing is all I can do (absent: the room
    passes for me then). `delay_ms`: so long the room waits before it passes for me because passing is all I can do, so
    that nobody sees by the speed that I have nothing. Holds until changed; a room begins with all fields absent.
    """

    mine: list[Step] | UnsetType = UNSET
    others: list[Step] | UnsetType = UNSET
    seats: dict[SeatKey, list[Step]] = {}
    only_pass: bool = False
    delay_ms: Annotated[int, Meta(ge=0, le=3000)] = 0


class Pass(Sent, frozen=True, tag="pass"):
    """Standing pass: the room passes priority for me until then, the open priority question included.

    `something`: until an opponent casts or activates something, I or something of mine is attacked or targeted, or my
    next turn. `end_of_turn`: this turn. `my_turn`: until my next turn begins. `stack`: until the stack is empty or
    grows. `off`: ask me again. Questions other than priority are always asked, and end a standing pass of
    `something`.
    """

    until: Literal["off", "something", "stack", "end_of_turn", "my_turn"]


class Yield(Sent, frozen=True, tag="yield"):
    """Always pass for me while this ability is on top of the stack, now and whenever one of a source of that name with
    those words is. `object` is an ability (or spell) on the stack.
    """

    object: ObjectId


class Always(Sent, frozen=True, tag="always"):
    """To this yes-or-no question, and to each one of a source of that name with those words, always answer so for me.
    The open question is answered, too.
    """

    question: QuestionId
    yes: bool


class Forget(Sent, frozen=True, tag="forget"):
    """Undo a `yield` or `always`, by its key in `automatic`; absent: all of them."""

    key: Annotated[str, Meta(max_length=64)] = ""


class Repeat(Sent, frozen=True, tag="repeat"):
    """Give my answers from that question on once more, `times` times over: a loop of optional actions in one answer.

    `since` is the first question of the loop that I answered. The room answers for me as long as I am asked the same
    again and the same can be answered; it stops when something else happens, and I am asked. Others are asked as ever.
    """

    since: QuestionId
    times: Annotated[int, Meta(ge=1, le=1000)]


class Preview(Sent, frozen=True, tag="preview"):
    """What would come of that answer to my open question, as far as I may know? Nothing is answered by it. Reply:
    `forecast`.
    """

    question: QuestionId
    answer: Answer


class Know(Sent, frozen=True, tag="know"):
    """All that my seat may know, as a game that a program plays on from after it has dealt what is hidden (`docs/bots.md`), at my open
    question. Reply: `known`.
    """

    question: QuestionId


# --- client to server: clocks, votes --------------------------------------------------------------------------------


class LongerClock(Sent, frozen=True, tag="longer_clock"):
    """I need more time: all my clocks have so many times what they have for others, from now on."""

    times: Annotated[int, Meta(ge=1, le=10)]


class TakeBack(Sent, frozen=True, tag="takeback"):
    """Take back my answer to that question and all that came after (`question` absent: my last answer).

    Done at once if it was the last answer of all and nothing hidden has been seen since; otherwise it is put to the
    vote.
    """

    question: QuestionId = ""


class Pause(Sent, frozen=True, tag="pause"):
    """Put to the vote: all clocks stand for so long, or until someone sends `unpause`."""

    ms: Annotated[int, Meta(ge=1000, le=DAY_MS)] = 600_000


class Unpause(Sent, frozen=True, tag="unpause"):
    """Let the clocks run again."""


class BotFor(Sent, frozen=True, tag="bot_for"):
    """Put to the vote: a bot plays the seat of a person who is away, until that person is back."""

    seat: SeatNumber
    level: BotLevel = "simple"


class EndGame(Sent, frozen=True, tag="end_game"):
    """Put to the vote: the game ends here, without a result."""


class Consent(Sent, frozen=True, tag="consent"):
    """I agree with what is put to the vote, or I do not."""

    vote: Annotated[str, Meta(max_length=32)]
    yes: bool = True


class Rematch(Sent, frozen=True, tag="rematch"):
    """After the game: the same again. Who asks first opens a new room with the same options, seats, decks and bots; who
    asks later takes its seat there. It starts when all who are still here have come. Reply: `room`, the new one.
    """


EmoteName: TypeAlias = Literal[
    "hello", "good_luck", "nice_play", "thanks", "thinking", "oops", "sorry", "wow", "good_game"
]


class Emote(Sent, frozen=True, tag="emote"):
    """One of a few words to all in the room."""

    emote: EmoteName


# --- server to client -----------------------------------------------------------------------------------------------


class AutomaticAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a `yield` or `always` has come to: `does` is pass, yes or no; `name` and `text` of what it is for."""

    key: str
    does: str
    name: str = ""
    text: str = ""


class Automatic(Told, frozen=True, tag="automatic"):
    """What the room does for your seat by itself, whenever that changes: your stops, the standing pass (absent: off),
    yields and answers, and how many rounds of a `repeat` are left.
    """

    mine: list[str] | UnsetType = UNSET
    others: list[str] | UnsetType = UNSET
    seats: dict[str, list[str]] = {}
    only_pass: bool = False
    delay_ms: int = 0
    until: str = ""
    answers: list[AutomaticAnswer] = []
    rounds: int = 0


class ClockMessage(Told, frozen=True, tag="clock"):
    """Whose clock runs, whenever that changes; only rooms with a clock, or with a seat away, tell it.

    `seat` is asked (absent: nobody, or it is not public) and has `left_ms` until the default is answered for it, from
    now on, by its clock of kind `by`: decision, chess, bank (its grace first) or away. `paused_ms` is how long all
    clocks still stand. `banks` is what each seat has left for the whole game, `away` what each seat that is away has
    left of its time for that, `times` who has longer clocks (absent: 1), `missed` how many answers in a row the clock
    gave.
    """

    seat: int | UnsetType = UNSET
    by: str = ""
    left_ms: int | UnsetType = UNSET
    paused_ms: int | UnsetType = UNSET
    banks: dict[str, int] = {}
    away: dict[str, int] = {}
    times: dict[str, int] = {}
    missed: dict[str, int] = {}


class Vote(Told, frozen=True, tag="vote"):
    """Something is put to the vote, or somebody has voted on it: `what` is takeback, pause, bot or end; `by` a seat.

    It passes when all seats in `waiting` have said yes too, and fails with the first no or after `left_ms`. `result`
    is passed, failed or withdrawn once it is over. `question` of a takeback, `ms` of a pause, `seat` and `level` of a bot.
    `changes` was what `ballot` has; no server sends it any more.
    """

    vote: str
    what: str
    by: int
    yes: list[int] = []
    waiting: list[int] = []
    left_ms: int = 0
    result: str = ""
    question: str = ""
    ms: int = 0
    seat: int | UnsetType = UNSET
    level: str = ""
    changes: list[Text] = []


class Effects(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What would come of an answer if everyone else did nothing: by ids and seats as in the view.

    `dies`: permanents that would leave the battlefield (but with their owners); `damage` by object, `life` and `poison` changes by seat,
    `loyalty` changes by object; `taps`: what would be tapped to pay; `loses`: seats. `unsure`: something hidden or
    drawn by chance comes into it before the end, and this is what is certain until then.
    """

    dies: list[str] = []
    damage: dict[str, int] = {}
    life: dict[str, int] = {}
    poison: dict[str, int] = {}
    loyalty: dict[str, int] = {}
    taps: list[str] = []
    loses: list[int] = []
    unsure: bool = False


class Forecast(Told, frozen=True, tag="forecast"):
    """Reply to `preview`: whether the answer is legal, or `code`, `sentence` and `rule` as its refusal would have them."""

    question: str
    legal: bool = True
    code: str = ""
    sentence: str = ""
    rule: str = ""
    effects: Effects = Effects()


class Known(Told, frozen=True, tag="known"):
    """Reply to `know`: the text that `apnap.Game.read_knowledge` reads. Its form goes with the server's version; nothing stands in it that
    the seat may not know.
    """

    question: str
    state: str


class Emoted(Told, frozen=True, tag="emote"):
    """Someone's emote; `seat` absent: a spectator."""

    name: str
    emote: str
    seat: int | UnsetType = UNSET


class RoomsPatch(Told, frozen=True, tag="rooms_patch"):
    """What changed in the live list of rooms since the `rooms` or patch before, whose `seq` was one less: an RFC 7386
    merge patch of a map from the room's id to its line.
    """

    seq: Count
    patch: Tree
