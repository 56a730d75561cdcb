"""What a person does at the terminal, whatever paints it: the list of tables, a room before its game, the table.

An `App` is told messages (`tell`) and lines of input (`line`), sends what follows from them, and says at any time what
is to be seen (`scenes.seen`). The painters, `screen.py` and `plain.py`, add nothing of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeGuard

from msgspec import UNSET

from client_cli import commands
from client_cli.commands import Where
from client_cli.confirming import Confirming, passes
from client_cli.dialog import Dialog
from client_cli.line import ESCAPE
from client_cli.looks import Looks
from client_cli.menus import Menus
from client_cli.orders import Orders
from client_cli.own_decks import OwnDecks
from client_cli.pace import logged
from client_cli.scenes import Reader, seen
from client_cli.session import Session
from client_cli.settings import Settings
from client_cli.show import Show
from protocol.messages import (
    Chat,
    Closed,
    Closing,
    Notice,
    Over,
    Patch,
    QuestionMessage,
    Refused,
    ServerMessage,
    ViewMessage,
)
from protocol.options import RoomOptions
from protocol.questions import (
    ActQuestion,
    Answer,
    AttackersQuestion,
    BlockersQuestion,
    PriorityAnswer,
    PriorityQuestion,
    Question,
)
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

KEPT_LOG = 5000
ANSWERING = ("pass", "all", "manual", "act")
"""Commands that are answers, or a part of one."""


class Quit(Exception):
    """The person wants to go. `sentence` is a last word to print."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence


Place = Literal["rooms", "seats", "decks", "bots", "room", "table"]


