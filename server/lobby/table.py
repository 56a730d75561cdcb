"""One table of the lobby: who sits where, with which deck, who watches; before, during and after its game.

Everything here is synchronous and changes nothing but this table. The game itself is `room`, once it has started.
"""

from __future__ import annotations

import secrets
import time

import msgspec
import trio
from msgspec import UNSET, UnsetType

from protocol.fairness import commitment
from protocol.messages import Notice, RevealWanted, ServerMessage, Stops
from protocol.options import RoomOptions
from protocol.people import Watcher
from protocol.refusals import Code, Refusal
from protocol.rooms import MatchState, RoomState, RoomSummary, Seat
from protocol.rooms import Room as RoomMessage
from protocol.words import fill
from server.lobby import matches
from server.lobby.client import Client
from server.lobby.decks import Deck
from server.lobby.gate import Gate
from server.lobby.names import skeleton
from server.lobby.people import Person
from server.lobby.rates import OURS, Peer
from server.lobby.reports import Line
from server.lobby.rewordings import Rewordings
from server.rooms.room import Room
from server.storage import Fairness, Match, drawn_seats

CHAT_LINES = 50
"""What a room remembers of its chat, unless the settings say otherwise."""


_WANTED = {
    "constructed": "This room is for decks of 60 cards or more without a commander (100.2a).",
    "commander": "This room is for decks with a commander and 99 more cards (903.5a).",
    "brawl": "This room is for Brawl decks of 60 cards with their commander (current 903.12d).",
}
"""What is said of a deck for rooms of another format, by the format of this one."""


class Place:
    """A seat at the table; open while `person` is None. `begins`: whether it takes the first turn if that is its choice. `client` is
    the connection that holds it, if any. `owner` is who takes the seat again when they are back, while a bot plays for them.
    """

    __slots__ = (
        "begins",
        "bot_scope",
        "client",
        "commit",
        "deck",
        "deck_name",
        "entropy",
        "level",
        "owner",
        "person",
        "ready",
        "stops",
    )

    def __init__(self) -> None:
        self.person: Person | None = None
        self.owner: Person | None = None
        self.level = ""
        self.deck: Deck | None = None
        self.deck_name = ""
        self.ready = False
        self.stops: Stops | None = None
        self.begins = True
        self.commit = ""
        self.entropy = ""
        self.client: Client | None = None
        self.bot_scope: trio.CancelScope | None = None

    def clear(self) -> None:
        """Nobody sits here."""
        if self.bot_scope is not None:
            self.bot_scope.cancel()
        self.__init__()


