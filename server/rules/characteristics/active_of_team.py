"""Which player of a team that has its turns together "the active player" or "the attacking player" is (805.9, 810.7b, current 805.10c)."""

from __future__ import annotations

from server.cards import nouns
from server.rules.model import BoundRefs, Entry, Ref, State, controller_of, lookup, player_ref, walk


def active_of_team(state: State, entry: Entry) -> tuple[Ref, ...]:
    """The players that the words could mean in a program as it resolves, of whom its controller chooses one; () where they say nothing
    of them, or it is said already, or only one is there."""
    if not state.options.shared or any(name == BoundRefs.ACTIVE for name, _ in entry.bindings):
        return ()
    several = tuple(map(player_ref, lookup.active_players(state)))
    said = [node.text for node in walk(entry.program) if isinstance(node, nouns.Noun)]
    if len(several) < 2 or not any("active player" in text or "attacking player" in text for text in said):
        return ()
    if any("active player" in text for text in said):
        return several
    return _whom_it_blocks(state, entry) or several


def _whom_it_blocks(state: State, entry: Entry) -> tuple[Ref, ...]:
    """Current 805.10c: of a blocking creature that speaks, or is spoken of, who controls the attackers that it blocks."""
    if state.combat is None or state.edition.teams_attacked:
        return ()
    about = {entry.source, *(ref for refs in entry.targets for ref in refs)}
    blocked = (a for blocker in state.combat.blockers if blocker.id in about for a in blocker.attackers)
    seats = dict.fromkeys(controller_of(state, a) for a in blocked)
    return tuple(player_ref(seat) for seat in seats if seat is not None)
