"""What a person asks the table to change by hand: "fix life Ben 17", "fix move #104 graveyard", "reword #104 WORDS"."""

from __future__ import annotations

from client_cli.dialog_part import whole_number
from protocol.by_hand import Change, CountersChange, DamageChange, LifeChange, MoveChange, TappedChange
from protocol.messages import Correct, Reword

ZONES = ("battlefield", "graveyard", "exile", "hand", "library", "command")
LARGEST = 10_000


def correction(new: str, rest: str, players: dict[str, int]) -> Correct | None:
    """The correction of a line, changes parted by ";"; None for a line that is none. `players` are seats by name."""
    changes = [_change(part.split(), players) for part in rest.split(";")]
    found = tuple(change for change in changes if change is not None)
    return Correct(id=new, changes=found[:20]) if found and len(found) == len(changes) else None


def rewording(new: str, rest: str) -> Reword | None:
    """ "#104 WORDS": the only paragraph by hand of that object's card is said in these words."""
    what, _, line = rest.partition(" ")
    number = _object(what)
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
        case _:
            return None


def _object(word: str) -> str:
    number = word.removeprefix("#")
    return number if word.startswith("#") and number.isdecimal() and number.isascii() and len(number) < 13 else ""
