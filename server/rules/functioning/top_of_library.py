"""Libraries whose top card is revealed, or may be looked at by their owner at any time, and hands that are revealed: who has come to see
them."""

from __future__ import annotations

from server.rules.characteristics import board, characteristics
from server.rules.functioning.player_rules import has
from server.rules.model import AnnounceFrame, State, events, player_ref

REVEALED = "reveals top of library"
LOOKED_AT = "looks at top of library"
HAND = "hand revealed"
SHOWING = frozenset((REVEALED, LOOKED_AT, HAND))


def shown_tops(state: State) -> tuple[events.Event, ...]:
    """The top cards of libraries, and cards in hands, that somebody may see now and has not seen yet (current 401.5, 402.3)."""
    if not any(_shows(state, oid) for oid in board(state).index.player_rules):
        return ()
    if any(isinstance(frame, AnnounceFrame) for frame in state.agenda):
        return ()  # while a spell is being cast the next card is not seen
    found: list[events.Event] = []
    everyone = (1 << len(state.players)) - 1
    for p in state.players:
        top = p.library[-1:]
        seats = everyone if has(state, p.seat, REVEALED) else (1 << p.seat if has(state, p.seat, LOOKED_AT) else 0)
        if top and seats & ~state.objects[top[0]].known:
            found.append(events.Reveal(subject=player_ref(p.seat), objects=top, seats=seats))
        unseen = tuple(oid for oid in p.hand if everyone & ~state.objects[oid].known)
        if unseen and has(state, p.seat, HAND):
            found.append(events.Reveal(subject=player_ref(p.seat), objects=unseen, seats=everyone))
    return tuple(found)


def _shows(state: State, oid: int) -> bool:
    return any(rule.rule in SHOWING for _, rule in characteristics(state, oid).abilities.player_rules)
