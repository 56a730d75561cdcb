"""What a person asks the table to change by hand: "fix life Ben 17", "fix turn Ben draw", "reword #104 WORDS"."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET

from client_cli.dialog_part import whole_number
from client_cli.settings import steps_of
from protocol.by_hand import (
    Change,
    CountersChange,
    DamageChange,
    GoneChange,
    LifeChange,
    MoveChange,
    TappedChange,
    TokenChange,
    TurnChange,
)
from protocol.messages import Correct, Reword

ZONES = ("battlefield", "graveyard", "exile", "hand", "library", "command")
LARGEST = 10_000
MOST_TOKENS = 20


def correction(new: str, rest: str, players: dict[str, int]) -> Correct | None:
    """The correction of a line, changes parted by ";"; None for a line that is none. `players` are seats by name."""
    changes = [_change(part.split(), players) for part in rest.split(";")]
    found = tuple(change for change in changes if change is not None)
    return Correct(id=new, changes=found[:20]) if found and len(found) == len(changes) else None


def rewording(new: str, rest: str, texts: Callable[[str], list[str]]) -> Reword | None:
    """ "#104 WORDS": the only paragraph by hand of that object's card is said in these words; "#104 2 WORDS": the second one. `texts`
    are those of an object."""
    what, _, line = rest.partition(" ")
    number = _object(what)
    first, _, others = line.strip().partition(" ")
    which = whole_number(first)
    if number and which is not None and others:
        known = texts(number)
        if not 1 <= which <= len(known):
            return None
        return Reword(id=new, object=number, line=others.strip()[:600], text=known[which - 1])
    return Reword(id=new, object=number, line=line.strip()[:600]) if number and line.strip() else None


def _change(words: list[str], players: dict[str, int]) -> Change | None:
    kind, *rest = words or [""]
    last = whole_number(rest[-1]) if rest else None
    what = _object(rest[0]) if rest else ""
    seat = players.get(" ".join(rest[:-1]))
    match kind:
        case "life" if seat is not None and rest:
            number = whole_number(rest[-1].removeprefix("-"))
            if number is None or number > LARGEST:
                return None
            return LifeChange(seat=seat, to=-number if rest[-1].startswith("-") else number)
        case "tap" | "untap" if what:
            return TappedChange(object=what, to=kind == "tap")
        case "damage" if what and last is not None and last <= LARGEST:
            return DamageChange(object=what, to=last)
        case "counters" if len(rest) >= 3 and last is not None and last <= LARGEST:
            counter = " ".join(rest[1:-1])
            if what:
                return CountersChange(object=what, counter=counter, to=last)
            owner = players.get(rest[0])
            return None if owner is None else CountersChange(seat=owner, counter=counter, to=last)
        case "move" if what and rest[-1] in ZONES:
            return MoveChange(object=what, to=rest[-1], bottom="bottom" in rest)
        case "gone" if what:
            return GoneChange(object=what)
        case "token":
            return _tokens(*_of_player(rest, players))
        case "turn":
            return _turn(*_of_player(rest, players))
        case _:
            return None


def _of_player(words: list[str], players: dict[str, int]) -> tuple[int | None, list[str]]:
    """The seat that the first words name, as many of them as a name has, and the other words."""
    for count in range(len(words), 0, -1):
        seat = players.get(" ".join(words[:count]))
        if seat is not None:
            return seat, words[count:]
    return None, words


def _tokens(seat: int | None, words: list[str]) -> TokenChange | None:
    """ "2 1/1 white Soldier creature tokens", "#104" for a copy of it."""
    number = whole_number(words[0]) if words else None
    words = words if number is None else words[1:]
    count = 1 if number is None else number
    if seat is None or not words or not 1 <= count <= MOST_TOKENS:
        return None
    copied = _object(words[0]) if len(words) == 1 else ""
    line = "" if copied else " ".join(words)
    return TokenChange(seat=seat, object=copied, line=line, count=count) if len(line) <= 300 else None


def _turn(seat: int | None, words: list[str]) -> TurnChange | None:
    """A step, as far as it is typed; that of the player named before, or of whose turn it is."""
    steps = steps_of(" ".join(words))
    if words and len(steps) != 1 or not words and seat is None:
        return None
    return TurnChange(step=steps[0] if words else UNSET, seat=UNSET if seat is None else seat)


def _object(word: str) -> str:
    number = word.removeprefix("#")
    return number if word.startswith("#") and number.isdecimal() and number.isascii() and len(number) < 13 else ""
