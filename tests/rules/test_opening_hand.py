"""Cards that may begin the game on the battlefield."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.loading import Entry
from server.oracle.reading import read_card
from server.rules.model import Options, events
from server.rules.model import questions as q
from server.rules.turn import Seat, game, legal

LEY = Card(name="Deep Ley", types="Enchantment", cost="{4}", abilities=(forms.OpeningHand(),))
FILLER = Card(name="Filler", types="Artifact", cost="{9}")


@pytest.mark.rule("103.5")
@pytest.mark.parametrize("wanted", (True, False))
def test_a_card_of_the_opening_hand_may_begin_the_game_on_the_battlefield(wanted: bool) -> None:
    """Its owner is asked for each once the hands are kept."""
    decks = ((LEY,) * 9, (FILLER,) * 9)
    seats = tuple(Seat(letter, deck) for letter, deck in zip("AB", decks, strict=True))
    state, _ = game.start(Options(mulligans=False), seats, 0)
    asked = 0
    while isinstance(state.pending, q.ConfirmQuestion) and state.pending.purpose == "begin":
        assert state.pending.seat == 0
        asked += 1
        answer = q.Confirm(yes=wanted) if wanted else legal.default(state.pending, state)
        state, _ = game.submit(state, 0, answer)
    there = [state.objects[i].definition.name for i in state.battlefield]
    assert asked == 7
    assert there == ["Deep Ley"] * 7 * wanted


@pytest.mark.rule("805.3b")
@pytest.mark.parametrize("first", (0, 2))
def test_cards_of_the_starting_team_begin_the_game_first(first: int) -> None:
    seats = tuple(Seat(letter, (LEY,) * 9) for letter in "ABCD")
    options = Options(mulligans=False, hand_size=1, teams=(0, 0, 1, 1), shared=True)
    state, _ = game.start(options, seats, first)
    asked: list[int] = []
    while isinstance(state.pending, q.ConfirmQuestion) and state.pending.purpose == "begin":
        asked.append(state.pending.seat)
        state, _ = game.submit(state, asked[-1], q.Confirm(yes=True))
    assert asked == [(first + i) % 4 for i in range(4)]
    assert len(state.battlefield) == 4


@pytest.mark.rule("103.4")
@pytest.mark.rule("current 702.94a")
def test_the_first_card_of_an_opening_hand_is_no_first_card_drawn_in_a_turn() -> None:
    """There is no turn yet; the first card drawn in one is."""
    sudden = Card(
        name="Sudden Reed",
        types="Instant",
        cost="{5}",
        abilities=(forms.KeywordAbility(keyword="miracle", cost=(forms.ManaCost(mana="{1}"),)),),
    )
    seats = (Seat("A", (sudden,) * 9), Seat("B", (sudden,) * 9))
    state, _ = game.start(Options(edition="current", mulligans=False), seats, 0)
    asked: list[tuple[int, int]] = []
    while state.pending is not None and state.turn.number < 3:
        if state.pending.purpose == "reveal":
            asked.append((state.turn.number, state.pending.seat))
        state, _ = game.submit(state, state.pending.seat, legal.default(state.pending, state))
    assert asked == [(2, 1)]


SHOWN = Card(
    name="Early Horn",
    types="Creature — Ox",
    cost="{7}",
    power="1",
    toughness="1",
    abilities=(
        forms.OpeningHand(
            do=(forms.Delayed(when=(forms.Pattern(event="step", step="upkeep"),), then=(forms.GainLife(amount=3),)),)
        ),
    ),
)


@pytest.mark.rule("103.5")
@pytest.mark.rule("current 103.6b")
@pytest.mark.parametrize("shown", (0, 1, 2))
def test_a_card_that_is_shown_from_the_opening_hand_does_what_it_says_later_and_once(shown: int) -> None:
    """Each that is shown by itself; the cards stay in the hand, and the second upkeep is no first one."""
    seats = (Seat("A", (FILLER,) * 9), Seat("B", (SHOWN,) * 9))
    state, _ = game.start(Options(mulligans=False, hand_size=2), seats, 0)
    asked = 0
    while isinstance(state.pending, q.ConfirmQuestion) and state.pending.purpose == "reveal":
        assert state.pending.seat == 1
        state, told = game.submit(state, 1, q.Confirm(yes=asked < shown))
        assert any(isinstance(event, events.Reveal) for event in told) == (asked == 1 and shown > 0)
        asked += 1
    while state.turn.number < 3:
        assert state.pending is not None
        state, _ = game.submit(state, state.pending.seat, legal.default(state.pending, state))
    assert asked == 2
    assert [p.life for p in state.players] == [20, 20 + 3 * shown]


@pytest.mark.rule("603.7b")
@pytest.mark.parametrize("shown", (False, True))
def test_the_first_spell_of_the_game_of_each_opponent_is_countered_once(shown: bool) -> None:
    """Each opponent's first from then on, whoever casts before; who showed the card casts as ever."""
    text = "You may reveal this card from your opening hand. If you do, when each opponent casts their first spell of the game, "
    horn = read_card(
        Entry("Warning Horn", "{9}", "Artifact", f"{text}counter that spell unless that player pays {{1}}.")
    )
    assert isinstance(horn, Card)
    free = Card(name="Free Trinket", types="Artifact", cost="{0}")
    seats = (Seat("A", (horn,) * 9), *(Seat(letter, (free,) * 9) for letter in "BC"))
    state, _ = game.start(Options(mulligans=False, hand_size=2), seats, 0)
    for wanted in (shown, False):
        assert isinstance(state.pending, q.ConfirmQuestion)
        state, _ = game.submit(state, 0, q.Confirm(yes=wanted))
    while state.turn.number < 5:
        assert state.pending is not None
        answer = legal.default(state.pending, state)
        if isinstance(state.pending, q.PriorityQuestion):
            casts = (i for i, action in enumerate(state.pending.actions) if action.type == "cast")
            answer = next((q.Take(i) for i in casts), answer)
        state, _ = game.submit(state, state.pending.seat, answer)
    assert [len(state.players[seat].graveyard) for seat in (1, 2)] == [int(shown)] * 2
    assert len(state.battlefield) == 2 * (3 - shown)
