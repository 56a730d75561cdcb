"""For each seed rule one small change of the engine that breaks it; a test marked with the rule must then fail.

`MUTANTS[rule]()` breaks the rule in this process, for good: the runner forks one process for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server import rules
from server.cards import forms
from server.cards.loading import check
from server.rules.casting import castable as casting
from server.rules.casting import legal_actions
from server.rules.characteristics import layers, modifications, predicates, selection
from server.rules.combat import requirements, steps
from server.rules.combat.damage import assignable
from server.rules.happenings import apply, batch, expansion, replacement, rewriting
from server.rules.instructions import making_effects, resolve, verbs
from server.rules.instructions.going_on import after
from server.rules.model import (
    AttackersQuestion,
    CombatFrame,
    Next,
    ask,
    definition,
    events,
    lookup,
    next_state,
    player_ref,
)
from server.rules.turn import legal, state_based, structure

Break = Callable[[], None]
MUTANTS: dict[str, Break] = {}


def breaks(rule: str) -> Callable[[Break], Break]:
    """Enters a mutant for a rule."""

    def enter(mutant: Break) -> Break:
        MUTANTS[rule] = mutant
        return mutant

    return enter


def wrap(holder: Any, name: Any, make: Callable[[Any], Any]) -> None:
    """Replaces an attribute of a module or class, or an entry of a dict, by what `make` makes of it."""
    if isinstance(holder, dict):
        holder[name] = make(holder[name])
    else:
        setattr(holder, name, make(getattr(holder, name)))


def put(holder: Any, name: Any, value: Any) -> None:
    """Replaces an attribute or entry."""
    wrap(holder, name, lambda _: value)


def results(keep: Callable[[events.Event], events.Event | None]) -> None:
    """Changes (or with None drops) the results of damage."""

    def make(original: Any) -> Any:
        def changed(state: Any, event: Any) -> Any:
            stands, found = original(state, event)
            return stands, [kept for e in found if (kept := keep(e)) is not None]

        return changed

    wrap(expansion.LOWER, events.Damage, make)


def without(kind: type[events.Event], **fields: Any) -> Callable[[events.Event], events.Event | None]:
    """Drops results of a kind."""

    def keep(event: events.Event) -> events.Event | None:
        same = isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
        return None if same else event

    return keep


def ignoring(keywords: set[str], players: bool) -> None:
    """Has damage to players (or to permanents) not see some keywords of its source."""

    def make(original: Any) -> Any:
        def changed(state: Any, event: Any, have: frozenset[str]) -> Any:
            return original(state, event, have - keywords if (event.object < 0) == players else have)

        return changed

    wrap(expansion, "damage_results", make)


def identity_rewrite(work: Any, step: Any, event: Any) -> Any:
    """A rewrite that changes nothing."""
    return [event]
    yield


# --- 119 ------------------------------------------------------------------------------------------------------------------


@breaks("119.1")
def _source_unnamed() -> None:
    wrap(apply.APPLY, events.Damage, lambda original: lambda c, e: original(c, replace(e, subject=e.object)))


@breaks("119.1a")
def _anything_is_dealt_damage() -> None:
    put(expansion.POSSIBLE, events.Damage, lambda s, e: e.amount > 0 and (e.object < 0 or e.object in s.objects))


@breaks("119.2")
def _only_permanents_and_spells() -> None:
    put(legal_actions, "_elsewhere", lambda *_: None)


@breaks("119.2a")
def _power_minus_one() -> None:
    def changed(state: Any, fight: Any, oid: int) -> Any:
        found = assignable(state, fight, oid)
        return replace(found, power=found.power - 1) if found is not None else None

    put(steps, "assignable", changed)


@breaks("119.2b")
def _the_spell_deals_it() -> None:
    wrap(
        verbs.VERBS,
        forms.Damage,
        lambda original: lambda s, f, v: original(s, f, replace(v, source=forms.Noun("{this}"))),
    )


@breaks("119.3a")
def _no_life_is_lost() -> None:
    results(without(events.LoseLife))


@breaks("119.3b")
def _infect_on_players() -> None:
    ignoring({"infect"}, players=True)


@breaks("119.3c")
def _loyalty_stays() -> None:
    results(without(events.RemoveCounters))


@breaks("119.3d")
def _wither_on_creatures() -> None:
    ignoring({"infect", "wither"}, players=False)


@breaks("119.3e")
def _nothing_is_marked() -> None:
    results(without(events.MarkDamage))


@breaks("119.3f")
def _no_lifelink() -> None:
    put(expansion, "_lifelink", lambda *_: [])


@breaks("119.4")
def _dealing_is_not_told() -> None:
    wrap(expansion.LOWER, events.Damage, lambda original: lambda s, e: ([], original(s, e)[1]))


@breaks("119.4a")
def _prevention_does_nothing() -> None:
    put(rewriting.REWRITES, forms.Prevent, identity_rewrite)


@breaks("119.4b")
def _results_are_not_replaced() -> None:
    wrap(replacement, "_NEVER", lambda kinds: (*kinds, events.LoseLife, events.PutCounters, events.GainLife))


@breaks("119.4c")
def _results_one_after_the_other() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, group: Any) -> Any:
            done: list[events.Event] = []
            for event in group:
                state, new = original(state, (event,))
                done.extend(new)
                dead = [p.seat for p in state.players if p.life <= 0 and not p.lost]
                if dead:
                    state, new = original(state, tuple(events.Loses(subject=player_ref(s), cause="life") for s in dead))
                    done.extend(new)
            return state, done

        return changed

    wrap(batch, "do", make)


@breaks("119.4.example1")
def _gains_are_not_doubled() -> None:
    put(rewriting.REWRITES, forms.Scale, identity_rewrite)


@breaks("119.4.example2")
def _each_loss_by_itself() -> None:
    for module in (replacement, rewriting):
        put(module, "life_after", lambda s, e, b: lookup.player(s, e.subject).life - e.amount)


@breaks("119.5")
def _the_damage_destroys() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any) -> Any:
            by = {recipient: source for source, recipient in state.hurt}
            return tuple(replace(e, by=by.get(e.subject, 0)) for e in original(state))

        return changed

    wrap(state_based, "check", make)


@breaks("119.5.example")
def _no_destruction() -> None:
    def changed(o: Any, toughness: int) -> Any:
        dies = o.damage >= toughness or o.deathtouched
        return events.Move(subject=o.id, to="graveyard", cause="lethal damage") if dies else None

    put(state_based, "_creature", changed)


@breaks("119.6")
def _damage_goes_with_the_type() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any) -> Any:
            state, changes = original(state)
            objects = {
                i: replace(o, damage=0) if o.damage and "creature" not in layers.characteristics(state, i).types else o
                for i, o in state.objects.items()
            }
            if any(objects[i] is not o for i, o in state.objects.items()):
                state = next_state.evolve(state, objects=objects)
            return state, changes

        return changed

    wrap(batch, "settle", make)


@breaks("119.7")
def _only_permanents_are_sources() -> None:
    put(making_effects, "damage_sources", lambda state, noun, scope: state.battlefield)


@breaks("119.8")
def _zero_is_damage() -> None:
    wrap(
        expansion.POSSIBLE,
        events.Damage,
        lambda original: lambda s, e: original(s, replace(e, amount=max(1, e.amount))),
    )


# --- 609 ------------------------------------------------------------------------------------------------------------------


@breaks("609.1")
def _no_continuous_effects() -> None:
    put(verbs.VERBS, forms.Effect, lambda state, frame, verb: after(frame, []))


@breaks("609.2")
def _graveyards_too() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, zone: str) -> Any:
            found = original(state, zone)
            return (*found, *original(state, "graveyard")) if zone == "battlefield" else found

        return changed

    inside = selection.things.__globals__
    wrap(inside, "zone_ids", make)
    put(verbs, "on_board", lambda state, refs: refs)
    put(expansion.POSSIBLE, events.Destroy, lambda state, event: event.subject in state.objects)


@breaks("609.2.example")
def _spells_cost_the_same() -> None:
    put(casting, "_cost_changes", lambda *_: [])


@breaks("609.3")
def _all_or_nothing() -> None:
    def make(original: Any) -> Any:
        def changed(seat: int, options: Any, least: int, most: int, purpose: str, source: int = 0) -> Any:
            if least > len(options):
                return ()
            return (yield from original(seat, options, least, most, purpose, source))

        return changed

    wrap(ask, "choose", make)


@breaks("609.3.example")
def _discards_all_or_nothing() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, frame: Any, verb: forms.Discard) -> Any:
            if isinstance(verb.count, int) and any(0 < len(p.hand) < verb.count for p in state.players):
                return after(frame, [])
            return original(state, frame, verb)

        return changed

    wrap(verbs.VERBS, forms.Discard, make)


@breaks("609.4")
def _as_though_counts_for_everything() -> None:
    from server.cards import nouns

    def make(original: Any) -> Any:
        def changed(state: Any, predicate: Any, oid: int, scope: Any) -> bool:
            if any(
                r.flag.rule == f"can attack as though no {predicate.keyword}" for r in layers.rules_about(state, oid)
            ):
                return False
            return original(state, predicate, oid, scope)

        return changed

    wrap(predicates.PREDICATES, nouns.HasKeyword, make)


@breaks("609.4a")
def _one_as_though_only() -> None:
    wrap(requirements, "_may_attack", lambda original: lambda found, c, about: original(found, c, list(about)[:1]))


@breaks("609.4a.example")
def _flash_from_the_hand_only() -> None:
    def make(original: Any) -> Any:
        return lambda s, seat, oid, c: s.objects[oid].zone == "hand" and original(s, seat, oid, c)

    wrap(legal_actions, "has_flash", make)


@breaks("609.5")
def _ties_are_not_checked() -> None:
    put(check._Card, "reading", lambda *_: iter(()))  # pyright: ignore[reportPrivateUsage]


@breaks("609.6")
def _effects_never_end() -> None:
    put(structure, "_ended_effects", lambda *_: ())


@breaks("609.7")
def _shields_are_never_used_up() -> None:
    put(rewriting.Rewriting, "count_use", lambda work, event: None)


@breaks("609.7a")
def _any_source() -> None:
    put(
        replacement,
        "_from_chosen",
        lambda state, scope, event: scope.bound("chosen source") in (None, (event.subject,)),
    )


@breaks("609.7b")
def _characteristics_are_not_looked_at_again() -> None:
    put(making_effects, "_against", lambda effect, source: effect)


@breaks("609.7c")
def _permanents_only() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, key: str, ability: Any, scope: Any, event: Any, floating: Any, *more: Any) -> Any:
            if floating is None and isinstance(event, events.Damage) and event.subject not in state.battlefield:
                return None
            return original(state, key, ability, scope, event, floating, *more)

        return changed

    wrap(replacement, "applies", make)


# --- 802 ------------------------------------------------------------------------------------------------------------------


@breaks("802.1")
def _one_defending_player() -> None:
    wrap(structure, "defending_players", lambda original: lambda state, active: original(state, active)[:1])


@breaks("802.2")
def _one_is_chosen() -> None:
    put(
        structure.ACTIONS,
        "begin_combat",
        lambda state: structure._choose_defender(state, structure.defending_players(state, state.turn.active)),  # pyright: ignore[reportPrivateUsage]
    )


@breaks("802.2a")
def _the_first_defending_player() -> None:
    from server.cards import nouns

    def changed(state: Any, reading: Any, scope: Any) -> Any:
        return (player_ref(state.combat.defenders[0]),) if state.combat is not None else ()

    put(selection.READINGS, nouns.DefendingPlayer, changed)
    put(resolve, "_defending_players", lambda *_: ())


@breaks("802.2a.example")
def _anybodys_mountains() -> None:
    wrap(
        requirements,
        "_landwalks",
        lambda original: lambda s, c, seat: any(original(s, c, other) for other in s.combat.defenders),
    )


@breaks("802.3")
def _declarations_are_not_checked() -> None:
    put(legal.CHECKS, AttackersQuestion, lambda *_: None)


@breaks("802.3a")
def _limits_bind_everything() -> None:
    def make(original: Any) -> Any:
        return lambda *args: [replace(found, defenders=()) for found in original(*args)]

    wrap(requirements, "_attack_limits", make)


@breaks("802.3b")
def _bands_are_not_checked() -> None:
    put(legal, "_check_bands", lambda *_: None)


@breaks("802.4")
def _blocks_in_the_wrong_order() -> None:
    wrap(steps, "attacked_players", lambda original: lambda *args: tuple(reversed(original(*args))))


def _for_this_seat(state: Any, seat: int) -> Any:
    attackers = tuple(replace(a, player=seat) for a in state.combat.attackers)
    return next_state.evolve(state, combat=replace(state.combat, attackers=attackers))


@breaks("802.4a")
def _everybody_blocks_everything() -> None:
    wrap(requirements, "_block_rules", lambda original: lambda s, seat: original(_for_this_seat(s, seat), seat))


@breaks("802.4b")
def _others_blockers_count() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, seat: int) -> Any:
            creatures, judged = original(state, seat)
            if state.combat.blockers:
                judged = replace(judged, restrictions=())
            return creatures, judged

        return changed

    wrap(requirements, "_block_rules", make)


class _Backwards:
    """`lookup` with the turn order reversed."""

    def __getattr__(self, name: str) -> Any:
        return getattr(lookup, name)

    def turn_order(self, state: Any, start: int | None = None) -> tuple[int, ...]:
        """The seats backwards."""
        return tuple(reversed(lookup.turn_order(state, start)))


@breaks("802.5")
def _orders_backwards() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, fight: Any) -> Any:
            put(steps, "lookup", _Backwards())
            return original(state, fight)

        return changed

    wrap(steps, "_ask_orders", make)


@breaks("802.6")
def _damage_player_by_player() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, frame: Any) -> Any:
            out = original(state, frame)
            if isinstance(out, Next) and out.then is not None and out.then.assigned:  # type: ignore[attr-defined]
                assigned = out.then.assigned  # type: ignore[attr-defined]
                return replace(out, then=replace(out.then, assigned=()), batch=assigned)
            return out

        return changed

    wrap(steps.POSITIONS, "damage each", make)
    original = steps._ask_damage  # pyright: ignore[reportPrivateUsage]

    def asked(*args: Any) -> Any:
        out = yield from original(*args)
        then = out.then
        assert isinstance(then, CombatFrame)
        return replace(out, then=replace(then, assigned=()), batch=then.assigned)

    put(steps, "_ask_damage", asked)


# --- 306 ------------------------------------------------------------------------------------------------------------------


@breaks("306.1")
def _cast_at_any_time() -> None:
    def make(original: Any) -> Any:
        def offered(state: Any, seat: int, slow: bool, found: list[Any]) -> None:
            original(state, seat, slow, found)
            for oid in () if slow else state.players[seat].hand:
                c = layers.characteristics(state, oid)
                if "planeswalker" in c.types and legal_actions.castable(state, seat, state.objects[oid], c, slow=True):
                    found.append(legal_actions.Action("cast", oid))

        return offered

    wrap(legal_actions, "_from_hand", make)


@breaks("306.2")
def _under_somebody_elses_control() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, found: Any, entry: Any) -> Any:
            return original(state, replace(found, controller=(found.controller + 1) % len(state.players)), entry)

        return changed

    wrap(resolve, "_enter", make)


@breaks("306.3")
def _one_type_at_most() -> None:
    def make(original: Any) -> Any:
        def changed(card: Any) -> Any:
            found = original(card)
            return replace(found, subtypes=frozenset(sorted(found.subtypes)[:1]))

        return changed

    wrap(definition, "printed", make)


@breaks("306.4")
def _unique_for_each_controller() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, legends: Any, walkers: Any, *more: Any) -> Any:
            split: dict[str, list[int]] = {}
            for subtype, ids in walkers.items():
                for oid in ids:
                    split.setdefault(f"{subtype} {state.objects[oid].controller}", []).append(oid)
            return original(state, legends, split, *more)

        return changed

    wrap(state_based, "_uniqueness", make)


@breaks("306.5")
def _counters_give_loyalty() -> None:
    def make(original: Any) -> Any:
        def changed(base: Any, found: Any) -> Any:
            return replace(original(base, found), loyalty=lookup.count(found.counters, "loyalty"))

        return changed

    wrap(modifications, "_with_counters", make)


@breaks("306.5a")
def _no_loyalty_elsewhere() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any, oid: int) -> Any:
            c = original(state, oid)
            off = state.objects[oid].zone != "battlefield"
            return replace(c, loyalty=0) if off and c.loyalty is not None else c

        return changed

    wrap(rules, "characteristics", make)


@breaks("306.5b")
def _effects_do_not_see_what_it_enters_with() -> None:
    put(replacement, "_of_counters", lambda *_: [])


@breaks("306.5c")
def _printed_loyalty_for_ever() -> None:
    def make(original: Any) -> Any:
        return lambda base, found: replace(original(base, found), loyalty=base.loyalty)

    wrap(modifications, "_with_counters", make)


@breaks("306.5d")
def _as_often_as_one_likes() -> None:
    put(apply.APPLY, events.UsedAbility, lambda *_: None)


@breaks("306.6")
def _only_players_are_attacked() -> None:
    put(requirements, "planeswalkers_of", lambda *_: ())


@breaks("306.7")
def _no_redirection() -> None:
    put(replacement, "_redirection", lambda *_: None)


@breaks("306.8")
def _one_counter_whatever_the_damage() -> None:
    results(lambda e: replace(e, amount=1) if isinstance(e, events.RemoveCounters) else e)


@breaks("306.9")
def _stays_at_zero() -> None:
    wrap(
        state_based,
        "check",
        lambda original: lambda state: tuple(e for e in original(state) if e.cause != "no loyalty"),
    )
