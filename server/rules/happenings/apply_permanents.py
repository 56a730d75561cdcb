"""Doing events of players and permanents: damage and its results, life, counters, mana, tapping, attaching."""

from __future__ import annotations

from operator import add
from typing import cast

from msgspec.structs import replace

from server.cards import forms
from server.cards.keywords import RING_BEARER
from server.rules.characteristics import added_pool, board, characteristics, linked_to
from server.rules.happenings.change import Change
from server.rules.model import (
    Counted,
    Counter,
    Marked,
    Pool,
    Ref,
    activated,
    changed,
    events,
    lookup,
    player_ref,
    seat_of,
    struck_by,
    with_rare,
)


def do_damage(change: Change, event: events.Damage) -> None:
    """Changes nothing by itself but what is remembered of the turn: the results are events of their own (119.3)."""
    change.fields["hurt"] = (*change.get("hurt"), (event.subject, event.object))
    if event.object < 0:
        change.note(Counted.DAMAGE, event.object, event.amount)
        if event.combat and event.subject in change.state.objects:
            # 702.74a (prowl) asks later which kinds of creatures struck.
            source = change.state.objects[event.subject]
            if source.commander:
                note_commander_damage(change, event, source.commander)
            for kind in sorted(characteristics(change.state, source.id).subtypes):
                change.note(struck_by(kind), player_ref(source.controller))
    change.done.append(event)


def note_commander_damage(change: Change, event: events.Damage, number: int) -> None:
    """Combat damage by a commander is counted for the whole game (current 903.10a)."""
    seat = seat_of(event.object)
    before = dict(change.players[seat].commander_damage)
    before[number] = before.get(number, 0) + event.amount
    change.set_player(seat, commander_damage=tuple(before.items()))
    change.note(Counted.STRUCK_BY_COMMANDER, player_ref(change.state.objects[event.subject].controller))


def do_mark(change: Change, event: events.MarkDamage) -> None:
    """Damage stays marked until cleanup (119.6), also what comes from several sources."""
    found = change.objects.get(event.subject)
    if found is None:
        return
    deathtouched = found.deathtouched or event.deathtouch
    change.put(with_rare(found, damage=found.damage + event.amount, deathtouched=deathtouched))
    change.done.append(event)


def do_deathtouched(change: Change, event: events.Deathtouched) -> None:
    """State-based actions destroy it (704.5h); nobody is told."""
    found = change.objects.get(event.subject)
    if found is not None:
        change.put(with_rare(found, deathtouched=True))


def do_gain_life(change: Change, event: events.GainLife) -> None:
    """Notes how much in this turn, and that a gain was in this moment."""
    seat = seat_of(event.subject)
    change.set_player(seat, life=change.players[seat].life + event.amount + event.rounded)
    change.note(Counted.LIFE_GAINED, event.subject, event.amount)
    change.note_moment(Counted.LIFE_GAINS, event.subject)
    change.done.append(event)


def do_lose_life(change: Change, event: events.LoseLife) -> None:
    """Notes how much in this turn, and that a loss was in this moment."""
    seat = seat_of(event.subject)
    change.set_player(seat, life=change.players[seat].life - event.amount + event.rounded)
    change.note(Counted.LIFE_LOST, event.subject, event.amount)
    change.note_moment(Counted.LIFE_LOSSES, event.subject)
    change.done.append(event)


def do_put_counters(change: Change, event: events.PutCounters) -> None:
    """On a player or a permanent; none are none, and nothing has happened then."""
    if event.amount <= 0:
        return
    if event.subject < 0:
        seat = seat_of(event.subject)
        counters = lookup.with_counters(change.players[seat].counters, event.counter, event.amount)
        change.set_player(seat, counters=counters)
    else:
        found = change.objects.get(event.subject)
        if found is None:
            return
        change.put(with_rare(found, counters=lookup.with_counters(found.counters, event.counter, event.amount)))
    change.done.append(event)


def do_remove_counters(change: Change, event: events.RemoveCounters) -> None:
    """As many as there are; told with how many that was, and not at all if it was none."""
    if event.subject < 0:
        seat = seat_of(event.subject)
        n = min(event.amount, lookup.count(change.players[seat].counters, event.counter))
        if n > 0:
            change.set_player(seat, counters=lookup.with_counters(change.players[seat].counters, event.counter, -n))
    else:
        found = change.objects.get(event.subject)
        n = min(event.amount, lookup.count(found.counters, event.counter)) if found is not None else 0
        if found is not None and n > 0:
            change.put(with_rare(found, counters=lookup.with_counters(found.counters, event.counter, -n)))
    if n > 0:
        change.done.append(replace(event, amount=n))


