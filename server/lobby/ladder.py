"""The ladder of a server: who is how strong, by what was played at tables that asked to be rated, for each format, bots apart from people.

A ladder is one record of the storage: ratings, and the games that have counted, so that both are written at once and no game counts
twice, whatever happens between. While a game goes on a record says that it is to count; what had ended when the server stopped counts at
the start.
"""

from __future__ import annotations

import heapq
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeAlias

import msgspec
import trio
from msgspec import UNSET

from protocol.options import BankClock, RoomOptions
from protocol.people import ListRatings, RatingLine, Ratings
from protocol.refusals import Code, Refusal
from server.lobby.others import Alone, Others
from server.lobby.people import Person
from server.lobby.table import Place, Table
from server.storage import (
    Amended,
    AnyEntry,
    Damaged,
    Ended,
    NoSuchRoom,
    SeatTaken,
    Setup,
    Storage,
    StorageError,
    TakenBack,
)

log = logging.getLogger("apnap.lobby")

KIND, DUE = "ladder", "ladder_due"
"""The kinds of records: ladders by name, and the games that are to count, by room."""
BOTS = "bots "
"""Before the name of a ladder of bots."""
LISTED = 100
"""Places of a ladder that are told."""
COUNTED = 5_000
"""Games that a ladder remembers to have counted; what is older has no record any more that says that it is to count."""
CLOCK = BankClock(ms=1_800_000, grace_ms=15_000)
"""That of a rated room which says none."""
LONGEST_AWAY_MS, SHORTEST_ABANDON_MS = 300_000, 3_600_000
"""Who is away has no more time than this in a rated game, and one that all have left waits at least so long for one of them."""

Skill: TypeAlias = tuple[float, float]
"""How strong somebody is supposed to be, and how far that may be off (one deviation)."""


class Rater(Protocol):
    """What makes ratings. It comes from above: what it is made with is an extra."""

    @property
    def new(self) -> Skill:
        """Of whom nothing is known."""
        ...

    def after(self, teams: Sequence[Sequence[Skill]], ranks: Sequence[int], /) -> Sequence[Sequence[Skill]]:
        """The skills of teams after a game in which they had those ranks, the best being the least."""
        ...


class Rated(msgspec.Struct, frozen=True):
    """Somebody on a ladder, by the name they had last."""

    name: str
    mu: float
    sigma: float
    games: int = 0
    wins: int = 0


class LadderRecord(msgspec.Struct, frozen=True):
    """A ladder as it is kept: by person's id who stands on it, and the rooms whose games have counted, the last ones last."""

    people: dict[str, Rated] = {}
    counted: tuple[str, ...] = ()


