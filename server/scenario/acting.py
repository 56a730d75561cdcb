"""An action under way: the targets that its line names, and what must be true once it has been announced."""

from __future__ import annotations

from server.rules.model import AnnounceFrame, State, events
from server.rules.model import questions as q
from server.scenario.answers import SKIP, Answers
from server.scenario.errors import Refused
from server.scenario.format import Activate, ActivateMana, Cast, TargetName


class Acting:
    """A spell or ability that a script line casts or activates. `at` is the first target not used yet, `logged` where the
    log stood before it."""

    def __init__(
        self, index: int, line: Cast | Activate | ActivateMana, seat: int, logged: int, stackless: bool
    ) -> None:
        self.index = index
        self.seat = seat
        self.logged = logged
        self.stackless = stackless  # a mana ability or special action: done as soon as it is paid for
        targets = () if isinstance(line, ActivateMana) else line.targets
        self.targets = sorted(targets, key=lambda t: t.mode or 0)
        self.at = 0
        self.chosen: dict[int, q.Ref] = {}

    def concerns(self, state: State, question: q.AnyQuestion) -> bool:
        """Whether a question is about this announcement and its line may have the answer."""
        frame = state.agenda[-1]
        announcing = isinstance(frame, AnnounceFrame) and frame.trigger is None
        return announcing and question.whose == self.seat and bool(self.targets)

    def answer(self, state: State, question: q.AnyQuestion, answers: Answers) -> q.AnyAnswer:
        """The answer from the line's targets, as far as they go, then from the queue."""
        if isinstance(question, q.ChooseQuestion) and question.purpose == "target":
            picks: list[int] = []
            while len(picks) < question.most:
                place = self._next(state, question, picks, answers)
                if place is None:
                    break
                if place == SKIP:
                    return answers.choose(state, _full(question, picks), picks) if picks else q.Pick(())
                picks.append(place)
            return answers.choose(state, question, picks)
        if isinstance(question, q.DivideQuestion):
            amounts = [self._amount(ref.ref) for ref in question.options]
            if all(n is not None for n in amounts):
                return q.Divide(tuple(n or 0 for n in amounts))
        return answers.answer(state, question)

    def take(self, state: State, ref: q.Ref, answers: Answers) -> bool:
        """Whether a target that nobody was asked for is the next that the line names: then that name is used up."""
        if self.at >= len(self.targets) or self.targets[self.at].skip:
            return False
        if not answers.fits(state, q.Choice(ref=ref), self.targets[self.at]):
            return False
        self.chosen[self.at] = ref
        self.at += 1
        return True

    def _next(self, state: State, question: q.ChooseQuestion, picks: list[int], answers: Answers) -> int | None:
        """The place of the next named target. Those that fit no option were taken without a question, or are illegal."""
        for at in range(self.at, len(self.targets)):
            wanted = self.targets[at]
            if wanted.skip:
                self.at = at + 1
                return SKIP
            taken = [i for i, option in enumerate(question.options) if option.ref in self.chosen.values()]
            place = answers.find(state, question.options, (*picks, *taken), wanted)
            if place is None:  # a target of another slot may be one of this too
                place = answers.find(state, question.options, picks, wanted)
            if place is not None:
                self.chosen[at] = question.options[place].ref
                self.at = at + 1
                return place
        return None

    def _amount(self, ref: q.Ref) -> int | None:
        return next((self.targets[at].amount for at, chosen in self.chosen.items() if chosen == ref), None)

    def verify(self, state: State, log: list[events.Event], answers: Answers) -> None:
        """The announcement is over: it was not taken back, and it has the targets that the line names. Raises Refused."""
        if self.stackless:
            if not log:
                raise Refused(self.index, "could not be paid for")
            return
        put = next((e.object for e in reversed(log) if isinstance(e, events.Cast | events.Activated)), None)
        if put is None:
            if any(isinstance(e, events.UsedAbility) for e in log):
                return
            raise Refused(self.index, "could not be announced and paid for")
        found = state.objects.get(put)
        if found is None or found.entry is None:
            return
        left = [ref for slot in found.entry.targets for ref in slot]
        for ref in self.chosen.values():
            if ref in left:
                left.remove(ref)
        for at, wanted in enumerate(self.targets):
            if at in self.chosen or wanted.skip:
                continue
            ref = next((r for r in left if answers.fits(state, q.Choice(ref=r), wanted)), None)
            if ref is None:
                raise Refused(self.index, f"{_written(wanted)} is no legal target")
            left.remove(ref)


def _full(question: q.ChooseQuestion, picks: list[int]) -> q.ChooseQuestion:
    """The question as it stands for a choice that was ended: nothing more than must be is picked."""
    most = max(len(picks), question.least)
    return q.ChooseQuestion(
        question.whose, "target", question.source, options=question.options, least=question.least, most=most
    )


def _written(wanted: TargetName) -> str:
    return wanted.name or wanted.player
