"""Composite events and what they come to, and which events can't happen at all.

`expand` takes a batch whose items no replacement effect applies to any more and replaces each composite event with its
results; `None` means that nothing was composite and the batch can be done. Damage is the three parts of 119.4: the event
`Damage` itself is done (so that abilities trigger on damage dealt), and its results are events of the same batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.rules.characteristics import (
    can_be_sacrificed,
    characteristics,
    is_indestructible,
    known,
    rules_about,
)
from server.rules.functioning import can_attach, can_be_countered, has, rules
from server.rules.model import (
    Counted,
    Object,
    State,
    controller_of,
    events,
    evolve,
    lookup,
    player_ref,
    rare,
    seat_of,
    this_turn,
)


def possible(state: State, event: events.Event) -> bool:
    """Whether the event can happen; what is impossible or nothing is left out (609.3, 119.8)."""
    test = POSSIBLE.get(type(event))
    return test is None or test(state, event)


def _damage_possible(state: State, event: events.Damage) -> bool:
    # 119.8: no damage is no event. 119.1a: only creatures, planeswalkers and players.
    if event.amount <= 0:
        return False
    if event.object < 0:
        return lookup.present(state, seat_of(event.object))
    found = lookup.permanent(state, event.object)
    if found is None:
        return False
    types = characteristics(state, event.object).types
    return "creature" in types or "planeswalker" in types


def _gain_possible(state: State, event: events.GainLife) -> bool:
    seat = seat_of(event.subject)
    return event.amount > 0 and lookup.present(state, seat) and not has(state, seat, "can't gain life")


def _loss_possible(state: State, event: events.LoseLife) -> bool:
    seat = seat_of(event.subject)
    return event.amount > 0 and lookup.present(state, seat) and not has(state, seat, "can't lose life")


def _destroy_possible(state: State, event: events.Destroy) -> bool:
    found = lookup.permanent(state, event.subject)
    return found is not None and not is_indestructible(state, event.subject)


def _move_possible(state: State, event: events.Move) -> bool:
    if event.subject == 0:
        return event.definition is not None and (state.edition.lone_aura_tokens or not _is_lone_aura(state, event))
    found = state.objects.get(event.subject)
    if found is None:
        return False
    # 110.5g: a token that has left the battlefield can't change zones again.
    if found.rare.token and found.zone not in ("battlefield", "stack") and event.to != "stack":  # but a copy is cast
        return False
    if event.cause == "sacrifice":
        return found.zone == "battlefield" and can_be_sacrificed(state, found.id)
    if event.to == "battlefield" and found.zone != "stack" and event.cause != "play" and not event.face_down:
        entering = event.definition or found.printed or found.definition
        return not {"instant", "sorcery"} & set(entering.base.types)  # 304.4, 307.4: it stays where it is
    return True


def _is_lone_aura(state: State, event: events.Move) -> bool:
    """Whether it is an Aura token that can't enchant what it would be attached to, or nothing at all (current 303.4g, i)."""
    definition, seat = event.definition, max(event.controller, 0)
    if event.to != "battlefield" or definition is None or "Aura" not in definition.base.subtypes or event.face_down:
        return False
    token = Object(state.next_id, definition, seat, seat, "battlefield", rare=rare(token=True))
    view = evolve(state, objects={**state.objects, token.id: token}, battlefield=(*state.battlefield, token.id))
    hosts = (event.attach_to,) if event.attach_to else (*state.battlefield, *map(player_ref, lookup.turn_order(state)))
    return not any(can_attach(view, token.id, host) for host in hosts)


def _counters_possible(state: State, event: events.PutCounters) -> bool:
    if event.amount <= 0:
        return False
    if event.subject < 0:
        seat = seat_of(event.subject)
        with_them = lookup.share_poison(state, seat) if event.counter == "poison" else (seat,)  # 810.10c
        barred = (rule.counter for each in with_them for rule, _ in rules(state, each, "can't get counters"))
        return lookup.present(state, seat) and not any(kind in ("", event.counter) for kind in barred)
    if event.subject not in state.objects:
        return False
    barred = (r.flag.keyword for r in rules_about(state, event.subject) if r.flag.rule == "can't have counters")
    return not any(kind in ("", event.counter) for kind in barred)


def _removal_possible(state: State, event: events.RemoveCounters) -> bool:
    return event.amount > 0


def _countered_possible(state: State, event: events.Countered) -> bool:
    found = state.objects.get(event.subject)
    if found is None or found.zone != "stack":
        return False
    if event.cause == "no legal targets":
        return True
    return can_be_countered(state, event.subject, event.by)


POSSIBLE: dict[type[events.Event], Callable[[State, Any], bool]] = {
    events.Damage: _damage_possible,
    events.GainLife: _gain_possible,
    events.LoseLife: _loss_possible,
    events.Destroy: _destroy_possible,
    events.Move: _move_possible,
    events.PutCounters: _counters_possible,
    events.RemoveCounters: _removal_possible,
    events.Countered: _countered_possible,
    events.CreateTokens: lambda s, e: e.amount > 0,
    events.Draw: lambda s, e: lookup.present(s, seat_of(e.subject)) and _may_draw(s, seat_of(e.subject), 0),
    events.AddMana: lambda s, e: any(e.mana),
}


# --- lowering ------------------------------------------------------------------------------------------------------------


