"""A harness for tests that read as played games: put a board, cast, attack, block, answer, look.

    game = Game("ABC")
    bear = game.put("A", creature("Bear", 2, 2))
    bolt = game.put("A", BOLT, "hand")
    game.begin()
    game.cast("A", bolt, "B")
    game.resolve()
    assert game.life("B") == 17

Players are letters by seat ("A" is seat 0). `put` gives a handle that stays good through changes of zone. Every question that
the game asks is kept in `asked`; what a test does not answer itself is answered by the engine's default where it passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from server.cards import forms
from server.cards.forms import Card
from server.cards.nouns import Noun, Zone
from server.knowledge.citations import cited
from server.rules import characteristics
from server.rules.model import (
    EDITIONS,
    Characteristics,
    Object,
    Options,
    Player,
    PriorityFrame,
    State,
    Turn,
    TurnFrame,
    define,
    events,
    made_of,
    with_rare,
)
from server.rules.model import questions as q
from server.rules.turn import driver, game, legal
from server.rules.turn.structure import ALL_STEPS

Happening = TypeVar("Happening", bound=events.Event)
FILLER = Card(name="Filler", types="Artifact", cost="{9}")


class Game:
    """A game in the middle of `active`'s turn, with the board that was put."""

    def __init__(
        self, seats: str = "AB", life: int = 20, edition: str = "2011", library: int = 10, **options: Any
    ) -> None:
        self.letters = seats
        made = tuple(Player(i, letter, life, kept=True) for i, letter in enumerate(seats))
        self.state = State(
            options=Options(edition=edition, life=life, **options),
            edition=EDITIONS[edition],
            players=made,
            objects={},
            agenda=(),
            turn=Turn(number=7, active=0, step="precombat_main"),
        )
        self.log: list[events.Event] = []
        self.asked: list[tuple[str, str]] = []
        self.became: dict[int, int] = {}
        for letter in seats:
            self.put(letter, FILLER, "library", number=library)

    # --- the board -----------------------------------------------------------------------------------------------------

    def put(
        self, owner: str, card: Card, zone: Zone = "battlefield", number: int = 1, under: str = "", **more: Any
    ) -> int:
        """Puts cards somewhere before the game begins; the handle of the last one."""
        state, seat = self.state, self.seat(owner)
        controller = self.seat(under) if under else seat
        oid = 0
        for _ in range(number):
            oid = state.next_id
            definition = define(card)
            counters: dict[str, int] = dict(more.get("counters", {}))
            if zone == "battlefield" and definition.base.loyalty is not None and "loyalty" not in counters:
                counters["loyalty"] = definition.base.loyalty
            fields = {**more, "counters": tuple(sorted(counters.items()))}
            found = made_of(
                id=oid,
                definition=definition,
                owner=seat,
                controller=controller,
                zone=zone,
                timestamp=state.clock + 1,
                base=controller,
                **fields,
            )
            changes: dict[str, Any] = {"objects": {**state.objects, oid: found}}
            if zone in ("battlefield", "exile", "command"):
                changes[zone] = (*getattr(state, zone), oid)
            else:
                players = list(state.players)
                players[seat] = replace(players[seat], **{zone: (*getattr(players[seat], zone), oid)})
                changes["players"] = tuple(players)
            state = replace(state, next_id=oid + 1, clock=state.clock + 1, memo={}, **changes)
        self.state = state
        return oid

    def set_life(self, who: str, life: int) -> None:
        """Sets a life total before the game begins."""
        players = list(self.state.players)
        players[self.seat(who)] = replace(players[self.seat(who)], life=life)
        self.state = replace(self.state, players=tuple(players), memo={})

    def attach(self, what: int, to: int) -> None:
        """Attaches a permanent to another before the game begins."""
        objects = dict(self.state.objects)
        objects[what] = with_rare(objects[what], attached_to=to)
        objects[to] = with_rare(objects[to], attachments=(*objects[to].attachments, what))
        self.state = replace(self.state, objects=objects, memo={})

    def begin(self, active: str = "A", step: str = "precombat_main") -> Game:
        """The game begins in that step of that player's turn; the active player has priority."""
        seat = self.seat(active)
        at = ALL_STEPS.index(step)
        turn = Turn(number=7, active=seat, step=ALL_STEPS[at], steps=ALL_STEPS[at + 1 :], last_normal=seat)
        agenda = (TurnFrame(at="end"), PriorityFrame(holder=seat))
        self.state = replace(self.state, turn=turn, agenda=agenda, memo={})
        new: list[events.Event] = []
        self._take_over(driver.advance(self.state, new), new)
        return self

    # --- names -----------------------------------------------------------------------------------------------------------

    def seat(self, who: str) -> int:
        """The seat of a letter."""
        return self.letters.index(who)

    def now(self, handle: int) -> int:
        """The id that an object has now, through its changes of zone."""
        while handle in self.became and handle not in self.state.objects:
            handle = self.became[handle]
        return handle

    def ref(self, who: int | str) -> int:
        """A reference to an object or player."""
        return q.player_ref(self.seat(who)) if isinstance(who, str) else self.now(who)

    def who(self, ref: int) -> int | str:
        """The letter of a player's reference; objects stay ids."""
        return self.letters[q.seat_of(ref)] if ref < 0 else ref

    # --- looking ---------------------------------------------------------------------------------------------------------

    def life(self, who: str) -> int:
        """A life total."""
        return self.state.players[self.seat(who)].life

    def lost(self, who: str) -> str:
        """Why a player lost; empty if still in the game."""
        return self.state.players[self.seat(who)].lost

    def object(self, handle: int) -> Object:
        """The object as it is."""
        return self.state.objects[self.now(handle)]

    def zone(self, handle: int) -> str:
        """Where an object is; empty if it is nowhere."""
        found = self.state.objects.get(self.now(handle))
        return found.zone if found is not None else ""

    def damage(self, handle: int) -> int:
        """The damage marked on a permanent."""
        return self.object(handle).damage

    def counters(self, what: int | str, kind: str) -> int:
        """Counters of a kind on an object or player."""
        held = self.state.players[self.seat(what)].counters if isinstance(what, str) else self.object(what).counters
        return dict(held).get(kind, 0)

    def chars(self, handle: int) -> Characteristics:
        """The computed characteristics."""
        return characteristics(self.state, self.now(handle))

    def size(self, handle: int) -> tuple[int | None, int | None]:
        """Power and toughness."""
        return self.chars(handle).power, self.chars(handle).toughness

    @property
    def step(self) -> str:
        """The step under way."""
        return self.state.turn.step

    @property
    def question(self) -> q.AnyQuestion:
        """The open question."""
        assert self.state.pending is not None, "no question is open"
        return self.state.pending

    @property
    def asks(self) -> tuple[str, str]:
        """Who is asked what: (letter, purpose)."""
        return self.letters[self.question.seat], self.question.purpose

    def options(self) -> list[int | str]:
        """What the open choice offers: letters, ids, words."""
        question = self.question
        assert isinstance(question, q.ChooseQuestion | q.OrderQuestion | q.DivideQuestion)
        return [self.who(c.ref) if c.ref else c.word for c in question.options]

    def happened(self, *kinds: type[Happening], since: int = 0) -> list[Happening]:
        """The events of these kinds, in order."""
        return [e for e in self.log[since:] if isinstance(e, kinds)]

    def can(self, who: str, handle: int, way: str | None = None, ability: int | None = None) -> bool:
        """Whether a player who has priority could act on an object (cast it, activate it)."""
        question = self.question
        assert isinstance(question, q.PriorityQuestion) and question.seat == self.seat(who), self.asks
        oid = self.now(handle)
        return any(
            a.object == oid and (way is None or a.way == way) and (ability is None or a.ability == ability)
            for a in question.actions
        )

    # --- answering ---------------------------------------------------------------------------------------------------------

    def submit(self, answer: q.AnyAnswer) -> None:
        """Gives an answer to the open question."""
        question = self.question
        self.asked.append(self.asks)
        state, new = game.submit(self.state, question.seat, answer)
        self._take_over(state, list(new))

    def _take_over(self, state: State, new: Sequence[events.Event]) -> None:
        self.state = state
        self.log.extend(new)
        for event in new:
            if isinstance(event, events.Move) and event.subject and event.became:
                self.became[event.subject] = event.became

    def concede(self, who: str) -> None:
        """A player leaves the game."""
        state, new = game.concede(self.state, self.seat(who))
        self._take_over(state, list(new))

    def answer(self, value: Any) -> None:
        """Answers the open question in the harness's own words: a thing or several, yes or no, a number, a mapping."""
        self.submit(self._answer(self.question, value))

    def _answer(self, question: q.AnyQuestion, value: Any) -> q.AnyAnswer:
        if isinstance(question, q.ConfirmQuestion):
            assert isinstance(value, bool), f"{self.asks} takes yes or no"
            return q.Confirm(value)
        if isinstance(question, q.NumberQuestion):
            return q.Number(value)
        if isinstance(question, q.ChooseQuestion):
            wanted = list(value) if isinstance(value, list | tuple) else [value]
            return q.Pick(tuple(self._place(question.options, w) for w in wanted))
        if isinstance(question, q.OrderQuestion):
            return q.Order(tuple(self._place(question.options, w) for w in value))
        if isinstance(question, q.DivideQuestion):
            given = {self.ref(k): n for k, n in value.items()}
            return q.Divide(tuple(given.get(c.ref, 0) for c in question.options))
        if isinstance(question, q.DamageQuestion):
            return self._damage_answer(question, value)
        raise AssertionError(f"no way to answer {self.asks} with {value!r}")

    def _place(self, options: tuple[q.Choice, ...], wanted: int | str) -> int:
        refs = [c.ref for c in options]
        words = [c.word for c in options]
        if isinstance(wanted, str) and wanted in words:
            return words.index(wanted)
        if wanted in refs:
            return refs.index(wanted)  # an object that has left, by the id that it had
        assert self.ref(wanted) in refs, f"{wanted!r} is not offered: {self.options()}"
        return refs.index(self.ref(wanted))

    def _damage_answer(
        self, question: q.DamageQuestion, value: Mapping[int, Mapping[int | str, int]]
    ) -> q.AssignDamage:
        rows: list[tuple[int, ...]] = []
        given = {self.now(k): {self.ref(r): n for r, n in row.items()} for k, row in value.items()}
        for a in question.assigners:
            row = given[a.object]
            rows.append(tuple(row.get(r, 0) for r in a.options))
        return q.AssignDamage(tuple(rows))

    def default(self) -> None:
        """Answers the open question as the engine would for a player who does not."""
        self.submit(legal.default(self.question, self.state))

    # --- priority ----------------------------------------------------------------------------------------------------------

    def pass_to(self, who: str) -> None:
        """Players pass until `who` has priority, without anything resolving."""
        for _ in range(len(self.letters)):
            question = self.question
            if isinstance(question, q.PriorityQuestion) and question.seat == self.seat(who):
                return
            assert isinstance(question, q.PriorityQuestion), f"{self.asks} is open"
            self.submit(q.Take(0))
        raise AssertionError(f"{who} did not get priority")

    def act(self, who: str, handle: int, way: str | None = None, ability: int | None = None) -> None:
        """Takes the action about an object: casts it, plays it, activates its (first, or that) ability."""
        self.pass_to(who)
        question = self.question
        assert isinstance(question, q.PriorityQuestion)
        oid = self.now(handle)
        for index, a in enumerate(question.actions):
            if a.object == oid and (way is None or a.way == way) and (ability is None or a.ability == ability):
                self.submit(q.Take(index))
                return
        raise AssertionError(f"{who} can do nothing with {self.state.objects[oid].definition.name}: {question.actions}")

    def cast(self, who: str, handle: int, *targets: Any, way: str | None = None, ability: int | None = None) -> int:
        """Casts a card (or activates an ability) and answers its questions for targets and so on in order; the handle."""
        self.act(who, handle, way, ability)
        for target in targets:
            if isinstance(self.question, q.PriorityQuestion | q.PaymentQuestion):
                # The only legal choice was not asked for; it must be the one that the test means.
                entry = self.state.objects[self.state.stack[-1]].entry
                chosen = [r for slot in entry.targets for r in slot] if entry is not None else []
                assert self.ref(target) in chosen, f"{target!r} was not chosen: {chosen}"
            else:
                self.answer(target)
        while isinstance(self.state.pending, q.PaymentQuestion):
            self.default()
        return handle

    activate = cast

    def resolve(self) -> None:
        """Everybody passes until the top of the stack has resolved, or somebody is asked something else."""
        assert self.state.stack, "nothing is on the stack"
        top = self.state.stack[-1]
        while isinstance(self.state.pending, q.PriorityQuestion) and top in self.state.stack:
            self.submit(q.Take(0))

    def resolve_all(self) -> None:
        """Resolves what is on the stack, other questions answered by default, until the stack is empty."""
        for _ in range(500):
            if not self.state.stack and isinstance(self.state.pending, q.PriorityQuestion):
                return
            if self.state.result is not None:
                return
            self.default()
        raise AssertionError("the stack does not empty")

    def pass_until(self, step: str = "", purpose: str = "") -> None:
        """Everything is answered by default until that step's priority, or until that question is open."""
        for _ in range(2000):
            if self.state.result is not None:
                return
            if purpose and self.question.purpose == purpose:
                return
            if step and self.step == step and isinstance(self.question, q.PriorityQuestion):
                return
            self.default()
        raise AssertionError(f"{step or purpose} does not come")

    # --- combat ------------------------------------------------------------------------------------------------------------

    def attackers(self, attacks: Mapping[int, int | str], bands: Sequence[Sequence[int]] = ()) -> q.Attackers:
        """A declaration as an answer."""
        question = self.question
        assert isinstance(question, q.AttackersQuestion), self.asks
        ids = [a.object for a in question.attackers]
        pairs: list[tuple[int, int]] = []
        for handle, to in attacks.items():
            assert self.now(handle) in ids, f"{self.now(handle)} cannot attack"
            i = ids.index(self.now(handle))
            options = question.attackers[i].defenders
            assert self.ref(to) in options, f"cannot attack {to}: {[self.who(r) for r in options]}"
            pairs.append((i, options.index(self.ref(to))))
        grouped = tuple(tuple(ids.index(self.now(h)) for h in band) for band in bands)
        return q.Attackers(tuple(pairs), grouped)

    def attack(self, attacks: Mapping[int, int | str], bands: Sequence[Sequence[int]] = ()) -> None:
        """The active player attacks: creature → player or planeswalker. Goes to the declaration first."""
        if not isinstance(self.question, q.AttackersQuestion):
            self.pass_until(purpose="attackers")
        self.submit(self.attackers(attacks, bands))

    def can_attack(self) -> dict[int, list[int | str]]:
        """Who could attack whom."""
        question = self.question
        assert isinstance(question, q.AttackersQuestion), self.asks
        return {a.object: [self.who(r) for r in a.defenders] for a in question.attackers}

    def blockers(self, blocks: Mapping[int, Any]) -> q.Blockers:
        """A declaration of blockers as an answer: blocker → attacker or attackers."""
        question = self.question
        assert isinstance(question, q.BlockersQuestion), self.asks
        ids = [b.object for b in question.blockers]
        pairs: list[tuple[int, int]] = []
        for handle, to in blocks.items():
            assert self.now(handle) in ids, f"{self.now(handle)} cannot block"
            for attacker in to if isinstance(to, list | tuple) else [to]:
                pairs.append((ids.index(self.now(handle)), self.now(attacker)))
        return q.Blockers(tuple(pairs))

    def block(self, who: str, blocks: Mapping[int, Any]) -> None:
        """A player blocks: blocker → attacker or attackers. Goes to that player's declaration first."""
        for _ in range(200):
            if isinstance(self.question, q.BlockersQuestion):
                break
            assert isinstance(self.question, q.PriorityQuestion), self.asks
            self.submit(q.Take(0))
        assert self.asks == (who, "blockers"), self.asks
        self.submit(self.blockers(blocks))

    def can_block(self) -> dict[int, list[int]]:
        """Who could block whom, in the open declaration."""
        question = self.question
        assert isinstance(question, q.BlockersQuestion), self.asks
        return {b.object: list(b.attackers) for b in question.blockers}

    def fight(self) -> None:
        """Goes on through combat damage, everything else by default, to the priority after it."""
        self.pass_until(step="combat_damage")

    def attacker(self, handle: int) -> Any:
        """The place in combat of an attacker, None if it has none."""
        combat = self.state.combat
        oid = self.now(handle)
        return next((a for a in combat.attackers if a.id == oid), None) if combat is not None else None


