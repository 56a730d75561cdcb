"""Cards of several faces in games: whole random ones with snapshots, what clients are shown, and what a hidden card gives away."""

from __future__ import annotations

import random

import pytest

from server import rules
from server.bench.fuzz import options_of
from server.cards.forms import Card
from server.knowledge.faces import face_by_hash, face_of
from server.oracle.house import house_card, house_decks
from server.rules.characteristics import board
from server.rules.continuous import Followed
from server.rules.model import AnnounceFrame, PriorityQuestion, State, Take, define, encode_card, of_spells
from server.rules.turn import legal, snapshot
from server.storage.encoding import read_card
from tests.rules.play import Game


def card(name: str) -> Card:
    found = house_card(name)
    assert found is not None
    return found


def anew(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The same cards as a journal gives them back: made from their bytes."""
    return tuple(read_card(encode_card(one)) for one in cards)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_of_faces_goes_on_from_snapshots_read_with_cards_of_a_journal(seed: int) -> None:
    deck = house_decks()["turncoat-fair"].cards
    cards = tuple({id(one): one for one in deck}.values())
    state, _ = rules.start(options_of(seed), tuple(rules.Seat(f"P{n}", deck) for n in range(2)))
    chance = random.Random(seed)
    seen: set[int] = set()
    for number in range(500):
        if number % 50 == 0:
            state = _written_and_read(state, cards)
        if (question := state.pending) is None:
            break
        state, _ = rules.submit(state, question.seat, legal.sample(question, state, chance))
        seen |= {found.definition.side for found in state.objects.values()}
    assert seen >= {0, 1}


def _written_and_read(state: State, cards: tuple[Card, ...]) -> State:
    data = snapshot.write(state, cards)
    assert rules.fingerprint(snapshot.read(data, anew(cards))) == rules.fingerprint(state)
    return snapshot.read(data, cards)


def test_a_transformed_permanent_is_shown_as_it_is_now_with_its_other_face() -> None:
    game = Game("AB")
    keeper = game.put("A", card("Hearth Keeper"))
    game.begin()
    assert face_by_hash(face_of(game.state.objects[keeper].definition)).name == "Hearth Keeper"
    game.activate("A", keeper)
    game.resolve()
    shown = face_by_hash(face_of(game.state.objects[game.now(keeper)].definition))
    assert (shown.name, shown.power, [other.name for other in shown.faces]) == ("Hearth Ghost", "3", ["Hearth Keeper"])


def test_a_split_card_shows_both_halves() -> None:
    shown = face_by_hash(face_of(define(card("Sleet"))))
    assert (shown.name, shown.mana_value) == ("Cinder // Sleet", 3)
    assert [(half.name, half.cost, half.faces) for half in shown.faces] == [
        ("Cinder", "{R}", []),
        ("Sleet", "{1}{U}", []),
    ]


def asked_with_a_split_card() -> tuple[Game, PriorityQuestion]:
    """A player who has it in hand and could pay for either half, and what that player is asked first."""
    game = Game("AB")
    game.put("A", card("Sleet"), "hand")
    for name in ("Mountain", "Island"):
        game.put("A", card(name), number=2)
    game.begin()
    question = game.state.pending
    assert isinstance(question, PriorityQuestion)
    return game, question


@pytest.mark.rule("708.2a")
def test_a_player_thinks_about_both_halves_without_a_state_for_each() -> None:
    game, question = asked_with_a_split_card()
    assert {one.side for one in question.actions if one.type == "cast"} == {1}  # no creature is there to be tapped
    assert not of_spells(game.state)
    assert isinstance(made := board(game.state), Followed) and made.objects is game.state.objects


@pytest.mark.rule("601.2")
def test_what_an_announcement_goes_back_to_keeps_nothing_of_what_follows() -> None:
    """What is kept of a card as a spell has the announcement, which has the state before it: if kept there, neither would go."""
    game, question = asked_with_a_split_card()
    cast = next(place for place, one in enumerate(question.actions) if one.type == "cast")
    state, _ = rules.submit(game.state, 0, Take(cast))
    (frame,) = (frame for frame in state.agenda if isinstance(frame, AnnounceFrame))
    assert state.memo and frame.before is not None and not frame.before.memo
