"""Every line that the palette makes is read as an act, and has words in both languages."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from protocol.words import LANGUAGES, catalogue
from server.oracle.acts import read_act

PALETTE: dict[str, dict[str, str]] = json.loads(files("protocol").joinpath("palette.json").read_text(encoding="utf-8"))
LINES = [(act, way) for act, ways in PALETTE.items() for way in ways]
FILLED = {
    "words": "1/1 white Soldier creature",
    "counter": "+1/+1",
    "target": "#9",
    "to": "#10",
    "size": "+2/+2",
    "keyword": "flying",
    "mana": "{G}{G}",
    "sides": "20",
}


def composed(act: str, way: str, mine: bool, many: bool, number: str) -> str:
    """The line as a client fills it."""
    line = PALETTE[act][way]
    filled = {
        **FILLED,
        "words": "a creature" if act == "search" else FILLED["words"],
        "who": "I" if mine else "Ben",
        "whose": "my" if mine else "Ben's",
        "their": "my" if mine else "their",
        "object": "#7 and #8" if many else "#7",
        "owner": "their owner's" if many else "its owner's",
        "number": "one" if number == "1" and "|" in line else number,
    }
    line = re.sub(r"(\w+)\|(\w+)", r"\1" if number == "1" else r"\2", line)
    line = line.replace("~~", "" if many else "s").replace("~", "" if mine else "s")
    return re.sub(r"\{(\w+)\}", lambda found: filled.get(found[1], found[0]), line)


@pytest.mark.parametrize(("act", "way"), LINES)
def test_what_the_palette_writes_is_read(act: str, way: str) -> None:
    for mine in (True, False):
        for many in (True, False):
            for number in ("1", "3"):
                if (act, way, mine) != ("look", "hand", True):  # who looks at their own hand does nothing
                    read_act(composed(act, way, mine, many, number), "Card", {"Ben": 1})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_palette_has_words_for_all_of_it(language: str) -> None:
    words = catalogue(language)
    wanted = {f"act.{act}" for act in PALETTE}
    wanted |= {f"act.{act}.{way or 'plain'}" for act, ways in PALETTE.items() if len(ways) > 1 for way in ways}
    fields = {place for ways in PALETTE.values() for line in ways.values() for place in re.findall(r"\{(\w+)\}", line)}
    wanted |= {f"act.field.{field}" for field in fields - {"whose", "their", "owner"}}
    assert wanted <= set(words)
