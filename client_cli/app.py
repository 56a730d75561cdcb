"""What a person does at the terminal, whatever paints it: the list of tables, a room before its game, the table.

An `App` is told messages (`tell`) and lines of input (`line`), sends what follows from them, and says at any time what
is to be seen (`screen`). The painters, `screen.py` and `plain.py`, add nothing of their own.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct

from client_cli.dialog import Dialog
from client_cli.menus import Menus
from client_cli.orders import Orders
from client_cli.session import Session
from client_cli.show import Show
from protocol.messages import (
    Chat,
    Closed,
    Closing,
    Concede,
    Notice,
    Over,
    Pass,
    Patch,
    QuestionMessage,
    Refused,
    Say,
    ServerMessage,
    ViewMessage,
)
from protocol.options import RoomOptions
from protocol.questions import Answer, AttackersQuestion, BlockersQuestion, PriorityQuestion, Question
from protocol.rooms import (
    AddBot,
    ChooseDeck,
    Decks,
    DeckSummary,
    Join,
    Leave,
    ListDecks,
    ListRooms,
    Open,
    Resume,
    RevealWanted,
    Room,
    Rooms,
    RoomState,
    RoomSummary,
    Start,
    Watch,
)
from protocol.words import say

KEPT_LOG = 500
UNLOGGED = ("event.step.", "event.mark")
"""Lines that tell nothing the header or the line before does not."""


class Quit(Exception):
    """The person wants to go. `sentence` is a last word to print."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Screen(Struct, frozen=True):
    """What is to be seen. `choices` are numbered from 1; `keys` tells what Enter and the letters do."""

    header: str
    body: list[str]
    prompt: str
    choices: list[str]
    keys: str
    immediate: bool = True
    asked: bool = False
    """Whether the person has something to answer; without that, input only changes what is to be seen."""


Place = Literal["rooms", "seats", "decks", "bots", "room", "table"]


