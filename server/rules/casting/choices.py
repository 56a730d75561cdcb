"""What is announced of a spell or ability as it is put on the stack (601.2b to d): optional costs, modes, splicing, X, targets
and divisions. Each function asks and gives what was chosen; `announce` goes through them in order.
"""

from __future__ import annotations

from collections.abc import Generator

from msgspec.structs import replace

from server.cards import forms, nouns
from server.cards.nouns import Noun
from server.rules.casting.castable import least_x, payable_options, total_cost
from server.rules.casting.cost_changes import ability_cost
from server.rules.casting.picking import alike_of, choose_alike, choose_within, total_of
from server.rules.casting.programs import (
    MUTATE,
    MUTATING,
    as_paid,
    aura_program,
    joined_programs,
    modal_program,
    spoken,
    with_paid,
)
from server.rules.characteristics import amount, characteristics, fits, holds, select
from server.rules.costs import costs, most_x, spell_substitutes, substitutes_of
from server.rules.functioning import aimed, candidates, has_targets, target_part, with_said_x
from server.rules.model import (
    Abilities,
    AnnounceFrame,
    AnyAnswer,
    AnyQuestion,
    BoundRefs,
    Choice,
    Entry,
    Ref,
    Scope,
    State,
    ask,
    divided,
    events,
    evolve,
    including,
    lookup,
    loop_of,
    mana,
    player_ref,
    shared,
    targets_of,
    walk,
    with_rare,
)


def optional_costs(
    state: State, seat: int, oid: int, abilities: Abilities, entry: Entry
) -> Generator[AnyQuestion, AnyAnswer, tuple[Entry, mana.Cost]]:
    """Intentions to pay kicker and other optional costs, as far as they could be paid (601.2b)."""
    total = mana.ZERO
    if entry.kind != "spell" or not abilities.casting_costs:
        return entry, total
    c = characteristics(state, oid)
    price = total_cost(state, seat, state.objects[oid], c, entry.way, entry.free)
    base = price[0] if price is not None else mana.ZERO
    paid: list[tuple[str, int]] = list(entry.paid)
    for _, cost in abilities.casting_costs:
        if cost.options:
            i = yield from _which_cost(state, seat, oid, cost, mana.plus(base, total), abilities)
            paid.append((cost.name, i + 1))
            total = mana.plus(total, costs.mana_cost(state, cost.options[i], Scope(oid, seat, entry)))
            continue
        if not cost.optional or cost.kind != "additional":
            continue
        times = 0
        while _has_its_targets(state, abilities, cost, paid, Scope(oid, seat, entry)):
            scope, rest = Scope(oid, seat, entry), base
            if any(one.condition == forms.Paid(cost=cost.name) for _, one in abilities.cost_changes):
                spell = with_rare(state.objects[oid], entry=replace(entry, paid=tuple(with_paid(paid, cost, 1))))
                view = evolve(state, objects=including(state.objects, spell))
                price = total_cost(view, seat, spell, c, entry.way, entry.free)
                rest = price[0] if price is not None else base
            substitutes = spell_substitutes(state, seat, oid, abilities)
            if not costs.can_pay_costs(state, seat, cost.cost, scope, substitutes, mana.plus(rest, total)):
                break
            needed = not _has_targets_as(state, abilities, paid, scope)  # without it there would be none (601.2c)
            if not needed and not (yield from ask.confirm(seat, "pay " + spoken(cost), oid, text=cost.text)):
                break
            times += 1
            total = mana.plus(total, costs.mana_cost(state, cost.cost, scope))
            if not cost.repeat:
                break
        if times:
            paid = with_paid(paid, cost, times)
            entry = yield from _promised(state, seat, oid, cost, entry)
    return replace(entry, paid=tuple(paid)), total


def _has_its_targets(
    state: State, abilities: Abilities, cost: forms.CastingCost, paid: list[tuple[str, int]], scope: Scope
) -> bool:
    """Whether the targets that the spell has only if this is paid for could be chosen (601.2c)."""
    return _has_targets_as(state, abilities, with_paid(paid, cost, 1), scope)


