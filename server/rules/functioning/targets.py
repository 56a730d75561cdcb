"""Targets (114): what can be targeted by whom, what a slot offers, and what an Aura or Equipment can be attached to."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.characteristics import (
    amount,
    characteristics,
    fits,
    known,
    predicates,
    rules_about,
    says_of_itself,
    select,
    selection,
    things,
)
from server.rules.functioning.player_rules import rules
from server.rules.model import (
    BoundNumber,
    BoundRefs,
    Characteristics,
    Ref,
    Scope,
    State,
    controller_of,
    evolve,
    lookup,
    loop_of,
    player_ref,
    seat_of,
    walk,
    zone_ids,
)


def target_part(reading: nouns.Reading) -> nouns.Target | None:
    """The target slot inside a noun ("target creature's controller" has the slot "target creature")."""
    if isinstance(reading, nouns.Target):
        return reading
    return next((part for part in walk(reading) if isinstance(part, nouns.Target)), None)


def candidates(
    state: State, noun: Noun, scope: Scope, taken: tuple[Ref, ...] = (), copy: bool = False
) -> tuple[Ref, ...]:
    """What a target slot can be filled with now, in order; `taken` are earlier targets that "another" leaves out. For a `copy`
    that is yet to be made the scope's source is what it copies, which it may well target."""
    target = target_part(noun.reading)
    if target is None:
        return ()
    found = things(state, kind_of(state, target), scope)
    own = scope.source
    legal: list[Ref] = []
    for ref in found:
        if target.other and ref in taken or ref > 0 and ref not in state.objects:
            continue
        if ref == own and state.objects[own].zone == "stack" and not copy:
            continue  # 114.4: a spell or ability can't target itself
        if can_target(state, ref, scope):
            legal.append(ref)
    return tuple(legal)


def kind_of(state: State, target: nouns.Target) -> nouns.Things:
    """The kind of thing a slot means in this edition: "any target" and "player or planeswalker" differ."""
    if state.edition.any_target or not (target.any_target or target.or_planeswalker):
        return target.of
    if target.or_planeswalker:
        return nouns.Things(players=target.of.players)
    # In 2011 damage reaches planeswalkers by redirection (306.7), and the text says creature or player.
    objects = target.of.objects
    if objects is None:
        return target.of
    creature = nouns.HasType("creature")
    wants_creature = matches_type(objects, "creature")
    return nouns.Things(objects=creature if wants_creature else None, players=target.of.players)


def matches_type(predicate: nouns.Predicate, name: str) -> bool:
    """Whether a predicate speaks of this card type."""
    if isinstance(predicate, nouns.HasType):
        return predicate.type == name
    if isinstance(predicate, nouns.Any | nouns.All):
        return any(matches_type(part, name) for part in predicate.parts)
    return False


def can_target(state: State, ref: Ref, scope: Scope) -> bool:
    """Whether a spell or ability may have this target: shroud, hexproof, protection, prohibitions (702.11, 702.17, 702.15)."""
    seat = scope.controller
    if not lookup.reaches(state, seat, ref):  # 801.4
        return False
    if ref < 0:
        other = seat_of(ref)
        for rule, rule_scope in rules(state, other, "can't be the target"):
            if rule.what is None or fits(state, rule.what.reading, scope.source, rule_scope):
                if rule.number == 0 or seat in lookup.opponents(state, other):
                    return False
        return not _player_protected(state, other, scope)
    found = state.objects[ref]
    c = characteristics(state, ref)
    if found.zone == "battlefield":
        guards = c.keywords & GUARDS
        if guards:
            without = _as_though_without(state, ref, seat)
            guards = guards - without
        if "shroud" in guards:
            return False
        if "hexproof" in guards and seat in lookup.opponents(state, found.controller):
            return False
        if "protection" in c.keywords and protected(state, ref, c, scope.source):
            return False
        if HEXPROOF_FROM in guards and seat in lookup.opponents(state, found.controller):
            if protected(state, ref, c, scope.source, HEXPROOF_FROM):  # current 702.11d
                return False
    for rule in rules_about(state, ref):
        if rule.flag.rule == "can't be the target":
            rule_scope = Scope(rule.source, rule.controller, rule.entry, rule.bindings)
            if rule.flag.param is None or fits(state, rule.flag.param.reading, scope.source, rule_scope):
                return False
    return True


