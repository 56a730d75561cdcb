"""Losing, leaving and winning (104, 800.4): what happens when a player loses or leaves, and when the game ends."""

from __future__ import annotations

from msgspec.structs import replace

from server.cards import forms
from server.rules.characteristics import characteristics, select
from server.rules.happenings.apply import do
from server.rules.happenings.batch import noticed, settle
from server.rules.happenings.cards_of_objects import cards_of
from server.rules.happenings.designations import inherited, left_behind
from server.rules.happenings.restarting import restarted
from server.rules.happenings.subgames import begun, ended, given_back
from server.rules.model import (
    AnnounceFrame,
    BatchFrame,
    CombatFrame,
    Floating,
    Frame,
    LastKnown,
    Object,
    PriorityFrame,
    ResolveFrame,
    Result,
    RunFrame,
    Scope,
    State,
    events,
    evolve,
    lookup,
    out_of_combat,
    player_ref,
    seat_of,
    with_rare,
)

Log = list[events.Event]


_ENDS = frozenset((events.Loses, events.Wins, events.GameDrawn, events.Restarts, events.Subgame))


def after(state: State, log: Log, start: int) -> State:
    """Looks at the events of a batch that was just done: players who lost leave, and the game may end (104.1, 104.5)."""
    fresh = log[start:]
    if _ENDS.isdisjoint(map(type, fresh)):
        return state
    begins = next((e for e in fresh if isinstance(e, events.Restarts)), None)
    if begins is not None:
        return restarted(state, begins)
    within = next((e for e in fresh if isinstance(e, events.Subgame) and not e.cause), None)
    if within is not None:
        return begun(state, within)
    drawn = [e for e in fresh if isinstance(e, events.GameDrawn)]
    if drawn and state.options.limited and drawn[0].subject:
        return _partly_drawn(state, tuple(seat_of(e.subject) for e in drawn), log)
    if drawn:
        return _over(state, Result((), next(e.cause for e in fresh if isinstance(e, events.GameDrawn)) or "draw"))
    winners = tuple(seat_of(e.subject) for e in fresh if isinstance(e, events.Wins))
    losers = tuple(seat_of(e.subject) for e in fresh if isinstance(e, events.Loses))
    if winners:
        return _over(state, Result(_with_teams(state, winners), "effect"))
    fallen = _falling_with(state, losers)
    if fallen:
        log.extend(events.Loses(subject=player_ref(s), cause="team") for s in fallen)
        state = noticed(_out(state, fallen, "team"), log[-len(fallen) :])
    return _without(state, (*losers, *fallen), "all lost", log)


def _falling_with(state: State, losers: tuple[int, ...]) -> tuple[int, ...]:
    """Who loses because another of the team has: a team with its emperor (104.3i, 809.5b), heads of one giant together (810.8a)."""
    options = state.options
    felled = [seat for seat in losers if options.shared or seat in options.emperors]
    return tuple(
        p.seat for p in state.players if not p.lost and any(lookup.same_team(state, p.seat, s) for s in felled)
    )


def _out(state: State, seats: tuple[int, ...], cause: str) -> State:
    return evolve(state, players=tuple(replace(p, lost=cause) if p.seat in seats else p for p in state.players))


def _without(state: State, gone: tuple[int, ...], why: str, log: Log) -> State:
    """The game without players who are out of it: over if one team is left or none (104.2a, c; 104.4a, d), else they leave."""
    left = _sides(state)
    if not left:
        return _over(state, Result((), why))
    if len(left) == 1:
        winners = _with_teams(state, left[0])
        log.extend(events.Wins(subject=player_ref(s)) for s in winners)
        return _over(state, Result(winners, "last"))
    names = left_behind(state, gone)
    for place, seat in enumerate(gone):
        state = leave(state, seat, gone[place + 1 :])
    if not names:
        return state
    state, told = do(state, inherited(state, names))
    log.extend(told)
    return noticed(state, told)


def _with_teams(state: State, winners: tuple[int, ...]) -> tuple[int, ...]:
    """Everybody of a team that wins, though some of them may have lost before (104.2c)."""
    return tuple(p.seat for p in state.players if any(lookup.same_team(state, p.seat, s) for s in winners))


def _partly_drawn(state: State, seats: tuple[int, ...], log: Log) -> State:
    """801.17, 801.18: the game is a draw for these and everybody in the range of one of them; they leave, the others go on. Where an
    emperor is among them it is one for the whole team (104.4h, 809.5c)."""
    drawn = (p.seat for p in state.players if any(lookup.in_range(state, seat, p.seat) for seat in seats))
    out = tuple(seat for seat in drawn if lookup.present(state, seat))
    out = (*out, *(s for s in _falling_with(state, out) if s not in out))
    return _without(_out(state, out, "draw"), out, "draw", log)


