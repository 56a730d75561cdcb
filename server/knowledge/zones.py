"""What lies in which zone, as viewers see it. A zone is looked at anew only where it has gained or lost an object, or one in it is
another; of those in it only what is another.
"""

from __future__ import annotations

from collections.abc import Collection
from operator import is_
from typing import Final, NamedTuple, TypeAlias

from protocol.patch import Tree
from server.knowledge.hidden import PUBLIC_ZONES, Viewer, may_know
from server.knowledge.numbers import number_text
from server.knowledge.objects import Cached, Objects
from server.knowledge.rulings import Rulings
from server.knowledge.shown import ids_of
from server.rules.model import Object, Ref, State

Place: TypeAlias = tuple[str, int]
"""A zone, and whose it is: `ALL` where all share it."""
ALL: Final = -1
_NO_IDS: dict[int, str] = {}
_NO_OBJECTS: Tree = {}
_NO_HANDS: dict[int, tuple[str, ...]] = {}


class _Lying(NamedTuple):
    """A zone as it was last looked at: the ids of what lies there, and the map of it, but of what is phased out, as everybody sees it, or
    of a hand as its player does."""

    ids: tuple[Ref, ...]
    tree: Tree
    face_down: tuple[Cached, ...]


_EMPTY = _Lying((), {}, ())


class Zones:
    """Those of one room. `public` are the objects that everybody sees."""

    def __init__(self, game: Rulings) -> None:
        self._game = game
        self._objects = Objects(game)
        self._lying: dict[Place, _Lying] = {}
        self._face_down: list[Cached] = []
        self._private: dict[int, Tree] = {}
        self._ids: dict[int, dict[int, str]] = {}
        """By seat the ids of what it sees in hidden zones beside its own hand."""
        self._in_hands: dict[tuple[int, int], tuple[str, ...]] = {}
        """Cards in the hand of a seat that another seat may know."""
        self._counting: tuple[int, ...] = ()
        """What counts itself (604.3) and is seen off the battlefield."""
        self.public: Tree = {}

    def look(self, state: State, others: Collection[int] | None, shown: tuple[int, ...]) -> None:
        """Take in a state in which these objects are others than in the state before, None: all may be; `shown` are those that its
        question shows to who is asked.
        """
        self._objects.forget(state)
        touched = None if others is None else self._places_of(state, others)
        public = _public_zones(state)
        looked_at = [self._take_in(state, place, ids, others, touched) for place, ids in public]
        if any(looked_at):
            trees: Tree = {}
            self._face_down = []
            for place, _ in public:
                lying = self._lying[place]
                trees |= lying.tree
                self._face_down += lying.face_down
            self.public = keep(self.public, trees)
        for player in state.players:
            self._take_in(state, ("hand", player.seat), player.hand, others, touched)
        self._look_at_what_some_see(state, others, shown)
        self._look_for_what_counts_itself(state, others)

    def counted_otherwise(self, before: State, state: State) -> bool:
        """Whether a card that counts itself, and that somebody sees off the battlefield, has other characteristics than before."""
        return any(
            number not in state.objects
            or self._game.characteristics(before, number) != self._game.characteristics(state, number)
            for number in self._counting
        )

    @property
    def counting(self) -> bool:
        """Whether there is anything such."""
        return bool(self._counting)

    def private(self, viewer: Viewer) -> Tree:
        """The objects of which a viewer sees more than everybody."""
        return _NO_OBJECTS if viewer is None else self._private.get(viewer, _NO_OBJECTS)

    def on_battlefield(self) -> tuple[str, ...]:
        """The ids of the permanents that are phased in."""
        return tuple(self._lying.get(("battlefield", ALL), _EMPTY).tree)

    def hands_known(self, viewer: Viewer) -> dict[int, tuple[str, ...]]:
        """By their owner the ids of cards in others' hands that a viewer may know."""
        if not self._in_hands:
            return _NO_HANDS
        return {owner: ids for (owner, seat), ids in self._in_hands.items() if seat == viewer}

    def id_of(self, viewer: Viewer, number: int) -> str:
        """The id by which a viewer knows an object."""
        own = None if viewer is None else self._ids.get(viewer, _NO_IDS).get(number)
        return own or number_text(number)

    # --- one zone ---

    def _places_of(self, state: State, others: Collection[int]) -> set[Place]:
        """Where these objects lie."""
        found: set[Place] = set()
        for number in others:
            thing = state.objects.get(number)
            if thing is not None:
                found.add((thing.zone, thing.owner if thing.zone in ("graveyard", "hand", "library") else ALL))
        return found

    def _take_in(
        self,
        state: State,
        place: Place,
        ids: tuple[Ref, ...],
        others: Collection[int] | None,
        touched: set[Place] | None,
    ) -> bool:
        """Look at a zone, if anything of it may be another: if one of these places was touched; whether it was looked at."""
        known = self._lying.get(place, _EMPTY)
        on_stack = place[0] == "stack"  # of abilities their source is told, too, which may have left
        if touched is not None and ids is known.ids and place not in touched and not (on_stack and ids):
            return False
        before = _NO_OBJECTS if others is None or on_stack else known.tree
        lying: list[Cached] = []
        for number in ids:
            cached = self._objects.kept(number)
            if cached is None or cached.key not in before or number in (others or ()):
                thing = state.objects[number]
                if thing.phased_out:
                    continue
                cached = self._objects.get(state, thing)
            lying.append(cached)
        if place[0] == "hand":
            tree: Tree = {cached.key: cached.open for cached in lying}
            face_down: tuple[Cached, ...] = ()
        else:
            tree = {cached.key: cached.closed for cached in lying}
            face_down = tuple([cached for cached in lying if cached.thing.face_down])
        self._lying[place] = _Lying(ids, keep(known.tree, tree), face_down)
        return True

    # --- what some see ---

    def _look_at_what_some_see(self, state: State, others: Collection[int] | None, shown: tuple[int, ...]) -> None:
        """To each seat its own hand, what it may know of what lies face down, and what it sees in hidden zones."""
        face_down = self._face_down
        # Cards in hidden zones that somebody else comes to know are others by that.
        seen: dict[int, list[int]] = {}
        if others is None or shown or self._ids or any(_is_shown(state, number) for number in others):
            seen = _seen_in_hidden_zones(state, shown)
        self._in_hands, self._ids = {}, {}
        for player in state.players:
            seat = player.seat
            mine = self._lying["hand", seat].tree
            if face_down or seat in seen:
                known: Tree = {cached.key: cached.open for cached in face_down if may_know(cached.thing, seat)}
                mine = known | mine
                self._add_seen(state, seat, seen.get(seat, []), mine)
                mine = keep(self._private.get(seat, {}), mine)
            self._private[seat] = mine

    def _add_seen(self, state: State, seat: int, numbers: list[int], mine: Tree) -> None:
        """Add what a seat sees in hidden zones, under ids of its own."""
        if not numbers:
            return
        trees = {number: self._objects.get(state, state.objects[number]).open for number in numbers}
        ids = self._ids[seat] = ids_of(trees.items())
        for number, key in ids.items():
            mine[key] = trees[number]
            thing = state.objects[number]
            if thing.zone == "hand":
                place = (thing.owner, seat)
                self._in_hands[place] = (*self._in_hands.get(place, ()), key)

    def _look_for_what_counts_itself(self, state: State, others: Collection[int] | None) -> None:
        looked = state.objects if others is None else others
        found = [number for number in looked if self._counts_itself(state, number)]
        if others is None or found or self._counting:
            kept = () if others is None else (i for i in self._counting if i in state.objects and i not in others)
            self._counting = (*kept, *found)

    def _counts_itself(self, state: State, number: int) -> bool:
        thing = state.objects.get(number)
        if thing is None or thing.zone == "battlefield" or (thing.zone == "library" and not thing.known):
            return False
        return self._game.counts_itself(thing)


