"""The environment: a table of two to ten seats, a step for each small step of an answer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from struct import Struct
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]

from apnap.cards import Card, Deck
from apnap.rl import features as f
from apnap.rl.features import Array, Mask, clip, word
from apnap.rl.tables import begin_game, drawn_decks, table_options
from apnap.rl.watch import ALL, Seen, Watch, frozen
from apnap.search.policy import passes
from apnap.steps import WIDTH, Draft, begin
from server import rules
from server.cards.nouns import STEPS
from server.rules import State
from server.rules.model import Object, seat_of
from server.rules.model import questions as q

Observation: TypeAlias = dict[str, Any]
"""`{"observation": {name: array}, "action_mask": mask}`."""
DECISIONS: Final = 20_000
"""A game is truncated after so many answers."""

_QUESTIONS = {name: place + 1 for place, name in enumerate(f.QUESTIONS)}
_MEANT = {name: place + 1 for place, name in enumerate(f.MEANT)}
_STEPS = {name: place + 1 for place, name in enumerate(STEPS)}
_EDITIONS = {name: place + 1 for place, name in enumerate(rules.EDITIONS)}


def _alone() -> Mask:
    mask: Mask = np.zeros(WIDTH, np.int8)
    mask[0] = 1
    mask.setflags(write=False)
    return mask


def _mask(allowed: Sequence[int]) -> Mask:
    if isinstance(allowed, range) and not allowed.start:
        return _FIRST[len(allowed)]
    made = bytearray(WIDTH)
    for number in allowed:
        made[number] = 1
    return np.frombuffer(bytes(made), np.int8)


ALONE: Final = _alone()
"""The mask of who is not asked: nothing but number 0, which nobody takes."""
_FIRST: Final = tuple(np.frombuffer(bytes(n < count for n in range(WIDTH)), np.int8) for count in range(WIDTH + 1))
"""The masks of the first numbers, by how many they are."""
_QUESTION: Final = Struct(f"{len(f.QUESTION)}h")
_NOT_ASKED = (0,) * f.QUESTION.index("turn")


def _only_pass() -> Array:
    made: Array = np.zeros((WIDTH, len(f.OPTIONS)), np.int16)
    made[0, 0], made[0, f.OPTIONS.index("word")] = _MEANT["act"], word("pass")
    return frozen(made)


ONLY_PASS: Final = _only_pass()
NO_QUESTION: Final = frozen(np.zeros((WIDTH, len(f.OPTIONS)), np.int16))


class RawEnv(AECEnv[str, Observation, int]):
    """See `apnap.rl.apnap_v0`. `decks` are those of the game, by seats. Agents are `player_0` and so on, by seats; who is asked is
    selected, and a number that its mask does not allow raises ValueError and changes nothing.
    """

    metadata: dict[str, Any] = {
        "name": "apnap_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "features": f.VERSION,
    }

    def __init__(
        self,
        seats: int = 2,
        *,
        preset: str = "free_for_all",
        edition: str = "2011",
        decks: Sequence[Deck | Sequence[Card]] | None = None,
        by_hand: bool = False,
        stops: bool = False,
        decisions: int = DECISIONS,
        rows: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._options = table_options(preset, seats, edition)
        self._decks = decks
        self._by_hand = by_hand
        self._stops = stops
        self._most = decisions
        self._rows = 32 + 32 * seats if rows is None else rows
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._chance = random.Random()
        self.decks: Sequence[Deck | Sequence[Card]] = ()
        self._spaces = {agent: self._space() for agent in self.possible_agents}
        self._numbers = {agent: spaces.Discrete(WIDTH) for agent in self.possible_agents}

    # --- spaces ---

    def _space(self) -> spaces.Dict:
        seats = len(self.possible_agents)
        shapes = {
            "objects": (self._rows, len(f.OBJECTS)),
            "players": (seats, len(f.PLAYERS)),
            "stack": (f.STACKED, len(f.STACK)),
            "question": (len(f.QUESTION),),
            "options": (WIDTH, len(f.OPTIONS)),
            "history": (f.REMEMBERED, len(f.HISTORY)),
        }
        seen = spaces.Dict({name: spaces.Box(-f.MOST, f.MOST, shape, np.int16) for name, shape in shapes.items()})
        return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (WIDTH,), np.int8)})

    def observation_space(self, agent: str) -> spaces.Dict:
        """What `observe` gives: fixed shapes, int16."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The numbers of a small step."""
        return self._numbers[agent]

    # --- playing ---

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. The same seed is the same game; without one it is drawn from the seed before."""
        del options
        if seed is not None:
            self._chance = random.Random(f"apnap {seed}")
        seats, game = len(self.possible_agents), self._chance.randrange(1 << 62)
        self.decks = drawn_decks(self._options, seats, game) if self._decks is None else self._decks
        state, _ = begin_game(self._options, self.decks, seats, game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._given = 0
        self._told: list[tuple[object, list[int], tuple[Array, Mask]] | None] = [None] * len(self.agents)
        """By seats the options that it was told last, and of which actions and rows they were made."""
        self._watch = Watch(len(self.possible_agents), self._rows)
        self._watch.update(state)
        self._ask(state)

    def _ask(self, state: State) -> None:
        """Open a state's question, or end the game."""
        while self._stops and state.pending is not None and passes(state, state.pending):
            state, happened = rules.submit(state, state.pending.seat, q.Take(0))
            self._watch.update(state, happened)
        self._state = state
        self._stage = 0
        question = state.pending
        self._seen: tuple[str, Observation] | None = None
        if question is None:
            self._end()
            return
        self._draft = begin(state, question, by_hand=self._by_hand)
        self.agent_selection = self.possible_agents[question.seat]
        if self._given >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)

    def step(self, action: int | None) -> None:
        """Take a number for who is selected. Raises ValueError for one that the mask does not allow."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # pyright: ignore[reportArgumentType]
            return
        draft, number = self._draft, int(action)  # pyright: ignore[reportArgumentType]
        if not draft.allows(number):
            raise ValueError(f"{agent} is not allowed to take {number}")
        following = draft.take(number)
        if isinstance(following, q.Answer):
            self.answer(following)
        else:
            self._draft = following
            self._stage += 1
            self._seen = None

    def answer(self, answer: q.AnyAnswer) -> None:
        """Take a whole answer for who is selected, instead of the small steps of one. Raises `server.rules.Illegal`; nothing has changed
        then.
        """
        state, happened = rules.submit(self._state, self._seat_of[self.agent_selection], answer)
        self._given += 1
        self._watch.update(state, happened)
        self._ask(state)

    def _end(self) -> None:
        """The game is over: 1 for who has won, -1 for who has not, 0 for all in a draw."""
        result = self._state.result
        winners = result.winners if result is not None else ()
        for agent, seat in self._seat_of.items():
            self.rewards[agent] = 0.0 if not winners else 1.0 if seat in winners else -1.0
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    @property
    def game(self) -> State:
        """The game as it is, with all that is hidden: for who runs the table, not for who plays."""
        return self._state

    # --- seeing ---

    def observe(self, agent: str) -> Observation:
        """What a seat knows now. Arrays are not to be written to."""
        if self._seen is not None and self._seen[0] == agent:
            return self._seen[1]
        seat = self._seat_of[agent]
        seen = self._watch.seen(seat)
        pending = self._state.pending
        if pending is not None and pending.seat == seat:
            options, mask = self._told_options(seen, seat)
        else:
            options, mask = NO_QUESTION, ALONE
        made = {
            "observation": {
                "objects": seen.objects,
                "players": seen.players,
                "stack": seen.stack,
                "question": self._told_question(seen, seat),
                "options": options,
                "history": seen.history,
            },
            "action_mask": mask,
        }
        self._seen = (agent, made)
        return made

    def _told_question(self, seen: Seen, seat: int) -> Array:
        state, seats = self._state, len(self.possible_agents)
        turn, question = state.turn, state.pending
        of_turn = (
            clip(turn.number),
            _STEPS.get(turn.step, 0),
            (turn.active - seat) % seats + 1,
            (question.whose - seat) % seats + 1 if type(question) is q.PriorityQuestion else 0,
            len(state.stack),
            _EDITIONS[state.edition.name],
            seats,
            seen.left_out,
        )
        cells = _NOT_ASKED if question is None or question.seat != seat else self._asked(question, seen, seat)
        return np.frombuffer(_QUESTION.pack(*cells, *of_turn), np.int16)

    def _asked(self, question: q.AnyQuestion, seen: Seen, seat: int) -> tuple[int, ...]:
        """What is told of the question to who is asked."""
        draft, seats = self._draft, len(self.possible_agents)
        for_ = (question.whose - seat) % seats + 1
        source = seen.rows.get(question.source, -1) + 1 if question.source else 0
        if type(question) is q.PriorityQuestion:
            return (1, word(question.purpose), for_, source, 0, 0, 0, 0, 0, 0, self._stage, draft.count)
        about = draft.about
        return (
            _QUESTIONS[str(question.__struct_config__.tag)],
            word(question.purpose),
            for_,
            source,
            clip(getattr(question, "least", 0)),
            clip(getattr(question, "most", 0)),
            clip(getattr(question, "amount", 0)),
            clip(getattr(question, "required", 0)),
            seen.rows.get(about, -1) + 1,
            (seat_of(about) - seat) % seats + 1 if about < 0 else 0,
            clip(self._stage),
            draft.count,
        )

    def _told_options(self, seen: Seen, seat: int) -> tuple[Array, Mask]:
        draft, question = self._draft, self._state.pending
        told = self._told[seat]
        actions: tuple[q.Action, ...] | None = None
        if type(question) is q.PriorityQuestion and not self._stage and len(question.actions) <= WIDTH:
            actions = question.actions
            if draft.count == 1:
                return ONLY_PASS, ALONE
            if told is not None and told[0] == actions and told[1] is seen.ids:
                return told[2]
        cells = _acts(actions, seen.rows) if actions is not None else self._meant(draft, seen.rows, seat)
        made: Array = np.zeros(WIDTH * len(f.OPTIONS), np.int16)
        made[: len(cells)] = cells
        arrays = frozen(made.reshape(WIDTH, len(f.OPTIONS))), _mask(draft.allowed)
        self._told[seat] = (actions, seen.ids, arrays)
        return arrays

    def _meant(self, draft: Draft, rows: dict[q.Ref, int], seat: int) -> list[int]:
        """The cells of what each number stands for, one row after another."""
        seats = len(self.possible_agents)
        cells: list[int] = []
        for kind, ref, amount, said in map(draft.means, range(draft.count)):
            player = (seat_of(ref) - seat) % seats + 1 if ref < 0 else 0
            cells.extend((_MEANT[kind], rows.get(ref, -1) + 1 if ref else 0, player, clip(amount), word(said)))
        return cells

    @cached_property
    def state_space(self) -> spaces.Box:
        """What `state` gives."""
        seats = len(self.possible_agents)
        size = self._rows * len(f.OBJECTS) + seats * len(f.PLAYERS) + f.STACKED * len(f.STACK) + len(f.QUESTION)
        return spaces.Box(-f.MOST, f.MOST, (size,), np.int16)

    def state(self) -> Array:
        """The whole table, all hands and all faces, for training that is central; of no use to who plays by the rules."""
        seen = self._watch.seen(ALL)
        parts = (seen.objects, seen.players, seen.stack, self._told_question(seen, 0))
        return np.concatenate([part.ravel() for part in parts])

    # --- for people ---

    def render(self) -> str | None:
        """The table as everybody sees it, as text: given back (`ansi`) or printed (`human`)."""
        if self.render_mode is None:
            return None
        text = "\n".join(_lines(self._state))
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is open."""


