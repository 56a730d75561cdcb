"""A loop of mandatory actions is found and ends the game as a draw, without hanging (104.4b); what ends by itself does not."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import EventName
from server.rules.turn.loops import FIRST_LOOK, REPEATS, REPEATS_GROWING
from tests.rules.play import Game, creature, enchantment, instant, noun

GAIN = forms.GainLife(amount=1)


def echo(event: EventName, who: str, do: forms.Verb) -> forms.TriggeredAbility:
    """Whenever this happens, that."""
    return forms.TriggeredAbility(when=(forms.Pattern(event=event, subject=noun(who)),), do=(do,))


def play_on(game: Game, most: int = 20_000) -> int:
    """Everybody passes until the game is over; how many resolutions there were in a row."""
    count = 0
    for _ in range(most):
        if game.state.result is not None:
            return count
        count = max(count, game.state.passes)
        game.default()
    raise AssertionError("not over")


def result_winners(game: Game) -> tuple[int, ...]:
    assert game.state.result is not None
    return game.state.result.winners


@pytest.mark.rule("104.4b")
def test_a_loop_in_which_something_grows_is_a_draw() -> None:
    game = Game("AB")
    game.put("A", enchantment("Echoing Grace", echo("life gain", "you", GAIN)))
    spark = game.put("A", instant("Spark", GAIN), "hand")
    game.begin()
    game.cast("A", spark)
    assert play_on(game) < FIRST_LOOK + REPEATS_GROWING + 10
    assert result_winners(game) == ()


@pytest.mark.rule("104.4b")
def test_a_loop_that_comes_back_to_where_it_was_is_known_soon() -> None:
    untaps = echo("tap", "{this}", forms.Tap(what=noun("{this}"), untap=True))
    taps = echo("untap", "{this}", forms.Tap(what=noun("{this}")))
    restless = creature("Restless Page", 1, 1, abilities=(untaps, taps))
    game = Game("ABCD")
    page = game.put("A", restless)
    nudge = game.put("B", instant("Nudge", forms.Tap(what=noun("target creature"))), "hand")
    game.begin()
    game.pass_to("B")
    game.cast("B", nudge, page)
    assert play_on(game) < FIRST_LOOK + 2 * FIRST_LOOK + 2 * REPEATS
    assert result_winners(game) == ()


@pytest.mark.rule("801.18")
def test_with_a_limited_range_it_is_a_draw_for_those_in_reach_of_who_has_the_loop() -> None:
    untaps = echo("tap", "{this}", forms.Tap(what=noun("{this}"), untap=True))
    taps = echo("untap", "{this}", forms.Tap(what=noun("{this}")))
    game = Game("ABCDE", range_of_influence=1)
    page = game.put("B", creature("Restless Page", 1, 1, abilities=(untaps, taps)))
    nudge = game.put("C", instant("Nudge", forms.Tap(what=noun("target creature"))), "hand")
    game.begin()
    game.pass_to("C")
    game.cast("C", nudge, page)
    for _ in range(2000):
        if game.state.players[1].lost:
            break
        game.default()
    assert [p.lost for p in game.state.players] == ["draw", "draw", "draw", "", ""]
    assert game.state.result is None and game.state.pending is not None
    game.pass_to("D")


@pytest.mark.rule("801.18", "current 801.16")
@pytest.mark.parametrize("edition", ["2011", "current"])
def test_who_controls_what_a_loop_is_about_has_a_part_in_it_too(edition: str) -> None:
    game = Game("ABCDEF", edition=edition, range_of_influence=1)
    untaps = echo("tap", "a creature", forms.Tap(what=noun("it"), untap=True))
    taps = echo("untap", "a creature", forms.Tap(what=noun("it")))
    game.put("B", enchantment("Restless Air", untaps, taps))
    ox = game.put("C", creature("Ox", 2, 2))
    nudge = game.put("B", instant("Nudge", forms.Tap(what=noun("target creature"))), "hand")
    game.begin()
    game.pass_to("B")
    game.cast("B", nudge, ox)
    for _ in range(2000):
        if game.state.players[1].lost:
            break
        game.default()
    assert [p.lost for p in game.state.players] == ["draw"] * 4 + ["", ""]


@pytest.mark.rule("2009 104.4b")
@pytest.mark.parametrize(("edition", "who"), [("2009", "ABCDE"), ("2011", "ABC")])
def test_in_2009_a_loop_is_a_draw_for_all_however_far_they_reach(edition: str, who: str) -> None:
    untaps = echo("tap", "{this}", forms.Tap(what=noun("{this}"), untap=True))
    taps = echo("untap", "{this}", forms.Tap(what=noun("{this}")))
    game = Game("ABCDE", edition=edition, range_of_influence=1)
    page = game.put("B", creature("Restless Page", 1, 1, abilities=(untaps, taps)))
    nudge = game.put("C", instant("Nudge", forms.Tap(what=noun("target creature"))), "hand")
    game.begin()
    game.pass_to("C")
    game.cast("C", nudge, page)
    for _ in range(2000):
        if game.state.result is not None or game.state.players[1].lost:
            break
        game.default()
    whole = game.state.result is not None and game.state.result.winners == ()
    assert whole == (who == "ABCDE")
    assert whole or "".join(p.name for p in game.state.players if p.lost) == who


@pytest.mark.rule("104.4b")
def test_what_runs_out_is_no_loop() -> None:
    lose = forms.LoseLife(amount=1, who=noun("you"))
    game = Game("AB", life=600)
    game.put("A", enchantment("Open Vein", echo("life loss", "you", lose)))
    prick = game.put("A", instant("Prick", lose), "hand")
    game.begin()
    game.cast("A", prick)
    assert play_on(game) > 590
    assert result_winners(game) == (1,)
