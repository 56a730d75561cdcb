"""Replacement and prevention effects: which apply to an event, and what they make of it (614, 615).

They come from static abilities on the battlefield, from floating effects (shields, 614.3), from the entering permanent
itself (614.12), from cards whose ability says so in another zone, and, in the 2011 edition, from 306.7.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, cast

from msgspec.structs import replace

from server.cards import forms
from server.rules import ask, events
from server.rules import evolve as ev
from server.rules.amounts import amount, holds
from server.rules.copying import copiable, excepted
from server.rules.definition import define
from server.rules.frames import RunFrame
from server.rules.layers import board, characteristics, rules_about
from server.rules.patterns import match, names
from server.rules.playerrules import all_rules, rules
from server.rules.questions import AnyAnswer, AnyQuestion, Ref, player_ref, seat_of
from server.rules.scope import Scope, controller_of
from server.rules.select import fits, select
from server.rules.state import Bindings, Floating, Object, State, Struct

Asking = Generator[AnyQuestion, AnyAnswer, "Outcome"]


class Applicable(Struct):
    """A replacement effect that applies to an event: a key that tells effects apart (614.5), the ability, and its scope
    with what the event binds. `floating` is the floating effect that it is, if it is one."""

    key: str
    effect: forms.Replacement
    source: int
    controller: int
    scope: Scope
    text: str = ""
    floating: Floating | None = None


class Outcome(Struct):
    """What an event became: `events` in its place, `joined` that were added to the batch, `programs` for immediately
    afterwards (615.5)."""

    events: tuple[events.Event, ...] = ()
    joined: tuple[events.Event, ...] = ()
    programs: tuple[RunFrame, ...] = ()


REDIRECTION = forms.Replacement(event=forms.Pattern(event="damage"), rewrite=(), optional=True, text="306.7")

#: What an effect makes of damage that can't be prevented.
UNPREVENTABLE: tuple[forms.Rewrite, ...] = (forms.CantPrevent(),)

#: Event kinds that no effect ever replaces; asked first, because most events are of these.
_NEVER = (
    events.StepEntered,
    events.StepBegins,
    events.SetTurn,
    events.Cast,
    events.Activated,
    events.AbilityOnStack,
    events.Announced,
    events.Attacks,
    events.AttackersDeclared,
    events.Blocks,
    events.BlockersDeclared,
    events.SpendMana,
    events.MarkDamage,
    events.Prevented,
    events.DamageHappened,
    events.EndEffects,
)


def may_be_replaced(state: State, event: events.Event) -> bool:
    """A quick answer: False if certainly nothing replaces the event."""
    if isinstance(event, _NEVER):
        return False
    if _active(state):
        return True
    if isinstance(event, events.Move):
        return event.to == "battlefield" or (event.subject != 0 and _in_other_zone(state, event))
    if isinstance(event, events.Damage):
        if event.object < 0 and all_rules(state):
            return True
        return state.edition.planeswalker_redirection and not event.combat and event.object < 0
    return False


def _in_other_zone(state: State, event: events.Move) -> bool:
    found = state.objects.get(event.subject)
    return found is not None and bool(
        found.definition.base.kit.replacements or characteristics(state, found.id).kit.replacements
    )


def _active(state: State) -> tuple[tuple[str, forms.Replacement, Scope, Floating | None], ...]:
    """The replacement effects in force, of the battlefield, the command zone and floating ones; made once a state."""
    made = state.memo.get("replacers")
    if made is None:
        found: list[tuple[str, forms.Replacement, Scope, Floating | None]] = []
        for oid in board(state).index.replacements:
            source = state.objects[oid]
            for index, ability in characteristics(state, oid).kit.replacements:
                if ability.zone == "battlefield":
                    scope = Scope(oid, source.controller, source.entry)
                    found.append((f"{oid}.{index}", ability, scope, None))
        for oid in state.command:
            source = state.objects[oid]
            for index, ability in source.definition.base.kit.replacements:
                found.append((f"{oid}.{index}", ability, Scope(oid, source.controller, source.entry), None))
        for p in state.players:
            for oid in p.graveyard:
                source = state.objects[oid]
                for index, ability in source.definition.base.kit.replacements:
                    if ability.zone == "graveyard":
                        found.append((f"{oid}.{index}", ability, Scope(oid, source.owner, source.entry), None))
        for floating in state.effects:
            if isinstance(floating.ability, forms.Replacement):
                bindings = floating.bindings
                if floating.objects is not None:
                    bindings = (*bindings, ("it", floating.objects))
                scope = Scope(floating.source, floating.controller, floating.entry, bindings)
                found.append((f"f{floating.id}", floating.ability, scope, floating))
        made = state.memo["replacers"] = tuple(found)
    return made


def active_names(state: State) -> frozenset[str]:
    """The pattern names that some replacement effect in force looks for."""
    made = state.memo.get("replacer names")
    if made is None:
        made = state.memo["replacer names"] = frozenset(entry[1].event.event for entry in _active(state))
    return made


def affected(state: State, event: events.Event) -> int:
    """The player who chooses among effects: the affected player, or the affected object's controller or owner (616.1)."""
    ref: Ref = event.object if isinstance(event, events.Damage) else event.subject
    if ref == 0 and isinstance(event, events.Move):
        return max(event.controller, 0)
    if isinstance(event, events.Move) and event.to == "battlefield" and event.controller >= 0:
        return event.controller
    seat = controller_of(state, ref)
    return seat if seat is not None else state.turn.active


