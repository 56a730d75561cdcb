"""State-based actions (704): what the game does by itself whenever a player would get priority.

`check` returns the events of all that apply at once, to be performed as one batch (704.3); none if nothing applies. The
answer "nothing" is remembered for a state, so that passing priority costs nothing.
"""

from __future__ import annotations

from server.cards.grammar import HOUSE_TYPES, PLANESWALKER_TYPES, SUBTYPES
from server.cards.nouns import Zone
from server.rules.characteristics import (
    START,
    board,
    can_attach,
    characteristics,
    has,
    is_over,
    partner,
    starting,
)
from server.rules.happenings import possible
from server.rules.model import Floating, Object, State, events, is_bestowed, lookup, player_ref

#: Subtypes that belong to other card types; every other word after a planeswalker's dash is a planeswalker type (306.3).
OTHER_SUBTYPES = frozenset(SUBTYPES) - frozenset(PLANESWALKER_TYPES) - frozenset(HOUSE_TYPES)


def check(state: State) -> tuple[events.Event, ...]:
    """The state-based actions to perform now, all at once."""
    known = state.memo.get("state-based")
    if known is None:
        known = state.memo["state-based"] = tuple(_find(state))
    return known


def _find(state: State) -> list[events.Event]:
    found: list[events.Event] = []
    for p in state.players:
        if p.lost:
            continue
        why = ""
        if p.life <= 0:  # 704.5a
            why = "life"
        elif p.drew_empty:  # 704.5b
            why = "library"
        elif lookup.count(p.counters, "poison") >= 10:  # 704.5c
            why = "poison"
        elif any(damage >= 21 for _, damage in p.commander_damage):  # current 704.6c
            why = "commander"
        if why and not has(state, p.seat, "can't lose the game"):
            found.append(events.Loses(subject=player_ref(p.seat), cause=why))
    gone: set[int] = set()
    legends: dict[str, list[int]] = {}
    walkers: dict[str, list[int]] = {}
    worlds: list[int] = []
    roles: dict[tuple[int, int], list[Object]] = {}
    changed = board(state).changed
    engines: set[int] = set()
    for oid in state.battlefield:
        o = state.objects[oid]
        if oid not in changed and _untouched(o):
            continue
        if o.phased_out:
            if o.token and state.edition.phased_tokens_cease:  # 702.24k
                found.append(events.Ceases(subject=oid, cause="token"))
            continue
        c = characteristics(state, oid)
        event = None
        if "creature" in c.types:
            event = _creature(o, c.toughness or 0)
            if isinstance(event, events.Destroy) and not possible(state, event):
                event = None  # 700.4: what is indestructible ignores lethal damage
        if event is None and "planeswalker" in c.types:
            if lookup.count(o.counters, "loyalty") <= 0:  # 704.5i
                event = events.Move(subject=oid, to="graveyard", cause="no loyalty")
            else:
                # 306.4: by planeswalker types; an animated one's creature types are none.
                for subtype in sorted(c.subtypes - OTHER_SUBTYPES):
                    walkers.setdefault(subtype, []).append(oid)
        if event is None and (o.attached_to or "Aura" in c.subtypes):
            event = _attachment(state, o)
        if event is None and "Saga" in c.subtypes and is_over(state, o):  # current 704.5s
            event = events.Move(subject=oid, to="graveyard", cause="sacrifice")
        if "Role" in c.subtypes and o.attached_to:
            roles.setdefault((o.attached_to, o.controller), []).append(o)
        if event is not None:
            found.append(event)
            if not isinstance(event, events.Attach | events.TurnedOver):
                gone.add(oid)
        if START in c.keywords:
            engines.add(o.controller)
        if "legendary" in c.supertypes:
            legends.setdefault(c.name, []).append(oid)
        if "world" in c.supertypes:
            worlds.append(oid)
        if o.paired and not partner(state, oid):
            found.append(events.Paired(subject=oid))
        if len(o.counters) > 1:
            found.extend(_annihilate(o))
    for effect in state.effects:
        if effect.until == "source leaves" and lookup.permanent(state, effect.source) is None:
            found.extend(_returned(state, effect))
    for seat in sorted(engines):
        found.extend(starting(state, seat))
    for several in roles.values():  # current 704.5y: the newest stays
        old = sorted(several, key=lambda role: role.timestamp)[:-1]
        found.extend(_put_away([role.id for role in old], gone, "role"))
    found.extend(_uniqueness(state, legends, walkers, worlds, gone))
    for oid, o in _strays(state):
        found.append(events.Ceases(subject=oid, cause="token" if o.token else ""))
    return found


def _untouched(o: Object) -> bool:
    """Whether a permanent that no effect changes is what its definition says and nothing more."""
    return o.definition.inert and not (
        o.damage or o.counters or o.attached_to or o.paired or o.deathtouched or o.face_down or o.phased_out
    )


def _returned(state: State, effect: Floating) -> list[events.Event]:
    """What was exiled until its source left is back where it was, immediately afterwards (current 610.3)."""
    to: Zone = "hand" if dict(effect.bindings).get("zone") == "hand" else "battlefield"
    back = [
        events.Move(subject=r, to=to, controller=state.objects[r].owner, by=effect.source, cause="put")
        for r in effect.objects or ()
        if r in state.objects and state.objects[r].zone == "exile"
    ]
    return [*back, events.EndEffects(ids=(effect.id,))]


