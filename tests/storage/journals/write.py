"""Writes a set of journals, as the commit that it runs in plays them: `python -m tests.storage.journals.write FOLDER`.

The set `44fc3df` was written by this file and `kept.py` in a checkout of commit 44fc3df with that commit's own environment. They are
younger, so they were copied there (where `write_answer` was `server.rooms.questions`', and `server.rooms.history` was
`course`). Each journal is a game that was played through a room by real messages, up to `MOST` answers: two editions,
two to six seats, three tables for each, so thirty (`tables`). The chance of a game and of its answers come from the
table's number, so that the same commit writes the same games (the times in entries are those of the writing; no game
depends on them).

The room took a snapshot in moments of each kind of `MOMENTS`: in the middle of an announcement, of combat, of the choice between two
replacement effects, and in others. A `Check` with the state's hash comes every `CHECK` inputs.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import trio
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.options import RoomOptions
from server.bench.decks import house_decks, piles
from server.cards.forms import Card
from server.cards.loading import Entry
from server.knowledge.questions import write_answer
from server.oracle.house import house_card
from server.oracle.reading import read_card
from server.rooms import RULES, Room
from server.rules.model import BlockersQuestion, DamageQuestion, OrderQuestion, PriorityQuestion, State, Take
from server.rules.turn import legal
from server.storage import Check, Journal, MemoryStorage, Setup, Sitting, make_setup
from tests.rooms.tables import Client, asked, read_all, table
from tests.storage.journals.kept import Kept, kept_of, write_kept

MOST = 320
"""Answers of one game."""
CHECK = 25
"""Inputs between two hashes."""
WANTED, SIDE = 3, 2
"""Snapshots of one game in one kind of moment: of those that matter most, and of the others."""
APART = 12
"""Answers between two snapshots, except in the rarest moments."""


def frames(state: State) -> set[str]:
    return {str(frame.__struct_config__.tag) for frame in state.agenda}


def purpose(state: State) -> str:
    return "" if state.pending is None else state.pending.purpose


MOMENTS: dict[str, Callable[[State], bool]] = {
    "replacement": lambda state: purpose(state) == "replacement",
    "announcement": lambda state: "announce" in frames(state),
    "combat damage": lambda state: (
        isinstance(state.pending, DamageQuestion | OrderQuestion) and "combat" in frames(state)
    ),
    "blocks": lambda state: isinstance(state.pending, BlockersQuestion),
    "combat": lambda state: "combat" in frames(state),
    "resolution": lambda state: bool(frames(state) & {"resolve", "run"}),
    "beginning": lambda state: "start" in frames(state),
    "stack": lambda state: bool(state.stack),
    "priority": lambda state: isinstance(state.pending, PriorityQuestion),
}
"""The kinds of moments; a moment is of the first that holds."""
MATTER = ("replacement", "announcement", "combat damage", "blocks", "combat")

OWN = (
    ("Ledger Angel", "{2}", "Creature — Angel", "2/3", "Flying, lifelink\nIf you would gain life, you gain twice that much life instead."),
    ("Tithe Imp", "{1}", "Creature — Imp", "1/1", "Lifelink\nIf you would gain life, you gain that much life plus 1 instead."),
    ("Cinder Amplifier", "{2}", "Enchantment", "",
     "If a source would deal damage to a player, it deals double that damage to that player instead."),
    ("Padded Ward", "{1}", "Enchantment", "", "If a source would deal damage to you, prevent 1 of that damage."),
    ("Grave Warden", "{1}", "Creature — Spirit", "2/2", "If a creature would die, exile it instead."),
    ("Second Burrow", "{2}", "Enchantment", "", "If a creature you control would die, return it to its owner's hand instead."),
    ("Sprout Doubler", "{2}", "Creature — Elf", "1/2",
     "If one or more +1/+1 counters would be put on a creature you control, twice that many +1/+1 counters are put on it instead."),
    ("Bud Adder", "{1}", "Creature — Plant", "0/3",
     "If one or more +1/+1 counters would be put on a creature you control, that many plus one +1/+1 counters are put on it instead."),
    ("Feed the Beasts", "{1}", "Sorcery", "", "Put a +1/+1 counter on each creature you control."),
    ("Rain of Sparks", "{X}{R}", "Sorcery", "", "Rain of Sparks deals X damage to any target."),
    ("Split the Sparks", "{1}{R}", "Instant", "", "Split the Sparks deals 3 damage divided as you choose among any number of targets."),
    ("Many Roads", "{1}", "Instant", "", "Choose two —\n• Draw a card.\n• You gain 3 life.\n• Target creature gets +2/+2 until end of turn."),
    ("Blood Bargain", "{B}", "Sorcery", "", "As an additional cost to cast this spell, sacrifice a creature.\nDraw two cards."),
    ("Kindled Hound", "{1}", "Creature — Dog", "2/1", "Kicker {2}\nWhen Kindled Hound enters, if it was kicked, it deals 2 damage to any target."),
    ("Trampling Herd", "{2}", "Creature — Beast", "4/4", "Trample, haste"),
    ("Twin Lance", "{2}", "Creature — Knight", "2/2", "Double strike, vigilance"),
    ("Bellows Keeper", "{1}", "Creature — Wizard", "1/3", "{1}, {T}: Bellows Keeper deals 1 damage to any target."),
    ("Patient Mirror", "{2}", "Creature — Shapeshifter", "0/0", "You may have Patient Mirror enter as a copy of any creature on the battlefield."),
    ("Errand Thief", "{1}", "Creature — Rogue", "2/1", "Whenever Errand Thief deals combat damage to a player, that player discards a card."),
    ("Hasty Refusal", "{U}", "Instant", "", "Counter target spell unless its controller pays {2}."),
)  # fmt: skip
"""(name, cost, types, power and toughness, text) of cards that bring about what the house set seldom does."""


def own_cards() -> tuple[Card, ...]:
    found: list[Card] = []
    for name, cost, types, size, text in OWN:
        power, _, toughness = size.partition("/")
        card = read_card(
            Entry(name=name, cost=cost, types=types, text=text, power=power or None, toughness=toughness or None)
        )
        assert isinstance(card, Card), card
        found.append(card)
    return tuple(found)


class Table(NamedTuple):
    """A game to be played: its number, its options, and each seat's deck and commander."""

    number: int
    options: RoomOptions
    decks: tuple[tuple[Card, ...], ...]
    commanders: tuple[tuple[Card, ...], ...]


