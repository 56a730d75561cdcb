"""Names of people: as they may be shown anywhere, and so that nobody passes for somebody else.

A name is NFKC-normalised and of one script. Two names look alike when they have the same skeleton: every character stands
for all that Unicode says could be taken for it, whatever its case, and what is no letter or digit counts for nothing.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

from protocol.refusals import Code, Refusal

NAME_LENGTH = 32
MARKS = 2
"""Combining marks on one letter; more of them run over the lines above and below."""
TOGETHER: tuple[frozenset[str], ...] = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""Scripts that are written together, and look so unlike one another that nothing is mistaken."""
NEUTRAL = frozenset({"COMMON", "INHERITED"})
EMPTY = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0").union(
    map(chr, range(0xFE00, 0xFE10)), map(chr, range(0xE0100, 0xE01F0))
)
"""Characters that count as printable and show nothing."""
RESERVED = ("admin", "administrator", "apnap", "moderator", "server", "system")
BOT = "bot"
LOOK_LIKE = (("vv", "w"), ("i", "l"), ("m", "rn"))
"""What Unicode's table leaves out because it is about single characters, or about one case only."""


def clean_name(name: str) -> str:
    """A name as it may be shown anywhere, terminals included. Raises `Refusal`: bad_name, reserved_name."""
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable() or not EMPTY.isdisjoint(name):
        raise Refusal(Code.BAD_NAME)
    if not _one_script(name) or _too_marked(name) or not any(char.isalnum() for char in name):
        raise Refusal(Code.BAD_NAME)
    if says_bot(name) or skeleton(name) in _reserved():
        raise Refusal(Code.RESERVED_NAME)
    return name


def clean_text(text: str) -> str:
    """A text as it may be shown anywhere: what does not print becomes a space. May come out empty."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """What all names that look like this one have in common."""
    return "".join(_words(name))


def says_bot(name: str) -> bool:
    """Whether a name calls its bearer a bot, as only the server's labels may: "(bot)", "Elm [BOT]"."""
    words = _words(name)
    return bool(words) and words[-1] == "".join(_words(BOT))


def bot_label(name: str) -> str:
    """The name under which a program plays."""
    return f"{name[: NAME_LENGTH - len(BOT) - 3].rstrip()} ({BOT})"


def _words(name: str) -> list[str]:
    text = _spelt(_spelt(unicodedata.normalize("NFKC", name)).casefold())
    for pair, single in LOOK_LIKE:
        text = text.replace(pair, single)
    return "".join(char if char.isalnum() or unicodedata.combining(char) else " " for char in text).split()


def _spelt(text: str) -> str:
    alike = _alike()
    return "".join(alike.get(char, char) for char in text)


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(skeleton, RESERVED))


class _Glyph(msgspec.Struct, gc=False):
    """Of an entry of Unicode's table the character, without its name."""

    c: str


@cache
def _alike() -> dict[str, str]:
    """For each character that can be mistaken for another, the one that stands for it: letters and digits only."""
    # The library would keep its whole table, which is ten times what is kept of it here.
    table = msgspec.json.decode(
        files("confusable_homoglyphs").joinpath("confusables.json").read_bytes(), type=dict[str, list[_Glyph]]
    )
    found: dict[str, str] = {}
    for char, others in table.items():
        # What stands for others lists all of them; what is stood for lists that one.
        if len(char) == len(others) == 1:
            other = others[0].c
            pair = sorted((char, other), key=lambda text: (not text.isascii(), text))
            if other.isalnum() and (len(table.get(other, ())) > 1 or pair[0] == other):
                found[char] = other
    return found


def _one_script(name: str) -> bool:
    from confusable_homoglyphs.categories import alias

    scripts = {alias(char) for char in name} - NEUTRAL
    return len(scripts) <= 1 or any(scripts <= together for together in TOGETHER)


def _too_marked(name: str) -> bool:
    run = 0
    for char in unicodedata.normalize("NFD", name):
        run = run + 1 if unicodedata.combining(char) else 0
        if run > MARKS:
            return True
    return False