def _creature(o: Object, toughness: int) -> events.Event | None:
    if toughness <= 0:  # 704.5f
        return events.Move(subject=o.id, to="graveyard", cause="toughness")
    if o.damage >= toughness:  # 704.5g
        return events.Destroy(subject=o.id, cause="lethal damage")
    if o.deathtouched:  # 704.5h
        return events.Destroy(subject=o.id, cause="deathtouch")
    return None


def _attachment(state: State, o: Object) -> events.Event | None:
    """704.5n to q: Auras, Equipment and others attached illegally or to nothing."""
    subtypes = characteristics(state, o.id).subtypes
    if "Aura" in subtypes and is_bestowed(o.definition):
        if not o.attached_to:  # current 702.103f: it is a creature again
            return events.TurnedOver(subject=o.id, definition=o.definition.whole, cause="bestow")
        return None if can_attach(state, o.id, o.attached_to) else events.Attach(subject=o.id, object=0)
    if "Aura" in subtypes:
        if not o.attached_to or not can_attach(state, o.id, o.attached_to):
            return events.Move(subject=o.id, to="graveyard", cause="attachment")
    elif o.attached_to and not can_attach(state, o.id, o.attached_to):
        return events.Attach(subject=o.id, object=0)
    return None


def _annihilate(o: Object) -> list[events.Event]:
    # 704.5r: as many as of the rarer kind are removed.
    n = min(lookup.count(o.counters, "+1/+1"), lookup.count(o.counters, "-1/-1"))
    if not n:
        return []
    return [
        events.RemoveCounters(subject=o.id, amount=n, counter="+1/+1", cause="annihilate"),
        events.RemoveCounters(subject=o.id, amount=n, counter="-1/-1", cause="annihilate"),
    ]


def _uniqueness(
    state: State,
    legends: dict[str, list[int]],
    walkers: dict[str, list[int]],
    worlds: list[int],
    gone: set[int],
) -> list[events.Event]:
    found: list[events.Event] = []
    if state.edition.planeswalker_uniqueness:  # 704.5j, 306.4
        for ids in walkers.values():
            if len(ids) > 1:
                found.extend(_put_away(_sharing(state, ids), gone, "planeswalker uniqueness"))
    if state.edition.legend_rule == "all":  # 704.5k
        for ids in legends.values():
            if len(ids) > 1:
                found.extend(_put_away(_sharing(state, ids), gone, "legend rule"))
    if len(worlds) > 1:  # 704.5m: the newest stays, a tie spares none
        worlds = _sharing(state, worlds) or worlds[:0]
    if len(worlds) > 1:
        newest = max(state.objects[i].timestamp for i in worlds)
        old = [i for i in worlds if state.objects[i].timestamp != newest]
        found.extend(_put_away(old if len(old) < len(worlds) else worlds, gone, "world rule"))
    return found


def _sharing(state: State, ids: list[int]) -> list[int]:
    """Those with another of them within their controller's range of influence (801.12, 801.14)."""
    if not state.options.range_of_influence:
        return ids
    objects = state.objects
    return [i for i in ids if any(j != i and lookup.reaches(state, objects[i].controller, j) for j in ids)]


def _put_away(ids: list[int], gone: set[int], cause: str) -> list[events.Event]:
    fresh = [i for i in ids if i not in gone]
    gone.update(fresh)
    return [events.Move(subject=i, to="graveyard", cause=cause) for i in fresh]


def legend_choice(state: State) -> tuple[int, tuple[int, ...]] | None:
    """Where the edition lets the controller keep one legend: (seat, the legends of one name), or None (704.5j there)."""
    if state.edition.legend_rule != "choose":
        return None
    known = state.memo.get("legends")
    if known is None:
        groups: dict[tuple[int, str], list[int]] = {}
        for oid in state.battlefield:
            o = state.objects[oid]
            c = characteristics(state, oid)
            if "legendary" in c.supertypes and not o.phased_out:
                groups.setdefault((o.controller, c.name), []).append(oid)
        clash = next(((seat, tuple(ids)) for (seat, _), ids in groups.items() if len(ids) > 1), None)
        known = state.memo["legends"] = (clash,)
    return known[0]


def commander_choice(state: State) -> int:
    """A commander in a graveyard or in exile whose owner has yet to say whether it goes to the command zone (current 704.6d, current 903.9a);
    0 if there is none."""
    if state.options.format != "commander":
        return 0
    for oid in (*(i for p in state.players for i in p.graveyard), *state.exile):
        found = state.objects[oid]
        asked = found.zone not in state.edition.commander_instead and STAYS not in found.chosen
        if found.commander and asked and not state.players[found.owner].lost:
            return oid
    return 0


#: What is noted on a commander that its owner left where it was.
STAYS = ("stays", "yes")


def _strays(state: State) -> list[tuple[int, Object]]:
    """Tokens elsewhere than on the battlefield (704.5d) and copies of spells elsewhere than on the stack (704.5e)."""
    return [(i, state.objects[i]) for i in state.strays if i in state.objects]
