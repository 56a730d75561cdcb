"""Journals that earlier commits wrote are games still: each set holds what its `set.toml` promises (`tests.storage.journals.kept`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
import trio
from msgspec.structs import replace

from server.rooms import RULES, Diverged, Room, recover, replay
from server.rooms.game import Game, Rules
from server.rules import RULES_VERSION
from server.rules.model import State
from server.storage import AnyEntry, Check, Ended, Journal, Snapshot, SqliteStorage, Storage, Upgraded, open_sqlite
from tests.storage.journals.kept import Kept, Promise, read_kept, read_set, write_kept
from tests.storage.journals.write import played, tables

SETS = sorted(path.parent for path in (Path(__file__).parent / "journals").glob("*/set.toml"))
FILES = {f"{folder.name}/{path.name.partition('.')[0]}": path for folder in SETS for path in folder.glob("*.jsonl.xz")}
PROMISES = {
    name: kept.games.get(name.partition("/")[2], kept.holds)
    for name, path in FILES.items()
    for kept in (read_set(path.parent),)
}
MOST_BYTES = 2_000_000
ANSWERS = 20
"""Default answers with which a game goes on."""
LATER = f"{RULES_VERSION}-later"
"""The version of rules that go on with a game of those that there are."""


def held(*promises: Promise) -> list[str]:
    """The names of the journals of which one of these is true."""
    return sorted(name for name, promise in PROMISES.items() if promise in promises)


class AsWritten(Rules):
    """The rules under the name of those that wrote a journal, to which it is no upgrade."""

    def __init__(self, version: str) -> None:
        self._version = version

    @property
    def version(self) -> str:
        return self._version


class Otherwise(Rules):
    """Rules to which each state has another hash, as if a later change had given states more fields."""

    def fingerprint(self, state: State) -> str:
        return super().fingerprint(state)[::-1]


class Stretch(NamedTuple):
    """A journal cut off after some entries, and its snapshot; `hash` is that of the state at its end."""

    room: str
    journal: Journal
    hash: str


def stretches(journal: Journal, taken: Sequence[Kept]) -> list[Stretch]:
    """From each snapshot to the next one; from the last to the last hash."""
    open_ = [entry for entry in journal.entries if not isinstance(entry, Ended)]
    last = taken[-1]
    hashes = [(entry.seq, entry.hash) for entry in open_ if isinstance(entry, Check)] or [(open_[-1].seq, "")]
    ends = [*((one.seq, one.hash) for one in taken[1:]), max((last.seq, last.hash), hashes[-1])]
    return [
        _stretch(journal, number, one.snapshot, *end) for number, (one, end) in enumerate(zip(taken, ends, strict=True))
    ]


def _stretch(journal: Journal, number: int, kept: Snapshot, last: int, hash_: str) -> Stretch:
    room = f"{journal.setup.room}-{number:02}"
    setup = replace(journal.setup, room=room)
    return Stretch(room, Journal(setup, journal.entries[:last], snapshot=kept), hash_)


@asynccontextmanager
async def on_disk(folder: Path, kept: Sequence[Stretch]) -> AsyncIterator[SqliteStorage]:
    """A database that holds these journals with their snapshots, as a server finds it that starts."""
    async with open_sqlite(folder) as storage:
        for room, journal, _ in kept:
            assert journal.snapshot is not None
            seq = journal.snapshot.seq
            await storage.create(journal.setup, journal.entries[:seq])
            await storage.append(room, [], journal.snapshot)
            await storage.append(room, journal.entries[seq:])
    async with open_sqlite(folder) as storage:
        yield storage


async def recovered(storage: Storage, game: Game) -> dict[str, Room]:
    rooms = {room.id: room for room in await recover(storage, game)}
    assert not [name for name, room in rooms.items() if room.frozen or room.state is None]
    return rooms


def stands_at(room: Room) -> str:
    """The hash of a room's state."""
    assert room.state is not None
    return RULES.fingerprint(room.state)


async def last_entry(storage: Storage, room: str) -> AnyEntry:
    return (await storage.load(room)).entries[-1]


# --- what is kept ---------------------------------------------------------------------------------------------------------


def test_the_first_set_has_both_editions_two_to_six_seats_and_every_kind_of_moment() -> None:
    games = [read_kept(path) for name, path in FILES.items() if name.startswith("44fc3df/")]
    assert len(games) == 30
    seen = {(journal.setup.options.edition, len(journal.setup.seats)) for journal, _ in games}
    assert seen == {(edition, seats) for edition in ("2011", "current") for seats in range(2, 7)}
    moments = [one.moment for _, taken in games for one in taken]
    for kind in ("announcement", "combat", "blocks", "combat damage", "replacement", "resolution", "beginning"):
        assert moments.count(kind) >= 15, kind
    assert sum(path.stat().st_size for path in FILES.values()) < MOST_BYTES


# --- the same outcomes ----------------------------------------------------------------------------------------------------


def replays_to_every_hash(journal: Journal, taken: Sequence[Kept]) -> None:
    hashes = {one.seq: one.hash for one in taken}
    wanted = sorted(hashes)
    state: State | None = None
    for turned in replay(journal, RULES):  # compares with each `Check` and `Ended`
        seq = 0 if turned.entry is None else turned.entry.seq
        while wanted and wanted[0] < seq:
            assert state is not None and RULES.fingerprint(state) == hashes[wanted.pop(0)]
        state = turned.after
    assert state is not None and all(RULES.fingerprint(state) == hashes[seq] for seq in wanted)


