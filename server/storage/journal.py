"""What a journal is: the setup of a game, then everything that was put into it, in order.

The rules are deterministic, so a journal *is* the game: replay, restart, takeback and a bug report all read it. An entry
has a `seq`, 1 for the first, without gaps. `Check` entries hold the hash of the rules' state now and then, so that a
replay that diverges is caught where it begins. A `Snapshot` is the game at one entry, so that a restart plays only what
came after it. `Storage` is what a backend does; nothing here knows a disk, and `encoding` knows the bytes.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

from protocol.fairness import commitment, seed_of
from protocol.options import RoomOptions
from protocol.table import Always, Forget, LongerClock, Pass, Repeat, Stops, Yield
from server.cards.forms import Card
from server.rules.model import AnyAnswer, Options, encode_card
from server.rules.turn import AnyAmendment, variants
from server.storage.drawn import drawn_teams
from server.storage.errors import Damaged


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The common base of what is written down."""


# --- setup ------------------------------------------------------------------------------------------------------------


class SeatSetup(Record, frozen=True, kw_only=True):
    """A seat as the game began. `deck` are indices into the setup's `cards`, in the order of the list; so are `commander`,
    which begin in the command zone, and `companion`, which is revealed outside the game.

    `person` is the public id of who sits there ("" for a bot), `level` a bot's, `deck_name` only to show.
    """

    name: str
    kind: Literal["person", "bot"] = "person"
    person: str = ""
    level: str = ""
    deck_name: str = ""
    deck: tuple[int, ...] = ()
    commander: tuple[int, ...] = ()
    sideboard: tuple[int, ...] = ()
    companion: tuple[int, ...] = ()


class Match(Record, frozen=True, kw_only=True):
    """A match of several games: the number of this one, how many each seat has won before, and whose choice it was who takes the
    first turn (103.2), -1: nobody's."""

    game: int = 1
    wins: tuple[int, ...] = ()
    chooser: int = -1


class Fairness(Record, frozen=True, kw_only=True):
    """What the seed was made of (`protocol.fairness`): the server's secret, and by seat what it committed to and revealed,
    "" for a seat that added nothing. `salt` hides a secret that the host chose, which may be easy to guess. `kept`: the secret is not told
    at the end either, since the same is dealt again.
    """

    secret: str
    commits: tuple[str, ...] = ()
    entropy: tuple[str, ...] = ()
    salt: str = ""
    kept: bool = False

    @property
    def chance(self) -> str:
        """The commitment to the secret."""
        return commitment(self.secret, self.salt)

    @property
    def seed(self) -> str:
        """The seed of all chance."""
        return seed_of(self.secret, self.entropy)

    @property
    def key(self) -> str:
        """A secret that nobody can guess before the end, also where the host chose the seed; what is shown is keyed by it."""
        return f"{self.seed}\n{self.salt}" if self.salt else self.seed


class Setup(Record, frozen=True, kw_only=True):
    """All that a game begins from.

    `rules` are the engine's options, edition and seed included; `options` the room's, as people chose them. `cards` are
    the different cards of all decks *as read*, so that a later card file changes no old game; `fingerprint` is a hash of
    them, `version` of the rules that dealt the game. `first` is the seat that plays first, -1: drawn. `created` is in
    seconds since 1970 (UTC). `ladder`: on which the game counts, "" if on none. `drawn`: where seats were drawn, in which seat each
    sat before; `fairness` is in the order of those seats.
    """

    room: str
    rules: Options
    options: RoomOptions
    seats: tuple[SeatSetup, ...]
    cards: tuple[Card, ...]
    host: int = 0
    first: int = -1
    fairness: Fairness | None = None
    fingerprint: str = ""
    version: str = ""
    created: int = 0
    match: Match | None = None
    ladder: str = ""
    drawn: tuple[int, ...] = ()

    @property
    def fair(self) -> Fairness:
        """What the seed was made of."""
        return self.fairness or Fairness(secret=self.rules.seed)

    def deck(self, seat: int) -> tuple[Card, ...]:
        """The cards of a seat's deck; equal cards are the same object."""
        return tuple(self.cards[index] for index in self.seats[seat].deck)

    def commander(self, seat: int) -> tuple[Card, ...]:
        """The cards that lead a seat's deck (903.3)."""
        return tuple(self.cards[index] for index in self.seats[seat].commander)

    def companion(self, seat: int) -> tuple[Card, ...]:
        """The companion of a seat's deck (current 702.139), if it has one."""
        return tuple(self.cards[index] for index in self.seats[seat].companion)

    def sideboard(self, seat: int) -> tuple[Card, ...]:
        """The cards of a seat's sideboard, which are not in the game (100.4)."""
        return tuple(self.cards[index] for index in self.seats[seat].sideboard)


