"""The palette of acts: what can be chosen, what each wants to know, and the line of rules English that it makes.

The table is the same for every client (`protocol/palette.json`): acts, the ways of doing each, the line of each way. In a line `{field}` is
filled in, `one|many` follows the number, `~` is the s of who does it and `~~` that of an object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

POINTED = frozenset(("object", "to", "target"))
"""Fields that are pointed at."""
_FIELD_OF = {"whose": "who", "their": "who", "owner": ""}
KEYWORDS = (
    *("flying", "first strike", "double strike", "deathtouch", "haste", "hexproof"),
    *("indestructible", "lifelink", "menace", "reach", "trample", "vigilance"),
)
PROPOSED: dict[str, tuple[str, ...]] = {
    "keyword": KEYWORDS,
    "size": ("+1/+1", "+2/+2", "-1/-1", "-2/-2"),
    "counter": ("+1/+1", "-1/-1", "charge", "loyalty", "lore", "stun"),
    "mana": ("{W}", "{U}", "{B}", "{R}", "{G}", "{C}"),
    "sides": ("4", "6", "8", "10", "12", "20"),
}
TOKENS = ("1/1 white Soldier creature", "2/2 black Zombie creature", "3/3 green Beast creature", "Treasure")
SEARCHED = ("a basic land", "a creature", "an artifact")


@cache
def palette() -> dict[str, dict[str, str]]:
    """Acts, the ways of each, and the line of each way."""
    return json.loads(files("protocol").joinpath("palette.json").read_text(encoding="utf-8"))


def fields_of(line: str) -> list[str]:
    """The fields that a line wants, in their order."""
    places = [_FIELD_OF.get(place, place) for place in re.findall(r"\{(\w+)\}", line)]
    return [field for field in dict.fromkeys(places) if field]


def proposed(act: str, field: str) -> tuple[str, ...]:
    """What a field proposes; anything else may be typed."""
    if field == "words":
        return TOKENS if act == "token" else SEARCHED
    return PROPOSED.get(field, ())


def compose(line: str, values: Mapping[str, str], me: str) -> str:
    """The line with its places filled. `who` is a player's name, `me` one's own; `object` one or several words."""
    who = values.get("who", "")
    mine = who == me
    objects = values.get("object", "").split()
    many = len(objects) > 1
    number = values.get("number", "")
    filled = {
        **values,
        "who": "I" if mine else who,
        "whose": "my" if mine else f"{who}'s",
        "their": "my" if mine else "their",
        "owner": "their owner's" if many else "its owner's",
        "number": "one" if number == "1" and "|" in line else number,
        "object": " and ".join(filter(None, (", ".join(objects[:-1]), *objects[-1:]))),
    }
    line = re.sub(r"(\w+)\|(\w+)", r"\1" if number == "1" else r"\2", line)
    line = line.replace("~~", "" if many else "s").replace("~", "" if mine else "s")
    return re.sub(r"\{(\w+)\}", lambda found: filled.get(found[1], ""), line)