def do_add_mana(change: Change, event: events.AddMana) -> None:
    """Plain mana goes into the pool; what is marked (by who may spend it on what) is kept unit by unit, less what is `used` already."""
    seat = seat_of(event.subject)
    event = replace(event, mana=added_pool(change.state, seat, event.mana))  # 903.9
    p = change.players[seat]
    if event.verb is None and not event.kinds:
        change.set_player(seat, pool=add_pools(p.pool, event.mana))
    else:
        left = [n - used for n, used in zip(event.mana, event.used, strict=True)]
        units = (Marked(color, event.by, event.verb, event.kinds) for color, n in enumerate(left) for _ in range(n))
        change.set_player(seat, marked=(*p.marked, *units))
    change.done.append(event)


def do_spend_mana(change: Change, event: events.SpendMana) -> None:
    """Marked mana goes by its places. What paid for a spell is told as `Expended`."""
    seat = seat_of(event.subject)
    p = change.players[seat]
    change.set_player(seat, pool=cast(Pool, tuple(a - b for a, b in zip(p.pool, event.mana, strict=True))))
    if event.object:  # only what is spent to cast spells is expended (current 700.14)
        before = change.this_turn(Counted.MANA_SPENT, event.subject)
        after = before + sum(event.total)
        change.note(Counted.MANA_SPENT, event.subject, after - before)
        change.done.append(events.Expended(subject=event.subject, amount=after, before=before))
    if event.marked:
        change.set_player(seat, marked=tuple(unit for i, unit in enumerate(p.marked) if i not in event.marked))


def add_pools(left: Pool, right: Pool) -> Pool:
    """The sum of two pools."""
    return cast(Pool, tuple(map(add, left, right)))


def do_tap(change: Change, event: events.Tap) -> None:
    """Only what is untapped becomes tapped (701.17a), and only then is it told."""
    found = change.objects.get(event.subject)
    if found is not None and not found.tapped and found.zone == "battlefield":
        change.put(replace(found, tapped=True))
        change.done.append(event)


def do_untap(change: Change, event: events.Untap) -> None:
    """Only what is tapped becomes untapped (701.17b), and only then is it told."""
    found = change.objects.get(event.subject)
    if found is not None and found.tapped and found.zone == "battlefield":
        change.put(replace(found, tapped=False))
        change.done.append(event)


def attach_to(change: Change, oid: int, to: Ref) -> None:
    """Attaches a permanent to an object or player, with a new timestamp (701.3)."""
    found = change.objects[oid]
    if found.attached_to > 0 and found.attached_to in change.objects:
        host = change.objects[found.attached_to]
        change.put(with_rare(host, attachments=tuple(i for i in host.attachments if i != oid)))
    change.put(changed(found, attached_to=to, timestamp=change.stamp()))
    if to > 0 and to in change.objects:
        host = change.objects[to]
        change.put(with_rare(host, attachments=(*host.attachments, oid)))


def do_attach(change: Change, event: events.Attach) -> None:
    """Not where it is attached already (701.3b), nor to what is gone."""
    found = change.objects.get(event.subject)
    if found is None or found.zone != "battlefield" or found.attached_to == event.object:
        return
    if event.object > 0 and event.object not in change.objects:
        return
    attach_to(change, event.subject, event.object)
    change.done.append(event)


def do_control_changed(change: Change, event: events.ControlChanged) -> None:
    """It cannot attack or be tapped for a cost (302.6), and leaves combat (506.4); a pair ends, also if its other half
    changes control with it (current 702.95e)."""
    found = change.objects[event.subject]
    partner = change.objects.get(found.paired)
    if partner is not None and partner.paired == found.id:
        change.put(with_rare(partner, paired=0))
    borne = tuple(pair for pair in found.chosen if pair[0] != RING_BEARER)  # "the Ring tempts you", current 701.54a
    seat = seat_of(event.object)
    found = changed(found, controller=seat, sick=True, since=change.state.turn.number, paired=0, chosen=borne)
    change.put(found)
    change.leave_combat(found.id)
    change.done.append(event)


def do_regenerated(change: Change, event: events.Regenerated) -> None:
    """What 701.12a lists: no damage, tapped, out of combat. That it is not destroyed is the replacement that made this event."""
    found = change.objects.get(event.subject)
    if found is None:
        return
    change.put(changed(found, damage=0, deathtouched=False, tapped=True))
    change.leave_combat(found.id)
    change.done.append(event)


