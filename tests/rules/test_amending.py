"""What a table changes by hand: nothing happens by it, state-based actions are checked after it, and hidden things stay hidden."""

from __future__ import annotations

import pytest

from server.cards.forms import Card
from server.cards.loading import Entry, paragraphs_by_hand
from server.oracle.acts import ActFault
from server.oracle.by_hand import read_partly
from server.oracle.rewording import reworded
from server.rules import fingerprint
from server.rules.model import Illegal, PriorityQuestion
from server.rules.turn import amending, snapshot
from server.rules.turn.amending import (
    Corrected,
    Correction,
    MakeTokens,
    MoveTo,
    Reworded,
    SetCounters,
    SetDamage,
    SetLife,
    SetTapped,
)
from tests.rules.play import Game, creature, planeswalker


def correct(game: Game, *changes: Correction) -> None:
    state, happened = amending.amend(game.state, 0, Corrected(changes))
    game._take_over(state, happened)


def begun() -> tuple[Game, int]:
    game = Game("AB")
    bear = game.put("B", creature("Bear", 2, 2))
    game.begin()
    return game, bear


def test_what_is_corrected_is_so_and_nothing_has_happened() -> None:
    game, bear = begun()
    before = len(game.log)
    oid = game.now(bear)
    correct(game, SetLife(1, 7), SetTapped(oid, True), SetCounters(oid, "+1/+1", 2), SetCounters(-1, "poison", 3))
    assert game.life("B") == 7
    assert game.object(bear).tapped and game.size(bear) == (4, 4)
    assert game.counters("A", "poison") == 3
    assert game.log[before:] == []
    assert isinstance(game.question, PriorityQuestion)


@pytest.mark.rule("704.3")
def test_state_based_actions_are_checked_after_it() -> None:
    game, bear = begun()
    correct(game, SetDamage(game.now(bear), 2))
    assert game.zone(bear) == "graveyard"


@pytest.mark.rule("704.5a")
def test_who_is_corrected_to_no_life_loses() -> None:
    game, _ = begun()
    correct(game, SetLife(1, 0))
    assert game.lost("B")


@pytest.mark.parametrize("zone", ["graveyard", "exile", "hand", "library"])
def test_an_object_is_put_into_a_zone_of_its_owners(zone: str) -> None:
    game, bear = begun()
    owner = game.object(bear).owner
    correct(game, MoveTo(game.now(bear), zone))  # type: ignore[arg-type]
    (moved,) = [o for o in game.state.objects.values() if o.definition.name == "Bear"]
    assert (moved.zone, moved.owner) == (zone, owner)


@pytest.mark.rule("306.5b")
@pytest.mark.rule("704.5i")
def test_a_planeswalker_is_corrected_onto_the_battlefield_with_its_loyalty() -> None:
    """A correction happens to nobody, so that no replacement effect sees it come."""
    game = Game("AB")
    mind = game.put("A", planeswalker("Lore", 3))
    game.begin()
    correct(game, MoveTo(game.now(mind), "graveyard"))
    (dead,) = [o for o in game.state.objects.values() if o.definition.name == "Lore"]
    correct(game, MoveTo(dead.id, "battlefield"))
    (back,) = [o for o in game.state.objects.values() if o.definition.name == "Lore"]
    assert (back.zone, back.counters) == ("battlefield", (("loyalty", 3),))
    correct(game, MakeTokens(seat=1, card=planeswalker("Deed", 5), count=1))
    (token,) = [o for o in game.state.objects.values() if o.token]
    assert (token.zone, token.controller, token.counters) == ("battlefield", 1, (("loyalty", 5),))


