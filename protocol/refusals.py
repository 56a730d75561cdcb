"""The codes of refusals, and how one is written.

A refusal is the player's: something was malformed, not allowed, too late. Nothing has changed. It says `code` (for
programs), `sentence` (for people, in English; the catalogue has it by key `refused.CODE` in every language), `rule`
(a number of the rules, where one forbids it) and `path` (where in the message, for malformed ones). The list grows; a
client treats a code it does not know like `illegal`.
"""

from enum import StrEnum

from protocol.words import fill


class Code(StrEnum):
    """Every code the server sends of itself. Illegal answers bring the engine's own, more exact codes besides."""

    MALFORMED = "malformed"
    """Not readable as JSON or MessagePack, or nested too deep."""
    UNKNOWN_MESSAGE = "unknown_message"
    """The `type` is missing or none this server knows."""
    INVALID = "invalid"
    """A field is missing, unknown or of the wrong type; `path` says which."""
    TOO_LARGE = "too_large"
    """A frame, name, text or list beyond its limit."""
    TOO_FAST = "too_fast"
    """More messages than the server takes at once; send it again later."""
    HELLO_FIRST = "hello_first"
    """Any message before `hello`."""
    HELLO_TWICE = "hello_twice"
    """A second `hello`."""
    BAD_TOKEN = "bad_token"
    """The token belongs to nobody here."""
    BAD_NAME = "bad_name"
    """The name is empty, too long or unprintable."""
    RESERVED_NAME = "reserved_name"
    """The name belongs to the server: only its bots are called so."""
    NAME_TAKEN = "name_taken"
    """Someone else, in this room or with an account, goes by that name or by one that looks like it."""
    BAD_PASSWORD = "bad_password"
    """No account has that name and password, or a room's password or invitation is wrong."""
    WEAK_PASSWORD = "weak_password"
    """A password is too short."""
    BAD_LINK = "bad_link"
    """The one-time link is used, too old or none of this server's."""
    BAD_TICKET = "bad_ticket"
    """The ticket is used, too old or none of this server's, or is for a room that has to be asked for first."""
    NO_GUESTS = "no_guests"
    """Only people with an account come in here."""
    NO_ACCOUNTS = "no_accounts"
    """No accounts are made here, or only with an invitation."""
    HAS_ACCOUNT = "has_account"
    """You have an account already."""
    TOO_MANY_TRIES = "too_many_tries"
    """Too many tries in a short time, of this account or address; the sentence says how long to wait."""
    NO_SUCH_SESSION = "no_such_session"
    NO_SUCH_PERSON = "no_such_person"
    LOCKED = "locked"
    """The room wants its password or an invitation."""
    BLOCKED = "blocked"
    """The host of the room does not let you in."""
    MUTED = "muted"
    """The host of the room does not let you speak."""
    TOO_MANY_SEATS = "too_many_seats"
    """The server has as many seats as it takes, or you sit in as many rooms as one may."""
    TOO_MANY_DECKS = "too_many_decks"
    """You keep as many decks as one may."""
    OWN_CARDS = "own_cards"
    """You may not bring cards of your own here."""
    IN_PLAY = "in_play"
    """Not while you have a seat in a game that goes on."""
    NOT_YOUR_GAME = "not_your_game"
    """You had no seat in that game."""
    BAD_TEXT = "bad_text"
    """Chat that is empty, too long or unprintable."""
    NO_SUCH_ROOM = "no_such_room"
    NOT_IN_ROOM = "not_in_room"
    """The message needs a room and you are in none."""
    IN_A_ROOM = "in_a_room"
    """You are in a room already; leave it first."""
    ROOM_FULL = "room_full"
    """No seat is free."""
    TOO_MANY_ROOMS = "too_many_rooms"
    TOO_MANY_BOTS = "too_many_bots"
    """The server has as many rooms as it takes."""
    NO_SUCH_SEAT = "no_such_seat"
    SEAT_TAKEN = "seat_taken"
    NOT_HOST = "not_host"
    """Only the one who opened the room may do that."""
    NOT_SEATED = "not_seated"
    """Spectators may not do that."""
    NO_SPECTATORS = "no_spectators"
    BAD_OPTION = "bad_option"
    """Room options that do not go together."""
    UNRATED = "unrated"
    """The game cannot count for a ladder: there is none, or its options or who plays are not such."""
    UNKNOWN_BOT = "unknown_bot"
    """No bot plays at that level here."""
    UNKNOWN_DECK = "unknown_deck"
    NO_SUCH_DECK = "no_such_deck"
    """You keep no deck under that name."""
    """No house deck has that name."""
    BAD_DECK = "bad_deck"
    """The deck list cannot be read or is not legal; the sentence names lines and cards."""
    NO_DECK = "no_deck"
    """A seat has no deck yet."""
    NOT_READY = "not_ready"
    """Not everyone is ready, or seats are empty."""
    NO_REPLAY = "no_replay"
    """There is no such finished game in which you had a seat, or the rules of today cannot play it."""
    NOT_REVEALED = "not_revealed"
    """Somebody who had committed to entropy did not reveal it in time: everyone commits anew, and the host starts again."""
    BAD_ENTROPY = "bad_entropy"
    """That is not what you committed to, or nothing is to be revealed, or the room has a seed of its own."""
    GAME_ON = "game_on"
    """That can be done only before the game."""
    NO_GAME = "no_game"
    """That can be done only during the game."""
    NOT_OVER = "not_over"
    """That can be done only after the game."""
    NOT_AWAY = "not_away"
    """The seat's person is here, or the seat is a bot's."""
    VOTE_OPEN = "vote_open"
    """Something else is put to the vote just now."""
    NO_VOTE = "no_vote"
    """No such vote is open, or you have no vote in it."""
    BALLOT_OPEN = "ballot_open"
    """Something else is proposed just now."""
    NO_BALLOT = "no_ballot"
    """No such ballot is open, or you have no say in it."""
    NO_OBJECTION = "no_objection"
    """You have lost three objections in this turn, or object to what you did yourself."""
    OBJECTED = "objected"
    """The game stands until it is settled whether what was done by hand is undone."""
    TOO_MANY_CORRECTIONS = "too_many_corrections"
    """You have proposed as many corrections as one may in a turn."""
    NO_MOMENT = "no_moment"
    """The game cannot go back to that moment."""
    NOT_FROZEN = "not_frozen"
    """The room does not stand still, or cannot be taken up from here."""
    NO_TAKEBACK = "no_takeback"
    """There is no such answer of yours, it is too long ago, or the room allows no takebacks."""
    NO_REPEAT = "no_repeat"
    """There is nothing of yours to repeat since that question, or you are not asked."""
    NO_SUCH_OBJECT = "no_such_object"
    """No such object is on the stack."""
    CANNOT_ALWAYS = "cannot_always"
    """Only a yes-or-no question of a source with a name can always be answered."""
    NOT_PAUSED = "not_paused"
    GAME_OVER = "game_over"
    STALE = "stale"
    """The question is not open any more."""
    NOT_YOUR_QUESTION = "not_your_question"
    """No such question is asked of you."""
    WRONG_KIND = "wrong_kind"
    """The answer is of another kind than the question."""
    NOT_AN_ACT = "not_an_act"
    """The line is no instruction that is read, or can be read in several ways; the sentence says where, or which."""
    ILLEGAL = "illegal"
    """The rules do not allow the answer."""
    FROZEN = "frozen"
    """The room met a defect of the server and stands still; its journal is kept."""
    BUSY = "busy"
    """The room's inbox is full; send it again later."""
    CLOSING = "closing"
    """The server is shutting down."""
    DEFECT = "defect"
    """A defect of the server; what was sent had no effect."""


class Refusal(Exception):
    """A refusal on its way to its sender, anywhere above the rules; becomes a `messages.Refused`.

    `code` is a `Code` or a code of the engine; `sentence` defaults to the catalogue's for that code, or of `key`, filled with
    `args`.
    """

    def __init__(
        self,
        code: str,
        sentence: str = "",
        *,
        rule: str = "",
        path: str = "",
        args: dict[str, str | int] | None = None,
        key: str = "",
    ) -> None:
        self.code = str(code)
        self.key = "" if sentence else key or f"refused.{code}"
        """Of the sentence in the catalogue, "" where it is not from there."""
        self.places: dict[str, str | int] = args or {}
        self.sentence = sentence or fill(self.key, self.places)
        self.rule = rule
        self.path = path
        super().__init__(f"{self.code}: {self.sentence}")
