"""Doing events: from a state and a batch to the next state and the events as they happened.

A `Change` collects what a batch alters (one copy of the objects for the whole batch) and becomes the next state at the
end. Nothing is decided here: replacements have been applied and composite events lowered before (`server.rules.batch`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms
from server.rules import chance, events
from server.rules import evolve as ev
from server.rules.definition import Definition
from server.rules.layers import characteristics
from server.rules.questions import Ref, player_ref, seat_of
from server.rules.state import (
    NO_MANA,
    Attacker,
    Blocker,
    Combat,
    LastKnown,
    Object,
    Player,
    Pool,
    State,
    Turn,
)


class Change:
    """A state being altered; `finish` makes the next one."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.objects = state.objects
        self.players = state.players
        self.last = state.last
        self.history = state.history
        self.fields: dict[str, Any] = {}
        self.next_id = state.next_id
        self.clock = state.clock
        self.chance = state.chance
        self.done: list[events.Event] = []

    def get(self, name: str) -> Any:
        """A field as it stands now."""
        if name in self.fields:
            return self.fields[name]
        return getattr(self.state, name)

    def put(self, found: Object) -> None:
        """Enters or updates an object."""
        if self.objects is self.state.objects:
            self.objects = dict(self.objects)
        self.objects[found.id] = found

    def drop(self, oid: int) -> None:
        """Takes an object out of the game's objects."""
        if self.objects is self.state.objects:
            self.objects = dict(self.objects)
        del self.objects[oid]

    def set_player(self, seat: int, **changes: Any) -> None:
        """Updates a player."""
        players = list(self.players)
        players[seat] = replace(players[seat], **changes)
        self.players = tuple(players)

    def remember(self, oid: int, last: LastKnown) -> None:
        """Keeps last known information."""
        if self.last is self.state.last:
            self.last = dict(self.last)
        self.last[oid] = last

    def note(self, what: str, ref: Ref, n: int = 1) -> None:
        """Counts something in this turn's history."""
        if self.history is self.state.history:
            self.history = dict(self.history)
        self.history[(what, ref)] = self.history.get((what, ref), 0) + n

    def stamp(self) -> int:
        """A new timestamp (613.6)."""
        self.clock += 1
        return self.clock

    def finish(self) -> State:
        """The next state."""
        fields = self.fields
        state = self.state
        if self.objects is not state.objects:
            fields["objects"] = self.objects
        if self.players is not state.players:
            fields["players"] = self.players
        if self.last is not state.last:
            fields["last"] = self.last
        if self.history is not state.history:
            fields["history"] = self.history
        if self.clock != state.clock:
            fields["clock"] = self.clock
        if self.chance != state.chance:
            fields["chance"] = self.chance
        if self.next_id != state.next_id:
            fields["next_id"] = self.next_id
        return ev.evolve(state, **fields) if fields else state


def do(state: State, batch: tuple[events.Event, ...] | list[events.Event]) -> tuple[State, list[events.Event]]:
    """Does all events of a batch at once. Returns the next state and the events as they happened."""
    change = Change(state)
    for event in batch:
        APPLY[type(event)](change, event)
    return change.finish(), change.done


# --- zones ---------------------------------------------------------------------------------------------------------------


def _take_out(change: Change, found: Object) -> None:
    """Removes an object from the list of its zone."""
    oid, zone = found.id, found.zone
    if zone in ("battlefield", "stack", "exile", "command"):
        change.fields[zone] = tuple(i for i in change.get(zone) if i != oid)
        return
    owner = change.players[found.owner]
    ids: tuple[int, ...] = getattr(owner, zone)
    if ids and ids[-1] == oid:
        ids = ids[:-1]
    else:
        ids = tuple(i for i in ids if i != oid)
    change.set_player(found.owner, **{zone: ids})


def _put_in(change: Change, found: Object, position: int) -> None:
    """Adds an object to the list of its zone; in a library `position` counts from the top, -1 is the bottom."""
    oid, zone = found.id, found.zone
    if zone in ("battlefield", "stack", "exile", "command"):
        change.fields[zone] = (*change.get(zone), oid)
        return
    ids: tuple[int, ...] = getattr(change.players[found.owner], zone)
    if zone == "library" and position != 0:
        place = 0 if position < 0 else max(0, len(ids) - position)
        ids = (*ids[:place], oid, *ids[place:])
    else:
        ids = (*ids, oid)
    change.set_player(found.owner, **{zone: ids})


