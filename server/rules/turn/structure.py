"""The turn structure (500 to 514): which step comes next, its turn-based actions, and what ends with it."""

from __future__ import annotations

from collections.abc import Callable, Generator

from msgspec.structs import replace

from server.cards import forms
from server.cards.nouns import STEPS
from server.rules.characteristics import amount, board, characteristics, rules_about, select
from server.rules.functioning import all_rules, controlled_players, emptied, has, in_force, rad_trigger, rules
from server.rules.happenings import batch, is_of_many, phasing
from server.rules.model import (
    COMBAT_STEPS,
    NO_MANA,
    AnyAnswer,
    AnyQuestion,
    Combat,
    CombatFrame,
    Counted,
    Next,
    PriorityFrame,
    State,
    Step,
    Turn,
    TurnFrame,
    all_of,
    ask,
    events,
    lookup,
    player_ref,
    with_rare,
)
from server.rules.turn import state_based, untap_limits
from server.rules.turn.durations import NEXT_TURNS, UNTIL_STEP, ended_effects
from server.rules.turn.sagas import lore_of

#: Those of every turn; a first combat damage step is put in where one is needed (510.5).
ALL_STEPS: tuple[Step, ...] = tuple(step for step in STEPS if step != "first_combat_damage")
Acting = Generator[AnyQuestion, AnyAnswer, Next]


#: What most steps are followed by: the end of the step once all have passed, then the next one.
_ENDS = TurnFrame(at="end")
_ACTS = TurnFrame(at="act")
_CHECKS = TurnFrame(at="cleanup check")
_FOLLOWS = TurnFrame(at="next")


def step(state: State, frame: TurnFrame) -> Next | Acting:
    """One position of the turn structure."""
    return POSITIONS[frame.at](state, frame)


def _next(state: State, frame: TurnFrame) -> Next:
    turn = state.turn
    if not turn.steps:
        return _new_turn(state)
    ruled = bool(turn.skips or in_force(state, forms.PlayerRule))
    place = 0 if ruled else _passed_over(state)
    step_name = turn.steps[place]
    turn = replace(turn, step=step_name, steps=turn.steps[place + 1 :])
    skip = _skip(state, turn, step_name) if ruled else None
    if skip is not None:
        return Next(TurnFrame(at="next"), fields={"turn": replace(turn, skips=skip)})
    if step_name == "combat_damage" and state.combat is not None and state.combat.first_step is None:
        # 510.5: with first or double strike about, the phase has two combat damage steps.
        quick = strikers(state)
        if quick:
            turn = replace(turn, step="first_combat_damage", steps=("combat_damage", *turn.steps))
            fields = {"turn": turn, "combat": replace(state.combat, first_step=quick)}
            return Next(TurnFrame(at="act"), batch=_entered(turn), fields=fields)
    if (ruled or not turn.steps) and _nothing_to_do(state, step_name):  # else it was passed over
        return Next(TurnFrame(at="next"), fields={"turn": turn})
    fields: dict[str, object] = {"turn": turn}
    if state.effects and (effects := controlled_players.with_step(state, step_name)) is not state.effects:
        fields["effects"] = effects
    elif board(state).lasting and batch.steps_unwatched(state):
        return _unseen(state, turn, fields)
    return Next(_ACTS, batch=_entered(turn), fields=fields)


def _unseen(state: State, turn: Turn, fields: dict[str, object]) -> Next:
    """A step that nothing looks at as it begins, nor would as it has begun. Where turn-based actions there are none nobody could tell its
    two beginnings apart."""
    entered = _entered(turn)
    if turn.step in ACTIONS and (turn.step != "precombat_main" or any(_begins_with(state))):
        fields["results"] = entered
        act = ACTIONS[turn.step](state) if turn.step in _OF_CREATURES else None
        if isinstance(act, Next):
            return Next(act.then, push=act.push, told=entered, fields=fields)
        return Next(_ACTS, told=entered, fields=fields)
    begins = _begins(state, turn.step)
    fields |= batch.told(state, begins)
    return Next(_ENDS, told=(*entered, *begins), push=(PriorityFrame(holder=turn.active),), fields=fields)


def _all_begins(state: State, then: TurnFrame, push: tuple[PriorityFrame, ...] = ()) -> Next:
    """The step begins and nothing else happens: only told where nothing looks at it."""
    begins = _begins(state, state.turn.step)
    if batch.steps_unwatched(state):
        return Next(then, told=begins, push=push, fields=batch.told(state, begins))
    return Next(then, batch=begins, push=push)


