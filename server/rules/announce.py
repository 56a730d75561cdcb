"""Casting spells, activating abilities and putting triggered abilities on the stack (601.2, 602.2, 603.3).

One frame goes through the positions in order: the object is on the stack first (601.2a), then modes, costs, X, targets
and divisions are announced (b to d), then the total cost is paid (e to g), then the spell is cast (h). The frame keeps
the state from before, to which an announcement that is taken back returns; chance never goes back (716 in July 2011).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import lru_cache

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules import ask, costs, events, mana, mana_sources, payment, special
from server.rules import evolve as ev
from server.rules.amounts import amount, holds
from server.rules.casting import (
    FACE_DOWN_WAY,
    HELPED,
    OFFERING,
    ability_cost,
    casting_cost_of,
    helpers,
    payable_options,
    total_cost,
)
from server.rules.definition import Kit, ability_definition, is_mana_ability, loop_of, targets_of, walk
from server.rules.errors import Defect
from server.rules.evolve import evolve
from server.rules.frames import AnnounceFrame, Next, RunFrame
from server.rules.layers import characteristics
from server.rules.means import ability_means, first_trigger, spell_means
from server.rules.permissions import FREE, Permission, next_spell_effects, permission
from server.rules.programs import MUTATE, MUTATING, joined_programs, modal_program, overloaded
from server.rules.questions import (
    Action,
    AnyAnswer,
    AnyQuestion,
    Choice,
    Pay,
    PaymentQuestion,
    Ref,
    player_ref,
    seat_of,
)
from server.rules.scope import Scope
from server.rules.select import fits, select
from server.rules.sides import BESTOW
from server.rules.spellview import as_side
from server.rules.state import NO_MANA, Entry, Object, State
from server.rules.targets import candidates, has_targets, target_part, with_said_x
from server.rules.verbtools import choose_within, total_of

Asking = Generator[AnyQuestion, AnyAnswer, Next]


def step(state: State, frame: AnnounceFrame) -> Next | Asking:
    """One position of the announcement."""
    return POSITIONS[frame.at](state, frame)


# --- a: onto the stack -----------------------------------------------------------------------------------------------------


def _begin(state: State, frame: AnnounceFrame) -> Next | Asking:
    seat = frame.seat
    if frame.trigger is not None:
        return _begin_triggered(state, frame)
    if frame.special and not frame.free:
        return Next(replace(frame, at="special"))
    if frame.ability >= 0:
        return _begin_activated(state, frame)
    if frame.way in HELPED:
        return _offer(state, frame)
    # 601.2a: the card moves to the stack and becomes a spell that this player controls.
    side = 1 if frame.way == BESTOW else frame.side
    view = as_side(state, frame.object, side)
    entry, more = _first_entry(view, frame, view.objects[frame.object])
    hidden = frame.way == FACE_DOWN_WAY
    move = events.Move(subject=frame.object, to="stack", controller=seat, entry=entry, cause="cast", face_down=hidden)
    if side:
        move = replace(move, definition=view.objects[frame.object].definition)
    return Next(replace(frame, at="choose", free=entry.free), batch=(move, *more))


def _first_entry(state: State, frame: AnnounceFrame, card: Object) -> tuple[Entry, tuple[events.Event, ...]]:
    """What is known of a spell as it is put on the stack, by what permission and in which way; and what that uses up."""
    seat, free = frame.seat, frame.free or frame.way == FREE
    way = "" if frame.way == FREE else frame.way
    used: Permission | None = None
    if not frame.free and (free or card.zone != "hand" and not way):
        used = permission(state, seat, card, free)
    more: list[events.Event] = []
    given = [*frame.gives, *gained_way(state, card, way)]
    if used is not None:
        given += used.rule.gives
        more += [events.UsedPermission(subject=used.scope.source, cause=used.name)] if used.rule.number else []
    for effect in next_spell_effects(state, seat, card):
        assert isinstance(effect.ability, forms.PlayerRule)
        given += effect.ability.gives
        more.append(events.UpdateEffect(effect=replace(effect, uses=-1)))
    entry = Entry(
        way=way,
        cast_from=card.zone,
        caster=seat,
        paid=((way, 1),) if way else (),
        free=free,
        mana_as=used.rule.mana_as if used is not None else "",
        granted=tuple(given),
    )
    return entry, tuple(more)


def gained_way(state: State, card: Object, way: str) -> tuple[forms.Ability, ...]:
    """The keyword ability that an effect gave to a card and by which it is cast: the spell has it too (400.7)."""
    printed = card.definition.base.kit
    if not way or casting_cost_of(printed, way) is not None or way in (FACE_DOWN_WAY, OFFERING):
        return ()
    return characteristics(state, card.id).kit.quality(way)[:1]


def _offer(state: State, frame: AnnounceFrame) -> Asking:
    """702.46b: the permanent is sacrificed, or tapped, as the spell is announced."""
    card, way = state.objects[frame.object], HELPED[frame.way]
    options = helpers(state, frame.seat, card.id, characteristics(state, card.id).kit, frame.way)
    least = 0 if way.optional else 1
    offered = yield from ask.choose_refs(frame.seat, options, least, 1, way.act, card.id)
    entry, more = _first_entry(state, frame, card)
    entry = replace(entry, bindings=(("offered", offered),))
    help_: tuple[events.Event, ...] = tuple(events.Tap(subject=i, cause="cost") for i in offered)
    if way.act == "sacrifice":
        help_ = tuple(events.Move(subject=i, to="graveyard", cause="sacrifice", by=card.id) for i in offered)
    move = events.Move(subject=card.id, to="stack", controller=frame.seat, entry=entry, cause="cast")
    return Next(replace(frame, at="choose"), batch=(*help_, move, *more))


def _begin_activated(state: State, frame: AnnounceFrame) -> Next:
    source = state.objects[frame.object]
    ability = characteristics(state, frame.object).kit.abilities[frame.ability]
    assert isinstance(ability, forms.ActivatedAbility)
    if is_mana_ability(ability):
        return Next(replace(frame, at="mana choose"))
    loyalty = any(isinstance(p, forms.LoyaltyCost) for p in ability.cost)
    entry = Entry(
        source=frame.object,
        ability=ability,
        index=frame.ability,
        kind="activated",
        loyalty=loyalty,
        program=ability.do,
    )
    put = events.AbilityOnStack(
        subject=player_ref(frame.seat),
        by=frame.object,
        entry=entry,
        definition=ability_definition(source.definition.name, ability.text),
    )
    return Next(replace(frame, at="choose"), batch=(put,))


def _begin_triggered(state: State, frame: AnnounceFrame) -> Next:
    trigger = frame.trigger
    assert trigger is not None
    ability = trigger.ability
    assert isinstance(ability, forms.TriggeredAbility)
    told = trigger.entry
    entry = Entry(
        source=trigger.source,
        ability=ability,
        index=trigger.index,
        kind="triggered",
        program=ability.do,
        bindings=trigger.bindings,
        x=told.x if told is not None else 0,
        paid=told.paid if told is not None else (),
        cast_from=told.cast_from if told is not None else "",
        caster=told.caster if told is not None else -1,
        mana_spent=told.mana_spent if told is not None else NO_MANA,
        spent_from=told.spent_from if told is not None else (),
    )
    name = trigger.definition.name if trigger.definition is not None else _source_name(state, trigger.source)
    put = events.AbilityOnStack(
        subject=player_ref(frame.seat),
        by=trigger.source,
        entry=entry,
        definition=ability_definition(name, ability.text),
    )
    return Next(replace(frame, at="choose"), batch=(put,))


def _source_name(state: State, source: int) -> str:
    from server.rules.scope import object_or_last

    found = object_or_last(state, source)
    return found.definition.name if found is not None else ""


# --- b to d: modes, costs, X, targets, division ----------------------------------------------------------------------------


def _choose(state: State, frame: AnnounceFrame) -> Asking | Next:
    on_stack = frame.on_stack or _just_put(state)
    if on_stack not in state.objects:
        return Next()  # it went elsewhere before anything could be announced
    if frame.on_stack != on_stack:
        frame = replace(frame, on_stack=on_stack)
    entry = state.objects[on_stack].entry
    assert entry is not None
    if frame.trigger is not None and not _needs_choices(frame):
        return Next(replace(frame, at="done"))
    return _announce(state, frame, entry)


def _needs_choices(frame: AnnounceFrame) -> bool:
    ability = frame.trigger.ability if frame.trigger is not None else None
    assert isinstance(ability, forms.TriggeredAbility)
    return bool(ability.modes) or bool(targets_of(ability.do)) or _divisions(ability.do) != ()


def _just_put(state: State) -> int:
    for event in reversed(state.results):
        if isinstance(event, events.Move) and event.to == "stack":
            return event.became
        if isinstance(event, events.AbilityOnStack):
            return event.object
    return 0


def _announce(state: State, frame: AnnounceFrame, entry: Entry) -> Asking:
    seat, oid = frame.seat, frame.on_stack
    kit = characteristics(state, oid).kit
    entry, extra_cost = yield from _optional_costs(state, seat, oid, kit, entry)
    scope = _scope(state, frame, entry)
    program, modes = yield from _modes(state, frame, entry, scope)
    if program is None:
        return _impossible(state, frame)
    if entry.kind == "spell" and not entry.copied:
        program, spliced, extra_cost = yield from _splice(state, seat, oid, program, scope, extra_cost)
        entry = replace(entry, spliced=spliced)
    if entry.way == "overload":
        program = overloaded(program)
    entry = replace(entry, program=program, modes=modes)
    entry = yield from _choose_x(state, frame, entry, extra_cost)
    scope = _scope(state, frame, entry)
    slots = targets_of(program)
    chosen: list[tuple[Ref, ...]] = []
    for noun in slots:
        picked = yield from _choose_targets(state, seat, noun, replace(entry, targets=tuple(chosen)), scope, chosen)
        if picked is None:
            return _impossible(state, frame)
        chosen.append(picked)
    entry = replace(entry, targets=tuple(chosen))
    divisions = yield from _divide(state, seat, entry, _scope(state, frame, entry))
    entry = replace(entry, divisions=divisions)
    if frame.trigger is None:
        entry = yield from _bleed(state, frame, entry)
    announced = events.Announced(subject=oid, entry=entry)
    following = "done" if frame.trigger is not None else "pay"
    return Next(replace(frame, at=following), batch=(announced,))


def _bleed(state: State, frame: AnnounceFrame, entry: Entry) -> Generator[AnyQuestion, AnyAnswer, Entry]:
    """601.2b: for each Phyrexian symbol is announced whether 2 life or mana will be paid, where both could be."""
    total, others, _ = _total(state, frame, entry)
    seat, bled = frame.seat, entry.bled
    means = _means(state, frame, entry)
    taps = entry.source if any(isinstance(part, forms.TapCost) for part in others) else 0
    for _ in total.phyrexian:
        life, mana_only = (mana.announced(total, (*bled, choice)) for choice in (True, False))
        by_mana = mana_sources.mana_available(state, seat, mana_only, taps, means)
        by_life = state.players[seat].life >= 2 * (sum(bled) + 1)
        by_life = by_life and mana_sources.mana_available(state, seat, life, taps, means)
        if not (by_mana and by_life):
            return replace(entry, bled=bled)
        bled = (*bled, (yield from ask.confirm(seat, "pay 2 life", frame.on_stack)))
    return replace(entry, bled=bled)


def _means(state: State, frame: AnnounceFrame, entry: Entry) -> mana_sources.Means:
    """What may be paid with besides plain mana."""
    if entry.kind == "spell":
        return spell_means(state, frame.seat, frame.on_stack, characteristics(state, frame.on_stack).kit)
    return ability_means(state, frame.seat, entry.source)


def _scope(state: State, frame: AnnounceFrame, entry: Entry) -> Scope:
    source = entry.source or frame.on_stack
    return Scope(source, frame.seat, entry, entry.bindings)


def _impossible(state: State, frame: AnnounceFrame) -> Next:
    """603.3d: a triggered ability without a legal choice is removed; a spell or ability is taken back."""
    if frame.trigger is not None:
        return Next(batch=(events.Ceases(subject=frame.on_stack, cause="no choice"),))
    return take_back(state, frame)


def take_back(state: State, frame: AnnounceFrame) -> Next:
    """The game returns to the moment before the announcement; ids and chance go on (716 in July 2011)."""
    before = frame.before
    if before is None:
        return Next(batch=(events.Ceases(subject=frame.on_stack, cause="no choice"),))
    kept = evolve(before, next_id=state.next_id, chance=state.chance, questions=state.questions, pending=None)
    return Next(state=kept)


def _optional_costs(
    state: State, seat: int, oid: int, kit: Kit, entry: Entry
) -> Generator[AnyQuestion, AnyAnswer, tuple[Entry, mana.Cost]]:
    """Intentions to pay kicker and other optional costs, as far as they could be paid (601.2b)."""
    total = mana.ZERO
    if entry.kind != "spell":
        return entry, total
    c = characteristics(state, oid)
    price = total_cost(state, seat, state.objects[oid], c, entry.way, entry.free)
    base = price[0] if price is not None else mana.ZERO
    paid: list[tuple[str, int]] = list(entry.paid)
    for _, cost in kit.casting_costs:
        if cost.options:
            i = yield from _which_cost(state, seat, oid, cost, mana.plus(base, total), kit)
            paid.append((cost.name, i + 1))
            total = mana.plus(total, costs.mana_cost(state, cost.options[i], Scope(oid, seat, entry)))
            continue
        if not cost.optional or cost.kind != "additional":
            continue
        times = 0
        while True:
            scope = Scope(oid, seat, entry)
            wanted = (*cost.cost, forms.ManaCost(mana=mana.print_cost(mana.plus(base, total)) or "{0}"))
            if not costs.can_pay_costs(state, seat, wanted, scope, spell_means(state, seat, oid, kit)):
                break
            if not (yield from ask.confirm(seat, "pay " + cost.name, oid, text=cost.text)):
                break
            times += 1
            total = mana.plus(total, costs.mana_cost(state, cost.cost, scope))
            if not cost.repeat:
                break
        if times:
            paid.append((cost.name, times))
    return replace(entry, paid=tuple(paid)), total


def _which_cost(
    state: State, seat: int, oid: int, cost: forms.CastingCost, base: mana.Cost, kit: Kit
) -> Generator[AnyQuestion, AnyAnswer, int]:
    """Which of several additional costs will be paid (601.2b)."""
    open_ = payable_options(state, seat, cost, base, Scope(oid, seat), spell_means(state, seat, oid, kit))
    if len(open_) < 2:
        return open_[0] if open_ else 0
    words = tuple(Choice(word=str(i + 1), text=cost.text) for i in open_)
    picked = yield from ask.choose(seat, words, 1, 1, "option", oid)
    return open_[picked[0]]


def _modes(
    state: State, frame: AnnounceFrame, entry: Entry, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[forms.Tree | None, tuple[int, ...]]]:
    """The chosen modes and their instructions, one after the other in printed order (700.2); None if there is no choice."""
    ability = _modal(state, frame)
    if ability is None or not ability.modes:
        return program_of(state, frame), ()
    if dict(entry.paid).get("entwine"):  # 702.40a: all modes
        every = tuple(range(len(ability.modes)))
        return modal_program(ability.modes, every), every
    open_modes = tuple(i for i, m in enumerate(ability.modes) if has_targets(state, m.do, scope))
    least, most = ability.least, ability.most
    if ability.more is not None and holds(state, ability.more.condition, replace(scope, entry=entry)):
        least, most = ability.more.least, ability.more.most
    if entry.kind == "spell" and not entry.copied:
        open_modes, most = _affordable_modes(state, frame, entry, open_modes, most)
    if ability.again:  # current 700.2d
        open_modes = tuple(i for i in open_modes for _ in range(most))
    if len(open_modes) < least:
        return None, ()
    options = tuple(Choice(word=str(i + 1), text=ability.modes[i].text) for i in open_modes)
    picks = yield from ask.choose(frame.seat, options, least, min(most, len(options)), "mode", frame.on_stack)
    modes = tuple(sorted(open_modes[i] for i in picks))
    return modal_program(ability.modes, modes), modes


def _affordable_modes(
    state: State, frame: AnnounceFrame, entry: Entry, modes: tuple[int, ...], most: int
) -> tuple[tuple[int, ...], int]:
    """The modes whose own costs could be paid besides the rest, and how many modes could be paid for."""
    c = characteristics(state, frame.on_stack)
    if not _mode_costs(c.kit, (*modes[:1], *modes[:1])):
        return modes, most
    price = total_cost(state, frame.seat, state.objects[frame.on_stack], c, entry.way, entry.free)
    base = forms.ManaCost(mana=mana.print_cost(mana.with_x(price[0], 0) if price is not None else mana.ZERO))
    scope, means = (
        Scope(frame.on_stack, frame.seat, entry),
        spell_means(state, frame.seat, frame.on_stack, c.kit),
    )

    def payable(chosen: tuple[int, ...]) -> bool:
        return costs.can_pay_costs(state, frame.seat, (*_mode_costs(c.kit, chosen), base), scope, means)

    kept = tuple(i for i in modes if payable((i,)))
    while most > 1 and c.kit.quality("escalate") and not payable(kept[:1] * most):
        most -= 1
    return kept, most


def _splice(
    state: State, seat: int, oid: int, program: forms.Tree, scope: Scope, extra: mana.Cost
) -> Generator[AnyQuestion, AnyAnswer, tuple[forms.Tree, tuple[int, ...], mana.Cost]]:
    """702.45: cards with splice are revealed from the hand, their text is added to the spell and their costs to its cost."""
    spliced: list[int] = []
    paid: forms.Costs = ()
    programs: list[forms.Tree] = [program]
    for card in state.players[seat].hand:
        kit = state.objects[card].definition.base.kit
        if "splice" not in kit.keywords or kit.spell is None or not kit.spell.do:
            continue
        if any(kit.spell.do is p for p in programs):
            continue
        ability = kit.quality("splice")[0]
        fits_spell = ability.quality is not None and fits(state, ability.quality.reading, oid, scope)
        if not fits_spell or not has_targets(state, kit.spell.do, scope):
            continue
        c = characteristics(state, oid)
        price = total_cost(state, seat, state.objects[oid], c, "", False)
        wanted = mana.plus(
            mana.plus(price[0] if price else mana.ZERO, extra), costs.mana_cost(state, ability.cost, scope)
        )
        others = (*paid, *(part for part in ability.cost if not isinstance(part, forms.ManaCost)))
        if not costs.can_pay_costs(state, seat, (*others, forms.ManaCost(mana=mana.print_cost(wanted))), scope):
            continue
        if (yield from ask.confirm(seat, "splice", card, text=ability.text)):
            spliced.append(card)
            programs.append(kit.spell.do)
            paid = others
            extra = mana.plus(extra, costs.mana_cost(state, ability.cost, scope))
    return joined_programs(tuple(programs)), tuple(spliced), extra


def _modal(
    state: State, frame: AnnounceFrame
) -> forms.SpellAbility | forms.ActivatedAbility | forms.TriggeredAbility | None:
    entry = state.objects[frame.on_stack].entry
    assert entry is not None
    if entry.ability is not None:
        ability = entry.ability
        assert isinstance(ability, forms.ActivatedAbility | forms.TriggeredAbility)
        return ability
    return state.objects[frame.on_stack].definition.base.kit.spell


def program_of(state: State, frame: AnnounceFrame) -> forms.Tree:
    """What the object on the stack does when it resolves; for an Aura a program with the slot that it enchants (303.4a)."""
    ability = _modal(state, frame)
    if ability is not None:
        return ability.do
    found = state.objects[frame.on_stack]
    if found.entry is not None and found.entry.way == MUTATE:
        return MUTATING
    if "Aura" in found.definition.base.subtypes:
        return aura_program(found.definition.base.kit)
    return ()


def aura_program(kit: Kit) -> forms.Tree:
    """An Aura spell's target as a program: attach it to the target that "enchant" describes."""
    for ability in kit.quality("enchant"):
        if ability.quality is not None:
            return _aura_program(ability.quality.text)
    return ()


