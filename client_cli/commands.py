"""What a person can say beside answers: one table of words and keys, from which the line, the help and their tests are made.

A *word* is typed to its end and Enter: any letter that is no key opens the line. A *key* acts at once, and is no letter that
begins a word. `:` opens the line for whatever one likes.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters
from typing import Literal

from msgspec import Struct

Where = Literal["anywhere", "seat", "table"]
"""Where a command is understood: anywhere; in a room before its game; at the table of a game."""


class Command(Struct, frozen=True):
    """`word` is typed, `also` are shorter forms of it, `args` is what follows, as the help shows it. The help's sentence is `do.NAME`
    of the catalogue, by `name` where the word is none.
    """

    word: str
    args: str = ""
    where: Where = "table"
    key: bool = False
    also: tuple[str, ...] = ()
    name: str = ""

    @property
    def called(self) -> str:
        """The command's name, by which its sentence is found."""
        return self.name or self.word

    @property
    def usage(self) -> str:
        """What is typed, as the help shows it."""
        forms = ", ".join((*self.also, self.word))
        return f"{forms} {self.args}".rstrip()


COMMANDS: tuple[Command, ...] = (
    Command("?", where="anywhere", key=True, name="help"),
    Command("q", where="anywhere", key=True, name="quit"),
    Command("P", key=True, name="pass_something"),
    Command("T", key=True, name="pass_my_turn"),
    Command("E", key=True, name="pass_end_of_turn"),
    Command("O", key=True, name="pass_off"),
    Command("u", key=True, name="undo"),
    Command("d", key=True, name="damage"),
    Command("A", key=True, name="all"),
    Command("C", key=True, name="concede"),
    Command("pass", also=("p",)),
    Command("card", "N | NAME", also=("i",)),
    Command("log", where="anywhere", also=("l",)),
    Command("board", also=("b",)),
    Command("m", "N", name="manual"),
    Command("act", "LINE"),
    Command("fix", "CHANGES"),
    Command("reword", "#ID [N] WORDS"),
    Command("reword", "[N WORDS]", where="seat", name="reword_deck"),
    Command("takeup", "[skip]"),
    Command("ratings", "[LADDER]", where="anywhere"),
    Command("c", "TEXT", where="anywhere", name="chat"),
    Command("e", "NAME", name="emote"),
    Command("stops", "[mine|others STEP]", where="anywhere"),
    Command("lands", "on|off", where="anywhere"),
    Command("pace", "off|fast|normal|slow", where="anywhere"),
    Command("w", "ANSWER", name="preview"),
    Command("back", "[N]"),
    Command("yes"),
    Command("no"),
    Command("object"),
    Command("yield"),
    Command("always"),
    Command("never"),
    Command("forget"),
    Command("loop", "K N"),
    Command("pause", "[N]"),
    Command("go"),
    Command("slow", "[N]"),
    Command("sitin", "SEAT"),
    Command("end"),
    Command("concede", name="concede"),
    Command("publish"),
    Command("rematch"),
    Command("deck", "FILE|paste|saved NAME", where="seat"),
    Command("save", "NAME", where="seat"),
    Command("swap", "[N] CARD for CARD", where="seat"),
)


def understood(where: Where) -> tuple[Command, ...]:
    """The commands that are understood there."""
    return tuple(command for command in COMMANDS if command.where in ("anywhere", where))


def named(word: str, where: Where) -> Command | None:
    """The command that a word or key says there."""
    return next((one for one in understood(where) if word == one.word or word in one.also), None)


def not_here(line: str, where: Where, say: Callable[..., str]) -> str:
    """What is wrong with a line that answers nothing: its word is none, or none here; "" where it begins with no word."""
    word = line.partition(" ")[0]
    if not word.isalpha():
        return ""
    of = next((one.where for one in COMMANDS if not one.key and word in (one.word, *one.also)), where)
    return say("ui.no_word" if of == where else f"ui.word_of_{of}", word=word)


def opening(where: Where) -> str:
    """The letters that open the line there: those that begin a word, and all others that do nothing, so that a word that is none here is
    seen as it is typed, and told so.
    """
    return "".join(sorted(set(ascii_letters) - set(keys(where))))


def keys(where: Where) -> str:
    """The keys that act there at once."""
    return "".join(one.word for one in understood(where) if one.key)