class App:
    """One person's state of affairs. `settings` are read, and changed by what is typed; `keep` writes them down."""

    def __init__(
        self,
        session: Session,
        lang: str = "en",
        *,
        full: bool = False,
        width: int = 80,
        settings: Settings | None = None,
        keep: Callable[[Settings], None] = lambda _: None,
    ) -> None:
        self.session = session
        self.lang = lang
        self.full = full
        self.board_width = width
        self.address = ""
        """The server's address, as it was dialled."""
        self.settings = settings or Settings()
        self.keep = keep
        self.place: Place = "rooms"
        self.log: list[str] = []
        self.logged = 0
        """How many lines were ever logged; `log` keeps the last of them."""
        self.unsaid: list[str] = []  # line by line: what is still to be said, of the log and of what is read
        self.rooms: list[RoomSummary] = []
        self.decks: list[DeckSummary] = []
        self.levels: list[str] = ["simple"]
        self.dialog: Dialog | None = None
        self.reader: Reader | None = None
        self.pasting: list[str] | None = None
        """The lines of a list that is being typed or pasted; None: none is."""
        self.wanted: str = ""
        """The house deck to choose on sitting down; empty: one by the seat's number."""
        self.bots_wanted = 0
        """How many bots to add once sitting, and then to start."""
        self.starting = False
        self.behind = False
        """Whether the screen still shows what led to what has arrived: a key goes on then, and answers nothing."""
        self._answers: dict[str, Question] = {}
        self._erred = False
        self._unasked = ""
        """Our last message that answered what the person was not asked."""
        self._deck_sent = ("", "", "")
        self._stops_told = ("", -1)
        self.confirming = Confirming(self)
        self.orders = Orders(self)
        self.looks = Looks(self)
        self.own_decks = OwnDecks(self)
        self.menus = Menus(self)
        session.on_lost = self._lost

    def _lost(self, reason: str) -> None:
        self.orders.lost()
        self.note(self.say("ui.lost", reason=reason))

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
            self.unsaid += [line] if self.full else []

    def problem(self, sentence: str) -> None:
        """Say what is wrong with what was typed. The next Enter alone answers nothing: it may have been meant for before."""
        self.note("! " + sentence)
        self._erred = True

    def read(self, title: str, lines: list[str], *, end: bool = False) -> None:
        """Have lines read: over the screen until they are closed; line by line they are simply said."""
        if self.full:
            self.unsaid += filter(None, lines)
        else:
            self.reader = Reader(title, lines, end)

    @property
    def show(self) -> Show:
        """The table in words."""
        return Show(self.session.table, self.lang, full=self.full)

    @property
    def where(self) -> Where:
        """Where we are, as far as commands go."""
        if self.place == "table":
            return "table"
        return "seat" if self.place in ("room", "decks", "bots") else "anywhere"

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
                self.starting = False
                for event in logged(table.fresh):
                    self.note(self.show.logged(event))
            case Chat():
                self.note(f"{message.name}: {message.text}")
            case Notice():
                words = self.say(message.key, **message.args)
                self.note(message.text if words == message.key else words)
                if "room" in message.args and not self.session.room and self.place != "rooms":
                    await self.look()  # put out of the room that we were in
            case Closing():
                self.note(message.sentence)
            case RevealWanted():
                self.note(self.say("ui.shuffling"))
            case Refused():
                await self._refused(message)
            case Over():
                self.confirming.clear()  # what was asked about the game is past
                for line in self.show.result():
                    self.note(line)
            case _:
                self.own_decks.tell(message)
                self.orders.tell(message)
        if isinstance(message, ViewMessage | QuestionMessage | Closed | Over):
            if self._nobody_attacks(table.question):
                await self._pass_unasked(table.question)
            self._ask(table.question)

    def _nobody_attacks(self, question: Question | None) -> TypeGuard[PriorityQuestion]:
        """Whether priority is asked for in a declare attackers step without attackers (508.3, 508.6): who has a stop
        there means attacks."""
        if not isinstance(question, PriorityQuestion):
            return False
        view = self.session.table.view
        attacked = bool(view.combat) and bool(view.combat.attackers)
        return (
            view.step == "declare_attackers"
            and not self.session.table.is_active(self.session.table.you)
            and not attacked
            and not view.stack
        )

    async def _pass_unasked(self, question: PriorityQuestion) -> None:
        self.session.table.answered(question.id)
        self._unasked = await self.session.answer(question.id, PriorityAnswer(index=0))

    def _ask(self, question: Question | None) -> None:
        """Open a dialogue for the question, unless it is the one that is open."""
        if question is None:
            self.dialog = None
        elif self.dialog is None or self.dialog.question.id != question.id:
            self.dialog = Dialog(self.show, question)
        self.confirming.moved_on("" if question is None else question.id)

    async def _refused(self, message: Refused) -> None:
        if message.re and message.re == self._unasked:
            return  # it was closed meanwhile
        self.starting, self.bots_wanted = False, 0
        rule = f" ({message.rule})" if message.rule else ""
        words = self.say(f"refused.{message.code}")
        sentence = message.sentence if words.startswith("refused.") or self.lang == "en" else words
        self.problem(sentence + rule)
        question = self._answers.pop(message.re, None)
        if question is not None and message.code not in ("stale", "not_your_question", "game_over"):
            self.session.table.question = question
            self._ask(question)

    async def _room_changed(self, room: RoomState) -> None:
        if room.you is not UNSET and (room.id, room.you) != self._stops_told:
            self._stops_told = (room.id, room.you)
            await self.session.send(self.settings.stops(self.session.new_id()))
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
        fitting = [deck for deck in self.decks if deck.is_for(room.options)]
        wanted = (room.id, room.options.format, room.options.deck_rules)
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
            await self.start()

    @staticmethod
    def _my_deck(room: RoomState) -> str:
        return next((seat.deck for seat in room.seats if seat.seat == room.you), "")

    # --- from the person ---------------------------------------------------------------------------------------------

    async def line(self, line: str, about: str | None = None) -> None:
        """Take in a line of input. `about` is what was asked where it was begun (`Screen.about`): an answer to anything else is
        dropped; None: it is for whatever is asked now. Raises `Quit`.
        """
        if self.pasting is not None:
            await self.own_decks.pasted(line)
            return
        text = line.strip()
        erred, self._erred = self._erred, False
        if text == ESCAPE or (not text and self.reader is not None):
            self._escape()
        elif not self._answers_with(text) and await self._command(text):
            return
        elif about is not None and about != seen(self).about:
            # Enter alone means nothing in a menu: it ended the number before it, by habit.
            if text or self.place == "table":
                self.problem(self.say("ui.dropped"))
        elif self.reader is not None or (self.confirming.top is not None and self._answers_with(text)):
            self.problem(self.say("ui.close_first"))
        elif self._answers_with(text):
            await self._command(text)
        elif not text and erred and seen(self).asked:
            self.note(self.say("ui.nothing_answered"))
        elif self.confirming.top is not None:
            await self.confirming.answer(text)
        elif self.place == "table":
            await self._answer(text)
        else:
            await self.menus.take(text)

    def _escape(self) -> None:
        """Close what lies over the table, or the question of our own."""
        if self.reader is None:
            self.confirming.escape()
        self.reader = None

    def _answers_with(self, text: str) -> bool:
        """Whether a line is a command that answers, and so belongs to a question as a number does."""
        command = commands.named(text.partition(" ")[0], self.where)
        return command is not None and command.called in ANSWERING

    async def _command(self, text: str) -> bool:
        """What can be said beside answers. True when it was such a thing."""
        word, _, rest = text.partition(" ")
        command = commands.named(word, self.where)
        if command is None or (command.called in ("yes", "no") and self.orders.are_asked()):
            return False
        if command.called == "quit":
            await self._quit()
            return True
        rest = rest.strip()
        return (
            await self.looks.take(command.called, rest)
            or await self.own_decks.take(command.called, rest)
            or await self.orders.take(command.called, rest)
            or await self._to_dialog(command.called, rest)
        )

    async def _quit(self) -> None:
        room = self.room
        if room is None or room.state != "playing" or room.you is UNSET or self._out():
            raise Quit

        async def leave() -> None:
            raise Quit

        self.confirming.quit(leave)

    async def _to_dialog(self, name: str, rest: str) -> bool:
        """The commands that are a part of answering: pass, all attack, pay by hand, take back a selection."""
        question = self.dialog.question if self.dialog is not None else None
        match name:
            case "pass" if isinstance(question, PriorityQuestion):
                await self._answer("0")
            case "pass":
                self.problem(self.say("ui.no_pass"))
            case "all" if isinstance(question, AttackersQuestion):
                await self._answer("a")
            case "manual" if isinstance(question, PriorityQuestion):
                await self._answer(f"{rest}m")
            case "act" if isinstance(question, ActQuestion):
                await self._answer(rest)
            case "all" | "manual" | "act":
                self.problem(self.say("ui.not_here"))
            case "undo":
                if self.dialog is None or not self.dialog.undo():
                    self.note(self.say("ui.nothing_to_undo"))
            case _:
                return False
        return True

    async def _answer(self, text: str) -> None:
        """A line for the open question, or, when the game is over, the way back."""
        if self.session.table.over is not None or (self.dialog is None and self.over()):
            if text == "1":
                await self.leave()
            elif text == "2":
                await self.orders.take("rematch", "")
            return
        if self.dialog is None:
            if text:
                self.problem(commands.not_here(text, self.where, self.say) or self.say("ui.nothing_asked"))
            return
        got = self.dialog.feed(text)
        if isinstance(got, str):
            self.problem(commands.not_here(text, self.where, self.say) or got)
        elif got is not None:
            question = self.dialog.question

            async def send() -> None:
                await self._send_answer(question, got)

            if not passes(got) or not self.confirming.land(question, send):
                await send()

    async def _send_answer(self, question: Question, answer: Answer) -> None:
        self.dialog = None
        self.confirming.moved_on("")
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
        return table.over is not None or self.over() or (me is not None and me.lost)

    def over(self) -> bool:
        """Whether the game has a result."""
        return self.session.table.started and bool(self.session.table.view.result)

    # --- from place to place ----------------------------------------------------------------------------------------------

    async def look(self) -> None:
        """Go to the list of tables."""
        self.place = "rooms"
        self.dialog = None
        self.confirming.clear()
        await self.session.send(ListRooms(id=self.session.new_id()))

    async def start(self) -> None:
        """Start the game."""
        self.starting = True
        await self.session.send(Start(id=self.session.new_id()))

    async def leave(self) -> None:
        """Leave the room."""
        self._deck_sent = ("", "", "")
        await self.session.send(Leave(id=self.session.new_id()))
        await self.look()

    # --- to be seen --------------------------------------------------------------------------------------------------

    @property
    def declares(self) -> bool:
        """Whether attackers or blockers are to be declared: the moments to look at the whole board."""
        return self.dialog is not None and isinstance(self.dialog.question, AttackersQuestion | BlockersQuestion)
