"""A game within a game (715, current 728), from its first question to the main game going on."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun
from server.rules import fingerprint, snapshot
from server.rules.characteristics import identity
from server.rules.happenings import games_around
from server.rules.happenings.subgames import begun
from server.rules.model import COLOR_BITS, Illegal, PriorityFrame, events, player_ref
from tests.rules.play import Game, creature

NOT_WON = forms.LoseLife(amount=3, who=Noun("each player who doesn't win the subgame"))
TALE = Card(
    name="Tale Within", types="Instant", cost="{0}", abilities=(forms.SpellAbility(do=(forms.PlaySubgame(), NOT_WON)),)
)
ALL = Noun("all creatures")
FOREST = Card(name="Forest", types="Basic Land — Forest")
WARDEN = Card(name="Old Warden", types="Legendary Creature — Human", cost="{0}", power="2", toughness="2")


def tell(seats: str = "AB", library: int = 20, **options: Any) -> Game:
    """A game in which A has told a tale: its subgame's opening hands are drawn."""
    game = Game(seats, library=library, mulligans=False, **options)
    tale = game.put("A", TALE, "hand")
    game.put("B", creature("Ox", 2, 3))
    game.begin()
    game.cast("A", tale)
    game.resolve()
    assert game.state.main is not None
    return game


@pytest.mark.rule("715.2")
@pytest.mark.rule("715.4")
def test_libraries_are_its_decks_and_nothing_else_of_the_main_game_is_in_it() -> None:
    game = tell()
    state = game.state
    assert [len(p.hand) + len(p.library) for p in state.players] == [20, 20]
    assert not state.battlefield and not state.stack and [p.life for p in state.players] == [20, 20]
    main = state.main
    assert main is not None and len(main.battlefield) == 1 and [len(p.library) for p in main.players] == [0, 0]
    assert state.objects.keys().isdisjoint(main.objects)


@pytest.mark.rule("715.2")
def test_chance_decides_who_plays_first_in_it() -> None:
    assert {tell(seed=str(n)).state.turn.active for n in range(12)} == {0, 1}


@pytest.mark.rule("715.2")
def test_what_chance_said_of_who_begins_says_nothing_of_what_is_shuffled() -> None:
    game = Game(library=20)
    game.begin()
    assert begun(game.state, events.Subgame(subject=player_ref(0))).chance > game.state.chance


@pytest.mark.rule("715.5")
@pytest.mark.rule("104.3a")
def test_who_concedes_it_is_in_the_main_game_again() -> None:
    game = tell()
    before = game.state.next_id
    game.concede("B")
    assert game.state.main is None and not game.lost("B")
    assert (game.life("A"), game.life("B")) == (20, 17)
    assert [len(p.library) for p in game.state.players] == [20, 20]
    assert all(oid >= before for p in game.state.players for oid in p.library)
    assert isinstance(game.state.agenda[-1], PriorityFrame)


@pytest.mark.rule("715.5")
def test_cards_of_who_left_it_are_in_the_main_library_before_it_is_over() -> None:
    game = tell("ABC")
    game.concede("B")
    main = game.state.main
    assert main is not None and [len(p.library) for p in main.players] == [0, 20, 0]
    game.concede("C")
    assert [game.life(who) for who in "ABC"] == [20, 17, 17]
    assert [len(p.library) for p in game.state.players] == [20, 20, 20]


@pytest.mark.rule("104.3a")
@pytest.mark.rule("715.1")
def test_who_has_lost_it_can_concede_the_main_game_which_goes_on_without_them() -> None:
    game = tell("ABC")
    game.concede("B")
    asked = game.state.pending
    game.concede("B")
    assert game.state.pending == asked and game.state.main is not None and game.state.main.players[1].lost
    game.concede("C")
    assert game.state.main is None and game.lost("B") and not game.lost("C")
    assert len(game.state.players[1].library) == 0 and not game.state.battlefield
    with pytest.raises(Illegal):
        game.concede("B")


@pytest.mark.rule("715.1")
def test_the_main_game_is_over_where_all_but_one_have_conceded_it() -> None:
    game = tell("ABC")
    for who in "BBA":
        game.concede(who)
    assert game.state.main is None and game.state.result is None
    game.concede("A")
    assert game.state.result is not None and game.state.result.winners == (2,)


