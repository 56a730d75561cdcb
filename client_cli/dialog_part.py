"""What answering any kind of question has in common: input a word at a time, until it is an answer or makes no sense."""

from __future__ import annotations

from client_cli.show import Show
from protocol.questions import Answer

Feed = Answer | str | None
"""What a line gives: an answer, a problem in words, or nothing yet."""


class Wrong(Exception):
    """Input that makes no sense here; `key` says so in the catalogue."""

    def __init__(self, key: str, **places: object) -> None:
        super().__init__(key)
        self.key = key
        self.places = places


def whole_number(text: str) -> int | None:
    """The number that a word says, from 0 on; None when it says none. Digits of other scripts and powers are none here."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


class Part:
    """What the kinds of questions have in common."""

    immediate = True
    whole_lines = False
    """Whether what is typed is a sentence, commas and all, and no list of numbers."""

    def __init__(self, show: Show) -> None:
        self.show = show

    def detail(self) -> str:
        """What else the prompt tells: bounds, how much is left, whose turn it is to be chosen."""
        return ""

    def lines(self) -> list[str]:
        """The choices in words, from number 1."""
        return []

    def numbers(self) -> list[int]:
        """The numbers of the choices; none where these are not chosen but given amounts."""
        return list(range(1, len(self.lines()) + 1))

    def enter(self) -> str:
        """Key of the catalogue: what Enter does now."""
        return "ui.enter_done"

    def enter_pressed(self) -> Feed:
        """What Enter alone gives. Raises `Wrong`."""
        raise NotImplementedError

    def take(self, words: list[str]) -> Feed:
        """Take in a line of one word or more. Raises `Wrong`."""
        raise NotImplementedError

    def undo(self) -> bool:
        """Take back the last thing chosen; False when there is none."""
        return False

    def subject(self, _index: int, /) -> str | None:
        """The object behind the choice at an index (from 0), if it is one; parts that show objects look at it."""
        return None

    @staticmethod
    def number(word: str, least: int, most: int) -> int:
        """A number within bounds."""
        try:
            number = int(word)
        except ValueError:
            raise Wrong("ui.not_a_number", text=word) from None
        if not least <= number <= most:
            raise Wrong("ui.out_of_range", least=least, most=most)
        return number
