"""A game under way: what it is made of, and how it goes on. Turns are played, written down, and only then shown.

It knows no inbox and no task: `requests` asks for what people want of it, `duties` for what is due, `room` holds them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import trio

from protocol.messages import Ok
from protocol.view import Result
from server.knowledge.appearances import could_respond
from server.knowledge.hidden import Viewer
from server.metrics import PATCH_SECONDS
from server.rooms.audience import Audience, LateAudience, Moment
from server.rooms.by_hand import ByHand
from server.rooms.game import Game
from server.rooms.herald import Herald
from server.rooms.history import BATCH, History, now
from server.rooms.memory import Memory
from server.rooms.motions import Motions
from server.rooms.receipts import Receipts
from server.rooms.replay import Turned
from server.rooms.seated import Seats
from server.rooms.seats import Seeing
from server.rooms.slices import Share
from server.rooms.timekeeper import Timekeeper
from server.rooms.votes import Votes
from server.rules.happenings import main_game
from server.rules.model import PriorityFrame, State
from server.storage import Conceded, Gap, Passed, Setup, Storage, TakenBack

log = logging.getLogger("apnap.rooms")


class GameUnderWay:
    """See the module. `on_change` is called when the game is over or frozen; times are milliseconds of trio's clock.

    `opened` is the open question's number, and when it was opened. `gap` is what the journal has lost, as far as is known. `pass_ms`
    is after how long a person's seat is passed for that can do nothing, but looks as though it could. `whole`: all that is written is
    part of the history.
    """

    def __init__(self, setup: Setup, storage: Storage, game: Game) -> None:
        self.setup = setup
        self.id = setup.room
        self.game = game
        self.over = trio.Event()
        self.on_change: Callable[[], None] | None = None
        self.frozen = False
        self.whole = True
        self.why_frozen = "notice.frozen"
        self.state_hash = ""
        self.opened = (-1, 0)
        self._lost: frozenset[int] = frozenset()
        self.pass_ms = 0
        self.time = Timekeeper(setup)
        self.history = History(setup, self.time.terms, storage, game, self._observe, self._remember)
        self.history.pace = self._pace
        self.audience = Audience(game, setup, self._shown_ms)
        self.late = LateAudience(game, setup) if setup.options.delay_ms else None
        self.votes = Votes(self.audience.put)
        self.motions = Motions(setup, self.history, self.time, self.votes)
        self.by_hand = ByHand(setup, self.history, self.time, self.audience.put)
        self.receipts: Receipts | None = None
        self.gap: Gap | None = None
        self.audience.teller.receipt = self.receipt
        self.herald = Herald(self.audience, self.time, self.votes, self.by_hand, self.history.seats)

    @property
    def state(self) -> State | None:
        """The state that is on disk and shown; None before the deal."""
        return self.history.state

    @property
    def seq(self) -> int:
        """The number of the journal's last entry."""
        return self.history.seq

    @property
    def result(self) -> Result | None:
        """How the game ended, once it has."""
        return self.history.result

    @property
    def seats(self) -> Seats:
        """What each seat has left with the room, and its account of time."""
        return self.history.seats

    @property
    def share(self) -> Share:
        """The room's time in the event loop."""
        return self.history.share

    def receipt(self, viewer: Seeing) -> str:
        """What a seat that asked for receipts is to bring back."""
        if self.receipts is None or not viewer.receipts or viewer.seat is None:
            return ""
        return self.receipts.write(self.id, self.history.seq, self.history.head)

    def has_lost(self, gap: Gap) -> None:
        """Entries of the journal are gone that somebody has seen; everyone is told."""
        self.gap = gap
        log.error("room %s: entries %d to %d of its journal are lost", self.id, gap.has + 1, gap.had)
        for audience in self.audiences():
            audience.notice("notice.lost", entries=gap.had - gap.has)

    def is_over_to(self, viewer: Viewer) -> bool:
        """Whether that viewer has seen the end: spectators may see it later than seats."""
        if viewer is None and self.late is not None:
            return self.late.moment is not None and self.late.moment.ending is not None
        return self.over.is_set()

    def now(self) -> int:
        """Milliseconds of trio's clock."""
        return round(trio.current_time() * 1000)

    def audiences(self) -> list[Audience]:
        """Those who see the game at once, and those who see it late."""
        return [self.audience] if self.late is None else [self.audience, self.late]

    # --- it goes on ---

    def conceded(self, state: State, seat: int) -> Turned:
        """A concession, played but not written."""
        after, events = self.game.concede(state, seat)
        return Turned(Conceded(seq=0, at=now(), seat=seat), state, after, events)

    async def advance(self, turns: list[Turned], why: str, viewer: Seeing | None = None, re: str = "") -> None:
        """Play on with what these turns came to: with what the room answers by itself after them, write it all down, then
        make it the history of the game, reply, and tell everyone. `why` is what closes the question that was open. Raises
        `StorageFault`.
        """
        seats: list[Seats] = []
        await self.share.through(self.run_on(turns, seats))
        await self.comes_to(turns, seats, why, viewer, re)

    def run_on(self, turns: list[Turned], seats: list[Seats]) -> Iterator[None]:
        """Add what the room answers by itself after these turns, and the seats' values after each: a turn in a piece."""
        # What can be objected to must not come to anything meanwhile that cannot be undone.
        most = 0 if self.by_hand.busy or any(map(self.by_hand.acts, turns)) else BATCH
        spent, away = (0, 0) if turns else self.time.charge(self.now())
        return self.history.run_on(turns, seats, spent, away, most=most)

    async def comes_to(
        self, turns: list[Turned], seats: list[Seats], why: str, viewer: Seeing | None = None, re: str = ""
    ) -> None:
        """As `advance`, after all of `run_on`."""
        if not turns:
            return
        async with self.history.whole:
            written = await self.history.write(turns)
            self.whole = False
            # It is on disk.
            await self.share.through(self._show(turns, seats, written, why, viewer, re), shielded=True)
            self.whole = True
            await self.history.keep()

    async def rest(self) -> None:
        """Keep a snapshot of the game as it is, unless nothing goes on here any more once all is shown that is written. Raises
        `StorageFault`.
        """
        async with self.history.whole:
            if not (self.frozen or self.over.is_set()):
                await self.history.rest()

    def _show(
        self, turns: list[Turned], seats: list[Seats], at: tuple[int, bytes], why: str, viewer: Seeing | None, re: str
    ) -> Iterator[None]:
        """Make turns that are written down the history of the game, which is `at` that entry then, reply, and tell everyone of
        each: a piece at a time.
        """
        self.history.now_at(*at)
        if viewer is not None:
            if why == "answered":
                viewer.question = ""
            viewer.outbox.put(Ok(re=re, receipt=self.receipt(viewer) if why == "answered" else ""))
        debug, trace = log.isEnabledFor(logging.DEBUG), ""
        if debug:
            trace = f"{viewer.key}/{re}" if viewer is not None else ""
            log.debug("written", extra={"trace": trace, "room": self.id, "entry": self.seq, "why": why})
        for turned, after in zip(turns, seats, strict=True):
            # Each by itself, also where the room answered: nobody sees whether a seat was asked.
            self.history.take(turned, after)
            last = turned is turns[-1]
            yield from self._moving(why, last=last, resolves=_resolves(turned))
            if not last:
                yield
        if debug:
            log.debug("shown", extra={"trace": trace, "room": self.id, "entry": self.seq})

    def moved(self, why: str = "") -> None:
        """The game has come further: clocks, everyone's views, the end."""
        with self.share.counted():
            for _ in self._moving(why):
                pass

    def _moving(self, why: str = "", *, last: bool = True, resolves: bool = False) -> Iterator[None]:
        """As `moved`, a piece at a time. Not the `last`: the next question is answered already. `resolves`: see `Moment`."""
        state = self.state
        assert state is not None
        number = state.pending.number if state.pending is not None else -1
        at = self.now()
        if number != self.opened[0]:
            self.opened = (number, at)
        self.time.follow(state, self.history.seats, at)
        result = self.result
        if result is not None and not self.state_hash:
            self.state_hash = self.game.fingerprint(state)
        moment = Moment(
            state=state,
            asks=last and result is None and self.history.waits() is None,
            ending=None if result is None else (result, self.state_hash),
            resolves=resolves,
        )
        worked = self.share.worked  # counted as one, without what was done between the pieces
        yield from self.audience.showing(moment, why)
        PATCH_SECONDS.observe(self.share.worked - worked)
        at = self.now()
        if self.late is not None:
            self.late.keep(moment, at)
        self.herald.tell_automatic(self.seats)
        self.herald.tell_clock(state, self.seats, at)
        lost = {player.seat for player in main_game(state).players if player.lost}
        for seat in lost:
            self.votes.without(seat, at)
        if lost - self._lost:
            self._lost = frozenset(lost)
            self.by_hand.left(lost, at)
        if result is not None and not self.over.is_set():
            self.votes.withdraw(at)
            self.by_hand.over(at)
            log.info("over", extra={"room": self.id, "entry": self.seq, "hash": self.state_hash})
            self.over.set()
            self.changed()

    def freeze(self, why: str = "notice.frozen") -> None:
        """Stand still, and say so to everyone. `why` is the key of what is said."""
        self.frozen = True
        self.why_frozen = why
        for audience in self.audiences():
            audience.notice(why)
        self.changed()

    def can_be_taken_up(self) -> bool:
        """Whether a frozen game has a last good state, from which its table could go on."""
        if self.setup.options.by_hand == "never":
            return False
        return self.frozen and self.whole and self.state is not None and self.result is None

    def thaw(self) -> None:
        """The table goes on from the last good state."""
        self.frozen = False
        for audience in self.audiences():
            audience.notice("notice.taken_up")
        self.changed()

    # --- time ---

    def _pace(self, state: State, seat: int) -> int:
        if not self.pass_ms or seat not in self.time.people(state, self.history.seats):
            return 0
        return self.pass_ms if could_respond(self.game, state, seat) else 0

    def automatic_due(self) -> int | None:
        """When the room answers the open question by itself, None if somebody is asked."""
        reply = None if self.by_hand.busy else self.history.waits()
        return None if reply is None else self.opened[1] + reply.wait_ms

    def clock_due(self, at: int) -> int | None:
        """When the running clock is at zero, seen at that moment; None if none runs."""
        left = None if self.by_hand.busy else self.time.left_ms(self.history.seats, at)
        return None if left is None else at + left

    def follow_time(self) -> None:
        """Who is there, or what the clocks say, may have changed."""
        if self.state is not None and not self.over.is_set() and not self.frozen:
            at = self.now()
            self.time.follow(self.state, self.history.seats, at)
            self.herald.tell_clock(self.state, self.seats, at)

    def end_pause(self) -> None:
        """The clocks run again."""
        self.time.paused_until = None
        self.follow_time()

    # --- telling ---

    def changed(self) -> None:
        """Others than those who look on want to know."""
        if self.on_change is not None:
            self.on_change()

    def take_apart(self) -> None:
        """Let go of the game now and not when the collector of cycles comes round, which is hours later: the parts know this
        object, and it them. Nothing may be asked of it afterwards.
        """
        for audience in self.audiences():
            for viewer in audience.viewers.values():
                viewer.outbox.on_drained = None
        self.on_change = None
        self.frozen = True  # who waits to write a snapshot of it writes none
        del self.history, self.audience, self.late, self.votes, self.motions, self.herald, self.by_hand

    def _observe(self, turned: Turned) -> None:
        if isinstance(turned.entry, TakenBack) and turned.entry.why != "objected":
            self.by_hand.gone_back(turned.entry.question, self.now())
        self.audience.observe(turned)
        if self.late is not None:
            self.late.observe(turned)

    def _remember(self, memory: Memory, coming: Turned | None) -> Memory:
        return self.audience.remembered(memory, coming)

    def _shown_ms(self) -> int | None:
        return self.time.shown_ms(self.history.seats, self.now()) if self.time.shows else None


def _resolves(turned: Turned) -> bool:
    """Whether all have passed in a row, with something on the stack (116.4)."""
    before = turned.before
    if not before.stack or not before.agenda or not isinstance(frame := before.agenda[-1], PriorityFrame):
        return False
    passed = isinstance(turned.entry, Passed) or turned.passes
    return passed and frame.passed + 1 >= sum(not player.lost for player in before.players)