def _passed_over(state: State) -> int:
    """How many of the next steps there are not (508.6)."""
    steps, place = state.turn.steps, 0
    while place + 1 < len(steps) and _nothing_to_do(state, steps[place]):
        place += 1
    return place


def _entered(turn: Turn) -> tuple[events.Event, ...]:
    return (events.StepEntered(subject=player_ref(turn.active), step=turn.step),)


def strikers(state: State) -> tuple[int, ...]:
    """The attacking and blocking creatures with first strike or double strike."""
    combat = state.combat
    if combat is None:
        return ()
    fighting = (*(a.id for a in combat.attackers), *(b.id for b in combat.blockers))
    return tuple(i for i in fighting if characteristics(state, i).keywords & {"first strike", "double strike"})


def _skip(state: State, turn: Turn, name: str) -> tuple[tuple[str, int], ...] | None:
    """The skips left over if this step (or its phase) is to be skipped (614.10), None if it takes place."""
    phase = "combat" if name in COMBAT_STEPS else name
    for i, (what, seat) in enumerate(turn.skips):
        if seat in lookup.together(state, turn.active) and (what == name or (what == phase and name == "begin_combat")):
            left = turn.skips[:i] + turn.skips[i + 1 :]
            return left
    if not all_rules(state):
        return None
    for ability, _ in (one for seat in lookup.together(state, turn.active) for one in rules(state, seat, "skip step")):
        if ability.step in (name, phase):
            return turn.skips
    return None


def _nothing_to_do(state: State, name: Step) -> bool:
    """508.6: without attackers there are no declare blockers and combat damage steps; and no combat without its beginning."""
    if name not in COMBAT_STEPS or name == "begin_combat":
        return False
    if state.combat is None:
        return True
    return name in ("declare_blockers", "combat_damage", "first_combat_damage") and not state.combat.attackers


def _new_turn(state: State) -> Next:
    turn = state.turn
    extra = turn.extra
    while extra and not lookup.present(state, extra[-1]):
        extra = extra[:-1]
    if extra:
        active, extra, is_extra = extra[-1], extra[:-1], True
    else:
        active, is_extra = _next_player(state), False
    for i, (what, seat) in enumerate(turn.skips):
        if what == "turn" and seat in lookup.together(state, active):
            skips = turn.skips[:i] + turn.skips[i + 1 :]
            passed = replace(turn, skips=skips, extra=extra, last_normal=turn.last_normal if is_extra else active)
            if not turn.number:
                passed = replace(passed, number=turn.number)
            return Next(TurnFrame(at="next"), fields={"turn": passed})
    number = turn.number + 1
    new = Turn(
        number=number,
        active=active,
        steps=ALL_STEPS,
        seats=tuple(p.seat for p in state.players if not p.lost),
        extra=extra,
        is_extra=is_extra,
        skips=turn.skips,
        last_normal=turn.last_normal if is_extra else active,
        began=turn.began,
    )
    taking = lookup.together(state, active)
    fields: dict[str, object] = {
        "turn": new,
        "history": _kept_history(state),
        "known_then": {},
        "hurt": (),
        "last": _kept_last(state),
    }
    # What is as it was stays the same value: what is known of it holds on.
    if any(p.lands_played for p in state.players):
        fields["players"] = tuple(replace(p, lands_played=0) if p.lands_played else p for p in state.players)
    found = (state.objects[oid] for oid in state.battlefield)
    well = {o.id: replace(o, sick=False) for o in found if o.sick and o.controller in taking}
    if well:
        fields["objects"] = state.objects | well
    begun = ended_effects(state, ("your next turn",), active)
    left = () if is_extra else _turns_of_leavers(state, active)
    begun = (*begun, *(e.id for e in state.effects if e.until in NEXT_TURNS and e.controller in left))
    begins = (*taking, *left)
    if any(d.until == "your next turn" and d.controller in begins for d in state.delayed):
        kept = (d for d in state.delayed if d.until != "your next turn" or d.controller not in begins)
        fields["delayed"] = tuple(kept)
    lasting = tuple(e for e in state.effects if e.id not in begun) if begun else state.effects
    if (effects := controlled_players.with_turn(lasting, taking)) is not state.effects:
        fields["effects"] = effects
    return Next(TurnFrame(at="next"), fields=fields)


