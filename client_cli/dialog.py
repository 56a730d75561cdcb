"""A question as a person answers it: numbered choices, some input a line at a time, and at its end an answer.

Pure. A `Dialog` is fed lines; each gives an `Answer`, or a sentence about what is wrong, or None when more is wanted. Enter alone
means "that is all" or, where nothing was chosen, what is said in `enter`.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET

from client_cli.dialog_act import Act
from client_cli.dialog_choices import Choose, Confirm, Divide, Number, Order, Payment, Priority
from client_cli.dialog_combat import Attackers, Blockers, Damage
from client_cli.dialog_part import Feed, Part, Wrong
from client_cli.show import Show
from protocol.questions import (
    ActQuestion,
    AttackersQuestion,
    BlockersQuestion,
    ChooseQuestion,
    ConfirmQuestion,
    DamageQuestion,
    DivideQuestion,
    NumberQuestion,
    OrderQuestion,
    PaymentQuestion,
    PriorityQuestion,
    Question,
)


class Dialog:
    """One question being answered."""

    def __init__(self, show: Show, question: Question) -> None:
        self.show = show
        self.question = question
        self._part = _PARTS[type(question)](show, question)

    @property
    def prompt(self) -> str:
        """What is asked."""
        words = self.show.text(self.question.prompt)
        whose = self.question.for_seat
        if whose is not UNSET:
            words = f"{self.show.say('ui.deciding_for', name=self.show.player(whose))} {words}"
        source = self.question.source
        if source is not UNSET and source in self.show.table.view.objects:
            name = self.show.table.name(source)
            if name not in words:
                words = f"{name}: {words}"
        detail = self._part.detail()
        return f"{words} {detail}".rstrip()

    @property
    def choices(self) -> list[str]:
        """The lines to choose from, numbered by `numbers`."""
        return self._part.lines()

    @property
    def numbers(self) -> list[int]:
        """The numbers of the choices; none where these are not chosen."""
        return self._part.numbers()

    @property
    def keys(self) -> str:
        """What Enter does now."""
        return self.show.say(self._part.enter())

    @property
    def immediate(self) -> bool:
        """Whether a number counts as soon as no longer number could begin with it."""
        return self._part.immediate

    def feed(self, line: str) -> Feed:
        """Take a line of input."""
        words = line.split() if self._part.whole_lines else line.strip().replace(",", " ").split()
        try:
            return self._part.enter_pressed() if not words else self._part.take(words)
        except Wrong as wrong:
            return self.show.say(wrong.key, **wrong.places)

    def undo(self) -> bool:
        """Take back the last thing chosen; False when there is none."""
        return self._part.undo()

    def subject(self, number: int) -> str | None:
        """The object behind choice `number` (from 1), if it is one."""
        return self._part.subject(number - 1)


_PARTS: dict[type, Callable[..., Part]] = {
    PriorityQuestion: Priority,
    PaymentQuestion: Payment,
    ChooseQuestion: Choose,
    ConfirmQuestion: Confirm,
    NumberQuestion: Number,
    OrderQuestion: Order,
    DivideQuestion: Divide,
    AttackersQuestion: Attackers,
    BlockersQuestion: Blockers,
    DamageQuestion: Damage,
    ActQuestion: Act,
}
