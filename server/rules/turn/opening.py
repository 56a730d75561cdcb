"""Starting the game (103): libraries shuffled, opening hands, mulligans of the edition, the first turn."""

from __future__ import annotations

from collections.abc import Generator

from msgspec.structs import replace

from server.cards import forms
from server.rules.happenings import is_of_many
from server.rules.model import (
    AnyAnswer,
    AnyQuestion,
    BoundRefs,
    Next,
    RunFrame,
    Scope,
    StartFrame,
    State,
    TurnFrame,
    ask,
    events,
    player_ref,
)

Asking = Generator[AnyQuestion, AnyAnswer, Next]


def step(state: State, frame: StartFrame) -> Next | Asking:
    """One position before the first turn."""
    if frame.at == "draw":
        return _draw(state, frame)
    if frame.at == "declare":
        return _declare(state)
    if frame.at == "take":
        return _take_in_part(state, frame) if _partial(state) else _take(state, frame)
    if frame.at == "bottom":
        return _bottom(state, frame)
    if frame.at == "begin":
        return _begin(state)
    batch = tuple(events.Shuffle(subject=player_ref(p.seat)) for p in state.players)
    return Next(StartFrame(at="draw", going=_seats(state)), batch=batch)


def _seats(state: State) -> tuple[int, ...]:
    """Turn order from the starting player (103.2); players who have left are not among them."""
    n = len(state.players)
    order = tuple((state.turn.active + i) % n for i in range(n))
    return tuple(s for s in order if not state.players[s].lost)


def _draw(state: State, frame: StartFrame) -> Next:
    """Hands are drawn: seven cards, in 2011 one fewer for each mulligan but a free first one (103.4, 103.4b), by the mulligan of
    Commander what is missing of one fewer for each (903.8)."""
    batch: list[events.Event] = []
    for seat in frame.going:
        if state.players[seat].lost:
            continue
        missing = _hand_size(state, seat) - len(state.players[seat].hand)
        batch.extend([events.Draw(subject=player_ref(seat), cause="opening")] * max(0, missing))
    following = "declare" if state.options.mulligans else "begin"
    if following == "begin":
        return Next(StartFrame(at="begin"), batch=tuple(batch))
    return Next(StartFrame(at="declare"), batch=tuple(batch))


def _free(state: State) -> int:
    return int(is_of_many(state) or state.options.format == "brawl")  # 103.4b, current 103.5c, current 903.12g


def _partial(state: State) -> bool:
    """Whether a mulligan exiles part of the hand (903.8)."""
    return state.edition.partial_mulligan and state.options.led


def _hand_size(state: State, seat: int) -> int:
    size = state.options.hand_size
    if _partial(state):
        return max(0, size - state.players[seat].mulligans)
    if state.edition.mulligan == "paris":
        return max(0, size - max(0, state.players[seat].mulligans - _free(state)))
    return size


def _declare(state: State) -> Asking:
    """Each player who has not kept declares in turn order (103.4)."""
    going: list[int] = []
    for seat in _seats(state):
        p = state.players[seat]
        if p.kept:
            continue
        if p.hand and (yield from ask.confirm(seat, "mulligan", text="mulligan")):
            going.append(seat)
    players = tuple(p if p.seat in going or p.kept else replace(p, kept=True) for p in state.players)
    keeping = [p.seat for p in state.players if not p.kept and p.seat not in going]
    kept: list[events.Event] = [events.Mulligan(subject=player_ref(seat), cause="kept") for seat in keeping]
    if _partial(state):
        kept += _taken_back(state, keeping)
    elif state.edition.mulligan == "london":
        return Next(StartFrame(at="bottom", going=tuple(going)), batch=tuple(kept), fields={"players": players})
    following = StartFrame(at="take", going=tuple(going)) if going else StartFrame(at="begin")
    return Next(following, batch=tuple(kept), fields={"players": players})


