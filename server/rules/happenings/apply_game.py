"""Doing events of the stack, the turn, effects, chance and the game itself."""

from __future__ import annotations

from msgspec.structs import replace

from server.rules.characteristics import characteristics
from server.rules.happenings.apply_zones import leave_battlefield, take_out
from server.rules.happenings.change import Change
from server.rules.model import (
    COMBAT_STEPS,
    MAIN_PHASES,
    Counted,
    LastKnown,
    Object,
    Ref,
    Turn,
    chance,
    events,
    rare,
    resolved,
    seat_of,
    with_rare,
)


def do_on_stack(change: Change, event: events.AbilityOnStack) -> None:
    """A new object on top of the stack (405.2); told with its id."""
    assert event.entry is not None and event.definition is not None
    seat = seat_of(event.subject)
    new = Object(
        id=change.next_id,
        definition=event.definition,
        owner=seat,
        controller=seat,
        zone="stack",
        timestamp=change.stamp(),
        base=seat,
        rare=rare(entry=event.entry, token=True),
    )
    change.next_id += 1
    change.put(new)
    change.fields["stack"] = (*change.get("stack"), new.id)
    change.done.append(replace(event, object=new.id))


def do_announced(change: Change, event: events.Announced) -> None:
    """The entry alone changes; nobody is told."""
    found = change.objects.get(event.subject)
    if found is not None:
        change.put(with_rare(found, entry=event.entry))


COUNTED_STEPS = frozenset((*MAIN_PHASES, "begin_combat", "upkeep"))
"""Those whose beginning is counted; that of any other is only told."""


def do_step(change: Change, event: events.StepBegins) -> None:
    """Upkeeps are counted (echo, 702.28a), and the turn's main phases (current 505.1b) and combat phases."""
    if event.step in MAIN_PHASES:
        change.note(Counted.MAIN_PHASES, event.subject)
    if event.step == "begin_combat":
        change.note(Counted.COMBAT_PHASES, event.subject)
    if event.step == "upkeep":
        seat = seat_of(event.subject)
        change.set_player(seat, upkeeps=(change.players[seat].upkeeps[1], change.state.turn.number))
    change.done.append(event)


def do_cast(change: Change, event: events.Cast) -> None:
    """Notes the spell for this turn, and for the whole game what a commander will cost more (current 903.8)."""
    change.note(Counted.SPELLS, event.subject)
    cast = change.objects.get(event.object)
    if cast is not None and cast.definition.base.types & {"instant", "sorcery"}:
        change.note(Counted.INSTANTS_AND_SORCERIES, event.subject)
    spell = change.objects.get(event.object)
    if spell is not None and spell.commander and spell.entry is not None and spell.entry.cast_from == "command":
        seat = seat_of(event.subject)
        before = dict(change.players[seat].commander_casts)
        before[spell.commander] = before.get(spell.commander, 0) + 1
        change.set_player(seat, commander_casts=tuple(before.items()))
    if spell is not None and spell.entry is not None and dict(spell.entry.paid).get("warp"):
        change.note(Counted.WARPED, event.subject)
    change.note(Counted.THING_CAST, event.object)
    change.done.append(event)


def do_triggered(change: Change, event: events.TriggeredAbilities) -> None:
    """What waits for the stack is `waiting`, whole (603.3); nobody is told before it is there."""
    change.fields["waiting"] = event.waiting


def do_cease(change: Change, event: events.Ceases) -> None:
    """An object ceases to exist: an ability that left the stack, a token or copy in the wrong zone (704.5d, e)."""
    found = change.objects.get(event.subject)
    if found is None:
        return
    if event.cause == "completed":  # current 309.7
        change.set_player(found.owner, completed=(*change.players[found.owner].completed, found.definition.name))
    if event.cause == "resolved" and found.entry is not None:
        change.note(resolved(found.entry.index), found.entry.source)
    chars = characteristics(change.state, found.id) if found.id in change.state.objects else found.definition.base
    change.remember(found.id, LastKnown(found, chars))
    take_out(change, found)
    change.drop(found.id)
    if found.zone == "battlefield":
        leave_battlefield(change, found)
    change.done.append(event)


def do_loses(change: Change, event: events.Loses) -> None:
    """Once only: who loses for two reasons at once loses for the first."""
    seat = seat_of(event.subject)
    if not change.players[seat].lost:
        change.set_player(seat, lost=event.cause or "lost")
        change.done.append(event)


def do_wins(change: Change, event: events.Wins) -> None:
    """The game ends as the answer is done (`turn/leave.py`), not here."""
    change.set_player(seat_of(event.subject), won=True)
    change.done.append(event)


