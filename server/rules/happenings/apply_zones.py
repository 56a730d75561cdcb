"""Doing events that move objects between zones, or begin or end them (400.7)."""

from __future__ import annotations

from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms
from server.cards.nouns import Zone
from server.rules.characteristics import GAINED, board, characteristics, rules_about
from server.rules.functioning import land_plays
from server.rules.happenings.apply_combat import enter_attacking, enter_blocking
from server.rules.happenings.apply_permanents import attach_to
from server.rules.happenings.cards_of_objects import color_of
from server.rules.happenings.change import Change
from server.rules.model import (
    NOTHING_RARE,
    Component,
    Counted,
    Definition,
    LastKnown,
    Object,
    State,
    chance,
    changed,
    events,
    lookup,
    player_ref,
    rare,
    seat_of,
    shared_number,
    with_rare,
)
from server.rules.replacements import APART, merged_definition


def take_out(change: Change, found: Object) -> None:
    """Removes an object from the list of its zone."""
    oid, zone = found.id, found.zone
    if zone in ("battlefield", "stack", "exile", "command"):
        change.fields[zone] = _without(change.get(zone), oid)
        return
    owner = change.players[found.owner]
    ids: tuple[int, ...] = getattr(owner, zone)
    change.set_player(found.owner, **{zone: _without(ids, oid)})


def _without(ids: tuple[int, ...], oid: int) -> tuple[int, ...]:
    if ids and ids[-1] == oid:
        return ids[:-1]
    if oid not in ids:
        return ids
    place = ids.index(oid)
    return ids[:place] + ids[place + 1 :]


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


def do_move(change: Change, event: events.Move) -> None:
    """A new object in the new zone (400.7), whose id is new; told with it. One that is gone already does not move."""
    if event.subject == 0:
        _begin(change, event)
        return
    found = change.objects.get(event.subject)
    if found is None:
        return
    state = change.state
    new_id = shared_number(change.next_id)
    change.next_id += 1
    from_battlefield = found.zone == "battlefield"
    last: LastKnown | None = None
    if found.zone not in ("library", "hand"):
        chars = characteristics(state, found.id) if found.id in state.objects else found.definition.base
        attacker = next((a for a in state.combat.attackers if a.id == found.id), None) if state.combat else None
        last = LastKnown(_as_known(state, found), chars, new_id, attacker.defending if attacker is not None else -1)
        if attacker is not None:
            last = replace(last, attacked=attacker.defender)
        if from_battlefield and state.combat is not None:
            last = replace(last, combat=state.combat)
        if from_battlefield and any(rule.flag.rule == "goaded" for rule in rules_about(state, found.id)):
            last = replace(last, goaded=True)
        change.remember(found.id, last)
    elif found.zone == "hand" and event.to != "library":
        # What was discarded or put down from the hand may still be asked about ("the discarded card").
        change.remember(found.id, LastKnown(found, characteristics(state, found.id), new_id))
    take_out(change, found)
    change.drop(found.id)
    if from_battlefield:
        leave_battlefield(change, found)
    parts = _parts(found, event.order)
    definition = parts[0].definition
    entry = event.entry
    if entry is None and found.zone == "stack" and event.to == "battlefield":
        entry = found.entry
    if found.zone == "stack" and event.to == "battlefield":
        _carry_effects(change, found.id, new_id)
        event = _with_haste_of_suspend(event, found)
    leads = parts[0].commander
    new = _arrive(change, _going(event, leads), new_id, definition, parts[0].owner, parts[0].token, entry)
    if new.face_down and new.zone == "exile" and found.zone == "library":
        new = replace(new, known=found.known)  # current 406.3: who has looked at it may go on looking
        change.put(new)
    if leads:
        new = with_rare(new, commander=leads, chosen=(*new.chosen, *color_of(found, definition, leads)))
        change.put(new)
    if found.rare.linked and found.zone == "stack" and new.zone == "battlefield":  # exiled to pay for it (400.7d)
        new = with_rare(new, linked=found.linked)
        change.put(new)
    if event.object and new.zone == "battlefield":
        _joins(change, event.object, found, new)
    others = _others_arrive(change, event, found, parts[1:]) if len(parts) > 1 else ()
    if others:
        change.remember(found.id, replace(change.last[found.id], others=others))
    if new.rare.token and new.zone not in ("battlefield", "stack"):  # a copy of a card may be cast (706.12)
        _stray(change, new.id)
    _note_move(change, event, found, new)
    nth = change.this_turn(Counted.DRAWN, player_ref(found.owner)) if event.cause == "draw" else 0
    change.done.append(replace(event, from_=found.zone, became=new.id, others=others, last=last, nth=nth))


