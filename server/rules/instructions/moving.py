"""Verbs that move objects: moving, sacrificing, discarding, drawing, milling, tokens, searching, looking, arranging."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card, done_word
from server.cards.nouns import Choose, Each, OwnedBy, Target, You, Zone, kind_of
from server.rules.characteristics import (
    amount,
    can_attach,
    copiable,
    enchant_candidates,
    excepted,
    fits,
    pick,
    pick_own,
    quantity,
    seats,
    select,
)
from server.rules.characteristics import refs as spoken_of
from server.rules.happenings import active_names, phase_out, planeswalkers_of
from server.rules.instructions.going_on import after, done_instead, goes_on
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    Definition,
    Next,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    attacking,
    controller_of,
    current,
    define,
    events,
    lookup,
    make_effect,
    player_ref,
    remember,
    seat_of,
    turned_over,
    walk,
)

Asking = Generator[AnyQuestion, AnyAnswer, Next]


def _move(state: State, frame: RunFrame, verb: forms.Move) -> Asking:
    scope = frame.scope
    if verb.until and frame.memory:
        return _returns_later(state, frame)
    if verb.until and lookup.permanent(state, scope.source) is None:
        return after(frame, [], it=())  # current 610.3b
    chosen = yield from pick(state, verb.what, scope, verb.to, scope.controller)
    refs = tuple(dict.fromkeys(i for r in chosen if r > 0 for i in current(state, r, scope)))
    attacking = 0
    if verb.attacking and refs:
        if verb.same_as is not None:
            attacking = attacked_by(state, select(state, verb.same_as, scope))
        else:
            attacking = yield from choose_defender(state, scope)
    remembered: tuple[tuple[str, str], ...] = ()
    if verb.chosen is not None:
        about = yield from pick(state, verb.chosen, scope, verb.to, scope.controller)
        remembered = tuple(("creature", str(r)) for r in about[:1])
    if verb.mark:
        remembered = (*remembered, (verb.mark, ""))
    attach_to = 0
    if verb.attached_to is not None:
        hosts = yield from pick(state, verb.attached_to, scope, "attach", scope.controller)
        attach_to = hosts[0] if hosts else 0
    batch: list[events.Event] = []
    shuffled: dict[int, tuple[int, ...]] = dict.fromkeys(_of_set(state, verb.what, scope), ()) if verb.shuffle else {}
    for ref in refs:
        found = state.objects.get(ref)
        if found is None:
            continue
        controller = _under(state, verb, found.owner, scope)
        host = attach_to
        side: Definition | None = None
        if verb.transformed:
            side = turned_over(found.printed or found.definition, "transform", state.edition.value_of_front)
            if side is None:
                continue  # current 712.14a: what has no other face stays where it is
        if (
            verb.to == "battlefield"
            and not host
            and not verb.face_down
            and "Aura" in (side or found.definition).base.subtypes
        ):
            options = enchant_candidates(state, ref, controller)
            if not options:
                continue  # 303.4g: it stays where it is
            host = (yield from ask.choose_refs(controller, options, 1, 1, "enchant", ref))[0]
        counters = ()
        if verb.counter:
            counters = lookup.with_counters((), verb.counter, quantity(state, verb.count, scope))
        batch.append(
            events.Move(
                subject=ref,
                to=verb.to,
                by=scope.source,
                controller=controller,
                position=-1 if verb.bottom else verb.position,
                tapped=verb.tapped,
                counters=counters,
                attach_to=host,
                attacking=attacking,
                face_down=verb.face_down,
                linked_to=scope.source if verb.link else 0,
                chosen=remembered,
                definition=side,
                reveal=verb.reveal,
                cause="exile" if verb.to == "exile" else "put",
            )
        )
        if verb.shuffle:
            shuffled[found.owner] = (*shuffled.get(found.owner, ()), ref)
    batch.extend(events.Shuffle(subject=player_ref(seat), cards=cards) for seat, cards in shuffled.items())
    if verb.reveal and refs:
        everyone = (1 << len(state.players)) - 1
        shown = events.Reveal(subject=player_ref(scope.controller), objects=refs, seats=everyone, cause="reveal")
        batch.insert(0, shown)
    if verb.until:
        return Next(replace(frame, memory=("moved",)), batch=tuple(batch))
    return after(frame, batch, it=chosen)


def _of_set(state: State, noun: forms.Noun, scope: Scope) -> tuple[int, ...]:
    """Whose cards a noun speaks of that names a set of them and no card in particular ("any number of target cards from your
    graveyard"): they shuffle even if there are none (701.16e)."""
    reading = noun.reading
    if isinstance(reading, Target) and reading.least:
        return ()
    kind = kind_of(reading) if isinstance(reading, Target | Choose | Each) else None
    owners = [part.by for part in walk(kind.objects) if isinstance(part, OwnedBy)] if kind is not None else []
    return tuple(seat_of(ref) for by in owners for ref in spoken_of(state, by, scope) if ref < 0)


def _returns_later(state: State, frame: RunFrame) -> Next:
    """What was exiled until the source leaves returns then, to where it was (current 610.3)."""
    moved = [e for e in state.results if isinstance(e, events.Move) and e.became]
    gone = tuple(e.became for e in moved)
    waiting = forms.Continuous(what=forms.Noun("it"), mods=())
    zones = (("zone", moved[0].from_ or "battlefield"),) if moved else ()
    batch = [make_effect(state, frame.scope, waiting, "source leaves", objects=gone, bindings=zones)] if gone else []
    return after(frame, batch, it=gone)


def _under(state: State, verb: forms.Move, owner: int, scope: Scope) -> int:
    if verb.to != "battlefield":
        return -1
    if verb.under is None:
        return scope.controller
    if verb.under.text in ("its owner", "their owner", "owner", "their owners"):
        return owner
    chosen = select(state, verb.under, scope)
    return seat_of(chosen[0]) if chosen and chosen[0] < 0 else owner


def attacked_by(state: State, refs: tuple[Ref, ...]) -> Ref:
    """What a creature attacks, or attacked when it left combat with the battlefield (ninjutsu, 702.47c); 0 if nothing."""
    for ref in refs:
        place = attacking(state, ref)
        if place is not None:
            return place.defender
        last = state.last.get(ref)
        if last is not None and last.attacked:
            seat = last.attacked
            return seat if seat > 0 or lookup.present(state, seat_of(seat)) else 0
    return 0


def choose_defender(
    state: State, scope: Scope, whom: tuple[Ref, ...] | None = None
) -> Generator[AnyQuestion, AnyAnswer, Ref]:
    """Whom a creature that enters attacking attacks (508.4): one of these players or their planeswalkers, if any are said."""
    combat = state.combat
    if combat is None or scope.controller != combat.attacker:
        return 0
    options: list[Ref] = []
    for seat in combat.defenders:
        if lookup.present(state, seat) and (whom is None or player_ref(seat) in whom):
            options.append(player_ref(seat))
            options.extend(planeswalkers_of(state, seat))
    if not options:
        return 0
    return (yield from ask.choose_refs(scope.controller, tuple(options), 1, 1, "attacks", scope.source))[0]


def _sacrifice(state: State, frame: RunFrame, verb: forms.Sacrifice) -> Asking:
    batch: list[events.Event] = []
    chosen: list[Ref] = []
    for seat in seats(state, verb.who, frame.scope):
        # "Each opponent sacrifices a creature with the greatest power among creatures that player controls."
        mine = isinstance(verb.who.reading, You)
        scope = frame.scope if mine else frame.scope.bind("player", (player_ref(seat),))
        refs = yield from pick_own(state, verb.what, scope, "sacrifice", seat)
        for ref in refs:
            found = lookup.permanent(state, ref)
            # 701.14: only what one controls can be sacrificed.
            if found is not None and found.controller == seat:
                chosen.append(ref)
                batch.append(events.Move(subject=ref, to="graveyard", by=frame.scope.source, cause="sacrifice"))
    if verb.action:
        told = (events.KeywordAction(subject=frame.scope.source, object=ref, cause=verb.action) for ref in chosen)
        batch.extend(told)
    return after(frame, batch, it=tuple(chosen))


def _discard(state: State, frame: RunFrame, verb: forms.Discard) -> Asking:
    scope = frame.scope
    if verb.random and not frame.memory:
        return _random_discard(state, frame, verb)
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, scope):
        hand = state.players[seat].hand
        if verb.random:
            picked = tuple(r for r in state.results if isinstance(r, int) and r in hand)
        else:
            options = hand
            if verb.what is not None:
                local = scope.bind("player", (player_ref(seat),))
                options = tuple(i for i in hand if fits(state, verb.what.reading, i, local))
            wanted = quantity(state, verb.count, scope)
            n = len(options) if verb.all or wanted < 0 else min(wanted, len(options))
            chooser = seat
            if verb.chooser is not None:
                who = select(state, verb.chooser, scope)
                chooser = seat_of(who[0]) if who else seat
            picked = yield from ask.choose_refs(chooser, options, 0 if verb.up_to else n, n, "discard", scope.source)
        batch.extend(events.Move(subject=i, to="graveyard", by=scope.source, cause="discard") for i in picked)
    return after(frame, batch)


