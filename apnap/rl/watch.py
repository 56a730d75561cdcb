"""What a seat sees as arrays, kept up from state to state: only what has changed is written anew.

An array is a value: it is never written to again, and the same one comes again as long as nothing in it has changed. Who may know what
is asked of `server.knowledge.hidden`, as for views; by equal knowledge all arrays are equal.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from itertools import chain, islice
from typing import cast

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
from server.rules.model import Characteristics, Combat, Definition, Object, Player, Ref, events, lookup, seat_of

RULES = Rules()
ALL = -1
"""A viewer to whom nothing is hidden, for the state of the whole table."""

_ZONES = {name: place + 1 for place, name in enumerate(f.ZONES)}
_KINDS = {name: place + 1 for place, name in enumerate(f.KINDS)}
_FIRST_RELATED = len(f.HEAD)
_FIRST_NOW = len(f.HEAD) + len(f.RELATED)
_CONTROLLER, _OWNER = f.HEAD.index("controller"), f.HEAD.index("owner")
_TEAM, _EMPEROR, _DECIDES = (f.PLAYERS.index(name) for name in ("team", "emperor", "decided by"))
_NOTHING: tuple[int, ...] = ()


def _related(name: str) -> int:
    return _FIRST_RELATED + f.RELATED.index(name)


_ATTACHED, _ATTACKS_PLAYER, _ATTACKS_OBJECT = (_related(n) for n in ("attached to", "attacks player", "attacks object"))
_BLOCKED, _BLOCKS = _related("blocked"), _related("blocks")


class Seen:
    """What one viewer was shown last, and of which moment it was."""

    def __init__(self, seats: int, first: int) -> None:
        self.sides: Array = np.array([0, *((seat - first) % seats + 1 for seat in range(seats))], np.int16)
        """By seats + 1 how the viewer calls them; nobody is 0."""
        self.called = self.sides.tolist()
        self.order = [(first + n) % seats for n in range(seats)]
        self.objects: Array = np.zeros((0, len(f.OBJECTS)), np.int16)
        self.ids: list[int] = []
        self.made: dict[Ref, int] | None = None
        self.left_out = 0
        self.version = -1
        self.written: list[int] = []
        """Of which writings the rows are."""
        self.combat: Combat | None = None
        self.shown: tuple[int, ...] = ()
        self.players: Array = np.zeros((seats, len(f.PLAYERS)), np.int16)
        self.of: tuple[Player, ...] = ()
        """The values of which `players` was made, and whether somebody was controlled."""
        self.controlled = False
        self.stack: Array = frozen(np.zeros((f.STACKED, len(f.STACK)), np.int16))
        self.stacked: tuple[object, ...] = ()
        self.history: Array = frozen(np.zeros((f.REMEMBERED, len(f.HISTORY)), np.int16))
        self.told = 0
        """How many lines of what happened were told."""

    @property
    def rows(self) -> dict[Ref, int]:
        """In which row each object is."""
        if self.made is None:
            self.made = {oid: row for row, oid in enumerate(self.ids)}
        return self.made


def frozen(made: Array) -> Array:
    """The array, which nobody writes to any more."""
    made.setflags(write=False)
    return made


class Watch:
    """One game, for all who see it. `update` takes in a new state; `rows` is how many objects are told at most."""

    def __init__(self, seats: int, rows: int) -> None:
        self._seats = seats
        self._most = rows
        self._state: State | None = None
        self._version = 0
        self._pool: Array = np.zeros((256, len(f.OBJECTS)), np.int16)
        self._open: dict[int, int] = {}
        """By objects the rows of those who may know the card; `_closed`: of the others, for what is face down."""
        self._closed: dict[int, int] = {}
        self._odd: set[int] = set()
        """Objects that are face down or phased out."""
        self._attached: set[int] = set()
        self._free: list[int] = list(range(255, -1, -1))
        self._written = [0] * 256
        """Of each row of the pool its number among all that were ever written."""
        self._writings = 0
        self._now: dict[int, tuple[Characteristics, Definition, Array]] = {}
        self._known: set[int] = set()
        """Objects in hidden zones that somebody may know beside the owner of a hand."""
        self._counting: set[int] = set()
        """Objects that count themselves (604.3)."""
        self._seen: dict[int, Seen] = {}
        self._players: list[Player | None] = [None] * seats
        self._table: Array = np.zeros((seats, len(f.PLAYERS)), np.int16)
        """What is told of each player alone, as it was when this was asked for last."""
        self._lines: deque[_Told] = deque(maxlen=4 * f.REMEMBERED)
        self._told = 0

    def update(self, state: State, happened: Sequence[events.Event] = ()) -> None:
        """Take in a state, and what has happened since the one before."""
        before = self._state
        if before is None:
            self._change(state, list(state.objects))
        elif state is not before:
            told = [event for event in happened if type(event) not in QUIET]
            if told:
                lines = Scene(before, state).write(told)
                self._lines.extend(map(_Told, lines))
                self._told += len(lines)
            if not RULES.same_objects(before, state):
                self._change(state, RULES.other_objects(before, state))
                self._version += 1
            elif state.combat is not before.combat:
                self._version += 1
            if self._counting:
                self._change(state, list(self._counting))
                self._version += 1
        self._state = state

    def _change(self, state: State, others: list[int]) -> None:
        """Some objects are others than before."""
        for oid in others:
            for rows in (self._open, self._closed):
                slot = rows.pop(oid, None)
                if slot is not None:
                    self._free.append(slot)
            thing = state.objects.get(oid)
            if thing is None:
                self._counting.discard(oid)
                continue
            if thing.face_down or thing.phased_out:
                self._odd.add(oid)
            elif self._odd:
                self._odd.discard(oid)
            if thing.attached_to:
                self._attached.add(oid)
            if thing.known and thing.zone not in PUBLIC_ZONES:
                if thing.zone != "hand" or thing.known & ~(1 << thing.owner):
                    self._known.add(oid)
            if thing.definition.base.abilities.defining:
                self._counting.add(oid)

    def seen(self, viewer: int) -> Seen:
        """What a seat sees now of everything but its question, brought up to date. `ALL` sees everything."""
        state = self._state
        assert state is not None
        seen = self._seen.get(viewer)
        if seen is None:
            seen = self._seen[viewer] = Seen(self._seats, max(viewer, 0))
        pending = state.pending
        told = viewer == ALL or (pending is not None and viewer in (pending.seat, pending.whose))
        shown = shown_by_question(state) if told else _NOTHING
        if seen.version != self._version or seen.shown != shown:
            self._look(state, viewer, seen, shown)
        self._look_at_players(state, viewer, seen)
        if state.stack or seen.stacked:
            stacked = (state.stack, seen.version, shown)
            if seen.stacked != stacked:
                seen.stacked = stacked if state.stack else ()
                seen.stack = self._stack(state, viewer, seen)
        if seen.told != self._told:
            self._tell(viewer, seen)
        return seen

    # --- objects ---

    def _look(self, state: State, viewer: int, seen: Seen, shown: tuple[int, ...]) -> None:
        ids = self._in_order(state, viewer, shown)
        if self._odd:
            slots = [self._slot(state, viewer, oid) for oid in ids]
        else:
            found = list(map(self._open.get, ids))
            while None in found:
                place = found.index(None)
                found[place] = self._write(state, state.objects[ids[place]], True)
            slots = cast("list[int]", found)
        most = self._most
        seen.left_out = max(0, len(ids) - most)
        if seen.left_out:
            del ids[most:], slots[most:]
        written = [self._written[slot] for slot in slots]
        seen.version, seen.shown = self._version, shown
        if written == seen.written and state.combat is seen.combat:
            return
        seen.written, seen.combat = written, state.combat
        made: Array = np.zeros((most, len(f.OBJECTS)), np.int16)
        count = len(ids)
        if count:
            self._pool.take(slots, 0, made[:count], "clip")
            if viewer > 0:
                sides = made[:count, _CONTROLLER : _OWNER + 1]
                sides[...] = seen.sides[sides]
        if ids != seen.ids:
            seen.ids, seen.made = ids, None
        if state.combat is not None or self._attached:
            self._relate(state, viewer, made, seen.rows)
        seen.objects = frozen(made)

    def _slot(self, state: State, viewer: int, oid: int) -> int:
        """Where the row is that the viewer may see of an object."""
        closed = oid in self._odd and viewer != ALL and not may_know(state.objects[oid], viewer)
        slot = (self._closed if closed else self._open).get(oid)
        return self._write(state, state.objects[oid], not closed) if slot is None else slot

    def _in_order(self, state: State, viewer: int, shown: tuple[int, ...]) -> list[int]:
        """What the viewer sees, in an order that it knows: what matters most comes first, in case that there is no room for all."""
        players, seats, first = state.players, self._seats, max(viewer, 0)
        found: list[int] = []
        for seat in range(seats) if viewer == ALL else (viewer,):
            found.extend(players[seat].hand)
        if shown:
            found.extend(oid for oid in shown if oid not in found)
        found.extend(state.stack)
        found.extend(state.battlefield)
        found.extend(state.command)
        for seat in (*range(first, seats), *range(first)):
            found.extend(players[seat].graveyard)
        found.extend(state.exile)
        if self._odd:
            found = [oid for oid in found if not state.objects[oid].phased_out]
        if self._known and viewer != ALL:
            found.extend(self._known_elsewhere(state, viewer, shown))
        return found

    def _known_elsewhere(self, state: State, viewer: int, shown: tuple[int, ...]) -> list[int]:
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
        return [thing.id for thing in sorted(mine, key=lambda thing: self._row(state, thing).tobytes())]

    def _row(self, state: State, thing: Object) -> Array:
        slot = self._open.get(thing.id)
        return self._pool[self._write(state, thing, True) if slot is None else slot]

    def _write(self, state: State, thing: Object, known: bool) -> int:
        """Write an object's row; where it is."""
        if not self._free:
            self._make_room(state)
        slot = self._free.pop()
        (self._open if known else self._closed)[thing.id] = slot
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
        self._writings += 1
        self._written[slot] = self._writings
        row = self._pool[slot]
        row[: len(head)] = head
        row[len(head) : _FIRST_NOW] = 0
        if known:
            row[_FIRST_NOW:] = self._now_of(it, thing.definition)
            if thing.zone == "battlefield" and firm(state, thing.id):
                row[_INDESTRUCTIBLE] = 1
        elif on_board:
            row[_FIRST_NOW:] = [*f.of_characteristics(it), *_NO_CARD]
        else:
            row[_FIRST_NOW:] = 0
        return slot

    def _now_of(self, it: Characteristics, definition: Definition) -> Array:
        """What it is at the moment, and its card."""
        known = self._now.get(id(it))
        if known is None or known[1] is not definition:
            if len(self._now) > 2_000:
                self._now.clear()
            cells: Array = np.array([*f.of_characteristics(it), *f.of_card(definition)], np.int16)
            known = self._now[id(it)] = (it, definition, cells)
        return known[2]

    def _make_room(self, state: State) -> None:
        """Rows of what is gone are free again; if that is not enough, there are twice as many."""
        for rows in (self._open, self._closed):
            for oid in [oid for oid in rows if oid not in state.objects]:
                self._free.append(rows.pop(oid))
        self._odd &= state.objects.keys()
        self._attached &= state.objects.keys()
        size = len(self._pool)
        if len(self._free) < size // 4:
            self._pool = np.concatenate([self._pool, np.zeros_like(self._pool)])
            self._written.extend([0] * size)
            self._free.extend(range(2 * size - 1, size - 1, -1))

    def _relate(self, state: State, viewer: int, made: Array, rows: dict[Ref, int]) -> None:
        """Who is attached to, attacks and blocks whom."""
        first = max(viewer, 0)
        for oid in self._attached:
            thing = state.objects.get(oid)
            if thing is not None and thing.attached_to and oid in rows:
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
        if seen.of is state.players and not (state.effects or seen.controlled):
            return
        for player in state.players:
            if self._players[player.seat] is not player:
                self._players[player.seat] = player
                self._table[player.seat] = _player(player)
        seen.of = state.players
        made: Array = self._table.take(seen.order, 0)
        first, teams = max(viewer, 0), state.options.teams
        if teams:
            made[:, _TEAM] = [teams[first] == teams[seat] for seat in seen.order]
            made[:, _EMPEROR] = [seat in state.options.emperors for seat in seen.order]
        seen.controlled = False
        if state.effects:
            deciders = [lookup.decider(state, seat) for seat in seen.order]
            seen.controlled = any(one != seat for one, seat in zip(deciders, seen.order, strict=True))
            if seen.controlled:
                made[:, _DECIDES] = seen.sides[[decider + 1 for decider in deciders]]
                made[:, _DECIDES] *= [one != seat for one, seat in zip(deciders, seen.order, strict=True)]
        seen.players = frozen(made)

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
        new, called = min(self._told - seen.told, len(self._lines)), seen.called
        seen.told = self._told
        told: list[tuple[int, ...]] = []
        for line in islice(reversed(self._lines), new):
            cells = line.of(viewer)
            if cells is not None:
                told.append(cells)
        if not told:
            return
        if viewer > 0:
            told = [(kind, called[seat], called[other], *more) for kind, seat, other, *more in told]
        lines = chain.from_iterable(told[: f.REMEMBERED])
        written = array("h", lines).tobytes() + seen.history.tobytes()
        seen.history = np.frombuffer(written, np.int16, f.REMEMBERED * len(f.HISTORY)).reshape(seen.history.shape)


