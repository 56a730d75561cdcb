"""Verbs that decide what is done: conditions, options, payments, repetition, chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.grammar import PERMANENT_WORDS
from server.cards.nouns import Noun
from server.rules.casting import can_cast, can_play_land, not_forbidden, one_of, seats, spell_targets, total_cost
from server.rules.characteristics import amount, characteristics, fits, holds, select
from server.rules.costs import as_side, as_spell, costs, floats
from server.rules.functioning import speaks_of_attackers
from server.rules.instructions.offering import offer, offered
from server.rules.instructions.paying import can_pay, having_paid, payment, says_x, verb_text, with_x
from server.rules.instructions.possible import possible
from server.rules.instructions.together import copies_together
from server.rules.model import (
    VOTED_FOR,
    AnnounceFrame,
    BoundNumber,
    BoundRefs,
    Characteristics,
    Choice,
    Counter,
    Definition,
    Label,
    Next,
    Object,
    RunFrame,
    Scope,
    State,
    ask,
    castable_sides,
    current,
    events,
    lookup,
    player_ref,
    this_turn,
    used_once,
    walk,
)
from server.rules.verbs import Asking, goes_on, through


def _sub(program: forms.Tree, scope: Scope) -> tuple[RunFrame, ...]:
    return (RunFrame(program=program, scope=scope, tells="all"),) if program else ()


def _if(state: State, frame: RunFrame, verb: forms.If) -> Next:
    scope = _spoken_of(state, verb.then[0], frame.scope) if verb.trailing else frame.scope
    program = verb.then if holds(state, verb.condition, scope) else verb.otherwise
    asked = verb.condition.condition if isinstance(verb.condition, forms.NotSo) else verb.condition
    if isinstance(asked, forms.Is):  # "if that creature is red, destroy it": the one that was asked about
        scope = scope.bind(BoundRefs.IT, select(state, asked.what, scope))
    run = _sub(program, scope)
    if any(isinstance(part, forms.Did) for part in walk(verb.condition)):
        return goes_on(frame, push=run)  # "if you do, ... If you don't, ...": of the same
    # "If it's a land card, you may put it onto the battlefield. If you don't, ...": nor if it is none.
    own = frame.scope.bind(BoundNumber.DID, 0)
    return goes_on(frame, own, push=tuple(replace(part, tells="outcome") for part in run))


def _instead_if(state: State, frame: RunFrame, verb: forms.InsteadIf) -> Next:
    # What is looked at or chosen is known to the instructions after these, so they are followed as one program.
    about = _spoken_of(state, verb.first[0], frame.scope)
    replaced = holds(state, verb.condition, about)
    program = (*(verb.instead if replaced else verb.first), *frame.program[frame.place + 1 :])
    return Next(replace(frame, program=program, place=0, step=0, memory=(), scope=about if replaced else frame.scope))


def _spoken_of(state: State, verb: forms.Verb, scope: Scope) -> Scope:
    """The scope in which "it" and "that creature" are what an instruction that is not followed would have been done to."""
    verb = verb.parts[0] if isinstance(verb, forms.AtOnce) else verb
    verb = verb.then[0] if isinstance(verb, forms.If) else verb
    for field in ("what", "to", "copy_of", "who"):
        noun = getattr(verb, field, None)
        if not isinstance(noun, Noun) or isinstance(noun.reading, nouns.Choose | nouns.You):
            continue
        found = select(state, noun, scope)
        if any(ref < 0 for ref in found):
            scope = scope.bind(BoundRefs.PLAYER, tuple(ref for ref in found if ref < 0))
        for word in (*PERMANENT_WORDS, "card"):  # no longer that of the trigger event
            scope = (
                scope.bind(Label(word), found) if word in noun.text and scope.refs(Label(word)) is not None else scope
            )
        return scope.bind(BoundRefs.IT, found)
    return scope


def _may(state: State, frame: RunFrame, verb: forms.May) -> Asking:
    """117.12: who may pay, and does, gets the rest; with nobody paying `otherwise` is done."""
    scope = frame.scope
    wanted = verb.cost * amount(state, verb.times, scope)
    if scope.number(BoundNumber.X) is not None:  # "you may pay {X}, where X is ...": nobody chooses it
        wanted = costs.with_told_x(state, wanted, scope)
    for seat in seats(state, verb.who, scope):
        price, local = wanted, scope.bind(BoundNumber.DID, 1)
        x = 0
        if not isinstance(verb.who.reading, nouns.You):
            local = local.bind(BoundRefs.PLAYER, (player_ref(seat),))
        if verb.cost and not can_pay(state, seat, price, scope) or _is_done(state, scope):
            continue
        if not verb.cost and not possible(state, verb.then, local):
            continue
        if not (yield from ask.confirm(seat, "pay" if verb.cost else "may", scope.source, text=verb_text(verb))):
            continue
        if says_x(price):
            price, x = yield from with_x(state, seat, price, scope)
            local = local.bind(BoundNumber.X, x)
        batch = yield from payment(state, seat, price, scope)
        then = goes_on(frame, scope.bind(BoundNumber.DID, 1).bind(BoundNumber.PAID, x), push=_sub(verb.then, local))
        return Next(then.then, batch=batch, push=then.push, fields=_noted(state, scope))
    asked = seats(state, verb.who, scope)
    refused = scope.bind(BoundNumber.DID, 0)
    if len(asked) == 1 and not isinstance(verb.who.reading, nouns.You):  # "that player" is who didn't
        refused = refused.bind(BoundRefs.PLAYER, (player_ref(asked[0]),))
    return goes_on(
        frame,
        _undone(state, verb.then, scope).bind(BoundNumber.DID, 0),
        push=_sub(verb.otherwise, refused),
    )


#: Verbs that bring what the text speaks of afterwards.
_BRINGS = forms.Search | forms.FromOutside | forms.TakeUntil | forms.CreateToken | forms.Look | forms.Pick


#: What instructions that bring something speak of afterwards.
_BROUGHT = (BoundRefs.IT, BoundRefs.TOKEN, BoundRefs.CARD)


def _undone(state: State, program: forms.Tree, scope: Scope) -> Scope:
    """The scope after instructions that were not followed: what they would have brought is nothing, and "that creature" is not
    what was spoken of before ("You may put a creature card from your hand onto the battlefield. Sacrifice it ...")."""
    for verb in program:
        if isinstance(verb, forms.If):
            scope = _undone(state, verb.then, scope)
        elif isinstance(verb, _BRINGS) or isinstance(verb, forms.Move) and not isinstance(verb.what.reading, nouns.It):
            named = (*_BROUGHT, getattr(verb, "as_name", ""))
            for name in (*named, *(word for word in PERMANENT_WORDS if scope.refs(Label(word)) is not None)):
                scope = scope.bind(Label(name), ()) if name else scope
        elif isinstance(noun := getattr(verb, "what", None), Noun) and isinstance(noun.reading, nouns.Target):
            scope = _spoken_of(state, verb, scope)
    return scope


def _once_a_turn(scope: Scope) -> tuple[Counter, int] | None:
    """Under which name it is noted that this was done, if it may be done only once each turn (current 603.2h)."""
    ability = scope.entry.ability if scope.entry is not None else None
    limited = isinstance(ability, forms.TriggeredAbility) and ability.limit < 0
    return (used_once(scope.entry.index), scope.source) if limited and scope.entry is not None else None


def _is_done(state: State, scope: Scope) -> bool:
    name = _once_a_turn(scope)
    return name is not None and this_turn(state, *name) > 0


def _noted(state: State, scope: Scope) -> dict[str, Any] | None:
    name = _once_a_turn(scope)
    return None if name is None else {"history": {**state.history, name: 1}}


def _unless(state: State, frame: RunFrame, verb: forms.Unless) -> Asking:
    scope = frame.scope
    price = costs.with_told_x(state, verb.cost * amount(state, verb.times, scope), scope)
    if (each := getattr(verb.then[0], "who", None)) and isinstance(each.reading, nouns.Each | nouns.Players):
        if isinstance(verb.who.reading, nouns.It):
            return (yield from _unless_each(state, frame, verb, seats(state, each, scope), price))
    for seat in seats(state, _who_pays(verb), scope):
        if not can_pay(state, seat, price, scope):
            continue
        if (yield from ask.confirm(seat, "pay", scope.source, text=verb_text(verb))):
            batch = yield from payment(state, seat, price, scope)
            then = goes_on(frame, scope.bind(BoundNumber.DID, 1))
            return Next(then.then, batch=batch)
    return goes_on(frame, scope.bind(BoundNumber.DID, 0), push=_sub(verb.then, scope))


def _unless_each(state: State, frame: RunFrame, verb: forms.Unless, who: tuple[int, ...], price: forms.Costs) -> Asking:
    """ "Each opponent sacrifices a creature unless they pay 3 life": those who pay do so at once, of a team's life no more than it has
    (810.9b), and all others do what they would."""
    batch: list[events.Event] = []
    left: list[int] = []
    for seat in who:
        scope, paid = through(frame.scope, player_ref(seat)), having_paid(state, batch)
        if can_pay(paid, seat, price, scope) and (
            yield from ask.confirm(seat, "pay", scope.source, text=verb_text(verb))
        ):
            batch.extend((yield from payment(paid, seat, price, scope)))
        else:
            left.append(seat)
    scope = frame.scope.bind(BoundRefs.PLAYER, tuple(map(player_ref, left)))
    does = (replace(verb.then[0], **{"who": Noun("that player")}), *verb.then[1:]) if left else ()
    return Next(goes_on(frame).then, batch=tuple(batch), push=_sub(does, scope))


def _who_pays(verb: forms.Unless) -> Noun:
    """Who may pay: in "its controller sacrifices it unless they pay" they are who would sacrifice it, and in "it deals 2 damage to
    target opponent unless that player pays" whom it would be dealt to."""
    if not verb.then or not isinstance(verb.who.reading, nouns.It):
        return verb.who
    subject, whom = (getattr(verb.then[0], name, None) for name in ("who", "to"))
    if isinstance(whom, Noun) and isinstance(whom.reading, nouns.Target) and whom.reading.of.players is not None:
        return whom
    if not isinstance(subject, Noun):
        return verb.who
    return subject if isinstance(subject.reading, nouns.ControllerOf | nouns.OwnerOf | nouns.Target) else verb.who