@lru_cache(maxsize=1024)
def _aura_program(text: str) -> forms.Tree:
    return (forms.Attach(to=Noun("target " + text)),)


def _choose_x(
    state: State, frame: AnnounceFrame, entry: Entry, extra: mana.Cost
) -> Generator[AnyQuestion, AnyAnswer, Entry]:
    """X is announced with costs (107.3a): as much as can be paid at most."""
    if frame.trigger is not None:
        return entry
    seat = frame.seat
    if entry.kind == "spell":
        c = characteristics(state, frame.on_stack)
        price = total_cost(state, seat, state.objects[frame.on_stack], c, entry.way, entry.free)
        if price is None or not price[0].x:
            return (yield from _x_of_payment(state, seat, frame.on_stack, price[1] if price else (), entry))
        cost = mana.plus(price[0], extra)
    else:
        ability = entry.ability
        assert isinstance(ability, forms.ActivatedAbility)
        scope = Scope(entry.source, seat, entry)
        cost = costs.mana_cost(state, ability.cost, scope)
        loyalty_x = any(isinstance(p, forms.LoyaltyCost) and p.x for p in ability.cost)
        if loyalty_x:
            counters = dict(state.objects[entry.source].counters).get("loyalty", 0)
            x = yield from ask.number(seat, 0, counters, "x", frame.on_stack)
            return replace(entry, x=x)
        if not cost.x:
            return (yield from _x_of_payment(state, seat, entry.source, ability.cost, entry))
    p = state.players[seat]
    most = payment.max_x(p.pool, mana_sources.sources(state, seat), cost, p.life)
    x = yield from ask.number(seat, 0, most, "x", frame.on_stack)
    return replace(entry, x=x)