def _move(change: Change, event: events.Move) -> None:
    if event.subject == 0:
        _begin(change, event)
        return
    found = change.objects.get(event.subject)
    if found is None:
        return
    state = change.state
    new_id = change.next_id
    change.next_id += 1
    from_battlefield = found.zone == "battlefield"
    last: LastKnown | None = None
    if found.zone not in ("library", "hand"):
        chars = characteristics(state, found.id) if found.id in state.objects else found.definition.base
        attacker = next((a for a in state.combat.attackers if a.id == found.id), None) if state.combat else None
        last = LastKnown(found, chars, new_id, attacker.player if attacker is not None else -1)
        change.remember(found.id, last)
    _take_out(change, found)
    change.drop(found.id)
    if from_battlefield:
        _leave_battlefield(change, found)
    definition = found.printed or found.definition
    entry = event.entry
    if entry is None and found.zone == "stack" and event.to == "battlefield":
        entry = found.entry
    new = _arrive(change, event, new_id, definition, found.owner, found.token, entry)
    if found.token and event.to != "battlefield":
        change.fields["strays"] = (*(i for i in change.get("strays") if i in change.objects), new.id)
    change.done.append(replace(event, from_=found.zone, became=new.id, last=last))
    _note_move(change, event, found, new)


def _begin(change: Change, event: events.Move) -> None:
    """A token, copy or emblem begins to exist in the zone."""
    assert event.definition is not None
    new_id = change.next_id
    change.next_id += 1
    owner = event.owner if event.owner >= 0 else event.controller
    plain = replace(event, definition=None)
    new = _arrive(change, plain, new_id, event.definition, owner, True, event.entry)
    change.done.append(replace(event, from_="", became=new.id))


def _arrive(
    change: Change,
    event: events.Move,
    new_id: int,
    definition: Definition,
    owner: int,
    token: bool,
    entry: Any,
) -> Object:
    controller = event.controller if event.controller >= 0 else owner
    on_battlefield = event.to == "battlefield"
    if event.to not in ("battlefield", "stack", "command"):
        controller = owner
    printed: Definition | None = None
    if event.definition is not None and event.definition is not definition:
        printed, definition = definition, event.definition
    known = 0
    if event.to in ("hand", "library"):
        # Who saw it on its way still knows it where it cannot be confused with others.
        known = (1 << owner) if event.to == "hand" else 0
        if event.reveal:
            known = (1 << len(change.players)) - 1
    new = Object(
        id=new_id,
        definition=definition,
        owner=owner,
        controller=controller,
        zone=event.to,
        timestamp=change.stamp(),
        base=controller,
        tapped=event.tapped,
        face_down=event.face_down,
        token=token,
        sick=on_battlefield,
        counters=event.counters,
        chosen=event.chosen,
        known=known,
        entered=change.state.turn.number,
        entry=entry,
        printed=printed,
    )
    change.put(new)
    _put_in(change, new, event.position)
    if on_battlefield:
        if event.attach_to:
            _attach_to(change, new_id, event.attach_to)
        if event.attacking:
            _enter_attacking(change, new_id, event.attacking)
        if event.blocking:
            _enter_blocking(change, new_id, event.blocking)
    if event.linked_to and event.linked_to in change.objects:
        holder = change.objects[event.linked_to]
        change.put(replace(holder, linked=(*holder.linked, new_id)))
    return new


def _leave_battlefield(change: Change, found: Object) -> None:
    if found.attached_to > 0 and found.attached_to in change.objects:
        host = change.objects[found.attached_to]
        change.put(replace(host, attachments=tuple(i for i in host.attachments if i != found.id)))
    combat = change.get("combat")
    if combat is not None:
        change.fields["combat"] = out_of_combat(combat, found.id)