def applicable(
    state: State,
    event: events.Event,
    applied: tuple[str, ...],
    used: dict[int, Floating] | None = None,
    batch: Sequence[events.Event] = (),
) -> list[Applicable]:
    """The effects that apply to an event now and have not been applied to it (614.5). `batch` is all that happens at once,
    for effects that look at its outcome."""
    found: list[Applicable] = []
    event_names = names(event)
    view = state
    if isinstance(event, events.Move):
        # Drawing was replaced, or not, as the draw that it is; the card's move is what came of it (120.1).
        event_names = tuple(n for n in event_names if n != "draw")
        found.extend(_own(state, event, applied))
        if event.to == "battlefield" and _active(state):
            view, event_as_seen = entering(state, event)
            found.extend(_of_counters(state, view, event, event_as_seen, applied))
            event = event_as_seen
    for key, ability, scope, floating in _active(state):
        if ability.event.event not in event_names or key in applied or ability.rewrite == UNPREVENTABLE:
            continue
        if floating is not None:
            floating = (used or {}).get(floating.id, floating)
            if (floating.uses < 0 and not _same_time(floating, event)) or floating.amount == 0:
                continue
        # 614.12: what enters is looked at as it would be on the battlefield.
        seen = view if ability.event.to == "battlefield" and ability.event.from_ is None else state
        effect = _fits(seen, key, ability, scope, event, floating, batch)
        if effect is not None:
            found.append(effect)
    if isinstance(event, events.Damage) and event.object < 0 and all_rules(state):
        found.extend(_of_protection(state, event, applied))
    if isinstance(event, events.Damage) and "306.7" not in applied:
        redirection = _redirection(state, event)
        if redirection is not None:
            found.append(redirection)
    return found


def _fits(
    state: State,
    key: str,
    ability: forms.Replacement,
    scope: Scope,
    event: events.Event,
    floating: Floating | None,
    batch: Sequence[events.Event] = (),
) -> Applicable | None:
    if floating is not None and not _from_chosen(state, scope, event):
        return None
    if state.options.range_of_influence and not _in_range(state, ability, event, scope):
        return None
    bindings = match(state, ability.event, event, ability.event.event, scope)
    if bindings is None:
        return None
    if any(isinstance(r, forms.Regenerates) for r in ability.rewrite) and _cant_regenerate(state, event):
        return None
    if any(isinstance(r, forms.AtMost) for r in ability.rewrite) and _at_most_idle(state, ability, event, scope, batch):
        return None
    told = Scope(scope.source, scope.controller, scope.entry, (*scope.bindings, *_unbound(scope, bindings)))
    if ability.condition is not None and not holds(state, ability.condition, told):
        return None
    return Applicable(key, ability, scope.source, scope.controller, told, ability.text, floating)


