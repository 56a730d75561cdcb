"""What was looked at once is looked at again only where it is another, and then it is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.bench.placed import Side, placed
from server.cards.forms import Card
from server.rules.functioning import outside
from server.rules.model import Object, State, events, evolve, with_rare
from server.rules.turn import state_based
from tests.rules.play import creature

BEAR = creature("Hill Bear", 2, 2)
LAND = Card(name="Mountain", types="Basic Land — Mountain")
FLASHING = creature("Sudden Bear", 2, 2, "flash", cost="{1}")
SIDE = Side((BEAR, BEAR), (LAND,), (LAND,) * 9)


def changed(state: State, *others: Object) -> State:
    return evolve(state, objects={**state.objects, **{other.id: other for other in others}})


@pytest.mark.rule("704.3", "704.5g")
def test_a_permanent_of_no_concern_is_looked_at_again_once_it_is_another() -> None:
    state = placed((SIDE, SIDE), 20)
    assert state_based.check(state) == ()
    first, second = (state.objects[oid] for oid in state.battlefield[:2])
    hurt = changed(state, with_rare(first, damage=2))
    dying = (events.Destroy(subject=first.id, cause="lethal damage"),)
    assert state_based.check(hurt) == dying
    assert state_based.check(changed(hurt, replace(second, tapped=True))) == dying
    healed = changed(hurt, first)
    assert state_based.check(healed) == ()
    assert len(state_based.check(changed(healed, with_rare(first, damage=2), with_rare(second, damage=2)))) == 2


@pytest.mark.rule("112.6")
def test_a_card_that_comes_to_a_hand_is_looked_at() -> None:
    state = placed((SIDE, SIDE), 20)
    assert outside(state, 0).fast == ()
    top = state.objects[state.players[0].library[-1]]
    held = replace(state.players[0], hand=(*state.players[0].hand, top.id), library=state.players[0].library[:-1])
    sudden = placed((replace(SIDE, hand=(FLASHING,)), SIDE), 20)
    flashing = replace(sudden.objects[sudden.players[0].hand[0]], id=top.id)
    drawn = evolve(changed(state, flashing), players=(held, state.players[1]))
    assert outside(drawn, 0).fast == (top.id,)
    buried = replace(held, hand=held.hand[:-1], graveyard=(top.id,))
    gone = evolve(changed(drawn, replace(flashing, zone="graveyard")), players=(buried, state.players[1]))
    assert outside(gone, 0).fast == ()
