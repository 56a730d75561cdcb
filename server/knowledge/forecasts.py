"""What would come of an answer: played on a fork of the game, and told only as far as it shows nothing hidden.

The fork is the real game, so what is told is exactly what the rules would do if nobody did anything more. It is followed
only while nothing is drawn by chance and nothing hidden is seen by anyone; where that happens the forecast ends, `unsure`.
Life totals, damage and which permanents are gone are public in every state up to there, so the forecast tells nothing that
its seat could not have worked out.
"""

from __future__ import annotations

from collections.abc import Iterator

from protocol.table import Effects
from server.knowledge.hidden import may_know, shown_by_question
from server.knowledge.rulings import Rulings
from server.rules.model import (
    ActQuestion,
    AnyAnswer,
    AnyQuestion,
    AttackersQuestion,
    BlockersQuestion,
    DamageQuestion,
    PaymentQuestion,
    PriorityQuestion,
    State,
    Take,
)

MOST_STEPS = 100
"""Questions that are answered on the fork before it is given up."""
COMBAT = frozenset({"declare_attackers", "declare_blockers", "first_combat_damage", "combat_damage"})


def forecast(game: Rulings, state: State, seat: int, answer: AnyAnswer) -> Effects:
    """What would come of `answer` to the open question of `seat`. Raises `Illegal` if it is not taken."""
    (*_, effects) = forecasting(game, state, seat, answer)
    assert effects is not None
    return effects


def forecasting(game: Rulings, state: State, seat: int, answer: AnyAnswer) -> Iterator[Effects | None]:
    """The same step by step: None for each, at last what would come of it."""
    question = state.pending
    assert question is not None
    after, _ = game.submit(state, seat, answer)
    begun = state.turn.number > state.turn.began  # before, who has decided what about their hand shows when all have
    combat = isinstance(question, AttackersQuestion | BlockersQuestion | DamageQuestion)
    last, sure = state, begun and not _shows(state, after, seat)
    if sure:
        last = after
        yield None
        for _ in range(MOST_STEPS):
            pending = last.pending
            if isinstance(pending, ActQuestion):  # nobody knows what will be done by hand
                sure = False
                break
            if pending is None or _is_done(question, pending, last, combat=combat):
                break
            after, _ = game.submit(last, pending.seat, _passive(game, last, pending))
            if _shows(last, after, seat):
                sure = False
                break
            last = after
            yield None
        else:
            sure = False
    yield _effects(state, last, seat, sure=sure, combat=combat)


def _passive(game: Rulings, state: State, pending: AnyQuestion) -> AnyAnswer:
    """Doing nothing: passing, or the default."""
    return Take(0) if isinstance(pending, PriorityQuestion) else game.default(state, pending)


def _is_done(asked: AnyQuestion, pending: AnyQuestion, state: State, *, combat: bool) -> bool:
    """Combat is followed until its damage is dealt and what dies of it is gone; anything else until it is announced and
    paid for, with the defaults of what is asked meanwhile.
    """
    if combat:
        return state.combat is None or (state.turn.step not in COMBAT and isinstance(pending, PriorityQuestion))
    if isinstance(asked, PriorityQuestion | PaymentQuestion):
        return isinstance(pending, PriorityQuestion) or pending.whose != asked.whose
    return True


def _shows(before: State, after: State, seat: int) -> bool:
    """Whether anything was left to chance, or a card was seen or moved that somebody could not know."""
    if before.chance != after.chance or shown_by_question(after):
        return True
    if before.objects is after.objects:
        return False
    for number, old in before.objects.items():
        new = after.objects.get(number)
        if new is old or after.players[old.owner].lost:  # what a player owns leaves the game with them (800.4a)
            continue
        hidden = old.zone == "library" or not may_know(old, seat)
        if hidden and (new is None or new.known != old.known or new.face_down != old.face_down):
            return True
    return False


def _effects(before: State, after: State, seat: int, *, sure: bool, combat: bool) -> Effects:
    """What has changed in what everyone sees."""
    dies: list[str] = []
    taps: list[str] = []
    loyalty: dict[str, int] = {}
    damage: dict[str, int] = {}
    for number in before.battlefield:
        old, new = before.objects[number], after.objects.get(number)
        if old.phased_out:
            continue
        if after.players[old.owner].lost:
            continue
        if new is None or new.zone != "battlefield":
            dies.append(str(number))
            continue
        if new.damage > old.damage:
            damage[str(number)] = new.damage - old.damage
        if new.tapped and not old.tapped and not combat and new.controller == seat:
            taps.append(str(number))
        change = dict(new.counters).get("loyalty", 0) - dict(old.counters).get("loyalty", 0)
        if change:
            loyalty[str(number)] = change
    life: dict[str, int] = {}
    poison: dict[str, int] = {}
    loses: list[int] = []
    for old_player, new_player in zip(before.players, after.players, strict=True):
        key = str(old_player.seat)
        if new_player.life != old_player.life:
            life[key] = new_player.life - old_player.life
        change = dict(new_player.counters).get("poison", 0) - dict(old_player.counters).get("poison", 0)
        if change:
            poison[key] = change
        if new_player.lost and not old_player.lost:
            loses.append(old_player.seat)
    return Effects(
        dies=dies,
        damage=damage,
        life=life,
        poison=poison,
        loyalty=loyalty,
        taps=taps,
        loses=loses,
        unsure=not sure,
    )
