"""What noun phrases select in a game, what amounts come to, and whether conditions hold.

Everything is asked for a `Scope`: who speaks (the source and its controller), what was announced (`entry`) and what has
been bound so far. References are object ids and players (`questions.Ref`). Objects that have left are looked up in last
known information where the rules allow it (608.2g); a selection never invents an object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Amount, Noun
from server.rules import evolve as ev
from server.rules.definition import BASIC_LAND_TYPES, Characteristics, targets_of, walk
from server.rules.layers import characteristics, known
from server.rules.questions import Ref, player_ref, seat_of
from server.rules.state import Attacker, Bindings, Entry, Object, State, Struct


class Scope(Struct):
    """Who speaks: the `source` object's id, its `controller`'s seat, what was announced, and what is bound by name."""

    source: int
    controller: int
    entry: Entry | None = None
    bindings: Bindings = ()

    def refs(self, name: str) -> tuple[Ref, ...] | None:
        """The objects and players bound under a name; None if there are none of that name."""
        value = self.bound(name)
        return cast("tuple[Ref, ...]", value) if isinstance(value, tuple) else None

    def bound(self, name: str) -> Any:
        """The value bound under a name, the last binding winning; None if there is none."""
        for key, value in reversed(self.bindings):
            if key == name:
                return value
        return None

    def bind(self, name: str, value: tuple[Ref, ...] | int | str) -> Scope:
        """The scope with one more binding; an earlier one of that name is replaced."""
        kept = tuple(pair for pair in self.bindings if pair[0] != name)
        return Scope(self.source, self.controller, self.entry, (*kept, (name, value)))


# --- selections ------------------------------------------------------------------------------------------------------------


def refs(state: State, reading: nouns.Reading, scope: Scope) -> tuple[Ref, ...]:
    """What a noun selects now, without asking anybody: for `Choose` everything that could be chosen."""
    return READINGS[type(reading)](state, reading, scope)


def _you(state: State, reading: nouns.You, scope: Scope) -> tuple[Ref, ...]:
    return (player_ref(scope.controller),)


def _players(state: State, reading: nouns.Players, scope: Scope) -> tuple[Ref, ...]:
    return tuple(player_ref(s) for s in ev.turn_order(state) if is_player(state, s, reading.which, scope))


def is_player(state: State, seat: int, which: str, scope: Scope) -> bool:
    """Whether the player in `seat` is of that kind, seen from the scope's controller."""
    you = scope.controller
    if not ev.present(state, seat) or not ev.in_range(state, you, seat):
        return False
    if which == "any":
        return True
    if which == "opponent":
        teams = state.options.teams
        return seat != you and (not teams or teams[seat] != teams[you])
    if which == "other":
        return seat != you
    if which in ("active", "attacking"):
        return seat == state.turn.active
    if which == "nonactive":
        return seat != state.turn.active
    return state.combat is not None and seat in state.combat.defenders


def _defending(state: State, reading: nouns.DefendingPlayer, scope: Scope) -> tuple[Ref, ...]:
    # 508.5, 802.2a: of the attacker that the event or ability speaks of, as remembered; else of this object.
    bound = scope.bound("defending")
    if bound:
        return bound
    candidates: list[int] = [*(scope.refs(AFFECTED) or ()), scope.source]
    candidates.extend(r for r in scope.refs("it") or () if r > 0)
    if scope.entry is not None:
        candidates.extend(r for slot in scope.entry.targets for r in slot if r > 0)
    for ref in candidates:
        attacker = attacking(state, ref)
        if attacker is not None:
            return (player_ref(attacker.player),)
        last = state.last.get(ref)
        if last is not None and last.defending >= 0:
            return (player_ref(last.defending),)
    # Several may be meant: the controller of the spell or ability chooses one as it resolves (`resolve`).
    if state.combat is None:
        return ()
    return tuple(player_ref(s) for s in state.combat.defenders if ev.in_range(state, scope.controller, s))


#: The binding of the one object that a continuous effect is being applied to.
AFFECTED = "#affected"


def attacking(state: State, oid: int) -> Attacker | None:
    """The place in combat of an attacking creature."""
    if state.combat is None:
        return None
    for attacker in state.combat.attackers:
        if attacker.id == oid:
            return attacker
    return None


