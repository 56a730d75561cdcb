"""Objects of two parts: what most have nothing of is one value for all of them, and is set and read as if it were not."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

from server.cards.forms import Card
from server.rules import Options, Seat, start
from server.rules.model import NOTHING_RARE, OBJECT_FIELDS, Entry, Object, changed, define, made_of, rare, with_rare
from server.rules.model.objects import Changes, RareChanges
from server.rules.model.state import Rare

FEN = Card(name="Quiet Fen", types="Land")
CARD = define(FEN)
IN_LIBRARY = Object(7, CARD, 1, 1, "library", base=1)
OTHERS: dict[str, Any] = {
    "definition": define(Card(name="Loud Fen", types="Land")),
    "printed": CARD,
    "zone": "graveyard",
    "counters": (("charge", 2),),
    "attachments": (9,),
    "chosen": (("color", "white"),),
    "linked": (9,),
    "entry": Entry(x=3),
    "merged": (object(),),
}
"""What a field may hold, where it is no number and no truth."""


def other(name: str) -> Any:
    value = getattr(IN_LIBRARY, name)
    return OTHERS[name] if name in OTHERS else not value if isinstance(value, bool) else value + 1


@pytest.mark.parametrize("name", OBJECT_FIELDS)
def test_every_field_of_a_card_in_a_library_can_be_set_and_read(name: str) -> None:
    value = other(name)
    fields: Any = {name: value}
    made = changed(IN_LIBRARY, **fields)
    assert [getattr(made, field) for field in OBJECT_FIELDS] == [
        value if field == name else getattr(IN_LIBRARY, field) for field in OBJECT_FIELDS
    ]
    back: Any = {name: getattr(IN_LIBRARY, name)}
    assert changed(made, **back) == IN_LIBRARY
    assert changed(made, **back).rare is NOTHING_RARE


def test_an_object_is_made_of_all_its_fields() -> None:
    fields: Any = {name: other(name) for name in OBJECT_FIELDS}
    assert made_of(**fields) == changed(IN_LIBRARY, **fields)
    assert made_of(id=7, definition=CARD, owner=1, controller=1, zone="library", base=1).rare is NOTHING_RARE


def test_what_can_be_set_is_what_there_is() -> None:
    assert set(OBJECT_FIELDS) == {*Object.__struct_fields__, *Rare.__struct_fields__} - {"rare"}
    hints = {**get_type_hints(Object), **get_type_hints(Rare)}
    assert {name: hints[name] for name in OBJECT_FIELDS} == get_type_hints(Changes)
    assert get_type_hints(RareChanges) == get_type_hints(Rare)


def test_a_permanent_on_which_nothing_stands_any_more_is_as_all_others() -> None:
    once = with_rare(IN_LIBRARY, damage=2, counters=(("charge", 1),))
    assert (once.damage, once.counters) == (2, (("charge", 1),))
    assert with_rare(once, damage=0, counters=()).rare is NOTHING_RARE
    assert rare() is NOTHING_RARE


def test_a_game_that_is_dealt_has_nothing_rare_but_what_its_cards_do() -> None:
    seats = tuple(Seat(name, (card,) * 20) for name, card in (("A", FEN), ("B", FEN)))
    state = start(Options(), seats)[0]
    assert {found.zone for found in state.objects.values()} == {"library", "hand"}
    assert {id(found.rare) for found in state.objects.values()} == {id(NOTHING_RARE)}
