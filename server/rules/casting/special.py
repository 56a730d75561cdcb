"""Special actions (115.2): turning a permanent face up, exiling a card from the
hand to cast it later (suspend, foretell, plot), taking a companion. No stack.

Playing a land is one too and has its own entry among the actions.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Literal

import msgspec

from server.cards import forms
from server.cards.keywords import MORPHS
from server.rules.casting.castable import casting_cost_of, has_flash, split_second
from server.rules.casting.casting_permissions import Permission, choose_permission, open_permissions, uses
from server.rules.characteristics import amount, board, characteristics, is_marked
from server.rules.costs import as_side, costs, mana_paid, most_x
from server.rules.functioning import moments, usable
from server.rules.model import (
    Abilities,
    Action,
    AnnounceFrame,
    AnyAnswer,
    AnyQuestion,
    Next,
    Scope,
    State,
    ask,
    events,
    lookup,
    player_ref,
    with_x,
)

Asking = Generator[AnyQuestion, AnyAnswer, Next]
FACE_UP, FACE_UP_FOR_MANA, SUSPEND = "face up", "face up for its mana cost", "suspend"
COMPANION, COMPANION_COST = "companion", (forms.ManaCost(mana="{3}"),)


class FromHand(msgspec.Struct, frozen=True):
    """Exiling a card from the hand as a special action: when it may be done, for which cost if not the keyword's own, and
    how the card lies in exile."""

    when: Literal["castable", "your turn", "sorcery"]
    cost: forms.Costs = ()
    face_down: bool = False
    marked: str = ""


#: 702.60a (suspend), current 702.143a (foretell) and current 702.170a (plot).
FROM_HAND: dict[str, FromHand] = {
    SUSPEND: FromHand("castable"),
    "foretell": FromHand("your turn", (forms.ManaCost(mana="{2}"),), face_down=True, marked="foretold"),
    "plot": FromHand("sorcery", marked="plotted"),
}


def special_actions(state: State, seat: int, slow: bool) -> Iterator[Action]:
    """The special actions that a player could take and pay for now."""
    for oid in board(state).index.face_down:
        if state.objects[oid].controller == seat:
            for way, price in face_up_costs(state, oid).items():
                if costs.can_pay_costs(state, seat, price, Scope(oid, seat)):
                    yield Action("special", oid, way=way)
    if slow:
        for oid in state.command:  # current 702.139a, current 116.2g
            found = state.objects[oid]
            mine = found.owner == seat and lookup.is_companion(found)
            if mine and costs.can_pay_costs(state, seat, COMPANION_COST, Scope(oid, seat)):
                yield Action("special", oid, way=COMPANION)
    if state.stack and split_second(state):
        return
    for oid in usable(state, seat):
        card = state.objects[oid]
        abilities = card.definition.base.abilities
        if card.zone != "hand":
            continue
        for keyword in FROM_HAND:
            if keyword not in abilities.keywords or not _time(state, seat, oid, FROM_HAND[keyword].when, slow):
                continue
            if costs.can_pay_costs(state, seat, from_hand_cost(abilities, keyword), Scope(oid, seat)):
                yield Action("special", oid, way=keyword)


def _time(state: State, seat: int, oid: int, when: str, slow: bool) -> bool:
    if when == "castable":  # any time the card could be cast
        return slow or has_flash(state, seat, oid, characteristics(state, oid)) and not moments.held_back(state, seat)
    return slow if when == "sorcery" else lookup.is_active(state, seat)


def from_hand_cost(abilities: Abilities, keyword: str) -> forms.Costs:
    """What exiling the card from the hand costs."""
    return FROM_HAND[keyword].cost or abilities.quality(keyword)[0].cost


def face_up_costs(state: State, oid: int) -> dict[str, forms.Costs]:
    """For what a face-down permanent can be turned face up, by way: its morph cost (702.35d), and the mana cost of a creature card
    that was manifested or cloaked, whether it has morph or not (current 701.40b, c, current 701.58b)."""
    found = state.objects[oid]
    hidden_as = board(state).copies.get(oid, found.definition)  # 706.3: also what it has become a copy of
    base = hidden_as.base
    ways: dict[str, forms.Costs] = {}
    for _, morph in base.abilities.keyword_abilities:
        if morph.keyword in MORPHS:
            ways[FACE_UP] = morph.cost
    hidden = is_marked(found, "manifested") or is_marked(found, "cloaked")
    if hidden and "creature" in base.types and base.cost is not None:
        ways[FACE_UP_FOR_MANA] = (forms.ManaCost(mana=hidden_as.card.cost),)
    return ways


def perform(state: State, frame: AnnounceFrame) -> Asking:
    """Pays for a special action and does it."""
    seat, oid = frame.seat, frame.object
    found = state.objects.get(oid)
    if found is None:
        return Next()
    abilities = found.definition.base.abilities
    scope = Scope(oid, seat)
    more: tuple[events.Event, ...] = ()
    x = 0
    if frame.way in (FACE_UP, FACE_UP_FOR_MANA):
        price = face_up_costs(state, oid)[frame.way]
        # 107.3d: who turns it up chooses the X of its morph cost. In a mana cost that is only paid X is 0 (current 107.3h).
        wanted = costs.mana_cost(state, price, scope)
        if wanted.x and frame.way == FACE_UP:
            x = yield from ask.number(seat, 0, most_x(state, seat, wanted), "x", oid)
        done: events.Event = events.TurnFaceUp(subject=oid, amount=x)
        if (
            frame.way == FACE_UP and "megamorph" in abilities.keywords
        ):  # current 702.37b: it has a counter when turned up for this cost
            more = (events.PutCounters(subject=oid, amount=1, counter="+1/+1", by=oid),)
    elif frame.way == COMPANION:
        price = COMPANION_COST
        done = events.Move(subject=oid, to="hand", cause=COMPANION, reveal=True)
    else:
        way = FROM_HAND[frame.way]
        price = from_hand_cost(abilities, frame.way)
        number = amount(state, abilities.quality(SUSPEND)[0].number, scope) if frame.way == SUSPEND else 0
        done = events.Move(
            subject=oid,
            to="exile",
            counters=(("time", number),) if number else (),
            face_down=way.face_down,
            chosen=((way.marked, ""),) if way.marked else (),
            cause=frame.way,
        )
    batch = mana_paid(state, seat, with_x(costs.mana_cost(state, price, scope), x))
    if batch is None:
        return Next()
    batch.extend((yield from costs.pay(state, seat, price, scope)))
    return Next(batch=(*batch, done, *more))


def play_land(state: State, seat: int, action: Action) -> Generator[AnyQuestion, AnyAnswer, tuple[events.Event, ...]]:
    """Plays a land (115.2a): from elsewhere than the hand by the permission that the player picks."""
    oid = action.object
    view = as_side(state, oid, action.side)
    land = view.objects[oid]
    used: Permission | None = None
    if land.zone != "hand":
        abilities = characteristics(view, oid).abilities
        used = yield from choose_permission(seat, oid, open_permissions(view, seat, land, abilities, as_land=True))
    side = land.definition if action.side else None
    move = events.Move(subject=oid, to="battlefield", controller=seat, cause="play", definition=side)
    return (move, events.LandPlayed(subject=player_ref(seat), object=oid, cause=land.zone), *uses(used))


__all__ = ["FACE_UP", "FROM_HAND", "SUSPEND", "casting_cost_of", "perform", "play_land", "special_actions"]
