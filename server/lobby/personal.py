"""What is a person's own, beside their games: decks they keep, whom they do not want to read, their data; and what they report.

Kept as records of the storage: `decks` and `games` by person, `report` by time, `shown` by room.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec
import trio

from protocol import messages as m
from protocol import people as p
from protocol.refusals import Code, Refusal
from protocol.replays import FinishedGame
from server.lobby.client import Client
from server.lobby.ladder import Ladder
from server.lobby.names import clean_text
from server.lobby.others import Alone, Forgotten, Others
from server.lobby.people import Person
from server.lobby.reception import Reception
from server.lobby.reports import ReportRecord
from server.lobby.table import Table, pseudonym
from server.settings import Settings
from server.storage import NoSuchRoom, Setup, Storage

DECKS, GAMES, REPORT, SHOWN = "decks", "games", "report", "shown"
DAY = 86_400
IGNORED = 500
"""People whom one person may ignore."""
KEPT_TEXT = 200_000
"""Characters of all decks together that one person may keep: fifty of a hundred lines."""
LISTED = 100
"""Finished games in one list."""


class Personal:
    """See the module. `tables` gives the rooms there are."""

    def __init__(
        self,
        storage: Storage,
        reception: Reception,
        settings: Settings,
        tables: Callable[[], list[Table]],
        ladder: Ladder,
        others: Others | None = None,
    ) -> None:
        self._others = others or Alone()
        self._storage = storage
        self._reception = reception
        self._settings = settings
        self._tables = tables
        self._ladder = ladder
        self._writing = trio.Lock()

    async def handle(self, client: Client, message: m.ClientMessage, table: Table | None) -> m.ServerMessage:
        """Do what a person asks. `table` is the room they are in. Raises `Refusal`."""
        person = client.person
        assert person is not None
        match message:
            case p.SaveDeck():
                await self._save_deck(person, message)
            case p.ForgetDeck():
                await self._forget_deck(person, message.name)
            case p.ListSavedDecks():
                return p.SavedDecks(re=message.id, saved=await self._decks(person))
            case p.Ignore():
                await self._ignore(person, message)
            case p.Report():
                await self._report(person, message, table)
            case p.Privacy():
                return self._privacy(message)
            case p.MyData():
                return p.MyDataMessage(re=message.id, data=await self.data_of(person))
            case p.ForgetMe():
                await self._forget_me(client, person, message)
            case p.Publish():
                await self._publish(person, message)
            case _:
                raise Refusal(Code.UNKNOWN_MESSAGE)
        return m.Ok(re=message.id)

    # --- decks ---

    async def deck(self, person: Person, name: str) -> str:
        """The list that a person keeps under a name. Raises `Refusal`: no_such_deck."""
        text = (await self._decks(person)).get(clean_text(name))
        if text is None:
            raise Refusal(Code.NO_SUCH_DECK)
        return text

    def may_bring_cards(self, person: Person) -> None:
        """Raises `Refusal`: own_cards."""
        who = self._settings.people.own_cards
        if who == "nobody" or (who == "accounts" and person.role == "guest"):
            raise Refusal(Code.OWN_CARDS)

    async def _decks(self, person: Person) -> dict[str, str]:
        return await self._record(DECKS, person.id, dict[str, str]) or {}

    async def _save_deck(self, person: Person, message: p.SaveDeck) -> None:
        name = clean_text(message.name)
        if not name:
            raise Refusal(Code.BAD_NAME)
        async with self._writing, self._others.alone("personal"):
            decks = await self._decks(person)
            if name not in decks and len(decks) >= self._settings.people.saved_decks:
                raise Refusal(Code.TOO_MANY_DECKS)
            decks[name] = message.text
            if sum(map(len, decks.values())) > KEPT_TEXT:
                raise Refusal(Code.TOO_MANY_DECKS)
            await self._reception.people.keep(person)
            await self._write(DECKS, person.id, decks)

    async def _forget_deck(self, person: Person, name: str) -> None:
        async with self._writing, self._others.alone("personal"):
            decks = await self._decks(person)
            if decks.pop(clean_text(name), None) is None:
                raise Refusal(Code.NO_SUCH_DECK)
            await self._write(DECKS, person.id, decks)

    # --- others ---

    async def _ignore(self, person: Person, message: p.Ignore) -> None:
        async with self._others.alone("people"):
            others = [other for other in person.ignored if other != message.person]
            if message.ignore and message.person != person.id:
                others = [*others, message.person][-IGNORED:]
            person.ignored = others
            await self._reception.people.note(person)

    async def _report(self, person: Person, message: p.Report, table: Table | None) -> None:
        if table is None:
            raise Refusal(Code.NOT_IN_ROOM)
        self._reception.rates.take("report", person.id, self._settings.limits.tries_per_minute)
        known = {line.person: line.name for line in table.chat} | {other.id: other.name for other in table.present()}
        if message.person not in known or message.person == person.id:
            raise Refusal(Code.NO_SUCH_PERSON)
        record = ReportRecord(
            at=int(time.time()),
            by=person.id,
            by_name=person.name,
            person=message.person,
            name=known[message.person],
            text=clean_text(message.text),
            room=table.id,
            entry=table.room.seq if table.room is not None else 0,
            chat=list(table.chat),
        )
        await self._write(REPORT, f"{record.at:012}-{secrets.token_hex(4)}", record)

    async def reports(self) -> list[ReportRecord]:
        """All reports, oldest first."""
        found = await self._reports()
        return [found[key] for key in sorted(found)]

    async def _reports(self) -> dict[str, ReportRecord]:
        """The reports that can be read, by key."""
        found = await self._storage.all(REPORT)
        return {key: msgspec.json.decode(data, type=ReportRecord) for key, data in found.items() if data}

    # --- data ---

    async def note_game(self, table: Table) -> None:
        """A game begins: the journal names those who sit there."""
        async with self._writing, self._others.alone("personal"):
            for person in table.people:
                games = await self._games(person.id)
                await self._write(GAMES, person.id, [*games, table.id])

    async def coming(self, person: Person) -> list[str]:
        """The games in which a person sits that are still to be taken up. Raises `StorageFault`."""
        coming = self._others.coming()
        return [room for room in await self._games(person.id) if room in coming] if coming else []

    async def data_of(self, person: Person) -> dict[str, Any]:
        """All that is kept about a person, as plain data."""
        plain = {"id": person.id, "name": person.name, "role": person.role, "ignored": person.ignored}
        sessions = [{"since": s.since, "seen": s.seen, "client": s.client} for s in person.sessions]
        made = [msgspec.to_builtins(report) for report in await self.reports() if report.by == person.id]
        return {
            "person": plain,
            "sessions": sessions,
            "decks": await self._decks(person),
            "games": await self._games(person.id),
            "reports": made,
            "ratings": {name: msgspec.to_builtins(one) for name, one in (await self._ladder.of(person.id)).items()},
        }

    async def _forget_me(self, client: Client, person: Person, message: p.ForgetMe) -> None:
        if person.role != "guest":
            await self._reception.prove(client, person, message.password)
        with trio.CancelScope(shield=True):  # all of it, though the connection is lost
            await self.forget(person)

    async def forget(self, person: Person) -> None:
        """Delete what is kept about a person; journals keep a pseudonym. Raises `Refusal`: in_play."""
        async with self._writing, self._others.alone("personal"):
            await self._others.known()  # whatever has begun elsewhere
            if any(table.fixed for table in self._seated(person)):
                raise Refusal(Code.IN_PLAY)
            if await self.coming(person):
                raise Refusal(Code.IN_PLAY)
            if any(line.fixed and person.id in line.people for line in self._others.lines()):
                raise Refusal(Code.IN_PLAY)
            for room in await self._games(person.id):
                await self._pseudonym(room, person.id)
            await self._storage.delete(GAMES, person.id)
            await self._storage.delete(DECKS, person.id)
            await self._ladder.forget(person.id)
            for key, report in (await self._reports()).items():
                await self._clear_report(key, report, person.id)
        self._others.tell(Forgotten(person.id))
        self.forgotten(person.id)
        account = self._reception.accounts.of(person.id)
        if account is not None:
            await self._reception.accounts.remove(account)
        await self._reception.people.erase(person)
        self._reception.send_away(person, "forgotten", "notice.forgotten")

    def forgotten(self, person_id: str) -> None:
        """No table here knows the name of a person any more."""
        person = Person(id=person_id, name="")
        for table in self._tables():
            if table.seat_of(person) is not None or any(line.person == person_id for line in table.chat):
                table.anonymise(person)

    def _seated(self, person: Person) -> list[Table]:
        return [table for table in self._tables() if table.seat_of(person) is not None]

    async def _pseudonym(self, room: str, person: str) -> None:
        """A journal names one of its people no more. A journal that is gone names nobody."""
        try:
            setup = await self._storage.setup(room)
        except NoSuchRoom:
            return
        seats = tuple(
            msgspec.structs.replace(seat, name=pseudonym(number), person="") if seat.person == person else seat
            for number, seat in enumerate(setup.seats)
        )
        await self._storage.amend(room, msgspec.structs.replace(setup, seats=seats))

    async def _clear_report(self, key: str, report: ReportRecord, person: str) -> None:
        """What a person reported goes; of what others reported, their name does, and what they said."""
        if person in (report.by, report.person):
            await self._storage.delete(REPORT, key)
        elif any(line.person == person for line in report.chat):
            chat = [line for line in report.chat if line.person != person]
            await self._write(REPORT, key, msgspec.structs.replace(report, chat=chat))

    # --- who may see a game that is over ---

    async def _publish(self, person: Person, message: p.Publish) -> None:
        if message.room not in await self._games(person.id):
            raise Refusal(Code.NOT_YOUR_GAME)
        async with self._writing, self._others.alone("personal"):
            agreed = [other for other in await self._agreed(message.room) if other != person.id]
            await self._write(SHOWN, message.room, [*agreed, person.id] if message.publish else agreed)

    async def may_see(self, person: Person, setup: Setup) -> bool:
        """Whether a person may see the replay of a finished game: they had a seat, all who had agree, or they are an admin."""
        people = {seat.person for seat in setup.seats if seat.kind == "person"}
        if person.role == "admin" or person.id in people:
            return True
        return bool(people) and people <= set(await self._agreed(setup.room))

    async def finished(self, person: Person) -> list[FinishedGame]:
        """The finished games that a person may see, the latest first."""
        own = set(await self._games(person.id))
        asked = own | set(await self._storage.all(SHOWN))
        over = [record for record in await self._storage.rooms(asked) if record.finished]
        found: list[FinishedGame] = []
        for record in sorted(over, key=lambda record: record.created, reverse=True)[:LISTED]:
            setup = await self._storage.setup(record.room)
            if not await self.may_see(person, setup):
                continue
            agreed = set(await self._agreed(record.room))
            people = {seat.person for seat in setup.seats if seat.kind == "person"}
            found.append(
                FinishedGame(
                    room=record.room,
                    title=setup.options.title,
                    created=record.created,
                    edition=setup.options.edition,
                    names=[seat.name for seat in setup.seats],
                    mine=record.room in own,
                    published=person.id in agreed,
                    open=people <= agreed,
                )
            )
        return found

    async def _agreed(self, room: str) -> list[str]:
        return await self._record(SHOWN, room, list[str]) or []

    # --- how long ---

    def _privacy(self, message: p.Privacy) -> p.PrivacyMessage:
        rules = self._settings.privacy
        return p.PrivacyMessage(
            re=message.id,
            journal_days=rules.journal_days,
            report_days=rules.report_days,
            guest_days=rules.guest_days,
            chat_lines=rules.chat_lines,
        )

    async def sweep(self) -> None:
        """Delete what has been kept for long enough. Raises `StorageError`."""
        rules, now = self._settings.privacy, int(time.time())
        await self._reception.accounts.sweep()
        if rules.report_days:
            for key, report in (await self._reports()).items():
                if report.at < now - rules.report_days * DAY:
                    await self._storage.delete(REPORT, key)
        if rules.journal_days:
            for record in await self._storage.rooms():
                if record.finished and record.created < now - rules.journal_days * DAY:
                    await self._storage.remove(record.room)
                    await self._storage.delete(SHOWN, record.room)
        if rules.guest_days:
            for person in await self._reception.people.unseen_since(now - rules.guest_days * DAY):
                here = any(table.seat_of(person) is not None for table in self._tables())
                elsewhere = any(person.id in line.people for line in self._others.lines())
                if not here and not elsewhere and not await self.coming(person):
                    await self.forget(person)

    # --- records ---

    async def _games(self, person: str) -> list[str]:
        return await self._record(GAMES, person, list[str]) or []

    async def _record(self, kind: str, key: str, shape: type[Any]) -> Any:
        data = await self._storage.get(kind, key)
        return msgspec.json.decode(data, type=shape) if data else None

    async def _write(self, kind: str, key: str, value: object) -> None:
        await self._storage.put(kind, key, msgspec.json.encode(value))