def _in_range(state: State, ability: forms.Replacement, event: events.Event, scope: Scope) -> bool:
    """801.15b: by what the effect specifies, the source, the recipient, or if neither both must be in range."""
    seat, pattern = scope.controller, ability.event
    subject, obj = event.subject, event.object
    if pattern.subject is None and pattern.object is None:
        return all(ev.reaches(state, seat, r) for r in (subject, obj) if r)
    if pattern.subject is not None and subject and not ev.reaches(state, seat, subject):
        return False
    return pattern.object is None or not obj or ev.reaches(state, seat, obj)


def _unbound(scope: Scope, bindings: Bindings) -> Bindings:
    """What the event binds, but for names that the effect has bound itself (a shield's "it" stays its own)."""
    return tuple(pair for pair in bindings if scope.bound(pair[0]) is None)


def _cant_regenerate(state: State, event: events.Event) -> bool:
    if isinstance(event, events.Destroy) and event.no_regeneration:
        return True
    return any(r.flag.rule == "can't be regenerated" for r in rules_about(state, event.subject))


def _at_most_idle(
    state: State, ability: forms.Replacement, event: events.Event, scope: Scope, batch: Sequence[events.Event]
) -> bool:
    """Whether a limit would change nothing, so that it does not apply."""
    for r in ability.rewrite:
        if isinstance(r, forms.AtMost):
            if r.life_floor is not None:
                return _life_after(state, event, batch) >= r.life_floor
            return r.amount is not None and event.amount <= amount(state, r.amount, scope)
    return False


def _life_after(state: State, event: events.Event, batch: Sequence[events.Event]) -> int:
    """The life total after all of a batch: its net change counts (the second example of 119.4)."""
    life = ev.player(state, event.subject).life
    for other in batch or (event,):
        if other.subject == event.subject and isinstance(other, events.GainLife | events.LoseLife):
            life += other.amount if isinstance(other, events.GainLife) else -other.amount
    return life


def looks_at_all(found: Applicable) -> bool:
    """Whether an effect looks at what the whole batch comes to, so that it is applied after what shapes single events."""
    return any(isinstance(r, forms.AtMost) and r.life_floor is not None for r in found.effect.rewrite)


def _from_chosen(state: State, scope: Scope, event: events.Event) -> bool:
    """609.7a: a shield against a chosen source looks at damage from that very source, or from the permanent that the chosen
    permanent spell has become."""
    chosen = scope.bound(CHOSEN_SOURCE)
    if chosen is None or not isinstance(event, events.Damage):
        return True
    ref = chosen[0]
    if event.subject == ref:
        return True
    last = state.last.get(ref)
    if last is None or last.object.zone != "stack" or last.became != event.subject:
        return False
    became = state.objects.get(event.subject)
    if became is None:
        left = state.last.get(event.subject)
        became = left.object if left is not None else None
    return became is not None and became.zone == "battlefield"


#: The binding of a shield that holds the source chosen for it.
CHOSEN_SOURCE = "chosen source"

#: The binding of instructions about prevented damage that holds to whom it would have been dealt: all that one effect prevents
#: of what several sources would deal to one recipient at once is prevented together (615.5).
PREVENTED_TO = "#prevented to"

#: The binding of a spent effect that holds the source whose damage it applies to in the batch under way.
SPENT_ON = "#spent on"


def _same_time(floating: Floating, event: events.Event) -> bool:
    """Whether a "next time" effect that has just been used applies to this event too: the same source's damage to several at
    once is one time."""
    return isinstance(event, events.Damage) and (SPENT_ON, (event.subject,)) in floating.bindings


def shield_left(found: Applicable, used: dict[int, Floating]) -> int | None:
    """How much a shield of a number can still prevent in this batch; None if the effect is no such shield."""
    if found.floating is None or not any(isinstance(r, forms.Prevent) and r.shield for r in found.effect.rewrite):
        return None
    floating = used.get(found.floating.id, found.floating)
    return floating.amount if floating.amount >= 0 else None


