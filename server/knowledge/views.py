"""What each viewer sees of the table, written field by field from what that viewer may know (a whitelist).

`Views.update` takes in a new state; `Views.tree` is then the view of a seat or of a spectator. Whatever has not changed is
the same value as before, so that `protocol.patch.diff` passes over it. Redaction comes first: no patch is ever made of
anything a viewer may not know.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from protocol.patch import Json, Tree
from protocol.view import AttackView, CombatView, PlayerView, Result
from server.knowledge.hidden import Viewer, asked_in_secret, in_public, may_know, shown_by_question
from server.knowledge.objects import Objects
from server.knowledge.parts import NOTHING, Parts
from server.knowledge.questions import write_ref
from server.knowledge.rulings import Rulings
from server.knowledge.shown import ids_of
from server.rules.costs import floating
from server.rules.happenings import games_around
from server.rules.model import SYMBOLS, Combat, Object, Player, Pool, PriorityQuestion, State, commander_owner, lookup

STEP_WORDS = {
    "begin_combat": "beginning_of_combat",
    "first_combat_damage": "first_strike_damage",
    "end_combat": "end_of_combat",
    "end_turn": "end",
}
"""The engine's words for steps, where the protocol has others."""
PHASES = {
    "untap": "beginning",
    "upkeep": "beginning",
    "draw": "beginning",
    "precombat_main": "precombat_main",
    "postcombat_main": "postcombat_main",
    "end": "ending",
    "cleanup": "ending",
}


_NO_IDS: dict[int, str] = {}


def step_word(step: str) -> str:
    """A step by the protocol's word."""
    return STEP_WORDS.get(step, step)