def _sides(state: State) -> list[tuple[int, ...]]:
    """The players still in the game, by team (808.5: a team wins together)."""
    teams = state.options.teams
    sides: dict[int, list[int]] = {}
    for p in state.players:
        if not p.lost:
            sides.setdefault(teams[p.seat] if teams else p.seat, []).append(p.seat)
    return [tuple(seats) for seats in sides.values()]


def _over(state: State, result: Result) -> State:
    if state.main is not None:
        return ended(state, result.winners)
    return evolve(state, result=result, pending=None, agenda=())


def draw(state: State, log: Log) -> State:
    """The game is a draw by a loop that nobody can end (104.4b)."""
    log.append(events.GameDrawn(cause="loop"))
    return _over(state, Result((), "loop"))


def concede(state: State, seat: int, log: Log) -> State:
    """A player concedes (104.3a): at any time, whoever is asked; the step under way starts again without that player. Who has lost a
    subgame concedes the game in which it is played, which goes on when the subgame is over."""
    if state.main is not None and state.players[seat].lost:
        main = concede(state.main, seat, log)
        return main if main.result is not None else _with_main(state, main)
    start = len(log)
    players = tuple(replace(p, lost="concede") if p.seat == seat else p for p in state.players)
    log.append(events.Loses(subject=player_ref(seat), cause="concede"))
    state = noticed(evolve(state, players=players, pending=None), log[start:])
    return after(state, log, start)


def _with_main(state: State, main: State) -> State:
    """A subgame of a main game that has changed, also where an announcement is taken back."""
    agenda = tuple(
        replace(frame, before=evolve(frame.before, main=main))
        if isinstance(frame, AnnounceFrame) and frame.before is not None
        else frame
        for frame in state.agenda
    )
    return evolve(state, main=main, agenda=agenda)


def leave(state: State, seat: int, also: tuple[int, ...] = ()) -> State:
    """A player leaves the game (800.4a): the objects they own leave (a subgame for the main game), what they control otherwise ends or
    is exiled. `also`: who leaves with them, after them."""
    objects = dict(state.objects)
    passed_on = state.stack
    main = None if state.main is None else given_back(state, seat)
    gone = {oid for oid, o in objects.items() if o.owner == seat}
    # 800.4a: all spells and abilities on the stack that the player controls cease to exist; in an edition those that are cards don't.
    theirs = {oid for oid in state.stack if objects[oid].controller == seat}
    gone.update(o for o in theirs if state.edition.leavers_spells_cease or not _is_card(objects[o]))
    last = _remembered(state, gone)
    for oid in gone:
        del objects[oid]
    there = evolve(state, players=tuple(replace(p, lost="") if p.seat == seat else p for p in state.players))
    effects = tuple(e for e in state.effects if not _ends_with(there, e, seat))
    state = evolve(
        state,
        objects=objects,
        main=main,
        next_id=state.next_id if main is None else max(state.next_id, main.next_id),
        last=last,
        effects=effects,
        battlefield=tuple(i for i in state.battlefield if i not in gone),
        stack=tuple(i for i in state.stack if i not in gone),
        exile=tuple(i for i in state.exile if i not in gone),
        command=tuple(i for i in state.command if i not in gone),
        players=tuple(replace(p, hand=(), library=(), graveyard=()) if p.seat == seat else p for p in state.players),
        waiting=tuple(w for w in state.waiting if w.controller != seat),
        delayed=tuple(d for d in state.delayed if d.controller != seat),
    )
    state = _detach(_hands_shown(state), gone)
    state, asked = _restore_control(state, seat)
    state = _clear_combat(state, gone, seat)
    here = {seat, *also, *lookup.turn_order(state)} if state.stack == passed_on else set[int]()
    agenda = _clean_agenda(state.agenda, seat, gone | theirs, here)
    return evolve(state, agenda=(*agenda, BatchFrame(events=asked)) if asked else agenda)


def _hands_shown(state: State) -> State:
    """Team mates who have come to sit next to each other may look at each other's hands (811.5)."""
    if not state.options.teams:
        return state
    hands = ((state.objects[oid], lookup.who_see_hand(state, p.seat)) for p in state.players for oid in p.hand)
    shown = {found.id: replace(found, known=found.known | who) for found, who in hands}
    return evolve(state, objects={**state.objects, **shown})


def _is_card(found: Object) -> bool:
    return not found.token and found.entry is not None and found.entry.ability is None


def _remembered(state: State, gone: set[int]) -> dict[int, LastKnown]:
    """Last known information with that of the objects that leave the game: what is still on the stack may ask for it."""
    last = dict(state.last)
    attacked = {a.id: a.player for a in state.combat.attackers} if state.combat is not None else {}
    for oid in sorted(gone):
        found = state.objects[oid]
        if found.zone in ("battlefield", "stack"):
            last[oid] = LastKnown(found, characteristics(state, oid), 0, attacked.get(oid, -1))
    return last


def _left_before(before: State, seat: int) -> State:
    players = tuple(replace(p, lost="left") if p.seat == seat else p for p in before.players)
    return leave(evolve(before, players=players), seat)