def expand(state: State, batch: list[events.Event]) -> tuple[list[events.Event], list[events.Event]] | None:
    """What the batch comes to: (events that stand, events that may be replaced again). None if nothing was composite."""
    if LOWER.keys().isdisjoint(map(type, batch)):
        return None
    done: list[events.Event] = []
    rest: list[events.Event] = []
    drawn: dict[int, int] = {}
    dealt: set[int] = set()
    for event in batch:
        make = LOWER.get(type(event))
        if make is None:
            (done if isinstance(event, events.Prevented) else rest).append(event)
        elif isinstance(event, events.Draw):
            rest.extend(_draw(state, event, drawn))
        else:
            stands, results = make(state, event)
            done.extend(stands)
            rest.extend(results)
            if isinstance(event, events.Damage) and event.subject not in dealt:
                dealt.add(event.subject)
                rest.extend(_lifelink(state, event.subject, batch))
    return done, rest


Lowered = tuple[list[events.Event], list[events.Event]]


def _draw(state: State, event: events.Draw, drawn: dict[int, int]) -> list[events.Event]:
    seat = seat_of(event.subject)
    library = state.players[seat].library
    n = drawn.get(seat, 0)
    if not _may_draw(state, seat, n):
        return []
    drawn[seat] = n + 1
    if n >= len(library):
        # 120.4: remembered for the next check of state-based actions.
        return [events.DrawFromEmpty(subject=event.subject)]
    # An opening hand is drawn before there is a turn in which something could look at it (103.4).
    cause = "opening" if event.cause == "opening" else "draw"
    return [events.Move(subject=library[-1 - n], to="hand", cause=cause, by=event.by)]


def _may_draw(state: State, seat: int, more: int) -> bool:
    """Whether a player may draw one more card this turn than drawn so far and `more`."""
    drawn = this_turn(state, Counted.DRAWN, player_ref(seat)) + more
    most = (rule.number for rule, _ in rules(state, seat, "can't draw more than"))
    return all(drawn < number for number in most if isinstance(number, int))


def _draw_several(state: State, event: events.DrawSeveral) -> Lowered:
    return [], [events.Draw(subject=event.subject, by=event.by)] * event.amount


def _destroy(state: State, event: events.Destroy) -> Lowered:
    # The event itself stands too, so that the log tells why: by what, or by which state-based action (119.5).
    return [event], [events.Move(subject=event.subject, to="graveyard", cause="destroy", by=event.by)]


def _countered(state: State, event: events.Countered) -> Lowered:
    found = state.objects[event.subject]
    stands: list[events.Event] = [event]
    if found.entry is not None and found.entry.kind != "spell":
        return [*stands, events.Ceases(subject=event.subject, cause="countered")], []
    return stands, [
        events.Move(subject=event.subject, to=event.to, position=event.position, cause="countered", by=event.by)
    ]


def _tokens(state: State, event: events.CreateTokens) -> Lowered:
    seat = seat_of(event.subject)
    token = events.Move(
        to="battlefield",
        controller=seat,
        owner=seat,
        definition=event.definition,
        tapped=event.tapped,
        attacking=event.attacking,
        blocking=event.blocking,
        ahead=event.ahead,
        attach_to=event.attach_to,
        cause="create",
        by=event.by,
        name=event.name,
    )
    return [], [token] * event.amount


def _damage(state: State, event: events.Damage) -> Lowered:
    """119.3: what damage results in, by recipient and by the source's characteristics (last known ones if it left)."""
    source = known(state, event.subject)
    keywords = source.keywords if source is not None else frozenset[str]()
    return [event], damage_results(state, event, keywords)


def _lifelink(state: State, source: int, batch: list[events.Event]) -> list[events.Event]:
    """119.3f: all that one source with lifelink deals at once, to however many, is one gain of life (118.9)."""
    known_ = known(state, source)
    seat = controller_of(state, source)
    if known_ is None or "lifelink" not in known_.keywords or seat is None:
        return []
    total = sum(e.amount for e in batch if isinstance(e, events.Damage) and e.subject == source)
    return [events.GainLife(subject=player_ref(seat), amount=total, by=source, cause="lifelink")]


def damage_results(state: State, event: events.Damage, keywords: frozenset[str]) -> list[events.Event]:
    """The results for the recipient (119.3a to e)."""
    source, target, n = event.subject, event.object, event.amount
    if target < 0:
        poison = _toxic(state, source) if event.combat and "toxic" in keywords else 0
        more = [events.PutCounters(subject=target, amount=poison, by=source, counter="poison", cause="toxic")]
        if "infect" in keywords:  # 119.3b
            return [events.PutCounters(subject=target, amount=n, by=source, counter="poison", cause="damage"), *more]
        return [events.LoseLife(subject=target, amount=n, by=source, cause="damage"), *more]  # 119.3a
    results: list[events.Event] = []
    types = characteristics(state, target).types
    if "planeswalker" in types:  # 119.3c
        results.append(events.RemoveCounters(subject=target, amount=n, by=source, counter="loyalty", cause="damage"))
    if "creature" in types:
        if "wither" in keywords or "infect" in keywords:  # 119.3d
            results.append(events.PutCounters(subject=target, amount=n, by=source, counter="-1/-1", cause="damage"))
            if "deathtouch" in keywords:
                results.append(events.Deathtouched(subject=target, by=source))
        else:  # 119.3e
            results.append(events.MarkDamage(subject=target, amount=n, by=source, deathtouch="deathtouch" in keywords))
    return results


def _toxic(state: State, source: int) -> int:
    """The total toxic value of a creature that deals combat damage to a player (current 702.164b, c)."""
    c = known(state, source)
    if c is None:
        return 0
    return sum(a.number for a in c.abilities.quality("toxic") if isinstance(a.number, int))


LOWER: dict[type[events.Event], Callable[[State, Any], Lowered]] = {
    events.Draw: lambda s, e: ([], []),
    events.DrawSeveral: _draw_several,
    events.Destroy: _destroy,
    events.Countered: _countered,
    events.CreateTokens: _tokens,
    events.Damage: _damage,
}


__all__ = ["damage_results", "expand", "possible", "replace"]