def entering(state: State, event: events.Move) -> tuple[State, events.Move]:
    """The state in which the entering object is on the battlefield already, and the event in its terms: how it would be
    there decides what applies to it (614.12). Only for asking."""
    key = ("entering", event.subject, event.controller, event.counters, event.definition)
    made = state.memo.get(key)
    if made is None:
        found = state.objects.get(event.subject)
        oid = event.subject or state.next_id
        controller = event.controller if event.controller >= 0 else found.owner if found is not None else 0
        if found is None:
            assert event.definition is not None
            owner = event.owner if event.owner >= 0 else controller
            found = Object(oid, event.definition, owner, controller, "battlefield", token=True)
        definition = event.definition or found.printed or found.definition
        seen = replace(
            found,
            zone="battlefield",
            controller=controller,
            base=controller,
            definition=definition,
            counters=event.counters,
            face_down=event.face_down,
        )
        view = ev.evolve(state, objects={**state.objects, oid: seen}, battlefield=(*state.battlefield, oid))
        made = state.memo[key] = (view, event if event.subject else replace(event, subject=oid))
    return made


def _of_counters(
    state: State, view: State, event: events.Move, seen: events.Move, applied: tuple[str, ...]
) -> list[Applicable]:
    """Effects on counters being put see the counters with which a permanent enters (306.5b, 614.12)."""
    found: list[Applicable] = []
    for kind, n in event.counters:
        by = event.by or seen.subject
        put = events.PutCounters(subject=seen.subject, amount=n, counter=kind, by=by)
        for key, ability, scope, floating in _active(state):
            if ability.event.event != "counters put" or f"{key} {kind}" in applied:
                continue
            effect = _fits(view, f"{key} {kind}", ability, scope, put, floating)
            if effect is not None:
                found.append(effect)
    return found


def _own(state: State, event: events.Move, applied: tuple[str, ...]) -> list[Applicable]:
    """The entering permanent's own effects on how it enters (614.12), and a card's own on where it goes."""
    if event.subject == 0:
        definition, oid, controller = event.definition, 0, max(event.controller, 0)
        entry = event.entry
    else:
        source = state.objects[event.subject]
        definition = event.definition or source.printed or source.definition
        oid = source.id
        controller = event.controller if event.controller >= 0 else source.owner
        entry = source.entry if source.zone == "stack" else None
        if source.zone == "battlefield" and event.to != "battlefield":
            return []  # found through the index of the battlefield
    found: list[Applicable] = []
    if definition is None or event.face_down:
        return found
    kit = definition.base.kit
    if event.subject and event.definition is None and state.objects[event.subject].zone == "stack":
        kit = characteristics(state, event.subject).kit  # with what effects gave the spell
    for index, ability in kit.replacements:
        # 614.12: what enters as a copy has the copied effects too.
        key = f"own{index}" if event.definition is None else f"own{index} {definition.key}"
        if key in applied or ability.event.event != "zone change":
            continue
        pattern = ability.event
        if pattern.subject is None or pattern.subject.text != forms.THIS:
            continue
        if pattern.to is not None and pattern.to != event.to:
            continue
        if pattern.from_ is not None and (event.subject == 0 or pattern.from_ != state.objects[oid].zone):
            continue
        if pattern.from_ is None and pattern.to is None:
            continue
        if pattern.cause and event.cause not in pattern.cause.split():
            continue
        scope = Scope(oid, controller, entry, (("it", (oid,)), ("follow", (oid,))))
        if ability.condition is not None and not holds(state, ability.condition, scope):
            continue
        found.append(Applicable(key, ability, oid, controller, scope, ability.text))
    return found


PROTECTION = forms.Replacement(event=forms.Pattern(event="damage"), rewrite=(forms.Prevent(),), text="protection")


def _of_protection(state: State, event: events.Damage, applied: tuple[str, ...]) -> list[Applicable]:
    """702.15e: damage that a player has protection from is prevented."""
    found: list[Applicable] = []
    for place, (rule, scope) in enumerate(rules(state, seat_of(event.object), "protection")):
        key = f"protection {scope.source} {place}"
        if key not in applied and (rule.what is None or fits(state, rule.what.reading, event.subject, scope)):
            found.append(Applicable(key, PROTECTION, scope.source, scope.controller, scope, "protection"))
    return found


