"""Mutants without one of the rules: the parts and results of damage (119)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.cards import forms
from server.rules.casting import legal_actions
from server.rules.characteristics import layers
from server.rules.combat import steps
from server.rules.combat.damage import assignable
from server.rules.happenings import apply, batch, expansion
from server.rules.instructions import HANDLERS
from server.rules.model import (
    events,
    lookup,
    next_state,
    player_ref,
    with_rare,
)
from server.rules.replacements import replacement, rewriting
from server.rules.turn import state_based
from server.rules.verbs import making_effects
from tests.mutants.gone.breaking import breaks, identity_rewrite, ignoring, put, results, without, wrap


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
    def changed(*args: Any) -> Any:
        found = assignable(*args)
        return replace(found, power=found.power - 1) if found is not None else None

    put(steps, "assignable", changed)


@breaks("119.2b")
def _the_spell_deals_it() -> None:
    wrap(
        HANDLERS,
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
                one = original(state, (event,))
                state = one.finish()
                done.extend(one.done)
                dead = [p.seat for p in state.players if p.life <= 0 and not p.lost]
                if dead:
                    one = original(state, tuple(events.Loses(subject=player_ref(s), cause="life") for s in dead))
                    state = one.finish()
                    done.extend(one.done)
            whole = original(state, ())
            whole.done.extend(done)
            return whole

        return changed

    wrap(batch, "done_to", make)


@breaks("119.4.example1")
def _gains_are_not_doubled() -> None:
    put(rewriting.REWRITES, forms.Scale, identity_rewrite)


@breaks("119.4.example2")
def _each_loss_by_itself() -> None:
    put(replacement, "life_after", lambda s, e, b: lookup.player(s, e.subject).life - e.amount)


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
    def changed(_: Any, o: Any, c: Any) -> Any:
        dies = "creature" in c.types and (o.damage >= (c.toughness or 0) or o.deathtouched)
        return events.Move(subject=o.id, to="graveyard", cause="lethal damage") if dies else None

    wrap(state_based, "DYING", lambda original: (changed, *original[1:]))


@breaks("119.6")
def _damage_goes_with_the_type() -> None:
    def make(original: Any) -> Any:
        def changed(state: Any) -> Any:
            state, changes = original(state)
            objects = {
                i: with_rare(o, damage=0)
                if o.damage and "creature" not in layers.characteristics(state, i).types
                else o
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