def _x_of_payment(
    state: State, seat: int, oid: int, parts: forms.Costs, entry: Entry
) -> Generator[AnyQuestion, AnyAnswer, Entry]:
    """X where no mana is paid for it: so much life, so many counters or things, or something of that mana value (107.3c)."""
    for part in parts:
        if not any(isinstance(p, nouns.X) for p in _walk_cost(part)):
            continue
        options = costs.x_options(state, seat, part, Scope(oid, seat))
        if options:
            x = yield from ask.number(seat, min(options), max(options), "x", oid)
            return replace(entry, x=x)
    return entry


def _walk_cost(part: forms.AnyCost) -> list[object]:
    return [inner for p in walk(part) for inner in (walk(p.reading) if isinstance(p, Noun) else [p])]


def _choose_targets(
    state: State, seat: int, noun: Noun, entry: Entry, scope: Scope, chosen: list[tuple[Ref, ...]]
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...] | None]:
    loop = loop_of(entry.program, noun)
    scope = with_said_x(state, entry.program, replace(scope, entry=entry))
    if loop is None:
        return (yield from _fill_slot(state, seat, noun, replace(scope, entry=entry), chosen))
    filled: list[Ref] = []
    for ref in select(state, loop, scope):
        local = replace(scope.bind("player", (ref,)), entry=entry)
        filled.extend((yield from _fill_slot(state, seat, noun, local, chosen)) or ())
    return tuple(filled)