class Views:
    """The views of one room. Call `update` with each new state, then `tree` for each viewer."""

    def __init__(self, game: Rulings) -> None:
        self._game = game
        self._objects = Objects(game)
        self._state: State | None = None
        self._public: Tree = {}
        self._private: dict[int, Tree] = {}
        self._shown: tuple[int, ...] = ()
        self._ids: dict[int, dict[int, str]] = {}
        """By seat the ids of what it sees in hidden zones beside its own hand."""
        self._hands: dict[tuple[int, int], tuple[str, ...]] = {}
        """Cards in the hand of a seat that another seat may know."""
        self._maps: dict[Viewer, tuple[Tree, Tree, Tree]] = {}
        self._players: dict[tuple[int, Viewer], tuple[Player, tuple[str, ...], int, int, Tree]] = {}
        self._seats: dict[Viewer, Tree] = {}
        self._same_players: dict[Viewer, Tree] = {}
        """The maps of players as they are now, of those viewers for whom they were made already."""
        self._common: Tree = {}
        self._counting: tuple[int, ...] = ()
        """What counts itself (604.3) and is seen off the battlefield."""
        self._lands: tuple[int, ...] = ()
        self._deciders: tuple[int, ...] = ()
        """By seat who decides for it (712.5)."""
        self._combat: tuple[Combat | None, Json] = (None, None)
        self._lists: dict[str, tuple[tuple[int, ...], list[Json]]] = {}
        self._all: dict[Viewer, Parts] = {}
        self._trees: dict[Viewer, Tree] = {}
        self._result: Json = None
        self._faces: set[str] = set()

    def update(self, state: State, result: Result | None = None) -> None:
        """Take in a new state. `result` is how the game ended, once it has."""
        if state is self._state:
            return
        shown = shown_by_question(state)
        before = self._state
        anew = bool(shown or self._shown or before is None or self._counted_otherwise(before, state))
        moved = anew or before is None or not self._game.same_objects(before, state)
        if moved and (anew or before is None or not self._only_touched(before, state)):
            self._look_at_objects(state, shown)
        # Most states differ from the one before only by who is asked: a pass changes no player and no turn.
        if moved or before is None or state.players is not before.players or state.turn is not before.turn:
            self._lands = tuple(self._game.lands_left(state, player.seat) for player in state.players)
            self._same_players = {}
        if self._deciders != (deciders := tuple(lookup.decider(state, player.seat) for player in state.players)):
            self._deciders, self._same_players = deciders, {}
        self._shown = shown
        self._state = state
        if result is not None and self._result is None:
            self._result = msgspec.to_builtins(result)
        self._common = (
            self._for_all(state) if before is None else self._asked_only(before, state) or self._for_all(state)
        )
        self._all, self._trees = {}, {}

    def _look_at_objects(self, state: State, shown: tuple[int, ...]) -> None:
        """Take in the objects of a state, of which `shown` are those that its question shows to who is asked."""
        self._objects.forget(state)
        public: Tree = {}
        private: dict[int, Tree] = {player.seat: {} for player in state.players}
        self._hands, self._ids = {}, {}
        self._add_public(state, public, private)
        self._add_hands(state, private)
        for seat, numbers in self._seen_in_hidden_zones(state, shown).items():
            self._add_seen(state, seat, numbers, private[seat])
        self._counting = tuple(
            number
            for number, thing in state.objects.items()
            if thing.zone != "battlefield"
            and (thing.zone != "library" or thing.known)
            and self._game.counts_itself(thing)
        )
        self._public = _keep(self._public, public)
        self._private = {seat: _keep(self._private.get(seat, {}), mine) for seat, mine in private.items()}

    def _counted_otherwise(self, before: State, state: State) -> bool:
        """Whether a card that counts itself, and that somebody sees off the battlefield, has other characteristics than before."""
        return any(
            number not in state.objects
            or self._game.characteristics(before, number) != self._game.characteristics(state, number)
            for number in self._counting
        )

    def _only_touched(self, before: State, state: State) -> bool:
        """Take in a state in which nothing has moved, and all objects that are others than before lie face up where everyone sees them;
        False if that is not so.
        """
        if not _same_zones(before, state):
            return False
        objects, was = state.objects, before.objects
        others = self._game.other_objects(before, state)
        if not all(n in was and n in objects and _in_the_open(objects[n]) and _in_the_open(was[n]) for n in others):
            return False
        fresh: Tree = {}
        for number in (*others, *state.stack):  # of abilities on the stack their source is told, too
            if _in_the_open(objects[number]):
                cached = self._objects.get(state, objects[number])
                if cached.closed is not self._public[cached.key]:
                    fresh[cached.key] = cached.closed
        if fresh:
            self._public = {**self._public, **fresh}
        return True

    @property
    def made(self) -> bool:
        """Whether a state was taken in."""
        return self._state is not None

    def tree(self, viewer: Viewer) -> Tree:
        """The view of a seat, None: of a spectator. A value: never change it."""
        made = self._trees.get(viewer)
        if made is None:
            if self._state is None:
                return {}
            made = self._trees[viewer] = self.parts(viewer).whole()
        return made

    def parts(self, viewer: Viewer) -> Parts:
        """The view by its parts."""
        made = self._all.get(viewer)
        if made is None:
            if self._state is None:
                return NOTHING
            made = Parts(self._common, self._players_of(self._state, viewer), self._objects_of(viewer), viewer)
            self._all[viewer] = made
        return made

    def id_of(self, viewer: Viewer, number: int) -> str:
        """The id by which a viewer knows an object."""
        return self._ids.get(viewer, _NO_IDS).get(number) or str(number) if viewer is not None else str(number)

    # --- objects ---

    def _add_public(self, state: State, public: Tree, private: dict[int, Tree]) -> None:
        """Everything in the public zones: closed for all, open for who may know it."""
        objects, get = state.objects, self._objects.get
        zones = [state.battlefield, state.stack, state.exile, state.command]
        zones.extend(player.graveyard for player in state.players)
        for zone in zones:
            for number in zone:
                thing = objects[number]
                if not in_public(thing):
                    continue
                cached = get(state, thing)
                public[cached.key] = cached.closed
                if thing.face_down:
                    for seat, mine in private.items():
                        if may_know(thing, seat):
                            mine[cached.key] = cached.open

    def _add_hands(self, state: State, private: dict[int, Tree]) -> None:
        """To each seat its own hand."""
        for player in state.players:
            mine = private[player.seat]
            for number in player.hand:
                cached = self._objects.get(state, state.objects[number])
                mine[cached.key] = cached.open

    def _seen_in_hidden_zones(self, state: State, shown: tuple[int, ...]) -> dict[int, list[int]]:
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

    def _add_seen(self, state: State, seat: int, numbers: list[int], mine: Tree) -> None:
        """Add what a seat sees in hidden zones, under ids of its own."""
        trees = {number: self._objects.get(state, state.objects[number]).open for number in numbers}
        ids = self._ids[seat] = ids_of(trees.items())
        for number, key in ids.items():
            mine[key] = trees[number]
            thing = state.objects[number]
            if thing.zone == "hand":
                place = (thing.owner, seat)
                self._hands[place] = (*self._hands.get(place, ()), key)

    def _objects_of(self, viewer: Viewer) -> Tree:
        """The map of objects for a viewer: the same value as long as its two parts are."""
        public = self._public
        mine = self._private.get(viewer, {}) if viewer is not None else {}
        known = self._maps.get(viewer)
        if known is not None and known[0] is public and known[1] is mine:
            return known[2]
        merged: Tree = {**public, **mine} if mine else public
        self._maps[viewer] = (public, mine, merged)
        return merged

    # --- the rest ---

    def _asked_only(self, before: State, state: State) -> Tree | None:
        """What is the same for every viewer, where nothing of it but who has priority is another than in the state before."""
        pending = state.pending
        if (
            self._result is None
            and isinstance(pending, PriorityQuestion)
            and isinstance(before.pending, PriorityQuestion)
            and state.turn is before.turn
            and state.main is before.main
            and state.objects is before.objects
            and state.battlefield is before.battlefield
            and state.stack is before.stack
            and state.exile is before.exile
            and state.command is before.command
            and state.combat is before.combat
        ):
            return {**self._common, "priority": pending.whose, "waiting_for": [pending.seat]}
        return None

    def _for_all(self, state: State) -> Tree:
        """What is the same for every viewer, but for the objects and the players."""
        turn = state.turn
        step = step_word(turn.step)
        tree: Tree = {
            "turn": turn.number,
            "phase": PHASES.get(step, "combat"),
            "step": step,
            "active": turn.active,
            "order": self._list("order", tuple(p.seat for p in state.players), number=True),
        }
        if state.edition.name != "2011":  # the protocol's default
            tree["edition"] = state.edition.name
        if state.main is not None:
            tree["subgame"] = len(games_around(state))
        self._divided(tree, state)
        self._asked(tree, state)
        # Nothing but permanents phases out.
        for name, ids in (
            ("battlefield", tuple(i for i in state.battlefield if not state.objects[i].phased_out)),
            ("stack", state.stack),
            ("exile", state.exile),
            ("command", state.command),
        ):
            shown = self._list(name, ids)
            if shown:
                tree[name] = shown
        combat = self._combat_tree(state)
        if combat is not None:
            tree["combat"] = combat
        if self._result is not None:
            tree["result"] = self._result
        return tree

    def _divided(self, tree: Tree, state: State) -> None:
        """Who plays with whom, and how far each seat reaches."""
        options = state.options
        reach = options.ranges or (options.range_of_influence,) * len(state.players) * bool(options.range_of_influence)
        for name, numbers in (("teams", options.teams), ("emperors", options.emperors), ("ranges", reach)):
            if numbers:
                tree[name] = self._list(name, numbers, number=True)
        if options.shared:
            tree["shared_turns"] = True

    def _asked(self, tree: Tree, state: State) -> None:
        """Who has priority, and who is waited for."""
        pending = state.pending
        if pending is None:
            return
        if isinstance(pending, PriorityQuestion):
            tree["priority"] = pending.whose
        if not asked_in_secret(state):
            tree["waiting_for"] = [pending.seat]

    def _players_of(self, state: State, viewer: Viewer) -> Tree:
        """The map of players for a viewer: the same value as long as all of them are."""
        made = self._same_players.get(viewer)
        if made is None:
            if viewer is None:
                players: Tree = {str(p.seat): self._player(p, None, len(state.players)) for p in state.players}
            else:  # as everybody sees them, but for its own hand and those of which it knows cards
                players = {**self._players_of(state, None)}
                knows = (owner for owner, seat in self._hands if seat == viewer) if self._hands else ()
                for seat in (viewer, *knows):
                    players[str(seat)] = self._player(state.players[seat], viewer, len(state.players))
            made = self._same_players[viewer] = self._seats[viewer] = _keep(self._seats.get(viewer, {}), players)
        return made

    def _player(self, player: Player, viewer: Viewer, seats: int) -> Tree:
        """A player of so many. Hand ids are those of cards that the viewer may know, and no others."""
        if viewer == player.seat:
            hand = tuple(map(str, player.hand))
        else:
            hand = () if viewer is None else self._hands.get((player.seat, viewer), ())
            if not hand:
                viewer = None  # it sees what everybody sees
        lands, decider = self._lands[player.seat], self._deciders[player.seat]
        known = self._players.get((player.seat, viewer))
        if known is not None and known[0] is player and known[1:4] == (hand, lands, decider):
            return known[4]
        tree: Tree = msgspec.to_builtins(
            PlayerView(
                name=player.name,
                life=player.life,
                hand_count=len(player.hand),
                library_count=len(player.library),
                counters=dict(player.counters),
                hand=list(hand),
                graveyard=list(map(str, player.graveyard)),
                mana=pool_letters(floating(player)),
                lost=bool(player.lost),
                lands_left=lands,
                commander_damage=_by_owner(player, seats),
                controlled_by=UNSET if decider == player.seat else decider,
            )
        )
        self._players[player.seat, viewer] = (player, hand, lands, decider, tree)
        return tree

    def _list(self, name: str, ids: tuple[int, ...], *, number: bool = False) -> list[Json]:
        """A list of ids: the same value as long as they are the same."""
        known = self._lists.get(name)
        if known is not None and known[0] == ids:
            return known[1]
        made: list[Json] = list(ids) if number else [str(i) for i in ids]
        self._lists[name] = (ids, made)
        return made

    def _combat_tree(self, state: State) -> Json:
        combat = state.combat
        if combat is None:
            return None
        if self._combat[0] is not combat:
            made: Json = msgspec.to_builtins(combat_view(combat))
            old = self._combat[1]
            self._combat = (combat, old if made == old else made)
        return self._combat[1]


