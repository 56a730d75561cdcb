"""Messages about people: accounts and sessions, who may come into a room, what one hears of whom, one's decks and data."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from protocol.base import Id, RoomId, Sent, Told
from protocol.patch import Tree

PASSWORD_LENGTH = 8
"""The least."""
PersonId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
Password: TypeAlias = Annotated[str, Meta(max_length=256)]
OneTimeLink: TypeAlias = Annotated[str, Meta(max_length=64)]
"""The code of a one-time link that the host of the server has handed out."""
DeckName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
DeckText: TypeAlias = Annotated[str, Meta(max_length=16_000)]

# --- client to server: who I am -------------------------------------------------------------------------------------


class MakeAccount(Sent, frozen=True, tag="account"):
    """I, a guest, want to keep my name, with a password. `link`: an invitation, where the host asks for one."""

    password: Password
    link: OneTimeLink = ""


class ChangePassword(Sent, frozen=True, tag="password"):
    """Another password for my account, instead of `old`. My other sessions end."""

    old: Password
    new: Password


class ListSessions(Sent, frozen=True, tag="sessions"):
    """Where am I signed in? Reply: `sessions`."""


class SignOut(Sent, frozen=True, tag="sign_out"):
    """End a session of mine; absent: all but this one. Its connections close, and its token is of no use any more."""

    session: Annotated[str, Meta(max_length=32)] = ""


class Privacy(Sent, frozen=True, tag="privacy"):
    """What is kept about people here, and for how long? Reply: `privacy`."""


class MyData(Sent, frozen=True, tag="my_data"):
    """All that is kept about me. Reply: `my_data`."""


class ForgetMe(Sent, frozen=True, tag="forget_me"):
    """Delete all that is kept about me; an account is asked for its `password`. Journals keep a pseudonym."""

    password: Password = ""


class Publish(Sent, frozen=True, tag="publish"):
    """A finished game in which I had a seat may be seen by everyone, or not any more. It may when all its people say so."""

    room: RoomId
    publish: bool = True


# --- client to server: my decks -------------------------------------------------------------------------------------


class SaveDeck(Sent, frozen=True, tag="save_deck"):
    """Keep a deck list under a name, in place of the one that had it."""

    name: DeckName
    text: DeckText


class ForgetDeck(Sent, frozen=True, tag="forget_deck"):
    """Delete the deck that I kept under that name."""

    name: DeckName


class ListSavedDecks(Sent, frozen=True, tag="saved_decks"):
    """Which decks have I kept? Reply: `saved_decks`."""


# --- client to server: others ---------------------------------------------------------------------------------------


class Ignore(Sent, frozen=True, tag="ignore"):
    """I do not want to read what a person says, or do again."""

    person: PersonId
    ignore: bool = True


class Report(Sent, frozen=True, tag="report"):
    """Tell the host of the server about a person in my room. The last lines of chat and the place in the journal go with it."""

    person: PersonId
    text: Annotated[str, Meta(max_length=1000)] = ""


class Mute(Sent, frozen=True, tag="mute"):
    """Host: a person may not speak in this room, or may again."""

    person: PersonId
    mute: bool = True


class Kick(Sent, frozen=True, tag="kick"):
    """Host: out of the room with a person; one who has a seat only before or after the game. `block`: and not in again."""

    person: PersonId
    block: bool = False


class Unblock(Sent, frozen=True, tag="unblock"):
    """Host: a person may come in again."""

    person: PersonId


class RoomPassword(Sent, frozen=True, tag="room_password"):
    """Host: who comes in is asked for that password; absent: nobody is. An invitation is as good."""

    password: Password = ""


class ListRatings(Sent, frozen=True, tag="ratings"):
    """How strong is who? `ladder`: which list, absent: the first; `person`: and where that one stands. Reply: `ratings`."""

    ladder: Annotated[str, Meta(max_length=64)] = ""
    person: Annotated[str, Meta(max_length=32)] = ""


PersonalMessage: TypeAlias = (
    MakeAccount
    | ChangePassword
    | ListSessions
    | SignOut
    | Privacy
    | MyData
    | ForgetMe
    | Publish
    | SaveDeck
    | ForgetDeck
    | ListSavedDecks
    | Ignore
    | Report
)
"""What may be said in a room or out of one."""
DoorMessage: TypeAlias = Mute | Kick | Unblock | RoomPassword
"""What the host of a room says about who may come in and speak."""

# --- server to client -----------------------------------------------------------------------------------------------


class SessionLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One session: times in seconds since 1970; `here`: the one that asks; `connected`: just now."""

    session: str
    since: int = 0
    seen: int = 0
    client: str = ""
    here: bool = False
    connected: bool = False


class Sessions(Told, frozen=True, tag="sessions"):
    """Where you are signed in."""

    sessions: list[SessionLine] = []


class SavedDecks(Told, frozen=True, tag="saved_decks"):
    """The decks that you keep: lists by name."""

    saved: dict[str, str] = {}


class PrivacyMessage(Told, frozen=True, tag="privacy"):
    """What is kept, in days; 0: until the host of the server deletes it. `chat_lines`: the last lines that a room remembers while
    it lives, which only a report writes down. Addresses are not kept.
    """

    journal_days: int = 0
    report_days: int = 0
    guest_days: int = 0
    chat_lines: int = 0


class MyDataMessage(Told, frozen=True, tag="my_data"):
    """All that is kept about you: `person`, `sessions`, `decks`, `games` (rooms whose journals name you), `ratings` by ladder,
    `reports` you made."""

    data: Tree


class RatingLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody on a ladder: the `rating`, between which less and more `spread` the true one lies with 95 %; at which `place`."""

    ladder: str
    person: str
    name: str
    rating: float
    spread: float
    games: int = 0
    wins: int = 0
    place: int = 0


class Ratings(Told, frozen=True, tag="ratings"):
    """The `ladders` that there are, the best of one, and where the person `of` whom was asked stands on each. First is who is surest to be
    strong: by `rating` less `spread`.
    """

    ladder: str = ""
    ladders: list[str] = []
    rated: list[RatingLine] = []
    of: list[RatingLine] = []


class Watcher(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A spectator."""

    person: Id
    name: str
