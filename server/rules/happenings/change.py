"""What a batch of events alters: a state being altered, which becomes the next one at the end.

`apply` and its neighbours have one function for each event; nothing is decided there or here: replacements have been applied and
composite events expanded before (`server.rules.happenings.batch`).
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from server.rules.model import (
    HistoryKey,
    LastKnown,
    Object,
    Ref,
    State,
    events,
    evolve,
    lookup,
    out_of_combat,
    this_turn,
)


class Change:
    """A state being altered; `finish` makes the next one."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.objects = state.objects
        self.players = state.players
        self.last = state.last
        self.history = state.history
        self.fields: dict[str, Any] = {}
        self.next_id = state.next_id
        self.clock = state.clock
        self.chance = state.chance
        self.done: list[events.Event] = []
        self.out: set[int] = set()

    def get(self, name: str) -> Any:
        """A field as it stands now."""
        if name == "combat":
            self._clear_combat()
        if name in self.fields:
            return self.fields[name]
        return getattr(self.state, name)

    def leave_combat(self, oid: int) -> None:
        """Takes an object out of combat, if there is one; all that leave at once are taken out together."""
        self.out.add(oid)

    def _clear_combat(self) -> None:
        combat = self.fields.get("combat", self.state.combat) if self.out else None
        if combat is not None:
            self.fields["combat"] = out_of_combat(combat, self.out)
        self.out.clear()

    def put(self, found: Object) -> None:
        """Enters or updates an object."""
        if self.objects is self.state.objects:
            self.objects = self.objects.copy()
        self.objects[found.id] = found

    def drop(self, oid: int) -> None:
        """Takes an object out of the game's objects."""
        if self.objects is self.state.objects:
            self.objects = self.objects.copy()
        del self.objects[oid]

    def set_player(self, seat: int, **changes: Any) -> None:
        """Updates a player, and of a team that shares them life total and poison counters of the others (810.9, 810.10; the latter by
        the edition)."""
        players = list(self.players)
        players[seat] = now = replace(players[seat], **changes)
        for other in lookup.together(self.state, seat) if self.state.options.shared else ():
            if other == seat:
                continue
            players[other] = replace(players[other], life=now.life)
            if not self.state.edition.shared_poison:
                continue
            more = lookup.count(now.counters, "poison") - lookup.count(players[other].counters, "poison")
            players[other] = replace(
                players[other], counters=lookup.with_counters(players[other].counters, "poison", more)
            )
        self.players = tuple(players)

    def remember(self, oid: int, last: LastKnown) -> None:
        """Keeps last known information."""
        if self.last is self.state.last:
            self.last = dict(self.last)
        self.last[oid] = last

    def this_turn(self, what: HistoryKey, ref: Ref) -> int:
        """How often, or how much of it, it was so far this turn."""
        return self.history.get((what, ref), 0)

    def note(self, what: HistoryKey, ref: Ref, n: int = 1) -> None:
        """Counts something in this turn's history."""
        if self.history is self.state.history:
            self.history = dict(self.history)
        self.history[(what, ref)] = self.this_turn(what, ref) + n

    def note_moment(self, what: HistoryKey, ref: Ref) -> None:
        """Counts that something happened at this moment, however much of it happens at once."""
        if self.this_turn(what, ref) == this_turn(self.state, what, ref):
            self.note(what, ref)

    def stamp(self) -> int:
        """A new timestamp (613.6)."""
        self.clock += 1
        return self.clock

    def results_in_events(self) -> bool:
        """Enters as results what has happened; False if something was decided by chance, which is the result then."""
        if self.fields.get("results", self.state.results) is not self.state.results:
            return False
        if self.done or self.state.results:
            self.fields["results"] = tuple(self.done)
        return True

    def finish(self) -> State:
        """The next state."""
        fields = self.altered()
        return evolve(self.state, **fields) if fields else self.state

    def altered(self) -> dict[str, Any]:
        """The fields that are others in the next state."""
        if self.out:
            self._clear_combat()
        fields = self.fields
        state = self.state
        if self.objects is not state.objects:
            fields["objects"] = self.objects
        if self.players is not state.players:
            fields["players"] = self.players
        if self.last is not state.last:
            fields["last"] = self.last
        if self.history is not state.history:
            fields["history"] = self.history
        if self.clock != state.clock:
            fields["clock"] = self.clock
        if self.chance != state.chance:
            fields["chance"] = self.chance
        if self.next_id != state.next_id:
            fields["next_id"] = self.next_id
        return fields
