"""One room: one game and its only writer.

`run` is a task of a nursery. It takes messages from a bounded inbox, one after the other; whatever changes the game goes
first to the journal, then to the viewers. Everything that can be said at once without changing the game (a whole view)
is said from the state that is on disk, by plain synchronous calls. Between messages it does what is due. `under_way` is the game
under way, `requests` does what people ask of it, `duties` what it does of itself.

A defect (any exception that is no refusal) freezes this room: its players are told, its journal is kept, and every
message is refused from then on. A disk that does not take the journal is no defect: what was sent is refused, nothing
has changed.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from math import inf
from typing import TypeVar

import msgspec
import trio
from msgspec import Struct

from protocol.messages import AnswerMessage, ClientMessage, Preview, Refused, Stops
from protocol.patch import Tree
from protocol.refusals import Code, Refusal
from protocol.view import Result
from protocol.words import say
from server.knowledge.hidden import Viewer
from server.rooms.duties import Duties
from server.rooms.foresight import Ask
from server.rooms.game import RULES, Game
from server.rooms.history import now
from server.rooms.inbox import Inbox
from server.rooms.memory import Clock, Memory
from server.rooms.outbox import Outbox
from server.rooms.previews import Previews
from server.rooms.receipts import Receipts
from server.rooms.replay import Turned
from server.rooms.requests import PER_MINUTE, Requests, RoomMessage, plain
from server.rooms.seated import Seats
from server.rooms.seats import Seeing
from server.rooms.slices import Share, Slices
from server.rooms.under_way import GameUnderWay
from server.rules.model import Illegal, State
from server.storage import Gap, Instructed, Setup, Storage, StorageError, StorageFault

log = logging.getLogger("apnap.rooms")
M = TypeVar("M", bound=RoomMessage)

INBOX = 64
"""Messages that may wait for a room."""


class SeatBack(msgspec.Struct, frozen=True):
    """In the inbox: the person of a seat is back, and the bot that played for them goes."""

    seat: int


class Room:
    """See the module. Lobby and net know this face of a game alone."""

    def __init__(self, setup: Setup, storage: Storage, game: Game = RULES) -> None:
        self.setup = setup
        self.id = setup.room
        self.fairness = setup.fair
        self._storage = storage
        self._game = game
        self._under_way = GameUnderWay(setup, storage, game)
        self._requests = Requests(self._under_way)
        self._duties = Duties(self._under_way)
        self._written = False
        self._instructed: list[Instructed] = []
        self._news: dict[Viewer, str] = {}
        self._clock_before: Clock | None = None
        self._brought: dict[str, str] = {}
        """Receipts that were brought and not yet looked at, by the viewer's key."""
        self._inbox = Inbox[tuple[Seeing, RoomMessage] | SeatBack | None](INBOX)
        self._previews = Previews(self._look_ahead)
        self._to_look = False
        """Who is there has changed since it was told last whose clock runs."""

    # --- the interface to lobby and net ---

    @property
    def over(self) -> trio.Event:
        """Set once the game has a result."""
        return self._under_way.over

    @property
    def frozen(self) -> bool:
        """Whether the room stands still, after a defect or with a journal that cannot be played."""
        return self._under_way.frozen

    @property
    def state_hash(self) -> str:
        """The hash of the last state, once the game is over."""
        return self._under_way.state_hash

    def watch_over(
        self, on_change: Callable[[], None], most_entries: int | None = None, resends_per_minute: int = PER_MINUTE
    ) -> None:
        """What to call when the game is over or frozen, how many entries its journal may have before it ends, and how often a seat
        may send answers again of which only the journal knows.
        """
        self._under_way.on_change = on_change
        self._requests.resends.per_minute = resends_per_minute
        self._duties.most_entries = most_entries

    def share_time(self, slices: Slices) -> None:
        """With whom it has its time in the event loop in common. Before `run`."""
        self._under_way.history.share = slices.share()

    def look_ahead_by(self, ask: Ask) -> None:
        """What looks ahead where that takes too long here."""
        self._requests.foresight.elsewhere = ask

    @property
    def share(self) -> Share:
        """Its time in the event loop. Whoever can wait attaches within a piece of it: a whole view of a large table takes long."""
        return self._under_way.share

    def pass_after(self, ms: int) -> None:
        """After how many milliseconds a person's seat is passed for that can do nothing, but looks as though it could."""
        self._under_way.pass_ms = ms

    def freeze(self, why: str = "notice.frozen") -> None:
        """Stand still, and say so to everyone. `why` is the key of what is said."""
        self._under_way.freeze(why)

    @property
    def state(self) -> State | None:
        """The state that is on disk and shown; None before the deal."""
        return self._under_way.history.state

    @property
    def seq(self) -> int:
        """The number of the journal's last entry."""
        return self._under_way.history.seq

    @property
    def result(self) -> Result | None:
        """How the game ended, once it has."""
        return self._under_way.history.result

    def is_over_to(self, viewer: Viewer) -> bool:
        """Whether that viewer has seen the end: spectators may see it later than seats."""
        return self._under_way.is_over_to(viewer)

    @property
    def seats(self) -> Seats:
        """What each seat has left with the room, and its account of time."""
        return self._under_way.history.seats

    @property
    def bots(self) -> dict[int, str]:
        """The seats in which a bot plays for a person, and its level."""
        return {seat: seated.bot for seat, seated in enumerate(self._under_way.history.seats) if seated.bot}

    def view(self, viewer: Viewer) -> Tree:
        """The view of a seat (None: of a spectator who sees it at once) as it is now. Never change it."""
        return self._under_way.audience.tree(viewer)

    def attach(
        self,
        key: str,
        outbox: Outbox,
        *,
        seat: Viewer = None,
        known: set[str] | None = None,
        digests: bool = False,
        packed: bool = False,
        brief: bool = False,
        gathered: bool = False,
        lang: str = "en",
        epoch: int = 0,
        seq: int = 0,
        log: int | None = None,
        receipts: bool = False,
        receipt: str = "",
        when_asked: bool = False,
    ) -> None:
        """Someone looks on, under a key that the caller chooses: from a seat, or as a spectator (None).

        `known` are the hashes of faces that the connection has; it is kept up to date. (`epoch`, `seq`) is the last view
        or patch seen earlier, `log` how many lines of the log were seen by then, `receipt` the last of the `receipts` that were asked
        for. A whole view goes out at once, or with the deal. `when_asked`: see `Seeing`.
        """
        viewer = Seeing(
            key,
            outbox,
            seat,
            set[str]() if known is None else known,
            digests=digests,
            packed=packed,
            brief=brief,
            gathered=gathered,
            lang=lang,
            receipts=receipts,
            when_asked=when_asked,
        )
        if seat is not None and seat not in self._under_way.time.present:
            self._under_way.time.present.add(seat)
            self._look_again()
        audience = (
            self._under_way.late if seat is None and self._under_way.late is not None else self._under_way.audience
        )
        with self.share.counted():
            audience.attach(viewer, epoch, seq, log)
        if self._under_way.state is not None:
            if seat in self._news:
                audience.teller.notice(viewer, self._news.pop(seat))
            if audience is self._under_way.audience:
                self._under_way.herald.welcome(viewer, self._under_way.seats, self._under_way.now())
            self._look_again()
        if self._under_way.frozen:
            audience.teller.notice(viewer, self._under_way.why_frozen)
            return
        if self._under_way.gap is not None:
            audience.teller.notice(viewer, "notice.lost", entries=self._under_way.gap.had - self._under_way.gap.has)
        if receipt and seat is not None:
            self._brought[key] = receipt
            self._look_again()

    def detach(self, key: str) -> None:
        """That viewer is gone. Its seat goes on being asked, by the clock of who is away if nobody else looks from it."""
        for audience in self._under_way.audiences():
            viewer = audience.viewers.pop(key, None)
            if viewer is None:
                continue
            viewer.outbox.on_drained = None
            if viewer.seat is None:
                continue
            if all(other.seat != viewer.seat for other in audience.viewers.values()):
                self._under_way.time.present.discard(viewer.seat)
                self._look_again()

    def keep_receipts(self, receipts: Receipts) -> None:
        """What receipts for its seats are made with."""
        self._under_way.receipts = receipts

    def forgot(self, gap: Gap) -> None:
        """What the journal has lost, as was noticed before the room runs."""
        self._under_way.has_lost(gap)

    def leave_stops(self, seat: int, stops: Stops) -> None:
        """Leave a seat's stops with the room before it runs, so that no question depends on when they came."""
        self._instructed.append(Instructed(seq=0, at=now(), seat=seat, message=plain(stops)))

    def seat_bots(self, seat_bot: Callable[[int, str], None]) -> None:
        """What to call when a bot of a level is to play for the person in a seat."""
        self._under_way.motions.on_bot = seat_bot

    def seat_back(self, seat: int) -> None:
        """The person of a seat for which a bot plays is back."""
        if not self._inbox.takes(SeatBack(seat)):
            raise Refusal(Code.BUSY)

    def say_late(self, say: Callable[[], None]) -> None:
        """Say something to late spectators when they see the game as it is now; at once if there are none, or they have seen
        its end.
        """
        if self._under_way.late is None or self._under_way.is_over_to(None):
            say()
            return
        self._under_way.late.keep_words(say, self._under_way.now())
        self._look_again()

    async def rest(self) -> None:
        """Keep a snapshot of the game as it is now, so that the next start of the server need not play any of it, whatever
        its rules. A disk that does not take it is logged: the journal has the game all the same.
        """
        try:
            await self._under_way.rest()
        except StorageFault as fault:
            log.error("room %s: its snapshot cannot be written: %s", self.id, fault)

    async def submit(self, key: str, message: ClientMessage) -> None:
        """Hand a message to the room; the reply comes by the viewer's outbox. Raises `Refusal`: not_in_room, busy, frozen,
        or unknown_message for a message that is none of the room's.
        """
        # Whoever reads messages waits for the next; a turn of the loop is an answer's time.
        await trio.lowlevel.checkpoint_if_cancelled()
        if self.takes(key, message):
            return
        viewer = self._viewer(key)
        if viewer is None:
            raise Refusal(Code.NOT_IN_ROOM)
        if not isinstance(message, RoomMessage):
            raise Refusal(Code.UNKNOWN_MESSAGE)
        if self._under_way.frozen and not self._requests.may_mend(message):
            raise Refusal(Code.FROZEN, say(self._under_way.why_frozen, viewer.lang))
        raise Refusal(Code.BUSY)

    def takes(self, key: str, message: ClientMessage) -> bool:
        """As `submit`, at once; False where that refuses it."""
        viewer = self._viewer(key)
        if viewer is None or not isinstance(message, RoomMessage):
            return False
        if self._under_way.frozen and not self._requests.may_mend(message):
            return False
        return self._inbox.takes((viewer, message))

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Deal (unless the game was restored), then play until cancelled. Started once the deal is on disk.

        Raises before it has started what keeps the game from being dealt; afterwards it raises for nothing.
        """
        await self._begin()
        task_status.started()
        # What looks ahead ends with the room, in the nursery that the room is a task of.
        self._previews.nursery = trio.lowlevel.current_task().parent_nursery
        due = self._duties.due(self._under_way.now())
        while True:
            item = await self._inbox.next(inf if due is None else due)
            try:
                if isinstance(item, tuple):
                    await self._take(*item, self._request)
                elif isinstance(item, SeatBack):
                    await self._duties.end_bot(item.seat)
                while self._brought:
                    await self._look_at(*self._brought.popitem())
                at = self._under_way.now()
                due = self._duties.due(at)
                if self._to_look or not _is_answer(item) or due is not None and due <= at:
                    self._to_look = False
                    await self._duties.do()
                    due = self._duties.due(self._under_way.now())
            except Exception:
                self._defect(item)
                due = self._duties.due(self._under_way.now())

    async def _look_ahead(self, sender: Seeing, message: Preview) -> None:
        try:
            await self._take(sender, message, self._requests.preview)
        except Exception:
            self._defect((sender, message))

    def _defect(self, item: object) -> None:
        """What must not happen has: the room stands still."""
        log.exception("room %s is frozen at entry %d", self.id, self._under_way.seq)
        self._under_way.freeze()
        match item:
            case (Seeing() as sender, Struct(id=str() as re)):
                sender.outbox.put(Refused(re=re, code=Code.FROZEN, sentence=Refusal(Code.FROZEN).sentence))
            case _:
                pass

    def put_away(self) -> None:
        """Nobody needs the room any more, and nothing may be asked of it from now on."""
        self._under_way.take_apart()
        self._inbox.put_away()
        del self._previews

    # --- beginnings ---

    def recall(self, memory: Memory) -> None:
        """Take up what the room remembered at a snapshot. Before `take_in`."""
        self._under_way.history.recall(memory)
        self._under_way.audience.teller.recall(memory)

    def take_in(self, turns: Iterable[Turned]) -> None:
        """Take in a part of the replayed journal; ends with `restored` or `cannot_be_taken_up`."""
        self._under_way.history.take_in(turns)

    def restored(self, seq: int, head: bytes, news: str = "") -> None:
        """The journal, whose last entry has the number `seq`, and whose head is that, is played to its end. `news` is
        the key of what each seat is to be told when it comes.
        """
        self._written = True
        self._under_way.history.now_at(seq, head)
        self._news = dict.fromkeys((*range(len(self.setup.seats)), None), news) if news else {}
        if self._under_way.state is not None:
            self._under_way.audience.teller.update(self._under_way.state, self._under_way.result)

    def taken_up(self, moment: int) -> None:
        """The room is taken up by a server that started at this moment, in seconds since 1970, later than any before it."""
        under_way = self._under_way
        for audience in under_way.audiences():
            audience.teller.taken_up(moment)
        for asked in (under_way.votes, under_way.by_hand.proposals, under_way.by_hand.objections):
            asked.names.taken_up(moment)

    async def upgraded(self, seq: int, base: int, news: str = "") -> None:
        """The journal is played as far as the entry `base`, under other rules than before, and goes on from there after its
        last entry, `seq`. Raises `StorageFault`, and what the rules raise for a state that they cannot go on from.
        """
        await self._under_way.history.upgraded(seq, base)
        history = self._under_way.history
        log.warning("room %s goes on by the rules %s", self.id, self._game.version)
        self.restored(history.seq, history.head, news)

    def cannot_be_taken_up(self, why: str) -> None:
        """The journal cannot be played: nothing is to be seen of the game. `why` is the key of what is said of it."""
        self._written = True
        self._under_way.freeze(why)
        self._under_way.history.state = None

    async def _begin(self) -> None:
        if self._under_way.state is None and not self._under_way.frozen:
            state, events = self._game.start(self.setup)
            if not self._written:
                head = await self._storage.create(self.setup, self._under_way.history.numbered(self._instructed))
                self._under_way.history.now_at(0, head)
            self._written = True
            self._under_way.history.take_in([Turned(entry, state, state, ()) for entry in self._instructed])
            self._under_way.history.seq = len(self._instructed)
            self._instructed = []
            # The journal has begun: nothing more may fail now, so what the room answers by itself waits for the loop.
            self._under_way.history.take(Turned(None, state, state, events), self._under_way.history.seats)
        if self._under_way.state is not None:
            self._under_way.moved()
            if self._clock_before is not None:
                before = self._clock_before
                self._under_way.time.take_up(before.question, before.spent, before.away, self._under_way.state)
                self._under_way.follow_time()

    # --- messages ---

    async def _request(self, viewer: Seeing, message: RoomMessage) -> None:
        if isinstance(message, Preview):
            self._previews.put(viewer, message)
        else:
            # What a seat is told comes in the order in which it asked, or that would tell how long the looking took.
            if isinstance(message, AnswerMessage):
                await self._previews.told(viewer)
            await self._requests.handle(viewer, message)

    async def _take(self, sender: Seeing, message: M, do: Callable[[Seeing, M], Awaitable[None]]) -> None:
        """Do what a message asks, unless the room stands still; a refusal is told. For who has left, or whose seat another connection
        holds by now, nothing is done.
        """
        viewer = self._viewer(sender.key)
        if viewer is None:
            no = Refusal(Code.NOT_IN_ROOM)
            sender.outbox.put(Refused(re=message.id, code=no.code, sentence=no.sentence))
            return
        try:
            if self._under_way.frozen and not self._requests.may_mend(message):
                raise Refusal(Code.FROZEN, say(self._under_way.why_frozen, viewer.lang))
            await do(viewer, message)
        except Refusal as no:
            viewer.outbox.put(Refused(re=message.id, code=no.code, sentence=no.sentence, rule=no.rule, path=no.path))
        except Illegal as no:
            viewer.outbox.put(Refused(re=message.id, code=no.code, sentence=no.sentence, rule=self._requests.rule(no)))
        except StorageFault as fault:
            log.error("room %s: the journal cannot be written: %s", self.id, fault)
            sentence = say("notice.unwritten", viewer.lang)
            viewer.outbox.put(Refused(re=message.id, code=Code.BUSY, sentence=sentence))

    async def _look_at(self, key: str, receipt: str) -> None:
        """A receipt from the last time that the viewer was here."""
        viewer = self._viewer(key)
        if viewer is None:
            return
        try:
            await self._requests.look_at(viewer, receipt)
        except (Refusal, StorageError) as fault:
            log.warning("room %s: a receipt is not looked at: %s", self.id, fault)

    def _look_again(self) -> None:
        """Who is there has changed: the loop looks again at what is due, and tells."""
        if self._under_way.state is not None:
            self._under_way.time.follow(self._under_way.state, self._under_way.history.seats, self._under_way.now())
        self._to_look = True
        self._inbox.takes(None)  # where it is full, it has enough to wake up for

    def _viewer(self, key: str) -> Seeing | None:
        under_way = self._under_way
        found = under_way.audience.viewers.get(key)
        return under_way.late.viewers.get(key) if found is None and under_way.late is not None else found

    # --- clocks over a restart ---

    def clock(self) -> Clock | None:
        """What the running clock shows, None if none runs."""
        running = self._under_way.time.clock
        if running.question < 0 or self._under_way.over.is_set() or self._under_way.frozen:
            return None
        return Clock(running.question, *running.times(self._under_way.now()))

    def set_clock(self, clock: Clock) -> None:
        """What the clock showed before a restart. Before `run`."""
        self._clock_before = clock


def _is_answer(item: tuple[Seeing, RoomMessage] | SeatBack | None) -> bool:
    """Whether it can change nothing but what `GameUnderWay` follows by itself as it tells of it."""
    return isinstance(item, tuple) and isinstance(item[1], AnswerMessage)
