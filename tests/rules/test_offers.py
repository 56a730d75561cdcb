"""What each of several players may do (101.4): decided in turn order, each knowing what was decided before, and done at once."""

from __future__ import annotations

from typing import Any

import pytest

from server import rules
from server.cards.forms import Card
from server.cards.loading import Entry
from server.knowledge.redacted import redact
from server.oracle.reading import read_card
from server.rules import snapshot
from server.rules.model import events, votes
from tests.rules.play import FILLER, Game, creature


def _offered(text: str, seats: str = "ABC") -> tuple[Game, Card]:
    """A has cast it, and all have passed: somebody is asked whether they will."""
    card = read_card(Entry("Old Offer", "{0}", "Sorcery", text))
    assert isinstance(card, Card), card
    game = Game(seats, edition="current")
    for letter in seats:
        game.put(letter, creature(f"Ox of {letter}", 2, 3))
        for name in ("Cub", "Cat"):
            game.put(letter, creature(f"{name} of {letter}", 1, 1), "hand")
    offer = game.put("A", card, "hand")
    game.begin()
    game.cast("A", offer)
    game.resolve()
    return game, card


def _decided(game: Game) -> list[tuple[Any, bool, int]]:
    return [(game.who(e.subject), e.yes, len(e.objects)) for e in game.happened(votes.Decides)]


@pytest.mark.rule("101.4", "101.4b")
def test_each_decides_knowing_what_those_before_chose_of_what_all_see() -> None:
    game, _ = _offered("Each player may sacrifice a creature.")
    for letter, yes in (("A", True), ("B", False), ("C", True)):
        before = _decided(game)
        assert game.asks == (letter, "may")
        game.answer(yes)
        assert _decided(game)[: len(before) + 1] == [*before, (letter, yes, int(yes))]
        if letter != "C":
            assert not [e for e in game.happened(events.Move) if e.cause == "sacrifice"]
    assert [len(p.graveyard) for p in game.state.players] == [2, 0, 1]  # the spell is one of A's


@pytest.mark.rule("101.4")
def test_nobody_has_paid_before_all_have_said_whether_they_do() -> None:
    game, _ = _offered("Any player may pay 5 life. If a player does, you gain 1 life.")
    game.answer(True)
    game.answer(True)
    assert game.asks == ("C", "pay") and game.life("A") == game.life("B") == 20
    game.answer(False)
    assert (game.life("A"), game.life("B"), game.life("C")) == (16, 15, 20)


@pytest.mark.rule("101.4a")
@pytest.mark.parametrize("text", ("put a creature card from their hand onto the battlefield", "discard a card"))
def test_which_cards_of_hands_are_chosen_is_not_seen_until_it_is_done(text: str) -> None:
    seen: list[str] = []
    for name in ("Cub", "Cat"):
        game, _ = _offered(f"Each player may {text}.")
        for _ in "ABC":
            game.answer(True)
        assert game.asks[0] == "A"
        (chosen,) = (o.id for o in game.state.objects.values() if o.definition.card.name == f"{name} of A")
        game.answer(chosen)
        assert game.asks[0] == "B"
        seen.append(repr(redact(game.state, 1)))
        assert not any(e.subject == chosen for e in game.happened(events.Move))
    assert seen[0] == seen[1]


@pytest.mark.rule("101.4")
def test_who_leaves_meanwhile_does_nothing_of_what_they_said() -> None:
    game, _ = _offered("Each player may sacrifice a creature.")
    game.answer(True)
    game.answer(True)
    game.concede("B")
    assert game.asks == ("C", "may")
    game.answer(True)
    assert len(game.state.players[2].graveyard) == 1 and len(game.state.players[0].graveyard) == 2


def test_a_game_goes_on_from_its_snapshot_between_two_decisions() -> None:
    game, card = _offered("Each player may sacrifice a creature.")
    game.answer(True)
    cards = (card, FILLER, *(o.definition.card for o in game.state.objects.values()))
    again = snapshot.read(snapshot.write(game.state, cards), cards)
    assert rules.fingerprint(again) == rules.fingerprint(game.state)
    game.state = again
    game.answer(True)
    game.answer(False)
    assert [len(p.graveyard) for p in game.state.players] == [2, 1, 0]
