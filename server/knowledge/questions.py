"""Questions of the rules as they go over the wire to the seat that is asked, and its answers back.

Object ids become strings, references become choices, actions get their words. A question's id stands for its number in the
game, which a replay gives it again: it outlives restarts. It tells nobody the number, because the gaps between the numbers
of one's own questions would tell how many the others were asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NotRequired, TypedDict, TypeGuard

import msgspec

from protocol import questions as wire
from protocol.refusals import Code, Refusal
from protocol.words import catalogue, say
from server.knowledge.aims import aim_of
from server.knowledge.hidden import may_know
from server.knowledge.numbers import number_text
from server.knowledge.opaque import Permutation
from server.knowledge.rulings import Rulings
from server.rules.model import State
from server.rules.model import questions as ask

SAID_BY_THE_CARD = frozenset({"ask.may", "ask.pay"})
"""Prompts of yes-or-no questions that say less than the card's own words."""


class Base(TypedDict):
    """What every question on the wire has, as keyword arguments: the fields of `protocol.questions.Asked`."""

    id: str
    seat: int
    purpose: str
    prompt: wire.Text
    default: wire.Answer
    for_seat: NotRequired[int]
    source: NotRequired[str]
    deadline_ms: NotRequired[int]


class QuestionIds:
    """Numbers of questions as ids and back: a permutation of the numbers below 2^32 that is keyed by the game's secret."""

    def __init__(self, secret: str) -> None:
        self._numbers = Permutation(f"question ids {secret}", 32)
        self._last = (-1, "")
        """The number written last, and its id: an open question is asked for again and again."""

    def write(self, number: int) -> str:
        """The id by which clients answer the question."""
        if number != self._last[0]:
            self._last = (number, f"q{self._numbers.hide(number):08x}")
        return self._last[1]

    def read(self, question: str) -> int | None:
        """The number in a question's id, None if it is none of ours."""
        if question and question == self._last[1]:
            return self._last[0]
        if not _ID.fullmatch(question):
            return None
        return self._numbers.find(int(question[1:], 16))


_ID = re.compile("q[0-9a-f]{8}")


@lru_cache(maxsize=1024)
def ids_of(secret: str) -> QuestionIds:
    """The ids of a game with that secret."""
    return QuestionIds(secret)


# --- out ----------------------------------------------------------------------------------------------------------------


