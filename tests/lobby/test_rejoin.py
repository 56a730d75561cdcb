"""What it costs to come back to a game: everything the server sends from `hello` until one can play."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import trio.testing

from protocol import messages as m
from protocol import questions as q
from protocol.codec import JSON
from protocol.options import RoomOptions
from protocol.packing import unpack
from protocol.patch import Tree, apply
from protocol.view import Event, Face
from server.command.decks import house_decks
from server.command.library import Library
from server.lobby.lobby import Lobby
from server.rooms import RULES
from server.storage import MemoryStorage
from tests.lobby.parlour import Guest

REJOIN = 8 * 1024
PERMANENTS = 12
SEATS = 4


class Player(Guest):
    """Keeps the view up; builds a board of twelve permanents and attacks nobody, so that the game is long."""

    def __init__(self, lobby: Lobby, chance: random.Random) -> None:
        super().__init__(lobby)
        self.chance = chance
        self.token = ""
        self.tree: Tree = {}
        self.faces: dict[str, Face] = {}
        self.at: tuple[int, int] = (0, 0)
        self.seen: tuple[int, int] = (0, 0)
        self.events: list[Event] = []
        self.question: q.Question | None = None

    def take_in(self) -> None:
        """Take in what has come, once."""
        for message in self.read():
            match message:
                case m.ViewMessage():
                    self.faces.update(message.faces)
                    self.tree, self.at = unpack(message.view, self.faces), (message.epoch, message.seq)
                    self.events = message.events
                    self.question = message.question or None
                case m.Patch():
                    self.tree, self.at = apply(self.tree, message.patch), (message.epoch, message.seq)
                    self.faces.update(message.faces)
                case m.QuestionMessage():
                    self.question = message.question
                case m.Closed():
                    self.question = None
                case _:
                    pass
        self.got.clear()

    async def answer(self) -> None:
        """Answer the open question."""
        assert self.question is not None
        question, self.question = self.question, None
        await self.ask(m.AnswerMessage(id=self.id(), question=question.id, answer=self.choose(question)))
        self.take_in()

    def choose(self, question: q.Question) -> q.Answer:
        """Lands and spells while the board is small, then every second turn one more spell that goes to the graveyard."""
        if isinstance(question, q.PriorityQuestion) and permanents(self.tree, question.seat) < PERMANENTS:
            useful = [i for i, action in enumerate(question.actions) if action.type in ("play_land", "cast")]
            if useful:
                return q.PriorityAnswer(index=self.chance.choice(useful))
        if isinstance(question, q.AttackersQuestion):
            return q.AttackersAnswer(attacks=())
        return question.default


def permanents(tree: Tree, seat: int) -> int:
    """How many a seat controls."""
    return sum(thing["zone"] == "battlefield" and thing["controller"] == seat for thing in tree["objects"].values())  # type: ignore[union-attr, index, call-overload, misc]


def size(message: m.ServerMessage) -> int:
    """Bytes of its frame."""
    said = JSON.write(message)
    return len(said.encode() if isinstance(said, str) else said)


async def rejoin(player: Player, settle: Callable[[], Awaitable[None]]) -> dict[str, int]:
    """Drop the line and come back over another connection as clients do, which last saw what there was at the time before:
    bytes by type of message.
    """
    token, room, faces = player.token, player.client.room, sorted(player.client.faces)
    player.lobby.depart(player.client)
    await settle()
    back = Player(player.lobby, player.chance)
    back.faces = player.faces
    came = [await back.hello("", token, faces=faces, packed=True)]  # type: ignore[arg-type]
    await back.lobby.handle(back.client, m.Resume(id="back", room=room, epoch=player.seen[0], seq=player.seen[1]))
    await settle()
    back.read()
    bytes_of: dict[str, int] = {}
    for message in [*came, *back.got[1:]]:
        kind = str(message.__struct_config__.tag)
        bytes_of[kind] = bytes_of.get(kind, 0) + size(message)
    back.take_in()
    player.client, player.tree, player.at, player.events = back.client, back.tree, back.at, back.events
    player.seen = player.at
    player.question, player.faces = back.question, back.faces
    return bytes_of


async def test_who_comes_back_is_sent_at_most_8_kib_however_long_the_game_has_lasted(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Four seats of house decks with twelve permanents each, faces known; away for some forty answers each time."""
    chance = random.Random(5)
    lobby = Lobby(MemoryStorage(), house_decks(Library()), game=RULES)
    found: dict[int, dict[str, int]] = {}
    """By turn, while everyone has twelve permanents."""
    told: list[int] = []

    async def settle() -> None:
        await trio.sleep(30)  # in which the room has passed for whoever can do nothing
        await trio.testing.wait_all_tasks_blocked()

    async with trio.open_nursery() as nursery:
        await nursery.start(lobby.run)
        players = [Player(lobby, chance) for _ in range(SEATS)]
        for number, player in enumerate(players):
            player.token = (await player.hello(f"Player {number}", packed=True)).token
        opened = await players[0].ask(m.Open(id="open", options=RoomOptions(seats=SEATS, seed=6)))
        assert isinstance(opened, m.Room)
        decks = [deck.name for deck in lobby.decks.summaries()]
        for number, player in enumerate(players):
            if number:
                await player.ask(m.Join(id=player.id(), room=opened.room.id))
            await player.ask(m.ChooseDeck(id=player.id(), house=decks[number % len(decks)]))
            await player.ask(m.Ready(id=player.id()))
        await players[0].ask(m.Start(id=players[0].id()))
        answers = 0
        while answers < 1500:
            await settle()
            for player in players:
                player.take_in()
            if any(player.question is not None and "result" in player.tree for player in players):
                break
            asked = next((player for player in players if player.question is not None), None)
            if asked is None:
                break
            await asked.answer()
            answers += 1
            if answers % 25 == 0:
                player = players[answers // 25 % SEATS]
                sizes = await rejoin(player, settle)
                if min(permanents(player.tree, seat) for seat in range(SEATS)) >= PERMANENTS:
                    turn = player.tree["turn"]
                    assert isinstance(turn, int)
                    found[turn] = sizes
                    told.append(len(player.events))
        nursery.cancel_scope.cancel()
    first, last = min(found), max(found)
    print(f"turn {first}: {found[first]}, turn {last}: {found[last]}, events {told}")
    print(f"most: {max(sum(sizes.values()) for sizes in found.values())}")
    assert last >= first + 30
    assert all(sum(sizes.values()) <= REJOIN for sizes in found.values())
    assert min(told) >= 3, "what happened last comes with it"