class Ladder:
    """See the module. Without `rate` there is none."""

    def __init__(
        self,
        storage: Storage,
        find: Callable[[str], Awaitable[Person | None]],
        rate: Rater | None = None,
        others: Others | None = None,
    ) -> None:
        self._storage = storage
        self._find = find
        self._rate = rate
        self._others = others or Alone()
        self._writing = trio.Lock()

    @property
    def on(self) -> bool:
        """Whether there is one."""
        return self._rate is not None

    # --- before a game ---

    def checked(self, options: RoomOptions) -> RoomOptions:
        """The same options, with a clock if a rated room has none, and bounds for who is away: else whoever loses need not answer, or
        waits until all have gone. Nobody lengthens a clock of their own alone. Raises `Refusal`: unrated for those of a room that cannot be
        rated.
        """
        if not options.rated:
            return options
        if not self.on:
            raise _unrated("here")
        if options.by_hand != "never":
            raise _unrated("by_hand")
        if options.agreement == "most":
            raise _unrated("most")
        if options.seed is not UNSET:
            raise _unrated("seed")
        return msgspec.structs.replace(
            options,
            clock=CLOCK if options.clock is UNSET and options.answer_ms is UNSET else options.clock,
            away_ms=min(options.away_ms, LONGEST_AWAY_MS),
            abandon_ms=max(options.abandon_ms, SHORTEST_ABANDON_MS),
            longer_clocks=False,
        )

    def ladder_of(self, table: Table) -> str:
        """On which ladder the game of a table counts, "" if on none. Raises `Refusal`: unrated where it cannot, as it sits."""
        if not table.options.rated or not self.on:
            return ""
        if len(table.people) < len(table.places):
            raise _unrated("bots")
        people = [_person(place) for place in table.places]
        if len({person.program for person in people}) > 1:
            raise _unrated("mixed")
        guest = next((person.name for person in people if person.role == "guest"), "")
        if guest and not people[0].program:  # nobody plays up one name of theirs with another
            raise _unrated("guest", name=guest)
        if guest:
            _are_several(table)
        name = table.options.deck_rules or table.options.format
        return BOTS + name if people[0].program else name

    async def begins(self, setup: Setup) -> None:
        """A game is dealt that is to count."""
        if setup.ladder:
            await self._storage.put(DUE, setup.room, setup.ladder.encode())

    # --- after it ---

    async def count(self, room: str) -> None:
        """A game is over: it counts, once, or not at all."""
        try:
            async with self._writing, self._others.alone("ladder"):
                await self._count(room)
        except StorageError:
            log.exception("room %s: its game is not rated", room)  # at the next start

    async def take_up(self, known: Callable[[], Awaitable[set[str]]]) -> None:
        """What has ended counts, also where who was to count it is no more; what is gone does not. `known`: the rooms that there are,
        of which some may be about to begin. Raises `StorageError`.
        """
        due = await self._storage.all(DUE)
        there = {record.room: record.finished for record in await self._storage.rooms(due)}
        gone = due.keys() - there.keys()
        gone -= await known() if gone else set()
        for room in due:
            if there.get(room, room in gone):
                await self.count(room)

    async def _count(self, room: str) -> None:
        try:
            journal = await self._storage.load(room)
        except NoSuchRoom:
            await self._storage.delete(DUE, room)
            return
        setup, ended = journal.setup, _end(journal.entries)
        finished = ended is not None or any(one.finished for one in await self._storage.rooms([room]))
        if not finished or self._rate is None:
            return
        ladder = await self._ladder(setup.ladder)
        if ended is not None and setup.ladder and room not in ladder.counted and _counts(journal.entries):
            await self._write(setup.ladder, self._after(ladder, setup, ended.winners))
        await self._storage.delete(DUE, room)

    def _after(self, ladder: LadderRecord, setup: Setup, winners: Sequence[int]) -> LadderRecord:
        """The ladder after a game. Who has won comes first, and all others together second."""
        assert self._rate is not None
        teams = _teams(setup)
        before = [[self._rated(ladder, setup, seat) for seat in team] for team in teams]
        ranks = [0 if set(team) & set(winners) else 1 for team in teams]
        skills = self._rate.after([[(one.mu, one.sigma) for one in team] for team in before], ranks)
        people = dict(ladder.people)
        for team, had, became, rank in zip(teams, before, skills, ranks, strict=True):
            for seat, one, (mu, sigma) in zip(team, had, became, strict=True):
                if person := setup.seats[seat].person:  # else they were forgotten meanwhile
                    people[person] = Rated(one.name, mu, sigma, one.games + 1, one.wins + (rank == 0))
        return LadderRecord(people, (*ladder.counted, setup.room)[-COUNTED:])

    def _rated(self, ladder: LadderRecord, setup: Setup, seat: int) -> Rated:
        """Who sits there, as they stand."""
        assert self._rate is not None
        sitting = setup.seats[seat]
        found = ladder.people.get(sitting.person)
        if found is not None:
            return msgspec.structs.replace(found, name=sitting.name)
        return Rated(sitting.name, *self._rate.new)

    # --- what is told ---

    async def told(self, message: ListRatings) -> Ratings:
        """A ladder's best, and where somebody stands on each. Raises `Refusal`: no_such_person, unrated where there is no ladder or none
        that can be read.
        """
        if not self.on:
            raise _unrated("here")
        try:
            return await self._told(message)
        except StorageError as fault:
            log.exception("ratings cannot be told")
            raise _unrated("unreadable") from fault

    async def _told(self, message: ListRatings) -> Ratings:
        ladders = {name: await self._ladder(name) for name in sorted(await self._storage.all(KIND), key=_people_first)}
        name = message.ladder or next(iter(ladders), "constructed")
        people = ladders.get(name, LadderRecord()).people
        best = heapq.nlargest(LISTED, people, key=lambda person: _surely(people[person]))
        return Ratings(
            re=message.id,
            ladder=name,
            ladders=list(ladders),
            rated=[_line(name, person, people[person], place + 1) for place, person in enumerate(best)],
            of=await self._profile(message.person, ladders) if message.person else [],
        )

    async def _profile(self, person: str, ladders: dict[str, LadderRecord]) -> list[RatingLine]:
        lines = [
            _line(name, person, one.people[person], _place(one, person))
            for name, one in ladders.items()
            if person in one.people
        ]
        if not lines and await self._find(person) is None:
            raise Refusal(Code.NO_SUCH_PERSON)
        return lines

    async def of(self, person: str) -> dict[str, Rated]:
        """By ladders where somebody stands."""
        ladders = {name: await self._ladder(name) for name in await self._storage.all(KIND)}
        return {name: one.people[person] for name, one in ladders.items() if person in one.people}

    async def forget(self, person: str) -> None:
        """Somebody stands on no ladder any more."""
        async with self._writing, self._others.alone("ladder"):
            for name in await self.of(person):
                ladder = await self._ladder(name)
                people = {key: one for key, one in ladder.people.items() if key != person}
                await self._write(name, msgspec.structs.replace(ladder, people=people))

    async def _ladder(self, name: str) -> LadderRecord:
        """Raises `StorageError`."""
        data = await self._storage.get(KIND, name)
        try:
            return msgspec.json.decode(data, type=LadderRecord) if data else LadderRecord()
        except msgspec.DecodeError as fault:
            raise Damaged(f"the ladder {name!r} cannot be read: {fault}") from fault

    async def _write(self, name: str, ladder: LadderRecord) -> None:
        await self._storage.put(KIND, name, msgspec.json.encode(ladder))


