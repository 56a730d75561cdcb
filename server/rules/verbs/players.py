"""Handlers of verbs about players: life (118), mana (106), winning and losing (104)."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from server.cards import forms
from server.rules.characteristics import added_mask, amount, quantity, select
from server.rules.costs import COLORS, choosable, color_mask, marked_by, pool_of
from server.rules.functioning import has
from server.rules.happenings import is_of_many
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundNumber,
    BoundWord,
    Next,
    Ref,
    RunFrame,
    State,
    ask,
    events,
    lookup,
    object_or_last,
    player_ref,
    seat_of,
)
from server.rules.verbs.next_instruction import Asking, after, through


def _life(kind: type[events.GainLife] | type[events.LoseLife]) -> Callable[[State, RunFrame, Any], Next]:
    def handle(state: State, frame: RunFrame, verb: forms.GainLife | forms.LoseLife) -> Next:
        scope = frame.scope
        batch: list[events.Event] = []
        refs = select(state, verb.who, scope)
        for ref in refs:
            n = quantity(state, verb.amount, through(scope, ref))
            batch.append(kind(subject=ref, amount=n, by=scope.source))
        return after(frame, batch, player=tuple(r for r in refs if r < 0))

    return handle


def _set_life(state: State, frame: RunFrame, verb: forms.SetLife) -> Asking:
    batch: list[events.Event] = []
    refs = select(state, verb.who, frame.scope)
    if not state.edition.lives_added_up:
        refs = yield from _one_of_each_team(state, refs)
    for ref in refs:
        change = amount(state, verb.amount, through(frame.scope, ref)) - lookup.individual_life(state, ref)
        rounded = _rounded(state, seat_of(ref), refs)
        if change > 0:
            batch.append(events.GainLife(subject=ref, amount=change, by=frame.scope.source, rounded=rounded))
        elif change < 0:
            batch.append(events.LoseLife(subject=ref, amount=-change, by=frame.scope.source, rounded=rounded))
    return after(frame, batch)


def _rounded(state: State, seat: int, refs: tuple[Ref, ...]) -> int:
    """By how much the shares of a team's life are more than that, told with the first of its players where the life of all of them
    is set: so much more of it is left (2009 806.9b)."""
    heads = lookup.together(state, seat)
    if seat != heads[0] or len(heads) == 1 or not {player_ref(s) for s in heads} <= set(refs):
        return 0
    return sum(lookup.individual_life(state, player_ref(s)) for s in heads) - state.players[seat].life


def _one_of_each_team(state: State, refs: tuple[Ref, ...]) -> Generator[AnyQuestion, AnyAnswer, tuple[Ref, ...]]:
    """The players whose life totals are set: of a team that shares one, whom the team chooses (810.9d)."""
    if not state.options.shared:
        return refs
    teams: dict[int, list[Ref]] = {}
    for ref in refs:
        teams.setdefault(lookup.spokesman(state, seat_of(ref)), []).append(ref)
    chosen: list[Ref] = []
    for speaking, heads in teams.items():
        several = len(heads) > 1
        chosen += (yield from ask.choose_refs(speaking, tuple(heads), 1, 1, "player")) if several else heads
    return tuple(chosen)


def _add_mana(state: State, frame: RunFrame, verb: forms.AddMana) -> Asking:
    scope = frame.scope
    n = quantity(state, verb.count, scope)
    tapped = bool(scope.number(BoundNumber.TAPPED_FOR_MANA))
    batch: list[events.Event] = []
    for ref in select(state, verb.who, scope):
        if verb.mana:
            pool = pool_of(verb.mana, n)
        else:
            found = object_or_last(state, scope.source)
            if verb.choice == "produced":
                mask = color_mask(str(scope.word(BoundWord.PRODUCED) or ""), state, found) if found is not None else 0
            else:
                mask = choosable(state, verb, scope, found) if found is not None else 31
            letters = tuple(COLORS[i] for i in range(6) if mask & (1 << i))
            counts = [0] * 6
            wanted = list(str(scope.word(BoundWord.WANTED_MANA) or ""))  # by a payment that activates the ability
            for _ in range(n if verb.different else 1):
                letter = _as_wanted(state, seat_of(ref), wanted, letters)
                letter = letter or (yield from ask.choose_word(seat_of(ref), letters, "mana", scope.source))
                if letter:
                    times = quantity(state, verb.count, scope.bind(BoundWord.CHOSEN_MANA, letter))
                    counts[COLORS.index(letter)] += 1 if verb.different else times
            pool = (counts[0], counts[1], counts[2], counts[3], counts[4], counts[5])
        mark = marked_by(state, scope.source, verb)
        batch.append(events.AddMana(subject=ref, by=scope.source, mana=pool, tapped=tapped, **mark))
    return after(frame, batch)


def _as_wanted(state: State, seat: int, wanted: list[str], letters: tuple[str, ...]) -> str:
    """Which of these colours adds the mana that a payment wants next (903.9); "" if none does, or no payment asks."""
    adds = next((x for x in letters if wanted and _added(state, seat, x) == 1 << COLORS.index(wanted[0])), "")
    if adds:
        wanted.pop(0)
    return adds


def _added(state: State, seat: int, letter: str) -> int:
    return added_mask(state, seat, 1 << COLORS.index(letter))


def _lose(state: State, frame: RunFrame, verb: forms.Lose) -> Next:
    refs = [r for r in select(state, verb.who, frame.scope) if not has(state, seat_of(r), "can't lose the game")]
    return after(frame, [events.Loses(subject=r, cause="effect", by=frame.scope.source) for r in refs])


def _win(state: State, frame: RunFrame, verb: forms.Win) -> Next:
    refs = [r for r in select(state, verb.who, frame.scope) if not has(state, seat_of(r), "can't win the game")]
    if state.options.limited or (state.edition.others_lose and is_of_many(state)):
        # 104.3h, 801.16: the opponents lose instead, with a limited range those in range.
        losers = [
            events.Loses(subject=player_ref(s), cause="effect", by=frame.scope.source)
            for r in refs
            for s in lookup.opponents(state, seat_of(r))
            if lookup.in_range(state, seat_of(r), s) and not has(state, s, "can't lose the game")
        ]
        return after(frame, losers)
    return after(frame, [events.Wins(subject=r, by=frame.scope.source) for r in refs])


def _draw_game(state: State, frame: RunFrame, verb: forms.DrawGame) -> Next:
    return after(frame, [events.GameDrawn(subject=player_ref(frame.scope.controller), cause="effect")])


PLAYER_VERBS: dict[type[forms.VerbForm], Callable[[State, RunFrame, Any], Next | Asking]] = {
    forms.GainLife: _life(events.GainLife),
    forms.LoseLife: _life(events.LoseLife),
    forms.SetLife: _set_life,
    forms.AddMana: _add_mana,
    forms.Lose: _lose,
    forms.Win: _win,
    forms.DrawGame: _draw_game,
}
