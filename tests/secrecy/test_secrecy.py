"""Whole games in which every byte sent to every client is searched for what that client may not know.

The decks are house cards, so that cards search, scry, reveal and look, but each copy has a name of its own: a name tells which
card it is. Afterwards the journal is played again, and what a viewer may know is collected from the states alone: names of
objects that it may look at, that were public when they left, or that were revealed to it; ids of objects that it may know of.
Whatever else a frame says of a hidden card is a leak.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.codec import JSON
from protocol.options import RoomOptions
from server.bench.decks import bench_deck, house_decks
from server.cards.forms import Card
from server.knowledge.hidden import Viewer
from server.knowledge.questions import write_answer
from server.rooms import RULES, Room, Turned
from server.rooms import replay as replayed
from server.rules.model import ChooseQuestion, DivideQuestion, Object, OrderQuestion, State
from server.rules.model import events as done
from server.rules.turn import legal
from server.storage import MemoryStorage, Setup, Sitting, make_setup
from tests.rooms.tables import Client

NAME = re.compile(rb"Zq\d+card\d+x")
SEED = "a seed that nobody may know before the end"


def named(deck: tuple[Card, ...], seat: int) -> tuple[Card, ...]:
    """The deck with a name for each copy."""
    return tuple(replace(card, name=f"Zq{seat}card{number}x") for number, card in enumerate(deck))


def setup_of(seats: int, seed: int, **options: Any) -> Setup:
    decks = [named(deck, seat) for seat, deck in enumerate(house_decks(seats, seed))]
    people = [Sitting(name=f"P{seat}", person=f"p{seat}", deck=deck) for seat, deck in enumerate(decks)]
    wire = RoomOptions(seats=seats, life=12, **options)
    return make_setup(room="whole", options=wire, seed=f"{SEED} {seed}", sittings=people, version=RULES.version)


class Heard:
    """What one client was sent: frames, with the number of the journal's last entry when they came."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.frames: list[tuple[int, bytes, bool]] = []

    def listen(self, seq: int) -> None:
        for message in self.client.read():
            said = JSON.write(message)
            self.frames.append((seq, said.encode() if isinstance(said, str) else said, isinstance(message, m.Over)))
        self.client.got.clear()


async def play(room: Room, heard: list[Heard], seats: int, seed: int, most: int) -> None:
    """Random legal answers, some after a preview of what they would come to."""
    chance = random.Random(seed)
    for number in range(most):
        await wait_all_tasks_blocked()
        for listener in heard:
            listener.listen(room.seq)
        state = room.state
        if room.over.is_set() or state is None or state.pending is None:
            return
        client = heard[state.pending.seat].client
        question = client.question
        if question is None:
            continue
        answer = write_answer(legal.sample(state.pending, state, chance))
        if chance.random() < 0.2:
            await client.send(m.Preview(id=f"p{number}", question=question.id, answer=answer))
        if chance.random() < 0.05:
            await client.send(m.Sync(id=f"s{number}"))
        client.question = None
        await client.send(m.AnswerMessage(id=f"a{number}", question=question.id, answer=answer))


PUBLIC_ZONES = ("battlefield", "graveyard", "stack", "exile", "command")
"""400.2. Said a second time, as is all that a viewer may know: a judge who asks the server what is hidden finds no leak."""


def may_know(thing: Object, viewer: Viewer) -> bool:
    """Whether the rules let the viewer see which card it is: an open one, its own hand, its own face-down permanent or spell
    (707.5), one that an effect has shown to it.
    """
    if thing.zone in PUBLIC_ZONES and not thing.face_down:
        return True
    if viewer is None:
        return False
    own = thing.owner if thing.zone == "hand" else thing.controller if thing.zone in ("battlefield", "stack") else None
    return own == viewer or bool(thing.known >> viewer & 1)


def chosen_from(state: State, viewer: Viewer) -> Iterator[Object]:
    """What the viewer is asked to choose from."""
    pending = state.pending
    if isinstance(pending, ChooseQuestion | OrderQuestion | DivideQuestion) and viewer in (pending.seat, pending.whose):
        for option in pending.options:
            if option.ref in state.objects:
                yield state.objects[option.ref]


class Knowledge:
    """What one viewer may have learned so far: names of cards, and ids of objects."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.names: set[bytes] = set()
        self.ids: set[int] = set()

    def take(self, turned: Turned) -> None:
        state = turned.after
        for thing in state.objects.values():
            if thing.zone in PUBLIC_ZONES:
                self.ids.add(thing.id)
            if may_know(thing, self.viewer):
                self._see(thing)
        for last in state.last.values():
            if may_know(last.object, self.viewer) and last.object.zone in PUBLIC_ZONES:
                self._see(last.object)
        for thing in chosen_from(state, self.viewer):
            self._see(thing)
        for thing in shown(turned, self.viewer):
            self._see(thing)

    def _see(self, thing: Object) -> None:
        self.names.add(thing.definition.name.encode())
        self.ids.add(thing.id)


def shown(turned: Turned, viewer: Viewer) -> Iterator[Object]:
    """What was revealed to the viewer while an input was played, and may be hidden again since."""
    for event in turned.events:
        ids: tuple[int, ...] = ()
        if isinstance(event, done.Reveal) and (_all(event.seats, turned.after) or viewer in _seats(event.seats)):
            ids = event.objects
        elif isinstance(event, done.Move):
            if event.last is not None and may_know(event.last.object, viewer):
                yield event.last.object
            if event.reveal or event.to in PUBLIC_ZONES or event.from_ in PUBLIC_ZONES:
                ids = (event.became, event.subject)
        for number in ids:
            for state in (turned.after, turned.before):
                thing = state.objects.get(number)
                if thing is not None and not thing.face_down:
                    yield thing


def _all(seats: int, state: State) -> bool:
    return all(seats >> player.seat & 1 for player in state.players)


def _seats(mask: int) -> set[Viewer]:
    return {seat for seat in range(10) if mask >> seat & 1}


def ids_in(frame: bytes) -> set[int]:
    """Every string of a frame that may be an object's id. Faces and the keys of players are none."""
    found: set[int] = set()
    _walk(msgspec.json.decode(frame), found)
    return found


