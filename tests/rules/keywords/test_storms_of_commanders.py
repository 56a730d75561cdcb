"""Spells that are copied for each time their player has cast a commander from the command zone (current 903.8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.cards.forms import Card
from server.cards.loading import Entry
from server.oracle.reading import read_card
from tests.rules.play import Game, creature

TIMES = "When you cast this spell, copy it for each time you've cast your commander from the command zone this game."
LEADER = Card(name="Old Warden", types="Legendary Creature — Human", cost="{0}", power="2", toughness="2")


def _read(text: str) -> Card:
    found = read_card(Entry("Gathering Gale", "{0}", "Sorcery", f"{TIMES}{text}"))
    assert isinstance(found, Card), found
    return found


@pytest.mark.rule("current 903.8", "current 707.10")
def test_one_copy_for_each_time_the_commander_was_cast() -> None:
    """What was cast from the hand does not count."""
    game = Game("AB", edition="current")
    gale = game.put("A", _read("\nYou gain 3 life."), "hand")
    leader = game.put("A", LEADER, "command", commander=1)
    second = game.put("A", replace(LEADER, name="Old Second"), "hand", commander=3)
    game.begin()
    game.cast("A", leader)
    game.resolve_all()
    game.cast("A", second)
    game.resolve_all()
    game.cast("A", gale)
    game.resolve_all()
    assert game.life("A") == 26


@pytest.mark.rule("current 707.10", "current 707.10c")
@pytest.mark.parametrize("new", [True, False])
def test_new_targets_are_chosen_only_where_the_card_says_so(new: bool) -> None:
    game = Game("AB", edition="current")
    said = " You may choose new targets for the copies." if new else ""
    gale = game.put("A", _read(f"{said}\nDestroy target creature."), "hand")
    ox, elk = game.put("B", creature("Ox", 2, 2)), game.put("B", creature("Elk", 2, 2))
    leader = game.put("A", LEADER, "command", commander=1)
    game.begin()
    game.cast("A", leader)
    game.resolve_all()
    game.cast("A", gale, ox)
    game.resolve()
    assert (game.asks[1] != "priority") is new
    if new:
        game.answer(True)
        game.answer(elk)
    game.resolve_all()
    assert game.zone(ox) == "graveyard" and game.zone(elk) == ("graveyard" if new else "battlefield")