# --- cards -----------------------------------------------------------------------------------------------------------------


def noun(text: str) -> Noun:
    """A noun phrase."""
    return Noun(text)


def creature(name: str, power: int, toughness: int, *keywords: str, **more: Any) -> Card:
    """A creature that costs nothing."""
    fields: dict[str, Any] = {"types": "Creature — Beast", "cost": "{0}", **more}
    return Card(name=name, power=str(power), toughness=str(toughness), keywords=keywords, **fields)


def instant(name: str, *do: forms.Verb, **more: Any) -> Card:
    """An instant that costs nothing."""
    fields: dict[str, Any] = {"types": "Instant", "cost": "{0}", **more}
    return Card(name=name, abilities=(forms.SpellAbility(do=do),), **fields)


def sorcery(name: str, *do: forms.Verb, **more: Any) -> Card:
    """A sorcery that costs nothing."""
    return instant(name, *do, **{"types": "Sorcery", **more})


def enchantment(name: str, *abilities: forms.Ability, **more: Any) -> Card:
    """An enchantment that costs nothing."""
    fields: dict[str, Any] = {"types": "Enchantment", "cost": "{0}", **more}
    return Card(name=name, abilities=abilities, **fields)


def planeswalker(name: str, loyalty: int, *abilities: forms.Ability, **more: Any) -> Card:
    """A planeswalker that costs nothing; its type is its name."""
    fields: dict[str, Any] = {"types": f"Planeswalker — {name}", "cost": "{0}", **more}
    return Card(name=name, loyalty=str(loyalty), abilities=abilities, **fields)