def _redirection(state: State, event: events.Damage) -> Applicable | None:
    """306.7: noncombat damage that an opponent's source would deal to a player with a planeswalker."""
    if event.combat or event.object >= 0 or not state.edition.planeswalker_redirection:
        return None
    seat = seat_of(event.object)
    opponent = controller_of(state, event.subject)
    if opponent is None or opponent not in ev.opponents(state, seat):
        return None
    if not planeswalkers_of(state, seat):
        return None
    scope = Scope(event.subject, opponent)
    return Applicable("306.7", REDIRECTION, event.subject, opponent, scope, "306.7")


def planeswalkers_of(state: State, seat: int) -> tuple[int, ...]:
    """The planeswalkers that a player controls."""
    key = ("planeswalkers", seat)
    made = state.memo.get(key)
    if made is None:
        made = state.memo[key] = tuple(
            i
            for i in state.battlefield
            if state.objects[i].controller == seat
            and not state.objects[i].phased_out
            and "planeswalker" in characteristics(state, i).types
        )
    return made


# --- rewriting -----------------------------------------------------------------------------------------------------------


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
    if found.effect.optional:
        yes = yield from ask.confirm(found.controller, "replace", found.source, text=found.text)
        if not yes:
            return Outcome(events=(event,))
    work = Rewriting(state, found, used, batch, limit)
    if isinstance(event, events.Move) and found.effect.event.event == "counters put":
        return (yield from _rewrite_counters(work, event))
    current: tuple[events.Event, ...] = (event,)
    for step in found.effect.rewrite:
        result: list[events.Event] = []
        for e in current:
            result.extend((yield from REWRITES[type(step)](work, step, e)))
        current = tuple(result)
    work.count_use(event)
    return Outcome(current, tuple(work.joined), tuple(work.programs))


def _rewrite_counters(work: Rewriting, event: events.Move) -> Asking:
    """An effect on counters being put changes those with which a permanent enters."""
    kind = work.found.key.split(" ", 1)[1]
    n = dict(event.counters).get(kind, 0)
    put = [cast(events.Event, events.PutCounters(subject=event.subject, amount=n, counter=kind, by=event.by))]
    for step in work.found.effect.rewrite:
        result: list[events.Event] = []
        for e in put:
            result.extend((yield from REWRITES[type(step)](work, step, e)))
        put = result
    total = sum(e.amount for e in put if isinstance(e, events.PutCounters) and e.counter == kind)
    work.count_use(event)
    entered = replace(event, counters=ev.with_counters(event.counters, kind, total - n))
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
        """One use fewer of an effect with a number of uses; the same source's damage to several at once is one use."""
        floating = self.floating
        if floating is not None and floating.uses > 0:
            uses = floating.uses - 1
            bindings = floating.bindings
            if not uses and isinstance(event, events.Damage):
                bindings = (*bindings, (SPENT_ON, (event.subject,)))
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
        scope = self.found.scope.bind("amount", n)
        for name, value in extra:
            scope = scope.bind(name, value)
        self.programs.append(RunFrame(program=program, scope=scope))


Rewriter = Generator[AnyQuestion, AnyAnswer, list[events.Event]]


def _redirect_to_planeswalker(state: State, event: events.Event) -> Asking:
    assert isinstance(event, events.Damage)
    opponent = cast(int, controller_of(state, event.subject))
    walkers = planeswalkers_of(state, seat_of(event.object))
    yes = yield from ask.confirm(opponent, "redirect to planeswalker", event.subject, text="306.7")
    if not yes:
        return Outcome(events=(event,))
    picked = yield from ask.choose_refs(opponent, walkers, 1, 1, "redirect to planeswalker", event.subject)
    return Outcome(events=(replace(event, object=picked[0]),))