def _fill_together(
    state: State, seat: int, options: tuple[Ref, ...], least: int, most: int, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...] | None]:
    """Targets in one player's zone: the first says whose."""
    first = yield from ask.choose_refs(seat, options, min(least, 1), 1, "target", scope.source)
    if not first:
        return () if least == 0 else None
    owner = state.objects[first[0]].owner
    rest = tuple(r for r in options if r not in first and state.objects[r].owner == owner)
    if len(rest) < least - 1:
        return None
    return (*first, *(yield from ask.choose_refs(seat, rest, max(0, least - 1), most - 1, "target", scope.source)))


def _fill_slot(
    state: State, seat: int, noun: Noun, scope: Scope, chosen: list[tuple[Ref, ...]]
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...] | None]:
    """The targets of one slot; None if it must have some and there are too few."""
    target = target_part(noun.reading)
    assert target is not None
    taken = tuple(r for slot in chosen for r in slot)
    options = candidates(state, noun, scope, taken)
    least = target.least
    most = target.most if target.most >= 0 else len(options)
    if target.x:  # as many as the X that was announced
        most = scope.entry.x if scope.entry is not None else 0
        least = most if least else 0
    if most > 1 and any(isinstance(part, nouns.Together) for part in walk(target.of.objects)):
        return (yield from _fill_together(state, seat, options, least, most, scope))
    if total_of(target.of) is not None:
        within = yield from choose_within(state, seat, target.of, options, (least, most), "target", scope)
        return within if len(within) >= least else None
    if len(options) < least:
        return None
    if not options:
        return ()
    choices = tuple(Choice(ref=r) for r in options)
    if least == most == len(options):
        return options
    picks = yield from ask.choose(seat, choices, least, most, "target", scope.source)
    return tuple(options[i] for i in picks)