def _for_each(state: State, frame: RunFrame, verb: forms.ForEach) -> Next | Asking:
    scope, program = frame.scope, verb.then
    if (may := offered(verb)) is not None and _once_a_turn(scope) is None:
        return offer(state, frame, verb, may)
    if verb.of is not None:
        refs = select(state, verb.of, scope)
        if any(r in state.stack for r in refs):
            refs = tuple(reversed(refs))  # what is on the stack, from the top
        if verb.from_you and (you := player_ref(scope.controller)) in refs:
            refs = (*refs[refs.index(you) :], *refs[: refs.index(you)])
        turns = [through(scope.bind(BoundNumber.PAID, 0), ref) for ref in refs]
        if votes := scope.refs(VOTED_FOR):  # "for each creature with one or more votes": "that many" are those
            pairs = zip(turns, refs, strict=True)
            turns = [turn.bind(BoundNumber.AMOUNT, votes.count(ref)) if ref in votes else turn for turn, ref in pairs]
        if speaks_of_attackers(verb.of):  # 802.2a: "defending player" is that of each
            turns = [turn.bind(BoundRefs.AFFECTED, (ref,)) for turn, ref in zip(turns, refs, strict=True)]
        if not votes and (made := copies_together(verb, refs)) is not None:
            turns, program = [scope.bind(BoundNumber.PAID, 0)], (made,)
    else:
        turns = [scope] * amount(state, verb.times, scope)
    subs = (
        RunFrame(program=program, scope=turn.bind(BoundRefs.LOOP, turn.refs(BoundRefs.IT) or ()), tells="each")
        for turn in turns
    )
    before = scope.bind(BoundRefs.GATHERED, ()).bind(BoundNumber.ANY_DID, 0).bind(BoundNumber.PAID, 0)
    return goes_on(frame, before, push=tuple(subs)[::-1])


