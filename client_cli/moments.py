"""To which moments of the game the table may go back, as the terminal lists them: "fix back", and "fix back 3" for the third."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client_cli.dialog_part import whole_number
from protocol import by_hand
from protocol.by_hand import BackChange, MomentsTold
from protocol.messages import ClientMessage, Correct

if TYPE_CHECKING:
    from client_cli.app import App


class Moments:
    """Those that were listed last. One for each app."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._listed: list[by_hand.Moment] = []

    def message(self, new: str, which: str) -> ClientMessage | str:
        """What "fix back" asks for, and "fix back 3" proposes; or what is wrong with it."""
        if not which:
            return by_hand.Moments(id=new)
        number = whole_number(which) or 0
        if not 1 <= number <= len(self._listed):
            return self._app.say("ui.fix_back_how")
        return Correct(id=new, changes=(BackChange(question=self._listed[number - 1].question),))

    def tell(self, message: MomentsTold) -> None:
        """They are listed, the latest first."""
        app, self._listed = self._app, message.moments
        lines = [f"{number}. {self._words(one)}" for number, one in enumerate(self._listed, 1)]
        app.read(
            app.say("web.correct_back"),
            [*lines, app.say("ui.fix_back_how")] if lines else [app.say("refused.no_moment")],
        )

    def _words(self, one: by_hand.Moment) -> str:
        say = self._app.say
        name, step = self._app.show.player(one.seat), say(f"step.{one.step}")
        return say("web.moment", turn=one.turn, step=step, name=name, what=one.source or say(f"web.kind_{one.kind}"))
