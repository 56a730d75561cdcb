"""Which rules of the text grammar are shown by a game: which of them read or print a card that a scenario plays.

A place of the code that adds rules (a row of numbers or colours, say) is one family. `python -m tests.oracle.rules_shown [LIST...]`
lists the families that no scenario shows, those first that print most cards of the lists (JSON lines), and how much is shown.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from server.cards.forms import Card
from server.cards.loading import Entry, Unread
from server.command.scenario import scenarios_of
from server.oracle import full_grammar, reading
from server.oracle.engine import (
    Grammar,
    Printer,
    Reader,
    Reading,
    Words,
    line_words,
    matched,
    paragraphs,
    without_reminders,
)
from server.oracle.engine.grammar import Rule, Template
from server.oracle.faces import face_entries
from server.oracle.house import house_card
from server.oracle.importing import CardFile
from server.scenario import CardSource, read

SCENARIOS = Path(__file__).parent.parent / "scenarios"
Name = tuple[str, str]  # of a rule: its category and its first template
Family = tuple[Name, ...]  # in the order in which the rules were added
_NONE: frozenset[Name] = frozenset()


class Watching(Printer):
    """A printer that remembers the rules that printed something which was kept."""

    def __init__(self) -> None:
        super().__init__(full_grammar.grammar())
        self.used: list[Rule] = []

    def write(self, category: str, value: Any) -> Words | None:
        return self._write(category, value)  # nothing remembered: each rule that prints is to be seen

    def by_rule(self, rule: Rule, value: Any, env: dict[str, Any] | None = None) -> Words | None:
        before = len(self.used)
        words = super().by_rule(rule, value, env)
        if words is None:
            del self.used[before:]
        else:
            self.used.append(rule)
        return words


class Placed(Grammar):
    """A grammar that remembers which places of the code added which rules: the call, and the call of what called."""

    places: dict[tuple[str, int, int], dict[Name, None]]

    def rule(self, category: str, template: str, shape: Any, *variants: str, guard: Any = None) -> None:
        self._remember((category, template))
        super().rule(category, template, shape, *variants, guard=guard)

    def wording(self, category: str, template: str, shape: Any, *variants: str, guard: Any = None) -> None:
        self._remember((category, template))
        super().wording(category, template, shape, *variants, guard=guard)

    def _remember(self, name: Name) -> None:
        caller = sys._getframe(2)
        outer = caller.f_back.f_lineno if caller.f_back is not None else 0
        place = (Path(caller.f_code.co_filename).name, caller.f_lineno, outer)
        self.places.setdefault(place, {})[name] = None


def families() -> list[Family]:
    """Every rule of the grammar, by family."""
    Placed.places = {}
    ordinary, full_grammar.grammars.Grammar = full_grammar.grammars.Grammar, Placed
    try:
        full_grammar.grammar.__wrapped__()
    finally:
        full_grammar.grammars.Grammar = ordinary
    return [tuple(names) for names in Placed.places.values()]


def rules_of(card: Card) -> frozenset[Name]:
    """The rules that print a card; none for one that is written as a tree which no rule prints."""
    watching = Watching()
    if reading.printed(card, watching) is None:
        return frozenset()
    return frozenset((rule.category, rule.name) for rule in watching.used)


class Heard:
    """Reads entries and remembers the rules that read a part of their trees, though another rule prints it: rules by card."""

    def __init__(self) -> None:
        self.rules: dict[Card, frozenset[Name]] = {}
        self._found: list[tuple[Rule, Reading, Words]] = []

    def read(self, entry: Entry) -> Card | Unread:
        """The card of an entry, as `reading.read_card` reads it."""
        self._found.clear()
        ordinary = Reader.apply
        Reader.apply = self._apply(ordinary)
        try:
            card = reading.read_card(entry)
        finally:
            Reader.apply = ordinary
        if isinstance(card, Card):
            self.rules[card] = self.rules.get(card, frozenset()) | self._kept(entry, card)
        return card

    def _apply(self, ordinary: Callable[[Reader, Template, int, list[Reading]], None]) -> Any:
        def apply(reader: Reader, template: Template, place: int, found: list[Reading]) -> None:
            before = len(found)
            ordinary(reader, template, place, found)
            self._found.extend((template.rule, one, reader.words[place : one.end]) for one in found[before:])

        return apply

    def _kept(self, entry: Entry, card: Card) -> frozenset[Name]:
        """The rules that read words of the text itself (and not of what was printed to be read again) into a part of the tree."""
        said = " | ".join(
            " ".join(line_words(line, face.name))
            for face in face_entries(entry)
            for line in paragraphs(without_reminders(face.text).strip())
        )
        parts = list(_parts(card))
        kept: dict[Name, None] = {}
        for rule, one, words in self._found:
            name = rule.category, rule.name
            if name not in kept and " ".join(words) in said and _stands_in(one.value, parts):
                kept[name] = None
        return frozenset(kept)


def _stands_in(value: object, parts: list[object]) -> bool:
    """Whether every struct that was read is a part of the tree; what is not known where it is read stands for anything."""
    structs = list(_outer(value))
    return bool(structs) and all(any(matched(one, part, {}) for part in parts) for one in structs)


def _outer(value: object) -> Iterator[Struct]:
    """The structs of tuples in tuples, without the structs in them."""
    if isinstance(value, tuple):
        for one in value:
            yield from _outer(one)
    elif isinstance(value, Struct):
        yield value


def _parts(tree: object) -> Iterator[object]:
    """The structs of a tree, all the way down."""
    if isinstance(tree, tuple):
        for part in tree:
            yield from _parts(part)
    elif isinstance(tree, Struct):
        yield tree
        for name in tree.__struct_fields__:
            yield from _parts(getattr(tree, name))


def played_cards(heard: Heard) -> Iterator[Card]:
    """The cards that stand in the scenarios of this project, each once."""
    source = CardSource(read=heard.read)
    seen: set[Card] = set()
    for path in sorted((*SCENARIOS.glob("*.jsonl"), *SCENARIOS.glob("*.toml"))):
        for _, data in scenarios_of(path):
            assert isinstance(data, dict)
            own = source.own(read(data).head.cards)
            for name in sorted({str(place.get("card")) for place in data.get("setup", ())}):
                card = own.get(name.casefold()) or house_card(name)
                if isinstance(card, Card) and card not in seen:
                    seen.add(card)
                    yield card


def shown() -> frozenset[Name]:
    """The rules that read or print a card of a scenario."""
    heard = Heard()
    return frozenset[Name]().union(*(rules_of(card) | heard.rules.get(card, _NONE) for card in played_cards(heard)))


def unshown() -> list[Family]:
    """The families of which no rule reads or prints a card of a scenario."""
    known = shown()
    return [family for family in families() if known.isdisjoint(family)]


def uses(lists: Iterable[Path]) -> Counter[Name]:
    """How many playable cards of the lists each rule reads or prints."""
    found: Counter[Name] = Counter()
    heard = Heard()
    for path in lists:
        for one in CardFile(path).items():
            entry = getattr(one, "entry", None)
            card = heard.read(entry) if isinstance(entry, Entry) else None
            if isinstance(card, Card):
                found.update(rules_of(card) | heard.rules.pop(card))
    return found


def main(lists: list[str]) -> None:
    """Prints what is not shown."""
    count = uses(Path(name) for name in lists)
    every, missing, known = families(), unshown(), shown()
    for family in sorted(missing, key=lambda family: (-sum(count[name] for name in family), family)):
        category, template = family[0]
        print(f"{sum(count[name] for name in family):6} {category:14} {template}")
    print(f"{len(every) - len(missing)} of {len(every)} families are shown")
    if count:
        print(
            f"{sum(n for name, n in count.items() if name in known) / sum(count.values()):.1%} of all uses are of rules shown"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
