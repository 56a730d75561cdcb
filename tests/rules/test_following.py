"""Layers that follow changes: after any change to a board what is kept of it is what all layers applied to everything come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bench.invariants import followed
from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Count, Noun, Plus, Times
from server.rules import Options, State, characteristics
from server.rules.characteristics import board, layers
from server.rules.characteristics.following import follow_all
from server.rules.continuous import Followed, Index
from server.rules.model import Floating, Object, changed, define, evolve
from server.rules.turn import setup

THIS, ATTACHED = forms.THIS, "enchanted creature"
ONE = forms.AddPT(power=1, toughness=1)


def creature(name: str, *mods_of: tuple[str, forms.AnyModification], kind: str = "Wolf", size: str = "2") -> Card:
    abilities = tuple(forms.Continuous(what=Noun(what), mods=(mod,), text=what) for what, mod in mods_of)
    return Card(name=name, types=f"Creature — {kind}", cost="{G}", power=size, toughness=size, abilities=abilities)


def keyword(*names: str) -> forms.GainAbilities:
    return forms.GainAbilities(keywords=names)


def count(what: str) -> Count:
    return Count(Noun(what))


WOLF = creature("Grey Wolf")
LEADER = creature("Wolf Leader", ("other Wolf creatures you control", ONE))
CARDS = (
    WOLF,
    LEADER,
    creature("Grey Bear", kind="Bear"),
    creature(
        "Wolf Herald", ("other Wolf creatures you control", ONE), ("Wolf creatures you control", keyword("trample"))
    ),
    creature("Bear Herald", ("creatures", keyword("vigilance", "first strike")), kind="Bear"),
    creature("Wolf Bane", ("creatures your opponents control", forms.AddPT(power=1, toughness=0, minus=True))),
    creature("As Many", (THIS, forms.DefinePT(power=count("creatures"), toughness=count("Wolf creatures"))), size="*"),
    creature("More With Others", (THIS, forms.AddPT(power=count("other Wolf creatures you control"), toughness=0))),
    creature(
        "Gives Many",
        (
            "creatures you control",
            forms.AddPT(power=Times(2, count("Bear creatures")), toughness=Plus((1, count("Elf creatures")))),
        ),
        kind="Elf",
    ),
    creature("Turns Red", ("Bear creatures", forms.SetColors(colors="R"))),
    creature("Red Helper", ("red creatures", ONE)),
    creature("Wolf Maker", ("Bear creatures", forms.SetTypes(subtypes=("Wolf",)))),
    creature("Flier's Friend", ("creatures with flying", ONE)),
    creature("Quiet One", ("Bear creatures", forms.LoseAbilities())),
    creature("Guard", ("creatures you control", forms.Flag(rule="can't attack"))),
    creature("Everlasting", ("other creatures you control", forms.IsIndestructible())),
    creature("Upside Down", ("Elf creatures", forms.SwitchPT())),
    Card(
        name="Great Coat",
        types="Enchantment — Aura",
        abilities=(
            forms.Continuous(
                what=Noun(ATTACHED), mods=(forms.AddPT(power=count("creatures you control"), toughness=1),)
            ),
            forms.Continuous(what=Noun(ATTACHED), mods=(forms.SetTypes(subtypes=("Bear",)),)),
        ),
    ),
)


class Table:
    """A battlefield that is changed by hand, each change followed from the board before it."""

    def __init__(self, edition: str = "2011") -> None:
        self.state: State = setup.table(Options(seed="0", edition=edition), ("Ada", "Ben", "Cay"))

    def change(self, **changes: object) -> None:
        board(self.state)
        self.state = evolve(self.state, **changes)

    def put(self, card: Card, seat: int = 0) -> int:
        state = self.state
        oid = state.next_id
        made = Object(oid, define(card), seat, seat, "battlefield", timestamp=state.clock + 1, base=seat)
        self.change(
            objects={**state.objects, oid: made},
            battlefield=(*state.battlefield, oid),
            next_id=oid + 1,
            clock=state.clock + 1,
        )
        return oid

    def take(self, oid: int) -> None:
        objects = {i: o for i, o in self.state.objects.items() if i != oid}
        self.change(objects=objects, battlefield=tuple(i for i in self.state.battlefield if i != oid))

    def alter(self, oid: int, **changes: Any) -> None:
        # What turns over, phases or becomes another card makes the battlefield another tuple.
        battlefield = (*self.state.battlefield,)
        altered = changed(self.state.objects[oid], **changes)
        self.change(objects={**self.state.objects, oid: altered}, battlefield=battlefield)

    def make(self, what: str, mod: forms.AnyModification, objects: tuple[int, ...] | None, seat: int = 0) -> None:
        ability = forms.Continuous(what=Noun(what), mods=(mod,))
        state = self.state
        made = Floating(state.next_id, ability, seat, 0, state.clock + 1, "end of turn", objects)
        self.change(effects=(*state.effects, made), next_id=state.next_id + 1, clock=state.clock + 1)

    def size(self, oid: int) -> tuple[int | None, int | None]:
        c = characteristics(self.state, oid)
        return c.power, c.toughness

    def is_followed(self) -> bool:
        return isinstance(board(self.state), Followed)


@pytest.mark.rule("613.1")
def test_who_leads_makes_bigger_who_comes_and_no_longer_when_gone() -> None:
    table = Table()
    first, leader = table.put(WOLF), table.put(LEADER)
    assert table.size(first) == (3, 3) and table.size(leader) == (2, 2)
    second, theirs = table.put(WOLF), table.put(WOLF, 1)
    assert table.size(second) == (3, 3) and table.size(theirs) == (2, 2)
    another = table.put(LEADER)
    assert table.size(leader) == (3, 3) and table.size(first) == (4, 4)
    table.alter(another, controller=1)
    assert table.size(first) == (3, 3) and table.size(theirs) == (3, 3) and table.size(another) == (2, 2)
    table.take(leader)
    assert table.size(first) == (2, 2) and table.is_followed() and followed(table.state) == []


def test_a_state_whose_board_is_made_remembers_no_board_of_another() -> None:
    table = Table()
    table.put(LEADER)
    table.put(WOLF)
    assert table.is_followed()
    kept = [made for made in table.state.memo.values() if isinstance(made, Followed)]
    assert len(kept) == 1 and kept[0].objects is table.state.objects


@pytest.mark.rule("613.3")
def test_what_counts_follows_what_is_counted() -> None:
    table = Table()
    many = table.put(next(card for card in CARDS if card.name == "As Many"))
    more = table.put(next(card for card in CARDS if card.name == "More With Others"))
    assert table.size(many) == (2, 2) and table.size(more) == (3, 2)
    bear, wolf = table.put(CARDS[2], 1), table.put(WOLF, 0)
    assert table.size(many) == (4, 3) and table.size(more) == (4, 2)
    table.alter(bear, phased_out=True)
    table.take(wolf)
    assert table.size(many) == (2, 2) and table.size(more) == (3, 2)
    assert table.is_followed() and followed(table.state) == []


@pytest.mark.rule("613.5")
def test_what_becomes_a_wolf_is_led_as_one() -> None:
    table = Table()
    leader, bear = table.put(LEADER), table.put(CARDS[2])
    assert table.size(bear) == (2, 2)
    table.make("target creature", forms.SetTypes(subtypes=("Wolf",)), (bear,))
    assert table.size(bear) == (3, 3) and table.is_followed() and followed(table.state) == []
    table.change(effects=())
    assert table.size(bear) == (2, 2) and table.size(leader) == (2, 2)


@pytest.mark.rule("702.24b")
def test_a_leader_that_is_phased_out_leads_nobody_whatever_it_has_gained() -> None:
    table = Table()
    leader, wolf = table.put(LEADER), table.put(WOLF)
    table.put(
        next(card for card in CARDS if card.name == "Quiet One")
    )  # with which the layers are applied to everything
    table.make("target creature", keyword("flying"), (leader,))
    assert table.size(wolf) == (3, 3) and not table.is_followed()
    table.alter(leader, phased_out=True)
    assert table.size(wolf) == (2, 2)


@pytest.mark.rule("613.7a")
def test_effects_that_could_depend_on_each_other_are_not_followed() -> None:
    table = Table()
    table.put(LEADER)
    bear = table.put(CARDS[2])
    assert table.is_followed()
    maker = table.put(next(card for card in CARDS if card.name == "Wolf Maker"))
    assert table.size(bear) == (3, 3) and not table.is_followed()
    table.take(maker)
    assert table.size(bear) == (2, 2) and table.is_followed()


def test_whether_a_board_can_be_followed_is_asked_again_where_what_lies_there_is_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not after each change to what lies there already."""
    asked: list[State] = []

    def asks(state: State, index: Index) -> Followed | None:
        asked.append(state)
        return follow_all(state, index)

    monkeypatch.setattr(layers, "follow_all", asks)
    table = Table()
    table.put(LEADER)
    bear = table.put(CARDS[2])
    maker = table.put(next(card for card in CARDS if card.name == "Wolf Maker"))
    assert not table.is_followed()
    known = len(asked)
    for damage in (1, 2):
        objects = table.state.objects
        table.change(objects={**objects, bear: changed(objects[bear], damage=damage)})
        assert table.size(bear) == (3, 3) and len(asked) == known
    table.take(maker)
    assert table.is_followed() and len(asked) == known + 1


