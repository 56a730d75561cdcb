"""A question as a person answers it: numbered choices, some input a line at a time, and at its end an answer.

Pure. A `Dialog` is fed lines; each gives an `Answer`, or a `Problem` to show, or None when more is wanted. Enter alone
means "that is all" or, where nothing was chosen, what is said in `enter`.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import UNSET

from client_cli.show import Show
from protocol.questions import (
    Action,
    Answer,
    AttackersAnswer,
    AttackersQuestion,
    BlockersAnswer,
    BlockersQuestion,
    ChooseAnswer,
    ChooseQuestion,
    ConfirmAnswer,
    ConfirmQuestion,
    DamageAnswer,
    DamageQuestion,
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
    Question,
)

Feed = Answer | str | None
"""What a line gives: an answer, a problem in words, or nothing yet."""


class Dialog:
    """One question being answered. `again` is the problem the server had with the last answer."""

    def __init__(self, show: Show, question: Question) -> None:
        self.show = show
        self.question = question
        self._part = _PARTS[type(question)](show, question)

    @property
    def prompt(self) -> str:
        """What is asked."""
        words = self.show.text(self.question.prompt)
        source = self.question.source
        if source is not UNSET and source in self.show.table.view.objects:
            name = self.show.table.name(source)
            if name not in words:
                words = f"{name}: {words}"
        detail = self._part.detail()
        return f"{words} {detail}".rstrip()

    @property
    def choices(self) -> list[str]:
        """The lines to choose from: choice n is line n - 1."""
        return self._part.lines()

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
        words = line.strip().replace(",", " ").split()
        try:
            return self._part.enter_pressed() if not words else self._part.take(words)
        except _Wrong as wrong:
            return self.show.say(wrong.key, **wrong.places)

    def undo(self) -> bool:
        """Take back the last thing chosen; False when there is none."""
        return self._part.undo()

    def subject(self, number: int) -> str | None:
        """The object behind choice `number` (from 1), if it is one."""
        return self._part.subject(number - 1)


class _Wrong(Exception):
    """Input that makes no sense here; `key` says so in the catalogue."""

    def __init__(self, key: str, **places: object) -> None:
        super().__init__(key)
        self.key = key
        self.places = places


class _Part:
    """What the kinds of questions have in common."""

    immediate = True

    def __init__(self, show: Show) -> None:
        self.show = show

    def detail(self) -> str:
        return ""

    def lines(self) -> list[str]:
        return []

    def enter(self) -> str:
        return "ui.enter_done"

    def enter_pressed(self) -> Feed:
        raise NotImplementedError

    def take(self, words: list[str]) -> Feed:
        raise NotImplementedError

    def undo(self) -> bool:
        return False

    def subject(self, index: int) -> str | None:
        return None

    @staticmethod
    def number(word: str, least: int, most: int) -> int:
        """A number within bounds."""
        try:
            number = int(word)
        except ValueError:
            raise _Wrong("ui.not_a_number", text=word) from None
        if not least <= number <= most:
            raise _Wrong("ui.out_of_range", least=least, most=most)
        return number


class _Priority(_Part):
    def __init__(self, show: Show, question: PriorityQuestion) -> None:
        super().__init__(show)
        self.question = question
        # Mana abilities last: one seldom wants them here.
        self.order = sorted(range(1, len(question.actions)), key=lambda i: (question.actions[i].mana, i))

    def lines(self) -> list[str]:
        return [action_words(self.show, self.question.actions[i]) for i in self.order]

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


class _Payment(_Part):
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


class _Choose(_Part):
    def __init__(self, show: Show, question: ChooseQuestion) -> None:
        super().__init__(show)
        self.question = question
        self.picked: list[int] = []

    def detail(self) -> str:
        least, most = self.question.least, min(self.question.most, len(self.question.options))
        if (least, most) == (1, 1):
            return ""
        key = "ui.pick_exactly" if least == most else "ui.pick_between"
        return self.show.say(key, least=least, most=most, picked=len(self.picked))

    def lines(self) -> list[str]:
        options = self.question.options
        return [f"{'* ' if i in self.picked else ''}{self.show.choice(options[i])}" for i in range(len(options))]

    def enter(self) -> str:
        return "ui.enter_done" if len(self.picked) >= self.question.least else "ui.enter_default"

    def enter_pressed(self) -> Feed:
        if not self.picked and self.question.least > 0:
            return self.question.default
        if len(self.picked) < self.question.least:
            raise _Wrong("ui.too_few", least=self.question.least)
        return ChooseAnswer(picks=tuple(self.picked))

    def take(self, words: list[str]) -> Feed:
        for word in words:
            index = self.number(word, 1, len(self.question.options)) - 1
            if index in self.picked:
                self.picked.remove(index)
            elif self.question.most == 1:
                self.picked = [index]
            elif len(self.picked) >= self.question.most:
                raise _Wrong("ui.too_many", most=self.question.most)
            else:
                self.picked.append(index)
        if len(self.picked) == self.question.most and self.question.least == self.question.most:
            return ChooseAnswer(picks=tuple(self.picked))
        if self.question.most == 1 and self.picked:
            return ChooseAnswer(picks=tuple(self.picked))
        return None

    def undo(self) -> bool:
        return bool(self.picked) and self.picked.pop() is not None

    def subject(self, index: int) -> str | None:
        options = self.question.options
        option = options[index] if 0 <= index < len(options) else None
        return option.id if isinstance(option, ObjectChoice) else None


class _Confirm(_Part):
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
        raise _Wrong("ui.out_of_range", least=1, most=2)


class _Number(_Part):
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


class _Order(_Part):
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
                raise _Wrong("ui.twice", number=index + 1)
            self.picked.append(index)
        return self.enter_pressed() if len(self.picked) >= len(self.question.options) - 1 else None

    def undo(self) -> bool:
        return bool(self.picked) and self.picked.pop() is not None


class _Divide(_Part):
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


class _Attackers(_Part):
    """First a creature's number, then (if there are several) the number of whom it attacks; "a" for all."""

    def __init__(self, show: Show, question: AttackersQuestion) -> None:
        super().__init__(show)
        self.question = question
        # What the rules oblige to stands there at the start, so that Enter shows what it does.
        proposed = question.default
        self.attacks: dict[int, int] = {}
        if question.required and isinstance(proposed, AttackersAnswer):
            self.attacks.update(proposed.attacks)
        self.creature: int | None = None
        self.all = False

    def detail(self) -> str:
        if self.creature is not None:
            return self.show.say("ui.attack_whom", name=self.show.thing(self.question.attackers[self.creature].object))
        if self.all:
            return self.show.say("ui.attack_whom_all")
        return _required(self.show, self.question.required) + self.show.say("ui.attack_which")

    def lines(self) -> list[str]:
        if self.creature is not None or self.all:
            attacker = self.question.attackers[self.creature or 0]
            return [self.show.choice(choice) for choice in attacker.defenders]
        lines: list[str] = []
        for i, attacker in enumerate(self.question.attackers):
            words = self.show.thing(attacker.object)
            if i in self.attacks:
                words += f" -> {self.show.choice_short(attacker.defenders[self.attacks[i]])}"
            lines.append(words)
        return lines

    def enter(self) -> str:
        if not self.attacks and self.question.required:
            return "ui.enter_default"
        return "ui.enter_attack" if self.attacks else "ui.enter_no_attack"

    def enter_pressed(self) -> Feed:
        if self.creature is not None or self.all:
            self.creature, self.all = None, False
            return None
        if not self.attacks and self.question.required:
            return self.question.default
        return AttackersAnswer(attacks=tuple(sorted(self.attacks.items())))

    def take(self, words: list[str]) -> Feed:
        for word in words:
            self._one(word)
        return None

    def _one(self, word: str) -> None:
        attackers = self.question.attackers
        if self.all:
            number = self.number(word, 1, len(attackers[0].defenders)) - 1
            wanted = attackers[0].defenders[number]
            for i, attacker in enumerate(attackers):
                if wanted in attacker.defenders:
                    self.attacks[i] = attacker.defenders.index(wanted)
            self.all = False
        elif self.creature is not None:
            at = self.creature
            self.attacks[at] = self.number(word, 1, len(attackers[at].defenders)) - 1
            self.creature = None
        elif word in ("a", "A"):
            self.all = True
        else:
            index = self.number(word, 1, len(attackers)) - 1
            if index in self.attacks:
                del self.attacks[index]
            elif len(attackers[index].defenders) == 1:
                self.attacks[index] = 0
            else:
                self.creature = index

    def undo(self) -> bool:
        if self.creature is not None or self.all:
            self.creature, self.all = None, False
            return True
        return bool(self.attacks) and self.attacks.popitem() is not None

    def subject(self, index: int) -> str | None:
        attackers = self.question.attackers
        if self.creature is None and not self.all:
            return attackers[index].object if 0 <= index < len(attackers) else None
        defenders = attackers[self.creature or 0].defenders
        choice = defenders[index] if 0 <= index < len(defenders) else None
        return choice.id if isinstance(choice, ObjectChoice) else None


