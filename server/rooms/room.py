"""One room: one game and its only writer.

`run` is a task of a nursery. It takes messages from a bounded inbox, one after the other; whatever changes the game goes
first to the journal, then to the viewers. Everything that can be said at once without changing the game (a whole view)
is said from the state that is on disk, by plain synchronous calls. Between messages it does what is due: what it answers by
itself for a seat, clocks, votes, what late spectators see. Something is due in finite time as long as a question is open and
anybody is there, so no room waits for ever.

A defect (any exception that is no refusal) freezes this room: its players are told, its journal is kept, and every
message is refused from then on. A disk that does not take the journal is no defect: what was sent is refused, nothing
has changed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec
import trio
from msgspec.structs import replace

from protocol.messages import (
    Always,
    AnswerMessage,
    BotFor,
    ClientMessage,
    Concede,
    Consent,
    EndGame,
    Forecast,
    Forget,
    LongerClock,
    Ok,
    Pass,
    Pause,
    Preview,
    Refused,
    Repeat,
    ServerMessage,
    Stops,
    Sync,
    TakeBack,
    Unpause,
    Yield,
)
from protocol.patch import Tree
from protocol.refusals import Code, Refusal
from protocol.view import Result
from protocol.words import say
from server.metrics import PATCH_SECONDS
from server.rooms.audience import Audience, LateAudience, Moment
from server.rooms.ballots import Motion
from server.rooms.course import Course, now
from server.rooms.forecasts import forecast
from server.rooms.game import RULES, Game
from server.rooms.herald import Herald
from server.rooms.knowledge import Viewer
from server.rooms.memory import Clock, Memory
from server.rooms.motions import Motions, Moving
from server.rooms.outbox import Outbox
from server.rooms.questions import check_kind, number_of, read_answer
from server.rooms.replay import Turned
from server.rooms.seated import Seats
from server.rooms.seats import Seeing
from server.rooms.timekeeper import Timekeeper
from server.rooms.votes import Votes
from server.rules.errors import Illegal
from server.rules.state import State
from server.storage import Conceded, Fairness, Instructed, SeatTaken, Setup, Storage, StorageFault

Instructing: TypeAlias = Stops | Pass | Yield | Always | Forget | Repeat | LongerClock
RoomMessage: TypeAlias = AnswerMessage | Concede | Sync | Preview | Consent | Unpause | Instructing | Moving
log = logging.getLogger("apnap.rooms")

INBOX = 64
"""Messages that may wait for a room."""
RETRY_MS = 1000
"""Until what the room does of itself is tried again on a disk that does not take it."""


class SeatBack(msgspec.Struct, frozen=True):
    """In the inbox: the person of a seat is back, and the bot that played for them goes."""

    seat: int


class Room:
    """See the module. `over` is set once the game has a result; `frozen` is true after a defect; `on_change` is called when
    either comes about.
    """

    def __init__(self, setup: Setup, storage: Storage, game: Game = RULES) -> None:
        self.setup = setup
        self.id = setup.room
        self.fairness = setup.fairness or Fairness(secret=setup.rules.seed)
        self.over = trio.Event()
        self.on_change: Callable[[], None] | None = None
        self.frozen = False
        self.most_entries: int | None = None
        """How long the journal may grow before the game ends, None for no limit."""
        self.state_hash = ""
        self._storage = storage
        self._game = game
        self._written = False
        self._why_frozen = "notice.frozen"
        self._instructed: list[Instructed] = []
        self._news: dict[Viewer, str] = {}
        self._time = Timekeeper(setup)
        self._course = Course(setup, self._time.terms, storage, game, self._observe, self._remember)
        self._audience = Audience(game, setup, self._shown_ms)
        self._late = LateAudience(game, setup) if setup.options.delay_ms else None
        self._votes = Votes(self._audience.put)
        self._motions = Motions(setup, self._course, self._time, self._votes)
        self._herald = Herald(self._audience, self._time, self._votes, self._course.seats)
        self._clock_before: Clock | None = None
        self._opened = (-1, 0)
        """The open question's number, and when it was opened."""
        self._retry_at = 0
        send, receive = trio.open_memory_channel[tuple[str, RoomMessage] | SeatBack | None](INBOX)
        self._inbox_send = send
        self._inbox = receive

    # --- the face to lobby and net ---

    @property
    def state(self) -> State | None:
        """The state that is on disk and shown; None before the deal."""
        return self._course.state

    @property
    def seq(self) -> int:
        """The number of the journal's last entry."""
        return self._course.seq

    @property
    def result(self) -> Result | None:
        """How the game ended, once it has."""
        return self._course.result

    def is_over_to(self, viewer: Viewer) -> bool:
        """Whether that viewer has seen the end: spectators may see it later than seats."""
        if viewer is None and self._late is not None:
            return self._late.moment is not None and self._late.moment.ending is not None
        return self.over.is_set()

    @property
    def seats(self) -> Seats:
        """What each seat has left with the room, and its account of time."""
        return self._course.seats

    @property
    def bots(self) -> dict[int, str]:
        """The seats in which a bot plays for a person, and its level."""
        return {seat: seated.bot for seat, seated in enumerate(self._course.seats) if seated.bot}

    def view(self, viewer: Viewer) -> Tree:
        """The view of a seat (None: of a spectator who sees it at once) as it is now. Never change it."""
        return self._audience.tree(viewer)

    def attach(
        self,
        key: str,
        outbox: Outbox,
        *,
        seat: Viewer = None,
        known: set[str] | None = None,
        digests: bool = False,
        packed: bool = False,
        lang: str = "en",
        epoch: int = 0,
        seq: int = 0,
        log: int | None = None,
    ) -> None:
        """Someone looks on, under a key that the caller chooses: from a seat, or as a spectator (None).

        `known` are the hashes of faces that the connection has; it is kept up to date. (`epoch`, `seq`) is the last view
        or patch seen earlier, `log` how many lines of the log were seen by then. A whole view goes out at once, or with the deal.
        """
        faces = set[str]() if known is None else known
        viewer = Seeing(key, outbox, seat, faces, digests=digests, packed=packed, lang=lang)
        if seat is not None and seat not in self._time.present:
            self._time.present.add(seat)
            self._look_again()
        audience = self._late if seat is None and self._late is not None else self._audience
        audience.attach(viewer, epoch, seq, log)
        if self.state is not None:
            if seat in self._news:
                audience.teller.notice(viewer, self._news.pop(seat))
            if audience is self._audience:
                self._herald.welcome(viewer, self.seats, self._now())
            self._look_again()
        if self.frozen:
            audience.teller.notice(viewer, self._why_frozen)

    def detach(self, key: str) -> None:
        """That viewer is gone. Its seat goes on being asked, by the clock of who is away if nobody else looks from it."""
        for audience in self._audiences():
            viewer = audience.viewers.pop(key, None)
            if viewer is None or viewer.seat is None:
                continue
            if all(other.seat != viewer.seat for other in audience.viewers.values()):
                self._time.present.discard(viewer.seat)
                self._look_again()

    def leave_stops(self, seat: int, stops: Stops) -> None:
        """Leave a seat's stops with the room before it runs, so that no question depends on when they came."""
        self._instructed.append(Instructed(seq=0, at=now(), seat=seat, message=_plain(stops)))

    def seat_bots(self, seat_bot: Callable[[int, str], None]) -> None:
        """What to call when a bot of a level is to play for the person in a seat."""
        self._motions.on_bot = seat_bot

    def seat_back(self, seat: int) -> None:
        """The person of a seat for which a bot plays is back."""
        try:
            self._inbox_send.send_nowait(SeatBack(seat))
        except trio.WouldBlock:
            raise Refusal(Code.BUSY) from None

    def say_late(self, say: Callable[[], None]) -> None:
        """Say something to late spectators when they see the game as it is now; at once if there are none, or they have seen
        its end.
        """
        if self._late is None or self.is_over_to(None):
            say()
            return
        self._late.keep_words(say, self._now())
        self._look_again()

    async def rest(self) -> None:
        """Keep a snapshot of the game as it is now, so that the next start of the server need not play any of it, whatever
        its rules. A disk that does not take it is logged: the journal has the game all the same.
        """
        if self.frozen or self.over.is_set():
            return
        try:
            await self._course.rest()
        except StorageFault as fault:
            log.error("room %s: its snapshot cannot be written: %s", self.id, fault)

    async def submit(self, key: str, message: ClientMessage) -> None:
        """Hand a message to the room; the reply comes by the viewer's outbox. Raises `Refusal`: not_in_room, busy, frozen,
        or unknown_message for a message that is none of the room's.
        """
        await trio.lowlevel.checkpoint()
        viewer = self._viewer(key)
        if viewer is None:
            raise Refusal(Code.NOT_IN_ROOM)
        if not isinstance(message, RoomMessage):
            raise Refusal(Code.UNKNOWN_MESSAGE)
        if self.frozen:
            raise Refusal(Code.FROZEN, say(self._why_frozen, viewer.lang))
        try:
            self._inbox_send.send_nowait((key, message))
        except trio.WouldBlock:
            raise Refusal(Code.BUSY) from None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Deal (unless the game was restored), then play until cancelled. Started once the deal is on disk.

        Raises before it has started what keeps the game from being dealt; afterwards it raises for nothing.
        """
        await self._begin()
        task_status.started()
        while True:
            item = await self._next()
            try:
                if isinstance(item, tuple):
                    await self._take(*item)
                elif isinstance(item, SeatBack):
                    await self._end_bot(item.seat)
                await self._do_what_is_due()
            except Exception:
                log.exception("room %s is frozen at entry %d", self.id, self.seq)
                self.freeze()
                if isinstance(item, tuple):
                    self._reply(
                        item[0], Refused(re=item[1].id, code=Code.FROZEN, sentence=Refusal(Code.FROZEN).sentence)
                    )

    async def _next(self) -> tuple[str, RoomMessage] | SeatBack | None:
        """The next item of the inbox; None when something is due, or who is there has changed."""
        due = self._due()
        if due is not None and due <= self._now():
            try:
                return self._inbox.receive_nowait()
            except trio.WouldBlock:
                return None
        with trio.move_on_at(trio.current_time() + 86_400 if due is None else due / 1000):
            return await self._inbox.receive()
        return None

    # --- beginnings ---

    def recall(self, memory: Memory) -> None:
        """Take up what the room remembered at a snapshot. Before `take_in`."""
        self._course.recall(memory)
        self._audience.teller.recall(memory)

    def take_in(self, turns: Iterable[Turned]) -> None:
        """Take in a part of the replayed journal; ends with `restored` or `cannot_be_taken_up`."""
        self._course.take_in(turns)

    def restored(self, seq: int, news: str = "") -> None:
        """The journal, whose last entry has the number `seq`, is played to its end. `news` is the key of what each seat is
        to be told when it comes.
        """
        self._written = True
        self._course.seq = seq
        self._news = dict.fromkeys((*range(len(self.setup.seats)), None), news) if news else {}
        if self.state is not None:
            self._audience.teller.update(self.state, self.result, seq)

    def taken_up(self, moment: int) -> None:
        """The room is taken up by a server that started at this moment, in seconds since 1970, later than any before it."""
        self._audience.teller.taken_up(moment, self.seq)

    async def upgraded(self, seq: int, base: int, news: str = "") -> None:
        """The journal is played as far as the entry `base`, under other rules than before, and goes on from there after its
        last entry, `seq`. Raises `StorageFault`, and what the rules raise for a state that they cannot go on from.
        """
        await self._course.upgraded(seq, base)
        log.warning("room %s goes on by the rules %s", self.id, self._game.version)
        self.restored(self._course.seq, news)

    def cannot_be_taken_up(self, why: str) -> None:
        """The journal cannot be played: nothing is to be seen of the game. `why` is the key of what is said of it."""
        self._written = True
        self.freeze(why)
        self._course.state = None

    async def _begin(self) -> None:
        if self.state is None and not self.frozen:
            state, events = self._game.start(self.setup)
            if not self._written:
                await self._storage.create(self.setup, self._course.numbered(self._instructed))
            self._written = True
            self._course.take_in([Turned(entry, state, state, ()) for entry in self._instructed])
            self._course.seq = len(self._instructed)
            # The journal has begun: nothing more may fail now, so what the room answers by itself waits for the loop.
            await self._course.commit([Turned(None, state, state, events)], self._course.seats)
        if self.state is not None:
            self._moved()
            if self._clock_before is not None:
                before = self._clock_before
                self._time.take_up(before.question, before.spent, before.away, self.state)
                self._follow_time()

    def _observe(self, turned: Turned) -> None:
        for audience in self._audiences():
            audience.observe(turned)

    def _remember(self, memory: Memory) -> Memory:
        return self._audience.teller.remembered(memory)

    # --- messages ---

    async def _take(self, key: str, message: RoomMessage) -> None:
        """One message from the inbox."""
        viewer = self._viewer(key)
        if viewer is None:
            return
        try:
            if self.frozen:
                raise Refusal(Code.FROZEN, say(self._why_frozen, viewer.lang))
            await self._handle(viewer, message)
        except Refusal as no:
            viewer.outbox.put(Refused(re=message.id, code=no.code, sentence=no.sentence, rule=no.rule, path=no.path))
        except Illegal as no:
            viewer.outbox.put(Refused(re=message.id, code=no.code, sentence=no.sentence, rule=self._rule(no)))
        except StorageFault as fault:
            log.error("room %s: the journal cannot be written: %s", self.id, fault)
            sentence = say("notice.unwritten", viewer.lang)
            viewer.outbox.put(Refused(re=message.id, code=Code.BUSY, sentence=sentence))

    async def _handle(self, viewer: Seeing, message: RoomMessage) -> None:
        match message:
            case AnswerMessage():
                await self._answer(viewer, message)
            case Concede():
                await self._concede(viewer, message)
            case Preview():
                self._preview(viewer, message)
            case Sync():
                viewer.known.clear()
                (self._late if viewer.seat is None and self._late is not None else self._audience).whole(
                    viewer, message.id
                )
            case TakeBack() | Pause() | BotFor() | EndGame():
                await self._move(viewer, message)
            case Consent():
                _, seat = self._playing(viewer)
                self._votes.vote(message.vote, seat, yes=message.yes, now=self._now())
                viewer.outbox.put(Ok(re=message.id))
            case Unpause():
                self._playing(viewer)
                if self._time.paused_until is None:
                    raise Refusal(Code.NOT_PAUSED)
                self._end_pause()
                viewer.outbox.put(Ok(re=message.id))
            case _:
                await self._instruct(viewer, message)

    async def _answer(self, viewer: Seeing, message: AnswerMessage) -> None:
        state, seat = self._seated(viewer)
        answer = read_answer(message.answer)
        number = number_of(state, message.question)
        if state.pending is None or number != state.pending.number:
            if number is not None and self._course.answers.same(seat, number, answer):
                viewer.outbox.put(Ok(re=message.id, again=True))
                return
        pending = self._asked(state, seat, number)
        check_kind(pending, answer)
        turned = self._course.play(seat, answer, "seat", *self._time.charge(self._now()))
        await self._advance([turned], "answered", viewer, message.id)

    async def _concede(self, viewer: Seeing, message: Concede) -> None:
        state, seat = self._seated(viewer)
        if state.players[seat].lost:
            viewer.outbox.put(Ok(re=message.id, again=True))
            return
        self._playing(viewer)
        await self._advance([self._conceded(state, seat)], "concession", viewer, message.id)

    def _preview(self, viewer: Seeing, message: Preview) -> None:
        state, seat = self._seated(viewer)
        pending = self._asked(state, seat, number_of(state, message.question))
        answer = read_answer(message.answer)
        check_kind(pending, answer)
        told = Forecast(re=message.id, question=message.question)
        try:
            told = replace(told, effects=forecast(self._game, state, seat, answer))
        except Illegal as no:
            told = replace(told, legal=False, code=no.code, sentence=no.sentence, rule=self._rule(no))
        viewer.outbox.put(told)

    async def _instruct(self, viewer: Seeing, message: Instructing) -> None:
        _, seat = self._seated(viewer)
        if isinstance(message, LongerClock) and not self.setup.options.longer_clocks:
            raise Refusal(Code.BAD_OPTION)
        await self._course.note(Instructed(seq=0, at=now(), seat=seat, message=_plain(message)))
        viewer.outbox.put(Ok(re=message.id))
        self._herald.tell_automatic(self.seats)
        self._follow_time()

    def _seated(self, viewer: Seeing) -> tuple[State, int]:
        """The state, and the viewer's seat. Raises `Refusal`: no_game, not_seated."""
        if self.state is None:
            raise Refusal(Code.NO_GAME)
        if viewer.seat is None:
            raise Refusal(Code.NOT_SEATED)
        return self.state, viewer.seat

    def _playing(self, viewer: Seeing) -> tuple[State, int]:
        """As `_seated`, while the game is on and the seat is in it. Raises `Refusal`: game_over, too."""
        state, seat = self._seated(viewer)
        if self.result is not None or state.players[seat].lost:
            raise Refusal(Code.GAME_OVER)
        return state, seat

    def _asked(self, state: State, seat: int, number: int | None):
        """The open question, if it is that one and the seat's. Raises `Refusal`: game_over, stale, not_your_question."""
        pending = state.pending
        if pending is None or number != pending.number or self.result is not None:
            if self.result is not None:
                raise Refusal(Code.GAME_OVER)
            asked = number is not None and self._course.answers.was_asked(seat, number)
            raise Refusal(Code.STALE if asked else Code.NOT_YOUR_QUESTION)
        if pending.seat != seat:
            raise Refusal(Code.NOT_YOUR_QUESTION)
        return pending

    def _rule(self, no: Illegal) -> str:
        return self.state.edition.number(no.rule) if self.state is not None and no.rule else no.rule

    # --- what is asked of the whole table ---

    async def _move(self, viewer: Seeing, message: Moving) -> None:
        state, seat = self._playing(viewer)
        gone_back = await self._motions.ask(state, seat, message, self._now())
        viewer.outbox.put(Ok(re=message.id))
        if gone_back:
            self._moved("taken_back")

    async def _carry_out(self, motion: Motion) -> None:
        """Do what all have agreed to. Raises `StorageFault`."""
        closes = await self._motions.carry_out(motion, self._now())
        if closes:
            self._moved(closes)
        else:
            self._follow_time()

    async def _end_bot(self, seat: int) -> None:
        if self._course.seats[seat].bot:
            await self._course.note(SeatTaken(seq=0, at=now(), seat=seat))
            self._follow_time()

    def _end_pause(self) -> None:
        self._time.paused_until = None
        self._follow_time()

    # --- what is due ---

    def _now(self) -> int:
        """Milliseconds of trio's clock."""
        return round(trio.current_time() * 1000)

    def _due(self) -> int | None:
        """When there is something to do, None for never."""
        at = [] if self._late is None or self._late.due() is None else [self._late.due()]
        if not self.frozen and not self.over.is_set():
            work = [self._automatic_due(), self._clock_due(), self._time.paused_until, self._time.abandoned_at()]
            if self._is_too_long():
                work.append(self._now())
            if self._votes.ballot is not None:
                work.append(self._now() if self._votes.passed() is not None else self._votes.ballot.until)
            at.extend(max(due, self._retry_at) for due in work if due is not None)
        return min((due for due in at if due is not None), default=None)

    def _is_too_long(self) -> bool:
        return self.most_entries is not None and self.seq >= self.most_entries

    def _automatic_due(self) -> int | None:
        reply = self._course.waits()
        return None if reply is None else self._opened[1] + reply.wait_ms

    def _clock_due(self) -> int | None:
        left = self._time.left_ms(self._course.seats, self._now())
        return None if left is None else self._now() + left

    async def _do_what_is_due(self) -> None:
        """What the room does of itself. On a disk that does not take it, it is tried again a little later."""
        if self._late is not None:
            before = self.is_over_to(None)
            self._late.release(self._now())
            if self.is_over_to(None) != before:
                self._changed()
        state, at = self.state, self._now()
        if state is None or self.frozen or self.over.is_set() or at < self._retry_at:
            return
        try:
            if self._is_too_long():
                await self._course.stop("lost.too_long")
                self._audience.notice("notice.too_long")
                self._moved("over")
                return
            self._votes.expire(at)
            motion = self._votes.passed()
            if motion is not None:
                await self._carry_out(motion)
                return
            if self._time.paused_until is not None and at >= self._time.paused_until:
                self._end_pause()
            self._follow_time()
            automatic, clock, abandoned = self._automatic_due(), self._clock_due(), self._time.abandoned_at()
            if automatic is not None and automatic <= at:
                await self._advance([], "pass")
            elif clock is not None and clock <= at and state.pending is not None:
                await self._timeout(state, state.pending.seat)
            elif abandoned is not None and abandoned <= at:
                await self._course.stop("lost.abandoned")
                self._moved("over")
        except StorageFault as fault:
            log.error("room %s: the journal cannot be written: %s", self.id, fault)
            self._retry_at = self._now() + RETRY_MS

    async def _timeout(self, state: State, seat: int) -> None:
        """The clock of the open question is at zero: its default is answered, or the seat concedes."""
        assert state.pending is not None
        limit = self._time.terms.concede_after
        if limit and self._course.seats[seat].banks.missed + 1 >= limit:
            await self._advance([self._conceded(state, seat)], "concession")
            return
        default = self._game.default(state, state.pending)
        turned = self._course.play(seat, default, "clock", *self._time.charge(self._now()))
        await self._advance([turned], "timeout")

    def _conceded(self, state: State, seat: int) -> Turned:
        after, events = self._game.concede(state, seat)
        return Turned(Conceded(seq=0, at=now(), seat=seat), state, after, events)

    # --- the game goes on ---

    async def _advance(self, turns: list[Turned], why: str, viewer: Seeing | None = None, re: str = "") -> None:
        """Play on with what these turns came to: with what the room answers by itself after them, write it all down, then
        make it the course of the game, reply, and tell everyone. `why` is what closes the question that was open. Raises
        `StorageFault`.
        """
        seats = self._course.run_on(turns, *self._time.charge(self._now()))
        if not turns:
            return
        await self._course.commit(turns, seats)
        if viewer is not None:
            if why == "answered":
                viewer.question = ""
            viewer.outbox.put(Ok(re=re))
        trace = f"{viewer.key}/{re}" if viewer is not None else ""
        log.debug("written", extra={"trace": trace, "room": self.id, "entry": self.seq, "why": why})
        self._moved(why)
        log.debug("shown", extra={"trace": trace, "room": self.id, "entry": self.seq})

    def _moved(self, why: str = "") -> None:
        """The game has come further: clocks, everyone's views, the end."""
        state = self.state
        assert state is not None
        number = state.pending.number if state.pending is not None else -1
        if number != self._opened[0]:
            self._opened = (number, self._now())
        self._time.follow(state, self._course.seats, self._now())
        result = self.result
        if result is not None and not self.state_hash:
            self.state_hash = self._game.fingerprint(state)
        moment = Moment(
            state=state,
            asks=self._course.waits() is None and result is None,
            ending=None if result is None else (result, self.state_hash),
        )
        with PATCH_SECONDS.time():
            self._audience.show(moment, self.seq, why)
        if self._late is not None:
            self._late.keep(moment, self.seq, self._now())
        self._herald.tell_automatic(self.seats)
        self._herald.tell_clock(state, self.seats, self._now())
        for player in state.players:
            if player.lost:
                self._votes.without(player.seat, self._now())
        if result is not None and not self.over.is_set():
            self._votes.withdraw(self._now())
            log.info("over", extra={"room": self.id, "entry": self.seq, "hash": self.state_hash})
            self.over.set()
            self._changed()

    def _follow_time(self) -> None:
        """Who is there, or what the clocks say, may have changed."""
        if self.state is not None and not self.over.is_set() and not self.frozen:
            self._time.follow(self.state, self._course.seats, self._now())
            self._herald.tell_clock(self.state, self.seats, self._now())

    def _look_again(self) -> None:
        """Who is there has changed: the loop looks again at what is due, and tells."""
        if self.state is not None:
            self._time.follow(self.state, self._course.seats, self._now())
        try:
            self._inbox_send.send_nowait(None)
        except trio.WouldBlock:
            pass  # it has enough to wake up for

    def _shown_ms(self) -> int | None:
        return self._time.shown_ms(self._course.seats, self._now())

    # --- telling ---

    def _audiences(self) -> list[Audience]:
        return [self._audience] if self._late is None else [self._audience, self._late]

    def _viewer(self, key: str) -> Seeing | None:
        return next((a.viewers[key] for a in self._audiences() if key in a.viewers), None)

    def _changed(self) -> None:
        if self.on_change is not None:
            self.on_change()

    def freeze(self, why: str = "notice.frozen") -> None:
        """Stand still, and say so to everyone. `why` is the key of what is said."""
        self.frozen = True
        self._why_frozen = why
        for audience in self._audiences():
            audience.notice(why)
        self._changed()

    def _reply(self, key: str, message: ServerMessage) -> None:
        viewer = self._viewer(key)
        if viewer is not None:
            viewer.outbox.put(message)

    # --- clocks over a restart ---

    def clock(self) -> Clock | None:
        """What the running clock shows, None if none runs."""
        running = self._time.clock
        if running.question < 0 or self.over.is_set() or self.frozen:
            return None
        return Clock(running.question, *running.times(self._now()))

    def set_clock(self, clock: Clock) -> None:
        """What the clock showed before a restart. Before `run`."""
        self._clock_before = clock


def _plain(message: Instructing) -> Instructing:
    """The message as the journal has it: its id was between the seat and its connection."""
    return replace(message, id="-")
