"""Games in which much is done by hand, by a script: acts of every kind of the palette, paragraphs said in other words, corrections.

After every decision the laws of the engine are checked, and every viewer's view; in the middle of acts the game is written and read
again; in the end it is played again from its inputs. What is refused must have changed nothing.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Sequence
from typing import get_args

import msgspec

from server.bench.invariants import Watch, deck_counts, followed, sound, structure
from server.cards.forms import Card
from server.cards.loading import paragraphs_by_hand
from server.oracle.acts import ActFault, read_act, read_token
from server.oracle.rewording import reworded
from server.rooms.takebacks import can_go_back, taken_back
from server.rules import State, fingerprint
from server.rules.model import (
    Act,
    ActQuestion,
    AnyAnswer,
    Illegal,
    Options,
    PriorityQuestion,
    Step,
    Take,
    define,
    player_ref,
)
from server.rules.turn import (
    AnyAmendment,
    Corrected,
    Correction,
    MakeTokens,
    MoveTo,
    Remove,
    Reworded,
    Seat,
    SetCounters,
    SetDamage,
    SetLife,
    SetTapped,
    SetTurn,
    amending,
    legal,
    snapshot,
    start,
    submit,
)

NAMES = ("Ada", "Ben", "Cleo", "Dov")
#: Kinds of acts, and lines of each: {perm} a permanent, {mine} one's own, {hand} a card of one's hand, {grave} one in a graveyard,
#: {who} a player.
ACTS: dict[str, tuple[str, ...]] = {
    "move": (
        "exile {perm}",
        "return {perm} to its owner's hand",
        "put {hand} onto the battlefield",
        "put {grave} into my hand",
    ),
    "draw": ("draw two cards", "{who} draws a card"),
    "discard": ("discard a card", "{who} discards a card"),
    "mill": ("mill two cards", "{who} mills three cards"),
    "reveal": ("reveal the top card of my library", "{who} reveals their hand"),
    "look": ("look at the top three cards of my library", "scry 2"),
    "shuffle": ("shuffle my library", "{who} shuffles"),
    "tap": ("tap {perm}", "untap {perm}"),
    "counters": ("put two +1/+1 counters on {perm}", "put a charge counter on {perm}"),
    "life": ("{who} loses 2 life", "I gain 3 life"),
    "damage": ("deal 2 damage to {perm}", "deal 1 damage to {who}"),
    "destroy": ("destroy {perm}", "destroy target creature"),
    "sacrifice": ("sacrifice {mine}", "{who} sacrifices a creature"),
    "token": ("create a 1/1 white Soldier creature token", "create a token that's a copy of {perm}"),
    "control": ("gain control of {perm} until end of turn", "gain control of {perm}"),
    "attach": ("attach {mine} to {perm}", "unattach {mine}"),
    "size": ("{perm} gets +2/+2 until end of turn", "{perm} gains flying until end of turn"),
    "mana": ("add {{G}}{{G}}", "add one mana of any color"),
    "coin": ("flip a coin", "{who} flips a coin"),
    "die": ("roll a die", "roll a d20"),
    "turn": ("take an extra turn after this one", "after this phase, there is an additional combat phase"),
    "nothing": ("hum {perm}", "destroy #999999", "repeat this process", "create 500 1/1 white Soldier creature tokens"),
}
WORDINGS = (
    "Draw a card.",
    "Target creature gets +1/+1 until end of turn.",
    "Creatures you control get +1/+1.",
    "{T}: Add {C}.",
    "Whenever a creature dies, you gain 1 life.",
    "If you would gain life, you gain twice that much life instead.",
    "Frolic.",
)
CORRECTIONS = ("life", "counters", "damage", "tapped", "move", "player counters", "token", "gone", "turn", "back")
TOKENS = ("1/1 white Soldier creature", "a 4/4 white Angel creature token with flying")
STEPS = get_args(Step)
MOMENTS = 60
"""So many decisions back a table may go."""
MOST_DECISIONS = 4000
MOST_REWORDINGS = 3
"""Of one game: what is said in other words is no longer by hand."""
LIFE = 300


class Back(msgspec.Struct, frozen=True):
    """The game goes back to before the last so many inputs, as a room does it."""

    inputs: int


#: What was put into a game: an answer of the seat that was asked, or what the table agreed to with a seat's proposal.
Input = tuple[int, AnyAnswer | AnyAmendment | Back]


class Line:
    """A game as its inputs lead to it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._moments: deque[State] = deque(maxlen=MOMENTS)
        """The states before the last inputs; none from before a paragraph was said in other words."""

    @property
    def furthest(self) -> int:
        """Back so many inputs the game may go: to a moment of this turn or the last, with nobody gone since."""
        found = 0
        for number, earlier in enumerate(reversed(self._moments), 1):
            if earlier.turn.number >= self.state.turn.number - 1 and can_go_back(earlier, self.state):
                found = number
        return found

    def put(self, given: Input) -> None:
        """Put it in. Raises Illegal."""
        seat, what = given
        before = self.state
        if isinstance(what, Back):
            self.state = taken_back(self._moments[-what.inputs], before)
            for _ in range(what.inputs):
                self._moments.pop()
            return
        self.state = (
            amending.amend(before, seat, what)[0]
            if isinstance(what, amending.Amendment)
            else submit(before, seat, what)[0]
        )
        if isinstance(what, Reworded):
            self._moments.clear()
        else:
            self._moments.append(before)


