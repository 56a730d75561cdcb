"""Dependency between continuous effects (613.7): what has nothing to do with each other is not tried."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Amount, Count, Most, Noun
from server.rules import Options, State, characteristics
from server.rules.characteristics import ordering
from server.rules.continuous import Applied
from server.rules.turn import setup

KINDS = ("Wolf", "Bear", "Elf", "Goblin", "Bird", "Cat")


def enchantment(what: str, mod: forms.AnyModification) -> Card:
    return Card(name=what, types="Enchantment", abilities=(forms.Continuous(what=Noun(what), mods=(mod,), text=what),))


def table(*cards: Card, edition: str = "2011") -> State:
    state = setup.table(Options(seed="0", edition=edition), ("Ada", "Ben"))
    for card in cards:
        state, _ = setup.enter(state, 0, card)
    return state


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """The pairs of effects of which it was tried whether one depends on the other."""
    pairs: set[tuple[str, str]] = set()
    depends: Callable[..., bool] = ordering._depends

    def noting(state: State, made: object, works: object, one: Applied, other: Applied, kinds: object):
        assert one.what is not None and other.what is not None
        pairs.add((one.what.text, other.what.text))
        return depends(state, made, works, one, other, kinds)

    monkeypatch.setattr(ordering, "_depends", noting)
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


def bonus(what: str, power: int, toughness: int = 0) -> Card:
    return enchantment(what, forms.AddPT(power=power, toughness=toughness))


@pytest.mark.rule("613.7b")
def test_what_depends_on_a_loop_without_being_in_it_waits_for_the_loop() -> None:
    """The oldest effect waits for the other two, which wait for each other; of these the older is applied first."""
    rat = Card(name="Grey Rat", types="Creature — Rat", power="1", toughness="1")
    oldest = bonus("creatures with power 2 or less", 0, 4)
    older = bonus("creatures with power 1", 2)
    younger = bonus("Rat creatures with power 1 or less", 3)
    state = table(rat, oldest, older, younger)
    now = characteristics(state, state.battlefield[0])
    assert (now.power, now.toughness) == (3, 1)


@pytest.mark.rule("613.7a")
def test_bonuses_that_look_at_no_size_are_not_tried(tried: set[tuple[str, str]]) -> None:
    wolf = Card(name="Grey Wolf", types="Creature — Wolf", power="2", toughness="2")
    state = table(wolf, bonus("creatures", 1), bonus("Wolf creatures", 1), bonus("creatures you control", 1))
    assert characteristics(state, state.battlefield[0]).power == 5
    assert not tried


@pytest.mark.rule("613.7a")
@pytest.mark.parametrize(("edition", "power"), [("2011", 0), ("current", 3)])
def test_only_some_editions_have_defining_abilities_depend_on_one_another(edition: str, power: int) -> None:
    def defined(name: str, amount: Amount) -> Card:
        mods = (forms.DefinePT(power=amount, toughness=3),)
        ability = forms.Continuous(what=Noun("this creature"), mods=mods, text=name)
        return Card(name=name, types="Creature — Shapeshifter", power="*", toughness="3", abilities=(ability,))

    state = table(
        defined("Grey Envy", Most(stat="power", of=Noun("other creatures you control"))),
        defined("Grey Count", Count(of=Noun("creatures"))),
        Card(name="Grey Wall", types="Creature — Wall", power="0", toughness="3"),
        edition=edition,
    )
    assert characteristics(state, state.battlefield[0]).power == power
