"""Messages about rooms before and beside their games: which there are, coming and going, seats, decks, the start."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from protocol.base import BotLevel, Count, RoomId, SeatNumber, Sent, Told
from protocol.by_hand import Rewording
from protocol.options import DECK_RULES, ByHand, Edition, Format, RoomOptions
from protocol.people import Password, Watcher

# --- client to server -----------------------------------------------------------------------------------------------

Invitation: TypeAlias = Annotated[str, Meta(max_length=64)]


class ListRooms(Sent, frozen=True, tag="list"):
    """Which rooms are there? Reply: `rooms`.

    `live`: tell me of changes, too, as `rooms_patch`, until I ask again without it or enter a room. Filters: `states` and
    `editions` that I want (absent: all), `free`: with a free seat; `text`: in the title or the host's name.
    """

    live: bool = False
    states: list[Literal["gathering", "playing", "over", "frozen"]] = []
    editions: list[Edition] = []
    free: bool = False
    text: Annotated[str, Meta(max_length=64)] = ""


class ListDecks(Sent, frozen=True, tag="decks"):
    """Which house decks, and which levels of bots? Reply: `decks`."""


class Open(Sent, frozen=True, tag="open"):
    """Open a room and sit down at its first seat, as its host. Reply: `room`."""

    options: RoomOptions = RoomOptions()


class Join(Sent, frozen=True, tag="join"):
    """Sit down at a room's free seat (`seat` absent: the first). Reply: `room`. A locked room wants its `password` or an
    `invitation`, the code in its `room` message.
    """

    room: RoomId
    seat: SeatNumber | UnsetType = UNSET
    password: Password = ""
    invitation: Invitation = ""


class Watch(Sent, frozen=True, tag="watch"):
    """Watch a room as a spectator. Reply: `room`; a `view` follows when a game is on. `password` and `invitation` as in
    `join`. Whose seat is held by another connection of theirs looks on beside it; `resume` takes the seat over.
    """

    room: RoomId
    password: Password = ""
    invitation: Invitation = ""


class Resume(Sent, frozen=True, tag="resume"):
    """Back after a lost connection, as who `hello` with the old token says I am. Reply: `room`; while a game is on, a
    whole `view` follows, with the open question and the events after (`epoch`, `seq`), the last view or patch seen,
    as far back as the server kept them.
    """

    room: RoomId
    epoch: Count = 0
    seq: Count = 0
    log: Count | UnsetType = UNSET
    """How many events of the game I have been told: after a restart the server knows no (`epoch`, `seq`) of before."""
    receipt: Annotated[str, Meta(max_length=64)] = ""
    """The last receipt I was given in that room: a server whose data have lost what I saw says so."""


class Leave(Sent, frozen=True, tag="leave"):
    """Leave the room. A seat in a running game stays yours: you can `resume`; `concede` first to be out of the game."""


class SetOptions(Sent, frozen=True, tag="options"):
    """Host, before the game: other options. Seats that are taken are kept, if there is room for them."""

    options: RoomOptions


class Commit(Sent, frozen=True, tag="commit"):
    """Before the game: I add entropy to its chance. `hash` is the SHA-256 of a text that I keep until `reveal_wanted`, then
    `reveal`. Draw at least 128 bits. A room with a `seed` takes none.
    """

    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Reveal(Sent, frozen=True, tag="reveal"):
    """The text whose SHA-256 I sent by `commit`."""

    entropy: Annotated[str, Meta(min_length=16, max_length=128)]


class AddBot(Sent, frozen=True, tag="add_bot"):
    """Host, before the game: a bot takes a free seat (`seat` absent: the first), with a house deck (`deck` absent:
    one is drawn). See `bot_for` for a seat whose person is away during the game.
    """

    level: BotLevel = "simple"
    seat: SeatNumber | UnsetType = UNSET
    deck: Annotated[str, Meta(max_length=64)] = ""


class RemoveSeat(Sent, frozen=True, tag="remove"):
    """Host, before the game: empty a seat."""

    seat: SeatNumber


class ChooseDeck(Sent, frozen=True, tag="deck"):
    """Before the game: my deck, a house deck by `house` name, a list as `text` ("4 Name" a line, "Sideboard" between), or
    the one that I keep under the name `saved`. Exactly one of the three. `cards` are cards of my own, in TOML, that the list
    may name, where the host of the server allows that.
    """

    house: Annotated[str, Meta(max_length=64)] = ""
    text: Annotated[str, Meta(max_length=16_000)] = ""
    saved: Annotated[str, Meta(max_length=64)] = ""
    cards: Annotated[str, Meta(max_length=40_000)] = ""


class Sideboard(Sent, frozen=True, tag="sideboard"):
    """Between two games of a match: these cards are my deck, all others of my deck and sideboard are my sideboard (100.4). `first`:
    if it is mine to choose, whether I take the first turn (103.2).
    """

    main: Annotated[
        dict[Annotated[str, Meta(max_length=200)], Annotated[int, Meta(ge=0, le=1000)]], Meta(max_length=1000)
    ]
    first: bool = True


class CheckDeck(Sent, frozen=True, tag="check_deck"):
    """How does the server read this list, for a room of that format, or of those deck rules? Nothing is chosen by it. Reply:
    `deck_report`."""

    text: Annotated[str, Meta(min_length=1, max_length=16_000)]
    format: Format = "constructed"
    deck_rules: Annotated[str, Meta(pattern=DECK_RULES)] = ""
    by_hand: ByHand = "never"


class Ready(Sent, frozen=True, tag="ready"):
    """Before the game: I am ready, or not any more."""

    ready: bool = True


class Start(Sent, frozen=True, tag="start"):
    """Host: start the game. Every seat must be taken, have a deck and be ready (the host's own readiness goes without
    saying).
    """


# --- server to client -----------------------------------------------------------------------------------------------


class RoomSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the list of rooms. `state` is as in `RoomState`."""

    id: str
    state: str
    options: RoomOptions
    taken: int
    host: str = ""
    bots: int = 0
    watchers: int = 0
    turn: int = 0
    locked: bool = False


