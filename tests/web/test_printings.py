"""Cards in the language of the page, where a list that was imported has them in it; what is played stays the English card."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.player import Player

GATES = range(10)
ENGLISH, FRENCH = "Hornet of Gate {}", "Frelon de la porte {}"
TEXT, TEXTE = "Flying\n{T}: You gain 1 life.", "Vol\n{T} : Vous gagnez 1 point de vie."
DECK = "\n".join(["20 Forest", *(f"4 {ENGLISH.format(gate)}" for gate in GATES)])


def printed(gate: int) -> list[dict[str, Any]]:
    """A card as Scryfall's list of all cards has it: in English, and in French."""
    card: dict[str, Any] = {"object": "card", "layout": "normal", "mana_cost": "{G}", "oracle_text": TEXT}
    card |= {"name": ENGLISH.format(gate), "type_line": "Creature — Insect", "power": "1", "toughness": "1"}
    words = {"printed_name": FRENCH.format(gate), "printed_type_line": "Créature : insecte", "printed_text": TEXTE}
    return [card | {"lang": "en"}, card | {"lang": "fr"} | words]


@pytest.fixture
def imported(served: str, tmp_path: Path) -> None:
    """The list, imported where the server that is running finds it."""
    found = re.search(r"journals:\s+(\S+)", served)
    assert found, served
    cards = tmp_path / "all-cards.json"
    cards.write_text(json.dumps([one for gate in GATES for one in printed(gate)]), encoding="utf-8")
    words = [sys.executable, "-m", "server.command.main", "cards", "import", str(cards), "--data", found[1]]
    subprocess.run(words, check=True, capture_output=True)


def sit_with_hornets(ann: Player) -> None:
    """A table against a bot, with that deck."""
    ann.visit()
    ann.press("another kind of table")
    ann.page.get_by_label("Two to ten players").fill("2")
    ann.press("open it")
    ann.page.wait_for_selector(".gather")
    ann.press("own list")
    ann.page.fill(".editor textarea", DECK)
    ann.page.wait_for_selector(".verdict .fine")
    ann.press("play this deck")
    ann.page.wait_for_selector(".seats .mine >> text=own list")
    ann.press("fill the free seats")
    ann.press("start the game")
    ann.page.wait_for_selector(".opening-card")


@pytest.mark.usefixtures("imported")
def test_cards_are_read_in_french_and_one_press_away_in_english(arrive: Callable[..., Player]) -> None:
    ann = arrive("Ann")
    page = ann.page
    sit_with_hornets(ann)
    hornets = page.locator(".opening-card", has_text="Hornet of Gate")
    assert hornets.count() >= 1 and "You gain 1 life." in hornets.first.inner_text()
    page.click(".main-menu > summary")
    page.locator("label", has_text="Language").locator("select").select_option("fr")
    page.keyboard.press("Escape")
    page.wait_for_selector(".opening-card >> text=Frelon de la porte")
    assert page.locator(".opening-card", has_text="Hornet").count() == 0
    frelon = page.locator(".opening-card .card", has_text="Frelon").first
    assert frelon.locator(".types").inner_text() == "Créature : insecte"
    assert "Vous gagnez 1 point de vie." in frelon.inner_text() and "Flying" not in frelon.inner_text()
    page.keyboard.press("l")
    page.wait_for_selector(".opening-card >> text=Hornet of Gate")
    page.keyboard.press("l")
    page.wait_for_selector(".opening-card >> text=Frelon de la porte")
    while not page.locator(".mat.own .tile:not(.land)", has_text="Frelon").count():
        assert ann.act() != "over"
    page.wait_for_selector(".log .card-name >> text=Frelon de la porte")
    assert "Hornet" not in page.inner_text(".log")
    page.locator(".log .card-name", has_text="Frelon").last.hover()
    assert "Frelon" in page.inner_text(".zoom strong"), "the name finds its card"
    page.reload()  # the bot plays on: the hornet may be dead by now
    seen = ":is(.hand, .mat.own)"
    page.wait_for_selector(f"{seen} >> text=Frelon")
    page.click(".topbar .english")
    page.wait_for_selector(f"{seen} >> text=Hornet")
