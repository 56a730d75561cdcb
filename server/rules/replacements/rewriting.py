"""What a replacement or prevention effect makes of an event (614, 615): the steps of its rewrite, one function each.

`replacements` says which effects apply, `batch` which of them is applied next (616).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms, nouns
from server.rules.characteristics import ENTERED_AS, GAINED, amount, characteristics, select
from server.rules.costs import becoming, can_pay_costs, entering, pay_events, payers
from server.rules.functioning import enchant_candidates
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    Bindings,
    BoundNumber,
    BoundRefs,
    Floating,
    Label,
    Ref,
    RunFrame,
    Scope,
    State,
    Struct,
    ask,
    controller_of,
    define,
    events,
    lookup,
    named_token,
    player_ref,
    seat_of,
)
from server.rules.replacements.choosing import choose_value
from server.rules.replacements.copying import copiable, excepted
from server.rules.replacements.replacement import (
    APART,
    COMMANDER,
    Applicable,
    cant_be_prevented,
    planeswalkers_of,
    short_of_floor,
)

Asking = Generator[AnyQuestion, AnyAnswer, "Outcome"]

#: The binding of instructions about prevented damage that holds to whom it would have been dealt: all that one effect prevents
#: of what several sources would deal to one recipient at once is prevented together (615.5).


class Outcome(Struct):
    """What an event became: `events` in its place, `joined` that were added to the batch, `programs` for immediately
    afterwards (615.5)."""

    events: tuple[events.Event, ...] = ()
    joined: tuple[events.Event, ...] = ()
    programs: tuple[RunFrame, ...] = ()


def rewrite(
    state: State,
    event: events.Event,
    found: Applicable,
    used: dict[int, Floating],
    batch: list[events.Event],
    limit: int = -1,
) -> Asking:
    """Applies an effect to an event. `used` collects what happens to floating effects; `batch` is the whole batch; `limit` is
    how much of this event a shield of a number is to prevent at most (-1: all it can)."""
    if found.key == "306.7":
        return (yield from _redirect_to_planeswalker(state, event))
    if found.effect.optional and not (found.effect.keyword == "madness" and state.edition.madness_always):
        kind = "commander to the command zone" if found.key == COMMANDER else "replace"
        yes = yield from ask.confirm(found.controller, kind, found.source, text=found.text)
        if not yes:
            return Outcome(events=(event,))
    work = Rewriting(state, found, used, batch, limit)
    if isinstance(event, events.Move) and found.effect.event.event == "counters put":
        return (yield from _rewrite_counters(work, event))
    current: tuple[events.Event, ...] = (event,)
    for step in found.effect.rewrite:
        result: list[events.Event] = []
        for e in current:
            result.extend((yield from _rewritten(work, step, e)))
        current = tuple(result)
    work.count_use(event)
    return Outcome(current, tuple(work.joined), tuple(work.programs))


def _rewritten(work: Rewriting, step: forms.Rewrite, event: events.Event) -> Rewriter:
    """What the step makes of the event; most steps ask nothing."""
    result = REWRITES[type(step)](work, step, event)
    return result if isinstance(result, list) else (yield from result)


def _rewrite_counters(work: Rewriting, event: events.Move) -> Asking:
    """An effect on counters being put changes those with which a permanent enters."""
    kind = work.found.key.split(" ", 1)[1]
    n = dict(event.counters).get(kind, 0)
    put = [cast(events.Event, events.PutCounters(subject=event.subject, amount=n, counter=kind, by=event.by))]
    for step in work.found.effect.rewrite:
        result: list[events.Event] = []
        for e in put:
            result.extend((yield from _rewritten(work, step, e)))
        put = result
    total = sum(e.amount for e in put if isinstance(e, events.PutCounters) and e.counter == kind)
    work.count_use(event)
    entered = replace(event, counters=lookup.with_counters(event.counters, kind, total - n))
    return Outcome((entered,), tuple(work.joined), tuple(work.programs))


class Rewriting:
    """An effect being applied: what it reads, and what it adds besides the event's replacement."""

    def __init__(
        self, state: State, found: Applicable, used: dict[int, Floating], batch: list[events.Event], limit: int = -1
    ) -> None:
        self.state = state
        self.found = found
        self.used = used
        self.batch = batch
        self.limit = limit
        self.joined: list[events.Event] = []
        self.programs: list[RunFrame] = []

    @property
    def floating(self) -> Floating | None:
        """The floating effect as it stands in this batch."""
        if self.found.floating is None:
            return None
        return self.used.get(self.found.floating.id, self.found.floating)

    def count_use(self, event: events.Event) -> None:
        """One use fewer of an effect with a number of uses. The same source's damage to several at once is one use (615.8); where
        no source is spoken of, all that the same one is dealt at once is (510.2)."""
        floating = self.floating
        if floating is not None and floating.uses > 0:
            uses = floating.uses - 1
            bindings = floating.bindings
            if not uses and isinstance(event, events.Damage):
                sourceless = (
                    self.found.effect.event.subject is None and self.found.scope.refs(BoundRefs.CHOSEN_SOURCE) is None
                )
                spent = (BoundRefs.SPENT_FOR, (event.object,)) if sourceless else (BoundRefs.SPENT_ON, (event.subject,))
                bindings = (*bindings, spent)
            self.used[floating.id] = replace(floating, uses=uses if uses else -1, bindings=bindings)

    def shrink(self, n: int) -> None:
        """A shield of a number has prevented or redirected so much (615.7)."""
        floating = self.floating
        if floating is not None and floating.amount >= 0:
            self.used[floating.id] = replace(floating, amount=floating.amount - n)

    def run(self, program: forms.Tree, n: int, extra: Bindings = ()) -> None:
        """Has a program run immediately afterwards, "that much" being n."""
        if not program:
            return
        scope = self.found.scope.bind(BoundNumber.AMOUNT, n)
        for name, value in extra:
            scope = scope.bind(Label(name), value)
        self.programs.append(RunFrame(program=program, scope=scope))