def _note_move(change: Change, event: events.Move, found: Object, new: Object) -> None:
    if event.cause == "draw":
        change.note("drawn", player_ref(found.owner))
    if found.zone == "battlefield":
        if event.to == "graveyard" and event.last is None:
            types = found.definition.base.types
            if "creature" in types:
                change.note("creatures died", player_ref(found.controller))
            change.note("to graveyard", player_ref(found.owner))
        change.note("left", player_ref(found.controller))
    if event.to == "battlefield":
        change.note("entered", player_ref(new.controller))


def out_of_combat(combat: Combat, oid: int) -> Combat:
    """The combat without an object: as attacker, blocker or attacked planeswalker (506.4). An attacker that was blocked
    stays blocked (509.1h); one whose planeswalker is gone goes on attacking nothing (506.4c)."""
    attackers = tuple(
        replace(a, blockers=tuple(b for b in a.blockers if b != oid), defender=0 if a.defender == oid else a.defender)
        if oid in a.blockers or a.defender == oid
        else a
        for a in combat.attackers
        if a.id != oid
    )
    blockers = tuple(
        replace(b, attackers=tuple(a for a in b.attackers if a != oid)) if oid in b.attackers else b
        for b in combat.blockers
        if b.id != oid
    )
    return replace(combat, attackers=attackers, blockers=blockers)


def _tokens_never(change: Change, event: events.Event) -> None:
    raise AssertionError(f"a composite event was not lowered: {event!r}")


def _shuffle(change: Change, event: events.Shuffle) -> None:
    seat = seat_of(event.subject)
    top = event.top
    library = [i for i in change.players[seat].library if i not in top]
    change.chance = chance.shuffle(change.state.options.seed, change.chance, library)
    # Nobody who saw a card before may follow it through the shuffle by its id.
    fresh: list[int] = []
    for oid in library:
        found = change.objects[oid]
        change.drop(oid)
        new = replace(found, id=change.next_id, known=0)
        change.next_id += 1
        change.put(new)
        fresh.append(new.id)
    change.set_player(seat, library=(*fresh, *reversed(top)))
    change.done.append(event)


def _reveal(change: Change, event: events.Reveal) -> None:
    for oid in event.objects:
        found = change.objects.get(oid)
        if found is not None:
            change.put(replace(found, known=found.known | event.seats))
    change.done.append(event)


def _arrange(change: Change, event: events.SetLibrary) -> None:
    change.set_player(seat_of(event.subject), library=event.objects)
    change.done.append(event)


def _log(change: Change, event: events.Event) -> None:
    change.done.append(event)


def _land_played(change: Change, event: events.LandPlayed) -> None:
    seat = seat_of(event.subject)
    change.set_player(seat, lands_played=change.players[seat].lands_played + 1)
    change.done.append(event)


# --- damage, life, counters, mana ------------------------------------------------------------------------------------------


def _damage(change: Change, event: events.Damage) -> None:
    change.fields["hurt"] = (*change.get("hurt"), (event.subject, event.object))
    change.done.append(event)


def _mark(change: Change, event: events.MarkDamage) -> None:
    found = change.objects.get(event.subject)
    if found is None:
        return
    deathtouched = found.deathtouched or event.deathtouch
    change.put(replace(found, damage=found.damage + event.amount, deathtouched=deathtouched))
    change.done.append(event)


def _deathtouched(change: Change, event: events.Deathtouched) -> None:
    found = change.objects.get(event.subject)
    if found is not None:
        change.put(replace(found, deathtouched=True))


def _gain_life(change: Change, event: events.GainLife) -> None:
    seat = seat_of(event.subject)
    change.set_player(seat, life=change.players[seat].life + event.amount)
    change.note("life gained", event.subject, event.amount)
    change.done.append(event)


def _lose_life(change: Change, event: events.LoseLife) -> None:
    seat = seat_of(event.subject)
    change.set_player(seat, life=change.players[seat].life - event.amount)
    change.note("life lost", event.subject, event.amount)
    change.done.append(event)


def _put_counters(change: Change, event: events.PutCounters) -> None:
    if event.amount <= 0:
        return
    if event.subject < 0:
        seat = seat_of(event.subject)
        counters = ev.with_counters(change.players[seat].counters, event.counter, event.amount)
        change.set_player(seat, counters=counters)
    else:
        found = change.objects.get(event.subject)
        if found is None:
            return
        change.put(replace(found, counters=ev.with_counters(found.counters, event.counter, event.amount)))
    change.done.append(event)


