"""The small kit a bot is made with: a `Player` answers questions, `play` does everything else.

    class Passive:
        def answer(self, table: Table, question: Question) -> Answer:
            return question.default

    await play(session, Passive())

A refused or failing answer is replaced by the question's default, so a bot never hangs and never brings a game down.
Answers must depend on the seed, the table and the question alone, so that the same game can be played again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import msgspec
import trio
from trio.lowlevel import RunVar

from client_cli.errors import RequestRefused, Unreachable
from client_cli.player import BOT_STOPS, KnowingPlayer, Player
from client_cli.session import Session
from client_cli.watching import Watched
from protocol.messages import Closing, Consent, Over, QuestionMessage, Refused, Stops, ViewMessage, Vote
from protocol.questions import Answer, Question
from protocol.rooms import ChooseDeck, Decks, Join, ListDecks, Ready, Room
from protocol.table import Know, Known

LATER = frozenset({"busy", "too_fast"})
"""Refusals after which the same answer is sent again a moment later."""
SOON_SECONDS = 0.05
LATER_SECONDS = 1.0
"""How long that moment is at first, and at most: a disk that takes nothing may do so for hours, and each try is a line of the log."""
PAST = frozenset({"stale", "not_your_question", "game_over", "no_game", "frozen", "closing"})
"""Refusals after which there is nothing left to answer."""


class Outcome(msgspec.Struct):
    """What became of a game that was played: `over` as the server told it (absent when it ended otherwise)."""

    over: Over | None = None
    decisions: int = 0
    refusals: int = 0
    failures: int = 0
    """How often the player raised an exception."""
    last_refusal: str = ""
    ms: float = 0.0
    """Of the CPU's time for its answers."""

    def timed(self, answer: Callable[..., Answer], *given: object) -> Answer:
        """What it answers; the time that it takes is counted."""
        began = time.thread_time()
        try:
            return answer(*given)
        finally:
            self.ms += (time.thread_time() - began) * 1000


async def play(session: Session, player: Player, watched: Watched | None = None) -> Outcome:
    """Play the game of the session's room to its end, at the speed of those who look on, if any. Raises `Unreachable` when the
    connection is lost for good.
    """
    outcome = Outcome()
    pending: dict[str, tuple[Question, Answer]] = {}
    moment = SOON_SECONDS
    while True:
        message = await session.receive()
        match message:
            case ViewMessage() | QuestionMessage():
                question = message.question or None
                if question is not None:
                    pending.clear()
                    moment = SOON_SECONDS
                    outcome.decisions += 1
                    answer = await _ask(session, player, question, outcome)
                    if watched is not None:
                        await trio.sleep(watched.wait(session.table.view, question, answer))
                    pending[await session.answer(question.id, answer)] = question, answer
                elif session.table.view.result:
                    # Resumed after the end: `over` may have been told while nobody was here.
                    outcome.over = session.table.over
                    return outcome
            case Refused() if message.re in pending:
                question, answer = pending.pop(message.re)
                if message.code in LATER:
                    await trio.sleep(moment)
                    moment = min(2 * moment, LATER_SECONDS)
                    pending[await session.answer(question.id, answer)] = question, answer
                elif message.code not in PAST:
                    outcome.refusals += 1
                    outcome.last_refusal = f"{type(question).__name__}: {message.sentence}"
                    if answer != question.default:
                        default = question.default
                        pending[await session.answer(question.id, default)] = question, default
            case Refused() if message.code == "no_such_room":
                return outcome  # the game ended while we were away, and its room is gone
            case Vote() if session.table.you in message.waiting:
                # A program has no reason to keep people from what they want.
                await session.send(Consent(id=session.new_id(), vote=message.vote))
            case Over():
                outcome.over = message
                return outcome
            case Closing() if not message.again:
                return outcome
            case Room() if message.room.state == "frozen":
                return outcome
            case _:
                pass


async def _ask(session: Session, player: Player, question: Question, outcome: Outcome) -> Answer:
    """The player's answer, or the default when it fails or answers another kind."""
    known = await _known(session, question) if isinstance(player, KnowingPlayer) else ""
    try:
        if known and isinstance(player, KnowingPlayer):
            thinks = partial(outcome.timed, player.answer_knowing, session.table, question, known)
            answer = await trio.to_thread.run_sync(thinks, abandon_on_cancel=True, limiter=_one_thinks())
        else:
            answer = outcome.timed(player.answer, session.table, question)
    except Exception:  # a stranger's bot: whatever it does, the game goes on
        outcome.failures += 1
        return question.default
    if type(answer) is not type(question.default):
        outcome.failures += 1
        return question.default
    return answer


async def _known(session: Session, question: Question) -> str:
    """What the seat knows at its question; "" if it is not told."""
    try:
        return (await session.request(Know(id=session.new_id(), question=question.id), Known)).state
    except RequestRefused:
        return ""


_limiter: RunVar[trio.CapacityLimiter] = RunVar("limiter of thinking")


def _one_thinks() -> trio.CapacityLimiter:
    """Of the bots of a process one thinks at a time: what it takes is counted by the time of the CPU."""
    try:
        return _limiter.get()
    except LookupError:
        _limiter.set(trio.CapacityLimiter(1))
        return _limiter.get()


async def take_seat(
    session: Session, room: str, *, seat: int | None = None, deck: str = "", stops: bool = True
) -> Room:
    """Join a room, choose a house deck (none named: one by the seat's number), leave stops, be ready.

    Raises `RequestRefused`, `Unreachable`.
    """
    joined = await session.request(
        Join(id=session.new_id(), room=room, seat=msgspec.UNSET if seat is None else seat), Room
    )
    await prepare(session, seat=joined.room.you or 0, deck=deck, stops=stops)
    return joined


async def contend(session: Session, room: str, make: Callable[[], Player]) -> int:
    """In a contest: game after game under the name `room`, each with a player of its own, until the contest is over; how many those
    were. Raises `RequestRefused` where nobody is expected by that name.
    """
    games = 0
    try:
        while True:
            await take_seat(session, room)
            games += (await play(session, make())).over is not None
    except Unreachable:
        return games


async def prepare(session: Session, *, seat: int = 0, deck: str = "", stops: bool = True) -> None:
    """In a room: choose a deck, leave the bots' stops with the room, be ready. Raises as `take_seat`."""
    if not deck:
        room = session.table.room
        decks = (await session.request(ListDecks(id=session.new_id()), Decks)).decks
        decks = [found for found in decks if room is None or found.is_for(room.options)]
        deck = decks[seat % len(decks)].name if decks else ""
    if deck:
        await session.do(ChooseDeck(id=session.new_id(), house=deck))
    if stops:
        mine, others = BOT_STOPS
        try:
            await session.do(Stops(id=session.new_id(), mine=list(mine), others=list(others)))
        except RequestRefused:
            pass  # it only spares questions
    await session.do(Ready(id=session.new_id()))
