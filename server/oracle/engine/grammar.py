"""A small two-way grammar: every rule is a template of words and a shape of the tree, so what reads a sentence prints it too.

A rule's template is words and slots (`"destroy <what:things>"`); its shape is the struct it means, with `S.what` where the
slot's value stands. Reading matches the words and fills the shape; printing matches the shape against a tree and fills the
template. There is no other way to say what a sentence means, so the two directions cannot drift apart.

Templates: `a|b` are alternatives of which the first is printed, `draw~` agrees with its subject in number ("draws"), further
templates of a rule are variants that are read and printed as the first (the normalisations of `docs/cards.md`).

`Reader.read(category, place)` gives every reading that begins there: (end, value, canonical words). The canonical words are
the text with each variant put back into the rule's first template; a reading counts only if printing gives them back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

Words = tuple[str, ...]


class Slot:
    """A place in a shape that a slot of the template fills; with `many` it stands for several elements of a tuple."""

    __slots__ = ("many", "name")

    def __init__(self, name: str, many: bool = False) -> None:
        self.name = name
        self.many = many

    def __repr__(self) -> str:
        return f"S.{self.name}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slot) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


class _Slots:
    """`S.what` is the slot "what", `S["do"]` the slot "do" that takes several verbs."""

    def __getattr__(self, name: str) -> Any:
        return Slot(name)

    def __getitem__(self, name: str) -> Any:
        return Slot(name, many=True)


S = _Slots()


class Literal(NamedTuple):
    """Words that may stand here; the first is printed."""

    words: Words


class Hole(NamedTuple):
    """A slot of a template: its category and the name of the shape's slot."""

    category: str
    name: str


class Reading(NamedTuple):
    """One way to read: where it ends, what it means, and its words as they are printed."""

    end: int
    value: Any
    words: Words


Env = dict[str, tuple[Any, Words]]


# --- rules --------------------------------------------------------------------------------------------------------------

_THIRD = {"have": "has", "do": "does", "are": "is", "don't": "doesn't", "were": "was", "go": "goes", "aren't": "isn't"}