def _either(state: State, frame: RunFrame, verb: forms.Either) -> Asking:
    """Each of who chooses, in turn order, and then what was chosen is done in that order (101.4)."""
    scope = frame.scope
    mine = isinstance(verb.who.reading, nouns.You)
    options = tuple(Choice(word=str(i + 1), text=m.text) for i, m in enumerate(verb.options))
    subs: list[RunFrame] = []
    for seat in seats(state, verb.who, scope) or (scope.controller,):
        picks = yield from ask.choose(seat, options, 1, 1, "option", scope.source)
        local = scope if mine else scope.bind(BoundRefs.PLAYER, (player_ref(seat),))
        subs += _sub(verb.options[picks[0]].do, local) if picks else ()
    return goes_on(frame, push=tuple(reversed(subs)))


def _separate(state: State, frame: RunFrame, verb: forms.Separate) -> Asking:
    # 700.3: one pile may be empty.
    scope = frame.scope
    refs = tuple(i for found in select(state, verb.what, scope) for i in current(state, found, scope))
    divider = yield from one_of(state, verb.who, scope)
    first = yield from ask.choose_refs(divider, refs, 0, len(refs), "pile", scope.source)
    rest = tuple(ref for ref in refs if ref not in first)
    chooser = yield from one_of(state, verb.chooser, scope)
    word = yield from ask.choose_word(chooser, ("first pile", "second pile"), "pile", scope.source)
    pile, other = (first, rest) if word == "first pile" else (rest, first)
    return goes_on(frame, scope.bind(BoundRefs.PILE, pile).bind(BoundRefs.IT, pile).bind(BoundRefs.REST, other))