def do_extra_turn(change: Change, event: events.ExtraTurn) -> None:
    """The turn that is added last is taken first (500.7)."""
    turn: Turn = change.get("turn")
    change.fields["turn"] = replace(turn, extra=(*turn.extra, seat_of(event.subject)))
    change.done.append(event)


def do_extra_phase(change: Change, event: events.ExtraPhase) -> None:
    """Its steps go into what is left of the turn."""

    turn: Turn = change.get("turn")
    added = (*COMBAT_STEPS, "postcombat_main") if event.main else COMBAT_STEPS
    steps = turn.steps
    # After this phase: what is left of the phase under way comes first (500.8).
    cut = 0
    if turn.step in COMBAT_STEPS:
        while cut < len(steps) and steps[cut] in COMBAT_STEPS and steps[cut] != "begin_combat":
            cut += 1
    change.fields["turn"] = replace(turn, steps=(*steps[:cut], *added, *steps[cut:]))
    change.done.append(event)


def do_skip(change: Change, event: events.Skip) -> None:
    """It waits until there is such a step, phase or turn to skip (614.10a)."""
    turn: Turn = change.get("turn")
    change.fields["turn"] = replace(turn, skips=(*turn.skips, (event.step, seat_of(event.subject))))
    change.done.append(event)


def do_make_effect(change: Change, event: events.MakeEffect) -> None:
    """Told with its number and timestamp (613.6a), by which it is ended and put in order."""
    assert event.effect is not None
    effect = replace(event.effect, id=change.next_id, timestamp=change.stamp())
    change.next_id += 1
    change.fields["effects"] = (*change.get("effects"), effect)
    change.done.append(replace(event, effect=effect))


def do_make_delayed(change: Change, event: events.MakeDelayed) -> None:
    """It gets a number, by which it is ended; nobody is told."""
    assert event.trigger is not None
    trigger = replace(event.trigger, id=change.next_id)
    change.next_id += 1
    change.fields["delayed"] = (*change.get("delayed"), trigger)


def do_end_effects(change: Change, event: events.EndEffects) -> None:
    """Nobody is told."""
    ids = event.ids
    change.fields["effects"] = tuple(e for e in change.get("effects") if e.id not in ids)
    change.fields["delayed"] = tuple(d for d in change.get("delayed") if d.id not in ids)


def do_set_effect(change: Change, event: events.UpdateEffect) -> None:
    """What is spent goes; nobody is told."""
    updated = event.effect
    assert updated is not None
    spent = (updated.uses < 0) or updated.amount == 0
    current = change.get("effects")
    change.fields["effects"] = tuple(
        (updated if e.id == updated.id else e) for e in current if e.id != updated.id or not spent
    )


def do_coin(change: Change, event: events.FlipCoin) -> None:
    """Chance is drawn here, once; told is `CoinFlipped`, and the program reads `results`: 1 won, 0 lost."""
    won = _fixed(change, "coin", event.subject)
    if won < 0:
        change.chance, number = chance.draw(change.state.options.seed, change.chance, 2)
        won = int(number == 0)
    change.fields["results"] = (won,)
    change.done.append(events.CoinFlipped(subject=event.subject, by=event.by, cause="won" if won else "lost"))


def do_die(change: Change, event: events.RollDie) -> None:
    """Chance is drawn here, once; told is `DieRolled`, and the program reads `results`: the number, from 1."""
    rolled = _fixed(change, "die", event.subject)
    if not 1 <= rolled <= event.amount:
        change.chance, number = chance.draw(change.state.options.seed, change.chance, event.amount)
        rolled = number + 1
    change.fields["results"] = (rolled,)
    change.done.append(events.DieRolled(subject=event.subject, by=event.by, amount=rolled))


def _fixed(change: Change, what: str, ref: Ref) -> int:
    """What a scenario has chance give a player next; -1: nothing, chance decides."""
    fixed = change.get("fixed_chance")
    for i, (kind, who, value) in enumerate(fixed):
        if kind == what and who == ref:
            change.fields["fixed_chance"] = (*fixed[:i], *fixed[i + 1 :])
            return value
    return -1


def do_pick_random(change: Change, event: events.PickAtRandom) -> None:
    """The first `amount` of the shuffled ids go to `results` together, behind those of other players; nobody is told."""
    ids = list(event.objects)
    change.chance = chance.shuffle(change.state.options.seed, change.chance, ids)
    others = change.fields.get("results", ())  # of other players
    change.fields["results"] = (*others, tuple(ids[: event.amount]))


def do_drew_empty(change: Change, event: events.DrawFromEmpty) -> None:
    """The player loses when state-based actions are checked next (104.3c), not now."""
    change.set_player(seat_of(event.subject), drew_empty=True)
    change.done.append(event)


def do_set_turn(change: Change, event: events.SetTurn) -> None:
    """Fields of the state by name; nobody is told."""
    for name, value in event.fields:
        change.fields[name] = value
