"""Verbs that look through zones: searching, shuffling, looking, revealing, picking, scrying, arranging (401, 701)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import combinations
from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms
from server.cards.grammar import CHOSEN_THIS_WAY, LAND_TYPES
from server.cards.nouns import Choose, You, Zone
from server.rules.casting import one_of, pick, seats, within_reach
from server.rules.characteristics import characteristics, fits, quantity, select
from server.rules.functioning import rules
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    BoundRefs,
    Choice,
    Label,
    Next,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    events,
    lookup,
    player_ref,
)
from server.rules.verbs.next_instruction import Asking, after, goes_on

#: Zones of which all players see the cards.
SEEN = ("graveyard", "exile")


def _search(state: State, frame: RunFrame, verb: forms.Search) -> Asking:
    """701.15: looking through a library (and other zones), finding up to so many cards, then shuffling the library."""
    scope = frame.scope
    searched = [
        (seat, owner)
        for seat in seats(state, verb.who, scope)
        for owner in ((seat,) if verb.whose is None else seats(state, verb.whose, scope))
    ]
    if not frame.memory:
        zones: list[tuple[Zone, ...]] = []
        for seat, _ in searched:
            zones.append((yield from _zones_searched(state, verb, seat, scope.source)))
        looks = tuple(
            events.Reveal(subject=player_ref(s), objects=seen, seats=1 << s, cause="search")
            for (s, o), places in zip(searched, zones, strict=True)
            if (seen := _searched_cards(state, tuple(p for p in places if p not in SEEN), o))
        )
        return Next(replace(frame, memory=("looked", *zones)), batch=looks)
    batch: list[events.Event] = []
    found: list[Ref] = []
    n = quantity(state, verb.count, scope)
    for (seat, owner), places in zip(searched, frame.memory[1:], strict=True):
        local = Scope(scope.source, seat, scope.entry, scope.bindings)
        there = _searched_cards(state, places, owner)
        options = tuple(i for i in there if fits(state, verb.what.reading, i, local))
        seen = tuple(i for i in options if verb.every and state.objects[i].zone in SEEN)
        hidden = tuple(i for i in options if i not in seen)
        most = len(hidden) if n < 0 else n
        if verb.alike:
            picked = yield from _one_by_one(state, seat, hidden, most, verb.alike, scope.source)
        else:
            least = min(most, len(hidden)) if verb.exactly else 0
            picked = (*seen, *(yield from ask.choose_refs(seat, hidden, least, most, "search", scope.source)))
        found += picked
        if "library" in places:
            batch.append(events.SearchLibrary(subject=player_ref(seat), object=player_ref(owner), by=scope.source))
        batch.extend(_found(state, verb, scope, seat, picked))
        if verb.shuffle and "library" in (places if verb.either else verb.places):
            top = picked if verb.to == "library" else ()
            batch.append(events.Shuffle(subject=player_ref(owner), top=top))
    return after(frame, batch, it=tuple(found) if verb.to == "found" else None)


def _zones_searched(
    state: State, verb: forms.Search, seat: int, source: int
) -> Generator[AnyQuestion, AnyAnswer, tuple[Zone, ...]]:
    """Which zones somebody searches, of whom a library may be out of bounds; of "and/or" one or more are chosen."""
    barred = bool(rules(state, seat, "can't search"))  # an effect's shuffling is done all the same
    zones: tuple[Zone, ...] = tuple(zone for zone in verb.places if not (barred and zone == "library"))
    if not verb.either:
        return zones
    some = [those for n in range(len(zones), 0, -1) for those in combinations(zones, n)]
    options = tuple(Choice(word=" and ".join(those), text=f"zone.{'_'.join(those)}") for those in some)
    picks = yield from ask.choose(seat, options, 1, 1, "search zones", source)
    return some[picks[0]] if picks else ()


def _one_by_one(
    state: State, seat: int, options: tuple[Ref, ...], most: int, alike: str, source: int
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...]]:
    """Cards that are found one after the other, since each limits which others can be found with it."""
    found: tuple[Ref, ...] = ()
    while len(found) < most:
        left = tuple(r for r in options if r not in found and _goes_with(state, (*found, r), alike))
        one = (yield from ask.choose_refs(seat, left, 0, 1, "search", source)) if left else ()
        if not one:
            break
        found += one
    return found


def _goes_with(state: State, cards: tuple[Ref, ...], alike: str) -> bool:
    """Whether these have a land type in common, or no name."""
    seen = [characteristics(state, ref) for ref in cards]
    if alike == "different names":
        return len({c.name for c in seen}) == len(seen)
    return bool(LAND_TYPES.intersection(*(c.subtypes for c in seen)))


def _searched_cards(state: State, places: tuple[Zone, ...], owner: int) -> tuple[Ref, ...]:
    player = state.players[owner]
    zones = {"library": tuple(reversed(player.library)), "graveyard": player.graveyard, "hand": player.hand}
    return tuple(i for place in places for i in zones.get(place, ()))


def _found(
    state: State, verb: forms.Search, scope: Scope, seat: int, picked: tuple[Ref, ...]
) -> Iterator[events.Event]:
    """What happens to the cards that were found, before the shuffle."""
    if verb.reveal:
        everyone = (1 << len(state.players)) - 1
        yield events.Reveal(subject=player_ref(seat), objects=picked, seats=everyone, cause="reveal")
    for ref in picked if verb.to not in ("library", "found") else ():
        yield events.Move(
            subject=ref,
            to=cast(Zone, verb.to),
            by=scope.source,
            controller=seat if verb.to == "battlefield" else -1,
            tapped=verb.tapped,
            linked_to=scope.source if verb.link else 0,
            reveal=verb.reveal,
            cause="search",
        )


def _shuffle(state: State, frame: RunFrame, verb: forms.Shuffle) -> Next:
    searched = frame.scope.refs(BoundRefs.SEARCHED) or ()
    who = [ref for s in seats(state, verb.who, frame.scope) if (ref := player_ref(s)) in searched or not verb.searched]
    return after(frame, [events.Shuffle(subject=ref) for ref in who])


def _look(state: State, frame: RunFrame, verb: forms.Look) -> Next:
    scope = frame.scope
    refs = select(state, verb.what, scope)
    ids: list[int] = []
    for ref in refs:
        if ref < 0:
            ids.extend(lookup.player(state, ref).hand)
        elif ref in state.objects:
            ids.append(ref)
    mask = (1 << len(state.players)) - 1 if verb.reveal else 0
    for seat in seats(state, verb.who, scope):
        mask |= 1 << seat
    shown = events.Reveal(
        subject=player_ref(scope.controller),
        objects=tuple(ids),
        seats=mask,
        by=scope.source,
        cause="reveal" if verb.reveal else "look",
    )
    owners = tuple(dict.fromkeys(player_ref(state.objects[i].owner) for i in ids))
    return after(frame, [shown], it=tuple(ids), player=owners if len(owners) == 1 else None)


def _reveal_hand(state: State, frame: RunFrame, verb: forms.RevealHand) -> Next:
    who = seats(state, verb.who, frame.scope)
    everyone = (1 << len(state.players)) - 1
    hands = [state.players[s].hand for s in who]
    batch = [
        events.Reveal(subject=player_ref(s), objects=hand, seats=everyone, by=frame.scope.source, cause="reveal")
        for s, hand in zip(who, hands, strict=True)
    ]
    return after(frame, batch, it=tuple(i for hand in hands for i in hand), player=tuple(player_ref(s) for s in who))


_CHOSEN = Label(CHOSEN_THIS_WAY)


def _pick(state: State, frame: RunFrame, verb: forms.Pick) -> Asking:
    scope = frame.scope
    whose = scope
    if not isinstance(verb.who.reading, You) and len(who := select(state, verb.who, scope)) == 1:
        whose = scope.bind(BoundRefs.PLAYER, who)  # "target opponent chooses a creature they control"
    options = tuple(r for r in select(state, verb.what, whose))
    least, most = quantity(state, verb.least, scope), quantity(state, verb.most, scope)
    if isinstance(verb.what.reading, Choose):
        n = quantity(state, verb.what.reading.count, scope)
        most = len(options) if n < 0 else n
        least = 0 if verb.what.reading.up_to or n < 0 else n
    if verb.random:
        if not frame.memory:
            picking = events.PickAtRandom(objects=options, amount=min(most, len(options)))
            return Next(replace(frame, memory=("picked",)), batch=(picking,))
        picked = lookup.picked_at_random(state)
    else:
        chooser = yield from one_of(state, verb.who, scope)
        # 801.5c: who chooses for want of one within range of the controller chooses from all there is.
        near = within_reach(state, chooser, options) or options
        picked = yield from ask.choose_refs(chooser, near, least, most, "pick", scope.source)
    rest = tuple(r for r in options if r not in picked)
    for name in (BoundRefs.CREATURE, BoundRefs.TOKEN):  # "that creature" and "that token" are what was spoken of last
        spoken_of = scope.refs(name) is not None and f" {name}" in f" {verb.what.text}"
        scope = scope.bind(name, picked) if spoken_of else scope
    bound = (
        scope.bind(Label(verb.as_name), picked)
        .bind(BoundRefs.IT, picked)
        .bind(BoundRefs.REST, rest)
        .bind(BoundNumber.DID, int(bool(picked)))
        .bind(_CHOSEN, tuple(dict.fromkeys((*(scope.refs(_CHOSEN) or ()), *picked))))
    )
    return goes_on(frame, bound)


def _pick_each(state: State, frame: RunFrame, verb: forms.PickEach) -> Asking:
    """101.4: whoever chooses later knows what was chosen before."""
    scope = frame.scope
    order = seats(state, verb.who, scope)
    begins = lookup.turn_order(state, scope.controller + (verb.first == "opponent")) if verb.first else order
    chosen: list[Ref] = []
    offered: list[Ref] = []
    for seat in (one for one in begins if one in order):
        local = scope.bind(BoundRefs.PLAYER, (player_ref(seat),))
        kind = verb.what.reading
        left = tuple(r for r in select(state, verb.what, local) if not (verb.different and r in chosen))
        options = within_reach(state, seat, left)
        wanted = quantity(state, kind.count, scope) if isinstance(kind, Choose) else 1
        most = len(options) if wanted < 0 else wanted
        least = 0 if verb.may or wanted < 0 or isinstance(kind, Choose) and kind.up_to else most
        chosen.extend((yield from ask.choose_refs(seat, options, least, most, "pick", scope.source)))
        offered.extend(left)
    picked = tuple(dict.fromkeys(chosen))
    rest = tuple(r for r in dict.fromkeys(offered) if r not in picked)
    bound = scope.bind(_CHOSEN, picked).bind(BoundRefs.IT, picked).bind(BoundRefs.REST, rest)
    return goes_on(frame, bound.bind(BoundNumber.DID, int(bool(picked))))


def _scry(state: State, frame: RunFrame, verb: forms.Scry) -> Asking:
    # 701.18: look at the top cards, any number of them to the bottom, the rest back on top, each in any order.
    scope = frame.scope
    n = quantity(state, verb.count, scope)
    batch: list[events.Event] = []
    tops = {seat: top for seat in seats(state, verb.who, scope) if (top := state.players[seat].library[::-1][:n])}
    if tops and not frame.memory:  # current 701.22c: all look at the same time
        look = events.Reveal(cause="look", by=scope.source)
        looked = (replace(look, subject=player_ref(s), objects=top, seats=1 << s) for s, top in tops.items())
        return Next(replace(frame, memory=("looked",)), batch=tuple(looked))
    for seat, top in tops.items():
        library = state.players[seat].library
        down = yield from ask.choose_refs(seat, top, 0, len(top), "scry", scope.source)
        stay = tuple(i for i in top if i not in down)
        stay = yield from ask.order(seat, stay, "scry top", scope.source)
        order = (*reversed(down), *library[: len(library) - len(top)], *reversed(stay))
        batch.append(events.SetLibrary(subject=player_ref(seat), objects=order))
        batch.append(events.Scried(subject=player_ref(seat), amount=len(top), by=scope.source))
    return after(frame, batch)


def _reorder(state: State, frame: RunFrame, verb: forms.Reorder) -> Asking:
    """Cards back on top or bottom of a library in any order (the rest of what was looked at, or what was exiled or milled)."""
    scope = frame.scope
    chosen = yield from pick(state, verb.what, scope, "library", scope.controller)
    refs = tuple(r for r in chosen if r > 0 and r in state.objects)
    if not refs:
        return after(frame, [])
    if verb.random and not frame.memory:
        picking = events.PickAtRandom(objects=refs, amount=len(refs))
        return Next(replace(frame, memory=("picked",)), batch=(picking,))
    if verb.random:
        ordered = lookup.picked_at_random(state)
    else:
        who = seats(state, verb.who, scope)
        chooser = who[0] if who else scope.controller
        ordered = yield from ask.order(chooser, refs, "library order", scope.source)
    if any(state.objects[r].zone != "library" for r in refs):
        place = -1 if verb.bottom else 0
        order = ordered if verb.bottom else tuple(reversed(ordered))
        return after(frame, [events.Move(subject=r, to="library", position=place, by=scope.source) for r in order])
    owner = state.objects[refs[0]].owner
    library = tuple(i for i in state.players[owner].library if i not in refs)
    order = (*reversed(ordered), *library) if verb.bottom else (*library, *reversed(ordered))
    return after(frame, [events.SetLibrary(subject=player_ref(owner), objects=order)])


LIBRARY_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.Search: _search,
    forms.Shuffle: _shuffle,
    forms.Look: _look,
    forms.Pick: _pick,
    forms.PickEach: _pick_each,
    forms.RevealHand: _reveal_hand,
    forms.Scry: _scry,
    forms.Reorder: _reorder,
}
