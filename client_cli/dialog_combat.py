"""How a person declares attackers and blockers and assigns combat damage (508 to 510)."""

from __future__ import annotations

from msgspec import UNSET

from client_cli.dialog_part import Feed, Part, Wrong
from client_cli.show import Show
from protocol.questions import (
    Attacker,
    AttackersAnswer,
    AttackersQuestion,
    BlockersAnswer,
    BlockersQuestion,
    DamageAnswer,
    DamageQuestion,
    ObjectChoice,
)


class Attackers(Part):
    """First a creature's number, then (if there are several) the number of whom it attacks; "A" for all."""

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
            return [self.show.choice(choice) + self._cost(attacker, i) for i, choice in enumerate(attacker.defenders)]
        lines: list[str] = []
        for i, attacker in enumerate(self.question.attackers):
            words = self.show.thing(attacker.object)
            if i in self.attacks:
                words += f" -> {self.show.choice_short(attacker.defenders[self.attacks[i]])}"
                words += self._cost(attacker, self.attacks[i])
            elif len(attacker.defenders) == 1:
                words += self._cost(attacker, 0)
            lines.append(words)
        return lines

    def _cost(self, attacker: Attacker, defender: int) -> str:
        """What that attack costs, if anything."""
        return _costs(self.show, attacker.costs[defender] if defender < len(attacker.costs) else "")

    def enter(self) -> str:
        if self.creature is not None or self.all:
            return "ui.enter_back"
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
            if {len(attacker.defenders) for attacker in attackers} == {1}:
                self._one("1")  # there is nobody else
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


class Blockers(Part):
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
            words += f" {self.show.say('ui.blocks', name=', '.join(blocked))}" if blocked else ""
            lines.append(words + _costs(self.show, "" if blocker.cost is UNSET else blocker.cost))
        return lines

    def enter(self) -> str:
        if self.creature is not None:
            return "ui.enter_back"
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


class Damage(Part):
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

    def numbers(self) -> list[int]:
        return []

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
            raise Wrong("ui.amounts", count=len(assigner.options))
        amounts = tuple(self.number(word, 0, assigner.power) for word in words)
        if sum(amounts) != assigner.power:
            raise Wrong("ui.sum", sum=sum(amounts), power=assigner.power)
        if assigner.heads and sum(n > 0 for n in amounts[-assigner.heads :]) > 1:
            raise Wrong("ui.one_head")
        return self._add(amounts)

    def _add(self, amounts: tuple[int, ...]) -> Feed:
        self.done.append(amounts)
        if len(self.done) == len(self.question.assigners):
            return DamageAnswer(amounts=tuple(self.done))
        return None

    def undo(self) -> bool:
        return bool(self.done) and self.done.pop() is not None


def _costs(show: Show, cost: str) -> str:
    """What declaring a creature so costs (508.1g, 509.1d), if anything."""
    return f" ({show.say('ui.costs', cost=cost)})" if cost else ""


def _required(show: Show, count: int) -> str:
    """How many requirements a declaration must obey, if any."""
    return f"({show.say('ask.required', number=count)}) " if count else ""
