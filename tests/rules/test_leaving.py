"""What becomes of what a leaver controlled, gave away or was given (800.4a)."""

from __future__ import annotations

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.loading import Entry
from server.oracle.reading import read_card
from server.rules.model.questions import ConfirmQuestion, Take
from tests.rules.play import Game, creature, enchantment, instant, noun

LEADER = Card(name="Old Warden", types="Legendary Creature — Human", cost="{0}", power="2", toughness="2")
EDITIONS = pytest.mark.parametrize("edition", ["2009", "2011", "current"])


def given(edition: str, owner: str) -> tuple[Game, int]:
    """A game of three in which A has had B gain control of an ox of `owner` for good."""
    game = Game("ABC", edition=edition)
    ox = game.put(owner, creature("Ox", 2, 2))
    control = forms.Effect(
        what=noun("target creature"), mods=(forms.GainControl(by=noun("target player")),), duration="forever"
    )
    gift = game.put("A", instant("Gift", control), "hand")
    game.begin()
    game.cast("A", gift, "B", ox)
    game.resolve()
    assert game.object(ox).controller == game.seat("B")
    return game, ox


@EDITIONS
@pytest.mark.rule("800.4a")
def test_what_a_leaver_was_given_by_another_is_its_owners_again_and_stays_so(edition: str) -> None:
    game, ox = given(edition, "A")
    game.concede("B")
    assert game.zone(ox) == "battlefield" and game.object(ox).controller == game.seat("A")
    game.pass_until("end_turn")
    assert game.zone(ox) == "battlefield" and game.object(ox).controller == game.seat("A")
    assert not game.state.effects


@EDITIONS
@pytest.mark.rule("800.4a")
def test_what_a_leaver_gave_to_another_stays_with_them(edition: str) -> None:
    game, ox = given(edition, "C")
    game.concede("A")
    game.pass_until("end_turn")
    assert game.zone(ox) == "battlefield" and game.object(ox).controller == game.seat("B")


@pytest.mark.rule("903.12")
@pytest.mark.parametrize("back", [True, False])
def test_the_owner_of_a_commander_that_a_leaver_controls_may_put_it_into_the_command_zone(back: bool) -> None:
    game = Game("ABC", format="commander")
    warden = game.put("A", LEADER, under="B", commander=1)
    game.begin()
    game.concede("B")
    assert isinstance(game.question, ConfirmQuestion) and game.asks[0] == "A"
    game.answer(back)
    assert game.zone(warden) == ("command" if back else "exile") and game.object(warden).commander == 1


@pytest.mark.rule("current 903.9a")
def test_a_commander_that_is_exiled_with_its_controller_gone_is_still_one() -> None:
    game = Game("ABC", edition="current", format="commander")
    game.put("A", LEADER, under="B", commander=1)
    game.begin()
    game.concede("B")
    (exiled,) = game.state.exile
    assert game.state.objects[exiled].commander == 1
    assert game.asks == ("A", "commander to the command zone")


@pytest.mark.rule("800.4a")
def test_what_both_its_controllers_have_left_is_exiled() -> None:
    """A put an ox of C onto the battlefield, B has taken it over; A leaves first."""
    game = Game("ABCD")
    ox = game.put("C", creature("Ox", 2, 2), under="A")
    take = forms.Effect(what=noun("target creature"), mods=(forms.GainControl(by=noun("you")),), duration="forever")
    seize = game.put("B", instant("Seize", take), "hand")
    game.begin("D")
    game.cast("B", seize, ox)
    game.resolve()
    game.concede("A")
    assert game.object(ox).controller == game.seat("B")
    game.concede("B")
    assert game.zone(ox) == "" and [game.state.objects[oid].definition.name for oid in game.state.exile] == ["Ox"]


@pytest.mark.rule("800.4a", "116.3d")
def test_of_those_who_have_passed_one_leaves_and_the_last_is_still_asked() -> None:
    game = Game("ABCD")
    spark = game.put("A", instant("Spark", forms.GainLife(amount=1)), "hand")
    game.begin()
    game.cast("A", spark)
    for who in "AB":
        assert game.asks[0] == who
        game.submit(Take(0))
    game.concede("B")
    assert game.asks[0] == "C"
    game.submit(Take(0))
    assert game.asks[0] == "D" and game.state.stack