class Rooms(Told, frozen=True, tag="rooms"):
    """The public rooms that fit; `seq` is 1 if `rooms_patch` follow, with 2 and so on."""

    rooms: list[RoomSummary] = []
    seq: int = 0


class DeckSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A house deck: its name, its colours' letters, how many cards, what it wants to do; for rooms of which format; by which added
    deck rules it can be played, too."""

    name: str
    colors: str = ""
    cards: int = 0
    text: str = ""
    format: Format = "constructed"
    deck_rules: list[str] = []

    def is_for(self, options: RoomOptions) -> bool:
        """Whether a room of these options takes it."""
        return self.format == options.format and (not options.deck_rules or options.deck_rules in self.deck_rules)


class DeckRulesSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Deck rules that the host has added: their name, the format that a game by them has, and its starting life (absent: the
    format's)."""

    name: str
    format: Format = "constructed"
    life: int = 0


class Decks(Told, frozen=True, tag="decks"):
    """The house decks, the levels at which bots play, and the deck rules that the host has added."""

    decks: list[DeckSummary] = []
    bots: list[str] = []
    deck_rules: list[DeckRulesSummary] = []


class DeckFault(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is wrong with a list: `line` from 1, absent for the whole list."""

    text: str
    line: int = 0


class DeckReport(Told, frozen=True, tag="deck_report"):
    """A list as read: cards of the main deck and the sideboard, colours' letters, which program's form it has, and the name of
    its commander. `by_hand` names the cards with paragraphs that would be played by hand. With `faults` it cannot be played, and the
    figures are left out.
    """

    cards: int = 0
    sideboard: int = 0
    colors: str = ""
    format: str = ""
    commander: str = ""
    by_hand: list[str] = []
    faults: list[DeckFault] = []


class Seat(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat: `kind` is open, person or bot; `level` a bot's."""

    seat: int
    kind: str = "open"
    name: str = ""
    person: str = ""
    level: str = ""
    deck: str = ""
    """Name of the house deck, "own" for another; absent: none yet."""
    ready: bool = False
    connected: bool = False
    commit: str = ""
    """The SHA-256 of the entropy that the seat adds to the chance of the game."""
    stands_in: bool = False
    """A bot that plays for a person who is away; the person takes the seat again by `join` or `resume`."""


class MatchState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A match of several games: `game` is the number of the one that is played or comes next, `wins` the games won by each seat.

    `winner` has won it. Between games `chooser` chooses who takes the first turn (absent: that is drawn), `left_ms` is how long cards may
    still be exchanged, and `main` and `sideboard` are your own cards by name.
    """

    best_of: int
    game: int
    wins: list[int]
    chooser: int | UnsetType = UNSET
    winner: int | UnsetType = UNSET
    left_ms: int | UnsetType = UNSET
    main: dict[str, int] = {}
    sideboard: dict[str, int] = {}


class RoomState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A room from outside its game. `state` is gathering, playing, over or frozen; `you` your seat (absent: you
    watch); `host` a seat.

    `chance` is the SHA-256 of the secret that the seed of all chance is made of, told as soon as there is a room, so that the
    secret told at the end can be checked; `entropy` is what the seats added, by seat, once the game is dealt; `seeded`: the host
    gave a seed, so that the game can be played again, and knows it.
    `rematch` is the room in which the same people play again. `locked`: it has a password; `invitation` is the code that
    opens it, told to those with seats. `audience` are the spectators by person, `muted` and `blocked` people by id. `rewordings` are other
    words for cards that are proposed before the game, or agreed on.
    """

    id: str
    state: str
    options: RoomOptions
    seats: list[Seat]
    host: int | UnsetType = UNSET
    you: int | UnsetType = UNSET
    watchers: list[str] = []
    chance: str = ""
    entropy: list[str] = []
    seeded: bool = False
    rematch: str = ""
    locked: bool = False
    invitation: str = ""
    audience: list[Watcher] = []
    muted: list[str] = []
    blocked: list[str] = []
    rewordings: list[Rewording] = []
    match: MatchState | UnsetType = UNSET
    """The match that is played here, where it has more than one game."""


class Room(Told, frozen=True, tag="room"):
    """The room you are in: as reply when you come, unasked whenever it changes."""

    room: RoomState


class RevealWanted(Told, frozen=True, tag="reveal_wanted"):
    """The host starts the game, and everyone has committed: `reveal` now. `commits` are by seat, "" for none."""

    chance: str
    commits: list[str]