def _taken_back(state: State, keeping: list[int]) -> list[events.Event]:
    """What players who keep their hands have exiled by mulligans is shuffled into their libraries (903.8): before the game nothing
    else is in exile but what was left there by the effect that restarted it, which has yet to finish (714.4, 714.5)."""
    unfinished = (frame for frame in state.agenda if isinstance(frame, RunFrame))
    left = {oid for frame in unfinished for name, refs in frame.memory if name == BoundRefs.IT for oid in refs}
    batch: list[events.Event] = []
    for seat in keeping:
        own = [oid for oid in state.exile if oid not in left and state.objects[oid].owner == seat]
        batch.extend(events.Move(subject=oid, to="library", cause="mulligan") for oid in own)
        batch.extend([events.Shuffle(subject=player_ref(seat))] if own else [])
    return batch


def _take_in_part(state: State, frame: StartFrame) -> Asking:
    """All who take a mulligan exile cards of their hands (903.8), and draw one fewer; each one at least, for who likes the whole hand
    keeps it."""
    players = list(state.players)
    batch: list[events.Event] = []
    for seat in frame.going:
        p = players[seat]
        if p.lost or not p.hand:
            continue
        players[seat] = replace(p, mulligans=p.mulligans + 1)
        picked = yield from ask.choose_refs(seat, p.hand, 1, len(p.hand), "mulligan in part")
        batch.extend(events.Move(subject=i, to="exile", cause="mulligan") for i in picked)
        batch.append(events.Mulligan(subject=player_ref(seat)))
    return Next(StartFrame(at="draw", going=frame.going), batch=tuple(batch), fields={"players": tuple(players)})


def _take(state: State, frame: StartFrame) -> Next:
    """All who take a mulligan do so at the same time: the hand is shuffled into the library, a new one drawn."""
    players = list(state.players)
    batch: list[events.Event] = []
    for seat in frame.going:
        p = players[seat]
        if p.lost:
            continue
        players[seat] = replace(p, mulligans=p.mulligans + 1)
        batch.extend(events.Move(subject=i, to="library", cause="mulligan") for i in p.hand)
        batch.append(events.Mulligan(subject=player_ref(seat)))
    batch.extend(events.Shuffle(subject=player_ref(seat)) for seat in frame.going if not players[seat].lost)
    return Next(StartFrame(at="draw", going=frame.going), batch=tuple(batch), fields={"players": tuple(players)})


def _bottom(state: State, frame: StartFrame) -> Asking:
    """Edition `current`: who has kept after mulligans puts that many cards on the bottom (current 103.5)."""
    batch: list[events.Event] = []
    for seat in _seats(state):
        p = state.players[seat]
        n = max(0, p.mulligans - _free(state))
        if p.kept and n and len(p.hand) == state.options.hand_size:
            picked = yield from ask.choose_refs(seat, p.hand, n, n, "bottom")
            batch.extend(events.Move(subject=i, to="library", position=-1, cause="mulligan") for i in picked)
    following = StartFrame(at="take", going=frame.going) if frame.going else StartFrame(at="begin")
    return Next(following, batch=tuple(batch))


def _begin(state: State) -> Asking:
    """Cards that say so may begin the game on the battlefield, or be revealed for what they do then, each player's in turn order
    (103.5, current 103.6)."""
    batch: list[events.Event] = []
    programs: list[RunFrame] = []
    for seat in _seats(state):
        for oid in state.players[seat].hand:
            abilities = state.objects[oid].definition.base.abilities
            found = next((ability for ability in abilities.all if isinstance(ability, forms.OpeningHand)), None)
            if found is None:
                continue
            shown = bool(found.do)
            if not (yield from ask.confirm(seat, "reveal" if shown else "begin", oid)):
                continue
            if not shown:
                batch.append(events.Move(subject=oid, to="battlefield", controller=seat, cause="begin"))
                continue
            everyone = (1 << len(state.players)) - 1
            batch.append(events.Reveal(subject=player_ref(seat), objects=(oid,), seats=everyone, cause="reveal"))
            programs.append(RunFrame(program=found.do, scope=Scope(oid, seat)))
    # 714.4: after a restart the effect that restarted the game finishes just before the first untap step.
    following = TurnFrame(at="next") if len(state.agenda) == 1 else None
    return Next(following, batch=tuple(batch), push=tuple(reversed(programs)))
