"""Who sees the top card of a library that is revealed, or that its owner may look at."""

from __future__ import annotations

import pytest

from server.cards.forms import Card, PlayerRule
from server.cards.loading import Entry
from server.cards.nouns import Noun
from server.oracle.reading import read_card
from tests.rules.play import Game

LAND = Card(name="Field", types="Land")
OPEN = Card(name="Open Book", types="Enchantment", abilities=(PlayerRule(rule="reveals top of library"),))
OWN = Card(name="Spyglass", types="Artifact", abilities=(PlayerRule(rule="looks at top of library"),))
ALL = PlayerRule(rule="reveals top of library", who=Noun("each player"))
FIELD_OF_DREAMS = Card(name="Field of Mirrors", types="Enchantment", abilities=(ALL,))


def seen(permanent: Card | None) -> list[int]:
    """Which seats (as masks) know the top cards of A's and B's libraries in A's first main phase."""
    game = Game("AB")
    for player in "AB":
        for _ in range(5):
            game.put(player, LAND, "library")
    if permanent is not None:
        game.put("A", permanent)
    game.begin(step="upkeep")
    game.pass_until("precombat_main")
    return [game.state.objects[p.library[-1]].known for p in game.state.players]


@pytest.mark.rule("401.6")
def test_the_top_card_is_seen_by_whom_the_rule_lets() -> None:
    """Everyone, its owner alone, or everyone of each player's."""
    assert seen(None) == [0, 0]
    assert seen(OPEN) == [0b11, 0]
    assert seen(OWN) == [0b01, 0]
    assert seen(FIELD_OF_DREAMS) == [0b11, 0b11]


@pytest.mark.rule("current 406.3")
def test_who_has_looked_at_a_card_knows_it_in_exile_face_down_and_nobody_else_does() -> None:
    text = (
        "Look at the top two cards of your library and exile those cards face down. You may play those cards this turn."
    )
    clerk = read_card(Entry("Night Errand", types="Sorcery", cost="{0}", text=text))
    assert isinstance(clerk, Card)
    game = Game("AB", edition="current")
    errand = game.put("A", clerk, "hand")
    game.put("A", LAND, "library", number=3)
    game.begin()
    game.cast("A", errand)
    game.resolve()
    exiled = [game.state.objects[oid] for oid in game.state.exile]
    assert len(exiled) == 2 and all(card.face_down for card in exiled)
    assert [card.known for card in exiled] == [0b01, 0b01]
