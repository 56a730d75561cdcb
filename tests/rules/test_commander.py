"""Commander games as they begin: commanders, life, opening hands, and the mulligan of 2011."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from protocol.options import RoomOptions
from server.cards.forms import Card
from server.rules.model import Options, State, evolve
from server.rules.model import questions as q
from server.rules.turn import game, legal, setup, state_based, variants
from server.rules.turn.game import Seat
from server.storage.journal import engine_options

LEADER = Card(name="Old Warden", types="Legendary Creature — Human", cost="{G}", power="2", toughness="2")
FILLER = tuple(Card(name=f"Filler {number}", types="Artifact", cost="{9}") for number in range(99))


def begun(edition: str = "2011", names: str = "AB", format_: str = "commander", life: int = 40) -> State:
    seats = tuple(Seat(name, FILLER, (LEADER,)) for name in names)
    return game.start(Options(edition=edition, format=format_, life=life), seats, 0)[0]


def confirmed(state: State, *yes: int) -> State:
    """The state once everybody has said whether to take a first mulligan."""
    while isinstance(state.pending, q.ConfirmQuestion) and state.players[state.pending.seat].mulligans == 0:
        state, _ = game.submit(state, state.pending.seat, q.Confirm(yes=state.pending.seat in yes))
    return state


def picked(state: State, *places: int) -> State:
    assert isinstance(state.pending, q.ChooseQuestion) and state.pending.purpose == "mulligan in part"
    return game.submit(state, state.pending.seat, q.Pick(picks=places))[0]


@pytest.mark.rule("903.6")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_commanders_begin_in_the_command_zone_and_the_rest_is_shuffled(edition: str) -> None:
    state = begun(edition)
    assert [state.objects[oid].owner for oid in state.command] == [0, 1]
    assert all(state.objects[oid].definition.name == "Old Warden" for oid in state.command)
    assert not any(state.objects[oid].face_down for oid in state.command)
    for player in state.players:
        cards = [state.objects[oid].definition.name for oid in (*player.hand, *player.library)]
        assert sorted(cards) == sorted(card.name for card in FILLER) != cards


@pytest.mark.rule("903.7")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_hands_of_seven_are_drawn_once_it_is_known_who_begins(edition: str) -> None:
    assert [len(player.hand) for player in begun(edition).players] == [7, 7]


@pytest.mark.rule("903.8")
def test_a_mulligan_exiles_part_of_the_hand_and_draws_one_card_fewer() -> None:
    state = confirmed(begun(), 0)
    before = state.players[0].hand
    state = picked(state, 0, 2, 4)
    hand = state.players[0].hand
    assert len(hand) == 6 and {before[1], before[3], before[5], before[6]} < set(hand)
    assert [state.objects[oid].owner for oid in state.exile] == [0, 0, 0]
    assert all(not state.objects[oid].face_down for oid in state.exile)


@pytest.mark.rule("903.8")
def test_each_mulligan_costs_a_card_and_what_is_exiled_comes_back_with_the_hand_that_is_kept() -> None:
    state = picked(confirmed(begun(names="ABC"), 0), 0, 1)
    assert len(state.players[0].hand) == 6
    state, _ = game.submit(state, 0, q.Confirm(yes=True))
    state = picked(state, *range(6))
    assert len(state.players[0].hand) == 5 and len(state.exile) == 8 and len(state.players[0].library) == 86
    state, _ = game.submit(state, 0, q.Confirm(yes=False))
    assert len(state.players[0].hand) == 5 and not state.exile and len(state.players[0].library) == 94
    assert state.turn.number == 1


@pytest.mark.rule("903.8")
def test_who_takes_a_mulligan_exiles_a_card_at_least_and_everyone_may_at_once() -> None:
    state = confirmed(begun(), 0, 1)
    question = state.pending
    assert isinstance(question, q.ChooseQuestion) and (question.least, question.most) == (1, 7)
    assert legal.default(question, state) == q.Pick(picks=(0,))
    state = picked(state, 0)
    assert state.pending is not None and state.pending.seat == 1 and not state.exile
    state = picked(state, *range(7))
    assert [len(player.hand) for player in state.players] == [6, 6] and len(state.exile) == 8


@pytest.mark.rule("current 903.8")
def test_the_current_mulligan_is_that_of_every_game() -> None:
    state = confirmed(begun("current"), 0)
    assert not state.exile and len(state.players[0].hand) == 7 and state.players[0].mulligans == 1


@pytest.mark.rule("current 903.12f")
@pytest.mark.parametrize(("format_", "seats", "life"), [("brawl", 2, 25), ("brawl", 3, 30), ("commander", 2, 40)])
def test_brawl_begins_with_fewer_life(format_: str, seats: int, life: int) -> None:
    assert variants.starting_life(format_, seats) == life


@pytest.mark.rule("current 903.12g")
def test_the_first_mulligan_of_brawl_is_free() -> None:
    for format_, left in (("brawl", 7), ("commander", 6)):
        state = confirmed(begun("current", format_=format_), 0)
        state, _ = game.submit(state, 0, q.Confirm(yes=False))
        if state.pending is not None and state.pending.purpose == "bottom":
            state, _ = game.submit(state, 0, legal.default(state.pending, state))
        assert len(state.players[0].hand) == left


@pytest.mark.rule("903.2")
@pytest.mark.rule("903.7")
@pytest.mark.parametrize("seats", [2, 4])
def test_a_room_for_commander_is_free_for_all_and_attacks_everyone(seats: int) -> None:
    options = engine_options(RoomOptions(seats=seats, format="commander"), "1")
    assert (options.attack, options.limited, options.teams, options.shared) == ("multiple", False, (), False)
    assert options.life == 40


@pytest.mark.rule("903.13")
@pytest.mark.parametrize(("edition", "seen_by", "found"), [
    ("2011", 0b10, True), ("2011", 0b01, False), ("2011", 0, False), ("2009", 0b10, False), ("current", 0b10, False),
])  # fmt: skip
def test_who_looks_at_another_s_commander_in_exile_face_down_turns_it_up(
    edition: str, seen_by: int, found: bool
) -> None:
    state = setup.table(Options(format="commander", life=40, edition=edition), ("A", "B"))
    state, oid = setup.add(state, 0, "command", LEADER)
    hidden = replace(state.objects[oid], zone="exile", face_down=True, known=seen_by)
    state = evolve(state, objects={**state.objects, oid: hidden}, command=(), exile=(oid,))
    state, _ = setup.begin(state)
    assert [state.objects[i].definition.name for i in state.command] == (["Old Warden"] if found else [])
    assert all(not state.objects[i].face_down and state.objects[i].commander for i in state.command)


@pytest.mark.rule("903.14a", "current 903.10a")
@pytest.mark.parametrize(
    ("dealt", "loses"),
    [(((1, 20),), False), (((1, 21),), True), (((1, 20), (2, 20)), False), (((1, 2), (2, 21)), True)],
)
def test_twenty_one_damage_of_one_commander_is_what_loses_not_of_several(
    dealt: tuple[tuple[int, int], ...], loses: bool
) -> None:
    state = setup.table(Options(format="commander", life=100), ("A", "B", "C"))
    players = (replace(state.players[0], commander_damage=dealt), *state.players[1:])
    causes = [event.cause for event in state_based.check(evolve(state, players=players))]
    assert causes == (["commander"] if loses else [])