class Played(msgspec.Struct):
    """One game: what was done by hand in it, by kind, how much was refused, and which laws broke."""

    seed: int
    decisions: int = 0
    turns: int = 0
    refused: int = 0
    restarts: int = 0
    acts: dict[str, int] = msgspec.field(default_factory=dict)
    rewordings: int = 0
    corrections: dict[str, int] = msgspec.field(default_factory=dict)
    broken: list[str] = msgspec.field(default_factory=list)

    @property
    def accepted(self) -> int:
        """How much was done by hand."""
        return sum(self.acts.values()) + self.rewordings + sum(self.corrections.values())


def play(
    decks: Sequence[tuple[tuple[Card, ...], tuple[Card, ...]]], seed: int, acts: int = 30, most: int = MOST_DECISIONS
) -> Played:
    """A game with these decks (each the cards, and the commanders) to so many acts and a quarter as many corrections, by the seed alone."""
    return _Game(decks, seed, acts, most).run()


class _Game:
    def __init__(
        self, decks: Sequence[tuple[tuple[Card, ...], tuple[Card, ...]]], seed: int, acts: int, most: int
    ) -> None:
        self.seats = tuple(Seat(name, cards, commander) for name, (cards, commander) in zip(NAMES, decks, strict=False))
        self.options = Options(edition="current", seed=f"hand {seed}", mulligans=False, life=LIFE)
        self.chance = random.Random(f"by hand {seed}")
        dealt = [card for cards, commander in decks for card in (*cards, *commander)]
        self.cards = tuple({define(card).key: card for card in dealt}.values())
        self.counts = deck_counts(tuple((*cards, *commander) for cards, commander in decks))
        self.line = Line(start(self.options, self.seats)[0])
        self.played = Played(seed)
        self.enough, self.most = acts, most
        self.inputs: list[Input] = []
        self.watch = Watch()
        self.tallied: Counter[str] = Counter()
        self.quiet = 0
        """Acts after which whoever is asked says that all is done."""

    @property
    def state(self) -> State:
        """Where the game is."""
        return self.line.state

    def run(self) -> Played:
        played = self.played
        while self.state.result is None and self.state.pending is not None and not played.broken:
            if self.is_enough() or len(self.inputs) >= self.most:
                break
            before, mark = self.state, fingerprint(self.state) if self.chance.random() < 0.05 else ""
            kind = self.once()
            if not kind:
                played.refused += 1
                if self.state is not before or (mark and fingerprint(self.state) != mark):
                    played.broken.append(f"decision {len(self.inputs)}: what was refused has changed something")
                continue
            self.check()
            if (
                kind.startswith("act ")
                and not isinstance(self.state.pending, ActQuestion | PriorityQuestion)
                and self.chance.random() < 0.5
            ):
                self.restart()
        played.decisions, played.turns = len(self.inputs), self.state.turn.number
        self.replay()
        return played

    def is_enough(self) -> bool:
        played = self.played
        acts, corrected = sum(played.acts.values()), sum(played.corrections.values())
        return acts >= self.enough and corrected >= self.enough // 3 and played.rewordings >= 2

    # --- one decision ------------------------------------------------------------------------------------------------

    def once(self) -> str:
        """What was done: its kind, "" if it was refused."""
        chance, question = self.chance, self.state.pending
        assert question is not None
        drawn = chance.random()
        if isinstance(question, ActQuestion) and self.quiet < 8:
            self.quiet += 1
            return self.act()
        if isinstance(question, PriorityQuestion):
            self.quiet = 0
            if drawn < 0.1 and sum(self.played.corrections.values()) < self.enough // 2:
                return self.correct()
            if drawn < 0.12 and self.played.rewordings < MOST_REWORDINGS:
                return self.reword()
        answer = legal.sample(question, self.state, chance)
        if isinstance(question, ActQuestion):
            answer = Act()
        if isinstance(question, PriorityQuestion):
            hands = [
                i
                for i, a in enumerate(question.actions)
                if a.type in ("call", "cast", "activate") and self._is_hand(a.object)
            ]
            calm = len(self.state.stack) > 4 or drawn > 0.75
            answer = Take(0) if calm else Take(chance.choice(hands)) if hands and drawn < 0.5 else answer
        self.put((question.seat, answer))
        return "answer"

    def _is_hand(self, oid: int) -> bool:
        found = self.state.objects.get(oid)
        return found is None or bool(paragraphs_by_hand(found.definition.card))

    def put(self, given: Input) -> None:
        """Put it in. Raises Illegal."""
        self.line.put(given)
        self.inputs.append(given)

    def act(self) -> str:
        """One act of the kind that was done least."""
        kind = min(ACTS, key=lambda k: (self.tallied[k], self.chance.random()))
        self.tallied[kind] += 1
        question = self.state.pending
        assert question is not None
        line = self.chance.choice(ACTS[kind])
        try:
            line = line.format(**self._things(question.seat, line))
            said = read_act(line, "Card", {seat.name: i for i, seat in enumerate(self.seats)})
            seats = tuple((f"player{seat}", (player_ref(seat),)) for seat in said.seats)
            named = (*seats, *((str(oid), (oid,)) for oid in said.objects))
            self.put((question.seat, Act(said.do, line, named)))
        except (Illegal, ActFault):
            return ""
        if kind == "nothing":
            self.played.broken.append(f"decision {len(self.inputs)}: {line!r} was accepted")
        self.played.acts[kind] = self.played.acts.get(kind, 0) + 1
        return f"act {kind}"

    def _things(self, seat: int, line: str) -> dict[str, str]:
        state, chance = self.state, self.chance
        objects = state.objects
        lands = [i for i in state.battlefield if "land" not in objects[i].definition.base.types] or list(
            state.battlefield
        )
        pools = {
            "perm": lands,
            "mine": [i for i in lands if objects[i].controller == seat],
            "hand": list(state.players[seat].hand),
            "grave": [i for p in state.players for i in p.graveyard],
        }
        made = {
            word: f"#{chance.choice(pool)}" if pool else "#0" for word, pool in pools.items() if f"{{{word}}}" in line
        }
        return {**made, "who": chance.choice([self.seats[p.seat].name for p in state.players if not p.lost])}

    def correct(self) -> str:
        done = self.played.corrections
        kind = min(CORRECTIONS, key=lambda k: (done.get(k, 0), self.chance.random()))
        seat = self.chance.choice([p.seat for p in self.state.players if not p.lost])
        try:
            self.put((seat, self._back() if kind == "back" else Corrected((self._correction(kind, seat),))))
        except Illegal:
            return ""
        self.played.corrections[kind] = self.played.corrections.get(kind, 0) + 1
        return kind

    def _back(self) -> Back:
        """To a moment. Raises Illegal."""
        furthest = self.line.furthest
        if not furthest:
            raise Illegal("nothing", "There is no moment to go back to.")
        self.watch = Watch()
        return Back(self.chance.randint(1, furthest))

    def _correction(self, kind: str, proposer: int) -> Correction:
        state, chance = self.state, self.chance
        thing = chance.choice(list(state.battlefield) or list(state.objects))
        if chance.random() < 0.1:
            thing = chance.choice(list(state.objects))  # hidden or not
        seat = chance.randrange(len(state.players))
        match kind:
            case "life":
                return SetLife(seat, chance.randrange(LIFE // 2, LIFE))
            case "counters":
                return SetCounters(thing, chance.choice(("+1/+1", "charge")), chance.randrange(4))
            case "player counters":
                return SetCounters(player_ref(seat), "poison", chance.randrange(4))
            case "damage":
                return SetDamage(thing, chance.randrange(2))
            case "tapped":
                return SetTapped(thing, chance.random() < 0.5)
            case "token":
                if chance.random() < 0.5:
                    return MakeTokens(seat, chance.randint(1, 3), card=read_token(chance.choice(TOKENS)))
                return MakeTokens(seat, object=thing)
            case "gone":
                tokens = [i for i in state.battlefield if state.objects[i].token]
                return Remove(chance.choice([*tokens, *state.stack] or [thing]))
            case "turn":
                return SetTurn(chance.choice((-1, seat)), chance.choice(STEPS))
            case _:
                mine = [i for i in state.players[proposer].hand if self._is_hand(i)]
                if mine and chance.random() < 0.6:
                    return MoveTo(chance.choice(mine), "battlefield")
                anywhere = [i for p in state.players for i in (*p.graveyard, *p.hand)] or [thing]
                zone = chance.choice(("battlefield", "hand", "graveyard", "exile", "library"))
                return MoveTo(chance.choice(anywhere), zone)

    def reword(self) -> str:
        """A paragraph of a card by hand in other words."""
        chance, state = self.chance, self.state
        found = [o for o in state.objects.values() if paragraphs_by_hand((o.printed or o.definition).card)]
        if not found:
            return ""
        definition = chance.choice(found).definition
        whole = definition.whole or definition
        texts = paragraphs_by_hand(whole.card)
        if not texts:
            return ""
        text, line = chance.choice(texts), chance.choice(WORDINGS)
        try:
            card, _ = reworded(whole.card, text, line)
            self.put((chance.randrange(len(self.seats)), Reworded(was=whole.key, card=card, text=text, line=line)))
        except (ActFault, Illegal):
            return ""
        for owner in self.counts:
            if whole.key in owner:
                owner[define(card).key] += owner.pop(whole.key)
        self.played.rewordings += 1
        return "reword"

    # --- what must hold ----------------------------------------------------------------------------------------------

    def check(self) -> None:
        state = self.state
        closely = self.chance.random() < 0.02
        found = [
            *structure(state, self.counts),
            *sound(state),
            *followed(state),
            *self.watch.look(state, closely=closely),
        ]
        self.played.broken += [f"decision {len(self.inputs)}: {fault}" for fault in found[:5]]

    def restart(self) -> None:
        """Written and read again in the middle of an act."""
        again = snapshot.read(snapshot.write(self.state, self.cards), self.cards)
        self.played.restarts += 1
        if fingerprint(again) != fingerprint(self.state):
            self.played.broken.append(f"decision {len(self.inputs)}: a restart in the middle of an act is another game")
        self.line.state = again

    def replay(self) -> None:
        """Played again from its inputs."""
        line = Line(start(self.options, self.seats)[0])
        for given in self.inputs:
            line.put(given)
        if fingerprint(line.state) != fingerprint(self.state):
            self.played.broken.append("the replay is another game")