def _divisions(program: forms.Tree) -> tuple[forms.Damage | forms.PutCounters, ...]:
    return tuple(
        v
        for v in program
        if (isinstance(v, forms.Damage) and v.divided) or (isinstance(v, forms.PutCounters) and v.distribute)
    )


def _divide(
    state: State, seat: int, entry: Entry, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[tuple[int, ...], ...]]:
    """How something is divided among the targets, at least one to each (601.2d)."""
    found: list[tuple[int, ...]] = []
    slots = targets_of(entry.program)
    for verb in _divisions(entry.program):
        noun = verb.to if isinstance(verb, forms.Damage) else verb.what
        slot = next((i for i, n in enumerate(slots) if n is noun), -1)
        refs = entry.targets[slot] if slot >= 0 else ()
        total = amount(state, verb.amount if isinstance(verb, forms.Damage) else verb.count, scope)
        least = 1 if total >= len(refs) else 0
        found.append((yield from ask.divide(seat, total, refs, least, "divide", scope.source)))
    return tuple(found)


# --- e to g: paying ---------------------------------------------------------------------------------------------------------


def _total(state: State, frame: AnnounceFrame, entry: Entry) -> tuple[mana.Cost, forms.Costs, Scope]:
    """The total cost (601.2e): mana, and the other costs, with the scope in which they are read."""
    seat, oid = frame.seat, frame.on_stack
    if entry.kind == "spell":
        found = state.objects[oid]
        c = characteristics(state, oid)
        scope = Scope(oid, seat, entry)
        parts: list[forms.AnyCost] = []
        for _, cost in c.kit.casting_costs:
            if cost.optional and cost.kind == "additional":
                parts.extend(list(cost.cost) * dict(entry.paid).get(cost.name, 0))
            elif cost.options:
                parts.extend(cost.options[max(0, dict(entry.paid).get(cost.name, 1) - 1)])
        parts.extend(_mode_costs(c.kit, entry.modes))
        for card in entry.spliced:
            if card in state.objects:
                parts.extend(state.objects[card].definition.base.kit.quality("splice")[0].cost)
        price = total_cost(state, seat, found, c, entry.way, entry.free)
        total, fixed = price if price is not None else (mana.ZERO, ())
        total = mana.with_x(total, entry.x) if total.x else total
        total = mana.plus(total, costs.mana_cost(state, tuple(parts), scope))
        return total, (*fixed, *parts), scope
    ability = entry.ability
    assert isinstance(ability, forms.ActivatedAbility)
    scope = Scope(entry.source, seat, entry)
    source = state.objects.get(entry.source)
    total = costs.mana_cost(state, ability.cost, scope)
    if source is not None:
        total = ability_cost(state, seat, source, ability.cost, scope, ability.changes)
    return (mana.with_x(total, entry.x) if total.x else total), ability.cost, scope