class Table:
    """See the module. `host` is a person's id; `peer` is from where it was opened, which is not known any more after a restart.
    `again`: a rematch, which begins by itself; `starting`: its game is about to be dealt, `committing`: and still takes entropy,
    `wanted`: and asks for the entropy, `dealing`: and all that was waited for is here. `match`: one that goes on here, whose next game
    begins at `next_at` (monotonic seconds) at the latest.
    """

    def __init__(self, table_id: str, options: RoomOptions, host: str, peer: Peer = OURS) -> None:
        self.id = table_id
        self.options = options
        self.host = host
        self.peer = peer
        self.places = [Place() for _ in range(options.seats)]
        self.watchers: list[Client] = []
        self.gate = Gate()
        self.chat: list[Line] = []
        self.chat_lines = CHAT_LINES
        self.rewordings = Rewordings()
        self.room: Room | None = None
        self.starting = False
        self.committing = False
        self.dealing = False
        self.again = False
        self.match: Match | None = None
        self.next_at = 0.0
        self.rematch = ""
        self.secret = secrets.token_hex(16)
        self.committed: trio.Event | None = None
        self.revealed: trio.Event | None = None
        """They for which a start waits."""
        self.wanted: RevealWanted | None = None
        self.nursery: trio.Nursery | None = None
        self.ended = trio.Event()
        """Its nursery is no more."""
        self.touched = self.acted = time.monotonic()
        self.warned = False

    # --- what it is ---

    @property
    def state(self) -> str:
        """gathering, playing, over or frozen."""
        if self.room is None:
            return "gathering"
        if self.room.frozen:
            return "frozen"
        return "over" if self.room.over.is_set() else "playing"

    @property
    def fixed(self) -> bool:
        """Whether those who sit here cannot be forgotten now."""
        return self.starting or self.state in ("playing", "frozen")

    def state_to(self, seat: int | None) -> str:
        """The state as a seat knows it; None: as spectators do, who may see the end later."""
        if self.state == "over" and self.room is not None and not self.room.is_over_to(seat):
            return "playing"
        return self.state

    @property
    def people(self) -> list[Person]:
        """Those who sit here and are no bots."""
        return [p.person for p in self.places if p.person is not None and not p.person.bot]

    def present(self) -> list[Person]:
        """The people who sit here or watch."""
        return [*self.people, *(client.person for client in self.watchers if client.person is not None)]

    def seat_of(self, person: Person | None) -> int | None:
        """The seat that a person holds, though a bot may play for them."""
        if person is not None:
            for number, place in enumerate(self.places):
                for holder in (place.person, place.owner):
                    if holder is not None and holder.id == person.id:
                        return number
        return None

    def host_seat(self) -> int | None:
        """The host's seat, None if the host has none."""
        return next((n for n, p in enumerate(self.places) if p.person and p.person.id == self.host), None)

    def clients(self) -> list[Client]:
        """Every connection in this room."""
        return [place.client for place in self.places if place.client is not None] + self.watchers

    def summary(self) -> RoomSummary:
        """Its line in the list of rooms."""
        host = next((p.name for p in self.people if p.id == self.host), "")
        seated = [place.person for place in self.places if place.person is not None]
        game = self.room.state if self.room is not None else None
        return RoomSummary(
            id=self.id,
            state=self.state_to(None),
            options=self._shown(),
            taken=len(seated),
            host=host,
            bots=sum(person.bot for person in seated),
            watchers=len(self.watchers),
            locked=self.gate.locked,
            turn=0 if game is None or self.options.delay_ms else game.turn.number,
        )

    def room_state(self, client: Client) -> RoomState:
        """The room as one client is told of it."""
        host = self.host_seat()
        you = next((n for n, p in enumerate(self.places) if p.client is client), None)
        return RoomState(
            id=self.id,
            state=self.state_to(you),
            options=self._shown(),
            seats=[_seat(number, place) for number, place in enumerate(self.places)],
            host=UNSET if host is None else host,
            you=UNSET if you is None else you,
            watchers=[watcher.person.name for watcher in self.watchers if watcher.person is not None],
            chance=self._fairness().chance,
            entropy=self._entropy(),
            seeded=self.options.seed is not UNSET,
            rematch=self.rematch,
            locked=self.gate.locked,
            invitation="" if you is None else self.gate.invitation,
            audience=[Watcher(person=w.person.id, name=w.person.name) for w in self.watchers if w.person is not None],
            muted=self.gate.muted,
            blocked=self.gate.blocked if you is not None and you == host else [],
            rewordings=[] if self.room is not None else self.rewordings.shown(self._persons()),
            match=self._match(you),
        )

    def _match(self, you: int | None) -> MatchState | UnsetType:
        """The match as a seat is told of it; of one whose game is over, as that game leaves it."""
        best_of, room = self.options.best_of, self.room
        if best_of == 1:
            return UNSET
        if room is None and self.match is not None:
            left = max(0, round((self.next_at - time.monotonic()) * 1000))
            return matches.told(self.match, best_of, left, None if you is None else self.places[you].deck)
        known = self.match if room is None else room.setup.match
        if room is not None and self.state_to(you) == "over":
            known = matches.after(room) or known
        return matches.told(known or Match(wins=(0,) * len(self.places)), best_of, None, None)

    def begins(self) -> int | None:
        """Who takes the first turn of the next game of a match, as who has lost the last one says (103.2); None: it is drawn."""
        if self.match is None or self.match.chooser < 0:
            return None
        return self.match.chooser if self.places[self.match.chooser].begins else 1 - self.match.chooser

    def _persons(self) -> list[str]:
        """The ids of the people who sit here, by seat; "" for a bot or nobody."""
        return ["" if p.person is None or p.person.bot else p.person.id for p in self.places]

    def _shown(self) -> RoomOptions:
        """The options without the seed, which tells the libraries; it is told at the end."""
        return self.options if self.options.seed is UNSET else msgspec.structs.replace(self.options, seed=UNSET)

    # --- chance ---

    def fairness(self) -> Fairness:
        """What the seed of the game is made of, everyone having revealed."""
        if self.options.seed is not UNSET:
            return Fairness(secret=str(self.options.seed), salt=self.secret)
        if not any(place.entropy for place in self.places):
            return Fairness(secret=self.secret)
        commits = tuple(place.commit for place in self.places)
        return Fairness(secret=self.secret, commits=commits, entropy=tuple(place.entropy for place in self.places))

    def _fairness(self) -> Fairness:
        return self.fairness() if self.room is None else self.room.fairness

    def _entropy(self) -> list[str]:
        """What the seats added, once the game is dealt."""
        entropy = [] if self.room is None else list(self.room.fairness.entropy)
        return entropy if any(entropy) else []

    def commit(self, client: Client, text: str) -> None:
        """A seat adds entropy. Raises `Refusal`: game_on, not_seated, bad_entropy."""
        if not self.committing:
            self.before_the_game()
        place = self.place_of(client)
        if self.options.seed is not UNSET:
            raise Refusal(Code.BAD_ENTROPY)
        place.commit, place.entropy = text, ""
        client.commits = True
        self._note_commits()

    def commits_missing(self) -> bool:
        """Whether somebody at a seat is still to add entropy: their client does so in every room."""
        return any(place.client is not None and place.client.commits and not place.commit for place in self.places)

    def _note_commits(self) -> None:
        """Entropy has come in, or somebody who was to add some has gone."""
        if not self.commits_missing():
            _set(self.committed)

    def reveal(self, client: Client, text: str) -> None:
        """A seat reveals its entropy, when the game starts. Raises `Refusal`: not_seated, bad_entropy."""
        place = self.place_of(client)
        if not self.starting or self.room is not None or commitment(text) != place.commit:
            raise Refusal(Code.BAD_ENTROPY)
        place.entropy = text
        if all(bool(other.entropy) == bool(other.commit) for other in self.places):
            _set(self.revealed)

    def call_off(self) -> None:
        """Somebody has left for whom a start was waiting: it waits no more."""
        _set(self.committed)
        _set(self.revealed)

    def draw_anew(self) -> None:
        """Somebody knows what the others do not: another secret, and everyone commits anew."""
        self.secret = secrets.token_hex(16)
        for place in self.places:
            place.commit = place.entropy = ""

    def draw_seats(self, seed: str) -> tuple[int, ...]:
        """Who sits where is as that seed has it (806.3); in which seat each sat before."""
        drawn = drawn_seats(seed, len(self.places))
        self.places[:] = [self.places[seat] for seat in drawn]
        return drawn

    # --- what everyone is told ---

    def tell(self, besides: Client | None = None) -> None:
        """Tell everyone here, but one, how the room is now."""
        for client in self.clients():
            if client is not besides:
                client.put(RoomMessage(room=self.room_state(client)))

    def say(self, message: ServerMessage, besides: Client | None = None) -> None:
        """Send everyone here, but one, the same message."""
        for client in self.clients():
            if client is not besides:
                client.put(message)

    def remember(self, line: Line) -> None:
        """Keep a line of chat, and the last ones before it."""
        self.chat.append(line)
        del self.chat[: max(0, len(self.chat) - self.chat_lines)]

    # --- what may be done ---

    def before_the_game(self) -> None:
        """Raises `Refusal`: game_on."""
        if self.room is not None or self.starting:
            raise Refusal(Code.GAME_ON)

    def only_host(self, client: Client) -> None:
        """The host, or an admin. Raises `Refusal`: not_host."""
        if client.person is None or (client.person.id != self.host and client.person.role != "admin"):
            raise Refusal(Code.NOT_HOST)

    def place_of(self, client: Client) -> Place:
        """The place that the connection holds. Raises `Refusal`: not_seated."""
        for place in self.places:
            if place.client is client:
                return place
        raise Refusal(Code.NOT_SEATED)

    def free(self, seat: int | None) -> int:
        """That seat, None: the first free one. Raises `Refusal`: no_such_seat, seat_taken, room_full."""
        self.before_the_game()
        if self.match is not None:
            raise Refusal(Code.ROOM_FULL, "A match goes on here between its two players.")
        if seat is not None:
            if seat >= len(self.places):
                raise Refusal(Code.NO_SUCH_SEAT)
            if self.places[seat].person is not None:
                raise Refusal(Code.SEAT_TAKEN)
            return seat
        for number, place in enumerate(self.places):
            if place.person is None:
                return number
        raise Refusal(Code.ROOM_FULL)

    def sit(self, client: Client, seat: int | None) -> None:
        """Take a seat. Raises `Refusal` as `free`, and name_taken."""
        assert client.person is not None
        place = self.places[self.free(seat)]
        name = skeleton(client.person.name)
        if any(other.person and skeleton(other.person.name) == name for other in self.places):
            raise Refusal(Code.NAME_TAKEN)
        place.person, place.client = client.person, client
        self.send_out_namesakes()

    def look_on(self, client: Client) -> None:
        """Watch, under a name that nobody who sits here has. Raises `Refusal`: no_spectators, name_taken."""
        if not self.options.spectators:
            raise Refusal(Code.NO_SPECTATORS)
        if self._is_namesake(client):
            raise Refusal(Code.NAME_TAKEN)
        if client not in self.watchers:
            self.watchers.append(client)

    def send_out_namesakes(self) -> None:
        """Somebody has sat down or goes by another name: no watcher speaks under a name that a seat has. The seat keeps it, so that
        nobody is kept from sitting down by a watcher.
        """
        for client in [watcher for watcher in self.watchers if self._is_namesake(watcher)]:
            self.put_out(client, "notice.namesake")

    def _is_namesake(self, client: Client) -> bool:
        """Whether another who sits here looks like them by name."""
        if client.person is None:
            return False
        name, own = skeleton(client.person.name), client.person.id
        seated = [person for place in self.places for person in (place.person, place.owner) if person is not None]
        return any(person.id != own and skeleton(person.name) == name for person in seated)

    def change(self, options: RoomOptions) -> None:
        """Other options; those who sit keep their order. Raises `Refusal`: game_on, bad_option."""
        self.before_the_game()
        if options.seats < len(self.places):
            taken = [place for place in self.places if place.person is not None]
            if len(taken) > options.seats:
                raise Refusal(Code.BAD_OPTION, f"{len(taken)} seats are taken, more than {options.seats}.")
            keep = self.places[: options.seats]
            if any(place.person is not None for place in self.places[options.seats :]):
                keep = taken + [Place() for _ in range(options.seats - len(taken))]
            self.places = keep
        while len(self.places) < options.seats:
            self.places.append(Place())
        self.options = options
        for place in self.places:
            # Nobody is ready for other options than those they saw.
            place.ready = place.person is not None and place.person.bot

    def check_deck(self, deck: Deck) -> None:
        """Raises `Refusal`: bad_deck for a deck of another format."""
        if deck.format != self.options.format:
            raise Refusal(Code.BAD_DECK, _WANTED[self.options.format])
        if deck.rules != self.options.deck_rules:
            by = self.options.deck_rules or self.options.format
            raise Refusal(Code.BAD_DECK, f"This room plays decks by the rules of {by}.")
        if self.options.by_hand == "never" and deck.by_hand:
            raise Refusal(Code.BAD_DECK, f"This room plays nothing by hand: {', '.join(deck.by_hand[:5])}.")

    def complete(self) -> None:
        """Whether the game can start. Raises `Refusal`: game_on, not_ready, no_deck; the sentence says who is missing."""
        self.before_the_game()
        self.all_ready()

    def all_ready(self) -> None:
        """Whether every seat has somebody with a deck who wants to play. Raises `Refusal`: not_ready, no_deck."""
        for place in self.places:
            if place.person is None:
                raise Refusal(Code.NOT_READY, "A seat is still free.")
            if place.deck is None:
                raise Refusal(Code.NO_DECK, f"{place.person.name} has no deck.")
            self.check_deck(place.deck)
            if not place.ready and place.person.id != self.host:
                raise Refusal(Code.NOT_READY, f"{place.person.name} is not ready.")

    def drop(self, client: Client) -> None:
        """The connection has left; its seat, if it has one, stays taken."""
        if self.room is not None:
            self.room.detach(client.key)
        for place in self.places:
            if place.client is client:
                place.client = None
        if client in self.watchers:
            self.watchers.remove(client)
        self._note_commits()
        self.touched = time.monotonic()

    def put_out(self, client: Client, why: str, text: str = "") -> None:
        """A client is in this room no more, and is told so by that notice; `text` stands for its sentence."""
        self.drop(client)
        client.room = ""
        client.put(Notice(key=why, text=text or fill(why, {}, client.lang), args={"room": self.id}))

    def anonymise(self, person: Person) -> None:
        """Somebody's name is to be known here no more; a seat is free if the game has not begun."""
        for number, place in enumerate(self.places):
            if place.person is not None and place.person.id == person.id:
                if self.room is None:
                    place.clear()
                else:
                    place.person = Person(id=place.person.id, name=pseudonym(number))
        self.chat = [line for line in self.chat if line.person != person.id]
        self.find_host()

    def find_host(self) -> None:
        """Someone else is the host when the host is gone."""
        people = self.people
        if people and all(person.id != self.host for person in people):
            self.host = people[0].id


def _set(event: trio.Event | None) -> None:
    if event is not None:
        event.set()


def pseudonym(seat: int) -> str:
    """What somebody is called who wants to be forgotten."""
    return f"Player {seat + 1}"


def _seat(number: int, place: Place) -> Seat:
    person = place.person
    if person is None:
        return Seat(seat=number)
    return Seat(
        seat=number,
        kind="bot" if person.bot else "person",
        name=person.name,
        person=person.id,
        level=place.level,
        deck=place.deck_name,
        ready=place.ready,
        commit=place.commit,
        connected=place.client is not None,
        stands_in=place.owner is not None,
    )