def _tap(table: Table, oid: int, n: int) -> None:
    table.alter(oid, tapped=n % 2 == 0, damage=n)


def _attach(table: Table, oid: int, n: int) -> None:
    table.alter(oid, attached_to=table.state.battlefield[n % len(table.state.battlefield)])


def _counter(table: Table, oid: int, n: int) -> None:
    counters = ((), (("+1/+1", 1 + n),), (("flying", 1),), (("loyalty", 1), ("-1/-1", 2)))
    table.alter(oid, counters=counters[n % 4])


def _pump(table: Table, oid: int, n: int) -> None:
    mods: tuple[forms.AnyModification, ...] = (
        ONE,
        keyword("flying"),
        forms.SetPT(power=n, toughness=4),
        forms.SetTypes(subtypes=("Elf",)),
        forms.SetColors(colors="R", replace=False),
    )
    table.make("target creature", mods[n % len(mods)], (oid, oid + 1))


def _sweep(table: Table, oid: int, n: int) -> None:
    table.make("creatures you control", ONE, None, n % 3)


CHANGES: tuple[Callable[[Table, int, int], None], ...] = (
    lambda table, oid, n: table.take(oid),
    lambda table, oid, n: table.alter(oid, controller=n % 3),
    lambda table, oid, n: table.alter(oid, phased_out=n % 2 == 0),
    lambda table, oid, n: table.alter(oid, face_down=n % 2 == 0),
    lambda table, oid, n: table.alter(oid, timestamp=table.state.clock + n),
    lambda table, oid, n: table.alter(oid, definition=define(CARDS[n % len(CARDS)])),
    lambda table, oid, n: table.change(effects=table.state.effects[n % 3 :]),
    _tap,
    _attach,
    _counter,
    _pump,
    _sweep,
)
DOINGS = st.lists(st.tuples(st.integers(0, len(CHANGES) + 7), st.integers(0, 60), st.integers(0, 60)), max_size=40)


@given(DOINGS, st.sampled_from(("2009", "2011", "current")))
def test_a_board_that_is_followed_is_the_one_made_anew(doings: list[tuple[int, int, int]], edition: str) -> None:
    table = Table(edition)
    for what, where, n in doings:
        there = table.state.battlefield
        if what < len(CHANGES) and there:
            CHANGES[what](table, there[where % len(there)], n)
        else:
            table.put(CARDS[n % len(CARDS)], where % 3)
        assert followed(table.state) == []