def _mode_costs(kit: Kit, modes: tuple[int, ...]) -> list[forms.AnyCost]:
    """What the chosen modes cost: each its own (spree), or so much for each beyond the first (escalate)."""
    if kit.spell is None or not modes:
        return []
    found = [part for i in modes for part in kit.spell.modes[i].cost]
    for keyword in kit.quality("escalate")[:1]:
        found.extend(list(keyword.cost) * (len(modes) - 1))
    return found


def _pay(state: State, frame: AnnounceFrame) -> Asking:
    found = state.objects.get(frame.on_stack)
    if found is None or found.entry is None:
        return Next()
    entry = found.entry
    total, others, scope = _total(state, frame, entry)
    if entry.bled:
        total = mana.announced(total, entry.bled)
        others = (*others, forms.LifeCost(amount=2 * sum(entry.bled))) if any(entry.bled) else others
    if frame.manual and total != mana.ZERO:
        answer = yield payment_question(state, frame.seat, total, frame.on_stack)
        if not isinstance(answer, Pay):
            raise Defect(f"{answer!r} does not answer a payment")
        if answer.index < 0:
            return take_back(state, frame)
        if answer.index > 0:
            action = mana_actions(state, frame.seat)[answer.index - 1]
            push = AnnounceFrame(seat=frame.seat, object=action.object, ability=action.ability)
            return Next(frame, push=(push,))
    taps = tuple(scope.source for p in others if isinstance(p, forms.TapCost))
    means = _means(state, frame, entry)
    # Whoever activates an ability of a permanent wants it untapped if other mana does as well.
    plan = mana_sources.plan_mana(state, frame.seat, total, (*taps, entry.source), means)
    if plan is None:
        plan = mana_sources.plan_mana(state, frame.seat, total, taps, means)
    if plan is None or not costs.can_pay_costs(
        state, frame.seat, tuple(p for p in others if not isinstance(p, forms.ManaCost)), scope
    ):
        return take_back(state, frame)
    first = first_trigger(state, frame.seat, plan)
    if first is not None:
        # 605.4a: what triggers adds its mana before anything is paid; then it is seen what is still wanted.
        return Next(
            replace(frame, manual=False), batch=tuple(mana_sources.mana_events(state, frame.seat, first, means))
        )
    batch = mana_sources.mana_events(state, frame.seat, plan, means)
    batch.extend((yield from costs.pay(state, frame.seat, others, scope)))
    paid = costs.told(entry, batch)
    if entry.kind == "spell":
        paid, triggered = mana_sources.with_riders(state, frame.seat, frame.on_stack, paid, batch)
        if triggered:
            batch.append(events.TriggeredAbilities(waiting=(*state.waiting, *triggered)))
    if paid is not entry:
        batch.append(events.Announced(subject=frame.on_stack, entry=paid))
    return Next(replace(frame, at="done"), batch=tuple(batch))


