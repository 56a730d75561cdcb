"""Cards that a player owns outside the game (400.10): who knows them, and what becomes of them in games after this one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from protocol.options import RoomOptions
from server import rules
from server.cards.forms import Card, PlaySubgame, SpellAbility
from server.cards.loading import Entry
from server.knowledge.events import Scene
from server.knowledge.redacted import redact, write
from server.oracle.reading import read_card
from server.rooms.game import RULES
from server.rules.happenings import restarted
from server.rules.happenings.subgames import given_back
from server.rules.model import State, events, evolve, player_ref
from server.rules.model import questions as q
from server.rules.turn import legal, setup, snapshot
from server.rules.turn.game import deal
from server.storage import Sitting, make_setup
from tests.rules.play import Game

FOREST = Card(name="Forest", types="Basic Land — Forest")
OX = Card(name="Plain Ox", types="Creature — Ox", cost="{0}", power="2", toughness="2")
ELK = Card(name="Plain Elk", types="Creature — Elk", cost="{0}", power="3", toughness="3")
TALE = SpellAbility(do=(PlaySubgame(),))
UNSEEN = "Choose a card you own from outside the game and put it into your hand."
SHOWN = "You may reveal a creature card you own from outside the game and put it into your hand."


def _card(text: str) -> Card:
    card = read_card(Entry("Far Call", "{0}", "Sorcery", text))
    assert isinstance(card, Card), card
    return card


def _table(text: str, *outside: Card) -> tuple[State, tuple[Card, ...]]:
    """A's first main phase, with the sorcery in hand."""
    call = _card(text)
    options = rules.Options(edition="2011", seed="call", mulligans=False)
    deck = (FOREST,) * 20
    state = deal(options, (rules.Seat("A", deck, outside=outside), rules.Seat("B", deck)), 0)
    state, _ = setup.add(state, 0, "hand", call)
    state, _ = setup.begin(state)
    while state.turn.step != "precombat_main":
        state = _default(state)
    return state, (FOREST, call, *outside)


def _default(state: State) -> State:
    assert state.pending is not None
    return rules.submit(state, state.pending.seat, legal.default(state.pending, state))[0]


def _cast(state: State) -> State:
    """The sorcery on the stack, both having passed: its question, or what came of it."""
    question = state.pending
    assert isinstance(question, q.PriorityQuestion)
    state, _ = rules.submit(state, 0, q.Take(next(i for i, a in enumerate(question.actions) if a.type == "cast")))
    for _ in range(2):
        assert state.pending is not None
        state, _ = rules.submit(state, state.pending.seat, q.Take(0))
    return state


def _names(state: State, seat: int = 0) -> list[str]:
    return [one.name for one in state.players[seat].outside]


@pytest.mark.rule("400.10a")
def test_what_another_has_outside_the_game_is_known_by_number_only() -> None:
    state, _ = _table(UNSEEN, OX, ELK)
    mine, theirs = (redact(state, seat) for seat in (0, 1))
    assert _names(mine.state) == ["Plain Ox", "Plain Elk"]
    assert _names(theirs.state) == ["", ""]
    assert b"Plain Ox" not in write(theirs)


@pytest.mark.rule("400.10b")
def test_which_of_them_came_is_known_to_its_owner_alone_unless_it_is_revealed() -> None:
    for text, seen in ((UNSEEN, False), (SHOWN, True)):
        before = _cast(_table(text, OX, ELK)[0])
        if isinstance(before.pending, q.ConfirmQuestion):
            before, _ = rules.submit(before, 0, q.Confirm(True))
        after, log = rules.submit(before, 0, q.Pick((1,)))
        assert _names(after) == ["Plain Ox"]
        lines = Scene(before, after).write(log)
        told = [[str(line.private.get(seat, line.public)) for line in lines] for seat in (0, 1)]
        assert ["Plain Elk" in " ".join(one) for one in told] == [True, seen]
        assert (b"Plain Elk" in write(redact(after, 1))) is seen
        assert b"Plain Elk" in write(redact(after, 0))
        assert all(event.definition is None for event in log if isinstance(event, events.Move))