def _has_targets_as(state: State, abilities: Abilities, paid: list[tuple[str, int]], scope: Scope) -> bool:
    """Whether the targets could be chosen that the spell has if this is paid."""
    if abilities.spell is None or abilities.spell.modes:
        return True
    program = as_paid(abilities.spell.do, tuple(paid))
    return program is abilities.spell.do or has_targets(state, program, scope)


def _promised(
    state: State, seat: int, oid: int, cost: forms.CastingCost, entry: Entry
) -> Generator[AnyQuestion, AnyAnswer, Entry]:
    """The opponent whom a cost asks for, remembered of the spell."""
    if not any(isinstance(part, forms.PromiseCost) for part in cost.cost):
        return entry
    refs = tuple(player_ref(s) for s in lookup.opponents(state, seat))
    picked = yield from ask.choose_refs(seat, refs, 1, 1, "player", oid)
    return replace(entry, bindings=(*entry.bindings, (BoundRefs.PROMISED, picked)))


def _which_cost(
    state: State, seat: int, oid: int, cost: forms.CastingCost, base: mana.Cost, abilities: Abilities
) -> Generator[AnyQuestion, AnyAnswer, int]:
    """Which of several additional costs will be paid (601.2b)."""
    open_ = payable_options(state, seat, cost, base, Scope(oid, seat), spell_substitutes(state, seat, oid, abilities))
    if len(open_) < 2:
        return open_[0] if open_ else 0
    words = tuple(Choice(word=str(i + 1), text=cost.text) for i in open_)
    picked = yield from ask.choose(seat, words, 1, 1, "option", oid)
    return open_[picked[0]]


def choose_modes(
    state: State, frame: AnnounceFrame, entry: Entry, scope: Scope, chooser: int
) -> Generator[AnyQuestion, AnyAnswer, tuple[forms.Tree | None, tuple[int, ...]]]:
    """The modes that `chooser` chooses and their instructions, one after the other in printed order (700.2); None if there is no choice."""
    ability = _modal(state, frame)
    if ability is None or not ability.modes:
        return program_of(state, frame), ()
    if dict(entry.paid).get("entwine"):  # 702.40a: all modes
        every = tuple(range(len(ability.modes)))
        return modal_program(ability.modes, every), every
    open_modes = tuple(i for i, m in enumerate(ability.modes) if has_targets(state, m.do, scope))
    if ability.fresh:
        open_modes = tuple(i for i in open_modes if not _was_chosen(state, scope.source, i, ability.fresh))
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
    picks = yield from ask.choose(chooser, options, least, min(most, len(options)), "mode", frame.on_stack)
    modes = tuple(sorted(open_modes[i] for i in picks))
    return modal_program(ability.modes, modes), modes


def is_mode_by_opponent(state: State, frame: AnnounceFrame) -> bool:
    """Whether an opponent chooses the mode."""
    ability = _modal(state, frame)
    return ability is not None and ability.by_opponent


def _was_chosen(state: State, source: Ref, mode: int, since: str) -> bool:
    """Whether a mode has been chosen for an object, this turn or ever (current 700.2h)."""
    found = state.objects.get(source)
    when = dict(found.chosen).get(f"mode {mode}") if found is not None else None
    return when is not None and (since == "game" or when == str(state.turn.number))


def chosen_modes(
    state: State, ability: forms.Ability | None, source: Ref, modes: tuple[int, ...]
) -> list[events.Event]:
    """That these modes were chosen, where it matters later."""
    fresh = isinstance(ability, forms.ActivatedAbility | forms.TriggeredAbility) and ability.fresh
    turn = str(state.turn.number)
    return [events.Chosen(subject=source, what=f"mode {i}", value=turn) for i in modes] if fresh else []


