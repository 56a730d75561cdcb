"""The table as one client knows it: the view, kept up to date by patches, with the faces, events and open question.

Pure: fed with messages, asks nothing of the network. Server messages other than those about the table pass by.
"""

from __future__ import annotations

from collections import deque

from msgspec import UNSET
from msgspec.structs import replace

from protocol import patch as merge
from protocol.brief import full
from protocol.messages import Closed, Over, Patch, QuestionMessage, ServerMessage, ViewMessage
from protocol.packing import unpack
from protocol.patch import Tree
from protocol.printings import Printing, Printings
from protocol.questions import Question
from protocol.rooms import Room, RoomState
from protocol.view import Event, Face, Faces, ObjectView, View, digest, read

KEPT_EVENTS = 2000
"""How many events a table remembers."""


class Table:
    """What is known of one game. `epoch` and `seq` say as of when; `tree` is the plain view, `view` the typed one. `faces` are
    those known already: a connection gets each once, whatever the room; `printings` what stands on cards in our language.
    """

    def __init__(self, faces: Faces | None = None, printings: dict[str, Printing] | None = None) -> None:
        self.printings: dict[str, Printing] = {} if printings is None else printings
        self.epoch = 0
        self._before = 0
        self.seq = -1
        self.log = 0
        self.tree: Tree = {}
        self.faces: Faces = {} if faces is None else faces
        self.events: deque[Event] = deque(maxlen=KEPT_EVENTS)
        self.fresh: list[Event] = []
        """Events of the last view or patch."""
        self.question: Question | None = None
        self.room: RoomState | None = None
        self.over: Over | None = None
        self.mismatches = 0
        """How often the server's digest differed from ours (only when `hello` asked for digests)."""
        self._view: View | None = None
        self._missed = False

    @property
    def started(self) -> bool:
        """Whether a view has come."""
        return bool(self.tree)

    @property
    def view(self) -> View:
        """The typed view, read from the tree when first asked for. Raises `msgspec.ValidationError` before any."""
        if self._view is None:
            self._view = read(self.tree)
        return self._view

    @property
    def you(self) -> int | None:
        """Our seat; None for a spectator."""
        you = self.tree.get("you")
        return you if isinstance(you, int) else None

    def called(self, name: str) -> str:
        """A card's name as we read it: in our language, if that is known."""
        known = self.printings.get(name)
        return name if known is None else known.name

    def words(self, face: Face) -> Face:
        """A face as we read it."""
        known = self.printings.get(face.name)
        if known is None:
            return face
        types, text = known.types or face.types, known.text or face.text
        return replace(face, name=known.name, types=types, text=text)

    def is_active(self, seat: int | None) -> bool:
        """Whether it is that seat's turn: also that of a team mate where a team takes its turns together (805.4a)."""
        view = self.view
        if seat is None or not view.shared_turns:
            return view.active == seat
        return view.teams[seat] == view.teams[view.active]

    def is_mate(self, seat: int) -> bool:
        """Whether that seat is another of our team."""
        teams, you = self.view.teams, self.you
        return bool(teams) and you is not None and seat != you and teams[seat] == teams[you]

    def is_beyond(self, seat: int) -> bool:
        """Whether that seat is out of our range of influence: so many of those still in the game to each side (801.2)."""
        view, you = self.view, self.you
        reach = view.ranges[you] if view.ranges and you is not None else 0
        order = [one for one in view.order if one == you or not view.players[str(one)].lost]
        if not reach or seat not in order or you not in order:
            return False
        away = abs(order.index(seat) - order.index(you))
        return min(away, len(order) - away) > reach

    def face(self, thing: ObjectView) -> Face | None:
        """The face of an object, if it has one that we know."""
        return None if thing.face is UNSET else self.faces.get(thing.face)

    def by_hand(self, object_id: str) -> list[str]:
        """The paragraphs by hand of an object's card."""
        thing = self.view.objects.get(object_id) if self.started else None
        face = None if thing is None else self.face(thing)
        return [] if face is None else list(face.by_hand)

    def name(self, object_id: str) -> str:
        """What to call an object: its face's name, or its own text, or its id."""
        thing = self.view.objects.get(object_id)
        if thing is None:
            return object_id
        face = self.face(thing)
        if face is not None:
            return self.called(face.name)
        if thing.source is not UNSET and thing.source != object_id:
            source = self.view.objects.get(thing.source)
            source_face = self.face(source) if source is not None else None
            if source_face is not None:
                return self.called(source_face.name)
        return thing.text or (f"#{object_id}")

    def feed(self, message: ServerMessage) -> bool:
        """Apply a message. False when a patch was missed: ask for the whole view (`sync`), once."""
        match message:
            case ViewMessage():
                self._before, self.epoch, self.seq = self.epoch, message.epoch, message.seq
                self.faces.update(message.faces)
                self.tree = unpack(message.view, self.faces)
                self.log = message.log - len(message.events)
                self.question = message.question or None
                self._missed = False
                self._after(message)
            case Patch():
                epoch, seq = message.epoch or self.epoch, message.seq or self.seq + 1
                if epoch != self.epoch or seq != self.seq + 1:
                    if epoch == self._before or (epoch == self.epoch and seq <= self.seq):
                        return True  # an old one, from before the whole view
                    asked, self._missed = self._missed, True
                    return asked
                self.seq = seq
                self.tree = merge.apply(self.tree, full(message.patch))
                self._after(message)
            case QuestionMessage():
                self.question = message.question
            case Closed():
                if self.question is not None and self.question.id == message.question:
                    self.question = None
            case Printings():
                self.printings.update(message.printings)
            case Room():
                self.room = message.room
            case Over():
                self.over = message
                self.question = None
            case _:
                pass
        return True

    def _after(self, message: ViewMessage | Patch) -> None:
        self._view = None
        self.log += len(message.events)
        self.faces.update(message.faces)
        self.fresh = message.events
        self.events.extend(message.events)
        if message.digest and message.digest != digest(self.tree):
            self.mismatches += 1

    def answered(self, question_id: str) -> None:
        """The question is answered: it is no longer open to us."""
        if self.question is not None and self.question.id == question_id:
            self.question = None