def _same_zones(before: State, state: State) -> bool:
    """Whether no zone has gained or lost anything, or lies in another order."""
    return (
        state.battlefield is before.battlefield
        and state.stack is before.stack
        and state.exile is before.exile
        and state.command is before.command
        and all(
            new.hand is old.hand and new.library is old.library and new.graveyard is old.graveyard
            for new, old in zip(state.players, before.players, strict=True)
        )
    )


def _in_the_open(thing: Object) -> bool:
    return in_public(thing) and not thing.face_down


def _note(found: dict[int, dict[int, None]], thing: Object, seat: int) -> None:
    if thing.zone != "hand" or thing.owner != seat:
        found.setdefault(seat, {})[thing.id] = None


def _keep(old: Tree, new: Tree) -> Tree:
    """The old map, if the new one has the same values under the same keys in the same order."""
    if len(old) == len(new):
        for (key, value), (other, before) in zip(new.items(), old.items(), strict=True):
            if value is not before or key != other:
                return new
        return old
    return new


def _by_owner(player: Player, seats: int) -> dict[str, int]:
    """Combat damage that commanders dealt to the player, by the seat of their owner; of partners the one that dealt more, since
    each is counted by itself (current 702.124d).
    """
    found: dict[str, int] = {}
    for number, damage in player.commander_damage:
        owner = str(commander_owner(number, seats))
        found[owner] = max(damage, found.get(owner, 0))
    return found


def pool_letters(pool: Pool) -> dict[str, int]:
    """A mana pool by letter; what is not there is left out."""
    return {symbol: amount for symbol, amount in zip(SYMBOLS, pool, strict=True) if amount}


def combat_view(combat: Combat) -> CombatView:
    """The combat under way, as everyone sees it."""
    attackers: dict[str, AttackView] = {}
    for attacker in combat.attackers:
        attackers[str(attacker.id)] = AttackView(
            defender=write_ref(attacker.defender),
            defending_player=attacker.player if attacker.player >= 0 else UNSET,
            blocked=attacker.blocked,
            blockers=[str(blocker) for blocker in attacker.blockers],
            band=attacker.band if attacker.band else UNSET,
        )
    return CombatView(attackers=attackers)


def faces_in(tree: Tree) -> set[str]:
    """The hashes of all faces that a view, or a merge patch of one, refers to."""
    objects = tree.get("objects")
    found: set[str] = set()
    if isinstance(objects, dict):
        for thing in objects.values():
            if isinstance(thing, dict):
                face = thing.get("face")
                if isinstance(face, str):
                    found.add(face)
    return found
