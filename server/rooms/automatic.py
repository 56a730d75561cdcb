"""What a room answers for a seat beside standing passes: what the seat wants answered always alike, a loop that it repeats,
and the order of triggers that are alike. A value for each seat; it follows from the journal.

A yield or an answer is kept for a *name and words*: of the ability on the stack, or of the question and its source. So it
holds for every ability of that sort, also of another card of the same name.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from protocol.refusals import Code, Refusal
from protocol.table import Always, AutomaticAnswer, Forget, Repeat, Yield
from protocol.words import say
from server.knowledge.questions import QuestionIds
from server.rooms.steps import NONE, About, Recent, Step
from server.rules.model import State
from server.rules.model import questions as ask

MOST_RULES = 200

Does: TypeAlias = Literal["pass", "yes", "no"]


class Rule(msgspec.Struct, frozen=True):
    """What is always done about what has this `key`; `name` and `text` tell people what that is."""

    key: str
    does: Does
    name: str
    text: str


class Automation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat's. `loop` is what is repeated, `at` the place of the next answer in it, `rounds` what is left of it with the
    round under way; `recent` are its last answers, oldest first.
    """

    rules: tuple[Rule, ...] = ()
    recent: Recent = NONE
    loop: tuple[Step, ...] = ()
    at: int = 0
    rounds: int = 0

    # --- what the seat says ---

    def told(self, message: Yield | Always | Forget | Repeat, state: State, seat: int, ids: QuestionIds) -> Automation:
        """After an instruction; `ids` are those of the game's questions. Raises `Refusal`: no_such_object,
        cannot_always, no_repeat, and why a question is not its."""
        match message:
            case Yield():
                return self._with(Rule(*_on_stack(state, message.object)))
            case Always():
                return self._with(Rule(*_confirmed(state, seat, message, ids)))
            case Forget():
                kept = tuple(rule for rule in self.rules if message.key and rule.key != message.key)
                return replace(self, rules=kept)
            case Repeat():
                return self._repeating(message, state, seat, ids)

    def _with(self, rule: Rule) -> Automation:
        others = [old for old in self.rules if old.key != rule.key]
        return replace(self, rules=(*others, rule)[-MOST_RULES:])

    def _repeating(self, message: Repeat, state: State, seat: int, ids: QuestionIds) -> Automation:
        since = ids.read(message.since)
        pending = state.pending
        loop = () if since is None else self.recent.since(since)
        if pending is None or pending.seat != seat or not loop or loop[0].number != since:
            raise Refusal(Code.NO_REPEAT)
        repeating = replace(self, loop=loop, at=0, rounds=message.times)
        if repeating.answer(state) is None:
            raise Refusal(Code.NO_REPEAT)
        return repeating

    # --- what happens ---

    def answered(self, state: State, answer: ask.AnyAnswer, by: str) -> Automation:
        """The seat's open question was answered: by itself, which ends a loop, or by the room."""
        if by != "seat":
            return self._stepped(state) if self.rounds else self
        assert state.pending is not None
        recent = self.recent.followed(state.pending.number, answer, _about(state, state.pending, answer))
        return replace(self, recent=recent, loop=(), at=0, rounds=0)

    def interrupted(self) -> Automation:
        """Something else has happened: a loop ends."""
        return replace(self, loop=(), at=0, rounds=0) if self.rounds else self

    def taken_back(self, number: int) -> Automation:
        """The answers from that question on count no more."""
        return replace(self.interrupted(), recent=self.recent.before(number))

    def _stepped(self, state: State) -> Automation:
        assert state.pending is not None
        if _sort(state.pending) != self.loop[self.at].sort:
            return self  # a pass that the seat had left anyway
        at = self.at + 1
        if at < len(self.loop):
            return replace(self, at=at)
        return replace(self, at=0, rounds=self.rounds - 1) if self.rounds > 1 else self.interrupted()

    # --- what the room does ---

    def yields(self, state: State) -> bool:
        """Whether the seat always passes on what is on top of the stack."""
        if not self.rules or not state.stack:
            return False
        key = _key("stack", *_words_of(state, state.stack[-1]))
        return any(rule.key == key and rule.does == "pass" for rule in self.rules)

    def answer(self, state: State) -> ask.AnyAnswer | None:
        """What the room answers to the seat's open question, None if the seat is asked."""
        question = state.pending
        assert question is not None
        if self.rounds:
            again = _again(state, question, self.loop[self.at])
            if again is not None:
                return again
        match question:
            case ask.ConfirmQuestion() if self.rules and question.whose == question.seat:
                key = _key("confirm", *_asked(state, question))
                does = next((rule.does for rule in self.rules if rule.key == key), "")
                return ask.Confirm(does == "yes") if does else None
            case ask.ChooseQuestion(purpose="trigger order") if _all_alike(state, question):
                return ask.Pick((0,))
            case _:
                return None

    def shown(self) -> list[AutomaticAnswer]:
        """The rules as the seat is told of them."""
        return [AutomaticAnswer(key=r.key, does=r.does, name=r.name, text=r.text) for r in self.rules]


# --- names and words ---------------------------------------------------------------------------------------------------


def _key(*words: str) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]


def _words_of(state: State, number: int) -> tuple[str, str]:
    """(name, words) of an ability or spell on the stack; a face-down spell has neither."""
    thing = state.objects[number]
    if thing.face_down:
        return "", ""
    entry = thing.entry
    if entry is None or entry.kind == "spell":
        return thing.definition.name, ""
    return thing.definition.name, getattr(entry.ability, "text", "") or thing.definition.text


