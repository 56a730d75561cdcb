"""What a seat sees as arrays, kept up from state to state: only what has changed is written anew.

An array is a value: it is never written to again, and the same one comes again as long as nothing in it has changed. Who may know what
is asked of `server.knowledge.hidden`, as for views; by equal knowledge all arrays are equal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from apnap.rl import features as f
from apnap.rl.features import Array, clip, word
from protocol.view import Event
from server.knowledge.events import Line, Scene
from server.knowledge.hidden import PUBLIC_ZONES, may_know, shown_by_question
from server.knowledge.objects import kind_of
from server.knowledge.rulings import Rules, firm
from server.rules import State
from server.rules.costs import floating
from server.rules.model import Characteristics, Object, PriorityQuestion, Ref, events, lookup, seat_of

RULES = Rules()
ALL = -1
"""A viewer to whom nothing is hidden, for the state of the whole table."""
Slot: TypeAlias = tuple[int, bool]
"""An object's row: its id, and whether who sees it may know the card."""

_ZONES = {name: place + 1 for place, name in enumerate(f.ZONES)}
_KINDS = {name: place + 1 for place, name in enumerate(f.KINDS)}
_FIRST_RELATED = len(f.HEAD)
_FIRST_NOW = len(f.HEAD) + len(f.RELATED)
_CONTROLLER, _OWNER = f.HEAD.index("controller"), f.HEAD.index("owner")
_NO_NOW = [0] * (len(f.OBJECTS) - _FIRST_NOW)
_NO_RELATION = [0] * len(f.RELATED)
_NOTHING: tuple[int, ...] = ()


def _related(name: str) -> int:
    return _FIRST_RELATED + f.RELATED.index(name)


_ATTACHED, _ATTACKS_PLAYER, _ATTACKS_OBJECT = (_related(n) for n in ("attached to", "attacks player", "attacks object"))
_BLOCKED, _BLOCKS = _related("blocked"), _related("blocks")


class Seen:
    """What one viewer was shown last, and of which moment it was."""

    def __init__(self, seats: int) -> None:
        self.objects: Array = np.zeros((0, len(f.OBJECTS)), np.int16)
        self.rows: dict[Ref, int] = {}
        self.left_out = 0
        self.version = -1
        self.shown: tuple[int, ...] = ()
        self.players: Array = np.zeros((seats, len(f.PLAYERS)), np.int16)
        self.of: tuple[object, ...] = ()
        """The values of which `players` was made."""
        self.stack: Array = frozen(np.zeros((f.STACKED, len(f.STACK)), np.int16))
        self.stacked: tuple[object, ...] = ()
        self.history: Array = frozen(np.zeros((f.REMEMBERED, len(f.HISTORY)), np.int16))
        self.told = 0
        """How many lines of what happened were told."""
        self.lines: deque[tuple[int, ...]] = deque(maxlen=f.REMEMBERED)


def frozen(array: Array) -> Array:
    """The array, which nobody writes to any more."""
    array.setflags(write=False)
    return array