def _flip(state: State, frame: RunFrame, verb: forms.FlipCoin) -> Next:
    # 705: the flip and what depends on it are two steps, so that chance is drawn after every question.
    if frame.memory:
        won = bool(state.results and state.results[0])
        return goes_on(
            frame,
            frame.scope.bind(BoundNumber.AMOUNT, int(won)),
            push=_sub(verb.won if won else verb.lost, frame.scope),
        )
    who = seats(state, verb.who, frame.scope)
    seat = who[0] if who else frame.scope.controller
    flip = events.FlipCoin(subject=player_ref(seat), by=frame.scope.source)
    return Next(replace(frame, memory=("flipped",)), batch=(flip,))


def _roll(state: State, frame: RunFrame, verb: forms.RollDie) -> Next:
    if frame.memory:
        result = state.results[0] if state.results and isinstance(state.results[0], int) else 0
        scope = frame.scope.bind(BoundNumber.AMOUNT, result).bind(BoundNumber.RESULT, result).bind(BoundNumber.DID, 1)
        row = next((row.do for row in verb.rows if row.least <= result <= row.most), ())  # current 706.3b
        return goes_on(frame, scope, push=_sub(row, scope))
    roll = events.RollDie(subject=player_ref(frame.scope.controller), amount=verb.sides, by=frame.scope.source)
    return Next(replace(frame, memory=("rolled",)), batch=(roll,))