@pytest.mark.rule("715.6")
def test_one_is_played_within_another() -> None:
    game = Game(library=0, mulligans=False)
    for who in "AB":
        game.put(who, TALE, "library", number=40)
    tale = game.put("A", TALE, "hand")
    game.begin()
    for depth in (1, 2):
        seat = game.question.seat
        game.cast(game.letters[seat], tale)
        game.resolve()
        game.pass_until("upkeep")
        tale = game.state.players[game.question.seat].hand[0]
        assert len(games_around(game.state)) == depth
    game.concede("B")
    assert len(games_around(game.state)) == 1 and game.life("B") == 17
    game.concede("A")
    assert not games_around(game.state) and (game.life("A"), game.life("B")) == (17, 20)


@pytest.mark.rule("715.2c")
@pytest.mark.rule("715.5c")
def test_a_commander_goes_into_it_and_comes_back_from_its_command_zone() -> None:
    game = Game(library=20, mulligans=False, format="commander")
    tale = game.put("A", TALE, "hand")
    game.put("A", WARDEN, "command", commander=1)
    game.put("B", WARDEN, "command", commander=2)
    game.begin()
    game.cast("A", tale)
    game.resolve()
    assert [game.state.objects[oid].commander for oid in game.state.command] == [1, 2]
    assert game.state.main is not None and not game.state.main.command
    while game.asks[1] != "priority" or game.step != "precombat_main":
        game.default()
    active = game.question.seat
    mine = next(oid for oid in game.state.command if game.state.objects[oid].owner == active)
    game.cast(game.letters[active], mine)
    game.resolve()
    assert game.zone(mine) == "battlefield"
    game.concede(game.letters[1 - active])
    # One was in the subgame's command zone, the other on its battlefield: 715.5 puts it into the library.
    assert [game.state.objects[oid].owner for oid in game.state.command] == [1 - active]
    libraries = [len(p.library) for p in game.state.players]
    assert libraries[active] == 21 and libraries[1 - active] == 20


@pytest.mark.rule("2009 712.2")
def test_by_2009_a_commander_in_the_command_zone_stays_there_while_a_subgame_is_played() -> None:
    game = Game(library=20, mulligans=False, format="commander", edition="2009")
    tale = game.put("A", TALE, "hand")
    game.put("A", WARDEN, "command", commander=1)
    game.put("B", WARDEN, "command", commander=2)
    game.begin()
    game.cast("A", tale)
    game.resolve()
    assert game.state.main is not None and not game.state.command
    assert [game.state.main.objects[oid].commander for oid in game.state.main.command] == [1, 2]
    game.concede("B")
    assert [game.state.objects[oid].commander for oid in game.state.command] == [1, 2]


@pytest.mark.parametrize(
    ("edition", "place"),
    [
        pytest.param("2009", "library", marks=pytest.mark.rule("2009 712.5")),
        pytest.param("2011", "command", marks=pytest.mark.rule("715.5c")),
    ],
)
def test_where_a_commander_comes_back_to_that_died_in_a_subgame(edition: str, place: str) -> None:
    game = Game(library=0, mulligans=False, format="commander", edition=edition)
    tale = game.put("A", TALE, "hand")
    end = Card(
        name="World End", types="Instant", cost="{0}", abilities=(forms.SpellAbility(do=(forms.Destroy(what=ALL),)),)
    )
    for card in (FOREST, FOREST, FOREST, FOREST, FOREST, end):
        game.put("A", card, "library")
    game.put("A", replace(WARDEN, keywords=("flash",)), "library", commander=1)
    for _ in range(7):
        game.put("B", FOREST, "library")
    game.begin()
    game.cast("A", tale)
    game.resolve()
    while game.asks != ("A", "priority"):
        game.default()
    hand = {game.state.objects[oid].definition.name: oid for oid in game.state.players[0].hand}
    game.cast("A", hand["Old Warden"])
    game.resolve()
    game.cast("A", hand["World End"])
    game.resolve()
    game.answer(True)
    assert [game.state.objects[oid].commander for oid in game.state.command] == [1]
    game.concede("B")
    assert [found.zone for found in game.state.objects.values() if found.commander] == [place]


