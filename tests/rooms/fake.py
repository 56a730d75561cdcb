"""A game of a few lines behind the rooms' `Game` face: draw, play cards, pass, win. No rules floor runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from protocol.options import RoomOptions
from server.cards.forms import Card
from server.knowledge.questions import QuestionIds
from server.rules.model import (
    EDITIONS,
    Action,
    AnyAnswer,
    AnyQuestion,
    Characteristics,
    Event,
    Illegal,
    Object,
    Player,
    PriorityQuestion,
    Result,
    Rule,
    State,
    Take,
    Turn,
    define,
    player_ref,
)
from server.rules.model.events import Loses, Move, StepEntered
from server.rules.model.questions import Confirm, ConfirmQuestion
from server.rules.turn import AnyAmendment, snapshot
from server.storage import Setup, Sitting, make_setup

BEAR = Card(name="Bear", types="Creature — Bear", cost="{1}{G}", power="2", toughness="2")
SECRET = Card(name="Secret Plan", types="Sorcery", cost="{U}", text="Nobody may know.")


def setup_of(seats: int = 3, room: str = "r1", **options: object) -> Setup:
    people = [Sitting(name=f"P{i}", person=f"p{i}", deck=(BEAR, SECRET) * 5) for i in range(seats)]
    wire = msgspec.convert({"seats": seats, **options}, RoomOptions)
    return make_setup(room=room, options=wire, seed="s", sittings=people, created=1)


def q(number: int) -> str:
    """The id of a question in a game of `setup_of`."""
    return QuestionIds("s").write(number)


class FakeGame:
    """Each player holds three cards. With priority: pass (the next player gets it), or play a card from the hand (it
    enters the battlefield, and you keep priority). When all pass, the next turn begins and its player draws.
    A game ends after `turns` turns; the player with most permanents wins. `crash_at`: a question number that is a defect.
    `confirm_at`: question numbers that are "yes or no?" instead.
    """

    version = "fake"

    def __init__(self, turns: int = 20, crash_at: int = -1, confirm_at: tuple[int, ...] = ()) -> None:
        self.turns = turns
        self.crash_at = crash_at
        self.confirm_at = confirm_at

    def start(self, setup: Setup) -> tuple[State, tuple[Event, ...]]:
        objects: dict[int, Object] = {}
        players: list[Player] = []
        number = 1
        for seat, name in enumerate(s.name for s in setup.seats):
            ids: list[int] = []
            for card in setup.deck(seat):
                objects[number] = Object(
                    id=number, definition=define(card), owner=seat, controller=seat, zone="library"
                )
                ids.append(number)
                number += 1
            players.append(Player(seat=seat, name=name, life=20, library=tuple(ids)))
        state = State(
            options=setup.rules,
            edition=EDITIONS[setup.rules.edition],
            players=tuple(players),
            objects=objects,
            agenda=(),
            next_id=number,
            turn=Turn(number=1, active=0, step="precombat_main"),
        )
        events: list[Event] = []
        for seat in range(len(players)):
            for _ in range(3):
                state, event = self._draw(state, seat)
                events.append(event)
        return self._ask(state, 0), tuple(events)

    def pass_unlisted(self, state: State) -> tuple[State, tuple[Event, ...]]:
        assert state.pending is not None
        return self.submit(state, state.pending.seat, Take(0))

    def submit(self, state: State, seat: int, answer: AnyAnswer) -> tuple[State, tuple[Event, ...]]:
        pending = state.pending
        assert pending is not None and pending.seat == seat
        if pending.number == self.crash_at:
            raise RuntimeError("a defect")
        if isinstance(pending, ConfirmQuestion):
            assert isinstance(answer, Confirm)
            return self._ask(state, seat), ()
        assert isinstance(pending, PriorityQuestion) and isinstance(answer, Take)
        if not 0 <= answer.index < len(pending.actions):
            raise Illegal("no_such_action", "There is no such action.", Rule.ATTACK_COSTS_PAID)
        action = pending.actions[answer.index]
        if action.type != "pass":
            state, event = self._move(state, action.object, "battlefield")
            return self._ask(replace(state, passes=0), seat), (event,)
        passes = state.passes + 1
        alive = [p.seat for p in state.players if not p.lost]
        if passes < len(alive):
            return self._ask(replace(state, passes=passes), self._after(state, seat)), ()
        return self._next_turn(replace(state, passes=0))

    def concede(self, state: State, seat: int) -> tuple[State, tuple[Event, ...]]:
        players = tuple(replace(p, lost="concession") if p.seat == seat else p for p in state.players)
        state = replace(state, players=players)
        lost = Loses(subject=player_ref(seat), cause="concession")
        alive = [p.seat for p in state.players if not p.lost]
        if len(alive) == 1:
            return replace(state, pending=None, result=Result((alive[0],), "concession")), (lost,)
        if state.pending is not None and state.pending.seat == seat:
            state = self._ask(state, self._after(state, seat))
        return state, (lost,)

    def default(self, state: State, question: AnyQuestion) -> AnyAnswer:
        return Take(0) if isinstance(question, PriorityQuestion) else Confirm(False)

    def characteristics(self, state: State, object_id: int) -> Characteristics:
        return state.objects[object_id].definition.base

    def same_objects(self, before: State, after: State) -> bool:
        return before.objects is after.objects

    def counts_itself(self, thing: Object) -> bool:
        return False

    def other_objects(self, before: State, after: State) -> list[int]:
        return [number for number, found in after.objects.items() if before.objects.get(number) is not found]

    def amend(self, state: State, seat: int, change: AnyAmendment) -> tuple[State, tuple[Event, ...]]:
        raise Illegal("not_now", "Nothing is played by hand here.")

    def fingerprint(self, state: State) -> str:
        text = repr((sorted(state.objects), state.battlefield, state.questions, [p.hand for p in state.players]))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def attack_prices(self, state: State) -> dict[int, dict[int, str]]:
        return {}

    def block_prices(self, state: State, seat: int) -> dict[int, str]:
        return {}

    def is_reminded(self, state: State, action: Action) -> bool:
        return False

    def lands_left(self, state: State, seat: int) -> int:
        return 0

    def write(self, setup: Setup, state: State) -> Iterator[bytes]:
        return snapshot.parts(state, setup.cards)

    def read(self, setup: Setup, data: bytes) -> State:
        return snapshot.read(data, setup.cards)

    def ask_again(self, state: State) -> State:
        return state

    # --- how ---

    def _next_turn(self, state: State) -> tuple[State, tuple[Event, ...]]:
        number = state.turn.number + 1
        if number > self.turns:
            counts = [sum(state.objects[i].controller == p.seat for i in state.battlefield) for p in state.players]
            best = max(range(len(counts)), key=lambda seat: (counts[seat], -seat))
            losers = tuple(
                Loses(subject=player_ref(p.seat), cause="life") for p in state.players if p.seat != best and not p.lost
            )
            return replace(state, pending=None, result=Result((best,), "permanents")), losers
        active = self._after(state, state.turn.active)
        state = replace(state, turn=Turn(number=number, active=active, step="precombat_main"))
        events: list[Event] = [StepEntered(subject=player_ref(active), step="untap")]
        if state.players[active].library:
            state, event = self._draw(state, active)
            events.append(event)
        return self._ask(state, active), tuple(events)

    def _after(self, state: State, seat: int) -> int:
        order = [*range(seat + 1, len(state.players)), *range(seat + 1)]
        return next(s for s in order if not state.players[s].lost)

    def _ask(self, state: State, seat: int) -> State:
        number = state.questions + 1
        question: AnyQuestion
        if number in self.confirm_at:
            question = ConfirmQuestion(seat=seat, purpose="may", number=number)
        else:
            actions = (Action("pass"), *(Action("cast", i) for i in state.players[seat].hand))
            question = PriorityQuestion(seat=seat, number=number, actions=actions)
        return replace(state, pending=question, questions=number)

    def _draw(self, state: State, seat: int) -> tuple[State, Event]:
        return self._move(state, state.players[seat].library[-1], "hand", cause="draw")

    def _move(self, state: State, number: int, to: str, cause: str = "") -> tuple[State, Event]:
        old = state.objects[number]
        new = msgspec.structs.replace(old, id=state.next_id, zone=to, known=0)
        objects = {i: thing for i, thing in state.objects.items() if i != number}
        objects[new.id] = new
        player = state.players[old.owner]
        if old.zone == "library":
            player = replace(player, library=tuple(i for i in player.library if i != number))
        else:
            player = replace(player, hand=tuple(i for i in player.hand if i != number))
        if to == "hand":
            player = replace(player, hand=(*player.hand, new.id))
        battlefield = (*state.battlefield, new.id) if to == "battlefield" else state.battlefield
        players = tuple(player if p.seat == player.seat else p for p in state.players)
        after = replace(state, objects=objects, players=players, battlefield=battlefield, next_id=state.next_id + 1)
        return after, Move(subject=number, to=to, from_=old.zone, became=new.id, cause=cause)  # type: ignore[arg-type]
