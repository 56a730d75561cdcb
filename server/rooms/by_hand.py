"""What a table does by hand and what it says of that: acts that can be objected to, corrections, other words, a frozen game taken up.

Acts are answers like others; here stands what comes of them beside the game: an act is done and can be objected to for a while, or is held
that long first, with whatever would take the game out of reach of an objection. What is proposed waits for the others, then for priority.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from protocol.by_hand import Agree, BackChange, Ballot, Correct, Moments, MomentsTold, Reword, TakeUp
from protocol.messages import Refused
from protocol.questions import Text
from protocol.refusals import Code, Refusal
from server.knowledge.events import Scene
from server.rooms.amendments import corrected_of, moment_of, reworded_of, told
from server.rooms.earlier import Earlier
from server.rooms.history import History
from server.rooms.objections import DoneAct, Objections
from server.rooms.proposals import Proposal, Proposals
from server.rooms.replay import Turned
from server.rooms.seated import banks_of
from server.rooms.seats import Seeing
from server.rooms.takebacks import can_go_back, reveals
from server.rooms.timekeeper import Timekeeper
from server.rules.model import Act, AnyAnswer, State, events
from server.rules.verbs import done_by_hand
from server.storage import Answered, Setup

MOST_CHANGES = 20
"""Changes of one correction, where not any number of them may be made."""
MOST_CORRECTIONS = 5
"""Corrections that a seat may propose in a turn, where it may not as often as it likes."""

ByHandMessage: TypeAlias = Correct | Reword | TakeUp | Agree | Moments


class Held(msgspec.Struct, frozen=True):
    """An answer that waits until nothing can be objected to: as it was played, who gave it by which message, and the ballot if it is an
    act."""

    turned: Turned
    answer: AnyAnswer
    viewer: Seeing
    re: str
    act: str = ""

    @property
    def entry(self) -> Answered:
        """What the journal would have of it."""
        assert isinstance(self.turned.entry, Answered)
        return self.turned.entry

    def refused(self, code: Code) -> None:
        """It is not done after all."""
        self.viewer.outbox.put(Refused(re=self.re, code=code, sentence=Refusal(code).sentence))


class ByHand:
    """See the module. It is told the time, in milliseconds, and changes the game through `history` alone; who calls it goes on with it."""

    def __init__(self, setup: Setup, history: History, time: Timekeeper, tell: Callable[[Ballot], None]) -> None:
        self.objections = Objections(tell)
        self.proposals = Proposals(tell)
        self.held: Held | None = None
        self._options = setup.options
        self._history = history
        self._time = time
        self._since = 0
        self._turn = -1
        self._corrections: dict[int, int] = {}

    # --- acts ---

    @property
    def busy(self) -> bool:
        """Whether something can be objected to, or waits: the room does nothing of itself then."""
        return bool(self.objections.acts) or self.held is not None

    def check_answer(self) -> None:
        """Raises `Refusal`: objected, while the game stands."""
        if self.objections.stands or self.held is not None:
            raise Refusal(Code.OBJECTED)

    def objectors(self, state: State, seat: int) -> tuple[frozenset[int], int]:
        """Who could object to an act of that seat, and how many must; nobody where they are too few."""
        others = [player.seat for player in state.players if not player.lost and player.seat != seat]
        need = len(others) // 2 + 1
        people = frozenset(self._time.people(state, self._history.seats)) & self._time.present - {seat}
        return (people if len(people) >= need else frozenset(), need)

    def holds(self, turned: Turned, answer: AnyAnswer, viewer: Seeing, re: str, at: int) -> bool:
        """Whether the answer waits; then it is kept, and an act is told to all."""
        entry = turned.entry
        assert isinstance(entry, Answered)
        if not isinstance(answer, Act) and not self.objections.acts:
            return False
        voters, need = self.objectors(turned.before, entry.seat)
        acts = isinstance(answer, Act) and bool(answer.do) and bool(voters)
        if not acts and not self.objections.acts:
            return False
        gone = not done_by_hand(turned.after) or turned.after.result is not None
        if not gone and not reveals(turned.before, turned.after, (entry.seat,)):
            return False
        name = self._open(turned, voters, need, at, held=True) if acts else ""
        self.held = Held(turned, answer, viewer, re, name)
        self.follow(at)
        return True

    def acts(self, turned: Turned) -> bool:
        """Whether it is an act that somebody could object to."""
        entry = turned.entry
        if not isinstance(entry, Answered) or not isinstance(entry.answer, Act) or not entry.answer.do:
            return False
        return bool(self.objectors(turned.before, entry.seat)[0])

    def done(self, turned: Turned, at: int) -> None:
        """An act was done and shown: now it can be objected to."""
        entry = turned.entry
        assert isinstance(entry, Answered)
        voters, need = self.objectors(turned.before, entry.seat)
        if voters:
            self._open(turned, voters, need, at, held=False)

    def _open(self, turned: Turned, voters: frozenset[int], need: int, at: int, *, held: bool) -> str:
        entry = turned.entry
        assert isinstance(entry, Answered)
        acted = [event for event in turned.events if isinstance(event, events.Acted)][:1]
        lines = Scene(turned.before, turned.after).write(acted)
        words = tuple(Text(line.public.key, line.public.args) for line in lines if line.public is not None)
        banks = banks_of(self._history.seats)
        earlier = Earlier(entry.seat, entry.question, turned.before, banks, entry.spent, entry.away)
        return self.objections.open(earlier, words, voters, need, at, held=held)

    def follow(self, at: int) -> None:
        """The clocks stand, or run, as what is open has it."""
        stands = self.objections.stands or self.held is not None
        if stands and not self._time.halted:
            self._since = at
        self._time.halted = stands
        state = self._history.state
        if state is not None:
            self._time.follow(state, self._history.seats, at)

    def gone_back(self, question: int, at: int) -> None:
        """The game has gone back to before that question."""
        if not self.objections.acts:
            return
        self.objections.gone_back(question, at, self._number())
        self.follow(at)

    def left(self, seats: set[int], at: int) -> None:
        """These seats have left the game, which cannot go back before that."""
        self.objections.stand(at, self._number())
        self.proposals.without(seats, at)
        self.follow(at)

    def over(self, at: int) -> None:
        """The game is over."""
        self.objections.stand(at, self._number())
        self.proposals.close("withdrawn", at)
        self.follow(at)

    def settled(self, at: int) -> tuple[DoneAct, bool] | None:
        """What is settled now, if anything is: the act, and whether it stands."""
        return self.objections.settled(at, self._time.present)

    def stood(self, act: DoneAct, at: int) -> None:
        """It stands."""
        self.objections.stood(act, self._number(), at, self._since)
        self.follow(at)

    async def undo(self, act: DoneAct, at: int) -> bool:
        """More than half object: the game goes back to before the act; whether it has. Raises `StorageFault`."""
        state = self._history.state
        back = not act.held and state is not None and can_go_back(act.earlier.state, state)
        if back:
            await self._history.take_back(act.earlier, "objected")
        self.objections.undone(act, at, self._number())
        if self.held is not None:
            held, self.held = self.held, None
            held.refused(Code.OBJECTED)
        self.follow(at)
        if back and self._history.state is not None:
            earlier = act.earlier
            self._time.asked_again(self._history.state, self._history.seats, at, earlier.spent, earlier.away)
        return back

    def ready(self) -> Held | None:
        """The answer that waits no longer."""
        if self.held is None or self.objections.acts:
            return None
        held, self.held = self.held, None
        return held

    # --- what is proposed ---

    def ask(self, state: State, seat: int, message: ByHandMessage, viewer: Seeing, at: int, *, frozen: bool) -> None:
        """A seat proposes something, or says what it thinks. Raises `Refusal`; Illegal."""
        if self._options.by_hand == "never":
            raise Refusal(Code.BAD_OPTION, "This room plays nothing by hand.")
        match message:
            case Moments():
                viewer.outbox.put(
                    MomentsTold(re=message.id, moments=self._history.moments.told(state, self._history.ids))
                )
            case Agree():
                if self.objections.find(message.ballot) is not None and not frozen:
                    number = self._number()
                    self.objections.say(
                        message.ballot, seat, yes=message.yes, turn=number, now=at, present=self._time.present
                    )
                    self.follow(at)
                else:
                    self.proposals.say(message.ballot, seat, yes=message.yes, now=at)
            case Correct() | Reword() | TakeUp():
                if frozen != isinstance(message, TakeUp):
                    raise Refusal(Code.FROZEN if frozen else Code.NOT_FROZEN)
                self.proposals.open(self._proposal(state, seat, message), at)
                if isinstance(message, Correct):
                    self._corrections[seat] = self._corrections.get(seat, 0) + 1

    def _proposal(self, state: State, seat: int, message: Correct | Reword | TakeUp) -> Proposal:
        voters = frozenset(self._time.people(state, self._history.seats))  # who is away has not agreed
        need = len(voters) // 2 + 1 if self._options.agreement == "most" else len(voters)
        proposal = Proposal("", "correct", seat, (), voters, need, 0)
        match message:
            case Reword():
                other, understood = reworded_of(state, seat, message)
                return replace(proposal, what="reword", change=other, told=told(state, other, understood))
            case TakeUp():
                change = corrected_of(state, seat, message.changes) if message.changes else None
                words = told(state, change) if change is not None else ()
                why = Text("amend.skip" if message.skip else "amend.go_on")
                return replace(proposal, what="take_up", change=change, skip=message.skip, told=(*words, why))
            case Correct():
                self._check_size(seat, message)
                if any(isinstance(one, BackChange) for one in message.changes):
                    moment = moment_of(state, self._history, message.changes)
                    return replace(proposal, back=(moment.seat, moment.question), told=(moment.words(state),))
                change = corrected_of(state, seat, message.changes)
                return replace(proposal, change=change, told=told(state, change))

    def _check_size(self, seat: int, message: Correct) -> None:
        """Raises `Refusal`: too_many_corrections, invalid."""
        if self._options.by_hand == "open":
            return
        if len(message.changes) > MOST_CHANGES:
            raise Refusal(Code.INVALID, f"A correction changes 1 to {MOST_CHANGES} things.", path="changes")
        number = self._number()
        if number != self._turn:
            self._turn, self._corrections = number, {}
        if self._corrections.get(seat, 0) >= MOST_CORRECTIONS:
            raise Refusal(Code.TOO_MANY_CORRECTIONS)

    def welcome(self, viewer: Seeing, at: int) -> None:
        """Someone has come: what is open is told."""
        for act in self.objections.acts:
            viewer.outbox.put(self.objections.message(act, at, self._time.present))
        if self.proposals.proposal is not None:
            viewer.outbox.put(self.proposals.proposal.message(at))

    def due(self, at: int) -> int | None:
        """When an act or an answer that waits is settled, None for nothing open."""
        if self.objections.acts:
            return self.objections.due(at, self._time.present)
        return at if self.held is not None else None

    def _number(self) -> int:
        """The number of the turn."""
        return self._history.state.turn.number if self._history.state is not None else 0