def _walk(value: Any, found: set[int]) -> None:
    if isinstance(value, str) and value.isdigit():
        found.add(int(value))
    elif isinstance(value, list):
        for part in value:
            _walk(part, found)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key in ("faces", "re", "id"):
                continue
            if key.isdigit() and not (isinstance(part, dict) and "library_count" in part) and len(key) > 1:
                found.add(int(key))
            _walk(part, found)


@pytest.mark.parametrize(
    ("seats", "seed", "most", "variant"),
    [
        (2, 1, 500, "free_for_all"),
        (4, 2, 500, "free_for_all"),
        (3, 3, 500, "free_for_all"),
        (4, 4, 300, "two_headed_giant"),
        (6, 5, 120, "emperor"),
        *(
            pytest.param(seats, seed, 4000, variant, marks=pytest.mark.slow)
            for seats, variant in (
                *((seats, "free_for_all") for seats in (2, 3, 4)),
                *((4, "two_headed_giant"), (6, "two_headed_giant"), (6, "emperor"), (4, "team_vs_team")),
            )
            for seed in (11, 12, 13, 14)
        ),
    ],
)
async def test_no_byte_tells_of_a_hidden_card(
    nursery: trio.Nursery, seats: int, seed: int, most: int, variant: str
) -> None:
    storage = MemoryStorage()
    setup = setup_of(seats, seed, variant=variant)
    room = Room(setup, storage)
    await nursery.start(room.run)
    heard = [Heard(Client(room, f"c{seat}", seat if seat < seats else None)) for seat in range(seats + 1)]
    for listener in heard:
        listener.client.attach()
    await play(room, heard, seats, seed, most)
    assert not room.frozen
    frames = compare(setup, list(replayed(await storage.load("whole"), RULES)), heard)
    assert frames > 200


def compare(setup: Setup, turns: list[Turned], heard: list[Heard]) -> int:
    """Search every frame; how many there were."""
    searched = 0
    for listener in heard:
        known = Knowledge(listener.client.seat)
        frames = iter(listener.frames)
        frame = next(frames, None)
        hidden: set[int] = set()
        for number, turned in enumerate(turns):
            known.take(turned)
            following = turns[number + 1].entry if number + 1 < len(turns) else None
            hidden |= {thing.id for thing in turned.after.objects.values() if thing.zone not in PUBLIC_ZONES}
            while frame is not None and (following is None or frame[0] < following.seq):
                _, said, over = frame
                assert set(NAME.findall(said)) <= known.names, said
                assert not (ids_in(said) & hidden) - known.ids, (sorted((ids_in(said) & hidden) - known.ids), said)
                assert over or SEED.encode() not in said
                searched += 1
                frame = next(frames, None)
        assert frame is None
    return searched


@pytest.mark.rule("808.5", "809.7", "810.5", "811.5")
@pytest.mark.parametrize(
    ("variant", "teams"),
    [
        ("two_headed_giant", "AABB"),
        ("two_headed_giant", "AAABBB"),
        ("emperor", "AAABBB"),
        ("team_vs_team", "AABB"),
        ("alternating_teams", "ABCD"),
    ],
)
def test_where_no_card_shows_anything_only_team_mates_know_a_hand(variant: str, teams: str) -> None:
    """The judge of the other tests takes for known what the game notes as known. Here that is compared with what the rules say, in
    games of cards that show nothing: everybody's hand to the mates (where teams alternate nobody sits next to one), libraries to nobody.
    """
    wire = RoomOptions(seats=len(teams), variant=variant)  # type: ignore[arg-type]
    people = [Sitting(name=f"P{n}", person=f"p{n}", deck=bench_deck()) for n in range(len(teams))]
    state, _ = RULES.start(make_setup(room="plain", options=wire, seed="s", sittings=people, version=RULES.version))
    chance, hands = random.Random(variant), 0
    for _ in range(150):
        assert state.pending is not None
        for thing in state.objects.values():
            mates = [n for n, team in enumerate(teams) if thing.zone == "hand" and team == teams[thing.owner]]
            if thing.zone in ("hand", "library"):
                assert {n for n in range(len(teams)) if thing.known >> n & 1} == set(mates), thing
                hands += thing.zone == "hand"
        state, _ = RULES.submit(state, state.pending.seat, legal.sample(state.pending, state, chance))
    assert hands > 1000


def test_the_search_would_find_a_leak() -> None:
    """A frame with a hidden card's name, id or seed does not pass."""
    setup = setup_of(2, 5)
    state, events = RULES.start(setup)
    turns = [Turned(None, state, state, events)]
    top = state.objects[state.players[1].library[-1]]
    for leak in (
        {"type": "patch", "patch": {"text": top.definition.name}},
        {"type": "patch", "patch": {"players": {"1": {"hand": [str(top.id)]}}}},
        {"type": "patch", "patch": {"objects": {str(top.id): {}}}},
        {"type": "notice", "text": f"it is {setup.rules.seed}"},
    ):
        listener = Heard.__new__(Heard)
        listener.client = Client.__new__(Client)
        listener.client.seat = 0
        listener.frames = [(0, msgspec.json.encode(leak), False)]
        with pytest.raises(AssertionError):
            compare(setup, turns, [listener])