def _remove_counters(change: Change, event: events.RemoveCounters) -> None:
    if event.subject < 0:
        seat = seat_of(event.subject)
        n = min(event.amount, ev.count(change.players[seat].counters, event.counter))
        if n > 0:
            change.set_player(seat, counters=ev.with_counters(change.players[seat].counters, event.counter, -n))
    else:
        found = change.objects.get(event.subject)
        n = min(event.amount, ev.count(found.counters, event.counter)) if found is not None else 0
        if found is not None and n > 0:
            change.put(replace(found, counters=ev.with_counters(found.counters, event.counter, -n)))
    if n > 0:
        change.done.append(replace(event, amount=n))


def _add_mana(change: Change, event: events.AddMana) -> None:
    seat = seat_of(event.subject)
    change.set_player(seat, pool=add_pools(change.players[seat].pool, event.mana))
    change.done.append(event)


def _spend_mana(change: Change, event: events.SpendMana) -> None:
    seat = seat_of(event.subject)
    pool = change.players[seat].pool
    change.set_player(seat, pool=cast(Pool, tuple(a - b for a, b in zip(pool, event.mana, strict=True))))


def add_pools(left: Pool, right: Pool) -> Pool:
    """The sum of two pools."""
    return cast(Pool, tuple(a + b for a, b in zip(left, right, strict=True)))


# --- permanents ------------------------------------------------------------------------------------------------------------


def _tap(change: Change, event: events.Tap) -> None:
    found = change.objects.get(event.subject)
    if found is not None and not found.tapped and found.zone == "battlefield":
        change.put(replace(found, tapped=True))
        change.done.append(event)


def _untap(change: Change, event: events.Untap) -> None:
    found = change.objects.get(event.subject)
    if found is not None and found.tapped and found.zone == "battlefield":
        change.put(replace(found, tapped=False))
        change.done.append(event)


def _attach_to(change: Change, oid: int, to: Ref) -> None:
    found = change.objects[oid]
    if found.attached_to > 0 and found.attached_to in change.objects:
        host = change.objects[found.attached_to]
        change.put(replace(host, attachments=tuple(i for i in host.attachments if i != oid)))
    change.put(replace(found, attached_to=to, timestamp=change.stamp()))
    if to > 0 and to in change.objects:
        host = change.objects[to]
        change.put(replace(host, attachments=(*host.attachments, oid)))


def _attach(change: Change, event: events.Attach) -> None:
    found = change.objects.get(event.subject)
    if found is None or found.zone != "battlefield" or found.attached_to == event.object:
        return
    if event.object > 0 and event.object not in change.objects:
        return
    _attach_to(change, event.subject, event.object)
    change.done.append(event)


def _control_changed(change: Change, event: events.ControlChanged) -> None:
    found = change.objects[event.subject]
    change.put(replace(found, controller=seat_of(event.object), sick=True))
    combat = change.get("combat")
    if combat is not None:
        change.fields["combat"] = out_of_combat(combat, found.id)
    change.done.append(event)


def _regenerated(change: Change, event: events.Regenerated) -> None:
    found = change.objects.get(event.subject)
    if found is None:
        return
    change.put(replace(found, damage=0, deathtouched=False, tapped=True))
    combat = change.get("combat")
    if combat is not None:
        change.fields["combat"] = out_of_combat(combat, found.id)
    change.done.append(event)


def _removed_from_combat(change: Change, event: events.RemovedFromCombat) -> None:
    combat = change.get("combat")
    if combat is not None:
        change.fields["combat"] = out_of_combat(combat, event.subject)
        change.done.append(event)


def _chosen(change: Change, event: events.Chosen) -> None:
    found = change.objects.get(event.subject)
    if found is not None:
        kept = tuple(pair for pair in found.chosen if pair[0] != event.what)
        change.put(replace(found, chosen=(*kept, (event.what, event.value))))
    change.done.append(event)