def _random_discard(state: State, frame: RunFrame, verb: forms.Discard) -> Next:
    n = quantity(state, verb.count, frame.scope)
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, frame.scope):
        hand = state.players[seat].hand
        batch.append(events.PickAtRandom(objects=hand, amount=min(n, len(hand))))
    return Next(replace(frame, memory=("picked",)), batch=tuple(batch))


def _draw(state: State, frame: RunFrame, verb: forms.Draw) -> Next:
    # 120.2: one card at a time, players in APNAP order.
    if frame.memory:
        n, who, drawn, *more = frame.memory
        instead, scope = done_instead(frame.scope, done_word(verb))
        moved = (e.became for e in state.results if isinstance(e, events.Move) and e.cause == "draw" and e.became)
        got = tuple(dict.fromkeys((*(more[0] if more else ()), *instead, *moved)))
        return _draw_singly(replace(frame, scope=scope), verb, n, who, drawn, got)
    n = quantity(state, verb.count, frame.scope)
    who = seats(state, verb.who, frame.scope)
    if n > 1 and _draws_can_be_replaced(state, "draw several"):
        several = [events.DrawSeveral(subject=player_ref(s), amount=n, by=frame.scope.source) for s in who]
        return after(frame, several, player=tuple(player_ref(s) for s in who))
    if n > 1 and who and _draws_can_be_replaced(state):
        return _draw_singly(frame, verb, n, who)
    batch = [events.Draw(subject=player_ref(s), by=frame.scope.source) for s in who for _ in range(n)]
    return after(frame, batch, player=tuple(player_ref(s) for s in who))