def _affordable_modes(
    state: State, frame: AnnounceFrame, entry: Entry, modes: tuple[int, ...], most: int
) -> tuple[tuple[int, ...], int]:
    """The modes whose own costs could be paid besides the rest, and how many modes could be paid for."""
    c = characteristics(state, frame.on_stack)
    if not mode_costs(c.abilities, (*modes[:1], *modes[:1])):
        return modes, most
    price = total_cost(state, frame.seat, state.objects[frame.on_stack], c, entry.way, entry.free)
    base = mana.with_x(price[0], 0) if price is not None else mana.ZERO
    scope, substitutes = (
        Scope(frame.on_stack, frame.seat, entry),
        spell_substitutes(state, frame.seat, frame.on_stack, c.abilities),
    )

    def payable(chosen: tuple[int, ...]) -> bool:
        return costs.can_pay_costs(state, frame.seat, tuple(mode_costs(c.abilities, chosen)), scope, substitutes, base)

    kept = tuple(i for i in modes if payable((i,)))
    while most > 1 and c.abilities.quality("escalate") and not payable(kept[:1] * most):
        most -= 1
    return kept, most


def splice(
    state: State, seat: int, oid: int, program: forms.Tree, scope: Scope, extra: mana.Cost
) -> Generator[AnyQuestion, AnyAnswer, tuple[forms.Tree, tuple[int, ...], mana.Cost]]:
    """702.45: cards with splice are revealed from the hand, their text is added to the spell and their costs to its cost."""
    spliced: list[int] = []
    paid: forms.Costs = ()
    programs: list[forms.Tree] = [program]
    for card in state.players[seat].hand:
        abilities = state.objects[card].definition.base.abilities
        if "splice" not in abilities.keywords or abilities.spell is None or not abilities.spell.do:
            continue
        if any(abilities.spell.do is p for p in programs):
            continue
        ability = abilities.quality("splice")[0]
        fits_spell = ability.quality is not None and fits(state, ability.quality.reading, oid, scope)
        if not fits_spell or not has_targets(state, abilities.spell.do, scope):
            continue
        c = characteristics(state, oid)
        price = total_cost(state, seat, state.objects[oid], c, "", False)
        wanted = mana.plus(
            mana.plus(price[0] if price else mana.ZERO, extra), costs.mana_cost(state, ability.cost, scope)
        )
        others = (*paid, *(part for part in ability.cost if not isinstance(part, forms.ManaCost)))
        if not costs.can_pay_costs(state, seat, others, scope, rest=wanted):
            continue
        if (yield from ask.confirm(seat, "splice", card, text=ability.text)):
            spliced.append(card)
            programs.append(abilities.spell.do)
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
    return state.objects[frame.on_stack].definition.base.abilities.spell


def program_of(state: State, frame: AnnounceFrame) -> forms.Tree:
    """What the object on the stack does when it resolves; for an Aura a program with the slot that it enchants (303.4a)."""
    ability = _modal(state, frame)
    if ability is not None:
        return ability.do
    found = state.objects[frame.on_stack]
    if found.entry is not None and found.entry.way == MUTATE:
        return MUTATING
    if "Aura" in found.definition.base.subtypes:
        return aura_program(found.definition.base.abilities)
    return ()


def choose_x(
    state: State, frame: AnnounceFrame, entry: Entry, extra: mana.Cost
) -> Generator[AnyQuestion, AnyAnswer, Entry]:
    """X is announced with costs (107.3a): as much as can be paid at most."""
    if frame.trigger is not None:
        return entry
    seat, floor = frame.seat, 0
    if entry.kind == "spell":
        c = characteristics(state, frame.on_stack)
        price = total_cost(state, seat, state.objects[frame.on_stack], c, entry.way, entry.free)
        if price is None or not price[0].x:
            return (yield from x_of_payment(state, seat, frame.on_stack, price[1] if price else (), entry))
        cost = mana.plus(price[0], extra)
        floor = least_x(c.abilities)
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
            return (yield from x_of_payment(state, seat, entry.source, ability.cost, entry))
        if (source := state.objects.get(entry.source)) is not None:
            cost = ability_cost(state, seat, source, ability, scope)
    substitutes = substitutes_of(state, seat, frame.on_stack, entry)
    others = entry.ability.cost if isinstance(entry.ability, forms.ActivatedAbility) else ()
    taps = entry.source if any(isinstance(part, forms.TapCost) for part in others) else 0
    feasible = costs.feasible_x(state, seat, others, cost, Scope(entry.source, seat), taps, substitutes)
    if feasible:
        least, most = feasible[0], feasible[-1]
    else:
        least, most = 0, most_x(state, seat, cost, (taps,) if taps else (), substitutes)
    if 0 <= frame.most_x < most:
        most = max(least, frame.most_x)
    x = yield from ask.number(seat, max(least, floor), max(most, floor), "x", frame.on_stack)
    return replace(entry, x=x)


