"""What a person can say at the table beside answers: takebacks, votes, pauses, clocks, yields, loops, previews, emotes; and
what the server tells of them, in words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import UNSET

from client_cli import ratings
from client_cli.amending import correction, rewording
from client_cli.ballots import Ballots
from client_cli.confirming import waits_for
from client_cli.dialog import Dialog
from client_cli.dialog_part import whole_number
from client_cli.moments import Moments
from protocol.by_hand import Ballot
from protocol.messages import (
    Always,
    BotFor,
    ClientMessage,
    ClockMessage,
    Consent,
    Emote,
    Emoted,
    Forecast,
    Forget,
    LongerClock,
    MomentsTold,
    Pass,
    Pause,
    Preview,
    Rematch,
    Repeat,
    Say,
    ServerMessage,
    TakeBack,
    TakeUp,
    Unpause,
    Vote,
    Yield,
)
from protocol.people import ListRatings, Publish, Ratings
from protocol.questions import ConfirmQuestion
from protocol.table import EmoteName

if TYPE_CHECKING:
    from client_cli.app import App

KEPT = 40
"""Own questions that are remembered, for takebacks and loops."""
UNTIL: dict[str, Literal["something", "my_turn", "end_of_turn", "off"]] = {
    "pass_something": "something",
    "pass_my_turn": "my_turn",
    "pass_end_of_turn": "end_of_turn",
    "pass_off": "off",
}
EMOTES: tuple[str, ...] = get_args(EmoteName)


class Orders:
    """See the module. One for each app."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._answered: deque[str] = deque(maxlen=KEPT)
        self._vote: Vote | None = None
        self._vote_asked = ""
        self._ballots = Ballots(app)
        self._moments = Moments(app)
        self.told_clock: ClockMessage | None = None

    def answered(self, question: str) -> None:
        """An own question was answered."""
        self._answered.append(question)

    def are_asked(self) -> bool:
        """Whether the words yes and no answer the game's question: it is one for yes or no, and nothing is put to the vote."""
        question = self._app.dialog.question if self._app.dialog is not None else None
        voting = self._vote is not None or self._ballots.message("", "yes") is not None
        return isinstance(question, ConfirmQuestion) and not voting

    # --- from the person ---------------------------------------------------------------------------------------------

    async def take(self, name: str, rest: str) -> bool:
        """Do what a command says. False when it is nothing of this."""
        message = self._message(name, rest)
        if message is None:
            return await self._pass(name)
        if isinstance(message, str):
            self._app.problem(message)
        else:
            await self._app.session.send(message)
        return True

    async def _pass(self, name: str) -> bool:
        until = UNTIL.get(name)
        if until is None:
            sure = {"concede": self._app.confirming.concede, "end": self._app.confirming.end}.get(name)
            if sure is not None:
                sure()
            return sure is not None
        app = self._app

        async def send() -> None:
            await app.session.send(Pass(id=app.session.new_id(), until=until))
            app.note(app.say(f"ui.passing_{until}"))

        question = app.dialog.question if app.dialog is not None else None
        if until == "off" or not app.confirming.land(question, send):
            await send()
        return True

    def _message(self, name: str, rest: str) -> ClientMessage | str | None:
        """The message to send, or what is wrong with the line; None if it is nothing of this."""
        new = self._app.session.new_id
        if name in PLAIN:
            return PLAIN[name](new(), rest)
        match name:
            case "chat":
                if not self._app.session.room or not rest:
                    return self._app.say("ui.chat_how")
                return Say(id=new(), text=rest[:500])
            case "object":
                return self._ballots.message(new(), name)
            case "back":
                return self._back(rest)
            case "yes" | "no":
                if self._vote is None:
                    return self._ballots.message(new(), name) or self._app.say("refused.no_vote")
                return Consent(id=new(), vote=self._vote.vote, yes=name == "yes")
            case "yield":
                stack = self._app.session.table.view.stack if self._app.session.table.started else []
                return Yield(id=new(), object=stack[-1]) if stack else self._app.say("refused.no_such_object")
            case "always" | "never":
                return self._always(yes=name == "always")
            case "loop":
                return self._loop(rest)
            case "preview":
                return self._preview(rest)
            case "emote":
                if rest not in EMOTES:
                    return ", ".join(EMOTES)
                return Emote(id=new(), emote=rest)  # type: ignore[arg-type]
            case "fix" | "reword" | "takeup":
                return self._mending(name, rest)
            case "publish":
                self._app.note(self._app.say("ui.published"))
                return Publish(id=new(), room=self._app.session.room)
            case _:
                return None

    def _mending(self, name: str, rest: str) -> ClientMessage | str:
        """What the table is asked to change by hand."""
        app, new = self._app, self._app.session.new_id()
        if name == "takeup":
            return TakeUp(id=new, skip=rest == "skip") if rest in ("", "skip") else app.say("ui.takeup_how")
        if name == "reword":
            return rewording(new, rest, app.session.table.by_hand) or app.say("ui.reword_how")
        what, _, which = rest.partition(" ")
        if what == "back":
            return self._moments.message(new, which)
        players = {player.name: int(seat) for seat, player in app.session.table.view.players.items()}
        return correction(new, rest, players) or app.say("ui.fix_how")

    def _back(self, rest: str) -> ClientMessage | str:
        steps = _number(rest, 1)
        if not self._answered or steps > len(self._answered):
            return self._app.say("refused.no_takeback")
        return TakeBack(id=self._app.session.new_id(), question=self._answered[-steps])

    def _always(self, *, yes: bool) -> ClientMessage | str:
        question = self._app.dialog.question if self._app.dialog is not None else None
        if not isinstance(question, ConfirmQuestion):
            return self._app.say("refused.cannot_always")
        return Always(id=self._app.session.new_id(), question=question.id, yes=yes)

    def _loop(self, rest: str) -> ClientMessage | str:
        """ "loop 3 20": my last three answers twenty times more."""
        parts = rest.split()
        numbers = [whole_number(part) for part in parts]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            return self._app.say("ui.loop_how")
        steps, times = numbers[0], numbers[1]
        if not 1 <= steps <= len(self._answered) or not 1 <= times <= 1000:
            return self._app.say("refused.no_repeat")
        return Repeat(id=self._app.session.new_id(), since=self._answered[-steps], times=times)

    def _preview(self, rest: str) -> ClientMessage | str:
        """ "w 1 2": what would come of that line; of several lines with ";" between."""
        dialog = self._app.dialog
        if dialog is None:
            return self._app.say("refused.not_your_question")
        tried = Dialog(self._app.show, dialog.question)
        got: object = None
        for line in rest.split(";"):
            got = tried.feed(line.strip())
            if isinstance(got, str):
                return got
        if got is None:
            return self._app.say("ui.preview_whole")
        return Preview(id=self._app.session.new_id(), question=dialog.question.id, answer=got)

    # --- from the server ---------------------------------------------------------------------------------------------

    def tell(self, message: ServerMessage) -> None:
        """Take in a message, and note what it says."""
        app = self._app
        match message:
            case Emoted():
                app.note(f"{message.name}: {app.say(f'emote.{message.emote}')}")
            case Vote():
                self._tell_vote(message)
            case Ballot():
                self._ballots.tell(message)
            case MomentsTold():
                self._moments.tell(message)
            case Ratings():
                for line in ratings.lines(message, app.lang):
                    app.note(line)
            case Forecast():
                for line in self._forecast(message):
                    app.note(line)
            case ClockMessage():
                paused = self.told_clock is not None and self.told_clock.paused_ms is not UNSET
                if paused != (message.paused_ms is not UNSET):
                    app.note(app.say("notice.clocks_run" if paused else "notice.paused"))
                self.told_clock = message
            case _:
                pass

    def lost(self) -> None:
        """The connection is lost. What is still open is told anew to who comes back; what went with a process of the server is not."""
        self._app.confirming.close(self._vote_asked)
        self._vote, self._vote_asked = None, ""
        self._ballots.lost()

    def _tell_vote(self, vote: Vote) -> None:
        app = self._app
        fresh = self._vote is None or self._vote.vote != vote.vote
        if vote.result or (self._vote_asked and not waits_for(vote, app.session.table.you)):
            app.confirming.close(self._vote_asked)
            self._vote_asked = ""
        if vote.result:
            self._vote = None
            app.note(app.say(f"vote.{vote.result}"))
            return
        self._vote = vote
        if fresh:
            seat = "" if vote.seat is UNSET else app.show.player(vote.seat)
            changes = "; ".join(app.show.text(one) for one in vote.changes)
            name, minutes = app.show.named(vote.by), vote.ms // 60_000
            words = app.say(f"vote.{vote.what}", name=name, minutes=minutes, seat=seat, changes=changes)
            app.note(words)
            if waits_for(vote, app.session.table.you):
                app.confirming.close(self._vote_asked)
                self._vote_asked = app.confirming.vote(vote, words)

    def _forecast(self, told: Forecast) -> list[str]:
        app = self._app
        if not told.legal:
            return [f"! {told.sentence}" + (f" ({told.rule})" if told.rule else "")]
        table, effects = app.session.table, told.effects
        lines = [app.say("forecast.dies", card=table.name(key)) for key in effects.dies]
        lines += [app.say("forecast.damage", card=table.name(key), number=n) for key, n in effects.damage.items()]
        for words, changes in (("life", effects.life), ("poison", effects.poison)):
            lines += [
                app.say(f"forecast.{words}", name=app.show.player(int(seat)), number=f"{n:+d}")
                for seat, n in changes.items()
            ]
        lines += [
            app.say("forecast.loyalty", card=table.name(key), number=f"{n:+d}") for key, n in effects.loyalty.items()
        ]
        lines += [app.say("forecast.taps", card=table.name(key)) for key in effects.taps]
        lines += [app.say("forecast.loses", name=app.show.player(seat)) for seat in effects.loses]
        if effects.unsure:
            lines.append(app.say("forecast.unsure"))
        return lines or [app.say("forecast.nothing")]

    def clock(self) -> str:
        """Whose clock runs, as it was told last; "" if none does."""
        told = self.told_clock
        if told is None or told.seat is UNSET or told.left_ms is UNSET:
            return ""
        minutes, seconds = divmod(told.left_ms // 1000, 60)
        return f"{self._app.show.player(told.seat)} {minutes}:{seconds:02d}"


def _number(text: str, otherwise: int, most: int = KEPT) -> int:
    """A number from 1 on, or another if there is none."""
    number = whole_number(text)
    return otherwise if number is None else min(most, max(1, number))


PLAIN: dict[str, Callable[[str, str], ClientMessage]] = {
    "pause": lambda new, rest: Pause(id=new, ms=60_000 * _number(rest, 10, most=1440)),
    "go": lambda new, _: Unpause(id=new),
    "slow": lambda new, rest: LongerClock(id=new, times=_number(rest, 2, most=10)),
    "sitin": lambda new, rest: BotFor(id=new, seat=_number(rest, 1, most=10) - 1),
    "forget": lambda new, _: Forget(id=new),
    "rematch": lambda new, _: Rematch(id=new),
    "ratings": lambda new, rest: ListRatings(id=new, ladder=rest),
}
"""Orders that are a message whatever stands at the table: by the message's id and what follows the word."""
