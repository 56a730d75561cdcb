"""What amounts come to, and whether conditions hold: one function for each struct of the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from server.cards import forms, nouns
from server.cards.grammar import CREATURE_TYPES
from server.cards.keywords import INITIATIVE, MONARCH
from server.cards.nouns import Amount
from server.rules.characteristics import predicates, selection
from server.rules.characteristics.designations import blessed, holder, speed_of
from server.rules.characteristics.happened import happened
from server.rules.characteristics.layers import known
from server.rules.characteristics.made_mana import made_mana
from server.rules.continuous import choice_of
from server.rules.model import (
    BASIC_LAND_TYPES,
    MAIN_PHASES,
    VOTED_FOR,
    BoundNumber,
    BoundRefs,
    BoundWord,
    Characteristics,
    Entry,
    Label,
    Ref,
    Scope,
    State,
    activated,
    all_of,
    attacked_by,
    ballot,
    compare,
    in_text,
    lookup,
    object_or_last,
    player_ref,
    resolved,
    seat_of,
    struck_by,
    this_turn,
    triggered,
    zone_ids,
)


def amount(state: State, value: Amount, scope: Scope) -> int:
    """What an amount comes to now."""
    if isinstance(value, int):
        return value
    return AMOUNTS[type(value)](state, value, scope)


def quantity(state: State, value: Amount, scope: Scope) -> int:
    """What an amount comes to that says how much of something is done: what is reckoned to less than zero is zero (107.1b). A
    number that is written (-1 for "any number") is what it is."""
    return value if isinstance(value, int) else max(0, amount(state, value, scope))


def _x(state: State, value: nouns.X, scope: Scope) -> int:
    bound = scope.number(BoundNumber.X)
    if bound is not None:
        return bound
    if scope.entry is not None:
        return scope.entry.x
    found = object_or_last(state, scope.source)
    return found.entry.x if found is not None and found.entry is not None else 0


_ALL_LOOKED = nouns.All(parts=(nouns.IsA(sort="card"), nouns.Among(of=nouns.Named(name="looked"))))


def _count_of(state: State, value: nouns.Count, scope: Scope) -> int:
    kind = value.of.reading
    if isinstance(kind, nouns.Things) and kind.objects == _ALL_LOOKED:  # all that were, wherever they are now
        return len(scope.refs(BoundRefs.LOOKED) or ())
    return len(selection.select(state, value.of, scope))


def _stat_of(state: State, value: nouns.StatOf, scope: Scope) -> int:
    return sum(predicates.stat(state, r, value.stat) for r in selection.select(state, value.of, scope) if r > 0)


def _counters_on(state: State, value: nouns.CountersOn, scope: Scope) -> int:
    total = 0
    counted: set[int] = set()
    for ref in selection.select(state, value.of, scope):
        if ref < 0:
            # Current 810.10a: what a team shares is counted once for all of it.
            if value.counter != "poison" or seat_of(ref) not in counted:
                total += lookup.count(lookup.player(state, ref).counters, value.counter)
            counted.update(lookup.share_poison(state, seat_of(ref)))
        else:
            found = object_or_last(state, ref)
            total += lookup.count(found.counters, value.counter) if found is not None else 0
    return total


def _speed_of(state: State, value: nouns.Speed, scope: Scope) -> int:
    return sum(speed_of(state, seat_of(r)) for r in selection.select(state, value.of, scope) if r < 0)


def _dungeons_completed(state: State, value: nouns.DungeonsCompleted, scope: Scope) -> int:
    return len(set(state.players[scope.controller].completed))


EVERYONE = nouns.Noun("each player")


def _lowest_life(state: State, value: nouns.LowestLife, scope: Scope) -> int:
    return min((lookup.individual_life(state, ref) for ref in selection.select(state, EVERYONE, scope)), default=0)


def _life_of(state: State, value: nouns.LifeOf, scope: Scope) -> int:
    return sum(lookup.individual_life(state, r) for r in selection.select(state, value.of, scope) if r < 0)


def _cards_in(state: State, value: nouns.CardsIn, scope: Scope) -> int:
    total = 0
    for ref in selection.select(state, value.of, scope):
        p = lookup.player(state, ref)
        if value.zone == "hand":
            total += len(p.hand)
        elif value.zone == "library":
            total += len(p.library)
        elif value.zone == "graveyard":
            total += len(p.graveyard)
        else:
            total += sum(state.objects[i].owner == p.seat for i in zone_ids(state, value.zone))
    return total


def _votes(state: State, value: nouns.Votes, scope: Scope) -> int:
    """Of the vote that the program or the trigger event speaks of."""
    found = selection.select(state, value.of, scope)
    if value.what == "received":
        return sum(ref in found for ref in scope.refs(VOTED_FOR) or ())
    you, total, number = player_ref(scope.controller), 0, 0
    while (voters := scope.refs(ballot(number))) is not None:
        total += (you in voters) == (value.what == "shared") and any(ref in voters for ref in found)
        number += 1
    return total


def _that_much(state: State, value: nouns.ThatMuch, scope: Scope) -> int:
    bound = scope.number(Label(value.name)) if value.name else scope.number(BoundNumber.AMOUNT)
    if bound is None and value.name:
        # What was revealed or sacrificed as this entered stays with it ("it devoured", 702.80b).
        source = object_or_last(state, scope.source)
        noted = dict(source.chosen).get(value.name, "") if source is not None else ""
        return int(noted) if noted.isdecimal() else 0
    return bound or 0


def _times_paid(state: State, value: nouns.TimesPaid, scope: Scope) -> int:
    return dict(_entry_of(state, scope).paid).get(value.cost, 0)


def _colors_spent(state: State, value: nouns.ColorsSpent, scope: Scope) -> int:
    # Sunburst (702.42a): colours, not colourless mana.
    return sum(n > 0 for n in _entry_of(state, scope).mana_spent[:5])


def _mana_spent(state: State, value: nouns.ManaSpent, scope: Scope) -> int:
    if value.of is not None:
        found = (object_or_last(state, ref) for ref in selection.select(state, value.of, scope))
        entries = (one.entry for one in found if one is not None and one.entry is not None)
        return sum(sum(entry.mana_spent) for entry in entries if entry.cast_from)
    entry = _entry_of(state, scope)
    if value.source:
        return dict(entry.spent_from).get(value.source, 0)
    spent = entry.mana_spent
    return sum(n for n, letter in zip(spent, "WUBRGC", strict=True) if not value.colors or letter in value.colors)


def _most_of_players(state: State, value: nouns.MostOfPlayers, scope: Scope) -> int:
    who = selection.select(state, value.of, scope)
    return max((amount(state, value.what, scope.bind(BoundRefs.PLAYER, (ref,))) for ref in who), default=0)


def _entry_of(state: State, scope: Scope) -> Entry:
    """What was announced for the spell that is spoken of, or that the source was (400.7c); in a triggered ability "it" is what
    its event was about."""
    told = _event_object(scope)
    if told is not None and told != scope.source:
        spoken = object_or_last(state, told)
        return spoken.entry if spoken is not None and spoken.entry is not None else Entry()
    source = object_or_last(state, scope.source)
    entry = source.entry if source is not None else None
    if scope.entry is not None and (scope.entry.cast_from or scope.entry.kind == "spell" or entry is None):
        return scope.entry
    return entry if entry is not None else Entry()


def _event_object(scope: Scope) -> int | None:
    """The object that the event of a triggered ability was about, if it was one."""
    entry = scope.entry
    if entry is not None and entry.kind == "triggered":
        scope = Scope(scope.source, scope.controller, bindings=entry.bindings) if entry.index >= 0 else Scope(0, 0)
    elif scope.number(BoundNumber.ABILITY_INDEX) is None:
        return None
    about = scope.refs(BoundRefs.IT) or ()
    return about[0] if len(about) == 1 and about[0] > 0 else None


MOST = "most "
"""Of a `TurnCount`: not of all these players together, but of the one of them of whom it is most ("a player cast two")."""


def _turn_count(state: State, value: nouns.TurnCount, scope: Scope) -> int:
    who = selection.select(state, value.of, scope)
    if value.what == "opponents attacked":  # melee (current 702.121a): this combat, with creatures
        return sum(ref in who for ref, _ in all_of(state, attacked_by(scope.controller, state.turn.phase)))
    if value.what == "prowl":  # 702.74a: combat damage to players by sources with any of this card's creature types
        own = known(state, scope.source)
        kinds = sorted(own.subtypes) if own is not None else []
        return sum(this_turn(state, struck_by(kind), r) for kind in kinds for r in who)
    if value.what.startswith(MOST):
        return max((this_turn(state, in_text(value.what.removeprefix(MOST)), r) for r in who), default=0)
    return sum(this_turn(state, in_text(value.what), r) for r in who)


def _commander_casts(state: State, value: nouns.CommanderCasts, scope: Scope) -> int:
    casts = state.players[scope.controller].commander_casts
    if value.of is None:
        return sum(n for _, n in casts)
    found = (object_or_last(state, ref) for ref in selection.select(state, value.of, scope))
    leading = {one.commander for one in found if one is not None}
    return sum(n for number, n in casts if number in leading)


def _times(state: State, value: nouns.Times, scope: Scope) -> int:
    product = value.number * amount(state, value.of, scope)
    return (product + (value.half == "up")) // 2 if value.half else product


def _plus(state: State, value: nouns.Plus, scope: Scope) -> int:
    return sum(amount(state, part, scope) for part in value.parts)


def _minus(state: State, value: nouns.Minus, scope: Scope) -> int:
    return max(value.floor, amount(state, value.left, scope) - amount(state, value.right, scope))


def _most(state: State, value: nouns.Most, scope: Scope) -> int:
    values = [predicates.stat(state, r, value.stat) for r in selection.select(state, value.of, scope) if r > 0]
    return (max(values) if value.greatest else min(values)) if values else 0


def _distinct_count(state: State, value: nouns.Distinct, scope: Scope) -> int:
    found = [c for c in (known(state, r) for r in selection.select(state, value.of, scope) if r > 0) if c is not None]
    if value.what == "colors":
        mask = 0
        for c in found:
            mask |= c.colors
        return mask.bit_count()
    if value.what == "types":
        return len({t for c in found for t in c.types})
    if value.what == "names":
        return len({c.name for c in found})
    if value.what == "powers":
        return len({c.power for c in found})
    if value.what == "mana values":
        return len({c.mana_value for c in found})
    if value.what == "of one creature type":
        return _of_one_creature_type(found)
    if value.what == "of one name":  # what has no name shares none (201.2)
        return max(Counter(c.name for c in found if c.name).values(), default=0)
    if value.what == "party":
        return _party(found)
    return sum(any(t in c.subtypes for c in found) for t in BASIC_LAND_TYPES)


def _of_one_creature_type(found: list[Characteristics]) -> int:
    """The most that have a creature type in common: one that has them all has it with any other."""
    all_of_them = sum("changeling" in c.keywords for c in found)
    kinds = Counter(kind for c in found if "changeling" not in c.keywords for kind in c.subtypes & CREATURE_TYPES)
    return all_of_them + max(kinds.values(), default=0)


PARTY = ("Cleric", "Rogue", "Warrior", "Wizard")


def _party(found: list[Characteristics], roles: tuple[str, ...] = PARTY) -> int:
    """How many of these roles different creatures can have at once (current 700.8)."""
    if not roles or not found:
        return 0
    best = _party(found, roles[1:])
    for i, c in enumerate(found):
        if roles[0] in c.subtypes or "changeling" in c.keywords:
            best = max(best, 1 + _party([*found[:i], *found[i + 1 :]], roles[1:]))
            if best == len(roles):
                break
    return best


def _devotion(state: State, value: nouns.Devotion, scope: Scope) -> int:
    letters = str(scope.word(BoundWord.CHOSEN_MANA) or "") if value.colors == "chosen" else value.colors
    places = tuple("WUBRG".index(letter) for letter in letters if letter != "C")
    mask = sum(1 << i for i in places)
    total = 0
    for oid in zone_ids(state, "battlefield"):
        found = known(state, oid) if state.objects[oid].controller == scope.controller else None
        if found is None or found.cost is None:
            continue
        cost = found.cost
        total += sum(cost.colored[i] for i in places) + sum(bool(hybrid & mask) for hybrid in cost.hybrids)
        total += sum(i in places for i in (*cost.monohybrids, *cost.phyrexian))
    return total


AMOUNTS: dict[type, Callable[[State, Any, Scope], int]] = {
    nouns.X: _x,
    nouns.Count: _count_of,
    nouns.StatOf: _stat_of,
    nouns.CountersOn: _counters_on,
    nouns.LifeOf: _life_of,
    nouns.LowestLife: _lowest_life,
    nouns.Speed: _speed_of,
    nouns.DungeonsCompleted: _dungeons_completed,
    nouns.Votes: _votes,
    nouns.StartingLife: lambda state, _, scope: state.options.life,
    nouns.CommanderCasts: _commander_casts,
    nouns.CardsIn: _cards_in,
    nouns.ThatMuch: _that_much,
    nouns.TimesPaid: _times_paid,
    nouns.ColorsSpent: _colors_spent,
    nouns.ManaSpent: _mana_spent,
    nouns.TurnCount: _turn_count,
    nouns.Happened: happened,
    nouns.Devotion: _devotion,
    nouns.Times: _times,
    nouns.Plus: _plus,
    nouns.Minus: _minus,
    nouns.Most: _most,
    nouns.MostOfPlayers: _most_of_players,
    nouns.Distinct: _distinct_count,
}


def holds(state: State, condition: forms.AnyCondition, scope: Scope) -> bool:
    """Whether a condition holds now."""
    return CONDITIONS[type(condition)](state, condition, scope)


def _exists(state: State, c: forms.Exists, scope: Scope) -> bool:
    found = selection.select(state, c.of, scope)
    if isinstance(c.of.reading, nouns.This):  # the source is known to what it has done also when it is gone
        found = tuple(ref for ref in found if ref in state.objects)
    return compare(len(found), c.compare, amount(state, c.number, scope))


def _holds(state: State, c: forms.Holds, scope: Scope) -> bool:
    return compare(amount(state, c.left, scope), c.compare, amount(state, c.right, scope))


def _is(state: State, c: forms.Is, scope: Scope) -> bool:
    found = selection.select(state, c.what, scope)
    return bool(found) and all(selection.fits(state, c.of.reading, r, scope) and _lies_so(state, c, r) for r in found)


#: Zones of which an object of a kind is only if a text says so (109.2): elsewhere it is none of that kind.
_SAID_ZONES = ("graveyard", "hand", "library", "exile")


def _lies_so(state: State, c: forms.Is, ref: Ref) -> bool:
    """Whether it lies in the zone that the kind names, if it names one ("if that card is a card in your graveyard")."""
    kind = c.of.reading
    if not isinstance(kind, nouns.Things) or kind.anywhere or kind.zone not in _SAID_ZONES:
        return True
    found = state.objects.get(ref)
    return found is not None and found.zone == kind.zone


def _paid(state: State, c: forms.Paid, scope: Scope) -> bool:
    return dict(_entry_of(state, scope).paid).get(c.cost, 0) >= c.times


def _cast_from(state: State, c: forms.CastFrom, scope: Scope) -> bool:
    entry = _entry_of(state, scope)
    if entry.copied or not entry.cast_from or c.zone not in (None, entry.cast_from):
        return False
    return c.by is None or player_ref(entry.caster) in selection.select(state, c.by, scope)


def _as_cast(state: State, c: forms.AsCast, scope: Scope) -> bool:
    entry = _entry_of(state, scope)
    return not entry.copied and c.condition in entry.held


def _did(state: State, c: forms.Did, scope: Scope) -> bool:
    return bool(scope.number(BoundNumber.ANY_DID if c.anyone else BoundNumber.DID))


def _during(state: State, c: forms.During, scope: Scope) -> bool:
    if c.whose is not None:
        meant = selection.select(state, c.whose, scope)
        if not any(player_ref(seat) in meant for seat in lookup.active_players(state)):
            return False
    if not c.step:
        return True
    if c.step == "combat":
        return state.combat is not None
    if c.step == "main":
        return state.turn.step in MAIN_PHASES
    return state.turn.step == c.step


def _once(state: State, c: forms.Once, scope: Scope) -> bool:
    name = triggered(scope.number(BoundNumber.ABILITY_INDEX))
    return this_turn(state, name, scope.source) < c.times


def _some_player(state: State, c: forms.SomePlayer, scope: Scope) -> bool:
    asked = (
        holds(state, c.condition, scope.bind(BoundRefs.PLAYER, (r,))) for r in selection.select(state, c.who, scope)
    )
    return all(asked) if c.every else any(asked)


def _monarch(state: State, c: forms.IsMonarch, scope: Scope) -> bool:
    return _holds_title(state, MONARCH, c.who, scope)


def _initiative(state: State, c: forms.HasInitiative, scope: Scope) -> bool:
    return _holds_title(state, INITIATIVE, c.who, scope)


def _holds_title(state: State, name: str, who: nouns.Noun | None, scope: Scope) -> bool:
    seat = holder(state, name)
    return seat is not None and (who is None or player_ref(seat) in selection.select(state, who, scope))


def _completed(state: State, c: forms.CompletedDungeon, scope: Scope) -> bool:
    lists = (lookup.player(state, r).completed for r in selection.select(state, c.who, scope) if r < 0)
    return any(c.name in names if c.name else names for names in lists)


def _has_blessing(state: State, c: forms.HasBlessing, scope: Scope) -> bool:
    return any(blessed(state, seat_of(r)) for r in selection.select(state, c.who, scope) if r < 0)


def _chose_word(state: State, c: forms.ChoseWord, scope: Scope) -> bool:
    return choice_of(state, object_or_last(state, scope.source), "word") == c.word


def _activated(state: State, c: forms.Activated, scope: Scope) -> bool:
    index = scope.entry.index if scope.entry is not None else -1
    return this_turn(state, activated(index), scope.source) >= c.times


def _resolved(state: State, c: forms.Resolved, scope: Scope) -> bool:
    index = scope.entry.index if scope.entry is not None else -1
    return this_turn(state, resolved(index), scope.source) == c.nth - 1


CONDITIONS: dict[type, Callable[[State, Any, Scope], bool]] = {
    forms.IsMonarch: _monarch,
    forms.HasInitiative: _initiative,
    forms.CompletedDungeon: _completed,
    forms.HasBlessing: _has_blessing,
    forms.Resolved: _resolved,
    forms.ChoseWord: _chose_word,
    forms.MadeMana: made_mana,
    forms.Activated: _activated,
    forms.Exists: _exists,
    forms.Holds: _holds,
    forms.Is: _is,
    forms.Paid: _paid,
    forms.CastFrom: _cast_from,
    forms.AsCast: _as_cast,
    forms.Did: _did,
    forms.During: _during,
    forms.Once: _once,
    forms.SomePlayer: _some_player,
    forms.NotSo: lambda s, c, scope: not holds(s, c.condition, scope),
    forms.AllOf: lambda s, c, scope: all(holds(s, part, scope) for part in c.conditions),
    forms.OneOf: lambda s, c, scope: any(holds(s, part, scope) for part in c.conditions),
}