def x_of_payment(
    state: State, seat: int, oid: int, parts: forms.Costs, entry: Entry
) -> Generator[AnyQuestion, AnyAnswer, Entry]:
    """X where no mana is paid for it: so much life, so many counters or things, or something of that mana value (107.3c)."""
    for part in parts:
        if not costs.says_x(part):
            continue
        options = costs.x_options(state, seat, part, Scope(oid, seat))
        if options:
            x = yield from ask.number(seat, min(options), max(options), "x", oid)
            return replace(entry, x=x)
    return entry


def choose_targets(
    state: State, seat: int, noun: Noun, entry: Entry, scope: Scope, chosen: list[tuple[Ref, ...]]
) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...] | None]:
    """The targets of one slot (601.2c), one after the other for each of the players for whom it is filled; None if it must have
    some and there are too few."""
    loop = loop_of(entry.program, noun)
    scope = with_said_x(state, entry.program, replace(scope, entry=entry))
    if loop is None:
        return (yield from _fill_slot(state, seat, noun, aimed(replace(scope, entry=entry), noun, chosen), chosen))
    filled: list[Ref] = []
    for ref in select(state, loop, scope):
        local = replace(scope.bind(BoundRefs.PLAYER, (ref,)), entry=entry)
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
    if target.by_opponent or target.by_player:  # 801.5a
        options = tuple(ref for ref in options if lookup.reaches(state, seat, ref))
    least = target.least
    most = target.most if target.most >= 0 else len(options)
    if target.x:  # as many as the X that was announced
        most = _announced_x(state, scope)
        least = most if least else 0
    if most > 1 and any(isinstance(part, nouns.Together) for part in walk(target.of.objects)):
        return (yield from _fill_together(state, seat, options, least, most, scope))
    if alike_of(target.of):
        beside = yield from choose_alike(state, seat, target.of, options, (least, most), scope)
        return beside if len(beside) >= least else None
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


def _announced_x(state: State, scope: Scope) -> int:
    """The X of how many targets there are: announced with the cost, or what the text says that it is (107.3)."""
    entry = scope.entry
    if entry is None:
        return 0
    told = (v.amount for v in entry.program if isinstance(v, forms.Bind) and v.as_name == "X" and v.amount is not None)
    return max(0, next((amount(state, x, scope) for x in told), entry.x))


def divide(
    state: State, seat: int, entry: Entry, scope: Scope
) -> Generator[AnyQuestion, AnyAnswer, tuple[tuple[int, ...], ...]]:
    """How something is divided among the targets, at least one to each (601.2d)."""
    found: list[tuple[int, ...]] = []
    slots = targets_of(entry.program)
    scope = with_said_x(state, entry.program, scope)
    for verb in divided(entry.program):
        slot = next((i for i, n in enumerate(slots) if n is shared(verb)), -1)
        refs = entry.targets[slot] if slot >= 0 else ()
        total = amount(state, verb.amount if isinstance(verb, forms.Damage) else verb.count, scope)
        least = 1 if total >= len(refs) else 0
        found.append((yield from ask.divide(seat, total, refs, least, "divide", scope.source)))
    return tuple(found)


def mode_costs(abilities: Abilities, modes: tuple[int, ...]) -> list[forms.AnyCost]:
    """What the chosen modes cost: each its own (spree), or so much for each beyond the first (escalate)."""
    if abilities.spell is None or not modes:
        return []
    found = [part for i in modes for part in abilities.spell.modes[i].cost]
    for keyword in abilities.quality("escalate")[:1]:
        found.extend(list(keyword.cost) * (len(modes) - 1))
    return found