Rewriter = Generator[AnyQuestion, AnyAnswer, list[events.Event]]
Rewritten = list[events.Event] | Rewriter
"""What becomes of an event, at once or when the questions about it are answered."""


def _redirect_to_planeswalker(state: State, event: events.Event) -> Asking:
    assert isinstance(event, events.Damage)
    opponent = cast(int, controller_of(state, event.subject))
    walkers = planeswalkers_of(state, seat_of(event.object))
    yes = yield from ask.confirm(opponent, "redirect to planeswalker", event.subject, text="306.7")
    if not yes:
        return Outcome(events=(event,))
    picked = yield from ask.choose_refs(opponent, walkers, 1, 1, "redirect to planeswalker", event.subject)
    return Outcome(events=(replace(event, object=picked[0]),))


def _prevent(work: Rewriting, step: forms.Prevent, event: events.Event) -> list[events.Event]:
    state, n = work.state, event.amount
    assert isinstance(event, events.Damage)
    prevented = n
    if step.amount is not None:
        prevented = min(n, amount(state, step.amount, work.found.scope))
    floating = work.floating
    if step.shield and floating is not None and floating.amount >= 0:
        prevented = min(prevented, floating.amount)
    if work.limit >= 0:
        prevented = min(prevented, work.limit)
    stays = cant_be_prevented(state, event)
    if step.shield:
        work.shrink(0 if stays else prevented)
    done = 0 if stays else prevented  # 615.11
    if done:
        work.joined.append(
            events.Prevented(subject=event.subject, object=event.object, amount=done, by=work.found.source)
        )
    joining = len(step.then) if step.at_once else _life_of_it(step.then)
    if joining:
        work.joined.extend(_at_once(work, step.then[:joining], done))
    shared = step.shield and floating is not None and floating.objects is None  # for several who share one
    whom = () if shared else (event.object,)
    about = ((BoundRefs.PREVENTED_TO, whom),) if shared or work.found.effect.event.subject is None else ()
    work.run(step.then[joining:], done, about)
    if done >= n:
        return []
    return [replace(event, amount=n - done)]


def _life_of_it(program: forms.Tree) -> int:
    """How many of the first instructions are of the damage event: its player gains as much life as is prevented (119.4c example 2)."""
    for place, verb in enumerate(program):
        if not isinstance(verb, forms.GainLife) or not isinstance(verb.who.reading, nouns.You):
            return place
        if not isinstance(verb.amount, nouns.ThatMuch) or verb.amount.name:
            return place
    return len(program)


