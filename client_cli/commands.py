"""What a person can say beside answers: one table of words and keys, from which the line, the help and their tests are made.

A *word* is typed to its end and Enter: the letter that begins it opens the line. A *key* acts at once, and is no letter that
begins a word. `:` opens the line for whatever one likes.
"""

from __future__ import annotations

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
    Command("c", "TEXT", where="anywhere", name="chat"),
    Command("e", "NAME", name="emote"),
    Command("stops", "[mine|others STEP]"),
    Command("lands", "on|off"),
    Command("pace", "off|fast|normal|slow"),
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
)


def understood(where: Where) -> tuple[Command, ...]:
    """The commands that are understood there."""
    return tuple(command for command in COMMANDS if command.where in ("anywhere", where))


def named(word: str, where: Where) -> Command | None:
    """The command that a word or key says there."""
    return next((one for one in understood(where) if word == one.word or word in one.also), None)


def opening(where: Where) -> str:
    """The letters that open the line there: those that begin a word."""
    words = (word for one in understood(where) if not one.key for word in (one.word, *one.also))
    return "".join(sorted({word[0] for word in words}))


def keys(where: Where) -> str:
    """The keys that act there at once."""
    return "".join(one.word for one in understood(where) if one.key)
