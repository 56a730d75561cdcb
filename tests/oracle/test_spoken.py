"""Lines as people say them, and the lines of cards that mean the same."""

from __future__ import annotations

import pytest

from server.cards.forms import Card, CopySpell, Discard, FlipCoin
from server.cards.loading import Entry
from server.oracle.acts import ActFault, read_act
from server.oracle.reading import read_card
from tests.rules.play import Game, creature

NAMES = {"Ada": 0, "Ben": 1, "B": 2}

SAME = {
    "put #7 into exile": "exile #7",
    "put #7 on the battlefield": "put #7 onto the battlefield",
    "draw 3": "draw three cards",
    "Ben mills two": "Ben mills two cards",
    "create a 2/2 black Zombie creature token tapped": "create a tapped 2/2 black Zombie creature token",
    "put #7 into Ben's hand": "return #7 to its owner's hand",
    "Ben puts the top card of his library into his hand": "put the top card of Ben's library into its owner's hand",
    "shuffle Ben's library": "Ben shuffles",
    "reveal Ben's hand": "Ben reveals their hand",
    "Ben untaps #7": "untap #7",
    "my creatures get +1/+1 until end of turn": "creatures you control get +1/+1 until end of turn",
    "Ben's creatures get -1/-1 until end of turn": "creatures Ben controls get -1/-1 until end of turn",
    "phase out #7": "#7 phases out",
    "draw a card. deal 2 damage to Ben": "you draw a card. {this} deals 2 damage to Ben",
    "#7 deals damage to #8 equal to its power": "#7 deals damage equal to its power to #8",
}


@pytest.mark.parametrize("line", SAME)
def test_what_people_say_is_what_cards_say(line: str) -> None:
    assert read_act(line, "Card", NAMES).do == read_act(SAME[line], "Card", NAMES).do


def test_what_only_people_say_is_read() -> None:
    (flipped,) = read_act("Ben flips a coin", "Card", NAMES).do
    assert isinstance(flipped, FlipCoin) and flipped.who.text == "$player1"
    (copied,) = read_act("Ben copies this spell", "Card", NAMES).do
    assert isinstance(copied, CopySpell)
    (discarded,) = read_act("Ben discards #7", "Card", NAMES).do
    assert isinstance(discarded, Discard) and discarded.all


def test_a_name_is_no_mana_symbol() -> None:
    assert read_act("add {B}{B}", "Card", NAMES).seats == ()


@pytest.mark.parametrize("line", ["Ben discards", "attach #7", "put the top", "draw 3 life"])
def test_half_a_sentence_is_none(line: str) -> None:
    with pytest.raises(ActFault):
        read_act(line, "Card", NAMES)


# --- what is read since then on cards, too --------------------------------------------------------------------------------------------


def _read(text: str, types: str = "Creature — Elf", **more: str) -> Card:
    card = read_card(Entry("Own Kin", cost="{0}", types=types, text=text, **more))
    assert isinstance(card, Card), card
    return card


@pytest.mark.rule("current 701.40a")
def test_whose_library_it_is_manifests_and_controls_it() -> None:
    game = Game("AB")
    spell = game.put(
        "A", _read("Exile target creature. Its controller manifests the top card of their library.", "Instant"), "hand"
    )
    bear = game.put("B", creature("Bear", 2, 2))
    game.begin()
    game.cast("A", spell, bear)
    game.resolve()
    (hidden,) = [o for o in game.state.objects.values() if o.face_down]
    assert (hidden.zone, hidden.controller, game.zone(bear)) == ("battlefield", 1, "exile")