@pytest.mark.rule("715.1")
def test_it_is_written_down_with_the_main_game_and_hashed_with_it() -> None:
    game = tell()
    again = snapshot.read(snapshot.write(game.state, ()), ())
    assert fingerprint(again) == fingerprint(game.state)
    assert again.main is not None
    other = replace(again, main=replace(again.main, stack=()))
    assert fingerprint(other) != fingerprint(game.state)


@pytest.mark.rule("800.1")
@pytest.mark.rule("103.7a")
@pytest.mark.rule("715.2")
def test_two_who_are_left_of_three_play_one_of_two_in_which_the_first_draw_is_skipped() -> None:
    game = Game("ABC", library=20)
    tale = game.put("A", TALE, "hand")
    game.begin()
    game.concede("C")
    game.cast("A", tale)
    game.resolve()
    first = game.state.turn.active
    game.answer(True)
    game.pass_until("draw")
    assert len(game.state.players[first].hand) == 6  # 103.4: neither is the first mulligan free


@pytest.mark.rule("715.2c")
@pytest.mark.rule("801.10")
def test_the_commander_of_who_is_out_of_range_stays_in_the_main_game() -> None:
    game = Game("ABCDE", library=20, mulligans=False, format="commander", range_of_influence=1)
    tale = game.put("A", TALE, "hand")
    for number, letter in enumerate("ABCDE", 1):
        game.put(letter, WARDEN, "command", commander=number)
    game.begin()
    game.cast("A", tale)
    game.resolve()
    main = game.state.main
    assert main is not None
    assert [game.state.objects[oid].commander for oid in game.state.command] == [1, 2, 5]
    assert [main.objects[oid].commander for oid in main.command] == [3, 4]


@pytest.mark.rule("801.10")
@pytest.mark.rule("715.4")
def test_who_is_out_of_range_plays_no_subgame_and_waits_until_it_is_over() -> None:
    game = Game("ABCDE", library=20, mulligans=False, range_of_influence=1)
    tale = game.put("A", TALE, "hand")
    game.begin()
    tops = {who: game.state.players[game.seat(who)].library for who in "CD"}
    game.cast("A", tale)
    game.resolve()
    assert [len(p.hand) for p in game.state.players] == [7, 7, 0, 0, 7]
    assert game.state.main is not None and [len(p.library) for p in game.state.main.players] == [0, 0, 20, 20, 0]
    game.concede("B")
    game.concede("E")
    assert game.state.main is None and not any(game.lost(who) for who in "ABCDE")
    assert [game.life(who) for who in "ABCDE"] == [20, 17, 20, 20, 17]
    assert all(game.state.players[game.seat(who)].library == cards for who, cards in tops.items())


@pytest.mark.rule("104.3a")
@pytest.mark.rule("715.4")
def test_who_is_in_no_subgame_can_concede_the_game_in_which_it_is_played() -> None:
    game = Game("ABCDE", library=20, mulligans=False, range_of_influence=1)
    tale = game.put("A", TALE, "hand")
    game.begin()
    game.cast("A", tale)
    game.resolve()
    game.concede("C")
    assert game.state.main is not None and game.state.main.players[2].lost
    assert not game.state.main.players[3].lost
    game.concede("B")
    game.concede("E")
    assert game.lost("C") and not game.lost("D")


@pytest.mark.rule("903.9")
def test_a_commander_that_stayed_in_the_main_game_still_says_which_mana_there_is() -> None:
    game = Game(library=0, mulligans=False, format="commander")
    tale = game.put("A", TALE, "hand")
    game.put("A", replace(WARDEN, cost="{G}"), commander=1)
    game.put("B", replace(WARDEN, cost="{U}"), "command", commander=2)
    for who in "AB":
        game.put(who, FOREST, "library", number=20)
    game.begin()
    game.cast("A", tale)
    game.resolve()
    assert [identity(game.state, seat) for seat in (0, 1)] == [COLOR_BITS["G"], COLOR_BITS["U"]]


@pytest.mark.rule("715.5")
def test_cards_that_a_leaver_has_back_are_no_others_than_those_that_come_later() -> None:
    game = tell("ABC")
    game.concede("B")
    main = game.state.main
    assert main is not None and game.state.next_id > max(main.players[1].library)