def tables() -> Iterator[Table]:
    """Own cards with others, house decks, and house cards under other options, for each edition and number of seats."""
    number = 0
    for edition in ("2011", "current"):
        for seats in range(2, 7):
            for kind in ("own", "house", "other"):
                number += 1
                yield _table(number, kind, seats, edition)


def _table(number: int, kind: str, seats: int, edition: Any) -> Table:
    chance = random.Random(f"table {number}")
    commanders: tuple[tuple[Card, ...], ...] = ((),) * seats
    extra: dict[str, Any] = {}
    if kind == "own":
        decks = tuple(_mixed(deck, chance) for deck in piles(seats, number))
    elif kind == "house":
        decks = house_decks(seats, number)
    else:
        decks = tuple(_mixed(deck, chance) for deck in piles(seats, number))
        if seats % 2:
            leader = house_card(("Ardith of the Two Fires", "Selwyn, Voice of the Tide")[number % 2])
            extra["format"] = "commander"
            commanders = tuple((leader,) if leader is not None else () for _ in range(seats))
        elif seats == 4:
            extra["teams"] = [0, 0, 1, 1]
        elif seats == 6:
            extra.update(range=1, attack="left")
        extra["life"] = 12
    options = RoomOptions(seats=seats, edition=edition, takebacks="own", **extra)
    return Table(number, options, decks, commanders)


def _mixed(deck: tuple[Card, ...], chance: random.Random) -> tuple[Card, ...]:
    """24 lands, 20 own cards and 16 others."""
    own = own_cards()
    return (*deck[:24], *(own[chance.randrange(len(own))] for _ in range(20)), *deck[24:40])


def setup_of(game: Table) -> Setup:
    people = [
        Sitting(name=f"P{seat}", person=f"p{seat}", deck=deck, commander=commander)
        for seat, (deck, commander) in enumerate(zip(game.decks, game.commanders, strict=True))
    ]
    return make_setup(
        room=f"game{game.number:02}",
        options=game.options,
        seed=f"journal {game.number}",
        sittings=people,
        version=RULES.version,
        created=1_322_000_000,
    )


