"""How a room plays: the options of the rules, the clock, who looks on. Fixed once its game starts."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from protocol.base import Count, SeatNumber

DAY_MS = 86_400_000
DECK_RULES = r"^([a-z][a-z0-9-]{0,31})?$"
"""What the name of deck rules looks like; empty: none."""
Milliseconds: TypeAlias = Annotated[int, Meta(ge=1000, le=DAY_MS)]
Little: TypeAlias = Annotated[int, Meta(ge=0, le=600_000)]


class AnyClock(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of all clocks. Whatever the clock, what is not answered within a day of play is answered by its default."""


class DecisionClock(AnyClock, frozen=True, tag="decision"):
    """So many milliseconds for each answer."""

    ms: Milliseconds


class ChessClock(AnyClock, frozen=True, tag="chess"):
    """Each seat has `ms` for the whole game, and `increment_ms` more with each answer of its own."""

    ms: Milliseconds
    increment_ms: Little = 0


class BankClock(AnyClock, frozen=True, tag="bank"):
    """Each answer has `grace_ms` that cost nothing; beyond them it draws on the seat's bank of `ms` for the whole game."""

    ms: Milliseconds
    grace_ms: Little = 10_000


Edition: TypeAlias = Literal["2009", "2011", "current"]
Format: TypeAlias = Literal["constructed", "commander", "brawl"]
Variant: TypeAlias = Literal["free_for_all", "two_headed_giant", "team_vs_team", "emperor", "alternating_teams"]
"""How the table is divided: each for itself (806), or into teams (808 to 811) with all that goes with it."""
Clock: TypeAlias = DecisionClock | ChessClock | BankClock


ByHand: TypeAlias = Literal["never", "unread", "open"]
"""What a table may play by hand: nothing, so that a card is whole or absent; the paragraphs that the server does not read; these, and
corrections of any size as often as the table likes."""


class RoomOptions(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a room plays; fixed once its game starts."""

    title: Annotated[str, Meta(max_length=64)] = ""
    seats: Annotated[int, Meta(ge=2, le=10)] = 4
    edition: Edition = "2011"
    """The rules: as of 2009-10-01, as of 2011-09-30, or as of today."""
    format: Format = "constructed"
    """How decks are made and the game begins: 100.2a, Commander (903), or today's Brawl (current 903.12)."""
    deck_rules: Annotated[str, Meta(pattern=DECK_RULES)] = ""
    """By which deck rules that the host has added (`decks` lists them); absent: those of the format. They have a format of their own."""
    by_hand: ByHand = "never"
    """Whether cards that are partly read may be played, the rest by hand."""
    agreement: Literal["all", "most"] = "all"
    """Whose yes corrections and other words need: everybody's; that of more than half, in a `private` room of friends."""
    attack: Literal["multiple", "single", "left", "right"] = "multiple"
    """Whom the active player may attack: any opponents (802), one it chooses (506.2), the nearest to its left or
    right (803).
    """
    range: Annotated[int, Meta(ge=0, le=10)] = 0
    """Range of influence in seats (801); 0: unlimited."""
    variant: Variant = "free_for_all"
    """What sets teams, ranges, whom one may attack and life totals at once.
    But for `free_for_all` it leaves no `teams`, `range` or `attack` to be said, but the two latter in `alternating_teams`.
    """
    teams: Annotated[list[Annotated[int, Meta(ge=0, le=9)]], Meta(max_length=10)] = []
    """The team of each seat (808), with own turns; absent: each for itself."""
    draw_teams: bool = False
    """Who gets which of these `teams` is drawn as the game begins, by the same seed as all chance."""
    draw_seats: bool = False
    """Who sits where is drawn as the game begins (806.3), by the same seed as all chance; not in a match."""
    life: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    """Starting life total; absent: 20 (103.3), in Commander 40 (903.7), in Brawl 25 for two and 30 for more (current 903.12f)."""
    hand: Annotated[int, Meta(ge=0, le=20)] = 7
    """Starting hand size (103.4)."""
    mulligans: bool = True
    """Mulligans as the edition has them (103.4); false: none."""
    first: SeatNumber | UnsetType = UNSET
    """The seat that plays first (103.2); absent: drawn."""
    first_draw: bool | UnsetType = UNSET
    """Whether the first turn has its draw; absent: as the rules have it, with three or more players (103.7a)."""
    best_of: Literal[1, 3, 5] = 1
    """How many games a match of two players has at most: who wins more than half of them wins it."""
    sideboarding_ms: Annotated[int, Meta(ge=5_000, le=3_600_000)] = 180_000
    """How long the players of a match may exchange cards with their sideboards before its next game begins."""
    seed: Count | UnsetType = UNSET
    """Seed of all chance; absent: drawn by the server. Whoever knows the seed knows the libraries, so give one only
    in tests.
    """
    answer_ms: Milliseconds | UnsetType = UNSET
    """The same as a `clock` of kind decision; give one of the two."""
    clock: Clock | UnsetType = UNSET
    """Absent: no clock."""
    concede_after: Annotated[int, Meta(ge=0, le=100)] = 0
    """A seat for which the clock answered so many times in a row concedes; 0: never, its defaults are played on."""
    away_ms: Annotated[int, Meta(ge=0, le=DAY_MS)] = 300_000
    """What a seat whose connection is lost has in all, for the whole game, before its questions are answered by
    default. While it runs, the seat's other clock stands. At least 10 seconds for each question.
    """
    longer_clocks: bool = True
    """Whether a seat may lengthen its own clocks (`longer_clock`) without asking anyone."""
    takebacks: Literal["consent", "own", "none"] = "consent"
    """Takebacks: at once of one's own last answer and of any by consent; only the former; none."""
    abandon_ms: Annotated[int, Meta(ge=60_000, le=30 * DAY_MS)] = DAY_MS
    """How long a game whose people are all away waits for one of them before the room is closed."""
    private: bool = False
    """Not listed: only those who are told the room's id come."""
    spectators: bool = True
    delay_ms: Annotated[int, Meta(ge=0, le=1_800_000)] = 0
    """How late spectators see the game."""
    quiet_watchers: bool = False
    """While the game is on, what spectators say reaches only spectators."""
    rated: bool = False
    """The game counts for the ratings of who plays, where the server has a ladder (`welcome`)."""
    bot_pauses: bool = False
    """Bots that the server seats wait before an answer that the others see, so that people can follow: until what was before has
    been seen, at most 6 s, and 300 to 900 ms more.
    """
