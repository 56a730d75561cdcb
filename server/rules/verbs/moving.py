"""Verbs that move objects: moving, sacrificing, discarding, drawing, milling, tokens, searching, looking, arranging."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card, done_word
from server.cards.nouns import Amount, Choose, ControllerOf, Each, Noun, OwnedBy, OwnerOf, Target, Votes, You, kind_of
from server.rules.casting import all_but, arranged, chosen_to_move, drawing_order, pick, pick_own, seats
from server.rules.characteristics import amount, fits, quantity, select
from server.rules.characteristics import refs as spoken_of
from server.rules.functioning import can_attach, enchant_candidates, has
from server.rules.happenings import phase_out
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    BoundRefs,
    BoundWord,
    Definition,
    Label,
    Next,
    Ref,
    RunFrame,
    Scope,
    State,
    ask,
    attacking,
    define,
    events,
    lookup,
    make_effect,
    named_token,
    player_ref,
    remember,
    seat_of,
    turned_over,
    walk,
)
from server.rules.replacements import active_names, copiable, excepted, planeswalkers_of
from server.rules.verbs.aura_tokens import enchanted
from server.rules.verbs.exchanging import exchange
from server.rules.verbs.next_instruction import Asking, after, done_instead, goes_on, through


def _move(state: State, frame: RunFrame, verb: forms.Move) -> Asking:
    scope = frame.scope
    if verb.until and frame.memory:
        return _returns_later(state, frame)
    if verb.until and lookup.permanent(state, scope.source) is None:
        return after(frame, [], it=())  # current 610.3b
    chosen = yield from chosen_to_move(state, verb, scope)
    refs = yield from arranged(state, verb, chosen, scope)
    attacking = (yield from _attacked(state, verb, scope)) if verb.attacking and refs else 0
    remembered = yield from _remembered(state, verb, scope)
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
        aura = not verb.face_down and "Aura" in (side or found.definition).base.subtypes
        if aura and verb.to == "battlefield":
            options = enchant_candidates(state, ref, controller)
            if not options or verb.attached_to is not None and host not in options:
                continue  # 303.4g: it stays where it is
            if not host:
                host = (yield from ask.choose_refs(controller, options, 1, 1, "enchant", ref))[0]
        counters = ()
        if verb.counter:
            counters = lookup.with_counters((), verb.counter, quantity(state, verb.count, scope))
        batch.append(
            replace(
                _one_move(verb, ref, scope, side),
                controller=controller,
                counters=counters,
                attach_to=host,
                attacking=attacking,
                chosen=remembered,
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


def _attacked(state: State, verb: forms.Move, scope: Scope) -> Generator[AnyQuestion, AnyAnswer, Ref]:
    """Whom what is put onto the battlefield attacking attacks (508.4): the same as another creature, or as is chosen."""
    if verb.same_as is not None:
        return attacked_by(state, select(state, verb.same_as, scope))
    return (yield from choose_defender(state, scope))


def _remembered(
    state: State, verb: forms.Move, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[tuple[str, str], ...]]:
    """What the moved object is told: which creature it is about, and the mark of an ability that is linked to it (607)."""
    remembered: tuple[tuple[str, str], ...] = ()
    if verb.chosen is not None:
        about = yield from pick(state, verb.chosen, scope, verb.to, scope.controller)
        remembered = tuple(("creature", str(r)) for r in about[:1])
    return (*remembered, (verb.mark, "")) if verb.mark else remembered


def _one_move(verb: forms.Move, ref: Ref, scope: Scope, side: Definition | None) -> events.Move:
    """The move of one object as the instruction says it, whatever is particular to that object left open."""
    return events.Move(
        subject=ref,
        to=verb.to,
        by=scope.source,
        position=-1 if verb.bottom else verb.position,
        tapped=verb.tapped,
        face_down=verb.face_down,
        linked_to=scope.source if verb.link else 0,
        definition=side,
        reveal=verb.reveal,
        cause="exile" if verb.to == "exile" else "put",
    )


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
    gone = tuple(i for e in moved for i in (e.became, *e.others))  # current 712.21c, current 729.3c
    waiting = forms.Continuous(what=forms.Noun("it"), mods=())
    zones = ((BoundWord.ZONE, moved[0].from_ or "battlefield"),) if moved else ()
    batch = [make_effect(state, frame.scope, waiting, "source leaves", objects=gone, bindings=zones)] if gone else []
    return after(frame, batch, it=gone)


def _under(state: State, verb: forms.Move, owner: int, scope: Scope) -> int:
    if verb.to != "battlefield":
        return -1
    if verb.under is None:
        return scope.controller if verb.who is None else owner
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
    state: State, scope: Scope, whom: tuple[Ref, ...] | None = None, alone: bool = False
) -> Generator[AnyQuestion, AnyAnswer, Ref]:
    """Whom a creature that enters attacking attacks (508.4): one of these players or their planeswalkers, if any are said, or
    these players alone."""
    combat = state.combat
    if combat is None or scope.controller not in lookup.together(state, combat.attacker):  # 810.7a, current 805.10a
        return 0
    options: list[Ref] = []
    for seat in combat.defenders:
        if lookup.present(state, seat) and (whom is None or player_ref(seat) in whom):
            options.append(player_ref(seat))
            options.extend(() if alone else planeswalkers_of(state, seat))
    if not options:
        return 0
    return (yield from ask.choose_refs(scope.controller, tuple(options), 1, 1, "attacks", scope.source))[0]


def _sacrifice(state: State, frame: RunFrame, verb: forms.Sacrifice) -> Asking:
    batch: list[events.Event] = []
    chosen: list[Ref] = []
    for seat in seats(state, verb.who, frame.scope):
        if frame.scope.controller in lookup.opponents(state, seat) and has(state, seat, "can't be made to sacrifice"):
            continue
        # "Each opponent sacrifices a creature with the greatest power among creatures that player controls."
        scope = _of_sacrificer(state, verb.who, frame.scope, seat)
        spares = all_but(state, verb, scope, seat) if verb.rest else None
        refs = yield from spares or pick_own(state, verb.what, scope, "sacrifice", seat)
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


def _of_sacrificer(state: State, who: Noun, scope: Scope, seat: int) -> Scope:
    """For what a player sacrifices: "that player" is who does, "it" what that player is told by ("target creature's controller")."""
    if isinstance(who.reading, You):
        return scope
    if isinstance(who.reading, ControllerOf | OwnerOf):
        scope = scope.bind(BoundRefs.IT, spoken_of(state, who.reading.of, scope))
    return scope.bind(BoundRefs.PLAYER, (player_ref(seat),))


def _discard(state: State, frame: RunFrame, verb: forms.Discard) -> Asking:
    scope = frame.scope
    if verb.random and not frame.memory:
        return _random_discard(state, frame, verb)
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, scope):
        hand = state.players[seat].hand
        if verb.random:
            picked = tuple(r for r in lookup.picked_at_random(state) if r in hand)
        else:
            options = hand
            if verb.what is not None:
                local = scope.bind(BoundRefs.PLAYER, (player_ref(seat),))
                options = tuple(i for i in hand if fits(state, verb.what.reading, i, local))
            wanted = quantity(state, verb.count, scope)
            n = len(options) if verb.all or wanted < 0 else min(wanted, len(options))
            chooser = seat
            if verb.chooser is not None:
                who = select(state, verb.chooser, scope)
                chooser = seat_of(who[0]) if who else seat
            purpose = "discard" if verb.what is None or chooser != seat else ask.DISCARD_OF_A_KIND
            picked = yield from ask.choose_refs(chooser, options, 0 if verb.up_to else n, n, purpose, scope.source)
            if len(picked) == len(options):
                picked = lookup.by_name(state, picked)
        batch.extend(events.Move(subject=i, to="graveyard", by=scope.source, cause="discard") for i in picked)
    return after(frame, batch)


def _random_discard(state: State, frame: RunFrame, verb: forms.Discard) -> Next:
    n = quantity(state, verb.count, frame.scope)
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, frame.scope):
        hand = state.players[seat].hand
        batch.append(events.PickAtRandom(objects=hand, amount=min(n, len(hand))))
    return Next(replace(frame, memory=("picked",)), batch=tuple(batch))


def _draw(state: State, frame: RunFrame, verb: forms.Draw) -> Next | Asking:
    # 120.2: one card at a time, players in APNAP order, those of a team as it likes where that may matter (805.6a).
    if frame.memory:
        n, who, drawn, *more = frame.memory
        instead, scope = done_instead(frame.scope, done_word(verb))
        moved = (e.became for e in state.results if isinstance(e, events.Move) and e.cause == "draw" and e.became)
        got = tuple(dict.fromkeys((*(more[0] if more else ()), *instead, *moved)))
        return _draw_singly(replace(frame, scope=scope), verb, n, who, drawn, got)
    who = seats(state, verb.who, frame.scope)
    if len(who) > 1 and _speaks_of_each(verb.count):
        return _draw_by_each(frame, verb, who)
    n = quantity(state, verb.count, frame.scope)
    replaced = _draws_can_be_replaced(state) or _draws_can_be_replaced(state, "draw several")
    if len(who) > 1 and replaced and state.options.shared and not state.edition.draws_as_seated:
        return _draw_as_liked(state, frame, verb, n, who)
    return _draw_of(state, frame, verb, n, who)


def _speaks_of_each(count: Amount) -> bool:
    """ "Each player draws a card for each creature they control": of each who draws the number is another."""
    parts = walk(count)
    said = (word for part in parts if isinstance(part, Noun) for word in part.text.split())
    return any(isinstance(part, Votes) for part in parts) or any(word in ("they", "their") for word in said)


def _draw_by_each(frame: RunFrame, verb: forms.Draw, who: tuple[int, ...]) -> Next:
    own = (replace(verb, who=Noun("that player")),)
    turns = (RunFrame(program=own, scope=through(frame.scope, player_ref(s)), tells="each") for s in who)
    return goes_on(frame, push=tuple(turns)[::-1])


def _draw_as_liked(state: State, frame: RunFrame, verb: forms.Draw, n: int, who: tuple[int, ...]) -> Asking:
    return _draw_of(state, frame, verb, n, (yield from drawing_order(state, who, frame.scope.source)))


def _draw_of(state: State, frame: RunFrame, verb: forms.Draw, n: int, who: tuple[int, ...]) -> Next:
    if n > 1 and _draws_can_be_replaced(state, "draw several"):
        several = [events.DrawSeveral(subject=player_ref(s), amount=n, by=frame.scope.source) for s in who]
        return after(frame, several, player=tuple(player_ref(s) for s in who))
    if (n > 1 or len(who) > 1) and who and _draws_can_be_replaced(state):  # 120.2a, b
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
        word = Label(done_word(verb))
        whole = tuple(dict.fromkeys((*(scope.refs(word) or ()), *got)))
        scope = (
            scope.bind(word, whole)
            .bind(BoundRefs.IT, got)
            .bind(BoundNumber.AMOUNT, len(got))
            .bind(BoundNumber.DID, int(bool(got)))
        )
        return goes_on(frame, scope.bind(BoundRefs.PLAYER, tuple(player_ref(s) for s in who)))
    batch = (events.Draw(subject=player_ref(who[drawn // n]), by=scope.source),)
    return Next(replace(frame, memory=(n, who, drawn + 1, got)), batch=batch)


def _mill(state: State, frame: RunFrame, verb: forms.Mill) -> Next:
    theirs = _speaks_of_each(verb.count) and not isinstance(verb.who.reading, You)  # "half their library"
    batch: list[events.Event] = []
    for seat in seats(state, verb.who, frame.scope):
        own = through(frame.scope, player_ref(seat)) if theirs else frame.scope
        n = quantity(state, verb.count, own)
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
        attacking = yield from choose_defender(state, scope, whom, verb.alone)
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
            token = events.CreateTokens(
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
            hosts = [] if attach_to else (yield from enchanted(state, seat, definition, n))
            batch.extend(replace(token, amount=many, attach_to=host) for host, many in hosts)
            if not hosts:
                batch.append(token)
    for part in verb.also:
        more = yield from _create(state, frame, part)
        batch.extend(more.batch)
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
    token = named_token(verb.token, state.edition)
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
    forms.Attach: _attach,
    forms.Exchange: exchange,
    forms.PhaseOut: _phase_out,
}