async def comes_to_every_hash_from_each_snapshot(journal: Journal, taken: Sequence[Kept], folder: Path) -> None:
    """By the rules that wrote them, which note nothing, and then as an upgrade."""
    kept = stretches(journal, taken)
    async with on_disk(folder, kept) as storage:
        rooms = await recovered(storage, AsWritten(journal.setup.version))
        for room, read, hash_ in kept:
            assert (rooms[room].seq, stands_at(rooms[room])) == (read.last, hash_), room
            assert (await storage.load(room)).entries == read.entries
        rooms = await recovered(storage, AsWritten(LATER))
        for room, read, hash_ in kept:
            upgrade = await last_entry(storage, room)
            assert isinstance(upgrade, Upgraded) and (upgrade.base, upgrade.hash) == (read.last, hash_), room
            assert stands_at(rooms[room]) == hash_


@pytest.mark.parametrize("name", held("hashes"))
def test_it_replays_from_entry_one_to_every_stored_hash(name: str) -> None:
    replays_to_every_hash(*read_kept(FILES[name]))


@pytest.mark.parametrize("name", held("hashes"))
async def test_it_comes_to_every_stored_hash_from_each_snapshot(name: str, tmp_path: Path) -> None:
    await comes_to_every_hash_from_each_snapshot(*read_kept(FILES[name]), tmp_path)


@pytest.mark.parametrize("number", [4, 18])
def test_a_journal_written_now_comes_to_its_hashes(number: int, tmp_path: Path) -> None:
    game = next(one for one in tables() if one.number == number)
    path = tmp_path / "game.jsonl.xz"
    write_kept(path, *trio.run(played, game))
    journal, taken = read_kept(path)
    assert {"announcement", "combat"} <= {one.moment for one in taken}
    replays_to_every_hash(journal, taken)
    trio.run(comes_to_every_hash_from_each_snapshot, journal, taken, tmp_path)


# --- the same answers -----------------------------------------------------------------------------------------------------


def without_hashes(journal: Journal, taken: Sequence[Kept]) -> tuple[Journal, list[Kept]]:
    """The same without its `Check` entries, numbered anew."""
    kept = [entry for entry in journal.entries if not isinstance(entry, Check | Ended)]
    entries = tuple(replace(entry, seq=number) for number, entry in enumerate(kept, 1))
    moved = [msgspec.structs.replace(one, seq=sum(entry.seq <= one.seq for entry in kept)) for one in taken]
    return Journal(journal.setup, entries), moved


@pytest.mark.parametrize("name", held("hashes", "answers"))
def test_every_answer_answers_the_same_question(name: str) -> None:
    journal, taken = read_kept(FILES[name])
    *_, last = replay(without_hashes(journal, taken)[0], RULES)
    end, result = journal.entries[-1], last.after.result
    assert (result is not None) == isinstance(end, Ended)
    if isinstance(end, Ended) and result is not None:
        assert (result.winners, result.why) == (end.winners, end.why)


@pytest.mark.parametrize("name", held("answers"))
async def test_no_answer_is_lost_from_any_snapshot(name: str, tmp_path: Path) -> None:
    kept = stretches(*without_hashes(*read_kept(FILES[name])))
    async with on_disk(tmp_path, kept) as storage:
        rooms = await recovered(storage, RULES)
        assert len(rooms) == len(kept)
        for room, read, _ in kept:
            upgrade = await last_entry(storage, room)
            assert isinstance(upgrade, Upgraded) and upgrade.base == read.last, room


# --- other outcomes -------------------------------------------------------------------------------------------------------


async def goes_on_upgraded(name: str, folder: Path, game: Game) -> None:
    """The game is taken up from each snapshot by an `upgrade` entry, goes on from there, and is taken up once more."""
    journal, taken = read_kept(FILES[name])
    kept = [_stretch(journal, n, one.snapshot, one.seq, one.hash) for n, one in enumerate(taken)]
    async with on_disk(folder, kept) as storage:
        for room, found in (await recovered(storage, game)).items():
            upgrade = await last_entry(storage, room)
            assert isinstance(upgrade, Upgraded) and upgrade.base == upgrade.seq - 1, room
            state = found.state
            for _ in range(ANSWERS):
                if state is not None and state.pending is not None:
                    state, _ = game.submit(state, state.pending.seat, game.default(state, state.pending))
        again = await recovered(storage, game)
        for room, read, _ in kept:
            assert again[room].seq == read.last + 1, "a restart by the same rules notes nothing"


@pytest.mark.parametrize("name", held("upgrade"))
async def test_it_goes_on_upgraded_from_each_snapshot(name: str, tmp_path: Path) -> None:
    await goes_on_upgraded(name, tmp_path, RULES)


@pytest.mark.parametrize("name", held("hashes", "answers")[3:30:9])
async def test_a_journal_whose_hashes_have_changed_can_still_hold_an_upgrade(name: str, tmp_path: Path) -> None:
    journal, _ = read_kept(FILES[name])
    with pytest.raises(Diverged):
        list(replay(journal, Otherwise()))
    await goes_on_upgraded(name, tmp_path, Otherwise())