def _at_once(work: Rewriting, program: forms.Tree, n: int) -> list[events.Event]:
    """Simple instructions as events of the same batch (the first example of Awe Strike in 119.4c)."""
    scope = work.found.scope.bind(BoundNumber.AMOUNT, n)
    found: list[events.Event] = []
    for verb in program:
        if isinstance(verb, forms.GainLife | forms.LoseLife):
            kind = events.GainLife if isinstance(verb, forms.GainLife) else events.LoseLife
            for ref in select(work.state, verb.who, scope):
                found.append(kind(subject=ref, amount=amount(work.state, verb.amount, scope), by=scope.source))
        elif isinstance(verb, forms.PutCounters):
            for ref in select(work.state, verb.what, scope):
                count = amount(work.state, verb.count, scope)
                found.append(events.PutCounters(subject=ref, amount=count, counter=verb.counter, by=scope.source))
        else:
            work.run((verb,), n)
    return found


def _redirect(work: Rewriting, step: forms.Redirect, event: events.Event) -> Rewriter:
    # 614.9: to something that can be dealt damage, otherwise the effect does nothing.
    state, n = work.state, event.amount
    assert isinstance(event, events.Damage)
    targets = tuple(r for r in select(state, step.to, work.found.scope) if _can_receive(state, r))
    if not targets:
        return [event]
    to = targets[0]
    if len(targets) > 1:
        to = (yield from ask.choose_refs(work.found.controller, targets, 1, 1, "redirect", work.found.source))[0]
    moved = n
    if step.amount is not None:
        moved = min(n, amount(state, step.amount, work.found.scope))
    floating = work.floating
    if floating is not None and floating.amount >= 0:
        moved = min(moved, floating.amount, n if work.limit < 0 else work.limit)
        work.shrink(moved)
    source = controller_of(state, event.subject)
    if source is not None and not lookup.reaches(state, source, to):
        return [replace(event, amount=n - moved)]  # 801.15a: what would reach out of its range is dealt to nobody
    redirected = replace(event, object=to, amount=moved)
    return [redirected] if moved == n else [replace(event, amount=n - moved), redirected]


def takes_of(state: State, found: Applicable, event: events.Damage) -> bool:
    """Whether a shield of a number takes something of that damage: nothing of what cannot be prevented (615.11; current 615.12 says
    so), and nothing where it redirects to what cannot be dealt damage (614.9)."""
    for step in found.effect.rewrite:
        if isinstance(step, forms.Prevent):
            return not cant_be_prevented(state, event)
        if isinstance(step, forms.Redirect):
            return any(_can_receive(state, ref) for ref in select(state, step.to, found.scope))
    return True


def _can_receive(state: State, ref: Ref) -> bool:
    if ref < 0:
        return lookup.present(state, seat_of(ref))
    if lookup.permanent(state, ref) is None:
        return False
    types = characteristics(state, ref).types
    return "creature" in types or "planeswalker" in types


def _scale(work: Rewriting, step: forms.Scale, event: events.Event) -> list[events.Event]:
    n = event.amount * step.times
    if step.half:
        n = (n + 1) // 2 if step.half == "up" else n // 2
    return [replace(event, amount=n + amount(work.state, step.plus, work.found.scope))]


def _at_most(work: Rewriting, step: forms.AtMost, event: events.Event) -> list[events.Event]:
    if step.amount is None:
        excess = short_of_floor(work.state, step, event, work.batch)
        return [replace(event, amount=max(0, event.amount - max(0, excess)))]
    return [replace(event, amount=min(event.amount, amount(work.state, step.amount, work.found.scope)))]


def _tokens_instead(work: Rewriting, step: forms.TokensInstead, event: events.Event) -> list[events.Event]:
    assert isinstance(event, events.CreateTokens)
    return [replace(event, definition=define(named_token(step.token, work.state.edition)))]


def _to_zone(work: Rewriting, step: forms.ToZone, event: events.Event) -> list[events.Event]:
    assert isinstance(event, events.Move)
    linked = work.found.source if step.link else event.linked_to
    position = -1 if step.bottom else event.position
    if event.to == "battlefield":
        event = _not_entering(event)
    moved = replace(event, to=step.to, position=position, reveal=step.reveal, linked_to=linked)
    if step.counter:
        moved = replace(moved, counters=(*moved.counters, (step.counter, 1)))
    if step.mark:
        moved = replace(moved, chosen=(*moved.chosen, (step.mark, "")))
    if work.found.key == COMMANDER and work.state.objects[event.subject].merged:
        moved = replace(moved, chosen=((APART, event.to),))
    if step.shuffle:
        found = work.state.objects.get(event.subject)
        if found is not None:
            work.joined.append(events.Shuffle(subject=player_ref(found.owner), cards=(event.subject,)))
    cards = (event.subject, event.object)[: 1 + bool(event.object)]  # of what would have melded both go there
    return [replace(moved, subject=card, object=0) for card in cards]


