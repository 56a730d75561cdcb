"""Goaded creatures as texts speak of them (current 701.15a)."""

from __future__ import annotations

import pytest

from server.cards.forms import Card
from server.cards.loading import Entry
from server.oracle.reading import read_card
from tests.rules.play import Game, creature

BARRED = "Goaded creatures your opponents control can't block."
SHAMED = "Enchanted creature is goaded."


def _read(text: str, types: str) -> Card:
    found = read_card(Entry("Old Heckler", "{0}", types, text))
    assert isinstance(found, Card), found
    return found


@pytest.mark.rule("current 701.15a")
@pytest.mark.parametrize("before", [True, False])
def test_what_is_said_of_goaded_creatures_holds_whichever_came_first(before: bool) -> None:
    """The ban reaches who is goaded, also where it has been there for longer than what goads (613.7)."""
    game = Game("AB", edition="current")
    ox, elk = game.put("B", creature("Ox", 2, 3)), game.put("B", creature("Elk", 2, 3))
    wolf = game.put("A", creature("Wolf", 3, 3))
    ban = _read(BARRED, "Enchantment")
    if before:
        game.put("A", ban)
    game.attach(game.put("A", _read(f"Enchant creature\n{SHAMED}", "Enchantment — Aura")), ox)
    if not before:
        game.put("A", ban)
    game.begin()
    game.attack({wolf: "B"})
    game.pass_until(purpose="blockers")
    assert set(game.can_block()) == {elk}


@pytest.mark.rule("current 701.15a")
def test_one_that_dies_goaded_was_so() -> None:
    game = Game("AB", edition="current")
    game.put("A", _read("Whenever a goaded attacking or blocking creature dies, you gain 1 life.", "Enchantment"))
    goad = game.put("A", _read("Goad target creature.", "Instant"), "hand")
    ox, elk = game.put("B", creature("Ox", 2, 2)), game.put("B", creature("Elk", 2, 2))
    wall, fort = game.put("A", creature("Wall", 3, 5)), game.put("A", creature("Fort", 3, 5))
    game.begin("B")
    game.cast("A", goad, ox)
    game.resolve()
    game.pass_until("declare_attackers", "attackers")
    game.attack({ox: "A", elk: "A"})
    game.block("A", {wall: ox, fort: elk})
    game.fight()
    game.resolve_all()
    assert game.zone(ox) == game.zone(elk) == "graveyard" and game.life("A") == 21


@pytest.mark.rule("current 701.15d")
@pytest.mark.parametrize("times", [1, 2])
def test_who_goads_again_asks_for_no_more(times: int) -> None:
    """Each of two players may be attacked, as each has goaded the creature against the other, however often."""
    for attacked in "AB":
        game = Game("ABC", edition="current")
        goads = [
            (letter, game.put(letter, _read("Goad target creature.", "Instant"), "hand"))
            for letter in "A" * times + "B"
        ]
        ox = game.put("C", creature("Ox", 2, 2))
        game.begin("C")
        for letter, goad in goads:
            game.cast(letter, goad, ox)
            game.resolve()
        game.pass_until("declare_attackers", "attackers")
        game.attack({ox: attacked})
        game.fight()
        assert game.life(attacked) == 18