class Asker:
    """Writes one question of one state for the wire. `id_of` is the id by which the asked seat knows an object."""

    def __init__(
        self, game: Rulings, state: State, ids: QuestionIds, id_of: Callable[[int], str] = number_text
    ) -> None:
        self._game = game
        self._state = state
        self._ids = ids
        self._id_of = id_of

    def write(self, question: ask.AnyQuestion, deadline_ms: int | None = None) -> wire.Question:
        """The question as its seat gets it; `deadline_ms` is what is left, None for no limit."""
        return _Writers.BY_KIND[type(question)](self, question, deadline_ms)

    def base(self, question: ask.AnyQuestion, deadline_ms: int | None, **args: wire.Arg) -> Base:
        """What every question has, as keyword arguments."""
        fields: Base = {
            "id": self._ids.write(question.number),
            "seat": question.seat,
            "purpose": question.purpose or _kind(question),
            "prompt": self.prompt(question, args),
            "default": write_answer(self._game.default(self._state, question)),
        }
        if question.source in self._state.objects or question.source in self._state.last:
            fields["source"] = self._id_of(question.source)
        if question.whose != question.seat:
            fields["for_seat"] = question.whose
        if deadline_ms is not None:
            fields["deadline_ms"] = deadline_ms
        return fields

    def prompt(self, question: ask.Question, args: dict[str, wire.Arg]) -> wire.Text:
        """The sentence to show: by purpose if the catalogue has one, else by kind."""
        words = catalogue("en")
        kind = _kind(question)
        key = "ask." + question.purpose.replace(" ", "_")
        name = self.name(question.source)
        if name:
            args["source"] = name
        said = kind == "confirm" and bool(name and args.get("text"))
        if said and (key in SAID_BY_THE_CARD or key not in words):
            key = "ask.confirm"
        elif key not in words:
            key = "ask.may" if kind == "confirm" else f"ask.{kind}"
        if question.whose != question.seat:
            args["for"] = self._state.players[question.whose].name
        return wire.Text(key, args)

    def name(self, object_id: int) -> str:
        """The name of an object that the asked seat is asked by or about."""
        thing = self._state.objects.get(object_id)
        if thing is None:
            last = self._state.last.get(object_id)
            return last.characteristics.name if last else ""
        if thing.face_down and (self._state.pending is None or not may_know(thing, self._state.pending.seat)):
            return ""
        return self._game.characteristics(self._state, object_id).name or thing.definition.name

    def action(self, action: ask.Action) -> wire.Action:
        """An action with its words."""
        if action.type == "pass":
            return wire.Action(type="pass", text="Pass")
        return wire.Action(
            type=action.type,
            object=self._id_of(action.object) if action.object else msgspec.UNSET,
            ability=action.ability if action.ability >= 0 else msgspec.UNSET,
            way=action.way or msgspec.UNSET,
            text=self.action_text(action),
            mana=action.mana,
            side=action.side or msgspec.UNSET,
            reminded=self._game.is_reminded(self._state, action),
        )

    def action_text(self, action: ask.Action) -> str:
        """What the action is: the card's name, or its ability's own words."""
        name = self.name(action.object) if action.object else ""
        if action.side:
            name = self._state.objects[action.object].definition.sides[action.side - 1].name
        if action.ability >= 0 and action.object:
            last = self._state.last.get(action.object)  # what has just left may still be called
            if last is not None and action.object not in self._state.objects:
                known = last.characteristics
            else:
                known = self._game.characteristics(self._state, action.object)
            abilities = known.abilities.all
            if action.ability < len(abilities):
                text = getattr(abilities[action.ability], "text", "") or getattr(
                    abilities[action.ability], "keyword", ""
                )
                return f"{name}: {text}" if text else name
        if action.way:
            return f"{name} ({action.way})" if name else action.way
        return name

    def aim(self, question: ask.ChooseQuestion) -> Literal["help", "harm"] | msgspec.UnsetType:
        """Whether what chooses its targets helps or harms them."""
        return (aim_of(self._state) if question.purpose == "target" else "") or msgspec.UNSET

    def attack_prices(self) -> dict[int, dict[ask.Ref, str]]:
        """What attacks cost: see `Rulings`."""
        return self._game.attack_prices(self._state)

    def block_prices(self, seat: int) -> dict[int, str]:
        """What blocks cost: see `Rulings`."""
        return self._game.block_prices(self._state, seat)

    def choices(self, options: Sequence[ask.Choice]) -> tuple[wire.Choice, ...]:
        """What can be picked."""
        return tuple(write_choice(choice, self._id_of) for choice in options)


class Again(msgspec.Struct, frozen=True):
    """A question of priority as its seat was asked it, for when it may do just the same again: what was `written` of it after so many
    `looks` at the objects (`Views`).
    """

    looks: int
    asked: ask.PriorityQuestion
    written: wire.Question

    def asks(self, question: ask.AnyQuestion, looks: int) -> bool:
        """Whether that seat is asked the same now, of the same objects if of any."""
        return (
            _of_objects_alone(question)
            and question.actions == self.asked.actions
            and (looks == self.looks or len(question.actions) == 1)
            and question.purpose == self.asked.purpose
        )

    def at(self, question_id: str, deadline_ms: int | None) -> wire.Question:
        """The question as it is written now."""
        left = msgspec.UNSET if deadline_ms is None else deadline_ms
        return msgspec.structs.replace(self.written, id=question_id, deadline_ms=left)


def repeatable(question: ask.AnyQuestion, written: wire.Question, looks: int) -> Again | None:
    """What there is to remember of a question, if anything."""
    if _of_objects_alone(question) and not any(action.type == "call" for action in question.actions):
        return Again(looks, question, written)
    return None  # of paragraphs by hand is told what has happened


def _of_objects_alone(question: ask.AnyQuestion) -> TypeGuard[ask.PriorityQuestion]:
    """Whether a question of priority is written of its actions' objects alone, as it nearly always is."""
    return isinstance(question, ask.PriorityQuestion) and not question.source and question.whose == question.seat