class _Blockers(_Part):
    """First a creature's number, then the number of the attacker it blocks."""

    def __init__(self, show: Show, question: BlockersQuestion) -> None:
        super().__init__(show)
        self.question = question
        proposed = question.default
        self.blocks: list[tuple[int, str]] = []
        if question.required and isinstance(proposed, BlockersAnswer):
            self.blocks.extend(proposed.blocks)
        self.creature: int | None = None

    def detail(self) -> str:
        if self.creature is not None:
            return self.show.say("ui.block_whom", name=self.show.thing(self.question.blockers[self.creature].object))
        return _required(self.show, self.question.required) + self.show.say("ui.block_which")

    def lines(self) -> list[str]:
        if self.creature is not None:
            return [self.show.thing(key, whose=True) for key in self.question.blockers[self.creature].attackers]
        lines: list[str] = []
        for i, blocker in enumerate(self.question.blockers):
            blocked = [self.show.table.name(key) for at, key in self.blocks if at == i]
            words = self.show.thing(blocker.object)
            lines.append(words + (f" {self.show.say('ui.blocks', name=', '.join(blocked))}" if blocked else ""))
        return lines

    def enter(self) -> str:
        if not self.blocks and self.question.required:
            return "ui.enter_default"
        return "ui.enter_block" if self.blocks else "ui.enter_no_block"

    def enter_pressed(self) -> Feed:
        if self.creature is not None:
            self.creature = None
            return None
        if not self.blocks and self.question.required:
            return self.question.default
        return BlockersAnswer(blocks=tuple(self.blocks))

    def take(self, words: list[str]) -> Feed:
        for word in words:
            self._one(word)
        return None

    def _one(self, word: str) -> None:
        if self.creature is not None:
            blocker = self.question.blockers[self.creature]
            key = blocker.attackers[self.number(word, 1, len(blocker.attackers)) - 1]
            if (self.creature, key) not in self.blocks:
                self.blocks.append((self.creature, key))
            self.creature = None
            return
        index = self.number(word, 1, len(self.question.blockers)) - 1
        blocker = self.question.blockers[index]
        taken = sum(1 for at, _ in self.blocks if at == index)
        if taken >= min(blocker.most, len(blocker.attackers)):
            self.blocks = [pair for pair in self.blocks if pair[0] != index]
        elif len(blocker.attackers) == 1:
            self.blocks.append((index, blocker.attackers[0]))
        else:
            self.creature = index

    def undo(self) -> bool:
        if self.creature is not None:
            self.creature = None
            return True
        return bool(self.blocks) and self.blocks.pop() is not None

    def subject(self, index: int) -> str | None:
        if self.creature is not None:
            attackers = self.question.blockers[self.creature].attackers
            return attackers[index] if 0 <= index < len(attackers) else None
        blockers = self.question.blockers
        return blockers[index].object if 0 <= index < len(blockers) else None