def damage(amount: Any, to: str, **more: Any) -> forms.Damage:
    """ "deals so much damage to ..." """
    return forms.Damage(amount=amount, to=Noun(to), **more)


def tapping(*do: forms.Verb, **more: Any) -> forms.ActivatedAbility:
    """An activated ability that costs {T}."""
    return forms.ActivatedAbility(cost=(forms.TapCost(),), do=do, **more)


def whenever(pattern: forms.Pattern, *do: forms.Verb, **more: Any) -> forms.TriggeredAbility:
    """A triggered ability."""
    return forms.TriggeredAbility(when=(pattern,), do=do, **more)


def until_end(what: str, *mods: forms.AnyModification, **more: Any) -> forms.Effect:
    """ "... until end of turn" """
    return forms.Effect(what=Noun(what), mods=mods, **more)


BOLT = instant("Bolt", damage(3, "target creature or player"), colors="R")
BEAR = creature("Bear", 2, 2)
MOUNTAIN = Card(name="Mountain", types="Basic Land — Mountain")
FOREST = Card(name="Forest", types="Basic Land — Forest")
PLAINS = Card(name="Plains", types="Basic Land — Plains")
WALL = creature("Wall", 0, 8, "defender")
ALDRIC = planeswalker("Aldric", 4)


def told_by(event: events.Event) -> str:
    """The number of 2011-09-30 by which the log of a game of two tells an event."""
    rule = cited(event, 2)
    return rule.in_2011 if rule is not None else ""