def can_be_countered(state: State, oid: int, by: Ref) -> bool:
    """Whether nothing keeps a spell or ability from being countered by what `by` is, a spell or the source of an ability."""
    for rule in rules_about(state, oid):
        if rule.flag.rule == "can't be countered":
            scope = Scope(rule.source, rule.controller, rule.entry, rule.bindings)
            if rule.flag.param is None or fits(state, rule.flag.param.reading, by, scope):
                return False
    return not says_of_itself(state, oid, "can't be countered")


def _as_though_without(state: State, oid: int, seat: int) -> frozenset[str]:
    """The keywords as though without which a permanent may be the target of a player's spells and abilities (609.4); "hexproof
    from" is hexproof, too (current 702.11d)."""
    found: set[str] = set()
    for rule in rules_about(state, oid):
        if rule.flag.rule != "can be the target as though without":
            continue
        scope = Scope(rule.source, rule.controller, rule.entry, rule.bindings)
        if rule.flag.param is None or player_ref(seat) in select(state, rule.flag.param, scope):
            found |= GUARDS - {"shroud"} if rule.flag.keyword == "hexproof" else {rule.flag.keyword}
    return frozenset(found)


def _player_protected(state: State, seat: int, scope: Scope) -> bool:
    for rule, rule_scope in rules(state, seat, "protection"):
        if rule.what is None or fits(state, rule.what.reading, scope.source, rule_scope):
            return True
    return False


HEXPROOF_FROM = "hexproof from"
GUARDS = frozenset(("shroud", "hexproof", HEXPROOF_FROM))


def protected(state: State, oid: int, c: Characteristics, source: int, keyword: str = "protection") -> bool:
    """Whether a permanent has protection (or hexproof) from a source (702.15): its quality describes the source as it is (or last
    was)."""
    controller = controller_of(state, oid)
    scope = Scope(oid, controller if controller is not None else 0)
    return any(
        ability.quality is None or _has_quality(state, ability.quality, source, scope)
        for ability in _unspared(state, oid, source, c.abilities.quality(keyword))
    )


def _unspared(
    state: State, oid: int, source: int, abilities: Sequence[forms.KeywordAbility]
) -> Sequence[forms.KeywordAbility]:
    """The abilities that matter to an Aura which is there already: some say that they don't remove it, of several alike that it
    gives itself only one."""
    aura = state.objects.get(source)
    if aura is None or aura.attached_to != oid or not any(ability.spares for ability in abilities):
        return abilities
    c = characteristics(state, source)
    left = [one for one in abilities if one.spares != "Auras" or "Aura" not in c.subtypes]
    for _, static in c.abilities.continuous:
        for mod in static.mods:
            for given in mod.abilities if isinstance(mod, forms.GainAbilities) else ():
                if isinstance(given, forms.KeywordAbility) and given.spares == "this":
                    _spare(left, given, dict(aura.chosen).get("color"))
    return left


def _spare(left: list[forms.KeywordAbility], given: forms.KeywordAbility, color: str | None) -> None:
    """Takes out one of the abilities that is the one given, which may be protection from the chosen colour."""
    words = {given.quality.text, color} if given.quality is not None else set[str | None]()
    for one in left:
        if one.spares == "this" and one.quality is not None and one.quality.text in words:
            left.remove(one)
            return


def _has_quality(state: State, quality: Noun, source: int, scope: Scope) -> bool:
    reading = quality.reading
    if isinstance(reading, nouns.Things | nouns.Each | nouns.Choose):
        kind = reading if isinstance(reading, nouns.Things) else reading.of
        if known(state, source) is None:
            return False
        if kind.objects is None:
            return _is_of(state, reading, source, scope)
        return selection.matches(state, kind.objects, source, scope)
    return fits(state, reading, source, scope)


def _is_of(state: State, players: nouns.Reading, source: int, scope: Scope) -> bool:
    """Whether protection from such a player is from the source: one controls it, or owns it while nobody else controls it
    (current 702.16k)."""
    whose = controller_of(state, source)
    return whose is not None and fits(state, players, player_ref(whose), scope)