def _controller_of(state: State, reading: nouns.ControllerOf, scope: Scope) -> tuple[Ref, ...]:
    found = (controller_of(state, r) for r in refs(state, reading.of, scope))
    return _distinct(player_ref(s) for s in found if s is not None and ev.present(state, s))


def controller_of(state: State, ref: Ref) -> int | None:
    """The seat of the controller of an object (or of the player itself), by last known information if it has left."""
    if ref < 0:
        return seat_of(ref)
    found = state.objects.get(ref)
    if found is None:
        last = state.last.get(ref)
        found = last.object if last is not None else None
    if found is None:
        return None
    return found.controller if found.zone in ("battlefield", "stack", "command") else found.owner


def _owner_of(state: State, reading: nouns.OwnerOf, scope: Scope) -> tuple[Ref, ...]:
    owners: list[Ref] = []
    for ref in refs(state, reading.of, scope):
        found = object_or_last(state, ref)
        if found is not None:
            owners.append(player_ref(found.owner))
    return _distinct(owners)


def object_or_last(state: State, ref: Ref) -> Object | None:
    """The object, or what it last was."""
    found = state.objects.get(ref)
    if found is not None:
        return found
    last = state.last.get(ref)
    return last.object if last is not None else None


def _this(state: State, reading: nouns.This, scope: Scope) -> tuple[Ref, ...]:
    return (scope.source,) if scope.source else ()


_PLAYER_WORDS = frozenset(("player", "opponent"))


def _it(state: State, reading: nouns.It, scope: Scope) -> tuple[Ref, ...]:
    it = scope.refs("it")
    if reading.what in _PLAYER_WORDS:
        return scope.refs("player") or tuple(r for r in it or () if r < 0)
    bound = scope.refs(reading.what) if reading.what else None
    if bound is None:
        bound = it
    if bound is None:
        return (scope.source,) if scope.source else ()
    return bound


def _named(state: State, reading: nouns.Named, scope: Scope) -> tuple[Ref, ...]:
    return scope.refs(reading.name) or ()


def _attached(state: State, reading: nouns.Attached, scope: Scope) -> tuple[Ref, ...]:
    found = object_or_last(state, scope.source)
    return (found.attached_to,) if found is not None and found.attached_to else ()


def _linked(state: State, reading: nouns.Linked, scope: Scope) -> tuple[Ref, ...]:
    found = object_or_last(state, scope.source)
    if found is None:
        return ()
    if reading.what == "exiled":
        return tuple(i for i in found.linked if i in state.objects)
    value = dict(found.chosen).get(reading.what)
    return (int(value),) if value is not None and value.lstrip("-").isdigit() else ()


def things(state: State, kind: nouns.Things, scope: Scope) -> tuple[Ref, ...]:
    """All things of a kind: objects of its zone in order, then players in APNAP order."""
    found: tuple[Ref, ...] = ()
    if kind.objects is not None:
        test = PREDICATES[type(kind.objects)]
        predicate = kind.objects
        found = tuple(i for i in zone_ids(state, kind.zone) if test(state, predicate, i, scope))
        if state.options.range_of_influence:  # 801.11
            found = tuple(i for i in found if ev.reaches(state, scope.controller, i))
    if kind.players is not None:
        found += _players(state, kind.players, scope)
    return found


def zone_ids(state: State, zone: str) -> tuple[int, ...]:
    """The ids of a zone's objects in order; phased-out permanents don't exist (702.23d)."""
    if zone == "battlefield":
        objects = state.objects
        if state.memo.get("phased") is None:
            state.memo["phased"] = any(objects[i].phased_out for i in state.battlefield)
        if not state.memo["phased"]:
            return state.battlefield
        return tuple(i for i in state.battlefield if not objects[i].phased_out)
    if zone == "stack":
        return state.stack
    if zone == "exile":
        return state.exile
    if zone == "command":
        return state.command
    ids: list[int] = []
    for p in state.players:
        ids.extend(p.hand if zone == "hand" else p.graveyard if zone == "graveyard" else reversed(p.library))
    return tuple(ids)