class Sitting(msgspec.Struct, frozen=True, kw_only=True):
    """Someone who takes part, for `make_setup`; fields as in `SeatSetup`, but deck and commander are cards."""

    name: str
    deck: tuple[Card, ...]
    kind: Literal["person", "bot"] = "person"
    person: str = ""
    level: str = ""
    deck_name: str = ""
    commander: tuple[Card, ...] = ()
    sideboard: tuple[Card, ...] = ()
    companion: tuple[Card, ...] = ()


def make_setup(
    *,
    room: str,
    options: RoomOptions,
    seed: str | Fairness,
    sittings: Sequence[Sitting],
    host: int = 0,
    rules: Options | None = None,
    version: str = "",
    created: int | None = None,
    match: Match | None = None,
    ladder: str = "",
    drawn: tuple[int, ...] = (),
) -> Setup:
    """The setup of a new game. `rules` overrides what the room's options say (for tests); a plain `seed` is one that nobody
    has added to.
    """
    fairness = seed if isinstance(seed, Fairness) else Fairness(secret=seed)
    numbers: dict[bytes, int] = {}
    cards: list[Card] = []
    seats: list[SeatSetup] = []

    def number(card: Card) -> int:
        key = encode_card(card)
        if key not in numbers:
            numbers[key] = len(cards)
            cards.append(card)
        return numbers[key]

    for sitting in sittings:
        seats.append(
            SeatSetup(
                name=sitting.name,
                kind=sitting.kind,
                person=sitting.person,
                level=sitting.level,
                deck_name=sitting.deck_name,
                deck=tuple(map(number, sitting.deck)),
                commander=tuple(map(number, sitting.commander)),
                sideboard=tuple(map(number, sitting.sideboard)),
                companion=tuple(map(number, sitting.companion)),
            )
        )
    return Setup(
        room=room,
        rules=rules or engine_options(options, fairness.seed),
        options=options,
        seats=tuple(seats),
        cards=tuple(cards),
        host=host,
        first=-1 if options.first is msgspec.UNSET else options.first,
        match=match,
        ladder=ladder,
        drawn=drawn,
        fairness=fairness,
        fingerprint=hashlib.sha256(b"\n".join(numbers)).hexdigest()[:16],
        version=version,
        created=int(time.time()) if created is None else created,
    )


def engine_options(options: RoomOptions, seed: str) -> Options:
    """The engine's options for a room's. Commander and Brawl have starting life totals of their own (903.7, current 903.12f)."""
    format_ = "free-for-all" if options.format == "constructed" else options.format
    life = options.life
    plain = Options(
        edition=options.edition,
        format=format_,
        life=variants.starting_life(format_, options.seats),
        attack=options.attack,
        range_of_influence=options.range,
        teams=drawn_teams(options, seed),
        hand_size=options.hand,
        mulligans=options.mulligans,
        first_draw=None if options.first_draw is msgspec.UNSET else options.first_draw,
        seed=seed,
    )
    return variants.with_variant(plain, options.variant, options.seats, life=None if life is msgspec.UNSET else life)


# --- entries ------------------------------------------------------------------------------------------------------------


class Entry(Record, frozen=True, kw_only=True, tag_field="entry"):
    """The common base. `at` is milliseconds since 1970 (UTC), for reading only: no game depends on it."""

    seq: int
    at: int = 0


class Answered(Entry, frozen=True, kw_only=True, tag="answer"):
    """`seat` answered the question of that number; `by` the player, the clock at zero, or the room as the seat had said.

    It took `spent` milliseconds of the seat's clock, and `away` of its time to be away.
    """

    seat: int
    question: int
    answer: AnyAnswer
    by: Literal["seat", "clock", "room"] = "seat"
    spent: int = 0
    away: int = 0


