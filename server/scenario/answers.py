"""The answers of a script: a queue for each player, from which each question takes the first unused one that fits.

What is neither answered nor scripted takes a default: optional things are declined, forced choices take the first legal
option, orders stay as they are, damage goes to creatures in order, lethal first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from server.rules.combat import automatic
from server.rules.model import Illegal, State
from server.rules.model import questions as q
from server.rules.turn import legal
from server.scenario.format import AnswerLine, Choose, DieRoll, FlipCoin, Mode, TargetName, Targets
from server.scenario.names import begins, is_called, name_of, numbered, plain, ref_is

COLOR_LETTERS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G", "colorless": "C"}
SKIP = -1


class Mark(NamedTuple):
    """Which answers were used, to go back to."""

    used: frozenset[int]
    taken: tuple[tuple[int, int], ...]


class Answers:
    """The answer lines of a script by seat. `used` are indices into the script, `taken` how many targets of a line."""

    def __init__(self, script: Sequence[object], seats: tuple[str, ...]) -> None:
        self.lines: dict[int, list[tuple[int, AnswerLine]]] = {seat: [] for seat in range(len(seats))}
        self.used: set[int] = set()
        self.taken: dict[int, int] = {}
        self.divided: dict[q.Ref, int] = {}  # the amounts that came with the targets chosen last
        self.mana: dict[int, list[str]] = {}  # colours that numbers have split and that are still to be asked, by seat
        self.aliases: dict[str, int] = {}
        self.names: dict[
            int, str
        ] = {}  # of objects that may be gone: the source of a shield that is in a graveyard now
        for index, line in enumerate(script):
            if isinstance(line, AnswerLine):
                self.lines[seats.index(line.player)].append((index, line))

    def mark(self) -> Mark:
        """What has been used so far."""
        return Mark(frozenset(self.used), tuple(self.taken.items()))

    def back_to(self, mark: Mark) -> None:
        """Makes everything used since unused again."""
        self.used, self.taken = set(mark.used), dict(mark.taken)

    def unused(self) -> tuple[int, ...]:
        """The answers that no question took."""
        return tuple(i for lines in self.lines.values() for i, _ in lines if i not in self.used)

    def chance(self) -> tuple[tuple[str, q.Ref, int], ...]:
        """What chance gives each player, in order, as the state holds it."""
        found: list[tuple[str, q.Ref, int]] = []
        for seat, lines in self.lines.items():
            for _, line in lines:
                if isinstance(line, FlipCoin):
                    found.append(("coin", q.player_ref(seat), int(line.win)))
                elif isinstance(line, DieRoll):
                    found.append(("die", q.player_ref(seat), line.value))
        return tuple(found)

    def chance_used(self, state: State) -> None:
        """Marks the coins and dice that have fallen."""
        left = list(state.fixed_chance)
        for seat, lines in self.lines.items():
            for kind, word in ((FlipCoin, "coin"), (DieRoll, "die")):
                mine = [i for i, line in lines if isinstance(line, kind)]
                still = sum(what == word and ref == q.player_ref(seat) for what, ref, _ in left)
                self.used.update(mine[: len(mine) - still])

    # --- taking ------------------------------------------------------------------------------------------------------

    def _open(self, seat: int) -> Iterator[tuple[int, AnswerLine]]:
        return (pair for pair in self.lines[seat] if pair[0] not in self.used)

    def yes(self, seat: int) -> bool | None:
        """The next yes or no of a player."""
        for index, line in self._open(seat):
            if isinstance(line, Choose) and line.yes is not None:
                self.used.add(index)
                return line.yes
        return None

    def _offered(self, state: State, question: q.ConfirmQuestion) -> bool | None:
        """Whether a card that may be cast or played is the one whose name stands beside the next yes or no; None if none stands
        there. Several are offered one after the other: another of them waits for its turn."""
        offered = state.objects.get(question.source)
        if question.purpose not in ("cast", "play") or offered is None:
            return None
        lines = [(i, line) for i, line in self._open(question.whose) if isinstance(line, Choose)]
        beside = next((place for place, (_, line) in enumerate(lines) if line.yes is not None), len(lines)) + 2
        for index, line in lines[:beside]:
            if line.value is None:
                continue
            if self.is_named(state, question.source, line.value):
                if not offered.definition.card.faces:  # else it says which face too
                    self.used.add(index)
                return self.yes(question.whose) if beside < len(lines) + 2 else True
            if any(o.zone == offered.zone and is_called(state, o, line.value) for o in state.objects.values()):
                return self._offered_out_of_turn(state, question, lines)
        return None

    def _offered_out_of_turn(
        self, state: State, question: q.ConfirmQuestion, lines: list[tuple[int, Choose]]
    ) -> bool | None:
        """Whether a card is cast or played that is offered before the one that is named next: if it is named further on, by the yes
        or no behind its name; nameless, if there are more of them than names.
        """
        for place, (index, line) in enumerate(lines):
            if line.value is not None and self.is_named(state, question.source, line.value):
                behind, told = lines[place + 1] if place + 1 < len(lines) else (-1, line)
                if told.yes is None:
                    return False
                self.used.update((index, behind))
                return told.yes
        named = sum(line.value is not None for _, line in lines)
        return self.yes(question.whose) if sum(line.yes is True for _, line in lines) > named else False

    def _meant(self, state: State, question: q.ConfirmQuestion) -> bool | None:
        """Whether an optional additional cost is meant by the name of a card in the player's hand, which only this cost could take."""
        if question.purpose != "pay additional":
            return None
        hand = [state.objects[oid] for oid in state.players[question.whose].hand if oid != question.source]
        for _, line in self._open(question.whose):
            if isinstance(line, Choose) and line.value is not None:
                return True if any(is_called(state, card, line.value) for card in hand) else None
        return None

    def numbers(self, seat: int, count: int) -> list[tuple[int, int]]:
        """The next numbers of a player, at most so many, with their indices; not yet marked as used."""
        found = [(i, line.x) for i, line in self._open(seat) if isinstance(line, Choose) and line.x is not None]
        return found[:count]

    def _mode(self, _state: State, question: q.ChooseQuestion, picks: list[int]) -> int | None:
        for index, line in self._open(question.whose):
            if isinstance(line, Mode):
                if line.skip:
                    self.used.add(index)
                    return SKIP
                for place, option in enumerate(question.options):
                    if place not in picks and option.word == str(line.mode):
                        self.used.add(index)
                        return place
        return None

    def _value(self, state: State, question: q.ChooseQuestion | q.OrderQuestion, picks: list[int]) -> int | None:
        for index, line in self._open(question.whose):
            if not isinstance(line, Choose):
                continue
            if line.skip:
                self.used.add(index)
                return SKIP
            if line.value is not None:
                place = self.find(state, question.options, picks, TargetName(name=line.value))
                if place is not None:
                    self.used.add(index)
                    return place
        return None

    def _colour(self, _state: State, question: q.ChooseQuestion, _picks: list[int]) -> int | None:
        """Mana of several colours, split by a number for each colour in the order WUBRG."""
        seat, letters = question.whose, [option.word for option in question.options]
        if not self.mana.get(seat):
            found = self.numbers(seat, len(letters))
            self.used.update(index for index, _ in found)
            self.mana[seat] = [c for c, (_, n) in zip(letters, found, strict=False) for _ in range(n)]
        if not self.mana[seat]:
            return None
        letter = self.mana[seat].pop(0)
        return letters.index(letter) if letter in letters else None

    def _target(self, state: State, question: q.ChooseQuestion | q.OrderQuestion, picks: list[int]) -> int | None:
        for index, line in self._open(question.whose):
            if not isinstance(line, Targets):
                continue
            at = self.taken.get(index, 0)
            wanted = line.targets[at] if at < len(line.targets) else TargetName(skip=True)
            if picks and self.divided and wanted.amount is None and not wanted.skip:
                continue  # what is divided among the others is another target's answer
            place = SKIP if wanted.skip else self.find(state, question.options, picks, wanted)
            if place is None:
                continue
            self.taken[index] = at + 1
            if at + 1 >= len(line.targets):
                self.used.add(index)
            if place != SKIP and wanted.amount is not None:
                self.divided[question.options[place].ref] = wanted.amount
            return place
        return None

    def take_target(self, state: State, seat: int, ref: q.Ref) -> None:
        """Uses up the answer that names a target which nobody was asked for."""
        for index, line in self._open(seat):
            at = self.taken.get(index, 0)
            if not isinstance(line, Targets) or at >= len(line.targets) or line.targets[at].skip:
                continue
            if self.fits(state, q.Choice(ref=ref), line.targets[at]):
                amount = line.targets[at].amount
                if amount is not None:
                    self.divided[ref] = amount
                self.taken[index] = at + 1
                if at + 1 == len(line.targets):
                    self.used.add(index)
                return

    def find(self, state: State, options: tuple[q.Choice, ...], picks: Sequence[int], wanted: TargetName) -> int | None:
        """The first option not yet picked that goes by this name."""
        for place, option in enumerate(options):
            if place not in picks and self.fits(state, option, wanted):
                return place
        return None

    def fits(self, state: State, option: q.Choice, wanted: TargetName) -> bool:
        """Whether an option is what a script names."""
        if wanted.player:
            return option.ref < 0 and ref_is(state, option.ref, wanted.player)
        name = wanted.name
        if name.startswith("@"):
            return bool(option.ref) and self.aliases.get(name[1:]) == option.ref
        if option.ref and self.is_named(state, option.ref, name):
            return True
        if option.ref > 0 and option.ref not in state.objects:
            if plain(self.names.get(option.ref, "")) == plain(name):
                return True
        if not option.word:
            return False
        letter = COLOR_LETTERS.get(name.casefold())
        if plain(option.word) == plain(name) or (letter is not None and option.word == letter):
            return True
        return bool(option.text) and begins(option.text, name, option.word)

    def is_named(self, state: State, ref: q.Ref, name: str) -> bool:
        """Whether a player or object goes by this name; `Name:2` is the third of that name in that zone by arrival, of anybody's."""
        bare, number = numbered(name)
        if number is None or ref < 0:
            return ref_is(state, ref, name)
        found = state.objects.get(ref)
        if found is None or not is_called(state, found, bare):
            return False
        same = sorted(o.id for o in state.objects.values() if o.zone == found.zone and is_called(state, o, bare))
        return number < len(same) and same[number] == ref

    # --- answering -----------------------------------------------------------------------------------------------------

    def answer(self, state: State, question: q.AnyQuestion) -> q.AnyAnswer:
        """The answer that the script has for a question, else its default."""
        before = self.mark()
        made = self._made(state, question)
        if made is None:
            return legal.default(question, state)
        try:
            legal.check(state, question, made)
        except Illegal:
            self.back_to(before)
            return legal.default(question, state)
        return made

    def _made(self, state: State, question: q.AnyQuestion) -> q.AnyAnswer | None:
        if isinstance(question, q.ConfirmQuestion):
            yes = self._offered(state, question)
            yes = self.yes(question.whose) if yes is None else yes
            yes = self._meant(state, question) if yes is None else yes
            return q.Confirm(yes) if yes is not None else None
        if isinstance(question, q.NumberQuestion):
            return self._number(question)
        if isinstance(question, q.ChooseQuestion):
            return self.choose(state, question, [])
        if isinstance(question, q.OrderQuestion):
            return self._order(state, question)
        if isinstance(question, q.DivideQuestion):
            return self._divide(question)
        if isinstance(question, q.DamageQuestion):
            return self._damage(state, question)
        return None

    def _number(self, question: q.NumberQuestion) -> q.AnyAnswer | None:
        for index, line in self._open(question.whose):
            if isinstance(line, Choose) and line.x is not None and question.least <= line.x <= question.most:
                self.used.add(index)
                return q.Number(line.x)
        return None

    def choose(self, state: State, question: q.ChooseQuestion, picks: list[int]) -> q.Pick:
        """Picks until the choice is full, skipped, or nothing queued fits; what must be picked besides is the first legal."""
        if question.purpose in ("option", "vote") and len(question.options) == 2 and question.most == 1:
            yes = self._first_yes(question.whose)
            if yes is not None:
                return q.Pick((0,) if yes else (1,))
        if question.purpose == "mana":
            takers = (self._value, self._colour)
        elif question.purpose == "mode":
            takers = (self._mode, self._value)
        elif question.purpose == "target":
            self.divided = {} if not picks else self.divided
            takers = (self._target, self._value)
        else:
            takers = (self._value, self._target)
        while len(picks) < question.most:
            place = next((p for p in (take(state, question, picks) for take in takers) if p is not None), None)
            if place is None or place == SKIP:
                break
            picks.append(place)
        for place in range(len(question.options)):
            if len(picks) >= question.least:
                break
            if place not in picks:
                picks.append(place)
        return q.Pick(tuple(picks))

    def _first_yes(self, seat: int) -> bool | None:
        """A yes or no for two printed options, unless a value stands before it."""
        for _, line in self._open(seat):
            if isinstance(line, Choose):
                return self.yes(seat) if line.yes is not None else None
        return None

    def _order(self, state: State, question: q.OrderQuestion) -> q.AnyAnswer | None:
        """Cards of a library that are all of one name need no order: what is named next is for another question."""
        cards = [state.objects[option.ref] for option in question.options if option.ref in state.objects]
        if all(card.zone == "library" for card in cards) and len({name_of(state, card) for card in cards}) == 1:
            return None
        picks: list[int] = []
        while len(picks) < len(question.options):
            place = self._value(state, question, picks)
            if place is None or place == SKIP:
                break
            picks.append(place)
        return q.Order((*picks, *(i for i in range(len(question.options)) if i not in picks)))

    def _divide(self, question: q.DivideQuestion) -> q.AnyAnswer | None:
        said = tuple(self.divided.get(option.ref, 0) for option in question.options)
        if sum(said) == question.amount and all(n >= question.least_each for n in said):
            return q.Divide(said)
        found = self.numbers(question.whose, len(question.options))
        if len(found) < len(question.options) or sum(x for _, x in found) != question.amount:
            return None
        self.used.update(i for i, _ in found)
        return q.Divide(tuple(x for _, x in found))

    def _damage(self, state: State, question: q.DamageQuestion) -> q.AnyAnswer:
        """One number for each: creatures in the order in which they were declared, then the defender."""
        made: list[tuple[int, ...]] = []
        for a in question.assigners:
            declared = _declared(state, a)
            found = self.numbers(question.whose, len(declared))
            amounts = [0] * len(a.options)
            for place, (_, x) in zip(declared, found, strict=False):
                amounts[place] = x
            left = a.power - sum(amounts)
            if not found or left < 0:
                made.append(automatic(a))
                continue
            for place in declared[len(found) :]:
                last = place == declared[-1]
                amounts[place] = left if last else min(left, a.lethal[place])
                left -= amounts[place]
            if left:
                made.append(automatic(a))
                continue
            self.used.update(i for i, _ in found)
            made.append(tuple(amounts))
        return q.AssignDamage(
            tuple(
                self._to_head(state, question.whose, a, given)
                for a, given in zip(question.assigners, made, strict=True)
            )
        )

    def _to_head(self, state: State, seat: int, a: q.Assigner, amounts: tuple[int, ...]) -> tuple[int, ...]:
        """810.7f: what a team is dealt goes to the player of it whom the next line names, if it names one."""
        if not a.heads:
            return amounts
        first = len(a.options) - a.heads
        heads = tuple(q.Choice(ref) for ref in a.options[first:])
        for index, line in self._open(seat):
            if isinstance(line, Choose) and line.value is not None:
                place = self.find(state, heads, (), TargetName(name=line.value))
                if place is None:
                    break
                self.used.add(index)
                left = sum(amounts[first:])
                return (*amounts[:first], *(left if i == place else 0 for i in range(a.heads)))
        return amounts


def _declared(state: State, a: q.Assigner) -> list[int]:
    """The places of an assigner's options in the order of declaration, the defender last."""
    combat = state.combat
    assert combat is not None
    order = [b.id for b in combat.blockers] + [x.id for x in combat.attackers]
    creatures = [i for i, ref in enumerate(a.options) if ref in order and not (a.trample and i == len(a.options) - 1)]
    creatures.sort(key=lambda i: order.index(a.options[i]))
    return [*creatures, *(i for i in range(len(a.options)) if i not in creatures)]
