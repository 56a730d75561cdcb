"""What a player with priority can do: one entry for each object and way of casting or activating (116.1).

The list is complete: clients and bots have no rules of their own. An entry is there if its timing allows it, the mana that
the player can make pays for it, its other costs can be paid, and every target slot has a legal choice.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from server.cards import forms
from server.cards.keywords import MORPHS
from server.rules.casting import short_lists
from server.rules.casting.calling import by_hand_here, calls
from server.rules.casting.castable import (
    FACE_DOWN_WAY,
    OFFERING,
    SAID,
    as_it_is_cast,
    as_though_own,
    can_cast,
    can_cast_plainly,
    can_pay_plainly,
    casting_cost_of,
    has_flash,
    is_plain,
    nothing_said,
    split_second,
    ways,
)
from server.rules.casting.casting_permissions import (
    can_play_land,
    casting_abilities,
    is_own_commander,
    may_play_land,
    permissions,
)
from server.rules.casting.cost_changes import ability_cost
from server.rules.casting.short_lists import PASS
from server.rules.casting.special import special_actions
from server.rules.characteristics import Followed, board, characteristics, holds, rules_about
from server.rules.costs import ability_substitutes, as_face_down, as_side, can_pay_costs, can_tap, costs, mana_available
from server.rules.functioning import all_rules, has_targets, in_force, outside, silenced, timeless, usable
from server.rules.model import (
    Abilities,
    Action,
    Characteristics,
    Counted,
    Definition,
    Object,
    Scope,
    State,
    activated,
    castable_sides,
    is_mana_ability,
    lookup,
    of_board,
    this_turn,
)

TAPPING = (forms.TapCost(),)
"""What most activated abilities without a cost in mana cost."""


def actions(state: State, seat: int) -> tuple[Action, ...]:
    """All legal actions of a player who has priority, passing first; made once for each state."""
    key = ("actions", seat)
    made = state.memo.get(key)
    if made is None:
        slow = lookup.sorcery_time(state, seat)
        made = short_lists.kept(state, seat, slow) or short_lists.unchanged(state, seat, slow)
        made = made or _in_parts(state, seat, slow) or _enumerate(state, seat, slow)
        state.memo[key] = made
    return made


def _in_parts(state: State, seat: int, slow: bool) -> tuple[Action, ...] | None:
    """The list where it is made of parts that are kept, None where it is not."""
    parts = short_lists.parts(state, seat, slow)
    if parts is None:
        return None
    if parts.hand.asked:
        cards = [state.objects[oid] for oid in parts.hand.asked]
        ways = {card.id: castable(state, seat, card, characteristics(state, card.id), slow) for card in cards}
        parts = replace(parts, asked={i: tuple(Action("cast", i, way=way) for way in ways[i]) for i in ways})
    found = _of_permanents(state, seat, slow)
    if usable(state, seat):
        _elsewhere(state, seat, slow, found)
        found.extend(special_actions(state, seat, slow))
    return short_lists.together(state, seat, slow, parts, found)


def _of_permanents(state: State, seat: int, slow: bool) -> list[Action]:
    found: list[Action] = []
    alike: Alike = {}
    for oid in board(state).index.activated:
        _abilities(state, seat, oid, slow, found, alike)
    return found


def actions_in_full(state: State, seat: int) -> tuple[Action, ...]:
    """The actions as they are found with nothing remembered and by no short way: what `actions` has to be."""
    fresh = replace(state, memo={SAID: dict.fromkeys(range(len(state.players)), False)})
    return _enumerate(fresh, seat, lookup.sorcery_time(fresh, seat))


def _enumerate(state: State, seat: int, slow: bool) -> tuple[Action, ...]:
    found: list[Action] = [PASS]
    _from_hand(state, seat, slow, found)
    found.extend(_of_permanents(state, seat, slow))
    _elsewhere(state, seat, slow, found)
    if board(state).index.face_down or usable(state, seat) or (slow and state.command):
        found.extend(special_actions(state, seat, slow))
    if by_hand_here(state):
        found.extend(calls(state))
    _mana_abilities(state, seat, found)
    return tuple(found)


def _from_hand(state: State, seat: int, slow: bool, found: list[Action]) -> None:
    objects = state.objects
    same: dict[int, tuple[str, ...]] = {}
    faced: list[Object] = []
    lands: bool | None = None
    b = board(state)
    ruled = bool(all_rules(state))
    plain = not b.index.cost_changes and not ruled
    unchanged = plain and nothing_said(state, seat)
    followed = isinstance(b, Followed)  # whose effects reach no hand
    # Most of the time is not the time for most cards.
    for oid in outside(state, seat).fast if followed and not (slow or ruled or b.changed) else state.players[seat].hand:
        card = objects[oid]
        if card.definition.card.faces:
            faced.append(card)
            if card.definition.card.layout == "split":
                continue
        c = characteristics(state, oid)
        if "land" in c.types:
            if lands is None:
                lands = slow and can_play_land(state, seat)
            if lands:
                found.append(Action("play_land", oid))
            _face_down(state, seat, card, c, slow, found)
            continue
        known = same.get(id(card.definition)) if plain else None
        if known is None:
            if unchanged and is_plain(c) and not card.commander:
                fast = slow or "instant" in c.types or "flash" in c.keywords
                known = ("",) if fast and can_cast_plainly(state, seat, oid, c) else ()
            else:
                known = castable(state, seat, card, c, slow)
            same[id(card.definition)] = known
        for way in known:
            found.append(Action("cast", oid, way=way))
    for card in faced:
        _other_sides(state, seat, card, slow, found, unchanged and followed and card.id not in b.changed)


def _face_down(state: State, seat: int, card: Object, c: Characteristics, slow: bool, found: list[Action]) -> None:
    """A land card with morph is no spell but face down (702.35a)."""
    if c.abilities.keywords & MORPHS and FACE_DOWN_WAY in castable(state, seat, card, c, slow):
        found.append(Action("cast", card.id, way=FACE_DOWN_WAY))


def _other_sides(state: State, seat: int, card: Object, slow: bool, found: list[Action], printed: bool = False) -> None:
    """By which of its other faces a card can be cast or played: only that face is evaluated (708.2a, current 712.11c). `printed`:
    each is as it is printed, and nothing in force is about casting."""
    printed = printed and not (card.commander or card.definition.base.abilities.usable_outside)
    for side in castable_sides(card.definition, card.zone):
        as_ = card.definition.sides[side - 1]
        if printed and (known := _as_printed(state, seat, card.id, side, as_, slow)) is not None:
            found.extend(known)
            continue
        view = as_side(state, card.id, side)
        seen, c = view.objects[card.id], characteristics(view, card.id)
        if "land" in c.types:
            permitted = card.zone == "hand" or may_play_land(view, seat, seen)
            if permitted and slow and can_play_land(state, seat):
                found.append(Action("play_land", card.id, side=side))
            continue
        for way in castable(view, seat, seen, c, slow):
            found.append(Action("cast", card.id, way=way, side=side))


def _as_printed(state: State, seat: int, oid: int, side: int, as_: Definition, slow: bool) -> list[Action] | None:
    """What can be done with a card in hand as a side; None if it has to be looked at as that."""
    said = short_lists.printed(as_)
    if said.land:
        return [Action("play_land", oid, side=side)] if slow and can_play_land(state, seat) else []
    if said.plain and not ((slow or said.fast) and can_pay_plainly(state, seat, oid, as_.base)):
        return []
    return [Action("cast", oid, side=side)] if said.plain and not said.aims else None


def castable(state: State, seat: int, card: Object, c: Characteristics, slow: bool) -> tuple[str, ...]:
    """The ways in which a player can cast a card now, each once: of two flashbacks (702.32) it is the first, which the card itself has."""
    abilities = casting_abilities(state, seat, card, c.abilities) if board(state).for_spells else c.abilities
    fast = slow or has_flash(state, seat, card.id, c)
    if card.zone == "hand" and abilities.ordinary and not all_rules(state):
        return ("",) if fast and can_cast(state, seat, card, c) else ()
    return tuple(
        way
        for way in dict.fromkeys(ways(state, seat, card, abilities))
        if _in_time(state, seat, card, abilities, way, slow, fast) and can_cast(state, seat, card, c, way)
    )


def _in_time(state: State, seat: int, card: Object, abilities: Abilities, way: str, slow: bool, fast: bool) -> bool:
    """Whether it is the time to cast a card this way: `slow` if a sorcery could be cast, `fast` if the card could be otherwise."""
    cost = casting_cost_of(abilities, way) if way else None
    if slow or cost is not None and cost.slow:
        return slow
    view = as_it_is_cast(state, card, way)
    if view is not state:  # its time is that of what it is as a spell, as of the Aura that a bestowed card is
        fast = has_flash(view, seat, card.id, characteristics(view, card.id))
    return fast or way == OFFERING or cost is not None and cost.fast


# --- abilities -------------------------------------------------------------------------------------------------------------


Alike: TypeAlias = dict[tuple[int, int], bool]
"""By characteristics, told apart by identity, and index: whether an ability for {T} can be activated of what can be tapped."""


def _abilities(state: State, seat: int, oid: int, slow: bool, found: list[Action], alike: Alike) -> None:
    source = state.objects[oid]
    c = characteristics(state, oid)
    mine = source.controller == seat
    for index, ability in c.abilities.activated:
        if not mine and ability.by == "controller":
            continue
        if ability.cost == TAPPING and mine:
            if not can_tap(state, source):
                continue
            if can_be_alike(state, oid, c):
                key = (id(c), index)
                if key not in alike:
                    alike[key] = can_activate(state, seat, source, c, index, ability, slow)
                if alike[key]:
                    found.append(Action("activate", oid, index))
                continue
        if ability.zone == "battlefield" and can_activate(state, seat, source, c, index, ability, slow):
            found.append(Action("activate", oid, index))


def can_be_alike(state: State, oid: int, c: Characteristics) -> bool:
    """Whether of all that a player controls with just these characteristics the same can be activated: nothing asks which of them it is
    or for its time, and no effect is about it alone."""
    return not (
        oid in board(state).flags or all_rules(state) or in_force(state, forms.CostChange)
    ) and timeless.asks_nothing(c)


def can_activate(
    state: State,
    seat: int,
    source: Object,
    c: Characteristics,
    index: int,
    ability: forms.ActivatedAbility,
    slow: bool,
) -> bool:
    """Whether a player may begin to activate an ability and can pay for it (602.2, 602.5, 606.3)."""
    if not _may_activate(state, seat, source, ability):
        return False
    if any(isinstance(p, forms.TapCost) for p in ability.cost) and not can_tap(state, source):
        return False
    loyalty = is_loyalty(ability)
    if loyalty and this_turn(state, Counted.LOYALTY, source.id):
        return False
    if loyalty and not slow and not any(r.flag.rule == LOYALTY_AS_INSTANT for r in rules_about(state, source.id)):
        return False
    if (
        not loyalty
        and not _activation_time(state, seat, ability, slow)
        and not _as_an_instant(state, source.id, ability)
    ):
        return False
    if ability.limit > 0 and this_turn(state, activated(index), source.id) >= ability.limit:
        return False
    if ability.limit < 0 and any(what == f"exhausted {index}" for what, _ in source.chosen):
        return False
    scope = Scope(source.id, seat, source.entry)
    if ability.condition is not None and not holds(state, ability.condition, scope):
        return False
    if silenced(state, source.id, seat, mana=(index, ability) in c.abilities.mana):
        return False
    if state.stack and split_second(state) and (index, ability) not in c.abilities.mana:
        return False  # 702.59a: mana abilities still can be
    scope = Scope(source.id, seat)  # what was announced for the permanent as a spell is not this ability's
    if not _affordable(state, seat, source, ability, scope):
        return False
    if ability.modes:
        return sum(has_targets(state, m.do, scope) for m in ability.modes) >= (1 if ability.again else ability.least)
    return has_targets(state, ability.do, scope)


def _affordable(state: State, seat: int, source: Object, ability: forms.ActivatedAbility, scope: Scope) -> bool:
    """Whether a player can pay what an ability costs, with what effects add and take (602.2b)."""
    if ability.cost == TAPPING and not ability.changes and not in_force(state, forms.CostChange):
        return can_tap(state, source)
    others = tuple(part for part in ability.cost if not isinstance(part, forms.ManaCost))
    if not can_pay_costs(state, seat, others, scope):
        return False
    cost = ability_cost(state, seat, source, ability, scope)
    taps = source.id if any(isinstance(part, forms.TapCost) for part in others) else 0
    substitutes = ability_substitutes(state, seat, source.id, ability.cost)
    # A mana ability is paid for by plain events; nothing is announced for it (605.3b).
    substitutes = substitutes._replace(paying=None) if is_mana_ability(ability) else substitutes._replace(given=others)
    feasible = costs.feasible_x(state, seat, others, cost, scope, taps, substitutes)
    return mana_available(state, seat, cost, taps, substitutes) if feasible is None else bool(feasible)


def _may_activate(state: State, seat: int, source: Object, ability: forms.ActivatedAbility) -> bool:
    controller = source.controller if source.zone == "battlefield" else source.owner
    if not lookup.in_range(state, seat, controller):
        return False  # 801.6
    if ability.by == "any player":
        return True
    if ability.by == "opponent":
        return seat in lookup.opponents(state, controller)
    if ability.by == "owner":
        return seat == source.owner
    return seat == controller


def _activation_time(state: State, seat: int, ability: forms.ActivatedAbility, slow: bool) -> bool:
    if ability.timing == "instant":
        return True  # with priority, which is never while something is paid for
    return slow if ability.timing == "sorcery" else lookup.in_time(state, seat, ability.timing)


def _as_an_instant(state: State, oid: int, ability: forms.ActivatedAbility) -> bool:
    """Whether its controller may activate an ability of that keyword whenever they have priority (304.5)."""
    rules = rules_about(state, oid) if ability.keyword else ()
    return any(r.flag.rule == "abilities as an instant" and r.flag.keyword == ability.keyword for r in rules)


LOYALTY_AS_INSTANT = "loyalty abilities as an instant"


def is_loyalty(ability: forms.ActivatedAbility) -> bool:
    """Whether an ability is a loyalty ability (606.2)."""
    return any(isinstance(p, forms.LoyaltyCost) for p in ability.cost)


ELSEWHERE = frozenset(("play from zone", "play as though in own zone"))
"""Rules by which players play cards from zones from which these themselves let nobody."""


def _elsewhere(state: State, seat: int, slow: bool, found: list[Action]) -> None:
    """What can be cast or activated from zones other than the hand and the battlefield (flashback, cycling and the like)."""
    able = usable(state, seat)
    ruled = any(rule.rule in ELSEWHERE for rule, _ in all_rules(state))
    if not (able or state.command or ruled):
        return
    leaders = [oid for oid in state.command if is_own_commander(state.objects[oid], seat)]
    for oid in leaders:
        _cast_card(state, seat, state.objects[oid], slow, found)
    if ruled:
        _cast_elsewhere(state, seat, slow, found)
    else:
        _cast_as_printed(state, seat, able, slow, found)
    for oid in (*able, *leaders):
        source = state.objects[oid]
        if source.zone == "exile" and source.face_down:
            continue
        c = characteristics(state, oid)
        for abilities, is_mana in ((c.abilities.activated, False), (c.abilities.mana, True)):
            for index, ability in abilities:
                if ability.zone == source.zone and can_activate(state, seat, source, c, index, ability, slow):
                    found.append(Action("activate", oid, index, mana=is_mana))


def _cast_as_printed(state: State, seat: int, able: tuple[int, ...], slow: bool, found: list[Action]) -> None:
    """Spells that their own abilities let their owner cast from the graveyard and from exile."""
    for oid in able:
        card = state.objects[oid]
        if card.zone == "hand" or card.face_down and not _foretold(card):
            continue
        abilities = card.definition.base.abilities if card.face_down else characteristics(state, oid).abilities
        if abilities.casting_costs or abilities.casting_rules:
            _cast_card(state, seat, card, slow, found)


def _cast_elsewhere(state: State, seat: int, slow: bool, found: list[Action]) -> None:
    """Spells that effects may let a player cast, from wherever they are."""
    objects, players = state.objects, state.players
    own = (i for i in state.exile if objects[i].owner == seat)
    for oid in (*players[seat].graveyard, *own, *players[seat].library[-1:]):
        card = objects[oid]
        plain = not card.face_down or _foretold(card)
        if plain or permissions(state, seat, card) or may_play_land(state, seat, card):  # current 406.3a
            _cast_card(state, seat, card, slow, found)
    others = (i for i in state.exile if objects[i].owner != seat)
    for oid in (*(i for p in players if p.seat != seat for i in p.graveyard), *others):
        card = objects[oid]
        hidden = card.definition.base.keywords & MORPHS and permissions(as_face_down(state, oid), seat, card)
        permitted = hidden or permissions(state, seat, card) or may_play_land(state, seat, card)
        if permitted or as_though_own(state, seat, card):
            _cast_card(state, seat, card, slow, found)


def _foretold(card: Object) -> bool:
    """Whether a face-down card in exile is one that its owner foretold (current 702.143)."""
    return any(what == "foretold" for what, _ in card.chosen)


def _cast_card(state: State, seat: int, card: Object, slow: bool, found: list[Action]) -> None:
    if card.definition.card.faces and not card.face_down:
        _other_sides(state, seat, card, slow, found)
        if card.definition.card.layout == "split":
            return
    c = card.definition.base if card.face_down else characteristics(state, card.id)
    if "land" in c.types:
        if slow and can_play_land(state, seat) and may_play_land(state, seat, card):
            found.append(Action("play_land", card.id))
        _face_down(state, seat, card, c, slow, found)
        return
    for way in castable(state, seat, card, c, slow):
        found.append(Action("cast", card.id, way=way))


def _mana_abilities(state: State, seat: int, found: list[Action]) -> None:
    """Mana abilities. Where all that matters is whether a permanent can be tapped, they are the same until one is."""
    known: dict[int, list[Action]] = of_board(state).setdefault("taps", {})
    made = known.get(seat)
    if made is None:
        made = list[Action]()
        if _find_mana_abilities(state, seat, made):
            known[seat] = made
    found.extend(made)


def _find_mana_abilities(state: State, seat: int, found: list[Action]) -> bool:
    """Whether all of them only had to be able to be tapped."""
    b = board(state)
    only = True
    for oid in b.index.mana:
        source = state.objects[oid]
        if source.controller != seat:
            continue
        c = characteristics(state, oid)
        abilities = c.abilities
        plain = oid not in b.flags
        if plain and source.tapped and len(abilities.taps) == len(abilities.mana):
            continue
        for index, ability in abilities.mana:
            if plain and index in abilities.taps:
                # All that can keep it from being activated: most sources of mana are so, and listed at every priority.
                if can_tap(state, source):
                    found.append(Action("activate", oid, index, mana=True))
            else:
                only = False
                if can_activate(state, seat, source, c, index, ability, False):
                    found.append(Action("activate", oid, index, mana=True))
    return only
