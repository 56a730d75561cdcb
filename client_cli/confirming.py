"""What the client asks by itself, or passes on of votes: numbered choices over whatever the table asks, which goes on beneath."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from client_cli import commands
from client_cli.dialog_part import whole_number
from protocol.messages import Concede, Consent, EndGame, Vote
from protocol.questions import Action, Answer, PriorityAnswer, PriorityQuestion, Question

if TYPE_CHECKING:
    from client_cli.app import App

MAIN_PHASES = ("precombat_main", "postcombat_main")

Act = Callable[[], Awaitable[None]]


class Asked(Struct, frozen=True):
    """One such question. `about` tells it from all others; `of` is the game's question that it is about, if it is about one."""

    about: str
    prompt: str
    choices: tuple[tuple[str, Act | None], ...]
    """What can be chosen, and what it does beside closing this."""
    of: str = ""
    closes: bool = True
    """Whether Escape closes it unanswered."""


class Confirming:
    """The open ones, the last on top. One for each app."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._open: list[Asked] = []
        self._count = 0
        self._lands: tuple[int, str] | None = None

    @property
    def top(self) -> Asked | None:
        """The one that is to be answered now."""
        return self._open[-1] if self._open else None

    def ask(self, prompt: str, *choices: tuple[str, Act | None], of: str = "", closes: bool = True) -> str:
        """Open one; its `about`."""
        self._count += 1
        about = f"asked {self._count}"
        self._open.append(Asked(about, prompt, choices, of, closes))
        return about

    def close(self, about: str) -> None:
        """Close one, if it is open."""
        self._open = [asked for asked in self._open if asked.about != about]

    def clear(self) -> None:
        """Close all: we are at no table any more."""
        self._open.clear()

    def moved_on(self, question: str) -> None:
        """The game asks that now ("" for nothing): what was about another question is past."""
        self._open = [asked for asked in self._open if asked.of in ("", question)]

    def escape(self) -> bool:
        """Close the top unanswered; False when there is none that can be."""
        if self.top is None or not self.top.closes:
            return False
        self._open.pop()
        return True

    async def answer(self, text: str) -> None:
        """Take a line for the top one."""
        asked = self.top
        assert asked is not None
        number = whole_number(text) or 0
        if not 1 <= number <= len(asked.choices):
            app = self._app
            problem = commands.not_here(text, app.where, app.say)
            app.problem(problem or app.say("ui.out_of_range", least=1, most=len(asked.choices)))
            return
        self.close(asked.about)
        act = asked.choices[number - 1][1]
        if act is not None:
            await act()

    # --- which there are ---------------------------------------------------------------------------------------------

    def quit(self, leave: Act) -> None:
        """Whether to go in the middle of a game."""
        say = self._app.say
        self._sure(say("ui.quit_sure"), (say("ui.quit_yes"), leave), (say("ui.quit_no"), None))

    def concede(self) -> None:
        """Whether to give up the game (104.3a)."""
        app = self._app

        async def concede() -> None:
            await app.session.send(Concede(id=app.session.new_id()))

        self._sure(app.say("ui.concede_sure"), (app.say("ui.concede_yes"), concede), (app.say("ui.concede_no"), None))

    def end(self) -> None:
        """Whether to end the game for all: among bots nobody else is asked, so that it would be over at once."""
        app = self._app

        async def end() -> None:
            await app.session.send(EndGame(id=app.session.new_id()))

        self._sure(app.say("ui.end_sure"), (app.say("ui.end_yes"), end), (app.say("ui.concede_no"), None))

    def _sure(self, prompt: str, *choices: tuple[str, Act | None]) -> None:
        """Open one unless it is asked already: its key, pressed twice, means it once."""
        if self.top is None or self.top.prompt != prompt:
            self.ask(prompt, *choices)

    def vote(self, vote: Vote, words: str) -> str:
        """What is put to the vote, to one who has not said yet; its `about`."""
        app = self._app

        def says(yes: bool) -> Act:
            async def act() -> None:
                await app.session.send(Consent(id=app.session.new_id(), vote=vote.vote, yes=yes))

            return act

        return self.ask(
            words,
            (app.say("ui.vote_yes"), says(True)),
            (app.say("ui.vote_no"), says(False)),
            (app.say("ui.vote_later"), None),
        )

    def land(self, question: Question | None, act: Act) -> bool:
        """Whether to pass a main phase in which a land could be played: asked once in each. True when it was asked."""
        app = self._app
        if not app.settings.lands or not isinstance(question, PriorityQuestion):
            return False
        view = app.session.table.view
        moment = (view.turn, view.step)
        fitting = app.session.table.is_active(app.session.table.you) and view.step in MAIN_PHASES and not view.stack
        if not fitting or moment == self._lands or not any(map(_plays_land, question.actions)):
            return False
        self._lands = moment
        say = app.say
        self.ask(say("ui.land_left"), (say("ui.land_pass"), act), (say("ui.land_back"), None), of=question.id)
        return True


def _plays_land(action: Action) -> bool:
    return action.type == "play_land"


def passes(answer: Answer) -> bool:
    """Whether an answer passes priority."""
    return isinstance(answer, PriorityAnswer) and answer.index == 0


def waits_for(vote: Vote, you: int | None) -> bool:
    """Whether a vote still wants our voice."""
    return you is not None and not vote.result and you in vote.waiting