def _not_entering(event: events.Move) -> events.Move:
    """Without what earlier effects have made of how it enters: it does not (614.6)."""
    plain = replace(
        event, tapped=False, counters=(), face_down=False, attach_to=0, attacking=0, blocking=0, ahead=0, chosen=()
    )
    return replace(plain, definition=None) if event.subject else plain


def _enter_with(work: Rewriting, step: forms.EnterWith, event: events.Event) -> Rewriter:
    assert isinstance(event, events.Move)
    state, found = work.state, work.found
    seat = event.controller if event.controller >= 0 else found.controller
    if step.unless:
        if can_pay_costs(state, seat, step.unless, found.scope):
            if (yield from ask.confirm(seat, "pay", found.source, text=found.text)):
                work.joined.extend(pay_events(state, seat, step.unless, found.scope))
                return [event]
    if step.optional and not (yield from _accepted(work, step, seat)):
        return [replace(event, chosen=(*event.chosen, (GAINED, step.gains)))] if step.gains else [event]
    picks: tuple[Ref, ...] = ()
    if step.copy is not None:
        picks = tuple(r for r in select(state, step.copy, found.scope) if r != event.subject)
        if not picks:
            return [event]  # 706.9: what is excepted from the copy is no effect of its own
    if step.mark:
        event = replace(event, chosen=(*event.chosen, (step.mark, "yes")))
    if step.tapped:
        event = replace(event, tapped=True)
    event = replace(event, chosen=(*event.chosen, *((ENTERED_AS, subtype) for subtype in step.subtypes)))
    event = yield from _with_counters(work, step, event, seat)
    if step.choose == "word" or step.choose and step.words:
        value = yield from ask.choose_word(seat, step.words, step.choose, found.source)
        event = replace(event, chosen=(*event.chosen, (step.choose, value)))
    elif step.choose:
        what, value = yield from choose_value(state, seat, step.choose, found.source, step.kind)
        event = replace(event, chosen=(*event.chosen, (what, value)))
    if not picks:
        return [event]
    picked = yield from ask.choose_refs(seat, picks, 1, 1, "copy", found.source)
    definition = copiable(state, picked[0])
    assert definition is not None
    event = replace(event, definition=excepted(state, definition, step.excepting, found.scope))
    return (yield from _attached(work, event, seat))


def _with_counters(
    work: Rewriting, step: forms.EnterWith, event: events.Move, seat: int
) -> Generator[AnyQuestion, AnyAnswer, events.Move]:
    """The event with the counters with which the permanent enters, looked at as what it enters as (614.12)."""
    state, found = work.state, work.found
    scope = found.scope
    if scope.source == event.subject:
        state, oid = becoming(state, event)
        scope = replace(scope, source=oid)
    if step.paying:
        paid = yield from _as_it_enters(work, state, step.paying, seat, scope)
        scope = scope.bind(BoundNumber.PAID, paid)
        event = replace(event, chosen=(*event.chosen, ("paid", str(paid))))
    kind = step.counter
    if step.options:
        kind = yield from ask.choose_word(seat, step.options, "counter", found.source)
    if kind:
        n = amount(state, step.count, scope)
        if step.most:
            n = yield from ask.number(seat, 1, step.most, "number", found.source)
        if n > 0:
            event = replace(event, counters=lookup.with_counters(event.counters, kind, n))
    return event


def _attached(work: Rewriting, event: events.Move, seat: int) -> Rewriter:
    """303.4f, g: whoever an Aura enters under chooses what it enchants, unless that has been said; with nothing to enchant it
    stays where it is, or from the stack is put into its owner's graveyard."""
    view, seen = entering(work.state, event)
    if event.attach_to or "Aura" not in characteristics(view, seen.subject).subtypes:
        return [event]
    options = enchant_candidates(view, seen.subject, seat)
    if options:
        picked = yield from ask.choose_refs(seat, options, 1, 1, "enchant", work.found.source)
        return [replace(event, attach_to=picked[0])]
    found = work.state.objects.get(event.subject)
    return [replace(_not_entering(event), to="graveyard")] if found is not None and found.zone == "stack" else []