def _prevent(work: Rewriting, step: forms.Prevent, event: events.Event) -> Rewriter:
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
    stays = _cant_be_prevented(state, event)
    if step.shield:
        work.shrink(0 if stays else prevented)
    done = 0 if stays else prevented  # 615.11
    if done:
        work.joined.append(
            events.Prevented(subject=event.subject, object=event.object, amount=done, by=work.found.source)
        )
    if step.then:
        if step.at_once:
            work.joined.extend(_at_once(work, step.then, done))
        else:
            about = ((PREVENTED_TO, (event.object,)),) if work.found.effect.event.subject is None else ()
            work.run(step.then, done, about)
    if done >= n:
        return []
    return [replace(event, amount=n - done)]
    yield  # pragma: no cover - a generator that never asks


def _cant_be_prevented(state: State, event: events.Damage) -> bool:
    """615.11: the damage itself says so, or an effect about it, or a rule about its source."""
    if event.unpreventable or any(
        r.flag.rule == "damage can't be prevented" for r in rules_about(state, event.subject)
    ):
        return True
    return any(
        ability.rewrite == UNPREVENTABLE and _fits(state, key, ability, scope, event, floating) is not None
        for key, ability, scope, floating in _active(state)
    )


def _at_once(work: Rewriting, program: forms.Tree, n: int) -> list[events.Event]:
    """Simple instructions as events of the same batch (the first example of Awe Strike in 119.4c)."""
    scope = work.found.scope.bind("amount", n)
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
    source = controller_of(state, event.subject)
    if source is not None and targets and not ev.reaches(state, source, targets[0]):
        # 801.15a: damage that would reach beyond the source's range of influence is dealt to nobody.
        n_moved = n if step.amount is None else min(n, amount(state, step.amount, work.found.scope))
        return [replace(event, amount=n - n_moved)]
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
        moved = min(moved, floating.amount)
        work.shrink(moved)
    redirected = replace(event, object=to, amount=moved)
    return [redirected] if moved == n else [replace(event, amount=n - moved), redirected]


def _can_receive(state: State, ref: Ref) -> bool:
    if ref < 0:
        return ev.present(state, seat_of(ref))
    if ev.permanent(state, ref) is None:
        return False
    types = characteristics(state, ref).types
    return "creature" in types or "planeswalker" in types


def _scale(work: Rewriting, step: forms.Scale, event: events.Event) -> Rewriter:
    n = event.amount * step.times
    if step.half:
        n = (n + 1) // 2 if step.half == "up" else n // 2
    return [replace(event, amount=n + amount(work.state, step.plus, work.found.scope))]
    yield  # pragma: no cover


def _at_most(work: Rewriting, step: forms.AtMost, event: events.Event) -> Rewriter:
    if step.life_floor is not None:
        # The net change of the whole batch counts (the second example of 119.4c).
        excess = step.life_floor - _life_after(work.state, event, work.batch)
        return [replace(event, amount=max(0, event.amount - max(0, excess)))]
    assert step.amount is not None
    return [replace(event, amount=min(event.amount, amount(work.state, step.amount, work.found.scope)))]
    yield  # pragma: no cover


def _tokens_instead(work: Rewriting, step: forms.TokensInstead, event: events.Event) -> Rewriter:
    assert isinstance(event, events.CreateTokens)
    return [replace(event, definition=define(step.token))]
    yield  # pragma: no cover


def _to_zone(work: Rewriting, step: forms.ToZone, event: events.Event) -> Rewriter:
    assert isinstance(event, events.Move)
    linked = work.found.source if step.link else event.linked_to
    position = -1 if step.bottom else event.position
    moved = replace(event, to=step.to, position=position, reveal=step.reveal, linked_to=linked)
    if step.shuffle:
        found = work.state.objects.get(event.subject)
        if found is not None:
            work.joined.append(events.Shuffle(subject=player_ref(found.owner)))
    return [moved]
    yield  # pragma: no cover