class Player:
    """Plays a room's game by chance, and takes its snapshots."""

    def __init__(self, room: Room, storage: MemoryStorage, clients: list[Client], seed: str) -> None:
        self.room = room
        self.storage = storage
        self.clients = clients
        self.chance = random.Random(seed)
        self.taken: list[Kept] = []
        self._last = -APART
        self._sent = 0

    async def play(self) -> None:
        for count in range(MOST):
            if self.room.over.is_set():
                return
            await self._keep(count)
            await self._turn(count)

    async def _keep(self, count: int) -> None:
        """A snapshot, if this moment wants one."""
        state = self.room.state
        assert state is not None
        kind = next((name for name, holds in MOMENTS.items() if holds(state)), "")
        enough = sum(one.moment == kind for one in self.taken) >= (WANTED if kind in MATTER else SIDE)
        if (
            not kind
            or enough
            or (count - self._last < APART and kind not in ("replacement", "combat damage", "blocks"))
        ):
            return
        await self.room.rest()
        kept = (await self.storage.take_up(self.room.id)).snapshot
        if kept is not None and kept.seq == self.room.seq:
            self.taken.append(kept_of(kind, kept))
            self._last = count

    async def _turn(self, count: int) -> None:
        client = asked(self.clients)
        state = self.room.state
        assert state is not None and state.pending is not None and client.question is not None
        if count % 61 == 60:
            await self._ask(client, self._instruction(count))
            return
        if count % 37 == 36 and isinstance(await self._ask(client, m.TakeBack(id="")), m.Ok):
            return
        if count == 200 and len(self.clients) > 2:
            await self._ask(self.clients[-1], m.Concede(id=""))
            return
        question, client.question = client.question, None
        answer = self._answer(state)
        reply = await self._ask(client, m.AnswerMessage(id="", question=question.id, answer=write_answer(answer)))
        assert isinstance(reply, m.Ok), (reply, state.pending, answer)

    def _instruction(self, count: int) -> Any:
        if count % 2:
            return m.Stops(id="", mine=["upkeep", "precombat_main"], others=["declare_attackers", "end"])
        return m.Pass(id="", until="end_of_turn")

    def _answer(self, state: State) -> Any:
        """A legal answer; with priority rather one that does something, now and then with the costs paid by hand."""
        pending = state.pending
        assert pending is not None
        answer = legal.sample(pending, state, self.chance)
        if isinstance(pending, PriorityQuestion):
            useful = [i for i, action in enumerate(pending.actions) if i and not action.mana]
            if useful and self.chance.randrange(4):
                answer = Take(useful[self.chance.randrange(len(useful))], manual=not self.chance.randrange(6))
        return answer

    async def _ask(self, client: Client, message: Any) -> Any:
        """The reply to a message."""
        self._sent += 1
        named = msgspec.structs.replace(message, id=f"m{self._sent}")
        await client.send(named)
        await wait_all_tasks_blocked()
        read_all(self.clients)
        reply = client.reply(named.id)
        for one in self.clients:
            one.got.clear()
        return reply


async def played(game: Table) -> tuple[Journal, list[Kept]]:
    """A table's game, and the moments of which there are snapshots."""
    storage = MemoryStorage()
    room = Room(setup_of(game), storage)
    async with trio.open_nursery() as nursery:
        await nursery.start(room.run)
        clients = table(room)
        await wait_all_tasks_blocked()
        read_all(clients)
        player = Player(room, storage, clients, f"answers {game.number}")
        await player.play()
        assert not room.frozen
        nursery.cancel_scope.cancel()
    journal = await storage.load(room.id)
    return journal, player.taken


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    moments: dict[str, int] = {}
    for game in tables():
        journal, taken = trio.run(played, game)
        write_kept(folder / f"game{game.number:02}.jsonl.xz", journal, taken)
        for one in taken:
            moments[one.moment] = moments.get(one.moment, 0) + 1
        checks = sum(isinstance(entry, Check) for entry in journal.entries)
        print(
            game.number,
            game.options.edition,
            game.options.seats,
            len(journal.entries),
            checks,
            [one.moment for one in taken],
        )
    print(moments, RULES.version)


if __name__ == "__main__":
    from server.rooms import history

    history.CHECK_EVERY = CHECK
    write(Path(sys.argv[1]))