def _accepted(work: Rewriting, step: forms.EnterWith, seat: int) -> Generator[AnyQuestion, AnyAnswer, bool]:
    """Whether something enters with what it may enter with; the controller chooses who of several is asked."""
    found = work.found
    if step.asked is not None:
        asked = select(work.state, step.asked, replace(found.scope, controller=seat))
        picked = yield from ask.choose_refs(seat, asked, 1, 1, "player", found.source)
        seat = seat_of(picked[0]) if picked else seat
    return (yield from ask.confirm(seat, "enters", found.source, text=found.text))


def _enter_under(work: Rewriting, step: forms.EnterUnder, event: events.Event) -> Rewriter:
    assert isinstance(event, events.Move)
    found = work.found
    players = select(work.state, step.control, found.scope)
    picked = yield from ask.choose_refs(found.controller, players, 1, 1, "player", found.source)
    return [replace(event, controller=seat_of(picked[0]))] if picked else [event]


def _as_it_enters(
    work: Rewriting, state: State, price: forms.Costs, seat: int, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, int]:
    """Any number of things are revealed or sacrificed as something enters; how many. What enters with it can't be (amplify, 702.36a)."""
    found = work.found
    busy = [e.subject for e in (*work.batch, *work.joined) if isinstance(e, events.Move)]
    n = 0
    for cost in price:
        if isinstance(cost, forms.CountersCost):  # all of them, from all that is said
            taken = _counters_taken(work, state, cost, scope)
            work.joined.extend(taken)
            n += sum(event.amount for event in taken)
        if not isinstance(cost, forms.SacrificeCost | forms.RevealCost):
            continue
        among = tuple(i for i in payers(state, seat, cost.what, scope) if i not in busy and i != found.source)
        purpose = "sacrifice" if isinstance(cost, forms.SacrificeCost) else "reveal"
        picked = yield from ask.choose_refs(seat, among, 0, len(among), purpose, found.source)
        n += len(picked)
        if isinstance(cost, forms.SacrificeCost):
            work.joined.extend(
                events.Move(subject=i, to="graveyard", cause="sacrifice", by=found.source) for i in picked
            )
        elif picked:
            everyone = (1 << len(state.players)) - 1
            work.joined.append(events.Reveal(subject=player_ref(seat), objects=picked, seats=everyone))
    return n


def _counters_taken(
    work: Rewriting, state: State, cost: forms.CountersCost, scope: Scope
) -> list[events.RemoveCounters]:
    """All counters of a kind, or of every kind, that are taken off as something enters; what enters has none yet."""
    gone = {(e.subject, e.counter) for e in (*work.batch, *work.joined) if isinstance(e, events.RemoveCounters)}
    return [
        events.RemoveCounters(subject=ref, amount=count, counter=kind, by=scope.source)
        for ref in select(state, cost.of, scope)
        if ref != scope.source
        for kind, count in state.objects[ref].counters
        if cost.counter in ("", kind) and (ref, kind) not in gone
    ]


def _instead(work: Rewriting, step: forms.Instead, event: events.Event) -> list[events.Event]:
    work.run(step.do, event.amount)
    return []


def _also(work: Rewriting, step: forms.Also, event: events.Event) -> list[events.Event]:
    work.run(step.do, event.amount)
    return [event]


def _regenerates(work: Rewriting, step: forms.Regenerates, event: events.Event) -> list[events.Event]:
    return [events.Regenerated(subject=event.subject, by=work.found.source)]


REWRITES: dict[type[forms.Rewrite], Callable[[Rewriting, Any, events.Event], Rewritten]] = {
    forms.Prevent: _prevent,
    forms.Redirect: _redirect,
    forms.Scale: _scale,
    forms.AtMost: _at_most,
    forms.TokensInstead: _tokens_instead,
    forms.ToZone: _to_zone,
    forms.EnterUnder: _enter_under,
    forms.EnterWith: _enter_with,
    forms.Instead: _instead,
    forms.Also: _also,
    forms.Regenerates: _regenerates,
}