def _each(state: State, reading: nouns.Each, scope: Scope) -> tuple[Ref, ...]:
    return things(state, reading.of, scope)


def _choose(state: State, reading: nouns.Choose, scope: Scope) -> tuple[Ref, ...]:
    return things(state, reading.of, scope)


def _bare(state: State, reading: nouns.Things, scope: Scope) -> tuple[Ref, ...]:
    return things(state, reading, scope)


def _target(state: State, reading: nouns.Target, scope: Scope) -> tuple[Ref, ...]:
    entry = scope.entry
    if entry is None:
        return ()
    for slot, noun in enumerate(targets_of(entry.program)):
        if contains(noun.reading, reading) and slot < len(entry.targets):
            return tuple(r for r in entry.targets[slot] if r)
    return ()


def contains(outer: nouns.Reading, inner: nouns.Reading) -> bool:
    """Whether a reading is this very one, or says something of it ("its controller" of a target)."""
    return outer is inner or any(part is inner for part in walk(outer))


def select(state: State, noun: Noun, scope: Scope) -> tuple[Ref, ...]:
    """What a noun selects; a target noun finds the slot that is its own by identity."""
    entry = scope.entry
    if entry is not None and entry.targets:
        for slot, own in enumerate(targets_of(entry.program)):
            if own is noun and slot < len(entry.targets):
                chosen = tuple(r for r in entry.targets[slot] if r)
                return _through(state, noun, chosen, scope)
    return refs(state, noun.reading, scope)


def _through(state: State, noun: Noun, chosen: tuple[Ref, ...], scope: Scope) -> tuple[Ref, ...]:
    """A phrase about a target ("target creature's controller") with the target's place taken by what was chosen."""
    if isinstance(noun.reading, nouns.Target):
        return chosen
    return refs(state, _around_target(noun.text), scope.bind("#target", chosen))


@lru_cache(maxsize=65536)
def _around_target(text: str) -> nouns.Reading:
    """The reading of a phrase with its target replaced by what is bound for it; phrases of one text read alike."""
    return cast(nouns.Reading, _with_binding(Noun(text).reading))


def _with_binding(part: object) -> object:
    if isinstance(part, nouns.Target):
        return nouns.Named("#target")
    if isinstance(part, tuple):
        return tuple(_with_binding(p) for p in cast("tuple[object, ...]", part))
    if isinstance(part, msgspec.Struct):
        changes = {name: _with_binding(getattr(part, name)) for name in part.__struct_fields__}
        return replace(part, **changes)
    return part


def _top(state: State, reading: nouns.Top, scope: Scope) -> tuple[Ref, ...]:
    n = amount(state, reading.count, scope)
    found: list[Ref] = []
    for ref in refs(state, reading.of, scope):
        library = ev.player(state, ref).library
        if n > 0:
            found.extend(library[:n] if reading.bottom else tuple(reversed(library[-n:])))
    return tuple(found)


def _both(state: State, reading: nouns.Both, scope: Scope) -> tuple[Ref, ...]:
    return _distinct(r for part in reading.parts for r in refs(state, part, scope))


def _superlative(state: State, reading: nouns.Superlative, scope: Scope) -> tuple[Ref, ...]:
    candidates = tuple(r for r in things(state, reading.of, scope) if r > 0)
    if not candidates:
        return ()
    values = [stat(state, r, reading.stat) for r in candidates]
    best = max(values) if reading.greatest else min(values)
    return tuple(r for r, v in zip(candidates, values, strict=True) if v == best)


def _distinct(found: Iterable[Ref]) -> tuple[Ref, ...]:
    return tuple(dict.fromkeys(found))


READINGS: dict[type, Callable[[State, Any, Scope], tuple[Ref, ...]]] = {
    nouns.You: _you,
    nouns.Players: _players,
    nouns.DefendingPlayer: _defending,
    nouns.ControllerOf: _controller_of,
    nouns.OwnerOf: _owner_of,
    nouns.This: _this,
    nouns.It: _it,
    nouns.Named: _named,
    nouns.Attached: _attached,
    nouns.Linked: _linked,
    nouns.Things: _bare,
    nouns.Each: _each,
    nouns.Target: _target,
    nouns.Choose: _choose,
    nouns.Top: _top,
    nouns.Both: _both,
    nouns.Superlative: _superlative,
}