def do_removed_from_combat(change: Change, event: events.RemovedFromCombat) -> None:
    """Told also of what was in no combat, but only while there is one."""
    if change.get("combat") is not None:
        change.leave_combat(event.subject)
        change.done.append(event)


def do_paired(change: Change, event: events.Paired) -> None:
    """Each remembers the other (current 702.95b)."""
    for oid, other in ((event.subject, event.object), (event.object, event.subject)):
        found = change.objects.get(oid)
        if found is not None:
            change.put(with_rare(found, paired=other))
    change.done.append(event)


def do_chosen(change: Change, event: events.Chosen) -> None:
    """One word for each `what`: a new choice takes the place of the old; nobody is told."""
    found = change.objects.get(event.subject)
    if found is not None:
        linked = linked_to(event.what)
        kept = tuple(pair for pair in found.chosen if pair[0] not in (event.what, linked))
        copied = board(change.state).copies.get(found.id)
        by = ((linked, copied.key),) if copied is not None else ()
        change.put(with_rare(found, chosen=(*kept, (event.what, event.value), *by)))
    change.done.append(event)


def do_phase(change: Change, event: events.PhaseOut | events.PhaseIn) -> None:
    """Both directions (702.24); what phases out with its host stays attached to it."""
    found = change.objects.get(event.subject)
    if found is None:
        return
    out = isinstance(event, events.PhaseOut)
    with_host = event.object if out else found.phased_with
    attached = found.attached_to
    if not out and not _still_there(change, attached):
        attached = 0  # 702.24h
    change.put(with_rare(found, phased_out=out, phased_with=event.object if out else 0, attached_to=attached))
    if attached > 0 and not with_host:
        host = change.objects.get(attached)
        if host is not None:
            others = tuple(i for i in host.attachments if i != found.id)
            change.put(with_rare(host, attachments=others if out else (*others, found.id)))
    change.fields["battlefield"] = (*change.get("battlefield"),)
    if out:
        change.leave_combat(found.id)
    change.done.append(event)


def _still_there(change: Change, ref: Ref) -> bool:
    """Whether what something was attached to is still in its zone or in the game."""
    if ref < 0:
        return not change.players[seat_of(ref)].lost
    return ref in change.objects


def do_remove_damage(change: Change, event: events.RemoveDamage) -> None:
    """Also what deathtouch marked goes; nobody is told."""
    found = change.objects.get(event.subject)
    if found is not None:
        change.put(with_rare(found, damage=0, deathtouched=False))


def do_face_up(change: Change, event: events.TurnFaceUp) -> None:
    """It stays the same object (707.8), in an edition with a new timestamp (current 613.7f)."""
    found = change.objects.get(event.subject)
    if found is not None:
        stamp = change.stamp() if change.state.edition.turning_is_new else found.timestamp
        change.put(replace(found, face_down=False, timestamp=stamp))
        change.fields["battlefield"] = (*change.get("battlefield"),)
        change.done.append(event)


def do_turned_over(change: Change, event: events.TurnedOver) -> None:
    """It stays the same object (current 712.18), in an edition with a new timestamp (current 613.7g)."""
    found = change.objects.get(event.subject)
    if found is None or event.definition is None:
        return
    stamp = change.stamp()
    printed = found.printed if found.token else found.printed or found.definition
    now = changed(found, definition=event.definition, printed=printed, turned=stamp)
    if change.state.edition.turning_is_new:
        now = replace(now, timestamp=stamp)
    change.put(now)
    change.fields["battlefield"] = (*change.get("battlefield"),)
    change.done.append(event)


def do_used_permission(change: Change, event: events.UsedPermission) -> None:
    """Notes it for this turn, which is where the limit is counted; nobody is told."""
    change.note(Counter(event.cause), event.subject)


def do_used(change: Change, event: events.UsedAbility) -> None:
    """Notes it for this turn (606.3); an ability that can be activated but once is remembered on the permanent."""
    if event.loyalty:
        change.note(Counted.LOYALTY, event.subject)
    change.note(activated(event.amount), event.subject)
    found = change.objects.get(event.subject)
    abilities = characteristics(change.state, event.subject).abilities if found is not None else None
    ability = abilities.all[event.amount] if abilities is not None and event.amount < len(abilities.all) else None
    if found is not None and isinstance(ability, forms.ActivatedAbility) and ability.limit < 0:
        # Only once, however long it stays (exhaust, current 702.177a).
        change.put(with_rare(found, chosen=(*found.chosen, (f"exhausted {event.amount}", "yes"))))