def with_said_x(state: State, program: forms.Tree, scope: Scope) -> Scope:
    """The scope in which X is what the text says that it is ("where X is ..."), as targets are chosen and looked at again."""
    for verb in program:
        if isinstance(verb, forms.Bind) and verb.as_name == "X" and verb.amount is not None:
            return (
                scope
                if scope.number(BoundNumber.X) is not None
                else scope.bind(BoundNumber.X, amount(state, verb.amount, scope))
            )
    return scope


def has_candidates(state: State, target: nouns.Target, scope: Scope) -> bool:
    """Whether a slot has as many `candidates` as it needs; looks no further than that."""
    kind = kind_of(state, target)
    missing = target.least
    if kind.players is not None:
        for ref in things(state, nouns.Things(players=kind.players), scope):
            if can_target(state, ref, scope):
                missing -= 1
                if not missing:
                    return True
    if missing <= 0 or kind.objects is None:
        return missing <= 0
    predicate, test = kind.objects, predicates.PREDICATES[type(kind.objects)]
    for ref in (i for zone in selection.zones_of(kind) for i in zone_ids(state, zone)):
        if ref == scope.source and state.objects[ref].zone == "stack":
            continue
        if test(state, predicate, ref, scope) and can_target(state, ref, scope):
            missing -= 1
            if not missing:
                return True
    return False


def still_legal(state: State, noun: Noun, ref: Ref, scope: Scope, zones: str = "") -> bool:
    """Whether a target is still legal as the spell or ability resolves (608.2b)."""
    target = target_part(noun.reading)
    if target is None:
        return True
    if ref < 0:
        if not lookup.present(state, seat_of(ref)):
            return False
    else:
        found = state.objects.get(ref)
        if found is None or found.phased_out:
            return False
        if found.zone not in selection.zones_of(kind_of(state, target)):
            return False
    kind = kind_of(state, target)
    if ref > 0 and kind.objects is None:
        return False
    if ref < 0 and kind.players is None:
        return False
    loop = loop_of(scope.entry.program, noun) if scope.entry is not None else None
    if loop is not None:
        locals_ = (scope.bind(BoundRefs.PLAYER, (r,)) for r in select(state, loop, scope))
        return any(fits(state, kind, ref, local) for local in locals_) and can_target(state, ref, scope)
    return fits(state, kind, ref, scope) and can_target(state, ref, scope)


def can_attach(state: State, oid: int, to: Ref, seat: int | None = None) -> bool:
    """Whether an Aura, Equipment or Fortification may be attached to something (303.4, 301.5, 702.15c), under the control of
    `seat` if it is not there yet."""
    seat = state.objects[oid].controller if seat is None else seat
    c = characteristics(state, oid)
    scope = Scope(oid, seat)
    if not lookup.reaches(state, seat, to):  # 801.8, 801.9
        return False
    if to < 0:
        enchants = c.abilities.quality("enchant")
        present = lookup.present(state, seat_of(to)) and not _player_protected(state, seat_of(to), scope)  # 702.15c
        return present and any(e.quality is not None and fits(state, e.quality.reading, to, scope) for e in enchants)
    host = lookup.permanent(state, to)
    if host is None or to == oid:
        return False
    host_c = characteristics(state, to)
    if "protection" in host_c.keywords and protected(state, to, host_c, oid):
        return False
    flags = [r.flag.rule for r in rules_about(state, to)]
    if "Aura" in c.subtypes:
        if "can't be enchanted" in flags or "creature" in c.types:
            return False
        enchants = c.abilities.quality("enchant")
        return bool(enchants) and all(e.quality is None or fits(state, e.quality.reading, to, scope) for e in enchants)
    if "Equipment" in c.subtypes:
        loose = "creature" not in c.types or "reconfigure" in c.abilities.keywords  # current 301.5c
        return "creature" in host_c.types and "can't be equipped" not in flags and loose
    if "Fortification" in c.subtypes:
        return "land" in host_c.types
    return False


def enchant_candidates(state: State, oid: int, seat: int) -> tuple[Ref, ...]:
    """What an Aura that is put onto the battlefield without being cast could enchant (303.4f)."""
    refs = (*zone_ids(state, "battlefield"), *(player_ref(s) for s in lookup.turn_order(state)))
    own = state.objects[oid]
    if own.face_down:  # in exile; on the battlefield it will lie face up
        state = evolve(state, objects={**state.objects, oid: replace(own, face_down=False)})
    return tuple(ref for ref in refs if can_attach(state, oid, ref, seat))