def _draws_can_be_replaced(state: State, name: str = "draw") -> bool:
    return name in active_names(state)


def _draw_singly(
    frame: RunFrame, verb: forms.Draw, n: int, who: tuple[int, ...], drawn: int = 0, got: tuple[Ref, ...] = ()
) -> Next:
    """The next of `n` draws of each player, of which `drawn` are done and brought the cards `got`. How many they are was settled
    before the first: what could replace them, and what they count, may be gone with one of them (120.2, 614.11)."""
    scope = frame.scope
    if drawn >= n * len(who):
        word = done_word(verb)
        whole = tuple(dict.fromkeys((*(scope.refs(word) or ()), *got)))
        scope = scope.bind(word, whole).bind("it", got).bind("amount", len(got)).bind("did", int(bool(got)))
        return goes_on(frame, scope.bind("player", tuple(player_ref(s) for s in who)))
    batch = (events.Draw(subject=player_ref(who[drawn // n]), by=scope.source),)
    return Next(replace(frame, memory=(n, who, drawn + 1, got)), batch=batch)


def _mill(state: State, frame: RunFrame, verb: forms.Mill) -> Next:
    n = quantity(state, verb.count, frame.scope)
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, frame.scope):
        top = state.players[seat].library[::-1][:n]
        batch.extend(events.Move(subject=i, to="graveyard", by=frame.scope.source, cause="mill") for i in top)
    return after(frame, batch)


def _create(state: State, frame: RunFrame, verb: forms.CreateToken) -> Asking:
    scope = frame.scope
    n = quantity(state, verb.count, scope)
    batch: list[events.Event] = []
    attacking = 0
    if verb.attacking:
        whom = select(state, verb.whom, scope) if verb.whom is not None else None
        attacking = yield from choose_defender(state, scope, whom)
    blocking, ahead = 0, 0
    if verb.blocking is not None:
        fought = yield from pick(state, verb.blocking, scope, "blocks", scope.controller)
        blocking = fought[0] if fought else 0
        ahead = yield from _place_among_blockers(state, blocking)
    attach_to = 0
    if verb.attached_to is not None:
        hosts = yield from pick(state, verb.attached_to, scope, "attach", scope.controller)
        attach_to = hosts[0] if hosts else 0
    of: tuple[Ref, ...] = ()
    if verb.copy_of is not None:
        of = yield from pick(state, verb.copy_of, scope, "copy", scope.controller)
    for seat in seats(state, verb.who, scope):
        for definition in _token_definitions(state, verb, scope, of):
            batch.append(
                events.CreateTokens(
                    subject=player_ref(seat),
                    amount=n,
                    definition=definition,
                    tapped=verb.tapped,
                    attacking=attacking,
                    blocking=blocking,
                    ahead=ahead,
                    attach_to=attach_to,
                    by=scope.source,
                )
            )
    return after(frame, batch)


def _place_among_blockers(state: State, attacker: Ref) -> Generator[AnyQuestion, AnyAnswer, Ref]:
    """In front of which blocker a new one is in the attacker's damage assignment order, as the active player says; 0 behind
    them all (509.7)."""
    place = attacking(state, attacker)
    if place is None or not place.blockers or not state.edition.damage_order:
        return 0
    seat = state.turn.active
    picked = yield from ask.choose_refs(seat, place.blockers, 0, 1, "ahead of", attacker)
    return picked[0] if picked else 0


_sized: dict[tuple[int, int | None, int | None], tuple[Card, Definition]] = {}


def _token_definitions(state: State, verb: forms.CreateToken, scope: Scope, of: tuple[Ref, ...]) -> list[Definition]:
    if verb.copy_of is not None:
        found = (copiable(state, r, state.edition.turns_once) for r in of)
        return [excepted(state, d, verb.excepting, scope) for d in found if d is not None]
    assert verb.token is not None
    token = verb.token
    power = amount(state, verb.power, scope) if verb.power is not None else None
    toughness = amount(state, verb.toughness, scope) if verb.toughness is not None else None
    if power is None and toughness is None:
        return [define(token)]
    key = (id(token), power, toughness)
    known = _sized.get(key)
    if known is None or known[0] is not token:
        sized = replace(
            token,
            power=str(power) if power is not None else token.power,
            toughness=str(toughness) if toughness is not None else token.toughness,
        )
        known = remember(_sized, key, (token, define(sized)))
    return [known[1]]


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
        looks = tuple(
            events.Reveal(subject=player_ref(s), objects=state.players[o].library, seats=1 << s, cause="search")
            for s, o in searched
        )
        return Next(replace(frame, memory=("looked",)), batch=looks)
    batch: list[events.Event] = []
    found: list[Ref] = []
    n = quantity(state, verb.count, scope)
    for seat, owner in searched:
        local = Scope(scope.source, seat, scope.entry, scope.bindings)
        there = _searched_cards(state, verb.places, owner)
        options = tuple(i for i in there if fits(state, verb.what.reading, i, local))
        seen = tuple(i for i in options if verb.every and state.objects[i].zone in SEEN)
        hidden = tuple(i for i in options if i not in seen)
        most = len(hidden) if n < 0 else n
        picked = (*seen, *(yield from ask.choose_refs(seat, hidden, 0, most, "search", scope.source)))
        found += picked
        if "library" in verb.places:
            batch.append(events.SearchLibrary(subject=player_ref(seat), object=player_ref(owner), by=scope.source))
        batch.extend(_found(state, verb, scope, seat, picked))
        if verb.shuffle and "library" in verb.places:
            top = picked if verb.to == "library" else ()
            batch.append(events.Shuffle(subject=player_ref(owner), top=top))
    return after(frame, batch, it=tuple(found) if verb.to == "found" else None)


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
            reveal=verb.reveal,
            cause="search",
        )


def _shuffle(state: State, frame: RunFrame, verb: forms.Shuffle) -> Next:
    return after(frame, [events.Shuffle(subject=player_ref(s)) for s in seats(state, verb.who, frame.scope)])


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


def _pick(state: State, frame: RunFrame, verb: forms.Pick) -> Asking:
    scope = frame.scope
    options = tuple(r for r in select(state, verb.what, scope))
    who = seats(state, verb.who, scope)
    chooser = who[0] if who else scope.controller
    least, most = quantity(state, verb.least, scope), quantity(state, verb.most, scope)
    if isinstance(verb.what.reading, Choose):
        n = quantity(state, verb.what.reading.count, scope)
        most = len(options) if n < 0 else n
        least = 0 if verb.what.reading.up_to or n < 0 else n
    if verb.random:
        if not frame.memory:
            picking = events.PickAtRandom(objects=options, amount=min(most, len(options)))
            return Next(replace(frame, memory=("picked",)), batch=(picking,))
        picked = tuple(r for r in state.results if isinstance(r, int))
    else:
        picked = yield from ask.choose_refs(chooser, options, least, most, "pick", scope.source)
    rest = tuple(r for r in options if r not in picked)
    bound = scope.bind(verb.as_name, picked).bind("it", picked).bind("rest", rest).bind("did", int(bool(picked)))
    return goes_on(frame, bound)


def _scry(state: State, frame: RunFrame, verb: forms.Scry) -> Asking:
    # 701.18: look at the top cards, any number of them to the bottom, the rest back on top, each in any order.
    scope = frame.scope
    n = quantity(state, verb.count, scope)
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, scope):
        library = state.players[seat].library
        top = library[::-1][:n]
        if not top:
            continue
        if not frame.memory:
            looked = events.Reveal(
                subject=player_ref(seat), objects=top, seats=1 << seat, cause="look", by=scope.source
            )
            return Next(replace(frame, memory=("looked",)), batch=(looked,))
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
    refs = tuple(r for r in select(state, verb.what, scope) if r > 0 and r in state.objects)
    if not refs:
        return after(frame, [])
    if verb.random and not frame.memory:
        picking = events.PickAtRandom(objects=refs, amount=len(refs))
        return Next(replace(frame, memory=("picked",)), batch=(picking,))
    if verb.random:
        ordered = tuple(r for r in state.results if isinstance(r, int))
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


def _attach(state: State, frame: RunFrame, verb: forms.Attach) -> Asking:
    scope = frame.scope
    things = yield from pick(state, verb.what, scope, "attach", scope.controller)
    if verb.to is None:
        return after(frame, [events.Attach(subject=r, object=0) for r in things], it=things)
    hosts = yield from pick(state, verb.to, scope, "attach", scope.controller)
    batch: list[events.Event] = []
    for ref in things:
        if hosts and lookup.permanent(state, ref) is not None and can_attach(state, ref, hosts[0]):
            batch.append(events.Attach(subject=ref, object=hosts[0], by=scope.source))
    return after(frame, batch, it=hosts)


def _exchange(state: State, frame: RunFrame, verb: forms.Exchange) -> Asking:
    scope = frame.scope
    left = yield from pick(state, verb.left, scope, "exchange", scope.controller)
    if verb.what == "zones":
        return (yield from _exchange_zones(state, frame, verb, left))
    if verb.right is None:
        left, right = left[:1], left[1:2]
    else:
        right = yield from pick(state, verb.right, scope, "exchange", scope.controller)
    if not left or not right:
        return after(frame, [])
    a, b = left[0], right[0]
    if verb.what == "life":
        change = lookup.player(state, b).life - lookup.player(state, a).life
        up, down = (a, b) if change > 0 else (b, a)
        n = abs(change)
        return after(frame, [events.GainLife(subject=up, amount=n), events.LoseLife(subject=down, amount=n)])
    # 701.8b: all or nothing.
    seat_a, seat_b = controller_of(state, a), controller_of(state, b)
    there = all(ref in state.stack or lookup.permanent(state, ref) is not None for ref in (a, b))
    if not there or seat_a is None or seat_b is None:
        return after(frame, [])
    batch: list[events.Event] = []
    for oid, seat in ((a, seat_b), (b, seat_a)):
        ability = forms.Continuous(what=forms.Noun("it"), mods=(forms.GainControl(by=forms.Noun("you")),))
        local = Scope(scope.source, seat, scope.entry, scope.bindings)
        batch.append(make_effect(state, local, ability, "forever", objects=(oid,)))
    return after(frame, batch)


def _exchange_zones(state: State, frame: RunFrame, verb: forms.Exchange, left: tuple[Ref, ...]) -> Asking:
    """A permanent and a card change places (701.8b): if one of the two could not, nothing happens (aura swap, 702.63b)."""
    scope = frame.scope
    seat = scope.controller
    found = lookup.permanent(state, left[0]) if left else None
    if found is None or not found.controller == found.owner == seat:
        return after(frame, [])
    host = found.attached_to
    assert verb.right is not None
    cards = (r for r in select(state, verb.right, scope) if r > 0 and state.objects[r].owner == seat)
    options = tuple(r for r in cards if not host or host in enchant_candidates(state, r, seat))
    picked = yield from ask.choose_refs(seat, options, 1, 1, "exchange", scope.source)
    if not picked:
        return after(frame, [])
    place = state.objects[picked[0]].zone
    batch = [
        events.Move(subject=found.id, to=place, by=scope.source, cause="put"),
        events.Move(subject=picked[0], to="battlefield", by=scope.source, cause="put", controller=seat, attach_to=host),
    ]
    return after(frame, batch)


def _phase_out(state: State, frame: RunFrame, verb: forms.PhaseOut) -> Asking:
    refs = yield from pick(state, verb.what, frame.scope, "phase out", frame.scope.controller)
    present = tuple(r for r in refs if lookup.permanent(state, r) is not None)
    return after(frame, phase_out(state, present), it=refs)


ZONE_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.Move: _move,
    forms.Sacrifice: _sacrifice,
    forms.Discard: _discard,
    forms.Draw: _draw,
    forms.Mill: _mill,
    forms.CreateToken: _create,
    forms.Search: _search,
    forms.Shuffle: _shuffle,
    forms.Look: _look,
    forms.Pick: _pick,
    forms.RevealHand: _reveal_hand,
    forms.Scry: _scry,
    forms.Reorder: _reorder,
    forms.Attach: _attach,
    forms.Exchange: _exchange,
    forms.PhaseOut: _phase_out,
}
