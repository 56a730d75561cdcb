"""Permissions to cast spells and play lands (current 601.3): from which zones, how often, for nothing,
with which mana, and what a spell that was cast so has.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.characteristics import board, characteristics, fits, holds, select, with_abilities
from server.rules.costs import as_spell, paid_with_life
from server.rules.functioning import all_rules, has, land_plays, rules
from server.rules.model import (
    Abilities,
    AnyAnswer,
    AnyQuestion,
    Choice,
    Counter,
    Entry,
    Floating,
    Object,
    Scope,
    State,
    ask,
    current,
    events,
    evolve,
    mana,
    played_by,
    this_turn,
    walk,
    with_rare,
)

FREE = "without paying"
GREAT_X = 10**6


class Permission(NamedTuple):
    """A rule that lets a player play a card, its scope, and the name under which its uses are counted."""

    rule: forms.PlayerRule
    scope: Scope
    name: Counter


def permissions(state: State, seat: int, card: Object, as_land: bool = False) -> list[Permission]:
    """The rules by which a player could cast a card (or play it as a land) from where it is now, unlimited ones first."""
    if not all_rules(state):
        return []
    found: list[Permission] = []
    for rule, scope in rules(state, seat, "play from zone"):
        if rule.mode == ("cast" if as_land else "lands"):
            continue
        # "A land and a spell" are two permissions in one text.
        name = played_by(rule.text if rule.mode == "play" else f"{rule.mode} {rule.text}")
        if rule.number and this_turn(state, name, scope.source) >= rule.number:  # type: ignore[operator]
            continue
        if rule.among is not None and not _among(state, rule.among, card, scope):
            continue
        view = state if as_land else as_spell(state, card.id, seat)
        if rule.what is not None and not fits(view, rule.what.reading, card.id, scope):
            continue
        found.append(Permission(rule, scope, name))
    return sorted(found, key=lambda p: bool(p.rule.number))


def _among(state: State, noun: forms.Noun, card: Object, scope: Scope) -> bool:
    return any(card.id in current(state, ref, scope) for ref in select(state, noun, scope))


def permission(state: State, seat: int, card: Object, free: bool = False) -> Permission | None:
    """The permission that casting a card, for its cost or for nothing, would use."""
    return next((p for p in permissions(state, seat, card) if p.rule.free == free), None)


def own_permission(state: State, seat: int, card: Object, abilities: Abilities) -> bool:
    """Whether the card itself lets its owner cast or play it from its zone."""
    scope = Scope(card.id, seat)
    return any(
        rule.zone == card.zone
        and card.owner == seat
        and (rule.condition is None or holds(state, rule.condition, scope))
        for _, rule in abilities.casting_rules
    )


def is_own_commander(card: Object, seat: int) -> bool:
    """Whether a card is a commander that its owner may cast from the command zone (current 903.8)."""
    return bool(card.commander) and card.zone == "command" and card.owner == seat


def open_permissions(
    state: State, seat: int, card: Object, abilities: Abilities, as_land: bool = False, free: bool = False
) -> tuple[Permission | None, ...]:
    """By what a player could play a card with these abilities from where it is, each that differs from the others in what it
    allows once or gives; None is the card's own permission. One that would be used up is no choice beside the same without a
    limit."""
    found: list[Permission | None] = [
        p for p in permissions(state, seat, card, as_land) if as_land or p.rule.free == free
    ]
    if not free and (is_own_commander(card, seat) or own_permission(state, seat, card, abilities)):
        found.insert(0, None)
    kept: dict[tuple[object, ...], Permission | None] = {}
    for one in found:
        given = (one.rule.gives, one.rule.mana_as) if one is not None else ((), "")
        if (*given, "") not in kept:
            kept.setdefault((*given, one.rule.text if one is not None and one.rule.number else ""), one)
    return tuple(kept.values())


def choose_permission(
    seat: int, card: int, among: tuple[Permission | None, ...]
) -> Generator[AnyQuestion, AnyAnswer, Permission | None]:
    """Which of several permissions a player uses (current 601.2a): it may be the only one for another card later."""
    if len(among) < 2:
        return among[0] if among else None
    options = tuple(
        Choice(ref=one.scope.source, text=one.rule.text) if one is not None else Choice(ref=card) for one in among
    )
    picked = yield from ask.choose(seat, options, 1, 1, "permission", card)
    return among[picked[0]]


def most_x_by(state: State, seat: int, card: Object, used: Permission) -> int:
    """The greatest X with which a spell fits the permission that it is cast by, which is asked again once X is announced (current
    601.2e); -1 if the permission says nothing of its mana value."""
    what = used.rule.what.reading if used.rule.what is not None else None
    if what is None or not any(isinstance(part, nouns.StatIs) and part.stat == "mana value" for part in walk(what)):
        return -1
    view = as_spell(state, card.id, seat)
    spell = view.objects[card.id]

    def fit(x: int) -> bool:
        entry = replace(spell.entry or Entry(), x=x)
        with_x = evolve(view, objects={**view.objects, card.id: with_rare(spell, entry=entry)})
        return fits(with_x, what, card.id, used.scope)

    return -1 if fit(GREAT_X) else next(x for x in range(GREAT_X) if not fit(x + 1))


def uses(permission: Permission | None) -> tuple[events.Event, ...]:
    """What playing a card by this permission uses up."""
    if permission is None or not permission.rule.number:
        return ()
    return (events.UsedPermission(subject=permission.scope.source, cause=permission.name),)


def may_play_land(state: State, seat: int, card: Object) -> bool:
    """Whether a player could play a land from where it is, the number of lands a turn aside."""
    abilities = characteristics(state, card.id).abilities
    return own_permission(state, seat, card, abilities) or bool(permissions(state, seat, card, as_land=True))


def can_play_land(state: State, seat: int) -> bool:
    """Whether the player may play a land now (305.2): one a turn and what effects add."""
    return bool(land_plays(state, seat)) and not has(state, seat, "can't play lands")


# --- what the spell has ------------------------------------------------------------------------------------------------------


def next_spell_effects(state: State, seat: int, card: Object) -> list[Floating]:
    """The effects that say what the next spell of a kind has, as far as they would be about this card."""
    found: list[Floating] = []
    for effect in state.effects:
        rule = effect.ability
        if isinstance(rule, forms.PlayerRule) and rule.rule == "next spell has" and effect.controller == seat:
            scope = Scope(effect.source, seat, effect.entry, effect.bindings)
            if rule.what is None or fits(as_spell(state, card.id, seat), rule.what.reading, card.id, scope):
                found.append(effect)
    return found


def casting_abilities(state: State, seat: int, card: Object, abilities: Abilities) -> Abilities:
    """The abilities that a card would have as a spell, with what effects give to spells."""
    if board(state).for_spells:
        abilities = characteristics(as_spell(state, card.id, seat), card.id).abilities
    given = given_to_spell(state, seat, card, next_spell_effects(state, seat, card))
    if not given:
        return abilities
    return with_abilities(abilities, given)


def given_to_spell(state: State, seat: int, card: Object, effects: list[Floating]) -> tuple[forms.Ability, ...]:
    """What these effects give to a card as a spell and what rules do that are about spells of a kind. What several rules give alike
    is one ability: of additional costs of any amount no more is paid by paying twice."""
    given = [a for e in effects if isinstance(e.ability, forms.PlayerRule) for a in e.ability.gives]
    if all_rules(state):
        for rule, scope in rules(state, seat, "spells have"):
            if rule.what is None or fits(as_spell(state, card.id, seat), rule.what.reading, card.id, scope):
                given.extend(a for a in rule.gives if a not in given)
    return tuple(given)


# --- mana of another colour ----------------------------------------------------------------------------------------------------


_FREEDOM = ("", "color", "type")


def spendable(
    state: State, seat: int, card: Object, cost: mana.Cost, free: bool = False, mana_as: str | None = None
) -> mana.Cost:
    """What a spell costs if some mana may be spent on it as though it were of another colour or type (current 609.4b): as the
    permission says that it is cast by (`mana_as`), and if none is chosen as the one of them that says most."""
    if card.zone == "stack":
        entry = card.rare.entry
        as_though = entry.mana_as if entry is not None else ""
    elif mana_as is not None:
        as_though = mana_as
    else:
        found = permissions(state, seat, card) if card.zone != "hand" and all_rules(state) else ()
        as_though = max((p.rule.mana_as for p in found if p.rule.free == free), key=_FREEDOM.index, default="")
    if not as_though and not all_rules(state):
        return cost
    if as_though:
        cost = mana.as_any(cost, as_though == "type")
    for rule, scope in rules(state, seat, "spend mana as any color"):
        if rule.among is None and (
            rule.what is None or fits(as_spell(state, card.id, seat), rule.what.reading, card.id, scope)
        ):
            cost = mana.as_any(cost, rule.mana_as == "type", spent_as_any(rule))
    return paid_with_life(state, seat, cost)


def ability_spendable(state: State, seat: int, source: Object, cost: mana.Cost) -> mana.Cost:
    """The same for an activated ability of an object."""
    if not all_rules(state):
        return cost
    for rule, scope in rules(state, seat, "spend mana as any color"):
        everything = rule.what is None and rule.among is None
        if everything or rule.among is not None and fits(state, rule.among.reading, source.id, scope):
            cost = mana.as_any(cost, rule.mana_as == "type", spent_as_any(rule))
    return paid_with_life(state, seat, cost)


def spent_as_any(rule: forms.PlayerRule) -> int:
    """The colours of mana, as a mask, that may be spent so."""
    return mana.colors_of(mana.parse_cost(rule.mana)) if rule.mana else mana.ANY_COLOR
