"""Asking inside a step: generators that yield a question and return what was answered, without asking what has one answer.

A step is a generator over an unchanged state; the driver throws it away at a question and starts it again with the answers
so far. So these helpers, too, may only read.
"""

from __future__ import annotations

from collections.abc import Generator

from server.rules.model.errors import Defect
from server.rules.model.questions import (
    AnyAnswer,
    AnyQuestion,
    Choice,
    ChooseQuestion,
    Confirm,
    ConfirmQuestion,
    Divide,
    DivideQuestion,
    Number,
    NumberQuestion,
    Order,
    OrderQuestion,
    Pick,
    Ref,
)

Asking = Generator[AnyQuestion, AnyAnswer, "object"]

DISCARD_OF_A_KIND = "discard of a kind"
"""The purpose where not every card in the hand will do, so that it is asked only where more of them do than are discarded."""


def choose(
    seat: int, options: tuple[Choice, ...], least: int, most: int, purpose: str, source: int = 0
) -> Generator[AnyQuestion, AnyAnswer, tuple[int, ...]]:
    """Indices of between `least` and `most` options; nothing is asked where only one answer is possible."""
    most = min(most, len(options))
    least = min(least, most)
    if most == 0:
        return ()
    if least == len(options):
        return tuple(range(len(options)))
    answer = yield ChooseQuestion(seat, purpose, source, options=options, least=least, most=most)
    if not isinstance(answer, Pick):
        raise Defect(f"{answer!r} does not answer a choice")
    return answer.picks


def choose_refs(
    seat: int, refs: tuple[Ref, ...], least: int, most: int, purpose: str, source: int = 0
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...]]:
    """Between `least` and `most` of some objects and players."""
    options = tuple(Choice(ref=r) for r in refs)
    picks = yield from choose(seat, options, least, most, purpose, source)
    return tuple(refs[i] for i in picks)


def choose_word(
    seat: int, words: tuple[str, ...], purpose: str, source: int = 0
) -> Generator[AnyQuestion, AnyAnswer, str]:
    """One of several words."""
    options = tuple(Choice(word=w, text=w) for w in words)
    picks = yield from choose(seat, options, 1, 1, purpose, source)
    return words[picks[0]] if picks else ""


def confirm(
    seat: int, purpose: str, source: int = 0, text: str = "", default: bool = False
) -> Generator[AnyQuestion, AnyAnswer, bool]:
    """Yes or no."""
    answer = yield ConfirmQuestion(seat, purpose, source, text=text, default=default)
    if not isinstance(answer, Confirm):
        raise Defect(f"{answer!r} does not answer yes or no")
    return answer.yes


def number(seat: int, least: int, most: int, purpose: str, source: int = 0) -> Generator[AnyQuestion, AnyAnswer, int]:
    """A number in a range."""
    if most <= least:
        return least
    answer = yield NumberQuestion(seat, purpose, source, least=least, most=most)
    if not isinstance(answer, Number):
        raise Defect(f"{answer!r} does not answer a number")
    return answer.number


def arrangement(
    seat: int, options: tuple[Choice, ...], purpose: str, source: int = 0
) -> Generator[AnyQuestion, AnyAnswer, tuple[int, ...]]:
    """The places of the options in the order that the player wants."""
    answer = yield OrderQuestion(seat, purpose, source, options=options)
    if not isinstance(answer, Order):
        raise Defect(f"{answer!r} does not answer an order")
    return answer.order


def order(
    seat: int, refs: tuple[Ref, ...], purpose: str, source: int = 0
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...]]:
    """The same references in the order that the player wants."""
    if len(refs) < 2:
        return refs
    places = yield from arrangement(seat, tuple(Choice(ref=r) for r in refs), purpose, source)
    return tuple(refs[i] for i in places)


def divide(
    seat: int, amount: int, refs: tuple[Ref, ...], least_each: int, purpose: str, source: int = 0
) -> Generator[AnyQuestion, AnyAnswer, tuple[int, ...]]:
    """An amount for each reference, `amount` in all."""
    if len(refs) <= 1:
        return (amount,) * len(refs)
    options = tuple(Choice(ref=r) for r in refs)
    answer = yield DivideQuestion(seat, purpose, source, amount=amount, options=options, least_each=least_each)
    if not isinstance(answer, Divide):
        raise Defect(f"{answer!r} does not answer a division")
    return answer.amounts