class Watch:
    """One game, for all who see it. `update` takes in a new state; `rows` is how many objects are told at most."""

    def __init__(self, seats: int, rows: int) -> None:
        self._seats = seats
        self._most = rows
        self._state: State | None = None
        self._version = 0
        self._pool: Array = np.zeros((256, len(f.OBJECTS)), np.int16)
        self._slots: dict[Slot, int] = {}
        self._free: list[int] = list(range(255, -1, -1))
        self._now: dict[int, tuple[Characteristics, list[int]]] = {}
        self._known: set[int] = set()
        """Objects in hidden zones that somebody may know beside the owner of a hand."""
        self._counting: set[int] = set()
        """Objects that count themselves (604.3)."""
        self._seen: dict[int, Seen] = {}
        self._lines: deque[Line] = deque(maxlen=4 * f.REMEMBERED)
        self._told = 0

    def update(self, state: State, happened: Sequence[events.Event] = ()) -> None:
        """Take in a state, and what has happened since the one before."""
        before = self._state
        if before is None:
            self._change(state, list(state.objects))
        elif state is not before:
            if happened:
                lines = Scene(before, state).write(happened)
                self._lines.extend(lines)
                self._told += len(lines)
            if not RULES.same_objects(before, state):
                self._change(state, RULES.other_objects(before, state))
                self._version += 1
            elif not _same_places(before, state):
                self._version += 1
            if self._counting:
                self._change(state, list(self._counting))
                self._version += 1
        self._state = state

    def _change(self, state: State, others: list[int]) -> None:
        """Some objects are others than before."""
        for oid in others:
            for known in (True, False):
                slot = self._slots.pop((oid, known), None)
                if slot is not None:
                    self._free.append(slot)
            thing = state.objects.get(oid)
            if thing is None:
                self._counting.discard(oid)
                self._known.discard(oid)
                continue
            if thing.known and thing.zone not in PUBLIC_ZONES:
                self._known.add(oid)
            if thing.definition.base.abilities.defining:
                self._counting.add(oid)

    def seen(self, viewer: int) -> Seen:
        """What a seat sees now of everything but its question, brought up to date. `ALL` sees everything."""
        state = self._state
        assert state is not None
        seen = self._seen.get(viewer)
        if seen is None:
            seen = self._seen[viewer] = Seen(self._seats)
        pending = state.pending
        told = viewer == ALL or (pending is not None and viewer in (pending.seat, pending.whose))
        shown = shown_by_question(state) if told else _NOTHING
        if seen.version != self._version or seen.shown != shown:
            self._look(state, viewer, seen, shown)
        self._look_at_players(state, viewer, seen)
        if seen.stacked != (state.stack, seen.version, shown):
            seen.stacked = (state.stack, seen.version, shown)
            seen.stack = self._stack(state, viewer, seen)
        if seen.told != self._told:
            self._tell(viewer, seen)
        return seen

    # --- objects ---

    def _look(self, state: State, viewer: int, seen: Seen, shown: tuple[int, ...]) -> None:
        slots: list[int] = []
        rows: dict[Ref, int] = {}
        for oid, known in self._in_order(state, viewer, shown):
            slot = self._slots.get((oid, known))
            if slot is None:
                slot = self._write(state, state.objects[oid], known)
            rows[oid] = len(slots)
            slots.append(slot)
        most = self._most
        seen.left_out = max(0, len(slots) - most)
        if seen.left_out:
            slots = slots[:most]
            rows = {oid: row for oid, row in rows.items() if row < most}
        made: Array = np.zeros((most, len(f.OBJECTS)), np.int16)
        count = len(slots)
        if count:
            self._pool.take(slots, 0, made[:count])
            if viewer > 0:
                sides = made[:count, _CONTROLLER : _OWNER + 1]
                sides[...] = (sides - (1 + viewer)) % self._seats + 1
        self._relate(state, viewer, made, rows)
        seen.objects, seen.rows, seen.version, seen.shown = frozen(made), rows, self._version, shown

    def _in_order(self, state: State, viewer: int, shown: tuple[int, ...]) -> list[Slot]:
        """What the viewer sees, in an order that it knows: what matters most comes first, in case that there is no room for all."""
        objects = state.objects
        found: list[Slot] = []
        whose = range(self._seats) if viewer == ALL else (viewer,)
        for seat in whose:
            found.extend((oid, True) for oid in state.players[seat].hand)
        found.extend((oid, True) for oid in shown if (oid, True) not in found)
        zones = [state.stack, state.battlefield, state.command]
        zones.extend(
            state.players[(viewer + n) % self._seats if viewer > 0 else n].graveyard for n in range(self._seats)
        )
        zones.append(state.exile)
        for zone in zones:
            for oid in zone:
                thing = objects[oid]
                if not thing.face_down:
                    if not thing.phased_out:
                        found.append((oid, True))
                elif not thing.phased_out:
                    found.append((oid, viewer == ALL or may_know(thing, viewer)))
        if self._known and viewer != ALL:
            found.extend(self._known_elsewhere(state, viewer, shown))
        return found

    def _known_elsewhere(self, state: State, viewer: int, shown: tuple[int, ...]) -> list[Slot]:
        """Cards in libraries and in others' hands that the viewer has seen, by what they are: where they lie is not told."""
        self._known = {oid for oid in self._known if oid in state.objects}
        things = [state.objects[oid] for oid in self._known if oid not in shown]
        mine = [
            thing
            for thing in things
            if thing.zone not in PUBLIC_ZONES
            and may_know(thing, viewer)
            and not (thing.zone == "hand" and thing.owner == viewer)
        ]
        return [(thing.id, True) for thing in sorted(mine, key=lambda thing: self._row(state, thing).tobytes())]

    def _row(self, state: State, thing: Object) -> Array:
        slot = self._slots.get((thing.id, True))
        return self._pool[self._write(state, thing, True) if slot is None else slot]

    def _write(self, state: State, thing: Object, known: bool) -> int:
        """Write an object's row; where it is."""
        if not self._free:
            self._make_room(state)
        slot = self._slots[thing.id, known] = self._free.pop()
        it = RULES.characteristics(state, thing.id)
        head = [0] * len(f.HEAD)
        head[0:5] = (
            _ZONES[thing.zone],
            thing.controller + 1,
            thing.owner + 1,
            _KINDS[kind_of(thing) if known else "token" if thing.token else "card"],
            thing.face_down,
        )
        on_board = thing.zone in ("battlefield", "stack")
        if known or on_board:
            counters = dict(thing.counters)
            others = sum(n for name, n in thing.counters if name not in ("+1/+1", "-1/-1", "loyalty"))
            head[5:] = (
                thing.tapped,
                thing.sick and "creature" in it.types and "haste" not in it.keywords,
                clip(thing.damage),
                clip(counters.get("loyalty", 0) if thing.zone == "battlefield" else it.loyalty or 0),
                clip(counters.get("+1/+1", 0)),
                clip(counters.get("-1/-1", 0)),
                clip(others),
                known and thing.commander > 0,
                clip(thing.entry.x) if thing.entry is not None and known else 0,
            )
        if known:
            now = [*self._of(it), *f.of_card(thing.definition)]
            if firm(state, thing.id):
                now[_INDESTRUCTIBLE] = 1
        elif on_board:
            now = [*self._of(it), *_NO_CARD]
        else:
            now = _NO_NOW
        self._pool[slot] = [*head, *_NO_RELATION, *now]
        return slot

    def _of(self, it: Characteristics) -> list[int]:
        known = self._now.get(id(it))
        if known is None:
            if len(self._now) > 2_000:
                self._now.clear()
            known = self._now[id(it)] = (it, f.of_characteristics(it))
        return known[1]

    def _make_room(self, state: State) -> None:
        """Rows of what is gone are free again; if that is not enough, there are twice as many."""
        for key in [key for key in self._slots if key[0] not in state.objects]:
            self._free.append(self._slots.pop(key))
        size = len(self._pool)
        if len(self._free) < size // 4:
            self._pool = np.concatenate([self._pool, np.zeros_like(self._pool)])
            self._free.extend(range(2 * size - 1, size - 1, -1))

    def _relate(self, state: State, viewer: int, made: Array, rows: dict[Ref, int]) -> None:
        """Who is attached to, attacks and blocks whom."""
        first = max(viewer, 0)
        for oid in state.battlefield:
            thing = state.objects[oid]
            if thing.attached_to and oid in rows:
                made[rows[oid], _ATTACHED] = rows.get(thing.attached_to, -1) + 1
        combat = state.combat
        if combat is None:
            return
        for attacker in combat.attackers:
            row = rows.get(attacker.id)
            if row is None:
                continue
            if attacker.player >= 0:
                made[row, _ATTACKS_PLAYER] = (attacker.player - first) % self._seats + 1
            made[row, _ATTACKS_OBJECT] = rows.get(attacker.defender, -1) + 1
            made[row, _BLOCKED] = attacker.blocked
        for blocker in combat.blockers:
            if blocker.id in rows and blocker.attackers:
                made[rows[blocker.id], _BLOCKS] = rows.get(blocker.attackers[0], -1) + 1

    # --- players, stack, history ---

    def _look_at_players(self, state: State, viewer: int, seen: Seen) -> None:
        pending = state.pending
        priority = pending.whose if isinstance(pending, PriorityQuestion) else -1
        deciders = tuple(lookup.decider(state, seat) for seat in range(self._seats))
        of = (state.players, state.turn.active, priority, deciders)
        if seen.of and seen.of[0] is of[0] and seen.of[1:] == of[1:]:
            return
        first = max(viewer, 0)
        seen.of = of
        order = [(first + n) % self._seats for n in range(self._seats)]
        seen.players = frozen(
            np.array([self._player(state, seat, first, priority, deciders[seat]) for seat in order], np.int16)
        )

    def _player(self, state: State, seat: int, first: int, priority: int, decider: int) -> tuple[int, ...]:
        player = state.players[seat]
        counters = dict(player.counters)
        poison = counters.get("poison", 0)
        options = state.options
        return (
            clip(player.life),
            len(player.hand),
            len(player.library),
            len(player.graveyard),
            *(floating(player) if player.marked else player.pool),
            clip(poison),
            clip(sum(counters.values()) - poison),
            player.lands_played,
            bool(player.lost),
            state.turn.active == player.seat,
            priority == player.seat,
            bool(options.teams) and options.teams[first] == options.teams[player.seat],
            player.seat in options.emperors,
            clip(max((damage for _, damage in player.commander_damage), default=0)),
            (decider - first) % self._seats + 1,
        )

    def _stack(self, state: State, viewer: int, seen: Seen) -> Array:
        """The top first."""
        made: Array = np.zeros((f.STACKED, len(f.STACK)), np.int16)
        first = max(viewer, 0)
        for row, oid in enumerate(reversed(state.stack[-f.STACKED :])):
            thing = state.objects[oid]
            cells = [seen.rows.get(oid, -1) + 1, (thing.controller - first) % self._seats + 1, 0]
            entry = thing.entry
            if entry is not None:
                cells[2] = clip(entry.x)
                targets = [ref for slot in entry.targets for ref in slot][:4]
                for ref in targets:
                    cells.extend(
                        (0, (seat_of(ref) - first) % self._seats + 1) if ref < 0 else (seen.rows.get(ref, -1) + 1, 0)
                    )
            made[row, : len(cells)] = cells
        return frozen(made)

    def _tell(self, viewer: int, seen: Seen) -> None:
        new = min(self._told - seen.told, len(self._lines))
        seen.told = self._told
        lines = list(self._lines)[len(self._lines) - new :]
        told = [event for line in lines if (event := line.of(None if viewer == ALL else viewer)) is not None]
        if not told:
            return
        seen.lines.extend(self._event(event, max(viewer, 0)) for event in told[-f.REMEMBERED :])
        made: Array = np.zeros((f.REMEMBERED, len(f.HISTORY)), np.int16)
        made[: len(seen.lines)] = list(reversed(seen.lines))
        seen.history = frozen(made)

    def _event(self, event: Event, first: int) -> tuple[int, ...]:
        args = event.args
        amount = args.get("amount", args.get("number", args.get("count", 0)))
        return (
            word(event.key),
            *((self._seat(args.get(key), first)) for key in ("seat", "target_seat")),
            clip(amount) if isinstance(amount, int) else 0,
            *(word(name) if isinstance(name := args.get(key), str) else 0 for key in ("card", "target")),
        )

    def _seat(self, seat: object, first: int) -> int:
        return (seat - first) % self._seats + 1 if isinstance(seat, int) else 0


_INDESTRUCTIBLE = len(f.NOW) + len(f.SUPERTYPES) + len(f.TYPES) + f.KEYWORDS.index("indestructible")
_NO_CARD = [0] * (9 + f.TREE + f.NOUNS)


def _same_places(before: State, state: State) -> bool:
    """Whether every zone lies as before, and so does the combat."""
    return (
        state.combat is before.combat
        and state.battlefield is before.battlefield
        and state.stack is before.stack
        and state.players is before.players
        and state.exile is before.exile
        and state.command is before.command
    )
