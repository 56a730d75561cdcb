"""What could once be read off the wire by whoever looked closely: each attack tries to, and finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import trio
import trio.lowlevel
from msgspec import UNSET
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.fairness import commitment, faults
from protocol.options import RoomOptions
from protocol.questions import ChooseAnswer, ChooseQuestion, PriorityAnswer, PriorityQuestion
from server.cards.forms import Card
from server.knowledge.appearances import could_respond
from server.knowledge.questions import QuestionIds
from server.knowledge.views import Views
from server.lobby.lobby import Lobby
from server.lobby.table import Table
from server.rooms import RULES, Room
from server.rooms.game import Outcome, Rules
from server.rules.model import State, Take
from server.storage import MemoryStorage, Setup
from tests.lobby.parlour import Guest, TwoDecks
from tests.rooms.fake import FakeGame, q
from tests.rooms.tables import Client, read_all, table
from tests.rooms.test_room import open_room, settle
from tests.rooms.test_whole_games import setup_of
from tests.rules.play import BEAR, BOLT, FOREST, Game
from tests.secrecy.kinds import asking_cards


def seen(state: State, viewer: int) -> tuple[list[str], list[Any], list[Any]]:
    """A view's hand of seat 0, and its objects in hidden zones: ids and trees, in the order in which they stand."""
    views = Views(RULES)
    views.update(state)
    tree = views.tree(viewer)
    players: Any = tree["players"]
    objects: Any = tree.get("objects", {})
    hidden = [(key, one) for key, one in objects.items() if one["zone"] in ("hand", "library")]
    return players["0"].get("hand", []), [key for key, _ in hidden], [one for _, one in hidden]


def shown_to_all(state: State, ids: tuple[int, ...]) -> State:
    objects = {**state.objects, **{oid: replace(state.objects[oid], known=0b11) for oid in ids}}
    return replace(state, objects=objects, memo={})


@pytest.mark.rule("400.2")
def test_the_order_of_cards_put_on_the_bottom_cannot_be_read_from_the_keys_of_the_view() -> None:
    game = Game("AB", library=0)
    cards = [game.put("A", card, "library") for card in (BEAR, BOLT, FOREST)]
    state = shown_to_all(game.state, tuple(cards))
    player = state.players[0]
    turned = replace(player, library=player.library[::-1])
    other = replace(state, players=(turned, *state.players[1:]), memo={})
    assert seen(state, 1) == seen(other, 1)
    assert len(seen(state, 1)[1]) == 3


@pytest.mark.rule("402.2")
def test_the_order_in_which_a_hand_was_drawn_cannot_be_read_from_the_ids_of_its_cards() -> None:
    hands: list[Any] = []
    for order in ((BEAR, BOLT, FOREST), (FOREST, BEAR, BOLT), (BOLT, FOREST, BEAR)):
        game = Game("AB", library=0)
        cards = [game.put("A", card, "hand") for card in order]
        hands.append(seen(shown_to_all(game.state, tuple(cards)), 1))
    assert hands[0] == hands[1] == hands[2]
    assert len(hands[0][0]) == 3


def test_a_card_that_is_shown_again_cannot_be_followed_by_its_id() -> None:
    """Which of two copies it is that was seen before."""
    game = Game("AB", library=0)
    first, second = game.put("A", BEAR, "hand"), game.put("A", BEAR, "hand")
    assert seen(shown_to_all(game.state, (first,)), 1) == seen(shown_to_all(game.state, (second,)), 1)


async def epochs(nursery: trio.Nursery, passes: int) -> list[int]:
    """Those that a spectator is given who looks on after so many answers."""
    room, _ = await open_room(nursery, FakeGame())
    clients = table(room)
    await settle(clients)
    for number in range(passes):
        await next(client for client in clients if client.question is not None).answer(0)
        await settle(clients)
        assert room.seq > number
    late = Client(room, "late", None)
    late.attach()
    late.read()
    return [*(client.epoch for client in clients), late.epoch]


async def test_an_epoch_tells_nothing_of_how_many_entries_the_journal_has(nursery: trio.Nursery) -> None:
    assert await epochs(nursery, 1) == await epochs(nursery, 7)


async def test_an_epoch_does_not_count_how_often_others_looked_anew(nursery: trio.Nursery) -> None:
    found = await epochs(nursery, 1)
    assert len(set(found)) == len(found)
    assert min(abs(a - b) for n, a in enumerate(found) for b in found[:n]) > 1000
    assert max(found) < 2**53


SEED = 4711
GUESSES = 10_000