REFUSED: dict[str, tuple[Correction, ...]] = {
    "hidden": (MoveTo(1, "hand"),),  # a card of a library
    "out_of_range": (SetLife(1, 20_000),),
    "too_much": (),
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_nobody_may_correct_is_refused(code: str) -> None:
    game, _ = begun()
    before = fingerprint(game.state)
    with pytest.raises(Illegal) as refused:
        correct(game, *REFUSED[code])
    assert refused.value.code == code
    assert fingerprint(game.state) == before


def test_another_players_hand_is_not_corrected() -> None:
    game = Game("AB")
    bear = game.put("B", creature("Bear", 2, 2), "hand")
    game.begin()
    with pytest.raises(Illegal) as refused:
        correct(game, MoveTo(game.now(bear), "graveyard"))
    assert refused.value.code == "hidden"


@pytest.mark.rule("304.4")
@pytest.mark.parametrize("types", ["Instant", "Sorcery"])
def test_no_instant_or_sorcery_is_put_onto_the_battlefield(types: str) -> None:
    game = Game("AB")
    spell = game.put("A", Card(name="Hum", types=types, cost="{R}"), "graveyard")
    game.begin()
    with pytest.raises(Illegal) as refused:
        correct(game, MoveTo(game.now(spell), "battlefield"))
    assert refused.value.code == "nothing"
    assert game.zone(spell) == "graveyard"


# --- other words --------------------------------------------------------------------------------------------------------------


def odd(text: str) -> Card:
    found = read_partly(Entry("Odd Kin", cost="{2}", types="Creature — Elf", text=text, power="2", toughness="2"))
    assert isinstance(found, Card)
    return found


def reword(game: Game, card: Card, line: str) -> Card:
    made, _ = reworded(card, paragraphs_by_hand(card)[0], line)
    key = next(o.definition.key for o in game.state.objects.values() if o.definition.card == card)
    state, happened = amending.amend(game.state, 0, Reworded(was=key, card=made, line=line))
    game._take_over(state, happened)
    return made


def test_a_paragraph_said_in_other_words_is_under_the_rules_for_every_copy() -> None:
    card = odd("Flying\nThe stars make its kin proud.")
    game = Game("AB")
    kin = game.put("A", card)
    game.put("B", card, "hand")
    bear = game.put("A", creature("Bear", 2, 2))
    game.begin()
    assert [a.type for a in game.question.actions] == ["pass", "call"]  # type: ignore[union-attr]
    made = reword(game, card, "Other creatures you control get +1/+1.")
    assert game.size(bear) == (3, 3) and game.size(kin) == (2, 2)
    assert "flying" in game.chars(kin).keywords
    assert [a.type for a in game.question.actions] == ["pass"]  # type: ignore[union-attr]
    assert paragraphs_by_hand(made) == ()
    assert all(o.definition.card == made for o in game.state.objects.values() if o.definition.name == "Odd Kin")


def test_a_game_with_other_words_is_written_and_read_again() -> None:
    card = odd("The stars make its kin proud.")
    game = Game("AB")
    game.put("A", card)
    bear = game.put("A", creature("Bear", 2, 2))
    game.begin()
    reword(game, card, "Other creatures you control get +1/+1.")
    cards = (
        card,
        *{
            o.definition.card.name: o.definition.card for o in game.state.objects.values() if o.zone == "library"
        }.values(),
    )
    again = snapshot.read(snapshot.write(game.state, cards), cards)
    assert fingerprint(again) == fingerprint(game.state)
    game.state = again
    assert game.size(bear) == (3, 3)


def test_a_spells_paragraph_is_replaced_where_it_stands() -> None:
    found = read_partly(Entry("Verse", cost="{0}", types="Sorcery", text="Draw a card.\nHum along."))
    assert isinstance(found, Card)
    made, understood = reworded(found, "Hum along.", "You gain 3 life.")
    assert understood == "You gain 3 life."
    assert made.text == "Draw a card.\nYou gain 3 life."
    game = Game("AB")
    verse = game.put("A", made, "hand")
    game.begin()
    game.cast("A", verse)
    game.resolve()
    assert game.life("A") == 23


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "1 to 600"),
        ("Hum louder.", "not read at"),
        ("When Odd Kin enters, if it was kicked, draw a card.", "not sound"),
    ],
)
def test_words_that_are_not_read_are_refused(line: str, why: str) -> None:
    card = odd("The stars make its kin proud.")
    with pytest.raises(ActFault) as refused:
        reworded(card, "The stars make its kin proud.", line)
    assert why in refused.value.why
