"""Paying with mana abilities of every cost: what is offered can be paid, whatever is picked, and the search for a way ends."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.cards import forms
from server.cards.forms import Card
from server.rules.costs import mana_steps, payment
from server.rules.costs.source import Source
from server.rules.model import Cost, Pool, mana
from server.rules.model import questions as q
from server.rules.turn import legal
from tests.rules.play import Game, creature, noun

CREATURE = noun("a creature")
ONE_UP = forms.AddMana(mana="{C}{C}")


def maker(name: str, *cost: forms.AnyCost, do: forms.Tree, limit: int = 0) -> Card:
    ability = forms.ActivatedAbility(cost=cost, do=do, limit=limit)
    return Card(name=name, types="Artifact", cost="{0}", abilities=(ability,))


MAKERS = (
    maker("Pyre", forms.SacrificeCost(CREATURE), do=(ONE_UP,)),
    maker("Slow Pyre", forms.SacrificeCost(CREATURE), do=(forms.AddMana(mana="{W}{W}"),), limit=1),
    maker("Wise Pyre", forms.SacrificeCost(CREATURE), do=(forms.AddMana(mana="{U}"), forms.Draw())),
    maker("Sieve", forms.ManaCost(mana="{1}"), do=(forms.AddMana(choice="any"),)),
    maker("Double Sieve", forms.ManaCost(mana="{1}"), forms.TapCost(), do=(forms.AddMana(mana="{U}{B}"),)),
    maker("Leaves", forms.DiscardCost(noun("a card")), do=(forms.AddMana(mana="{R}"),)),
    maker("Vein", forms.LifeCost(2), do=(forms.AddMana(mana="{B}"),)),
    maker("Elf Altar", forms.SacrificeCost(noun("an Elf")), do=(forms.AddMana(mana="{G}"),)),
    maker("Song", forms.TapOthersCost(noun("an untapped creature you control")), do=(forms.AddMana(mana="{G}"),)),
    maker("Gem", forms.TapCost(), forms.SacrificeCost(noun("{this}")), do=(forms.AddMana(choice="any"),)),
    maker("Rock", forms.TapCost(), do=(forms.AddMana(mana="{C}"),)),
)
ELF = creature(
    "Leaf Elf",
    1,
    1,
    types="Creature — Elf",
    abilities=(forms.ActivatedAbility((forms.TapCost(),), (forms.AddMana(mana="{G}"),)),),
)
#: Those that want the same creatures for different mana.
RIVALS = tuple(card for card in MAKERS if card.name in ("Pyre", "Elf Altar", "Sieve"))
IDLER = creature("Idle Elf", 1, 1, types="Creature — Elf")
CREATURES = (creature("Cub", 1, 1), creature("Ox", 2, 3), ELF, IDLER)
COSTS = ("{2}", "{4}", "{G}{G}", "{2}{R}", "{W}{W}", "{1}{U}{U}", "{B}{B}", "{W}{U}{B}", "{7}", "{2}{G}")
EXTRA = forms.CastingCost(name="extra", cost=(forms.SacrificeCost(CREATURE),))


@st.composite
def boards(draw: st.DrawFn) -> Game:
    """A board of such abilities, and cards in hand."""
    game = Game("ABC", life=draw(st.sampled_from((3, 20))))
    some = draw(st.sampled_from((MAKERS, RIVALS, RIVALS)))
    for cards, least in ((some, 2), (CREATURES, 1)):
        for card in draw(st.lists(st.sampled_from(cards), min_size=least, max_size=4)):
            game.put("A", card)
    game.put("B", CREATURES[0], number=2)
    for number, cost in enumerate(draw(st.lists(st.sampled_from(COSTS), min_size=1, max_size=4))):
        extra = (EXTRA,) if draw(st.booleans()) else ()
        game.put("A", Card(name=f"Toy {number}", types="Artifact", cost=cost, abilities=extra), "hand")
    return game.begin()


@pytest.mark.rule("605.3a", "601.2g")
@settings(max_examples=250)
@given(boards(), st.integers(0, 2**32).map(random.Random))
def test_what_is_offered_is_cast_whatever_is_picked(game: Game, chance: random.Random) -> None:
    question = game.question
    assert isinstance(question, q.PriorityQuestion)
    casts = [index for index, action in enumerate(question.actions) if action.type == "cast"]
    if not casts:
        return
    index = chance.choice(casts)
    card = question.actions[index].object
    game.submit(q.Take(index))
    for _ in range(60):
        if isinstance(game.question, q.PriorityQuestion):
            break
        picked = chance.random() < 0.7
        game.submit(
            legal.sample(game.question, game.state, chance) if picked else legal.default(game.question, game.state)
        )
    assert game.zone(card) == "stack", game.asked


@pytest.mark.rule("605.3a")
def test_a_search_for_a_way_looks_no_more_often_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("AB")
    for card in (*MAKERS, *MAKERS):
        game.put("A", card)
    for number in range(30):
        game.put("A", creature(f"Beast {number}", 1, 1))
    game.begin()
    looks = 0

    def never(pool: Pool, sources: list[Source], cost: Cost, life: int = 0) -> bool:
        nonlocal looks
        looks += 1
        return False

    monkeypatch.setattr(payment, "can_pay_odd", never)
    assert mana_steps.way(game.state, 0, mana.parse_cost("{30}{W}{W}{W}{W}")) is None
    assert 0 < looks <= mana_steps.MOST_LOOKS, "one for each look"


@pytest.mark.rule("601.2f")
def test_no_search_is_begun_for_a_colour_that_nothing_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("AB")
    game.put("A", MAKERS[0])
    game.put("A", CREATURES[0], number=10)
    game.begin()
    monkeypatch.setattr(payment, "can_pay_odd", lambda *_: pytest.fail("looked for"))
    assert mana_steps.way(game.state, 0, mana.parse_cost("{2}{R}")) is None
