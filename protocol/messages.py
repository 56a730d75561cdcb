"""Every message, client to server and server to client: those of the connection and of the game in progress are here.

A message is a map with its name under `type`. Each client message carries an `id` of the client's choosing and gets
exactly one reply that carries it as `re`: the reply named in its docstring, or `ok`, or `refused`. What the server
sends unasked has no `re`. The server refuses unknown fields; clients ignore fields and messages they do not know. No
field is ever null.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from protocol.base import Name, Sent, Ticket, Token, Told
from protocol.by_hand import Agree, Ballot, Correct, Moments, MomentsTold, Paragraphs, ParagraphsTold, Reword, TakeUp
from protocol.patch import Tree
from protocol.people import (
    DoorMessage,
    ListRatings,
    MyDataMessage,
    OneTimeLink,
    Password,
    PersonalMessage,
    PrivacyMessage,
    Ratings,
    SavedDecks,
    Sessions,
)
from protocol.printings import ListPrintings, Printings
from protocol.questions import Answer, Arg, Question, QuestionId
from protocol.replays import ListReplays, Replay, ReplayMoment, Replays
from protocol.rooms import (
    AddBot,
    CheckDeck,
    ChooseDeck,
    Commit,
    DeckReport,
    Decks,
    Join,
    Leave,
    ListDecks,
    ListRooms,
    Open,
    Ready,
    RemoveSeat,
    Resume,
    Reveal,
    RevealWanted,
    Room,
    Rooms,
    SetOptions,
    Sideboard,
    Start,
    Watch,
)
from protocol.table import (
    Always,
    Automatic,
    BotFor,
    ClockMessage,
    Consent,
    Emote,
    Emoted,
    EndGame,
    Forecast,
    Forget,
    Know,
    Known,
    LongerClock,
    Pass,
    Pause,
    Preview,
    Rematch,
    Repeat,
    RoomsPatch,
    Stops,
    TakeBack,
    Unpause,
    Vote,
    Yield,
)
from protocol.view import Event, Face, Result

# --- client to server -----------------------------------------------------------------------------------------------


class Hello(Sent, frozen=True, tag="hello"):
    """First of all: who I am. Reply: `welcome`.

    `token`, from an earlier `welcome`, makes me that person again. `faces` are hashes of faces I keep, which the server then need not
    send. `lang` chooses the language of sentences made on the server. `digests` asks for a fingerprint with each view and patch
    (`protocol.view.digest`), to test a client with. `receipts` asks for receipts of what I am told of my games, the last of which I
    bring back by `resume`. `packed` asks for whole views as `protocol.packing` writes them, `brief` for patches without
    what I can know (`protocol.brief`), `gathered` for questions in which actions that are alike are listed once (`protocol.gathered`).
    `password` signs in to the account `name`. `link` is a one-time link's code: with it, `password`
    is the new account's, or the new one of an account whose password is reset. `bot`: I am a program, and called so. `commits`: I
    commit to entropy in each room I sit down in, so that its game waits for that. `moves`: where a room is at another address of the
    server's, I am told so by `moved` and go there, with its `ticket`, which says who I am in the place of a token.
    """

    name: Name
    token: Token = ""
    lang: Annotated[str, Meta(max_length=16)] = "en"
    client: Annotated[str, Meta(max_length=64)] = ""
    faces: Annotated[list[Annotated[str, Meta(max_length=16)]], Meta(max_length=2000)] = []
    digests: bool = False
    packed: bool = False
    brief: bool = False
    gathered: bool = False
    password: Password = ""
    link: OneTimeLink = ""
    bot: bool = False
    receipts: bool = False
    commits: bool = False
    moves: bool = False
    ticket: Ticket = ""


class AnswerMessage(Sent, frozen=True, tag="answer"):
    """My answer to the question with that id. Reply: `ok`, also when the same answer was given before (then it counts
    once).
    """

    question: QuestionId
    answer: Answer


class Concede(Sent, frozen=True, tag="concede"):
    """I leave the game (104.3a)."""


class Say(Sent, frozen=True, tag="chat"):
    """Say something to all in the room, to those in its seats or to its watchers. Watchers read the seats' chat; seats do
    not read the watchers'.
    """

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    to: Literal["all", "seats", "watchers"] = "all"


class Sync(Sent, frozen=True, tag="sync"):
    """Send me a whole view. Reply: `view`."""


class Ping(Sent, frozen=True, tag="ping"):
    """Are you there? Reply: `pong`."""


ClientMessage: TypeAlias = (
    Hello
    | ListRooms
    | ListDecks
    | ListPrintings
    | Open
    | Join
    | Watch
    | Resume
    | Leave
    | SetOptions
    | AddBot
    | RemoveSeat
    | ChooseDeck
    | Sideboard
    | CheckDeck
    | Ready
    | Start
    | AnswerMessage
    | Concede
    | Say
    | Stops
    | Pass
    | Yield
    | Always
    | Forget
    | Repeat
    | Preview
    | Know
    | LongerClock
    | TakeBack
    | Pause
    | Unpause
    | BotFor
    | EndGame
    | Consent
    | Correct
    | Reword
    | TakeUp
    | Agree
    | Moments
    | Paragraphs
    | Rematch
    | Emote
    | Commit
    | Reveal
    | Replay
    | ListReplays
    | Sync
    | Ping
    | ListRatings
    | PersonalMessage
    | DoorMessage
)


# --- server to client -----------------------------------------------------------------------------------------------


class Welcome(Told, frozen=True, tag="welcome"):
    """You are in. `token` makes you the same person again after a lost connection: keep it secret; empty for who came by a ticket,
    whose own stays good. `person` is your
    public id, `rooms` where you hold a seat. `role` is account or admin, absent: a guest. `accounts`: open or invited where
    guests may `account`; absent: there are none. `pictures` is the address of a card's picture, with `{name}` in the place of its
    name; absent: the host has set none. `address` is what friends open to come here; absent: the server does not know. `ladder`: rooms may
    be rated.
    """

    server: str
    version: int
    person: str
    name: str
    token: str
    rooms: list[str] = []
    role: str = ""
    accounts: str = ""
    ignored: list[str] = []
    pictures: str = ""
    address: str = ""
    ladder: bool = False


class Refused(Told, frozen=True, tag="refused"):
    """No, and nothing has changed. See `protocol.refusals`. Without `re` when the refused frame's id could not be
    read.
    """

    code: str
    sentence: str
    rule: str = ""
    path: str = ""


class Ok(Told, frozen=True, tag="ok"):
    """Done. `again`: it had been done already, by the same message sent before. `receipt`: for an answer, where `hello` asked for
    receipts; so in `view` and `patch`.
    """

    again: bool = False
    receipt: str = ""


class ViewMessage(Told, frozen=True, tag="view"):
    """The whole view: forget the one before. It opens a new `epoch`, in which `seq` starts at the number given here.

    `view` is the tree of a `protocol.view.View`. `faces` brings those this connection has not been sent; `question`
    the one open to you (absent: none is); `events` what happened last since the last view or patch you had, as much of
    it as fits into a few kilobytes.
    """

    epoch: int
    seq: int
    view: Tree
    faces: dict[str, Face] = {}
    question: Question | UnsetType = UNSET
    events: list[Event] = []
    log: int = 0
    """How many events of this game you have been told by now, these included: each `patch` adds its own."""
    digest: str = ""
    receipt: str = ""


class Patch(Told, frozen=True, tag="patch"):
    """What changed since the view or patch before: `seq` is one more than its, in the same `epoch`; otherwise
    something was missed: send `sync`. Both are absent where `hello` said `brief`.

    `patch` is an RFC 7386 merge patch of the view's tree (absent: nothing visible changed). `faces`, `events` and
    `digest` as in `view`.
    """

    epoch: int = 0
    seq: int = 0
    patch: Tree = {}
    faces: dict[str, Face] = {}
    events: list[Event] = []
    digest: str = ""
    receipt: str = ""


class QuestionMessage(Told, frozen=True, tag="question"):
    """A question to you. It speaks of the view as of (`epoch`, `seq`), which you have. At most one is open: a new one
    closes the one before.
    """

    epoch: int
    seq: int
    question: Question


class Closed(Told, frozen=True, tag="closed"):
    """Your question is closed without your answer: `why` is timeout (the default was taken), pass (the room answered, as
    the seat had said), answered (from another connection of the seat), concession, taken_back,
    amended or over.
    """

    question: str
    why: str


class Chat(Told, frozen=True, tag="chat"):
    """Someone said something; `seat` absent: a spectator. `person` is who."""

    name: str
    text: str
    seat: int | UnsetType = UNSET
    to: str = ""
    """seats or watchers, absent: said to all."""
    person: str = ""


class Over(Told, frozen=True, tag="over"):
    """The game is over. `seed` is the secret that `room.chance` committed to; the seed of all chance was made of it and of
    `entropy`, what the seats added (absent: nothing). `salt`, where the host chose the seed: `chance` is the SHA-256 of `seed`,
    a line feed, and `salt`. `state_hash` is the hash of the rules' last state, for comparing with
    a replay.
    """

    result: Result
    seed: str = ""
    entropy: list[str] = []
    state_hash: str = ""
    salt: str = ""


class Notice(Told, frozen=True, tag="notice"):
    """Something to know that is no event of the game, by its key in the catalogue (`notice.frozen`, `notice.missed`)
    and as text.
    """

    key: str
    text: str
    args: dict[str, Arg] = {}


class Closing(Told, frozen=True, tag="closing"):
    """The server is about to close this connection. `again`: come back after `retry_ms` and `resume`."""

    code: str
    sentence: str
    again: bool = False
    retry_ms: int = 0


class Moved(Told, frozen=True, tag="moved"):
    """In reply to `join`, `watch` or `resume`, where `hello` said `moves`: the room is at another address of this server's, and nothing has
    been done. Go there, say hello with the `ticket`, ask again; the connection here is closed. Once the ticket is used, or half a minute
    old, or where that address does not answer, come back here as after a lost connection, and say `moves` no more.
    """

    room: str
    address: str
    ticket: str


class Pong(Told, frozen=True, tag="pong"):
    """I am."""


class Unknown(Told, frozen=True, tag="unknown"):
    """Never sent: what the client's decoder makes of a message it does not know. `name` is its type."""

    name: str = ""


ServerMessage: TypeAlias = (
    Welcome
    | Rooms
    | Decks
    | DeckReport
    | Printings
    | Room
    | Refused
    | Ok
    | ViewMessage
    | Patch
    | QuestionMessage
    | Closed
    | Chat
    | Over
    | Notice
    | Automatic
    | ClockMessage
    | Vote
    | Ballot
    | MomentsTold
    | ParagraphsTold
    | Forecast
    | Known
    | Emoted
    | Ratings
    | RoomsPatch
    | Sessions
    | SavedDecks
    | PrivacyMessage
    | MyDataMessage
    | RevealWanted
    | ReplayMoment
    | Replays
    | Closing
    | Moved
    | Pong
    | Unknown
)