def _enter_with(work: Rewriting, step: forms.EnterWith, event: events.Event) -> Rewriter:
    assert isinstance(event, events.Move)
    state, found = work.state, work.found
    seat = event.controller if event.controller >= 0 else found.controller
    if step.unless:
        from server.rules.costs import can_pay_costs, pay_events

        if can_pay_costs(state, seat, step.unless, found.scope):
            if (yield from ask.confirm(seat, "pay", found.source, text=found.text)):
                work.joined.extend(pay_events(state, seat, step.unless, found.scope))
                return [event]
    if step.optional and not (yield from ask.confirm(seat, "enters", found.source, text=found.text)):
        return [event]
    if step.mark:
        event = replace(event, chosen=(*event.chosen, (step.mark, "yes")))
    if step.tapped:
        event = replace(event, tapped=True)
    scope = found.scope
    if step.paying:
        paid = yield from _as_it_enters(work, step.paying, seat)
        scope = scope.bind("paid", paid)
        event = replace(event, chosen=(*event.chosen, ("paid", str(paid))))
    kind = step.counter
    if step.options:
        kind = yield from ask.choose_word(seat, step.options, "counter", found.source)
    if kind:
        n = amount(state, step.count, scope)
        if step.most:
            n = yield from ask.number(seat, 1, step.most, "number", found.source)
        if n > 0:
            event = replace(event, counters=ev.with_counters(event.counters, kind, n))
    if step.choose:
        what, value = yield from choose_value(state, seat, step.choose, found.source)
        event = replace(event, chosen=(*event.chosen, (what, value)))
    if step.copy is not None:
        picks = tuple(r for r in select(state, step.copy, found.scope) if r != event.subject)
        if picks:
            picked = yield from ask.choose_refs(seat, picks, 1, 1, "copy", found.source)
            definition = copiable(state, picked[0])
            assert definition is not None
            event = replace(event, definition=excepted(state, definition, step.excepting, scope))
    return [event]


def _as_it_enters(work: Rewriting, price: forms.Costs, seat: int) -> Generator[AnyQuestion, AnyAnswer, int]:
    """Any number of things are revealed or sacrificed as something enters; how many. What enters with it can't be (702.36a)."""
    from server.rules.costs import payers

    state, found = work.state, work.found
    busy = [e.subject for e in (*work.batch, *work.joined) if isinstance(e, events.Move)]
    n = 0
    for cost in price:
        if not isinstance(cost, forms.SacrificeCost | forms.RevealCost):
            continue
        among = tuple(i for i in payers(state, seat, cost.what, found.scope) if i not in busy and i != found.source)
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


COLORS = ("white", "blue", "black", "red", "green")


def choose_value(state: State, seat: int, what: str, source: int) -> Generator[AnyQuestion, AnyAnswer, tuple[str, str]]:
    """(what is remembered, the chosen value) for "choose a color", "a creature type", "a player", "a number" ..."""
    if what == "color":
        return "color", (yield from ask.choose_word(seat, COLORS, "color", source))
    if what in ("player", "opponent"):
        others = ev.opponents(state, seat) if what == "opponent" else ev.turn_order(state, seat)
        refs = tuple(player_ref(s) for s in others)
        picked = yield from ask.choose_refs(seat, refs, 1, 1, "player", source)
        return "player", str(picked[0]) if picked else ""
    if what == "number":
        return "number", str((yield from ask.number(seat, 0, 20, "number", source)))
    from server.rules.words import words_of

    words = words_of(state, what)
    return ("name" if what == "name" else "type"), (yield from ask.choose_word(seat, words, what, source))


def _instead(work: Rewriting, step: forms.Instead, event: events.Event) -> Rewriter:
    work.run(step.do, event.amount)
    return []
    yield  # pragma: no cover


def _also(work: Rewriting, step: forms.Also, event: events.Event) -> Rewriter:
    work.run(step.do, event.amount)
    return [event]
    yield  # pragma: no cover


def _regenerates(work: Rewriting, step: forms.Regenerates, event: events.Event) -> Rewriter:
    return [events.Regenerated(subject=event.subject, by=work.found.source)]
    yield  # pragma: no cover


REWRITES: dict[type[forms.Rewrite], Callable[[Rewriting, Any, events.Event], Rewriter]] = {
    forms.Prevent: _prevent,
    forms.Redirect: _redirect,
    forms.Scale: _scale,
    forms.AtMost: _at_most,
    forms.TokensInstead: _tokens_instead,
    forms.ToZone: _to_zone,
    forms.EnterWith: _enter_with,
    forms.Instead: _instead,
    forms.Also: _also,
    forms.Regenerates: _regenerates,
}