async def seeded(nursery: trio.Nursery) -> tuple[Lobby, Table, Guest, m.Room]:
    """A room whose host has chosen a seed that is easy to guess, as it is shown to a guest."""
    lobby = Lobby(MemoryStorage(), TwoDecks(), game=FakeGame())
    await nursery.start(lobby.run)
    host, guest = Guest(lobby), Guest(lobby)
    await host.hello("Ada")
    await guest.hello("Bob")
    opened = await host.ask(m.Open(id="o", options=RoomOptions(seats=2, seed=SEED)))
    assert isinstance(opened, m.Room)
    shown = await guest.ask(m.Join(id="j", room=opened.room.id))
    assert isinstance(shown, m.Room) and shown.room.options.seed is UNSET
    for player in (host, guest):
        await player.ask(m.ChooseDeck(id="d", house="bears"))
        await player.ask(m.Ready(id="y"))
    await host.ask(m.Start(id="s"))
    await trio.sleep(60)
    await wait_all_tasks_blocked()
    return lobby, lobby.tables[opened.room.id], guest, shown


async def test_a_seed_that_the_host_chose_cannot_be_guessed_from_what_is_shown(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    """Not from the commitment, and not from the ids of questions, by trying all that are likely."""
    _, at, guest, shown = await seeded(nursery)
    assert all(commitment(str(guess)) != shown.room.chance for guess in range(GUESSES))
    assert at.room is not None
    asked = [message.question.id for message in guest.read() if isinstance(message, m.QuestionMessage)]
    asked += [message.question.id for message in guest.got if isinstance(message, m.QuestionMessage)]
    asked += [message.question.id for message in guest.got if isinstance(message, m.ViewMessage) and message.question]
    for question in asked:
        assert all((QuestionIds(str(guess)).read(question) or 0) > 1000 for guess in range(GUESSES))


async def test_a_seed_that_the_host_chose_is_checked_at_the_end_with_its_salt(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    _, at, guest, shown = await seeded(nursery)
    assert at.room is not None
    await guest.ask(m.Concede(id="c"))
    await trio.sleep(60)
    guest.read()
    (over,) = [message for message in guest.got if isinstance(message, m.Over)]
    assert over.seed == str(SEED) and len(over.salt) >= 32
    assert faults(over.seed, shown.room.chance, over.entropy, [], over.salt) == []
    assert faults("4712", shown.room.chance, over.entropy, [], over.salt) != []


class Idle(FakeGame):
    """A seat that has nothing to do with its cards, or has."""

    def __init__(self, idle: bool) -> None:
        super().__init__()
        self.idle = idle

    def _ask(self, state: State, seat: int) -> State:
        asked = super()._ask(state, seat)
        if seat == 1 and self.idle and asked.pending is not None:
            return replace(asked, pending=replace(asked.pending, actions=asked.pending.actions[:1]))  # type: ignore[call-arg, union-attr]
        return asked


async def frames(idle: bool, stops: bool, clock: bool) -> list[list[m.ServerMessage]]:
    """What everyone but seat 1 is sent while it passes: by hand, or because it can do nothing, or wanted it so."""
    found: list[list[m.ServerMessage]] = []
    async with trio.open_nursery() as nursery:
        options: dict[str, Any] = {"answer_ms": 5000} if clock else {}
        room, _ = await open_room(nursery, Idle(idle), **options)
        clients = table(room, spectators=1)
        await settle(clients)
        if stops:
            await clients[1].send(m.Stops(id="s", mine=[], others=[]))
        await settle(clients)
        for _ in range(6):
            asked = next(client for client in clients if client.question is not None)
            await asked.answer(0)
            await settle(clients)
            if clients[1].question is not None:
                await clients[1].answer(0)
                await settle(clients)
        found = [client.got for number, client in enumerate(clients) if number != 1]
        nursery.cancel_scope.cancel()
    return found


@pytest.mark.rule("116.3d")
@pytest.mark.parametrize("clock", [False, True])
async def test_a_pass_looks_the_same_by_hand_and_by_the_room(autojump_clock: object, clock: bool) -> None:
    by_hand = await frames(idle=False, stops=False, clock=clock)
    assert any(isinstance(message, m.Patch) and message.patch.get("priority") == 1 for message in by_hand[0])
    assert await frames(idle=True, stops=False, clock=clock) == by_hand
    assert await frames(idle=False, stops=True, clock=clock) == by_hand


def board(*hand: Card, tapped: bool = False, forests: int = 1) -> Game:
    """Seat 1 has priority in seat 0's turn, with these cards in hand and forests in play."""
    game = Game("AB")
    game.put("A", FOREST, "hand")
    for card in hand:
        game.put("B", card, "hand")
    game.put("B", FOREST, number=forests, tapped=tapped)
    game.begin("A")
    game.state, _ = RULES.submit(game.state, 0, Take(0))
    assert game.state.pending is not None and game.state.pending.seat == 1
    return game


class Begun(Rules):
    def __init__(self, state: State) -> None:
        self._state = state

    def start(self, setup: Setup) -> Outcome:
        return self._state, ()


async def passed_after(game: Game, seat: str = "person", **options: object) -> int | None:
    """After how many milliseconds the room passes for seat 1; None if seat 1 is asked. The table's pace is 200 ms."""
    setup = setup_of(2, "pace", **options)
    setup = replace(setup, seats=tuple(replace(one, kind=seat) for one in setup.seats))
    room = Room(setup, MemoryStorage(), Begun(game.state))
    room.pass_after(200)
    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        await nursery.start(room.run)
        clients = table(room)
        await wait_all_tasks_blocked()
        read_all(clients)
        if clients[1].question is not None:
            nursery.cancel_scope.cancel()
            return None
        while room.state is game.state:
            await trio.sleep(0.01)
            await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return round((trio.current_time() - begun) * 1000)


async def test_how_long_a_pass_takes_depends_on_public_things_only(autojump_clock: object) -> None:
    """Whether there are unknown cards and mana to use: not which cards they are."""
    assert await passed_after(board(BEAR)) == 200
    assert await passed_after(board(FOREST)) == 200
    assert await passed_after(board(replace(BOLT, cost="{U}"))) == 200, "not of its colour"
    assert await passed_after(board(BEAR, tapped=True)) == 0
    assert await passed_after(board(replace(BOLT, cost="{G}"), tapped=True)) == 0
    assert await passed_after(board()) == 0
    assert await passed_after(board(BEAR, forests=0)) == 0
    shown = board(BEAR)
    shown.state = shown_to_all(shown.state, shown.state.players[1].hand)
    assert could_respond(RULES, shown.state, 1), "spectators do not see what was shown to seats"
    assert await passed_after(board(BEAR), "bot") == 0, "a program answers at once when it is asked, too"


async def taken_back(idle: bool, stops: bool) -> list[list[m.ServerMessage]]:
    """What all are sent as seat 0 takes a card and its pass back, after seat 1 has passed: by hand, or because it can do nothing, or
    wanted it so.
    """
    async with trio.open_nursery() as nursery:
        room, _ = await open_room(nursery, Idle(idle))
        clients = table(room, spectators=1)
        await settle(clients)
        if stops:
            await clients[1].send(m.Stops(id="s", mine=[], others=[]))
        for index in (1, 0):
            await clients[0].answer(index)
            await settle(clients)
        if clients[1].question is not None:
            await clients[1].answer(0)
            await settle(clients)
        assert clients[2].question is not None
        await clients[0].send(m.TakeBack(id="back", question=q(1)))
        await settle(clients)
        await trio.lowlevel.checkpoint()
        found = [client.got for number, client in enumerate(clients) if number != 1]
        nursery.cancel_scope.cancel()
    return found


async def test_taking_back_does_not_tell_whether_another_was_asked(autojump_clock: object) -> None:
    by_hand = await taken_back(idle=False, stops=False)
    assert not any(isinstance(message, m.Vote) for message in by_hand[0]), (
        "at once: a pass is no answer to what was done"
    )
    assert await taken_back(idle=True, stops=False) == by_hand
    assert await taken_back(idle=False, stops=True) == by_hand


async def told_of_a_draw(card: Card) -> list[list[m.ServerMessage]]:
    """What seat 0 and a spectator are sent as seat 1 draws the card, and shows it to nobody though it is asked whether to."""
    game = Game("AB")
    game.put("B", card, "library")
    game.put("B", FOREST, "hand", number=2)
    game.put("B", FOREST, number=2)
    game.begin("B", "upkeep")
    room = Room(setup_of(2, "draw", answer_ms=60_000), MemoryStorage(), Begun(game.state))
    async with trio.open_nursery() as nursery:
        clients = table(room, spectators=1)
        await nursery.start(room.run)
        for _ in range(12):
            await settle(clients)
            if room.state is not None and room.state.turn.step != "upkeep" and clients[1].question is None:
                break
            asked = next(client for client in clients if client.question is not None)
            assert asked.question is not None
            await asked.send(m.AnswerMessage(id="a", question=asked.question.id, answer=asked.question.default))
            asked.question = None
        await trio.sleep(1)
        await settle(clients)
        found = [list(_until_main_phase(clients[number].got)) for number in (0, 2)]
        nursery.cancel_scope.cancel()
    return found


def _until_main_phase(got: list[m.ServerMessage]) -> Iterator[m.ServerMessage]:
    for message in got:
        yield message
        if isinstance(message, m.Patch) and message.patch.get("step") == "precombat_main":
            return
    raise AssertionError("the draw step has not ended")


@pytest.mark.rule("400.2")
async def test_nobody_sees_that_a_player_is_asked_whether_to_show_what_was_drawn(autojump_clock: object) -> None:
    (reeds,) = [card for card in asking_cards() if card.name == "Sudden Reeds"]
    shown = await told_of_a_draw(reeds)
    assert any(isinstance(one, m.Patch) and one.patch.get("step") == "draw" for one in shown[0])
    assert await told_of_a_draw(BEAR) == shown


async def told_of_a_search(*library: Card) -> list[list[m.ServerMessage]]:
    """What seat 1 and a spectator are sent as seat 0 searches a library and finds nothing, or wants nothing of it."""
    (road,) = [card for card in asking_cards() if card.name == "Road to a Den"]
    game = Game("AB", library=4)
    for card in library:
        game.put("A", card, "library")
    spell = game.put("A", road, "hand")
    game.put("A", FOREST, number=4)
    game.begin()
    room = Room(setup_of(2, "search"), MemoryStorage(), Begun(game.state))
    async with trio.open_nursery() as nursery:
        clients = table(room, spectators=1)
        await nursery.start(room.run)
        cast = False
        for _ in range(12):
            await settle(clients)
            asked = next(client for client in clients if client.question is not None)
            assert asked.question is not None
            answer = asked.question.default
            if not cast and isinstance(asked.question, PriorityQuestion):
                (index,) = [n for n, one in enumerate(asked.question.actions) if one.object == str(spell)]
                answer, cast = PriorityAnswer(index=index), True
            elif isinstance(asked.question, ChooseQuestion):
                answer = ChooseAnswer(picks=())
            asked.question, question = None, asked.question
            await asked.send(m.AnswerMessage(id="a", question=question.id, answer=answer))
            await settle(clients)
            if cast and room.state is not None and room.state.players[0].graveyard:
                break
        found = [[*clients[1].got], [*clients[2].got]]
        nursery.cancel_scope.cancel()
    return found


@pytest.mark.rule("701.15b")
async def test_nobody_sees_whether_there_was_anything_to_find(autojump_clock: object) -> None:
    found_nothing = await told_of_a_search(FOREST)
    assert any(isinstance(one, m.Patch) and "stack" in one.patch for one in found_nothing[0])
    assert await told_of_a_search(BEAR) == found_nothing


async def told_of_a_discard(*hand: Card) -> list[list[m.ServerMessage]]:
    """What seat 1 and a spectator are sent as seat 0 discards a Bear, its only creature card or one of two."""
    ox = next(card for card in asking_cards() if card.name == "Particular Ox")
    game = Game("AB")
    bear = game.put("A", BEAR, "hand")
    for card in hand:
        game.put("A", card, "hand")
    game.put("A", ox)
    game.put("A", FOREST, number=2)
    game.begin()
    room = Room(setup_of(2, "discard"), MemoryStorage(), Begun(game.state))
    async with trio.open_nursery() as nursery:
        clients = table(room, spectators=1)
        await nursery.start(room.run)
        for _ in range(12):
            await settle(clients)
            asked = clients[0]
            assert asked.question is not None and room.state is not None
            if room.state.players[0].graveyard:
                break
            question, answer = asked.question, asked.question.default
            if isinstance(question, PriorityQuestion):
                answer = PriorityAnswer(index=next(n for n, a in enumerate(question.actions) if a.type == "activate"))
            elif isinstance(question, ChooseQuestion):
                (index,) = [n for n, one in enumerate(question.options) if getattr(one, "id", "") == str(bear)]
                answer = ChooseAnswer(picks=(index,))
            asked.question = None
            await asked.send(m.AnswerMessage(id="a", question=question.id, answer=answer))
        assert room.state is not None
        assert [room.state.objects[i].definition.name for i in room.state.players[0].graveyard] == [BEAR.name]
        found = [[*clients[1].got], [*clients[2].got]]
        nursery.cancel_scope.cancel()
    return found


@pytest.mark.rule("402.3")
async def test_nobody_sees_whether_more_cards_in_hand_could_have_been_discarded(autojump_clock: object) -> None:
    told = await told_of_a_discard(FOREST, BOLT)
    assert any(isinstance(one, m.Patch) and "stack" in one.patch for one in told[0])
    assert await told_of_a_discard(FOREST, replace(BEAR, name="Other Bear")) == told


@pytest.mark.rule("404.3")
def test_a_hand_that_is_discarded_does_not_tell_in_which_order_it_was_drawn() -> None:
    found: list[list[str]] = []
    for hand in ((BEAR, BOLT, FOREST), (FOREST, BEAR, BOLT), (BOLT, FOREST, BEAR)):
        game = Game("AB")
        for card in hand:
            game.put("A", card, "hand")
        game.put("A", FOREST, number=2)
        digs = game.put("A", next(card for card in asking_cards() if card.name == "Everything Out"), "hand")
        game.begin()
        game.cast("A", digs)
        game.resolve()
        found.append([game.state.objects[i].definition.name for i in game.state.players[0].graveyard[:3]])
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 3
