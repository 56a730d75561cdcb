"""Melded permanents (current 701.42, 712): one object, two cards; as they are kept, shown, restarted and put elsewhere."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card
from server.cards.loading import Entry
from server.cards.nouns import Noun
from server.knowledge.faces import make_face
from server.oracle.reading import read_card
from server.rules.characteristics import characteristics, identity
from server.rules.model import COLOR_BITS, define, fingerprint, melded
from server.rules.turn import snapshot
from tests.rules.play import Game
from tests.rules.test_commander_colors import hand, on_the_battlefield
from tests.rules.test_restarting import RESTARTING

MELDS = "{0}: If you both own and control Ash Piper and a creature named Ash Singer, exile them, then meld them into Ash Choir."


def read(
    name: str, types: str, text: str, cost: str = "{0}", size: str | None = None, colors: str | None = None
) -> Card:
    card = read_card(Entry(name, cost=cost, types=types, text=text, power=size, toughness=size), colors=colors)
    assert isinstance(card, Card), card
    return card


def meld_card(first: bool, sings: str = "", cost: str = "") -> Card:
    """One card of the pair; `sings` is what the singer says besides, `cost` that of both."""
    own = ("Ash Piper", cost or "{1}{B}", MELDS)
    other = ("Ash Singer", cost or "{2}{B}", f"{sings}(Melds with Ash Piper.)")
    front, back = (own, other) if first else (other, own)
    return read(
        f"{front[0]} // Ash Choir // {back[0]}",
        " // ".join(("Legendary Creature — Rat", "Creature — Horror", "Legendary Creature — Rat")),
        f"{front[2]}\n//\nMenace\n//\n{back[2]}",
        f"{front[1]} //  // {back[1]}",
        "2 // 5 // 2",
        " //  // ",
    )


PIPER, SINGER = meld_card(True), meld_card(False)


def table(*more: Card, door: bool = False) -> tuple[Game, int, list[int]]:
    """A game in which A has melded the pair (and has the door), and what B has besides in hand."""
    game = Game("AB", edition="current")
    if door:
        game.put("A", RESTARTING)
    piper = game.put("A", PIPER)
    game.put("A", SINGER)
    held = [game.put("B", card, "hand") for card in more]
    game.begin()
    game.cast("A", piper)
    game.resolve()
    (choir,) = (o.id for o in game.state.objects.values() if o.merged)
    return game, choir, held


@pytest.mark.rule("current 701.42a", "current 712.21")
def test_it_is_one_object_of_two_cards_and_a_snapshot_keeps_it() -> None:
    game, choir, _ = table()
    assert [part.definition.card for part in game.state.objects[choir].merged] == [PIPER, SINGER]
    assert characteristics(game.state, choir).mana_value == 5
    others = {o.definition.card.name: o.definition.card for o in game.state.objects.values() if o.zone == "library"}
    cards = (PIPER, SINGER, *others.values())
    again = snapshot.read(snapshot.write(game.state, cards), cards)
    assert fingerprint(again) == fingerprint(game.state)
    assert characteristics(again, choir) == characteristics(game.state, choir)


@pytest.mark.rule("current 712.4b", "current 701.42b")
def test_only_the_two_of_a_pair_are_one_permanent() -> None:
    game, choir, _ = table()
    piper, singer = (part.definition for part in game.state.objects[choir].merged)
    assert melded(piper, singer) is piper.sides[0] and melded(singer, piper) is singer.sides[0]
    assert melded(piper, piper) is None and melded(piper, singer.sides[0]) is None
    third = define(
        replace(PIPER, name="Ash Drummer")
    )  # of the same back face, but it is not the one that the singer names
    assert melded(third, singer) is None


@pytest.mark.rule("current 712.6")
def test_whoever_looks_at_it_sees_both_cards_and_at_a_card_what_it_melds_into() -> None:
    game, choir, _ = table()
    face = make_face(game.state.objects[choir].definition)
    assert (face.name, [one.name for one in face.faces]) == ("Ash Choir", ["Ash Piper", "Ash Singer"])
    card = make_face(game.state.objects[choir].merged[1].definition)
    assert (card.name, [one.name for one in card.faces]) == ("Ash Singer", ["Ash Choir", "Ash Piper"])


@pytest.mark.rule("current 712.21b")
@pytest.mark.parametrize("said", [["Ash Piper", "Ash Singer"], ["Ash Singer", "Ash Piper"]])
def test_who_exiles_it_says_which_card_was_exiled_last(said: list[str]) -> None:
    game, choir, (away,) = table(read("Gone", "Instant", "Exile target creature."))
    game.cast("B", away, choir)
    game.resolve()
    assert game.asks == ("B", "parts to exile")
    game.answer(said)
    exiled = sorted((game.state.objects[i] for i in game.state.exile), key=lambda o: o.timestamp)
    assert [one.definition.name for one in exiled] == said


@pytest.mark.rule("current 712.21a")
@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("on top of its owner's library", 0),
        ("on the bottom of its owner's library", 10),
        ("into its owner's library third from the top", 2),
    ],
)
@pytest.mark.parametrize("said", [["Ash Piper", "Ash Singer"], ["Ash Singer", "Ash Piper"]])
def test_its_owner_says_how_they_lie_in_the_library_and_nobody_else_sees_it(
    words: str, first: int, said: list[str]
) -> None:
    game, choir, (fold,) = table(read("Fold", "Instant", f"Put target creature {words}."))
    game.cast("B", fold, choir)
    game.resolve()
    assert game.asks == ("A", "parts to library")
    game.answer(said)
    library = [game.state.objects[i] for i in reversed(game.state.players[0].library)]
    lie = library[first : first + 2]
    assert [one.definition.name for one in lie] == said
    assert not any(one.known & 2 for one in lie)


@pytest.mark.rule("current 712.21a")
@pytest.mark.parametrize("said", [["Ash Piper", "Ash Singer"], ["Ash Singer", "Ash Piper"]])
def test_its_owner_says_how_they_lie_in_the_graveyard(said: list[str]) -> None:
    game, choir, (slay,) = table(read("Slay", "Instant", "Destroy target creature."))
    game.cast("B", slay, choir)
    game.resolve()
    assert game.asks == ("A", "parts to graveyard")
    game.answer(said)
    graveyard = [game.state.objects[i].definition.name for i in reversed(game.state.players[0].graveyard)]
    assert graveyard == said


@pytest.mark.rule("current 712.21")
def test_in_a_game_that_begins_anew_both_cards_are_in_their_owners_deck() -> None:
    game, _, _ = table(door=True)
    (door,) = (i for i in game.state.battlefield if game.state.objects[i].definition.card == RESTARTING)
    game.cast("A", door, ability=1)
    game.pass_until(purpose="mulligan")
    mine = [o.definition.name for o in game.state.objects.values() if o.owner == 0 and o.zone in ("hand", "library")]
    assert mine.count("Ash Piper") == mine.count("Ash Singer") == 1
    assert not game.state.battlefield


def _names(game: Game, zone: str) -> list[str]:
    return sorted(game.state.objects[i].definition.name for i in getattr(game.state, zone))


@pytest.mark.rule("current 712.21c", "current 610.3")
def test_what_is_exiled_until_something_leaves_comes_back_as_both_cards() -> None:
    lock = "Flash\nWhen this creature enters, exile target creature an opponent controls until this creature leaves the battlefield."
    game, _, (lock_card, slay) = table(
        read("Lock", "Creature — Wall", lock, size="1"), read("Slay", "Instant", "Destroy target creature.")
    )
    game.cast("B", lock_card)
    game.resolve_all()
    assert _names(game, "exile") == ["Ash Piper", "Ash Singer"]
    game.cast("B", slay, lock_card)
    game.resolve_all()
    assert (_names(game, "battlefield"), _names(game, "exile")) == (["Ash Piper", "Ash Singer"], [])


@pytest.mark.rule("current 712.21c")
def test_each_card_that_was_put_into_a_graveyard_this_way_is_both() -> None:
    text = "Destroy up to two target creatures. Return each card put into a graveyard this way to the battlefield under your control."
    game, choir, (twist,) = table(read("Twist", "Instant", text))
    game.cast("B", twist, choir)
    game.resolve_all()
    assert _names(game, "battlefield") == ["Ash Piper", "Ash Singer"]


@pytest.mark.rule("current 201.4e", "current 712.19")
@pytest.mark.parametrize("melded_already", [True, False])
def test_the_name_of_the_combined_back_face_can_be_chosen_and_those_of_both_cards(melded_already: bool) -> None:
    asks = read("Asker", "Instant", "Choose a card name.")
    if melded_already:
        game, _, (asker,) = table(asks)
    else:
        game = Game("AB", edition="current")
        game.put("A", PIPER)
        asker = game.put("B", asks, "hand")
        game.begin()
    game.cast("B", asker)
    game.resolve()
    assert game.asks == ("B", "name")
    offered = {name for name in game.options() if str(name).startswith("Ash")}
    assert offered == {"Ash Piper", "Ash Choir"} | ({"Ash Singer"} if melded_already else set())


@pytest.mark.rule("current 701.42c")
@pytest.mark.parametrize("zone", ["hand", "library"])
def test_what_was_put_where_not_all_can_see_it_instead_of_into_exile_is_not_melded(zone: forms.Zone) -> None:
    goes = forms.Pattern(event="zone change", subject=Noun("a creature named Ash Singer"), to="exile")
    stray = forms.Replacement(event=goes, rewrite=(forms.ToZone(to=zone),))
    game = Game("AB", edition="current")
    game.put("B", Card(name="Stray", types="Enchantment", abilities=(stray,)))
    piper = game.put("A", PIPER)
    game.put("A", SINGER)
    game.begin()
    game.cast("A", piper)
    game.resolve()
    assert _names(game, "exile") == ["Ash Piper"] and _names(game, "battlefield") == ["Stray"]
    (singer,) = (o for o in game.state.objects.values() if o.definition.name == "Ash Singer")
    assert singer.zone == zone


@pytest.mark.rule("current 903.3b", "current 903.4b")
def test_a_commander_that_melds_as_the_second_card_keeps_the_color_chosen_for_it() -> None:
    sings = "If Ash Singer is your commander, choose a color before the game begins. Ash Singer is the chosen color.\n"
    played, _ = on_the_battlefield(meld_card(True, sings, "{0}"), by=meld_card(False, sings, "{0}"))
    played.cast("A", hand(played, "Ash Piper"))
    played.resolve()
    (piper,) = (i for i in played.state.battlefield if played.object(i).definition.name == "Ash Piper")
    played.cast("A", piper)
    played.resolve()
    (choir,) = (o for o in played.state.objects.values() if o.merged)
    assert [part.commander for part in choir.merged] == [0, 1] and choir.commander == 1
    assert identity(played.state, 0) == COLOR_BITS["U"]


@pytest.mark.rule("current 712.21e", "current 712.21c")
def test_each_of_both_cards_was_put_into_a_graveyard_this_turn() -> None:
    game = Game("AB", edition="current")
    piper = game.put("A", PIPER)
    game.put("A", SINGER)
    times = "You gain life equal to the number of times you descended this turn."
    cards = (
        "Return to your hand all creature cards in your graveyard that were put there from the battlefield this turn."
    )
    lament, harvest = (game.put("A", read("Spell", "Instant", text), "hand") for text in (times, cards))
    slay = game.put("A", read("Slay", "Instant", "Destroy target creature."), "hand")
    game.begin()
    game.cast("A", piper)
    game.resolve()
    game.cast("A", slay, next(o.id for o in game.state.objects.values() if o.merged))
    game.resolve_all()
    game.cast("A", lament)
    game.resolve_all()
    assert game.life("A") == 22
    game.cast("A", harvest)
    game.resolve_all()
    assert sorted(game.state.objects[i].definition.name for i in game.state.players[0].hand) == [
        "Ash Piper",
        "Ash Singer",
    ]


@pytest.mark.rule("current 712.4a", "current 701.42a")
def test_where_one_of_both_is_gone_before_they_are_exiled_the_other_stays() -> None:
    for gone in (0, 1):
        game = Game("AB", edition="current")
        pair = game.put("A", PIPER), game.put("A", SINGER)
        slay = game.put("B", read("Slay", "Instant", "Destroy target creature."), "hand")
        game.begin()
        game.cast("A", pair[0])
        game.cast("B", slay, pair[gone])
        game.resolve_all()
        assert (
            tuple(game.zone(card) for card in pair)
            == [("graveyard", "battlefield"), ("battlefield", "graveyard")][gone]
        )