def _play(state: State, frame: RunFrame, verb: forms.PlayCard) -> Asking:
    """Cards are cast (or played) while this resolves, without paying their mana costs or for them (601.2, 608.2f)."""
    scope = frame.scope
    who = seats(state, verb.who, scope)
    seat = who[0] if who else scope.controller
    frames: list[AnnounceFrame] = []
    lands: list[events.Event] = []
    left = amount(state, verb.total, scope) if verb.total is not None else None
    refs = tuple(i for found in select(state, verb.what, scope) for i in current(state, found, scope))
    if verb.copies and not frame.memory:
        return Next(replace(frame, memory=("copied",)), batch=_copied(state, verb, refs, seat))
    if verb.copies:
        refs = tuple(e.became for e in state.results if isinstance(e, events.Move))
    for ref in refs:
        card = state.objects.get(ref)
        if card is None or card.zone in ("battlefield", "stack") or verb.most and len(frames) >= verb.most:
            continue
        c = card.definition.base if card.face_down else characteristics(state, ref)
        if "land" in c.types:
            if verb.lands and lookup.is_active(state, seat) and can_play_land(state, seat):
                if (yield from ask.confirm(seat, "play", ref)):
                    lands.append(events.Move(subject=ref, to="battlefield", controller=seat, cause="play"))
                    lands.append(events.LandPlayed(subject=player_ref(seat), object=ref, cause=card.zone))
            continue
        sides = _sides_to_cast(state, seat, card, verb, scope, left)
        must = verb.way == "suspend" and state.edition.suspended_must and _affords(state, seat, card, c, verb)
        if sides and (must or (yield from ask.confirm(seat, "cast", ref))):
            names = tuple(_as(card, side).name for side in sides)
            picked = yield from ask.choose(seat, tuple(Choice(word=n, text=n) for n in names), 1, 1, "face", ref)
            side = sides[picked[0]]
            left = left - _as(card, side).base.mana_value if left is not None else None
            one = AnnounceFrame(seat=seat, object=ref, free=verb.free, way=verb.way, gives=verb.gives, side=side)
            frames.append(replace(one, mana_as=verb.mana_as))
    order = yield from ask.order(seat, tuple(one.object for one in frames), "cast order", scope.source)
    frames.sort(key=lambda one: order.index(one.object))
    did = goes_on(frame, scope.bind(BoundNumber.DID, int(bool(frames or lands))), push=tuple(reversed(frames)))
    noted = _noted(state, scope) if frames or lands else None
    return Next(did.then, batch=tuple(lands[:2]), push=did.push, fields=noted)


def _copied(state: State, verb: forms.PlayCard, refs: tuple[int, ...], seat: int) -> tuple[events.Event, ...]:
    """Copies of cards where these are, to be cast while the instruction is followed (706.12); those that are not cease to exist
    (704.5e)."""
    cards = (state.objects[ref] for ref in refs if ref in state.objects)
    return tuple(
        events.Move(to=card.zone, definition=card.definition, controller=seat, owner=seat, cause="copy")
        for card in cards
        for _ in range(verb.copies)
    )


def _affords(state: State, seat: int, card: Object, c: Characteristics, verb: forms.PlayCard) -> bool:
    """Whether the player could pay for a spell without making mana, which nobody must (117.3c)."""
    cost = total_cost(state, seat, card, c, verb.way, verb.free)
    return cost is not None and floats(state, seat, cost[0])


def _as(card: Object, side: int) -> Definition:
    return card.definition.sides[side - 1] if side else card.definition


def _sides_to_cast(
    state: State, seat: int, card: Object, verb: forms.PlayCard, scope: Scope, left: int | None
) -> tuple[int, ...]:
    """As which of its sides a card could be cast as an instruction says (708.2a, current 712.11b); 0 is the card itself."""
    own = (0,) if card.definition.card.layout != "split" else ()
    found: list[int] = []
    for side in (*own, *castable_sides(card.definition, card.zone)):
        view = as_side(state, card.id, side)
        seen = view.objects[card.id]
        c = seen.definition.base if card.face_down else characteristics(view, card.id)
        if "land" in c.types or left is not None and c.mana_value > left or not _castable(view, seat, seen, c, verb):
            continue
        if verb.kind is None or fits(as_spell(view, card.id, seat), verb.kind.reading, card.id, scope):
            found.append(side)
    return tuple(found)


