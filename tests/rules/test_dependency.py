"""Dependency between continuous effects (613.7): what has nothing to do with each other is not tried."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun
from server.rules import Options, State, characteristics
from server.rules.characteristics import layers
from server.rules.turn import setup

KINDS = ("Wolf", "Bear", "Elf", "Goblin", "Bird", "Cat")


def enchantment(what: str, mod: forms.AnyModification) -> Card:
    return Card(name=what, types="Enchantment", abilities=(forms.Continuous(what=Noun(what), mods=(mod,), text=what),))


def table(*cards: Card) -> State:
    state = setup.table(Options(seed="0"), ("Ada", "Ben"))
    for card in cards:
        state, _ = setup.enter(state, 0, card)
    return state


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """The pairs of effects of which it was tried whether one depends on the other."""
    pairs: set[tuple[str, str]] = set()
    depends: Callable[..., bool] = layers._depends  # pyright: ignore[reportPrivateUsage]

    def noting(state: State, made: object, works: object, one: layers.Applied, other: layers.Applied, kinds: object):
        assert one.what is not None and other.what is not None
        pairs.add((one.what.text, other.what.text))
        return depends(state, made, works, one, other, kinds)

    monkeypatch.setattr(layers, "_depends", noting)
    return pairs


@pytest.mark.rule("613.7a")
def test_effects_that_speak_of_different_things_are_not_tried(tried: set[tuple[str, str]]) -> None:
    wolf = Card(name="Grey Wolf", types="Creature — Wolf", power="2", toughness="2")
    gains = (enchantment(f"{kind} creatures", forms.GainAbilities(keywords=("trample",))) for kind in KINDS)
    state = table(wolf, *gains)
    assert "trample" in characteristics(state, state.battlefield[0]).keywords
    assert not tried


@pytest.mark.rule("613.7a")
def test_effects_that_could_reach_other_objects_by_one_another_are_tried(tried: set[tuple[str, str]]) -> None:
    bird = Card(name="Grey Bird", types="Creature — Bird", power="1", toughness="1")
    reach = enchantment("creatures with flying", forms.GainAbilities(keywords=("reach",)))
    flying = enchantment("Bird creatures", forms.GainAbilities(keywords=("flying",)))
    state = table(bird, reach, flying)
    assert characteristics(state, state.battlefield[0]).keywords == {"flying", "reach"}
    assert tried == {("creatures with flying", "Bird creatures")}
