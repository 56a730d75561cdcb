"""Whether one object satisfies a predicate of a noun phrase: one function for each struct of the reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.cards import forms, nouns
from server.cards.grammar import PERMANENT_TYPES
from server.cards.keywords import NO_LONGER, RING_BEARER, SUSPECTED
from server.rules.characteristics import amounts, selection
from server.rules.characteristics.layers import characteristics, is_goaded, known
from server.rules.characteristics.likeness import in_its_slot
from server.rules.characteristics.stats import stat_of
from server.rules.continuous import choice_of
from server.rules.model import (
    COLOR_MASKS,
    Attacker,
    BoundRefs,
    Characteristics,
    Combat,
    Counted,
    Object,
    Ref,
    Scope,
    State,
    blocks,
    chosen_name,
    compare,
    current,
    is_creature_type,
    lookup,
    mana,
    object_or_last,
    player_ref,
    spoken_of_before,
    this_turn,
)


def _has_type(state: State, p: nouns.HasType, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    return c is not None and p.type in c.types


def _has_supertype(state: State, p: nouns.HasSupertype, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    return c is not None and p.supertype in c.supertypes


def _has_subtype(state: State, p: nouns.HasSubtype, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    if c is None:
        return False
    return p.subtype in c.subtypes or ("changeling" in c.keywords and is_creature_type(p.subtype))


def _is_a(state: State, p: nouns.IsA, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    if found is None:
        return False
    sort = p.sort
    if sort == "permanent":
        return found.zone == "battlefield"
    if sort == "spell":
        return found.zone == "stack" and (found.entry is None or found.entry.kind == "spell")
    if sort == "card":
        return not found.token and (found.zone != "stack" or found.entry is None or found.entry.kind == "spell")
    if sort == "commander":
        return bool(found.commander)
    if sort == "token":
        return found.token
    if sort == "source":
        return True
    if found.zone != "stack" or found.entry is None or found.entry.kind == "spell":
        return False
    if sort == "ability":
        return True
    return (found.entry.kind == "triggered") == (sort == "triggered ability")


def _has_color(state: State, p: nouns.HasColor, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    return c is not None and bool(c.colors & p.mask)


def _color_count(state: State, p: nouns.ColorCount, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    return c is not None and compare(c.colors.bit_count(), p.compare, p.number)


def _has_keyword(state: State, p: nouns.HasKeyword, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    if c is None:
        return False
    return p.keyword in c.keywords or p.keyword == "cycling" and "typecycling" in c.keywords  # 702.27e


def _mana_cost(state: State, p: nouns.ManaCostIs, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    return c is not None and c.cost is not None and c.cost in {mana.parse_cost(cost) for cost in p.costs}


def _no_abilities(state: State, p: nouns.NoAbilities, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    return c is not None and not c.abilities.all and not c.abilities.keywords


def _controlled(state: State, p: nouns.ControlledBy, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    if isinstance(p.by, nouns.You):
        return found is not None and found.controller == scope.controller
    return found is not None and selection.fits(state, p.by, player_ref(found.controller), scope)


def _owned(state: State, p: nouns.OwnedBy, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    return found is not None and selection.fits(state, p.by, player_ref(found.owner), scope)


def _stat_is(state: State, p: nouns.StatIs, oid: int, scope: Scope) -> bool:
    if isinstance(p.amount, nouns.StatOf) and p.amount.of.text == "itself":  # "toughness greater than its power"
        return compare(stat(state, oid, p.stat), p.compare, stat(state, oid, p.amount.stat))
    wanted = amounts.amount(state, p.amount, scope)
    if p.stat == "mana value" and state.edition.split_values == "each":
        c = known(state, oid)
        if c is not None and c.halves:  # 708.6a: yes if either half alone would be
            return any(compare(half.mana_value, p.compare, wanted) for half in c.halves)
    return compare(stat(state, oid, p.stat), p.compare, wanted)


def stat(state: State, oid: int, name: str) -> int:
    """A statistic of an object, 0 if it has none."""
    c = known(state, oid)
    return stat_of(state, oid, c, name) if c is not None else 0


def _status(state: State, p: nouns.Status, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    return found is not None and STATUSES[p.status](state, found, scope)


def _combat_of(state: State, oid: int) -> Combat | None:
    """The combat under way; for what has left the battlefield the one that it left (608.2g)."""
    if oid in state.objects:
        return state.combat
    last = state.last.get(oid)
    return last.combat if last is not None else None


def _attacker(state: State, oid: int) -> Attacker | None:
    """The place in combat of a creature that attacks, or attacked as it left."""
    combat = _combat_of(state, oid)
    return next((a for a in combat.attackers if a.id == oid), None) if combat is not None else None


def _is_blocking(state: State, oid: int) -> bool:
    combat = _combat_of(state, oid)
    return combat is not None and any(b.id == oid for b in combat.blockers)


def _attacks_you(state: State, found: Object, scope: Scope) -> bool:
    attacker = _attacker(state, found.id)
    return attacker is not None and scope.controller in lookup.attacked_with(state, attacker.player)


def _alone(state: State, oid: int, blocking: bool) -> bool:
    combat = _combat_of(state, oid)
    if combat is None:
        return False
    group = combat.blockers if blocking else combat.attackers
    return len(group) == 1 and group[0].id == oid


def _has_attachment(state: State, found: Object, subtype: str) -> bool:
    return any(subtype in characteristics(state, i).subtypes for i in found.attachments if i in state.objects)


def _modified(state: State, found: Object, _: Scope) -> bool:
    """Current 700.9: has a counter, is equipped, or is enchanted by an Aura of its controller."""
    auras = (state.objects[i] for i in found.attachments if i in state.objects)
    own = any(a.controller == found.controller and "Aura" in characteristics(state, a.id).subtypes for a in auras)
    return bool(found.counters) or own or _has_attachment(state, found, "Equipment")


def _blocked(state: State, oid: int) -> bool | None:
    attacker, combat = _attacker(state, oid), _combat_of(state, oid)
    if attacker is None or combat is None or not combat.blocks_declared:
        return None
    return attacker.blocked


def _marked(found: Object, mark: str) -> bool:
    """Whether it came to its zone so marked (by foretelling it, and the like)."""
    return any(what == mark and value != NO_LONGER for what, value in found.chosen)


MARKS = ("foretold", "plotted", "warped", "adventuring", "tributed", "renowned", "monstrous", "level-2", "level-3", "solved")  # fmt: skip


def partner(state: State, oid: int) -> int:
    """The creature that one is paired with, 0 for none: both are creatures of one player (current 702.95e)."""
    one = state.objects.get(oid)
    other = state.objects.get(one.paired) if one is not None and one.paired else None
    if one is None or other is None or other.paired != oid or one.controller != other.controller:
        return 0
    together = all(o.zone == "battlefield" and "creature" in characteristics(state, o.id).types for o in (one, other))
    return other.id if together else 0


STATUSES: dict[str, Callable[[State, Object, Scope], bool]] = {
    "tapped": lambda s, o, _: o.tapped,
    "untapped": lambda s, o, _: not o.tapped,
    "attacking": lambda s, o, _: _attacker(s, o.id) is not None,
    "blocking": lambda s, o, _: _is_blocking(s, o.id),
    "blocked": lambda s, o, _: _blocked(s, o.id) is True,
    "unblocked": lambda s, o, _: _blocked(s, o.id) is False,
    "attacking alone": lambda s, o, _: _alone(s, o.id, False),
    "blocking alone": lambda s, o, _: _alone(s, o.id, True),
    "attacking you": _attacks_you,
    "attached": lambda s, o, _: bool(o.attached_to),
    "enchanted": lambda s, o, _: _has_attachment(s, o, "Aura"),
    "equipped": lambda s, o, _: _has_attachment(s, o, "Equipment"),
    "face down": lambda s, o, _: o.face_down,
    "face up": lambda s, o, _: not o.face_down,
    "entered this turn": lambda s, o, _: o.entered == s.turn.number,
    "damaged this turn": lambda s, o, _: any(r == o.id for _, r in s.hurt),
    "attacked this turn": lambda s, o, _: this_turn(s, Counted.ATTACKED, o.id) > 0,
    "blocked this turn": lambda s, o, _: this_turn(s, Counted.BLOCKED, o.id) > 0,
    "summoning sick": lambda s, o, _: o.sick,
    # Echo (702.28a); what was there when the game began is not new.
    "new since upkeep": lambda s, o, _: o.since > 0 and o.since >= s.players[o.controller].upkeeps[0],
    "new this turn": lambda s, o, _: o.since == s.turn.number,
    "arrived earlier": lambda s, o, _: o.entered < s.turn.number,
    "discarded this turn": lambda s, o, _: this_turn(s, Counted.DISCARDED, o.id) > 0,
    "milled this turn": lambda s, o, _: this_turn(s, Counted.MILLED, o.id) > 0,
    "from battlefield this turn": lambda s, o, _: this_turn(s, Counted.FROM_BATTLEFIELD, o.id) > 0,
    "from library this turn": lambda s, o, _: this_turn(s, Counted.FROM_LIBRARY, o.id) > 0,
    "unpaired": lambda s, o, _: not partner(s, o.id),
    **{mark: lambda s, o, _, mark=mark: _marked(o, mark) for mark in MARKS},
    SUSPECTED: lambda s, o, _: _marked(o, SUSPECTED),
    "modified": _modified,
    "goaded": lambda s, o, _: is_goaded(s, o.id) if o.id in s.objects else s.last[o.id].goaded,
    "Ring-bearer": lambda s, o, _: (RING_BEARER, str(o.controller)) in o.chosen,
    "kicked": lambda s, o, _: o.entry is not None and bool(dict(o.entry.paid).get("kicker")),
    "saddled": lambda s, o, _: ("saddled", str(s.turn.number)) in o.chosen,
}


def _has_counter(state: State, p: nouns.HasCounter, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    return found is not None and lookup.count(found.counters, p.counter) >= p.least


def _has_name(state: State, p: nouns.HasName, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    return c is not None and p.name in names(c)


def names(c: Characteristics) -> tuple[str, ...]:
    """The names of an object: a split card has one for each half (708.7; current 709.4a)."""
    return tuple(half.name for half in c.halves) or (c.name,)


def _shares_name(state: State, p: nouns.SharesName, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    own = {name for name in names(c) if name} if c is not None else frozenset[str]()
    return any(not own.isdisjoint(names(o)) for o in _compared(state, p.with_, scope))


def _compared(state: State, with_: nouns.Reading, scope: Scope) -> list[Characteristics]:
    """What an object is compared with."""
    found = (known(state, r) for r in selection.refs(state, with_, scope) if r > 0)
    return [c for c in found if c is not None]


def _shares_creature_type(state: State, p: nouns.SharesCreatureType, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    return c is not None and any(_common_creature_type(c, other) for other in _compared(state, p.with_, scope))


def _common_creature_type(c: Characteristics, other: Characteristics) -> bool:
    # 702.71a: a changeling is every creature type.
    if "changeling" in c.keywords or "changeling" in other.keywords:
        both = c if "changeling" in other.keywords else other
        return "changeling" in both.keywords or any(is_creature_type(t) for t in both.subtypes)
    return any(is_creature_type(t) for t in c.subtypes & other.subtypes)


def _shares_color(state: State, p: nouns.SharesColor, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    return c is not None and any(o.colors & c.colors for o in _compared(state, p.with_, scope))


def _shares_type(state: State, p: nouns.SharesType, oid: int, scope: Scope) -> bool:
    c = known(state, oid)
    shared = {t for o in _compared(state, p.with_, scope) if c is not None for t in o.types & c.types}
    return bool(shared.intersection(PERMANENT_TYPES) if p.permanent else shared)


def _of_chosen(state: State, p: nouns.OfChosen, oid: int, scope: Scope) -> bool:
    chosen = scope.word(chosen_name(p.what))
    if chosen is None:
        source = object_or_last(state, scope.source)
        chosen = choice_of(state, source, p.what)
    c = known(state, oid)
    if chosen is None or c is None:
        return False
    if p.what == "color":
        return bool(c.colors & COLOR_MASKS.get(chosen, 0))
    if p.what == "type":
        in_subtypes = chosen in c.subtypes or ("changeling" in c.keywords and is_creature_type(chosen))
        return in_subtypes or chosen.lower() in c.types
    if p.what == "name":
        return chosen in names(c)
    if p.what == "player":
        found = object_or_last(state, oid)
        return found is not None and player_ref(found.controller) == int(chosen)
    return oid == int(chosen) if str(chosen).lstrip("-").isdigit() else False


def _other(state: State, p: nouns.Other, oid: int, scope: Scope) -> bool:
    """Another than what speaks; in what an effect gives an object, another than that object ("each creature you control gets
    +1/+1 for each other creature you control"), and also than what is attached to it."""
    affected = scope.refs(BoundRefs.AFFECTED)
    if affected is None:
        found = object_or_last(state, oid)
        # Another spell is another than this one, whatever was spoken of.
        before = spoken_of_before(state, scope) if found is not None and found.zone != "stack" else ()
        return oid not in (scope.source, *before)
    source = state.objects.get(scope.source)
    attached = source is not None and source.attached_to in affected
    return oid not in affected and not (attached and oid == scope.source)


def _among(state: State, p: nouns.Among, oid: int, scope: Scope) -> bool:
    found = selection.refs(state, p.of, scope)
    if oid in found or not isinstance(p.of, nouns.It):
        return oid in found
    return any(oid in current(state, ref, scope) for ref in found)


def _in_combat_with(state: State, p: nouns.InCombatWith, oid: int, scope: Scope) -> bool:
    combat = _combat_of(state, oid)
    if combat is None:
        return False
    with_ = selection.refs(state, p.with_, scope) if not isinstance(p.with_, nouns.Things) else None

    def wanted(ref: Ref) -> bool:
        return ref in with_ if with_ is not None else selection.fits(state, p.with_, ref, scope)

    if _related(combat, p.relation, oid, wanted):
        return True
    # 608.2b, g: with what has left it is in combat as that was when it left, as long as it is in combat at all.
    if not (_is_blocking(state, oid) or _attacker(state, oid)):
        return False
    gone = (ref for ref in with_ or () if ref > 0 and ref not in state.objects)
    combats = ((ref, left) for ref in gone if (left := _combat_of(state, ref)) is not None)
    return any(_related(left, p.relation, oid, ref.__eq__) for ref, left in combats)


def _related(combat: Combat, relation: str, oid: int, wanted: Callable[[Ref], bool]) -> bool:
    """Whether a creature is so in combat with one that is wanted."""
    if relation == "attacking":
        return any(a.id == oid and wanted(a.defender) for a in combat.attackers)
    if "blocking" in relation and any(b.id == oid and any(wanted(a) for a in b.attackers) for b in combat.blockers):
        return True
    return "blocked by" in relation and any(
        a.id == oid and any(wanted(b) for b in a.blockers) for a in combat.attackers
    )


def _fought(state: State, p: nouns.FoughtThisTurn, oid: int, scope: Scope) -> bool:
    for blocker, attacker in blocks(state):
        if p.relation != "was blocked by" and blocker == oid and selection.fits(state, p.with_, attacker, scope):
            return True
        if p.relation != "blocked" and attacker == oid and selection.fits(state, p.with_, blocker, scope):
            return True
    return False


def _even(state: State, p: nouns.EvenValue, oid: int, scope: Scope) -> bool:
    return stat(state, oid, "mana value") % 2 == int(p.odd)


def _has_x(state: State, p: nouns.HasX, oid: int, scope: Scope) -> bool:
    ability = _ability_on_stack(state, oid)
    if ability is not None:
        return any(isinstance(part, forms.ManaCost) and "{X}" in part.mana for part in ability.cost)
    found = known(state, oid)
    return found is not None and found.cost is not None and found.cost.x > 0


def _ability_on_stack(state: State, oid: int) -> forms.ActivatedAbility | None:
    """The activated ability that an object on the stack is."""
    found = object_or_last(state, oid)
    ability = found.entry.ability if found is not None and found.entry is not None else None
    return ability if isinstance(ability, forms.ActivatedAbility) else None


def _attached_to(state: State, p: nouns.AttachedTo, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    if found is None:
        return False
    if found.attached_to:
        return selection.fits(state, p.to, found.attached_to, scope)
    # What the host took with it into the graveyard was attached to it last (608.2g).
    gone = (state.last[r] for r in selection.refs(state, p.to, scope) if r in state.last and r not in state.objects)
    return any(oid in last.object.attachments for last in gone)


def _damaged_by(state: State, p: nouns.DealtDamageBy, oid: int, scope: Scope) -> bool:
    by = selection.refs(state, p.by, scope)
    return any(r == oid and s in by for s, r in state.hurt)


def _damaged(state: State, p: nouns.DealtDamageTo, oid: int, scope: Scope) -> bool:
    to = selection.refs(state, p.to, scope) if p.to is not None else ()
    return any(s == oid and (p.to is None or r in to) for s, r in state.hurt)


def _was_cast_from(state: State, p: nouns.WasCastFrom, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    entry = found.entry if found is not None else None
    return entry is not None and not entry.copied and bool(entry.cast_from) and p.zone in (None, entry.cast_from)


def _targets(state: State, p: nouns.Targets, oid: int, scope: Scope) -> bool:
    found = state.objects.get(oid)
    if found is None or found.entry is None:
        return False
    chosen = [r for slot in found.entry.targets for r in slot if r]
    if p.single and len(chosen) != 1 or p.only and len(set(chosen)) != 1:
        return False
    of = p.of
    return bool(chosen) if of is None else any(selection.fits(state, of, r, scope) for r in chosen)


def _not(state: State, p: nouns.Not, oid: int, scope: Scope) -> bool:
    return not PREDICATES[type(p.part)](state, p.part, oid, scope)


def _all(state: State, p: nouns.All, oid: int, scope: Scope) -> bool:
    for part in p.parts:  # noqa: SIM110 - the hot path; a loop is faster than a generator
        if not PREDICATES[type(part)](state, part, oid, scope):
            return False
    return True


def _any(state: State, p: nouns.Any, oid: int, scope: Scope) -> bool:
    for part in p.parts:  # noqa: SIM110
        if PREDICATES[type(part)](state, part, oid, scope):
            return True
    return False


PREDICATES: dict[type, Callable[[State, Any, int, Scope], bool]] = {
    nouns.HasType: _has_type,
    nouns.HasSupertype: _has_supertype,
    nouns.HasSubtype: _has_subtype,
    nouns.IsA: _is_a,
    nouns.HasColor: _has_color,
    nouns.ColorCount: _color_count,
    nouns.HasKeyword: _has_keyword,
    nouns.ControlledBy: _controlled,
    nouns.OwnedBy: _owned,
    nouns.StatIs: _stat_is,
    nouns.Status: _status,
    nouns.HasCounter: _has_counter,
    nouns.HasName: _has_name,
    nouns.SharesName: _shares_name,
    nouns.SharesCreatureType: _shares_creature_type,
    nouns.SharesType: _shares_type,
    nouns.SharesColor: _shares_color,
    nouns.OfChosen: _of_chosen,
    nouns.ManaCostIs: _mana_cost,
    nouns.NoAbilities: _no_abilities,
    nouns.Other: _other,
    nouns.Among: _among,
    nouns.InCombatWith: _in_combat_with,
    nouns.FoughtThisTurn: _fought,
    nouns.EvenValue: _even,
    nouns.HasX: _has_x,
    nouns.AttachedTo: _attached_to,
    nouns.DealtDamageBy: _damaged_by,
    nouns.DealtDamageTo: _damaged,
    nouns.WasCastFrom: _was_cast_from,
    nouns.Targets: _targets,
    nouns.TotalAtMost: lambda state, p, oid, scope: stat(state, oid, p.stat) <= amounts.amount(state, p.amount, scope),
    nouns.LiesIn: lambda state, p, oid, scope: getattr(object_or_last(state, oid), "zone", "") in p.zones,
    nouns.Alike: in_its_slot,
    nouns.FromSource: lambda state, p, oid, scope: selection.from_source(state, p, oid, scope),
    nouns.Together: lambda state, p, oid, scope: True,  # asked of all targets of a slot as they are chosen
    nouns.Not: _not,
    nouns.All: _all,
    nouns.Any: _any,
}
