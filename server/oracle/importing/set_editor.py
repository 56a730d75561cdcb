"""Sets of Magic Set Editor: a packed file with a text `set` in it, and in newer ones a text for each card that it includes.

    mse_version: 2.0.2
    stylesheet: m15
    card:
        name: Grove Bear
        casting_cost: 1G
        super_type: <word-list-type>Creature</word-list-type>
        rule_text:
                <kw-0>Trample</kw-0>

Keys are told by how far they are indented, with `_` or a space between words; a value of several lines stands below its key.
Tags mark symbols, words to be spelled and reminders; only those of symbols mean something here.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator

from server.cards.loading import FACES
from server.oracle.importing.errors import ListFault
from server.oracle.importing.objects import CARD_SIZE, Data, Found, Group, Overgrown
from server.oracle.importing.parts import cost
from server.oracle.importing.pieces import ReadFile

SET = "set"
LARGEST_SET = 64 * 1024 * 1024
MOST_INCLUDED = 20_000
INCLUDE = "include_file"
ABILITIES_OF_LOYALTY = range(1, 9)
LAYOUTS = {
    "aftermath": "aftermath",
    "split": "split",
    "fuse": "split",
    "flip": "flip",
    "adventure": "adventure",
    "modal": "modal_dfc",
    "mdfc": "modal_dfc",
    "double": "transform",
    "dfc": "transform",
    "transform": "transform",
}
"""What a frame's name says about how a card's faces belong together, the more exact word first."""
OTHER_FRAMES = ("saga", "leveler", "class", "case", "battle", "meld", "room")
"""Frames whose texts stand in fields of their own, in an order that only the frame knows."""
_SYMBOLS = re.compile(r"<sym[^<>]*>([^<>]*)</sym[^<>]*>")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_LINE = re.compile(r"(\t*)([^\t:][^:]*):[ ]?(.*)")


def cards(file: ReadFile) -> Iterator[Found]:
    """The cards of a set, each as the group of its faces. Raises OSError; ListFault for what is no set, or a broken one."""
    for _ in file.pieces():
        pass  # hashed and counted; a packed file is read from its end
    try:
        with zipfile.ZipFile(file.path) as packed:
            lines = _lines(packed)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as fault:
        raise ListFault(f"is a broken zip: {fault}") from None
    yield from _cards(lines)


def _lines(packed: zipfile.ZipFile) -> list[str]:
    """The lines of the set, with those of what it includes in their places."""
    there = frozenset(packed.namelist())
    if SET not in there:
        raise ListFault("is zip, and no set of Magic Set Editor; card lists are read as plain JSON in UTF-8")
    left = LARGEST_SET
    lines: list[str] = []
    included = 0
    for line in _text(packed, SET, left).splitlines():
        key, _, name = line.partition(":")
        if key.strip().replace(" ", "_") != INCLUDE or line.startswith("\t"):
            lines.append(line)
            continue
        included += 1
        if included > MOST_INCLUDED or name.strip() not in there:
            raise ListFault(f"includes {name.strip()[:80]!r}, which is not in it")
        text = _text(packed, name.strip(), left)
        left -= len(text)
        lines.extend(text.splitlines())
    return lines


def _text(packed: zipfile.ZipFile, name: str, most: int) -> str:
    """A file of the set, its size believed only as far as it is read."""
    with packed.open(name) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ListFault(f"holds more than {LARGEST_SET} bytes of text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ListFault("the text is not UTF-8") from None


def _cards(lines: list[str]) -> Iterator[Found]:
    """Each `card` of the set's lines."""
    frame, card = "", None
    for number, line in enumerate([*lines, "end:"], 1):
        if not line.strip():
            continue
        at = _LINE.fullmatch(line.rstrip("\r\n"))
        if line.startswith("\t"):
            if card is not None:
                card.take(line, at)
            continue
        if at is None:
            raise ListFault("is no line of a set: a key and a colon begin it", number, 1)
        if card is not None:
            yield card.found(frame)
        key = at[2].strip().replace(" ", "_")
        card = _Card() if key == "card" else None
        if key == "stylesheet":
            frame = at[3].strip()


class _Card:
    """The fields of one card while its lines come."""

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.key = ""
        self.size = 0

    def take(self, line: str, at: re.Match[str] | None) -> None:
        """A line of it: at one tab a field, at more a line of the field above."""
        self.size += len(line)
        if self.size > CARD_SIZE:
            return
        if line.startswith("\t\t"):
            before = self.fields.get(self.key, "")
            self.fields[self.key] = f"{before}\n{line[2:]}" if before else line[2:]
        elif at is not None:
            self.key = at[2].strip().replace(" ", "_")
            self.fields[self.key] = at[3]

    def found(self, frame: str) -> Found:
        """The card with its faces, or why it is not read."""
        name = _plain(self.fields.get("name", ""))
        if self.size > CARD_SIZE:
            return Overgrown(name, f"has more than {CARD_SIZE} characters")
        frame = (self.fields.get("stylesheet", "").strip() or frame).lower()
        odd = next((word for word in OTHER_FRAMES if word in frame), "")
        if odd:
            return Overgrown(name, f"has a frame that is not read: {frame[:80]}")
        faces = [self._face("")]
        if _plain(self.fields.get("name_2", "")):
            faces.append(self._face("_2"))
            layout = next((layout for word, layout in LAYOUTS.items() if word in frame), "")
            if not layout:
                return Overgrown(name, f"has two faces in a frame that is not read: {frame[:80]}")
            faces[0]["layout"] = layout
        return Group(FACES.join(face["name"] for face in faces), tuple(faces))

    def _face(self, which: str) -> Data:
        """The fields of our entries, of the face whose keys end so."""

        def said(key: str) -> str:
            return _plain(self.fields.get(key + which, ""))

        name = said("name")
        super_type, sub_type = said("super_type"), " ".join(said("sub_type").split())
        face: Data = {
            "name": name,
            "types": f"{super_type} — {sub_type}" if sub_type else super_type,
            "cost": cost(said("casting_cost")),
            "text": _named(_rules(self.fields.get("rule_text" + which, "")), name)
            or self._loyalty_abilities(name, which),
        }
        if "Creature" in super_type or "Vehicle" in super_type:
            face["power"], face["toughness"] = said("power"), said("toughness")
        if said("loyalty"):
            face["loyalty"] = said("loyalty")
        if not which and "Token" in super_type:
            face["layout"] = "token"
        return face

    def _loyalty_abilities(self, name: str, which: str) -> str:
        """A planeswalker's abilities, which stand each in a field of its own, its cost in another (606)."""
        if which:
            return ""
        lines: list[str] = []
        for number in ABILITIES_OF_LOYALTY:
            words = _rules(self.fields.get(f"level_{number}_text", ""))
            price = _plain(self.fields.get(f"loyalty_cost_{number}", ""))
            if words:
                lines.append(f"{price}: {words}" if price else words)
        return _named("\n".join(lines), name)


def _plain(said: str) -> str:
    return _TAG.sub("", said).strip()


def _rules(said: str) -> str:
    """A text with its symbols in braces and without tags; lines that hold nothing are left out."""
    marked = _SYMBOLS.sub(lambda found: cost(found[1]), said)
    return "\n".join(line.strip() for line in _TAG.sub("", marked).split("\n") if line.strip())


def _named(text: str, name: str) -> str:
    """The text with the card's name where the editor has a sign for it."""
    return text.replace("LEGENDNAME", name.partition(",")[0]).replace("CARDNAME", name).replace("~", name)


__all__ = ["cards"]