def payment_question(state: State, seat: int, total: mana.Cost, source: int) -> PaymentQuestion:
    """The question how to pay mana by hand."""
    can_auto = mana_sources.plan_mana(state, seat, total) is not None
    return PaymentQuestion(
        seat, "payment", source, cost=mana.print_cost(total), actions=mana_actions(state, seat), can_auto=can_auto
    )


def mana_actions(state: State, seat: int) -> tuple[Action, ...]:
    """The mana abilities that a player could activate while paying (605.3a)."""
    from server.rules.actions import actions

    return tuple(a for a in actions(state, seat) if a.mana)


# --- h: cast -----------------------------------------------------------------------------------------------------------------


def _done(state: State, frame: AnnounceFrame) -> Next:
    found = state.objects.get(frame.on_stack)
    if found is None or found.entry is None:
        return Next()
    entry, me = found.entry, player_ref(frame.seat)
    batch: list[events.Event] = []
    if entry.kind == "spell":
        batch.append(events.Cast(subject=me, object=frame.on_stack))
    elif entry.kind == "activated":
        batch.append(events.UsedAbility(subject=entry.source, amount=entry.index, loyalty=entry.loyalty))
        batch.append(events.Activated(subject=me, object=frame.on_stack, by=entry.source, loyalty=entry.loyalty))
    for ref in dict.fromkeys(r for slot in entry.targets for r in slot):
        batch.append(events.BecameTarget(subject=ref, object=frame.on_stack, by=frame.on_stack))
    if any(_is_crime(state, frame.seat, ref) for slot in entry.targets for ref in slot):
        batch.append(events.Crime(subject=me, object=frame.on_stack))
    return Next(batch=tuple(batch))


