"""Instructions of an ability and its modes: "choose one —", how many, at which price, whether again (700.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from server.cards import forms as f
from server.cards.nouns import Noun
from server.oracle.engine import Grammar, Printer, Reader, Reading, Words

THIS = Noun("{this}")

_CHOICES: tuple[tuple[str, int, int], ...] = (
    ("choose one —", 1, 1),
    ("choose two —", 2, 2),
    ("choose three —", 3, 3),
    ("choose four —", 4, 4),
    ("choose one or both —", 1, 2),
    ("choose one or more —", 1, -1),
    ("choose up to one —", 0, 1),
    ("choose up to two —", 0, 2),
    ("choose up to three —", 0, 3),
    ("choose up to four —", 0, 4),
    ("choose any number —", 0, -1),
)
_WIDER: tuple[tuple[str, int, int], ...] = (
    ("choose both", 2, 2),
    ("you may choose both", 1, 2),
    ("you may choose two", 1, 2),
    ("choose two", 2, 2),
    ("choose any number", 0, -1),
    ("choose one or more", 1, -1),
    ("choose three", 3, 3),
)
_FRESH: dict[str, Words] = {
    "game": ("choose", "one", "that", "hasn't", "been", "chosen"),
    "turn": ("choose", "one", "that", "hasn't", "been", "chosen", "this", "turn"),
}
_BY_OPPONENT: Words = ("an", "opponent", "chooses", "one", "—")
_REPEATED: Words = ("you", "may", "choose", "the", "same", "mode", "more", "than", "once", ".")


def install(g: Grammar) -> None:
    """Adds the rules."""
    g.terminal("instructions", _instructions_at, _instructions_words)


class Modal(NamedTuple):
    """How many of which modes are chosen, as the fields of abilities are called."""

    least: int
    most: int
    modes: tuple[f.Mode, ...] = ()
    more: f.MoreModes | None = None
    again: bool = False
    fresh: str = ""
    by_opponent: bool = False

    def of_these(self, least: int, most: int) -> tuple[int, int]:
        """So many of the modes, a most below 0 meaning all of them."""
        return least, len(self.modes) if most < 0 else most

    def of(self, modes: tuple[f.Mode, ...]) -> Modal | None:
        """The same choice among these modes; None if there are too few."""
        made = self._replace(modes=modes)
        made = made._replace(most=made.of_these(self.least, self.most)[1])
        if made.more is not None:
            made = made._replace(more=replace(made.more, most=made.of_these(0, made.more.most)[1]))
        enough = made.again or max(made.most, made.more.most if made.more else 0) <= len(modes)
        return made if len(modes) > 1 and enough else None


def _priced_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Spree (current 702.172): a line for each mode, with what choosing it costs, as (least, most, modes)."""
    if reader.at(place) != "spree":
        return
    states: list[tuple[int, tuple[f.Mode, ...], Words]] = [(place + 1, (), ("spree",))]
    while states:
        at, modes, said = states.pop()
        if modes and at == len(reader.words):
            yield Reading(at, Modal(1, len(modes), modes), said)
        if reader.words[at : at + 2] != ("\n", "+"):
            continue
        for cost in reader.read("cost", at + 2):
            for one in reader.read("program", cost.end + 1) if reader.at(cost.end) == "—" else ():
                end = one.end + (reader.at(one.end) == ".")
                if end > one.end or reader.at(end - 1) == '"':
                    mode = f.Mode(do=one.value, cost=cost.value)
                    words = (*said, "\n", "+", *cost.words, "—", *one.words, ".")
                    states.append((end, (*modes, mode), words))


def _priced_words(printer: Printer, modes: tuple[f.Mode, ...]) -> Words | None:
    words: list[str] = ["spree"]
    for mode in modes:
        cost, said = printer.write("cost", mode.cost), printer.write("program", mode.do)
        if cost is None or said is None:
            return None
        words += ["\n", "+", *cost, "—", *said, "."]
    return tuple(words)