class _Damage(_Part):
    """A line of amounts for each creature that assigns damage."""

    immediate = False

    def __init__(self, show: Show, question: DamageQuestion) -> None:
        super().__init__(show)
        self.question = question
        self.done: list[tuple[int, ...]] = []

    @property
    def _at(self) -> int:
        return min(len(self.done), len(self.question.assigners) - 1)

    def detail(self) -> str:
        assigner = self.question.assigners[self._at]
        return self.show.say("ui.assign", name=self.show.thing(assigner.object), power=assigner.power)

    def lines(self) -> list[str]:
        assigner = self.question.assigners[self._at]
        return [
            f"{self.show.choice(option)} ({self.show.say('ui.lethal', lethal=lethal)})"
            for option, lethal in zip(assigner.options, assigner.lethal, strict=False)
        ]

    def enter(self) -> str:
        return "ui.enter_default"

    def enter_pressed(self) -> Feed:
        default = self.question.default
        assert isinstance(default, DamageAnswer)
        if not self.done:
            return default
        return self._add(default.amounts[self._at])

    def take(self, words: list[str]) -> Feed:
        assigner = self.question.assigners[self._at]
        if len(words) != len(assigner.options):
            raise _Wrong("ui.amounts", count=len(assigner.options))
        amounts = tuple(self.number(word, 0, assigner.power) for word in words)
        if sum(amounts) != assigner.power:
            raise _Wrong("ui.sum", sum=sum(amounts), power=assigner.power)
        return self._add(amounts)

    def _add(self, amounts: tuple[int, ...]) -> Feed:
        self.done.append(amounts)
        if len(self.done) == len(self.question.assigners):
            return DamageAnswer(amounts=tuple(self.done))
        return None

    def undo(self) -> bool:
        return bool(self.done) and self.done.pop() is not None


_PARTS: dict[type, Callable[..., _Part]] = {
    PriorityQuestion: _Priority,
    PaymentQuestion: _Payment,
    ChooseQuestion: _Choose,
    ConfirmQuestion: _Confirm,
    NumberQuestion: _Number,
    OrderQuestion: _Order,
    DivideQuestion: _Divide,
    AttackersQuestion: _Attackers,
    BlockersQuestion: _Blockers,
    DamageQuestion: _Damage,
}


def _required(show: Show, count: int) -> str:
    """How many requirements a declaration must obey, if any."""
    return f"({show.say('ask.required', number=count)}) " if count else ""


def action_words(show: Show, action: Action) -> str:
    """An action in words: what is done, and with what."""
    if action.type == "pass":
        return show.say("ui.pass")
    key = action.object or ""
    name = show.table.name(key) if key else ""
    text = action.text if action.text and action.text != name else name
    thing = show.table.view.objects.get(key)
    face = show.table.face(thing) if thing is not None else None
    if face is not None and action.side is not UNSET:
        face = face.faces[action.side - 1] if action.side <= len(face.faces) else face
    cost = f" {face.cost}" if face is not None and face.cost and action.type == "cast" else ""
    template = f"ui.action_{action.type}"
    words = show.say(template, text=text + cost)
    return words if words != template else f"{action.type} {text}"


def bare(question: Question) -> bytes:
    """A question without its id and deadline, to see whether the same is asked again."""
    return msgspec.json.encode(msgspec.structs.replace(question, id="", deadline_ms=UNSET))