def _is_crime(state: State, seat: int, ref: Ref) -> bool:
    """Whether aiming at this is a crime: an opponent, what one controls, a card in one's graveyard (current 700.13)."""
    opponents = ev.opponents(state, seat)
    if ref < 0:
        return seat_of(ref) in opponents
    found = state.objects.get(ref)
    if found is None:
        return False
    if found.zone in ("battlefield", "stack"):
        return found.controller in opponents
    return found.zone == "graveyard" and found.owner in opponents


# --- mana abilities ------------------------------------------------------------------------------------------------------------


def _mana_choose(state: State, frame: AnnounceFrame) -> Asking:
    """A mana ability is paid for and resolves at once, without the stack (605.3b)."""
    seat = frame.seat
    ability = characteristics(state, frame.object).kit.abilities[frame.ability]
    assert isinstance(ability, forms.ActivatedAbility)
    entry = yield from _x_of_payment(state, seat, frame.object, ability.cost, Entry())
    scope = Scope(frame.object, seat).bind("X", entry.x)
    total = costs.mana_cost(state, ability.cost, scope)
    taps = tuple(frame.object for p in ability.cost if isinstance(p, forms.TapCost))
    plan = mana_sources.plan_mana(state, seat, total, taps)
    if plan is None:
        return Next()
    batch = mana_sources.mana_events(state, seat, plan)
    batch.extend((yield from costs.pay(state, seat, ability.cost, scope)))
    used = events.UsedAbility(subject=frame.object, amount=frame.ability)
    tapped = int(bool(taps))
    run = RunFrame(program=ability.do, scope=scope.bind("tapped for mana", tapped))
    return Next(batch=(*batch, used), push=(run,))


POSITIONS: dict[str, Callable[[State, AnnounceFrame], Next | Asking]] = {
    "": _begin,
    "choose": _choose,
    "pay": _pay,
    "done": _done,
    "mana choose": _mana_choose,
    "special": special.perform,
}
__all__ = ["aura_program", "mana_actions", "modal_program", "nouns", "payment_question", "step"]