def _on_stack(state: State, object_id: str) -> tuple[str, Does, str, str]:
    number = int(object_id) if object_id.isascii() and object_id.isdigit() and len(object_id) <= 12 else 0
    if number not in state.stack or not _words_of(state, number)[0]:
        raise Refusal(Code.NO_SUCH_OBJECT)
    name, text = _words_of(state, number)
    return _key("stack", name, text), "pass", name, text


def _asked(state: State, question: ask.ConfirmQuestion) -> tuple[str, str]:
    """(name of the source, words) of a yes-or-no question; no name where the rules ask."""
    thing = state.objects.get(question.source)
    name = "" if thing is None or thing.face_down else thing.definition.name
    if thing is None and question.source in state.last:
        name = state.last[question.source].object.definition.name
    return name, question.text or question.purpose


def _confirmed(state: State, seat: int, message: Always, ids: QuestionIds) -> tuple[str, Does, str, str]:
    question = state.pending
    if question is None or question.seat != seat or question.number != ids.read(message.question):
        raise Refusal(Code.NOT_YOUR_QUESTION)
    if question.whose != seat or not isinstance(question, ask.ConfirmQuestion) or not _asked(state, question)[0]:
        raise Refusal(Code.CANNOT_ALWAYS)
    name, text = _asked(state, question)
    return _key("confirm", name, text), "yes" if message.yes else "no", name, say(text)


def _all_alike(state: State, question: ask.ChooseQuestion) -> bool:
    """Whether all waiting triggers of the player have the same name, words and circumstances (603.3b)."""
    first = question.options[0]
    if any((option.word, option.text) != (first.word, first.text) for option in question.options):
        return False
    mine = [trigger for trigger in state.waiting if trigger.controller == question.whose]
    head = mine[0]
    return all(
        (t.ability is head.ability or t.ability == head.ability)
        and (t.bindings is head.bindings or t.bindings == head.bindings)
        for t in mine
    )


# --- loops ---------------------------------------------------------------------------------------------------------------


SAME = 8192
"""Words and what was picked that are the same objects wherever they are the same: of the same cards much is alike in all rooms."""


def _sort(question: ask.AnyQuestion) -> str:
    return _sort_of(type(question), question.purpose)


@lru_cache(SAME)
def _sort_of(made: type[ask.AnyQuestion], purpose: str) -> str:
    return f"{made.__struct_config__.tag}/{purpose}"


@lru_cache(SAME)
def _joined(kind: str, ability: int, way: str, name: str) -> str:
    return f"{kind}/{ability}/{way}/{name}"


@lru_cache(SAME)
def _about_one(sort: str, ref: int, word: str) -> About:
    return sort, ((ref, word),)


@lru_cache(SAME)
def _about_none(sort: str) -> About:
    return sort, ()


def _about(state: State, question: ask.AnyQuestion, answer: ask.AnyAnswer) -> About:
    sort = _sort(question)
    match question, answer:
        case ask.PriorityQuestion() | ask.PaymentQuestion(), ask.Take() | ask.Pay():
            action = _action(question, answer)
            if action is not None:
                return _about_one(sort, action.object, _action_word(state, action))
        case ask.ChooseQuestion(), ask.Pick():
            return sort, tuple(
                (question.options[i].ref, _choice_word(state, question.options[i])) for i in answer.picks
            )
        case _:
            pass
    return _about_none(sort)


def _action(question: ask.PriorityQuestion | ask.PaymentQuestion, answer: ask.Take | ask.Pay) -> ask.Action | None:
    """The action that an answer takes; None for paying automatically and taking back."""
    if isinstance(answer, ask.Take):
        return question.actions[answer.index]
    return question.actions[answer.index - 1] if answer.index > 0 else None


def _action_word(state: State, action: ask.Action) -> str:
    thing = state.objects.get(action.object)
    name = thing.definition.name if thing is not None else ""
    if thing is not None and action.side:
        name = thing.definition.sides[action.side - 1].name
    return _joined(action.type, action.ability, action.way, name)


def _choice_word(state: State, choice: ask.Choice) -> str:
    thing = state.objects.get(choice.ref)
    return thing.definition.name if thing is not None else choice.word


def _again(state: State, question: ask.AnyQuestion, step: Step) -> ask.AnyAnswer | None:
    """The same answer to the same sort of question, None if it cannot be given."""
    if _sort(question) != step.sort:
        return None
    match question, step.answer:
        case ask.PriorityQuestion(), ask.Take():
            options = [(action.object, _action_word(state, action)) for action in question.actions]
            found = _find(options, step.picked)
            return replace(step.answer, index=found[0]) if found is not None else None
        case ask.PaymentQuestion(), ask.Pay():
            if not step.picked:
                return step.answer if step.answer.index or question.can_auto else None
            options = [(action.object, _action_word(state, action)) for action in question.actions]
            found = _find(options, step.picked)
            return ask.Pay(found[0] + 1) if found is not None else None
        case ask.ChooseQuestion(), ask.Pick():
            options = [(choice.ref, _choice_word(state, choice)) for choice in question.options]
            found = _find(options, step.picked)
            fits = found is not None and question.least <= len(found) <= question.most
            return ask.Pick(tuple(found)) if fits and found is not None else None
        case ask.NumberQuestion(), ask.Number(number):
            return step.answer if question.least <= number <= question.most else None
        case ask.ConfirmQuestion(), ask.Confirm():
            return step.answer
        case _:
            return None


def _find(options: list[tuple[int, str]], picked: tuple[tuple[int, str], ...]) -> list[int] | None:
    """The indices of what was picked, each once: the same object first, else one of the same name. None if one is missing."""
    found: list[int] = []
    for wanted in picked:
        free = [index for index in range(len(options)) if index not in found]
        same = [i for i in free if options[i] == wanted] or [i for i in free if options[i][1] == wanted[1]]
        if not same:
            return None
        found.append(same[0])
    return found