def _instructions_at(reader: Reader, place: int) -> Iterable[Reading]:
    """Instructions to the end of the text, or "choose one" with modes: a tree, or a `Modal`."""
    yield from _priced_at(reader, place)
    words = reader.words
    for one in reader.read("program", place):
        end = one.end
        end += reader.at(end) == "."
        if end == len(words):
            yield Reading(end, one.value, (*one.words, "."))
    for modal, at, head in _heads_at(reader, place):
        if reader.at(at) == "\n":
            at += 1
        states: list[tuple[int, tuple[f.Mode, ...], Words]] = [(at, (), head)]
        while states:
            after = []
            for start, modes, said in states:
                if reader.at(start) != "•":
                    continue
                for one in reader.read("program", start + 1):
                    stops = reader.at(one.end) == "."
                    if not stops and reader.at(one.end - 1) != '"':  # a quotation ends its sentence, too
                        continue
                    row = (*modes, f.Mode(do=one.value, text=""))
                    its = (*said, "•", *one.words, ".")
                    end = one.end + stops
                    if end == len(words) or reader.at(end + (reader.at(end) == "\n")) == "activate":
                        made = modal.of(row)
                        if made is not None:
                            yield Reading(end, made, its)
                    elif reader.at(end) == "•":
                        after.append((end, row, its))
                    elif reader.at(end) == "\n":
                        after.append((end + 1, row, its))
            states = after


def _heads_at(reader: Reader, place: int) -> Iterable[tuple[Modal, int, Words]]:
    """What stands before modes: how many are chosen, where the modes begin, and its words. A most below 0 means all of them."""
    words = reader.words
    for fresh, head in _FRESH.items():
        end = place + len(head)
        if words[place:end] == head and words[end : end + 1] in (("—",), (".",)):
            yield Modal(1, 1, fresh=fresh), end + 1, (*head, "—")
    if words[place : place + len(_BY_OPPONENT)] == _BY_OPPONENT:
        yield Modal(1, 1, by_opponent=True), place + len(_BY_OPPONENT), _BY_OPPONENT
    for text, least, most in _CHOICES:
        head = tuple(text.split())
        if words[place : place + len(head)] == head:
            yield Modal(least, most), place + len(head), head
        plain = (*head[:-1], ".")
        at = place + len(plain)
        if words[place:at] != plain:
            continue
        if words[at : at + len(_REPEATED)] == _REPEATED:
            yield Modal(least, most, again=True), at + len(_REPEATED), (*plain, *_REPEATED)
        for cond in reader.read("cond", at + 1) if reader.at(at) == "if" else ():
            start = cond.end
            cast = ("as", "you", "cast", THIS.text)
            start += len(cast) if words[start : start + len(cast)] == cast else 0
            for said, low, high in _WIDER:
                tail = (",", *said.split())
                end = start + len(tail)
                if words[start:end] == tail:
                    end += reader.at(end) == "instead"
                    more = f.MoreModes(condition=cond.value, least=low, most=high)
                    if reader.at(end) == ".":
                        yield Modal(least, most, more=more), end + 1, (*plain, "if", *cond.words, *tail, ".")


def _instructions_words(printer: Printer, value: Any) -> Words | None:
    if isinstance(value, Modal):
        if value.modes and value.modes[0].cost:
            return _priced_words(printer, value.modes)
        head = _head_words(printer, value)
        if head is None:
            return None
        words: list[str] = [*head]
        for mode in value.modes:
            said = printer.write("program", mode.do)
            if said is None:
                return None
            words += ["•", *said, "."]
        return tuple(words)
    words_ = printer.write("program", value)
    return None if words_ is None else (*words_, ".")


def _head_words(printer: Printer, value: Modal) -> Words | None:
    if value.fresh:
        return (*_FRESH[value.fresh], "—") if (value.least, value.most) == (1, 1) else None
    if value.by_opponent:
        return _BY_OPPONENT if (value.least, value.most) == (1, 1) else None
    for text, low, high in _CHOICES:
        if value.of_these(low, high) != (value.least, value.most) or high < 0 and len(value.modes) == 2 and low == 1:
            continue
        plain = (*text.split()[:-1], ".")
        if value.again:
            return (*plain, *_REPEATED)
        if value.more is None:
            return tuple(text.split())
        condition = printer.write("cond", value.more.condition)
        for said, least, most in _WIDER:
            if value.of_these(least, most) == (value.more.least, value.more.most) and condition is not None:
                return (*plain, "if", *condition, ",", *said.split(), ".")
    return None


def with_body(made: Any, body: Any) -> Any:
    """The ability with its instructions or modes; the opposite of `body_of`."""
    if isinstance(body, Modal):
        return replace(made, **body._asdict())
    return replace(made, do=body)


def body_of(ability: Any) -> Any:
    """The instructions of an ability as `instructions` reads them."""
    if not ability.modes:
        return ability.do
    return Modal(*(getattr(ability, field) for field in Modal._fields))
