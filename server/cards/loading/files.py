"""Files of cards: TOML and JSON to card forms. Caps first, then decoding, then `check`; every fault says where it is.

A card is its tree (door B), or, where there is nothing but a text to say what it does, an entry, which is read as it would be
from a card list by the reader that the caller brings (door A).

A TOML file is one card or an array of tables `[[card]]`; a JSON file one object, a list, or `{"card": [...]}`; a JSON-lines
file one card a line. Files are strangers' data: nothing here runs code, and nothing deep or large gets to a decoder.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from server.cards.forms import Card
from server.cards.loading.check import check
from server.cards.loading.entries import Read, Unread, is_entry, read_entry, to_entry
from server.cards.loading.errors import CardFault, Malformed, Oversized, UnreadNoun, UnreadText
from server.cards.loading.melding import melded_entries
from server.cards.nouns import Noun, NounError

CARD_BYTES = 64 * 1024
FILE_BYTES = 4 * 1024 * 1024
DEPTH = 32
CARDS = 5000
PARTS = 3000  # of one card: tables, lists and values

_MARKS = re.compile(r"[\[\]{}\"'#\\\n.]")
_END_OF_KEY = re.compile("[,=]")


def to_form(name: type, value: object) -> object:
    """msgspec's hook for decoding: a noun is the text of its phrase."""
    if name is Noun:
        if not isinstance(value, str):
            raise ValueError(f"a noun phrase is a text, not {value!r:.40}")
        return Noun(value)
    raise NotImplementedError(name)


def from_form(value: object) -> object:
    """msgspec's hook for encoding."""
    if isinstance(value, Noun):
        return value.text
    raise NotImplementedError(type(value))


def read_definition(data: object, source: str = "", read: Read = read_entry) -> Card | Unread:
    """A card from either form: a tree, or an entry that `read` reads. Raises CardFault for what is refused."""
    if not is_entry(data):
        return card_of(data, source)
    try:
        measure(data)
        return read(to_entry(data))
    except CardFault as fault:
        raise fault.within(source=source, card=_name_of(data)) from None


def whole(data: object, source: str = "", read: Read = read_entry) -> Card:
    """As `read_definition`, but a text that is not read is a fault too."""
    found = read_definition(data, source, read)
    if isinstance(found, Unread):
        raise UnreadText(f"is not read: {found.word}", source=source, card=_name_of(data))
    return found


def card_of(data: object, source: str = "") -> Card:
    """The card that a decoded object is, checked whole. Raises CardFault (the first one found)."""
    card = shape(data, source)
    check(card, source)
    return with_text(card)


def with_text(card: Card) -> Card:
    """The card with its text, if it brings none: its keywords in one line, then the text of each ability."""
    if card.text:
        return card
    lines = [", ".join(card.keywords).capitalize()] if card.keywords else []
    lines += [ability.text for ability in card.abilities if ability.text]
    return replace(card, text="\n".join(lines)) if lines else card


def shape(data: object, source: str = "") -> Card:
    """The card that a decoded object is, its nouns read, but not checked. Raises Malformed or Oversized."""
    name = _name_of(data)
    try:
        measure(data)
        return msgspec.convert(data, Card, dec_hook=to_form)
    except CardFault as fault:
        raise fault.within(source=source, card=name) from None
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `")
        kind = UnreadNoun if isinstance(error.__cause__, NounError) else Malformed
        raise kind(why, source=source, card=name, path=path.rstrip("`").removeprefix("$").removeprefix(".")) from None
    except RecursionError:
        raise Oversized("is nested too deeply", source=source, card=name) from None


def data_of(card: Card) -> dict[str, Any]:
    """The card as the plain data that `card_of` reads again."""
    return cast("dict[str, Any]", msgspec.to_builtins(card, enc_hook=from_form))


def measure(data: object) -> None:
    """Raises Oversized if decoded data is larger or deeper than a card may be. Iterative, so that depth cannot hurt it."""
    waiting: list[tuple[object, int]] = [(data, 1)]
    parts = size = 0
    while waiting:
        value, depth = waiting.pop()
        parts += 1
        if depth > DEPTH:
            raise Oversized(f"is nested deeper than {DEPTH}")
        if parts > PARTS:
            raise Oversized(f"has more than {PARTS} parts")
        if isinstance(value, str):
            size += len(value)
        elif isinstance(value, dict):
            for key, inner in cast("dict[str, object]", value).items():
                size += len(key)
                waiting.append((inner, depth + 1))
        elif isinstance(value, list):
            waiting.extend((inner, depth + 1) for inner in cast("list[object]", value))
        if size > CARD_BYTES:
            raise Oversized(f"is larger than {CARD_BYTES} bytes")