# --- whether one thing is of a kind ---------------------------------------------------------------------------------------


def fits(state: State, reading: nouns.Reading, ref: Ref, scope: Scope) -> bool:
    """Whether `ref` is (one of) what a noun describes; kinds are tested, everything else selected."""
    if isinstance(reading, nouns.Things):
        return fits_kind(state, reading, ref, scope)
    if isinstance(reading, nouns.Each | nouns.Choose | nouns.Target):
        return fits_kind(state, reading.of, ref, scope)
    if isinstance(reading, nouns.Players):
        return ref < 0 and is_player(state, seat_of(ref), reading.which, scope)
    return ref in refs(state, reading, scope)


def fits_kind(state: State, kind: nouns.Things, ref: Ref, scope: Scope) -> bool:
    """Whether `ref` is a thing of this kind (whatever zone it is in: the caller knows which zone it asks about)."""
    if ref < 0:
        return kind.players is not None and is_player(state, seat_of(ref), kind.players.which, scope)
    if kind.objects is None:
        return False
    return matches(state, kind.objects, ref, scope)


def matches(state: State, predicate: nouns.Predicate, oid: int, scope: Scope) -> bool:
    """Whether an object (or what it last was) satisfies a predicate."""
    return PREDICATES[type(predicate)](state, predicate, oid, scope)


def _chars(state: State, oid: int) -> Characteristics | None:
    return known(state, oid)


def _has_type(state: State, p: nouns.HasType, oid: int, scope: Scope) -> bool:
    c = _chars(state, oid)
    return c is not None and p.type in c.types


def _has_supertype(state: State, p: nouns.HasSupertype, oid: int, scope: Scope) -> bool:
    c = _chars(state, oid)
    return c is not None and p.supertype in c.supertypes


def _has_subtype(state: State, p: nouns.HasSubtype, oid: int, scope: Scope) -> bool:
    c = _chars(state, oid)
    if c is None:
        return False
    return p.subtype in c.subtypes or ("changeling" in c.keywords and is_creature_type(p.subtype))


def is_creature_type(subtype: str) -> bool:
    """Whether a subtype is a creature type (205.3m), which changeling has."""
    from server.cards.vocabulary import CREATURE_TYPES

    return subtype in CREATURE_TYPES


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
    c = _chars(state, oid)
    return c is not None and bool(c.colors & p.mask)


def _color_count(state: State, p: nouns.ColorCount, oid: int, scope: Scope) -> bool:
    c = _chars(state, oid)
    return c is not None and compare(c.colors.bit_count(), p.compare, p.number)


def _has_keyword(state: State, p: nouns.HasKeyword, oid: int, scope: Scope) -> bool:
    c = _chars(state, oid)
    return c is not None and p.keyword in c.keywords


