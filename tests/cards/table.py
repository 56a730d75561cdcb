"""A small table to try cards on: a board set by hand, actions by card name, answers by names given with the action."""

from __future__ import annotations

from collections.abc import Iterable

from server.cards.nouns import Zone
from server.oracle.house import house_card
from server.rules import Options, State, characteristics, submit
from server.rules.model import EDITIONS, Object, Player, Turn, TurnFrame, define, rare
from server.rules.model import questions as q
from server.rules.turn import driver, legal

FILLER = "Quiet Crossroads"
LANDS = ("Plains", "Island", "Swamp", "Mountain", "Forest")


class Table:
    """Seat 0 takes turn 1 with twelve of each basic land; so has seat 1. `hand` is seat 0's; `mine`, `theirs` the boards."""

    def __init__(
        self,
        hand: Iterable[str] = (),
        mine: Iterable[str] = (),
        theirs: Iterable[str] = (),
        graveyard: Iterable[str] = (),
        their_hand: Iterable[str] = (),
        library: Iterable[str] = (),
        edition: str = "2011",
        seats: int = 2,
        lands: bool = True,
        loyalty: int = 0,
    ) -> None:
        self.loyalty = loyalty  # of the planeswalkers on the battlefield; 0: the printed one
        self.objects: dict[int, Object] = {}
        self.battlefield: list[int] = []
        self.answers: list[object] = []
        basics = [name for name in LANDS for _ in range(12)] if lands else []
        players: list[Player] = []
        for seat in range(seats):
            filler = self._cards([FILLER] * 20, seat, "library")
            if seat == 0:
                library_ids = (*filler, *self._cards(list(library)[::-1], seat, "library"))
                hands = self._cards(hand, seat, "hand")
                buried = self._cards(graveyard, seat, "graveyard")
            else:
                library_ids, buried = filler, ()
                hands = self._cards(their_hand if seat == 1 else (), seat, "hand")
            players.append(Player(seat, f"P{seat}", 20, library=library_ids, hand=hands, graveyard=buried))
            board = [*(mine if seat == 0 else theirs if seat == 1 else ()), *basics]
            self.battlefield += self._cards(board, seat, "battlefield")
        options = Options(edition=edition, format="duel" if seats == 2 else "free-for-all", first_draw=False)
        state = State(
            options=options,
            edition=EDITIONS[edition],
            players=tuple(players),
            objects=self.objects,
            battlefield=tuple(self.battlefield),
            agenda=(TurnFrame(at="next"),),
            next_id=len(self.objects) + 1,
            clock=len(self.objects) + 1,
            turn=Turn(active=0, step="cleanup", last_normal=seats - 1),
        )
        self.log: list[object] = []
        self.state: State = driver.advance(state, self.log)  # pyright: ignore[reportArgumentType]
        self.to("precombat_main")

    def _cards(self, names: Iterable[str], seat: int, zone: Zone) -> tuple[int, ...]:
        made: list[int] = []
        for name in names:
            card = house_card(name)
            assert card is not None, name
            oid = len(self.objects) + 1
            counters = (
                (("loyalty", self.loyalty or int(card.loyalty)),) if card.loyalty and zone == "battlefield" else ()
            )
            self.objects[oid] = Object(
                oid,
                define(card),
                seat,
                seat,
                zone,
                timestamp=oid,
                base=seat,
                rare=rare(counters=counters),
            )
            made.append(oid)
        return tuple(made)

    # --- looking -------------------------------------------------------------------------------------------------------

    def find(self, name: str, zone: str = "battlefield", seat: int | None = None) -> Object | None:
        """The first object of that name in that zone."""
        found = self.all(name, zone, seat)
        return found[0] if found else None

    def all(self, name: str, zone: str = "battlefield", seat: int | None = None) -> list[Object]:
        return [
            o
            for o in self.state.objects.values()
            if o.zone == zone and self.name(o.id) == name and (seat is None or seat == o.controller)
        ]

    def name(self, ref: int) -> str:
        return f"P{q.seat_of(ref)}" if ref < 0 else characteristics(self.state, ref).name

    def pt(self, name: str) -> tuple[int | None, int | None]:
        c = self.face(name)
        return c.power, c.toughness

    def face(self, name: str):
        found = self.find(name)
        assert found is not None, f"no {name} on the battlefield"
        return characteristics(self.state, found.id)

    def life(self, seat: int) -> int:
        return self.state.players[seat].life

    def hand(self, seat: int) -> int:
        return len(self.state.players[seat].hand)

    def zone_of(self, name: str) -> str:
        return next(o.zone for o in self.state.objects.values() if o.definition.name == name)

    # --- doing ---------------------------------------------------------------------------------------------------------

    def answer(self, question: q.AnyQuestion) -> q.AnyAnswer:
        """The first given answer that is one for this question, else the default."""
        for i, given in enumerate(self.answers):
            made = self.fitting(question, given)
            if made is not None:
                del self.answers[i]
                return made
        return legal.default(question, self.state)

    def fitting(self, question: q.AnyQuestion, given: object) -> q.AnyAnswer | None:
        """The given names, yes or no, number or division as an answer to the question; None if it is none."""
        if isinstance(question, q.ConfirmQuestion) and isinstance(given, bool):
            return q.Confirm(given)
        if isinstance(question, q.NumberQuestion) and type(given) is int:
            return q.Number(given)
        if isinstance(question, q.DivideQuestion) and isinstance(given, list):
            return q.Divide(tuple(given))
        if isinstance(question, q.ChooseQuestion) and isinstance(given, str | tuple):
            picks: list[int] = []
            for name in [given] if isinstance(given, str) else given:
                at = next(
                    (i for i, o in enumerate(question.options) if i not in picks and name in self.called(o)), None
                )
                if at is None:
                    return None
                picks.append(at)
            return q.Pick(tuple(picks))
        return None

    def called(self, option: q.Choice) -> tuple[str, ...]:
        return (self.name(option.ref), option.word, option.text) if option.ref else (option.word, option.text)

    def step(self, answer: q.AnyAnswer) -> None:
        assert self.state.pending is not None
        self.state, done = submit(self.state, self.state.pending.seat, answer)
        self.log += done

    def to(self, step: str, turn: int = 0) -> None:
        """Passes (and answers) until seat 0 has priority with an empty stack in that step."""
        for _ in range(600):
            question = self.state.pending
            if self.state.result is not None or question is None:
                return
            here = self.state.turn.step == step and (not turn or self.state.turn.number == turn)
            if isinstance(question, q.PriorityQuestion) and here and question.seat == 0 and not self.state.stack:
                return
            self.step(self.answer(question))
        raise AssertionError(f"never came to {step}")

    def resolve(self) -> None:
        """Everyone passes until the stack is empty."""
        while self.state.result is None and self.state.pending is not None:
            if isinstance(self.state.pending, q.PriorityQuestion) and not self.state.stack:
                return
            self.step(self.answer(self.state.pending))

    def actions(self, seat: int = 0) -> list[str]:
        """What the seat can do now: "cast Ember Lash", "activate Forge Novice 1"."""
        question = self.pass_to(seat)
        return [f"{a.type} {self.does(a)}" for a in question.actions if a.object]

    def does(self, action: q.Action) -> str:
        """The name of what an action is about: of the face, if it casts the card by another one."""
        sides = self.state.objects[action.object].definition.sides
        return sides[action.side - 1].name if action.side else self.name(action.object)

    def pass_to(self, seat: int) -> q.PriorityQuestion:
        while True:
            question = self.state.pending
            assert question is not None
            if isinstance(question, q.PriorityQuestion) and question.seat == seat:
                return question
            self.step(self.answer(question))

    def act(self, type_: str, name: str, *answers: object, nth: int = 0, seat: int = 0, resolve: bool = True) -> None:
        """Casts, plays or activates (the nth such action of that name), with answers for what is asked until it resolved."""
        question = self.pass_to(seat)
        actions = [(a.ability, i) for i, a in enumerate(question.actions) if a.type == type_ and a.object]
        found = sorted(pair for pair in actions if self.does(question.actions[pair[1]]) == name)
        assert len(found) > nth, f"{type_} {name} is none of {self.actions(seat)}"
        self.answers = list(answers)
        self.step(q.Take(found[nth][1]))
        while self.state.pending is not None and not isinstance(self.state.pending, q.PriorityQuestion):
            self.step(self.answer(self.state.pending))
        if resolve:
            self.resolve()

    def cast(self, name: str, *answers: object, **more: int) -> None:
        self.act("cast", name, *answers, **more)  # pyright: ignore

    def use(self, name: str, *answers: object, nth: int = 0, **more: int) -> None:
        self.act("activate", name, *answers, nth=nth, **more)  # pyright: ignore

    def attack(self, *names: str, blocks: dict[str, str] | None = None, defender: int = 1, turn: int = 0) -> None:
        """Attacks with these, is blocked so, and goes on to the end of combat."""
        while not isinstance(self.state.pending, q.AttackersQuestion):
            assert self.state.pending is not None
            self.step(self.answer(self.state.pending))
        able = [self.name(a.object) for a in self.state.pending.attackers]
        pairs: list[tuple[int, int]] = []
        for name in names:
            at = next(i for i, n in enumerate(able) if n == name and i not in [p[0] for p in pairs])
            defenders = self.state.pending.attackers[at].defenders
            pairs.append((at, defenders.index(q.player_ref(defender))))
        self.step(q.Attackers(tuple(pairs)))
        while self.state.result is None and self.state.turn.step not in ("end_combat", "postcombat_main"):
            question = self.state.pending
            assert question is not None
            if isinstance(question, q.BlockersQuestion) and blocks:
                answer = self.blocks(question, blocks)
                blocks = None
                self.step(answer)
            else:
                self.step(self.answer(question))

    def blocks(self, question: q.BlockersQuestion, blocks: dict[str, str]) -> q.Blockers:
        made: list[tuple[int, int]] = []
        for i, blocker in enumerate(question.blockers):
            wanted = blocks.get(self.name(blocker.object))
            attacker = next((a for a in blocker.attackers if wanted == self.name(a)), None)
            if attacker is not None:
                made.append((i, attacker))
        assert len(made) == len(blocks), f"cannot block so: {blocks}"
        return q.Blockers(tuple(made))