def _public_zones(state: State) -> list[tuple[Place, tuple[Ref, ...]]]:
    """The public zones with what lies there, in the order in which they are told."""
    return [
        (("battlefield", ALL), state.battlefield),
        (("stack", ALL), state.stack),
        (("exile", ALL), state.exile),
        (("command", ALL), state.command),
        *((("graveyard", player.seat), player.graveyard) for player in state.players),
    ]


def _is_shown(state: State, number: int) -> bool:
    """Whether an object lies in a hidden zone and somebody may know it who does not hold it."""
    thing = state.objects.get(number)
    if thing is None or thing.zone in PUBLIC_ZONES:
        return False
    return bool(thing.known & ~(1 << thing.owner) if thing.zone == "hand" else thing.known)


def _seen_in_hidden_zones(state: State, shown: tuple[int, ...]) -> dict[int, list[int]]:
    """By seat the numbers of the cards in libraries and others' hands that it may know: those that its open question shows,
    in the order of the question, then the others.
    """
    found: dict[int, dict[int, None]] = {}
    for number in shown:
        assert state.pending is not None
        for seat in {state.pending.seat, state.pending.whose}:
            _note(found, state.objects[number], seat)
    for player in state.players:
        for zone in (player.hand, player.library):
            for number in zone:
                thing = state.objects[number]
                if thing.known:
                    for seat in range(len(state.players)):
                        if thing.known >> seat & 1:
                            _note(found, thing, seat)
    return {seat: list(numbers) for seat, numbers in found.items()}


def _note(found: dict[int, dict[int, None]], thing: Object, seat: int) -> None:
    if thing.zone != "hand" or thing.owner != seat:
        found.setdefault(seat, {})[thing.id] = None


def keep(old: Tree, new: Tree) -> Tree:
    """The old map, if the new one has the same values under the same keys in the same order."""
    if len(old) == len(new) and all(map(is_, old.values(), new.values())) and [*old] == [*new]:
        return old
    return new
