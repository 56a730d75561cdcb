"""The menus away from a table: the list of tables, how many seats, decks, bots, a room before its game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, Struct

from client_cli import commands
from client_cli.dialog_part import whole_number
from client_cli.invitation import only_here, room_link
from protocol.options import RoomOptions
from protocol.rooms import AddBot, ChooseDeck, DeckSummary, Join, Open, Ready, RoomState, RoomSummary, Watch

if TYPE_CHECKING:
    from client_cli.app import App, Place


class Entry(Struct, frozen=True):
    """A choice of a menu, under its place in it or a `number` of its own."""

    text: str
    act: Callable[[], Awaitable[None]]
    number: int | None = None


class Menus:
    """See the module. One for each app."""

    def __init__(self, app: App) -> None:
        self._app = app

    def entries(self) -> list[Entry]:
        """The choices of the place we are at, away from a table."""
        match self._app.place:
            case "rooms":
                return self._rooms_menu()
            case "seats":
                return [
                    *(Entry(self._app.say("ui.seats", seats=n), self._open(n), n) for n in range(2, 11)),
                    Entry(self._app.say("ui.open_match"), self._open(2, best_of=3), 11),
                    self._back("rooms"),
                ]
            case "decks":
                return self._decks_menu()
            case "bots":
                return [
                    *(Entry(level, self._add_bot(level)) for level in self._app.levels),
                    self._back("room"),
                ]
            case "room":
                return self._room_menu()
            case _:
                return []

    def numbered(self) -> list[tuple[int, Entry]]:
        """The choices by their numbers. Where choices are numbers themselves, as of seats, these are theirs."""
        entries = self.entries()
        return [(at if entry.number is None else entry.number, entry) for at, entry in enumerate(entries, 1)]

    async def take(self, text: str) -> None:
        """A line for the menu: the number of what is chosen."""
        if not text:
            return
        numbered = dict(self.numbered())
        number = whole_number(text)
        entry = None if number is None else numbered.get(number)
        if entry is None:
            least, most = min(numbered), max(numbered)
            every = len(numbered) < 4 or len(numbered) <= most - least  # else none between them is missing
            numbers = ", ".join(map(str, sorted(numbered))) if every else f"{least} ... {most}"
            app = self._app
            app.problem(commands.not_here(text, app.where, app.say) or app.say("ui.one_of", numbers=numbers))
            return
        await entry.act()

    def _back(self, place: Place) -> Entry:
        return Entry(self._app.say("ui.back"), self._go(place), 0)

    def _decks_menu(self) -> list[Entry]:
        app = self._app

        async def paste() -> None:
            app.pasting = []

        async def file() -> None:
            app.note(app.say("ui.deck_how"))

        def keep(name: str) -> Callable[[], Awaitable[None]]:
            async def act() -> None:
                app.place = "room"
                await app.own_decks.choose_saved(name)

            return act

        return [
            *(Entry(self._deck_words(deck), self._deck(deck.name)) for deck in app.decks),
            Entry(app.say("ui.deck_file"), file),
            Entry(app.say("ui.deck_paste"), paste),
            *(Entry(app.say("ui.deck_saved", name=name), keep(name)) for name in app.own_decks.saved),
            self._back("room"),
        ]

    def header(self) -> str:
        """Where we are, in a line."""
        app = self._app
        match app.place:
            case "rooms":
                return app.say("ui.tables", server=app.session.welcome.server if app.session.welcome else "")
            case "seats":
                return app.say("ui.how_many_seats")
            case "decks":
                return app.say("ui.which_deck")
            case "bots":
                return app.say("ui.which_bot")
            case "room" if app.room is not None:
                options = app.room.options
                words = app.say("ui.room", id=app.room.id, title=options.title, edition=options.edition)
                if options.deck_rules:
                    words += f" - {app.say('ui.deck_rules', name=options.deck_rules)}"
                return " ".join(words.split())
            case _:
                return ""

    def body(self) -> list[str]:
        """The seats of the room we are in."""
        room = self._app.room
        if self._app.place != "room" or room is None:
            return []
        lines = [self._seat_words(room, at) for at in range(len(room.seats))]
        if room.state == "gathering":
            lines += self._app.own_decks.match.lines(room)
            lines += [*self._app.own_decks.rewordings.lines(room), "", self._invite(room)]
        return [*lines, self._app.say("notice.frozen")] if room.state == "frozen" else lines

    def _invite(self, room: RoomState) -> str:
        """The link for friends; what to do where the one we have would lead nowhere from elsewhere."""
        app = self._app
        told = app.session.welcome.address if app.session.welcome is not None else ""
        address = told or app.address
        if not address or (only_here(address) and not told):
            return app.say("ui.invite_only_here") if address else ""
        code = room.invitation if room.locked else ""
        return app.say("ui.invite", link=room_link(address, room.id, code))

    def _seat_words(self, room: RoomState, at: int) -> str:
        seat = room.seats[at]
        words = self._app.say("ui.seat", seat=seat.seat + 1) + ": "
        if seat.kind == "open":
            return words + self._app.say("ui.free")
        bot = seat.kind == "bot"
        # The level says what the name's label says.
        words += seat.name.removesuffix(" (bot)") if bot else seat.name
        marks = [self._app.say("ui.you")] if seat.seat == room.you else []
        if seat.seat == room.host:
            marks.append(self._app.say("ui.host"))
        if bot:
            marks.append(self._app.say("ui.bot", level=seat.level))
        if seat.deck:
            marks.append(self._app.say("ui.deck", deck=seat.deck))
        hosts = seat.seat == room.host and not self._app.own_decks.match.between()
        if seat.ready or hosts:  # whoever hosts is ready by starting, but the next game of a match starts without that
            marks.append(self._app.say("ui.is_ready"))
        return words + (f" ({', '.join(marks)})" if marks else "")

    def _rooms_menu(self) -> list[Entry]:
        entries = [
            Entry(self._app.say("ui.open_four"), self._open(4)),
            Entry(self._app.say("ui.open_other"), self._go("seats")),
            Entry(self._app.say("ui.look_again"), self._app.look),
        ]
        for room in self._app.rooms:
            title = room.options.title or (f"{room.host}" if room.host else room.id)
            key = "ui.join" if room.state == "gathering" else "ui.watch"
            words = self._app.say(key, title=title, taken=room.taken, seats=room.options.seats, id=room.id)
            entries.append(Entry(words, self._enter(room)))
        return entries

    def _room_menu(self) -> list[Entry]:
        room = self._app.room
        if room is None:
            return [Entry(self._app.say("ui.back"), self._app.look)]
        entries: list[Entry] = []
        between = self._app.own_decks.match.choices(room)
        entries += [Entry(words, act) for words, act in between]
        if room.you is not UNSET and room.state == "gathering" and not between:
            entries.append(Entry(self._app.say("ui.choose_deck"), self._choose_deck))
            if room.host is not UNSET and room.host == room.you:
                entries.append(Entry(self._app.say("ui.fill"), self._fill))
                entries.append(Entry(self._app.say("ui.add_bot"), self._go("bots")))
                entries.append(Entry(self._start_words(room), self._app.start))
            else:
                mine = next((seat for seat in room.seats if seat.seat == room.you), None)
                ready = mine is not None and mine.ready
                entries.append(Entry(self._app.say("ui.unready" if ready else "ui.ready"), self._ready(not ready)))
        entries.append(Entry(self._app.say("ui.leave"), self._app.leave))
        return [*entries, *(Entry(words, act) for words, act in self._app.own_decks.rewordings.choices(room))]

    def _start_words(self, room: RoomState) -> str:
        """Starting, and why it is too early for it."""
        app = self._app
        free = sum(seat.kind == "open" for seat in room.seats)
        late = [seat.name for seat in room.seats if seat.kind == "person" and seat.seat != room.host and not seat.ready]
        why = [app.say("ui.seats_free", count=free)] if free else []
        why += [app.say("ui.not_ready", names=", ".join(late))] if late else []
        return app.say("ui.start") + (f" ({app.say('ui.not_yet', why='; '.join(why))})" if why else "")

    def _deck_words(self, deck: DeckSummary) -> str:
        title, _, about = deck.text.partition(": ")
        # A text that begins with the deck's own name would say it twice.
        text = about if title.lower().replace(" ", "-") == deck.name.lower() else deck.text
        return f"{deck.name} ({deck.colors})" + (f": {text}" if text else "")

    def _go(self, place: Place) -> Callable[[], Awaitable[None]]:
        async def go() -> None:
            self._app.place = place

        return go

    async def _choose_deck(self) -> None:
        self._app.place = "decks"
        await self._app.own_decks.look()

    def _open(self, seats: int, best_of: Literal[1, 3] = 1) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            options = RoomOptions(seats=seats, by_hand="unread", best_of=best_of)
            await self._app.session.send(Open(id=self._app.session.new_id(), options=options))

        return act

    def _enter(self, room: RoomSummary) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            if room.state == "gathering":
                await self._app.session.send(Join(id=self._app.session.new_id(), room=room.id))
            else:
                await self._app.session.send(Watch(id=self._app.session.new_id(), room=room.id))

        return act

    def _deck(self, name: str) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            self._app.place = "room"
            await self._app.session.send(ChooseDeck(id=self._app.session.new_id(), house=name))

        return act

    def _add_bot(self, level: str) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            self._app.place = "room"
            await self._app.session.send(AddBot(id=self._app.session.new_id(), level=level))

        return act

    async def _fill(self) -> None:
        room = self._app.room
        for seat in room.seats if room is not None else []:
            if seat.kind == "open":
                await self._app.session.send(
                    AddBot(id=self._app.session.new_id(), level=self._app.levels[0], seat=seat.seat)
                )

    def _ready(self, ready: bool) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            await self._app.session.send(Ready(id=self._app.session.new_id(), ready=ready))

        return act