def _phase(change: Change, event: events.PhaseOut | events.PhaseIn) -> None:
    found = change.objects.get(event.subject)
    if found is None:
        return
    out = isinstance(event, events.PhaseOut)
    change.put(replace(found, phased_out=out))
    change.fields["battlefield"] = (*change.get("battlefield"),)
    combat = change.get("combat")
    if out and combat is not None:
        change.fields["combat"] = out_of_combat(combat, found.id)
    change.done.append(event)


def _face_up(change: Change, event: events.TurnFaceUp) -> None:
    found = change.objects.get(event.subject)
    if found is not None:
        change.put(replace(found, face_down=False, timestamp=change.stamp()))
        change.fields["battlefield"] = (*change.get("battlefield"),)
        change.done.append(event)


def _used(change: Change, event: events.UsedAbility) -> None:
    if event.loyalty:
        change.note("loyalty", event.subject)
    change.note(f"activated {event.amount}", event.subject)


# --- the stack -------------------------------------------------------------------------------------------------------------


def _on_stack(change: Change, event: events.AbilityOnStack) -> None:
    assert event.entry is not None and event.definition is not None
    seat = seat_of(event.subject)
    new = Object(
        id=change.next_id,
        definition=event.definition,
        owner=seat,
        controller=seat,
        zone="stack",
        timestamp=change.stamp(),
        base=seat,
        entry=event.entry,
        token=True,
    )
    change.next_id += 1
    change.put(new)
    change.fields["stack"] = (*change.get("stack"), new.id)
    change.done.append(replace(event, object=new.id))


def _announced(change: Change, event: events.Announced) -> None:
    found = change.objects.get(event.subject)
    if found is not None:
        change.put(replace(found, entry=event.entry))


def _cast(change: Change, event: events.Cast) -> None:
    change.note("spells", event.subject)
    change.done.append(event)


def _triggered(change: Change, event: events.TriggeredAbilities) -> None:
    change.fields["waiting"] = event.waiting


def _cease(change: Change, event: events.Ceases) -> None:
    """An object ceases to exist: an ability that left the stack, a token or copy in the wrong zone (704.5d, e)."""
    found = change.objects.get(event.subject)
    if found is None:
        return
    chars = characteristics(change.state, found.id) if found.id in change.state.objects else found.definition.base
    change.remember(found.id, LastKnown(found, chars))
    _take_out(change, found)
    change.drop(found.id)
    if found.zone == "battlefield":
        _leave_battlefield(change, found)
    change.done.append(event)


# --- combat ----------------------------------------------------------------------------------------------------------------


def defending_player(change: Change, defender: Ref) -> int:
    """The player who is attacked, or who controls the attacked planeswalker."""
    return seat_of(defender) if defender < 0 else change.objects[defender].controller


def _enter_attacking(change: Change, oid: int, defender: Ref) -> None:
    combat = change.get("combat")
    if combat is None or (defender > 0 and defender not in change.objects):
        return
    new = Attacker(oid, defender, defending_player(change, defender), declared=False)
    change.fields["combat"] = replace(combat, attackers=(*combat.attackers, new))


def _enter_blocking(change: Change, oid: int, attacker_id: Ref) -> None:
    combat: Combat | None = change.get("combat")
    if combat is None or not any(a.id == attacker_id for a in combat.attackers):
        return
    attackers = tuple(
        replace(a, blocked=True, blockers=(*a.blockers, oid)) if a.id == attacker_id else a for a in combat.attackers
    )
    blockers = (*combat.blockers, Blocker(oid, (attacker_id,), declared=False))
    change.fields["combat"] = replace(combat, attackers=attackers, blockers=blockers)


def _attackers_declared(change: Change, event: events.AttackersDeclared) -> None:
    combat: Combat = change.get("combat")
    new = tuple(Attacker(oid, to, defending_player(change, to), band=band) for oid, to, band in event.attacks)
    change.fields["combat"] = replace(combat, attackers=(*combat.attackers, *new))
    for oid, _, _ in event.attacks:
        change.note("attacked", oid)
    change.note("attackers", event.subject, len(event.attacks))
    change.done.append(replace(event, amount=len(event.attacks)))