def of_bots(ladder: str) -> bool:
    """Whether that is a ladder of bots."""
    return ladder.startswith(BOTS)


def _person(place: Place) -> Person:
    """Who sits there. Of who is not back after a restart only the name is known at the table."""
    person = place.person if place.client is None else place.client.person
    assert person is not None
    return person


def _are_several(table: Table) -> None:
    """Nobody plays against themselves for a rating: a guest may be whoever else comes from the same place. Raises `Refusal`: unrated."""
    away = next((_person(place).name for place in table.places if place.client is None), "")
    if away and table.match is None:  # those of the first game of a match play on
        raise _unrated("away", name=away)
    here = [place.client for place in table.places if place.client is not None]
    places = Counter(client.peer.address for client in here)
    if any(places[one.peer.address] > 1 and one.person is not None and one.person.role == "guest" for one in here):
        raise _unrated("one_place")


def _unrated(why: str, **args: str | int) -> Refusal:
    return Refusal(Code.UNRATED, key=f"refused.unrated_{why}", args=args)


def _surely(one: Rated) -> float:
    """How strong somebody is at least; by this they are listed."""
    return one.mu - 2 * one.sigma


def _place(ladder: LadderRecord, person: str) -> int:
    mine = _surely(ladder.people[person])
    return 1 + sum(_surely(one) > mine for one in ladder.people.values())


def _line(ladder: str, person: str, one: Rated, place: int) -> RatingLine:
    return RatingLine(
        place=place,
        ladder=ladder,
        person=person,
        name=one.name,
        rating=round(one.mu, 1),
        spread=round(2 * one.sigma, 1),
        games=one.games,
        wins=one.wins,
    )


def _people_first(ladder: str) -> tuple[bool, str]:
    return of_bots(ladder), ladder


def _end(entries: Sequence[AnyEntry]) -> Ended | None:
    return next((entry for entry in reversed(entries) if isinstance(entry, Ended)), None)


def _counts(entries: Sequence[AnyEntry]) -> bool:
    """Whether the game was the seats' own: nothing was corrected, and nobody else played for one of them."""
    return not any(
        isinstance(entry, Amended | SeatTaken) or (isinstance(entry, TakenBack) and entry.why) for entry in entries
    )


def _teams(setup: Setup) -> list[list[int]]:
    """The seats of each team; each for itself where there are none."""
    seats = range(len(setup.seats))
    team_of = setup.rules.teams or tuple(seats)
    return [[seat for seat in seats if team_of[seat] == team] for team in dict.fromkeys(team_of)]