def _castable(state: State, seat: int, card: Object, c: Characteristics, verb: forms.PlayCard) -> bool:
    """Whether a card could be cast as an instruction says."""
    if not verb.free:
        return can_cast(state, seat, card, c, verb.way, verb.mana_as or None)
    return not_forbidden(state, seat, card, c.abilities) and spell_targets(state, c.abilities, c, Scope(card.id, seat))


def _take_until(state: State, frame: RunFrame, verb: forms.TakeUntil) -> Next:
    """Cards from the top, one after the other, until enough are found; all of them change zones together."""
    scope = frame.scope
    if frame.memory:
        moved = tuple(e.became for e in state.results if isinstance(e, events.Move))
        seen = moved or cast("tuple[int, ...]", frame.memory[1])
        places = tuple(i for i, hit in enumerate(cast("str", frame.memory[0])) if hit == "1")
        found = tuple(seen[i] for i in places if i < len(seen))
        rest = tuple(ref for ref in seen if ref not in found)
        bound = (
            scope.bind(Label(verb.as_name), found)
            .bind(BoundRefs.IT, found)
            .bind(BoundRefs.REST, rest)
            .bind(BoundRefs.LOOKED, seen)
            .bind(BoundNumber.DID, int(bool(found)))
        )
        return goes_on(frame, bound)
    who = seats(state, verb.who, scope)
    if len(who) > 1:
        each = forms.ForEach(of=verb.who, then=(replace(verb, who=Noun("that player")),))
        return goes_on(frame, push=_sub((each,), scope))
    seat = who[0] if who else scope.controller
    if not isinstance(verb.who.reading, nouns.You):
        scope = scope.bind(BoundRefs.PLAYER, (player_ref(seat),))
    limit = amount(state, verb.below, scope) if verb.below is not None else None
    wanted = amount(state, verb.what.reading.count, scope) if isinstance(verb.what.reading, nouns.Choose) else 1
    local = Scope(scope.source, seat, scope.entry, scope.bindings)
    taken: list[int] = []
    hits = ""
    for oid in reversed(state.players[seat].library):
        if hits.count("1") >= wanted:
            break
        taken.append(oid)
        small = limit is None or state.objects[oid].definition.base.mana_value < limit
        hits += str(int(small and fits(state, verb.what.reading, oid, local)))
    if not taken:
        return goes_on(
            frame,
            scope.bind(Label(verb.as_name), ())
            .bind(BoundRefs.IT, ())
            .bind(BoundRefs.REST, ())
            .bind(BoundNumber.DID, 0),
        )
    batch: tuple[events.Event, ...]
    if verb.to == "library":
        everyone = (1 << len(state.players)) - 1
        shown = events.Reveal(
            subject=player_ref(seat), objects=tuple(taken), seats=everyone, by=scope.source, cause="reveal"
        )
        batch = (shown,)
    else:
        to = events.Move(to=verb.to, by=scope.source, cause="exile", reveal=True, linked_to=scope.source * verb.link)
        batch = tuple(replace(to, subject=i) for i in taken)
    return Next(replace(frame, scope=scope, memory=(hits, tuple(taken))), batch=batch)


FLOW_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.If: _if,
    forms.InsteadIf: _instead_if,
    forms.May: _may,
    forms.Unless: _unless,
    forms.ForEach: _for_each,
    forms.Either: _either,
    forms.Separate: _separate,
    forms.FlipCoin: _flip,
    forms.RollDie: _roll,
    forms.PlayCard: _play,
    forms.TakeUntil: _take_until,
}