def _player(player: Player) -> tuple[int, ...]:
    counters = dict(player.counters)
    poison = counters.get("poison", 0)
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
        0,
        0,
        clip(max((damage for _, damage in player.commander_damage), default=0)),
        0,
    )


class _Told:
    """A line of what happened as cells, seats by their numbers + 1: for all, and for those who may know more."""

    def __init__(self, line: Line) -> None:
        self._public = None if line.public is None else _cells(line.public)
        self._private = {seat: _cells(event) for seat, event in line.private.items()}

    def of(self, viewer: int) -> tuple[int, ...] | None:
        """What a viewer is told."""
        return self._private.get(viewer, self._public) if self._private else self._public


def _cells(event: Event) -> tuple[int, ...]:
    get = event.args.get
    amount = get("amount", get("number", get("count", 0)))
    seat, other, card, target = get("seat"), get("target_seat"), get("card"), get("target")
    return (
        word(event.key),
        seat + 1 if isinstance(seat, int) else 0,
        other + 1 if isinstance(other, int) else 0,
        clip(amount) if isinstance(amount, int) else 0,
        word(card) if isinstance(card, str) else 0,
        word(target) if isinstance(target, str) else 0,
    )


QUIET = frozenset(
    (events.StepEntered, events.StepBegins, events.Tap, events.Untap, events.AddMana, events.SpendMana, events.Expended)
)
"""What is told otherwise, or not at all."""
_INDESTRUCTIBLE = _FIRST_NOW + len(f.NOW) + len(f.SUPERTYPES) + len(f.TYPES) + f.KEYWORDS.index("indestructible")
_NO_CARD = [0] * (9 + f.TREE + f.NOUNS)