def _stray(change: Change, oid: int) -> None:
    """Notes a token that is not on the battlefield and ceases to exist at the next check (704.5d)."""
    change.fields["strays"] = (*(i for i in change.get("strays") if i in change.objects), oid)


def _going(event: events.Move, leads: int) -> events.Move:
    """How a component moves: if only the commander goes to the command zone, the others go where all would have (current 903.9c)."""
    apart = dict(event.chosen).get(APART, "") if event.chosen else ""
    if not apart:
        return event
    plain = replace(event, chosen=())
    return plain if leads else replace(plain, to=cast("Zone", apart))


def _parts(found: Object, order: tuple[int, ...] = ()) -> tuple[Component, ...]:
    """What represents an object: itself, or all components of a merged or melded permanent, the topmost first or in an order."""
    if found.rare is NOTHING_RARE:
        return (Component(found.definition, found.owner),)
    parts = found.merged
    if not parts:
        return (Component(found.printed or found.definition, found.owner, found.token, found.commander),)
    return tuple(parts[i] for i in order) if order else parts


def _joins(change: Change, other: int, first: Object, permanent: Object) -> None:
    """A card melds with its counterpart, which enters: two cards represent one permanent (current 701.42a)."""
    second = change.objects[other]
    known = LastKnown(second, characteristics(change.state, other), permanent.id)
    change.remember(other, known)
    take_out(change, second)
    change.drop(other)
    parts = (*_parts(first), *_parts(second))
    leads = next((part.commander for part in parts if part.commander), 0)  # current 903.3b
    colors = (pair for part, one in zip(parts, (first, second), strict=True) for pair in _colors(one, part))
    chosen = tuple(dict.fromkeys((*permanent.chosen, *colors)))
    change.put(with_rare(change.objects[permanent.id], merged=parts, commander=leads, chosen=chosen))


def _colors(found: Object, part: Component) -> tuple[tuple[str, str], ...]:
    return color_of(found, part.definition, part.commander)


def _others_arrive(change: Change, event: events.Move, found: Object, parts: tuple[Component, ...]) -> tuple[int, ...]:
    """The other components of a merged permanent go where it goes, each as an object (current 712.21, current 729.3)."""
    ids: list[int] = []
    for part in parts:
        ids.append(change.next_id)
        change.next_id += 1
        new = _arrive(change, _going(event, part.commander), ids[-1], part.definition, part.owner, part.token, None)
        _note_arrival(change, event, found, change.objects[new.id])
        if part.commander:
            color = color_of(found, part.definition, part.commander)
            change.put(with_rare(new, commander=part.commander, chosen=(*new.chosen, *color)))
        if part.token and new.zone != "battlefield":
            _stray(change, new.id)
    return tuple(ids)


def do_mutates(change: Change, event: events.Mutates) -> None:
    """The permanent stays the object that it was, represented by one component more (current 729.2)."""
    spell, host = change.objects[event.object], change.objects[event.subject]
    change.remember(spell.id, LastKnown(spell, characteristics(change.state, spell.id), host.id))
    take_out(change, spell)
    change.drop(spell.id)
    below, added = _parts(host), _parts(spell)
    parts = (*below, *added) if event.under else (*added, *below)
    top, *rest = (host.definition, spell.definition) if event.under else (spell.definition, host.definition)
    now = changed(
        host,
        definition=merged_definition(top, tuple(rest)),
        printed=parts[0].definition,
        token=parts[0].token,
        merged=parts,
        commander=host.commander or spell.commander,  # current 903.3c
    )
    change.put(now)
    change.fields["battlefield"] = (*(i for i in change.get("battlefield")),)
    change.done.append(event)


def _as_known(state: State, found: Object) -> Object:
    """The object as it is remembered: what it was a copy of is what is copied of it later (706.2, 608.2g)."""
    copied = board(state).copies.get(found.id) if found.id in state.objects else None
    if copied is None:
        return found
    return changed(found, definition=copied, printed=found.printed or found.definition)