def _acts(actions: tuple[q.Action, ...], rows: dict[q.Ref, int]) -> list[int]:
    """What `_meant` tells of actions, which are nearly all that is ever asked."""
    cells: list[int] = []
    for action in actions:
        said = _SAID.get((action.type, action.way))
        if said is None:
            said = word(f"{action.type} {action.way}".rstrip())
            if len(_SAID) < 1_000:
                _SAID[action.type, action.way] = said
        row = rows.get(action.object, -1) + 1 if action.object else 0
        cells.extend((_ACT, row, 0, action.ability if action.ability > 0 else 0, said))
    return cells


_ACT = _MEANT["act"]
_SAID: dict[tuple[str, str], int] = {}


def _name(thing: Object) -> str:
    return "face down" if thing.face_down else thing.definition.name or "ability"


def _lines(state: State) -> list[str]:
    """A table in a few lines, as everybody sees it."""
    asked = state.pending
    lines = [f"turn {state.turn.number}, {state.turn.step}, of {state.players[state.turn.active].name}"]
    for player in state.players:
        there = [state.objects[oid] for oid in state.battlefield if state.objects[oid].controller == player.seat]
        names = ", ".join(_name(one) for one in there if not one.phased_out)
        lines.append(
            f"{player.name}: {player.life} life, {len(player.hand)} in hand, {len(player.library)} in library"
            f"{', ' + player.lost if player.lost else ''}: {names or 'nothing'}"
        )
    if state.stack:
        lines.append("stack: " + ", ".join(_name(state.objects[oid]) for oid in state.stack))
    if asked is not None and isinstance(asked, q.PriorityQuestion):
        lines.append(f"{state.players[asked.whose].name} has priority")
    return lines