def _blockers_declared(change: Change, event: events.BlockersDeclared) -> None:
    combat: Combat = change.get("combat")
    by_blocker: dict[int, list[int]] = {}
    by_attacker: dict[int, list[int]] = {}
    for blocker, attacker in event.blocks:
        by_blocker.setdefault(blocker, []).append(attacker)
        by_attacker.setdefault(attacker, []).append(blocker)
    attackers = tuple(
        replace(a, blocked=True, blockers=(*a.blockers, *by_attacker[a.id])) if a.id in by_attacker else a
        for a in combat.attackers
    )
    blockers = (*combat.blockers, *(Blocker(b, tuple(order)) for b, order in by_blocker.items()))
    change.fields["combat"] = replace(combat, attackers=attackers, blockers=blockers)
    for blocker in by_blocker:
        change.note("blocked", blocker)
    change.done.append(event)


def _damage_order(change: Change, event: events.DamageOrder) -> None:
    combat: Combat = change.get("combat")
    attackers = tuple(replace(a, blockers=event.order) if a.id == event.subject else a for a in combat.attackers)
    blockers = tuple(replace(b, attackers=event.order) if b.id == event.subject else b for b in combat.blockers)
    change.fields["combat"] = replace(combat, attackers=attackers, blockers=blockers)
    change.done.append(event)


# --- the game --------------------------------------------------------------------------------------------------------------


def _loses(change: Change, event: events.Loses) -> None:
    seat = seat_of(event.subject)
    if not change.players[seat].lost:
        change.set_player(seat, lost=event.cause or "lost")
        change.done.append(event)


def _wins(change: Change, event: events.Wins) -> None:
    change.set_player(seat_of(event.subject), won=True)
    change.done.append(event)


def _extra_turn(change: Change, event: events.ExtraTurn) -> None:
    turn: Turn = change.get("turn")
    change.fields["turn"] = replace(turn, extra=(*turn.extra, seat_of(event.subject)))
    change.done.append(event)


def _extra_phase(change: Change, event: events.ExtraPhase) -> None:
    from server.rules.turns import COMBAT_STEPS

    turn: Turn = change.get("turn")
    added = (*COMBAT_STEPS, "postcombat_main") if event.main else COMBAT_STEPS
    steps = turn.steps
    # After this phase: what is left of the phase under way comes first (500.8).
    cut = 0
    if turn.step in COMBAT_STEPS:
        while cut < len(steps) and steps[cut] in COMBAT_STEPS and steps[cut] != "begin_combat":
            cut += 1
    change.fields["turn"] = replace(turn, steps=(*steps[:cut], *added, *steps[cut:]))
    change.done.append(event)


def _skip(change: Change, event: events.Skip) -> None:
    turn: Turn = change.get("turn")
    change.fields["turn"] = replace(turn, skips=(*turn.skips, (event.step, seat_of(event.subject))))
    change.done.append(event)


def _make_effect(change: Change, event: events.MakeEffect) -> None:
    assert event.effect is not None
    effect = replace(event.effect, id=change.next_id, timestamp=change.stamp())
    change.next_id += 1
    change.fields["effects"] = (*change.get("effects"), effect)
    change.done.append(replace(event, effect=effect))


def _make_delayed(change: Change, event: events.MakeDelayed) -> None:
    assert event.trigger is not None
    trigger = replace(event.trigger, id=change.next_id)
    change.next_id += 1
    change.fields["delayed"] = (*change.get("delayed"), trigger)


def _end_effects(change: Change, event: events.EndEffects) -> None:
    ids = event.ids
    change.fields["effects"] = tuple(e for e in change.get("effects") if e.id not in ids)
    change.fields["delayed"] = tuple(d for d in change.get("delayed") if d.id not in ids)


def _set_effect(change: Change, event: events.UpdateEffect) -> None:
    updated = event.effect
    assert updated is not None
    spent = (updated.uses < 0) or updated.amount == 0
    current = change.get("effects")
    change.fields["effects"] = tuple(
        (updated if e.id == updated.id else e) for e in current if e.id != updated.id or not spent
    )


def _coin(change: Change, event: events.FlipCoin) -> None:
    won = _fixed(change, "coin", event.subject)
    if won < 0:
        change.chance, number = chance.draw(change.state.options.seed, change.chance, 2)
        won = int(number == 0)
    change.fields["results"] = (won,)
    change.done.append(events.CoinFlipped(subject=event.subject, by=event.by, cause="won" if won else "lost"))


