"""How a person answers with an action, options, numbers or an order: the questions of all moments but combat."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import UNSET, UnsetType

from client_cli.dialog_part import Feed, Part, Wrong, whole_number
from client_cli.show import Show
from protocol.questions import (
    Action,
    ChooseAnswer,
    ChooseQuestion,
    ConfirmAnswer,
    ConfirmQuestion,
    DivideAnswer,
    DivideQuestion,
    NumberAnswer,
    NumberQuestion,
    ObjectChoice,
    OrderAnswer,
    OrderQuestion,
    PaymentAnswer,
    PaymentQuestion,
    PriorityAnswer,
    PriorityQuestion,
    WordChoice,
)


def _alike(
    show: Show, indices: Iterable[int], of: Callable[[int], str | UnsetType], words: Callable[[int], str]
) -> list[list[int]]:
    """Indices, those together of which the same is said: of cards in a hand or a library, and of lands in the same state."""
    groups: dict[tuple[str, str], list[int]] = {}
    for index in indices:
        key = str(of(index) or "")
        thing = show.table.view.objects.get(key)
        state = str(index)
        if thing is not None and thing.zone in ("hand", "library"):
            state = ""
        elif thing is not None and "land" in thing.types and "creature" not in thing.types:
            state = show.thing(key, whose=True)
        groups.setdefault((words(index), state), []).append(index)
    return list(groups.values())


class Priority(Part):
    """An action by its number, or to pass; "m" behind it pays by hand."""

    def __init__(self, show: Show, question: PriorityQuestion) -> None:
        super().__init__(show)
        self.question = question
        # Mana abilities last: one seldom wants them here. Of cards in hand that are alike, the first.
        order = sorted(range(1, len(question.actions)), key=lambda i: (question.actions[i].mana, i))
        self.order = [alike[0] for alike in _alike(show, order, lambda i: question.actions[i].object, self._words)]

    def lines(self) -> list[str]:
        return [self._words(i) for i in self.order]

    def _words(self, index: int) -> str:
        return action_words(self.show, self.question.actions[index])

    def enter(self) -> str:
        return "ui.enter_pass"

    def enter_pressed(self) -> Feed:
        return PriorityAnswer(index=0)

    def take(self, words: list[str]) -> Feed:
        word = words[0]
        manual = word.endswith("m") and word != "m"
        number = self.number(word.removesuffix("m"), 0, len(self.order))
        if number == 0:
            return PriorityAnswer(index=0)
        return PriorityAnswer(index=self.order[number - 1], manual=manual)

    def subject(self, index: int) -> str | None:
        if not 0 <= index < len(self.order):
            return None
        return self.question.actions[self.order[index]].object or None


class Payment(Part):
    """A way to pay, or to take the announcement back."""

    def __init__(self, show: Show, question: PaymentQuestion) -> None:
        super().__init__(show)
        self.question = question

    def lines(self) -> list[str]:
        return [
            *(action_words(self.show, action) for action in self.question.actions),
            self.show.say("ui.take_back"),
        ]

    def enter(self) -> str:
        return "ui.enter_auto" if self.question.can_auto else "ui.enter_none"

    def enter_pressed(self) -> Feed:
        if self.question.can_auto:
            return PaymentAnswer(index=0)
        return self.question.default

    def take(self, words: list[str]) -> Feed:
        number = self.number(words[0], 0, len(self.question.actions) + 1)
        if number == 0:
            return self.enter_pressed()
        return PaymentAnswer(index=-1 if number > len(self.question.actions) else number)


class Choose(Part):
    """Options by their numbers, as many as are wanted."""

    def __init__(self, show: Show, question: ChooseQuestion) -> None:
        super().__init__(show)
        self.question = question
        self.picked: list[int] = []
        self._values = _values(question)
        one = question.most == 1
        self.order = _alike(show, range(len(question.options)), self._id if one else lambda _: "", self._words)
        """Of each choice the options that are alike: cards of which one is as good as the other, where one is chosen."""

    def detail(self) -> str:
        least, most = self.question.least, min(self.question.most, len(self.question.options))
        if (least, most) == (1, 1):
            return ""
        key = "ui.pick_exactly" if least == most else "ui.pick_between"
        return self.show.say(key, least=least, most=most, picked=len(self.picked))

    def lines(self) -> list[str]:
        return [
            f"{'* ' if alike[0] in self.picked else ''}{self._words(alike[0])}{f' x{len(alike)}' if len(alike) > 1 else ''}"
            for alike in self.order
        ]

    def _words(self, index: int) -> str:
        return self.show.choice(self.question.options[index])

    def _id(self, index: int) -> str:
        option = self.question.options[index]
        return option.id if isinstance(option, ObjectChoice) else ""

    def numbers(self) -> list[int]:
        return self._values or super().numbers()

    def enter(self) -> str:
        return "ui.enter_done" if len(self.picked) >= self.question.least else "ui.enter_default"

    def enter_pressed(self) -> Feed:
        if not self.picked and self.question.least > 0:
            return self.question.default
        if len(self.picked) < self.question.least:
            raise Wrong("ui.too_few", least=self.question.least)
        return ChooseAnswer(picks=tuple(self.picked))

    def take(self, words: list[str]) -> Feed:
        for word in words:
            index = self._index(word)
            if index in self.picked:
                self.picked.remove(index)
            elif self.question.most == 1:
                self.picked = [index]
            elif len(self.picked) >= self.question.most:
                raise Wrong("ui.too_many", most=self.question.most)
            else:
                self.picked.append(index)
        if len(self.picked) == self.question.most and self.question.least == self.question.most:
            return ChooseAnswer(picks=tuple(self.picked))
        if self.question.most == 1 and self.picked:
            return ChooseAnswer(picks=tuple(self.picked))
        return None

    def _index(self, word: str) -> int:
        if not self._values:
            return self.order[self.number(word, 1, len(self.order)) - 1][0]
        value = whole_number(word)
        if value is None or value not in self._values:
            raise Wrong("ui.one_of", numbers=", ".join(map(str, self._values)))
        return self._values.index(value)

    def undo(self) -> bool:
        return bool(self.picked) and self.picked.pop() is not None

    def subject(self, index: int) -> str | None:
        return (self._id(self.order[index][0]) or None) if 0 <= index < len(self.order) else None


class Confirm(Part):
    """Yes or no."""

    def __init__(self, show: Show, question: ConfirmQuestion) -> None:
        super().__init__(show)
        self.question = question

    def lines(self) -> list[str]:
        return [self.show.say("ui.yes"), self.show.say("ui.no")]

    def enter(self) -> str:
        default = self.question.default
        return "ui.enter_yes" if isinstance(default, ConfirmAnswer) and default.yes else "ui.enter_no"

    def enter_pressed(self) -> Feed:
        return self.question.default

    def take(self, words: list[str]) -> Feed:
        word = words[0].lower()
        if word in ("1", "y", "yes", "o", "oui"):
            return ConfirmAnswer(yes=True)
        if word in ("2", "n", "no", "non"):
            return ConfirmAnswer(yes=False)
        raise Wrong("ui.out_of_range", least=1, most=2)


class Number(Part):
    """A number within bounds."""

    immediate = False

    def __init__(self, show: Show, question: NumberQuestion) -> None:
        super().__init__(show)
        self.question = question

    def detail(self) -> str:
        return self.show.say("ui.from_to", least=self.question.least, most=self.question.most)

    def enter(self) -> str:
        return "ui.enter_default"

    def enter_pressed(self) -> Feed:
        return self.question.default

    def take(self, words: list[str]) -> Feed:
        return NumberAnswer(number=self.number(words[0], self.question.least, self.question.most))


class Order(Part):
    """Options one after the other, in the order that is wanted."""

    def __init__(self, show: Show, question: OrderQuestion) -> None:
        super().__init__(show)
        self.question = question
        self.picked: list[int] = []

    def lines(self) -> list[str]:
        return [
            (f"{self.picked.index(i) + 1}. " if i in self.picked else "") + self.show.choice(option)
            for i, option in enumerate(self.question.options)
        ]

    def enter(self) -> str:
        return "ui.enter_order"

    def enter_pressed(self) -> Feed:
        if not self.picked:
            return self.question.default
        rest = [i for i in range(len(self.question.options)) if i not in self.picked]
        return OrderAnswer(order=tuple(self.picked + rest))

    def take(self, words: list[str]) -> Feed:
        for word in words:
            index = self.number(word, 1, len(self.question.options)) - 1
            if index in self.picked:
                raise Wrong("ui.twice", number=index + 1)
            self.picked.append(index)
        return self.enter_pressed() if len(self.picked) >= len(self.question.options) - 1 else None

    def undo(self) -> bool:
        return bool(self.picked) and self.picked.pop() is not None


class Divide(Part):
    """An amount for each option, until all is divided."""

    immediate = False

    def __init__(self, show: Show, question: DivideQuestion) -> None:
        super().__init__(show)
        self.question = question
        self.amounts: list[int] = []

    def detail(self) -> str:
        at = len(self.amounts)
        left = self.question.amount - sum(self.amounts)
        if at >= len(self.question.options):
            return ""
        return self.show.say("ui.how_much", left=left, name=self.show.choice(self.question.options[at]))

    def lines(self) -> list[str]:
        return [
            self.show.choice(option) + (f": {self.amounts[i]}" if i < len(self.amounts) else "")
            for i, option in enumerate(self.question.options)
        ]

    def numbers(self) -> list[int]:
        return []

    def enter(self) -> str:
        return "ui.enter_default"

    def enter_pressed(self) -> Feed:
        return self.question.default

    def take(self, words: list[str]) -> Feed:
        question = self.question
        for word in words:
            at = len(self.amounts)
            behind = question.least_each * (len(question.options) - at - 1)
            most = question.amount - sum(self.amounts) - behind
            least = most if at == len(question.options) - 1 else question.least_each
            self.amounts.append(self.number(word, least, most))
            if len(self.amounts) == len(question.options):
                return DivideAnswer(amounts=tuple(self.amounts))
        if len(self.amounts) == len(question.options) - 1:  # the last gets what is left
            return DivideAnswer(amounts=(*self.amounts, question.amount - sum(self.amounts)))
        return None

    def undo(self) -> bool:
        return bool(self.amounts) and self.amounts.pop() is not None


def _values(question: ChooseQuestion) -> list[int]:
    """Where the options are numbers themselves, each is chosen by what it says, not by its place; else none."""
    said = [
        whole_number(option.text or option.word) if isinstance(option, WordChoice) else None
        for option in question.options
    ]
    values = [value for value in said if value is not None]
    return values if values and len(values) == len(set(values)) == len(said) else []


def action_words(show: Show, action: Action) -> str:
    """An action in words: what is done, and with what."""
    if action.type == "pass":
        return show.say("ui.pass")
    key = action.object or ""
    name = show.table.name(key) if key else ""
    text = show.table.called(action.text) if action.text else name
    thing = show.table.view.objects.get(key)
    face = show.table.face(thing) if thing is not None else None
    if face is not None and action.side is not UNSET:
        face = face.faces[action.side - 1] if action.side <= len(face.faces) else face
    cost = f" {face.cost}" if face is not None and face.cost and action.type == "cast" else ""
    template = f"ui.action_{action.type}"
    words = show.say(template, text=text + cost)
    return words if words != template else f"{action.type} {text}"