def _kind(question: ask.Question) -> str:
    return _KINDS[type(question)]


def write_ref(ref: ask.Ref, id_of: Callable[[int], str] = number_text) -> wire.Choice:
    """An object or player. 0 is neither: an attacker whose planeswalker is gone attacks nothing (506.4c)."""
    if ref == 0:
        return wire.WordChoice("nothing", say("ui.nothing"))
    return wire.PlayerChoice(ask.seat_of(ref)) if ref < 0 else wire.ObjectChoice(id_of(ref))


def write_choice(choice: ask.Choice, id_of: Callable[[int], str] = number_text) -> wire.Choice:
    """An object, player or word."""
    if choice.ref:
        return write_ref(choice.ref, id_of)
    return wire.WordChoice(choice.word, say(choice.text) if choice.text else choice.word)


class _Writers:
    """One function for each kind of question."""

    @staticmethod
    def priority(asker: Asker, q: ask.PriorityQuestion, left: int | None) -> wire.Question:
        return wire.PriorityQuestion(**asker.base(q, left), actions=tuple(map(asker.action, q.actions)))

    @staticmethod
    def choose(asker: Asker, q: ask.ChooseQuestion, left: int | None) -> wire.Question:
        base = asker.base(q, left, least=q.least, most=q.most)
        return wire.ChooseQuestion(
            **base,
            options=asker.choices(q.options),
            least=q.least,
            most=q.most,
            aim=asker.aim(q),
        )

    @staticmethod
    def confirm(asker: Asker, q: ask.ConfirmQuestion, left: int | None) -> wire.Question:
        return wire.ConfirmQuestion(**asker.base(q, left, text=say(q.text) if q.text else ""))

    @staticmethod
    def number(asker: Asker, q: ask.NumberQuestion, left: int | None) -> wire.Question:
        base = asker.base(q, left, least=q.least, most=q.most)
        return wire.NumberQuestion(**base, least=q.least, most=q.most)

    @staticmethod
    def order(asker: Asker, q: ask.OrderQuestion, left: int | None) -> wire.Question:
        return wire.OrderQuestion(**asker.base(q, left), options=asker.choices(q.options))

    @staticmethod
    def divide(asker: Asker, q: ask.DivideQuestion, left: int | None) -> wire.Question:
        base = asker.base(q, left, amount=q.amount)
        return wire.DivideQuestion(
            **base,
            amount=q.amount,
            options=asker.choices(q.options),
            least_each=q.least_each,
        )

    @staticmethod
    def attackers(asker: Asker, q: ask.AttackersQuestion, left: int | None) -> wire.Question:
        prices = asker.attack_prices()
        attackers = tuple(
            wire.Attacker(
                number_text(a.object),
                tuple(map(write_ref, a.defenders)),
                tuple(paid.get(ref, "") for ref in a.defenders) if (paid := prices.get(a.object)) else (),
            )
            for a in q.attackers
        )
        return wire.AttackersQuestion(**asker.base(q, left), attackers=attackers, required=q.required)

    @staticmethod
    def blockers(asker: Asker, q: ask.BlockersQuestion, left: int | None) -> wire.Question:
        prices = asker.block_prices(q.whose)
        blockers = tuple(
            wire.Blocker(
                number_text(b.object), tuple(map(number_text, b.attackers)), b.most, prices.get(b.object, msgspec.UNSET)
            )
            for b in q.blockers
        )
        return wire.BlockersQuestion(**asker.base(q, left), blockers=blockers, required=q.required)

    @staticmethod
    def damage(asker: Asker, q: ask.DamageQuestion, left: int | None) -> wire.Question:
        assigners = tuple(
            wire.Assigner(
                number_text(a.object),
                a.power,
                tuple(map(write_ref, a.options)),
                a.lethal,
                unordered=not a.ordered,
                trample=a.trample,
                heads=a.heads,
            )
            for a in q.assigners
        )
        return wire.DamageQuestion(**asker.base(q, left), assigners=assigners)

    @staticmethod
    def payment(asker: Asker, q: ask.PaymentQuestion, left: int | None) -> wire.Question:
        return wire.PaymentQuestion(
            **asker.base(q, left, cost=q.cost),
            cost=q.cost,
            actions=tuple(map(asker.action, q.actions)),
            can_auto=q.can_auto,
        )

    @staticmethod
    def act(asker: Asker, q: ask.ActQuestion, left: int | None) -> wire.Question:
        return wire.ActQuestion(**asker.base(q, left, text=q.text), text=q.text, left=q.left)

    BY_KIND = {
        ask.PriorityQuestion: priority,
        ask.ChooseQuestion: choose,
        ask.ConfirmQuestion: confirm,
        ask.NumberQuestion: number,
        ask.OrderQuestion: order,
        ask.DivideQuestion: divide,
        ask.AttackersQuestion: attackers,
        ask.BlockersQuestion: blockers,
        ask.DamageQuestion: damage,
        ask.PaymentQuestion: payment,
        ask.ActQuestion: act,
    }