def third(verb: str) -> str:
    """The third person singular of a verb ("draw": "draws")."""
    if verb in _THIRD:
        return _THIRD[verb]
    if verb.endswith(("s", "x", "ch", "sh")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else verb + "s"


def _compiled(template: str) -> tuple[Literal | Hole, ...]:
    parts: list[Literal | Hole] = []
    for word in template.split():
        if word.startswith("<"):
            name, _, category = word[1:-1].partition(":")
            parts.append(Hole(category or name, name))
        elif word.endswith("~"):
            forms = tuple(f for one in word[:-1].split("|") for f in (one, third(one)))
            parts.append(Literal((word.split("|")[0].rstrip("~") + "~", *forms)))
        else:
            parts.append(Literal(tuple(word.split("|"))))
    return tuple(parts)


class Rule:
    """One rule of one category: templates (the first is printed) and the shape that they mean."""

    __slots__ = ("category", "guard", "name", "shape", "templates")

    def __init__(
        self, category: str, template: str, shape: Any, *variants: str, guard: Callable[[dict[str, Any]], bool] | None
    ) -> None:
        self.category = category
        self.name = template
        self.shape = shape
        self.templates = tuple(_compiled(t) for t in (template, *variants))
        self.guard = guard


class Template(NamedTuple):
    """A template ready for reading: its rule, its parts, and the words without which it cannot match."""

    rule: Rule
    parts: tuple[Literal | Hole, ...]
    needs: frozenset[str]


class Grammar:
    """All rules by category, indexed by first word for reading; other categories are pairs of functions."""

    def __init__(self) -> None:
        self.rules: dict[str, list[Rule]] = {}
        self.readers: dict[str, Callable[[Reader, int], Iterable[Reading]]] = {}
        self.printers: dict[str, Callable[[Printer, Any], Words | None]] = {}
        self.by_word: dict[str, dict[str, list[Template]]] = {}
        self.open: dict[str, list[Template]] = {}

    def rule(
        self,
        category: str,
        template: str,
        shape: Any,
        *variants: str,
        guard: Callable[[dict[str, Any]], bool] | None = None,
    ) -> None:
        """Adds a rule. `guard` refuses values of slots that the shape would not mean."""
        made = Rule(category, template, shape, *variants, guard=guard)
        self.rules.setdefault(category, []).append(made)
        self._index(made)

    def wording(
        self,
        category: str,
        template: str,
        shape: Any,
        *variants: str,
        guard: Callable[[dict[str, Any]], bool] | None = None,
    ) -> None:
        """Adds other words for what further rules together mean and print; these are only read."""
        self._index(Rule(category, template, shape, *variants, guard=guard))

    def _index(self, made: Rule) -> None:
        words = self.by_word.setdefault(made.category, {})
        for parts in made.templates:
            needs = frozenset(p.words[0] for p in parts if isinstance(p, Literal) and len(p.words) == 1)
            ready = Template(made, parts, needs)
            first = parts[0]
            if isinstance(first, Literal):
                for word in first.words:
                    words.setdefault(word, []).append(ready)
            else:
                self.open.setdefault(made.category, []).append(ready)

    def terminal(
        self,
        category: str,
        read: Callable[[Reader, int], Iterable[Reading]],
        write: Callable[[Printer, Any], Words | None],
    ) -> None:
        """A category that is a pair of functions (nouns, numbers, lists)."""
        self.readers[category] = read
        self.printers[category] = write

    def copy(self) -> Grammar:
        """The same rules, to which others may be added."""
        made = Grammar()
        made.rules = {category: list(rules) for category, rules in self.rules.items()}
        made.readers, made.printers = dict(self.readers), dict(self.printers)
        made.by_word = {category: {w: list(t) for w, t in words.items()} for category, words in self.by_word.items()}
        made.open = {category: list(templates) for category, templates in self.open.items()}
        return made

    def categories(self) -> frozenset[str]:
        """All that a slot may name."""
        return frozenset(self.rules) | frozenset(self.readers)


# --- reading ------------------------------------------------------------------------------------------------------------

MOST_READINGS = 4000  # of one text; more means that it is nonsense or that a rule is


class TooMany(Exception):
    """A text has too many partial readings."""


class Reader:
    """Reads one text (its words) by all rules; remembers what was read where."""

    def __init__(self, grammar: Grammar, words: Words) -> None:
        self.grammar = grammar
        self.words = words
        self.present = frozenset(words)
        self.known: dict[tuple[str, int], tuple[Reading, ...]] = {}
        self.furthest = 0
        self.made = 0

    def at(self, place: int) -> str:
        """The word at a place; "" after the last."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def read(self, category: str, place: int) -> tuple[Reading, ...]:
        """Every reading of a category that begins at a place."""
        key = (category, place)
        found = self.known.get(key)
        if found is None:
            self.known[key] = ()  # a rule that begins with itself reads nothing
            found = self.known[key] = tuple(self._read(category, place))
            self.made += len(found)
            if self.made > MOST_READINGS:
                raise TooMany
        return found

    def _read(self, category: str, place: int) -> list[Reading]:
        grammar = self.grammar
        found: list[Reading] = []
        special = grammar.readers.get(category)
        if special is not None:
            found.extend(special(self, place))
        word = self.at(place)
        rules = grammar.by_word.get(category)
        for template in rules.get(word, ()) if rules is not None else ():
            if template.needs <= self.present:
                self.apply(template, place, found)
        for template in grammar.open.get(category, ()):
            if template.needs <= self.present:
                self.apply(template, place, found)
        return _distinct(found)

    def apply(self, template: Template, place: int, found: list[Reading]) -> None:
        """Adds the readings by one template."""
        states: list[tuple[int, Env]] = [(place, {})]
        for part in template.parts:
            after: list[tuple[int, Env]] = []
            for at, env in states:
                if isinstance(part, Literal):
                    if self.at(at) in part.words:
                        after.append((at + 1, env))
                    elif at > self.furthest:
                        self.furthest = at
                    continue
                for end, value, words in self.read(part.category, at):
                    known = env.get(part.name)
                    if known is None or known[0] == value:
                        after.append((end, {**env, part.name: (value, words)}))
            if not after:
                return
            states = after
        rule = template.rule
        for end, env in states:
            values = {name: value for name, (value, _) in env.items()}
            if rule.guard is not None and not rule.guard(values):
                continue
            self.furthest = max(self.furthest, end)
            found.append(Reading(end, filled(rule.shape, values), rendered(rule.templates[0], env)))


def _distinct(found: list[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    for one in found:
        if not any(one.end == other.end and one.value == other.value for other in kept):
            kept.append(one)
    return kept


def rendered(parts: Sequence[Literal | Hole], env: Env) -> Words:
    """A template's words with its slots filled."""
    words: list[str] = []
    for part in parts:
        if isinstance(part, Literal):
            words.append(part.words[0])
        else:
            words.extend(env[part.name][1])
    return tuple(words)


def filled(shape: Any, values: dict[str, Any]) -> Any:
    """The shape with its slots replaced; a slot without a value stays."""
    if isinstance(shape, Slot):
        return values.get(shape.name, shape)
    if isinstance(shape, tuple):
        parts: list[Any] = []
        for part in shape:
            if isinstance(part, Slot) and part.many and part.name in values:
                parts.extend(values[part.name])
            else:
                parts.append(filled(part, values))
        return tuple(parts)
    if isinstance(shape, msgspec.Struct):
        changes: dict[str, Any] = {}
        for field in shape.__struct_fields__:
            inner = getattr(shape, field)
            if isinstance(inner, (Slot, tuple, msgspec.Struct)):
                made = filled(inner, values)
                if made is not inner:
                    changes[field] = made
        return replace(shape, **changes) if changes else shape
    return shape


# --- printing -----------------------------------------------------------------------------------------------------------


def matched(shape: Any, value: Any, env: dict[str, Any]) -> bool:
    """Whether a tree is of this shape; what stands in the slots goes into `env`."""
    if isinstance(shape, Slot):
        if shape.name in env:
            return bool(env[shape.name] == value)
        env[shape.name] = value
        return True
    if isinstance(shape, tuple):
        return isinstance(value, tuple) and _matched_tuple(shape, value, env)
    if isinstance(shape, msgspec.Struct):
        if type(shape) is not type(value):
            return False
        return all(matched(getattr(shape, n), getattr(value, n), env) for n in shape.__struct_fields__ if n != "text")
    return bool(type(shape) is type(value) and shape == value)


def _matched_tuple(shape: tuple[Any, ...], value: tuple[Any, ...], env: dict[str, Any]) -> bool:
    many = [i for i, part in enumerate(shape) if isinstance(part, Slot) and part.many]
    if not many:
        return len(shape) == len(value) and all(matched(s, v, env) for s, v in zip(shape, value, strict=True))
    place = many[0]
    behind = len(shape) - place - 1
    if len(value) < place + behind + 1:
        return False
    cut = len(value) - behind
    env[shape[place].name] = value[place:cut]
    before = all(matched(s, v, env) for s, v in zip(shape[:place], value[:place], strict=True))
    return before and all(matched(s, v, env) for s, v in zip(shape[place + 1 :], value[cut:], strict=True))


class Printer:
    """Prints a tree by the rules that read it; remembers what was printed, since many rules try the same part of it."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.known: dict[tuple[str, int], tuple[Any, Words | None]] = {}
        """By category and identity of a value, which is kept so that no other has it."""

    def write(self, category: str, value: Any) -> Words | None:
        """The canonical words of a value, or None if no rule of the category has its shape."""
        key = (category, id(value))
        if key not in self.known:
            self.known[key] = (value, self._write(category, value))
        return self.known[key][1]

    def _write(self, category: str, value: Any) -> Words | None:
        special = self.grammar.printers.get(category)
        if special is not None:
            words = special(self, value)
            if words is not None:
                return words
        for rule in self.grammar.rules.get(category, ()):
            words = self.by_rule(rule, value)
            if words is not None:
                return words
        return None

    def by_rule(self, rule: Rule, value: Any, env: dict[str, Any] | None = None) -> Words | None:
        """The words by one rule, or None if the value has another shape. `env` receives slots that no template has."""
        values: dict[str, Any] = {} if env is None else env
        if not matched(rule.shape, value, values) or (rule.guard is not None and not rule.guard(values)):
            return None
        words: list[str] = []
        for part in rule.templates[0]:
            if isinstance(part, Literal):
                words.append(part.words[0])
                continue
            inner = self.write(part.category, values[part.name]) if part.name in values else None
            if inner is None:
                return None
            words.extend(inner)
        return tuple(words)