def _carry_effects(change: Change, spell: int, permanent: int) -> None:
    """400.7a: what changes a permanent spell goes on applying to the permanent that it becomes."""
    effects = change.get("effects")
    if any(effect.objects and spell in effect.objects for effect in effects):
        change.fields["effects"] = tuple(
            replace(e, objects=tuple(permanent if o == spell else o for o in e.objects))
            if e.objects and spell in e.objects
            else e
            for e in effects
        )


GIVEN_SUSPEND = forms.KeywordAbility(keyword="suspend")


def _with_haste_of_suspend(event: events.Move, spell: Object) -> events.Move:
    """702.60a: what was given suspend and cast by it has haste as the permanent that it becomes."""
    given = spell.entry is not None and spell.entry.way == "suspend" and GIVEN_SUSPEND in spell.entry.granted
    return replace(event, chosen=(*event.chosen, (GAINED, "haste"))) if given else event


def _begin(change: Change, event: events.Move) -> None:
    """A token, copy or emblem begins to exist in the zone, or a card comes into it from outside the game."""
    assert event.definition is not None
    if event.cause == lookup.OUTSIDE:
        _bring(change, event, event.definition)
        return
    new_id = change.next_id
    change.next_id += 1
    owner = event.owner if event.owner >= 0 else event.controller
    plain = replace(event, definition=None)
    new = _arrive(change, plain, new_id, event.definition, owner, True, event.entry)
    if event.to == "battlefield":
        _note_entered(change, new)
        if event.cause == "create":
            change.note(Counted.TOKENS_CREATED, player_ref(new.controller))
    elif event.to not in ("stack", "command"):  # a replacement effect may have turned it away
        _stray(change, new.id)
    change.done.append(replace(event, from_="", became=new.id))


def _bring(change: Change, event: events.Move, card: Definition) -> None:
    """400.10b: a card that its owner has outside the game."""
    out = list(change.players[event.owner].outside)
    out.remove(card)
    change.set_player(event.owner, outside=tuple(out))
    new_id = change.next_id
    change.next_id += 1
    told = replace(event, definition=None)
    new = _arrive(change, told, new_id, card, event.owner, False, None)
    change.put(replace(new, known=new.known | 1 << event.owner))
    change.done.append(replace(told, from_=lookup.OUTSIDE, became=new_id))


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
        known = lookup.who_see_hand(change.state, owner) if event.to == "hand" else 0
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
        sick=on_battlefield,
        known=known,
        entered=change.state.turn.number,
        since=change.state.turn.number,
        rare=rare(token=token, counters=event.counters, chosen=event.chosen, entry=entry, printed=printed),
    )
    change.put(new)
    _put_in(change, new, event.position)
    if on_battlefield:
        if event.attach_to:
            attach_to(change, new_id, event.attach_to)
        if event.attacking:
            enter_attacking(change, new_id, event.attacking)
        if event.blocking:
            enter_blocking(change, new_id, event.blocking, event.ahead)
    if event.linked_to and event.linked_to in change.objects:
        holder = change.objects[event.linked_to]
        change.put(with_rare(holder, linked=(*holder.linked, new_id)))
    return new


def leave_battlefield(change: Change, found: Object) -> None:
    """A permanent is gone: from what it was attached to, and from combat (506.4)."""
    if found.attached_to > 0 and found.attached_to in change.objects:
        host = change.objects[found.attached_to]
        change.put(with_rare(host, attachments=tuple(i for i in host.attachments if i != found.id)))
    change.leave_combat(found.id)


def _note_move(change: Change, event: events.Move, found: Object, new: Object) -> None:
    if event.cause in ("draw", "opening"):
        change.note(Counted.DRAWN, player_ref(found.owner))
        if change.state.turn.step == "draw" and lookup.is_active(change.state, found.owner):
            change.note(Counted.DRAWN_IN_DRAW_STEP, player_ref(found.owner))
    if event.cause in ("discard", "cycling"):
        change.note(Counted.DISCARDS, player_ref(found.owner))
    if found.zone == "graveyard" and not found.token:
        change.note(Counted.LEFT_GRAVEYARD, player_ref(found.owner))
    if found.zone == "battlefield":
        if event.to == "graveyard" and event.last is None:
            types = found.definition.base.types
            if "creature" in types:
                change.note(Counted.CREATURES_DIED, player_ref(found.controller))
            change.note(Counted.TO_GRAVEYARD, player_ref(found.owner))
        if event.to == "graveyard":
            change.note(Counted.THING_DIED, found.id)
        if event.to == "hand":
            change.note(Counted.THING_RETURNED, found.id)
        if event.cause == "sacrifice":
            change.note(Counted.THING_SACRIFICED, found.id)
        change.note(Counted.LEFT, player_ref(found.controller))
        change.note(Counted.THING_LEFT, found.id)
    if event.to == "battlefield":
        _note_entered(change, new)
    _note_arrival(change, event, found, new)