_KINDS: dict[type[ask.Question], str] = {kind: str(kind.__struct_config__.tag) for kind in _Writers.BY_KIND}


# --- answers ----------------------------------------------------------------------------------------------------------------


def write_answer(answer: ask.AnyAnswer) -> wire.Answer:
    """An answer of the engine's (a default) for the wire."""
    match answer:
        case ask.Take():
            return wire.PriorityAnswer(index=answer.index, manual=answer.manual)
        case ask.Pick():
            return wire.ChooseAnswer(picks=answer.picks)
        case ask.Confirm():
            return wire.ConfirmAnswer(yes=answer.yes)
        case ask.Number():
            return wire.NumberAnswer(number=answer.number)
        case ask.Order():
            return wire.OrderAnswer(order=answer.order)
        case ask.Divide():
            return wire.DivideAnswer(amounts=answer.amounts)
        case ask.Attackers():
            return wire.AttackersAnswer(attacks=answer.attacks, bands=answer.bands)
        case ask.Blockers():
            return wire.BlockersAnswer(
                blocks=tuple((index, number_text(attacker)) for index, attacker in answer.blocks)
            )
        case ask.AssignDamage():
            return wire.DamageAnswer(amounts=answer.amounts)
        case ask.Pay():
            return wire.PaymentAnswer(index=answer.index)
        case ask.Act():
            return wire.ActAnswer(line=answer.said)


_take = lru_cache(1024)(ask.Take)


def read_answer(answer: wire.Answer) -> ask.AnyAnswer:
    """An answer from the wire. Whether it fits the question is the rules' affair. Raises `Refusal` for ids that are none."""
    match answer:
        case wire.PriorityAnswer():
            return _take(answer.index, answer.manual)  # rooms remember many of them, which are alike
        case wire.ChooseAnswer():
            return ask.Pick(answer.picks)
        case wire.ConfirmAnswer():
            return ask.Confirm(answer.yes)
        case wire.NumberAnswer():
            return ask.Number(answer.number)
        case wire.OrderAnswer():
            return ask.Order(answer.order)
        case wire.DivideAnswer():
            return ask.Divide(answer.amounts)
        case wire.AttackersAnswer():
            return ask.Attackers(answer.attacks, answer.bands)
        case wire.BlockersAnswer():
            return ask.Blockers(tuple((index, _object(attacker)) for index, attacker in answer.blocks))
        case wire.DamageAnswer():
            return ask.AssignDamage(answer.amounts)
        case wire.PaymentAnswer():
            return ask.Pay(answer.index)
        case wire.ActAnswer():
            if answer.line:
                raise Refusal(Code.INVALID, path="answer.line")  # what a line says is read by the room
            return ask.Act()


def check_kind(question: ask.AnyQuestion, answer: ask.AnyAnswer) -> None:
    """Raises `Refusal` if the answer is of another kind than the question."""
    if question.__struct_config__.tag != answer.__struct_config__.tag:
        asked, given = question.__struct_config__.tag, answer.__struct_config__.tag
        raise Refusal(Code.WRONG_KIND, f"The question is of kind {asked}, the answer of kind {given}.")


def _object(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise Refusal(Code.INVALID, f"{text!r} is no object's id.", path="answer.blocks")
    return int(text)
