"""Doing events: from a state and a batch to the next state and the events as they happened.

One function for each kind of event, found by its type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.rules.happenings.apply_combat import do_attackers_declared, do_blockers_declared, do_damage_order
from server.rules.happenings.apply_game import (
    do_announced,
    do_cast,
    do_cease,
    do_coin,
    do_die,
    do_drew_empty,
    do_end_effects,
    do_extra_phase,
    do_extra_turn,
    do_loses,
    do_make_delayed,
    do_make_effect,
    do_on_stack,
    do_pick_random,
    do_set_effect,
    do_set_turn,
    do_skip,
    do_step,
    do_triggered,
    do_wins,
)
from server.rules.happenings.apply_permanents import (
    do_add_mana,
    do_attach,
    do_chosen,
    do_control_changed,
    do_damage,
    do_deathtouched,
    do_face_up,
    do_gain_life,
    do_lose_life,
    do_mark,
    do_paired,
    do_phase,
    do_put_counters,
    do_regenerated,
    do_remove_counters,
    do_remove_damage,
    do_removed_from_combat,
    do_spend_mana,
    do_tap,
    do_turned_over,
    do_untap,
    do_used,
    do_used_permission,
)
from server.rules.happenings.apply_zones import (
    do_arrange,
    do_crime,
    do_land_played,
    do_log,
    do_move,
    do_mutates,
    do_reveal,
    do_shuffle,
    do_tokens_never,
)
from server.rules.happenings.change import Change
from server.rules.model import Counted, State, events, object_or_last, votes


def do(state: State, batch: tuple[events.Event, ...] | list[events.Event]) -> tuple[State, list[events.Event]]:
    """Does all events of a batch at once. Returns the next state and the events as they happened."""
    change = done_to(state, batch)
    return change.finish(), change.done


def done_to(state: State, batch: tuple[events.Event, ...] | list[events.Event]) -> Change:
    """The state being altered by all events of a batch."""
    change = Change(state)
    for event in batch:
        APPLY[type(event)](change, event)
    return change


def do_destroy(change: Change, event: events.Destroy) -> None:
    """What opponents destroy is counted."""
    _note_of_opponents(change, event, Counted.THING_DESTROYED)


def do_countered(change: Change, event: events.Countered) -> None:
    """What opponents counter is counted."""
    _note_of_opponents(change, event, Counted.THING_COUNTERED)


def _note_of_opponents(change: Change, event: events.Event, what: Counted) -> None:
    found, by = change.objects.get(event.subject), object_or_last(change.state, event.by)
    if found is not None and by is not None and by.controller != found.controller:
        change.note(what, event.subject)
    change.done.append(event)


def do_search(change: Change, event: events.SearchLibrary) -> None:
    """A player's searches of the own library are counted."""
    if event.subject == event.object:
        change.note(Counted.SEARCHES, event.subject)
    change.done.append(event)


def do_keyword_action(change: Change, event: events.KeywordAction) -> None:
    """How often a player ventures is counted; of others it is only told."""
    if event.cause == "venture":
        change.note(Counted.VENTURES, event.subject)
    change.done.append(event)


APPLY: dict[type[events.Event], Callable[[Change, Any], None]] = {
    events.Move: do_move,
    events.CreateTokens: do_tokens_never,
    events.Mutates: do_mutates,
    events.Draw: do_tokens_never,
    events.DrawSeveral: do_tokens_never,
    events.Destroy: do_destroy,
    events.Prevented: do_log,
    events.DamageHappened: do_log,
    events.Countered: do_countered,
    events.Shuffle: do_shuffle,
    events.Reveal: do_reveal,
    events.SetLibrary: do_arrange,
    events.SearchLibrary: do_search,
    events.Scried: do_log,
    votes.Votes: do_log,
    votes.Voted: do_log,
    votes.Decides: do_log,
    events.KeywordAction: do_keyword_action,
    events.LandPlayed: do_land_played,
    events.Damage: do_damage,
    events.MarkDamage: do_mark,
    events.Deathtouched: do_deathtouched,
    events.GainLife: do_gain_life,
    events.LoseLife: do_lose_life,
    events.PutCounters: do_put_counters,
    events.RemoveCounters: do_remove_counters,
    events.AddMana: do_add_mana,
    events.SpendMana: do_spend_mana,
    events.Tap: do_tap,
    events.Untap: do_untap,
    events.Attach: do_attach,
    events.ControlChanged: do_control_changed,
    events.Regenerated: do_regenerated,
    events.RemoveDamage: do_remove_damage,
    events.RemovedFromCombat: do_removed_from_combat,
    events.Chosen: do_chosen,
    events.Designated: do_log,
    events.Paired: do_paired,
    events.PhaseOut: do_phase,
    events.PhaseIn: do_phase,
    events.TurnFaceUp: do_face_up,
    events.TurnedOver: do_turned_over,
    events.UsedAbility: do_used,
    events.EvidenceCollected: do_log,
    events.Expended: do_log,
    events.Crime: do_crime,
    events.UsedPermission: do_used_permission,
    events.Cast: do_cast,
    events.Activated: do_log,
    events.AbilityOnStack: do_on_stack,
    events.BecameTarget: do_log,
    events.Announced: do_announced,
    events.TriggeredAbilities: do_triggered,
    events.Ceases: do_cease,
    events.AttackersDeclared: do_attackers_declared,
    events.Attacks: do_log,
    events.BlockersDeclared: do_blockers_declared,
    events.Blocks: do_log,
    events.BecomesBlocked: do_log,
    events.BecomesUnblocked: do_log,
    events.DamageOrder: do_damage_order,
    events.StepEntered: do_log,
    events.StepBegins: do_step,
    events.Loses: do_loses,
    events.Wins: do_wins,
    events.GameDrawn: do_log,
    events.Restarts: do_log,
    events.Subgame: do_log,
    events.Acted: do_log,
    events.ExtraTurn: do_extra_turn,
    events.ExtraPhase: do_extra_phase,
    events.Skip: do_skip,
    events.MakeEffect: do_make_effect,
    events.MakeDelayed: do_make_delayed,
    events.EndEffects: do_end_effects,
    events.UpdateEffect: do_set_effect,
    events.CoinFlipped: do_log,
    events.DieRolled: do_log,
    events.FlipCoin: do_coin,
    events.RollDie: do_die,
    events.PickAtRandom: do_pick_random,
    events.DrawFromEmpty: do_drew_empty,
    events.SetTurn: do_set_turn,
    events.Mulligan: do_log,
}