def _controlled(state: State, p: nouns.ControlledBy, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    if found is None:
        return False
    if isinstance(p.by, nouns.You):
        return found.controller == scope.controller
    return fits(state, p.by, player_ref(found.controller), scope)


def _owned(state: State, p: nouns.OwnedBy, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    return found is not None and fits(state, p.by, player_ref(found.owner), scope)


def _stat_is(state: State, p: nouns.StatIs, oid: int, scope: Scope) -> bool:
    return compare(stat(state, oid, p.stat), p.compare, amount(state, p.amount, scope))


def stat(state: State, oid: int, name: str) -> int:
    """A statistic of an object, 0 if it has none; the X of a spell on the stack counts in its mana value (202.3b)."""
    c = _chars(state, oid)
    if c is None:
        return 0
    if name == "power":
        return c.power or 0
    if name == "toughness":
        return c.toughness or 0
    if name == "loyalty":
        return c.loyalty or 0
    found = state.objects.get(oid)
    x = found.entry.x if found is not None and found.zone == "stack" and found.entry is not None else 0
    return c.mana_value + (x * c.cost.x if x and c.cost is not None else 0)


def _status(state: State, p: nouns.Status, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    return found is not None and STATUSES[p.status](state, found, scope)


def _is_blocking(state: State, oid: int) -> bool:
    return state.combat is not None and any(b.id == oid for b in state.combat.blockers)


def _attacks_you(state: State, found: Object, scope: Scope) -> bool:
    attacker = attacking(state, found.id)
    return attacker is not None and attacker.player == scope.controller


def _alone(state: State, oid: int, blocking: bool) -> bool:
    combat = state.combat
    if combat is None:
        return False
    group = combat.blockers if blocking else combat.attackers
    return len(group) == 1 and group[0].id == oid


def _has_attachment(state: State, found: Object, subtype: str) -> bool:
    return any(subtype in characteristics(state, i).subtypes for i in found.attachments if i in state.objects)


def _blocked(state: State, oid: int) -> bool | None:
    attacker = attacking(state, oid)
    if attacker is None or state.combat is None or not state.combat.blocks_declared:
        return None
    return attacker.blocked


STATUSES: dict[str, Callable[[State, Object, Scope], bool]] = {
    "tapped": lambda s, o, _: o.tapped,
    "untapped": lambda s, o, _: not o.tapped,
    "attacking": lambda s, o, _: attacking(s, o.id) is not None,
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
    "attacked this turn": lambda s, o, _: ("attacked", o.id) in s.history,
    "blocked this turn": lambda s, o, _: ("blocked", o.id) in s.history,
    "summoning sick": lambda s, o, _: o.sick,
}


def _has_counter(state: State, p: nouns.HasCounter, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    return found is not None and ev.count(found.counters, p.counter) > 0


def _has_name(state: State, p: nouns.HasName, oid: int, scope: Scope) -> bool:
    c = _chars(state, oid)
    return c is not None and c.name == p.name


def _shares_name(state: State, p: nouns.SharesName, oid: int, scope: Scope) -> bool:
    c = _chars(state, oid)
    others = (known(state, r) for r in refs(state, p.with_, scope) if r > 0)
    return c is not None and any(o is not None and o.name == c.name and o.name for o in others)


def _of_chosen(state: State, p: nouns.OfChosen, oid: int, scope: Scope) -> bool:
    chosen = scope.bound(f"chosen {p.what}")
    if chosen is None:
        source = object_or_last(state, scope.source)
        chosen = dict(source.chosen).get(p.what) if source is not None else None
    c = _chars(state, oid)
    if chosen is None or c is None:
        return False
    if p.what == "color":
        return bool(c.colors & COLOR_MASKS.get(chosen, 0))
    if p.what == "type":
        in_subtypes = chosen in c.subtypes or ("changeling" in c.keywords and is_creature_type(chosen))
        return in_subtypes or chosen.lower() in c.types
    if p.what == "name":
        return c.name == chosen
    if p.what == "player":
        found = object_or_last(state, oid)
        return found is not None and player_ref(found.controller) == int(chosen)
    return oid == int(chosen) if str(chosen).lstrip("-").isdigit() else False


COLOR_MASKS = {"white": 1, "blue": 2, "black": 4, "red": 8, "green": 16}


def _other(state: State, p: nouns.Other, oid: int, scope: Scope) -> bool:
    return oid != scope.source


def _among(state: State, p: nouns.Among, oid: int, scope: Scope) -> bool:
    return oid in refs(state, p.of, scope)


def _in_combat_with(state: State, p: nouns.InCombatWith, oid: int, scope: Scope) -> bool:
    combat = state.combat
    if combat is None:
        return False
    with_ = refs(state, p.with_, scope) if not isinstance(p.with_, nouns.Things) else None

    def wanted(ref: Ref) -> bool:
        return ref in with_ if with_ is not None else fits(state, p.with_, ref, scope)

    if p.relation == "attacking":
        attacker = attacking(state, oid)
        return attacker is not None and wanted(attacker.defender)
    found = False
    if "blocking" in p.relation:
        found = any(b.id == oid and any(wanted(a) for a in b.attackers) for b in combat.blockers)
    if not found and "blocked by" in p.relation:
        found = any(a.id == oid and any(wanted(b) for b in a.blockers) for a in combat.attackers)
    return found


def _attached_to(state: State, p: nouns.AttachedTo, oid: int, scope: Scope) -> bool:
    found = object_or_last(state, oid)
    return found is not None and found.attached_to != 0 and fits(state, p.to, found.attached_to, scope)


def _damaged_by(state: State, p: nouns.DealtDamageBy, oid: int, scope: Scope) -> bool:
    by = refs(state, p.by, scope)
    return any(r == oid and s in by for s, r in state.hurt)


def _targets(state: State, p: nouns.Targets, oid: int, scope: Scope) -> bool:
    found = state.objects.get(oid)
    if found is None or found.entry is None:
        return False
    chosen = [r for slot in found.entry.targets for r in slot if r]
    if p.single and len(chosen) != 1:
        return False
    if p.of is None:
        return bool(chosen)
    of = p.of
    return any(fits(state, of, r, scope) for r in chosen)


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
    nouns.OfChosen: _of_chosen,
    nouns.Other: _other,
    nouns.Among: _among,
    nouns.InCombatWith: _in_combat_with,
    nouns.AttachedTo: _attached_to,
    nouns.DealtDamageBy: _damaged_by,
    nouns.Targets: _targets,
    nouns.Not: _not,
    nouns.All: _all,
    nouns.Any: _any,
}

# --- amounts and conditions -----------------------------------------------------------------------------------------------


def compare(left: int, how: str, right: int) -> bool:
    """Whether two numbers compare so."""
    if how == ">=":
        return left >= right
    if how == "<=":
        return left <= right
    if how == "=":
        return left == right
    return left > right if how == ">" else left < right


def amount(state: State, value: Amount, scope: Scope) -> int:
    """What an amount comes to now."""
    if isinstance(value, int):
        return value
    return AMOUNTS[type(value)](state, value, scope)


def _x(state: State, value: nouns.X, scope: Scope) -> int:
    bound = scope.bound("X")
    if isinstance(bound, int):
        return bound
    if scope.entry is not None:
        return scope.entry.x
    found = object_or_last(state, scope.source)
    return found.entry.x if found is not None and found.entry is not None else 0


def _count_of(state: State, value: nouns.Count, scope: Scope) -> int:
    return len(select(state, value.of, scope))


def _stat_of(state: State, value: nouns.StatOf, scope: Scope) -> int:
    return sum(stat(state, r, value.stat) for r in select(state, value.of, scope) if r > 0)


def _counters_on(state: State, value: nouns.CountersOn, scope: Scope) -> int:
    total = 0
    for ref in select(state, value.of, scope):
        if ref < 0:
            total += ev.count(ev.player(state, ref).counters, value.counter)
        else:
            found = object_or_last(state, ref)
            total += ev.count(found.counters, value.counter) if found is not None else 0
    return total


def _life_of(state: State, value: nouns.LifeOf, scope: Scope) -> int:
    return sum(ev.player(state, r).life for r in select(state, value.of, scope) if r < 0)


def _cards_in(state: State, value: nouns.CardsIn, scope: Scope) -> int:
    total = 0
    for ref in select(state, value.of, scope):
        p = ev.player(state, ref)
        if value.zone == "hand":
            total += len(p.hand)
        elif value.zone == "library":
            total += len(p.library)
        elif value.zone == "graveyard":
            total += len(p.graveyard)
        else:
            total += sum(state.objects[i].owner == p.seat for i in zone_ids(state, value.zone))
    return total


def _that_much(state: State, value: nouns.ThatMuch, scope: Scope) -> int:
    bound = scope.bound(value.name or "amount")
    return bound if isinstance(bound, int) else 0


def _times_paid(state: State, value: nouns.TimesPaid, scope: Scope) -> int:
    return dict(_entry_of(state, scope).paid).get(value.cost, 0)


def _entry_of(state: State, scope: Scope) -> Entry:
    """What was announced for the spell that is spoken of, or that the source was (400.7d)."""
    source = object_or_last(state, scope.source)
    entry = source.entry if source is not None else None
    if scope.entry is not None and (scope.entry.paid or scope.entry.kind == "spell" or entry is None):
        return scope.entry
    return entry if entry is not None else Entry()


def _turn_count(state: State, value: nouns.TurnCount, scope: Scope) -> int:
    return sum(state.history.get((value.what, r), 0) for r in select(state, value.of, scope))


def _times(state: State, value: nouns.Times, scope: Scope) -> int:
    product = value.number * amount(state, value.of, scope)
    if value.half:
        return (product + 1) // 2 if value.half == "up" else product // 2
    return product


def _plus(state: State, value: nouns.Plus, scope: Scope) -> int:
    return sum(amount(state, part, scope) for part in value.parts)


def _minus(state: State, value: nouns.Minus, scope: Scope) -> int:
    return max(value.floor, amount(state, value.left, scope) - amount(state, value.right, scope))


def _most(state: State, value: nouns.Most, scope: Scope) -> int:
    values = [stat(state, r, value.stat) for r in select(state, value.of, scope) if r > 0]
    return (max(values) if value.greatest else min(values)) if values else 0


def _distinct_count(state: State, value: nouns.Distinct, scope: Scope) -> int:
    found = [c for c in (_chars(state, r) for r in select(state, value.of, scope) if r > 0) if c is not None]
    if value.what == "colors":
        mask = 0
        for c in found:
            mask |= c.colors
        return mask.bit_count()
    if value.what == "types":
        return len({t for c in found for t in c.types})
    if value.what == "names":
        return len({c.name for c in found})
    return sum(any(t in c.subtypes for c in found) for t in BASIC_LAND_TYPES)


AMOUNTS: dict[type, Callable[[State, Any, Scope], int]] = {
    nouns.X: _x,
    nouns.Count: _count_of,
    nouns.StatOf: _stat_of,
    nouns.CountersOn: _counters_on,
    nouns.LifeOf: _life_of,
    nouns.CardsIn: _cards_in,
    nouns.ThatMuch: _that_much,
    nouns.TimesPaid: _times_paid,
    nouns.TurnCount: _turn_count,
    nouns.Times: _times,
    nouns.Plus: _plus,
    nouns.Minus: _minus,
    nouns.Most: _most,
    nouns.Distinct: _distinct_count,
}


def holds(state: State, condition: forms.AnyCondition, scope: Scope) -> bool:
    """Whether a condition holds now."""
    return CONDITIONS[type(condition)](state, condition, scope)


def _exists(state: State, c: forms.Exists, scope: Scope) -> bool:
    return compare(len(select(state, c.of, scope)), c.compare, amount(state, c.number, scope))


def _holds(state: State, c: forms.Holds, scope: Scope) -> bool:
    return compare(amount(state, c.left, scope), c.compare, amount(state, c.right, scope))


def _is(state: State, c: forms.Is, scope: Scope) -> bool:
    found = select(state, c.what, scope)
    return bool(found) and all(fits(state, c.of.reading, r, scope) for r in found)


def _paid(state: State, c: forms.Paid, scope: Scope) -> bool:
    return dict(_entry_of(state, scope).paid).get(c.cost, 0) >= c.times


def _cast_from(state: State, c: forms.CastFrom, scope: Scope) -> bool:
    return _entry_of(state, scope).cast_from == c.zone


def _did(state: State, c: forms.Did, scope: Scope) -> bool:
    return bool(scope.bound("did"))


def _during(state: State, c: forms.During, scope: Scope) -> bool:
    if c.whose is not None and player_ref(state.turn.active) not in select(state, c.whose, scope):
        return False
    if not c.step:
        return True
    if c.step == "combat":
        return state.combat is not None
    if c.step == "main":
        return state.turn.step in ("precombat_main", "postcombat_main")
    return state.turn.step == c.step


def _once(state: State, c: forms.Once, scope: Scope) -> bool:
    name = f"triggered {scope.bound('ability index')}"
    return state.history.get((name, scope.source), 0) < c.times


CONDITIONS: dict[type, Callable[[State, Any, Scope], bool]] = {
    forms.Exists: _exists,
    forms.Holds: _holds,
    forms.Is: _is,
    forms.Paid: _paid,
    forms.CastFrom: _cast_from,
    forms.Did: _did,
    forms.During: _during,
    forms.Once: _once,
    forms.NotSo: lambda s, c, scope: not holds(s, c.condition, scope),
    forms.AllOf: lambda s, c, scope: all(holds(s, part, scope) for part in c.conditions),
    forms.OneOf: lambda s, c, scope: any(holds(s, part, scope) for part in c.conditions),
}
