"""The log: each viewer's own version of what happened."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from protocol.words import catalogue, fill
from server.knowledge.events import WRITERS, Scene
from server.rules.model import EDITIONS, player_ref, votes
from server.rules.model import events as done
from tests.rooms.states import BEAR, PLAN, everything, state_of, thing


def said(before: Any, after: Any, *happened: done.Event) -> dict[int | None, list[str]]:
    lines = Scene(before, after).write(happened)
    out: dict[int | None, list[str]] = {}
    for viewer in (0, 1, 2, None):
        events = [event for line in lines if (event := line.of(viewer)) is not None]
        for event in events:
            assert event.key in catalogue("en"), event.key
            assert "{" not in fill(event.key, event.args), event
        out[viewer] = [fill(event.key, event.args) for event in events]
    return out


def test_a_draw_is_known_to_the_one_who_draws() -> None:
    before = state_of(thing(1, PLAN, "library"), thing(2, BEAR, "library"))
    after = state_of(thing(101, PLAN, "hand", known=1), thing(102, BEAR, "hand", known=1))
    draws = [
        done.Move(subject=1, to="hand", from_="library", became=101, cause="draw"),
        done.Move(subject=2, to="hand", from_="library", became=102, cause="draw"),
    ]
    lines = said(before, after, *draws)
    assert lines[0] == ["P0 draws Secret Plan, Bear."]
    assert lines[1] == lines[2] == lines[None] == ["P0 draws 2 cards."]
    public = Scene(before, after).write(draws)[0].public
    assert public is not None and "101" not in repr(public) and "Plan" not in repr(public)


def test_hidden_moves_are_hidden_and_shown_ones_are_shown() -> None:
    before = state_of(thing(1, PLAN, "hand"), thing(2, BEAR, "battlefield"))
    after = state_of(thing(101, PLAN, "library"), thing(102, BEAR, "hand", known=1))
    lines = said(
        before,
        after,
        done.Move(subject=1, to="library", from_="hand", became=101),
        done.Move(subject=2, to="hand", from_="battlefield", became=102),
    )
    assert lines[0] == ["Secret Plan goes to P0's library.", "Bear goes to P0's hand."]
    assert lines[1] == lines[None] == ["a card goes to P0's library.", "Bear goes to P0's hand."]
    down = state_of(thing(103, PLAN, "exile", face_down=True, known=0b010))
    lines = said(
        state_of(thing(3, PLAN, "library")),
        down,
        done.Move(subject=3, to="exile", from_="library", became=103, face_down=True),
    )
    assert lines[1] == ["Secret Plan is exiled."]
    assert lines[0] == lines[None] == ["a card is exiled."]


def test_damage_unfolds_into_its_parts() -> None:
    state = everything()
    hit = [
        done.Damage(subject=10, object=player_ref(1), amount=3, combat=True),
        done.LoseLife(subject=player_ref(1), amount=3, by=10, cause="damage"),
        done.GainLife(subject=player_ref(0), amount=3, by=10, cause="lifelink"),
    ]
    lines = [line.public for line in Scene(state, state).write(hit)]
    assert [line.rule for line in lines if line] == ["119.4a", "119.3a", "119.3f"]
    now = replace(state, edition=EDITIONS["current"])
    lines = [line.public for line in Scene(now, now).write(hit)]
    assert [line.rule for line in lines if line] == ["120.4b", "120.3a", "120.3f"]
    told = ["Bear deals 3 damage to P1.", "P1 loses 3 life.", "P0 gains 3 life: Bear has lifelink."]
    assert said(state, state, *hit)[None] == told


def test_each_line_of_damage_knows_its_part() -> None:
    state = everything()
    hit = [
        done.Prevented(subject=10, object=player_ref(1), amount=1),
        done.Damage(subject=10, object=13, amount=2),
        done.PutCounters(subject=13, amount=2, counter="-1/-1", by=10, cause="damage"),
        done.DamageHappened(),
    ]
    lines = [line.public for line in Scene(state, state).write(hit)]
    assert [(line.args["part"], line.rule) for line in lines if line] == [
        (1, "615.1"),
        (1, "119.4a"),
        (2, "119.3d"),
        (3, "119.4c"),
    ]


def test_reveal_and_look() -> None:
    state = everything()
    assert said(state, state, done.Reveal(objects=(6,), seats=0b111))[None] == ["P2 reveals Secret Plan."]
    lines = said(state, state, done.Reveal(objects=(6,), seats=0b001))
    assert lines == {0: ["P2's cards looked at: Secret Plan."], 1: [], 2: [], None: []}


def test_every_writer_has_its_sentence() -> None:
    """Each kind that is shown, in its barest form, has a key in the catalogue and all places filled."""
    state = everything()
    ability = done.AbilityOnStack(subject=-1, by=10, entry=state.objects[30].entry)
    special: dict[type[done.Event], done.Event] = {
        done.Move: done.Move(subject=10, to="graveyard", from_="battlefield", became=20),
        done.AbilityOnStack: ability,
        done.AttackersDeclared: done.AttackersDeclared(subject=-1, attacks=((10, -2, 0), (10, 12, 0))),
        done.BlockersDeclared: done.BlockersDeclared(subject=-2, blocks=((13, 10),)),
        done.Reveal: done.Reveal(objects=(10,), seats=7),
        done.ControlChanged: done.ControlChanged(subject=10, object=-2),
        done.Damage: done.Damage(subject=10, object=-1, amount=1),
        votes.Votes: votes.Votes(subject=-1, object=-2),
        votes.Decides: votes.Decides(subject=-1, yes=True, objects=(10,)),
    }
    of_players = (
        done.StepEntered, done.Cast, done.Activated, done.LoseLife, done.GainLife, done.Loses, done.Wins, done.Mulligan,
        done.DieRolled, done.CoinFlipped, done.Shuffle, done.SearchLibrary, done.Scried, done.ExtraTurn, done.Acted, done.Restarts,
    )  # fmt: skip
    for kind in WRITERS:
        event = special.get(kind) or kind(subject=-1 if kind in of_players else 10, object=30, by=10, amount=1)
        said(state, state, event)


def test_steps() -> None:
    state = everything()
    for step in ("untap", "begin_combat", "first_combat_damage", "end_combat", "end_turn", "cleanup", "draw"):
        said(state, state, done.StepEntered(subject=-1, step=step))