def _die(change: Change, event: events.RollDie) -> None:
    rolled = _fixed(change, "die", event.subject)
    if not 1 <= rolled <= event.amount:
        change.chance, number = chance.draw(change.state.options.seed, change.chance, event.amount)
        rolled = number + 1
    change.fields["results"] = (rolled,)
    change.done.append(events.DieRolled(subject=event.subject, by=event.by, amount=rolled))


def _fixed(change: Change, what: str, ref: Ref) -> int:
    """What a scenario has chance give a player next; -1: nothing, chance decides."""
    fixed = change.get("fixed_chance")
    for i, (kind, who, value) in enumerate(fixed):
        if kind == what and who == ref:
            change.fields["fixed_chance"] = (*fixed[:i], *fixed[i + 1 :])
            return value
    return -1


def _pick_random(change: Change, event: events.PickAtRandom) -> None:
    ids = list(event.objects)
    change.chance = chance.shuffle(change.state.options.seed, change.chance, ids)
    change.fields["results"] = tuple(ids[: event.amount])


def _drew_empty(change: Change, event: events.DrawFromEmpty) -> None:
    change.set_player(seat_of(event.subject), drew_empty=True)
    change.done.append(event)


def _set_turn(change: Change, event: events.SetTurn) -> None:
    for name, value in event.fields:
        change.fields[name] = value


APPLY: dict[type[events.Event], Callable[[Change, Any], None]] = {
    events.Move: _move,
    events.CreateTokens: _tokens_never,
    events.Draw: _tokens_never,
    events.Destroy: _log,
    events.Prevented: _log,
    events.DamageHappened: _log,
    events.Countered: _log,
    events.Shuffle: _shuffle,
    events.Reveal: _reveal,
    events.SetLibrary: _arrange,
    events.SearchLibrary: _log,
    events.Scried: _log,
    events.LandPlayed: _land_played,
    events.Damage: _damage,
    events.MarkDamage: _mark,
    events.Deathtouched: _deathtouched,
    events.GainLife: _gain_life,
    events.LoseLife: _lose_life,
    events.PutCounters: _put_counters,
    events.RemoveCounters: _remove_counters,
    events.AddMana: _add_mana,
    events.SpendMana: _spend_mana,
    events.Tap: _tap,
    events.Untap: _untap,
    events.Attach: _attach,
    events.ControlChanged: _control_changed,
    events.Regenerated: _regenerated,
    events.RemovedFromCombat: _removed_from_combat,
    events.Chosen: _chosen,
    events.PhaseOut: _phase,
    events.PhaseIn: _phase,
    events.TurnFaceUp: _face_up,
    events.UsedAbility: _used,
    events.Cast: _cast,
    events.Activated: _log,
    events.AbilityOnStack: _on_stack,
    events.BecameTarget: _log,
    events.Announced: _announced,
    events.TriggeredAbilities: _triggered,
    events.Ceases: _cease,
    events.AttackersDeclared: _attackers_declared,
    events.Attacks: _log,
    events.BlockersDeclared: _blockers_declared,
    events.Blocks: _log,
    events.BecomesBlocked: _log,
    events.BecomesUnblocked: _log,
    events.DamageOrder: _damage_order,
    events.StepEntered: _log,
    events.StepBegins: _log,
    events.Loses: _loses,
    events.Wins: _wins,
    events.GameDrawn: _log,
    events.ExtraTurn: _extra_turn,
    events.ExtraPhase: _extra_phase,
    events.Skip: _skip,
    events.MakeEffect: _make_effect,
    events.MakeDelayed: _make_delayed,
    events.EndEffects: _end_effects,
    events.UpdateEffect: _set_effect,
    events.CoinFlipped: _log,
    events.DieRolled: _log,
    events.FlipCoin: _coin,
    events.RollDie: _die,
    events.PickAtRandom: _pick_random,
    events.DrawFromEmpty: _drew_empty,
    events.SetTurn: _set_turn,
    events.Mulligan: _log,
}

__all__ = ["APPLY", "NO_MANA", "Change", "Player", "do", "forms", "out_of_combat"]