def _turns_of_leavers(state: State, active: int) -> tuple[int, ...]:
    """Who would have begun a turn before this player, but has left the game (current 800.4m)."""
    if not state.edition.leavers_turns_count or not state.turn.number:
        return ()
    last, n = state.turn.last_normal, len(state.players)
    between = ((last + i) % n for i in range(1, (active - last) % n or n))
    return tuple(seat for seat in between if not lookup.present(state, seat))


def _next_player(state: State) -> int:
    """Whose turn is next in turn order: of a team with shared turns the primary player's (805.4)."""
    turn, n = state.turn, len(state.players)
    last = turn.last_normal if turn.number else turn.active - 1
    following = ((last + i) % n for i in range(1, n + 1))
    done = lookup.together(state, last) if turn.number and state.options.shared else ()
    return next(
        (lookup.spokesman(state, s) for s in following if lookup.present(state, s) and s not in done), turn.active
    )


def _kept_history(state: State) -> dict[tuple[str, int], int]:
    """What is still asked of the turn that is over."""
    return {(Counted.SPELLS_LAST_TURN, ref): n for ref, n in all_of(state, Counted.SPELLS)}


def _kept_last(state: State) -> dict[int, object]:
    """Last known information that something may still ask for: what waits, floats or is on the stack speaks of it."""
    spoken: set[int] = set()
    for thing in (*state.delayed, *state.effects, *state.waiting):
        spoken.add(thing.source)
        for _, value in thing.bindings:
            if isinstance(value, tuple):
                spoken.update(value)
    return {oid: last for oid, last in state.last.items() if oid in spoken}


# --- turn-based actions ------------------------------------------------------------------------------------------------------


def _act(state: State, frame: TurnFrame) -> Next | Acting:
    act = ACTIONS.get(state.turn.step)
    if act is None:
        return _begin_step(state)
    return act(state)


def _begin_step(state: State, *before: events.Event) -> Next:
    """Abilities that trigger at the beginning of the step trigger; then priority."""
    until = UNTIL_STEP.get(state.turn.step)
    if until is not None and (ended := ended_effects(state, (until,), state.turn.active)):
        before = (*before, events.EndEffects(ids=ended))
    push = (PriorityFrame(holder=state.turn.active),)  # 116.3a
    if not before:
        return _all_begins(state, _ENDS, push)
    return Next(_ENDS, batch=(*before, *_begins(state, state.turn.step)), push=push)


def _begins(state: State, step: Step) -> tuple[events.Event, ...]:
    """The step begins, for each player whose turn it is."""
    return tuple([events.StepBegins(subject=player_ref(seat), step=step) for seat in lookup.active_players(state)])


def _phase(state: State) -> Acting | Next:
    # 502: phasing, then untapping, then no priority.
    changes = phasing.untap_step(state)
    return Next(TurnFrame(at="untap"), batch=tuple(changes)) if changes else _untap(state)


def _untap(state: State) -> Acting | Next:
    active = state.turn.active
    changes: list[events.Event] = []
    choices: list[int] = []
    others, untapping = _untap_too(state, active), lookup.active_players(state)
    for oid in state.battlefield:
        found = state.objects[oid]
        if found.rare.phased_out or found.controller not in untapping and oid not in others:
            continue
        if found.tapped:
            flags = [r.flag.rule for r in rules_about(state, oid)]
            if "doesn't untap" in flags:
                continue
            if "may not untap" in flags:
                choices.append(oid)
            else:
                changes.append(events.Untap(subject=oid, cause="untap step"))
    begins = _begins(state, "untap")
    ended = ended_effects(state, ("next untap step", "your next untap step", "their next untap step"), active)
    if ended:
        changes.append(events.EndEffects(ids=ended))
    if choices or any(rule.rule == untap_limits.LIMIT for rule, _ in all_rules(state)):
        return _untap_choices(state, tuple(choices), changes, begins)
    return Next(_ENDS, batch=(*changes, *begins)) if changes else _all_begins(state, _ENDS)


def _untap_too(state: State, active: int) -> tuple[int, ...]:
    """What untaps in this player's untap step though other players control it."""
    if not all_rules(state):
        return ()
    found: list[int] = []
    for seat in lookup.turn_order(state):
        for rule, scope in rules(state, seat, "untaps in other untap steps"):
            if seat != active and rule.what is not None:
                found += select(state, rule.what, scope)
    return tuple(found)