class App:
    """One person's state of affairs."""

    def __init__(self, session: Session, lang: str = "en", *, full: bool = False, width: int = 80) -> None:
        self.session = session
        self.lang = lang
        self.full = full
        self.width = width
        self.place: Place = "rooms"
        self.log: list[str] = []
        self.logged = 0
        """How many lines were ever logged; `log` keeps the last of them."""
        self.rooms: list[RoomSummary] = []
        self.decks: list[DeckSummary] = []
        self.levels: list[str] = ["simple"]
        self.dialog: Dialog | None = None
        self.help = False
        self.wanted: str = ""
        """The house deck to choose on sitting down; empty: one by the seat's number."""
        self.bots_wanted = 0
        """How many bots to add once sitting, and then to start."""
        self._answers: dict[str, Question] = {}
        self._card: list[str] = []
        self._quitting = False
        self._conceding = False
        self._starting = False
        self._deck_sent = ("", "")
        self.orders = Orders(self)
        self.menus = Menus(self)
        session.on_lost = lambda reason: self.note(self.say("ui.lost", reason=reason))

    # --- words -------------------------------------------------------------------------------------------------------

    def say(self, key: str, **args: object) -> str:
        """A sentence of the catalogue."""
        return say(key, self.lang, **args)

    def note(self, line: str) -> None:
        """Add a line to the log."""
        if line:
            self.log.append(line)
            self.logged += 1
            del self.log[:-KEPT_LOG]

    @property
    def show(self) -> Show:
        """The table in words."""
        return Show(self.session.table, self.lang, full=self.full)

    @property
    def room(self) -> RoomState | None:
        """The room we are in."""
        return self.session.table.room if self.session.room else None

    # --- from the server ---------------------------------------------------------------------------------------------

    async def begin(
        self,
        room: str = "",
        *,
        new: RoomOptions | None = None,
        watch: bool = False,
        invitation: str = "",
        password: str = "",
    ) -> None:
        """After hello: ask for decks and tables, or go straight to a room, which may want an invitation or its password."""
        await self.session.send(ListDecks(id=self.session.new_id()))
        held = self.session.welcome.rooms if self.session.welcome is not None else []
        if room and watch:
            await self.session.send(
                Watch(id=self.session.new_id(), room=room, invitation=invitation, password=password)
            )
        elif room:
            await self.session.send(Join(id=self.session.new_id(), room=room, invitation=invitation, password=password))
        elif new is not None:
            await self.session.send(Open(id=self.session.new_id(), options=new))
        elif held:
            await self.session.send(Resume(id=self.session.new_id(), room=held[0]))
        else:
            await self.look()

    async def tell(self, message: ServerMessage) -> None:
        """Take in a message of the server, which the session's table has had already."""
        table = self.session.table
        match message:
            case Rooms():
                self.rooms = message.rooms
            case Decks():
                self.decks = message.decks
                self.levels = message.bots or self.levels
                await self._choose_first_deck()
            case Room():
                await self._room_changed(message.room)
            case ViewMessage() | Patch():
                self.place = "table"
                self._starting = False
                for event in table.fresh:
                    if not event.key.startswith(UNLOGGED):
                        if not self.show.folded(event):
                            self.note(self.show.event(event))
            case Chat():
                self.note(f"{message.name}: {message.text}")
            case Notice():
                words = self.say(message.key, **message.args)
                self.note(message.text if words == message.key else words)
            case Closing():
                self.note(message.sentence)
            case RevealWanted():
                self.note(self.say("ui.shuffling"))
            case Refused():
                await self._refused(message)
            case Over():
                for line in self.show.result():
                    self.note(line)
            case _:
                self.orders.tell(message)
        if isinstance(message, ViewMessage | QuestionMessage | Closed | Over):
            self._ask(table.question)

    def _ask(self, question: Question | None) -> None:
        """Open a dialogue for the question, unless it is the one that is open."""
        if question is None:
            self.dialog = None
        elif self.dialog is None or self.dialog.question.id != question.id:
            self.dialog = Dialog(self.show, question)
            self._card = []
            self._quitting = False

    async def _refused(self, message: Refused) -> None:
        self._starting = False
        self.bots_wanted = 0
        rule = f" ({message.rule})" if message.rule else ""
        words = self.say(f"refused.{message.code}")
        sentence = message.sentence if words.startswith("refused.") or self.lang == "en" else words
        self.note("! " + sentence + rule)
        question = self._answers.pop(message.re, None)
        if question is not None and message.code not in ("stale", "not_your_question", "game_over"):
            self.session.table.question = question
            self._ask(question)

    async def _room_changed(self, room: RoomState) -> None:
        if self.place != "table" and self.place not in ("decks", "bots"):
            self.place = "room"
        if room.state == "gathering" and self.place == "table":
            self.place = "room"
        if room.state == "gathering":
            await self._choose_first_deck()
            await self._start_when_full(room)

    async def _choose_first_deck(self) -> None:
        """Whoever sits down has a deck at once; another can be chosen."""
        room = self.room
        if room is None or room.you is UNSET or room.state != "gathering" or not self.decks:
            return
        fitting = [deck for deck in self.decks if deck.format == room.options.format]
        wanted = (room.id, room.options.format)
        if not self._my_deck(room) and self._deck_sent != wanted and (self.wanted or fitting):
            self._deck_sent = wanted
            name = self.wanted or fitting[room.you % len(fitting)].name
            await self.session.send(ChooseDeck(id=self.session.new_id(), house=name))

    async def _start_when_full(self, room: RoomState) -> None:
        """What `--bots` asks for: bots on the free seats, and off."""
        if not self.bots_wanted or room.host is UNSET or room.host != room.you or not self._my_deck(room):
            return
        if self.bots_wanted > 0:
            count, self.bots_wanted = self.bots_wanted, -1
            for _ in range(count):
                await self.session.send(AddBot(id=self.session.new_id(), level=self.levels[0]))
        if all(seat.kind != "open" and seat.deck for seat in room.seats):
            self.bots_wanted = 0
            await self.session.send(Start(id=self.session.new_id()))

    @staticmethod
    def _my_deck(room: RoomState) -> str:
        return next((seat.deck for seat in room.seats if seat.seat == room.you), "")

    # --- from the person ---------------------------------------------------------------------------------------------

    async def line(self, line: str) -> None:
        """Take in a line of input. Raises `Quit`."""
        text = line.strip()
        if self.help and not text:
            self.help = False
            return
        if not await self._command(text):
            self._card = []
            self.help = False
            if self.place == "table":
                await self._answer(text)
            else:
                await self._menu_line(text)

    async def _command(self, text: str) -> bool:
        """What can be said at any time. True when it was such a thing."""
        if text != "q":
            self._quitting = False
        if text != "C":
            self._conceding = False
        if text == "?":
            self.help = not self.help
        elif text == "q":
            await self._quit()
        elif text.startswith("c ") and self.session.room:
            await self.session.send(Say(id=self.session.new_id(), text=text[2:].strip()[:500]))
        elif self.place == "table" and text in ("p", "P", "T", "E", "O"):
            await self._pass(text)
        elif self.place == "table" and text == "u":
            if self.dialog is None or not self.dialog.undo():
                self.note(self.say("ui.nothing_to_undo"))
        elif self.place == "table" and text == "d":
            self._unfold()
        elif self.place == "table" and text.split(" ")[0] == "i":
            self._inspect(text[1:].strip())
        elif self.place == "table" and text == "concede":
            await self.session.send(Concede(id=self.session.new_id()))
        elif self.place == "table" and text == "C":
            if self._conceding:
                await self.session.send(Concede(id=self.session.new_id()))
            else:
                self.note(self.say("ui.concede_again"))
            self._conceding = not self._conceding
        else:
            return self.place == "table" and await self.orders.take(text)
        return True

    async def _quit(self) -> None:
        room = self.room
        playing = room is not None and room.state == "playing" and room.you is not UNSET and not self._out()
        if playing and not self._quitting:
            self._quitting = True
            self.note(self.say("ui.quit_again"))
            return
        raise Quit

    async def _pass(self, key: str) -> None:
        question = self.dialog.question if self.dialog is not None else None
        if key == "p":
            if isinstance(question, PriorityQuestion):
                await self._answer("0")
            else:
                self.note(self.say("ui.no_pass"))
            return
        until: dict[str, Literal["something", "my_turn", "end_of_turn", "off"]] = {
            "P": "something",
            "T": "my_turn",
            "E": "end_of_turn",
            "O": "off",
        }
        await self.session.send(Pass(id=self.session.new_id(), until=until[key]))
        self.note(self.say(f"ui.passing_{until[key]}"))

    def _inspect(self, word: str) -> None:
        """Show a card: of a choice by its number, or of anything by the beginning of its name."""
        show = self.show
        key: str | None = None
        if word.isdigit() and self.dialog is not None:
            key = self.dialog.subject(int(word))
        elif word:
            objects = self.session.table.view.objects
            key = next((k for k in objects if self.session.table.name(k).lower().startswith(word.lower())), None)
        self._card = show.card(key) if key else [self.say("ui.nothing_there")]
        if self.full:
            for line in self._card:
                self.note(line)

    def _unfold(self) -> None:
        """Show the last damage event in its three parts, each line with its rule (119.4)."""
        self._card = self.show.damage() or [self.say("ui.no_damage")]
        if self.full:
            for line in self._card:
                self.note(line)

    async def _answer(self, text: str) -> None:
        """A line for the open question, or, when the game is over, the way back."""
        if self.session.table.over is not None or (self.dialog is None and self._over()):
            if text == "1":
                await self.session.send(Leave(id=self.session.new_id()))
                await self.look()
            elif text == "2":
                await self.orders.take("rematch")
            return
        if self.dialog is None:
            return
        got = self.dialog.feed(text)
        if isinstance(got, str):
            self.note("! " + got)
        elif got is not None:
            await self._send_answer(self.dialog.question, got)

    async def _send_answer(self, question: Question, answer: Answer) -> None:
        self.dialog = None
        self.orders.answered(question.id)
        self.session.table.answered(question.id)
        self._answers.clear()
        self._answers[await self.session.answer(question.id, answer)] = question

    def _out(self) -> bool:
        """Whether the game is over, or over for us."""
        table = self.session.table
        if not table.started:
            return False
        me = table.view.players.get(str(table.you))
        return table.over is not None or self._over() or (me is not None and me.lost)

    def _over(self) -> bool:
        return self.session.table.started and bool(self.session.table.view.result)

    async def _menu_line(self, text: str) -> None:
        entries = self.menus.entries()
        if not text:
            return
        if not text.isdigit() or not 1 <= int(text) <= len(entries):
            self.note("! " + self.say("ui.out_of_range", least=1, most=len(entries)))
            return
        await entries[int(text) - 1].act()

    # --- from place to place ----------------------------------------------------------------------------------------------

    async def look(self) -> None:
        """Go to the list of tables."""
        self.place = "rooms"
        self.dialog = None
        await self.session.send(ListRooms(id=self.session.new_id()))

    async def start(self) -> None:
        """Start the game."""
        self._starting = True
        await self.session.send(Start(id=self.session.new_id()))

    async def leave(self) -> None:
        """Leave the room."""
        self._deck_sent = ("", "")
        await self.session.send(Leave(id=self.session.new_id()))
        await self.look()

    # --- to be seen --------------------------------------------------------------------------------------------------

    def screen(self) -> Screen:
        """What is to be seen now."""
        if self.help:
            body = self.say("ui.help").splitlines()
            return Screen(self.say("ui.help_title"), body, "", [], self.say("ui.enter_back"), asked=True)
        if self.place == "table" and self.session.table.started:
            return self._table_screen()
        menus = self.menus
        choices = [entry.text for entry in menus.entries()]
        asked = not self._about_to_play()
        return Screen(
            menus.header(), menus.body(), self.say("ui.choose"), choices, self.say("ui.menu_keys"), asked=asked
        )

    def _about_to_play(self) -> bool:
        """Whether the game is about to come, so that a line typed now is meant for it."""
        room = self.room
        if self._starting or self.bots_wanted:
            return True
        return room is not None and room.state == "playing" and room.you is not UNSET

    def _table_screen(self) -> Screen:
        show = self.show
        body = list(self._card) + ([""] if self._card else []) + show.board(self.width)
        if self.session.table.over is not None or self._over():
            body = show.result() + [""] + body
            return Screen(
                show.header(),
                body,
                self.say("ui.over"),
                [self.say("ui.leave"), self.say("ui.rematch")],
                self.say("ui.menu_keys"),
                asked=True,
            )
        clock = self.orders.clock()
        header = f"{show.header()}  {clock}" if clock else show.header()
        if self.dialog is None:
            waiting = [show.player(seat) for seat in self.session.table.view.waiting_for]
            prompt = self.say("ui.waiting", names=", ".join(waiting)) if waiting else self.say("ui.wait")
            return Screen(header, body, prompt, [], self.say("ui.wait_keys"))
        self.dialog.show = show
        return Screen(
            header,
            body,
            self.dialog.prompt,
            self.dialog.choices,
            f"{self.dialog.keys} {self.say('ui.table_keys')}",
            immediate=self.dialog.immediate,
            asked=True,
        )

    @property
    def declares(self) -> bool:
        """Whether attackers or blockers are to be declared: the moments to look at the whole board."""
        return self.dialog is not None and isinstance(self.dialog.question, AttackersQuestion | BlockersQuestion)
