"""What each viewer sees of the table, written field by field from what that viewer may know (a whitelist).

`Views.update` takes in a new state; `Views.tree` is then the view of a seat or of a spectator. Whatever has not changed is
the same value as before, so that `protocol.patch.diff` passes over it. Redaction comes first: no patch is ever made of
anything a viewer may not know.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import UNSET

from protocol.patch import Json, Tree
from protocol.view import AttackView, CombatView, PlayerView, Result
from server.knowledge.hidden import Viewer, asked_in_secret, shown_by_question
from server.knowledge.numbers import number_text
from server.knowledge.parts import NO_MORE, NOTHING, Own, Parts, Public
from server.knowledge.questions import write_ref
from server.knowledge.rulings import Rulings
from server.knowledge.zones import Zones, keep
from server.rules.costs import floating
from server.rules.happenings import games_around
from server.rules.model import SYMBOLS, Combat, Player, Pool, PriorityQuestion, State, Turn, commander_owner, lookup

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


_NEVER: Final = (-1, NO_MORE)
"""What a viewer sees who was never asked for: after no look."""


def step_word(step: str) -> str:
    """A step by the protocol's word."""
    return STEP_WORDS.get(step, step)


class Views:
    """The views of one room. Call `update` with each new state, then `tree` for each viewer."""

    def __init__(self, game: Rulings) -> None:
        self._game = game
        self._zones = Zones(game)
        self._state: State | None = None
        self._shown: tuple[int, ...] = ()
        self._common: Tree = {}
        self._players: Tree = {}
        """As everybody sees them."""
        self._lands: list[int] = []
        self._deciders: list[int] = []
        """By seat how many lands it may play, and who decides for it (712.5)."""
        self._told: dict[int, tuple[Player, int, int, Tree]] = {}
        """By seat the player, both of that, and the map made of these."""
        self._with_hands: dict[tuple[int, int], tuple[Tree, tuple[int | str, ...], Tree]] = {}
        """Players as a viewer sees them who may know cards of their hands: the map that all see, those cards, and the map with them."""
        self._combat: tuple[Combat | None, Json] = (None, None)
        self._lists: dict[str, tuple[tuple[int | str, ...], list[Json]]] = {}
        self._public: Public = NOTHING.public
        self._looks = 0
        """How often players or objects were others: between two looks viewers see the same of their own."""
        self._own: dict[Viewer, tuple[int, Own]] = {}
        """What each viewer sees beside it, after which look."""
        self._merged: dict[tuple[str, Viewer], tuple[Tree, Tree, Tree]] = {}
        self._trees: dict[Viewer, Tree] = {}
        self._result: Json = None
        self.looks_at_objects = 0
        """How often it had to look at objects: between two looks they and all ids are the same."""

    def update(self, state: State, result: Result | None = None) -> None:
        """Take in a new state. `result` is how the game ended, once it has."""
        before = self._state
        if state is before:
            return
        if result is not None and self._result is None:
            self._result = msgspec.to_builtins(result)
        # Most states differ from the one before only by who is asked, most others by the step, too.
        if before is not None and self._asks_only(before, state):
            pending = state.pending
            assert pending is not None
            common: Tree = {**self._common, "priority": pending.whose, "waiting_for": [pending.seat]}
            if state.turn is not before.turn:
                common.update(_when(state.turn))
            if not self._same_table(before, state):
                self._look(before, state)
        else:
            self._look(before, state)
            common = self._for_all(state)
        self._common, self._state = common, state
        self._public = Public(common, self._players, self._zones.public)
        self._trees = {}

    def _asks_only(self, before: State, state: State) -> bool:
        """Whether of what is the same for every viewer nothing but the step and who has priority is another than in the state before."""
        return (
            self._result is None
            and isinstance(state.pending, PriorityQuestion)
            and isinstance(before.pending, PriorityQuestion)
            and state.main is before.main
            and state.objects is before.objects
            and state.battlefield is before.battlefield
            and state.stack is before.stack
            and state.exile is before.exile
            and state.command is before.command
            and state.combat is before.combat
        )

    def _same_table(self, before: State, state: State) -> bool:
        """Whether no player and no object is to be seen otherwise than before, of two states whose objects are the same values."""
        return (
            state.players is before.players
            and state.turn is before.turn
            and state.effects is before.effects
            and not self._shown
            and not self._zones.counting
            and self._game.same_objects(before, state)
        )

    def _look(self, before: State | None, state: State) -> None:
        """Look at objects, if they may be others than before, and at players."""
        shown = shown_by_question(state)
        moved = True
        if before is None or len(before.players) != len(state.players) or self._zones.counted_otherwise(before, state):
            self._zones.look(state, None, shown)
        elif moved := bool(shown or self._shown) or not self._game.same_objects(before, state):
            self._zones.look(state, set(self._game.other_objects(before, state)), shown)
        self._shown = shown
        self.looks_at_objects += moved
        changed = moved or before is None or state.players is not before.players
        if changed or before is None or state.turn is not before.turn or state.effects is not before.effects:
            self._look_at_players(before, state, changed=changed)

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
            parts = self.parts(viewer)
            players = self._merge(("players", viewer), parts.public.players, parts.own.players)
            objects = self._merge(("objects", viewer), parts.public.objects, parts.own.objects)
            made = self._trees[viewer] = parts.tree(players, objects)
        return made

    def parts(self, viewer: Viewer) -> Parts:
        """The view by its parts."""
        if self._state is None:
            return NOTHING
        looks, own = self._own.get(viewer, _NEVER)
        if looks != self._looks:
            own = self._own_of(self._state, viewer, own)
            self._own[viewer] = (self._looks, own)
        return Parts(self._public, own, viewer)

    def id_of(self, viewer: Viewer, number: int) -> str:
        """The id by which a viewer knows an object."""
        return self._zones.id_of(viewer, number)

    def _merge(self, of: tuple[str, Viewer], public: Tree, own: Tree) -> Tree:
        """What everybody sees and what one viewer does: the same value as long as both are."""
        if not own:
            return public
        known = self._merged.get(of)
        if known is None or known[0] is not public or known[1] is not own:
            known = self._merged[of] = (public, own, {**public, **own})
        return known[2]

    # --- what is the same for all ---

    def _for_all(self, state: State) -> Tree:
        """What is the same for every viewer, but for the objects and the players."""
        tree = _when(state.turn)
        tree["order"] = self._list("order", tuple(p.seat for p in state.players), number=True)
        if state.edition.name != "2011":  # the protocol's default
            tree["edition"] = state.edition.name
        if state.main is not None:
            tree["subgame"] = len(games_around(state))
        self._divided(tree, state)
        self._asked(tree, state)
        # Nothing but permanents phases out.
        for name, ids in (
            ("battlefield", self._zones.on_battlefield()),
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

    # --- players ---

    def _look_at_players(self, before: State | None, state: State, *, changed: bool) -> None:
        """Look at players; `changed`: one of them may be another, or what they hold."""
        lands = [self._game.lands_left(state, player.seat) for player in state.players]
        if changed or before is None or state.effects is not before.effects:
            self._deciders = [lookup.decider(state, player.seat) for player in state.players]
        elif lands == self._lands:
            return
        self._lands = lands
        self._looks += 1
        players: Tree = {
            str(player.seat): self._player(player, lands_left, decider, len(state.players))
            for player, lands_left, decider in zip(state.players, lands, self._deciders, strict=True)
        }
        self._players = keep(self._players, players)

    def _player(self, player: Player, lands_left: int, decider: int, seats: int) -> Tree:
        """A player of so many, as everybody sees it: without the ids of its hand."""
        known = self._told.get(player.seat)
        if known is not None and known[0] is player and known[1] == lands_left and known[2] == decider:
            return known[3]
        tree: Tree = msgspec.to_builtins(
            PlayerView(
                name=player.name,
                life=player.life,
                hand_count=len(player.hand),
                library_count=len(player.library),
                counters=dict(player.counters),
                graveyard=list(map(number_text, player.graveyard)),
                mana=pool_letters(floating(player)),
                lost=bool(player.lost),
                lands_left=lands_left,
                commander_damage=_by_owner(player, seats),
                controlled_by=UNSET if decider == player.seat else decider,
            )
        )
        if known is not None and tree == known[3]:  # what nobody sees has changed
            tree = known[3]
        self._told[player.seat] = (player, lands_left, decider, tree)
        return tree

    def _own_of(self, state: State, viewer: Viewer, before: Own) -> Own:
        """What a viewer sees beside what everybody does: its own hand, cards that it knows of others' hands, and the objects."""
        if viewer is None:
            return NO_MORE
        mine, objects = self._with_hand(viewer, viewer, state.players[viewer].hand), self._zones.private(viewer)
        others = self._zones.hands_known(viewer)
        if not others and len(before.players) == 1 and before.players.get(str(viewer)) is mine:
            return before if objects is before.objects else Own(before.players, objects)
        players: Tree = {str(viewer): mine}
        for owner, hand in others.items():
            players[str(owner)] = self._with_hand(owner, viewer, hand)
        players = keep(before.players, players)
        return before if players is before.players and objects is before.objects else Own(players, objects)

    def _with_hand(self, seat: int, viewer: int, hand: tuple[int | str, ...]) -> Tree:
        """A player with the ids of cards in its hand that a viewer may know, and no others."""
        tree = self._players[str(seat)]
        assert isinstance(tree, dict)
        if not hand:
            return tree
        known = self._with_hands.get((seat, viewer))
        if known is None or known[0] is not tree or known[1] is not hand:
            known = self._with_hands[seat, viewer] = (tree, hand, {**tree, "hand": list(map(_id, hand))})
        return known[2]

    def _list(self, name: str, ids: tuple[int | str, ...], *, number: bool = False) -> list[Json]:
        """A list of ids: the same value as long as they are the same."""
        known = self._lists.get(name)
        if known is not None and known[0] == ids:
            return known[1]
        made: list[Json] = list(ids) if number else list(map(_id, ids))
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


def _id(of: int | str) -> str:
    """An object's: its number, or the one by which somebody knows it who may not know that."""
    return of if isinstance(of, str) else number_text(of)


def _when(turn: Turn) -> Tree:
    """Where the game is."""
    step = step_word(turn.step)
    return {"turn": turn.number, "phase": PHASES.get(step, "combat"), "step": step, "active": turn.active}


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
        attackers[number_text(attacker.id)] = AttackView(
            defender=write_ref(attacker.defender),
            defending_player=attacker.player if attacker.player >= 0 else UNSET,
            blocked=attacker.blocked,
            blockers=list(map(number_text, attacker.blockers)),
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