class Passed(Entry, frozen=True, kw_only=True, tag="pass"):
    """Standing passes: the priority question of that number was passed, and `number` - 1 more that followed on it. One
    entry for all of them, because they are nine of ten inputs of a game. `spent` and `away` are of the first, as in
    `Answered`.
    """

    question: int
    number: int = 1
    spent: int = 0
    away: int = 0


class Conceded(Entry, frozen=True, kw_only=True, tag="concede"):
    """`seat` left the game (104.3a)."""

    seat: int


Instruction: TypeAlias = Stops | Pass | Yield | Always | Forget | Repeat | LongerClock


class Instructed(Entry, frozen=True, kw_only=True, tag="instruct"):
    """`seat` left an instruction with its room: stops, a standing pass and the like, as the message said."""

    seat: int
    message: Instruction


class TakenBack(Entry, frozen=True, kw_only=True, tag="take_back"):
    """`seat` took back its answer to the question of that number and all that came after. `banks` and `away` are what each
    seat has left again of its clocks, in milliseconds; nothing in journals of versions that gave no time back. `why` it was not the
    seat that took it back: more than half objected to an act, or the table went back to be corrected.
    """

    seat: int
    question: int
    banks: tuple[int, ...] = ()
    away: tuple[int, ...] = ()
    why: Literal["", "objected", "corrected"] = ""


class Amended(Entry, frozen=True, kw_only=True, tag="amend"):
    """`seat` proposed a change by hand, and the table agreed: a correction, or a paragraph said in other words."""

    seat: int
    change: AnyAmendment


class SeatTaken(Entry, frozen=True, kw_only=True, tag="seat"):
    """From here on a bot of that level plays for the person in `seat`, who is away; "": the person again."""

    seat: int
    level: str = ""


class Stopped(Entry, frozen=True, kw_only=True, tag="stop"):
    """The game has ended without a result: all agreed."""

    why: str


class Upgraded(Entry, frozen=True, kw_only=True, tag="upgrade"):
    """From here on the game is played by the rules `version`. It goes on from where the entry `base` had brought it: what
    was played after that one counts no more. `hash` is that of the state, which the base snapshot of this entry holds.
    """

    base: int
    version: str
    hash: str


class Check(Entry, frozen=True, kw_only=True, tag="check"):
    """The hash of the rules' state after the entries before this one."""

    hash: str


class Ended(Entry, frozen=True, kw_only=True, tag="end"):
    """The game is over: the winners' seats, why, and the hash of the last state."""

    winners: tuple[int, ...]
    why: str
    hash: str


AnyEntry: TypeAlias = (
    Answered | Passed | Conceded | Instructed | TakenBack | SeatTaken | Stopped | Upgraded | Check | Ended | Amended
)


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", tag="snapshot"):
    """The game after the entry `seq`, written by the rules `version`.

    `state` is the rules' state (`server.rules.turn.snapshot`) and `hash` its hash; `room` what the room itself remembers, JSON.
    A `base` is one from which a game went on under later rules: it is kept as long as the journal is.
    """

    seq: int
    version: str
    hash: str
    state: bytes
    room: bytes = b"{}"
    base: bool = False


class Journal(msgspec.Struct, frozen=True):
    """A journal as read: `torn` tells that a last entry was unreadable and left out.

    `bases` are the snapshots after its `Upgraded` entries. Taken up again (`Storage.take_up`), it has the last
    `snapshot`, if there is one, and only the `entries` after it. `head` is that of the whole (`server.storage.chain`), empty for one
    that was read from a file.
    """

    setup: Setup
    entries: tuple[AnyEntry, ...]
    torn: bool = False
    bases: tuple[Snapshot, ...] = ()
    snapshot: Snapshot | None = None
    head: bytes = b""

    @property
    def last(self) -> int:
        """The number of its last entry, 0 for none."""
        if self.entries:
            return self.entries[-1].seq
        return 0 if self.snapshot is None else self.snapshot.seq


class Gap(msgspec.Struct, frozen=True):
    """What is missing at the end of a journal: how many entries there are, and how many there were."""

    has: int
    had: int


class RoomRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the list of journals; `entries` counts them. `mark` is another when journal, setup or last snapshot are; "": not told."""

    room: str
    created: int
    finished: bool
    entries: int
    mark: bytes = b""


# --- backends ------------------------------------------------------------------------------------------------------------


class Storage(Protocol):
    """What a backend does. Every write has reached the disk when the call returns; all of them raise `StorageFault`
    when the disk does not take it, and then nothing was written; reads raise it when the disk gives nothing now.
    `fault` says what was wrong with the last write, "" if it went well; `gaps` what was found missing as the storage
    was opened, by room.
    """

    gaps: dict[str, Gap]

    @property
    def fault(self) -> str:
        """See the class."""
        ...

    async def create(self, setup: Setup, entries: Sequence[AnyEntry] = ()) -> bytes:
        """Begin a journal, with its first entries; its head. Raises `RoomExists`."""
        ...

    async def append(self, room: str, entries: Sequence[AnyEntry], snapshot: Snapshot | None = None) -> bytes:
        """The journal's head, when entries are added, all or none, and with them a snapshot after an entry up to the
        last of them. It takes the place of the one before, unless that is a base. An `Ended` or `Stopped` marks the
        room finished, which needs no snapshot but bases. Raises `Conflict`, `NoSuchRoom`.
        """
        ...

    async def cut(self, room: str, last: int) -> bytes:
        """Drop what stands after the entry `last`: a torn entry, which was never acknowledged; the head then. Raises `NoSuchRoom`."""
        ...

    async def load(self, room: str) -> Journal:
        """A journal, whole. Raises `NoSuchRoom`, `Damaged`."""
        ...

    async def take_up(self, room: str) -> Journal:
        """A journal from its last snapshot on. Raises `NoSuchRoom`, `Damaged`."""
        ...

    async def take_up_all(self, rooms: Collection[str]) -> dict[str, Journal | Damaged]:
        """Those of the journals that there are, as by `take_up`, or what is wrong with one; all of them read at once."""
        ...

    async def answer_to(self, room: str, question: int) -> AnyEntry | None:
        """The entry by which the question of that number was answered or passed, in what counts of the journal; None if there is
        none. An entry that stands for passes answers all questions up to the next entry's. Raises `NoSuchRoom`, `Damaged`.
        """
        ...

    async def head_at(self, room: str, seq: int) -> bytes:
        """The head of a journal after that entry, or after its last. Raises `NoSuchRoom`."""
        ...

    async def audit(self) -> list[str]:
        """All that is kept compared with what was written; what is damaged, as sentences for the host."""
        ...

    async def setup(self, room: str) -> Setup:
        """What a game began from. Raises `NoSuchRoom`, `Damaged`."""
        ...

    async def amend(self, room: str, setup: Setup) -> None:
        """Put another setup in the place of a journal's own, with the same cards: other names. Raises `NoSuchRoom`."""
        ...

    async def remove(self, room: str) -> None:
        """Delete a journal. Raises `NoSuchRoom`."""
        ...

    async def rooms(self, of: Collection[str] | None = None) -> list[RoomRecord]:
        """All journals, or those of these rooms that there are, oldest first; only of these the marks, where the backend has any."""
        ...

    async def finish(self, room: str) -> None:
        """Mark a room finished though its game is not: it is not taken up again at a restart. Raises `NoSuchRoom`."""
        ...

    async def put(self, kind: str, key: str, data: bytes) -> None:
        """Keep a record of the lobby's (a person, a token's hash) under its kind and key; replaces."""
        ...

    async def get(self, kind: str, key: str) -> bytes | None:
        """The record, None if there is none; nothing, b"", for one that is not as it was written, which the log is told."""
        ...

    async def some(self, of: Collection[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
        """Those records that there are, by kind and key; damaged ones as in `get`."""
        ...

    async def delete(self, kind: str, key: str) -> None:
        """Forget the record, if there is one."""
        ...

    async def all(self, kind: str) -> dict[str, bytes]:
        """All records of a kind, by key; damaged ones as in `get`."""
        ...

    async def aclose(self) -> None:
        """Write what is waiting and close."""
        ...