def read_file(path: Path, trusted: bool = False, read: Read = read_entry) -> tuple[Card, ...]:
    """All cards of a file, checked; `read` reads printed text. Raises CardFault; OSError if the file cannot be read."""
    return tuple(whole(data, path.name, read) for data in objects_of(path, trusted))


def read_toml(text: str, source: str, read: Read = read_entry) -> tuple[Card, ...]:
    """All cards of a text in TOML from a stranger, checked, as `read_file`. Raises CardFault."""
    cards = melded_entries(_counted(_listed(from_toml(text, source)), source))
    return tuple(whole(data, source, read) for data in cards)


def objects_of(path: Path, trusted: bool = False) -> list[object]:
    """The decoded cards of a file, not yet looked at, so that a caller can report on each. Raises CardFault for the file."""
    if not trusted and path.stat().st_size > FILE_BYTES:
        raise Oversized(f"is larger than {FILE_BYTES} bytes", source=path.name)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"is not UTF-8 (byte {error.start})", source=path.name) from None
    if path.suffix == ".toml":
        found = _listed(from_toml(text, path.name, trusted))
    elif path.suffix == ".jsonl":
        found = [from_json(line, f"{path.name}:{no}") for no, line in enumerate(text.splitlines(), 1) if line.strip()]
    elif path.suffix == ".json":
        found = _listed(from_json(text, path.name))
    else:
        raise Malformed("is none of .toml, .json, .jsonl", source=path.name)
    return melded_entries(_counted(found, path.name, trusted))


def _counted(found: list[object], source: str, trusted: bool = False) -> list[object]:
    """The cards of one file, if they are neither none nor too many."""
    if not found:
        raise Malformed("holds no card", source=source)
    if len(found) > CARDS and not trusted:
        raise Oversized(f"holds more than {CARDS} cards", source=source)
    return found


def from_toml(text: str, source: str = "", trusted: bool = False) -> object:
    """TOML decoded. Raises Malformed with line and column, or Oversized before decoding what is too deep."""
    if not trusted and deepest(text) > 4 * DEPTH:
        raise Oversized("is nested too deeply", source=source)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"is no TOML: {error}", source=source) from None
    except RecursionError:
        raise Oversized("is nested too deeply", source=source) from None


def from_json(text: str, source: str = "") -> object:
    """JSON decoded. Raises Malformed with line and column, or Oversized before decoding what is too deep."""
    if deepest(text) > 4 * DEPTH:
        raise Oversized("is nested too deeply", source=source)
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise Malformed(f"is no JSON: {_placed(str(error), text)}", source=source) from None
    except RecursionError:
        raise Oversized("is nested too deeply", source=source) from None


def _placed(why: str, text: str) -> str:
    """msgspec's words for a fault, which count bytes, with line and column instead; without a byte it is the end."""
    said, _, byte = why.removesuffix(")").partition(" (byte ")
    data = text.encode()
    before = data[: int(byte)] if byte.isdecimal() else data
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    return f"{said.removeprefix('JSON is malformed: ')} (at line {line}, column {column})"


def deepest(text: str) -> int:
    """How deep a TOML or JSON text is nested by brackets and dotted keys, those in strings and comments left out."""
    depth = most = skip = dots = last = 0
    closing = ""  # what ends the string or comment that we are in
    for mark in _MARKS.finditer(text):
        at = mark.start()
        if at < skip:
            continue
        sign = text[at]
        if closing:
            if sign == "\\" and closing in ('"', '"""'):
                skip = at + 2
            elif sign == "\n" and len(closing) == 1:
                closing = ""
            elif text.startswith(closing, at):
                skip = at + len(closing)
                closing = ""
        elif sign in "\"'":
            closing = sign * 3 if text.startswith(sign * 3, at) else sign
            skip = at + len(closing)
        elif sign == "#":
            closing = "\n"
        elif sign == ".":  # each part of a key is a table
            dots = dots + 1 if not _END_OF_KEY.search(text, last, at) else 1
            last = at
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        most = max(most, depth + dots)
        if sign == "\n":
            dots = 0
    return most


def _listed(data: object) -> list[object]:
    """The cards in a decoded file: one, a list, or those under the only key `card`."""
    if isinstance(data, list):
        return cast("list[object]", data)
    if isinstance(data, dict):
        table = cast("dict[str, object]", data)
        inner = table.get("card")
        if isinstance(inner, list) and len(table) == 1:
            return cast("list[object]", inner)
        return [table] if table else []
    raise Malformed("holds no card")


def _name_of(data: object) -> str:
    if isinstance(data, dict):
        name = cast("dict[str, object]", data).get("name")
        if isinstance(name, str):
            return repr(name[:80])
    return ""
