"""Meld cards in lists and files that have each card, and the combined back face, as an entry of its own (current 712.4).

The one card of a pair says into what both meld and how the other is named, the other one with what it melds; so the text tells which
three belong together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import cast

from msgspec.structs import replace

from server.cards.loading.entries import FACES, Entry, is_entry, joined, plain_name

Find = Callable[[str], Entry | None]
_INTO = re.compile(r"exile them, then meld them into (?P<name>[^\n]+?)\.(?=\s|$)")
_NAMED = re.compile(r"named (?P<name>[^\n]+?)(?=(?:, exile them,|, you may pay | are attacking,)[^\n]*meld them into )")
_WITH = re.compile(r"\(Melds with (?P<name>[^()\n]+?)\.?\)")


def speaks_of_melding(text: str) -> bool:
    """Whether a card of this text may be one of a pair."""
    return bool(_INTO.search(text) or _WITH.search(text))


def with_pair(entry: Entry, find: Find) -> Entry | None:
    """A meld card with its combined back face and the other card of its pair, as one entry; None if the entry is none of that, or if
    one of them is not found by its name."""
    leading = _leading(entry, find)
    if leading is None:
        return None
    into, named = _INTO.search(leading.text), _NAMED.search(leading.text)
    if into is None or named is None:
        return None
    back, other = find(into["name"]), find(named["name"])
    said = _WITH.search(other.text) if other is not None else None
    if back is None or other is None or said is None or plain_name(said["name"]) != plain_name(leading.name):
        return None
    pair = (leading, other) if leading.name == entry.name else (other, leading)
    return of_three(pair[0], back, pair[1])


def of_three(front: Entry, back: Entry, other: Entry) -> Entry:
    """The entry of a meld card. Colours are told where those of the combined back face are."""
    whole = joined((front, back, other))
    said = None if back.colors is None else FACES.join((front.colors or "", back.colors, other.colors or ""))
    return replace(whole, colors=said)


def _leading(entry: Entry, find: Find) -> Entry | None:
    """The card of the pair that says what both meld into: this one, or the one with which this one melds."""
    if FACES in entry.name:
        return None
    if _INTO.search(entry.text):
        return entry
    said = _WITH.search(entry.text)
    return find(said["name"]) if said is not None else None


def melded_entries(data: Iterable[object]) -> list[object]:
    """The decoded cards of a file, meld cards of which all three are there being one entry each; what they meld into is no card."""
    found = list(data)
    own = [cast("dict[str, object]", one) for one in found if is_entry(one)]
    by_name = {plain_name(str(one.get("name"))): one for one in own}
    if not any(speaks_of_melding(str(one.get("text"))) for one in own):
        return found
    gone: set[str] = set()
    made: list[object] = []
    for one in found:
        whole = _whole(cast("dict[str, object]", one), by_name) if is_entry(one) else None
        if whole is not None:
            gone.add(plain_name(whole.name.split(FACES)[1]))
        made.append(one if whole is None else _data(whole))
    return [
        one for one in made if not (is_entry(one) and plain_name(str(cast("dict[str, object]", one)["name"])) in gone)
    ]


def _whole(one: dict[str, object], by_name: Mapping[str, dict[str, object]]) -> Entry | None:
    def find(name: str) -> Entry | None:
        known = by_name.get(plain_name(name))
        return None if known is None else _entry(known)

    entry = _entry(one)
    return None if entry is None else with_pair(entry, find)


def _entry(data: dict[str, object]) -> Entry | None:
    """The entry, if all of its fields are texts."""
    said = {key: value for key, value in data.items() if isinstance(value, str)}
    return Entry(**said) if said.keys() == data.keys() and "name" in said else None


def _data(entry: Entry) -> dict[str, object]:
    fields = {key: getattr(entry, key) for key in Entry.__struct_fields__}
    return {key: value for key, value in fields.items() if value is not None}