@pytest.mark.rule("400.10b")
def test_cards_that_are_the_same_are_offered_once() -> None:
    state = _cast(_table(UNSEEN, OX, ELK, OX)[0])
    assert isinstance(state.pending, q.ChooseQuestion)
    assert [one.word for one in state.pending.options] == ["Plain Ox", "Plain Elk"]
    assert _names(rules.submit(state, 0, q.Pick((0,)))[0]) == ["Plain Elk", "Plain Ox"]


@pytest.mark.rule("400.10b")
def test_who_puts_a_card_on_top_of_the_library_knows_it_there() -> None:
    state = _cast(_table("Put a card you own from outside the game on top of your library.", OX)[0])
    assert state.objects[state.players[0].library[-1]].definition.name == "Plain Ox"
    assert [b"Plain Ox" in write(redact(state, seat)) for seat in (0, 1)] == [True, False]


@pytest.mark.rule("400.10b")
def test_a_game_goes_on_from_its_snapshot_with_what_is_outside() -> None:
    state, cards = _table(UNSEEN, OX, ELK)
    state = _cast(state)
    again = snapshot.read(snapshot.write(state, cards), cards)
    here, there = (rules.submit(one, 0, q.Pick((0,)))[0] for one in (state, again))
    assert _names(there) == ["Plain Elk"]
    assert rules.fingerprint(here) == rules.fingerprint(there)


@pytest.mark.rule("400.10b", "714.2")
def test_what_came_in_is_part_of_the_deck_in_a_game_that_begins_anew() -> None:
    state = rules.submit(_cast(_table(UNSEEN, OX, ELK)[0]), 0, q.Pick((0,)))[0]
    state = restarted(state, events.Restarts(subject=player_ref(0)))
    assert _names(state) == ["Plain Elk"]
    assert "Plain Ox" in {state.objects[ref].definition.name for ref in state.players[0].library}


@pytest.mark.rule("400.10b", "715.5")
def test_what_comes_into_a_subgame_is_not_outside_after_it() -> None:
    game = Game("AB", library=20, mulligans=False, edition="current")
    tale = game.put("A", Card(name="Tale", types="Instant", cost="{0}", abilities=(TALE,)), "hand")
    game.state = setup.outside(setup.outside(game.state, 0, OX), 0, ELK)
    game.begin()
    game.cast("A", tale)
    game.resolve()
    assert game.state.main is not None and _names(game.state) == ["Plain Ox", "Plain Elk"]
    inside = game.state.players[0]
    game.state = evolve(game.state, players=(replace(inside, outside=inside.outside[1:]), game.state.players[1]))
    assert _names(given_back(game.state)) == ["Plain Elk"]


@pytest.mark.rule("400.10b")
def test_who_owns_nothing_outside_the_game_is_not_asked_whether_to_take_it() -> None:
    state = _cast(_table(SHOWN)[0])
    assert isinstance(state.pending, q.PriorityQuestion)


@pytest.mark.rule("400.10b", "701.16a")
def test_a_library_into_which_nothing_is_shuffled_is_shuffled() -> None:
    before = _cast(
        _table("Choose up to two cards you own from outside the game and shuffle them into your library.", OX)[0]
    )
    after, log = rules.submit(before, 0, q.Pick(()))
    assert _names(after) == ["Plain Ox"]
    assert [event.subject for event in log if isinstance(event, events.Shuffle)] == [player_ref(0)]


@pytest.mark.rule("400.10a", "current 309.2d")
def test_the_sideboard_of_a_rooms_deck_is_outside_the_game_but_for_its_dungeons() -> None:
    minster = read_card(Entry("Old Minster", "", "Dungeon", "Lych Gate — Draw a card."))
    assert isinstance(minster, Card)
    side = (minster, OX)
    seats = [Sitting(name=name, person=name, deck=(FOREST,) * 60, sideboard=side) for name in ("Ann", "Ben")]
    made = make_setup(room="r1", options=RoomOptions(seats=2), seed="7", sittings=seats, created=1000)
    state, _ = RULES.start(made)
    assert [_names(state, seat) for seat in (0, 1)] == [["Plain Ox"], ["Plain Ox"]]