def _ends_with(there: State, effect: Floating, seat: int) -> bool:
    """800.4a: effects that give the leaver control of something end, whoever made them; other effects go on (800.4h: "until your next
    turn" as long as they would). `there` is the game with the leaver still in it."""
    ability = effect.ability
    if isinstance(ability, forms.Continuous):
        scope = Scope(effect.source, effect.controller, effect.entry, effect.bindings)
        given = (mod.by for mod in ability.mods if isinstance(mod, forms.GainControl))
        return any(player_ref(seat) in select(there, by, scope)[:1] for by in given)
    return effect.controller == seat and isinstance(ability, forms.PlayerRule) and ability.rule == "controlled"


def _detach(state: State, gone: set[int]) -> State:
    objects = dict(state.objects)
    for oid in state.battlefield:
        o = objects[oid]
        if any(i in gone for i in o.attachments):
            objects[oid] = with_rare(o, attachments=tuple(i for i in o.attachments if i not in gone))
    return evolve(state, objects=objects)


def _restore_control(state: State, seat: int) -> tuple[State, tuple[events.Event, ...]]:
    """What the leaver still controls but does not own: given back by the end of control effects, else exiled (800.4a); and how commanders
    are, whose owners may have a say in where they go (903.12), so that they stay until it happens to them."""
    state, _ = settle(state)
    objects = dict(state.objects)
    exiled = [oid for oid in state.stack if objects[oid].controller == seat]
    for oid in state.battlefield:
        o = objects[oid]
        if o.controller == seat:
            if o.base != seat and lookup.present(state, o.base):
                objects[oid] = replace(o, controller=o.base)
            else:
                exiled.append(oid)
    asked = [oid for oid in exiled if any(card.commander for card in cards_of(objects[oid]))]
    exiled = [oid for oid in exiled if oid not in asked]
    next_id = state.next_id
    added: list[int] = []
    for oid in exiled:
        for card in cards_of(objects.pop(oid)):
            objects[next_id] = replace(card, id=next_id, zone="exile")
            added.append(next_id)
            next_id += 1
    state = evolve(
        state,
        objects=objects,
        next_id=next_id,
        battlefield=tuple(i for i in state.battlefield if i not in exiled),
        stack=tuple(i for i in state.stack if i not in exiled),
        exile=(*state.exile, *added),
    )
    return _detach(state, set(exiled)), tuple(events.Move(subject=oid, to="exile") for oid in asked)


def _clear_combat(state: State, gone: set[int], seat: int) -> State:
    combat = state.combat
    if combat is None:
        return state
    fighting = (one.id for one in (*combat.attackers, *combat.blockers))
    combat = out_of_combat(combat, {oid for oid in fighting if oid not in state.objects})
    attackers = tuple(
        replace(a, defender=0) if a.defender in gone or a.defender == player_ref(seat) else a for a in combat.attackers
    )
    defenders = tuple(s for s in combat.defenders if s != seat)
    return evolve(state, combat=replace(combat, attackers=attackers, defenders=defenders))


def _still_passed(frame: PriorityFrame, seat: int, here: set[int]) -> int:
    """How many have passed in succession when one of those `here` has left. Leaving is no action (116.4), and priority that the leaver
    had goes on to the next player (800.4a): so the others have passed as before. Where what they passed on is no longer on the stack
    (nobody is `here`), and in teams with shared turns, all are asked again."""
    order = sorted(here - {frame.holder}, key=lambda other: (other < frame.holder, other))
    passed = order[-frame.passed :] if frame.passed else []
    return 0 if frame.began >= 0 else len(passed) - (seat in passed)


def _clean_agenda(agenda: tuple[Frame, ...], seat: int, gone: set[int], here: set[int]) -> tuple[Frame, ...]:
    """Drops the leaver's frames and asks every step that was under way again (800.4a)."""
    kept: list[Frame] = []
    for frame in agenda:
        if isinstance(frame, AnnounceFrame) and (frame.seat == seat or frame.on_stack in gone):
            continue
        if isinstance(frame, ResolveFrame) and frame.object in gone:
            continue
        if isinstance(frame, RunFrame) and (frame.scope.controller == seat):
            continue
        if isinstance(frame, PriorityFrame):
            frame = replace(frame, passed=_still_passed(frame, seat, here), began=-1)
        if isinstance(frame, CombatFrame):
            # What the leaver's creatures have assigned is not dealt: they are no more.
            assigned = tuple(e for e in frame.assigned if e.subject not in gone and e.object not in gone)
            frame = replace(frame, seats=tuple(s for s in frame.seats if s != seat), assigned=assigned)
        if isinstance(frame, AnnounceFrame) and frame.before is not None:
            # An announcement that is taken back must not bring the leaver back.
            frame = replace(frame, before=_left_before(frame.before, seat))
        kept.append(replace(frame, answers=()) if frame.answers else frame)
    return tuple(kept)
