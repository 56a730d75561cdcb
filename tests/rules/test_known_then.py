"""What is kept of things as they entered (603.6a): for a turn, in snapshots, and of what lies face down no more than is seen."""

from __future__ import annotations

from typing import Any

import pytest

from server import rules
from server.cards.forms import Card
from server.cards.loading import Entry
from server.knowledge.redacted import redact
from server.oracle.reading import read_card
from server.rules import snapshot
from server.rules.model import State
from tests.rules.play import FILLER, Game


def _elf(name: str) -> Card:
    card = read_card(Entry(name, "{9}", "Creature — Elf", "Morph {0}", power="2", toughness="2"))
    assert isinstance(card, Card), card
    return card


def _entered_face_down(name: str = "Veiled Elf") -> tuple[Game, Card]:
    card = _elf(name)
    game = Game("AB", edition="current")
    for _ in range(3):
        game.put("A", Card(name="Grey Moor", types="Land — Desert", abilities=_mana()))
    elf = game.put("A", card, "hand")
    game.begin()
    game.cast("A", elf, way="face down")
    game.resolve()
    return game, card


def _mana() -> tuple[Any, ...]:
    land = read_card(Entry("Grey Moor", "", "Land — Desert", "{T}: Add {C}."))
    assert isinstance(land, Card)
    return land.abilities


def _kept(state: State) -> list[tuple[str, frozenset[str]]]:
    return [(one.object.definition.card.name, one.characteristics.subtypes) for one in state.known_then.values()]


@pytest.mark.rule("603.6a", "707.2")
def test_what_entered_face_down_is_kept_without_its_face_for_others() -> None:
    game, card = _entered_face_down()
    assert _kept(game.state) == [(card.name, frozenset())]
    (mine,), (theirs,) = (_kept(redact(game.state, seat).state) for seat in (0, 1))
    assert mine[0] == card.name and theirs[0] != card.name
    other, _ = _entered_face_down("Hidden Elf")
    assert repr(redact(other.state, 1)) == repr(redact(game.state, 1))


def test_it_is_in_snapshots_and_over_with_the_turn() -> None:
    game, card = _entered_face_down()
    cards = (card, FILLER, *(o.definition.card for o in game.state.objects.values()))
    again = snapshot.read(snapshot.write(game.state, cards), cards)
    assert rules.fingerprint(again) == rules.fingerprint(game.state) and _kept(again) == _kept(game.state)
    game.pass_until("end_turn")
    game.resolve_all()
    game.pass_until("upkeep")
    assert not game.state.known_then