def _untap_choices(
    state: State, choices: tuple[int, ...], changes: list[events.Event], begins: tuple[events.Event, ...]
) -> Acting:
    untaps: list[events.Event] = []
    for oid in choices:
        if not (yield from ask.confirm(state.objects[oid].controller, "stay tapped", oid)):
            untaps.append(events.Untap(subject=oid, cause="untap step"))
    untaps = [*(e for e in changes if isinstance(e, events.Untap)), *untaps]
    others = (e for e in changes if not isinstance(e, events.Untap))
    kept = yield from untap_limits.within_limits(state, state.turn.active, tuple(e.subject for e in untaps))
    return Next(TurnFrame(at="end"), batch=(*(e for e in untaps if e.subject in kept), *others, *begins))


def _draw(state: State) -> Next:
    # 103.7a: the first player of a two-player game skips the draw of the first turn.
    first_draw = state.options.first_draw
    if first_draw is None:
        first_draw = is_of_many(state) and not state.options.shared  # 810.6
    if state.turn.number == state.turn.began + 1 and not first_draw:
        return _begin_step(state)
    if not lookup.present(state, state.turn.active):
        return _begin_step(state)
    # 504.1: the turn-based draw, then abilities trigger at the beginning of the step (504.2).
    draws = tuple(events.Draw(subject=player_ref(seat), cause="turn") for seat in lookup.active_players(state))
    return Next(TurnFrame(at="begin"), batch=draws)


def _begin(state: State, frame: TurnFrame) -> Next:
    return _begin_step(state)


def _begin_combat(state: State) -> Next | Acting:
    active = state.turn.active
    defenders = defending_players(state, active)
    if state.options.attack == "single" and len(defenders) > 1 and lookup.present(state, active):
        return _choose_defender(state, defenders)
    return _start_combat(state, defenders)


def _choose_defender(state: State, defenders: tuple[int, ...]) -> Acting:
    # 507.1
    refs = tuple(player_ref(s) for s in defenders)
    picked = yield from ask.choose_refs(state.turn.active, refs, 1, 1, "defending player")
    return _start_combat(state, (-1 - picked[0],))


def _start_combat(state: State, defenders: tuple[int, ...]) -> Next:
    combat = Combat(state.turn.active, defenders=defenders)
    if board(state).lasting and batch.steps_unwatched(state):
        begins = _begins(state, "begin_combat")
        fields = {"combat": combat, **batch.told(state, begins)}
        return Next(_ENDS, told=begins, push=(PriorityFrame(holder=state.turn.active),), fields=fields)
    setting = events.SetTurn(fields=(("combat", combat),))
    return Next(TurnFrame(at="priority"), batch=(setting, *_begins(state, "begin_combat")))


def defending_players(state: State, active: int) -> tuple[int, ...]:
    """Who can be attacked this combat (802.2, 803.1, 801.2): all opponents, the next to the left or right, in range; only who sits
    immediately next to the active player where the game says so (809.3c, 811.4)."""
    opponents = lookup.opponents(state, active)
    attack = state.options.attack
    if state.options.adjacent and opponents:
        order = lookup.turn_order(state, active)
        opponents = tuple(s for s in opponents if s in (order[1], order[-1]))
    if attack in ("left", "right") and opponents:
        order = lookup.turn_order(state, active)[1:]
        opponents = tuple(s for s in opponents if s == (order[0] if attack == "left" else order[-1]))
    return tuple(s for s in opponents if lookup.in_range(state, active, s))


def _declare_attackers(state: State) -> Next:
    return Next(TurnFrame(at="begin"), push=(CombatFrame(at="attack", seat=state.turn.active),))


def _declare_blockers(state: State) -> Next:
    return Next(TurnFrame(at="begin"), push=(CombatFrame(at="block"),))


def _combat_damage(state: State) -> Next:
    return Next(TurnFrame(at="begin"), push=(CombatFrame(at="damage"),))


def _cleanup(state: State) -> Acting:
    # 514.1, 514.2
    discards: list[events.Event] = []
    for seat in lookup.active_players(state):
        p = state.players[seat]
        limit = hand_limit(state, seat)
        if not p.lost and limit is not None and len(p.hand) > limit:
            n = len(p.hand) - limit
            picked = yield from ask.choose_refs(seat, p.hand, n, n, "discard to hand size")
            if n == len(p.hand):
                picked = lookup.by_name(state, picked)
            discards.extend(events.Move(subject=i, to="graveyard", cause="discard") for i in picked)
    return Next(TurnFrame(at="cleanup"), batch=tuple(discards))


