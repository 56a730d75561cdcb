"""The answers that an open question takes."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.questions import Answer
from protocol.refusals import Refusal
from server.knowledge.questions import read_answer, write_answer
from server.rules import Illegal, State, legal
from server.rules.model import questions as q
from server.scenario.every import every


class Legal:
    """The legal answers of a game's open question: a check, a default, a drawn one, and all of them one after another.

    >>> import apnap
    >>> game = apnap.Game.new([[apnap.house_card("Forest")] * 60] * 2, seed="1", first=0)
    >>> game.question.purpose, [answer.yes for answer in game.legal]
    ('mulligan', [False, True])
    >>> game.legal.default in game.legal
    True
    """

    def __init__(self, state: State, question: q.AnyQuestion) -> None:
        self._state = state
        self._question = question

    def check(self, answer: Answer) -> None:
        """Raises Illegal, with a code, a sentence and a rule, unless the answer is legal."""
        legal.check(self._state, self._question, read(answer))

    def __contains__(self, answer: object) -> bool:
        """Whether it is a legal answer."""
        if not isinstance(answer, Answer):
            return False
        try:
            self.check(answer)
        except Illegal:
            return False
        return True

    @property
    def default(self) -> Answer:
        """What is answered for a player who gives no answer: pass, no, the first, as few as possible; what is required."""
        return write_answer(legal.default(self._question, self._state))

    def sample(self, chance: legal.Chance) -> Answer:
        """A drawn one (`random.Random` is a source of chance). Of actions none that only makes mana: payment finds it."""
        return write_answer(legal.sample(self._question, self._state, chance))

    def __iter__(self) -> Iterator[Answer]:
        """Every legal answer once, the default first; without bands. Declarations, divisions and orders of many have very many: take
        what you need with `itertools.islice`, or `sample`.
        """
        return map(write_answer, every(self._state, self._question))


def read(answer: Answer) -> q.AnyAnswer:
    """An answer of the protocol as the rules take it. Raises Illegal for ids that are none."""
    try:
        return read_answer(answer)
    except Refusal as refusal:
        raise Illegal(refusal.code, refusal.sentence) from None
