"""The line that a person types at a screen: which keys act at once, which open the line, and to which question it all belongs.

Pure: told keys and what was painted when they were pressed, it gives what was said. An answer belongs to the question that was on
the screen at its first key; whoever takes it drops it when another is open by then.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from client_cli.dialog_part import whole_number
from client_cli.scenes import Screen

DIGITS = "0123456789"
GO_ON = "\x06"
"""What is said by a key that only ends a wait."""
ESCAPE = "\x1b"
"""What is said by the key Escape, when no line was begun: close what lies over the table."""
MOST_TYPED = 600
"""Characters of a line; more are not taken. Chat takes 500."""
HABIT_S = 1.0
"""Enter within so many seconds after a number that was taken at once is the end of that number's line, by habit; so it is after a key
that only went on."""


class Said(Struct, frozen=True):
    """A line, and what was asked on the screen when it was begun (`Screen.about`)."""

    text: str
    about: str


class Line:
    """What is typed so far."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` counts seconds from anywhere."""
        self._clock = clock
        self._about = ""
        self._last: tuple[str, float] | None = None
        self._went_on = float("-inf")
        self.typed = ""

    def press(self, key: str, screen: Screen) -> Said | None:
        """The line that a key completes, if it does. `screen` is what is painted."""
        last, self._last = self._last, None
        if not self.typed:
            self._about = screen.about
        if key == "enter" and not self.typed and last is not None and self._clock() - last[1] < HABIT_S:
            self._about = last[0]
            return self._said("")
        if not self.typed and self._only_goes_on(key, screen):
            return Said(GO_ON, screen.about)
        if key == "enter":
            return self._said(self.typed)
        if key == "esc":
            begun, self.typed = self.typed, ""
            return None if begun else self._said(ESCAPE)
        if key == "backspace":
            self.typed = self.typed[:-1]
            return None
        if len(key) != 1 or not key.isprintable() or len(self.typed) >= MOST_TYPED:
            return None
        return self._character(key, screen)

    def _only_goes_on(self, key: str, screen: Screen) -> bool:
        """Whether a key ends a wait and nothing else, or is an Enter soon after one that did."""
        if not screen.waits:
            return key == "enter" and self._clock() - self._went_on < HABIT_S
        if key == ":" or (len(key) == 1 and key in screen.opens + screen.keys_at_once):
            return False
        if screen.behind:
            self._went_on = self._clock()
        return True

    def _character(self, key: str, screen: Screen) -> Said | None:
        typed = self.typed
        if screen.free or (typed and typed[0] not in DIGITS):
            self.typed = typed + key
            return None
        if key in DIGITS or (typed and key in " ,m-"):
            self.typed = key if typed == "0" and key in DIGITS and screen.immediate else typed + key
            # A number that no choice has is said, too, so that it is told so and the line is free.
            if screen.immediate and (_whole(self.typed, screen.numbers) or _none(self.typed, screen.numbers)):
                self._last = (self._about, self._clock())
                return self._said(self.typed)
            return None
        # What is no number says something else than the number begun before it, but still about what that number was begun for.
        self.typed = ""
        if key == ":" or key in screen.opens:
            self.typed = key
        elif key in screen.keys_at_once:
            return self._said(key)
        return None

    def _said(self, text: str) -> Said:
        self.typed = ""
        return Said(text.removeprefix(":"), self._about)


def _none(typed: str, numbers: list[int]) -> bool:
    """Whether that is the begin of no choice's number. A zero may be what Enter alone does."""
    if not numbers or not typed.isdigit() or typed == "0":
        return False
    return not any(str(number).startswith(typed) for number in numbers)


def _whole(typed: str, numbers: list[int]) -> bool:
    """Whether a number stands for a choice and no longer number that does begins with it."""
    if whole_number(typed) not in numbers or (typed.startswith("0") and typed != "0"):
        return False
    return not any(str(number).startswith(typed) and str(number) != typed for number in numbers)