def _note_arrival(change: Change, event: events.Move, found: Object, new: Object) -> None:
    """What is counted of each card that is put into a graveyard, also of several that were one permanent (current 712.21e)."""
    if new.zone == "graveyard":
        if not new.token and not new.definition.base.types & {"instant", "sorcery"}:
            change.note(Counted.DESCENDED, player_ref(new.owner))
        if found.zone == "battlefield":
            change.note(Counted.FROM_BATTLEFIELD, new.id)
        if event.cause in ("discard", "cycling"):
            change.note(Counted.DISCARDED, new.id)
        if found.zone == "library":
            change.note(Counted.FROM_LIBRARY, new.id)
            if event.cause == "mill":
                change.note(Counted.MILLED, new.id)


def _note_entered(change: Change, new: Object) -> None:
    """A card or a token has entered the battlefield (603.6a: a token enters it as it is created)."""
    change.note(Counted.ENTERED, player_ref(new.controller))
    change.note(Counted.THING_ENTERED, new.id)


def do_tokens_never(change: Change, event: events.Event) -> None:
    """Expansion has made plain events of every composite one: whatever gets here is a defect. Raises AssertionError."""
    raise AssertionError(f"a composite event was not expanded: {event!r}")


def do_shuffle(change: Change, event: events.Shuffle) -> None:
    """All ids of the library are new, but of what goes on top; told without any."""
    if event.cards and not any(
        isinstance(e, events.Move) and e.subject in event.cards and e.to == "library" for e in change.done
    ):
        return  # 701.16d
    seat = seat_of(event.subject)
    top = event.top
    library = [i for i in change.players[seat].library if i not in top]
    change.chance = chance.shuffle(change.state.options.seed, change.chance, library)
    # Nobody who saw a card before may follow it through the shuffle by its id.
    fresh: list[int] = []
    for oid in library:
        found = change.objects[oid]
        change.drop(oid)
        new = replace(found, id=shared_number(change.next_id), known=0)
        change.next_id += 1
        change.put(new)
        if new.rare.token:
            _stray(change, new.id)
        fresh.append(new.id)
    change.set_player(seat, library=(*fresh, *reversed(top)))
    change.done.append(event)


def do_reveal(change: Change, event: events.Reveal) -> None:
    """Adds `seats` to who knows each card (701.13), and who controls a player among them (712.4)."""
    seats = event.seats
    for p in change.players:
        if seats >> p.seat & 1:
            seats |= 1 << lookup.decider(change.state, p.seat)
    for oid in event.objects:
        found = change.objects.get(oid)
        if found is not None:
            change.put(replace(found, known=found.known | seats))
    change.done.append(event if seats == event.seats else replace(event, seats=seats))


def do_arrange(change: Change, event: events.SetLibrary) -> None:
    """No id changes: who knew a card knows it still, by its place."""
    change.set_player(seat_of(event.subject), library=event.objects)
    change.done.append(event)


def do_log(change: Change, event: events.Event) -> None:
    """Nothing changes: it is told, and what comes of it are events of their own."""
    change.done.append(event)


def do_crime(change: Change, event: events.Crime) -> None:
    """Notes it for this turn (current 700.13)."""
    change.note(Counted.CRIMES, event.subject)
    change.done.append(event)


def do_land_played(change: Change, event: events.LandPlayed) -> None:
    """Counts against how many this player may play this turn, and against what allows it (305.2)."""
    seat = seat_of(event.subject)
    if allowed := land_plays(change.state, seat)[:1]:
        change.note(Counted.LAND_PLAYS, allowed[0])
    change.note(Counted.LANDS_PLAYED, event.subject)
    change.set_player(seat, lands_played=change.players[seat].lands_played + 1)
    change.done.append(event)