def hand_limit(state: State, seat: int) -> int | None:
    """The maximum hand size (402.2), None if there is none."""
    if has(state, seat, "no maximum hand size"):
        return None
    limit = state.players[seat].max_hand
    for ability, scope in rules(state, seat, "maximum hand size"):
        limit = amount(state, ability.number, scope)
    limit += sum(amount(state, one.number, scope) for one, scope in rules(state, seat, "maximum hand size changes"))
    return max(0, limit)


def _cleanup_ends(state: State, frame: TurnFrame) -> Next:
    found = (state.objects[oid] for oid in state.battlefield)
    whole = {o.id: with_rare(o, damage=0, deathtouched=False) for o in found if o.rare.damage or o.rare.deathtouched}
    fields: list[tuple[str, object]] = [("objects", state.objects | whole)] if whole else []
    gone = ended_effects(state, ("end of turn", "end of your next turn", "end of their next turn"), state.turn.active)
    if gone:
        fields.append(("effects", tuple(e for e in state.effects if e.id not in gone)))
    if any(d.until == "end of turn" for d in state.delayed):
        fields.append(("delayed", tuple(d for d in state.delayed if d.until != "end of turn")))
    if not fields:
        return _all_begins(state, _CHECKS)
    return Next(_CHECKS, batch=(events.SetTurn(fields=tuple(fields)), *_begins(state, "cleanup")))


def _cleanup_check(state: State, frame: TurnFrame) -> Next:
    """514.3a: if something happens in the cleanup step, players get priority and another cleanup step follows."""
    if not state.waiting and not state_based.check(state):
        return _end(state, frame)
    turn = replace(state.turn, steps=("cleanup", *state.turn.steps))
    return Next(TurnFrame(at="end"), push=(PriorityFrame(holder=state.turn.active),), fields={"turn": turn})


def _priority(state: State, frame: TurnFrame) -> Next:
    return Next(_ENDS, push=(PriorityFrame(holder=state.turn.active),))


def _end(state: State, frame: TurnFrame) -> Next:
    # 500.4: mana empties as each step ends; 511.3: after combat everything is removed from it.
    fields: dict[str, object] = {}
    if [p for p in state.players if p.pool != NO_MANA or p.marked]:
        fields["players"] = tuple(emptied(state, p) for p in state.players)
    if state.turn.step == "end_combat":
        fields["combat"] = None
        gone = ended_effects(state, ("end of combat",), -1)
        if gone:
            fields["effects"] = tuple(e for e in state.effects if e.id not in gone)
        if any(d.until == "end of combat" for d in state.delayed):
            fields["delayed"] = tuple(d for d in state.delayed if d.until != "end of combat")
    return Next(_FOLLOWS, fields=fields) if fields else _next(state, frame)


def _begins_with(state: State) -> tuple[list[events.PutCounters], events.TriggeredAbilities | None]:
    """What happens as a precombat main phase begins: lore counters are put before abilities trigger (current 714.3b), among them those
    of rad counters."""
    return [one for seat in lookup.active_players(state) for one in lore_of(state, seat)], rad_trigger(state)


def _precombat_main(state: State) -> Next:
    lore, radiation = _begins_with(state)
    if radiation is None:
        return _begin_step(state, *lore)
    begins = (*lore, *_begins(state, "precombat_main"), radiation)
    return Next(_ENDS, batch=begins, push=(PriorityFrame(holder=state.turn.active),))


ACTIONS: dict[str, Callable[[State], Next | Acting]] = {
    "untap": _phase,
    "draw": _draw,
    "precombat_main": _precombat_main,
    "begin_combat": _begin_combat,
    "declare_attackers": _declare_attackers,
    "declare_blockers": _declare_blockers,
    "first_combat_damage": _combat_damage,
    "combat_damage": _combat_damage,
    "cleanup": _cleanup,
}
#: Those whose turn-based actions are frames of their own: what creatures do is asked there.
_OF_CREATURES = frozenset(("declare_attackers", "declare_blockers", "combat_damage"))
POSITIONS: dict[str, Callable[[State, TurnFrame], Next | Acting]] = {
    "next": _next,
    "act": _act,
    "untap": lambda state, frame: _untap(state),
    "begin": _begin,
    "priority": _priority,
    "cleanup": _cleanup_ends,
    "cleanup check": _cleanup_check,
    "end": _end,
}