@EDITIONS
@pytest.mark.rule("800.4a", "116.4")
@pytest.mark.parametrize(
    ("passing", "leaves", "asked"),
    [
        ("A", "B", "CD"),  # who has priority leaves: it goes on to the next player
        ("AB", "B", "CD"),
        ("A", "D", "BC"),
        ("ABC", "D", "A"),  # all others have passed, but the next player gets priority all the same
        ("", "A", "BCD"),
    ],
)
def test_who_has_passed_has_passed_though_somebody_leaves(edition: str, passing: str, leaves: str, asked: str) -> None:
    """Leaving is no action: what all others pass on in succession resolves."""
    game = Game("ABCD", edition=edition)
    game.begin()
    spark = game.put("C", instant("Spark", forms.GainLife(amount=1)), "hand")
    while game.asks[0] != "C":
        game.submit(Take(0))
    game.cast("C", spark)
    order = "CDAB"
    names = dict(zip("ABCD", order, strict=True))
    for letter in passing:
        assert game.asks == (names[letter], "priority")
        game.submit(Take(0))
    game.concede(names[leaves])
    if leaves == "A":
        assert not game.state.stack  # the spell has gone with its controller
    for letter in asked:
        assert game.asks == (names[letter], "priority")
        game.submit(Take(0))
    assert not game.state.stack and game.life("C") == (20 if leaves == "A" else 21)


@EDITIONS
@pytest.mark.rule("800.4a", "116.4")
@pytest.mark.parametrize("leaver", "BD")
def test_where_the_stack_is_another_once_somebody_has_left_all_are_asked_again(edition: str, leaver: str) -> None:
    """With D goes the spell on which others have passed; as B leaves, an ability of A triggers."""
    game = Game("ABCD", edition=edition)
    text = "Whenever an opponent loses the game, you gain 5 life."
    found = read_card(Entry("Spiteful Oak", cost="{0}", types="Enchantment", text=text))
    assert isinstance(found, Card)
    if leaver == "B":
        game.put("A", found)
    spark = game.put("D", instant("Spark", forms.GainLife(amount=1)), "hand")
    game.begin()
    game.pass_to("D")
    game.cast("D", spark)
    for who in "DA":
        assert game.asks == (who, "priority")
        game.submit(Take(0))
    assert game.asks[0] == "B"
    game.concede(leaver)
    for who in "CDA" if leaver == "B" else "BCA":
        assert game.asks == (who, "priority") and game.step == "precombat_main"
        game.submit(Take(0))


@pytest.mark.rule("802.2a", "800.4a")
def test_who_has_left_is_no_defending_player_any_more() -> None:
    game = Game("ABCD")
    toll = game.put("A", instant("Toll", forms.LoseLife(amount=3, who=noun("defending player"))), "hand")
    ox = game.put("A", creature("Ox", 1, 1))
    game.begin()
    game.attack({ox: "B"})
    game.concede("C")
    game.cast("A", toll)
    game.resolve()
    assert game.asks == ("A", "defending player") and game.options() == ["B", "D"]


@pytest.mark.rule("current 724.4", "current 725.4")
@pytest.mark.parametrize("text", ["You become the monarch.", "You take the initiative."])
def test_whose_turn_it_is_is_the_monarch_once_that_has_left(text: str) -> None:
    found = read_card(Entry("Tin Hat", cost="{0}", types="Instant", text=text))
    assert isinstance(found, Card)
    game = Game("ABCD", edition="current")
    hat = game.put("B", found, "hand")
    game.begin("C")
    game.pass_to("B")
    game.cast("B", hat)
    game.resolve()
    game.concede("B")
    assert [game.letters[game.state.objects[oid].controller] for oid in game.state.command][:1] == ["C"]


@pytest.mark.rule("104.3h", "800.7")
def test_an_opponent_who_cannot_lose_does_not_where_somebody_wins_by_an_effect() -> None:
    game = Game("ABC")
    win = game.put("A", instant("Crown", forms.Win(who=noun("you"))), "hand")
    game.put("B", enchantment("Oak", forms.PlayerRule(rule="can't lose the game", who=noun("you"))))
    game.begin()
    game.cast("A", win)
    game.resolve()
    assert (game.lost("B"), game.lost("C")) == ("", "effect") and game.state.result is None
